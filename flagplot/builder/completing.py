"""What a text leaves out: game, kind, title, theatre, who moves, where bases are; each is marked as our estimate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from flagplot.awaw.checks.kinds import ON_MAP
from flagplot.awaw.forces import read_force
from flagplot.awaw.options import Options
from flagplot.awaw.scenario import SHAPE
from flagplot.awaw.ships import Kind, named_ship
from flagplot.awaw.tables.nations import nation
from flagplot.builder.draft import Draft
from flagplot.builder.history import FEATURES, coordinates, in_service, is_elite, places, research_of, serves
from flagplot.builder.pieces import START
from flagplot.builder.places import settle
from flagplot.builder.vocabulary import CAPITAL_SHIPS, fold, unused_ships
from flagplot.kernel.errors import Fault
from flagplot.kernel.words import listing, plural

NEVER = (9999, 1)
"""When ships came into service that were never built."""
UNKNOWN_DISTANCE = 4
"""How far a base is from the battle if nobody says so."""


def complete(draft: Draft) -> None:
    """Fill in everything that a scenario of A World at War needs and the text does not say."""
    document = draft.document
    document.setdefault("title", "A battle of my own")
    _who_and_where(draft)
    _name_the_rest(draft)
    _bases(draft)
    settle(draft)
    _by_date(draft)
    for number in small_forces(document):
        if "task_force" not in document["forces"][number]:
            document["forces"][number]["task_force"] = False
            draft.note(draft.spans[f"forces[{number}]"], "a small force: it has too few factors for a task force")


def kind_of(document: dict[str, Any]) -> str:
    """What is played, if the text does not say so: a map is for an operation, ships are for a battle."""
    if "map" in document:
        return "operation"
    return "naval-battle" if document.get("forces") else "air-phase"


def _who_and_where(draft: Draft) -> None:
    document = draft.document
    document.setdefault("kind", kind_of(document))
    if "attacker" not in document and draft.sides:
        document["attacker"] = draft.sides[0]["id"]
        draft.note(START, f"{draft.sides[0]['name']} moves", estimate=True)
    if "theatre" not in document and document["kind"] not in ON_MAP:
        pacific = any("japan" in entry["nations"] for entry in draft.sides)
        document["theatre"] = "pacific" if pacific else "europe"
        draft.note(START, f"theatre: {document['theatre'].capitalize()}", estimate=True)


def small_forces(document: Mapping[str, Any]) -> list[int]:
    """The forces that the rules take as small ones and not as task forces, by their numbers."""
    data = SHAPE.check(document, "", [])
    return [number for number in range(len(data["forces"])) if _is_small(data, number)]


def _is_small(data: dict[str, Any], number: int) -> bool:
    if len(data["sides"]) != 2 or not data["forces"][number]["ships"]:
        return False
    taken: dict[bool, list[Fault]] = {True: [], False: []}
    for task_force, faults in taken.items():
        read_force({**data["forces"][number], "task_force": task_force}, "force", data, Options(), faults)
    return len(taken[False]) < len(taken[True])


# --- ships --------------------------------------------------------------------------------------------------------


def _name_the_rest(draft: Draft) -> None:
    """Give names to the ships that were only counted, once all names that were told are taken: the oldest that were in
    service first, then those that were never built."""
    for path, part, item in draft.unnamed:
        free = unused_ships(Kind(item.key), part["nation"], draft.ships)
        if Kind(item.key) is Kind.CV and not unused_ships(Kind.CV, part["nation"], ()):
            free = unused_ships(Kind.CVL, part["nation"], draft.ships)  # all carriers of this nation are light
        chosen = sorted(free, key=lambda one: (not serves(one.id, draft.date), in_service().get(one.id, NEVER)))
        chosen = chosen[: item.number]
        if len(chosen) < item.number:
            word = CAPITAL_SHIPS[Kind(item.key)][0].upper()
            draft.leave_out(item.piece, f"There are only {len(chosen)} {word} left: type fewer, or their names")
        part.setdefault("named", []).extend([one.name for one in chosen])
        draft.said(f"{path}.named", item.piece)
        for one in chosen:
            draft.ships[one.name] = item.piece
        if chosen:
            draft.note(item.piece, listing([one.name for one in chosen]), estimate=True)


# --- bases --------------------------------------------------------------------------------------------------------


def _bases(draft: Draft) -> None:
    """What stands in a base and where it is: as told, or as in our orders of battle, or as a guess."""
    bases = draft.document.get("bases", ())
    used = {tuple(entry["at"]) for entry in bases if "at" in entry}
    unplaced = [entry for number, entry in enumerate(bases) if "at" not in entry and number not in draft.distances]
    known = coordinates([fold(entry["name"]) for entry in unplaced])
    for number, entry in enumerate(bases):
        piece, distance = draft.spans[f"bases[{number}]"], draft.distances.get(number)
        if draft.winter:
            entry.setdefault("winter", draft.winter)
        if number not in draft.bare and not any(entry.get(key) for key in (*FEATURES, "box")):
            place = places().get(fold(entry["name"]), {})
            entry |= {key: place[key] for key in FEATURES if key in place} or {"airbases": 1}
            draft.note(piece, f"{entry['name']}: {_standing(entry)}", estimate=True)
        if "at" in entry or draft.document["kind"] in ON_MAP:
            continue
        at = tuple(known.get(fold(entry["name"]), ()))
        if distance is not None or not at or at in used:
            far = UNKNOWN_DISTANCE if distance is None else distance
            at = next((one for one in _ring(far) if one not in used), (far, 0))
        entry["at"] = [*at]
        used.add(at)
        if distance is None:
            away = (abs(at[0]) + abs(at[1]) + abs(at[0] + at[1])) // 2
            draft.note(piece, f"{entry['name']}: {plural(away, 'hex', 'hexes')} from the battle", estimate=True)


def _standing(entry: dict[str, Any]) -> str:
    words = {"cities": "city", "ports": "port", "airbases": "airbase", "artificial_ports": "artificial port"}
    return listing([words.get(key, key) for key in FEATURES if entry.get(key)])


CORNERS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
ALONG = ((-1, 1), (1, -1), (-1, 0), (1, 0), (0, 1), (0, -1))
"""The corners of a ring of hexes, and the way from each along its side."""


def _ring(far: int) -> Iterator[tuple[int, int]]:
    """The hexes at a distance from the battle, its corners first."""
    for step in range(max(1, far)):
        for (q, r), (right, down) in zip(CORNERS, ALONG, strict=True):
            yield q * far + step * right, r * far + step * down


# --- by date ------------------------------------------------------------------------------------------------------


def _by_date(draft: Draft) -> None:
    """Research and elite squadrons of a date, where the text does not say them; ships that came later are noted."""
    if draft.date is None:
        return
    for country in [one for entry in draft.sides for one in entry["nations"]]:
        results, scenario = research_of(country, draft.date)
        if results and country not in draft.document.get("research", {}):
            draft.document.setdefault("research", {})[country] = dict(results)
            words = ", ".join([f"{key.replace('_', ' ')} {number}" for key, number in results.items()])
            draft.note(
                draft.date_piece, f"{nation(country).adjective} research: {words}, as in {scenario}", estimate=True
            )
    for name, piece in draft.ships.items():
        if not serves(named_ship(name).id, draft.date):
            draft.note(piece, f"{name} was not in service by then", estimate=True)
    if is_elite(draft.date):
        _make_elite(draft)


def _make_elite(draft: Draft) -> None:
    for number, force in enumerate(draft.document.get("forces", ())):
        named = [named_ship(name) for part in force["ships"] for name in part.get("named", ())]
        if not any(one.kind is Kind.CV and one.nation == "japan" for one in named):
            continue
        for place, some in enumerate(force.get("air", ())):
            path = f"forces[{number}].air[{place}]"
            if some["nation"] == "japan" and not some.get("elite") and path not in draft.regular:
                some["elite"] = True
                draft.note(draft.spans[path], "elite squadrons; type regular if they are not", estimate=True)
