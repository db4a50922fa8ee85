"""Odds: the scripts that play, with all dice instead of some."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from inspect import Parameter, Signature
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from flagplot.odds.answer import Answer
    from flagplot.odds.questions.question import Form


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
            return _Kind(self, kind, FORMS[kind])
        if name in (module.name for module in iter_modules(__path__)):
            return import_module(f"{__name__}.{name}")  # `import flagplot.odds.enumerator`
        raise AttributeError(f"there are no odds of this kind: {name}")

    def __dir__(self) -> list[str]:
        from flagplot.odds.questions.forms import FORMS

        return [*object.__dir__(self), *[kind.replace("-", "_") for kind in FORMS]]


class _Kind:
    """The odds of one kind of question, with its words and their types for `help` and for editors."""

    def __init__(self, odds: Odds, kind: str, form: Form) -> None:
        self._odds, self._kind = odds, kind
        self.__name__ = kind.replace("-", "_")
        words = [f"    {word.name}: {word.about}" for word in form.words]
        self.__doc__ = "\n".join([f"Exact odds: {form.title}.", "", *words])
        self.__signature__ = _signature(form)

    def __call__(self, **words: Any) -> Answer:
        return self._odds(self._kind, **words)

    def __repr__(self) -> str:
        return f"<flagplot.odds.{self.__name__}{self.__signature__}>"


def _signature(form: Form) -> Signature:
    """Keywords with types: those that are needed have no default."""
    kinds: dict[str, Any] = {"number": int, "squadrons": int | str, "flag": bool, "choices": Sequence[str]}
    parameters = [
        Parameter(
            word.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if word.needed else None,
            annotation=kinds.get(word.type, str) if word.needed else kinds.get(word.type, str) | None,
        )
        for word in form.words
    ]
    return Signature(parameters, return_annotation="Answer")


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


def __dir__() -> list[str]:
    return sorted({*globals(), *dir(ask)})
