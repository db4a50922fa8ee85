"""Procedures are frames, segments are coroutines, and a segment begins with nothing but the state.

A procedure of the rulebook is a declared sequence of segments. A segment is a script, or a plain function if it asks
nothing and says nothing; what it returns says what comes next: None the following segment, a segment's name that one,
`END` the end of the procedure, `Call` another procedure first. The stack of frames is part of the state, so that at a
border the state alone says everything.
"""

from __future__ import annotations

from collections.abc import Callable
from types import GeneratorType
from typing import Any, NamedTuple, Protocol, TypeVar

from flagplot.kernel.requests import Script

Argument = str | int


class Frame(NamedTuple):
    """Where a procedure stands: its name, the segment to run, and the few arguments it was called with."""

    procedure: str
    segment: str
    arguments: tuple[str | int, ...] = ()


class Call(NamedTuple):
    """Go through another procedure, then on to the segment that follows (or to `then`)."""

    procedure: str
    arguments: tuple[str | int, ...] = ()
    then: str = ""


class End(NamedTuple):
    """The procedure is over."""


END = End()
Next = None | str | End | Call


class HasFrames(Protocol):
    """All that the kernel asks of a state: it is plain data and keeps its frames."""

    frames: list[Frame]


class Segment(NamedTuple):
    """One step of a procedure, as the book lists it."""

    name: str
    rule: str
    title: str
    script: Callable[..., Script[Next] | Next]


Run = TypeVar("Run", bound=Callable[..., Script[Next] | Next])


class Procedure:
    """A sequence of segments, declared in the order of the book by decorating their scripts."""

    def __init__(self, name: str, rule: str, title: str) -> None:
        self.name = name
        self.rule = rule
        self.title = title
        self.segments: dict[str, Segment] = {}
        self.scripts: dict[str, Callable[..., Script[Next] | Next]] = {}
        self.frames: dict[str, Frame] = {}
        """Each segment's frame without arguments, ready to be pushed."""
        self.after: dict[str, str] = {}
        """The segment that follows each in the printed order."""
        self.first = self._last = ""

    def segment(self, rule: str, title: str) -> Callable[[Run], Run]:
        """Declare the decorated script as the next segment; its function's name is the segment's name."""

        def declare(script: Run) -> Run:
            name = script.__name__
            self.segments[name] = Segment(name, rule, title, script)
            self.scripts[name] = script
            self.frames[name] = Frame(self.name, name)
            if self._last:
                self.after[self._last] = name
            self.first = self.first or name
            self._last = name
            return script

        return declare

    def start(self, *arguments: str | int) -> Frame:
        return Frame(self.name, self.first, arguments)

    def outline(self) -> list[str]:
        """The sequence of play, printed from the code itself."""
        steps = [f"  {segment.title} ({segment.rule})" for segment in self.segments.values()]
        return [f"{self.title} ({self.rule})", *steps]


def begin(procedures: dict[str, Procedure], state: HasFrames) -> Script[Next] | None:
    """The script of the segment on top of the stack, after any plain segments before it; None at the end."""
    frames = state.frames
    while frames:
        procedure, segment, arguments = frames[-1]
        script = procedures[procedure].scripts[segment]
        started: Any = script(state, *arguments) if arguments else script(state)
        if started.__class__ is GeneratorType:
            running: Script[Next] = started
            return running
        proceed(procedures, frames, started)
    return None


def proceed(procedures: dict[str, Procedure], frames: list[Frame], next_: Next) -> None:
    """Move the stack of frames on, after a segment that returned `next_`."""
    name, segment, arguments = frames[-1]
    following: str | None
    if next_ is None:
        following = procedures[name].after.get(segment)
    elif isinstance(next_, str):
        following = next_
    elif isinstance(next_, Call):
        following = next_.then or procedures[name].after.get(segment)
    else:
        following = None
    if following is None:
        frames.pop()
    elif following != segment:
        frames[-1] = Frame(name, following, arguments) if arguments else procedures[name].frames[following]
    if isinstance(next_, Call):
        frames.append(Frame(next_.procedure, procedures[next_.procedure].first, next_.arguments))
