"""Why something is not allowed: a function that decides it returns None or a refusal.

Options list what has no refusal; whoever asks why something is not offered is shown the refusal. So the rule is stated
once, and the words cannot drift away from it.
"""

from __future__ import annotations

from typing import NamedTuple

from flagplot.kernel.words import Words, say


class Refusal(NamedTuple):
    """Why something may not be done, in words that are made when they are read, and the rule that forbids it."""

    words: Words
    rule: str

    @property
    def text(self) -> str:
        return say(self.words)

    def about(self, what: str) -> Reason:
        """The same, told of something."""
        return Reason(what, self.text, self.rule)


class Reason(NamedTuple):
    """Why something is not offered."""

    about: str
    """A force of one's own, or an enemy force."""
    text: str
    rule: str
