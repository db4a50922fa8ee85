"""Interception (22.2): the dice of an attempt, and when the interceptors arrive."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.tables.counts import (
    MAXIMUM_RANGE,
    arrival_round,
    interception_dice,
    interception_distance,
    may_intercept,
    within_range,
)
from flagplot.kernel.errors import UnknownName
from flagplot.odds.answer import Answer, Part
from flagplot.odds.chances import Distribution
from flagplot.odds.questions.sea_dice import CERTAINLY_NOTHING, sum_of_dice
from flagplot.odds.words import read_whole

COUNTED = ("task_forces", "ground_defenders", "spotters", "submarines", "cards")
"""What is counted for the dice; everything else is so or not."""
NAMES = {"cards": "card_lead", "light_only": "cruisers_and_destroyers_only"}
"""What `interception_dice` calls some of them."""
NEVER = "not at all"


def interception(
    *, distance: int | str, theatre: str, attempts: int | str = 1, **factors: int | str | bool | None
) -> Answer:
    """Whether an interception over so many hexes succeeds, and when the force arrives if another one does; `factors`
    are those of the table, under the names that the command has for them."""
    where = theatre.strip().casefold()
    if where not in MAXIMUM_RANGE:
        raise UnknownName("there is no such theatre", given=theatre, allowed=tuple(MAXIMUM_RANGE))
    hexes = read_whole(distance, "distance in hexes", 0, 999, "22.22")
    counted: dict[str, Any] = {NAMES.get(name, name): _read(name, value) for name, value in factors.items()}
    ledger = interception_dice(attempts=read_whole(attempts, "number of attempts", 1, rule="22.22K"), **counted)
    able = may_intercept(ledger) and within_range(hexes, where)
    reached = sum_of_dice(max(0, ledger.total)).of(lambda total: interception_distance(total, where))
    reached = reached if able else CERTAINLY_NOTHING
    question = f"Interception over {hexes} hexes in the theatre {where} with {_dice(ledger.total)}"
    parts = _parts(hexes, where, reached) if able else (_never(hexes, where),)
    return Answer(question, parts, (("Dice of the attempt", ledger),))


def _read(name: str, value: int | str | bool | None) -> int | bool:
    return read_whole(value, name.replace("_", " "), rule="22.22") if name in COUNTED else bool(value)


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
