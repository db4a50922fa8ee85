"""Where a naval battle stands (22.41): the lettered segments of a round, and which of them is being played.

The procedure has more segments than the book has letters; each belongs to one letter here. W is the withdrawal between
rounds, and the end comes once. What is told follows from the frames alone, so it tells both sides the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from flagplot.awaw.battle.rounds import (
    air_cover,
    allocation,
    close_round,
    combat_air_patrol,
    combat_groups,
    end_battle,
    first_strikes,
    fleets,
    intercepting_sorties,
    landing,
    late_patrol,
    leave_bases,
    moving_sorties,
    raid,
    reveal,
    search_squadrons,
    searches,
    second_strikes,
    submarines,
    surprise_strike,
    withdrawal,
)
from flagplot.awaw.procedures import naval_battle
from flagplot.kernel.procedures import AnySegment, Frame
from flagplot.kernel.view_types import Seen


class Stage(NamedTuple):
    """A letter of the book, with a short name and the segments that carry it out."""

    mark: str
    name: str
    segments: tuple[AnySegment, ...]


STAGES: Final = (
    Stage("A", "combat groups", (combat_groups,)),
    Stage("B", "patrol and bases", (combat_air_patrol, moving_sorties, intercepting_sorties)),
    Stage("C", "carrier air", (allocation, late_patrol)),
    Stage("D", "air cover", (air_cover,)),
    Stage("E", "search", (search_squadrons, searches)),
    Stage("F", "found groups", (reveal,)),
    Stage("G", "air strikes", (surprise_strike, first_strikes, second_strikes, landing)),
    Stage("H", "fleet combat", (fleets, raid)),
    Stage("I", "submarines", (submarines,)),
    Stage("W", "withdrawal", (withdrawal, close_round, leave_bases)),
    Stage("End", "end of the battle", (end_battle,)),
)

LINE: Final = {stage.mark: stage.name for stage in STAGES}
_OF: Final = {segment.name: stage.mark for stage in STAGES for segment in stage.segments}
_BEFORE: Final = {later: earlier for earlier, later in naval_battle.after.items()} | {submarines.name: fleets.name}


def of_battle(frames: Sequence[Frame]) -> Sequence[Frame]:
    """The frames of the naval battle that is being fought, and of what it called; in an operation others are below."""
    return naval_battle.under_way(frames)


class SegmentView(Seen):
    """The segment that is being played, with the line of them all."""

    mark: str
    name: str
    rule: str
    title: str
    line: dict[str, str]


def present_stage(frames: Sequence[Frame]) -> SegmentView | None:
    """The segment that is being played; nothing when the battle is over."""
    name = _present(frames)
    if not name:
        return None
    segment, mark = naval_battle.segments[name], _OF[name]
    return SegmentView(mark=mark, name=LINE[mark], rule=segment.rule, title=segment.title, line=LINE)


def present_mark(frames: Sequence[Frame]) -> str:
    """Its letter alone."""
    name = _present(frames)
    return _OF[name] if name else ""


def _present(frames: Sequence[Frame]) -> str:
    """The name of the segment that is being played: one that called another procedure has already moved its frame on to
    the one that follows."""
    for place, frame in enumerate(frames, 1):
        if frame.procedure == naval_battle.name:
            name = frame.segment
            return name if place == len(frames) else _BEFORE.get(name, name)
    return ""
