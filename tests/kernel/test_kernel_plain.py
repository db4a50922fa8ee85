"""States as plain data: copies that share nothing, a round trip through JSON, one canonical text, stable hashes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum, StrEnum
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import flagplot
from flagplot.kernel.plain_data import canonical, copy_of, digest, from_plain, to_plain
from flagplot.kernel.procedures import Frame
from tests.kernel.toys import SHORT, Pad, lively, step


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Size(Enum):
    SMALL = 1
    LARGE = 2


class Flight(NamedTuple):
    name: str
    units: int
    size: Size


@dataclass(frozen=True, slots=True)
class Map:
    width: int
    names: tuple[str, ...] = ()


@dataclass(slots=True)
class Only:
    numbers: list[int]


@dataclass(slots=True)
class Ship:
    name: str
    hits: int = 0
    colour: Colour = Colour.RED
    cargo: list[str] = field(default_factory=list)


@dataclass(slots=True)
class World:
    map: Map
    ships: list[Ship]
    ports: dict[str, list[Ship]]
    flights: list[Flight]
    flag: Ship | None
    only: Only
    tallies: dict[str, dict[str, int]]
    mixed: tuple[str | int, ...] = ()
    pair: tuple[int, str] = (0, "")
    grid: list[list[int]] = field(default_factory=list)
    spare: list[int] | None = None
    frames: list[Frame] = field(default_factory=list)
    ended: bool = False


texts = st.text(max_size=5)
ships = st.builds(Ship, texts, st.integers(-9, 9), st.sampled_from(Colour), st.lists(texts, max_size=2))
worlds = st.builds(
    World,
    map=st.builds(Map, st.integers(), st.lists(texts, max_size=2).map(tuple)),
    ships=st.lists(ships, max_size=3),
    ports=st.dictionaries(texts, st.lists(ships, max_size=2), max_size=2),
    flights=st.lists(st.builds(Flight, texts, st.integers(), st.sampled_from(Size)), max_size=2),
    flag=st.none() | ships,
    only=st.builds(Only, st.lists(st.integers(), max_size=3)),
    tallies=st.dictionaries(texts, st.dictionaries(texts, st.integers(), max_size=2), max_size=2),
    mixed=st.lists(texts | st.integers(), max_size=3).map(tuple),
    pair=st.tuples(st.integers(), texts),
    grid=st.lists(st.lists(st.integers(), max_size=2), max_size=2),
    spare=st.none() | st.lists(st.integers(), max_size=2),
    frames=st.lists(st.builds(Frame, texts, texts, st.lists(texts | st.integers(), max_size=2).map(tuple)), max_size=2),
    ended=st.booleans(),
)


def parts(thing: Any) -> Iterator[Any]:
    """Everything inside a state that can be changed."""
    if isinstance(thing, list | dict):
        yield thing
        for part in thing.values() if isinstance(thing, dict) else thing:
            yield from parts(part)
    elif is_dataclass(thing) and not thing.__dataclass_params__.frozen:  # type: ignore[union-attr]
        yield thing
        for part in fields(thing):
            yield from parts(getattr(thing, part.name))


@given(worlds)
def test_a_copy_is_equal_and_shares_nothing_that_can_change(world: World) -> None:
    twin = copy_of(world)
    assert twin == world
    assert canonical(twin) == canonical(world)
    assert not {id(part) for part in parts(twin)} & {id(part) for part in parts(world)}


@given(worlds)
def test_a_state_goes_through_json_and_comes_back(world: World) -> None:
    back = from_plain(World, json.loads(json.dumps(to_plain(world))))
    assert back == world
    assert type(back.pair) is tuple
    assert digest(back) == digest(world)
    assert [type(flight) for flight in back.flights] == [Flight] * len(world.flights)


@given(worlds, worlds)
def test_equal_states_have_equal_texts_and_others_have_others(one: World, other: World) -> None:
    assert (canonical(one) == canonical(other)) == (one == other)
    assert (digest(one) == digest(other)) == (one == other)


@given(worlds)
def test_the_order_of_a_dicts_keys_does_not_matter(world: World) -> None:
    turned = copy_of(world)
    turned.ports = dict(reversed(turned.ports.items()))
    turned.tallies = {key: dict(reversed(value.items())) for key, value in reversed(turned.tallies.items())}
    assert canonical(turned) == canonical(world)


def small() -> World:
    flag = Ship("Akagi", 2, Colour.BLUE, ["Ä", "torpedo"])
    return World(
        Map(3, ("a",)), [flag], {"Truk": [Ship("Kaga")]}, [Flight("N", 4, Size.LARGE)], flag, Only([1]), {"x": {"y": 2}}
    )


def test_the_canonical_text_and_its_hash_are_stable() -> None:
    """Closing lines of old saves hold such hashes: they may change only with the rules version."""
    assert canonical(small()) == (
        '{"ended":false,"flag":{"cargo":["Ä","torpedo"],"colour":"blue","hits":2,"name":"Akagi"},'
        '"flights":[["N",4,2]],"frames":[],"grid":[],"map":{"names":["a"],"width":3},"mixed":[],"only":{"numbers":[1]},'
        '"pair":[0,""],"ports":{"Truk":[{"cargo":[],"colour":"red","hits":0,"name":"Kaga"}]},'
        '"ships":[{"cargo":["Ä","torpedo"],"colour":"blue","hits":2,"name":"Akagi"}],"spare":null,"tallies":{"x":{"y":2}}}'
    )
    assert digest({"a": 1}) == "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"


def test_what_cannot_change_is_shared() -> None:
    world = small()
    twin = copy_of(world)
    assert twin.map is world.map
    assert twin.flights[0] is world.flights[0]
    assert twin.flights is not world.flights


@pytest.mark.parametrize("thing", [{1, 2}, 1.5, b"bytes", object(), [1, {2.0}], {"a": frozenset()}, print, Pad])
def test_what_is_not_plain_is_refused(thing: Any) -> None:
    with pytest.raises((TypeError, AttributeError)):
        to_plain(thing)


def test_plain_values_are_themselves() -> None:
    for thing in (None, True, 0, -3, "", "text"):
        assert to_plain(thing) == copy_of(thing) == thing
    assert to_plain((1, (2, [3]))) == [1, [2, [3]]]
    assert to_plain(Colour.RED) == "red"
    assert to_plain({Colour.RED: Size.LARGE}) == {"red": 2}


def test_a_union_may_hold_one_kind_that_must_be_copied_and_none() -> None:
    world = small()
    twin = copy_of(world)
    assert twin.flag == world.flag
    assert twin.flag is not world.flag
    world.flag = None
    assert copy_of(world).flag is None


@dataclass(slots=True)
class Torn:
    either: list[int] | dict[str, int]


def test_a_union_of_two_kinds_that_must_be_copied_is_refused() -> None:
    with pytest.raises(TypeError, match="only one kind beside None may be copied"):
        copy_of(Torn([1]))


@dataclass(slots=True)
class Scalars:
    either: int | str | None


@pytest.mark.parametrize("value", [1, "1", None])
def test_a_union_of_scalars_is_kept_as_it_is(value: int | str | None) -> None:
    thing = Scalars(value)
    assert copy_of(thing) == thing
    assert from_plain(Scalars, to_plain(thing)) == thing


def test_data_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="purple"):
        from_plain(Ship, {"name": "x", "hits": 0, "colour": "purple", "cargo": []})
    with pytest.raises(KeyError, match="hits"):
        from_plain(Ship, {"name": "x"})
    with pytest.raises(ValueError, match="zip"):
        from_plain(Flight, ["N", 4])


@pytest.mark.parametrize("scenario", SHORT)
def test_real_states_are_copied_and_written_truly_at_every_step(scenario: str) -> None:
    game, who = lively(scenario)
    while game.pending is not None:
        twin = copy_of(game.state)
        assert canonical(twin) == canonical(game.state)
        assert not {id(part) for part in parts(twin)} & {id(part) for part in parts(game.state)}
        back = from_plain(type(game.state), json.loads(canonical(game.state)))
        assert canonical(back) == canonical(game.state)
        assert back == game.state
        step(game, who)


def test_two_games_of_a_scenario_share_nothing_that_can_change() -> None:
    one, other = (flagplot.load("malta", seed=1).state for _ in range(2))
    assert one == other
    assert not {id(part) for part in parts(one)} & {id(part) for part in parts(other)}
