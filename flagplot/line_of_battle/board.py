"""The board of *Line of Battle*: each unit is a stack of its own, in the box where it stands."""

from __future__ import annotations

from collections.abc import Iterator

from flagplot.board.model import Board, Counter, Note, Place, Silhouette, Stack, State, Steps
from flagplot.kernel.words import capital
from flagplot.line_of_battle.state import Box
from flagplot.line_of_battle.views import Position, UnitView

BOXES = {
    Box.LINE: "Line of Battle",
    Box.DISABLED: "Disabled",
    Box.DAMAGED: "Damaged/Reduced",
    Box.BOTH: "Damaged & Disabled",
    Box.SUNK: "Sunk/Destroyed",
    Box.DELAY: "Naval Warfare Delay",
    Box.OUT: "Out of play",
    Box.RETREATED: "Retreated",
}
STATES: dict[Box, State] = {Box.LINE: "active", Box.SUNK: "gone", Box.OUT: "gone"}


def board_of(seen: Position) -> Board:
    roles = {side: ("attacker",) * (side == seen.phasing) + ("you",) * (side == seen.side) for side in seen.sides}
    return Board(
        title=seen.title,
        heading=heading(seen),
        reader=seen.side,
        names=seen.sides,
        roles=roles,
        flags={side: side for side in seen.sides},
        steps=tuple(_steps(seen)),
        lead=tuple(setting(seen)),
        places=tuple([place for side in seen.sides for place in _faction(seen, side, roles[side])]),
    )


def heading(seen: Position) -> str:
    action = f", {seen.action} action" if seen.action else ""
    over = f": battle over ({seen.resolution})" if seen.over else ""
    return f"{seen.title}: {_round(seen)}{action}{over}"


def _round(seen: Position) -> str:
    return f"round {seen.round}" if seen.round else "before the first round"


def setting(seen: Position) -> list[str]:
    """Where it is fought, and what the factions have selected as far as the reader knows."""
    near = [seen.sides[side] for side, here in seen.air_bases.items() if here]
    sea = "an All-Sea Hex" if seen.all_sea else "a coastal hex"
    action = f"{seen.action.capitalize()} action in" if seen.action else "In"
    chosen = [f"{seen.sides[side]} {choice}" for side, choice in seen.selected.items()]
    bases = f"air bases nearby: {', '.join(near)}" if near else "no air base nearby"
    lines = [f"{action} {sea}; {bases}"]
    return [*lines, f"Selected: {', '.join(chosen)}"] if chosen and not seen.action else lines


def _steps(seen: Position) -> Iterator[Steps]:
    if now := seen.segment:
        title = _round(seen)
        yield Steps(capital(title), now.mark, now.name, now.rule, now.line)


def _faction(seen: Position, side: str, roles: tuple[str, ...]) -> Iterator[Place]:
    """The line itself, and all other boxes that are not empty."""
    name, strength = seen.sides[side], seen.strength[side]
    called = f"{name} ({', '.join(roles)})" if roles else name
    units: dict[Box, list[Stack]] = {box: [] for box in BOXES}
    for unit in seen.units:
        if unit.side == side:
            units[unit.box].append(_unit(seen, unit))
    note = f"{strength.left} of {strength.began} attack factors fit"
    line = tuple(units[Box.LINE])
    yield Place(kind="line", title=f"{called}: Line of Battle", side=side, note=note, room=1, stacks=line)
    rest = [stack for box, stacks in units.items() if box is not Box.LINE for stack in stacks]
    if rest:
        yield Place(kind="boxes", title=f"{name}: other boxes", side=side, stacks=tuple(rest))


def of_box(seen: Position, side: str, box: Box) -> list[UnitView]:
    return [unit for unit in seen.units if unit.side == side and unit.box is box]


def _unit(seen: Position, unit: UnitView) -> Stack:
    air = unit.kind == "lba"
    weapons = (("gunnery", unit.gunnery), ("torpedo", unit.torpedo), ("airstrike", unit.airstrike))
    notes = tuple(noted(seen, unit))
    counter = Counter(
        text=unit.name,
        silhouette=_silhouette(unit),
        brief=", ".join([f"{word} {factor}" for word, factor in weapons if factor]) or "no attack",
        detail=f"defense {unit.defense}" + (f", damage {unit.damage}" if unit.damage else ""),
        id=unit.id,
        tag=unit.id,
        label=unit.name,
        value="·".join([str(factor) for _, factor in weapons if factor]),
        facts=tuple([f"{word} {factor}" for word, factor in weapons if factor]),
        notes=tuple([note.told for note in notes]),
        factors=sum([factor for _, factor in weapons]),
        damaged=unit.damaged,
    )
    turned = [Note("reduced side up" if air else "damaged side up", "hit")] if unit.damaged else []
    printed = [Note(words, "faint") for words, so in (("land-based air", air), ("bonus", unit.bonus)) if so]
    return Stack(
        kind="unit",
        title=unit.name,
        side=unit.side,
        subject=f"unit:{unit.id}",
        state=STATES.get(unit.box, "distant"),
        where="" if unit.box is Box.LINE else BOXES[unit.box],
        items=(counter, *turned, *printed, *notes),
    )


def _silhouette(unit: UnitView) -> Silhouette:
    """The page knows ships and aircraft only; what is printed on a ship tells about how large it is."""
    if unit.kind == "lba":
        return "plane"
    if unit.airstrike:
        return "carrier"
    return "battleship" if unit.defense > 5 or unit.gunnery > 3 else "cruiser" if unit.defense > 2 else "destroyer"


def noted(seen: Position, unit: UnitView) -> Iterator[Note]:
    """What is noted beside a unit."""
    if unit.target:
        target = next(other.name for other in seen.units if other.id == unit.target)
        weapons = f" with {' and '.join(unit.weapons)}" if unit.weapons else ""
        yield Note(f"attacks {target}{weapons}", sign="eye")
    if unit.points:
        yield Note(f"{unit.points} point{'s' * (unit.points != 1)} of hits", "hit")
    if unit.disabled and unit.fate != "disabled":
        yield Note("disabled", "hit")
    if unit.fate and unit.box is Box.DELAY:
        yield Note(unit.fate, "hit")


def subjects_of(board: Board, option: str) -> tuple[str, ...]:
    """What on the board an option means: ``targets:helm:chokai`` the Chokai."""
    verb, _, words = option.partition(":")
    subject = f"unit:{words.partition(':')[2]}"
    known = any([stack.subject == subject for place in board.places for stack in place.stacks])
    return (subject,) if verb == "targets" and known else ()
