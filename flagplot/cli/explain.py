"""What air units may do and why not: `flagplot explain`, and the command `explain` at the keyboard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.text import Text

from flagplot import library
from flagplot.cli.chronicle import with_rule
from flagplot.cli.failures import DONE
from flagplot.cli.output import new_console, print_json
from flagplot.cli.readers import reader_of, say_reader
from flagplot.cli.screen import FAINT, STRONG, Line, Screen
from flagplot.kernel.naming import in_sentence

Data = Mapping[str, Any]

LISTS = ("17.23", "17.33", "17.53", "17.63", "17.73", "17.83")
"""The lists of what each type of air unit does: what is on none of them is told last, and in one line."""


def explain(file: str, unit: str, given: str | None, *, as_json: bool) -> int:
    """`flagplot explain`: the units of a saved game, as a side knows them, or as their owner does."""
    game, notices = library.resume_with_notices(file, follow=False)
    reader = reader_of(game, file, given)
    told = game.explain(unit, reader)
    if as_json:
        print_json({"as": reader, "notices": notices} | told)
        return DONE
    screen = Screen(new_console())
    for notice in notices:
        screen.say(f"Note: {notice}.")
    say_reader(screen, game, reader, given)
    screen.show(explained(told, game.view(reader).names))
    return DONE


def explained(told: Data, names: Mapping[str, str]) -> list[Line]:
    """Everything about some units in lines: what they are, what they may do, and what not."""
    phase = f", {told['phase']} phase" if told["phase"] else ""
    lines = [Line(Text(f"Player turn of {in_sentence(names.get(told['moving'], told['moving']))}{phase}.", FAINT))]
    if not told["units"]:
        return [*lines, Line(Text(f"No air units in {told['asked']}."))]
    for unit in told["units"]:
        lines += _unit(unit)
    return lines


def _unit(unit: Data) -> Iterable[Line]:
    name = unit["name"] + (f"; {unit['out']} out flying" if unit["out"] else "")
    whose = "" if unit["yours"] else " (enemy: only what both sides know)"
    yield Line(Text.assemble((unit["unit"], STRONG), f": {name}{whose}"))
    for down in unit["inverted"]:
        yield Line(with_rule(f"{down['number']} inverted: {down['why']}; {down['until']}", down["rule"]), 2)
    for mark in unit["marks"]:
        yield Line(Text(mark), 2)
    entries = [*unit["tasks"], *unit["moves"]]
    able = [entry for entry in entries if entry["open"]]
    yield Line(Text("may:" if able else "cannot do anything now", STRONG), 2)
    for entry in able:
        yield Line(Text.assemble((entry["name"], STRONG), ": ", with_rule(_how(entry), entry["rule"])), 4)
    closed: dict[tuple[str, str], list[str]] = {}
    for entry in entries:
        if not entry["open"]:
            closed.setdefault((entry["text"], entry["rule"]), []).append(entry["name"])
    if closed:
        yield Line(Text("cannot:", STRONG), 2)
    for (text, number), kinds in sorted(closed.items(), key=lambda entry: entry[0][1] in LISTS):
        what = "all other missions" if number in LISTS and len(kinds) > 2 else ", ".join(kinds)
        yield Line(Text.assemble((what, STRONG), ": ", with_rule(text, number)), 4)


def _how(entry: Data) -> str:
    parts = [f"{entry['number']}"] * bool(entry["number"])
    parts += [entry["text"]] * bool(entry["text"])
    parts += [", ".join(entry["targets"])] * bool(entry["targets"])
    return "; ".join(parts) or "yes"
