"""Plans: a seat's sheet with its own answers, and all of them on the tape at once, or none; orders ahead."""

from __future__ import annotations

from typing import NamedTuple

from flagplot.kernel.dice import plan_nonce, read_nonce
from flagplot.kernel.errors import BadValue, IllegalAnswer
from flagplot.kernel.levels import SEAT_LEVELS
from flagplot.kernel.sheets import Answers, By, Sheet, offered
from flagplot.table.games.live import LiveGame
from flagplot.table.games.look import level_of
from flagplot.table.info import STAFFS, Advice, Ahead
from flagplot.table.plans.missions import Standings
from flagplot.table.playing.ahead import ahead_of, text_after
from flagplot.table.playing.staff import sheet_of, standings_at
from flagplot.table.refusals import Conflict, PlanChanged
from flagplot.table.service.common import Service
from flagplot.table.service.ordering import without_expired


class Confirmed(NamedTuple):
    """A plan as its side confirms it."""

    answers: Answers
    """Its own."""
    at: int
    nonce: str
    seen: Answers | None = None
    """What stood in the fields that it decides itself, if that is known."""
    proposed: Answers | None = None
    """What its staff had put there, if that is known; else what the staff proposes now."""
    by: str = ""
    """Whose plan it has read, if it says so."""


class Planning(Service):
    """What a side plans, and who fills in its plans."""

    def plan(self, game_id: str, side: str, answers: Answers) -> Sheet:
        """What a side can decide now, filled in by its standing orders and its staff; `answers` are its own, by the
        keys of the fields. Has no fields if the side is not asked."""
        with self._playing.using(game_id, side) as live:
            return sheet_of(live, side, answers, self._playing.advisers.advice(live, side).found.answers)

    def plan_with_standings(self, game_id: str, side: str, answers: Answers) -> tuple[Sheet, Standings]:
        """The same with who may fly the missions of the plan."""
        with self._playing.using(game_id, side) as live:
            sheet = sheet_of(live, side, answers, self._playing.advisers.advice(live, side).found.answers)
            return sheet, standings_at(live, side, sheet)

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
        plan, found = Confirmed(answers, at, read_nonce(nonce), seen, proposed, by), ""

        def confirmed(live: LiveGame) -> None:
            nonlocal found
            found = self._confirmed(live, side, plan)

        self._playing.once_more(game_id, confirmed, side)
        return found

    def _confirmed(self, live: LiveGame, side: str, plan: Confirmed) -> str:
        playing, nonce = self._playing, plan.nonce
        if receipts := live.receipt_again(nonce, side, None):
            return receipts
        playing.check_asked(live, side, plan.at)
        advice = playing.advisers.known(live, side)
        if plan.by and plan.by != advice.by:
            raise PlanChanged(f"this is the {advice.by}'s plan by now: read it and confirm again", given=plan.by)
        proposed = advice.found.answers if plan.proposed is None else plan.proposed
        sheet = sheet_of(live, side, plan.answers, proposed=proposed)
        _check_answers(sheet, plan.answers)
        if plan.seen is not None:
            _check_seen(sheet, plan.seen)
        playing.quotas.check_side(side, live.lines_of(side) + len(sheet) - 1)
        with playing.changing(live):
            row = {"orders": without_expired(live, side), "ahead": text_after(sheet, nonce)}
            for place, one in enumerate(sheet.now):
                live.game.choose(one.chosen, nonce=live.nonce(plan_nonce(nonce, place)))
            receipts = live.receipts(nonce) or live.receipt()
            playing.fresh.roll(live)
            changed = {name: text for name, text in row.items() if text != live.seats[side][name]}
            playing.keep(live, seat=(side, changed) if changed else None, settles=side, by=side)
        playing.start_players(live)
        return receipts

    def ahead(self, game_id: str, side: str) -> Ahead:
        """What a side has ordered ahead with its last plan."""
        with self._playing.using(game_id, side) as live:
            return ahead_of(live, side)

    def cancel_ahead(self, game_id: str, side: str) -> None:
        """Take back the orders ahead of a side (`Look.ahead`): it is asked again. Raises Conflict if none wait."""
        with self._playing.using(game_id, side) as live:
            ahead = ahead_of(live, side)
            if not ahead.orders:
                raise Conflict("no orders ahead are waiting any more")
            self._playing.change_seat(live, side, ahead=str(ahead._replace(orders=())))
        self.wakeups.wake(game_id)

    def level(self, game_id: str, side: str) -> str:
        """How much a side decides itself."""
        with self._game(game_id, side) as live:
            return level_of(live.seats, side)

    def set_level(self, game_id: str, side: str, level: str) -> None:
        """Say how much a side decides itself from now on: ``flag``, ``captain``, ``everything``, or ``step`` for one
        question at a time. Raises BadValue."""
        if level not in SEAT_LEVELS:
            raise BadValue("there is no such level", given=level, allowed=list(SEAT_LEVELS))
        self._set(game_id, side, level=level)

    def advice(self, game_id: str, side: str) -> Advice:
        """What the staff of a side has to say about its plan; if it looks ahead, it begins to think."""
        with self._game(game_id, side) as live:
            return self._playing.advisers.advice(live, side)

    def set_staff(self, game_id: str, side: str, rank: str) -> None:
        """Say who fills in the side's plans from now on: ``captain``, ``commodore`` or ``admiral``. Raises BadValue."""
        if rank not in STAFFS:
            raise BadValue("there is no such staff", given=rank, allowed=STAFFS)
        self._set(game_id, side, staff=rank)

    def _set(self, game_id: str, side: str, **changes: str) -> None:
        with self._playing.using(game_id, side) as live:
            self._playing.change_seat(live, side, **changes)
        self.wakeups.wake(game_id)


def _check_answers(sheet: Sheet, answers: Answers) -> None:
    """Refuse answers that did not find their place in the sheet: nobody confirms what he did not mean."""
    for key, value in answers.items():
        one = sheet[key]  # raises UnknownName
        if one.by is not By.YOU:
            allowed = [offer.text for offer in one.offers]
            raise IllegalAnswer("not one of the answers", given=value, allowed=allowed, rule=", ".join(one.rules))


def _check_seen(sheet: Sheet, seen: Answers) -> None:
    """Refuse a plan in which a decision stands otherwise than the one who confirms it has seen."""
    for one in sheet.open_to():
        if one.key not in seen or offered(one, seen[one.key]) != one.chosen:
            raise PlanChanged("your change altered the plan: check it and confirm again")
