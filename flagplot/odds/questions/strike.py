"""The question of one air strike on ships (23.76)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flagplot.odds.questions import shared
from flagplot.odds.questions.question import Question, number, question, word

if TYPE_CHECKING:
    from flagplot.odds.ship_lists import ShipList
    from flagplot.odds.words import Flights, Readings, Results


@question(
    "strike",
    "Air strike",
    more="Naval squadrons fly from carriers, army squadrons from land. Without {aim} the doctrine player picks the "
    "targets.",
    examples=(
        {
            "attackers": "12 japan elite",
            "target": "Enterprise, Hornet, Yorktown, Wasp, 8 cruiser factors, 4 destroyer factors",
            "cap": "4",
        },
        {
            "attackers": "8 american naval",
            "target": "Akagi, Kaga, 8 cruiser factors, 4 destroyer factors",
            "cap": "2",
            "surprise": "2",
        },
        {"attackers": "6 japan army", "target": "Prince of Wales, Repulse, 4 destroyer factors"},
    ),
)
class StrikeQuestion(Question):
    """One air strike on ships: hits and losses."""

    attackers: Flights = shared.attackers()
    target: ShipList = word(
        "ships",
        "The struck group; light ships by factors: Wasp, 4 cruiser factors, 4 destroyer factors.",
        "Target",
        needed=True,
    )
    nation: str = word("country", "The country of its light ships, if it is in doubt.", "Country of its light ships")
    cap: int | Flights | None = word(
        "squadrons",
        "Squadrons on combat air patrol: a number, or 4 japan elite.",
        "Combat air patrol",
        "combat air patrol",
        rule="23.33",
        first=True,
    )
    aboard: int | Flights | None = word(
        "squadrons",
        "Squadrons of its carriers, the patrol too. Without it: full decks.",
        "Squadrons aboard",
        "squadrons aboard",
        rule="23.33",
    )
    cover: Flights = word(
        "air", "Land-based squadrons that cover it: 2 american army.", "Air cover", "air cover", first=True
    )
    surprise: int = shared.surprise(first=True)
    research: Results = shared.research()
    aim: dict[str, int] = word(
        "aims", "Squadrons against each target: enterprise 6, light-ships 2.", "Aim", "aims", first=True
    )
    hits: dict[str, int] = word("hits", "Hits that its ships have: enterprise 1.", "Hits it has already")
    engage: int | None = number(
        "How many over the target engage. Without it: all.",
        "Squadrons that engage",
        "number of squadrons that engage",
        "23.415",
    )
    options: Readings = shared.readings()
