"""Lines that are no force and no base: title, date, who moves, research, codebreaking, and the like."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from typing import Any, Final

from flagplot.awaw.forces import STAGES
from flagplot.awaw.mapboard.reading import maps
from flagplot.builder.dates import read_date
from flagplot.builder.draft import Draft
from flagplot.builder.paths import BadPath, put
from flagplot.builder.pieces import Piece, Statement, items_of, parts_of
from flagplot.builder.vocabulary import fold, nation_at_start, nation_words, singulars, slug
from flagplot.kernel.briefings import MOODS
from flagplot.kernel.errors import quoted

Reader = Callable[[Draft, Statement], None]

YES: Final = {"yes": True, "no": False, "true": True, "false": False, "on": True, "off": False, "": True}


# --- one value ----------------------------------------------------------------------------------------------------


def _value(statement: Statement) -> Piece:
    """What stands after the colon, or the head if nothing does."""
    return statement.body[0] if statement.body else statement.head


def _prose(path: str) -> Reader:
    def read(draft: Draft, statement: Statement) -> None:
        if not statement.body:
            draft.refuse(statement.head, "Type something after the colon")
            return
        _put(draft, path, statement.prose, statement)

    return read


def _put(draft: Draft, path: str, value: Any, statement: Statement) -> None:
    put(draft.document, path, value)
    draft.said(path, _value(statement))
    draft.line(statement, "", path)


def _choice(path: str, choices: dict[str, str]) -> Reader:
    def read(draft: Draft, statement: Statement) -> None:
        found = choices.get(fold(_value(statement).text))
        if found is None:
            draft.refuse_word(_value(statement), path.rpartition(".")[2], [*choices])
            return
        _put(draft, path, found, statement)

    return read


def _whole(path: str) -> Reader:
    def read(draft: Draft, statement: Statement) -> None:
        piece = _value(statement)
        if not (found := re.fullmatch(r"([+-]?\d{1,9})(?:\s+\w+)?", piece.text)):
            draft.refuse(piece, f"Type a number, such as {statement.head.text}: 3")
            return
        _put(draft, path, int(found[1]), statement)

    return read


def _flag(path: str) -> Reader:
    def read(draft: Draft, statement: Statement) -> None:
        piece = _value(statement)
        value = YES.get(fold(piece.text)) if statement.body else True
        if value is None:
            draft.refuse(piece, "Type yes or no", "yes")
            return
        _put(draft, path, value, statement)

    return read


def _side(path: str) -> Reader:
    def read(draft: Draft, statement: Statement) -> None:
        piece = _value(statement)
        if fold(piece.text) in ("nobody", "none", "no", "neither"):
            draft.line(statement, "", path)
        elif side := draft.read_side(piece):
            put(draft.document, path, side)
            draft.said(path, piece)
            draft.line(statement, side, path)

    return read


def _words(path: str, choices: Sequence[str]) -> Reader:
    """A list of words, each one of some."""

    def read(draft: Draft, statement: Statement) -> None:
        chosen = []
        for piece in (item for body in statement.body for item in items_of(body)):
            if (word := slug(piece.text)) in choices:
                chosen.append(word)
            else:
                draft.refuse_word(piece, path.rstrip("s"), choices)
        _put(draft, path, chosen, statement)

    return read


# --- several values -----------------------------------------------------------------------------------------------


def read_sides(draft: Draft, statement: Statement) -> None:
    """``Sides: Japan; United States #allies`` or ``Side: Allies = United States, Australia; naval oil``."""
    several = fold(statement.head.text) == "sides"
    for body in statement.body:
        for piece in parts_of(body, ";|\\bv(?:ersu)?s?\\.?(?=\\s)|,(?!.*[=;])" if several else "$^"):
            _add_side(draft, piece, statement)


FLAGS: Final = {
    "partial supply": "partial_supply",
    "naval oil": "naval_oil",
    "air oil": "air_oil",
    "air base": "air_base",
    "airbase": "air_base",
}


def _add_side(draft: Draft, piece: Piece, statement: Statement) -> None:
    told, *more = parts_of(piece, ";")
    tag = ""
    if found := re.search(r"\s*#([a-z0-9][\w-]*)", told.text, re.IGNORECASE):
        tag = found[1].casefold()
        told = Piece(
            told.text[: found.start()] + " " * len(found[0]) + told.text[found.end() :], told.line, told.column
        )
    name, _, countries = told.text.partition("=")
    named = name.strip().strip('"')
    given = told.part(len(name) + 1) if countries else told.part(0, len(name))
    nations = []
    for one in parts_of(given, r"[,+&]|\band\b") if countries else [given]:
        country = nation_words().get(fold(one.text)) or nation_words().get(re.sub("^the ", "", fold(one.text)))
        if country:
            nations.append(country)
        else:
            known = [entry for entry in nation_words() if len(entry) > 3]
            draft.refuse_word(one, "nation", known)
    entry: dict[str, Any] = {"id": tag or slug(named) or "side", "name": named or "Side", "nations": nations}
    for flag in more:
        if key := FLAGS.get(fold(flag.text)):
            entry[key] = True
        else:
            draft.refuse_word(flag, "condition of a side", [*FLAGS])
    draft.nations_told |= {entry["id"]} if countries else set()
    path = draft.add("sides", entry, piece)
    draft.line(statement, entry["id"], path)
    add_side_names(draft, entry)


def add_side_names(draft: Draft, entry: dict[str, Any]) -> None:
    """The names that a side is known by."""
    for name in (entry["id"], entry["name"], re.sub("(?i)^the ", "", entry["name"])):
        if fold(name):
            draft.side_names.setdefault(fold(name), entry["id"])


RESEARCH: Final = {
    "air drm": "air_drm",
    "air modifier": "air_drm",
    "air nationality": "air_drm",
    "jet": "jets",
    "radar": "radar",
    "air defense": "air_defense",
    "air defence": "air_defense",
    "naval drm": "naval_drm",
    "naval modifier": "naval_drm",
    "naval nationality": "naval_drm",
    "torpedo": "torpedo",
    "torpedoes": "torpedo",
    "asw": "asw",
    "air range": "air_range",
    "range": "air_range",
}


def read_research(draft: Draft, statement: Statement, country: str = "") -> None:
    """``Research: Japan torpedo 1; US radar 1, ASW 3`` or ``Japan research: torpedo 1``."""
    for body in statement.body:
        for item in items_of(body):
            told, length = nation_at_start(item.text)
            country, rest = (told, item.part(length)) if told else (country, item)
            if not country:
                draft.refuse(item, f"Whose research? Type the nation first, such as US {item.text}", f"US {item.text}")
                continue
            if not (found := re.fullmatch(r"(.+?)\s*[-+=]?\s*(\d{1,3})", rest.text)):
                draft.refuse(rest if rest.text else item, "Type what was found and how often, such as radar 1")
                continue
            key = next((RESEARCH[one] for one in singulars(fold(found[1])) if one in RESEARCH), None)
            if key is None:
                draft.refuse_word(rest.match(found, 1), "research result", [*RESEARCH])
                continue
            draft.document.setdefault("research", {}).setdefault(country, {})[key] = int(found[2])
            draft.said(f"research.{country}.{key}", item)
    draft.line(statement, draft.side_of(country), "research")


def _transports(draft: Draft, statement: Statement) -> None:
    """``Transports: 3 British``: those that raiders are kept from."""
    piece = _value(statement)
    found = re.fullmatch(r"(\d{1,3})\s+(?:factors?\s+)?(?:of\s+)?(.+)", piece.text)
    country = nation_words().get(fold(found[2]).removesuffix(" transports").removesuffix(" factors")) if found else None
    if not found or not country:
        draft.refuse(piece, "Type how many factors and whose, such as Transports: 3 British", "3 British")
        return
    _put(draft, "transports", {"nation": country, "factors": int(found[1])}, statement)


def _kamikazes(draft: Draft, statement: Statement) -> None:
    """``Kamikazes: 15; growth 1; from Kanoya, Amami``."""
    entry: dict[str, Any] = {}
    bases: list[str] = []
    for item in (one for body in statement.body for one in items_of(body)):
        if re.fullmatch(r"\d{1,3}", item.text):
            entry["number"] = int(item.text)
        elif found := re.fullmatch(r"growth\s+(\d)", item.text, re.IGNORECASE):
            entry["growth"] = int(found[1])
        elif found := re.fullmatch(r"(?:from\s+)?([A-Za-z].*)", item.text, re.IGNORECASE):
            bases.append(slug(found[1]))
        else:
            draft.refuse(item, "Type how many there are, then growth and bases: Kamikazes: 15; growth 1; from Kanoya")
    if bases:
        entry["bases"] = bases
    _put(draft, "kamikazes", entry, statement)


def _by_side(path: str, pattern: str, make: Callable[[re.Match[str]], Any], example: str) -> Reader:
    """Something for each side: ``ASW: Allies 8 against 2``."""

    def read(draft: Draft, statement: Statement) -> None:
        for item in (one for body in statement.body for one in items_of(body)):
            found = re.fullmatch(rf"(?P<side>.+?)\s+{pattern}", item.text, re.IGNORECASE)
            if not found:
                draft.refuse(item, f"Type it like {example}")
            elif side := draft.read_side(item.match(found, "side")):
                put(draft.document, path, {**draft.document.get(path, {}), side: make(found)})
                draft.said(f"{path}.{side}", item)
        draft.line(statement, "", path)

    return read


def _options(draft: Draft, statement: Statement) -> None:
    """``House rules: supply_and_oil = both``."""
    for item in (one for body in statement.body for one in items_of(body)):
        name, sign, value = item.text.partition("=")
        if not sign or not fold(name):
            draft.refuse(item, "Type a rule and its reading, such as classic = yes")
            continue
        told = value.strip().strip('"')
        read: Any = YES.get(told.casefold(), told) if told else told
        key = fold(name).replace(" ", "_")
        put(draft.document, f"options.{key}", int(told) if re.fullmatch(r"-?\d{1,9}", told) else read)
        draft.said(f"options.{key}", item)
    draft.line(statement, "", "options")


def _intercepts(draft: Draft, statement: Statement) -> None:
    """``Intercepts: United States``: the side that does not move; it has nothing to set."""
    piece = _value(statement)
    if fold(piece.text) in ("nobody", "none"):
        draft.line(statement, "", "attacker")
        return
    side = draft.read_side(piece)
    others = [entry["id"] for entry in draft.sides if entry["id"] != side]
    if side and draft.document.setdefault("attacker", others[0] if others else side) == side:
        draft.refuse(piece, "The side that moves cannot intercept: type the other one")
    draft.line(statement, side, "attacker")


def _battle_hex(draft: Draft, statement: Statement) -> None:
    piece = _value(statement)
    if not (found := re.fullmatch(r"\(?(-?\d{1,4})\s*,\s*(-?\d{1,4})\)?", piece.text)):
        draft.refuse(piece, "Type the hex as two numbers, such as Battle hex: 0,0")
        return
    _put(draft, "at", [int(found[1]), int(found[2])], statement)


THEATRES: Final = {
    "pacific": "pacific",
    "europe": "europe",
    "the pacific": "pacific",
    "mediterranean": "europe",
    "atlantic": "europe",
}


def _theatre(draft: Draft, statement: Statement) -> None:
    if draft.document["game"] == "line-of-battle" and statement.body:
        _put(draft, "theatre", statement.prose.casefold(), statement)
    else:
        _choice("theatre", THEATRES)(draft, statement)


def _places(path: str) -> Reader:
    """A list of places."""

    def read(draft: Draft, statement: Statement) -> None:
        _put(draft, path, [slug(item.text) for body in statement.body for item in items_of(body)], statement)

    return read


def _by_place(path: str, pattern: str, make: Callable[[re.Match[str]], Any], example: str) -> Reader:
    """Something for each of some bases."""

    def read(draft: Draft, statement: Statement) -> None:
        for item in (one for body in statement.body for one in items_of(body)):
            found = re.fullmatch(rf"(?P<place>.+?)\s+{pattern}", item.text, re.IGNORECASE)
            if not found:
                draft.refuse(item, f"Type it like {example}")
                continue
            draft.document.setdefault(path, {})[found["place"]] = make(found)
            draft.said(f"{path}.{slug(found['place'])}", item)
        draft.line(statement, "", path)

    return read


def _at_peace(draft: Draft, statement: Statement) -> None:
    """``At peace: Japan and Russia; Italy and Greece``."""
    for pair in (one for body in statement.body for one in parts_of(body, ";")):
        countries = [nation_words().get(fold(one.text), "") for one in parts_of(pair, r"\band\b|[,/]|–|-")]
        if len(countries) != 2 or not all(countries):
            draft.refuse(pair, "Type two nations, such as Japan and Russia")
        else:
            draft.add("at_peace", countries, pair)
    draft.line(statement, "", "at_peace")


_SUPPLY = re.compile(
    rf"(?P<from>.+?)\s+to\s+(?P<to>.+?)(?:\s+in\s+(?P<stage>{'|'.join(STAGES)}))?(?:\s+worth\s+(?P<worth>\d{{1,2}}))?",
    re.IGNORECASE,
)


def _supply_line(draft: Draft, statement: Statement) -> None:
    """``Supply line: Kiel to Trondheim worth 1``."""
    piece = _value(statement)
    if not (found := _SUPPLY.fullmatch(piece.text)):
        draft.refuse(piece, "Type it like Supply line: Kiel to Trondheim worth 1")
        return
    entry: dict[str, Any] = {"from": found["from"], "to": found["to"]}
    entry |= {"stage": found["stage"].casefold()} if found["stage"] else {}
    entry |= {"worth": int(found["worth"])} if found["worth"] else {}
    draft.line(statement, "", draft.add("supply_lines", entry, piece))


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
    piece = _value(statement)
    words = fold(piece.text)
    if words in ("raider battle", "raid", "raiders", "raider combat"):
        put(draft.document, "raiders", True)
        words = "naval battle"
    if words not in KINDS:
        draft.refuse_word(piece, "kind of battle", [*KINDS, "raider battle"])
        return
    kind = KINDS[words]
    if kind == "base-attack":
        draft.document.setdefault("game", "line-of-battle")
    elif words == "battle" and draft.document.get("game") == "line-of-battle":
        kind = "battle"
    _put(draft, "kind", kind, statement)


def _date(draft: Draft, statement: Statement) -> None:
    piece = _value(statement)
    draft.date, draft.date_piece = read_date(piece.text), piece
    if draft.date is None:
        draft.refuse(piece, "Type a season or a month and a year from 1939 to 1946, such as Summer 1942")
    draft.line(statement, "", "date")


def read_set(draft: Draft, statement: Statement) -> None:
    """``Set: forces[0].inverted = true``: any key of the scenario file, as TOML."""
    piece = _value(statement)
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
    **{key: _prose(key) for key in ("title", "about", "history", "teaches", "sources")},
    "name": _prose("title"),
    "situation": _prose("briefing.situation"),
    "briefing": _prose("briefing.situation"),
    "mood": _choice("briefing.mood", {one: one for one in MOODS} | {fold(MOODS[one]): one for one in MOODS}),
    "difficulty": _whole("briefing.difficulty"),
    "minutes": _whole("briefing.minutes"),
    "theatre": _theatre,
    "date": _date,
    "kind": _kind,
    "game": _choice("game", {"awaw": "awaw", "a world at war": "awaw", "line of battle": "line-of-battle"}),
    "map": _choice("map", {fold(one): one for one in maps()}),
    "stages": _words("stages", STAGES),
    "rounds": _whole("rounds"),
    "hunting": _whole("hunting"),
    "base attack rounds": _whole("base_attack_rounds"),
    "all sea": _flag("all_sea"),
    "cooperation": _flag("cooperation"),
    "norway": _places("norway"),
    "ground": _by_place("ground", r"(?P<n>\d{1,3})", lambda found: int(found["n"]), "Ground: Malta 2"),
    "zones": _by_place("zones", r"=\s*(?P<zone>.+)", lambda found: found["zone"].strip(), "Zones: Truk = Carolines"),
    "at peace": _at_peace,
    "supply line": _supply_line,
    "raiders": _flag("raiders"),
    "raider battle": _flag("raiders"),
    "public": _choice("public", {one: one for one in ("forces", "ships", "navies")}),
    "moves": _side("attacker"),
    "intercepts": _intercepts,
    "withholds": _side("withholds"),
    "strategic": _side("strategic"),
    **{words: _side(key) for words, key in CODEBREAKING.items()},
    "transports": _transports,
    "kamikazes": _kamikazes,
    "asw": _by_side(
        "asw",
        r"(?P<n>\d{1,3})\s+(?:against|vs?\.?)\s+(?P<subs>\d{1,3})(?:\s+\w+)?",
        lambda found: {"factors": int(found["n"]), "submarines": int(found["subs"])},
        "ASW: Allies 8 against 2",
    ),
    "destroyers elsewhere": _by_side(
        "destroyers_elsewhere", r"(?P<n>\d{1,3})", lambda found: int(found["n"]), "Destroyers elsewhere: Japan 3"
    ),
    "research": read_research,
    "options": _options,
    "battle hex": _battle_hex,
    "phases": _words("phases", ("movement", "combat")),
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
