"""A scenario as plain text: what players would write, and the rest as keys; reading it gives the same scenario."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from flagplot.awaw.scenario import SHAPE as AWAW
from flagplot.awaw.tables.nations import nation
from flagplot.builder.heads import read_head
from flagplot.builder.lines import KINDS as COUNTERS
from flagplot.builder.lines import counter_line, counter_lines
from flagplot.builder.listed_settings import FLAGS, RESEARCH
from flagplot.builder.pieces import Piece
from flagplot.builder.reading import read
from flagplot.builder.toml import inline
from flagplot.builder.vocabulary import fold, slug
from flagplot.kernel.errors import Fault, ScenarioError, UnknownName
from flagplot.kernel.words import plural, titled
from flagplot.line_of_battle.scenario import SHAPE as LINE_OF_BATTLE

SHAPES = {"awaw": AWAW, "line-of-battle": LINE_OF_BATTLE}


def same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two documents are the same scenario once defaults are filled in."""
    return completed(one) == completed(other)


def completed(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document with its defaults."""
    shape = SHAPES.get(str(document.get("game")), AWAW)
    return shape.check(document, "", [])


def write(document: Mapping[str, Any]) -> str:
    """The text of a scenario. What our words cannot say stands in ``Set`` lines at the end. What is not of the shape of
    a scenario at all is refused, with all its faults."""
    faults: list[Fault] = []
    SHAPES.get(str(document.get("game")), AWAW).check(document, "", faults)
    if faults:
        raise ScenarioError(str(document.get("title")), faults)
    lines = [*_lines(document)]
    got = completed(read("\n".join(lines)).draft)
    lines += [f"Set: {path} = {inline(value)}" for path, value in _differences(got, completed(document), document, "")]
    return "\n".join(lines) + "\n"


def write_line(document: Mapping[str, Any], path: str) -> str:
    """The line of one force, base, submarines or counter, by its path in the document: ``forces[0]``, ``bases[2]``."""
    if found := re.fullmatch(r"sides\[(\d+)\]\.(ships|lbas)\[(\d+)\]", path):
        return _counter_line(document, int(found[1]), found[2], int(found[3]))
    found = re.fullmatch(r"(forces|bases|submarines|flotillas|carriers)\[(\d+)\]", path)
    entries = document.get(found[1], ()) if found else ()
    if not found or int(found[2]) >= len(entries):
        raise UnknownName("no such line of a battle", given=path, allowed=["forces[0]", "bases[0]", "submarines[0]"])
    entry = entries[int(found[2])]
    match found[1]:
        case "forces":
            return _force(document, entry)
        case "bases":
            return _base(document, entry)
        case "carriers":
            return _carriers(document, entry)
        case _:
            return _submarines(document, entry)


def _counter_line(document: Mapping[str, Any], side: int, group: str, number: int) -> str:
    sides = document.get("sides", ())
    counters = sides[side].get(group, ()) if side < len(sides) else ()
    if number >= len(counters):
        raise UnknownName("no such counter", given=f"{group}[{number}]", allowed=["ships[0]", "lbas[0]"])
    return counter_line(sides[side], counters[number], COUNTERS[group])


def _differences(got: Any, wanted: Any, raw: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The places at which two documents differ, with what the raw one has there."""
    if got == wanted:
        return
    inside = f"{path}." if path else ""
    if isinstance(got, dict) and isinstance(wanted, dict) and (not path or set(got) <= set(wanted)):
        for key in raw:
            name = f'"{key}"' if set(key) & set(".[]") else key
            yield from _differences(got.get(key, _NOTHING), wanted[key], raw[key], f"{inside}{name}")
    elif isinstance(got, list) and isinstance(wanted, list) and len(got) == len(wanted) and _are_tables(wanted):
        for number, parts in enumerate(zip(got, wanted, raw, strict=True)):
            yield from _differences(*parts, f"{path}[{number}]")
    else:
        yield path, raw


_NOTHING = object()


def _are_tables(entries: list[Any]) -> bool:
    return all(isinstance(entry, dict) for entry in entries)


# --- lines --------------------------------------------------------------------------------------------------------

PROSE = ("title", "about", "history", "teaches", "sources")


def _lines(document: Mapping[str, Any]) -> Iterator[str]:
    for key in PROSE[:2]:
        yield from _prose(key.capitalize(), document.get(key))
    yield from _settings(document)
    for entry in document.get("sides", ()):
        yield _side(entry)
    if document.get("game") == "line-of-battle":
        yield from counter_lines(document)
    else:
        yield from _units(document)
    briefing = document.get("briefing", {})
    yield from _prose("Situation", briefing.get("situation"))
    for side, order in briefing.get("orders", {}).items():
        yield from _prose(f"{_side_name(document, side)} order", order)
    for key in ("mood", "difficulty", "minutes"):
        if key in briefing:
            yield f"{key.capitalize()}: {briefing[key]}"
    for key in PROSE[2:]:
        yield from _prose(key.capitalize(), document.get(key))


def _units(document: Mapping[str, Any]) -> Iterator[str]:
    yield from _research(document)
    for entry in document.get("forces", ()):
        yield _force(document, entry)
    for entry in document.get("carriers", ()):
        yield _carriers(document, entry)
    for entry in document.get("submarines", ()):
        yield _submarines(document, entry)
    for entry in document.get("flotillas", ()):
        yield _submarines(document, entry)
    for entry in document.get("bases", ()):
        yield _base(document, entry)
    for line in document.get("supply_lines", ()):
        stage = f" in {line['stage']}" if "stage" in line else ""
        worth = f" worth {line['worth']}" if "worth" in line else ""
        yield f"Supply line: {line['from']} to {line['to']}{stage}{worth}"


def _carriers(document: Mapping[str, Any], entry: Mapping[str, Any]) -> str:
    return f"{_head(document, entry, 'carriers')}: {_deck_load(entry)}; {_hex(entry)}"


def _deck_load(entry: Mapping[str, Any]) -> str:
    names = ", ".join([ship["name"] for ship in entry["ships"]])
    return f"{names}; {entry['squadrons']} {'elite ' * entry.get('elite', False)}NAS"


def _hex(entry: Mapping[str, Any]) -> str:
    return f"at {entry['at'][0]},{entry['at'][1]}"


def _prose(head: str, text: str | None) -> Iterator[str]:
    """Prose under its head, each line after the first indented; nothing if it cannot be written so."""
    if text and all(line.strip() == line and line for line in text.split("\n")):
        yield f"{head}: " + "\n  ".join(text.split("\n"))


def _settings(document: Mapping[str, Any]) -> Iterator[str]:
    """The settings of a scenario, each as `settings.py` reads it."""
    lines = document.get("game") == "line-of-battle"
    if lines:
        yield "Game: Line of Battle"
    if document.get("kind", "naval-battle") not in ("naval-battle", "battle"):
        yield f"Kind: {document['kind'].replace('-', ' ')}"
    if isinstance(document.get("map"), str):
        yield f"Map: {document['map']}"
    if document.get("theatre"):
        yield f"Theatre: {document['theatre'] if lines else document['theatre'].capitalize()}"
    if mover := document.get("attacker") or document.get("phasing"):
        yield f"Moves: {_side_name(document, mover)}"
    for key in ("codebreaking", "tactical_codebreaking", "submarine_codebreaking", "strategic", "withholds"):
        if document.get(key):
            yield f"{titled(key)}: {_side_name(document, document[key])}"
    for key in ("raiders", "all_sea", "cooperation"):
        if key in document:
            yield f"{titled(key)}: {'yes' if document[key] else 'no'}"
    for key in ("rounds", "base_attack_rounds", "hunting", "public"):
        if key in document:
            yield f"{titled(key)}: {document[key]}"
    for key in ("stages", "phases", "norway"):
        if document.get(key):
            yield f"{titled(key)}: {', '.join(document[key])}"
    yield from _at_sea(document)
    for name, value in document.get("options", {}).items():
        yield f"House rules: {name} = {inline(value)}"


def _at_sea(document: Mapping[str, Any]) -> Iterator[str]:
    if some := document.get("transports"):
        yield f"Transports: {some['factors']} {nation(some['nation']).adjective}"
    if some := document.get("kamikazes"):
        growth = f"; growth {some['growth']}" if some.get("growth") else ""
        bases = f"; from {', '.join(some['bases'])}" if some.get("bases") else ""
        yield f"Kamikazes: {some['number']}{growth}{bases}"
    for side, some in document.get("asw", {}).items():
        yield f"ASW: {_side_name(document, side)} {some['factors']} against {some['submarines']}"
    for side, number in document.get("destroyers_elsewhere", {}).items():
        yield f"Destroyers elsewhere: {_side_name(document, side)} {number}"
    for base, number in document.get("ground", {}).items():
        yield f"Ground: {_base_name(document, base)} {number}"
    for base, zone in document.get("zones", {}).items():
        yield f"Zones: {_base_name(document, base)} = {zone}"
    for one, other in document.get("at_peace", ()):
        yield f"At peace: {nation(one).name} and {nation(other).name}"


def _side_name(document: Mapping[str, Any], side: str) -> str:
    return next((str(entry["name"]) for entry in document["sides"] if entry["id"] == side), side)


def _has_several(document: Mapping[str, Any], side: str) -> bool:
    """Whether a side is of several nations, so that units say whose they are."""
    return len(next((one["nations"] for one in document["sides"] if one["id"] == side), ())) > 1


def _side(entry: Mapping[str, Any]) -> str:
    names = [nation(one).name for one in entry.get("nations", ())]
    tag = f" #{entry['id']}" if slug(entry["name"]) != entry["id"] else ""
    whose = f" = {', '.join(names)}" if names != [entry["name"]] else ""
    flags = [words for words, key in FLAGS.items() if entry.get(key)]
    return "Side: " + "; ".join([f"{entry['name']}{tag}{whose}", *flags])


def _research(document: Mapping[str, Any]) -> Iterator[str]:
    words = {key: name for name, key in reversed(RESEARCH.items())}
    for country, results in document.get("research", {}).items():
        told = [f"{words[key]} {number}" for key, number in results.items() if key in words]
        if told:
            yield f"{nation(country).name} research: {', '.join(told)}"


HEADS = {"": "", "base": "bases", "carriers": "carriers"}


def _head(document: Mapping[str, Any], entry: Mapping[str, Any], kind: str = "") -> str:
    """The head of a line that is read back as this side, name and short name."""
    owner = _side_name(document, entry["side"])
    names: dict[str, str] = {}
    for side in document["sides"]:
        for name in (side["id"], side["name"]):
            names.setdefault(fold(name), side["id"])
    name = entry["name"]
    tag = f" #{entry['id']}"
    for text in (f"{owner} {name}{kind and ' ' + kind}", f'{owner}{kind and " " + kind} "{name}"'):
        head = read_head(Piece(text, 1, 1), names)
        if (head.owner, head.name, head.kind) == (entry["side"], name, HEADS[kind]):
            return text + (tag if head.id != entry["id"] else "")
    return f'{owner} "{name}"{tag}'


def _force(document: Mapping[str, Any], entry: Mapping[str, Any]) -> str:
    several = _has_several(document, entry["side"])
    ships = [word for part in entry["ships"] for word in _ships(part, several)]
    air = [
        f"{some['squadrons']} {'elite ' * some.get('elite', False)}{_adjective(some['nation'], several)}NAS"
        for some in entry.get("air", ())
    ]
    details = [entry["activity"].replace("-", " ")] if entry.get("activity") else []
    if entry.get("cargo"):
        loads = [
            f"{load['name']} {load['factors']}{' divisible' * load.get('divisible', False)}"
            for load in entry.get("loads", ())
        ]
        details.append(f"cargo {entry['cargo']}" + (f" ({', '.join(loads)})" if loads else ""))
    details += _whereabouts(document, entry)
    details += [key.replace("_", " ") for key in ("inverted", "began_at_sea") if entry.get(key)]
    details += [_order(order) for order in entry.get("orders", ())]
    details += ["small force"] if not entry.get("task_force", True) else ["task force"]
    return f"{_head(document, entry)}: {_joined(', '.join(ships), ', '.join(air), '; '.join(details))}"


def _whereabouts(document: Mapping[str, Any], entry: Mapping[str, Any]) -> Iterator[str]:
    """Where ships or submarines come from, when, and where they are."""
    if entry.get("origin"):
        yield f"from {_base_name(document, entry['origin'])}"
    if entry.get("arrives", 1) > 1:
        yield f"arrives round {entry['arrives']}"
    if entry.get("base"):
        yield f"in {_base_name(document, entry['base'])}"
    if entry.get("patrol"):
        yield f"on patrol at {entry['patrol']}"


def _joined(*parts: str) -> str:
    return "; ".join([part for part in parts if part])


def _adjective(country: str, several: bool) -> str:
    return f"{nation(country).adjective} " if several else ""


def _ships(part: Mapping[str, Any], several: bool) -> Iterator[str]:
    whose = _adjective(part["nation"], several)
    for name in part.get("named", ()):
        hits = part.get("hits", {}).get(name, 0)
        yield name + (f" ({plural(hits, 'hit')})" if hits else "")
    damaged = part.get("damaged_cruisers", 0)
    for key, word, mark in (
        ("cruisers", "CA", ""),
        ("destroyers", "DD", ""),
        ("laden_destroyers", "DD", "laden "),
        ("cves", "CVE", ""),
        ("transports", "TR", ""),
        ("laden_transports", "TR", "laden "),
    ):
        number = part.get(key, 0) - (2 * damaged if key == "cruisers" else 0)
        if number:
            yield f"{number} {mark}{whose}{word}"
    if damaged:
        yield f"{2 * damaged} damaged {whose}CA"


def _base_name(document: Mapping[str, Any], base: str) -> str:
    return next((str(entry["name"]) for entry in document.get("bases", ()) if entry["id"] == base), base)


def _order(order: Mapping[str, Any]) -> str:
    stage = f" in {order['stage']}" if "stage" in order else ""
    worth = f" worth {order['worth']}" if "worth" in order else ""
    return f"may {order['activity'].replace('-', ' ')} to {order['to']}{stage}{worth}"


def _submarines(document: Mapping[str, Any], entry: Mapping[str, Any]) -> str:
    items = [str(entry["factors"])]
    items += [key for key in ("accompany", "advanced") if entry.get(key)]
    items += _whereabouts(document, entry)
    items += [_order(order) for order in entry.get("orders", ())]
    tag = f" #{entry['id']}" if "id" in entry else ""
    return f"{nation(entry['nation']).adjective} submarines{tag}: {', '.join(items)}"


COUNTED = {
    "cities": "city",
    "ports": "port",
    "airbases": "airbase",
    "artificial_ports": "artificial port",
    "flak": "flak",
    "objectives": "objective",
    "anchors": "anchor",
}


def _base(document: Mapping[str, Any], entry: Mapping[str, Any]) -> str:
    several = _has_several(document, entry["side"])
    items = [_hex(entry)] if entry.get("at") else []
    items += [f"place {entry['place']}"] if entry.get("place") else []
    for key, word in COUNTED.items():
        number = entry.get(key, 0)
        many = {"cities": "cities", "flak": "flak"}.get(key, f"{word}s")
        items += [word if number == 1 else f"{number} {many}"] if number else []
    items += ["fortress" if entry["fortification"] == 2 else "fortification"] if entry.get("fortification") else []
    items += [key for key in ("fortified", "island", "jungle", "box", "oil") if entry.get(key)]
    items += [f"{entry['supply']} supply".replace("none", "no")] if entry.get("supply", "full") != "full" else []
    items += [f"winter {entry['winter']}"] if entry.get("winter") else []
    items = items if any(entry.get(key) for key in COUNTED) or entry.get("box") else [*items, "bare"]
    words = {"naval": "NAS", "elite-naval": "elite NAS", "army": "AAF", "jet": "jets", "transport": "air transports"}
    air = []
    for some in entry.get("air", ()):
        marks = "".join([f" {mark}" for mark in ("inverted", "committed") if some.get(mark)])
        number = some.get("factors") or some.get("squadrons", 0)
        air.append(f"{number}{marks} {_adjective(some['nation'], several)}{words[some['arm']]}")
    hidden = f"under {some['marker']} ({_deck_load(some)})" if (some := entry.get("task_force")) else ""
    return f"{_head(document, entry, 'base')}: {_joined(', '.join(items), ', '.join(air), hidden)}"
