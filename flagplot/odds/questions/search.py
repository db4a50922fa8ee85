"""The question of one side's search (22.45)."""

from __future__ import annotations

from flagplot.odds.questions.question import Question, number, question, word

MOST_DICE = 20


@question(
    "search",
    "Search",
    examples=(
        {
            "groups": "1,3,5",
            "squadrons": "2",
            "active": "1",
            "codebreaking": "+1",
            "enemy_dice": "2",
            "own_groups": "2,4",
        },
        {"groups": "2,6", "dice": "3"},
    ),
)
class SearchQuestion(Question):
    """One side's search: what is found, and surprise."""

    groups: tuple[int, ...] = word(
        "groups",
        "The numbers of the enemy's combat groups: 1,3,5.",
        "Enemy combat groups",
        "enemy combat groups",
        needed=True,
    )
    dice: int | None = number(
        "The search dice, or what brings them:",
        "Search dice",
        "number of search dice",
        "22.451",
        most=MOST_DICE,
        first=True,
    )
    squadrons: int | None = number(
        "Land-based squadrons that search.",
        "Searching squadrons",
        "number of searching squadrons",
        "22.451A",
        first=True,
    )
    active: int | None = number(
        "Active groups of ten sound factors.", "Active groups", "number of active groups", "22.451D", most=6, first=True
    )
    carriers: int | None = number(
        "Distant groups with a ready carrier.",
        "Distant carrier groups",
        "number of distant carrier groups",
        "22.451D",
        most=6,
        first=True,
    )
    round: int | None = number("The round of the battle.", "Round", "", "22.451C", least=1, most=12, first=True)
    codebreaking: int | None = number(
        "The codebreaking advantage.",
        "Codebreaking advantage",
        "codebreaking advantage",
        "22.451B",
        metavar="+1|-1",
        least=-1,
        most=1,
        choices=lambda: ("+1", "-1"),
        first=True,
    )
    enemy_dice: int | None = number(
        "The enemy's search dice.",
        "Enemy search dice",
        "number of enemy search dice",
        "22.451",
        most=MOST_DICE,
        first=True,
    )
    own_groups: tuple[int, ...] = word(
        "groups", "The numbers of our own combat groups.", "Own combat groups", "groups on our side", first=True
    )
