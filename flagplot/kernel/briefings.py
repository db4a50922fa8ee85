"""Briefings: what a scenario file says to each side before the first decision, and what a game says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from flagplot.kernel.data_files import read_data
from flagplot.kernel.errors import Fault
from flagplot.kernel.shapes import Named, Shape, Table, Text, Whole

MOODS: Final = {
    "quick": "Quick",
    "classic": "Classic",
    "huge": "Huge",
    "air": "Air battles",
    "campaign": "On the map",
}
"""What somebody may be in the mood for, in the order in which battles are offered."""
HARDEST: Final = 3

BRIEFING: Final = Table(
    "What each side reads before its first decision.",
    {
        "situation": Text("Where things stand, as both sides know it: two or three sentences."),
        "orders": Named("By side: its order in one sentence, for whoever plays it.", Text("The order.")),
    },
    {
        "mood": (Text("Where the battle is listed.", *MOODS), ""),
        "difficulty": (Whole("From 1 for a first battle to 3.", 1, HARDEST), 0),
        "minutes": (Whole("About how long a game takes (`bench/lengths.py`).", 1, 6000), 0),
    },
)

TOLD_OF_A_BATTLE: Final[Mapping[str, tuple[Shape, Any]]] = {
    "about": (Text("One line that says what the battle is."), ""),
    "history": (Text("A paragraph of history."), ""),
    "teaches": (Text("What a player learns from it."), ""),
    "sources": (Text("Where the forces come from, and what is our estimate."), ""),
    "briefing": (BRIEFING, {}),
}
"""Keys of scenario files of any game that no rule asks for."""


def check_briefing(data: Mapping[str, Any], faults: list[Fault]) -> None:
    """Each side has its order, and nobody else has one."""
    orders = data["briefing"].get("orders")
    if orders is None:
        return
    sides = [side["id"] for side in data["sides"]]
    for side in sides:
        if side not in orders:
            faults.append(Fault(f"briefing.orders.{side}", "this side has no order"))
    for side in orders:
        if side not in sides:
            faults.append(Fault(f"briefing.orders.{side}", f"there is no such side; there are {', '.join(sides)}"))


@dataclass(frozen=True, slots=True)
class Ending:
    """One way to win or to lose, or something that earns points."""

    text: str
    rule: str = ""
    lost: bool = False
    """Whether this is how you lose."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a round, a stage or a turn, in plain words."""

    name: str
    text: str
    rule: str = ""
    icon: str = "flag"
    """What pictures show beside it, as `flagplot/draw/symbols.py` calls it."""


@dataclass(frozen=True, slots=True)
class Task:
    """Something that earns points if it is done."""

    text: str
    points: int


@dataclass(frozen=True, slots=True)
class Guide:
    """What a kind of play is about: what wins, and what happens in which order."""

    span: str
    """What the steps belong to: ``A round``."""
    wins: tuple[Ending, ...]
    steps: tuple[Step, ...]


def read_guides(package: str) -> dict[str, Guide]:
    """The guides of a game, by kind of play, from the data file in its package."""
    data = read_data(package, "guides.toml")
    return {
        kind: Guide(
            span=told["span"],
            wins=tuple([Ending(**ending) for ending in told["wins"]]),
            steps=tuple([Step(**step) for step in told["steps"]]),
        )
        for kind, told in data.items()
    }
