"""A position as plain text: the bases of each side with their air, the forces on the map, the chart of a battle."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from flagplot.awaw.board.bases import base, mission_news
from flagplot.awaw.board.boards import round_steps, stage_steps
from flagplot.awaw.board.chart import battle_news, chart_places, lost_place
from flagplot.awaw.board.sea import force_places
from flagplot.awaw.tables.nations import nation
from flagplot.awaw.views.battle import BattleView
from flagplot.awaw.views.operation import OperationView
from flagplot.awaw.views.position import Position
from flagplot.awaw.views.turn import TurnView, UnitView
from flagplot.awaw.views.units import Flights
from flagplot.board.model import Counter, Item, News, Note, Stack, listed


def draw(seen: Position) -> str:
    """A position as lines of text."""
    when = seen.phase if seen.stage is None else seen.stage
    lines = [f"{seen.title}: {when}{' (over)' * seen.over}"]
    if seen.turn:
        lines += turn_lines(seen, seen.turn)
    if seen.operation:
        lines += _operation(seen, seen.operation)
    if seen.battle:
        lines += _battle(seen, seen.battle)
    return "\n".join([*lines, *_bases(seen), *_told(mission_news(seen))])


def _told(news: Iterator[News]) -> list[str]:
    return [f"{' ' * one.indent}{one.who}{one.told(lambda counter: counter.words)}" for one in news]


def _headed(stack: Stack, name: str) -> str:
    marks = ", ".join([note.told for note in stack.marks])
    return f"  {name}{f' [{marks}]' if marks else ''}"


# --- bases ------------------------------------------------------------------------------------------------------


def _bases(seen: Position) -> Iterator[str]:
    stacks = [base(key, site) for key, site in seen.sites.items()]
    if seen.battle:
        yield from ["Bases"] if stacks else []
        yield from [line for stack in stacks for line in _base(stack)]
        return
    for side, name in seen.sides.items():
        yield f"{name}{' (attacking)' * (side == seen.attacker)}"
        yield from [line for stack in stacks if stack.side == side for line in _base(stack)]


def _base(stack: Stack) -> Iterator[str]:
    yield _headed(stack, stack.title)
    yield from [f"    {_flight(counter)}" for counter in stack.counters] or ["    no air units"]


def _flight(counter: Counter) -> str:
    return f"{counter.words}, {counter.doing}" if counter.doing else counter.words


# --- a turn and its map -----------------------------------------------------------------------------------------


def turn_lines(seen: Position, turn: TurnView) -> list[str]:
    """Whose player turn it is, and what is on the map beside bases and ships."""
    now = turn.player_turn
    lines = [
        f"Player turn {now.number} of {now.of}: {seen.sides[now.side]}, {now.season}",
        "BRPs: " + (", ".join(f"{nation(key).name} {left}" for key, left in turn.brps.items()) or "none"),
    ]
    for side, name in seen.sides.items():
        mine = [_unit(unit) for unit in turn.units.values() if unit.side == side]
        lines += [f"{name} on the ground: {'; '.join(mine)}"] * bool(mine)
    lines += [f"Over {flight.where}: {_air(flight.air)}, {flight.kind.replace('-', ' ')}" for flight in turn.flights]
    lines += [f"Out when its base fell: {_air(entry.air)}" for entry in turn.absent]
    if turn.kamikaze_pool.limit:
        pool = turn.kamikaze_pool
        lines.append(f"Kamikazes: {pool.ready} ready, {pool.unbuilt} to build, force pool {pool.limit}")
    return lines


def _unit(unit: UnitView) -> str:
    supply = "" if unit.supply == "full" else f", supply {unit.supply}"
    return f"{unit.name} ({unit.factors}-factor {unit.kind}, {unit.where}{supply})"


def _air(flights: Flights) -> str:
    return "; ".join([flight.text for flight in flights]) or "no air units"


def _operation(seen: Position, operation: OperationView) -> Iterator[str]:
    """The forces on the map."""
    if steps := stage_steps(seen):
        yield str(steps)
    for place in force_places(seen, operation, seen.sides):
        yield seen.sides[place.side]
        yield from [_force(stack) for stack in place.stacks]
    if operation.kamikazes:
        yield f"Kamikazes that have not flown: {operation.kamikazes}"


def _force(stack: Stack) -> str:
    doing = f" on {stack.doing}" if stack.doing else ""
    if stack.kind == "flotilla":
        return f"  submarines in {stack.where}{doing}: {stack.counters[0].factors}"
    marks = " (inverted)" * bool(stack.marks)
    known = stack.state != "hidden"
    ships = f": {listed([ship for ship in stack.ships if not ship.doing], _text)}" if known else ""
    return f"  {stack.marker} in {stack.where}{doing}{marks}{ships}"


# --- the chart of a battle --------------------------------------------------------------------------------------


def _battle(seen: Position, battle: BattleView) -> Iterator[str]:
    """The groups of each side by number, then air units, what is being fought, and losses."""
    if steps := round_steps(seen):
        yield f"{steps.title}: {steps.marked} {steps.name}"
    *charts, beside = chart_places(seen, battle, seen.sides)
    for place in charts:
        yield f"{seen.sides[place.side]} ({'moving' if place.side == seen.attacker else 'intercepting'})"
        for stack in place.stacks:
            yield from _group(stack)
        for stack in beside.stacks:
            if stack.side == place.side:
                yield from _off_the_chart(stack)
    yield from _told(battle_news(seen, battle))
    yield from [f"{stack.title}: {_ships(stack)}" for stack in lost_place(seen).stacks if stack.ships]


def _group(stack: Stack) -> Iterator[str]:
    yield _headed(stack, f"{stack.title} {stack.name}".strip())
    yield from [f"    {_row(items)}" for items in stack.lines]


def _row(items: list[Item]) -> str:
    """Notes, ships, or air units that do the same, in one line."""
    counters = [item for item in items if isinstance(item, Counter)]
    if not counters:
        return ", ".join([item.told for item in items if isinstance(item, Note)])
    words, doing = listed(counters, _text), counters[0].doing
    return f"{doing}: {words}" if doing and counters[0].is_ship else f"{words} {doing}".strip()


def _text(counter: Counter) -> str:
    return counter.text


def _off_the_chart(stack: Stack) -> Iterator[str]:
    """What waits, what has left, air units that belong to no group, and submarines."""
    aboard = listed([counter for counter in stack.counters if counter.doing == "aboard"], _text)
    match stack.kind:
        case "waiting" if not stack.counters:
            yield f"  {_row(list(stack.items))}"
        case "waiting":
            yield f"{_headed(stack, stack.name)}: {_ships(stack)}"
            yield from [f"    {aboard} aboard"] if aboard else []
        case "departed":
            ships = f": {_ships(stack)}" if stack.ships else ""
            air = f" with {aboard}" if aboard else ""
            yield f"{_headed(stack, f'{stack.title} {stack.name}'.strip())}{ships}{air}"
        case "carrier-air":
            for doing, squadrons in groupby(stack.counters, lambda counter: counter.doing):
                some = list(squadrons)
                if doing != "have flown":
                    plain = some[0].is_ship or doing.startswith("of which")
                    yield f"  {'' if plain else 'carrier air '}{doing}: {listed(some, _text)}"
        case _:
            yield from [f"  {counter.text}" for counter in stack.counters]


def _ships(stack: Stack) -> str:
    return listed([ship for ship in stack.ships if not ship.doing], _text) or "no ships"
