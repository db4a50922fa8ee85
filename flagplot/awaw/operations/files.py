"""Operations in scenario files: the map, where everything is on it, and what the forces may be told to do."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.checks.orders import USUAL_STAGE
from flagplot.awaw.checks.places import destination, find
from flagplot.awaw.forces import ORDER, STAGES
from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.mapboard.reading import maps, read_map
from flagplot.awaw.operations.battles.scenes import ground_surplus
from flagplot.awaw.procedures import operation
from flagplot.awaw.state.air import Site
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.operation import Activity, Flotilla, NavalForce, Operation, Order, Plan, SupplyLine
from flagplot.awaw.state.setting import Scene, Setting
from flagplot.awaw.state.state import Elsewhere, State
from flagplot.kernel.errors import Fault, FlagplotError, UnknownName
from flagplot.kernel.shapes import Flag, Items, Table, Text, Whole

FLOTILLA = Table(
    "Submarines that base or patrol together.",
    {
        "id": Text("A short name for the tape."),
        "side": Text("The side that they belong to."),
        "nation": Text("The country they belong to."),
        "factors": Whole("How many factors.", 1, 99),
        "base": Text("The port that they are in, or came from."),
    },
    {
        "advanced": (Flag("Advanced submarines."), False),
        "patrol": (Text("Where on the map they are on patrol, if they are."), ""),
        "orders": (Items("Where they may be told to patrol.", ORDER), []),
    },
)

SUPPLY_LINE = Table(
    "A sea supply line.",
    {"from": Text("The port where it begins."), "to": Text("The port where it ends.")},
    {
        "stage": (Text("The stage in which it is traced.", *STAGES), "redeployment"),
        "worth": (Whole("What it counts for its side if it is not disrupted.", 0, 99), 0),
    },
)


def place_on_map(data: dict[str, Any], faults: list[Fault]) -> None:
    """Read the map, and put each base where the map has it; `data` is changed."""
    try:
        data["board"] = board = _board(data["map"])
    except FlagplotError as fault:
        faults.append(Fault("map", str(fault)))
        return
    data["theatre"] = "pacific" if board.pacific else "europe"
    for number, base in enumerate(data["bases"]):
        if len(base["at"]) == 2:
            at: Hex | None = (base["at"][0], base["at"][1])
        else:
            at = find(board, base["place"] or base["id"], f"bases[{number}].place", faults)
        if at is None:
            base["at"] = [0, 0]
            continue
        base["at"] = list(at)
        if at not in board and not base["box"]:
            faults.append(Fault(f"bases[{number}].at", f"{at} is not on the map {board.name}"))
        elif base["ports"] and not board.is_water(at):
            faults.append(Fault(f"bases[{number}]", "a port needs water, and the map has none in this hex", "21.11"))


def _board(map_: Any) -> Mapboard:
    """A map by its name, or one that is drawn in the scenario; never a file of this machine."""
    if isinstance(map_, dict):
        return read_map(map_)
    if map_ not in maps():
        raise UnknownName("an operation needs one of the maps", given=map_, allowed=maps())
    return read_map(map_)


# --- the state --------------------------------------------------------------------------------------------------


def operation_state(
    data: dict[str, Any],
    setting: Setting,
    scene: Scene,
    sites: dict[str, Site],
    groups: dict[str, Group],
    elsewhere: Elsewhere,
) -> State:
    """The state at the start of an operation."""
    board: Mapboard = data["board"]
    bases = {base["id"]: base for base in data["bases"]}
    plan = Plan(
        board,
        tuple(stage for stage in STAGES if stage in data["stages"]),
        {
            entry["id"]: tuple(_order(board, bases, order) for order in entry["orders"])
            for entry in (*data["forces"], *data["flotillas"])
        },
        {key: number for key, number in data["ground"].items() if number},
        dict(data["zones"]),
        data["strategic"],
        data["cooperation"],
        data["hunting"],
        tuple((one, other) for one, other in data["at_peace"]),
        tuple(board.find(name) for name in data["norway"]),
        tuple(
            SupplyLine(bases[line["from"]]["side"], line["from"], line["to"], line["stage"], line["worth"])
            for line in data["supply_lines"]
        ),
        tuple(data["kamikazes"]["bases"]) if data["kamikazes"] else (),
    )
    begun = Operation(plan, scene)
    state = State(setting, scene, [operation.start()], sites, elsewhere=elsewhere, operation_if_any=begun)
    if data["kamikazes"]:
        state.kamikazes, state.kamikaze_growth = data["kamikazes"]["number"], data["kamikazes"]["growth"]
    _mark(state, data, groups)
    for entry in data["flotillas"]:
        at = board.find(entry["patrol"]) if entry["patrol"] else scene.places[entry["base"]].at
        patrol = _patrol(data, entry)
        state.operation.flotillas[entry["id"]] = Flotilla(
            entry["side"], entry["nation"], entry["base"], at, entry["factors"], entry["advanced"], patrol
        )
    return state


def _mark(state: State, data: dict[str, Any], groups: dict[str, Group]) -> None:
    """Each force gets the marker that everybody knows it by: task forces are numbered, others too."""
    numbers: dict[tuple[str, bool], int] = {}
    for entry in data["forces"]:
        group = groups[entry["id"]]
        kind = (group.side, group.task_force)
        numbers[kind] = numbers.get(kind, 0) + 1
        marker = f"{'TF' if group.task_force else 'group'} {numbers[kind]} ({state.name(group.side)})"
        at = state.operation.plan.board.find(entry["patrol"]) if entry["patrol"] else state.place(entry["base"]).at
        patrol = _patrol(data, entry)
        state.operation.fleet[entry["id"]] = NavalForce(
            group,
            entry["base"],
            at,
            marker,
            patrol=patrol,
            inverted=entry["inverted"],
            began_at_sea=entry["began_at_sea"],
        )
        ground_surplus(state.operation.fleet[entry["id"]])


def _patrol(data: dict[str, Any], entry: dict[str, Any]) -> str:
    """21.418, 21.419: who is on patrol as his own player turn begins is on offensive patrol, others on defensive."""
    kind = "offensive" if entry["side"] == data["attacker"] else "defensive"
    return kind if entry["patrol"] else ""


def _order(board: Mapboard, bases: dict[str, Any], order: dict[str, Any]) -> Order:
    activity = Activity(order["activity"])
    at = destination(board, bases, order["to"], "", [])
    assert at is not None, "it was checked"
    boxes = [box.id for box in board.boxes]
    base = order["to"] if order["to"] in bases or order["to"] in boxes else ""
    return Order(activity, order["stage"] or USUAL_STAGE[activity], at, base, order["worth"])
