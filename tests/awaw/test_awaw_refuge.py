"""18.523: finding room for everyone who flees."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot.awaw.air_units import Arm, Role, unit
from flagplot.awaw.refuge import Party, all_fit, possible

FACTOR = unit("britain", Arm.ARMY, 2, 4, "aim", Role.FACTORS, False)
SQUADRON = unit("britain", Arm.ARMY, 2, 4, "aim", Role.COVER, False)

reaches = st.sets(st.integers(0, 2), max_size=3).map(lambda found: tuple(sorted(found)))
party = st.builds(Party, st.sampled_from([FACTOR, SQUADRON]), st.integers(1, 3), reaches)
rooms = st.tuples(*[st.integers(0, 7)] * 3)


def by_trying(parties: list[Party], free: tuple[int, ...]) -> bool:
    """Every unit in every shelter, one by one: slow and plain."""
    units = [each for each in parties for _ in range(each.units)]
    for way in product(*[each.reach for each in units]):
        used = [sum(each.which.size for each, at in zip(units, way, strict=True) if at == place) for place in range(3)]
        if all(taken <= room for taken, room in zip(used, free, strict=True)):
            return True
    return not units


@pytest.mark.rule("18.523", "18.523.2")
@given(st.lists(party, max_size=3), rooms)
def test_everyone_fits_exactly_when_trying_every_way_says_so(parties: list[Party], free: tuple[int, int, int]) -> None:
    assert all_fit(parties, free) == by_trying(parties, free)


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
