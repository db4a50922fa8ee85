"""Secrets of a naval battle: two battles that differ only in what a side may not know look the same to it.

First at large: battles drawn at random are played at random, and at many moments the enemy's secrets are exchanged for
others. Then one by one: for everything that the rules make a side tell, two battles that agree in what is told and
differ in all else. `FLAGPLOT_PAIRS` says how many pairs of states the first part should compare; `-s` shows how many it
did.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import hypothesis
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flagplot.awaw.battle.groups import facts_of
from flagplot.awaw.knowledge.account import reshuffle
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.state import State
from flagplot.awaw.views.battle import BattleView, GroupView
from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.game import Game
from flagplot.kernel.plain_data import canonical
from flagplot.kernel.requests import Choose
from flagplot.testing import Report, set_up
from flagplot.testing.awaw import AwawLaws
from flagplot.testing.conforming import open_trial
from flagplot.testing.secrecy import secrets_stay_secret
from flagplot.testing.trial import Trial, as_json, log_of
from tests.awaw.battles import asked_now, asks, battle, fight, rolls_for, squadron
from tests.awaw.looks import look
from tests.awaw.scenes import base, log, start
from tests.awaw.strike_orders import AMERICA, JAPAN
from tests.awaw.strikes import QUIET, kido, meet, task

PAIRS = int(os.environ.get("FLAGPLOT_PAIRS", "800"))
PARTS = 4
"""The pairs are sought by so many tests, which may run at the same time."""
A_GAME = 20
"""Pairs that one battle gives at least, on average: two sides at each moment, less what was just revealed."""

# --- battles at random ------------------------------------------------------------------------------------------

CARRIERS = {"red": ("Akagi", "Hiryu", "Zuiho", "Shokaku"), "blue": ("Enterprise", "Hornet", "Yorktown", "Wasp")}
GUNS = {"red": ("Kongo", "Yamato", "Nagato", "Haruna"), "blue": ("North Carolina", "Washington", "Colorado", "Nevada")}
SIZES = {"Zuiho": 2}
LOADS: tuple[dict[str, int], ...] = ({}, {}, {"laden_destroyers": 2}, {"laden_transports": 3})
AIR = {
    "red": ("1 japan army", "2 japan naval", "1 japan elite-naval"),
    "blue": ("2 united-states army", "3 united-states naval"),
}
READINGS = {
    "patrol_chosen": ("before-counterair", "after-counterair"),
    "counterair_nas_may_strike": (True, False),
    "defenders_limit": ("none", "4-8-12"),
    "cargo_hits": ("even", "owner"),
}


@st.composite
def forces_of(draw: st.DrawFn, side: str) -> list[dict[str, Any]]:
    """One to three forces: carriers with squadrons, guns, or a few light ships; with cargo or without."""
    made = []
    for number in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(("carriers", "guns", "small")))
        more: dict[str, Any] = dict(draw(st.sampled_from(LOADS)))
        if more:
            more["cargo"] = "something"
        if number:
            more["arrives"] = draw(st.sampled_from((1, 1, 2)))
        named: tuple[str, ...] = ()
        if kind == "carriers":
            named = (CARRIERS[side][number],)
            more["air"] = draw(st.integers(0, SIZES.get(named[0], 3)))
            more["elite"] = side == "red" and draw(st.booleans())
            more |= {"cruisers": 2 * draw(st.integers(4, 6))}
        elif kind == "guns":
            named = (GUNS[side][number],)
            more |= {"cruisers": 2 * draw(st.integers(4, 6)), "destroyers": draw(st.integers(0, 3))}
        else:
            more |= {"cruisers": 2 * draw(st.integers(1, 3)), "task_force": False}
        made.append(squadron(f"{side}{number}", side, *named, **more))
    return made


@st.composite
def bases_of(draw: st.DrawFn, side: str) -> list[dict[str, Any]]:
    toward = 1 if side == "blue" else -1
    return [
        base(f"{side}-base{number}", side, (number, toward * draw(st.integers(1, 3))), draw(st.sampled_from(AIR[side])))
        for number in range(draw(st.integers(0, 2)))
    ]


@st.composite
def below_and_above(draw: st.DrawFn, bases: list[dict[str, Any]], elite: bool) -> dict[str, Any]:
    """Submarines, kamikazes (where there is no elite naval air any more), and ships on their way elsewhere, in some
    battles."""
    more: dict[str, Any] = {"submarines": []}
    for side, nation in (("red", "japan"), ("blue", "united-states")):
        if draw(st.integers(0, 3)) == 0:
            accompany = draw(st.booleans())
            more["submarines"].append({"side": side, "nation": nation, "factors": 2, "accompany": accompany})
    flown = any(entry["side"] == "red" for entry in bases) and not elite
    if flown and draw(st.integers(0, 3)) == 0:
        more["kamikazes"] = {"number": draw(st.integers(1, 8))}
    if draw(st.integers(0, 5)) == 0:
        more["withholds"] = draw(st.sampled_from(("red", "blue")))
    return more


@st.composite
def battles(draw: st.DrawFn) -> dict[str, Any]:
    """A small battle of any kind, under any of the readings that change what is asked."""
    more: dict[str, Any] = {}
    more |= draw(st.sampled_from(({}, {}, {"codebreaking": "red"}, {"codebreaking": "blue"})))
    forces = [*draw(forces_of("red")), *draw(forces_of("blue"))]
    bases = [*draw(bases_of("red")), *draw(bases_of("blue"))]
    if draw(st.integers(0, 9)) == 0:
        forces = [force | {"arrives": 1} for force in forces]
        more |= {"raiders": True, "transports": {"nation": "united-states", "factors": 3}}
    else:
        air = [entry for place in (*forces, *bases) for entry in place.get("air", ())]
        elite = any(entry.get("elite") or entry.get("arm") == "elite-naval" for entry in air)
        more |= draw(below_and_above(bases, elite))
    return battle(
        *forces,
        bases=bases,
        rounds=draw(st.integers(1, 4)),
        **more,
        options={name: draw(st.sampled_from(values)) for name, values in READINGS.items()},
    )


def opened(scenario: dict[str, Any], seed: int, report: Report, folder: Path) -> Trial:
    return open_trial(set_up(scenario), seed, report, folder)


QUICK = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]


@pytest.mark.parametrize("part", range(PARTS))
def test_paired_states_look_the_same_to_a_side(part: int, tmp_path: Path) -> None:
    """View, log, question, options, refusals and moment, byte for byte, at about half of the moments of a battle."""
    report, wanted = Report(), PAIRS // PARTS

    @hypothesis.seed(part)  # the same battles every time; bench/fuzz.py looks for new ones
    @settings(
        max_examples=max(1, wanted // A_GAME),
        deadline=None,
        suppress_health_check=QUICK,
        database=None,
        derandomize=True,
    )
    @given(scenario=battles(), seed=st.integers(0, 10**9))
    def holds(scenario: dict[str, Any], seed: int) -> None:
        trial, chance = opened(scenario, seed, report, tmp_path), Random(seed)
        while True:
            if chance.random() < 0.5:
                assert list(secrets_stay_secret(trial)) == [], f"seed {seed}, answer {trial.answers}: {scenario}"
            if trial.game.pending is None:
                break
            trial.answer()

    holds()
    print(f"\npart {part + 1} of {PARTS}: {report.pairs:,} pairs of states compared, {report.differed:,} different")
    assert report.pairs >= wanted
    assert report.differed > 0.9 * report.pairs


@settings(max_examples=60, deadline=None, suppress_health_check=QUICK, database=None, derandomize=True)
@given(scenario=battles(), seed=st.integers(0, 10**9), answers=st.integers(0, 60))
def test_other_secrets_fit_what_was_told_and_keep_the_rules(
    tmp_path: Path, scenario: dict[str, Any], seed: int, answers: int
) -> None:
    """They show nothing new at once; facts told and ships revealed stay true; carriers hold their squadrons."""
    trial = opened(scenario, seed, Report(), tmp_path)
    while trial.answers < answers and trial.game.pending is not None:
        trial.answer()
    state = trial.game.border.state
    for side in trial.game.sides:
        other = reshuffle(state, side, Random(seed))
        assert look(other, side) == look(state, side)
        for key, group in other.battle.groups.items():
            if group.side == side or key not in state.battle.groups:
                continue
            assert not group.revealed or group.ships == state.battle.groups[key].ships
            assert group.facts is None or group.revealed or facts_of(group) == group.facts
        assert not [fault for fault in AwawLaws(other).step(other, other) if "pool" not in fault]


# --- the test has teeth -----------------------------------------------------------------------------------------


def _leak(part: Callable[[State, Group], Any]) -> Callable[[BattleView, Group], GroupView]:
    shown = BattleView._group

    def leaky(battle: BattleView, group: Group) -> GroupView:
        return shown(battle, group).but(results=crc32(str(part(battle.now, group)).encode()))

    return leaky


LEAKS: dict[str, Callable[[State, Group], Any]] = {
    "the name of the force": lambda state, group: group.name if len(group.ships) > 3 else "",
    "how many kinds of ships": lambda state, group: len(group.ships),
    "a named ship": lambda state, group: any(which.named for which in group.ships),
    "cargo": lambda state, group: any(which.laden for which in group.ships),
    "speed": lambda state, group: any(which.slow for which in group.ships),
    "air defense": lambda state, group: sum(which.size * number for which, number in group.ships.items()) // 5,
    "squadrons aboard": lambda state, group: sum(group.air.values()),
    "patrol": lambda state, group: sum(group.patrol.values()),
    "how much patrol": lambda state, group: group.third,
    "cover": lambda state, group: len(group.cover),
    "a ready carrier": lambda state, group: group.ready,
    "squadrons at sea": lambda state, group: sum(state.at_sea(group.side).air.values()),
    "carriers in port": lambda state, group: len(state.at_sea(group.side).gone),
    "what is pending": lambda state, group: [len(one.ships) for one in state.battle.groups.values() if not one.number],
    "when it arrives": lambda state, group: [one.arrives for one in state.battle.groups.values() if not one.number],
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_found(leak: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A chart that tells one thing more about each combat group is found out in a few battles."""
    monkeypatch.setattr(BattleView, "_group", _leak(LEAKS[leak]))
    for seed in range(12):
        trial = open_trial(set_up(("coral-sea", "midway")[seed % 2]), seed, Report(), tmp_path)
        while trial.game.pending is not None:
            if any("can tell two states apart" in fault for fault in secrets_stay_secret(trial)):
                return
            trial.answer()
    pytest.fail("nobody noticed")


# --- what is told, one by one -----------------------------------------------------------------------------------

Played = tuple[Game[State], Game[State]]


def told(words: str) -> Callable[[Game[State]], bool]:
    """Until these words stand in the log of both sides."""
    return lambda game: all(words in log(game, side) for side in game.sides)


def seen_by(game: Game[State], side: str) -> tuple[str, str, str]:
    return as_json(log_of(game, side)), as_json(game.view(side).data), str(game.view(side))


def same_for(side: str, *games: Game[State]) -> None:
    """Two battles that are not the same, but look so to a side."""
    one, other = games
    assert canonical(one.state) != canonical(other.state)
    assert seen_by(one, side) == seen_by(other, side)
    enemy = one.state.other(side)
    assert seen_by(one, enemy) != seen_by(other, enemy)


def facts_fleets() -> st.SearchStrategy[tuple[dict[str, Any], dict[str, Any]]]:
    """Two American forces of which an owner would tell the same four things."""

    @st.composite
    def pair(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
        carriers, slow, cargo = draw(st.integers(0, 2)), draw(st.booleans()), draw(st.booleans())
        return tuple(draw(_force(carriers, slow, cargo)) for _ in range(2))  # type: ignore[return-value]

    return pair()


@st.composite
def _force(draw: st.DrawFn, carriers: int, slow: bool, cargo: bool) -> dict[str, Any]:
    """A task force with so many carriers, slow or fast, with cargo or without; laden ships make it slow as well."""
    named = list(draw(st.permutations(CARRIERS["blue"]))[:carriers])
    more: dict[str, Any] = {"cruisers": 2 * draw(st.integers(5, 6)), "destroyers": draw(st.integers(0, 2))}
    if slow:
        named.append(draw(st.sampled_from(("Colorado", "Nevada", "Pennsylvania"))))
    elif draw(st.booleans()) and carriers < 2:
        named.append(draw(st.sampled_from(("North Carolina", "Washington"))))
    if cargo:
        more |= {draw(st.sampled_from(("laden_destroyers", "laden_transports"))): draw(st.integers(1, 2)), "cargo": "x"}
    return squadron("task", "blue", *named, air=draw(st.integers(0, 2 * carriers)), **more)


@pytest.mark.rule("22.452B", "22.41F")
@settings(max_examples=40, deadline=None, database=None)
@given(fleets=facts_fleets())
def test_of_a_found_group_four_things_are_told(fleets: tuple[dict[str, Any], dict[str, Any]]) -> None:
    games = [meet(kido(), force, search=((1,), (6,)), until=told(") found:")) for force in fleets]
    assert "CG 1 (Blue) found: ten or more factors" in log(games[0], "red")
    assert seen_by(games[0], "red") == seen_by(games[1], "red")


def two_carrier_groups(first: int, second: int) -> list[dict[str, Any]]:
    """Two Japanese groups with their squadrons shared out so; the second is distant and has no ready carrier."""
    return [
        squadron("kido", "red", "Akagi", "Kaga", cruisers=6, destroyers=4, air=first),
        squadron("other", "red", "Hiryu", "Soryu", cruisers=6, destroyers=4, air=second),
    ]


@pytest.mark.rule("23.71", "23.74")
def test_a_strike_tells_how_many_of_which_kind_but_not_from_where() -> None:
    games = [
        meet(
            *two_carrier_groups(*air),
            task(),
            search=((1, 6), (6,)),
            orders=["strike:1", f"fly:{JAPAN}:4"],
            until=told("air strike on"),
        )
        for air in ((6, 3), (3, 6))
    ]
    assert "Red: air strike on CG 1 (Blue) with 4 Japanese naval air squadrons" in log(games[0], "blue")
    same_for("blue", *games)


ISLE = base("isle", "blue", (0, 2), "4 united-states naval")
COVER = "isle:united-states:naval:squadrons"
STRIKE = ("strike:1", f"fly:{JAPAN}:6")


@pytest.mark.rule("22.4421B")
def test_cover_over_a_struck_group_comes_to_light_and_that_over_others_does_not() -> None:
    """Three squadrons fly cover. One is over the struck group; what the others and the patrol do stays hidden."""
    games = []
    for patrol, second, third in ((0, 2, 0), (2, 0, 2)):
        forces = [task("Enterprise", "Hornet", air=6), task("Yorktown", name="two"), task("Wasp", name="three")]
        orders = [f"cover:1:{COVER}:1", *STRIKE]
        orders += [f"cover:{number}:{COVER}:2" for number, some in ((2, second), (3, third)) if some]
        orders += [f"patrol:1:{AMERICA}:{patrol}"] if patrol else []
        until = told("Air cover over CG 1")
        games.append(meet(kido(), *forces, bases=[ISLE], search=((1,), (6,)), orders=orders, until=until))
    assert "Blue: air cover by 3 American naval air squadrons" in log(games[0], "red")
    assert "Air cover over CG 1 (Blue): 1 American naval air squadron" in log(games[0], "red")
    same_for("red", *games)


@pytest.mark.rule("22.4421A")
def test_cover_leaves_its_bases_only_when_all_of_it_is_assigned() -> None:
    """Who sees a base empty itself question by question would know which group is covered."""
    for first in range(4):
        game = start(battle(kido(), task(), task("Wasp", name="two"), bases=[ISLE]))
        fight(game, f"cover:1:{COVER}:{first}", until=asks("cover:2"))
        assert [entry["count"] for entry in game.view("red").data["sites"]["isle"]["air"]] == [4]
        fight(game, until=asks("search"))
        assert [entry["count"] for entry in game.view("red").data["sites"]["isle"]["air"]] == [4 - first]


@pytest.mark.rule("23.415A.2")
def test_who_engages_is_seen_and_who_holds_back_is_not() -> None:
    games = [
        meet(
            kido(),
            task("Enterprise", "Hornet", air=6),
            orders=[f"patrol:1:{AMERICA}:{patrol}", *STRIKE, f"engage:{AMERICA}:1"],
            until=told("strike engaged by"),
        )
        for patrol in (1, 2)
    ]
    assert "Blue: strike engaged by 1 American naval air squadron" in log(games[0], "red")
    same_for("red", *games)


@pytest.mark.rule("23.42")
def test_of_air_defense_dice_and_result_are_seen_and_neither_level_nor_reasons() -> None:
    """Level 1 and level 2 do nothing on a roll of 2; Blue himself reads why they are what they are."""
    games = [
        meet(kido(), task(destroyers=destroyers), rolls=[QUIET], orders=STRIKE, until=told("Blue: air defense of"))
        for destroyers in (3, 8)
    ]
    entries = [entry for entry in games[0].log("red") if "air defense of" in entry.text]
    assert [(entry.text, entry.faces, str(entry.ledger.total)) for entry in entries] == [
        ("Blue: air defense of CG 1 (Blue)", (1, 1), "0")
    ]
    ours = [next(entry for entry in game.log("blue") if "air defense of" in entry.text) for game in games]
    assert ours[0].ledger.total != ours[1].ledger.total
    before = [
        [entry.as_dict() for entry in game.log("red") if "CG 1 (Blue) revealed: " not in entry.text] for game in games
    ]
    assert before[0] == before[1]


@pytest.mark.rule("22.451")
def test_of_search_the_number_of_dice_is_seen_and_not_the_reasons() -> None:
    """One die from an active group of ten factors, or from a ready carrier in a distant one."""
    small = squadron("kido", "red", cruisers=8, task_force=False)
    large = squadron("kido", "red", "Nagato", cruisers=8)
    idle, ready = (squadron("other", "red", "Akagi", cruisers=8, air=air) for air in (2, 3))
    games = [
        meet(
            first,
            second,
            task(),
            search=((6,), (6,)),
            orders=["number:kido:1", "number:other:2"],
            until=told("Blue: search (22.452)"),
        )
        for first, second in ((small, ready), (large, idle))
    ]
    assert "Red: 1 search die" in log(games[0], "blue")
    same_for("blue", *games)


@pytest.mark.rule("22.423B")
def test_numbers_in_use_are_seen_and_not_who_has_them() -> None:
    games = [
        fight(start(battle(kido(), task(), task("Yorktown", "Wasp", name="two", air=3))), *orders, until=asks("patrol"))
        for orders in (("number:task:2", "number:two:5"), ("number:two:2", "number:task:5"))
    ]
    assert "Blue: combat groups 2 and 5" in log(games[0], "red")
    same_for("red", *games)


@pytest.mark.rule("22.421", "22.423B")
def test_nothing_is_seen_of_groups_while_they_are_formed() -> None:
    """Those with cargo are numbered first: numbers that appear one by one would tell who has it."""
    laden = task("Wasp", name="laden", laden_transports=3, cargo="something")
    game = fight(start(battle(kido(), task(), laden)), until=asks("number:laden"))
    before = seen_by(game, "red")
    while isinstance(game.pending, Choose) and asked_now(game)[0].startswith("number"):
        assert seen_by(game, "red") == before
        game.choose(game.pending.options[0])
    assert seen_by(game, "red") != before


@pytest.mark.rule("22.432")
def test_sorties_tell_how_many_fly_and_not_how_many_stay() -> None:
    games = [
        fight(
            start(battle(*two_carrier_groups(*air), task(), bases=[ISLE])),
            f"send:isle:{JAPAN}:3",
            until=told("Red: attacks on bases"),
        )
        for air in ((6, 6), (2, 3))
    ]
    assert "Red: attacks on bases: Isle 3 Japanese naval air squadrons" in log(games[0], "blue")
    same_for("blue", *games)


def under_patrol(air: int, patrol: int, *orders: str, **more: Any) -> Game[State]:
    """Enterprise and Hornet with this many squadrons, some of them on patrol over the group."""
    carriers = task("Enterprise", "Hornet", air=air)
    return meet(kido(), carriers, orders=[*orders, f"patrol:1:{AMERICA}:{patrol}"], **more)


@pytest.mark.rule("23.424#2")
def test_the_ships_of_a_struck_group_are_seen_and_not_the_squadrons_aboard() -> None:
    games = [
        under_patrol(air, patrol, *STRIKE, rolls=[QUIET], until=asks("target")) for air, patrol in ((6, 2), (4, 1))
    ]
    assert "CG 1 (Blue) revealed: Enterprise, Hornet, 2 American cruisers" in log(games[0], "red")
    same_for("red", *games)


@pytest.mark.rule("22.463B.2")
def test_patrols_that_land_ashore_are_seen_and_those_aboard_are_not() -> None:
    landing = {"bases": [base("isle", "blue", (0, 2))], "search": ((6,), (6,)), "until": told("landed at Isle")}
    games = [under_patrol(air, patrol, f"ashore:isle:{AMERICA}:1", **landing) for air, patrol in ((6, 2), (3, 1))]
    assert "1 American naval air squadron landed at Isle" in log(games[0], "red")
    same_for("red", *games)


@pytest.mark.rule("22.4422A")
def test_who_searches_is_not_seen_before_both_have_chosen() -> None:
    home = base("home", "red", (0, -2), "2 japan naval")
    games = [
        fight(start(battle(kido(), task(), bases=[home, ISLE])), order, until=asks("search:isle"))
        for order in ("search:home:japan:naval:squadrons:0", "search:home:japan:naval:squadrons:2")
    ]
    same_for("blue", *games)
    sites = fight(games[1], until=rolls_for("Red: search")).view("blue").data["sites"]
    assert [entry["count"] for entry in sites["home"]["searching"]] == [2]


# --- refusals ---------------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None, suppress_health_check=QUICK, database=None, derandomize=True)
@given(scenario=battles(), seed=st.integers(0, 10**9))
def test_a_refusal_shows_a_side_its_own_options_and_nothing_of_the_enemys(
    tmp_path: Path, scenario: dict[str, Any], seed: int
) -> None:
    """Who is asked reads his options; who is not asked and answers all the same, or rolls, reads none of them."""
    trial = opened(scenario, seed, Report(), tmp_path)
    game = trial.game
    while game.pending is not None:
        if isinstance(game.pending, Choose):
            offered = asked_now(game)
            assert refusal(lambda: game.choose("no-such:answer"))["allowed"] == offered
            for found in _told_to_the_other(game, offered[0]):
                assert not any(text in found for text in offered)
        trial.answer()


def _told_to_the_other(game: Game[State], offered: str) -> list[str]:
    """What the side that is not asked reads if it answers, with nonsense or by luck, or rolls dice."""
    assert isinstance(game.pending, Choose)
    moment = game.view(game.state.other(game.pending.side)).moment
    return [
        as_json(refusal(wrong))
        for wrong in (
            lambda: game.choose("no-such:answer", at=moment),
            lambda: game.choose(offered, at=moment),
            lambda: game.roll([1], at=moment),
            lambda: game.roll([1]),
        )
    ]


def refusal(wrong: Callable[[], object]) -> dict[str, Any]:
    with pytest.raises(FlagplotError) as refused:
        wrong()
    return refused.value.as_dict()
