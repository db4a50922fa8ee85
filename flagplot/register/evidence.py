"""What is known of the rules at one moment: the register, the code that cites it, the tests that hold it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from flagplot.kernel.errors import Fault
from flagplot.register import Rule, near, register, twins
from flagplot.register.citations import Found, Place, read_citations, read_marks
from flagplot.register.results import Outcomes, Record, digest_of, read
from flagplot.register.tree import Tree

NO_TESTS = "an installed package has no tests: only a source checkout can say what is tested"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The register with what cites it and holds it. `notes` say what the reader should know about its age."""

    rules: Mapping[str, Rule]
    twins: Mapping[str, frozenset[str]] = field(default_factory=dict)
    code: Found = field(default_factory=Found)
    marks: Found = field(default_factory=Found)
    results: Mapping[str, Outcomes] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def outcomes(self, rule_id: str) -> Outcomes:
        """The tests marked with this very rule in the last full run."""
        return self.results.get(rule_id, Outcomes())

    def is_cited(self, rule_id: str) -> bool:
        """Whether code cites the rule or a twin of it."""
        return any(name in self.code.places for name in self._names(rule_id))

    def is_tested(self, rule_id: str) -> bool:
        """Whether a test of the rule or a twin passed, and every test marked with the rule itself did."""
        passed = any(self.outcomes(name).passed for name in self._names(rule_id))
        return passed and not self.outcomes(rule_id).not_passed

    def problems(self) -> tuple[Fault, ...]:
        """Citations and marks that cannot be read, or that name a rule that does not exist."""
        return (
            *self.code.faults,
            *self._strangers(self.code.places, "cites"),
            *self.marks.faults,
            *self._strangers(self.marks.places, "is marked with"),
        )

    def _names(self, rule_id: str) -> Iterable[str]:
        return {rule_id, *self.twins.get(rule_id, ())}

    def _strangers(self, places: Mapping[str, list[Place]], verb: str) -> list[Fault]:
        return [
            Fault(str(place), f"{place.name or 'the module'} {verb} “{rule_id}”, {self._stranger(rule_id)}")
            for rule_id in places
            if rule_id not in self.rules
            for place in places[rule_id]
        ]

    def _stranger(self, rule_id: str) -> str:
        alike = near(rule_id, self.rules, 4)
        return "which is not in the register" + (f" (near: {', '.join(alike)})" if alike else "")


def gather(tree: Tree | None = None) -> Evidence:
    """The evidence of a source tree; of this one if none is given."""
    tree = tree or Tree.here()
    code = read_citations(tree.package)
    if tree.tests is None or tree.record is None:
        return Evidence(register(), twins(), code, notes=(NO_TESTS,))
    marks = read_marks(tree.tests)
    record = read(tree.record)
    notes = _notes(record, digest_of([(tree.package, code), (tree.tests, marks)]))
    return Evidence(register(), twins(), code, marks, record.rules if record else {}, notes)


def _notes(record: Record | None, digest: str) -> tuple[str, ...]:
    if record is None:
        return ("there is no record of a full ./test yet: no test counts as passed",)
    if record.digest != digest:
        return (f"the sources changed since the last ./test ({record.time})",)
    return ()
