"""Chapter 20: ships, the list of named ones, and what is counted of a fleet."""

from __future__ import annotations

import copy
import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot.awaw.counting import add, in_order
from flagplot.awaw.ships import (
    CAPITAL,
    FAST_CARRIERS,
    LIGHT,
    DefenseCounts,
    Fleet,
    Kind,
    Ship,
    Ships,
    carriers,
    decks,
    defense_counts,
    described_ships,
    factors,
    is_slow,
    named_ship,
    named_ships,
    ship,
    ship_ledger,
    struck,
    undamaged_factors,
)
from flagplot.awaw.state.air import without_deck
from flagplot.awaw.tables.charts import KINDS
from flagplot.awaw.tables.counts import air_defense_level
from flagplot.awaw.tables.nations import nations
from flagplot.kernel.errors import UnknownName
from tests.awaw.scenes import force, short


def named(name: str, hits: int = 0) -> Ship:
    found = named_ship(name)
    return ship(found.nation, found.kind, found.id, found.factors, found.slow, 2, False, hits)


def light(country: str, kind: Kind, *, laden: bool = False, hits: int = 0) -> Ship:
    return ship(country, kind, "", 2 if kind is Kind.CRUISER else 1, False, 2, laden, hits)


def fleet(*parts: tuple[Ship, int] | Ship) -> Fleet:
    made: Fleet = {}
    for part in parts:
        which, number = part if isinstance(part, tuple) else (part, 1)
        add(made, which, number)
    return made


# --- the list ---------------------------------------------------------------------------------------------------


def test_totals_by_class() -> None:
    counts = Counter((found.kind.value, found.factors) for found in named_ships().values())
    assert counts == {
        ("battleship", 5): 20,
        ("battleship", 4): 36,
        ("battleship", 3): 47,
        ("battleship", 2): 7,
        ("battlecruiser", 3): 15,
        ("battlecruiser", 2): 10,
        ("pocket-battleship", 2): 6,
        ("cvb", 4): 8,
        ("cv", 3): 42,
        ("cvl", 2): 46,
    }
    assert counts.total() == 237


def test_totals_by_nation() -> None:
    counts = Counter(found.nation for found in named_ships().values())
    slow = Counter(found.nation for found in named_ships().values() if found.slow)
    assert counts == {
        "germany": 20,
        "italy": 18,
        "japan": 44,
        "britain": 37,
        "france": 11,
        "russia": 11,
        "united-states": 96,
    }
    assert slow == {"japan": 6, "britain": 12, "france": 3, "russia": 3, "united-states": 14}
    assert set(counts) < set(nations())


def test_only_battleships_are_printed_slow() -> None:
    assert {found.kind for found in named_ships().values() if found.slow} == {Kind.BATTLESHIP}


def test_every_ship_is_found_by_its_id_and_by_its_name_in_any_case() -> None:
    assert len({found.name for found in named_ships().values()}) == 237
    for key, found in named_ships().items():
        assert named_ship(key) is named_ship(found.name) is named_ship(found.name.upper()) is found
        assert ":" not in key + found.name


@pytest.mark.parametrize(
    ("given_name", "meant"), [("Scheer", "Admiral Scheer"), ("Akagy", "Akagi"), ("owarii", "Owari")]
)
def test_a_wrong_name_is_told_with_what_may_have_been_meant(given_name: str, meant: str) -> None:
    with pytest.raises(UnknownName, match="no such named ship") as refusal:
        named_ship(given_name)
    assert meant in refusal.value.allowed


def test_nothing_is_guessed_from_nothing() -> None:
    with pytest.raises(UnknownName) as refusal:
        named_ship("")
    assert refusal.value.allowed == ()


# --- a ship -----------------------------------------------------------------------------------------------------


def test_kinds_are_those_of_the_chart() -> None:
    assert {kind.value for kind in Kind} == set(KINDS) - {"submarine"}
    assert set(Kind) == CAPITAL | FAST_CARRIERS | LIGHT
    assert len(CAPITAL) + len(FAST_CARRIERS) + len(LIGHT) == len(Kind)


def test_the_kind_of_a_ship_says_what_it_counts_as() -> None:
    akagi, yamato, cruiser = named("Akagi"), named("Yamato"), light("japan", Kind.CRUISER)
    assert [(one.named, one.fast_carrier, one.capital, one.light) for one in (akagi, yamato, cruiser)] == [
        (True, True, False, False),
        (True, False, True, False),
        (False, False, False, True),
    ]


ships = st.builds(
    ship,
    st.sampled_from(["japan", "united-states"]),
    st.sampled_from(Kind),
    st.sampled_from(["", "akagi", "king-george-v"]),
    st.integers(1, 5),
    st.booleans(),
    st.integers(-2, 4),
    st.booleans(),
    st.integers(0, 4),
)


@given(ships)
def test_the_text_of_a_ship_reads_back_as_the_same_object(which: Ship) -> None:
    assert Ship.parse(str(which)) is which
    assert eval(repr(which)) is which
    assert pickle.loads(pickle.dumps(which)) is copy.deepcopy(which) is which


@given(ships, ships)
def test_equal_ships_are_one_object_and_others_have_other_texts(one: Ship, other: Ship) -> None:
    assert (one is other) == (one.text == other.text)


def test_fleets_list_carriers_first_and_transports_last() -> None:
    listed = ["Midway", "Essex", "Princeton", "Iowa", "Alabama", "Arizona", "Hiei", "Alaska", "Lutzow"]
    lights = [light("united-states", kind) for kind in (Kind.CRUISER, Kind.CVE, Kind.DESTROYER, Kind.TRANSPORT)]
    expected = [*map(named, listed), *lights]
    assert list(fleet(*reversed(expected))) == expected


@given(st.lists(st.tuples(ships, st.integers(1, 3)), max_size=8))
def test_a_fleet_is_in_the_order_of_its_texts_however_it_came_about(parts: list[tuple[Ship, int]]) -> None:
    made = fleet(*parts)
    assert list(made.items()) == list(in_order(made).items()) == list(fleet(*reversed(parts)).items())
    assert list(made) == sorted(made, key=str)


def test_tags_for_the_texts_of_options() -> None:
    assert named("Prince of Wales").tag == "prince-of-wales"
    assert light("japan", Kind.CRUISER).tag == light("japan", Kind.CRUISER, hits=1).tag == "japan:cruiser"
    assert light("japan", Kind.DESTROYER, laden=True).tag == "japan:destroyer:laden"


# --- damage -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("T23.44-08", "T22.55-08")
@pytest.mark.parametrize(("name", "size"), [("Lutzow", 2), ("Akagi", 3), ("Bismarck", 4), ("Yamato", 5)])
def test_damaged_one_hit_short_of_its_size_and_sunk_at_its_size(name: str, size: int) -> None:
    whole = named(name)
    assert whole.size == size
    for hits in range(size):
        after = struck(whole, hits)
        assert after is not None
        assert after.hits == hits
        assert after.damaged == (hits == size - 1)
    assert struck(whole, size) is struck(whole, size + 3) is None


@pytest.mark.rule("T23.44-08", "T22.55-08")
def test_a_cruiser_is_damaged_by_one_hit_and_sunk_by_two() -> None:
    cruiser = light("italy", Kind.CRUISER)
    assert struck(cruiser, 1) is light("italy", Kind.CRUISER, hits=1)
    assert light("italy", Kind.CRUISER, hits=1).damaged
    assert struck(cruiser, 2) is None


@pytest.mark.rule("T23.44-10", "T22.55-10")
@pytest.mark.parametrize("kind", [Kind.DESTROYER, Kind.CVE, Kind.TRANSPORT])
def test_one_hit_sinks_a_one_factor_unit_and_it_is_never_damaged(kind: Kind) -> None:
    assert not light("italy", kind).damaged
    assert struck(light("italy", kind), 1) is None


@pytest.mark.rule("23.444", "23.443A.3")
@given(st.lists(st.integers(0, 3), max_size=5))
def test_hits_add_up_whatever_they_come_in(hits: list[int]) -> None:
    after: Ship | None = named("Yamato")
    for some in hits:
        after = struck(after, some) if after else None
    assert after is struck(named("Yamato"), sum(hits))


@pytest.mark.rule("22.422A")
def test_striped_and_damaged_ships_and_cves_and_transports_are_slow() -> None:
    fast = [named("Yamato", 3), named("Akagi", 1), light("japan", Kind.CRUISER), light("japan", Kind.DESTROYER)]
    slow = [
        named("Nagato"),
        named("Yamato", 4),
        named("Akagi", 2),
        light("japan", Kind.CRUISER, hits=1),
        light("japan", Kind.CVE),
        light("japan", Kind.TRANSPORT),
    ]
    assert not is_slow(fleet(*fast))
    for one in slow:
        assert is_slow(fleet(*fast, one)), one


# --- what is counted --------------------------------------------------------------------------------------------


@pytest.mark.rule("22.421A.4.1")
def test_factors_leave_out_transports_and_the_undamaged_ones_the_damaged_too() -> None:
    force = fleet(
        named("Akagi"),
        named("Kaga", 2),
        named("Haruna", 1),
        (light("japan", Kind.CRUISER), 3),
        (light("japan", Kind.CRUISER, hits=1), 2),
        (light("japan", Kind.DESTROYER, laden=True), 4),
        light("japan", Kind.CVE),
        (light("japan", Kind.TRANSPORT), 7),
    )
    assert factors(force) == 3 + 3 + 3 + 6 + 4 + 4 + 1
    assert undamaged_factors(force) == 3 + 3 + 6 + 4 + 1
    assert carriers(force) == 2


@pytest.mark.rule("23.4211A", "23.4211B", "23.4211C")
def test_air_defense_counts_damaged_and_laden_ships_cves_thrice_and_no_transports() -> None:
    force = fleet(
        named("Yamato"),
        named("Musashi", 4),
        named("Shinano"),
        named("Nagato"),
        (light("japan", Kind.DESTROYER, laden=True), 3),
        (light("japan", Kind.CVE), 2),
        (light("japan", Kind.TRANSPORT), 20),
    )
    counts = defense_counts(force)
    assert counts == DefenseCounts(naval_factors=21, cves=2, five_factor_battleships=2, cvbs=1)
    assert air_defense_level(**counts._asdict()).total == 3 + 2 + 1


@pytest.mark.rule("17.3124.1")
@pytest.mark.parametrize(
    ("elite", "regular", "left"),
    [(1, 2, {}), (2, 3, {"japan naval": 2}), (4, 1, {"japan elite-naval": 1, "japan naval": 1})],
)
def test_squadrons_are_aboard_undamaged_carriers_first(elite: int, regular: int, left: dict[str, int]) -> None:
    """Akagi bases three, and Kaga is damaged; nobody else's carrier takes the German squadron."""
    carriers_here = fleet(named("Akagi"), named("Kaga", 2))
    air = force(f"{elite} japan elite-naval 3", f"{regular} japan naval 2", "1 germany naval 2")
    assert short(without_deck(carriers_here, air)) == {**left, "germany naval": 1}


@pytest.mark.rule("17.312")
def test_decks_base_as_many_squadrons_of_their_nation_as_their_size() -> None:
    force = fleet(
        named("Akagi"),
        named("Kaga", 1),
        named("Shoho", 1),
        named("Ark Royal"),
        named("Yamato"),
        light("japan", Kind.CVE),
    )
    assert decks(force) == {"japan": (6, 2), "britain": (2, 0)}
    assert decks(fleet(named("Yamato"))) == {}


@pytest.mark.parametrize(
    ("country", "kind", "size", "drm"),
    [
        ("japan", Kind.BATTLESHIP, 5, 4),
        ("japan", Kind.BATTLESHIP, 4, 3),
        ("japan", Kind.CV, 3, 1),
        ("britain", Kind.CVL, 2, 1),
        ("united-states", Kind.CRUISER, 2, 2),
    ],
)
def test_the_naval_nationality_of_ships(country: str, kind: Kind, size: int, drm: int) -> None:
    assert ship_ledger(country, kind, size).total == drm
    assert ship_ledger(country, kind, size, short_supply=True, oil=True, research=1).total == drm
    assert ship_ledger(country, kind, size, short_supply=True, oil=True, supply_and_oil="each").total == drm - 2


# --- words ------------------------------------------------------------------------------------------------------


def test_a_fleet_in_words() -> None:
    force = fleet(
        named("Akagi", 2),
        named("Kaga", 1),
        named("Yamato", 3),
        (light("japan", Kind.CRUISER), 3),
        light("japan", Kind.CRUISER, hits=1),
        (light("japan", Kind.DESTROYER), 1),
        (light("japan", Kind.DESTROYER, laden=True), 2),
        light("united-states", Kind.CVE),
    )
    words = (
        "Akagi (damaged), Kaga (1 hit), Yamato (3 hits), 4 Japanese cruisers (1 damaged), "
        "1 American escort carrier, 3 Japanese destroyer factors (2 with cargo)"
    )
    listed = Ships(force.items())
    force.clear()
    assert str(listed) == words
    assert described_ships({}.items()) == "no ships"


def test_names_for_people() -> None:
    assert named("bon homme richard").name == "Bon Homme Richard"
    assert light("japan", Kind.CRUISER).name == "Japanese cruiser"
    assert ship("sweden", Kind.BATTLESHIP, "gustav-v", 2, True, 2).name == "Gustav V"
