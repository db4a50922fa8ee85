"""After a fight: whose the ships and squadrons are that are left of a combat group (22.63, 22.81A, 17.3124)."""

from __future__ import annotations

import pytest

from flagplot.awaw.operations.battles.dispersal import Claims, deal, deal_air
from flagplot.awaw.operations.battles.scenes import bring_in
from flagplot.awaw.ships import Fleet, Kind, ship
from flagplot.awaw.state.battle import Group
from tests.awaw import seas
from tests.awaw.scenes import force, short

DESTROYER = ship("japan", Kind.DESTROYER, "", 1, False, 0)
LADEN = DESTROYER.carrying(laden=True)


def dealt(parts: dict[str, Fleet], left: Fleet) -> dict[str, Fleet]:
    """What each force gets of the ships that are left of a group."""
    group = Group("red", "the group", left, task_force=False)
    return {key: part.ships for key, part in deal(group, Claims(parts)).items()}


@pytest.mark.rule("22.63", "22.81A")
@pytest.mark.parametrize(("left", "of_four", "of_two"), [(1, 1, 0), (2, 1, 1), (3, 2, 1), (5, 3, 2), (6, 4, 2)])
def test_losses_of_light_ships_are_shared_in_proportion(left: int, of_four: int, of_two: int) -> None:
    """22.63: of one and the same sort the next ship goes to the force that has got back the smallest share."""
    back = dealt({"four": {DESTROYER: 4}, "two": {DESTROYER: 2}}, {DESTROYER: left})
    assert {key: sum(fleet.values()) for key, fleet in back.items()} == {"four": of_four} | (
        {"two": of_two} if of_two else {}
    )


@pytest.mark.rule("22.63", "22.81A")
def test_laden_ships_are_those_of_the_force_that_came_with_cargo() -> None:
    """22.63: whatever the order in which the ships of the group are listed."""
    parts: dict[str, Fleet] = {"escort": {DESTROYER: 2}, "convoy": {LADEN: 2}}
    assert dealt(parts, {DESTROYER: 2, LADEN: 2}) == {"escort": {DESTROYER: 2}, "convoy": {LADEN: 2}}


@pytest.mark.rule("22.63")
def test_a_ship_that_nobody_misses_goes_to_the_first() -> None:
    assert dealt({"one": {DESTROYER: 1}, "two": {DESTROYER: 1}}, {LADEN: 1}) == {"one": {LADEN: 1}}


def carrier(name: str, size: int, *, damaged: bool = False) -> Fleet:
    return {ship("japan", Kind.CV, name, size, False, 0).bearing(size - 1 if damaged else 0): 1}


@pytest.mark.rule("17.3124", "22.463C.1")
@pytest.mark.parametrize(
    ("squadrons", "back"),
    [(1, (1, 0)), (2, (2, 0)), (3, (2, 1)), (4, (3, 1)), (5, (3, 2)), (6, (4, 2))],
)
@pytest.mark.parametrize("damaged", [False, True])
def test_squadrons_fill_the_emptiest_decks(squadrons: int, back: tuple[int, int], damaged: bool) -> None:
    """17.3124: undamaged or damaged, each squadron goes where most room is left, and the last to the first force."""
    fleets = {"three": carrier("Akagi", 3, damaged=damaged), "two": carrier("Soryu", 2, damaged=damaged)}
    air = deal_air(force(f"{squadrons} japan naval 3"), fleets)
    assert tuple(sum(some.values()) for some in air.values()) == back


@pytest.mark.rule("17.3124")
@pytest.mark.parametrize(("squadrons", "grounded"), [(2, 0), (3, 1), (5, 3)])
def test_squadrons_on_damaged_decks_stay_there_in_a_battle(squadrons: int, grounded: int) -> None:
    """17.3124: as many fight as undamaged carriers base, and those of other nations do not count for them."""
    state = seas.sea(seas.port("truk", "red", (0, 0)), seas.force("tf", "red", "truk", cruisers=8))
    made = state.operation.fleet["tf"]
    made.group.ships = carrier("Soryu", 2) | carrier("Akagi", 3, damaged=True)
    made.group.air = force(f"{squadrons} japan naval 3", "1 germany naval 3")
    bring_in(state, "tf")
    assert short(state.battle.groups["tf"].air) == {"japan naval": squadrons - grounded}
    assert short(made.grounded) == {"germany naval": 1} | ({"japan naval": grounded} if grounded else {})


@pytest.mark.rule("17.3124", "22.463C.1")
def test_undamaged_decks_are_filled_before_damaged_ones() -> None:
    """17.3124: three squadrons on the small sound carrier and the sound one beside it, then those on damaged decks."""
    mixed = carrier("Soryu", 2) | carrier("Akagi", 3, damaged=True)
    fleets = {"mixed": mixed, "sound": carrier("Zuiho", 1), "none": {DESTROYER: 1}}
    assert [short(some) for some in deal_air(force("3 japan naval 3"), fleets).values()] == [
        {"japan naval": 2},
        {"japan naval": 1},
        {},
    ]
