"""`flagplot report`: a saved battle on one page, as plain text that can be pasted into a letter, or as data.

It tells what its reader may know and nothing else. The umpire's report tells all; that of a side, as long as the battle
goes on, also keeps back what would help to guess the enemy's secrets or the dice to come: the head of the save, how
many answers it holds, and a seed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

import flagplot
from flagplot import library
from flagplot.cli import report_operation
from flagplot.cli.chart import ships_in_words
from flagplot.cli.failures import DONE
from flagplot.cli.output import print_json
from flagplot.cli.position import losses
from flagplot.cli.screen import TIE
from flagplot.kernel.game import Game
from flagplot.kernel.log import Entry
from flagplot.kernel.options import Reading, describe
from flagplot.kernel.ruleset import UMPIRE

WIDTH = 72

Data = Mapping[str, Any]


def report(file: str, reader: str, *, as_json: bool) -> int:
    """`flagplot report`."""
    game, notices = library.resume_with_notices(file, follow=False)
    found = gathered(game, reader, Path(file).name) | {"notices": notices}
    if as_json:
        print_json(found)
    else:
        print("\n".join(page(found)))
    return DONE


# --- what there is to tell --------------------------------------------------------------------------------------


def gathered(game: Game[Any], reader: str, name: str) -> dict[str, Any]:
    """All that the report tells, as data. `name` is the file's."""
    data, result = game.view(reader).data, game.result
    sides = data.get("sides", dict(zip(game.sides, game.sides, strict=True)))
    return {
        "title": str(game.scenario.get("title", game.ruleset.title)),
        "game": game.ruleset.title,
        "rules": game.ruleset.version,
        "program": flagplot.__version__,
        "as": reader,
        "over": result is not None,
        "sides": dict(sides),
        "moving": data.get("attacker"),
        "round": data.get("round"),
        "segment": data.get("segment"),
        "operation": report_operation.gathered(data, result),
        "result": result,
        "losses": {side: _losses(game, data, side) for side in sides},
        "strength": dict(data.get("strength", {})),
        "options": _changed(game),
        "assumptions": _assumptions(game, reader),
        "proof": _proof(game, reader, name),
    }


def _losses(game: Game[Any], data: Data, side: str) -> dict[str, Any]:
    """What a side has lost, and which of its ships are hit, as far as the reader knows."""
    nations = _nations(game, side)
    lost = {key: number for key, number in data.get("lost", {}).items() if key.split("/")[0] in nations}
    return {
        "sunk": _of(data.get("sunk", ()), nations),
        "sunk_elsewhere": _of(data.get("sunk_elsewhere", ()), nations),
        "hit": [ship for ship in _afloat(data) if ship["nation"] in nations and ship["hits"]],
        "air": lost,
        "cargo": dict((game.result or {}).get("cargo_lost", {}).get(side, {})),
        "units": dict((game.result or {}).get("losses_by_faction", {}).get(side, {})),
        "submarines": sum(some.get("lost", 0) for some in _boats(data) if some["side"] == side),
    }


def _boats(data: Data) -> list[Data]:
    """All submarines: those in a battle, and in an operation those on the map."""
    return [*data.get("submarines", ()), *data.get("flotillas", {}).values()]


def _of(ships: Iterable[Data], nations: Sequence[str]) -> list[Data]:
    return [ship for ship in ships if ship["nation"] in nations]


def _nations(game: Game[Any], side: str) -> Sequence[str]:
    found = [entry for entry in game.scenario.get("sides", ()) if entry.get("id") == side]
    return found[0].get("nations", (side,)) if found else ()


def _afloat(data: Data) -> list[Data]:
    """All ships afloat that the reader knows of, wherever they are."""
    groups = [*data.get("groups", ()), *_listed(data.get("departed", ()))]
    for waiting in data.get("pending", {}).values():
        groups += _listed(waiting)
    groups += data.get("forces", {}).values() if "groups" not in data else ()
    ships = [ship for group in groups for key in ("ships", "shed") for ship in group.get(key, ())]
    return ships + [ship for air in data.get("carrier_air", {}).values() for ship in air.get("returned_ships", ())]


def _listed(groups: Any) -> list[Data]:
    """Groups as a list; the enemy may know only how many there are."""
    if isinstance(groups, Mapping):
        return [group for some in groups.values() for group in _listed(some)] if groups else []
    return list(groups) if isinstance(groups, list | tuple) else []


# --- readings ---------------------------------------------------------------------------------------------------


def _changed(game: Game[Any]) -> list[dict[str, object]]:
    """The options that are not what they are by default."""
    readings = describe(type(game.options))
    return [_reading(game, reading) for reading in readings if getattr(game.options, reading.name) != reading.default]


def _assumptions(game: Game[Any], reader: str) -> list[dict[str, object]]:
    """Readings that are assumptions and whose rules have come up, as far as the reader's log tells."""
    assumed = [reading for reading in describe(type(game.options)) if "assumption" in reading.about]
    came_up = _rules_in(game.log(reader))
    return [_reading(game, reading) for reading in assumed if _concerned(reading, came_up)]


def _reading(game: Game[Any], reading: Reading) -> dict[str, object]:
    return reading.as_dict() | {"value": getattr(game.options, reading.name)}


def _rules_in(log: Iterable[Entry]) -> set[str]:
    cited = [rule for entry in log for rule in (entry.rule, *[line.rule for line in entry.ledger])]
    return {number for rule in cited for number in numbers(rule)}


def numbers(rule: str) -> list[str]:
    """The numbers of the book in a citation, without tables' marks and notes: ``T23.44-09`` is 23.44.
    Games whose rules are counted by a word and a number, ``LOB-16``, keep both."""
    return re.findall(r"[0-9]+\.[0-9]+[A-Z]?(?:\.[0-9]+)*|[A-Z]{2,}-[0-9]+", rule)


def _concerned(reading: Reading, came_up: set[str]) -> bool:
    """Whether a rule of the reading, or one above or below it, has come up."""
    own = [number for rule in reading.rules for number in numbers(rule)]
    return any(one.startswith(other) or other.startswith(one) for one in own for other in came_up)


# --- the proof --------------------------------------------------------------------------------------------------


def _proof(game: Game[Any], reader: str, name: str) -> dict[str, Any]:
    """What proves the game: the dice, the head of the save and the command. A side gets it whole at the end."""
    whole = game.pending is None or reader == UMPIRE
    dice = game.dice.header
    if not whole and "seed" in dice:
        dice = {"kind": dice["kind"]}
    return {
        "dice": dice,
        "head": game.tape().head if whole else None,
        "answers": game.turn if whole else None,
        "command": f"flagplot verify {shlex.quote(name)}",
    }


# --- the page ---------------------------------------------------------------------------------------------------


def page(found: Data) -> list[str]:
    """The report as lines of at most 72 columns; only a name that cannot be broken is longer."""
    lines = [found["title"], "=" * min(len(found["title"]), WIDTH), *_head(found)]
    for title, body in (
        ("Result", result_of(found)),
        *operation(found),
        ("Losses", lost(found)),
        ("What follows", _consequences(found)),
        ("Readings of the rules", _readings(found)),
        ("Proof", _proved(found)),
    ):
        if body:
            lines += ["", title, "-" * len(title), *body]
    return lines


def operation(found: Data, width: int = WIDTH) -> list[tuple[str, list[str]]]:
    """The parts that only an operation has."""
    told = found["operation"]
    if told is None:
        return []
    parts = report_operation.sections(told, found["sides"])
    return [(title, [line for text in body for line in _wrapped(f"- {text}", 0, 2, width)]) for title, body in parts]


def _head(found: Data) -> list[str]:
    names, moving = found["sides"], found["moving"] if found["round"] or found["operation"] else None
    sides = [f"{name} (moving)" if side == moving else name for side, name in names.items()]
    reader = found["as"]
    told = "the umpire" if reader == UMPIRE else names[reader]
    lines = [*_wrapped(" against ".join(sides)), *_wrapped(f"{_stands(found)} As known to {told}.")]
    return [*lines, *[line for notice in found.get("notices", ()) for line in _wrapped(f"Note: {notice}.")]]


def _stands(found: Data) -> str:
    number, segment = found["round"], found["segment"]
    if found["operation"] and not segment:
        return report_operation.stands(found["operation"])
    if number is None:
        return "Over." if found["over"] else "Not over yet."
    if found["over"]:
        return f"{number} round{'s' * (number != 1)} fought."
    return f"Round {number}{', segment {mark}, {name}'.format(**segment) if segment else ''}; not over yet."


def result_of(found: Data) -> list[str]:
    """Who has won, or what is left of each side."""
    result, names = found["result"], found["sides"]
    if result is None:
        left = "{}: {left} of {began} factors are undamaged and in the battle."
        words = [left.format(names[side], **strength) for side, strength in found["strength"].items()]
        return [line for text in words for line in _wrapped(text)]
    if found["operation"]:
        words = report_operation.won(found["operation"], result["winner"], names)
        return [line for text in words for line in _wrapped(text)]
    return [*_wrapped(winner(result, names)), *([] if result.get("ended") else _wrapped(f"{result['summary']}."))]


def winner(result: Data, names: Data) -> str:
    """Who has won, and why by which rule if the result tells it."""
    side = result.get("winner")
    who = f"{names.get(side, side)} has won" if side else "Nobody has won"
    why = f": {result['ended']}" if result.get("ended") else ""
    return f"{who}{why} ({result['rule']})." if result.get("rule") else f"{who}{why}."


def lost(found: Data, width: int = WIDTH) -> list[str]:
    """What each side has lost, below its name."""
    lines = []
    for side, name in found["sides"].items():
        mine = found["losses"][side]
        lines.append(name)
        parts = {
            "sunk": ", ".join(map(_sunk, mine["sunk"])),
            "sunk elsewhere": ", ".join(map(_sunk, mine["sunk_elsewhere"])),
            "hit (hits left)": ships_in_words(mine["hit"]) if mine["hit"] else "",
            "air": "; ".join(losses(mine["air"])),
            "cargo": "; ".join(f"{part} (on {_factors(number)})" for part, number in mine["cargo"].items()),
            "submarines": f"{_factors(mine['submarines'])}" if mine["submarines"] else "",
        }
        parts |= {fate: ", ".join(names) for fate, names in mine["units"].items()}
        told = [line for key, words in parts.items() if words for line in _wrapped(f"{key}: {words}", 2, 4, width)]
        lines += told or ["  nothing"]
    return lines


def _factors(number: int) -> str:
    return f"{number} factor{'s' * (number != 1)}"


def _sunk(ship: Data) -> str:
    return str(ship["text"]).partition(" (")[0]


def _consequences(found: Data) -> list[str]:
    """What follows, below whom it concerns: ``CG 4: returns to Truk``."""
    lines, about = [], ""
    for entry in (found["result"] or {}).get("consequences", ()):
        whom, colon, what = str(entry["text"]).partition(": ")
        if whom != about or not colon:
            lines += _wrapped(whom)
        about = whom
        rule = f" ({entry['rule']})" if entry.get("rule") else ""
        lines += _wrapped(f"- {what}{rule}", 2, 4) if colon else []
    return lines


def _readings(found: Data) -> list[str]:
    lines = [] if found["options"] else ["All options as they are by default."]
    for title, key in (("Not as by default:", "options"), ("Assumptions about rules that came up:", "assumptions")):
        entries = found[key]
        lines += [title] if entries else []
        for entry in entries:
            value = str(entry["value"]).lower() if isinstance(entry["value"], bool) else entry["value"]
            lines += _wrapped(f"- {entry['name']} = {value} ({' '.join(entry['rules'])}): {entry['about']}", 0, 2)
    return lines


def _proved(found: Data) -> list[str]:
    proof, kind = found["proof"], found["proof"]["dice"]["kind"]
    if kind == "typed":
        lines = ["Dice: rolled by people."]
    elif kind == "seeded":
        seed = proof["dice"].get("seed")
        lines = ["Dice: seeded; the seed is told at the end." if seed is None else f"Dice: seed {seed}."]
    else:
        opened = "opened in the save" if found["over"] else "to be opened at the end"
        lines = [f"Dice: of a secret, {opened}, that is committed to by", f"  {proof['dice'].get('commitment')}"]
    if proof["head"] is not None:
        lines += ["Head of the save:", f"  {proof['head']}"]
    else:
        lines += _wrapped("The head of the save is told at the end: with it the enemy's secrets could be guessed.")
    versions = f"{found['game']}, rules {found['rules']}; flagplot {found['program']}."
    return [*lines, *_wrapped(f"To check it: {proof['command']}", 0, 2), *_wrapped(versions)]


def _wrapped(text: str, indent: int = 0, hang: int = 0, width: int = WIDTH) -> list[str]:
    before, after = " " * indent, " " * hang
    filled = fill(
        text, width, initial_indent=before, subsequent_indent=after, break_long_words=False, break_on_hyphens=False
    )
    return filled.replace(TIE, " ").split("\n")
