"""`flagplot rules`: one rule with its code and tests, and how much of the register is covered."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill

from flagplot.cli.failures import DONE, NO
from flagplot.cli.lookups.reach import coverage_by_reach as coverage_by_reach
from flagplot.cli.lookups.reach import reached_lines
from flagplot.cli.output import print_json, print_table
from flagplot.kernel.errors import BadValue, Fault
from flagplot.register import Rule
from flagplot.register.coverage import Count, Coverage, Explanation, Gap, explain, problems
from flagplot.register.coverage import coverage as covered
from flagplot.register.evidence import NO_TESTS, gather
from flagplot.register.meaning import meaning

SHOWN = 40
WIDTH = 100


def show(rule_id: str, *, as_json: bool) -> None:
    """`flagplot rules show`."""
    found = explain(rule_id)
    if as_json:
        print_json(found.as_dict())
        return
    rule = found.rule
    print(f"{rule.id}  {rule.title}")
    print(fill(rule.meaning, WIDTH, initial_indent="  ", subsequent_indent="  "))
    print("\n".join(_meaning(rule)))
    about = {"kind": rule.kind, "feature": rule.feature, "scope": rule.scope, "decided by": rule.decides}
    about |= {"dice": rule.chance, "needs": rule.outside}
    print("  " + "; ".join(f"{name}: {value}" for name, value in about.items() if value))
    print("\n".join([*_held(found), *reached_lines(rule)]))
    for note in found.notes:
        print(f"note: {note}")


def _meaning(rule: Rule) -> list[str]:
    """Its parts, exceptions and examples, and what it is related to."""
    told = meaning(rule)
    groups = {"": told.parts, "except  ": told.exceptions, "example  ": told.examples}
    lines = [f"    {word}{part.id}  {part.summary}" for word, parts in groups.items() for part in parts]
    related = ", ".join([one.id for one in told.related])
    return [*lines, f"  related: {related}"] if related else lines


def _held(found: Explanation) -> list[str]:
    lines = _places(found)
    for twin in found.twins:
        lines.append(f"  printed again as {twin.rule.id}  {twin.rule.title}")
        lines += [f"  {line}" for line in _places(twin)]
    if not found.rule.is_mechanic:
        return [*lines, "  nothing for the program to do"]
    if NO_TESTS in found.notes:
        return lines
    return [*lines, f"  {'covered' if found.covered else 'not covered'}"]


def _places(found: Explanation) -> list[str]:
    code = [f"  code  {place}" for place in found.code]
    return [*code, *[f"  test  {run.test} ({run.outcome})" for run in found.tests]]


def coverage(only: Mapping[str, str | None], require: str | None, *, everything: bool, as_json: bool) -> int:
    """`flagplot rules coverage`: 1 below the required percentage, or if citations are wrong. `only` are the feature,
    scope and kind that are wanted."""
    wanted = None if require is None else _percent(require)
    evidence = gather()
    found = covered(**only, evidence=evidence)
    faults = problems(evidence=evidence)
    if wanted is not None and not found.total.mechanics:
        chosen = [name for name in only.values() if name is not None]
        raise BadValue("no rule has all of these, so nothing can be required of them", given=", ".join(chosen))
    enough = wanted is None or found.total.percent >= wanted
    if as_json:
        extra = {"required": wanted, "enough": enough, "problems": [fault._asdict() for fault in faults]}
        print_json(found.as_dict() | extra)
    else:
        _print_coverage(found, faults, everything=everything)
        if not enough:
            print(f"less than the required {wanted:g}%")
    return DONE if enough and not faults else NO


def _percent(given: str) -> float:
    try:
        percent = float(given)
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:
        raise BadValue("this is not a percentage", given=given, allowed=["0 to 100"])
    return percent


def _print_coverage(found: Coverage, faults: tuple[Fault, ...], *, everything: bool) -> None:
    for fault in faults:
        print(f"problem: {fault}")
    if NO_TESTS in found.notes:
        print_table(("", "rules", "in code"), [row[:3] for row in _rows(found)])
        print(f"\nnote: {NO_TESTS}\n{found.total.cited} of {found.total.mechanics} rules are carried out by code")
        return
    print_table(("", "rules", "in code", "tested", "covered", ""), _rows(found))
    print()
    gaps = found.uncovered if everything else found.uncovered[:SHOWN]
    for gap in gaps:
        print(_gap(gap))
    if len(gaps) < len(found.uncovered):
        print(f"… and {len(found.uncovered) - len(gaps)} more; --all lists them")
    for note in found.notes:
        print(f"note: {note}")
    total = found.total
    print(f"{total.covered} of {total.mechanics} rules are covered: {_percentage(total)}")


def _rows(found: Coverage) -> list[tuple[str, ...]]:
    groups = {"feature": found.by_feature, "scope": found.by_scope, "kind": found.by_kind}
    named = [(f"{group} {name}", count) for group, counts in groups.items() for name, count in counts.items()]
    return [
        (name, str(count.mechanics), str(count.cited), str(count.tested), str(count.covered), _percentage(count))
        for name, count in [*named, ("all", found.total)]
    ]


def _percentage(count: Count) -> str:
    """Rounded down: 100% is said only of all."""
    return f"{int(count.percent * 10) / 10:g}%"


def _gap(gap: Gap) -> str:
    failing = f"; not passed: {', '.join(gap.failing)}" if gap.failing else ""
    missing = {"neither": "no code, no passing test"}.get(gap.missing, gap.missing)
    return f"{gap.rule.id}  {gap.rule.title}: {missing}{failing}"
