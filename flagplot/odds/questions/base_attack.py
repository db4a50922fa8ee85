"""The question of an air attack on a base (18.52, 22.432) or on the ships in a port (23.411, 23.5, 23.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flagplot.odds.questions import shared
from flagplot.odds.questions.question import Question, number, question, word

if TYPE_CHECKING:
    from flagplot.awaw.state.setting import Defenses
    from flagplot.odds.ship_lists import ShipList
    from flagplot.odds.words import Flights, Readings, Results


@question(
    "base-attack",
    "Attack on a base",
    more="Army air, jets and transports are counted in factors as in scenario files, and fight as squadrons if naval "
    "air takes part.",
    examples=(
        {"attackers": "6 germany army", "defenders": "4 britain army", "rounds": "3"},
        {
            "attackers": "9 japan elite",
            "ships": "Arizona, Nevada, 4 cruiser factors",
            "defenders": "6 united-states army",
            "counterair": "3",
            "carriers": "yes",
        },
    ),
)
class BaseAttackQuestion(Question):
    """Counterair against a base, or an attack on ships in port."""

    attackers: Flights = shared.attackers()
    defenders: Flights = word(
        "air", "The air in the base: 4 britain army, 2 britain army inverted.", "Air in the base", first=True
    )
    ships: ShipList = word(
        "ships", "The ships in port, if they are attacked: Arizona, 4 cruiser factors.", "Ships in port", first=True
    )
    port: Defenses = word(
        "port",
        "What else defends the port: 1 city, 1 airbase, 2 flak, fortress.",
        "The port",
        metavar="WHAT",
        first=True,
    )
    counterair: int | None = number(
        "How many counterair instead of attacking ships. Without it: none.",
        "Attackers that counterair",
        "number that counterair",
        "23.411",
        first=True,
    )
    aim: dict[str, int] = word("aims", "Ships as targets: arizona 4, light-ships 2.", "Aim", "aims", metavar="AIMS")
    nation: str = word(
        "country", "The country of the light ships in port.", "Country of the light ships", metavar="NATION"
    )
    hits: dict[str, int] = word(
        "hits",
        "Hits that ships in port already have: arizona 2.",
        "Hits they have already",
        "hits on the ships",
        metavar="HITS",
    )
    carriers: bool = word("flag", "The attackers fly from carriers.", "From carriers")
    rounds: int | None = number(
        "The rounds that the attacker fights. Without it: one.",
        "Rounds",
        "number of rounds",
        "18.522",
        least=1,
        most=12,
    )
    research: Results = shared.research()
    options: Readings = shared.readings()
