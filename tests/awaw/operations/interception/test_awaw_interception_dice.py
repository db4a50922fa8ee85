"""The dice of an interception, counted from the map (22.22), and what they lead to (22.23, 22.24)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.interception.dice import conclude, hexes_reached, ledger_of, prey, spotters, task_forces
from flagplot.awaw.operations.passage.homeward import new_voyage, send_home
from flagplot.awaw.state.battle import ORIGIN
from flagplot.awaw.state.operation import Activity, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.counts import arrival_round
from flagplot.kernel.requests import Roll
from flagplot.odds import ask
from tests.awaw import seas
from tests.awaw.seas import flotilla, force, ocean, port, sail, sea
from tests.awaw.voyages import at_sea, home_of, intercept

TARGET = force("tf", "red", "truk", "Akagi", cruisers=8)
BLUE = force("hunters", "blue", "noumea", "Enterprise", cruisers=8)


def waters(*more: dict[str, Any], target: dict[str, Any] = TARGET, **plan: Any) -> State:
    """Red sails from Truk in (0, 0); Blue is in Noumea in (20, 0), far from everything."""
    return sea(port("truk", "red", (0, 0)), port("noumea", "blue", (20, 0)), target, BLUE, *more, **plan)


def attempt(state: State, target: str, by: str | Sequence[str] = "hunters", **more: Any) -> Voyage:
    """An interception in a hex of the target's path, its last one unless `at` says otherwise."""
    at: Hex = more.pop("at", state.operation.voyages[target].path[-1])
    keys = [by] if isinstance(by, str) else list(by)
    start = state.operation.flotillas[more["flotilla"]].at if "flotilla" in more else state.operation.fleet[keys[0]].at
    path = state.operation.plan.board.sea_path(start, at)
    assert path is not None
    voyage = Voyage(
        state.other(state.operation.voyages[target].side),
        Activity.INTERCEPTION,
        [] if "flotilla" in more else keys,
        path,
        level=state.operation.voyages[target].level + 1,
        target=target,
        meet=at,
        shown=True,
        **more,
    )
    new_voyage(state, voyage)
    return voyage


def dice(state: State, voyage: Voyage) -> dict[str, int]:
    """The dice of an attempt, by the numbers of the rules that give them."""
    lines: dict[str, int] = {}
    for amount, _, number in ledger_of(state, voyage):
        lines[number] = lines.get(number, 0) + amount
    return {number: amount for number, amount in lines.items() if amount}


def against(activity: str, state: State | None = None, to: Hex = (5, 0), **more: Any) -> dict[str, int]:
    """The dice against the task force from Truk on some activity."""
    made = state or waters()
    return dice(made, attempt(made, sail(made, activity, "tf", to, **more)))


# --- the lines of the table -----------------------------------------------------------------------------------


@pytest.mark.rule("22.22A", "22.22", "SOP-NI-D.1")
@pytest.mark.parametrize(
    "activity",
    ["sea-supply", "sea-transport", "seaborne-invasion", "sea-escort", "shore-bombardment", "fast-carrier-mission"],
)
def test_two_dice_against_cargo_bombardment_and_carrier_missions(activity: str) -> None:
    assert against(activity) == {"22.22A": 2, "22.22E": 1}


@pytest.mark.rule("22.22A")
@pytest.mark.parametrize("activity", ["base-change", "redeployment", "patrol", "raid", "return", "displacement"])
def test_none_against_others(activity: str) -> None:
    assert against(activity) == {"22.22E": 1}


@pytest.mark.rule("22.22A")
def test_what_sailed_with_cargo_counts_so_on_its_return() -> None:
    assert against("return", start=(9, 0), cargo=True) == {"22.22A": 2, "22.22E": 1}
    assert against("return", start=(9, 0), was="shore-bombardment") == {"22.22E": 1}


@pytest.mark.rule("22.22B")
def test_two_dice_against_a_patrol_that_wants_to_stay() -> None:
    assert against("patrol", step=5, staying=True) == {"22.22B": 2, "22.22E": 1}


def countered(at: Hex) -> dict[str, int]:
    """The dice of a counter-interception in a hex; the interception is in (5, 0)."""
    state = waters(force("cover", "red", "truk", "Kaga", cruisers=8))
    first = attempt(state, sail(state, "base-change", "tf", (9, 0)), at=(5, 0))
    first.reached, first.arrives = 20, 1
    return dice(state, attempt(state, "v2", "cover", at=at))


@pytest.mark.rule("22.22C", "T22.21-15")
def test_two_dice_for_a_counter_in_the_interception_hex_alone() -> None:
    assert countered((5, 0)) == {"22.22C": 2, "22.22E": 1}
    assert countered((6, 0)) == {"22.22E": 1}


@pytest.mark.rule("22.22C", "22.253", "T22.21-15")
def test_so_for_counters_of_counters() -> None:
    state = waters(
        force("cover", "red", "truk", "Kaga", cruisers=8), force("reserve", "blue", "noumea", "Hornet", cruisers=8)
    )
    first = attempt(state, sail(state, "base-change", "tf", (9, 0)), at=(5, 0))
    second = attempt(state, "v2", "cover", at=(8, 0))
    first.reached = second.reached = 20
    assert dice(state, attempt(state, "v3", "reserve", at=(8, 0))) == {"22.22C": 2, "22.22E": 1}


@pytest.mark.rule("22.22D")
def test_one_die_more_for_cruisers_and_destroyers_against_cargo() -> None:
    state = waters(force("light", "blue", "noumea", cruisers=8, destroyers=2))
    key = sail(state, "sea-transport", "tf", (5, 0))
    assert dice(state, attempt(state, key, "light")) == {"22.22A": 2, "22.22D": 1, "22.22E": 1}
    assert "22.22D" not in against("shore-bombardment", waters(force("light", "blue", "noumea", cruisers=8)))


@pytest.mark.rule("22.22D")
def test_not_with_any_other_ship_and_not_without_cargo() -> None:
    state = waters(force("light", "blue", "noumea", cruisers=8, destroyers=2))
    assert "22.22D" not in dice(state, attempt(state, sail(state, "shore-bombardment", "tf", (5, 0)), "light"))
    assert "22.22D" not in against("sea-transport")


@pytest.mark.rule("22.22E")
def test_a_die_for_each_task_force_and_none_for_smaller_forces() -> None:
    state = waters(force("two", "red", "truk", "Kaga", cruisers=8), force("few", "red", "truk", destroyers=5))
    key = sail(state, "base-change", ["tf", "two", "few"], (5, 0))
    assert dice(state, attempt(state, key)) == {"22.22E": 2}
    state = waters(force("few", "red", "truk", destroyers=5))
    assert dice(state, attempt(state, sail(state, "sea-transport", "few", (5, 0)))) == {"22.22A": 2}


@pytest.mark.rule("22.22E", "22.141")
def test_task_forces_that_are_intercepted_together_count_together() -> None:
    state = waters(force("two", "red", "truk", "Kaga", cruisers=8))
    key = sail(state, "base-change", "tf", (5, 0))
    sail(state, "base-change", "two", (0, 5))
    assert task_forces(state, key, 0, (0, 0)) == 2
    assert task_forces(state, key, 0, (3, 0)) == 1


@pytest.mark.rule("22.22F")
@pytest.mark.parametrize(("factors", "more"), [(1, 1), (3, 3), (5, 3)])
def test_ground_factors_in_the_invaded_hex(factors: int, more: int) -> None:
    state = waters(port("tulagi", "blue", (5, 0)), ground={"tulagi": factors})
    key = sail(state, "seaborne-invasion", "tf", (5, 0), base="tulagi")
    assert dice(state, attempt(state, key)) == {"22.22A": 2, "22.22E": 1, "22.22F": more}
    assert "22.22F" not in dice(state, attempt(state, key, at=(4, 0)))


@pytest.mark.rule("22.22F")
def test_only_those_of_the_hex_and_of_the_side_count() -> None:
    state = waters(port("tulagi", "blue", (5, 0)), port("suva", "blue", (8, 0)), ground={"tulagi": 2, "suva": 3})
    assert [state.ground_factors(side, at) for side, at in (("blue", (5, 0)), ("blue", (8, 0)), ("red", (5, 0)))] == [
        2,
        3,
        0,
    ]
    assert waters(port("tulagi", "blue", (5, 0))).ground_factors("blue", (5, 0)) == 0


@pytest.mark.rule("22.22F")
def test_they_count_against_invasions_alone() -> None:
    state = waters(port("tulagi", "blue", (5, 0)), ground={"tulagi": 2})
    assert "22.22F" not in against("shore-bombardment", state, base="tulagi")


# --- spotting -------------------------------------------------------------------------------------------------


def seen(*air: str, at: Hex = (5, 3), meet: Hex = (9, 0), **more: Any) -> int:
    """The search squadrons of a base that spot a force which sails from (0, 0) to (9, 0), intercepted somewhere."""
    state = waters(port("lae", "blue", at, *air, **more))
    key = sail(state, "base-change", "tf", (9, 0))
    return spotters(state, "blue", state.operation.voyages[key], meet)


@pytest.mark.rule("22.22G", "23.11A", "18.59", "23.131B")
def test_each_factor_of_army_air_has_a_search_squadron_and_each_naval_squadron_is_one() -> None:
    assert seen("2 united-states army") == 2
    assert seen("2 united-states naval") == 2
    assert seen("1 united-states army", "1 united-states naval") == 2


@pytest.mark.rule("22.22G", "T22.21-07")
def test_three_are_the_most() -> None:
    assert seen("4 united-states army") == 3


@pytest.mark.rule("22.22G.1", "18.59")
def test_inverted_air_spots_nothing() -> None:
    assert seen("2 united-states army inverted", "1 united-states naval inverted") == 0


@pytest.mark.rule("22.22G.1")
def test_they_must_be_in_range_of_some_hex_up_to_the_interception() -> None:
    assert seen("1 united-states army", at=(5, 4)) == 1
    assert seen("1 united-states army", at=(5, 5)) == 0
    assert seen("1 united-states naval", at=(5, 4)) == 0
    assert seen("1 united-states naval", at=(5, 3), meet=(5, 0)) == 1
    assert seen("1 united-states naval", at=(9, 3), meet=(5, 0)) == 0


@pytest.mark.rule("22.22G.1", "18.59")
@pytest.mark.parametrize("state", [{"supply": "none"}, {"supply": "partial"}, {"oil": True}, {"winter": 9}])
def test_a_base_that_is_not_fit_for_missions_does_not_spot(state: dict[str, Any]) -> None:
    assert seen("1 united-states army", **state) == 0
    assert seen("1 united-states army", winter=8) == 1


@pytest.mark.rule("22.22G.2", "18.59.1")
def test_committed_air_does_not_spot_and_spotting_costs_nothing() -> None:
    state = waters(port("lae", "blue", (5, 3), "2 united-states army"))
    voyage = state.operation.voyages[sail(state, "base-change", "tf", (9, 0))]
    air = dict(state.sites["lae"].air)
    assert spotters(state, "blue", voyage, (9, 0)) == spotters(state, "blue", voyage, (9, 0)) == 2
    assert state.sites["lae"].air == air
    (which,) = air
    state.sites["lae"].committed = {which: 1}
    assert spotters(state, "blue", voyage, (9, 0)) == 1


@pytest.mark.rule("22.22G.3")
def test_air_that_a_patrol_has_attacked_has_spotted_it() -> None:
    state = waters(port("lae", "blue", (5, 3)), port("rabaul", "blue", (7, 3), "1 united-states army"))
    voyage = state.operation.voyages[sail(state, "patrol", "tf", (9, 0))]
    assert spotters(state, "blue", voyage, (9, 0)) == 1
    voyage.alerted = {"lae": 1, "rabaul": 1}
    assert spotters(state, "blue", voyage, (9, 0)) == 2


@pytest.mark.rule("22.22G.4")
def test_russians_spot_for_russians_alone() -> None:
    state = waters(
        port("murmansk", "blue", (5, 3), "2 russia army", "1 britain army"),
        force("soviets", "blue", "noumea", nation="russia", cruisers=10),
    )
    key = sail(state, "base-change", "tf", (9, 0))
    assert dice(state, attempt(state, key)) == {"22.22E": 1, "22.22G": 1}
    other = waters(
        port("murmansk", "blue", (5, 3), "2 russia army", "1 britain army"),
        force("soviets", "blue", "noumea", nation="russia", cruisers=10),
    )
    key = sail(other, "base-change", "tf", (9, 0))
    assert dice(other, attempt(other, key, "soviets")) == {"22.22E": 1, "22.22G": 2}


@pytest.mark.rule("22.18F")
def test_on_the_way_home_only_what_sees_it_then_counts() -> None:
    state = waters(port("lae", "blue", (2, 3), "1 united-states army"))
    assert against("base-change", state, (9, 0)) == {"22.22E": 1, "22.22G": 1}
    far = waters(port("lae", "blue", (2, 3), "1 united-states army"))
    assert against("return", far, (20, 0), start=(9, 0)) == {"22.22E": 1}
    near = waters(port("lae", "blue", (2, 3), "1 united-states army"))
    assert against("return", near, (0, 0), start=(9, 0)) == {"22.22E": 1, "22.22G": 1}


@pytest.mark.rule("22.22G", "22.12B")
def test_a_force_that_starts_at_sea_is_not_spotted_where_it_starts() -> None:
    """22.22G: it is spotted in the hexes that it enters; where it begins its way home is not one of them (22.12B)."""
    isle = port("isle", "blue", (10, 0), "2 united-states army")
    state = sea(seas.TRUK, isle, seas.KIDO)
    (reach,) = {which.reach for which in state.sites["isle"].air}
    at = (10 - reach, 0)
    at_sea(state, "kido", at)
    assert spotters(state, "blue", state.operation.voyages["v1"], at) == 2
    send_home(state, "kido", ORIGIN)
    assert spotters(state, "blue", home_of(state, "kido"), (0, 0)) == 0


# --- submarines, codebreaking, slow ships, several attempts ---------------------------------------------------


@pytest.mark.rule("22.22H")
def test_submarines_within_three_hexes_help_ships() -> None:
    state = waters(
        port("lae", "blue", (5, 3)), flotilla("subs", "blue", "lae", 2), flotilla("far", "blue", "noumea", 3)
    )
    assert against("base-change", state) == {"22.22E": 1, "22.22H": 2}
    assert prey(state, "v1", 0, (1, 0))["submarines"] == 0


@pytest.mark.rule("22.22H")
def test_submarines_on_patrol_help_too_inverted_ones_do_not_and_three_are_the_most() -> None:
    state = waters(flotilla("subs", "blue", "noumea", 5, at=(5, 2), patrol="offensive"))
    assert against("base-change", state) == {"22.22E": 1, "22.22H": 3}
    state = waters(flotilla("subs", "blue", "noumea", 1, at=(5, 2), patrol="defensive", inverted=2))
    assert against("base-change", state) == {"22.22E": 1, "22.22H": 1}


@pytest.mark.rule("22.22H")
@pytest.mark.parametrize(("doing", "helps"), [("factors", 2), ("tried", 2), ("away", 2), ("inverted", 0)])
def test_submarines_help_whatever_they_have_tried_if_they_are_uninverted(doing: str, helps: int) -> None:
    """22.22H: factors that intercept themselves, or did so in vain, are there and help the ships; those that have
    attacked do not."""
    state = sea(
        *seas.PORTS,
        seas.KIDO,
        seas.TF,
        flotilla("boats", "blue", "noumea", 0, **({doing: 2} if doing != "factors" else {})),
    )
    if doing == "factors":
        state.operation.flotillas["boats"].factors = 2
    key = sail(state, "base-change", "kido", (7, 0))
    assert prey(state, key, 0, (7, 0))["submarines"] == helps


@pytest.mark.rule("22.22I", "22.22I.2")
def test_codebreaking_gives_a_die_and_takes_none() -> None:
    assert against("base-change", waters(strategic="blue")) == {"22.22E": 1, "22.22I": 1}
    assert against("base-change", waters(strategic="red")) == {"22.22E": 1}


@pytest.mark.rule("22.22J")
def test_slow_ships_cost_a_die() -> None:
    state = waters(force("old", "blue", "noumea", "Arizona", cruisers=8))
    key = sail(state, "sea-transport", "tf", (5, 0))
    assert dice(state, attempt(state, key, "old")) == {"22.22A": 2, "22.22E": 1, "22.22J": -1}


@pytest.mark.rule("22.22J", "22.22H", "22.22K.3", "22.916A", "22.915")
def test_a_submarine_has_a_die_less_no_help_from_others_and_does_not_mind_other_attempts() -> None:
    state = waters(flotilla("subs", "blue", "noumea", 2, at=(5, 2), patrol="defensive"))
    key = sail(state, "sea-transport", "tf", (5, 0))
    ships = attempt(state, key)
    boat = attempt(state, key, flotilla="subs")
    attempt(state, key, flotilla="subs")
    assert dice(state, boat) == {"22.22A": 2, "22.22E": 1, "22.22J": -1}
    assert dice(state, ships) == {"22.22A": 2, "22.22E": 1, "22.22H": 2}


@pytest.mark.rule("22.22K", "22.22K.1", "22.22K.2")
def test_each_further_attempt_on_the_same_activity_costs_all_a_die() -> None:
    state = waters(
        force("b", "blue", "noumea", "Hornet", cruisers=8),
        force("c", "blue", "noumea", "Wasp", cruisers=8),
        force("d", "blue", "noumea", "Essex", cruisers=8),
        force("two", "red", "truk", "Kaga", cruisers=8),
    )
    key, other = sail(state, "sea-transport", "tf", (5, 0)), sail(state, "base-change", "two", (0, 5))
    first = attempt(state, key)
    assert "22.22K" not in dice(state, first)
    second = attempt(state, key, "b")
    assert dice(state, first)["22.22K"] == dice(state, second)["22.22K"] == -1
    elsewhere = attempt(state, other, "d")
    third = attempt(state, key, "c")
    assert {dice(state, one)["22.22K"] for one in (first, second, third)} == {-2}
    assert dice(state, elsewhere) == {"22.22E": 1}


@pytest.mark.rule("22.22K", "22.22K.2", "22.13A")
def test_attempts_beyond_a_strait_are_not_counted() -> None:
    """22.22K: only attempts on the same leg of a path cost each other dice."""
    board = ocean(straits=[("narrows", (3, 0), (4, 0))])
    state = sea(*seas.PORTS, seas.KIDO, seas.TF, force("tf2", "blue", "noumea", cruisers=10), board=board)
    key = sail(state, "sea-supply", "kido", (6, 0))
    first, second = intercept(state, "tf", key, (2, 0)), intercept(state, "tf2", key, (5, 0))
    state.operation.voyages[second].leg = 1
    assert [dice(state, state.operation.voyages[one]).get("22.22K", 0) for one in (first, second)] == [0, 0]
    state.operation.voyages[second].leg, state.operation.voyages[second].meet = 0, (2, 0)
    assert [dice(state, state.operation.voyages[one]).get("22.22K", 0) for one in (first, second)] == [-1, -1]


# --- what comes of it -----------------------------------------------------------------------------------------


@pytest.mark.rule("22.21", "SOP-NI-D.2", "T22.21-13")
def test_the_sum_is_halved_and_rounded_up_in_the_pacific() -> None:
    assert hexes_reached("europe")((4, 5)) == 9
    assert hexes_reached("pacific")((4, 5)) == 5
    assert str(hexes_reached("pacific")((1, 1))) == "1 hex"


@pytest.mark.rule("SOP-NI-E.2", "22.24B")
def test_the_facts_of_the_sequence_of_play() -> None:
    assert arrival_round(12, hexes_reached("europe")((3, 6)), "europe") == 2
    assert arrival_round(12, hexes_reached("europe")((3, 4)), "europe") == 3
    assert arrival_round(8, hexes_reached("pacific")((3, 6)), "pacific") == 3
    assert [arrival_round(4, reached, "pacific") for reached in (0, 2, 3, 4, 5, 12)] == [3, 2, 2, 1, 1, 1]


def rolled(*reached: int, distance: int = 15, pacific: bool = False, subs: Sequence[int] = ()) -> list[int]:
    """The rounds in which interceptors arrive that have so far to go and reach so many hexes; submarines come last."""
    state = sea(
        port("truk", "red", (0, 0)),
        port("noumea", "blue", (5 + distance, 0)),
        TARGET,
        *[force(f"b{n}", "blue", "noumea", nation="britain", cruisers=10) for n in range(len(reached))],
        flotilla("subs", "blue", "noumea", 0, away=len(subs)),
        board=ocean(pacific=pacific),
    )
    key = sail(state, "base-change", "tf", (5, 0))
    attempts = [attempt(state, key, f"b{n}", reached=hexes) for n, hexes in enumerate(reached)]
    attempts += [attempt(state, key, flotilla="subs", reached=hexes) for hexes in subs]
    conclude(state, key, 0)
    return [one.arrives for one in attempts]


@pytest.mark.rule("22.23", "SOP-NI-E")
def test_who_reaches_the_hex_is_there_in_the_first_round() -> None:
    assert rolled(15) == rolled(18) == [1]


@pytest.mark.rule("22.24B", "22.24B.1", "SOP-NI-E.2")
def test_who_falls_short_in_europe_comes_a_round_later_for_every_four_hexes() -> None:
    short = [14, 11, 10, 7, 6, 3]
    assert rolled(15, *short) == [1, 2, 2, 3, 3, 4, 4]


@pytest.mark.rule("22.24B", "22.24B.2", "SOP-NI-E.2")
def test_who_falls_short_in_the_pacific_comes_a_round_later_for_every_two_hexes() -> None:
    short = [14, 13, 12, 11, 10, 9]
    assert rolled(15, *short, pacific=True) == [1, 2, 2, 3, 3, 4, 4]


@pytest.mark.rule("22.24A", "SOP-NI-E.1")
def test_if_all_fall_short_nobody_comes() -> None:
    assert rolled(14, 14, 3) == [0, 0, 0]


@pytest.mark.rule("22.24B.3", "SOP-NI-E.1")
def test_a_submarine_that_is_there_helps_no_ship_that_is_late() -> None:
    assert rolled(14, subs=[15]) == [0, 1]


@pytest.mark.rule("22.24B")
def test_a_submarine_that_is_late_comes_to_the_battle_of_others() -> None:
    assert rolled(15, subs=[12]) == [1, 2]
    assert rolled(14, subs=[12]) == [0, 0]


@pytest.mark.rule("22.24A", "22.26A", "22.27", "SOP-NI-K.2", "22.116")
def test_after_a_complete_failure_all_are_in_port_and_have_tried() -> None:
    state = waters(flotilla("subs", "blue", "noumea", 1))
    key = sail(state, "base-change", "tf", (5, 0))
    state.operation.fleet["hunters"].tried = state.now
    state.operation.flotillas["subs"].factors, state.operation.flotillas["subs"].away = 0, 1
    ships, boat = attempt(state, key, reached=3), attempt(state, key, flotilla="subs", reached=3)
    conclude(state, key, 0)
    hunters = state.operation.fleet["hunters"]
    assert ships.progress is boat.progress is Progress.OVER
    assert hunters.in_port
    assert not hunters.inverted
    assert hunters.tried == state.now
    assert (state.operation.flotillas["subs"].away, state.operation.flotillas["subs"].tried) == (0, 1)


@pytest.mark.rule("22.24A", "22.14F")
def test_a_patrol_that_fails_is_still_on_patrol_and_one_that_does_not_has_left() -> None:
    for reached, patrol in ((3, "defensive"), (15, "")):
        state = waters(force("guard", "blue", "noumea", cruisers=10, at=(15, 0), patrol="defensive"))
        key = sail(state, "base-change", "tf", (5, 0))
        attempt(state, key, "guard", reached=reached)
        conclude(state, key, 0)
        assert state.operation.fleet["guard"].patrol == patrol


# --- the odds -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theatre", ["europe", "pacific"])
def test_the_odds_are_those_of_the_script(theatre: str) -> None:
    state = waters(
        port("lae", "blue", (5, 3), "2 united-states army"),
        force("old", "blue", "noumea", "Arizona", cruisers=8),
        flotilla("subs", "blue", "lae", 1),
        strategic="blue",
        board=ocean(pacific=theatre == "pacific"),
    )
    key = sail(state, "fast-carrier-mission", "tf", (5, 0))
    attempt(state, key)
    voyage = attempt(state, key, "old")
    ledger = ledger_of(state, voyage)
    answer = ask.interception(
        distance=15,
        theatre=theatre,
        attempts=2,
        carrier_mission=True,
        task_forces=1,
        spotters=2,
        submarines=1,
        cards=1,
        slow=True,
    )
    assert answer.ledgers[0][1] == ledger
    outcomes = Roll("blue", ledger.total, "", hexes_reached(theatre), "22.21").outcomes()
    reached, late = answer.parts[2].chances, answer.parts[1].chances
    assert {hexes: reached[hexes] * 6**ledger.total for hexes in reached} == outcomes
    rounds: dict[str, int] = {}
    for hexes, ways in outcomes.items():
        arrives = f"round {arrival_round(len(voyage.path) - 1, hexes, theatre)}"
        rounds[arrives] = rounds.get(arrives, 0) + ways
    assert {words: late[words] * 6**ledger.total for words in late} == rounds
