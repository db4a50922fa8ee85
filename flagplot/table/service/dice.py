"""The dice: fresh bytes of browsers, receipts, the save and its proof."""

from __future__ import annotations

from flagplot.kernel.ruleset import NEUTRAL
from flagplot.kernel.verifying import Verification, verify_lines
from flagplot.library import ruleset
from flagplot.table.refusals import NotYet
from flagplot.table.service.common import Service


class Dice(Service):
    """What dice rest on, and what proves them."""

    # --- fresh bytes for the dice -------------------------------------------------------------------------------------

    def pledge(self, game_id: str, side: str, pledge: str) -> None:
        """A browser of a person's seat promises 32 bytes for a later roll: `pledge` is their SHA-256 (64 hexadecimal
        digits). Raises Conflict while dice are rolled, or if it pledges too often; NotAllowed; BadValue."""
        self._playing.once_more(game_id, lambda live: self._playing.fresh.pledge(live, side, pledge), side)

    def reveal(self, game_id: str, side: str, shown: str, pledge: str, before: str = "") -> None:
        """The 32 bytes that the side's open pledge promised (64 hexadecimal digits), when `wanted_reveal` asks for
        them, and the next pledge. `before` is the receipt that was asked with. Sent again it changes nothing. Raises
        Conflict (nobody waits any more, or the dice are those of another answer), BadValue."""
        fresh = self._playing.fresh
        self._playing.once_more(game_id, lambda live: fresh.reveal(live, side, shown, pledge, before), side)

    def wanted_reveal(self, game_id: str, side: str) -> str | None:
        """If dice wait for this side's bytes: the receipt of the answer that asked for them, fixed before they are
        known. Streams are woken when it changes."""
        with self._game(game_id, side) as live:
            return self._playing.fresh.wanted(live, side)

    def open_pledge(self, game_id: str, side: str) -> str | None:
        """The open pledge of a side, "" if it has none; None if it is not asked for any: hot seats, players of the
        program, games that are over or came from a save."""
        with self._game(game_id, side) as live:
            return self._playing.fresh.open_pledge(live, side)

    def takes_nonces(self, game_id: str) -> bool:
        """Whether answers carry random bytes of those who give them: not in a game that was begun in the terminal."""
        with self._game(game_id, NEUTRAL) as live:
            return live.takes_nonces

    # --- proof --------------------------------------------------------------------------------------------------------

    def receipt(self, game_id: str, side: str, nonce: str) -> str:
        """Once more the receipt of what the client of a side sent with a nonce, or the receipts of all lines of a plan;
        nothing if that was not taken."""
        with self._game(game_id, side) as live:
            spent = live.game.tape_rules.nonces.get(nonce)
            return live.receipts(nonce) if spent is not None and spent.side == side else ""

    def contribution_receipt(self, game_id: str, contribution: str) -> str:
        """The receipt of what a client added to the dice when it joined; nothing if that is not on the tape."""
        with self._game(game_id, NEUTRAL) as live:
            return live.contribution_receipt(contribution.strip().lower())

    def save(self, game_id: str) -> str:
        """The save as JSON lines with the opened secret. Raises NotYet before the end: it holds both sides' secrets."""
        self._check_over(game_id)
        return "".join(f"{line.text}\n" for line in self.store.lines(game_id))

    def verify(self, game_id: str) -> Verification:
        """Prove the game as `flagplot verify` does. Raises NotYet before the end: its figures tell too much."""
        self._check_over(game_id)
        return verify_lines([line.text.encode() for line in self.store.lines(game_id)], ruleset)

    def _check_over(self, game_id: str) -> None:
        if self.store.game(game_id)["finished"] is None:
            raise NotYet("the save and its proof tell everything: they are there when the game is over")
