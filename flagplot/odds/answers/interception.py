"""Interception (22.2): the dice of an attempt, and when the interceptors arrive."""

from __future__ import annotations

from flagplot.awaw.tables.counts import (
    MAXIMUM_RANGE,
    arrival_round,
    interception_dice,
    interception_distance,
    may_intercept,
    within_range,
)
from flagplot.odds.answer import Answer, Part
from flagplot.odds.answers.dice import CERTAINLY_NOTHING, sum_of_dice
from flagplot.odds.chances import Distribution
from flagplot.odds.questions.interception import InterceptionQuestion

NEVER = "not at all"


def interception(question: InterceptionQuestion) -> Answer:
    """Whether an interception over so many hexes succeeds, and when the force arrives if another one does."""
    hexes, where = question.distance, question.theatre
    ledger = interception_dice(
        cargo=question.cargo,
        bombardment=question.bombardment,
        carrier_mission=question.carrier_mission,
        patrol_staying=question.patrol_staying,
        counter_in_hex=question.counter_in_hex,
        cruisers_and_destroyers_only=question.light_only,
        task_forces=question.task_forces,
        ground_defenders=question.ground_defenders,
        spotters=question.spotters,
        submarines=question.submarines,
        card_lead=question.cards,
        slow=question.slow,
        submarine_force=question.submarine_force,
        attempts=question.attempts,
    )
    able = may_intercept(ledger) and within_range(hexes, where)
    reached = sum_of_dice(max(0, ledger.total)).of(lambda total: interception_distance(total, where))
    reached = reached if able else CERTAINLY_NOTHING
    parts = _parts(hexes, where, reached) if able else (_never(hexes, where),)
    there = "the Pacific" if where == "pacific" else where.capitalize()
    asked = f"Interception over {hexes} hexes in {there} with {_dice(ledger.total)}"
    return Answer(asked, parts, (("Dice of the attempt", ledger),))


def _dice(number: int) -> str:
    return "no dice" if number <= 0 else f"{number} di{'c' * (number != 1)}e"


def _parts(distance: int, theatre: str, reached: Distribution[int]) -> tuple[Part, ...]:
    alone = reached.of(lambda hexes: "the first round" if hexes >= distance else NEVER)
    late = reached.of(lambda hexes: f"round {arrival_round(distance, hexes, theatre)}")
    return (
        Part("If it is the only attempt, it arrives in (22.23, 22.24A)", alone),
        Part("If another attempt succeeds and the battle lasts, it arrives in (22.24B)", late),
        Part("Hexes reached", reached),
    )


def _never(distance: int, theatre: str) -> Part:
    far = not within_range(distance, theatre)
    reason = f"the range is {MAXIMUM_RANGE[theatre]} hexes (22.22)" if far else "there are no dice (22.24C)"
    return Part(f"It arrives: {reason}", CERTAINLY_NOTHING.of(lambda _: NEVER))
