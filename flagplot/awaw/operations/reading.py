"""Operations in scenario files: the map, where everything is on it, and what the forces may be told to do."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.belonging import check_nation
from flagplot.awaw.forces import ORDER, STAGES
from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.reading import maps, read_map
from flagplot.awaw.operations.announcing import UNLIMITED
from flagplot.awaw.operations.joining import MOST_RAIDERS
from flagplot.awaw.operations.operation import operation
from flagplot.awaw.operations.state import Activity, Flotilla, Hex, NavalForce, OperationState, Order, Plan, SupplyLine
from flagplot.awaw.ships import Fleet, Kind
from flagplot.awaw.state import Group, Setting, Site
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

USUAL_STAGE = {
    Activity.PATROL: "movement",
    Activity.BASE_CHANGE: "movement",
    Activity.SEA_TRANSPORT: "movement",
    Activity.INVASION: "combat",
    Activity.BOMBARDMENT: "combat",
    Activity.CARRIER_MISSION: "combat",
    Activity.SEA_SUPPLY: "redeployment",
    Activity.SEA_ESCORT: "redeployment",
    Activity.REDEPLOYMENT: "redeployment",
    Activity.RAID: "redeployment",
    Activity.DISPLACEMENT: "movement",
    Activity.ASW: "movement",
}
"""22.15A-B: when each activity is announced."""


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
            at = _find(board, base["place"] or base["id"], f"bases[{number}].place", faults)
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


def _find(board: Mapboard, text: str, where: str, faults: list[Fault]) -> Hex | None:
    try:
        box = next((box for box in board.boxes if box.id == text), None)
        return box.edges[0] if box else board.find(text)
    except UnknownName as unknown:
        faults.append(Fault(where, str(unknown)))
        return None


def check_operation(data: dict[str, Any], groups: dict[str, Group], faults: list[Fault]) -> None:
    """Everything that is wrong with the forces, flotillas and orders of an operation."""
    board = data.get("board")
    if board is None:
        return
    bases = {base["id"]: base for base in data["bases"]}
    for number, entry in enumerate(data["forces"]):
        where = f"forces[{number}]"
        _check_base(entry, where, bases, faults)
        for n, order in enumerate(entry["orders"]):
            if entry["side"] != data["attacker"] and data["kind"] == "operation":
                faults.append(Fault(f"{where}.orders", "only forces of the moving side have orders", "22.15"))
                break
            _check_order(data, board, bases, entry, order, f"{where}.orders[{n}]", faults)
            _check_fitness(bases, groups[entry["id"]], order, f"{where}.orders[{n}]", faults)
        if entry["patrol"]:
            _check_patrol(board, entry["patrol"], f"{where}.patrol", faults)
        if entry["began_at_sea"] and not bases.get(entry["base"], {}).get("box"):
            faults.append(Fault(f"{where}.began_at_sea", "raiders that began the game at sea are in a box", "22.11A"))
    for number, entry in enumerate(data["flotillas"]):
        where = f"flotillas[{number}]"
        check_nation(entry["nation"], where, entry["side"], data, faults)
        _check_base(entry, where, bases, faults)
        if entry["id"] in groups or any(entry["id"] == other["id"] for other in data["flotillas"][:number]):
            faults.append(Fault(f"{where}.id", f"there is another “{entry['id']}”: each needs a name of its own"))
        if entry["patrol"]:
            _check_patrol(board, entry["patrol"], f"{where}.patrol", faults)
        for n, order in enumerate(entry["orders"]):
            if entry["side"] != data["attacker"] and data["kind"] == "operation":
                faults.append(Fault(f"{where}.orders", "only submarines of the moving side have orders", "22.15"))
                break
            if order["activity"] != Activity.PATROL:
                faults.append(Fault(f"{where}.orders[{n}].activity", "submarines can only be told to patrol", "22.913"))
            _check_order(data, board, bases, entry, order, f"{where}.orders[{n}]", faults)
    for number, line in enumerate(data["supply_lines"]):
        _check_line(data, board, bases, line, f"supply_lines[{number}]", faults)
    for name in data["norway"]:
        _find(board, name, "norway", faults)
    if data["ground"] and data["kind"] == "air-turn":
        faults.append(Fault("ground", "in an air turn the ground units in a hex are counted: see turn.units", "22.22F"))
    for key in (*data["ground"], *data["zones"]):
        if key not in bases:
            faults.append(Fault("ground" if key in data["ground"] else "zones", f"there is no base “{key}”"))


def _check_patrol(board: Mapboard, text: str, where: str, faults: list[Fault]) -> None:
    at = _find(board, text, where, faults)
    if at is not None and not board.is_water(at):
        faults.append(Fault(where, f"{text} is on land", "21.41"))


def _check_line(
    data: dict[str, Any],
    board: Mapboard,
    bases: dict[str, Any],
    line: dict[str, Any],
    where: str,
    faults: list[Fault],
) -> None:
    """A line leads from one port of a side to another, by sea; in an operation of the side that moves."""
    ends = [bases.get(line[end]) for end in ("from", "to")]
    owner = data["attacker"] if data["kind"] == "operation" or ends[0] is None else ends[0]["side"]
    for end, base in zip(("from", "to"), ends, strict=True):
        if base is None or not base["ports"] or base["side"] != owner:
            whose = "the moving side" if data["kind"] == "operation" else "the side that traces the line"
            faults.append(Fault(f"{where}.{end}", f"“{line[end]}” is no port of {whose}", "30.37"))
            return
    start, stop = [(base["at"][0], base["at"][1]) for base in ends if base is not None]
    if board.sea_path(start, stop) is None:
        faults.append(Fault(where, f"there is no way by sea from {line['from']} to {line['to']}"))


def _check_base(entry: dict[str, Any], where: str, bases: dict[str, Any], faults: list[Fault]) -> None:
    base = bases.get(entry["base"])
    if base is None:
        faults.append(Fault(f"{where}.base", f"there is no base “{entry['base']}”", "21.11"))
    elif base["side"] != entry["side"]:
        faults.append(Fault(f"{where}.base", f"{base['name']} is held by the enemy", "21.11"))
    elif not base["ports"] and not base["box"]:
        faults.append(Fault(f"{where}.base", f"naval units base in ports, and {base['name']} has none", "21.11"))


RANGE = {"europe": 40, "pacific": 20}


def _check_order(
    data: dict[str, Any],
    board: Mapboard,
    bases: dict[str, Any],
    entry: dict[str, Any],
    order: dict[str, Any],
    where: str,
    faults: list[Fault],
) -> None:
    """21.36: an activity is within 40 hexes of its base, 20 in the Pacific; supply and redeployment go any way."""
    to = _destination(board, bases, order["to"], where, faults)
    base = bases.get(entry["base"])
    if to is None or base is None:
        return
    start = (base["at"][0], base["at"][1])
    sails = board.sea_distance(start, to)
    most = RANGE[data["theatre"]]
    activity = Activity(order["activity"])
    if activity in ASHORE and _is_enemy_held(bases, entry["side"], order["to"], to):
        faults.append(Fault(f"{where}.to", f"{order['to']} is held by the enemy: invade it first", "22.15"))
    if sails is None:
        faults.append(Fault(f"{where}.to", f"there is no way by sea from {base['name']} to {order['to']}"))
    elif sails > most and activity not in UNLIMITED:
        faults.append(Fault(f"{where}.to", f"{order['to']} is {sails} hexes away, and {most} are the most", "21.36"))


def _is_enemy_held(bases: dict[str, Any], side: str, text: str, at: Hex) -> bool:
    """Whether an order leads to an enemy base, by its name or by the hex that it lies in."""
    there = [base for key, base in bases.items() if key == text or (tuple(base["at"]) == at and not base["box"])]
    return any([base["side"] != side for base in there])


ASHORE = frozenset({Activity.SEA_TRANSPORT, Activity.SEA_ESCORT, Activity.SEA_SUPPLY})
"""What is landed in a place that one's own side holds; to an enemy one it goes by invasion."""
PORT_TO_PORT = frozenset({Activity.BASE_CHANGE, Activity.REDEPLOYMENT, Activity.DISPLACEMENT, Activity.ASW})


def _check_fitness(bases: dict[str, Any], group: Group, order: dict[str, Any], where: str, faults: list[Fault]) -> None:
    """Whether the force can do it and the place fits: ships move to ports of their side, raiders to boxes."""
    activity = Activity(order["activity"])
    base = bases.get(order["to"])
    if activity in PORT_TO_PORT and (base is None or base["side"] != group.side or not (base["ports"] or base["box"])):
        faults.append(Fault(f"{where}.to", f"{order['to']} is no port of this side", "21.11"))
    if activity is Activity.RAID and (base is None or not base["box"]):
        faults.append(Fault(f"{where}.to", f"raiders go to an SW box, and {order['to']} is none", "21.533"))
    if activity is Activity.RAID and sum(group.ships.values()) > MOST_RAIDERS:
        faults.append(Fault(where, f"a raiding group has at most {MOST_RAIDERS} ships", "21.5342"))
    if activity in (Activity.RAID, Activity.PATROL) and any([which.kind is Kind.CVE for which in group.ships]):
        faults.append(Fault(where, "escort carriers neither patrol nor raid", "20.42"))
    if activity is Activity.ASW and not all([which.kind is Kind.DESTROYER for which in group.ships]):
        faults.append(Fault(where, "only destroyers deploy as ASW", "22.11A"))


def _destination(board: Mapboard, bases: dict[str, Any], text: str, where: str, faults: list[Fault]) -> Hex | None:
    if text in bases:
        at = bases[text]["at"]
        return at[0], at[1]
    return _find(board, text, f"{where}.to", faults)


# --- the state --------------------------------------------------------------------------------------------------


def operation_state(
    data: dict[str, Any], setting: Setting, sites: dict[str, Site], groups: dict[str, Group], shielded: Fleet
) -> OperationState:
    """The state at the start of an operation."""
    board: Mapboard = data["board"]
    bases = {base["id"]: base for base in data["bases"]}
    plan = Plan(
        board,
        setting,
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
    )
    state = OperationState(setting, [operation.start()], sites, shielded=shielded, plan=plan)
    _mark(state, data, groups)
    for entry in data["flotillas"]:
        at = board.find(entry["patrol"]) if entry["patrol"] else setting.places[entry["base"]].at
        patrol = _patrol(data, entry)
        state.flotillas[entry["id"]] = Flotilla(
            entry["side"], entry["nation"], entry["base"], at, entry["factors"], entry["advanced"], patrol
        )
    return state


def _mark(state: OperationState, data: dict[str, Any], groups: dict[str, Group]) -> None:
    """Each force gets the marker that everybody knows it by: task forces are numbered, others too."""
    numbers: dict[tuple[str, bool], int] = {}
    for entry in data["forces"]:
        group = groups[entry["id"]]
        kind = (group.side, group.task_force)
        numbers[kind] = numbers.get(kind, 0) + 1
        marker = f"{'TF' if group.task_force else 'group'} {numbers[kind]} ({state.name(group.side)})"
        at = state.plan.board.find(entry["patrol"]) if entry["patrol"] else state.place(entry["base"]).at
        patrol = _patrol(data, entry)
        state.fleet[entry["id"]] = NavalForce(
            group,
            entry["base"],
            at,
            marker,
            patrol=patrol,
            inverted=entry["inverted"],
            began_at_sea=entry["began_at_sea"],
        )


def _patrol(data: dict[str, Any], entry: dict[str, Any]) -> str:
    """21.418, 21.419: who is on patrol as his own player turn begins is on offensive patrol, others on defensive."""
    kind = "offensive" if entry["side"] == data["attacker"] else "defensive"
    return kind if entry["patrol"] else ""


def _order(board: Mapboard, bases: dict[str, Any], order: dict[str, Any]) -> Order:
    activity = Activity(order["activity"])
    at = _destination(board, bases, order["to"], "", [])
    assert at is not None, "it was checked"
    boxes = [box.id for box in board.boxes]
    base = order["to"] if order["to"] in bases or order["to"] in boxes else ""
    return Order(activity, order["stage"] or USUAL_STAGE[activity], at, base, order["worth"])
