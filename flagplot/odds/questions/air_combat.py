"""The question of one round of air combat (chapter 19)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from flagplot.odds.questions import shared
from flagplot.odds.questions.question import Question, number, question, word

if TYPE_CHECKING:
    from flagplot.odds.words import Flights, Readings, Results


def _combats() -> Sequence[str]:
    from flagplot.awaw.air_combat import Combat

    return [kind.value for kind in Combat]


@question(
    "air-combat",
    "Air combat",
    more="At sea, and wherever naval air fights, numbers are squadrons; else they are factors. At sea naval air flies "
    "patrol and army air cover unless {cap} or {cover} says otherwise.",
    examples=(
        {"attackers": "6 japan elite", "defenders": "4 united-states naval, 3 united-states army"},
        {"attackers": "9 germany army", "defenders": "6 britain army", "kind": "counterair"},
    ),
)
class AirCombatQuestion(Question):
    """One round of air combat: losses and aborts."""

    attackers: Flights = shared.attackers()
    defenders: Flights = word("air", "The defenders: 4 american naval, 3 american army.", "Defenders", needed=True)
    kind: str = word(
        "choice",
        "at-sea, counterair, carrier-counterair, naval-base, bombing, …",
        "Kind of combat",
        metavar="KIND",
        default="at-sea",
        choices=_combats,
        refusal="no such kind of air combat",
        unknown=True,
        first=True,
    )
    cap: bool = word("flag", "At sea: combat air patrol is among the defenders.", "The defenders fly patrol")
    cover: bool = word("flag", "At sea: air cover is among the defenders.", "The defenders fly cover")
    surprise: int = shared.surprise()
    radar: int = number(
        "In bombing: the defender's radar results.",
        "Radar results",
        "number of radar results",
        "19.31D",
        most=9,
        unsaid=0,
    )
    research: Results = shared.research()
    options: Readings = shared.readings()
