"""What stands where on the map, and the paths on it, from the view of a side: for drawings in text and as SVG.

Everything here is made from a view, so no drawing shows more than its side may know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from flagplot.awaw.mapboard.hexes import Hex

Data = Mapping[str, Any]

UNDER_WAY = ("announced", "under way")


def is_operation(data: Data) -> bool:
    """Whether a view is of an operation on a map."""
    return "voyages" in data and "map" in data


def marks_of(data: Data) -> dict[Hex, str]:
    """What stands in each hex, from north to south: forces by their markers, submarines, and air units on bases."""
    found: dict[Hex, dict[str, list[str]]] = {}
    for at, side, words in _standing(data):
        found.setdefault(at, {}).setdefault(side, []).append(words)
    names = data["sides"]
    return {
        at: "; ".join(f"{', '.join(things)} ({names[side]})" for side, things in found[at].items())
        for at in sorted(found, key=lambda at: (at[1], at[0]))
    }


def flags_of(data: Data) -> dict[Hex, str]:
    """The same in short, for flags on a picture: what there is, without numbers of air units and submarines."""
    found: dict[Hex, dict[str, dict[str, None]]] = {}
    for at, side, words in _standing(data):
        found.setdefault(at, {}).setdefault(side, {})[_in_short(words)] = None
    names = data["sides"]
    return {
        at: "; ".join(f"{', '.join(things)} ({names[side]})" for side, things in sides.items())
        for at, sides in found.items()
    }


def _in_short(words: str) -> str:
    what = words.split(" (")[0].partition(" in ")[0].removesuffix(" inverted").removesuffix(" on patrol")
    return "submarines" if "submarine" in what else "air" if what[:1].isdigit() else what.partition(" of ")[0]


def sides_at(data: Data) -> dict[Hex, set[str]]:
    """The sides that have something in each hex."""
    found: dict[Hex, set[str]] = {}
    for at, side, _ in _standing(data):
        found.setdefault(at, set()).add(side)
    return found


def _standing(data: Data) -> Iterator[tuple[Hex, str, str]]:
    for force in data["forces"].values():
        inverted = " inverted" if force["inverted"] else ""
        doing = " on patrol" if force["patrol"] else _in_box(force, data)
        yield _hex(force["at"]), force["side"], f"{short(force, data)}{doing}{inverted}"
    for flotilla in data["flotillas"].values():
        words = _boats(flotilla)
        if words:
            yield _hex(flotilla["at"]), flotilla["side"], words
    for site in data["sites"].values():
        air = _air(site["air"])
        if air and site["kind"] == "base":
            yield _hex(site["at"]), site["side"], air
    for unit in data.get("units", {}).values():  # an air turn has them
        if not unit["aboard"]:
            yield _hex(unit["at"]), unit["side"], f"{unit['kind']} of {unit['factors']}"
    for flight in data.get("flights", ()):
        yield _hex(flight["at"]), flight["side"], f"{_air(flight['air'])} on {flight['kind'].replace('-', ' ')}"


def _in_box(force: Data, data: Data) -> str:
    """Where a force is that lies in a box beside the map."""
    site = data["sites"].get(force["base"])
    there = site is not None and site["kind"] == "box" and not force["voyage"]
    return f" in {site['name']}" if there else ""


def short(force: Data, data: Data) -> str:
    """A marker without the name of its side."""
    return str(force["marker"]).replace(f" ({data['sides'][force['side']]})", "")


def _boats(flotilla: Data) -> str:
    """Submarine factors that are there; those away on an interception are where their interception is."""
    there = flotilla["factors"] + flotilla["tried"] + flotilla["inverted"]
    patrol = " on patrol" if flotilla["patrol"] else ""
    return f"{there} submarine{'s' * (there != 1)}{patrol}" if there else ""


def _air(flights: list[Data]) -> str:
    """Air units in short: ``3 air factors``, ``2 squadrons, 1 inverted``."""
    parts = []
    for what, one in (("air factors", True), ("squadrons", False)):
        some = [flight for flight in flights if (flight["role"] == "factors") == one]
        number = sum(flight["count"] for flight in some)
        down = sum(flight["count"] for flight in some if flight["inverted"])
        if number:
            parts.append(f"{number} {what if number != 1 else what[:-1]}" + (f" ({down} inverted)" if down else ""))
    return ", ".join(parts)


def paths_of(data: Data) -> dict[str, tuple[Hex, ...]]:
    """The paths that the side knows of forces under way, each from where the force is, by what they are called."""
    paths: dict[str, tuple[Hex, ...]] = {}
    for voyage in data["voyages"].values():
        if "path" in voyage and voyage["progress"] in UNDER_WAY:
            path = [_hex(at) for at in voyage["path"]]
            rest = tuple(path[path.index(_hex(voyage["at"])) :])
            if len(rest) > 1:
                paths.setdefault(f"{named(voyage, data)}, {voyage['what']}", rest)
    return paths


def named(voyage: Data, data: Data) -> str:
    """Who is on a voyage now, by the markers that everybody sees."""
    forces = [data["forces"][key]["marker"] for key in voyage["forces"] if key in data["forces"]]
    if len(forces) > 1:
        return f"{', '.join(forces[:-1])} and {forces[-1]}"
    return forces[0] if forces else str(voyage["names"])


def _hex(at: list[int]) -> Hex:
    return at[0], at[1]
