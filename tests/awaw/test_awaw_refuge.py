"""18.523: finding room for everyone who flees."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot.awaw.air_units import Arm, Role, unit
from flagplot.awaw.counterair import launch
from flagplot.awaw.refuge import Party, all_fit, may_flee, parties, possible, shelters
from flagplot.awaw.state.turn import Flight, FlightKind
from tests.awaw.scenes import base, scene, start
from tests.awaw.seas import force, port, sea
from tests.awaw.turn import turns

FACTOR = unit("britain", Arm.ARMY, 2, 4, "aim", Role.FACTORS, False)
SQUADRON = unit("britain", Arm.ARMY, 2, 4, "aim", Role.COVER, False)

reaches = st.sets(st.integers(0, 2), max_size=3).map(lambda found: tuple(sorted(found)))
party = st.builds(Party, st.sampled_from([FACTOR, SQUADRON]), st.integers(1, 3), reaches)
rooms = st.tuples(*[st.integers(0, 7)] * 3)


def by_trying(fleeing: list[Party], free: tuple[int, ...]) -> bool:
    """Every unit in every shelter, one by one: slow and plain."""
    units = [each for each in fleeing for _ in range(each.units)]
    for way in product(*[each.reach for each in units]):
        used = [sum(each.which.size for each, at in zip(units, way, strict=True) if at == place) for place in range(3)]
        if all(taken <= room for taken, room in zip(used, free, strict=True)):
            return True
    return not units


@pytest.mark.rule("18.523", "18.523.2")
def test_a_shelter_is_left_to_those_who_reach_no_other() -> None:
    """The squadron that comes first has to take the second shelter: all the room is needed."""
    assert all_fit([Party(SQUADRON, 1, (0, 1)), Party(FACTOR, 1, (0,))], (3, 1, 0))
    assert not all_fit([Party(SQUADRON, 2, (0, 1)), Party(FACTOR, 1, (0,))], (3, 1, 0))


@pytest.mark.rule("18.523", "18.21")
def test_each_arm_reaches_shelters_within_its_own_staging_range() -> None:
    """Army air flies eight hexes and naval air six."""
    places = [base(f"at{far}", "blue", (0, 2 + far)) for far in (6, 7, 8)]
    army = base("aim", "blue", (0, 2), "1 britain army", "1 britain naval")
    state = start(scene(base("field", "red", (0, 0), "1 germany army"), army, *places)).state
    known = shelters(state, "aim")
    reach = {party.which.arm: [known.sites[place] for place in party.reach] for party in parties(state, "aim", known)}
    assert reach == {Arm.ARMY: ["at6", "at7", "at8"], Arm.NAVAL: ["at6"]}


@pytest.mark.rule("18.523", "18.13")
@pytest.mark.parametrize(("naval", "free"), [("", True), ("1 britain naval", False)])
def test_an_island_has_room_for_one_naval_squadron_beyond_its_factors(naval: str, free: bool) -> None:
    isle = base("isle", "blue", (0, 4), "5 britain army", *filter(None, [naval]), airbases=1, island=True)
    aim = base("aim", "blue", (0, 2), "1 britain naval")
    state = start(scene(base("field", "red", (0, 0), "1 germany army"), aim, isle)).state
    assert (shelters(state, "aim").free, may_flee(state, "aim")) == ((1,) if free else (), free)


@pytest.mark.rule("18.523", "18.11")
@pytest.mark.parametrize("away", [False, True])
def test_those_who_are_out_flying_keep_their_place(away: bool) -> None:
    """In an air turn five factors that fill a base may be out over a hex as others flee: they come back to it."""
    aim, full = (
        turns.base("aim", "blue", (0, 0), "1 britain army"),
        turns.base("full", "blue", (0, 2), "5 britain army"),
    )
    state = turns.turn(aim, full, turns.base("field", "red", (3, 0)), phase="combat")
    if away:
        flying = dict(state.sites["full"].air)
        launch(state, flying)
        state.turn.flights.append(Flight("blue", FlightKind.DEFENSIVE_SUPPORT, (0, 1), flying))
    assert (shelters(state, "aim").free, may_flee(state, "aim")) == ((), False)


@pytest.mark.rule("18.523", "17.3126#note1.1")
def test_squadrons_ashore_from_carriers_in_port_take_no_room() -> None:
    """Three squadrons came ashore as their port was attacked in an earlier stage: it holds as much as without them."""
    haven = port("haven", "red", (0, 3), "9 japan army", "3 japan naval")
    kido = force("kido", "red", "haven", "Akagi", cruisers=8)
    state = sea(port("aim", "red", (0, 0), "1 japan army"), haven, port("noumea", "blue", (2, 0)), kido)
    assert not may_flee(state, "aim")
    state.operation.fleet["kido"].ashore = {next(which for which in state.sites["haven"].air if which.is_naval): 3}
    assert may_flee(state, "aim")


@pytest.mark.rule("18.523", "18.523.2")
@given(st.lists(party, max_size=3), rooms)
def test_everyone_fits_exactly_when_trying_every_way_says_so(fleeing: list[Party], free: tuple[int, int, int]) -> None:
    assert all_fit(fleeing, free) == by_trying(fleeing, free)


@pytest.mark.rule("18.523", "18.523.2")
@given(party.filter(lambda each: bool(each.reach)), st.lists(party, max_size=2), rooms)
def test_only_numbers_that_leave_room_for_the_rest_are_offered(
    first: Party, others: list[Party], free: tuple[int, int, int]
) -> None:
    shelter, *later = first.reach
    expected = []
    for number in range(first.units + 1):
        left = tuple(room - number * first.which.size * (place == shelter) for place, room in enumerate(free))
        rest = Party(first.which, first.units - number, tuple(later))
        if min(left) >= 0 and by_trying([rest, *others], left):
            expected.append(number)
    assert list(possible(first, shelter, first.units, others, free)) == expected
