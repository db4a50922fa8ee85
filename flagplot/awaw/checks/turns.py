"""The part of a scenario file that only air turns have."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.air_units import Arm
from flagplot.awaw.belonging import check_classic, check_naval
from flagplot.awaw.checks.airbases import check_basing
from flagplot.awaw.checks.ground import check_ground_units
from flagplot.awaw.checks.places import find_or_base, hex_of
from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.hexes import Hex, distance
from flagplot.awaw.options import Options
from flagplot.awaw.state.battle import Group
from flagplot.awaw.tables.nations import nations
from flagplot.awaw.turn.construction.kamikaze_pool import STEP
from flagplot.awaw.turn.construction.training import CVE, CVE_NATIONS
from flagplot.kernel.errors import Fault
from flagplot.kernel.rules import rule


def check_turn(data: dict[str, Any], groups: dict[str, Group], options: Options, faults: list[Fault]) -> None:
    """Everything that is wrong with the part of a scenario that only air turns have."""
    board, turn = data.get("board"), data["turn"]
    if not turn:
        faults.append(Fault("turn", "this is missing: the player turns that are played, and their phases"))
    if board is None or not turn:
        return
    turn["turns"] = turn["turns"] or [data["attacker"]]
    bases = {base["id"]: base for base in data["bases"]}
    _check_player_turns(data, faults)
    _check_bases_named(turn, bases, faults)
    neutral = _check_land(data, board, bases, faults)
    check_ground_units(data, board, groups, neutral, faults)
    _check_nations(turn, faults)
    _check_strategic(data, faults)
    _check_force_pool(turn, options, faults)
    _check_kamikazes(turn, faults)
    check_basing(data, faults)


def _check_player_turns(data: dict[str, Any], faults: list[Fault]) -> None:
    ids, turns = [side["id"] for side in data["sides"]], data["turn"]["turns"]
    for side in turns:
        if side not in ids:
            faults.append(Fault("turn.turns", f"“{side}” is not one of the sides: {', '.join(ids)}"))
    if turns[0] != data["attacker"]:
        faults.append(Fault("turn.turns", "the first player turn is that of the attacker"))


@rule("18.73B", "18.511E")
def _check_bases_named(turn: dict[str, Any], bases: dict[str, Any], faults: list[Fault]) -> None:
    """Bases are bases of the file, boxes of the United States are boxes (18.73B), and the Hump has two ends."""
    for key in ("homes", "airbases", "island_groups", "fronts", "new_minors", "gained", "us_boxes", "hump"):
        for base in turn[key]:
            if base not in bases:
                faults.append(Fault(f"turn.{key}", f"there is no base “{base}”", "18.511E" * (key == "hump")))
    for base in turn["us_boxes"]:
        if base in bases and not bases[base]["box"]:
            faults.append(Fault("turn.us_boxes", f"{base} is a base on the map, not a box", "18.73B"))
    if len(set(turn["hump"])) == 1:
        faults.append(Fault("turn.hump", "BRPs are flown from one base to another: name both of them", "18.511E"))


@rule("18.22")
def _check_land(data: dict[str, Any], board: Mapboard, bases: dict[str, Any], faults: list[Fault]) -> dict[Hex, str]:
    """Neutral, rough and snowbound hexes, and the targets of bombers, are on the map. The hexes that are neutral, and
    where the file says so; nobody has a base there (18.22)."""
    turn, neutral = data["turn"], {}
    for number, text in enumerate(turn["neutral"]):
        where = f"turn.neutral[{number}]"
        at = find_or_base(board, bases, text, where, faults)
        _check_neutral(board, at, where, faults)
        neutral[at] = where
    for number, base in enumerate(data["bases"]):
        if not base["box"] and hex_of(base) in neutral:
            message = f"{base['name']} lies in a neutral hex: {neutral[hex_of(base)]}"
            faults.append(Fault(f"bases[{number}]", message, "18.22"))
    for key in ("rough", "winter"):
        for number, text in enumerate(turn[key]):
            find_or_base(board, bases, text, f"turn.{key}[{number}]", faults)
    for number, pair in enumerate(turn["neutral_sides"]):
        _check_hexside(board, bases, pair, f"turn.neutral_sides[{number}]", faults)
    for place in turn["targets"]:
        find_or_base(board, bases, place, "turn.targets", faults)
    return neutral


@rule("18.22")
def _check_hexside(board: Mapboard, bases: dict[str, Any], pair: list[str], where: str, faults: list[Fault]) -> None:
    """18.22: a hexside lies between two hexes that touch."""
    before = len(faults)
    one, other = (find_or_base(board, bases, text, where, faults) for text in pair)
    if len(faults) == before and distance(one, other) != 1:
        message = f"a hexside lies between adjacent hexes; {pair[0]} and {pair[1]} are {distance(one, other)} apart"
        faults.append(Fault(where, message, "18.22"))


@rule("18.22.2")
def _check_neutral(board: Mapboard, at: Hex, where: str, faults: list[Fault]) -> None:
    """18.22: only hexes that are land altogether are closed; of others the hexsides are."""
    if at in board and board.is_water(at):
        message = "this hex is part water, so air units fly over it: name its neutral_sides instead"
        faults.append(Fault(where, message, "18.22"))


def _check_nations(turn: dict[str, Any], faults: list[Fault]) -> None:
    for country in (*turn["brps"], *turn["factions"], *turn["training"], *turn["airbase_counters"]):
        if country not in nations():
            faults.append(Fault("turn", f"there is no nation “{country}”"))
    for base, country in turn["homes"].items():
        if country not in nations():
            faults.append(Fault(f"turn.homes.{base}", f"there is no nation “{country}”"))


def _check_strategic(data: dict[str, Any], faults: list[Fault]) -> None:
    """Strategic bombers and interceptors."""
    for number, entry in enumerate(data["turn"]["sw"]):
        where = f"turn.sw[{number}]"
        if all(entry["nation"] not in side["nations"] for side in data["sides"]):
            faults.append(Fault(f"{where}.nation", f"“{entry['nation']}” fights on neither side"))
        _check_bombers(entry["nation"], entry["arm"], f"{where}.nation", faults)
        _check_theatre(entry["arm"], data["theatre"], f"{where}.arm", faults)


def _check_force_pool(turn: dict[str, Any], options: Options, faults: list[Fault]) -> None:
    for key in turn["force_pool"]:
        country, _, arm = key.partition("/")
        where = f"turn.force_pool.{key}"
        if country not in nations() or arm not in [*Arm, CVE]:
            faults.append(Fault(where, "this should be a nation and an arm, such as japan/naval"))
        elif arm == CVE and country not in CVE_NATIONS:
            faults.append(Fault(where, "the U.S. builds CVEs, for itself and for Britain", "17.353B"))
        elif arm != CVE:
            check_naval(country, Arm(arm), where, faults)
            check_classic(country, Arm(arm), where, options, faults)
            _check_bombers(country, arm, where, faults)


@rule("17.75A")
def _check_bombers(country: str, arm: str, where: str, faults: list[Fault]) -> None:
    """17.75: the strategic bombers of the Pacific are American."""
    if arm == Arm.PACIFIC_BOMBER and country != "united-states":
        faults.append(Fault(where, f"only the U.S. has Pacific strategic bombers, not {country}", "17.75"))


@rule("17.75A")
def _check_theatre(arm: str, theatre: str, where: str, faults: list[Fault]) -> None:
    """17.75A: they are in no box of Europe; those that are not built do no harm in a force pool."""
    if arm == Arm.PACIFIC_BOMBER and theatre != "pacific":
        faults.append(Fault(where, "Pacific strategic bombers are used in the Pacific alone", "17.75A"))


@rule("17.43A", "17.43C")
def _check_kamikazes(turn: dict[str, Any], faults: list[Fault]) -> None:
    """17.43: the kamikaze force pool is 15, 30, 45 and so on, and holds those that are built and those that are not."""
    limit = turn["kamikaze_limit"]
    if limit % STEP:
        faults.append(Fault("turn.kamikaze_limit", f"the force pool is 15, 30, 45 and so on, not {limit}", "17.43A"))
    if turn["kamikazes"] + turn["kamikaze_unbuilt"] > limit:
        faults.append(Fault("turn.kamikazes", f"there are more of them than the force pool of {limit} holds", "17.43A"))
