"""What odds take for granted is said, and what can be asked is answered."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import pytest

import flagplot
from flagplot.awaw.counting import add
from flagplot.draw.odds_charts import draw_parts
from flagplot.kernel.errors import BadValue
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.requests import Choose
from flagplot.odds.answer import Answer, Part
from flagplot.odds.answers.air_combat import TRANSPORTS
from flagplot.odds.answers.port_attack import WIPED_OFF
from flagplot.odds.answers.search import NO_ENEMY_DICE
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import Limits
from flagplot.odds.position_lob import _in_words
from flagplot.odds.position_wide import newly_damaged, wide_horizons
from flagplot.players.by_game import DoctrineByGame


def ask(asked: str, /, **words: Any) -> Answer:
    answer: Answer = flagplot.odds(asked, **words)
    return answer


def test_transports_that_are_left_out_are_named() -> None:
    words = {"kind": "counterair", "attackers": "3 germany army"}
    without = ask("air-combat", defenders="2 britain army", **words)
    beside = ask("air-combat", defenders="2 britain army, 2 britain transport", **words)
    assert TRANSPORTS not in without.policies
    assert TRANSPORTS in beside.policies
    for one, other in zip(without.parts, beside.parts, strict=True):
        assert one.chances == other.chances, "they are left out indeed"
    assert TRANSPORTS not in ask("air-combat", defenders="2 britain transport", **words).policies, "they must fight"


def test_a_search_says_that_the_enemy_rolls_no_dice() -> None:
    assert NO_ENEMY_DICE in ask("search", groups="1,3", dice=2, own_groups="2").policies
    assert NO_ENEMY_DICE not in ask("search", groups="1,3", dice=2, own_groups="2", enemy_dice=0).policies
    assert NO_ENEMY_DICE not in ask("search", groups="1,3", dice=2).policies, "nothing hangs on it"


def test_averages_of_a_part_say_so() -> None:
    part = Part("Hits", Distribution({0: Fraction(1, 4), 2: Fraction(1, 4)}))
    assert part.lines()[0] == "Hits: 1.000 on average, of what was followed to its end"
    assert part.as_dict()["mean"]["of"] == "what was followed to its end"
    ((_, picture),) = draw_parts(Answer("A question", (part,), left_over=Fraction(1, 2)), 400.0)
    assert "(1.000 on average, of what was followed to its end)" in picture.svg(), "at the odds desk too"
    nothing = Part("Hits", Distribution({}))
    assert nothing.lines() == ["Hits: nothing was followed to its end"]
    assert "mean" not in nothing.as_dict()
    whole = Part("Hits", Distribution({0: Fraction(1, 2), 2: Fraction(1, 2)}))
    assert whole.lines()[0] == "Hits: 1.000 on average"
    assert "of" not in whole.as_dict()["mean"]


def test_hits_that_are_wiped_off_in_port_are_mentioned() -> None:
    words = {"attackers": "2 japan elite", "port": "1 city"}
    enterprise = ask("base-attack", ships="Enterprise, 2 destroyers", **words)
    assert WIPED_OFF in enterprise.policies
    assert 1 not in enterprise.parts[0].chances, "one hit of three does not damage her"
    assert WIPED_OFF not in ask("base-attack", ships="4 destroyers", nation="united-states", **words).policies


def test_land_based_air_is_not_sunk() -> None:
    units = flagplot.load("force-z", seed=0).state
    squadron = next(units.unit(key) for side in units.setting.sides for key in units.of(side) if units.unit(key).lba)
    ship = next(units.unit(key) for side in units.setting.sides for key in units.of(side) if not units.unit(key).lba)
    assert [_in_words(squadron, found) for found in ("sunk", "damaged", "unhurt")] == ["destroyed", "reduced", "unhurt"]
    assert [_in_words(ship, found) for found in ("sunk", "damaged", "unhurt")] == ["sunk", "damaged", "unhurt"]


def test_kamikazes_are_answered_in_time() -> None:
    """Many targets and dice: the search ends when its time is up, and what is left is sampled."""
    game = flagplot.load("okinawa", seed=1)

    def aims(game: Any) -> bool:
        return isinstance(game.pending, Choose) and game.pending.verb == "target"

    game.play({side: DoctrineByGame() for side in game.sides}, until=aims)
    start = time.process_time()
    answer = game.odds(game.pending.side, limits=Limits(400_000, 0.1))  # type: ignore[union-attr]
    assert answer.decided_by == "the kamikaze attacks (17.47)"
    assert answer.is_sampled
    assert time.process_time() - start < 20, "it took minutes"


def test_carriers_that_have_lost_their_escorts_can_be_struck() -> None:
    answer = ask("strike", attackers="4 japan naval", target="Enterprise, Hornet, Wasp, 1 destroyers", aim="wasp 4")
    assert answer.question.endswith("Enterprise, Hornet, Wasp, 1 American destroyer factor")
    (level,) = [ledger for title, ledger in answer.ledgers if "air defense" in title]
    assert "one per ten naval factors or part of ten (a CVE counts three): 10" in str(level), (
        "only those that are left fire"
    )
    ask("strike", attackers="4 japan naval", target="Enterprise, Hornet, Wasp, Yorktown")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("engagement", {"ours": "Hood, 4 cruisers", "theirs": "King George V, 4 cruisers"}),
        ("fire", {"ships": "Bismarck", "target": "Tirpitz"}),
        ("submarine", {"submarines": 2, "nation": "germany", "target": "Tirpitz"}),
        ("strike", {"attackers": "2 japan naval", "target": "Akagi"}),
        ("base-attack", {"attackers": "2 japan elite", "ships": "Akagi"}),
    ],
)
def test_a_country_is_not_at_war_with_itself(kind: str, words: dict[str, Any]) -> None:
    with pytest.raises(BadValue, match="a country cannot fight on both sides"):
        ask(kind, **words)


def test_screens_are_named_as_ships() -> None:
    words = {"ours": "Kongo, Hiei, 8 cruisers", "theirs": "Washington, 4 cruisers"}
    screened, free = ask("engagement", screen="Hiei, 4 cruisers", **words).policies[:2]
    assert screened == "the doctrine player decides for us, but screens Hiei, 2 Japanese cruisers"
    assert free == "the doctrine player decides for them"
    none = ask("engagement", screen="none", **words).policies[0]
    assert none.endswith("screens nothing more than it must")


def test_air_is_ignored_only_where_there_is_some() -> None:
    words = {"attackers": "2 japan elite", "ships": "Enterprise"}
    assert ask("base-attack", **words).policies[0] == "there is no air in the base"
    assert (
        ask("base-attack", defenders="1 united-states army", **words).policies[0] == "Japan ignores the air in the base"
    )


def test_where_a_battle_is_played_on_a_damaged_ship_that_sinks_is_not_one_damaged_less() -> None:
    before = flagplot.load("denmark-strait", seed=1).copy().state
    side = before.sides[0]
    group = next(one for one in before.battle.groups.values() if one.side == side)
    ship = next(which for which in group.ships if which.named)
    group.ships = {
        ship.bearing(ship.size - 1): 1,
        **{which: some for which, some in group.ships.items() if which is not ship},
    }
    after = copy_of(before)
    there = next(one for one in after.battle.groups.values() if one.side == side).ships
    del there[ship.bearing(ship.size - 1)]
    add(after.losses.ships, ship, 1)
    (horizon,) = wide_horizons(before)
    assert horizon.tell is not None
    told = dict(horizon.tell(before, side)(after))
    name = before.name(side)
    assert told[f"{name}: factors sunk"] == ship.size
    assert told[f"{name}: factors newly damaged"] == 0
    assert dict(horizon.tell(after, side)(after))[f"{name}: factors newly damaged"] == 0


def test_only_what_was_sound_is_newly_damaged() -> None:
    """Two of four cruisers were damaged; one sank, and three are left, all of them damaged."""
    assert newly_damaged({"cruiser": (2, 4, 2)}, {"cruiser": (2, 3, 3)}) == 4
    assert newly_damaged({"cruiser": (2, 4, 2)}, {"cruiser": (2, 3, 1)}) == 0
    assert newly_damaged({"cruiser": (2, 4, 2)}, {}) == 0
    assert newly_damaged({"cruiser": (2, 2, 0)}, {"cruiser": (2, 4, 0)}) == 0, "others have come"
