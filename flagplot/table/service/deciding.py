"""Deciding: what a side answers, plans, orders and takes back."""

from __future__ import annotations

from flagplot.kernel.dice import read_nonce
from flagplot.table.service.ordering import Ordering
from flagplot.table.service.planning import Planning
from flagplot.table.service.taking_back import TakingBack


class Deciding(Planning, Ordering, TakingBack):
    """What a side decides, now or in advance."""

    def answer(self, game_id: str, side: str, option: str, at: int, nonce: str) -> str:
        """Answer a side's question with the text of an option; `at` is `Question.at`. When this returns, the answer is
        on the disk, and dice that follow from it are rolled, unless they wait for fresh bytes of other browsers.
        Returns the receipt of the answer.

        `nonce` is 16 random bytes that the client drew for this question (32 lower-case hexadecimal digits). Sent again
        with the same option, it changes nothing and returns the same receipt.

        Raises StaleAnswer (`at` is of an earlier question), NotYourTurn, IllegalAnswer (not offered), Conflict (another
        server was first)."""
        return self._playing.answer(game_id, side, option, at, read_nonce(nonce))
