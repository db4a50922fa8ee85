"""Lines that are no force and no base: title, date, who moves, research, codebreaking, and the like."""

from __future__ import annotations

import re
import tomllib
from typing import Final

from flagplot.awaw.forces import STAGES
from flagplot.awaw.mapboard.reading import maps
from flagplot.builder.dates import read_date
from flagplot.builder.draft import Draft
from flagplot.builder.listed_settings import (
    by_place,
    by_side,
    read_kamikazes,
    read_options,
    read_peace,
    read_research,
    read_supply_line,
    read_transports,
)
from flagplot.builder.paths import BadPath, put
from flagplot.builder.pieces import Statement
from flagplot.builder.single_settings import (
    Reader,
    choice,
    flag,
    place_list,
    prose,
    put_value,
    side_setting,
    value_of,
    whole,
    words,
)
from flagplot.builder.vocabulary import fold
from flagplot.kernel.briefings import MOODS
from flagplot.kernel.errors import quoted


def _intercepts(draft: Draft, statement: Statement) -> None:
    """``Intercepts: United States``: the side that does not move; it has nothing to set."""
    piece = value_of(statement)
    if fold(piece.text) in ("nobody", "none"):
        draft.line(statement, "", "attacker")
        return
    side = draft.read_side(piece)
    others = [entry["id"] for entry in draft.sides if entry["id"] != side]
    if side and draft.document.setdefault("attacker", others[0] if others else side) == side:
        draft.refuse(piece, "The side that moves cannot intercept: type the other one")
    draft.line(statement, side, "attacker")


def _battle_hex(draft: Draft, statement: Statement) -> None:
    piece = value_of(statement)
    if not (found := re.fullmatch(r"\(?(-?\d{1,4})\s*,\s*(-?\d{1,4})\)?", piece.text)):
        draft.refuse(piece, "Type the hex as two numbers, such as Battle hex: 0,0")
        return
    put_value(draft, "at", [int(found[1]), int(found[2])], statement)


THEATRES: Final = {
    "pacific": "pacific",
    "europe": "europe",
    "the pacific": "pacific",
    "mediterranean": "europe",
    "atlantic": "europe",
}


def _theatre(draft: Draft, statement: Statement) -> None:
    if draft.document["game"] == "line-of-battle" and statement.body:
        put_value(draft, "theatre", statement.prose.casefold(), statement)
    else:
        choice("theatre", THEATRES)(draft, statement)


KINDS: Final = {
    "naval battle": "naval-battle",
    "battle": "naval-battle",
    "air phase": "air-phase",
    "operation": "operation",
    "air turn": "air-turn",
    "turn": "air-turn",
    "base attack": "base-attack",
}


def _kind(draft: Draft, statement: Statement) -> None:
    """``Kind: operation``; a raider battle is a naval battle of raiders."""
    piece = value_of(statement)
    words = fold(piece.text)
    if words in ("raider battle", "raid", "raiders", "raider combat"):
        put(draft.document, "raiders", True)
        words = "naval battle"
    if words == "line of battle":
        put(draft.document, "game", "line-of-battle")
        words = "battle"
    if words not in KINDS:
        draft.refuse_word(piece, "kind of battle", [*KINDS, "raider battle", "line of battle"])
        return
    kind = KINDS[words]
    if words == "battle" and draft.document.get("game") == "line-of-battle":
        kind = "battle"
    put_value(draft, "kind", kind, statement)


def _winter(draft: Draft, statement: Statement) -> None:
    """``Winter: 8``: the winter effect on every base that says none of its own."""
    piece = value_of(statement)
    if not (found := re.fullmatch(r"\d{1,2}", piece.text)):
        draft.refuse(piece, "Type the winter effect as a number, such as Winter: 8")
        return
    draft.winter = int(found[0])
    draft.line(statement, "", "winter")


def _date(draft: Draft, statement: Statement) -> None:
    piece = value_of(statement)
    draft.date, draft.date_piece = read_date(piece.text), piece
    if draft.date is None:
        draft.refuse(piece, "Type a season or a month and a year from 1939 to 1946, such as Summer 1942")
    draft.line(statement, "", "date")


def read_set(draft: Draft, statement: Statement) -> None:
    """``Set: forces[0].inverted = true``: any key of the scenario file, as TOML."""
    piece = value_of(statement)
    path, sign, value = statement.prose.partition("=")
    if not statement.body or not sign:
        draft.refuse(piece, 'Type a key and its value, such as Set: public = "ships"')
        return
    try:
        data = tomllib.loads(f"value = {value.strip()}")
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        draft.refuse(piece, f"This value is no TOML: {fault}")
        return
    try:
        if set(data) != {"value"}:
            raise BadPath("one value only")
        put(draft.document, path.strip(), data["value"])
    except BadPath as fault:
        draft.refuse(piece, f"No such key: {quoted(path.strip())} ({fault})")
        return
    draft.said(path.strip(), piece)
    draft.line(statement, "", path.strip())


CODEBREAKING: Final = {
    "codebreaking": "codebreaking",
    "search codebreaking": "codebreaking",
    "tactical codebreaking": "tactical_codebreaking",
    "submarine codebreaking": "submarine_codebreaking",
}
SETTINGS: Final[dict[str, Reader]] = {
    **{key: prose(key) for key in ("title", "about", "history", "teaches", "sources")},
    "name": prose("title"),
    "situation": prose("briefing.situation"),
    "briefing": prose("briefing.situation"),
    "mood": choice("briefing.mood", {one: one for one in MOODS} | {fold(MOODS[one]): one for one in MOODS}),
    "difficulty": whole("briefing.difficulty"),
    "minutes": whole("briefing.minutes"),
    "theatre": _theatre,
    "date": _date,
    "kind": _kind,
    "winter": _winter,
    "game": choice("game", {"awaw": "awaw", "a world at war": "awaw", "line of battle": "line-of-battle"}),
    "map": choice("map", {fold(one): one for one in maps()}),
    "stages": words("stages", STAGES),
    "rounds": whole("rounds"),
    "hunting": whole("hunting"),
    "base attack rounds": whole("base_attack_rounds"),
    "all sea": flag("all_sea"),
    "cooperation": flag("cooperation"),
    "norway": place_list("norway"),
    "ground": by_place("ground", r"(?P<n>\d{1,3})", lambda found: int(found["n"]), "Ground: Malta 2"),
    "zones": by_place("zones", r"=\s*(?P<zone>.+)", lambda found: found["zone"].strip(), "Zones: Truk = Carolines"),
    "at peace": read_peace,
    "supply line": read_supply_line,
    "raiders": flag("raiders"),
    "raider battle": flag("raiders"),
    "public": choice("public", {one: one for one in ("forces", "ships", "navies")}),
    "moves": side_setting("attacker"),
    "intercepts": _intercepts,
    "withholds": side_setting("withholds"),
    "strategic": side_setting("strategic"),
    **{words: side_setting(key) for words, key in CODEBREAKING.items()},
    "transports": read_transports,
    "kamikazes": read_kamikazes,
    "asw": by_side(
        "asw",
        r"(?P<n>\d{1,3})\s+(?:against|vs?\.?)\s+(?P<subs>\d{1,3})(?:\s+\w+)?",
        lambda found: {"factors": int(found["n"]), "submarines": int(found["subs"])},
        "ASW: Allies 8 against 2",
    ),
    "destroyers elsewhere": by_side(
        "destroyers_elsewhere", r"(?P<n>\d{1,3})", lambda found: int(found["n"]), "Destroyers elsewhere: Japan 3"
    ),
    "research": read_research,
    "options": read_options,
    "battle hex": _battle_hex,
    "phases": words("phases", ("movement", "combat")),
}
ALIASES: Final = {
    "theater": "theatre",
    "when": "date",
    "turn": "date",
    "season": "date",
    "attacker": "moves",
    "moving": "moves",
    "moving side": "moves",
    "mover": "moves",
    "interceptor": "intercepts",
    "intercepting": "intercepts",
    "house rules": "options",
    "rules": "options",
    "option": "options",
    "kamikaze": "kamikazes",
    "hex": "battle hex",
    "known": "public",
    "ultra": "codebreaking",
    "magic": "codebreaking",
    "code breaking": "codebreaking",
}
FIRST: Final = ("game", "kind", "map", "date", "when", "season", "turn")
"""Settings by which everything else is read."""
SIDES: Final = ("side", "sides")
LAST: Final = ("set",)


def reader_of(head: str) -> Reader | None:
    """What reads a line that begins with these words, if they name a setting."""
    return SETTINGS.get(ALIASES.get(head, head))


def setting_words() -> list[str]:
    return [*SETTINGS, *ALIASES, "side", "sides"]
