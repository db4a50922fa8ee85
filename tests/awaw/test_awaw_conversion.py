"""23.13-23.18: factors into squadrons and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot.awaw.air_units import ARMY_ROLES, Force
from flagplot.awaw.conversion import (
    Broken,
    beyond_pool,
    break_down,
    factors_from,
    fought_as_squadrons,
    left_over,
    recombine,
    recombined_part,
    surviving_transports,
)
from tests.awaw.scenes import force, short

BY_SHARE = "by-share"


@pytest.mark.rule("23.131A", "17.141C", "19.51", "17.25")
def test_naval_air_on_either_side_makes_everyone_fight_as_squadrons() -> None:
    army, naval = force("3 germany army 2"), force("1 britain naval 1")
    assert not fought_as_squadrons(army, force("2 britain army 2"))
    assert fought_as_squadrons(army, naval)
    assert fought_as_squadrons(naval, army)


@pytest.mark.rule("23.132", "23.132A", "23.132B", "23.132C", "23.133")
def test_an_army_factor_becomes_one_squadron_of_each_role() -> None:
    assert short(break_down(force("2 germany army 2"))) == {
        "germany army search": 2,
        "germany army cover": 2,
        "germany army attack": 2,
    }


@pytest.mark.rule("23.17", "17.55.2", "23.18", "17.65")
def test_jets_and_transports_become_three_squadrons_alike() -> None:
    broken = break_down(force("1 germany jet 2", "2 germany transport 2", "1 britain naval 1"))
    assert short(broken) == {"germany jet": 3, "germany transport": 6, "britain naval": 1}
    assert all(which.role.value == "squadrons" for which in broken)


@pytest.mark.rule("23.142A", "23.143")
@pytest.mark.parametrize(("squadrons", "factors"), [(1, 0), (2, 1), (3, 1), (4, 1), (5, 2), (6, 2), (7, 2)])
def test_printed_list_of_what_squadrons_make(squadrons: int, factors: int) -> None:
    assert factors_from(squadrons) == factors


@pytest.mark.rule("23.143.EX1", "23.142C")
def test_printed_example_of_nine_british_squadrons_lost() -> None:
    """Five factors, nine squadrons lost, two left in each of three hexes: three unbuilt and three in play are one too
    many."""
    left = [recombine(force("1 britain army 2 search", "1 britain army 2 cover"), [], BY_SHARE) for _ in range(3)]
    in_play = sum(sum(base.values()) for base in left)
    assert (in_play, 9 // 3, beyond_pool(in_play, 9 // 3, 5)) == (3, 3, 1)


@pytest.mark.rule("23.142C")
def test_nothing_is_removed_within_the_pool() -> None:
    assert [beyond_pool(number, 2, 5) for number in (1, 3, 5)] == [0, 0, 2]


@pytest.mark.rule("23.142A")
def test_only_army_air_jet_and_transport_squadrons_are_left_over() -> None:
    """One of four army air squadrons, but no naval one, and no factor."""
    mixed = force("2 germany army 2 search", "1 germany army 2 cover", "1 germany army 2 attack")
    assert short(left_over(mixed | force("4 germany naval 2", "1 italy army 1"))) == {"germany army search": 1}


@pytest.mark.rule("23.144")
def test_a_factor_is_uninverted_only_if_made_of_one_ready_squadron_of_each_role() -> None:
    whole = force("1 germany army 2 search", "1 germany army 2 cover", "1 germany army 2 attack")
    assert short(recombine(whole, [], BY_SHARE)) == {"germany army": 1}
    one_down = force("1 germany army 2 search", "1 germany army 2 cover", "1 germany army 2 attack inverted")
    assert short(recombine(one_down, [], BY_SHARE)) == {"germany army inverted": 1}
    wrong_kinds = force("2 germany army 2 search", "1 germany army 2 cover")
    assert short(recombine(wrong_kinds, [], BY_SHARE)) == {"germany army inverted": 1}


@pytest.mark.rule("23.144", "23.142A")
def test_owner_makes_as_many_uninverted_factors_as_possible() -> None:
    mixed = force(
        "2 germany army 2 search",
        "1 germany army 2 cover",
        "1 germany army 2 attack",
        "1 germany army 2 attack inverted",
    )
    assert short(recombine(mixed, [], BY_SHARE)) == {"germany army": 1, "germany army inverted": 1}


@pytest.mark.rule("23.17")
def test_jet_squadrons_are_put_together_like_army_air() -> None:
    assert short(recombine(force("3 germany jet 2 squadrons"), [], BY_SHARE)) == {"germany jet": 1}
    assert short(recombine(force("4 germany jet 2 squadrons"), [], BY_SHARE)) == {"germany jet": 1}
    assert short(recombine(force("5 germany jet 2 squadrons"), [], BY_SHARE)) == {
        "germany jet": 1,
        "germany jet inverted": 1,
    }


@pytest.mark.rule("23.142A")
def test_naval_squadrons_stay_squadrons() -> None:
    mixed = force("5 britain naval 1", "1 britain army 2 search")
    assert short(recombine(mixed, [], BY_SHARE)) == {"britain naval": 5}


@pytest.mark.rule("23.164")
@pytest.mark.parametrize(
    ("base", "used", "left"),
    [
        (["4 germany jet 2 squadrons"], ["2 germany jet 2 squadrons"], {"germany jet": 1}),
        (["6 germany jet 2 squadrons"], ["3 germany jet 2 squadrons"], {"germany jet": 1}),
        (["2 germany army 2 search", "1 germany army 2 cover"], ["1 germany army 2 search"], {}),
        (["2 germany army 2 search", "1 germany army 2 cover"], ["2 germany army 2 search"], {}),
        (["3 britain naval 2", "1 britain army 2"], ["2 britain naval 2", "1 britain army 2"], None),
    ],
)
def test_what_was_used_at_sea_is_reckoned_in_as_few_uninverted_factors_as_may_be(
    base: list[str], used: list[str], left: dict[str, int] | None
) -> None:
    """Squadrons that are left over, or make an inverted factor, were used first; naval air and factors stay."""
    part = force(*used)
    assert short(recombined_part(force(*base), part)) == (short(part) if left is None else left)


@pytest.mark.rule("23.18", "23.18.1")
@pytest.mark.parametrize(
    ("factors", "killed", "aborted", "survive", "inverted"),
    [
        (1, 0, 0, 1, 0),
        (1, 1, 0, 1, 1),
        (1, 0, 1, 1, 1),
        (1, 2, 0, 0, 0),
        (1, 3, 0, 0, 0),
        (3, 0, 2, 3, 2),
        (3, 2, 0, 2, 1),
        (3, 2, 2, 2, 2),
        (3, 3, 0, 2, 1),
        (3, 4, 0, 2, 1),
        (3, 4, 1, 2, 2),
    ],
)
def test_air_transports(factors: int, killed: int, aborted: int, survive: int, inverted: int) -> None:
    assert surviving_transports(factors, killed, aborted, BY_SHARE) == (survive, inverted)


@pytest.mark.rule("23.18.1")
def test_by_option_any_effect_inverts_all_transports() -> None:
    assert surviving_transports(3, 1, 0, "all-inverted") == (3, 3)
    assert surviving_transports(3, 0, 0, "all-inverted") == (3, 0)


@pytest.mark.rule("23.18.1")
def test_transports_of_a_base_are_reckoned_from_what_they_were() -> None:
    hurt = force("5 germany transport 2 squadrons")
    assert short(recombine(hurt, [Broken("germany", 2, 0)], BY_SHARE)) == {
        "germany transport": 1,
        "germany transport inverted": 1,
    }
    down = force("3 germany transport 2 squadrons", "3 germany transport 2 squadrons inverted")
    assert short(recombine(down, [Broken("germany", 1, 1)], BY_SHARE)) == {
        "germany transport": 1,
        "germany transport inverted": 1,
    }


@pytest.mark.rule("23.132", "23.142A", "23.144")
@given(st.integers(1, 9), st.integers(0, 9))
def test_breaking_down_and_putting_together_changes_nothing(ready: int, inverted: int) -> None:
    before: Force = force(f"{ready} germany army 2")
    if inverted:
        before |= force(f"{inverted} germany army 2 inverted")
    broken = break_down(before)
    assert sum(broken.values()) == 3 * (ready + inverted)
    assert {which.role for which in broken} == set(ARMY_ROLES)
    assert recombine(broken, [], BY_SHARE) == before
