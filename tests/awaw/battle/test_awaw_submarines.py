"""22.9: submarine attacks, in naval combat and without it.

Groups are numbered from 2, so in the first round they are distant and no fleets meet. Red's carriers search with one
die, which finds Blue's group 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from flagplot.awaw.battle.submarines import open_groups
from flagplot.awaw.battle.torpedoes import Category, attack_supply_line, categories, category_reads
from flagplot.awaw.procedures import naval_battle
from flagplot.awaw.state.battle import Submarines
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Scripted
from flagplot.kernel.errors import ScenarioError
from flagplot.kernel.game import Game
from flagplot.kernel.procedures import Frame
from flagplot.kernel.requests import Choose, Roll
from flagplot.testing import Report, set_up
from flagplot.testing.conforming import open_trial
from flagplot.testing.secrecy import secrets_stay_secret
from tests.awaw.battles import asked_now, asks, battle, fight, fleet_of, group, lost, rolls_for, ships, squadron, sunk
from tests.awaw.scenes import base, log, run, short, start
from tests.awaw.strike_news import reasons, seen_ships
from tests.awaw.strike_orders import fly
from tests.awaw.strikes import Dice, Faces, kido, meet, task

FOUND: tuple[Faces, Faces] = ((2,), ())
"""Red's one search die finds Blue's group 2; Blue has none."""
AIM, ATTACK = "submarine target", "submarine attack on"
LOST, MISS = (1, 1), (1, 2)
"""At a modifier of 0: a 2, which loses the submarine, and a 3, which does nothing."""


def subs(factors: int = 1, side: str = "red", nation: str = "japan", **more: Any) -> dict[str, Any]:
    return {"side": side, "nation": nation, "factors": factors, **more}


def screen(**more: Any) -> dict[str, Any]:
    """American light ships alone, five cruisers unless others are given: a Japanese submarine has +1 against them."""
    light = {"cruisers": 10} if not {"cruisers", "destroyers", "cves"} & set(more) else {}
    return squadron("x", "blue", **light, **more)


def dive(
    *forces: dict[str, Any],
    submarines: Sequence[dict[str, Any]] = (subs(),),
    search: tuple[Faces, Faces] = FOUND,
    rolls: Iterable[Dice] = (),
    orders: Iterable[str] = (),
    until: Callable[[Game[State]], bool] | None = None,
    first: int = 2,
    **more: Any,
) -> Game[State]:
    """Red's carriers and these forces meet; it goes on until the submarines have attacked."""
    given = [kido(6), *forces]
    numbers = []
    for side in ("red", "blue"):
        names = [force["id"] for force in given if force["side"] == side]
        numbers += [f"number:{name}:{place}" for place, name in enumerate(names, first)]
    return meet(
        *given,
        submarines=list(submarines),
        search=search,
        rolls=list(rolls),
        orders=[*numbers, *orders],
        until=until or surfaced,
        **more,
    )


def surfaced(game: Game[State]) -> bool:
    """Whether the submarines of this round have attacked."""
    order, frames = list(naval_battle.segments), game.state.frames
    return len(frames) == 1 and order.index(frames[0].segment) > order.index("submarines")


def at_the_tubes(*forces: dict[str, Any], **more: Any) -> Game[State]:
    """As the dice of the first submarine attack are to be rolled."""
    return dive(*forces, until=rolls_for(ATTACK), **more)


def flotilla(game: Game[State], place: int = 0) -> tuple[int, int, int]:
    """The factors that have not attacked, those that have, and those lost."""
    one = game.state.battle.submarines[place]
    return one.factors, one.spent, one.lost


# --- when and where ---------------------------------------------------------------------------------------------


@pytest.mark.rule("22.41I", "22.31D", "22.54H.1", "22.921", "SOP-NC-I.J", "22.54H")
def test_submarines_attack_after_strikes_and_fleets_and_before_withdrawal() -> None:
    asked: list[str] = []

    def listens(game: Game[State]) -> bool:
        asked.append(str(game.pending))
        return surfaced(game)

    dive(
        screen(),
        orders=["strike:2", fly(1)],
        rolls=[("air defense", 1, 1), ("attack on light ships", 1, 1), (ATTACK, *MISS)],
        until=listens,
    )
    dice = [text for text in asked if "attack on" in text]
    assert dice == [
        "red: Red: attack on light ships, row 1",
        "red: Red: submarine attack on light ships of CG 2 (Blue)",
    ]
    order = list(naval_battle.segments)
    places = [order.index(name) for name in ("second_strikes", "landing", "fleets", "submarines", "withdrawal")]
    assert places == sorted(places)


@pytest.mark.rule("SOP-NC-I.J", "22.41I")
def test_raiders_meet_no_submarines() -> None:
    with pytest.raises(ScenarioError, match="raider"):
        start(battle(kido(0), screen(), submarines=[subs(3)], raiders=True))


@pytest.mark.rule("22.93B", "22.914")
def test_only_groups_that_were_found_are_attacked() -> None:
    game = dive(screen(), squadron("y", "blue", cruisers=10), submarines=[subs(2)], rolls=[(ATTACK, *MISS)] * 2)
    assert [group(game, "blue", number).this_round.submarined for number in (2, 3)] == [2, 0]


@pytest.mark.rule("22.93B", "22.914")
def test_without_a_group_that_was_found_nobody_attacks() -> None:
    game = dive(screen(), search=((6,), ()))
    assert flotilla(game) == (1, 0, 0)
    assert "submarine" not in log(game)


@pytest.mark.rule("22.93B", "22.914")
def test_groups_that_fought_have_shown_where_they_are() -> None:
    state = dive(screen(), squadron("y", "blue", cruisers=10), search=((6,), ())).state
    assert open_groups(state, "red") == []
    state.battle.groups["y"].this_round.fought = True
    assert open_groups(state, "red") == [state.battle.groups["y"]]
    assert open_groups(state, "blue") == []


@pytest.mark.rule("22.93B", "22.914")
def test_fleet_combat_opens_a_hidden_group_to_submarines() -> None:
    """Both groups are active and meet; neither was found."""
    guns = squadron("guns", "red", "Kongo", cruisers=10)
    game = fight(start(battle(guns, screen(), submarines=[subs()])), "number:guns:1", "number:x:1", until=searched)
    game.roll([6])
    game.roll([6])
    fight(game, until=lambda game: rolls_for(ATTACK)(game) or surfaced(game))
    assert rolls_for(ATTACK)(game)
    target = group(game, "blue", 1)
    assert (target.this_round.results, target.this_round.fought) == (0, True)


searched = rolls_for("search")


# --- who attacks ------------------------------------------------------------------------------------------------


TWO_FOUND: dict[str, Any] = {
    "bases": [base("field", "red", (0, 2), "1 japan naval")],
    "search": ((2, 3), ()),
    "orders": ["search:field:japan:naval:squadrons:1"],
}
"""Red searches with a squadron too, and finds Blue's groups 2 and 3."""


def two_groups(**more: Any) -> Game[State]:
    orders = [*TWO_FOUND["orders"], *more.pop("orders", ())]
    return dive(screen(), squadron("y", "blue", cruisers=10), **{**TWO_FOUND, "orders": orders, **more})


@pytest.mark.rule("22.92", "22.93A")
def test_submarines_that_intercepted_must_all_attack() -> None:
    game = two_groups(submarines=[subs(3)], until=asks("submarines"))
    assert asked_now(game) == [f"submarines:1:2:{number}" for number in range(4)]
    game.choose("submarines:1:2:1")
    assert game.state.battle.this_round.announced[1].factors == 2
    assert "with how many of 3 " in log(game)
    game = dive(screen(), submarines=[subs(3)], until=rolls_for(ATTACK))
    assert "with how many of 3 " not in log(game)


@pytest.mark.rule("22.914", "22.921")
def test_submarines_that_came_with_a_force_may_attack() -> None:
    game = dive(screen(), submarines=[subs(2, accompany=True)], until=asks("submarines"))
    assert asked_now(game) == [f"submarines:1:2:{number}" for number in range(3)]
    game.choose("submarines:1:2:0")
    assert surfaced(game)
    assert flotilla(game) == (2, 0, 0)
    some = dive(screen(), submarines=[subs(2, accompany=True)], orders=["submarines:1:2:1"], rolls=[(ATTACK, *MISS)])
    assert flotilla(some) == (1, 1, 0)


@pytest.mark.rule("22.93A", "22.9416A", "22.9419")
def test_each_attack_is_against_one_group() -> None:
    game = two_groups(submarines=[subs(3)], orders=["submarines:1:2:1"], until=rolls_for(ATTACK))
    assert [attack.factors for attack in game.state.battle.this_round.announced] == [1, 2]


def two_rounds(search: int, *rolls: tuple[Any, ...]) -> Game[State]:
    """Red searches for CG 4 with one die in the first of two rounds; as the submarines of the second are back."""
    return dive(
        screen(),
        first=4,
        rounds=2,
        search=((search,), ()),
        rolls=rolls,
        until=lambda game: game.state.battle.round == 2 and surfaced(game),
    )


@pytest.mark.rule("22.94")
def test_each_factor_attacks_once_in_the_battle() -> None:
    """Found again in the second round, the group is not attacked again."""
    game = two_rounds(4, (ATTACK, *MISS), ("Red: search", 4, 4), ("Blue: search", 6))
    assert game.state.battle.round == 2
    assert group(game, "blue", 4).this_round.results == 2
    assert flotilla(game) == (0, 1, 0)


@pytest.mark.rule("22.92")
def test_submarines_without_a_target_attack_in_the_first_round_that_has_one() -> None:
    game = two_rounds(6, ("Red: search", 4, 6), ("Blue: search", 6), (ATTACK, *MISS))
    assert flotilla(game) == (0, 1, 0)


def test_submarines_that_arrive_later_wait() -> None:
    game = dive(screen(), submarines=[subs(arrives=2)])
    assert flotilla(game) == (1, 0, 0)


@pytest.mark.rule("22.93D", "22.94")
def test_all_attacks_of_both_sides_are_announced_first_and_then_resolved_one_by_one() -> None:
    """Both sides find a group: Red announces, Blue announces, then Red's two attacks are made, then Blue's."""
    enterprise = squadron("x", "blue", "Enterprise", cruisers=8, air=3)
    game = dive(
        enterprise,
        submarines=[subs(2), subs(1, "blue", "united-states")],
        search=((2,), (2,)),
        rolls=[
            ("Red: submarine target", 6),
            ("Red: submarine", *MISS),
            ("Red: submarine target", 6),
            ("Red: submarine", 1, 3),
            ("Blue: submarine target", 6),
            ("Blue: submarine", 3, 3),
        ],
    )
    told = [entry.text for entry in game.log("umpire") if "submarine" in entry.text]
    assert [text.split(" (")[0] for text in told[:2]] == [
        "Red: 2 submarine factors attack CG 2",
        "Blue: 1 submarine factor attacks CG 2",
    ]
    assert (flotilla(game), flotilla(game, 1)) == ((0, 2, 0), (0, 1, 0))


@pytest.mark.rule("22.93D")
def test_the_attacker_says_on_which_group_the_next_attack_is_made() -> None:
    game = two_groups(submarines=[subs(2)], orders=["submarines:1:2:1"], until=asks("attack"))
    assert asked_now(game) == ["attack:1:2", "attack:1:3"]
    game.choose("attack:1:3")
    assert "light ships of CG 3" in str(game.pending)
    game.roll(MISS)
    assert "light ships of CG 2" in str(game.pending)


@pytest.mark.rule("22.92", "22.93D")
def test_submarines_whose_group_is_sunk_before_keep_their_attack() -> None:
    small = squadron("x", "blue", destroyers=2, task_force=False)
    game = dive(small, submarines=[subs(3)], rolls=[(ATTACK, 6, 6)])
    assert sunk(game) == {"united-states:destroyer": 2}
    assert flotilla(game) == (2, 1, 0)
    assert "CG 2 (Blue) destroyed" in log(game)


@pytest.mark.rule("22.93C")
def test_submarines_belong_to_no_group_and_roll_alone() -> None:
    """Whatever else is there: a roll of one factor for each submarine, read on their own table."""
    with pytest.raises(ScenarioError):
        start(battle(kido(6), {**screen(), "ships": [{"nation": "united-states", "submarines": 2}]}))
    game = dive(screen(), submarines=[subs(2)], rolls=[(ATTACK, *MISS)] * 2)
    assert group(game, "red", 2).this_round.attacked is False
    assert log(game).count("submarine attack on") == 2


@pytest.mark.rule("22.452C.4")
def test_submarine_attacks_use_no_search_results() -> None:
    game = dive(screen(), submarines=[subs(2)], rolls=[(ATTACK, *MISS)] * 2)
    target = group(game, "blue", 2)
    assert (target.this_round.results, target.this_round.attacks) == (1, 0)
    assert target.this_round.attacked


# --- whom they come upon ----------------------------------------------------------------------------------------

CARRIER, CAPITAL, LIGHT = ("Enterprise",), ("Nevada",), {"cruisers": 2}


@pytest.mark.parametrize(
    ("named", "light", "expected"),
    [
        pytest.param((), {"cruisers": 2}, ("LLLLLL"), marks=pytest.mark.rule("22.93E.1")),
        pytest.param(("Enterprise",), {}, "CCCCCC", marks=pytest.mark.rule("22.93E.1")),
        pytest.param(("Nevada",), {}, "BBBBBB", marks=pytest.mark.rule("22.93E.1")),
        pytest.param(("Enterprise", "Nevada"), {}, "CCCBBB", marks=pytest.mark.rule("22.93E.2")),
        pytest.param(("Enterprise",), {"cves": 1}, "CCCLLL", marks=pytest.mark.rule("22.93E.2")),
        pytest.param(("Nevada",), {"transports": 1}, "BBBLLL", marks=pytest.mark.rule("22.93E.2")),
        pytest.param(("Nevada", "Enterprise"), {"destroyers": 1}, "CCBBLL", marks=pytest.mark.rule("22.93E.3")),
    ],
)
@pytest.mark.rule("22.93E")
def test_the_die_for_each_combination_of_categories(
    named: tuple[str, ...], light: dict[str, int], expected: str
) -> None:
    letters = {Category.CARRIERS: "C", Category.CAPITAL: "B", Category.LIGHT: "L"}
    reads = category_reads(categories(fleet_of(*named, nation="united-states", **light)))
    assert "".join(letters[reads((face,))] for face in range(1, 7)) == expected


@pytest.mark.rule("22.93E", "T22.94-13", "22.93E.3")
@pytest.mark.parametrize(("face", "target"), [(2, "Enterprise"), (3, "Nevada"), (5, "light ships of CG 2 (Blue)")])
def test_one_die_for_each_attack_says_the_category(face: int, target: str) -> None:
    game = at_the_tubes(task("Enterprise", "Nevada"), rolls=[(AIM, face)])
    assert str(game.pending) == f"red: Red: submarine attack on {target}"


@pytest.mark.rule("22.93E", "22.93E.2", "22.94")
@pytest.mark.parametrize(("face", "target"), [(3, "Nevada"), (4, "light ships of CG 2 (Blue)")])
def test_one_die_for_two_categories(face: int, target: str) -> None:
    game = at_the_tubes(task("Nevada"), rolls=[(AIM, face)])
    assert str(game.pending) == f"red: Red: submarine attack on {target}"


@pytest.mark.rule("22.94", "22.942")
@pytest.mark.parametrize(
    ("target", "told"),
    [
        (screen(), []),
        (squadron("x", "blue", "Enterprise", "Hornet", cruisers=8, air=5), ["1"]),
        (squadron("x", "blue", "Enterprise", cruisers=8), ["0"]),
    ],
)
def test_the_owner_of_carriers_tells_how_many_are_operational(target: dict[str, Any], told: list[str]) -> None:
    game = dive(target, search=((2,), (6,)) if "air" in target else FOUND, until=rolls_for("submarine"))
    words = "CG 2 (Blue): fully operational fast carriers: "
    assert [entry.text for entry in game.log("red") if entry.rule == "22.9413"] == [words + number for number in told]


@pytest.mark.rule("22.93E.1")
def test_no_die_for_a_single_category() -> None:
    assert "submarine target" not in log(at_the_tubes(screen()))


@pytest.mark.rule("22.93E.4")
def test_the_attacker_chooses_the_ship_within_the_category() -> None:
    target = task("Enterprise", "Hornet", "Nevada", "Alabama", destroyers=8)
    game = dive(target, rolls=[(AIM, 1)], until=asks("torpedo"))
    assert isinstance(game.pending, Choose)
    assert game.pending.side == "red"
    assert asked_now(game) == ["torpedo:enterprise", "torpedo:hornet"]
    game = dive(target, rolls=[(AIM, 4)], until=asks("torpedo"))
    assert sorted(asked_now(game)) == ["torpedo:alabama", "torpedo:nevada"]
    game.choose("torpedo:nevada")
    game.roll((6, 6))
    assert sunk(game) == {"nevada": 1}


@pytest.mark.rule("22.93E.4")
def test_light_ships_are_attacked_as_a_group() -> None:
    game = dive(screen(cruisers=8, destroyers=2), rolls=[(ATTACK, 6, 6)])
    assert sunk(game) == {"united-states:cruiser": 1, "united-states:destroyer": 1}


# --- the modifiers ----------------------------------------------------------------------------------------------


def searching(side: str, number: int, **more: Any) -> dict[str, Any]:
    """A base of a side from which so many naval squadrons may search, and the order that sends them."""
    nation = {"red": "japan", "blue": "united-states"}[side]
    return {
        "bases": [base(f"{side}-field", side, (0, 2), f"{number} {nation} naval", **more)],
        "orders": [f"search:{side}-field:{nation}:naval:squadrons:{number}"],
        "search": ((2, *[6] * min(number, 3)), ()) if side == "red" else ((2,), (6,) * min(number, 3)),
    }


@pytest.mark.parametrize(
    ("target", "more", "total"),
    [
        pytest.param(screen(), {}, 1, marks=pytest.mark.rule("22.9411", "T22.94-01")),
        pytest.param(screen(nation="russia"), {}, 3, marks=pytest.mark.rule("22.9411", "T22.94-01")),
        pytest.param(
            screen(),
            {"submarines": [subs(nation="germany")]},
            1,
            marks=pytest.mark.rule("T22.552A-06", "T23.441B-02", "22.9411"),
        ),
        pytest.param(screen(), {"submarines": [subs(nation="italy")]}, -1, marks=pytest.mark.rule("22.9411")),
        pytest.param(screen(cruisers=8, cves=2), {}, 3, marks=pytest.mark.rule("22.9411")),
        pytest.param(screen(), {"tactical_codebreaking": "red"}, 2, marks=pytest.mark.rule("22.9411")),
        pytest.param(screen(), {"tactical_codebreaking": "blue"}, 0, marks=pytest.mark.rule("22.9411")),
        pytest.param(
            screen(),
            {"research": {"japan": {"torpedo": 2}, "britain": {"asw": 1}}},
            2,
            marks=pytest.mark.rule("22.9412A", "T22.94-02"),
        ),
        pytest.param(
            screen(),
            {"research": {"united-states": {"asw": 1, "torpedo": 3}, "japan": {"asw": 3}}},
            0,
            marks=pytest.mark.rule("22.9412A", "T22.94-02"),
        ),
        pytest.param(
            screen(), {"research": {"japan": {"torpedo": 5}}}, 3, marks=pytest.mark.rule("22.9412B", "T22.94-10")
        ),
        pytest.param(
            screen(), {"research": {"united-states": {"asw": 5}}}, -1, marks=pytest.mark.rule("22.9412B", "T22.94-10")
        ),
        pytest.param(
            screen(),
            searching("red", 3),
            2,
            marks=pytest.mark.rule("22.9413A.1", "22.9413A", "22.9413B", "T22.94-03"),
        ),
        pytest.param(screen(), searching("red", 2), 1, marks=pytest.mark.rule("22.9413A.1")),
        pytest.param(screen(), searching("red", 9), 3, marks=pytest.mark.rule("22.9413E", "T22.94-10")),
        pytest.param(
            screen(),
            searching("blue", 3),
            0,
            marks=pytest.mark.rule("22.9413A.2", "22.9413A", "22.9413B", "T22.94-03"),
        ),
        pytest.param(screen(), searching("blue", 9), -1, marks=pytest.mark.rule("22.9413E", "T22.94-10")),
        pytest.param(screen(cruisers=8, destroyers=2), {}, 1, marks=pytest.mark.rule("22.9414A")),
        pytest.param(screen(cruisers=8, destroyers=3), {}, 0, marks=pytest.mark.rule("22.9414A", "T22.94-04")),
        pytest.param(screen(destroyers=12), {}, -1, marks=pytest.mark.rule("22.9414B", "T22.94-10")),
        pytest.param(
            screen(cruisers=8, destroyers=2, laden_destroyers=1, cargo="troops"),
            {},
            1,
            marks=pytest.mark.rule("22.9414A", "22.9417B", "T22.94-04", "T22.94-07"),
        ),
        pytest.param(
            screen(),
            {"asw": {"blue": {"factors": 6, "submarines": 3}}},
            0,
            marks=pytest.mark.rule("22.9415A", "T22.94-05"),
        ),
        pytest.param(
            screen(), {"asw": {"red": {"factors": 9, "submarines": 0}}}, 1, marks=pytest.mark.rule("22.9415A")
        ),
        pytest.param(
            screen(), {"asw": {"blue": {"factors": 30, "submarines": 3}}}, -1, marks=pytest.mark.rule("22.9415C")
        ),
        pytest.param(screen(damaged_cruisers=1), {}, 2, marks=pytest.mark.rule("22.9417A", "T22.94-07")),
        pytest.param(screen(activity="sea-supply"), {}, 2, marks=pytest.mark.rule("22.9417B", "T22.94-07")),
        pytest.param(screen(activity="seaborne-invasion"), {}, 1, marks=pytest.mark.rule("22.9417B")),
        pytest.param(
            screen(cruisers=10, destroyers=1, activity="seaborne-invasion"), {}, 2, marks=pytest.mark.rule("22.9417B")
        ),
        pytest.param(screen(activity="patrol"), {}, 1, marks=pytest.mark.rule("22.9417B")),
        pytest.param(screen(damaged_cruisers=1, activity="sea-supply"), {}, 2, marks=pytest.mark.rule("22.9417C")),
        pytest.param(screen(), {"submarine_codebreaking": "red"}, 2, marks=pytest.mark.rule("22.9418", "T22.94-08")),
        pytest.param(screen(), {"submarine_codebreaking": "blue"}, 0, marks=pytest.mark.rule("22.9418", "T22.94-08")),
        pytest.param(
            screen(damaged_cruisers=1),
            {"research": {"japan": {"torpedo": 2}}, "submarine_codebreaking": "red"},
            4,
            marks=pytest.mark.rule("22.941", "T22.94-11"),
        ),
        pytest.param(
            screen(destroyers=12),
            {
                "research": {"united-states": {"asw": 2}},
                "asw": {"blue": {"factors": 6, "submarines": 0}},
            },
            -4,
            marks=pytest.mark.rule("22.941", "T22.94-11"),
        ),
        pytest.param(
            screen(destroyers=12, activity="sea-supply"),
            {"submarines": [subs(advanced=True)]},
            1,
            marks=pytest.mark.rule("22.941", "T22.94-12"),
        ),
        pytest.param(
            screen(nation="russia", damaged_cruisers=1),
            {"submarines": [subs(advanced=True)], "submarine_codebreaking": "red"},
            1,
            marks=pytest.mark.rule("22.941", "T22.94-12"),
        ),
    ],
)
def test_each_modifier_of_an_attack_on_light_ships(target: dict[str, Any], more: dict[str, Any], total: int) -> None:
    assert reasons(at_the_tubes(target, **more)).total == total


@pytest.mark.rule("22.9413A.2", "T22.94-03")
def test_a_searcher_a_ready_carrier_and_a_cve_count_together() -> None:
    """The printed example: one of each reduces the roll by 1. The CVE is the weakest of the light ships: 3 - 0 - 1."""
    target = squadron("x", "blue", "Enterprise", cruisers=8, cves=1, air=3)
    game = at_the_tubes(target, **{**searching("blue", 1), "search": ((2,), (6, 6))}, rolls=[(AIM, 6)])
    assert reasons(game).total == 2
    without = at_the_tubes(target, search=((2,), (6,)), rolls=[(AIM, 6)])
    assert reasons(without).total == 3


@pytest.mark.parametrize(
    ("more", "total"),
    [
        pytest.param({"air": 9}, 0),
        pytest.param({"air": 8}, 1),
        pytest.param({"air": 6, "hits": {"Enterprise": 2}}, 1),
        pytest.param({"air": 0, "cruisers": 12}, 1),
    ],
)
@pytest.mark.rule("22.942", "22.9413A.2")
def test_only_carriers_with_all_their_squadrons_defend(more: dict[str, Any], total: int) -> None:
    """Three fleet carriers count 1 together if all are sound and full; cruisers and battleships count nothing."""
    light = {"cruisers": 10, **more}
    target = squadron("x", "blue", "Enterprise", "Hornet", "Yorktown", "Nevada", **light)
    search: Any = ((2,), (6,)) if more["air"] >= 3 else FOUND
    assert reasons(at_the_tubes(target, search=search, rolls=[(AIM, 6)])).total == total


@pytest.mark.rule("22.942")
def test_a_damaged_carrier_does_not_defend() -> None:
    """Two squadrons would fill the CVL, but it is damaged: two CVEs alone count nothing."""
    for hits, total in ((0, 2), (1, 3)):
        damage = {"hits": {"Independence": 1}} if hits else {}
        target = squadron("x", "blue", "Enterprise", "Independence", cruisers=8, cves=2, air=2, **damage)
        search: Any = FOUND if hits else ((2,), (6,))
        assert reasons(at_the_tubes(target, search=search, rolls=[(AIM, 6)])).total == total, hits


@pytest.mark.rule("22.942")
def test_squadrons_fill_the_small_carriers_first() -> None:
    """Four squadrons fill two CVLs rather than a CV, and with a CVE they are three that defend; three fill one."""
    for air, total in ((4, 2), (3, 3)):
        target = squadron("x", "blue", "Enterprise", "Independence", "Princeton", cruisers=8, cves=1, air=air)
        assert reasons(at_the_tubes(target, search=((2,), (6,)), rolls=[(AIM, 6)])).total == total, air


@pytest.mark.rule("22.9413D")
def test_air_in_bases_that_are_not_operational_does_not_count() -> None:
    idle = base("red-field", "red", (0, 2), "9 japan naval", supply="none")
    game = at_the_tubes(screen(), bases=[idle])
    assert "search" not in [line.rule for line in reasons(game)]
    assert reasons(game).total == 1


@pytest.mark.rule("22.9413B")
def test_squadrons_that_stayed_at_home_do_not_count() -> None:
    idle = base("red-field", "red", (0, 2), "9 japan naval")
    assert reasons(at_the_tubes(screen(), bases=[idle])).total == 1


@pytest.mark.rule("22.9419", "22.9414A", "22.942")
def test_other_groups_do_not_defend() -> None:
    other = squadron("y", "blue", "Enterprise", destroyers=12, cves=3, air=3)
    assert reasons(at_the_tubes(screen(), other, search=((2,), (6,)))).total == 1


@pytest.mark.rule("22.9416A", "22.9416D", "22.9416E", "T22.94-06")
def test_each_earlier_attack_on_the_group_costs_one() -> None:
    totals = []

    def listens(game: Game[State]) -> bool:
        if rolls_for(ATTACK)(game):
            totals.append(reasons(game).total)
        return surfaced(game)

    dive(screen(), submarines=[subs(2), subs(5)], rolls=[(ATTACK, *MISS)] * 7, until=listens)
    assert totals == [1, 0, -1, -2, -3, -4, -4]


@pytest.mark.rule("22.9416B")
def test_attacks_on_other_ships_of_the_group_count_too() -> None:
    game = dive(
        task("Enterprise", "Nevada", destroyers=2),
        submarines=[subs(2)],
        rolls=[(AIM, 1), (ATTACK, *LOST), (AIM, 3)],
        until=lambda game: rolls_for("submarine attack on Nevada")(game),
    )
    assert [line.amount for line in reasons(game) if line.rule == "22.9416"] == [-1]


@pytest.mark.rule("22.9416A", "22.9419")
def test_attacks_on_another_group_do_not_count() -> None:
    game = two_groups(submarines=[subs(2)], orders=["submarines:1:2:1"], until=rolls_for(ATTACK))
    game.roll(MISS)
    assert reasons(game).total == 1


@pytest.mark.rule("22.9417A")
def test_damage_by_an_earlier_submarine_helps_the_next() -> None:
    """Two hits damage Enterprise; the second attack has -1 for the first and +1 for the damage: 3 - 0 in all."""
    game = dive(
        task("Enterprise", cruisers=8, destroyers=2),
        submarines=[subs(2)],
        rolls=[(AIM, 1), (ATTACK, 2, 2), (AIM, 1)],
        until=lambda game: rolls_for(ATTACK)(game) and group(game, "blue", 2).this_round.submarined == 1,
    )
    assert ships(group(game, "blue", 2))["enterprise damaged"] == 2
    assert reasons(game).total == 3


@pytest.mark.rule("22.9417A")
def test_a_sound_ship_beside_a_damaged_one_is_not_easier() -> None:
    target = task("Enterprise", "Hornet", destroyers=2, hits={"Enterprise": 2})
    sound = at_the_tubes(target, rolls=[(AIM, 1)], orders=["torpedo:hornet"])
    damaged = at_the_tubes(target, rolls=[(AIM, 1)], orders=["torpedo:enterprise"])
    assert (reasons(sound).total, reasons(damaged).total) == (3, 4)


# --- the dice, and what they do ---------------------------------------------------------------------------------


@pytest.mark.rule("22.912", "22.94", "T22.94", "T22.94-09")
def test_the_attack_is_read_on_the_submarine_attack_table() -> None:
    """Italian submarines against Italian-like ships: at -1 the sums 2 and 3 lose the submarine, 4 and 5 do nothing."""
    game = at_the_tubes(screen(), submarines=[subs(nation="italy")])
    assert isinstance(game.pending, Roll)
    assert {str(result): ways for result, ways in game.pending.outcomes().items()} == {
        "submarine lost": 3,
        "no hits": 7,
        "1 hit": 11,
        "2 hits": 9,
        "3 hits": 6,
    }


@pytest.mark.rule("T22.94-09")
def test_a_star_loses_the_submarine() -> None:
    game = dive(screen(destroyers=12), submarines=[subs(2)], rolls=[(ATTACK, 1, 2), (ATTACK, 4, 2)])
    assert flotilla(game) == (0, 1, 1)
    assert sunk(game) == {}
    assert "Red: 1 submarine factor lost" in log(game, "blue")


def effects(game: Game[State]) -> list[str]:
    """What is told of the ships that submarines have hit."""
    return [entry.text for entry in game.log("red") if entry.rule == "22.943"]


@pytest.mark.rule("22.94", "22.9431")
@pytest.mark.parametrize(
    ("aim", "faces", "told"),
    [
        (1, (1, 1), []),
        (1, (2, 2), ["Enterprise damaged"]),
        (1, (6, 6), ["Enterprise sunk"]),
        (6, (1, 2), []),
        (6, (2, 3), ["CG 2 (Blue): 1 cruiser damaged"]),
        (6, (3, 4), ["CG 2 (Blue): 1 American cruiser sunk"]),
    ],
)
def test_hits_are_on_the_ship_or_the_light_ships_that_are_attacked(
    aim: int, faces: tuple[int, int], told: list[str]
) -> None:
    game = dive(task("Enterprise", cruisers=10, destroyers=0), rolls=[(AIM, aim), (ATTACK, *faces)])
    assert effects(game) == told


@pytest.mark.rule("22.94", "22.9431")
@pytest.mark.parametrize(("number", "destroyed"), [(3, True), (4, False)])
def test_a_group_without_ships_is_destroyed(number: int, destroyed: bool) -> None:
    """Three hits sink as many destroyers."""
    game = dive(squadron("x", "blue", destroyers=number, task_force=False), rolls=[(ATTACK, 6, 6)])
    assert sunk(game) == {"united-states:destroyer": 3}
    assert ("CG 2 (Blue) destroyed" in log(game)) is destroyed


@pytest.mark.rule("22.9433", "17.3124")
@pytest.mark.parametrize(
    ("named", "faces", "asked"),
    [("Nevada", (6, 6), False), ("Enterprise", (1, 2), False), ("Enterprise", (2, 2), True)],
)
def test_squadrons_are_sorted_out_only_if_a_carrier_is_stricken(
    named: str, faces: tuple[int, int], asked: bool
) -> None:
    """Neither a battleship that sinks nor a hit short of damage brings squadrons to the boats."""
    game = dive(task(named, cruisers=8, destroyers=2), rolls=[(AIM, 1), (ATTACK, *faces)])
    assert ("sorting out squadrons of stricken carriers" in log(game, "red")) is asked


@pytest.mark.rule("22.9433")
def test_a_named_ship_is_damaged_and_sunk_and_its_squadrons_with_it() -> None:
    game = dive(
        squadron("x", "blue", "Enterprise", cruisers=8, air=3),
        search=((2,), (6,)),
        submarines=[subs(2)],
        rolls=[(AIM, 1), (ATTACK, 2, 2), (AIM, 1), (ATTACK, 1, 1)],
    )
    assert sunk(game) == {"enterprise": 1}
    assert lost(game) == {"united-states/naval/squadrons": 3}
    assert group(game, "blue", 2).air == {}


@pytest.mark.rule("17.3124")
def test_squadrons_of_a_damaged_carrier_are_carried_and_do_not_fly() -> None:
    game = dive(
        squadron("x", "blue", "Enterprise", cruisers=8, air=3),
        search=((2,), (6,)),
        rolls=[(AIM, 1), (ATTACK, 2, 2)],
    )
    assert short(game.state.at_sea("blue").grounded) == {"united-states naval": 3}
    assert group(game, "blue", 2).air == {}


@pytest.mark.rule("17.3124")
def test_squadrons_go_down_with_the_last_ship_of_a_group() -> None:
    alone = squadron("x", "blue", "Independence", task_force=False, air=2)
    game = dive(alone, search=((2,), (6,)), rolls=[(ATTACK, 6, 6)])
    assert lost(game) == {"united-states/naval/squadrons": 2}
    assert "CG 2 (Blue) destroyed" in log(game)


def test_the_ships_of_an_attacked_group_are_shown() -> None:
    before = dive(screen(), submarines=[subs(accompany=True)], until=asks("submarines"))
    assert seen_ships(before, "red", "blue", 2) is None
    assert seen_ships(at_the_tubes(screen()), "red", "blue", 2) == ["5 American cruisers"]


# --- destroyers elsewhere ---------------------------------------------------------------------------------------

PACK = screen(destroyers=10)


def torpedoed(target: dict[str, Any] = PACK, reserve: int = 2, orders: Iterable[str] = (), **more: Any) -> Game[State]:
    """Three hits on a group, with destroyers of Blue elsewhere."""
    return dive(target, destroyers_elsewhere={"blue": reserve}, rolls=[(ATTACK, 5, 5)], orders=orders, **more)


@pytest.mark.rule("22.9432")
@pytest.mark.parametrize("number", [0, 1, 2])
def test_losses_of_destroyers_may_be_taken_elsewhere(number: int) -> None:
    game = torpedoed(orders=[f"elsewhere:united-states:destroyer:{number}"])
    assert ships(group(game, "blue", 2)) == {"united-states destroyer": 7 + number}
    assert sunk(game).get("united-states:destroyer", 0) == 3 - number
    assert sum(game.state.losses.elsewhere.values()) == number
    assert game.state.elsewhere.destroyers == {"blue": 2 - number}


@pytest.mark.rule("22.9432")
def test_the_defender_decides_and_no_more_than_there_are() -> None:
    game = torpedoed(until=asks("elsewhere"))
    assert isinstance(game.pending, Choose)
    assert game.pending.side == "blue"
    assert asked_now(game) == [f"elsewhere:united-states:destroyer:{number}" for number in range(3)]
    assert "elsewhere" not in log(dive(PACK, destroyers_elsewhere={"red": 9}, rolls=[(ATTACK, 5, 5)]))


@pytest.mark.rule("22.9432", "22.9433")
@pytest.mark.parametrize(
    ("elsewhere", "told"),
    [
        (0, ["CG 2 (Blue): 3 American destroyer factors sunk"]),
        (2, ["CG 2 (Blue): 1 American destroyer factor sunk"]),
        (3, []),
    ],
)
def test_what_the_group_itself_has_lost_is_told(elsewhere: int, told: list[str]) -> None:
    game = torpedoed(reserve=3, orders=[f"elsewhere:united-states:destroyer:{elsewhere}"])
    assert effects(game)[-1:] == told


@pytest.mark.rule("22.9433")
def test_losses_of_other_ships_fall_on_the_group() -> None:
    for light in ({"cruisers": 10}, {"cves": 10}):
        game = torpedoed(screen(**light), reserve=9)
        assert "elsewhere" not in log(game)
        assert sum(game.state.losses.ships.values()) == (1 if "cruisers" in light else 3)


@pytest.mark.rule("22.9432")
@pytest.mark.parametrize("saved", [True, False])
def test_a_loss_taken_elsewhere_leaves_the_cargo_afloat_unless_the_option_says_no(saved: bool) -> None:
    game = torpedoed(
        screen(laden_destroyers=10, cargo="troops") | {"ships": [{"nation": "united-states", "laden_destroyers": 10}]},
        orders=["elsewhere:united-states:destroyer:laden:2"],
        options={"substitute_saves_cargo": saved},
    )
    left = ships(group(game, "blue", 2))
    assert left == ({"united-states destroyer laden": 9} if saved else LOST_CARGO)


LOST_CARGO = {"united-states destroyer": 2, "united-states destroyer laden": 7}


def test_destroyers_elsewhere_belong_to_a_side() -> None:
    with pytest.raises(ScenarioError, match="green"):
        start(battle(kido(6), screen(), destroyers_elsewhere={"green": 2}))


# --- sea supply lines -------------------------------------------------------------------------------------------


@pytest.mark.rule("22.9417B", "22.9434", "22.942")
@pytest.mark.parametrize(("faces", "left"), [((1, 1), (0, 1, 0)), ((6, 6), (0, 1, 0))])
def test_an_undefended_sea_supply_line_is_disrupted_in_any_case(
    faces: tuple[int, int], left: tuple[int, int, int]
) -> None:
    """A Japanese submarine has 3 for its nation and 1 for the line, so it is never lost."""
    game = dive(screen(), search=((6,), ()))
    one = game.state.battle.submarines[0]
    told: list[Any] = []
    script = attack_supply_line(game.state, one)
    told.append(next(script))
    roll = script.send(None)
    assert isinstance(roll, Roll)
    assert roll.ledger.total == 4
    with pytest.raises(StopIteration):
        script.send(roll.reads(faces))
    assert "disrupts the unprotected sea supply line" in told[0].words[0]
    assert flotilla(game) == left


@pytest.mark.rule("22.9434", "22.9417B")
def test_the_dice_of_such_an_attack_may_lose_the_submarine() -> None:
    state = dive(screen(), search=((6,), ()), research={"united-states": {"asw": 2}}).state
    italian = Submarines("red", "italy", 2)
    run(attack_supply_line(state, italian), (1, 1))
    assert (italian.factors, italian.spent, italian.lost) == (1, 0, 1)
    run(attack_supply_line(state, italian, earlier=1), (6, 6))
    assert (italian.factors, italian.spent, italian.lost) == (0, 1, 1)


# --- without naval combat ---------------------------------------------------------------------------------------


def ambushed(*forces: dict[str, Any], rolls: Iterable[Dice] = (), **more: Any) -> Game[State]:
    """An American submarine meets Red's forces where there is no naval combat."""
    opened = start(battle(*forces, screen(), submarines=[subs(1, "blue", "united-states")], **more))
    state = opened.state
    state.battle.groups = {key: force for key, force in state.battle.groups.items() if force.side == "red"}
    return surprised(opened, state, *rolls)


def surprised(opened: Game[State], state: State, *rolls: Dice) -> Game[State]:
    state.frames = [Frame("submarine-ambush", "deploy", ("blue",))]
    return Game(opened.ruleset, opened.scenario, opened.options, state, Scripted(*rolls))


@pytest.mark.rule("22.93A")
def test_without_naval_combat_a_force_may_have_more_than_six_groups() -> None:
    forces = [squadron(f"f{place}", "red", cruisers=10) for place in range(8)]
    game = fight(ambushed(*forces), until=asks("submarines"))
    assert sorted(one.number for one in game.state.battle.groups.values()) == list(range(1, 9))
    game = fight(ambushed(*forces, rolls=[(ATTACK, 2, 2)]))
    assert group(game, "red", 8).this_round.submarined == 1


@pytest.mark.rule("22.93A", "22.921")
def test_without_naval_combat_nobody_has_to_be_found() -> None:
    """The attacker picks a number without having seen what is behind it, at once."""
    game = fight(ambushed(kido(6), squadron("y", "red", cruisers=10)), until=asks("submarines"))
    assert asked_now(game) == ["submarines:1:1:0", "submarines:1:1:1"]
    assert seen_ships(game, "blue", "red", 1) is None
    assert "fleet" not in log(game)


FIELDS = [
    base("blue-field", "blue", (0, 2), "3 united-states naval"),
    base("red-field", "red", (0, -2), "6 japan naval"),
]


@pytest.mark.rule("22.9413C")
def test_without_naval_combat_the_attacker_sends_searchers_first() -> None:
    game = fight(ambushed(squadron("y", "red", cruisers=10), bases=FIELDS), until=asks("search"))
    assert isinstance(game.pending, Choose)
    assert game.pending.side == "blue"
    game.choose("search:blue-field:united-states:naval:squadrons:3")
    assert isinstance(game.pending, Choose)
    assert game.pending.side == "red"
    assert "Blue: searching with 3 American naval" in log(game, "red")
    game.choose("search:red-field:japan:naval:squadrons:6")
    fight(game, until=rolls_for(ATTACK))
    assert [line.amount for line in reasons(game) if line.rule == "22.9413A"] == [1, -2]


@pytest.mark.rule("22.9413C")
def test_those_who_searched_are_home_afterwards() -> None:
    order = "search:blue-field:united-states:naval:squadrons:3"
    game = fight(ambushed(squadron("y", "red", cruisers=10), bases=FIELDS, rolls=[(ATTACK, 2, 2)]), order)
    assert short(game.state.sites["blue-field"].air) == {"united-states naval": 3}
    assert game.state.battle.this_round.searched == {}


@pytest.mark.rule("22.9416C")
def test_attacks_in_one_hex_count_as_those_of_one_round() -> None:
    """Submarines that intercept one after the other in the same hex: the second one has -1."""
    first = fight(ambushed(squadron("y", "red", cruisers=10), rolls=[(ATTACK, *MISS)]))
    assert first.state.battle.groups["y"].this_round.submarined == 1
    first.state.battle.submarines.append(Submarines("blue", "united-states", 1))
    again = fight(surprised(first, first.state), until=rolls_for(ATTACK))
    assert [line.amount for line in reasons(again) if line.rule == "22.9416"] == [-1]


# --- what is seen -----------------------------------------------------------------------------------------------


def test_the_chart_shows_the_submarines_of_both_sides() -> None:
    game = dive(screen(destroyers=12), submarines=[subs(3, advanced=True)], rolls=[(ATTACK, *MISS)] * 3)
    for side in ("red", "blue"):
        assert game.view(side).data["submarines"] == [
            {
                "side": "red",
                "nation": "japan",
                "factors": 0,
                "spent": 3,
                "lost": 0,
                "advanced": True,
                "accompany": False,
                "arrives": 1,
            }
        ]
    assert "Japanese advanced submarines: 0 ready, 3 used" in str(game.view("blue"))


def test_submarines_do_not_give_away_secrets(tmp_path: Path) -> None:
    assert sum(pairs_of_states(seed, tmp_path) for seed in range(16)) > 20


def pairs_of_states(seed: int, folder: Path) -> int:
    """The pairs of states that were compared while submarines attacked in a battle at random."""
    scenario = battle(
        squadron("a", "red", "Akagi", cruisers=8, air=3),
        squadron("b", "red", "Nagato", cruisers=8, laden_destroyers=2, cargo="something"),
        squadron("c", "blue", "Enterprise", cruisers=8, destroyers=2, air=3),
        squadron("d", "blue", "Nevada", cruisers=8, cves=2),
        bases=FIELDS,
        submarines=[subs(3, accompany=True), subs(2, "blue", "united-states")],
        destroyers_elsewhere={"red": 1, "blue": 1},
        rounds=2,
    )
    report = Report()
    trial = open_trial(set_up(scenario), seed, report, folder)
    while trial.game.pending is not None:
        if trial.game.state.frames[-1].procedure == "submarine-attacks":
            assert list(secrets_stay_secret(trial)) == []
        trial.answer()
    return report.pairs + report.revealed
