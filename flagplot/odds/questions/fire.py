"""The question of fleet fire on one target (22.55)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flagplot.odds.questions import shared
from flagplot.odds.questions.question import Question, number, question, word

if TYPE_CHECKING:
    from flagplot.odds.ship_lists import ShipList
    from flagplot.odds.words import Readings


@question(
    "fire",
    "Fleet fire",
    examples=(
        {"ships": "Bismarck", "target": "Hood"},
        {
            "factors": "12",
            "nation": "germany",
            "target": "6 cruiser factors, 4 destroyer factors",
            "target_nation": "britain",
        },
    ),
)
class FireQuestion(Question):
    """Fleet fire on one target: hits, damage, sinking."""

    ships: ShipList = word(
        "ships", "The ships that fire: Bismarck, Scharnhorst.", "Ships that fire", "firing ships", first=True
    )
    target: ShipList = word(
        "ships",
        "A named ship, or light ships by factors: 6 cruiser factors, 4 destroyer factors.",
        "Target",
        needed=True,
    )
    factors: int | None = number(
        "Or only how many factors fire.",
        "Or factors that fire",
        "number of factors",
        "22.55",
        least=1,
        most=200,
        first=True,
    )
    nation: str = word("country", "The country that fires: germany.", "Country that fires", first=True)
    target_nation: str = word("country", "The country of light ships that are the target.", "Country of the target")
    hits: dict[str, int] = word(
        "hits", "Hits that ships of the target have: hood 1.", "Hits it has already", "hits on the target", first=True
    )
    hampered: tuple[str, ...] = word(
        "choices",
        "Whom cargo or sea supply hampers (22.552B).",
        "Hampered by cargo",
        metavar="us|them",
        choices=lambda: shared.SIDES,
        refusal="either we or they are hampered",
    )
    codebreaking: str = shared.tactical()
    option: Readings = shared.readings()
