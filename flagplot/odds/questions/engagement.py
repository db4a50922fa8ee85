"""The question of a whole fleet combat between two groups (22.53-22.56)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from flagplot.odds.questions import shared
from flagplot.odds.questions.question import Question, question, word

if TYPE_CHECKING:
    from flagplot.odds.ship_lists import ShipList
    from flagplot.odds.words import Readings

DOCTRINE, JOIN = "doctrine", "join"
"""What surplus light ships do (22.54E)."""


def _activities() -> Sequence[str]:
    from flagplot.awaw.forces import ACTIVITIES

    return list(ACTIVITIES)


def _activity(about: str, label: str) -> Any:
    refusal = "no such naval activity"
    return word("choice", about, label, metavar="A", choices=_activities, refusal=refusal, rule="22.552B")


@question(
    "engagement",
    "Fleet combat",
    examples=(
        {"ours": "Kongo, Hiei, 8 cruiser factors", "theirs": "Washington, South Dakota, 4 cruiser factors"},
        {"ours": "Bismarck, 2 cruiser factors", "theirs": "Hood, Prince of Wales"},
    ),
)
class EngagementQuestion(Question):
    """Fleet combat between two groups; ours is the moving side."""

    ours: ShipList = word(
        "ships", "Our group: Yamato, 10 cruiser factors, 10 destroyer factors.", "Our group", "our ships", needed=True
    )
    theirs: ShipList = word("ships", "The group of the enemy.", "Their group", "their ships", needed=True)
    nation: str = word("country", "The country of our light ships.", "Country of our light ships")
    their_nation: str = word("country", "The country of theirs.", "Country of theirs")
    hits: dict[str, int] = word("hits", "Hits that our ships have.", "Hits on ours", "hits on our ships", first=True)
    their_hits: dict[str, int] = word(
        "hits", "Hits that theirs have.", "Hits on theirs", "hits on their ships", first=True
    )
    screen: ShipList | None = word(
        "screen", "Ships of ours that are screened, or none. Else by doctrine.", "Our screened ships", "screened ships"
    )
    their_screen: ShipList | None = word(
        "screen", "Ships of theirs, or none.", "Their screened ships", "screened ships"
    )
    surplus: str = word(
        "choice",
        "What surplus light ships do (22.54E): as the doctrine says in view of what capital ships have done, or "
        "join in firing at light ships, which makes large combats exact.",
        "Surplus light ships",
        metavar="doctrine|join",
        default=DOCTRINE,
        choices=lambda: (DOCTRINE, JOIN),
        refusal="surplus light ships do as the doctrine says, or join the others",
        rule="22.54E",
    )
    our_activity: str = _activity("What we are at sea for: sea-transport.", "Our activity")
    their_activity: str = _activity("What they are at sea for.", "Their activity")
    codebreaking: str = shared.tactical()
    states: int | None = shared.states()
    seconds: int | None = shared.seconds()
    option: Readings = shared.readings()
