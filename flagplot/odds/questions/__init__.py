"""The questions of odds: what each kind is called, and where the function stands that answers it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from flagplot.kernel.errors import UnknownName
from flagplot.odds.answer import Answer

KINDS: dict[str, str] = {
    "air-combat": "air:air_combat",
    "strike": "air:strike",
    "search": "air:search",
    "base-attack": "air:base_attack",
    "fire": "sea:fire",
    "engagement": "sea:engagement",
    "submarine": "sea:submarine",
    "interception": "sea:interception",
}
"""Each kind of question: the module here and the function of it, which is imported when somebody asks."""


def question(kind: str) -> Callable[..., Answer]:
    """The function that answers a kind of question."""
    if kind not in KINDS:
        raise UnknownName("there are no odds of this kind", given=kind, allowed=[*KINDS])
    module, _, name = KINDS[kind].partition(":")
    found: Callable[..., Answer] = getattr(import_module(f"{__name__}.{module}"), name)
    return found
