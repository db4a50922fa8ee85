"""The question of submarine attacks on one combat group (22.94)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flagplot.odds.questions import shared
from flagplot.odds.questions.question import Question, number, question, word

if TYPE_CHECKING:
    from flagplot.odds.ship_lists import ShipList
    from flagplot.odds.words import Readings


@question(
    "submarine",
    "Submarines",
    examples=(
        {"submarines": "3", "nation": "germany", "target": "Ark Royal, 6 cruiser factors, 4 destroyer factors"},
        {
            "submarines": "2",
            "nation": "japan",
            "target": "Yorktown, 2 cruiser factors, 4 destroyer factors",
            "hits": "yorktown 2",
        },
    ),
)
class SubmarineQuestion(Question):
    """Submarine attacks on one combat group; we attack."""

    submarines: int = number(
        "How many factors attack, one after the other.",
        "Submarine factors",
        "number of submarines",
        "22.94",
        least=1,
        needed=True,
    )
    nation: str = word("country", "Their country: germany.", "Their country", needed=True)
    target: ShipList = word(
        "ships", "The group: Ark Royal, 6 cruiser factors, 4 destroyer factors.", "Target", needed=True
    )
    target_nation: str = word(
        "country", "The country of light ships that are the target.", "Country of its light ships"
    )
    hits: dict[str, int] = word(
        "hits", "Hits that ships of the target have: hood 1.", "Hits it has already", "hits on the target", first=True
    )
    advanced: bool = word("flag", "Advanced submarines: +1, whatever else.", "Advanced submarines")
    searchers: dict[str, int] = word(
        "searchers", "Squadrons of each side that search (22.9413).", "Searching squadrons", metavar="us=N,them=N"
    )
    torpedo: int = number(
        "Torpedo research of the attacker.", "Torpedo research", "torpedo research", "22.9412", unsaid=0
    )
    asw: int = number("ASW research of the defender.", "ASW research", "ASW research", "22.9412", unsaid=0)
    excess_asw: int = number(
        "ASW factors in the SW box beyond the submarines there (22.9415).",
        "Excess ASW factors",
        "excess of ASW factors",
        "22.9415",
        unsaid=0,
    )
    earlier: int = number(
        "Submarine attacks on the group earlier in the round.",
        "Earlier attacks",
        "number of earlier attacks",
        "22.9416",
        unsaid=0,
    )
    idle_carriers: bool = word(
        "flag", "The group's fast carriers have no squadrons: not operational.", "Carriers without squadrons"
    )
    hampered: bool = word("flag", "Cargo or sea supply hampers the group.", "Hampered by cargo")
    codebreaking: str = shared.side(
        "Who has the codebreaking advantage in submarine attacks.", "Codebreaking advantage"
    )
    tactical: str = shared.tactical("Tactical codebreaking advantage", what="tactical codebreaking")
    states: int | None = shared.states()
    seconds: int | None = shared.seconds()
    option: Readings = shared.readings()
