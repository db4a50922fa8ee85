"""The odds of search (22.45): which combat groups are found, how often, and whether somebody may surprise."""

from __future__ import annotations

import re
from fractions import Fraction

from flagplot.awaw.battle.search import Sightings, sightings_of
from flagplot.awaw.tables.counts import search_dice
from flagplot.kernel.errors import BadValue
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.words import listing
from flagplot.odds.answer import Answer, Part
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import outcomes
from flagplot.odds.words import read_whole

MOST_DICE = 20


def search(
    groups: str,
    *,
    dice: int | str | None = None,
    squadrons: int | str | None = None,
    active: int | str | None = None,
    carriers: int | str | None = None,
    round: int | str | None = None,  # noqa: A002 - the word of the rules
    codebreaking: int | str | None = None,
    enemy_dice: int | str | None = None,
    own_groups: str = "",
) -> Answer:
    """The exact odds of one side's search for enemy combat groups of some numbers. The dice are given, or what brings
    them; with the enemy's dice and our own groups also who may surprise whom."""
    numbers = read_numbers(groups, "enemy combat groups")
    counted = (squadrons, active, carriers, round, codebreaking)
    if dice is not None and any(number is not None for number in counted):
        message = "the search dice are given: nothing else brings any"
        raise BadValue(message, given=f"dice {dice}", allowed=["dice alone", "what brings them alone"], rule="22.451")
    ledgers: tuple[tuple[str, Ledger], ...] = ()
    if dice is None:
        ledger = _ledger(*counted)
        ledgers, rolled = (("search dice", ledger),), ledger.total
    else:
        rolled = read_whole(dice, "number of search dice", 0, MOST_DICE, "22.451")
    if rolled > MOST_DICE:
        raise BadValue(f"at most {MOST_DICE} search dice are reckoned with", given=f"{rolled} dice", rule="22.451")
    found = sightings(rolled, numbers)
    named = listing([str(number) for number in numbers])
    with_dice = "1 die" if rolled == 1 else f"{rolled} dice"
    question = f"A search with {with_dice} for combat group{'s' * (len(numbers) > 1)} {named}"
    parts = [Part(f"Results against CG {number}", _against(found, number)) for number in numbers]
    parts.append(Part("Combat groups found", found.of(lambda seen: len(set(seen)))))
    parts.append(Part("Search results in all", found.of(len)))
    parts.append(Part("Anything found", found.of(lambda seen: "something is found" if seen else "nothing is found")))
    if enemy_dice is not None or own_groups:
        enemies = read_whole(enemy_dice, "number of enemy search dice", 0, MOST_DICE, "22.451")
        theirs = sightings(enemies, read_numbers(own_groups, "own combat groups"))
        parts.append(Part("Surprise (22.462D)", _surprise(found, theirs)))
    return Answer(question, tuple(parts), ledgers)


def sightings(dice: int, numbers: tuple[int, ...]) -> Distribution[Sightings]:
    """22.452: what so many dice can show of some combat group numbers."""
    ways = outcomes(sightings_of(numbers), dice)
    return Distribution({seen: Fraction(number, 6**dice) for seen, number in ways})


def _against(found: Distribution[Sightings], number: int) -> Distribution[int]:
    return found.of(lambda seen: seen.count(number))


def _ledger(*given: int | str | None) -> Ledger:
    squadrons, active, carriers, number, codebreaking = given
    return search_dice(
        searching_squadrons=read_whole(squadrons, "number of searching squadrons", 0, 99, "22.451A"),
        codebreaking=read_whole(codebreaking, "codebreaking advantage", -1, 1, "22.451B"),
        combat_round=1 if number is None else read_whole(number, "round", 1, 12, "22.451C"),
        active_groups=read_whole(active, "number of active groups", 0, 6, "22.451D"),
        distant_carrier_groups=read_whole(carriers, "number of distant carrier groups", 0, 6, "22.451D"),
    )


def read_numbers(text: str, what: str) -> tuple[int, ...]:
    """Combat group numbers, ``1,3,5``: each from 1 to 6 and each once (22.423)."""
    words = [word for word in re.split(r"[,\s]+", str(text)) if word]
    numbers = [int(word) for word in words if re.fullmatch("[1-6]", word)]
    if not words or len(numbers) < len(words) or len(set(numbers)) < len(numbers):
        message = f"the numbers of the {what} are from 1 to 6, and no two are the same"
        raise BadValue(message, given=text, allowed=["1,3,5"], rule="22.423")
    return tuple(sorted(numbers))


def _surprise(ours: Distribution[Sightings], theirs: Distribution[Sightings]) -> Distribution[str]:
    """22.462D: who found something while nothing of his own was found may begin with a surprise strike."""
    finds, found = ours.chance(bool), theirs.chance(bool)
    mine, enemy = finds * (1 - found), found * (1 - finds)
    return Distribution(
        {"we may surprise": mine, "the enemy may surprise": enemy, "nobody may surprise": 1 - mine - enemy}
    )
