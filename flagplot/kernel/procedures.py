"""Procedures are frames, segments are coroutines, and a segment begins with nothing but the state.

A procedure of the rulebook is a declared sequence of segments. A segment is a script, or a plain function if it asks
nothing and says nothing; what it returns says what comes next: None the following segment, a segment that one, `END`
the end of the procedure, `Call` another procedure first. Scripts refer to segments and procedures themselves. The stack
of frames is part of the state and has their names, so that at a border the state alone says everything.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from types import GeneratorType
from typing import Any, Generic, NamedTuple, ParamSpec, Protocol, TypeVar

from flagplot.kernel.requests import Request, Script

Argument = str | int


class Frame(NamedTuple):
    """Where a procedure stands: its name, the segment to run, and the few arguments it was called with."""

    procedure: str
    segment: str
    arguments: tuple[str | int, ...] = ()

    def is_at(self, *segments: AnySegment) -> bool:
        return any([self.segment == one.name and self.procedure == one.procedure for one in segments])


class HasFrames(Protocol):
    """All that the kernel asks of a state: it is plain data and keeps its frames."""

    frames: list[Frame]


Given = ParamSpec("Given")
Led = TypeVar("Led")


class Segment(Generic[Given, Led]):
    """One step of a procedure, as the book lists it. Called, it is its script; returned by a script, it comes next."""

    __slots__ = ("frame", "name", "place", "procedure", "rule", "script", "title")

    def __init__(self, procedure: str, rule: str, title: str, script: Callable[Given, Led], place: int = 0) -> None:
        self.procedure = procedure
        self.name = script.__name__
        self.rule = rule
        self.title = title
        self.script = script
        self.place = place
        self.frame = self.start()
        """Its frame without arguments, ready to be pushed."""

    def __call__(self, *arguments: Given.args, **named: Given.kwargs) -> Led:
        return self.script(*arguments, **named)

    def start(self, *arguments: str | int) -> Frame:
        return Frame(self.procedure, self.name, arguments)


AnySegment = Segment[..., Any]


class Procedure:
    """A sequence of segments, declared in the order of the book by decorating their scripts."""

    def __init__(self, name: str, rule: str, title: str) -> None:
        self.name = name
        self.rule = rule
        self.title = title
        self.segments: dict[str, AnySegment] = {}
        self.steps: dict[str, tuple[Callable[..., Script[Next] | Next], Frame | None]] = {}
        """Each segment's script, and the frame of the segment that follows it in the printed order."""
        self.first = Frame(name, "")
        """The frame of its first segment."""
        self._last = ""

    def segment(
        self, rule: str, title: str
    ) -> Callable[[Callable[Given, Led] | Segment[Given, Led]], Segment[Given, Led]]:
        """Declare the decorated script (or another procedure's segment) as the next segment; its function's name is the
        segment's name."""

        def declare(script: Callable[Given, Led] | Segment[Given, Led]) -> Segment[Given, Led]:
            plain = script.script if isinstance(script, Segment) else script
            made = Segment(self.name, rule, title, plain, len(self.segments))
            name = made.name
            self.segments[name] = made
            self.steps[name] = made.script, None
            if self._last:
                self.steps[self._last] = self.steps[self._last][0], made.frame
            else:
                self.first = made.frame
            self._last = name
            return made

        return declare

    def calls(self, name: str, rule: str, title: str, procedure: Procedure, *arguments: str | int) -> AnySegment:
        """Declare a segment of that name that does nothing but call another procedure."""
        call = Call(procedure, arguments)

        def script(state: HasFrames) -> Next:
            return call

        script.__name__ = name
        return self.segment(rule, title)(script)

    @property
    def after(self) -> dict[str, str]:
        """The segment that follows each in the printed order; none after the last."""
        return {name: following.segment if following else "" for name, (_, following) in self.steps.items()}

    def start(self, *arguments: str | int) -> Frame:
        return self.first._replace(arguments=arguments)

    def under_way(self, frames: Sequence[Frame]) -> Sequence[Frame]:
        """Its frame in a stack and all above it; nothing if it is not under way."""
        for place, frame in enumerate(frames):
            if frame.procedure == self.name:
                return frames[place:]
        return ()

    def outline(self) -> list[str]:
        """The sequence of play, printed from the code itself."""
        steps = [f"  {segment.title} ({segment.rule})" for segment in self.segments.values()]
        return [f"{self.title} ({self.rule})", *steps]


class Call(NamedTuple):
    """Go through another procedure, then on to the segment that follows (or to `then`)."""

    procedure: Procedure
    arguments: tuple[str | int, ...] = ()
    then: AnySegment | None = None


class End(NamedTuple):
    """The procedure is over."""


END = End()
Next = None | AnySegment | End | Call


def table(*procedures: Procedure) -> dict[str, Procedure]:
    """The procedures of a game by name, all of them with segments: a frame names what is in here."""
    empty = [procedure.name for procedure in procedures if not procedure.segments]
    made = {procedure.name: procedure for procedure in procedures}
    if empty or len(made) < len(procedures):
        raise ValueError(f"procedures without segments: {empty}; {len(procedures)} with {len(made)} names")
    return made


class Border(NamedTuple):
    """Between two segments: the state alone says what comes next."""


BORDER = Border()


_new = tuple.__new__
"""Makes a named tuple in half of the time: frames come and go very often."""


class Borders:
    """Whether somebody who runs a story wants to be told of its borders: that takes time at each of them."""

    __slots__ = ("passed", "told")

    def __init__(self, *, told: bool) -> None:
        self.told = told
        self.passed = 0
        """How many were passed that nobody was told of. The last of a story is always told."""


def story(
    procedures: dict[str, Procedure], state: HasFrames, borders: Borders | None = None, *, before: bool = False
) -> Generator[Request | Border, Any, None]:
    """All that the segments on the stack ask and say, from the top one to the end of the last procedure, with a border
    after each of them but the plain ones (and also `before` each, if that is wanted), and one at the end. With
    `borders` those between segments are told only while somebody wants to be told of them."""
    if borders is None:
        borders = Borders(told=True)
    frames = state.frames
    while frames:
        name, segment, arguments = frames[-1]
        script, following = procedures[name].steps[segment]
        next_: Any = script(state, *arguments) if arguments else script(state)
        asks = type(next_) is GeneratorType
        if asks:
            if before:
                yield BORDER
            next_ = yield from next_
        call = None
        if next_ is not None:
            if type(next_) is Call:
                call, next_ = next_, next_.then
            if next_ is END:
                following = None
            elif next_ is not None:
                following = procedures[name].segments[next_.name].frame
        if following is None:
            frames.pop()
        else:
            frames[-1] = _new(Frame, (name, following[1], arguments)) if arguments else following
        if call is not None:
            first, given = procedures[call.procedure.name].first, call.arguments
            frames.append(_new(Frame, (first[0], first[1], given)) if given else first)
        if asks:
            if borders.told:
                yield BORDER
            else:
                borders.passed += 1
    yield BORDER
