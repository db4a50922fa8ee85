"""Odds: the scripts that play, with all dice instead of some."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flagplot.odds.answer import Answer


class Odds:
    """The exact answer to a question: ``odds("strike", attackers="12 japan elite", target="Enterprise, …")``, or
    ``odds.strike(attackers="12 japan elite", target="Enterprise, …")``.

    The kinds and their words are those of the commands `flagplot odds KIND`, with underscores for hyphens.
    """

    def __call__(self, kind: str, /, **words: Any) -> Answer:
        from flagplot.odds.answers import answer
        from flagplot.odds.reading import read

        return answer(read(kind, words))

    def __getattr__(self, name: str) -> Callable[..., Answer]:
        from flagplot.odds.questions.forms import FORMS

        kind = name.replace("_", "-")
        if kind not in FORMS:
            raise AttributeError(f"there are no odds of this kind: {name}")
        return partial(self, kind)


ask = Odds()
