"""What a text leaves out: game, kind, title, theatre, who moves, where bases are; each is marked as our estimate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flagplot.awaw.checks.kinds import ON_MAP
from flagplot.awaw.forces import read_force
from flagplot.awaw.options import Options
from flagplot.awaw.scenario import SHAPE
from flagplot.builder.draft import Draft
from flagplot.builder.forces import name_the_rest
from flagplot.builder.pieces import Piece
from flagplot.builder.vocabulary import fold
from flagplot.kernel.errors import Fault

CORNERS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
ALONG = ((-1, 1), (1, -1), (-1, 0), (1, 0), (0, 1), (0, -1))
"""The corners of a ring of hexes, and the way from each along its side."""


def complete(draft: Draft) -> None:
    """Fill in everything that a scenario needs and the text does not say."""
    document = draft.document
    document.setdefault("game", "awaw")
    if "map" in document:
        document.setdefault("kind", "operation")
    document.setdefault("kind", "naval-battle" if document.get("forces") else "air-phase")
    document.setdefault("title", "A battle of my own")
    _sides(draft)
    name_the_rest(draft)
    _bases(draft)
    _origins(draft)
    data = SHAPE.check(document, "", [])
    for number, entry in enumerate(document.get("forces", ())):
        if "task_force" not in entry and _is_small(data, number):
            entry["task_force"] = False
            draft.note(draft.spans[f"forces[{number}]"], "a small force: it has too few factors for a task force")


def _sides(draft: Draft) -> None:
    document, where = draft.document, Piece("", 1, 1)
    if "attacker" not in document and draft.sides:
        document["attacker"] = draft.sides[0]["id"]
        draft.note(where, f"{draft.sides[0]['name']} moves", estimate=True)
    if "theatre" not in document and document["kind"] not in ON_MAP:
        pacific = any("japan" in entry["nations"] for entry in draft.sides)
        document["theatre"] = "pacific" if pacific else "europe"
        draft.note(where, f"Theatre: {document['theatre'].capitalize()}", estimate=True)


def _is_small(data: dict[str, Any], number: int) -> bool:
    """Whether the rules take a force as a small one and not as a task force."""
    if len(data["sides"]) != 2 or not data["forces"][number]["ships"]:
        return False
    taken: dict[bool, list[Fault]] = {True: [], False: []}
    for task_force, faults in taken.items():
        read_force({**data["forces"][number], "task_force": task_force}, "force", data, Options(), faults)
    return len(taken[False]) < len(taken[True])


def _bases(draft: Draft) -> None:
    used = {tuple(entry["at"]) for entry in draft.document.get("bases", ()) if "at" in entry}
    for number, entry in enumerate(draft.document.get("bases", ())):
        bare, distance = entry.pop("_bare", False), entry.pop("_distance", None)
        if not bare and not any(key in entry for key in ("cities", "ports", "airbases", "artificial_ports", "box")):
            entry["airbases"] = 1
            draft.note(draft.spans[f"bases[{number}]"], f"{entry['name']}: an airbase", estimate=True)
        if "at" not in entry and draft.document["kind"] not in ON_MAP:
            far = 1 if distance is None else distance
            entry["at"] = next(([*at] for at in _ring(far) if at not in used), [far, 0])
            used.add(tuple(entry["at"]))
            draft.note(draft.spans[f"bases[{number}]"], f"{entry['name']}: {far} hexes from the battle", estimate=True)


def _ring(far: int) -> Iterator[tuple[int, int]]:
    """The hexes at a distance from the battle, its corners first."""
    for step in range(max(1, far)):
        for (q, r), (right, down) in zip(CORNERS, ALONG, strict=True):
            yield q * far + step * right, r * far + step * down


def _origins(draft: Draft) -> None:
    """A base that a force came from is meant by its short name, if it is one of this battle."""
    known = {
        fold(name): entry["id"] for entry in draft.document.get("bases", ()) for name in (entry["id"], entry["name"])
    }
    for group in ("forces", "submarines"):
        for entry in draft.document.get(group, ()):
            if "origin" in entry:
                entry["origin"] = known.get(fold(entry["origin"]), entry["origin"])
