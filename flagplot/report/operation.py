"""The parts of a report that only an operation has: what was announced, intercepted, fought where, carried out, and how
everybody came home. All of it comes from a view or from the result."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from flagplot.awaw.board.sea import FIGHTS
from flagplot.awaw.board.units import losses, told_ships
from flagplot.awaw.views.operation import OperationView
from flagplot.awaw.views.position import Position
from flagplot.kernel.naming import in_sentence
from flagplot.kernel.view_types import to_json
from flagplot.kernel.words import capital

Data = Mapping[str, Any]

KINDS = {**FIGHTS, "base": "Attack on "}

DAMAGED = re.compile(r" \((?:\d+ )?damaged\)")
"""What the text of a ship says of it already."""


def gathered(seen: Position, operation: OperationView, result: Data | None) -> dict[str, Any]:
    """What there is to tell of an operation."""
    return {
        "step": to_json(seen.step),
        "points": dict(result["points"] if result else seen.points),
        "points_for_activities": dict(operation.done),
        "record": result["record"] if result else to_json(operation.record),
        "fights": result["fights"] if result else to_json(operation.fights),
        "home": list(result["home"]) if result else [],
        "landed": dict(result["cargo_landed"]) if result else {},
    }


def stands(told: Data) -> str:
    """Where an operation stands."""
    step = told["step"]
    return f"{step['title']}, {step['mark']}; still in progress." if step else "Game over."


def won(told: Data, winner: str | None, names: Mapping[str, str]) -> list[str]:
    """Who has won, and the points that make it so."""
    who = f"{capital(in_sentence(names[winner]))} won" if winner else "No winner"
    lines = [f"{who}: {' to '.join(f'{names[side]} {points}' for side, points in told['points'].items())} points."]
    for side, points in told["points"].items():
        own = told["points_for_activities"].get(side, 0)
        if points:
            lines.append(f"{names[side]}: {own} for activities, {points - own} for factors sunk.")
    return lines


def sections(told: Data, names: Mapping[str, str]) -> list[tuple[str, list[str]]]:
    """Titles, and below each its entries."""
    return [
        ("Announced", _events(told, "activity")),
        ("Intercepted", _events(told, "interception")),
        ("Fought", [fight_in_words(fight, names) for fight in told["fights"]]),
        ("Carried out", _events(told, "done", "aborted")),
        ("Cargo landed", _landed(told, names)),
        ("Home", [_home(force) for force in told["home"]]),
    ]


def _events(told: Data, *kinds: str) -> list[str]:
    found = [event for event in told["record"] if event["kind"] in kinds]
    return [f"{event['stage'].capitalize()} stage: {event['text']} ({event['rule']})" for event in found]


def _landed(told: Data, names: Mapping[str, str]) -> list[str]:
    return [
        f"{names[side]}: {', '.join(f'{part} ({number} laden)' for part, number in parts.items())}"
        for side, parts in told["landed"].items()
        if parts
    ]


# --- fights -----------------------------------------------------------------------------------------------------


def fight_in_words(fight: Data, names: Mapping[str, str]) -> str:
    """One battle or attack: where, who, how it ended and what it cost."""
    who = " against ".join(filter(None, fight["sides"].values()))
    kind = KINDS.get(fight["kind"], "Fighting")
    where = f"{fight['where']}, {fight['stage']} stage"
    words = [f"{kind}{' in ' * (kind[-1] != ' ')}{where}: {who}."]
    words += [_ended(fight, names)] if fight["rule"] else []
    costs = [_cost(fight, side, name) for side, name in names.items()]
    words += [cost for cost in costs if cost] or ["No losses."]
    cargo = ", ".join(f"{part} ({number})" for part, number in fight["cargo"].items())
    words += [f"Cargo lost: {cargo} (22.82)."] if cargo else []
    return " ".join(words)


def _ended(fight: Data, names: Mapping[str, str]) -> str:
    rounds = f"{fight['rounds']} round{'s' * (fight['rounds'] != 1)}"
    who = f"{in_sentence(names[fight['winner']])} won" if fight["winner"] else "no winner"
    return f"{rounds}; {fight['ended']}; {who} ({fight['rule']})."


def _cost(fight: Data, side: str, name: str) -> str:
    parts = [fight["sunk"][side]] if fight["sunk"][side] else []
    parts += losses(fight["air"][side])
    boats = fight["submarines"][side]
    parts += [f"{boats} submarine factor{'s' * (boats != 1)}"] if boats else []
    words = f"{name} lost {_listed(parts)}." if parts else ""
    ships = DAMAGED.sub("", fight["damaged"][side])
    hit = f"Damaged: {ships}." if ships else ""
    return f"{words} {hit}".strip()


def _listed(parts: Iterable[str]) -> str:
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def _home(force: Data) -> str:
    words = [f"in {force['base']}", "inverted" if force["inverted"] else "not inverted"]
    hit = [ship for ship in force["ships"] or () if ship["damaged"]]
    words += [f"damaged: {told_ships(hit)}"] if hit else []
    words += [f"sunk in port: {told_ships(force['sunk_in_port'])}"] if force["sunk_in_port"] else []
    return f"{force['marker']}: {'; '.join(words)}"
