"""How a decision was made: what was compared, what was chosen, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flagplot.kernel.results import Result
from flagplot.players.search.weighing import Weighed
from flagplot.players.search.words import in_a_sentence, table


@dataclass(frozen=True)
class Thought(Result):
    """How a decision was made: the options that were compared, the best first."""

    side: str
    name: str
    """What the side is called."""
    question: str
    options: tuple[Weighed, ...]
    chosen: str
    doctrine: str
    """What the doctrine would do."""
    unit: str
    rounds: str
    """How far it was followed, in words."""
    mixed: bool = False
    capped: bool = False
    """Whether the time was up before all playouts were made: then the same seed may give another answer."""
    number: int = 0
    """The moment of the side that it belongs to."""

    @property
    def playouts(self) -> int:
        return sum([one.playouts for one in self.options])

    @property
    def sentence(self) -> str:
        """Why it was chosen, in words."""
        return in_a_sentence(self.options, self.chosen, self.doctrine, self.unit, mixed=self.mixed)

    def of(self, text: str) -> Weighed:
        return next(one for one in self.options if one.text == text)

    def as_dict(self) -> dict[str, Any]:
        return {
            "side": self.side,
            "moment": self.number,
            "question": self.question,
            "chosen": self.chosen,
            "doctrine": self.doctrine,
            "sentence": self.sentence,
            "playouts": self.playouts,
            "unit": self.unit,
            "followed": self.rounds,
            "mixed": self.mixed,
            "capped": self.capped,
            "options": self.rows(),
        }

    def rows(self) -> list[dict[str, Any]]:
        return [
            {
                "option": one.text,
                "label": one.label,
                "value": round(one.value.mean, 4),
                "error": round(one.value.error, 4),
                "playouts": one.playouts,
                "own_losses": round(one.own, 2),
                "enemy_losses": round(one.enemy, 2),
                "wins": round(one.won, 3),
                "chance": round(one.chance, 3),
            }
            for one in self.options
        ]

    def __str__(self) -> str:
        return "\n".join([self.question, *table(self.options, self.chosen, self.unit), self.sentence])
