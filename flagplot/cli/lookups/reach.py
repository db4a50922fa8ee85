"""`flagplot rules coverage --reach`: in which kinds of play the rules come up."""

from __future__ import annotations

from collections.abc import Mapping

from flagplot.cli.failures import DONE, NO
from flagplot.cli.output import print_json, print_table
from flagplot.kernel.errors import BadValue
from flagplot.register import Rule, register
from flagplot.register.coverage import mechanics
from flagplot.register.reach import KINDS, Reach, Unreached, reach, tallies, unreached

SHOWN = 40


def reached_lines(rule: Rule) -> list[str]:
    """How often one rule was reached, and where it was not, for `flagplot rules show`."""
    counts = ", ".join(f"{KINDS[kind]} {number:,}" for kind, number in reach().of(rule.id).items())
    gaps = [f"  not reached in {KINDS[gap.kind]}: {_reason(gap)}" for gap in unreached(reach(), [rule])]
    return ([f"  reached  {counts}"] if counts else []) + gaps


def coverage_by_reach(only: Mapping[str, str | None], require: str | None, *, everything: bool, as_json: bool) -> int:
    """`flagplot rules coverage --reach`: 1 if a mechanic is neither reached where it applies nor explained. `only` are
    the feature, scope and kind that are wanted."""
    if require is not None:
        message = "with --reach all is required: what is not reached needs a reason in the register"
        raise BadValue(message, given=f"--require {require}")
    rules = mechanics(register().values(), **only)
    found = reach()
    gaps = unreached(found, rules)
    missing = [gap for gap in gaps if not gap.reason]
    if as_json:
        print_json(_as_dict(found, rules, gaps))
    else:
        _print(found, rules, gaps if everything else missing[:SHOWN])
        if not everything and len(missing) > SHOWN:
            print(f"… and {len(missing) - SHOWN} more; --all lists them, and those that are explained")
        print(f"played: {found.note}")
        nowhere = sum(not found.of(rule.id) for rule in rules)
        print(f"{len(rules) - nowhere} of {len(rules)} rules are reached in some kind of play")
    return NO if missing else DONE


def _as_dict(found: Reach, rules: list[Rule], gaps: list[Unreached]) -> dict[str, object]:
    figures = tallies(found, rules)
    return {
        "run": found.note,
        "kinds": {kind: tally._asdict() | {"missing": tally.missing} for kind, tally in figures.items()},
        "unreached": [gap.as_dict() for gap in gaps],
        "rules": {rule.id: {"applies": rule.applies.split(), "reached": found.of(rule.id)} for rule in rules},
    }


def _print(found: Reach, rules: list[Rule], gaps: list[Unreached]) -> None:
    rows = [
        (KINDS[kind], str(tally.applies), str(tally.reached), str(tally.explained), str(tally.missing))
        for kind, tally in tallies(found, rules).items()
    ]
    print_table(("", "apply", "reached", "explained", "missing"), rows)
    print()
    for gap in gaps:
        print(f"{gap.rule.id}  {gap.rule.title}, {KINDS[gap.kind]}: {_reason(gap)}")


def _reason(gap: Unreached) -> str:
    return gap.reason or "no reason is given"
