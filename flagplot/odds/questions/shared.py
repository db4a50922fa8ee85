"""Words that several questions have, and what the sides are called."""

from __future__ import annotations

from typing import Any

from flagplot.odds.questions.question import number, word

ATTACKERS, DEFENDERS = "attackers", "defenders"
"""The sides in the air."""
US, THEM = "us", "them"
SIDES = (US, THEM)
"""The sides at sea."""
STATES: dict[str, Any] = {"what": "number of states", "least": 1, "most": 10_000_000}
SECONDS: dict[str, Any] = {"what": "number of seconds", "least": 1, "most": 86_400}
"""When to stop."""


def attackers() -> Any:
    return word("air", "The attackers: 6 japan elite, 2 japan army.", "Attackers", needed=True)


def surprise(**more: Any) -> Any:
    about = "The surprise level of the attack."
    return number(about, "Surprise level", "surprise level", "23.7412", most=9, unsaid=0, **more)


def research() -> Any:
    return word("research", "Research results: defenders:air_defense=1, japan:air_drm=1.", "Research")


def readings() -> Any:
    about = "Another reading of a rule (see: flagplot options)."
    return word("readings", about, "Other readings of rules", option="--option")


def side(about: str, label: str, what: str = "codebreaking", **more: Any) -> Any:
    """One of the two sides at sea, or nobody."""
    refusal = f"{what} belongs to us or to them"
    return word("choice", about, label, metavar="us|them", choices=lambda: SIDES, refusal=refusal, **more)


def tactical(label: str = "Codebreaking advantage", **more: Any) -> Any:
    return side("Who has the tactical codebreaking advantage.", label, **more)


def states() -> Any:
    return word("number", "Follow at most this many states at a time.", **STATES, at_desk=False)


def seconds() -> Any:
    return word("number", "Stop after this many seconds.", **SECONDS, at_desk=False)
