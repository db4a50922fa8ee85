"""Nations in an air turn: their sides, their alliance factions, and who controls a base."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from flagplot.awaw.state.setting import is_air_base
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.nations import nations
from flagplot.kernel.words import listing

FACTIONS = {
    "western-allies": frozenset(
        {"britain", "france", "united-states", "china", "free-france", "australia", "canada", "india"}
        | {"new-zealand", "south-africa"}
    ),
    "axis": frozenset({"germany", "italy", "vichy-france"}),
    "japan": frozenset({"japan", "thailand"}),
    "russia": frozenset({"russia", "communist-china"}),
}
"""The alliance factions, where a scenario says nothing else; minor countries belong to that of their side."""
WESTERN_ALLIES, RUSSIA = "western-allies", "russia"


def unit_name(state: State, key: str) -> str:
    """A ground unit as people call it: ``Third Army``."""
    unit = state.turn.units[key]
    return unit.name or f"{nations()[unit.nation].adjective} {unit.kind.value}"


def unit_names(state: State, keys: Iterable[str]) -> str:
    """Some of them: ``Second Army and Third Army``."""
    return listing([unit_name(state, key) for key in keys])


def side_of_nation(state: State, country: str) -> str:
    """The side on which a nation fights."""
    return next(side for side, members in state.setting.nations.items() if country in members)


def faction_of(state: State, country: str) -> str:
    """18.142C: the alliance faction of a nation; of a minor country that of the first major power on its side."""
    return faction_among(country, state.turn.plan.factions, state.setting.nations)


def faction_among(country: str, named: Mapping[str, str], sides: Mapping[str, Sequence[str]]) -> str:
    """The same, from what a scenario names and the nations of each side."""
    if country in named:
        return named[country]
    for faction, members in FACTIONS.items():
        if country in members:
            return faction
    allies = next((members for members in sides.values() if country in members), ())
    leaders = [one for one in allies if one in nations() and nations()[one].major]
    return faction_among(leaders[0], named, sides) if leaders else country


def controller(state: State, base: str) -> str:
    """The nation that controls a base: the one that the scenario names, else the first of its side."""
    side = state.place(base).side
    country = state.turn.controllers.get(base, "")
    if country in state.setting.nations[side]:
        return country
    return state.setting.nations[side][0]


def home_bases(state: State, side: str, country: str) -> list[str]:
    """The air bases that a side holds in the home country of a nation; all that it holds, if none is said to be."""
    homes = state.turn.plan.homes
    known = country in homes.values()
    return [
        base
        for base in state.of_side(side)
        if (homes.get(base) == country or not known) and not state.place(base).afloat and is_air_base(state.place(base))
    ]


def major_powers(state: State, side: str) -> list[str]:
    """The major powers of a side, in the order of the scenario."""
    return [country for country in state.setting.nations[side] if nations()[country].major]
