"""19.6: who takes the losses of a mixed force."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot.awaw.air_units import Arm, Force
from flagplot.awaw.losses import Kind, Suffered, deal, plan, suffer
from flagplot.awaw.tables.grids import AirResult
from tests.awaw.scenes import force, run, short


def hit(units: Force, result: tuple[int, int], *answers: object, by_drm: bool = True) -> tuple[Suffered, Force]:
    """Apply a result to a whole force; what it did, and who aborted."""
    aborted: Force = {}
    done = run(suffer("side", units, list(units), AirResult(*result), aborted, by_drm=by_drm), *answers)
    return done, aborted


@pytest.mark.rule("19.63#ex1", "19.63", "19.61")
def test_printed_example_of_three_americans_and_one_briton() -> None:
    units = force("3 united-states army 2", "1 britain army 2")
    done, aborted = hit(units, (1, 1))
    assert short(done.eliminated) == {"united-states army": 1}
    assert short(aborted) == {"britain army": 1}
    assert (done.aborted, done.surplus) == (1, 0)


@pytest.mark.rule("19.65#ex1", "19.65A", "19.65", "23.154", "19.51.1", "19.61A", "19.61B")
def test_printed_example_of_american_and_australian_squadrons() -> None:
    """2/3 on 6 American and 3 Australian army squadrons and 1 American naval one; the roles are the owner's choice."""
    units = force(
        *[f"2 united-states army 2 {role}" for role in ("search", "cover", "attack")],
        *[f"1 australia army 2 {role}" for role in ("search", "cover", "attack")],
        "1 united-states naval 2",
    )
    done, aborted = hit(units, (2, 3), "search", "cover", "attack", "search")
    assert short(done.eliminated) == {"united-states army search": 1, "australia army attack": 1}
    assert short(aborted) == {"united-states army cover": 1, "australia army search": 1, "united-states naval": 1}
    assert (done.aborted, done.surplus) == (3, 0)


@pytest.mark.rule("19.65#ex2", "19.65B")
def test_owner_picks_among_equal_roles_but_not_the_same_role_twice() -> None:
    """One loss and one abort fall on two different roles, whichever the owner names first."""
    units = force(*[f"2 united-states army 2 {role}" for role in ("search", "cover", "attack")])
    done, aborted = hit(units, (1, 1), "cover", "attack")
    assert short(done.eliminated) == {"united-states army cover": 1}
    assert short(aborted) == {"united-states army attack": 1}


@pytest.mark.rule("19.65B")
def test_second_stage_begins_with_the_most_numerous_role() -> None:
    units = force("1 germany army 2 search", "3 germany army 2 cover", "2 germany army 2 attack")
    done, aborted = hit(units, (2, 1))
    assert short(done.eliminated) == {"germany army cover": 1, "germany army attack": 1}
    assert short(aborted) == {"germany army search": 1}


@pytest.mark.rule("19.61")
def test_remnant_falls_on_the_most_numerous_type() -> None:
    units = force("2 germany army 2", "5 italy army 1")
    done, _ = hit(units, (3, 0))
    assert short(done.eliminated) == {"italy army": 2, "germany army": 1}


@pytest.mark.rule("19.62")
def test_equal_numbers_the_lower_drm_takes_the_remnant() -> None:
    units = force("3 germany army 2", "3 italy army 1")
    done, _ = hit(units, (1, 0))
    assert short(done.eliminated) == {"italy army": 1}


@pytest.mark.rule("19.62")
@pytest.mark.parametrize("first", ["germany", "japan"])
def test_equal_numbers_and_drm_the_owner_chooses(first: str) -> None:
    units = force("3 germany army 2", "3 japan army 2")
    done, aborted = hit(units, (1, 1), (first, Arm.ARMY, 2))
    assert short(done.eliminated) == {f"{first} army": 1}
    assert short(aborted) == {"japan army" if first == "germany" else "germany army": 1}


@pytest.mark.rule("19.62")
def test_equal_types_with_equal_shares_are_not_asked_about() -> None:
    units = force("3 germany army 2", "3 japan army 2")
    done, aborted = hit(units, (2, 2))
    assert short(done.eliminated) == short(aborted) == {"germany army": 1, "japan army": 1}


@pytest.mark.rule("19.62")
def test_in_strategic_bombing_the_owner_chooses_among_equal_numbers() -> None:
    """26.454 could not be read; by assumption the DRM does not decide there."""
    units = force("3 germany army 2", "3 italy army 1")
    done, _ = hit(units, (1, 0), ("germany", Arm.ARMY, 2), by_drm=False)
    assert short(done.eliminated) == {"germany army": 1}


@pytest.mark.rule("19.61C")
def test_elite_and_regular_japanese_naval_air_are_two_types() -> None:
    units = force("3 japan naval 2", "3 japan elite-naval 3")
    done, aborted = hit(units, (1, 1))
    assert short(done.eliminated) == {"japan naval": 1}
    assert short(aborted) == {"japan elite-naval": 1}


@pytest.mark.rule("19.61B", "17.57", "17.65.1", "17.55.1")
def test_jets_and_transports_are_types_of_their_own_and_lost_one_by_one() -> None:
    """Jets count three for the row, but a loss takes one jet, and they are no more numerous for it (ruling B5)."""
    units = force("2 germany army 2", "1 germany jet 2", "1 germany transport 2")
    done, aborted = hit(units, (2, 1), ("germany", Arm.TRANSPORT, 2))
    assert short(done.eliminated) == {"germany army": 1, "germany transport": 1}
    assert short(aborted) == {"germany jet": 1}


@pytest.mark.rule("19.61A")
def test_nations_share_even_with_the_same_drm() -> None:
    units = force("4 germany army 2", "2 finland army 2")
    done, _ = hit(units, (2, 0))
    assert short(done.eliminated) == {"germany army": 1, "finland army": 1}


@pytest.mark.rule("19.42")
@pytest.mark.parametrize("forces", [["3 italy army 1"], ["2 italy army 1", "1 germany army 2"]])
@pytest.mark.parametrize(
    ("result", "lost", "aborted", "surplus"),
    [
        ((0, 0), 0, 0, 0),
        ((0, 2), 0, 2, 0),
        ((1, 1), 1, 1, 0),
        ((1, 3), 1, 2, 0),
        ((2, 1), 2, 1, 0),
        ((3, 1), 3, 0, 0),
        ((5, 2), 3, 0, 2),
    ],
)
def test_excess_aborts_are_ignored_and_surplus_eliminations_reported(
    forces: list[str], result: tuple[int, int], lost: int, aborted: int, surplus: int
) -> None:
    units = force(*forces)
    done, marked = hit(units, result)
    assert (sum(done.eliminated.values()), done.aborted, done.surplus) == (lost, aborted, surplus)
    assert (sum(units.values()), sum(marked.values())) == (3 - lost, aborted)


@pytest.mark.rule("19.64.1")
def test_all_eliminations_are_surplus_where_nobody_is_involved() -> None:
    done = run(suffer("side", force("1 italy army 1"), [], AirResult(2, 1), {}))
    assert (done.eliminated, done.aborted, done.surplus) == ({}, 0, 2)


@pytest.mark.rule("19.65B", "23.153")
def test_squadrons_of_one_role_in_different_bases_count_together() -> None:
    """Two in search are more than one in cover or one in attack, but not if the bases counted apart."""
    units = force("1 italy army 1 search @rome", "1 italy army 1 search @bari", "1 italy army 1 cover @rome")
    done, _ = hit(units, (1, 0), ("bari", "ready"))
    assert [which.text.split(":")[0] for which in done.eliminated] == ["bari"]
    done, _ = hit(units, (2, 0))
    assert (done.surplus, units) == (0, {})


@pytest.mark.rule("19.64.2")
def test_aborts_mean_nothing_to_inverted_units() -> None:
    _, aborted = hit(force("1 italy army 1", "2 italy army 1 inverted"), (0, 3))
    assert short(aborted) == {"italy army": 1}


@pytest.mark.rule("19.64.2")
def test_a_force_that_is_all_inverted_takes_no_aborts() -> None:
    done, aborted = hit(force("2 italy army 1 inverted"), (1, 1))
    assert (short(done.eliminated), aborted) == ({"italy army inverted": 1}, {})


@pytest.mark.rule("19.64.2")
def test_aborts_fall_on_uninverted_units_first() -> None:
    _, aborted = hit(force("2 italy army 1 inverted", "1 italy army 1"), (0, 1))
    assert short(aborted) == {"italy army": 1}


@pytest.mark.rule("19.61A")
def test_owner_picks_home_and_status_of_a_loss() -> None:
    """Within a type nothing is said: the owner picks (ruling A9)."""
    units = force("1 italy army 1 @rome", "1 italy army 1 @bari inverted")
    done, _ = hit(units, (1, 0), ("bari", "inverted"))
    assert [which.home for which in done.eliminated] == ["bari"]


@pytest.mark.rule("19.61A")
def test_no_question_when_everything_of_a_type_is_lost() -> None:
    done, _ = hit(force("1 italy army 1 @rome", "1 italy army 1 @bari"), (2, 0))
    assert sum(done.eliminated.values()) == 2


counts = st.lists(st.integers(1, 9), min_size=1, max_size=4)
results = st.builds(AirResult, st.integers(0, 9), st.integers(0, 9))


@pytest.mark.rule("19.61", "19.63")
@given(counts, results)
def test_shares_are_as_equal_as_the_numbers_allow(numbers: list[int], result: AirResult) -> None:
    """No type takes two effects more than another that has an unaffected unit left; nothing is lost in dealing."""
    shares = deal(numbers, result)
    taken = [sum(share) for share in shares]
    assert sum(taken) == min(sum(result), sum(numbers))
    assert sum(lost for lost, _ in shares) == min(result.eliminated, sum(numbers))
    assert all(number >= share for number, share in zip(numbers, taken, strict=True))
    spare = [share for share, number in zip(taken, numbers, strict=True) if share < number]
    assert not spare or max(taken) - min(spare) <= 1


@pytest.mark.rule("19.61", "19.62")
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 3)), min_size=1, max_size=4), results)
def test_plan_gives_every_type_one_place(types: list[tuple[int, int]], result: AirResult) -> None:
    numbers: dict[Kind, int] = {(f"nation {place}", Arm.ARMY, drm): number for place, (number, drm) in enumerate(types)}
    planned = plan(tuple(numbers.items()), result)
    kinds = [kind for equals, _ in planned for kind in equals]
    assert sorted(kinds, key=str) == sorted(numbers, key=str)
    assert numbers[kinds[0]] == max(numbers.values())
