"""The question of one interception attempt (22.2)."""

from __future__ import annotations

from typing import Any

from flagplot.odds.questions.question import Question, number, question, word


def _counted(about: str, label: str, **more: Any) -> Any:
    """Something that is counted for the dice."""
    return number(about, label, "", "22.22", unsaid=0, **more)


@question(
    "interception",
    "Interception",
    examples=(
        {"distance": "12", "theatre": "pacific", "cargo": "yes", "task_forces": "2"},
        {"distance": "8", "theatre": "europe", "spotters": "2"},
    ),
)
class InterceptionQuestion(Question):
    """One attempt to intercept: whether and when it arrives."""

    distance: int = number(
        "The hexes that the interceptors have to go.",
        "Distance in hexes",
        "distance in hexes",
        "22.22",
        most=999,
        needed=True,
    )
    theatre: str = word(
        "choice",
        "Where it is: hexes and ranges differ.",
        "Theatre",
        metavar="europe|pacific",
        choices=lambda: ("europe", "pacific"),
        refusal="no such theatre",
        unknown=True,
        needed=True,
    )
    cargo: bool = word("flag", "The target carries cargo (22.22A).", "It carries cargo")
    bombardment: bool = word("flag", "It bombards a shore (22.22A).", "It bombards a shore")
    carrier_mission: bool = word("flag", "It is on a fast carrier mission (22.22A).", "Fast carrier mission")
    patrol_staying: bool = word("flag", "It is a patrol that wants to stay in its hex (22.22B).", "A patrol that stays")
    counter_in_hex: bool = word(
        "flag", "Counter-interception in the interception hex (22.22C).", "Counter-interception in the hex"
    )
    light_only: bool = word("flag", "Cruisers and destroyers alone intercept (22.22D).", "Light ships alone intercept")
    task_forces: int = _counted("Task forces in the target (22.22E).", "Task forces in the target", first=True)
    ground_defenders: int = _counted("Ground factors that defend against the invasion (22.22F).", "Ground defenders")
    spotters: int = _counted("Squadrons that spot it (22.22G).", "Spotting squadrons", first=True)
    submarines: int = _counted("Friendly submarines near by (22.22H).", "Friendly submarines", first=True)
    cards: int = _counted("Strategic cards more than the opponent (22.22I).", "Lead in strategic cards")
    slow: bool = word("flag", "There are slow ships among the interceptors (22.22J).", "Slow ships intercept")
    submarine_force: bool = word("flag", "A submarine intercepts (22.22J).", "A submarine intercepts")
    attempts: int = number(
        "Attempts on the same activity (22.22K).",
        "Attempts on it",
        "number of attempts",
        "22.22K",
        default="1",
        least=1,
    )
