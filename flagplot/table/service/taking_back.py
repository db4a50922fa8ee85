"""Taking back: free before new information, afterwards with the other side's consent."""

from __future__ import annotations

from typing import Any

from flagplot.kernel.dice import plan_nonce, read_nonce
from flagplot.kernel.errors import UndoRefused
from flagplot.table.games.keeper import is_bot
from flagplot.table.games.live import LiveGame
from flagplot.table.games.look import level_of, why_no_undo
from flagplot.table.info import HOTSEAT
from flagplot.table.refusals import Conflict, NotAllowed
from flagplot.table.service.common import Service
from flagplot.table.store.database import Duplicate

SAME, ALONE = 20, 300
"""How often a side may take back one answer, and how many answers at one table, without asking."""
CONSENTED = 100
"""How often anything may be taken back by consent at one table."""


class TakingBack(Service):
    """What was decided is decided anew."""

    def undo(self, game_id: str, side: str, nonce: str) -> str:
        """Take back the last decision of a side, or the whole plan that it confirmed, while that is free
        (`Look.may_undo`); the receipts. Else UndoRefused says why not."""
        playing, nonce = self._playing, read_nonce(nonce)
        with playing.using(game_id, side) as live:
            if receipt := live.receipt_again(nonce, side):
                return receipt
            refusal = why_no_undo(live.game, side)
            if refusal:
                raise UndoRefused(f"this cannot be taken back without asking: {refusal}")
            _check_patience(live, side)
            with playing.changing(live):
                for place in range(min(live.last_step(side, live.game.turn), live.game.free_answers(side))):
                    live.game.undo(side, nonce=live.nonce(plan_nonce(nonce, place)))
                receipt = live.receipts(nonce) or live.receipt()
                # the other side's request stays: to settle it would tell of secret answers taken back
                self._keep_undone(live, side, settles=side)
            return receipt

    def propose_undo(self, game_id: str, side: str, nonce: str) -> str | None:
        """Ask the other side to let this one take back its last decision, with all that came after it (`may_propose`).

        The receipt if it was taken back at once: the other side is a player of the program, or the same person's; else
        None. Raises UndoRefused, and Conflict if a take-back is asked for already."""
        playing, nonce = self._playing, read_nonce(nonce)
        with playing.using(game_id, side) as live:
            if receipt := live.receipt_again(nonce, side):
                return receipt
            other = _other(live, side)
            _check_consents(live)
            answer = live.game.last_answer_of(side, other)
            if is_bot(live.seats[other]) or live.seats[side]["holder"] == live.seats[other]["holder"] == HOTSEAT:
                return self._take_back(live, side, other, nonce)
            row = {"side": side, "answer": answer, "made": playing.clock()}
            try:
                playing.store.propose(game_id, row)
            except Duplicate:
                live.stale = True
                raise Conflict("a take-back request is open already: answer it first") from None
            live.stale = True
        playing.wakeups.wake(game_id)
        return None

    def consent(self, game_id: str, side: str, yes: bool, nonce: str) -> str:
        """Say yes or no to `Look.proposal`; the side that made it withdraws it with no. The receipt of a yes, for which
        the client that consents drew the nonce. Raises Conflict, NotAllowed."""
        playing, nonce, receipt = self._playing, read_nonce(nonce) if yes else "", ""
        with playing.using(game_id, side) as live:
            if yes and (receipt := live.receipt_again(nonce, side)):
                return receipt
            row = playing.store.proposal(game_id)
            if row is None:
                live.stale = True
                raise Conflict("this take-back request is no longer open")
            if yes and row["side"] == side:
                raise NotAllowed("the other side has to consent", given=side)
            if not yes:
                playing.store.settle(game_id)
                live.stale = True
            elif row["answer"] != live.game.last_answer_of(row["side"], side):
                playing.store.settle(game_id)
                live.stale = True
                raise Conflict(f"{row['side']} has decided something else since then: it has to ask again")
            else:
                _check_consents(live)
                receipt = self._take_back(live, row["side"], side, nonce)
        playing.wakeups.wake(game_id)
        return receipt

    def _take_back(self, live: LiveGame, side: str, other: str, nonce: str) -> str:
        with self._playing.changing(live):
            for place in range(live.last_step(side, live.game.last_answer_of(side, other))):
                live.game.undo(side, consent=other, nonce=live.nonce(plan_nonce(nonce, place)))
            receipt = live.receipts(nonce) or live.receipt()
            self._keep_undone(live, side, settles="*")
        return receipt

    def _keep_undone(self, live: LiveGame, side: str, *, settles: str) -> None:
        """Keep a take-back, which settles the requests of a side, or of all. The side answers this itself now: neither
        its orders nor its staff do, and what it ordered ahead is taken back too."""
        seat = live.seats[side]
        by_itself = bool(seat["orders"]) or level_of(live.seats, side) != "step"
        changed: dict[str, Any] = {"by_hand": live.game.moment_of(side)} if by_itself else {}
        changed |= {"ahead": ""} if seat["ahead"] else {}
        self._playing.keep(live, seat=(side, changed) if changed else None, settles=settles)


def _check_patience(live: LiveGame, side: str) -> None:
    """Whoever takes back what he has just answered goes over the same ground again, and so does everybody who reads the
    game later: there is an end to that."""
    same, all_of_them, _ = live.taken_back(side)
    if same >= SAME:
        raise UndoRefused(f"you have taken this back {SAME} times: this time it stands")
    if all_of_them >= ALONE:
        raise UndoRefused(f"you have taken back {ALONE} decisions at this table: what you decide now stands")


def _check_consents(live: LiveGame) -> None:
    """By consent the whole game is gone through again."""
    if live.taken_back("")[2] >= CONSENTED:
        raise UndoRefused(
            f"{CONSENTED} times decisions were taken back by consent at this table: what is decided stands"
        )


def _other(live: LiveGame, side: str) -> str:
    others = [other for other in live.seats if other != side]
    if not others:
        raise UndoRefused("there is nobody who could consent")
    return others[0]
