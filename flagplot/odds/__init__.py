"""Odds: the scripts that play, with all dice instead of some."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

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

    def __getattr__(self, name: str) -> Any:
        from flagplot.odds.questions.forms import FORMS

        kind = name.replace("_", "-")
        if kind in FORMS:
            return partial(self, kind)
        if name in (module.name for module in iter_modules(__path__)):
            return import_module(f"{__name__}.{name}")  # `import flagplot.odds.enumerator`
        raise AttributeError(f"there are no odds of this kind: {name}")


ask = Odds()


class _Asked(ModuleType):
    """This package can be asked as well, since it is what `flagplot.odds` is: ``flagplot.odds("strike", …)``."""

    def __call__(self, kind: str, /, **words: Any) -> Answer:
        return ask(kind, **words)


sys.modules[__name__].__class__ = _Asked


def __getattr__(name: str) -> Callable[..., Answer]:
    """`from flagplot.odds import strike` is the same as `flagplot.odds.strike`."""
    if name.startswith("_"):
        raise AttributeError(name)
    return cast("Callable[..., Answer]", getattr(ask, name))
