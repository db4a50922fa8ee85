"""What each kind of decision means for the player, in a sentence or two, and the rule behind it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from flagplot.kernel.data_files import read_data
from flagplot.kernel.requests import Choose

if TYPE_CHECKING:
    from flagplot.kernel.game import Game


class Help(NamedTuple):
    """What a decision means, and the rule that it follows from."""

    says: str
    rule: str

    def __str__(self) -> str:
        return f"{self.says} ({self.rule})"


Helps = Mapping[str, Help]
"""By the first word of the options, or by that with its procedure before it."""


@lru_cache
def read_helps(package: str) -> Helps:
    """What the decisions of a game mean, from the data file in its package."""
    data = read_data(package, "help.toml")
    return {word: Help(entry["says"], entry["rule"]) for word, entry in data.items()}


def help_for(game: Game[Any], verb: str) -> Help | None:
    """What a decision means at this point of a game; `verb` is the first word of its options, ``number`` of
    ``number:carrier-group:5``. The answer follows from the question alone, so it tells no secret."""
    helps: Helps = getattr(game.ruleset, "helps", {})
    procedure = game.state.frames[-1].procedure if game.state.frames else ""
    return helps.get(f"{procedure}/{verb}") or helps.get(verb)


def verb_of(request: Choose[Any]) -> str:
    """The first word of the options of a question."""
    return (request.verb if isinstance(request.verb, str) else request.verb[0]).partition(":")[0]
