"""The odds of search (22.45): which combat groups are found, how often, and whether somebody may surprise."""

from __future__ import annotations

from fractions import Fraction

from flagplot.awaw.battle.search import Sightings, sightings_of
from flagplot.awaw.tables.counts import search_dice
from flagplot.kernel.errors import BadValue
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.words import listing
from flagplot.odds.answer import Answer, Part
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import outcomes
from flagplot.odds.questions.search import MOST_DICE, SearchQuestion
from flagplot.odds.words import read_groups


def search(question: SearchQuestion) -> Answer:
    """The exact odds of one side's search for enemy combat groups of some numbers. The dice are given, or what brings
    them; with the enemy's dice and our own groups also who may surprise whom."""
    ledgers, rolled = _dice(question)
    numbers = question.groups
    found = sightings(rolled, numbers)
    named = listing([str(number) for number in numbers])
    with_dice = "1 die" if rolled == 1 else f"{rolled} dice"
    parts = [Part(f"Results against CG {number}", _against(found, number)) for number in numbers]
    parts.append(Part("Combat groups found", found.of(lambda seen: len(set(seen)))))
    parts.append(Part("Search results, total", found.of(len)))
    parts.append(Part("Anything found", found.of(lambda seen: "something found" if seen else "nothing found")))
    if question.enemy_dice is not None or question.own_groups:
        own = question.own_groups or read_groups("", "own combat groups")  # which refuses: nobody could be found
        parts.append(Part("Surprise (22.462D)", _surprise(found, sightings(question.enemy_dice or 0, own))))
    asked = f"A search with {with_dice} for combat group{'s' * (len(numbers) > 1)} {named}"
    silent = question.own_groups and question.enemy_dice is None
    return Answer(asked, tuple(parts), ledgers, (NO_ENEMY_DICE,) if silent else ())


NO_ENEMY_DICE = "the enemy rolls no search dice, since none were given: nothing of ours is found"


def _dice(question: SearchQuestion) -> tuple[tuple[tuple[str, Ledger], ...], int]:
    """22.451: the search dice, and where they come from if that is said instead."""
    brings = (question.squadrons, question.active, question.carriers, question.round, question.codebreaking)
    if question.dice is not None:
        if any(number is not None for number in brings):
            allowed = ["only dice", "only what brings them"]
            message = "give the search dice or what brings them, not both"
            raise BadValue(message, given=f"dice {question.dice}", allowed=allowed, rule="22.451")
        return (), question.dice
    ledger = search_dice(
        searching_squadrons=question.squadrons or 0,
        codebreaking=question.codebreaking or 0,
        combat_round=question.round or 1,
        active_groups=question.active or 0,
        distant_carrier_groups=question.carriers or 0,
    )
    if ledger.total > MOST_DICE:
        message = f"at most {MOST_DICE} search dice"
        raise BadValue(message, given=f"{ledger.total} dice", rule="22.451")
    return (("search dice", ledger),), ledger.total


def sightings(dice: int, numbers: tuple[int, ...]) -> Distribution[Sightings]:
    """22.452: what so many dice can show of some combat group numbers."""
    ways = outcomes(sightings_of(numbers), dice)
    return Distribution({seen: Fraction(number, 6**dice) for seen, number in ways})


def _against(found: Distribution[Sightings], number: int) -> Distribution[int]:
    return found.of(lambda seen: seen.count(number))


def _surprise(ours: Distribution[Sightings], theirs: Distribution[Sightings]) -> Distribution[str]:
    """22.462D: who found something while nothing of his own was found may begin with a surprise strike."""
    finds, found = ours.chance(bool), theirs.chance(bool)
    mine, enemy = finds * (1 - found), found * (1 - finds)
    return Distribution(
        {"we may surprise": mine, "the enemy may surprise": enemy, "nobody may surprise": 1 - mine - enemy}
    )
