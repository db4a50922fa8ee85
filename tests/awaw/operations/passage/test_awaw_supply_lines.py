"""Sea supply lines attacked from the air and by submarines: 22.9434, 23.752D."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from flagplot.awaw.battle.shipless import attack_ledger
from flagplot.awaw.operations.passage.air_attacks import may_be_attacked
from flagplot.awaw.operations.passage.homeward import new_voyage
from flagplot.awaw.operations.passage.supply_lines import is_bare_line, overrun
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import air_attack, interceptions, submarine_interception
from flagplot.awaw.state.battle import Shipless, Strike
from flagplot.awaw.state.operation import Activity, Encounter, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Scripted
from flagplot.kernel.game import Game
from tests.awaw import seas
from tests.awaw.scenes import run, short
from tests.awaw.seas import flotilla, force, play, port, sail, sea, steer
from tests.awaw.voyages import reaching

ISLE = "isle:united-states:naval:squadrons"
Dice = Sequence[tuple[str | int, ...]]


def line(*air: str, **more: Any) -> tuple[State, str]:
    """A sea supply line from Truk, past the Blue base Isle, that nobody protects."""
    state = sea(
        port("truk", "red", (0, 0), "2 japan naval"),
        port("isle", "blue", (3, 0), *(air or ("4 united-states naval",))),
        *more.pop("entries", ()),
        pacific=True,
        **more,
    )
    path = state.operation.plan.board.sea_path((0, 0), (8, 0))
    assert path is not None
    key = new_voyage(state, Voyage("red", Activity.SEA_SUPPLY, [], path, step=2, progress=Progress.UNDER_WAY))
    return state, key


def attack(state: State, key: str, *orders: str, dice: Dice) -> Game[State]:
    with Scripted(*dice) as rolls:
        return steer(play(state, air_attack.start(key), dice=rolls), f"sortie:{key}:yes", *orders)


STRIKE = (f"search:{ISLE}:1", "strike:1", f"fly:{ISLE}:3")
FOUND = ("search", 1)


@pytest.mark.rule("23.752D")
def test_a_line_that_nobody_protects_is_disrupted_by_a_hit_from_the_air() -> None:
    state, key = line()
    assert may_be_attacked(state, state.operation.voyages[key])
    game = attack(state, key, *STRIKE, dice=[FOUND, ("attack on the sea supply line", 1, 1)])
    voyage = game.state.operation.voyages[key]
    assert voyage.disrupted
    assert voyage.progress is Progress.OVER
    assert not is_bare_line(game.state, voyage)
    assert short(game.state.sites["isle"].air) == {"united-states naval": 4}, "no guns, nobody is lost"


@pytest.mark.rule("23.752D")
def test_the_line_must_be_found_first_and_may_be_attacked_in_each_of_its_hexes() -> None:
    state, key = line()
    for _ in range(3):
        game = attack(state, key, f"search:{ISLE}:1", dice=[("search", 6)])
        state = game.state
        assert is_bare_line(state, state.operation.voyages[key])
        assert may_be_attacked(state, state.operation.voyages[key])
        state.operation.voyages[key].step += 1
    assert attack(state, key, *STRIKE, dice=[FOUND, ("attack on", 6, 6)]).state.operation.voyages[key].disrupted


@pytest.mark.rule("23.752D", "23.441A", "23.441B")
@pytest.mark.parametrize(("faces", "hit"), [((1, 1), False), ((6, 6), True)])
def test_a_miss_does_not_disrupt_the_line(faces: tuple[int, int], hit: bool) -> None:
    state, key = line()
    orders = (*STRIKE[:2], f"fly:{ISLE}:1")
    game = attack(state, key, *orders, dice=[FOUND, ("attack on the sea supply line", *faces)])
    assert game.state.operation.voyages[key].disrupted is hit
    assert any("disrupted" in str(entry) for entry in game.log("red")) is hit


@pytest.mark.rule("23.441A", "23.441B")
@pytest.mark.parametrize(("nation", "lines"), [("", [2]), ("united-states", [2, -2])])
def test_the_lowest_attackers_count_and_a_line_has_no_drm(nation: str, lines: list[int]) -> None:
    """Army air has 2, naval air of the same nation 2 and 1 at sea."""
    state, _ = line("1 united-states naval", "1 united-states army")
    naval, army = sorted(state.sites["isle"].air, key=lambda which: not which.is_naval)
    mixed = Strike("blue", "", attackers={naval: 1, army: 1})
    assert [one.amount for one in attack_ledger(state, mixed, Shipless(1, nation)).lines] == lines
    alone = Strike("blue", "", attackers={naval: 1})
    assert attack_ledger(state, alone, Shipless(1, nation)).total == sum(lines) + 1


@pytest.mark.rule("23.752D")
def test_by_option_squadrons_that_come_through_disrupt_it_without_a_roll() -> None:
    state, key = line(options=Options(supply_line_from_air="any-attack"))
    assert attack(state, key, *STRIKE, dice=[FOUND]).state.operation.voyages[key].disrupted


@pytest.mark.rule("23.752D", "23.4211D")
def test_it_has_air_cover_and_guns_only_by_research() -> None:
    state, key = line(settings={"research": {"japan": {"air_defense": 1}}})
    game = attack(
        state,
        key,
        *STRIKE,
        "cover:truk:japan:naval:squadrons:2",
        "engage:truk:japan:naval:squadrons:2",
        dice=[FOUND, ("Blue: air combat", 1, 1), ("Red: air combat", 1, 1), ("air defense", 6, 6)],
    )
    assert not game.state.operation.voyages[key].disrupted, "the last of them was shot down or turned back"
    assert is_bare_line(game.state, game.state.operation.voyages[key])


@pytest.mark.rule("23.752D")
def test_ships_that_protect_a_line_are_attacked_instead() -> None:
    state = sea(
        port("truk", "red", (0, 0)),
        port("isle", "blue", (3, 0), "4 united-states naval"),
        force("escort", "red", "truk", destroyers=3),
        pacific=True,
    )
    key = sail(state, "sea-supply", "escort", (8, 0), step=2)
    state.operation.fleet["escort"].group.activity = "sea-supply"
    assert not is_bare_line(state, state.operation.voyages[key])
    orders = ("number:escort:1", *STRIKE, f"against:light-ships:{ISLE}:3")
    game = attack(state, key, *orders[:-1], dice=[FOUND, ("air defense", 1, 1), ("attack on light ships", 6, 6)])
    assert "escort" not in game.state.operation.fleet, "four hits sink three destroyers"
    voyage = game.state.operation.voyages[key]
    assert not voyage.disrupted
    assert is_bare_line(game.state, voyage), "from now on nobody protects it"


@pytest.mark.rule("22.9434")
@pytest.mark.parametrize(("faces", "lost"), [((1, 1), 1), ((4, 4), 0)])
def test_a_submarine_disrupts_a_line_that_nobody_protects_whatever_its_roll(faces: tuple[int, int], lost: int) -> None:
    boats = flotilla("boats", "blue", "isle", 0, away=2, nation="russia")
    state, key = line(entries=[boats], settings={"research": {"japan": {"asw": 2}}})
    here = state.operation.voyages[key].at
    for _ in range(2):
        new_voyage(
            state,
            Voyage(
                "blue",
                Activity.INTERCEPTION,
                [],
                (here,),
                progress=Progress.ARRIVED,
                level=1,
                target=key,
                meet=here,
                flotilla="boats",
                arrives=1,
            ),
        )
    state.operation.encounter = Encounter(here, key, 1, [key, "v2"])
    with Scripted(("submarine attack on a sea supply line", *faces)) as dice:
        game = steer(play(state, submarine_interception.start(key), dice=dice))
    assert game.state.operation.voyages[key].disrupted
    left = game.state.operation.flotillas["boats"]
    assert (left.lost, left.inverted, left.tried, left.away) == (lost, 1 - lost, 1, 0), (
        "the second has nothing to attack"
    )
    assert game.state.operation.encounter is None


@pytest.mark.rule("22.9434")
def test_an_interception_that_nobody_opposes_disrupts_it() -> None:
    state, key = line()
    run(overrun(state, key))
    assert state.operation.voyages[key].disrupted
    assert not may_be_attacked(state, state.operation.voyages[key])


@pytest.mark.rule("23.752D", "22.9434")
def test_a_supply_line_that_nobody_protects_may_be_intercepted() -> None:
    """23.752D: there are no ships, and yet there is something to intercept."""
    state = sea(*seas.PORTS, seas.KIDO, seas.TF)
    path = state.operation.plan.board.sea_path((0, 0), (0, 4))
    assert path is not None
    new_voyage(state, Voyage("red", Activity.SEA_SUPPLY, [], path, shown=True, base="rabaul", cargo=True))
    game = play(state, interceptions.start("out"), dice=reaching())
    made = steer(game, "intercept:v1:1:0,3", "go:v1:1:tf:direct").state
    assert [
        (voyage.forces, voyage.target, voyage.arrives) for voyage in made.operation.voyages.values() if voyage.level
    ] == [(["tf"], "v1", 1)]
