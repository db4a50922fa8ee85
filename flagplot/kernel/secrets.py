"""Decisions that a side makes in secret: the other side sees one wait, however much was decided."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from flagplot.kernel.requests import Choose, Script
from flagplot.kernel.words import Words, say

R = TypeVar("R")


def secretly(
    side: str, words: Words, script: Script[R], rule: str, anyway: bool | Callable[[], bool] = True
) -> Script[R]:
    """Run a script whose choices are all made in secret by one side.

    `words` is what the other side reads of all these choices together, ``("{}: assigning air cover", "Japan")``;
    a choice that has secret words of its own keeps them. Whether anything was asked at all would tell something as
    well, so if nothing was, the side reads that there is nothing to decide and continues: one question with one answer,
    under the number `rule`. Where everybody can tell whether there is something to decide, `anyway` is false; a
    function is asked only if nothing was.

    Notes and rolls pass as they are. What the other side can see of them parts one wait from the next, so a script that
    rolls dice between its choices is better run in secret part by part.
    """
    asked = False
    answer = None
    send = script.send
    while True:
        try:
            request = send(answer)
        except StopIteration as stop:
            result: R = stop.value
            if not asked and (anyway() if callable(anyway) else anyway):
                yield _nothing(side, words, rule)
            return result
        if type(request) is Choose:
            if not request.secret:
                request.secret = words
            if not asked:
                asked = request.always or len(request.values) > 1
        answer = yield request


def _nothing(side: str, words: Words, rule: str) -> Choose[str]:
    """A question that is none, so that the other side has to wait for it as for any other."""
    question = ("Nothing to decide ({}).", WithoutSide(words))
    return Choose(side, "ready", ("go",), question, {"go": "Continue"}, rule, words, always=True)


class WithoutSide:
    """What is going on, without the name of the side: its own player knows who he is. Put into words only when somebody
    reads it."""

    __slots__ = ("_words",)

    def __init__(self, words: Words) -> None:
        self._words = words

    def __str__(self) -> str:
        words = self._words
        if isinstance(words, tuple) and str(words[0]).startswith("{}: "):
            return say((str(words[0]).removeprefix("{}: "), *words[2:]))
        return say(words)
