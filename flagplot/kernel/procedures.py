"""Procedures are frames, segments are coroutines, and a segment begins with nothing but the state.

A procedure of the rulebook is a declared sequence of segments. A segment is a script, or a plain function if it asks
nothing and says nothing; what it returns says what comes next: None the following segment, a segment's name that one,
`END` the end of the procedure, `Call` another procedure first. The stack of frames is part of the state, so that at a
border the state alone says everything.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from types import GeneratorType
from typing import Any, NamedTuple, Protocol, TypeVar

from flagplot.kernel.requests import Request, Script

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
        """The segment that follows each in the printed order; none after the last."""
        self.first = self._last = ""

    def segment(self, rule: str, title: str) -> Callable[[Run], Run]:
        """Declare the decorated script as the next segment; its function's name is the segment's name."""

        def declare(script: Run) -> Run:
            name = script.__name__
            self.segments[name] = Segment(name, rule, title, script)
            self.scripts[name] = script
            self.frames[name] = Frame(self.name, name)
            self.after[name] = ""
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


class Border(NamedTuple):
    """Between two segments: the state alone says what comes next."""


BORDER = Border()


def story(
    procedures: dict[str, Procedure], state: HasFrames, *, before: bool = False
) -> Generator[Request | Border, Any, None]:
    """All that the segments on the stack ask and say, from the top one to the end of the last procedure, with a border
    after each of them but the plain ones (and also `before` each, if that is wanted), and one at the end."""
    frames = state.frames
    while frames:
        name, segment, arguments = frames[-1]
        procedure = procedures[name]
        script = procedure.scripts[segment]
        next_: Any = script(state, *arguments) if arguments else script(state)
        plain = next_.__class__ is not GeneratorType
        if not plain:
            if before:
                yield BORDER
            next_ = yield from next_
        if next_ is None:
            following = procedure.after[segment]
        elif isinstance(next_, str):
            following = next_
        else:
            following = next_.then or procedure.after[segment] if isinstance(next_, Call) else ""
        if not following:
            frames.pop()
        elif following != segment:
            frames[-1] = Frame(name, following, arguments) if arguments else procedure.frames[following]
        if isinstance(next_, Call):
            frames.append(Frame(next_.procedure, procedures[next_.procedure].first, next_.arguments))
        if not plain:
            yield BORDER
    yield BORDER
