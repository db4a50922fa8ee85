"""Settings of several values: sides, research, what each side or each base has, house rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from flagplot import library
from flagplot.awaw.forces import STAGES
from flagplot.awaw.tables.nations import nation
from flagplot.builder.draft import Draft
from flagplot.builder.paths import put
from flagplot.builder.pieces import Piece, Statement, parts_of
from flagplot.builder.single_settings import YES, Reader, put_value, value_of
from flagplot.builder.vocabulary import fold, nation_at_start, nation_words, singulars, slug
from flagplot.kernel.options import describe


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
        elif countries or not _needs_no_nation(draft, named):
            known = [entry for entry in nation_words() if len(entry) > 3]
            draft.refuse_word(one, "nation", known)
    entry: dict[str, Any] = {"id": tag or slug(named) or "side", "name": named or "Side", "nations": nations}
    for flag in more:
        if key := FLAGS.get(fold(flag.text)):
            entry[key] = True
        else:
            draft.refuse_word(flag, "condition of a side", [*FLAGS])
    if nations and not countries:
        entry["name"] = nation(nations[0]).name  # however it was spelt
    draft.nations_told |= {entry["id"]} if countries else set()
    path = draft.add("sides", entry, piece)
    draft.line(statement, entry["id"], path)
    add_side_names(draft, entry)


def _needs_no_nation(draft: Draft, name: str) -> bool:
    """Factions of Line of Battle are called anything; Axis and Allies are whoever of them is there."""
    return draft.document.get("game") == "line-of-battle" or fold(name).removeprefix("the ") in CAMPS


CAMPS: Final = {"axis": True, "allies": False, "western allies": False}
"""Sides that are no nation, and whether they are the Axis."""


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
    for item in statement.items:
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


def read_transports(draft: Draft, statement: Statement) -> None:
    """``Transports: 3 British``: those that raiders are kept from."""
    piece = value_of(statement)
    found = re.fullmatch(r"(\d{1,3})\s+(?:factors?\s+)?(?:of\s+)?(.+)", piece.text)
    country = nation_words().get(fold(found[2]).removesuffix(" transports").removesuffix(" factors")) if found else None
    if not found or not country:
        draft.refuse(piece, "Type how many factors and whose, such as Transports: 3 British", "3 British")
        return
    put_value(draft, "transports", {"nation": country, "factors": int(found[1])}, statement)


def read_kamikazes(draft: Draft, statement: Statement) -> None:
    """``Kamikazes: 15; growth 1; from Kanoya, Amami``."""
    entry: dict[str, Any] = {}
    bases: list[str] = []
    for item in statement.items:
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
    put_value(draft, "kamikazes", entry, statement)


def each(path: str, pattern: str, make: Callable[[re.Match[str]], Any], example: str, *, of_sides: bool) -> Reader:
    """Something for each side, ``ASW: Allies 8 against 2``, or for each of some bases."""

    def read(draft: Draft, statement: Statement) -> None:
        for item in statement.items:
            found = re.fullmatch(rf"(?P<whose>.+?)\s+{pattern}", item.text, re.IGNORECASE)
            if not found:
                draft.refuse(item, f"Type it like {example}")
                continue
            whose = draft.read_side(item.match(found, "whose")) if of_sides else found["whose"]
            if whose:
                draft.document.setdefault(path, {})[whose] = make(found)
                draft.said(f"{path}.{whose if of_sides else slug(whose)}", item)
        draft.line(statement, "", path)

    return read


by_side, by_place = partial(each, of_sides=True), partial(each, of_sides=False)


def read_options(draft: Draft, statement: Statement) -> None:
    """``House rules: supply_and_oil = both``."""
    for item in statement.items:
        name, sign, value = item.text.partition("=")
        if not sign or not fold(name):
            draft.refuse(item, "Type a rule and its reading, such as classic = yes")
            continue
        told = value.strip().strip('"')
        read: Any = YES.get(told.casefold(), told) if told else told
        key = fold(name).replace(" ", "_")
        known = [reading.name for reading in describe(type(library.ruleset(draft.document["game"]).options))]
        if key not in known:
            draft.refuse_word(item.part(0, len(name)), "house rule", known)
            continue
        put(draft.document, f"options.{key}", int(told) if re.fullmatch(r"-?\d{1,9}", value.strip()) else read)
        draft.said(f"options.{key}", item)
    draft.line(statement, "", "options")


def read_peace(draft: Draft, statement: Statement) -> None:
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


def read_supply_line(draft: Draft, statement: Statement) -> None:
    """``Supply line: Kiel to Trondheim worth 1``."""
    piece = value_of(statement)
    if not (found := _SUPPLY.fullmatch(piece.text)):
        draft.refuse(piece, "Type it like Supply line: Kiel to Trondheim worth 1")
        return
    entry: dict[str, Any] = {"from": found["from"], "to": found["to"]}
    entry |= {"stage": found["stage"].casefold()} if found["stage"] else {}
    entry |= {"worth": int(found["worth"])} if found["worth"] else {}
    draft.line(statement, "", draft.add("supply_lines", entry, piece))
