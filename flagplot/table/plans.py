"""Plans at the table: a seat's sheet with its own answers, and all of them on the tape at once, or none."""

from __future__ import annotations

from typing import NamedTuple

from flagplot.kernel.dice import plan_nonce
from flagplot.kernel.errors import BadValue, IllegalAnswer
from flagplot.kernel.levels import SEAT_LEVELS
from flagplot.kernel.sheets import Answers, By, Sheet, offered
from flagplot.table import clicks
from flagplot.table.ahead import ahead_of, text_after
from flagplot.table.info import STAFFS
from flagplot.table.live import LiveGame
from flagplot.table.missions import Standings
from flagplot.table.playing import Playing
from flagplot.table.refusals import Conflict, PlanChanged
from flagplot.table.staff import sheet_of, standings_at


def plan(playing: Playing, game_id: str, side: str, answers: Answers, level: str = "") -> Sheet:
    """The sheet of a side with some answers of its own; with no fields if it is not asked."""
    with playing.using(game_id, side) as live:
        proposed = {} if level else playing.advisers.advice(live, side).found.answers
        return sheet_of(live, side, answers, level, proposed)


def plan_with_standings(playing: Playing, game_id: str, side: str, answers: Answers) -> tuple[Sheet, Standings]:
    """The sheet of a side, and who may fly the missions in it."""
    with playing.using(game_id, side) as live:
        sheet = sheet_of(live, side, answers, proposed=playing.advisers.advice(live, side).found.answers)
        return sheet, standings_at(live, side, sheet)


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


def confirm(playing: Playing, game_id: str, side: str, plan: Confirmed) -> str:
    """Give all answers of a side's sheet in one transaction; the receipts of its lines."""
    found = ""

    def confirmed(live: LiveGame) -> None:
        nonlocal found
        found = _confirmed(playing, live, side, plan)

    playing.once_more(game_id, confirmed, side)
    return found


def _confirmed(playing: Playing, live: LiveGame, side: str, plan: Confirmed) -> str:
    nonce = plan.nonce
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
        row = {"orders": clicks.without_expired(live, side), "ahead": text_after(sheet, nonce)}
        for place, one in enumerate(sheet.now):
            live.game.choose(one.chosen, nonce=live.nonce(plan_nonce(nonce, place)))
        receipts = live.receipts(nonce) or live.receipt()
        playing.fresh.roll(live)
        changed = {name: text for name, text in row.items() if text != live.seats[side][name]}
        playing.keep(live, seat=(side, changed) if changed else None, settles=side, by=side)
    playing.start_players(live)
    return receipts


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


def cancel_ahead(playing: Playing, game_id: str, side: str) -> None:
    """Take back all orders ahead of a side: it is asked again. Raises Conflict if none wait any more."""
    with playing.using(game_id, side) as live:
        ahead = ahead_of(live, side)
        if not ahead.orders:
            raise Conflict("no orders ahead are waiting any more")
        playing.store.change_seat(game_id, side, ahead=str(ahead._replace(orders=())))
        live.stale = True
        live.catch_up(playing.store)
        playing.start_players(live)
    playing.wakeups.wake(game_id)


def set_level(playing: Playing, game_id: str, side: str, level: str) -> None:
    """Say how much a side decides itself from now on."""
    if level not in SEAT_LEVELS:
        raise BadValue("there is no such level", given=level, allowed=list(SEAT_LEVELS))
    _change_seat(playing, game_id, side, level=level)


def set_staff(playing: Playing, game_id: str, side: str, rank: str) -> None:
    """Say who fills in the plans of a side from now on."""
    if rank not in STAFFS:
        raise BadValue("there is no such staff", given=rank, allowed=STAFFS)
    _change_seat(playing, game_id, side, staff=rank)


def _change_seat(playing: Playing, game_id: str, side: str, **changes: str) -> None:
    with playing.using(game_id, side) as live:
        playing.store.change_seat(game_id, side, **changes)
        live.stale = True
        live.catch_up(playing.store)
        playing.start_players(live)
    playing.wakeups.wake(game_id)
