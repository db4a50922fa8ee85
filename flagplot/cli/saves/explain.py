"""What air units may do and why not: `flagplot explain`, and the command `explain` at the keyboard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.text import Text

from flagplot.cli.failures import DONE
from flagplot.cli.output import print_json
from flagplot.cli.saves.chronicle import with_rule
from flagplot.cli.saves.readers import read_saved, say_reader
from flagplot.cli.screen import FAINT, STRONG, Line
from flagplot.kernel.naming import in_sentence
from flagplot.report.abilities import Ability, closed_to, open_to


def explain(file: str, unit: str, given: str | None, *, as_json: bool) -> int:
    """`flagplot explain`: the units of a saved game, as a side knows them, or as their owner does."""
    saved = read_saved(file, given)
    game, notices, reader = saved
    told = game.explain(unit, reader)
    if as_json:
        print_json({"as": reader, "notices": notices} | told)
        return DONE
    screen = saved.screen()
    say_reader(screen, game, reader, given)
    screen.show(explained(told, game.view(reader).names))
    return DONE


def explained(told: Mapping[str, Any], names: Mapping[str, str]) -> list[Line]:
    """Everything about some units in lines: what they are, what they may do, and what not."""
    phase = f", {told['phase']} phase" if told["phase"] else ""
    lines = [Line(Text(f"Player turn of {in_sentence(names.get(told['moving'], told['moving']))}{phase}.", FAINT))]
    if not told["units"]:
        return [*lines, Line(Text(f"No air units in {told['asked']}."))]
    for unit in told["units"]:
        lines += _unit(unit)
    return lines


def _unit(unit: Mapping[str, Any]) -> Iterable[Line]:
    name = unit["name"] + (f"; {unit['out']} out flying" if unit["out"] else "")
    whose = "" if unit["yours"] else " (enemy: only what both sides know)"
    yield Line(Text.assemble((unit["unit"], STRONG), f": {name}{whose}"))
    for down in unit["inverted"]:
        yield Line(with_rule(f"{down['number']} inverted: {down['why']}; {down['until']}", down["rule"]), 2)
    for mark in unit["marks"]:
        yield Line(Text(mark), 2)
    able, closed = open_to(unit), closed_to(unit)
    yield Line(Text("may:" if able else "cannot do anything now", STRONG), 2)
    yield from [_line(one) for one in able]
    if closed:
        yield Line(Text("cannot:", STRONG), 2)
    yield from [_line(one) for one in closed]


def _line(one: Ability) -> Line:
    return Line(Text.assemble((one.what, STRONG), ": ", with_rule(one.words, one.rule)), 4)
