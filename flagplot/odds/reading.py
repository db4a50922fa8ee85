"""Reading a question of odds: from what somebody typed to a typed question, with all that cannot be read at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from flagplot.awaw.battle.screening import NONE
from flagplot.awaw.state.battle import LIGHT_SHIPS
from flagplot.kernel.errors import BadValue, FlagplotError, UnknownName
from flagplot.odds.questions.forms import FORMS
from flagplot.odds.questions.question import BadQuestion, Question, Word
from flagplot.odds.ship_lists import read_counts, read_ships
from flagplot.odds.words import (
    country_of,
    read_flights,
    read_groups,
    read_port,
    read_readings,
    read_research,
    read_searchers,
    read_whole,
)

LIMITS = "limits"
"""A field of every question that has no word."""


def read(kind: str, said: Mapping[str, Any]) -> Question:
    """A question of some kind. One word that cannot be read is refused by itself, several are refused together."""
    if kind not in FORMS:
        raise UnknownName("there are no odds of this kind", given=kind, allowed=[*FORMS])
    form = FORMS[kind]
    if wrong := [name for name in said if name != LIMITS and not form.word(name)]:
        known = ", ".join([word.name for word in form.words])
        raise TypeError(f"odds of {kind} do not know {', '.join(wrong)}; they know {known}")
    if missing := [word.name for word in form.words if word.needed and said.get(word.name) is None]:
        raise TypeError(f"odds of {kind} also need {' and '.join(missing)}")
    values, faults = dict[str, Any](), dict[str, FlagplotError]()
    for word in form.words:
        try:
            values[word.name] = value_of(word, said.get(word.name))
        except FlagplotError as refusal:
            faults[word.name] = refusal
    if faults:
        raise BadQuestion(faults) if len(faults) > 1 else next(iter(faults.values()))
    return form.question(said=said, limits=said.get(LIMITS), **values)


def value_of(word: Word, given: Any) -> Any:
    """What a word holds, if this was given for it, or nothing."""
    what = word.what
    match word.type:
        case "flag":
            return bool(given)
        case "readings":
            return read_readings(given or ())
        case "choices":
            return tuple([_chosen(word, one) for text in given or () for one in text.split(",") if one.strip()])
    given = word.default if given is None else given
    if given is None:
        return word.unsaid
    text = str(given)
    match word.type:
        case "air":
            return read_flights(text, what)
        case "squadrons":
            flights = " " in text.strip()
            return read_flights(text, what) if flights else read_whole(given, what, rule=word.rule)
        case "ships":
            return read_ships(text, what)
        case "screen":
            return read_ships("" if text.strip().casefold() == NONE else text, what)
        case "country":
            return country_of(text, text) if text or word.needed else ""
        case "number":
            return read_whole(given, what, word.least, word.most, word.rule)
        case "groups":
            return read_groups(text, what) if text or word.needed else ()
        case "hits":
            return read_counts(text, what)
        case "aims":
            return read_counts(text, what, [LIGHT_SHIPS])
        case "choice":
            return _chosen(word, text)
        case "research":
            return read_research(text)
        case "port":
            return read_port(text)
        case "searchers":
            return read_searchers(text)
        case _:
            assert_never(word.type)


def _chosen(word: Word, text: str) -> str:
    """One of a few words; nobody and nothing, where neither is needed, are an empty one."""
    said, known = "-".join(text.casefold().split()), word.choices() if word.choices else ()
    if said not in known and (said or word.needed or word.default):
        error = UnknownName if word.unknown else BadValue
        raise error(word.refusal, given=text, allowed=known, rule=word.rule)
    return said
