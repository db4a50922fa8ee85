"""The board of any position: of a battle, an operation, an air turn or an air phase."""

from __future__ import annotations

from collections.abc import Iterator

from flagplot.awaw.board.bases import base_places, mission_news
from flagplot.awaw.board.chart import battle_news, chart_places, lost_place
from flagplot.awaw.board.sea import FIGHTS, force_places, sea_map, sea_news
from flagplot.awaw.board.turn import lead, turn_places
from flagplot.awaw.board.vectors import focus, vectors
from flagplot.awaw.views.position import Position
from flagplot.awaw.views.turn import PHASES
from flagplot.board.model import Board, News, Place, Steps
from flagplot.kernel.naming import in_sentence


def board_of(seen: Position) -> Board:
    """The board of a position; a battle within an air turn has the turn around it."""
    return _board(seen, _battle_places(seen) if seen.battle else _places(seen), around=_around(seen))


def _board(seen: Position, places: list[Place], around: Board | None = None, *, fought: bool = True) -> Board:
    operation = seen.operation
    return Board(
        title=seen.title,
        heading=heading(seen),
        reader=seen.side,
        names=seen.sides,
        roles=_roles(seen),
        flags=seen.flags,
        steps=tuple(steps_in(seen)),
        lead=tuple(_lead(seen)) if not seen.battle or not fought else (),
        news=tuple(_news(seen)) if fought else (),
        vectors=tuple(vectors(seen)) if fought else (),
        focus=tuple(focus(seen)) if fought else (),
        places=tuple([place for place in places if place.stacks or place.lines or place.room]),
        points=seen.points,
        sea=sea_map(seen, operation) if operation else None,
        around=around,
    )


def _battle_places(seen: Position) -> list[Place]:
    called, battle = names_with_roles(seen), seen.battle
    charts = chart_places(seen, battle, called) if battle else []
    return [*charts, lost_place(seen), *base_places(seen, called)]


def _places(seen: Position) -> list[Place]:
    called = names_with_roles(seen)
    forces = force_places(seen, seen.operation, called) if seen.operation else []
    if seen.turn:
        return [*turn_places(seen, seen.turn, forces), lost_place(seen)]
    return [*forces, *base_places(seen, called), lost_place(seen)]


def _around(seen: Position) -> Board | None:
    return _board(seen, _places(seen), fought=False) if seen.turn and seen.battle else None


# --- what stands above ------------------------------------------------------------------------------------------


def heading(seen: Position) -> str:
    """The title, and what is played: the stage, or what is fought and where."""
    operation = seen.operation
    if operation is None:
        return f"{seen.title}: {seen.phase}{' (over)' * seen.over}"
    if seen.over:
        return f"{seen.title}: battle over"
    if operation.fighting and seen.battle:
        what = FIGHTS.get(operation.fighting.kind, "fighting").lower()
        return f"{seen.title}: {what} in {operation.fighting.where}"
    if seen.turn:
        return f"{seen.title}: {seen.sides[seen.attacker]}, {seen.turn.stage} phase"
    return f"{seen.title}: {operation.stage} stage"


def _roles(seen: Position) -> dict[str, tuple[str, ...]]:
    first, second = ("moving", "intercepting") if seen.battle else ("moving" if seen.operation else "attacking", "")
    roles = {side: first if side == seen.attacker else second for side in seen.sides}
    return {side: (*[role] * bool(role), *["you"] * (side == seen.side)) for side, role in roles.items()}


def names_with_roles(seen: Position) -> dict[str, str]:
    """The sides with what they do: ``Japan (moving, you)``."""
    return {
        side: f"{seen.sides[side]} ({', '.join(roles)})" if roles else seen.sides[side]
        for side, roles in _roles(seen).items()
    }


def steps_in(seen: Position) -> Iterator[Steps]:
    """Where the game stands: the phase of a turn, the stage of an operation, the round of a battle."""
    stage = stage_steps(seen)
    if seen.turn and seen.turn.stage and stage and seen.turn.stage not in stage.line:
        turn, now = seen.turn, seen.turn.stage
        line = {phase: PHASES[phase][0] for phase in turn.stages}
        title = f"Player turn of {in_sentence(seen.sides[turn.player_turn.side])}"
        yield Steps(title, now, "", PHASES[now][1], line, outer=True)
    yield from filter(None, [stage, round_steps(seen)])


def stage_steps(seen: Position) -> Steps | None:
    """The steps of a stage, or the phases of a player turn."""
    step = seen.step
    return Steps(step.title, step.mark, step.name, step.rule, step.line) if step else None


def round_steps(seen: Position) -> Steps | None:
    """The segments of a round of naval combat."""
    now = seen.battle.segment if seen.battle else None
    return Steps(f"Round {seen.battle.round}", now.mark, now.name, now.rule, now.line) if seen.battle and now else None


def _lead(seen: Position) -> Iterator[str]:
    if seen.turn:
        yield lead(seen, seen.turn)
    if seen.operation:
        yield "Points: " + " to ".join([f"{seen.sides[side]} {number}" for side, number in seen.points.items()])


def _news(seen: Position) -> Iterator[News]:
    if seen.operation:
        yield from sea_news(seen, seen.operation)
    yield from mission_news(seen)
    if seen.battle:
        yield from battle_news(seen, seen.battle)
