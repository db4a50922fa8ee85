"""The log: what happened, as one side may read it. Entries are made when somebody reads them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

from flagplot.kernel.ledger import NOTHING, Ledger
from flagplot.kernel.requests import Choose, Faces, Headline, Note, Request, Roll
from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.words import answered, sentence

Event: TypeAlias = tuple[Request, Any]
"""A request and its answer: an option's index, the faces, None for a note, `FORCED` for a choice with one option."""

FORCED = -1
"""Marks a choice that left no choice: it was not asked and is not on the tape."""


class Entry(NamedTuple):
    """One line of the log as its reader may know it."""

    kind: str
    """``note``, ``choice`` or ``roll``."""
    side: str
    text: str
    rule: str
    ledger: Ledger = NOTHING
    faces: tuple[int, ...] = ()
    reading: str = ""
    counts: str = ""
    """What the ledger of a roll adds up to, if it is no modifier."""
    mark: str = ""
    """How a choice came about that nobody made: ``forced``, ``orders``; only its own side reads that."""
    headline: Headline | None = None
    """What kind of news a note brings, if it is to be shown and not only read."""

    @property
    def total(self) -> str:
        """What the ledger of a roll comes to: ``modifier +2``, ``level 3``, ``2 dice``; nothing without a ledger."""
        return sum_of(self.ledger, self.counts)

    @property
    def arithmetic(self) -> str:
        """The dice as people write them: ``3 5``, and with a modifier ``3 + 5 + 2 = 10``."""
        if self.counts or not self.ledger.lines:
            return " ".join(map(str, self.faces))
        extra = self.ledger.total
        modifier = f" {'+' if extra > 0 else '-'} {abs(extra)}" if extra else ""
        return f"{' + '.join(map(str, self.faces))}{modifier} = {sum(self.faces) + extra}"

    def __str__(self) -> str:
        lines = [f"{self.text} ({self.rule})" if self.rule else self.text]
        if self.kind == "roll":
            total = f", {self.total}" if self.counts else ""
            lines[0] += f"{total}: {self.arithmetic} → {self.reading}"
            lines += [f"    {line}" for line in self.ledger]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        entry: dict[str, Any] = {"kind": self.kind, "side": self.side, "text": self.text, "rule": self.rule}
        if self.kind == "roll":
            entry |= {"faces": list(self.faces), "reading": self.reading, "ledger": self.ledger.as_dict()}
            entry["counts"] = self.counts
        return entry | ({"mark": self.mark} if self.mark else {})


def sum_of(ledger: Ledger, counts: str) -> str:
    """The total of a roll's ledger with what it is a total of."""
    if not ledger.lines:
        return ""
    if counts == "dice":
        return f"{ledger.total} {'die' if ledger.total == 1 else 'dice'}"
    return f"{counts} {ledger.total}" if counts else f"modifier {ledger.total:+d}"


def read_log(events: Iterable[Event], reader: str, pending: Request | None = None) -> list[Entry]:
    """The log as `reader`, a side or the umpire, may know it.

    What one side decides in secret stands in the other side's log as one line, however many questions it took:
    the number of questions would tell something too. So would a line that comes with the first answer while others are
    still to be given, and therefore the line is there as soon as a secret question is `pending`.
    """
    log = LogReader(reader)
    for event in events:
        log.add(event)
    return log.entries(pending)


class LogReader:
    """Reads the log for one reader, event by event, so that a reader continues where he stopped."""

    def __init__(self, reader: str, *, marked: bool = False) -> None:
        """With `marked` the reader also sees choices that nobody made for him, each with its mark."""
        self.reader, self.marked = reader, marked
        self._entries: list[Entry] = []

    def add(self, event: Event, by: str = "") -> None:
        """One event more; `by` says what answered it, if no person did."""
        request, answer = event
        entry = self._entry(event)
        if self.marked and isinstance(request, Choose) and self.reader in (request.side, UMPIRE):
            if answer == FORCED:
                option = request.options[0]
                words = answered(request.question, option.label)
                entry = Entry("choice", request.side, words, option.rule, mark="forced")
            elif by and entry is not None:
                entry = entry._replace(mark=by)
        _add(self._entries, entry)

    def _entry(self, event: Event) -> Entry | None:
        """What the reader may know of an event."""
        return _entry(*event, self.reader)

    def entries(self, pending: Request | None = None) -> list[Entry]:
        """The log so far, and what is being decided in secret now."""
        entries = self._entries
        if isinstance(pending, Choose) and is_secret_from(pending, self.reader):
            entries = entries[:]
            _add(entries, _decides(pending))
        return [entry._replace(kind="note") if entry.kind == "secret" else entry for entry in entries]


def is_secret_from(request: Choose[Any] | Roll[Any], reader: str) -> bool:
    """Whether that reader may know nothing of a request but its secret words."""
    return bool(request.secret) and reader not in (request.side, UMPIRE)


def _add(entries: list[Entry], entry: Entry | None) -> None:
    if entry and not (entry.kind == "secret" and entries and entries[-1] == entry):
        entries.append(entry)


def _entry(request: Request, answer: Any, reader: str) -> Entry | None:
    if isinstance(request, Note):
        return _note(request, reader)
    if isinstance(request, Roll):
        return _roll(request, answer, reader)
    return _choice(request, answer, reader)


def _roll(roll: Roll[Any], faces: Faces, reader: str) -> Entry:
    hidden = is_secret_from(roll, reader)
    words, ledger, counts = (roll.secret, NOTHING, "") if hidden else (roll.purpose, roll.ledger, roll.counts)
    return Entry("roll", roll.side, sentence(words), roll.rule, ledger, faces, str(roll.reads(faces)), counts)


def _note(note: Note, reader: str) -> Entry | None:
    if note.side and reader not in (note.side, UMPIRE):
        return Entry("secret", note.side, sentence(note.twin), "") if note.twin else None
    return Entry("note", note.side, sentence(note.words), note.rule, headline=note.headline)


def _choice(request: Choose[Any], answer: int, reader: str) -> Entry | None:
    if is_secret_from(request, reader):
        return _decides(request)
    if answer == FORCED:
        return None  # forced and open: the notes tell what follows from it
    option = request.option(answer)
    return Entry("choice", request.side, answered(request.question, option.label), option.rule)


def _decides(request: Choose[Any]) -> Entry:
    """What the other side reads of a secret choice."""
    return Entry("secret", request.side, sentence(request.secret), "")
