"""Commands that list what there is: scenarios, options, the sequence of play, the schema, the versions."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from flagplot import library
from flagplot.cli.command import program
from flagplot.cli.output import new_console, print_json, print_table
from flagplot.cli.screen import FAINT, STRONG, TWO_COLUMNS, Line, Screen
from flagplot.kernel.options import describe
from flagplot.library import described as described
from flagplot.simulation.bids import Bid, bid_of


def scenarios(*, as_json: bool) -> None:
    """`flagplot scenarios`."""
    found = [described(name) for name in library.scenario_names()]
    bids = {entry["name"]: bid_of(entry["name"]) for entry in found}
    if as_json:
        print_json([entry | {"bid": bid and bid._asdict()} for entry, bid in zip(found, bids.values(), strict=True)])
        return
    screen = Screen(new_console())
    names = [entry["name"] for entry in found]
    sides = [", ".join(side["id"] for side in entry["sides"]) for entry in found]
    first, second = (max(map(len, column)) + 2 for column in (names, sides))
    for game in dict.fromkeys(entry["game"] for entry in found):
        screen.rule(library.ruleset(game).title)
        for name, who, entry in zip(names, sides, found, strict=True):
            if entry["game"] == game:
                head = Text.assemble((f"{name:<{first}}", STRONG), f"{who:<{second}}")
                screen.show(_battle(head, _about(entry, bids[name]), beside=screen.width >= TWO_COLUMNS))
    screen.say(f"To play one: {program()} play NAME")


def _about(entry: dict[str, Any], bid: Bid | None) -> str:
    """What a battle is about, and what makes it even."""
    if bid is None:
        return str(entry["about"])
    names = {side["id"]: side["name"] for side in entry["sides"]}
    return f"{entry['about']}; {bid.words(names.get(bid.side, ''))}"


def _battle(head: Text, about: str, *, beside: bool) -> list[Line]:
    """The name of a battle and its sides, and what it is about: beside them or, on a narrow screen, below."""
    if beside:
        return [Line(Text.assemble(head, about), hang=len(head))]
    return [Line(head), Line(Text(about), 2, 0)]


def ships(country: str | None, *, as_json: bool) -> None:
    """`flagplot ships`."""
    from flagplot.awaw.ships import named_ships
    from flagplot.awaw.tables.nations import nation

    wanted = nation(country).id if country is not None else None
    found = [entry for entry in named_ships().values() if wanted in (None, entry.nation)]
    if as_json:
        print_json([entry._asdict() for entry in found])
        return
    rows = [
        (entry.name, nation(entry.nation).name, entry.kind.value, str(entry.factors), "slow" if entry.slow else "fast")
        for entry in found
    ]
    print_table(("ship", "country", "kind", "factors", "speed"), rows)


def options(game: str, *, as_json: bool) -> None:
    """`flagplot options`."""
    readings = describe(type(library.ruleset(game).options))
    if as_json:
        print_json([reading.as_dict() for reading in readings])
        return
    width = max(len(reading.name) for reading in readings) + 2
    screen = Screen(new_console())
    for reading in readings:
        others = " or ".join(map(_value, reading.alternatives[1:]))
        values = f"{_value(reading.default)} (or {others})"
        rules = (f"  {' '.join(reading.rules)}", FAINT)
        screen.show([Line(Text.assemble((reading.name.ljust(width), STRONG), values, rules))])
        screen.show([Line(Text(reading.about), 4, 0)])


def _value(value: str | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else value


def outline(game: str, *, as_json: bool) -> None:
    """`flagplot outline`."""
    procedures = library.ruleset(game).procedures.values()
    if as_json:
        print_json([{"name": procedure.name, "outline": procedure.outline()} for procedure in procedures])
        return
    print("\n\n".join("\n".join(procedure.outline()) for procedure in procedures))


def schema(game: str) -> None:
    """`flagplot schema`."""
    print_json({"$schema": "https://json-schema.org/draft/2020-12/schema", **library.ruleset(game).schema()})
