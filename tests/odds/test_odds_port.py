"""The odds of attacks on ships in port agree with the tables and with the games that are played (23.411)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import flagplot
from flagplot.kernel.dice import Seeded
from flagplot.kernel.errors import BadValue, FlagplotError
from flagplot.odds.words import read_port
from tests.awaw.harbours import at, begin, counterair, fleet_in_port, fly, waters
from tests.awaw.seas import steer

TWO_DICE = [one + other for one, other in product(range(1, 7), repeat=2)]


def share_of(*sums: int) -> Fraction:
    return Fraction(sum(TWO_DICE.count(total) for total in sums), 36)


def test_two_squadrons_against_one_ship_by_hand() -> None:
    """Level 3: 1 for the ship, 2 for the port. A 2 to 5 leaves one squadron: row 1 damages with 11 or 12."""
    answer = flagplot.odds("base-attack", attackers="2 japan naval", ships="Arizona", aim="arizona")
    hits, destroyed, lost, *_ = [part.chances for part in answer.parts]
    assert hits[2] == share_of(2, 3, 4, 5) * share_of(11, 12) == Fraction(10, 432)
    assert hits[3] == 0
    assert destroyed[0] == 1
    assert lost[0] == share_of(2, 3)
    assert answer.left_over == 0


def test_a_ship_sunk_in_port_by_hand() -> None:
    """One factor against a damaged ship: any hit sinks it, and a 6 destroys it. Level 3 lets nobody through above 3."""
    words = {"attackers": "2 japan army", "ships": "Arizona", "hits": "arizona 2", "aim": "arizona"}
    answer = flagplot.odds("base-attack", **words)
    sunk = share_of(2, 3, 4, 5) * share_of(6, 7, 8, 9, 10, 11, 12)
    assert answer.parts[0].chances[3] == sunk
    assert answer.parts[1].chances[1] == sunk / 6
    never = flagplot.odds("base-attack", **words, options=["critical_hits=never"])
    assert "destroyed" not in str(never)


def test_odds_agree_with_games() -> None:
    """Four squadrons, of which one counterairs two; the same with 800 games, within three standard deviations."""
    answer = flagplot.odds(
        "base-attack",
        attackers="4 japan naval",
        ships="Oklahoma",
        defenders="2 american naval",
        port="1 airbase",
        counterair=1,
        aim="oklahoma",
    )
    lost = answer.parts[2]
    state = waters(fleet_in_port("Oklahoma", task_force=False), air=["2 united-states naval"], red=["4 japan naval"])
    games, total, hit = 800, 0, 0
    for seed in range(games):
        game = steer(begin(state, dice=Seeded(seed)), fly(4), counterair(1))
        total += game.state.losses.air.get("japan/naval/squadrons", 0)
        hit += "pac" not in game.state.operation.fleet or at(game) != {"oklahoma": 0}
    damaged = 1 - float(answer.parts[0].chances[0])
    assert abs(hit / games - damaged) < 3 * (damaged * (1 - damaged) / games) ** 0.5
    assert abs(total / games - float(lost.mean)) < 0.1


def test_what_stands_in_a_port() -> None:
    assert read_port("1 city, airbase, 2 flak, 1 objective, 2 anchors, fortress") == (2, 1, 2, 1, 2, 2)
    assert read_port("") == (1, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"port": "3 moles"}, "no such defense of a port"),
        ({"attackers": "1 japan transport"}, "attack a port"),
        ({"attackers": ""}, "an attack needs air units"),
        ({"rounds": 2}, "one sortie"),
        ({"aim": "hood"}, "no such ship"),
        ({"counterair": 9}, "counterair"),
        ({"carriers": True, "attackers": "2 japan army"}, "from carriers"),
    ],
)
def test_questions_that_cannot_be(more: dict[str, object], told: str) -> None:
    with pytest.raises(FlagplotError, match=told):
        flagplot.odds("base-attack", **{"attackers": "2 japan naval", "ships": "Arizona", **more})


def test_words_of_ships_without_ships() -> None:
    with pytest.raises(BadValue, match="ships in port"):
        flagplot.odds("base-attack", attackers="2 japan naval", defenders="1 american army", port="1 flak")
