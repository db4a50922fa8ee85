"""Small operations for the tests: an ocean, ports, forces and voyages made by hand, without a scenario file.

``sea(port("truk", "red", (0, 0)), port("noumea", "blue", (8, 0)), force("kido", "red", "truk", "Akagi", cruisers=4))``
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from flagplot.awaw.mapboard.board import Box, Label, Mapboard, Strait, kept
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.passage.homeward import new_voyage
from flagplot.awaw.options import Options
from flagplot.awaw.ruleset import AWorldAtWar
from flagplot.awaw.scenario import read_state
from flagplot.awaw.state.operation import Activity, Flotilla, NavalForce, Operation, Order, Plan, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Dice, Seeded
from flagplot.kernel.game import Game
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.procedures import Frame, Procedure
from flagplot.kernel.requests import Choose, Roll
from tests.awaw.battles import battle, squadron
from tests.awaw.scenes import base

STAGES = ("movement", "combat", "redeployment")


def ocean(
    columns: int = 61,
    rows: int = 13,
    *,
    land: Iterable[Hex] = (),
    straits: Sequence[tuple[str, Hex, Hex]] = (),
    places: Iterable[Label] = (),
    boxes: Iterable[Box] = (),
    pacific: bool = False,
) -> Mapboard:
    """Water everywhere but in the `land` hexes; (0, 0) lies in the middle, and (1, 0), (2, 0) to the east of it."""
    middle = (columns // 2, rows // 2)
    solid = set(land)
    drawn = [
        "".join("#" if _hex(column, row, middle) in solid else "~" for column in range(columns)) for row in range(rows)
    ]
    board = Mapboard(
        "ocean",
        "An ocean",
        "for tests",
        pacific,
        middle,
        tuple(drawn),
        places=tuple(places),
        sides=tuple(Strait(*entry) for entry in straits),
        boxes=tuple(boxes),
    )
    return kept(board)


def _hex(column: int, row: int, origin: Hex) -> Hex:
    return column - row // 2 - (origin[0] - origin[1] // 2), row - origin[1]


def port(name: str, side: str, at: Hex, *air: str, **more: Any) -> dict[str, Any]:
    """A port with an airbase: ``port("truk", "red", (0, 0), "2 japan army", "3 japan naval")``; `fortified`, `box`,
    `supply` and all that a scenario knows may be added."""
    installations = {} if more.get("box") else {"ports": 1, "airbases": 1}
    return base(name, side, at, *air, **installations | more)


def force(
    name: str,
    side: str,
    home: str,
    *named: str,
    at: Hex | None = None,
    patrol: str = "",
    inverted: bool = False,
    air: int = 0,
    orders: Sequence[Order] = (),
    **ships: Any,
) -> dict[str, Any]:
    """A naval force in a port, or on a patrol ``at`` a hex: named ships, and `cruisers` and so on in factors. It is a
    task force if it has ten factors and nothing else is said by `task_force`."""
    entry = squadron(name, side, *named, air=air, **ships)
    return {"home": home, "at": at, "patrol": patrol, "inverted": inverted, "orders": tuple(orders), "entry": entry}


def order(activity: str, to: Hex, stage: str = "combat", **more: Any) -> Order:
    return Order(Activity(activity), stage, to, **more)


def flotilla(name: str, side: str, home: str, factors: int = 1, **more: Any) -> dict[str, Any]:
    """Submarine factors in a port, or on a `patrol` ``at`` a hex."""
    nation = more.pop("nation", {"red": "japan", "blue": "united-states"}[side])
    return {"name": name, "flotilla": {"side": side, "nation": nation, "base": home, "factors": factors, **more}}


TRUK, RABAUL = port("truk", "red", (0, 0)), port("rabaul", "red", (0, 4))
NOUMEA = port("noumea", "blue", (9, 0))
PORTS = (TRUK, RABAUL, NOUMEA)
KIDO, TF = force("kido", "red", "truk", cruisers=10), force("tf", "blue", "noumea", cruisers=10)


def sides(*, red: Sequence[str], blue: Sequence[str]) -> dict[str, Any]:
    """The `settings` of a sea on which these nations fight each other."""
    return {
        "sides": [
            {"id": "red", "name": "Red", "nations": list(red)},
            {"id": "blue", "name": "Blue", "nations": list(blue)},
        ]
    }


def sea(
    *entries: dict[str, Any],
    board: Mapboard | None = None,
    pacific: bool = False,
    stage: str = "movement",
    stages: Sequence[str] = STAGES,
    options: Options | None = None,
    settings: dict[str, Any] | None = None,
    **plan: Any,
) -> State:
    """An operation in which red moves, made of ports, forces and flotillas; other words are fields of the plan."""
    ports = [entry for entry in entries if "name" in entry and "at" in entry]
    forces = [entry for entry in entries if "entry" in entry]
    chosen = board or ocean(pacific=pacific)
    state = _read(ports, forces, chosen.pacific, options or Options(), settings or {})
    places = {key: _place(place, ports, key) for key, place in state.scene.places.items()}
    scene = replace(state.scene, kind="operation", places=places)
    names = {place.at for place in chosen.places}
    shown = tuple(
        Label(key, place.name, place.at, True)
        for key, place in places.items()
        if not place.afloat and not place.box and place.at not in names
    )
    chosen = replace(chosen, places=(*chosen.places, *shown))
    orders = {entry["entry"]["id"]: entry["orders"] for entry in forces}
    made = State(
        replace(state.setting, ends_turn=False),
        scene,
        [],
        state.sites,
        operation_if_any=Operation(Plan(chosen, tuple(stages), orders, **plan), scene, stages.index(stage)),
    )
    numbers: dict[tuple[str, bool], int] = {}
    for entry in forces:
        key = entry["entry"]["id"]
        group = state.battle.groups[key]
        kind = (group.side, group.task_force)
        numbers[kind] = numbers.get(kind, 0) + 1
        marker = f"{'TF' if group.task_force else 'group'} {numbers[kind]} ({made.name(group.side)})"
        at = entry["at"] or made.place(entry["home"]).at
        made.operation.fleet[key] = NavalForce(
            group, entry["home"], at, marker, patrol=entry["patrol"], inverted=entry["inverted"]
        )
    for entry in entries:
        if "flotilla" in entry:
            fields = dict(entry["flotilla"])
            fields.setdefault("at", made.place(fields["base"]).at)
            made.operation.flotillas[entry["name"]] = Flotilla(**fields)
    return made


def _place(place: Any, ports: list[dict[str, Any]], key: str) -> Any:
    return replace(place, fortified=any(entry["id"] == key and entry.get("_fortified") for entry in ports))


def _read(
    ports: list[dict[str, Any]],
    forces: list[dict[str, Any]],
    pacific: bool,
    options: Options,
    settings: dict[str, Any],
) -> Any:
    """The setting, sites and groups of a naval battle of all these; each side gets a force that nobody uses."""
    for entry in ports:
        entry["_fortified"] = entry.pop("fortified", entry.get("_fortified", False))
    bases = [{key: value for key, value in entry.items() if not key.startswith("_")} for entry in ports]
    made = [_sized(entry["entry"]) for entry in forces]
    extra = [
        squadron("nobody-red", "red", nation="hungary", destroyers=1, task_force=False),
        squadron("nobody-blue", "blue", nation="australia", destroyers=1, task_force=False),
    ]
    theatre = "pacific" if pacific else "europe"
    scenario = battle(*made, *extra, bases=bases, theatre=theatre, rounds=12, **settings)
    return read_state(scenario, options)


def _sized(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry with its marker: a task force if it has ten factors."""
    from flagplot.awaw.ships import named_ship

    if "task_force" in entry:
        return entry
    size = 0
    for part in entry["ships"]:
        size += sum(named_ship(name).factors for name in part["named"])
        size += sum(part.get(key, 0) for key in ("cruisers", "destroyers", "laden_destroyers", "cves"))
    return {**entry, "task_force": size >= 10}


# --- voyages --------------------------------------------------------------------------------------------------


def sail(
    state: State,
    activity: Activity | str,
    forces: str | Sequence[str],
    to: Hex,
    *,
    via: Sequence[Hex] = (),
    start: Hex | None = None,
    shown: bool = True,
    **more: Any,
) -> str:
    """A voyage of some forces (one, or several together) by the shortest way; its key."""
    keys = [forces] if isinstance(forces, str) else list(forces)
    first = state.operation.fleet[keys[0]]
    path = state.operation.plan.board.sea_path(start or first.at, to, via=tuple(via))
    assert path is not None
    more.setdefault("step", 0 if first.patrol or start else -1)
    more.setdefault("cargo", any(state.operation.fleet[key].group.cargo for key in keys))
    voyage = Voyage(first.side, Activity(activity), keys, path, shown=shown, **more)
    for key in keys:
        state.operation.fleet[key].patrol = ""
    return new_voyage(state, voyage)


# --- playing --------------------------------------------------------------------------------------------------


def play(state: State, start: Frame | Procedure, *procedures: Procedure, dice: Dice | None = None) -> Game[State]:
    """A game that begins with a procedure: ``play(state, interceptions.start("out"), dice=Scripted(...))``.

    Procedures that the ruleset does not know yet are named after it. The state is not changed.
    """
    frame = start if isinstance(start, Frame) else start.start()
    known = {procedure.name: procedure for procedure in procedures}
    if isinstance(start, Procedure):
        known[start.name] = start

    class Rules(AWorldAtWar):
        procedures = {**AWorldAtWar.procedures, **known}  # noqa: RUF012

    begun = copy_of(state)
    begun.frames = [frame]
    rules: Any = Rules()
    return Game(rules, {"title": "a sea"}, Options(), begun, dice or Seeded(1))


def offered(game: Game[Any]) -> list[str]:
    """The texts of the options that are offered, or what is rolled."""
    if isinstance(game.pending, Choose):
        return [option.text for option in game.pending.options]
    return [str(game.pending)]


def least(texts: Sequence[str], *words: str) -> str:
    """The least answer: an option that ends in ``none``, ``stay``, ``no`` or ``done``, or in the words that are given;
    else the first."""
    ends = words or ("none", "stay", "no", "done")
    return next((text for text in texts if text.rsplit(":", 1)[-1] in ends), texts[0])


def questions(game: Game[Any]) -> Iterator[list[str]]:
    """The options of each question to the end of the game; whoever reads them answers. Dice are rolled."""
    while game.pending is not None:
        if isinstance(game.pending, Roll):
            game.roll()
        else:
            yield offered(game)


def taken(waiting: list[str], texts: Sequence[str]) -> str:
    """The first order that is offered, which waits no longer; nothing if none is."""
    for order in waiting:
        if order in texts:
            waiting.remove(order)
            return order
    return ""


def steer(game: Game[State], *orders: str) -> Game[State]:
    """Go on to the end. Each order is the text of an option, given once when it is offered; all other questions get
    the least answer. Dice are rolled. Orders that were never asked for are a mistake in the test."""
    waiting = list(orders)
    for texts in questions(game):
        game.choose(taken(waiting, texts) or least(texts))
    assert not waiting, f"never asked: {waiting}"
    return game
