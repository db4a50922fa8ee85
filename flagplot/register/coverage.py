"""How much of the register is carried out by code and held by tests.

A rule is covered when code cites it and a test marked with it passed in the last full run; a rule that is
printed twice is carried out once and credits both ids. A marked test that did not pass (it failed, was
skipped, or was expected to fail) leaves its own rule uncovered whatever else passed. Only mechanics count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass

from flagplot.kernel.errors import Fault, UnknownName
from flagplot.register import Rule, near, register
from flagplot.register.citations import Place
from flagplot.register.evidence import Evidence, gather
from flagplot.register.reach import reach, unreached


@dataclass(frozen=True, slots=True)
class Count:
    """How many mechanics there are, and how many of them are cited, tested, and both."""

    mechanics: int
    cited: int
    tested: int
    covered: int

    @property
    def percent(self) -> float:
        """The covered share of the mechanics; all of nothing is 100."""
        return 100 * self.covered / self.mechanics if self.mechanics else 100.0

    def as_dict(self) -> dict[str, object]:
        return asdict(self) | {"percent": round(self.percent, 2)}


@dataclass(frozen=True, slots=True)
class Gap:
    """A mechanic not covered (``no code``, ``no passing test`` or ``neither``), and its tests that fail."""

    rule: Rule
    missing: str
    failing: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        names = {name: getattr(self.rule, name) for name in ("id", "title", "kind", "feature", "scope")}
        return names | {"missing": self.missing, "failing": list(self.failing)}


@dataclass(frozen=True, slots=True)
class Coverage:
    """The count of some part of the register, broken down, with what is missing."""

    total: Count
    by_feature: Mapping[str, Count]
    by_scope: Mapping[str, Count]
    by_kind: Mapping[str, Count]
    uncovered: tuple[Gap, ...]
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        breakdowns = {"feature": self.by_feature, "scope": self.by_scope, "kind": self.by_kind}
        return {
            "total": self.total.as_dict(),
            **{
                f"by_{name}": {key: count.as_dict() for key, count in counts.items()}
                for name, counts in breakdowns.items()
            },
            "uncovered": [gap.as_dict() for gap in self.uncovered],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class TestRun:
    """A test that holds a rule, with its end in the last full run (``not run`` if it was not in it)."""

    __test__ = False

    test: str
    outcome: str
    place: Place | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """One rule with everything that carries it out and holds it, and the same of its twins."""

    rule: Rule
    covered: bool
    code: tuple[Place, ...]
    tests: tuple[TestRun, ...]
    twins: tuple[Explanation, ...]
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        return self.rule.as_dict() | {
            "meaning": self.rule.meaning,
            "mechanic": self.rule.is_mechanic,
            "covered": self.covered,
            "applies": self.rule.applies.split(),
            "reached": reach().of(self.rule.id),
            "unreached": {gap.kind: gap.reason for gap in unreached(reach(), [self.rule])},
            "code": [place._asdict() for place in self.code],
            "tests": [_run_as_dict(run) for run in self.tests],
            "twins": [twin.as_dict() for twin in self.twins],
            "notes": list(self.notes),
        }


def coverage(
    feature: str | None = None,
    scope: str | None = None,
    kind: str | None = None,
    chapter: str | None = None,
    *,
    evidence: Evidence | None = None,
) -> Coverage:
    """The coverage of the whole register, or of one feature, scope, kind or chapter of it."""
    evidence = evidence or gather()
    rules = mechanics(evidence.rules.values(), feature=feature, scope=scope, kind=kind, chapter=chapter)
    return Coverage(
        _count(rules, evidence),
        _broken_down(rules, lambda rule: rule.feature, evidence),
        _broken_down(rules, lambda rule: rule.scope, evidence),
        _broken_down(rules, lambda rule: rule.kind, evidence),
        tuple(gap for rule in rules if (gap := _gap(rule, evidence))),
        evidence.notes,
    )


def mechanics(rules: Iterable[Rule], **wanted: str | None) -> list[Rule]:
    """The mechanics among some rules that have the wanted feature, scope, kind or chapter."""
    rules = list(rules)
    found = [rule for rule in rules if rule.is_mechanic]
    for name, value in wanted.items():
        if value is not None:
            _check(name, value, rules)
            found = [rule for rule in found if getattr(rule, name) == value]
    return found


def problems(*, evidence: Evidence | None = None) -> tuple[Fault, ...]:
    """Citations and marks that cannot be read, or that name a rule that is not in the register."""
    return (evidence or gather()).problems()


def explain(rule_id: str, *, evidence: Evidence | None = None) -> Explanation:
    """One rule with its code, its tests and its twins; `UnknownName` if there is no such rule."""
    rules = evidence.rules if evidence else register()
    if rule_id not in rules:
        raise UnknownName("no such rule", given=rule_id, allowed=near(rule_id, rules) or ["a number such as 22.71A"])
    evidence = evidence or gather()
    order = [name for name in evidence.rules if name in evidence.twins.get(rule_id, ())]
    twins = tuple(_explained(evidence.rules[name], evidence, ()) for name in order)
    return _explained(evidence.rules[rule_id], evidence, twins)


def _explained(rule: Rule, evidence: Evidence, twins: tuple[Explanation, ...]) -> Explanation:
    covered = evidence.is_cited(rule.id) and evidence.is_tested(rule.id)
    code = tuple(evidence.code.places.get(rule.id, ()))
    return Explanation(rule, covered, code, tuple(_tests(rule.id, evidence)), twins, evidence.notes)


def _tests(rule_id: str, evidence: Evidence) -> Iterable[TestRun]:
    """The tests of the last run that were marked with the rule, then the marks that were not in it."""
    outcomes = evidence.outcomes(rule_id)
    ends = dict.fromkeys(outcomes.passed, "passed") | dict(outcomes.not_passed)
    places = evidence.marks.places.get(rule_id, [])
    for test, outcome in ends.items():
        yield TestRun(test, outcome, next((place for place in places if _holds(place, test)), None))
    for place in places:
        if not any(_holds(place, test) for test in ends):
            yield TestRun(_node(place), "not run", place)


def _node(place: Place) -> str:
    return "::".join([place.file, *place.name.split(".")])


def _holds(place: Place, test: str) -> bool:
    """Whether a marked place is a test's own, that of its class, or a list of the whole module."""
    node = _node(place)
    if not place.name.split(".")[-1].lower().startswith("test"):
        node = node.rpartition("::")[0]
    return test == node or test.startswith((f"{node}[", f"{node}::", f"{node}@"))


def _count(rules: Iterable[Rule], evidence: Evidence) -> Count:
    found = [(evidence.is_cited(rule.id), evidence.is_tested(rule.id)) for rule in rules]
    cited, tested = sum(cited for cited, _ in found), sum(tested for _, tested in found)
    return Count(len(found), cited, tested, sum(cited and tested for cited, tested in found))


def _broken_down(rules: list[Rule], key: Callable[[Rule], str], evidence: Evidence) -> dict[str, Count]:
    names = sorted({key(rule) for rule in rules})
    return {name: _count([rule for rule in rules if key(rule) == name], evidence) for name in names}


def _gap(rule: Rule, evidence: Evidence) -> Gap | None:
    words = {(False, True): "no code", (True, False): "no passing test", (False, False): "neither"}
    missing = words.get((evidence.is_cited(rule.id), evidence.is_tested(rule.id)))
    return Gap(rule, missing, tuple(evidence.outcomes(rule.id).not_passed)) if missing else None


def _check(name: str, value: str, rules: Iterable[Rule]) -> None:
    allowed = sorted({getattr(rule, name) for rule in rules if rule.is_mechanic})
    if value not in allowed:
        raise UnknownName(f"no mechanic of the register has this {name}", given=value, allowed=allowed)


def _run_as_dict(run: TestRun) -> dict[str, object]:
    place = run.place._asdict() if run.place else None
    return {"test": run.test, "outcome": run.outcome, "place": place}
