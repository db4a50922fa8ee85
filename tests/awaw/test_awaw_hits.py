"""20.5: who takes the hits of an attack on ships."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot.awaw.counting import add, in_order
from flagplot.awaw.hits import Critical, Tally, critical_roll, hit_light, hit_named, sinks_light, sinks_named, split
from flagplot.awaw.options import Options
from flagplot.awaw.ships import Fleet, Kind, Ship, named_ship, ship
from flagplot.kernel.requests import Choose
from flagplot.kernel.words import say
from tests.awaw.scenes import run

DEFAULT = Options()
SOUND_FIRST = Options(damaged_cruiser_first=False)


def light(*words: str) -> Fleet:
    """Light ships: ``light("4 japan cruiser", "2 britain destroyer laden", "1 italy cruiser damaged drm 1")``."""
    made: Fleet = {}
    for word in words:
        number, country, kind, *marks = word.split()
        drm = int(marks[marks.index("drm") + 1]) if "drm" in marks else 2
        size = 2 if kind == "cruiser" else 1
        which = ship(country, Kind(kind), "", size, False, drm, "laden" in marks, int("damaged" in marks))
        add(made, which, int(number))
    return made


def named(name: str, hits: int = 0) -> Ship:
    found = named_ship(name)
    return ship(found.nation, found.kind, found.id, found.factors, found.slow, 2, False, hits)


def short(fleet: Fleet) -> dict[str, int]:
    """``{"japan cruiser": 3, "japan cruiser damaged": 1}``."""
    return {
        f"{which.tag.replace(':', ' ')}{' damaged' * which.damaged}": number
        for which, number in fleet.items()
        if number
    }


def hit(fleet: Fleet, hits: int, *answers: str, options: Options = DEFAULT, tally: Tally | None = None) -> Fleet:
    """Deal hits to a fleet; what was sunk."""
    sunk: Fleet = run(hit_light("owner", fleet, hits, tally or Tally(), options), *answers)
    return sunk


# --- named ships ------------------------------------------------------------------------------------------------


@pytest.mark.rule("T23.44-08", "T22.55-08", "23.443A.3", "23.444")
def test_hits_on_a_named_ship_stay_with_it_and_add_up() -> None:
    fleet: Fleet = {named("Akagi"): 1, named("Kaga"): 1}
    assert hit_named(fleet, named("Akagi"), 1) is named("Akagi", 1)
    assert list(fleet) == [named("Akagi", 1), named("Kaga")]
    damaged = hit_named(fleet, named("Akagi", 1), 1)
    assert damaged is named("Akagi", 2)
    assert damaged.damaged
    assert hit_named(fleet, damaged, 1) is None
    assert list(fleet) == [named("Kaga")]


@pytest.mark.parametrize("before", [0, 1, 2])
def test_what_hits_on_a_named_ship_sink_is_known_before(before: int) -> None:
    for hits in range(5):
        fleet: Fleet = {named("Akagi", before): 1}
        expected = sinks_named(named("Akagi", before))(hits)
        assert expected == (0 if hit_named(fleet, named("Akagi", before), hits) else 3)


@pytest.mark.rule("23.443A.1")
def test_a_ship_sunk_at_sea_leaves_the_fleet_at_once() -> None:
    fleet: Fleet = {named("Akagi"): 1}
    assert hit_named(fleet, named("Akagi"), 5) is None
    assert fleet == {}


# --- cruisers and one-factor units ------------------------------------------------------------------------------


@pytest.mark.rule("T23.44-11", "T22.55-11")
@pytest.mark.parametrize(
    ("hits", "destroyers", "cruisers", "damaged"),
    [
        (1, 0, 0, 1),
        (2, 0, 1, 0),
        (3, 1, 1, 0),
        (4, 2, 1, 0),
        (5, 2, 1, 1),
        (6, 2, 2, 0),
        (7, 3, 2, 0),
        (8, 4, 2, 0),
        (9, 4, 2, 1),
        (10, 4, 3, 0),
    ],
)
def test_hits_on_a_large_mixed_force(hits: int, destroyers: int, cruisers: int, damaged: int) -> None:
    fleet = light("10 japan cruiser", "20 japan destroyer")
    sunk = hit(fleet, hits)
    lost = {"japan cruiser": cruisers, "japan destroyer": destroyers}
    assert short(sunk) == {kind: number for kind, number in lost.items() if number}
    left = {
        "japan cruiser": 10 - cruisers - damaged,
        "japan cruiser damaged": damaged,
        "japan destroyer": 20 - destroyers,
    }
    assert short(fleet) == {kind: number for kind, number in left.items() if number}


@pytest.mark.rule("T23.44-11", "T22.55-11")
def test_hits_are_dealt_alike_at_once_and_one_by_one_with_the_same_tally() -> None:
    """Over an engagement the shares go on where they stood."""
    for hits in range(12):
        once, slowly, tally = light("3 japan cruiser", "4 japan cve"), light("3 japan cruiser", "4 japan cve"), Tally()
        hit(once, hits)
        for _ in range(hits):
            hit(slowly, 1, tally=tally)
        assert once == slowly


@pytest.mark.rule("T23.44-11", "T22.55-11")
def test_another_attack_begins_its_shares_anew() -> None:
    """One hit more would sink a destroyer in the same attack; in the next one it falls on a cruiser."""
    fleet = light("3 japan cruiser", "4 japan destroyer")
    hit(fleet, 2)
    hit(fleet, 1)
    assert short(fleet) == {"japan cruiser": 1, "japan cruiser damaged": 1, "japan destroyer": 4}


@pytest.mark.rule("T23.44-11", "T22.55-11")
def test_when_one_kind_is_gone_the_other_takes_all() -> None:
    fleet = light("1 japan cruiser", "5 japan destroyer")
    assert short(hit(fleet, 6)) == {"japan cruiser": 1, "japan destroyer": 4}
    fleet = light("4 japan cruiser", "1 japan destroyer")
    assert short(hit(fleet, 6)) == {"japan cruiser": 2, "japan destroyer": 1}
    assert short(fleet) == {"japan cruiser": 1, "japan cruiser damaged": 1}


@pytest.mark.rule("23.443A.1")
def test_hits_beyond_the_last_light_ship_are_wasted_and_heavy_ships_are_not_touched() -> None:
    fleet = light("1 japan cruiser", "2 japan transport")
    add(fleet, named("Akagi"), 1)
    assert short(hit(fleet, 30)) == {"japan cruiser": 1, "japan transport": 2}
    assert list(fleet) == [named("Akagi")]
    assert hit(fleet, 3) == {}


@pytest.mark.rule("T23.44-09", "T22.55-09")
@pytest.mark.parametrize(("hits", "sunk", "damaged"), [(1, 0, 1), (2, 1, 0), (3, 1, 1), (5, 2, 1)])
def test_an_odd_hit_on_cruisers_alone_damages_one(hits: int, sunk: int, damaged: int) -> None:
    fleet = light("4 japan cruiser")
    assert hit(fleet, hits) == ({next(iter(light("1 japan cruiser"))): sunk} if sunk else {})
    assert sum(number for which, number in fleet.items() if which.damaged) == damaged


@pytest.mark.rule("T23.44-10", "T22.55-10")
def test_each_hit_sinks_a_one_factor_unit_where_there_are_no_cruisers() -> None:
    fleet = light("4 japan destroyer", "2 japan cve", "3 japan transport")
    assert sum(hit(fleet, 5).values()) == 5
    assert sum(fleet.values()) == 4


@pytest.mark.rule("T23.44-09", "T22.55-09", "T23.44-11", "T22.55-11")
def test_a_damaged_cruiser_is_finished_first() -> None:
    """One hit then sinks two cruiser factors, and the next one is the destroyers' turn."""
    fleet = light("2 japan cruiser", "1 japan cruiser damaged", "5 japan destroyer")
    assert short(hit(fleet, 2)) == {"japan cruiser": 1, "japan destroyer": 1}
    assert short(fleet) == {"japan cruiser": 2, "japan destroyer": 4}
    fleet = light("2 japan cruiser", "1 japan cruiser damaged", "5 japan destroyer")
    assert short(hit(fleet, 3)) == {"japan cruiser": 1, "japan destroyer": 1}
    assert short(fleet) == {"japan cruiser": 1, "japan cruiser damaged": 1, "japan destroyer": 4}


@pytest.mark.rule("T23.44-09", "T22.55-09")
def test_by_option_sound_cruisers_are_damaged_first() -> None:
    fleet = light("2 japan cruiser", "1 japan cruiser damaged")
    assert hit(fleet, 2, options=SOUND_FIRST) == {}
    assert short(fleet) == {"japan cruiser damaged": 3}
    assert short(hit(fleet, 1, options=SOUND_FIRST)) == {"japan cruiser": 1}


@pytest.mark.rule("T23.44-11", "T22.55-11")
def test_by_option_destroyers_are_safe_until_a_cruiser_sinks() -> None:
    fleet = light("3 japan cruiser", "9 japan destroyer")
    assert short(hit(fleet, 5, options=SOUND_FIRST)) == {"japan cruiser": 1, "japan destroyer": 1}


# --- nations and kinds ------------------------------------------------------------------------------------------


@pytest.mark.rule("23.45")
def test_kinds_and_nations_take_equal_shares() -> None:
    fleet = light("9 britain destroyer", "3 britain transport", "2 australia destroyer")
    assert short(hit(fleet, 6)) == {"britain destroyer": 2, "britain transport": 2, "australia destroyer": 2}


@pytest.mark.rule("23.45")
def test_the_odd_loss_falls_on_the_most_numerous_as_the_attack_began() -> None:
    fleet = light("4 britain destroyer", "3 australia destroyer")
    assert short(hit(fleet, 3)) == {"britain destroyer": 2, "australia destroyer": 1}
    fleet = light("4 britain destroyer", "3 australia destroyer")
    assert short(hit(fleet, 5)) == {"britain destroyer": 3, "australia destroyer": 2}


@pytest.mark.rule("23.45")
def test_over_an_engagement_the_type_that_lost_fewest_comes_first() -> None:
    fleet, tally = light("4 britain destroyer", "3 australia destroyer"), Tally()
    assert short(hit(fleet, 1, tally=tally)) == {"britain destroyer": 1}
    assert short(hit(fleet, 1, tally=tally)) == {"australia destroyer": 1}
    fleet, tally = light("3 britain destroyer", "9 australia destroyer"), Tally(taken={"britain:destroyer": 1})
    assert short(hit(fleet, 2, tally=tally)) == {"australia destroyer": 2}


@pytest.mark.rule("23.45")
def test_a_type_of_several_drms_counts_with_the_lowest() -> None:
    fleet = light("1 britain destroyer drm 1", "1 britain destroyer", "2 australia destroyer")
    assert short(hit(fleet, 1)) == {"britain destroyer": 1}


@pytest.mark.rule("23.45")
def test_equal_numbers_the_lower_drm_takes_the_odd_loss() -> None:
    fleet = light("3 germany destroyer drm 2", "3 italy destroyer drm 1")
    assert short(hit(fleet, 1)) == {"italy destroyer": 1}


@pytest.mark.rule("23.45")
@pytest.mark.parametrize("first", ["britain", "australia"])
def test_equal_numbers_and_drm_the_owner_chooses(first: str) -> None:
    fleet = light("3 britain destroyer", "3 australia destroyer")
    assert short(hit(fleet, 1, f"{first}:destroyer")) == {f"{first} destroyer": 1}


@pytest.mark.rule("23.45")
def test_equal_types_with_equal_shares_are_not_asked_about() -> None:
    fleet = light("3 britain destroyer", "3 australia destroyer", "2 britain cruiser", "2 australia cruiser")
    assert short(hit(fleet, 8)) == {
        "australia cruiser": 1,
        "britain cruiser": 1,
        "australia destroyer": 2,
        "britain destroyer": 2,
    }


@pytest.mark.rule("23.45")
def test_cruisers_of_several_nations_take_equal_shares() -> None:
    fleet = light("3 britain cruiser", "2 australia cruiser")
    assert short(hit(fleet, 5)) == {"britain cruiser": 1, "australia cruiser": 1}
    assert short(fleet) == {"australia cruiser": 1, "britain cruiser": 1, "britain cruiser damaged": 1}


@pytest.mark.rule("23.45")
@pytest.mark.parametrize(("hits", "left"), [(1, "damaged"), (2, "sunk"), (3, "sunk")])
def test_among_equal_cruisers_the_owner_says_whose_is_hit_first(hits: int, left: str) -> None:
    fleet = light("1 britain cruiser", "1 australia cruiser")
    sunk = hit(fleet, hits, "britain:cruiser")
    assert short(sunk) == ({"britain cruiser": 1} if left == "sunk" else {})
    assert ("australia cruiser damaged" in short(fleet)) == (hits == 3)


@pytest.mark.rule("23.45")
def test_a_damaged_cruiser_comes_before_the_shares_of_nations() -> None:
    fleet = light("5 britain cruiser", "1 australia cruiser damaged")
    assert short(hit(fleet, 1)) == {"australia cruiser": 1}


@pytest.mark.rule("23.45")
def test_by_option_sound_cruisers_of_several_nations_are_damaged_in_turn() -> None:
    fleet = light("3 britain cruiser", "2 australia cruiser")
    hit(fleet, 3, options=SOUND_FIRST)
    assert short(fleet)["britain cruiser damaged"] == 2
    assert short(fleet)["australia cruiser damaged"] == 1


@pytest.mark.rule("23.45")
def test_by_option_the_owner_picks_one_factor_units_freely() -> None:
    options = Options(one_factor_losses="owner")
    fleet = light("3 britain destroyer", "5 britain transport")
    assert short(hit(fleet, 2, *["britain:destroyer"] * 2, options=options)) == {"britain destroyer": 2}
    assert short(hit(fleet, 2, "britain:destroyer", options=options)) == {
        "britain destroyer": 1,
        "britain transport": 1,
    }
    fleet = light("3 britain destroyer", "5 britain transport")
    assert sum(hit(fleet, 8, options=options).values()) == 8


def test_the_question_names_the_ships() -> None:
    script = hit_light("owner", light("3 britain transport laden", "3 australia transport laden"), 1, Tally(), DEFAULT)
    question = next(script)
    assert isinstance(question, Choose)
    assert question.side == "owner"
    assert [option.text for option in question.options] == [
        "hit:australia:transport:laden",
        "hit:britain:transport:laden",
    ]
    assert question.options[1].label == "British transports with cargo"


def test_of_ships_that_differ_in_drm_alone_the_lower_comes_first() -> None:
    fleet = light("2 italy destroyer drm 1", "2 italy destroyer drm 0", "1 italy cruiser", "1 italy cruiser drm 0")
    sunk = hit(fleet, 3)
    assert [which.drm for which in sunk] == [0, 0]


# --- cargo ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("23.45")
def test_laden_and_free_ships_share_evenly() -> None:
    fleet = light("5 britain destroyer", "2 britain destroyer laden")
    assert short(hit(fleet, 3)) == {"britain destroyer": 2, "britain destroyer laden": 1}


def test_by_option_the_owner_says_whether_cargo_is_hit() -> None:
    """Destroyers are one type then, more numerous than the transports only with the laden one among them."""
    options = Options(cargo_hits="owner")
    fleet = light("2 britain destroyer", "1 britain destroyer laden", "2 britain transport")
    assert short(hit(fleet, 1, "britain:destroyer:laden", options=options)) == {"britain destroyer laden": 1}
    fleet = light("2 britain destroyer", "1 britain destroyer laden", "2 britain transport")
    assert short(hit(fleet, 3, "britain:destroyer", "britain:destroyer", options=options)) == {
        "britain destroyer": 2,
        "britain transport": 1,
    }
    assert short(hit(fleet, 1, "britain:destroyer", options=options)) == {"britain destroyer laden": 1}


def test_the_owner_is_not_asked_about_cargo_when_a_whole_type_is_lost() -> None:
    fleet = light("1 britain destroyer", "1 britain destroyer laden", "5 britain transport")
    hit(fleet, 4, options=Options(cargo_hits="owner"))
    assert short(fleet) == {"britain transport": 3}


@pytest.mark.rule("23.45")
def test_by_option_cargo_is_hit_last() -> None:
    options = Options(cargo_hits="cargo-last")
    fleet = light("2 britain destroyer", "9 britain destroyer laden", "1 britain cve")
    assert short(hit(fleet, 3, options=options)) == {"britain cve": 1, "britain destroyer": 2}
    assert short(hit(fleet, 2, options=options)) == {"britain destroyer laden": 2}


# --- at random --------------------------------------------------------------------------------------------------

fleets = st.lists(
    st.tuples(
        st.integers(1, 5),
        st.sampled_from(["britain", "australia", "united-states"]),
        st.sampled_from(["cruiser", "cruiser damaged", "destroyer", "destroyer laden", "cve", "transport drm 1"]),
    ).map(lambda part: "{} {} {}".format(*part)),
    min_size=1,
    max_size=6,
).map(lambda words: light(*words))
readings = st.builds(
    Options,
    one_factor_losses=st.sampled_from(["equal-shares", "owner"]),
    cargo_hits=st.sampled_from(["even", "owner", "cargo-last"]),
    damaged_cruiser_first=st.booleans(),
)


def dealt(fleet: Fleet, hits: int, options: Options, tally: Tally) -> Fleet:
    """Deal hits with the first of every question's options; every question has at least two."""
    script = hit_light("owner", fleet, hits, tally, options)
    try:
        question = next(script)
        while True:
            assert isinstance(question, Choose)
            assert len(set(question.values)) == len(question.values) > 1
            assert all(option.label for option in question.options)
            question = script.send(question.values[-1])
    except StopIteration as stop:
        sunk: Fleet = stop.value
        return sunk


def capacity(fleet: Fleet) -> int:
    return sum(number * (which.size - which.hits) for which, number in fleet.items())


def ships_of(fleet: Fleet) -> int:
    return sum(fleet.values())


@pytest.mark.rule("23.443A.1", "T23.44-09", "T23.44-10", "T23.44-11", "T22.55-09", "T22.55-10", "T22.55-11")
@given(fleets, st.integers(0, 30), readings)
def test_no_hit_is_lost_and_order_is_kept(fleet: Fleet, hits: int, options: Options) -> None:
    before, ships_before, tally = capacity(fleet), ships_of(fleet), Tally()
    sunk = dealt(fleet, hits, options, tally)
    assert before - capacity(fleet) == min(hits, before) == tally.one_factor_hits + tally.cruiser_hits
    assert sum(tally.taken.values()) == min(hits, before)
    assert all(tally.taken.values())
    assert ships_of(fleet) + ships_of(sunk) == ships_before
    assert all(fleet.values())
    assert all(sunk.values())
    assert list(fleet) == list(in_order(fleet))
    assert list(sunk) == list(in_order(sunk))
    assert not any(which.damaged for which in sunk)


@pytest.mark.rule("T23.44-09", "T23.44-10", "T23.44-11", "T22.55-09", "T22.55-10", "T22.55-11")
@given(fleets, st.lists(st.integers(0, 6), max_size=5), readings)
def test_while_cruisers_remain_no_more_one_factor_units_sink_than_cruiser_factors(
    fleet: Fleet, volleys: list[int], options: Options
) -> None:
    tally, sunk = Tally(), 0
    for hits in volleys:
        lost = dealt(fleet, hits, options, tally)
        sunk += sum(number * which.size for which, number in lost.items() if which.kind is Kind.CRUISER)
        assert tally.cruiser_factors_sunk == sunk
        if any(which.kind is Kind.CRUISER for which in fleet):
            assert tally.one_factor_hits <= min(sunk, tally.cruiser_hits)


@given(fleets, st.lists(st.integers(0, 6), max_size=5), readings)
def test_how_many_factors_hits_sink_is_known_before(fleet: Fleet, volleys: list[int], options: Options) -> None:
    tally = Tally()
    for hits in volleys:
        expected = sinks_light(fleet, tally, options)(hits)
        sunk = dealt(fleet, hits, options, tally)
        assert expected == sum(number * which.size for which, number in sunk.items())


@pytest.mark.rule("23.45")
@given(fleets, st.integers(0, 20))
def test_no_type_loses_two_more_than_another_that_has_ships_left(fleet: Fleet, hits: int) -> None:
    tally = Tally()
    types = {which.tag for which in fleet if which.kind is not Kind.CRUISER}
    dealt(fleet, hits, DEFAULT, tally)
    left = {which.tag for which in fleet} & types
    taken = [tally.taken.get(tag, 0) for tag in types]
    assert not left or max(taken) - min(tally.taken.get(tag, 0) for tag in left) <= 1


@pytest.mark.rule("T23.44-11", "T22.55-11")
@given(st.integers(0, 40))
def test_one_factor_units_take_as_many_as_the_two_conditions_allow(hits: int) -> None:
    """The greatest number that is at most half of the hits and at most the cruiser factors sunk by the rest."""
    cruisers, others = split(hits, [0, 2] * 40, 40, Tally())
    assert cruisers + others == hits
    assert others == max(n for n in range(hits + 1) if n <= hits / 2 and n <= 2 * ((hits - n) // 2))


# --- critical hits ----------------------------------------------------------------------------------------------


@pytest.mark.rule("T23.7413-07")
@pytest.mark.parametrize(("reading", "sinks", "faces"), [("on-6", 1, "6"), ("on-5-6", 2, "5 or 6")])
def test_a_critical_hit_on_a_damaged_ship(reading: str, sinks: int, faces: str) -> None:
    roll = critical_roll("red", named("Akagi", 2), Options(critical_hits=reading))
    assert roll is not None
    assert roll.outcomes() == {Critical.NOTHING: 6 - sinks, Critical.SUNK: sinks}
    assert (str(roll.reads((6,))), str(roll.reads((1,)))) == ("sunk", "no effect")
    assert say(roll.purpose) == f"critical hit on Akagi (sinks on a {faces}; 20.524, by assumption)"


@pytest.mark.rule("T23.7413-07")
def test_no_die_for_ships_that_are_not_named_or_not_damaged_or_if_it_is_switched_off() -> None:
    (cruiser,) = light("1 japan cruiser damaged")
    assert critical_roll("red", cruiser, DEFAULT) is None
    assert critical_roll("red", named("Akagi", 1), DEFAULT) is None
    assert critical_roll("red", named("Akagi", 2), Options(critical_hits="never")) is None
