"""Standing orders in plain words: the ready-made ones of a game, and what any order says.

The words are data of the game, `[[standing]]` in its `plans.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from flagplot import library
from flagplot.kernel.errors import BadValue
from flagplot.players.orders import STAFF, Order

SHARES: Final = (75, 60, 50, 40, 25)
"""Per cent of its strength below which an order of a side may begin to hold."""
USUAL: Final[Mapping[str, str]] = {
    "most": "as many as possible",
    "all": "all of them",
    "least": "as few as possible",
    "half": "half of them",
    "third": "a third of them",
    "none": "none",
    "first": "the first on the list",
    "last": "the last on the list",
    STAFF: "leave it to the staff",
}
UNTIL: Final[Mapping[str, str]] = {
    "attacked": "until something of yours is attacked",
    "found": "until the enemy is found",
    "hit": "until something is hit",
}
JOINT: Final = "="
"""Between the questions and the answer of a ready-made order, as a form sends it."""


class Standing(NamedTuple):
    """Ready-made orders about one kind of question."""

    about: str
    when: str
    answers: Mapping[str, str]
    """What each answer means."""

    @property
    def offers(self) -> list[tuple[str, str]]:
        """What a form sends for each order, and its words."""
        answers = {**self.answers, STAFF: USUAL[STAFF]}
        return [(f"{self.when}{JOINT}{answer}", f"{self.about}: {words}") for answer, words in answers.items()]


@cache
def standing_words(game: str) -> tuple[Standing, ...]:
    """The ready-made orders of a game; none if it brings no words for them."""
    told = library.words_of(game).get("standing", ())
    return tuple(Standing(one["about"], one["when"], one["answers"]) for one in told)


def told(order: Order, game: str) -> str:
    """An order as a sentence."""
    word = order.when.partition(":")[0]
    standing = next((one for one in standing_words(game) if one.when == word), None)
    about = "Everything" if order.when == "*" else standing.about if standing else f"Questions about “{_plain(word)}”"
    known = {**USUAL, **(standing.answers if standing else {})}
    some = " (some of them)" if word != order.when and order.when != "*" else ""
    answers = ", else ".join(known.get(answer, _plain(answer)) for answer in order.answers)
    return f"{about}{some}: {answers}{_condition(order)}."


def ready_made(game: str, chosen: str) -> tuple[str, str, str]:
    """A ready-made order that a form names: its words, its questions and its answer. Raises BadValue."""
    for one in standing_words(game):
        for value, words in one.offers:
            if value == chosen:
                return words, one.when, value.partition(JOINT)[2]
    raise BadValue("there is no such order", given=chosen)


def _condition(order: Order) -> str:
    when = [below_words(order.below)] if order.below is not None else []
    when += [f"during {order.during}"] if order.during else []
    when += [UNTIL[order.until]] if order.until else []
    return f", {', '.join(when)}" if when else ""


def below_words(share: float) -> str:
    return f"once you have less than {share:.0%} of your strength left"


def _plain(name: str) -> str:
    return name.replace("-", " ").replace(":", " ").replace("*", "any").strip()
