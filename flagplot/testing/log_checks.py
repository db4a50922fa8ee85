"""What is told: the log that each side reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from flagplot.kernel.log import Entry, Event, read_log
from flagplot.kernel.requests import Note
from flagplot.testing.question_checks import wrong_ledger, wrong_numbers
from flagplot.testing.trial import Trial, as_json, difference

RAW = re.compile(r"[{}]| at 0x[0-9a-f]|\w\('")
"""What the words of a log never hold, but objects that forgot how to put themselves into words do."""


def log_entries_have_words_and_rule_numbers(trial: Trial) -> Iterator[str]:
    """New entries only: each is read here for the first time, and remembered (see `words_stand_as_they_were_told`)."""
    for event in _new(trial):
        entries = {reader: _entry(event, reader) for reader in trial.readers}
        for entry in entries.values():
            if entry is not None:
                yield from _wrong_entry(trial, entry)
        trial.told.append({reader: entry.as_dict() if entry else None for reader, entry in entries.items()})


def _new(trial: Trial) -> list[Event]:
    return list(trial.game.events[len(trial.told) :])


def _entry(event: Event, reader: str) -> Entry | None:
    return next(iter(read_log([event], reader)), None)


def _wrong_entry(trial: Trial, entry: Entry) -> Iterator[str]:
    if not entry.text.strip():
        yield f"an entry of the log without words (rule {entry.rule!r})"
    if RAW.search(str(entry)):
        yield f"an entry that only a programmer understands: “{entry}”"
    if entry.rule:
        yield from wrong_numbers(trial, entry.rule, f"the entry “{entry.text}”")
    if entry.kind == "roll":
        yield from wrong_ledger(trial, entry.ledger, f"the ledger of “{entry.text}”")


def every_secret_has_its_public_twin(trial: Trial) -> Iterator[str]:
    """Where one side reads something, the others read something too, or the ruleset says why not.

    A ruleset may have `silences`: reasons in words by rule number, for secret notes that leave no trace on purpose.
    """
    silences: Mapping[str, str] = getattr(trial.setup.ruleset, "silences", {})
    for request, _ in _new(trial):
        if isinstance(request, Note) and request.side and not request.twin and not silences.get(request.rule):
            yield from _without_twin(trial, request)


def _without_twin(trial: Trial, note: Note) -> Iterator[str]:
    for reader in trial.readers:
        if _entry((note, None), reader) is None:
            owner = _entry((note, None), note.side)
            yield f"{reader} reads nothing where {note.side} reads “{owner.text if owner else ''}”"


def words_stand_as_they_were_told(trial: Trial) -> Iterator[str]:
    """The log read at the end is the log read entry by entry: words do not depend on what came later."""
    for number, (event, entries) in enumerate(zip(trial.game.events, trial.told, strict=False), start=1):
        for reader, before in entries.items():
            yield from _changed(number, reader, before, _entry(event, reader))


def _changed(number: int, reader: str, before: dict[str, Any] | None, now: Entry | None) -> Iterator[str]:
    after = now.as_dict() if now else None
    if before != after:
        yield f"event {number} reads otherwise for {reader} by now: {difference(as_json(before), as_json(after))}"


def the_log_only_grows(trial: Trial) -> Iterator[str]:
    """Each side's log at an earlier moment is the beginning of its log now."""
    logs = {reader: trial.log(trial.game, reader) for reader in trial.readers}
    for turn, seen in trial.seen.items():
        for reader, log in logs.items():
            before = seen[f"log of {reader}"]
            if not log.startswith(before.removesuffix("]")):
                yield f"{reader}'s log of answer {turn} reads otherwise by now: {difference(before, log)}"


def what_was_taken_back_is_not_told(trial: Trial) -> Iterator[str]:
    """After a take-back the log is what it was before the choice."""
    if len(trial.told) > len(trial.game.events):
        del trial.told[len(trial.game.events) :]
        yield from words_stand_as_they_were_told(trial)
