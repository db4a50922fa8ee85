"""22.51-22.52: which combat groups meet in fleet combat, who seeks whom, who evades, and what is left behind for speed.

Most tests go through the segments of the procedure on a position that is set up by hand: forces are named after their
side and number, ``r1`` and ``b4``, and an engagement is not fought, but noted and, if the test says so, won.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from inspect import isgenerator
from typing import Any

import pytest

from flagplot.awaw.battle.decks import settle_decks
from flagplot.awaw.battle.engagements import free_groups, in_reach, open_groups, paired
from flagplot.awaw.battle.evasion import can_be_fast, kept_from_evading, must_fight, next_number
from flagplot.awaw.battle.groups import facts_of, is_active
from flagplot.awaw.battle.search import count_attack, results_left
from flagplot.awaw.procedures import engagement, fleet_combat, naval_battle
from flagplot.awaw.state.battle import Engagement
from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from flagplot.kernel.plain_data import canonical
from flagplot.kernel.procedures import END, Call
from flagplot.kernel.requests import Choose, Note
from flagplot.kernel.words import say
from flagplot.testing.trial import as_json, log_of
from tests.awaw.battles import asked_now, asks, battle, fight, group, ships, squadron
from tests.awaw.looks import look
from tests.awaw.scenes import force, log, short, start
from tests.awaw.strikes import meet

# --- a position, and its fleet combat ---------------------------------------------------------------------------


def ships_of(name: str, *named: str, **more: Any) -> dict[str, Any]:
    """A force that becomes the combat group of its name, ``r1`` or ``b4``: seven cruisers unless it says more."""
    side = {"r": "red", "b": "blue"}[name[0]]
    return squadron(name, side, *named, **({"cruisers": 14} | more))


def position(
    *forces: str | dict[str, Any], round_: int = 1, found: Mapping[str, int] | None = None, **more: Any
) -> State:
    """The moment before fleet combat: each force is the group of its number, some were found so often."""
    given = [ships_of(entry) if isinstance(entry, str) else entry for entry in forces]
    state = start(battle(*given, rounds=6, **more)).state
    state.battle.phase = round_ - 1
    for key, one in state.battle.groups.items():
        one.formed, one.number = True, int(key[1])
        one.air = {}
    for key, results in (found or {}).items():
        state.battle.groups[key].this_round.results, state.battle.groups[key].facts = (
            results,
            facts_of(state.battle.groups[key]),
        )
    return state


@dataclass
class Fought:
    """What happened in a segment of fleet combat."""

    met: list[tuple[str, str]] = field(default_factory=list)
    """Who fought whom, in this order."""
    when: list[str] = field(default_factory=list)
    """The segment in which each of them fought."""
    asked: list[list[str]] = field(default_factory=list)
    """The options of every question."""
    told: list[str] = field(default_factory=list)
    """The public notes, and those for one side alone with its name before them."""


def fought(
    state: State, *orders: str, sunk: Iterable[str] = (), watch: Callable[[State], None] | None = None
) -> Fought:
    """Go through fleet combat. Each order is given once, when it is offered; else a group seeks nobody and fights.

    Of engagements nothing is played but this: of two groups that meet those in `sunk` lose all their ships.
    """
    record, waiting, name = Fought(), list(orders), next(iter(fleet_combat.segments))
    while name:
        step: Any = fleet_combat.scripts[name](state)
        outcome = _through(step, record, waiting) if isgenerator(step) else step
        following = fleet_combat.after.get(name, "")
        if isinstance(outcome, Call):
            assert outcome.procedure is engagement
            assert state.battle.engagement is not None
            agreed = state.battle.engagement
            record.met.append((agreed.moving, agreed.intercepting))
            record.when.append(name)
            if watch:
                watch(state)
            for key in (agreed.moving, agreed.intercepting):
                if key in sunk:
                    state.battle.groups[key].ships = {}
            state.battle.engagement = None
            name = outcome.then.name if outcome.then else following
        else:
            name = "" if outcome is END else following
    assert not waiting, f"never asked: {waiting}; asked: {record.asked}"
    return record


def _through(script: Any, record: Fought, waiting: list[str]) -> Any:
    reply: Any = None
    while True:
        try:
            request = script.send(reply)
        except StopIteration as stop:
            return stop.value
        reply = None
        if isinstance(request, Note):
            record.told.append(f"{request.side}| {say(request.words)}" if request.side else say(request.words))
        else:
            reply = _answer(request, record, waiting)


def _answer(request: Any, record: Fought, waiting: list[str]) -> Any:
    assert isinstance(request, Choose)
    if len(request) == 1 and not request.always:
        return request.values[0]
    offered = [option.text for option in request.options]
    record.asked.append(offered)
    order = next((order for order in waiting if order in offered), None)
    if order is not None:
        waiting.remove(order)
    text = order or next((text for text in offered if text.endswith(":none")), offered[0])
    return request.values[offered.index(text)]


# --- A and B: who pairs off -------------------------------------------------------------------------------------


@pytest.mark.rule("22.521A", "SOP-NC-I.H.1")
@pytest.mark.parametrize("numbers", [[1], [1, 2], [2, 5], [1, 2, 3, 4, 5, 6]])
def test_equal_numbers_pair_off(numbers: list[int]) -> None:
    assert paired(numbers, numbers) == [(number, number) for number in numbers]


@pytest.mark.rule("22.521B", "22.521A")
@pytest.mark.parametrize(
    ("ours", "theirs", "pairs"),
    [
        ([], [], []),
        ([1], [], []),
        ([], [1, 2], []),
        ([1], [2], [(1, 2)]),
        ([3], [1], [(3, 1)]),
        ([1, 2], [3], [(1, 3)]),
        ([3], [1, 2], [(3, 1)]),
        ([1, 4], [2, 3], [(1, 2), (4, 3)]),
        ([1, 2], [3, 4], [(1, 3), (2, 4)]),
        ([2, 1], [4, 3], [(1, 3), (2, 4)]),
        ([1, 2], [2, 3], [(2, 2), (1, 3)]),
        ([1, 2, 3], [3], [(3, 3)]),
        ([1, 2, 3], [3, 5], [(3, 3), (1, 5)]),
        ([1, 2, 4, 6], [2, 3, 5], [(2, 2), (1, 3), (4, 5)]),
        ([1, 3, 5], [2, 4, 6], [(1, 2), (3, 4), (5, 6)]),
        ([5, 6], [1, 2, 3, 4], [(5, 1), (6, 2)]),
    ],
)
def test_the_others_pair_off_from_the_lowest_up(ours: list[int], theirs: list[int], pairs: list[Any]) -> None:
    """Equal numbers first; what is over pairs in the order of the numbers, until a side has none left."""
    assert paired(ours, theirs) == pairs
    assert sorted(paired(theirs, ours)) == sorted((other, one) for one, other in pairs)


@pytest.mark.rule("22.521A", "22.521B", "22.52", "22.521", "22.425D.1.2")
def test_active_groups_pair_off_without_a_choice() -> None:
    """Nobody is asked, and an active group cannot decline."""
    state = position("r1", "r2", "r3", "b2", "b1", "b4", round_=4)
    happened = fought(state)
    assert happened.met == [("r1", "b1"), ("r2", "b2"), ("r3", "b4")]
    assert happened.when == ["first_engagements"] * 3
    assert happened.asked == []


@pytest.mark.rule("22.425D.2.2", "22.52", "22.521A")
@pytest.mark.parametrize(("round_", "pairs"), [(1, []), (2, [("r1", "b2")]), (3, [("r3", "b3"), ("r1", "b2")])])
def test_distant_groups_do_not_pair_off(round_: int, pairs: list[Any]) -> None:
    """CG 3 of both sides stay apart until the third round, though their numbers are equal."""
    assert fought(position("r1", "r3", "b2", "b3", round_=round_)).met == pairs


@pytest.mark.rule("22.52", "22.425D.2.2")
def test_two_distant_groups_never_meet() -> None:
    """Both were found, by whatever: no side has an active group, and nobody is asked."""
    happened = fought(position("r4", "b5", found={"r4": 2, "b5": 2}))
    assert (happened.met, happened.asked) == ([], [])


@pytest.mark.rule("22.521B")
def test_groups_without_ships_and_pending_ones_do_not_pair_off() -> None:
    state = position("r1", "r2", "b1", "b2", round_=2)
    state.battle.groups["b1"].ships = {}
    state.battle.groups["r1"].number = 0
    assert fought(state).met == [("r2", "b2")]


def test_with_one_side_only_nothing_happens() -> None:
    state = position("r1", "r2", "b1", round_=2)
    state.battle.groups["b1"].ships = {}
    happened = fought(state)
    assert (happened.met, happened.asked, happened.told) == ([], [], [])


@pytest.mark.rule("22.521C", "22.521E")
def test_those_who_fight_are_marked() -> None:
    """As attacked, as having fought and as used; others are not."""
    state = position("r1", "r2", "b1", "b5", round_=2)

    def watch(state: State) -> None:
        marks = {
            key: (one.this_round.fought, one.this_round.attacked, one.used) for key, one in state.battle.groups.items()
        }
        assert marks == {key: (key in ("r1", "b1"),) * 3 for key in marks}

    fought(state, watch=watch)


# --- D: who is free ---------------------------------------------------------------------------------------------


@pytest.mark.rule("22.521D", "22.425D.1.2", "22.521D.1")
def test_a_group_without_an_opponent_may_seek_an_active_group_that_has_fought() -> None:
    happened = fought(position("r1", "r2", "b1", round_=2), "seek:2:1")
    assert happened.met == [("r1", "b1"), ("r2", "b1")]
    assert happened.asked == [["seek:2:1", "seek:2:none"]]


@pytest.mark.rule("22.521D")
def test_it_need_not_and_nobody_else_is_asked() -> None:
    happened = fought(position("r1", "r2", "b1", round_=2))
    assert happened.met == [("r1", "b1")]
    assert happened.asked == [["seek:2:1", "seek:2:none"]]
    assert happened.told[-1] == "CG 2 (Red) seeks no battle"


@pytest.mark.rule("22.521D")
def test_a_group_that_sank_its_opponent_may_engage_once_more() -> None:
    happened = fought(position("r1", "r2", "b1", "b2", round_=2), "seek:1:2", sunk=["b1"])
    assert happened.met == [("r1", "b1"), ("r2", "b2"), ("r1", "b2")]
    assert happened.asked == [["seek:1:2", "seek:1:none"]]


@pytest.mark.rule("22.521D")
def test_a_group_that_left_its_opponent_a_ship_may_not() -> None:
    """Neither may the opponent, nor a group that was sunk itself."""
    assert fought(position("r1", "r2", "b1", "b2", round_=2)).asked == []
    assert fought(position("r1", "b1", "b2", round_=2), sunk=["r1", "b1"]).asked == []


@pytest.mark.rule("22.521D", "22.425D.1.2", "22.425D.2.2")
def test_a_distant_group_never_seeks() -> None:
    state = position("r1", "r3", "b1", found={"b1": 2})
    assert [one.number for one in free_groups(state, "red")] == [1]
    assert fought(state).asked == []


@pytest.mark.rule("22.521C", "22.521D", "22.521E", "22.521")
def test_all_pairs_fight_then_free_groups_seek_and_then_these_fight() -> None:
    """CG 2 and CG 4 choose when the pairs are done, and both before either of them fights."""
    state = position("r1", "r2", "r3", "r4", "b1", "b3", round_=4)
    happened = fought(state, "seek:2:3", "seek:4:1")
    assert happened.told == [
        "CG 1 (Red) meets CG 1 (Blue)",
        "CG 3 (Red) meets CG 3 (Blue)",
        "Fleet combat: CG 1 (Red) against CG 1 (Blue)",
        "Fleet combat: CG 3 (Red) against CG 3 (Blue)",
        "CG 2 (Red) seeks battle with CG 3 (Blue)",
        "CG 4 (Red) seeks battle with CG 1 (Blue)",
        "Fleet combat: CG 2 (Red) against CG 3 (Blue)",
        "Fleet combat: CG 4 (Red) against CG 1 (Blue)",
    ]
    assert happened.when == ["first_engagements"] * 2 + ["last_engagements"] * 2


def sinks(key: str, encounter: int) -> Callable[[State], None]:
    """A group that is sunk in this fleet combat of the round, counted from one."""
    times = iter(range(1, 9))

    def watch(state: State) -> None:
        if next(times) == encounter:
            state.battle.groups[key].ships = {}

    return watch


@pytest.mark.rule("22.521D", "22.521E")
def test_there_is_no_third_turn() -> None:
    """CG 2 sinks the group that it sought, and another was found: but it has had its engagement."""
    state = position("r1", "r2", "b1", "b5", round_=2, found={"b5": 2})
    happened = fought(state, "seek:2:1", watch=sinks("b1", 2))
    assert happened.met == [("r1", "b1"), ("r2", "b1")]
    assert happened.asked == [["seek:2:1", "seek:2:5", "seek:2:none"]]


@pytest.mark.rule("22.521D", "22.521E")
def test_an_engagement_lapses_if_one_of_the_two_is_sunk_before() -> None:
    """Both free groups seek CG 1; the first of them sinks it."""
    state = position("r1", "r2", "r3", "b1", round_=3)
    happened = fought(state, "seek:2:1", "seek:3:1", watch=sinks("b1", 2))
    assert happened.met == [("r1", "b1"), ("r2", "b1")]
    assert happened.told[-1] == "No fleet combat: CG 1 (Blue) is already sunk"
    assert not state.battle.groups["r3"].this_round.fought


@pytest.mark.rule("22.522A")
@pytest.mark.parametrize("number", [2, 4, 6])
def test_any_number_of_groups_may_engage_one_active_group(number: int) -> None:
    """No search result is needed or used."""
    mine = [f"r{place}" for place in range(1, number + 1)]
    state = position(*mine, "b1", round_=6)
    happened = fought(state, *[f"seek:{key[1]}:1" for key in mine[1:]])
    assert happened.met == [(key, "b1") for key in mine]
    assert state.battle.groups["b1"].this_round.attacks == 0


SLOW = {"r2": ships_of("r2", "Fuso"), "b2": ships_of("b2", "Nevada"), "b5": ships_of("b5", "Nevada")}
"""Groups with a battleship that is slow."""


@pytest.mark.rule("22.521D.1")
def test_a_slow_group_may_seek_an_active_group() -> None:
    happened = fought(position("r1", SLOW["r2"], "b1", round_=2), "seek:2:1")
    assert happened.met == [("r1", "b1"), ("r2", "b1")]


@pytest.mark.rule("22.521D.2", "22.425D.2.2", "22.52")
@pytest.mark.parametrize("slow", [False, True])
def test_only_a_fast_group_may_seek_a_distant_group(slow: bool) -> None:
    """The slow one is asked all the same: the enemy does not know that it is slow."""
    state = position(SLOW["r2"] if slow else "r2", "b5", round_=2, found={"b5": 1})
    happened = fought(state, *[] if slow else ["seek:2:5"])
    assert happened.asked[0] == (["seek:2:none"] if slow else ["seek:2:5", "seek:2:none"])
    assert happened.met == ([] if slow else [("r2", "b5")])


@pytest.mark.rule("22.521D.2", "22.427")
@pytest.mark.parametrize("more", [{"laden_destroyers": 2, "cargo": "troops"}, {"activity": "sea-supply"}])
def test_a_group_with_cargo_or_on_sea_supply_is_slow(more: dict[str, Any]) -> None:
    state = position("r2", "b5", round_=2, found={"b5": 1})
    assert [one.number for one in in_reach(state, state.battle.groups["r2"])] == [5]
    for key, value in more.items():
        if key != "laden_destroyers":
            setattr(state.battle.groups["r2"], key, value)
    if "cargo" in more:
        state.battle.groups["r2"].ships = position(ships_of("r2", **more), "b1").battle.groups["r2"].ships
    assert in_reach(state, state.battle.groups["r2"]) == []


@pytest.mark.rule("22.521D.2", "22.452C.2", "22.522B")
@pytest.mark.parametrize(("results", "struck", "can"), [(0, 0, False), (1, 0, True), (1, 1, False), (2, 1, True)])
def test_a_distant_group_must_have_been_found_and_strikes_use_the_same_results(
    results: int, struck: int, can: bool
) -> None:
    """Where everybody knows that there is nobody to seek, nobody is asked."""
    state = position("r1", "b5", found={"b5": results})
    for _ in range(struck):
        count_attack(state.battle.groups["b5"], 1, by_air=True)
    happened = fought(state, *["seek:1:5"] * can)
    assert happened.met == [("r1", "b5")] * can
    assert bool(happened.asked) == can
    assert results_left(state.battle.groups["b5"]) == results - struck - can


@pytest.mark.rule("22.522B", "22.452C.2", "SOP-NC-I.F.2.a")
@pytest.mark.parametrize("results", [1, 2, 3])
def test_each_group_that_seeks_a_distant_group_uses_a_result(results: int) -> None:
    """Three groups would; as many do as there are results."""
    state = position("r1", "r2", "r3", "b5", round_=3, found={"b5": results})
    happened = fought(state, *[f"seek:{number}:5" for number in range(1, results + 1)])
    assert happened.met == [(f"r{number}", "b5") for number in range(1, results + 1)]
    assert [asked[0] for asked in happened.asked if asked[0].startswith("seek")] == [
        f"seek:{number}:5" for number in range(1, results + 1)
    ]
    assert results_left(state.battle.groups["b5"]) == 0


@pytest.mark.rule("22.452C.2")
def test_to_seek_an_active_group_takes_no_result() -> None:
    state = position("r1", "r2", "b1", round_=2, found={"b1": 1})
    fought(state, "seek:2:1")
    assert results_left(state.battle.groups["b1"]) == 1


@pytest.mark.rule("22.521D")
@pytest.mark.parametrize(("found", "first"), [({}, "blue"), ({"b2": 1}, "red"), ({"b2": 1, "r1": 1}, "blue")])
def test_the_side_with_more_search_results_seeks_first(found: dict[str, int], first: str) -> None:
    """Both have sunk an opponent. As with air strikes the intercepting side comes first if they are equal. What it
    seeks meets it once, and does not seek it again."""
    state = position("r1", "r2", "b1", "b2", round_=2, found=found)
    sought, rest = ("seek:1:2", "seek:2:none") if first == "red" else ("seek:2:1", "seek:1:none")
    happened = fought(state, sought, sunk=["b1", "r2"])
    assert happened.met == [("r1", "b1"), ("r2", "b2"), ("r1", "b2")]
    assert happened.asked[0][0] == sought
    assert happened.asked[1] == [rest]


def test_an_engagement_says_who_sought_it() -> None:
    state = position("r1", "r2", "b1", round_=2)
    sought: list[Engagement | None] = []
    fought(state, "seek:2:1", watch=lambda state: sought.append(state.battle.engagement))
    assert [one.seeker for one in sought if one] == ["", "red"]
    state = position("r1", "b1", "b2", round_=2)
    fought(state, "seek:2:1", watch=lambda state: sought.append(state.battle.engagement))
    assert [(one.moving, one.intercepting, one.seeker) for one in sought if one][3] == ("r1", "b2", "blue")


# --- raiders ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.35D", "SOP-NC-DAGGER")
@pytest.mark.parametrize("sunk", [[], ["b1"], ["r1"]])
def test_raiders_have_one_fleet_combat(sunk: list[str]) -> None:
    """Nobody seeks afterwards; there is but one group each, and another would not be asked."""
    state = position("r1", "b1", "b2", round_=2, found={"b1": 1, "r1": 1})
    state.scene = replace(state.scene, raiders=True)
    happened = fought(state, sunk=sunk)
    assert happened.met == [("r1", "b1")]
    assert happened.asked == []


# --- evading ----------------------------------------------------------------------------------------------------


def chase(target: str | dict[str, Any] = "b4", *others: str | dict[str, Any], results: int = 1, **more: Any) -> State:
    """A fast active group of Red, and a distant one of Blue that was found."""
    name = target if isinstance(target, str) else target["id"]
    return position("r1", target, *others, found={name: results}, **more)


@pytest.mark.rule("22.523", "22.523E.1", "SOP-NC-I.H.1.a", "22.424")
def test_a_fast_distant_group_may_evade_and_takes_the_next_number() -> None:
    state = chase()
    happened = fought(state, "seek:1:4", "meet:4:evade")
    assert happened.asked[:2] == [["seek:1:4", "seek:1:none"], ["meet:4:fight", "meet:4:evade"]]
    assert happened.met == []
    assert (state.battle.groups["b4"].number, state.battle.groups["b4"].this_round.evaded) == (5, True)
    assert happened.told[-1] == "CG 4 (Blue) evades and becomes CG 5"
    assert not any(one.this_round.fought or one.this_round.attacked for one in state.battle.groups.values())


@pytest.mark.rule("22.523", "22.424")
def test_it_may_fight_instead() -> None:
    state = chase()
    happened = fought(state, "seek:1:4", "meet:4:fight")
    assert happened.met == [("r1", "b4")]
    assert (state.battle.groups["b4"].number, state.battle.groups["b4"].this_round.evaded) == (4, False)


@pytest.mark.rule("22.523E.1", "22.523C", "22.424")
@pytest.mark.parametrize(
    ("others", "number"),
    [((), 5), (("b5",), 6), (("b6",), 5), (("b5", "b6"), 0), (("r5", "r6"), 5), (("b1", "b2", "b3"), 5)],
)
def test_the_new_number_is_the_next_that_its_side_does_not_use(others: tuple[str, ...], number: int) -> None:
    state = position("r1", "b4", *others)
    assert next_number(state, state.battle.groups["b4"]) == number
    why = kept_from_evading(state, state.battle.groups["b4"])
    assert (why is None) is bool(number)
    assert why is None or why.rule == "22.523C"


@pytest.mark.rule("22.523C", "22.523E.1")
def test_the_number_of_a_group_that_was_sunk_is_free() -> None:
    state = chase("b4", "b5")
    state.battle.groups["b5"].ships = {}
    fought(state, "seek:1:4", "meet:4:evade")
    assert state.battle.groups["b4"].number == 5


@pytest.mark.rule("22.523C", "22.523", "SOP-NC-I.H.1.a")
@pytest.mark.parametrize("forces", [["b6"], ["b5", "b6"], ["b4", "b5", "b6"]])
def test_without_a_higher_number_nobody_evades_and_nobody_is_asked(forces: list[str]) -> None:
    state = chase(*forces)
    number = forces[0][1]
    happened = fought(state, f"seek:1:{number}")
    assert happened.asked == [[f"seek:1:{number}", "seek:1:none"]]
    assert happened.met == [("r1", forces[0])]
    assert not state.battle.groups["r1"].revealed


@pytest.mark.rule("22.523A", "22.52")
def test_active_groups_cannot_evade() -> None:
    """Neither when they pair off nor when they are sought, though all of them are fast."""
    state = position("r1", "r2", "b1", round_=2)
    happened = fought(state, "seek:2:1")
    assert happened.asked == [["seek:2:1", "seek:2:none"]]
    assert happened.met == [("r1", "b1"), ("r2", "b1")]
    assert kept_from_evading(state, state.battle.groups["b1"])
    state.battle.phase = 0
    assert [kept_from_evading(state, state.battle.groups[key]) is None for key in ("r1", "r2")] == [False, True]


@pytest.mark.rule("22.523B")
def test_a_slow_group_cannot_evade() -> None:
    """Its owner is asked for nothing but to go on, since the enemy cannot know why it is slow."""
    state = chase(SLOW["b5"])
    happened = fought(state, "seek:1:5")
    assert happened.asked == [["seek:1:5", "seek:1:none"], ["ready:go"]]
    assert happened.met == [("r1", "b5")]
    assert "CG 5 (Blue) stands and fights" in happened.told


@pytest.mark.rule("22.523B", "22.427")
def test_a_group_on_sea_supply_cannot_evade() -> None:
    state = chase()
    state.battle.groups["b4"].activity = "sea-supply"
    assert ["ready:go"] in fought(state, "seek:1:4").asked


@pytest.mark.rule("22.523B", "22.523D")
def test_a_group_that_is_known_to_have_cargo_is_not_asked_and_sees_nothing() -> None:
    state = chase(ships_of("b4", laden_transports=2, cargo="oil"))
    happened = fought(state, "seek:1:4")
    assert happened.asked == [["seek:1:4", "seek:1:none"]]
    assert happened.met == [("r1", "b4")]
    assert not state.battle.groups["r1"].revealed


@pytest.mark.rule("22.523B")
def test_a_group_whose_slow_ships_were_seen_is_not_asked_either() -> None:
    state = chase(SLOW["b5"])
    state.battle.groups["b5"].revealed = True
    assert must_fight(state, state.battle.groups["b5"])
    assert fought(state, "seek:1:5").asked == [["seek:1:5", "seek:1:none"]]
    state = chase(ships_of("b4", laden_destroyers=2, cargo="troops"))
    state.battle.groups["b4"].revealed = True
    assert must_fight(state, state.battle.groups["b4"])


@pytest.mark.rule("22.523B", "22.523D")
def test_a_group_that_lost_its_cargo_may_evade_again() -> None:
    """It was told to have cargo; an air strike has shown its ships and sunk the transports."""
    state = chase(ships_of("b4", laden_transports=2, cargo="oil"))
    one = state.battle.groups["b4"]
    one.ships = {which: number for which, number in one.ships.items() if not which.laden}
    one.revealed = True
    fought(state, "seek:1:4", "meet:4:evade")
    assert one.number == 5


@pytest.mark.rule("22.523D", "SOP-NC-I.H.1.a")
def test_the_seeker_shows_its_ships_before_the_other_decides() -> None:
    state = position(ships_of("r1", "Kongo"), "b4", found={"b4": 1})
    script: Any = fleet_combat.scripts["first_seekers"](state)
    next(script)
    script.send("4")
    shown = next(script)
    assert say(shown.words) == "CG 1 (Red) revealed: Kongo, 7 Japanese cruisers"
    assert shown.reveals
    assert not shown.side
    question = next(script)
    assert question.side == "blue"
    assert [option.text for option in question.options] == ["meet:4:fight", "meet:4:evade"]
    assert state.battle.groups["r1"].revealed


@pytest.mark.rule("22.523E.2")
def test_an_evader_is_not_sought_again_in_this_round() -> None:
    """Two results, two seekers: after it has evaded one, the other has nobody to seek."""
    state = position("r1", "r2", "b4", round_=2, found={"b4": 2})
    happened = fought(state, "seek:1:4", "meet:4:evade")
    assert len(happened.asked) == 2
    assert happened.met == []
    assert open_groups(state, "red") == []
    state.battle.groups["b4"].this_round.evaded = False
    assert open_groups(state, "red") == [state.battle.groups["b4"]]


@pytest.mark.rule("22.523E.2", "22.522B")
def test_the_seeker_may_choose_another_and_the_result_is_spent() -> None:
    state = position("r1", "b4", "b6", found={"b4": 1, "b6": 1})
    happened = fought(state, "seek:1:4", "meet:4:evade", "seek:1:6")
    assert happened.asked == [
        ["seek:1:4", "seek:1:6", "seek:1:none"],
        ["meet:4:fight", "meet:4:evade"],
        ["seek:1:6", "seek:1:none"],
    ]
    assert happened.met == [("r1", "b6")]
    assert results_left(state.battle.groups["b4"]) == 0


@pytest.mark.rule("22.523E.1", "22.523E.2")
def test_what_it_was_found_by_stays_with_the_evader() -> None:
    """Its number goes from 4 to 5; a search result is left, and those of no other group change."""
    state = position("r1", "b4", "b6", found={"b4": 2, "b6": 1})
    fought(state, "seek:1:4", "meet:4:evade")
    found = {one.number: (one.this_round.results, one.this_round.attacks) for one in state.battle.present("blue")}
    assert found == {5: (2, 1), 6: (1, 0)}
    assert state.battle.groups["b4"].facts is not None


@pytest.mark.rule("22.523E.1")
def test_an_evader_is_active_only_when_the_round_has_reached_its_new_number() -> None:
    state = chase("b2")
    fought(state, "seek:1:2", "meet:2:evade")
    assert [is_active(state.battle.groups["b2"], round_) for round_ in (2, 3)] == [False, True]


@pytest.mark.rule("22.523", "22.522B")
def test_a_group_may_accept_one_fleet_combat_and_evade_the_next() -> None:
    """The first is fought all the same."""
    state = position("r1", "r2", "b4", round_=2, found={"b4": 2})
    happened = fought(state, "seek:1:4", "meet:4:fight", "seek:2:4", "meet:4:evade")
    assert happened.met == [("r1", "b4")]
    assert (state.battle.groups["b4"].number, state.battle.groups["b4"].this_round.fought) == (5, True)


# --- damaged ships ----------------------------------------------------------------------------------------------


LIMPING = {"hits": {"Kongo": 2}}


@pytest.mark.rule("22.524", "22.524A", "SOP-NC-I.H.1.a.i")
def test_a_group_sheds_its_damaged_ships_to_reach_a_distant_one() -> None:
    state = position(ships_of("r1", "Kongo", "Haruna", damaged_cruisers=1, **LIMPING), "b6", found={"b6": 1})
    happened = fought(state, "seek:1:6")
    assert happened.met == [("r1", "b6")]
    seeker = state.battle.groups["r1"]
    assert ships(seeker) == {"haruna": 0, "japan cruiser": 6}
    assert {which.tag: number for which, number in seeker.shed.items()} == {"kongo": 1, "japan:cruiser": 1}
    assert not state.losses.ships
    assert "red| CG 1 (Red): Kongo (damaged), 1 Japanese cruiser (damaged) left behind" in "\n".join(happened.told)


@pytest.mark.rule("22.524", "22.521D.1")
def test_it_keeps_them_if_it_seeks_an_active_group() -> None:
    state = position("r1", ships_of("r2", "Kongo", **LIMPING), "b1", "b5", round_=2, found={"b5": 1})
    fought(state, "seek:2:1")
    assert not state.battle.groups["r2"].shed
    assert ships(state.battle.groups["r2"])["kongo damaged"] == 2


@pytest.mark.rule("22.524C", "22.524")
@pytest.mark.parametrize(
    ("named", "more", "can"),
    [
        (["Kongo"], {}, True),
        (["Kongo"], {"hits": {"Kongo": 2}}, True),
        (["Fuso"], {}, False),
        (["Fuso"], {"hits": {"Fuso": 2}}, True),
        (["Fuso", "Kongo"], {"hits": {"Kongo": 2}}, False),
        (["Kongo"], {"hits": {"Kongo": 2}, "cves": 1}, False),
        (["Kongo"], {"hits": {"Kongo": 2}, "laden_destroyers": 1, "cargo": "troops"}, False),
        (["Kongo"], {"hits": {"Kongo": 1}}, True),
    ],
)
def test_only_damaged_ships_may_leave(named: list[str], more: dict[str, Any], can: bool) -> None:
    state = position(ships_of("r1", *named, **more), "b6", found={"b6": 1})
    assert can_be_fast(state.battle.groups["r1"]) is can
    assert ("seek:1:6" in fought(state).asked[0]) is can


@pytest.mark.rule("22.524", "22.524C")
def test_a_group_of_damaged_ships_alone_cannot_become_fast() -> None:
    state = position(ships_of("r1", "Kongo", **LIMPING), "b6")
    lame = state.battle.groups["r1"]
    lame.ships = {which: number for which, number in lame.ships.items() if which.damaged}
    assert not can_be_fast(lame)


@pytest.mark.rule("22.524B", "22.524", "SOP-NC-I.H.1.a.i", "22.523B")
def test_an_evader_abandons_the_damaged_ships_that_slow_it() -> None:
    target = ships_of("b4", "Washington", "North Carolina", damaged_cruisers=1, hits={"Washington": 3})
    state = chase(target)
    happened = fought(state, "seek:1:4", "meet:4:evade")
    assert ships(state.battle.groups["b4"]) == {"north-carolina": 0, "united-states cruiser": 6}
    assert {which.tag: number for which, number in state.losses.ships.items()} == {
        "washington": 1,
        "united-states:cruiser": 1,
    }
    assert not any(which.hits for which in state.losses.ships)
    assert state.battle.groups["b4"].number == 5
    assert not state.battle.groups["b4"].shed
    assert happened.told[-2].startswith("CG 4 (Blue) abandons Washington (damaged)")


@pytest.mark.rule("22.524B", "22.524")
def test_a_group_that_fights_or_is_fast_abandons_nothing() -> None:
    state = chase(ships_of("b4", "Washington", hits={"Washington": 3}))
    fought(state, "seek:1:4", "meet:4:fight")
    assert not state.losses.ships
    state = chase(ships_of("b4", "Washington", hits={"Washington": 2}))
    fought(state, "seek:1:4", "meet:4:evade")
    assert not state.losses.ships
    assert state.battle.groups["b4"].number == 5


@pytest.mark.rule("22.524A", "17.3124.2")
def test_squadrons_aboard_damaged_carriers_stay_aboard_when_these_are_shed() -> None:
    """They are neither lost nor moved to other carriers: they leave with the end of the round."""
    state = position(ships_of("r1", "Akagi", "Kaga", hits={"Akagi": 2}), "b6", found={"b6": 1})
    site = state.at_sea("red")
    site.grounded = force("3 japan naval 3 @red-at-sea")
    fought(state, "seek:1:6")
    assert short(site.grounded) == {"japan naval": 3}
    assert not state.losses.air
    state.battle.groups["r1"].ships = {}  # sunk in that engagement; those that were shed are afloat
    for request in settle_decks(state, "red"):
        pytest.fail(f"nothing is to be settled: {request}")
    assert short(site.grounded) == {"japan naval": 3}


@pytest.mark.rule("22.524B", "17.3124.2")
@pytest.mark.parametrize(("elsewhere", "lost"), [(False, 3), (True, 0)])
def test_squadrons_aboard_abandoned_carriers_are_lost(elsewhere: bool, lost: int) -> None:
    """As far as no other damaged carrier of the side may have them aboard."""
    other = ships_of("b6", "Hornet", hits={"Hornet": 2} if elsewhere else {})
    state = chase(ships_of("b4", "Enterprise", "Yorktown", hits={"Enterprise": 2}), other)
    site = state.at_sea("blue")
    site.grounded = force("3 united-states naval 2 @blue-at-sea")
    fought(state, "seek:1:4", "meet:4:evade")
    assert short(site.grounded) == ({} if lost else {"united-states naval": 3})
    assert state.losses.air == ({"united-states/naval/squadrons": lost} if lost else {})


# --- the printed example ----------------------------------------------------------------------------------------


def example(round_: int, found: Mapping[str, int], *, cargo: bool = True) -> State:
    """The battle after 22.524: Japan has CG 1, 2 and 4, America CG 1, 3 and 5, which is slow with its cargo."""
    convoy: dict[str, Any] = {"laden_transports": 4, "cargo": "an invasion"} if cargo else {}
    japan: list[str | dict[str, Any]] = ["r1", "r2", ships_of("r4", "Akagi", "Kaga")]
    america: list[str | dict[str, Any]] = [
        "b1",
        ships_of("b3", "Lexington"),
        ships_of("b5", cruisers=0, destroyers=10, **convoy),
    ]
    return position(*japan, *america, round_=round_, found=found)


@pytest.mark.rule("22.524-EX1", "22.521A", "22.425D.2.2")
def test_printed_example_in_round_one_only_the_first_groups_fight() -> None:
    """Each side has found groups of the other, but no active group is free."""
    happened = fought(example(1, {"b3": 1, "r1": 1, "r2": 1}))
    assert (happened.met, happened.asked) == ([("r1", "b1")], [])


@pytest.mark.rule("22.524-EX2", "22.521D", "22.452C.2", "SOP-NC-I.F.2.a")
@pytest.mark.parametrize("strikes", [0, 1, 2])
def test_printed_example_in_round_two_the_free_group_has_two_options(strikes: int) -> None:
    """CG 1, which has fought, or CG 5, even after an air strike on it, as it was found twice; not CG 3, which was not
    found in this round."""
    state = example(2, {"b1": 1, "b5": 2, "r2": 1, "r4": 1})
    for _ in range(strikes):
        count_attack(state.battle.groups["b5"], 2, by_air=True)
    happened = fought(state)
    assert happened.met == [("r1", "b1")]
    assert happened.asked == [["seek:2:1", *["seek:2:5"] * (strikes < 2), "seek:2:none"]]


@pytest.mark.rule("22.524-EX2", "22.523B", "22.523E.1")
def test_printed_example_the_slow_convoy_must_fight_and_a_fast_group_might_evade_as_six() -> None:
    found = {"b1": 1, "b5": 2, "r2": 1, "r4": 1}
    happened = fought(example(2, found), "seek:2:5")
    assert happened.met == [("r1", "b1"), ("r2", "b5")]
    assert len(happened.asked) == 1
    state = example(2, found, cargo=False)
    fought(state, "seek:2:5", "meet:5:evade")
    assert state.battle.groups["b5"].number == 6


# --- in the battle ----------------------------------------------------------------------------------------------


@pytest.mark.rule("22.51", "22.41H", "22.31C", "22.521")
def test_fleet_combat_comes_after_the_air_strikes_and_before_submarines() -> None:
    game = fight(start(battle(ships_of("r1"), ships_of("b1"))), until=lambda game: "meets" in log(game))
    order = list(naval_battle.segments)
    assert order.index("second_strikes") < order.index("landing") < order.index("fleets") < order.index("submarines")
    lines = [entry.text for entry in game.log("umpire")]
    aboard = [place for place, text in enumerate(lines) if "landing squadrons on carriers" in text]
    assert aboard[-1] < lines.index("CG 1 (Red) meets CG 1 (Blue)")
    assert lines.index("CG 1 (Red) meets CG 1 (Blue)") < lines.index("Fleet combat: CG 1 (Red) against CG 1 (Blue)")


FAR = ["number:r1:1", "number:b4:4"]


def seeking(seeker: dict[str, Any], target: dict[str, Any], *orders: str, **more: Any) -> Game[State]:
    """A battle in which Red's only group finds Blue's, up to the moment when it may seek it or until later."""
    until = more.pop("until", asks("seek:1"))
    return meet(seeker, target, search=((4,), ()), orders=[*FAR, *orders], until=until)


def seen_by(game: Game[State], side: str) -> tuple[str, str, str]:
    return as_json(log_of(game, side)), as_json(game.view(side).data), str(game.view(side))


@pytest.mark.rule("22.523", "22.523D", "22.523E.1")
def test_in_a_battle_all_see_who_seeks_whom_and_the_new_number() -> None:
    evaded = seeking(
        ships_of("r1"), ships_of("b4"), "seek:1:4", "meet:4:evade", until=lambda game: "is now CG 5" in log(game)
    )
    for side in ("red", "blue"):
        told = log(evaded, side)
        for words in (
            "CG 1 (Red) seeks battle with CG 4 (Blue)",
            "CG 1 (Red) revealed: 7 Japanese cruisers",
            "evades and becomes CG 5",
        ):
            assert words in told


SEEKERS = {
    "fast": ships_of("r1"),
    "slow": ships_of("r1", "Fuso"),
    "damaged": ships_of("r1", "Kongo", **LIMPING),
}


@pytest.mark.rule("22.521D.2", "22.524")
@pytest.mark.parametrize("other", ["slow", "damaged"])
def test_the_enemy_does_not_learn_whether_a_group_could_seek(other: str) -> None:
    """Fast, slow, or slow for damaged ships: as long as it seeks nobody it looks the same."""
    games = [seeking(SEEKERS[name], ships_of("b4")) for name in ("fast", other)]
    assert [asked_now(game)[0] for game in games] == ["seek:1:4", "seek:1:none" if other == "slow" else "seek:1:4"]
    assert canonical(games[0].state) != canonical(games[1].state)
    assert seen_by(games[0], "blue") == seen_by(games[1], "blue")
    for game in games:
        game.choose("seek:1:none")
    assert seen_by(games[0], "blue")[0] == seen_by(games[1], "blue")[0]


@pytest.mark.rule("22.524A")
def test_the_enemy_is_not_told_what_was_shed() -> None:
    """He sees the group as it comes to him, and not that it was larger; its owner sees both."""
    game = seeking(SEEKERS["damaged"], ships_of("b4"), "seek:1:4", until=asks("meet:4"))
    assert "Kongo" not in seen_by(game, "blue")[0] + seen_by(game, "blue")[1]
    assert "left behind: Kongo (damaged)" in str(game.view("red"))
    assert ships(group(game, "red", 1)) == {"japan cruiser": 7}


TARGETS = {
    "battleship": ships_of("b4", "Nevada"),
    "damaged": ships_of("b4", "Washington", hits={"Washington": 3}),
    "cruiser": ships_of("b4", damaged_cruisers=1),
}


@pytest.mark.rule("22.523B", "22.524B", "22.452B")
@pytest.mark.parametrize("other", ["damaged", "cruiser"])
def test_the_enemy_does_not_learn_why_a_group_is_slow(other: str) -> None:
    """It is told to be slow. One could evade without its damaged ship and the other cannot: both have to think."""
    games = []
    for name in ("battleship", other):
        games.append(seeking(SEEKERS["fast"], TARGETS[name], "seek:1:4", until=sought))
    assert [asked_now(game)[0] for game in games] == ["ready:go", "meet:4:fight"]
    assert seen_by(games[0], "red") == seen_by(games[1], "red")


def sought(game: Game[State]) -> bool:
    return "CG 1 (Red) seeks battle with CG 4" in log(game)


def test_what_is_agreed_on_stands_on_the_chart() -> None:
    state = position("r1", "r2", "b1", "b5", round_=2, found={"b5": 1})
    state.battle.engagements = [Engagement("r2", "b5", "red")]
    state.battle.groups["b5"].number, state.battle.groups["b5"].this_round.evaded = 6, True
    for side in ("red", "blue"):
        shown = look(state, side)
        assert shown["engagements"] == [{"moving": 2, "intercepting": 6, "seeker": "red"}]
        assert [entry["evaded"] for entry in shown["groups"]] == [False, False, False, True]
