"""Deciding: answers, plans, taking back, standing orders, orders ahead."""

from __future__ import annotations

from flagplot.kernel.dice import read_nonce
from flagplot.kernel.sheets import Answers, Sheet
from flagplot.table import clicks, plans, take_backs
from flagplot.table.ahead import ahead_of
from flagplot.table.info import Advice, Ahead
from flagplot.table.look import level_of
from flagplot.table.missions import Standings
from flagplot.table.service.common import Service
from flagplot.table.staff import read_orders_text


class Deciding(Service):
    """What a side decides, now or in advance."""

    # --- answering ----------------------------------------------------------------------------------------------------

    def answer(self, game_id: str, side: str, option: str, at: int, nonce: str) -> str:
        """Answer a side's question with the text of an option; `at` is `Question.at`. When this returns, the answer is
        on the disk, and dice that follow from it are rolled, unless they wait for fresh bytes of other browsers.
        Returns the receipt of the answer.

        `nonce` is 16 random bytes that the client drew for this question (32 lower-case hexadecimal digits). Sent again
        with the same option, it changes nothing and returns the same receipt.

        Raises StaleAnswer (`at` is of an earlier question), NotYourTurn, IllegalAnswer (not offered), Conflict (another
        server was first)."""
        return self._playing.answer(game_id, side, option, at, read_nonce(nonce))

    def undo(self, game_id: str, side: str, nonce: str) -> str:
        """Take back the side's last decision while that is free (`Look.may_undo`); the receipt. Else UndoRefused says
        why not."""
        return take_backs.undo(self._playing, game_id, side, read_nonce(nonce))

    def propose_undo(self, game_id: str, side: str, nonce: str) -> str | None:
        """Ask the other side to let this one take back its last decision, with all that came after it (`may_propose`).

        The receipt if it was taken back at once: the other side is a player of the program, or the same person's; else
        None. Raises UndoRefused, and Conflict if a take-back is asked for already."""
        return take_backs.propose(self._playing, game_id, side, read_nonce(nonce))

    def consent(self, game_id: str, side: str, yes: bool, nonce: str) -> str:
        """Say yes or no to `Look.proposal`; the side that made it withdraws it with no. The receipt of a yes, for which
        the client that consents drew the nonce. Raises Conflict, NotAllowed."""
        return take_backs.consent(self._playing, game_id, side, read_nonce(nonce) if yes else "", yes=yes)

    # --- plans --------------------------------------------------------------------------------------------------------

    def plan(self, game_id: str, side: str, answers: Answers, level: str | None = None) -> Sheet:
        """What a side can decide now, filled in by its standing orders and its staff; `answers` are its own, by the
        keys of the fields. `level` is another one than the seat's. Has no fields if the side is not asked."""
        return plans.plan(self._playing, game_id, side, answers, level or "")

    def plan_with_standings(self, game_id: str, side: str, answers: Answers) -> tuple[Sheet, Standings]:
        """The same with who may fly the missions of the plan."""
        return plans.plan_with_standings(self._playing, game_id, side, answers)

    def confirm_plan(
        self,
        game_id: str,
        side: str,
        answers: Answers,
        at: int,
        nonce: str,
        *,
        seen: Answers | None = None,
        proposed: Answers | None = None,
        by: str = "",
    ) -> str:
        """Put all answers of a side's plan on the tape, or none; `at` is the moment of the sheet. `seen` is what stood
        in the fields that the side decides itself when it confirmed: if one stands otherwise now, PlanChanged is
        raised. `proposed` is what its staff had put there; if it is not named, what the staff proposes by now. `by` is
        whose plan the client has read (`Advice.by`): if it is another's by now, PlanChanged is raised. The client draws
        one nonce for the whole plan (see `plan_nonce`). Returns the receipts of its lines, with commas between. Sent
        again with the same nonce, it changes nothing and returns the same receipts.

        Raises what `answer` raises."""
        plan = plans.Confirmed(answers, at, read_nonce(nonce), seen, proposed, by)
        return plans.confirm(self._playing, game_id, side, plan)

    def ahead(self, game_id: str, side: str) -> Ahead:
        """What a side has ordered ahead with its last plan."""
        with self._playing.using(game_id, side) as live:
            return ahead_of(live, side)

    def cancel_ahead(self, game_id: str, side: str) -> None:
        """Take back the orders ahead of a side (`Look.ahead`): it is asked again. Raises Conflict if none wait."""
        plans.cancel_ahead(self._playing, game_id, side)

    def level(self, game_id: str, side: str) -> str:
        """How much a side decides itself."""
        with self._game(game_id, side) as live:
            return level_of(live.seats, side)

    def set_level(self, game_id: str, side: str, level: str) -> None:
        """Say how much a side decides itself from now on: ``flag``, ``captain``, ``everything``, or ``step`` for one
        question at a time. Raises BadValue."""
        plans.set_level(self._playing, game_id, side, level)

    def advice(self, game_id: str, side: str) -> Advice:
        """What the staff of a side has to say about its plan; if it looks ahead, it begins to think."""
        with self._game(game_id, side) as live:
            return self._playing.advisers.advice(live, side)

    def set_staff(self, game_id: str, side: str, rank: str) -> None:
        """Say who fills in the side's plans from now on: ``captain``, ``commodore`` or ``admiral``. Raises BadValue."""
        plans.set_staff(self._playing, game_id, side, rank)

    # --- standing orders ----------------------------------------------------------------------------------------------

    def orders(self, game_id: str, side: str) -> str:
        """The standing orders of a side as it typed them (TOML, see docs/orders.md); nothing if it has none."""
        with self._game(game_id, side) as live:
            return str(live.seats[side]["orders"])

    def set_orders(self, game_id: str, side: str, text: str) -> None:
        """Give standing orders; an empty text takes them back. They answer from now on. Raises OrdersError."""
        kept = text.replace("\r\n", "\n") if text.strip() else ""
        if kept:
            read_orders_text(kept, "orders")
        with self._playing.using(game_id, side) as live:
            self.store.change_seat(game_id, side, orders=kept, by_hand=None)
            live.stale = True
            live.catch_up(self.store)
            self._playing.start_players(live)

    def order(self, game_id: str, side: str, key: str, scope: str, value: str = "") -> None:
        """Order the answer of a field of the side's plan for the rest of the ``strike``, ``phase``, ``round``,
        ``battle`` or ``voyage``: a value, what stands there now, or ``staff`` to leave it to that. Raises BadValue,
        UnknownName."""
        clicks.give(self._playing, game_id, side, key, scope, value)

    def add_order(self, game_id: str, side: str, chosen: str, per_cent: int = 0) -> None:
        """Give one of the ready-made orders of the game (`order_words.standing_words`), always or once the side has
        less than some per cent of its strength left. Raises BadValue."""
        clicks.add(self._playing, game_id, side, chosen, per_cent)

    def pass_until(self, game_id: str, side: str, until: str) -> None:
        """Leave everything to the staff until the step ends (``phase``), something of the side is ``attacked``, the
        enemy is ``found`` or something is ``hit``."""
        clicks.pass_until(self._playing, game_id, side, until)

    def cancel_order(self, game_id: str, side: str, number: int) -> None:
        """Take back a standing order; `Look.orders` has their numbers. Raises UnknownName."""
        clicks.cancel(self._playing, game_id, side, number)
