"""The record of the last full test run: which tests marked with a rule passed, and which did not.

The tests write it at the end of a run of the whole suite; coverage reads it. It also holds a digest of the
sources that cite rules or are marked with them, so that a reader can be told when they have changed since.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from flagplot.kernel.errors import BadValue
from flagplot.register.citations import Found, read_citations, read_marks
from flagplot.register.tree import Tree

FORMAT = 1
PASSED = "passed"


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The tests marked with one rule: those that passed, and the others with what became of them."""

    passed: tuple[str, ...] = ()
    not_passed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Record:
    """One full run: when it ended (UTC), the sources that it ran on, and the outcomes by rule id."""

    time: str
    digest: str
    rules: Mapping[str, Outcomes]

    def as_dict(self) -> dict[str, object]:
        rules = {
            rule_id: {"passed": list(found.passed), "not_passed": dict(found.not_passed)}
            for rule_id, found in self.rules.items()
        }
        return {"format": FORMAT, "time": self.time, "digest": self.digest, "rules": rules}


@dataclass(slots=True)
class Recorder:
    """Gathers a run from the reports of its tests, in whatever order they come in."""

    outcomes: dict[str, str] = field(default_factory=dict)
    rules: dict[str, set[str]] = field(default_factory=dict)

    def add(self, test: str, when: str, outcome: str, ids: Iterable[str] = ()) -> None:
        """One report: the set-up, the call or the tear-down of a test. What did not pass stays so."""
        for rule_id in ids:
            self.rules.setdefault(rule_id, set()).add(test)
        if outcome != PASSED:
            if self.outcomes.get(test, PASSED) == PASSED:
                self.outcomes[test] = outcome
        elif when == "call":
            self.outcomes.setdefault(test, PASSED)

    def record(self, digest: str) -> Record:
        """The run as it stands. A test that never came to its call did not pass."""
        time = datetime.now(UTC).isoformat(timespec="seconds")
        return Record(time, digest, {rule_id: self._outcomes(tests) for rule_id, tests in sorted(self.rules.items())})

    def _outcomes(self, tests: set[str]) -> Outcomes:
        ends = {test: self.outcomes.get(test, "unfinished") for test in sorted(tests)}
        passed = tuple(test for test, end in ends.items() if end == PASSED)
        return Outcomes(passed, {test: end for test, end in ends.items() if end != PASSED})


def read(path: Path) -> Record | None:
    """The record at this path, or None if there is none; `BadValue` if it is not a record."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise ValueError(data["format"])
        rules = {
            rule_id: Outcomes(tuple(found["passed"]), dict(found["not_passed"]))
            for rule_id, found in data["rules"].items()
        }
        return Record(str(data["time"]), str(data["digest"]), rules)
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadValue("the record of the last ./test cannot be read; run ./test again", given=path) from None


def write(path: Path, record: Record) -> None:
    """Put the record in its place at once, so that nobody ever reads half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".new")
    try:
        with open(handle, "w", encoding="utf-8") as file:
            json.dump(record.as_dict(), file, indent=1)
            file.write("\n")
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def digest(tree: Tree) -> str:
    """A digest of all files of the tree that cite a rule or are marked with one."""
    readings = [(tree.package, read_citations(tree.package))]
    if tree.tests:
        readings.append((tree.tests, read_marks(tree.tests)))
    return digest_of(readings)


def digest_of(readings: Iterable[tuple[Path, Found]]) -> str:
    """The digest of what was found under some folders, each with its reading."""
    total = sha256()
    for root, found in readings:
        for file in sorted({place.file for places in found.places.values() for place in places}):
            content = (root.parent / file).read_bytes()
            total.update(f"{file} {len(content)}\n".encode() + content)
    return total.hexdigest()
