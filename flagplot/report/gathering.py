"""What there is to tell of a battle, as data."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from flagplot.awaw.views.battle import BattleView
from flagplot.awaw.views.operation import OperationView
from flagplot.awaw.views.position import Position
from flagplot.awaw.views.units import ShipView, counted_together
from flagplot.kernel.game import Game
from flagplot.kernel.log import Entry
from flagplot.kernel.options import Reading, describe
from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.view_types import to_json
from flagplot.line_of_battle import views as lines
from flagplot.report import operation
from flagplot.version import __version__


def gathered(game: Game[Any], reader: str, name: str) -> dict[str, Any]:
    """All that the report tells, as data. `name` is the file's."""
    seen, result = game.view(reader).position, game.result
    awaw = seen if isinstance(seen, Position) else None
    line = seen if isinstance(seen, lines.Position) else None
    fought: BattleView | lines.Position | None = (awaw.battle if awaw else None) or line
    sides = game.view(reader).names or dict(zip(game.sides, game.sides, strict=True))
    return {
        "title": str(game.scenario.get("title", game.ruleset.title)),
        "game": game.ruleset.title,
        "rules": game.ruleset.version,
        "program": __version__,
        "as": reader,
        "over": result is not None,
        "sides": dict(sides),
        "moving": awaw.attacker if awaw else None,
        "round": fought.round if fought else None,
        "segment": to_json(fought.segment) if fought else None,
        "operation": operation.gathered(awaw, awaw.operation, result) if awaw and awaw.operation else None,
        "result": result,
        "losses": {side: _losses(game, awaw or line, side) for side in sides},
        "strength": to_json(fought.strength) if fought else {},
        "options": _changed(game),
        "assumptions": _assumptions(game, reader),
        "proof": _proof(game, reader, name),
    }


def _losses(game: Game[Any], seen: Position | lines.Position | None, side: str) -> dict[str, Any]:
    """What a side has lost, and which of its ships are hit, as far as the reader knows."""
    nations, result = _nations(game, side), game.result or {}
    battle, at_sea = (seen.battle, seen.operation) if isinstance(seen, Position) else (None, None)
    last = battle or at_sea
    ships = {
        "sunk": seen.sunk if isinstance(seen, lines.Position) else last.sunk if last else (),
        "sunk_elsewhere": last.sunk_elsewhere if last else (),
        "hit": counted_together([ship for ship in _afloat(battle, at_sea) if ship.hits]),
    }
    boats = [*(battle.submarines if battle else ()), *(at_sea.flotillas.values() if at_sea else ())]
    return {
        **{key: to_json([ship for ship in some if ship.nation in nations]) for key, some in ships.items()},
        "air": {key: lost for key, lost in (seen.lost if seen else {}).items() if key.split("/")[0] in nations},
        "cargo": dict(result.get("cargo_lost", {}).get(side, {})),
        "units": dict(result.get("losses_by_faction", {}).get(side, {})),
        "submarines": sum([some.lost for some in boats if some.side == side]),
    }


def _nations(game: Game[Any], side: str) -> Sequence[str]:
    found = [entry for entry in game.scenario.get("sides", ()) if entry.get("id") == side]
    return found[0].get("nations", (side,)) if found else ()


def _afloat(battle: BattleView | None, at_sea: OperationView | None) -> Iterator[ShipView]:
    """All ships afloat that the reader knows of, wherever they are."""
    if battle is None:
        yield from [ship for force in (at_sea.forces if at_sea else {}).values() for ship in force.ships or ()]
        return
    for group in battle.groups:
        yield from (*(group.ships or ()), *(group.own.shed if group.own else ()))
    yield from [ship for group in battle.departed for ship in group.ships or ()]
    for waiting in battle.pending.values():
        for force in waiting if isinstance(waiting, tuple) else ():
            yield from (*force.ships, *force.own.shed)
    yield from [ship for air in battle.carrier_air.values() for ship in air.returned_ships]


# --- readings ---------------------------------------------------------------------------------------------------


def _changed(game: Game[Any]) -> list[dict[str, object]]:
    """The options that are not what they are by default."""
    readings = describe(type(game.options))
    return [_reading(game, reading) for reading in readings if getattr(game.options, reading.name) != reading.default]


def _assumptions(game: Game[Any], reader: str) -> list[dict[str, object]]:
    """Readings that are assumptions and whose rules have come up, as far as the reader's log tells."""
    assumed = [reading for reading in describe(type(game.options)) if "assumption" in reading.about]
    came_up = _rules_in(game.log(reader))
    return [_reading(game, reading) for reading in assumed if _concerned(reading, came_up)]


def _reading(game: Game[Any], reading: Reading) -> dict[str, object]:
    return reading.as_dict() | {"value": getattr(game.options, reading.name)}


def _rules_in(log: Iterable[Entry]) -> set[str]:
    cited = [rule for entry in log for rule in (entry.rule, *[line.rule for line in entry.ledger])]
    return {number for rule in cited for number in numbers(rule)}


def numbers(rule: str) -> list[str]:
    """The numbers of the book in a citation, without tables' marks and notes: ``T23.44-09`` is 23.44.
    Games whose rules are counted by a word and a number, ``LOB-16``, keep both."""
    return re.findall(r"[0-9]+\.[0-9]+[A-Z]?(?:\.[0-9]+)*|[A-Z]{2,}-[0-9]+", rule)


def _concerned(reading: Reading, came_up: set[str]) -> bool:
    """Whether a rule of the reading, or one above or below it, has come up."""
    own = [number for rule in reading.rules for number in numbers(rule)]
    return any(one.startswith(other) or other.startswith(one) for one in own for other in came_up)


# --- the proof --------------------------------------------------------------------------------------------------


def _proof(game: Game[Any], reader: str, name: str) -> dict[str, Any]:
    """What proves the game: the dice, the head of the save and the command. A side gets it whole at the end."""
    whole = game.pending is None or reader == UMPIRE
    dice = game.dice.header
    if not whole and "seed" in dice:
        dice = {"kind": dice["kind"]}
    return {
        "dice": dice,
        "head": game.tape().head if whole else None,
        "answers": game.turn if whole else None,
        "command": f"flagplot verify {shlex.quote(name)}",
    }
