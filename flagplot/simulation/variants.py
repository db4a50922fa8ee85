"""Variants of a battle: a table of changes, one row a variant, and what comes of many battles of each.

A column is a key of the scenario (``forces.tf-16.arrives``), a field of a force or base by its short name
(``tf-16.cruisers``, ``midway.airbases``), a whole force, or a ship by its name, which may stay away.
"""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple

from flagplot import library
from flagplot.awaw.ships import FAST_CARRIERS, named_ship
from flagplot.builder.completing import small_forces
from flagplot.builder.paths import BadPath, put, segments
from flagplot.kernel.errors import Fault, FaultsError, ScenarioError, most_like, quoted
from flagplot.kernel.words import plural
from flagplot.players import is_local_player, player_names
from flagplot.simulation.simulating import simulate
from flagplot.simulation.simulation import Simulation
from flagplot.simulation.workers import Stop

if TYPE_CHECKING:
    from flagplot.simulation.cluster import Cluster

LABELS = ("variant", "name", "label")
PLAYER = "player "
AWAY = frozenset({"absent", "away", "none", "remove", "removed", "-"})
LISTS = ("forces", "bases", "carriers", "flotillas", "submarines", "sides")
MOST = 10_000
"""Rows of a table."""


class Variant(NamedTuple):
    """One row of the table: the scenario with its changes."""

    number: int
    name: str
    changes: Mapping[str, str]
    document: dict[str, Any]
    players: Mapping[str, str]


class VariantsError(FaultsError, code="variants"):
    """All that is wrong with a table of variants."""


# --- reading ------------------------------------------------------------------------------------------------------


def read_variants(text: str, scenario: Mapping[str, Any], players: Mapping[str, str] | None = None) -> list[Variant]:
    """The variants of a table in CSV; everything wrong with it at once."""
    reader = csv.DictReader(io.StringIO(text.lstrip("\ufeff")), restkey="", restval="")
    faults: list[Fault] = []
    found: list[Variant] = []
    try:
        rows = [row for row, _ in zip(reader, range(MOST), strict=False)]
    except csv.Error as fault:
        raise VariantsError("this is no CSV", [Fault("the file", str(fault))]) from fault
    columns = [str(column or "").strip() for column in reader.fieldnames or ()]
    if not rows or not any(column and column.casefold() not in LABELS for column in columns):
        told = "it needs a line of columns, such as variant,tf-16.cruisers, and a line for each variant"
        raise VariantsError("this table has no variants", [Fault("the file", told)])
    for number, row in enumerate(rows, start=1):
        found.append(_variant(number, row, scenario, players or {}, faults))
    if faults:
        raise VariantsError(f"this table has {plural(len(faults), 'fault')}", faults)
    return found


def _variant(
    number: int, row: Mapping[str, Any], scenario: Mapping[str, Any], players: Mapping[str, str], faults: list[Fault]
) -> Variant:
    document, chosen = deepcopy(dict(scenario)), dict(players)
    changes: dict[str, str] = {}
    name = ""
    for heading, cell in row.items():
        column, given = str(heading or "").strip(), cell.strip() if isinstance(cell, str) else ""
        if column.casefold() in LABELS:
            name = given
        elif isinstance(cell, list) and any(cell):
            faults.append(
                Fault(f"row {number}", "there are more cells than columns: put quotes around a cell with commas")
            )
        elif not given:
            changes[column] = ""
        else:
            changes[column] = given
            if column.casefold().startswith(PLAYER):
                chosen[column[len(PLAYER) :].strip()] = given
                faults += _check_player(document, number, column, given)
                continue
            try:
                _change(document, column, given)
            except BadPath as fault:
                faults.append(Fault(f"row {number}, column {column}", str(fault)))
    try:
        library.load(document, seed=0)
    except ScenarioError as error:
        faults += [Fault(f"row {number}: {fault.place}", fault.message, fault.rule) for fault in error.faults]
    return Variant(number, name or f"variant {number}", changes, document, chosen)


def _check_player(document: Mapping[str, Any], number: int, column: str, given: str) -> Iterator[Fault]:
    side, sides = column[len(PLAYER) :].strip(), [str(entry["id"]) for entry in document["sides"]]
    if side not in sides:
        yield Fault(f"row {number}, column {column}", f"there is no side {quoted(side)}; use {' or '.join(sides)}")
    if not is_local_player(given):
        yield Fault(
            f"row {number}, column {column}", f"there is no player {quoted(given)}; use {', '.join(player_names())}"
        )


def _change(document: dict[str, Any], column: str, given: str) -> None:
    """Change a scenario as a cell says."""
    value = _value(given)
    if given.casefold() in AWAY and _take_away(document, column):
        return
    first, *more = segments(column)
    if (isinstance(first, str) and first in document) or first in ("options", "research", "codebreaking"):
        put(document, column, value)
        return
    entry = _entry(document, str(first))
    if entry is None:
        meant = most_like(str(first), _names(document))
        raise BadPath(
            f"there is no key, force, base or ship called {quoted(str(first))}"
            + (f": did you mean {meant}?" if meant else "")
        )
    if not more:
        raise BadPath(f"name a field of it, such as {first}.cruisers, or type absent")
    rest = column[len(str(first)) :].lstrip(".")
    put(entry, _field(entry, rest), value)


def _names(document: Mapping[str, Any]) -> list[str]:
    """What a column may begin with."""
    entries = [entry for group in LISTS for entry in document.get(group, ())]
    ships = [name for force in document.get("forces", ()) for part in force["ships"] for name in part.get("named", ())]
    return [*document, *[str(entry["id"]) for entry in entries if "id" in entry], *ships]


def _value(given: str) -> Any:
    """A cell as TOML has it, or else as text."""
    try:
        data = tomllib.loads(f"value = {given}")
    except (tomllib.TOMLDecodeError, RecursionError):
        return given
    return data["value"] if set(data) == {"value"} else given


def _entry(document: Mapping[str, Any], name: str) -> dict[str, Any] | None:
    """A force, base or side by its short name or its name."""
    for group in LISTS:
        for entry in document.get(group, ()):
            if name.casefold() in (str(entry.get("id")), str(entry.get("name")).casefold()):
                found: dict[str, Any] = entry
                return found
    return None


def _field(entry: Mapping[str, Any], field: str) -> str:
    """Where a field stands: ships and squadrons of a force of one nation lie one step deeper."""
    if "ships" in entry and isinstance(entry["ships"], list) and field not in entry:
        if field in ("squadrons", "elite") and len(entry.get("air", ())) == 1:
            return f"air[0].{field}"
        if field in SHIPS and len(entry["ships"]) == 1:
            return f"ships[0].{field}"
    return field


SHIPS = (
    "named",
    "cruisers",
    "destroyers",
    "laden_destroyers",
    "cves",
    "transports",
    "laden_transports",
    "damaged_cruisers",
    "hits",
)


def _take_away(document: dict[str, Any], name: str) -> bool:
    """Take a force, a base or a ship out of the battle, with the squadrons that have no deck left."""
    for group in LISTS:
        for entry in document.get(group, ()):
            if name.casefold() in (str(entry.get("id")), str(entry.get("name")).casefold()):
                document[group].remove(entry)
                return True
    for force in document.get("forces", ()):
        for part in force["ships"]:
            named = [one for one in part.get("named", ()) if one.casefold() != name.casefold()]
            if len(named) < len(part.get("named", ())):
                _sail_without(force, part, named, name)
                for number in small_forces(document):
                    document["forces"][number]["task_force"] = False
                return True
    return False


def _sail_without(force: dict[str, Any], part: dict[str, Any], named: list[str], gone: str) -> None:
    ship = named_ship(gone)
    part["named"] = named
    left = ship.factors if ship.kind in FAST_CARRIERS else 0
    for some in force.get("air", ()):
        if some["nation"] == part["nation"]:
            taken = min(left, some["squadrons"])
            some["squadrons"], left = some["squadrons"] - taken, left - taken
    if "air" in force:
        force["air"] = [some for some in force["air"] if some["squadrons"]]


# --- playing ------------------------------------------------------------------------------------------------------


def play_variants(
    variants: Sequence[Variant],
    battles: int,
    *,
    seed: int = 0,
    jobs: int = 1,
    cluster: Cluster | None = None,
    error: float | None = None,
    stop: Stop = lambda: False,
    told: Callable[[int, int], None] = lambda done, battle: None,
) -> Iterator[dict[str, Any]]:
    """A row of figures for each variant, when all of its battles are played; all variants meet the same dice. `told`
    hears how many variants are done, and how many battles of the next one."""
    for done, variant in enumerate(variants):
        if stop():
            return
        found = simulate(
            variant.document,
            battles,
            variant.players,
            seed=seed,
            jobs=jobs,
            cluster=cluster,
            error=error,
            stop=stop,
            told=lambda battle, done=done: told(done, battle),  # type: ignore[misc]
        )
        if found.stopped:
            return
        yield row_of(variant, found)


def row_of(variant: Variant, found: Simulation) -> dict[str, Any]:
    """The figures of one variant: who wins how often, with 95 % intervals, and what it costs."""
    row: dict[str, Any] = {"number": variant.number, "variant": variant.name}
    row |= {f"set {column}": given for column, given in variant.changes.items()}
    row |= {"battles": found.battles, "seed": found.plan.seed}
    for side in found.sides:
        share = found.won(side)
        row |= {f"{side} won": share.share, f"{side} won low": share.interval[0], f"{side} won high": share.interval[1]}
    row["drawn"] = found.won(None).share
    for side in found.sides:
        for key, spread in found.figures(side).items():
            row |= {f"{side} {key}": spread.mean, f"{side} {key} error": spread.error}
    if found.rounds:
        row["rounds"] = found.rounds.mean
    return row
