"""A seat's staff: the sheets that it fills in, by the seat's standing orders first, and what it answers by itself.

What leaves a person nothing to decide at his level, the staff answers for him. Against the program that happens at
once. Against people it would tell something: who answers in no time had nothing to decide. So it happens only while the
person is there to be seen, and after a delay that follows from nothing but chance (`delay`). What he has ordered, for
some time or ahead, is given after such a delay too, also while he is away.
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from flagplot.kernel.dice import Committed
from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.levels import SEAT_LEVELS, Level
from flagplot.kernel.sheets import Answers, By, Orders, Sheet, no_orders
from flagplot.players.orders import Order
from flagplot.table.games.keeper import is_bot
from flagplot.table.games.live import LiveGame
from flagplot.table.games.look import level_of
from flagplot.table.info import HOTSEAT
from flagplot.table.plans.missions import Standings, standings_of
from flagplot.table.plans.orders import answers_by, read_orders_text

LOG = logging.getLogger("flagplot.table")
NOTHING_PROPOSED: Answers = {}
SOONEST, LATEST = 2.0, 20.0
"""Seconds between which a moment passes by itself at which a person has nothing to decide."""


# --- sheets -----------------------------------------------------------------------------------------------------


def sheet_of(live: LiveGame, side: str, answers: Answers, proposed: Answers = NOTHING_PROPOSED) -> Sheet:
    """What a side can decide now: its own answers, its standing orders, its staff. What it has set in a field is the
    text of an option, or what stands there after the words in common. `proposed` is what a staff has found that looks
    ahead. Who has just taken something back is asked all of it."""
    wanted = asked_level(live, side)
    ahead = is_watched(live, side)  # the program does not keep anybody waiting
    try:
        return _sheet_at(live, side, answers, wanted, proposed, ahead=ahead)
    except FlagplotError:
        raise
    except Exception:  # orders ahead come from a guess: if the rules cannot play it, the player still has his questions
        if not ahead:
            raise
        LOG.exception("a plan with orders ahead failed")
        return _sheet_at(live, side, answers, wanted, proposed, ahead=False)


def asked_level(live: LiveGame, side: str) -> Level:
    """How much a side is asked now: at the level of its seat, or everything if it has just taken something back."""
    if is_by_hand(live, side):
        return Level.ROUTINE
    return SEAT_LEVELS[level_of(live.seats, side)] or Level.ROUTINE


def _sheet_at(live: LiveGame, side: str, answers: Answers, level: Level, proposed: Answers, *, ahead: bool) -> Sheet:
    """The sheet of a side; the one that its staff has filled in is remembered."""
    thought = tuple(proposed.items())
    made_from = live.game.turn, live.game.undone, level, live.seats[side]["orders"], ahead, thought
    known = live.sheets.get(side)
    if known is None or known[0] != made_from:
        made = live.game.sheet(side, orders=_orders(live, side), level=level, ahead=ahead, proposed=proposed)
        known = live.sheets[side] = made_from, made
    sheet = known[1].having(answers) if answers else known[1]
    return replace(sheet, _made_again=None)  # the game may go on meanwhile


def standings_at(live: LiveGame, side: str, sheet: Sheet) -> Standings:
    """Who may fly the missions of a sheet, and what keeps the others; the last one is remembered."""
    known = live.standings.get(side)
    if known is None or known[0] != sheet:
        known = live.standings[side] = sheet, standings_of(live.game, side, sheet)
    return known[1]


def is_by_hand(live: LiveGame, side: str) -> bool:
    """Whether the holder of a seat wants to answer this himself: he has taken it back."""
    return bool(live.seats[side]["by_hand"] == live.game.moment_of(side))


def _orders(live: LiveGame, side: str) -> Orders:
    return answers_by(standing_orders(live, side)) if live.seats[side]["orders"] else no_orders


def standing_orders(live: LiveGame, side: str) -> Sequence[Order]:
    """The standing orders of a side, read from their text."""
    text = str(live.seats[side]["orders"])
    if live.orders.get(side, ("", None))[0] != text:
        live.orders[side] = text, read_orders_text(text, side)
    orders: Sequence[Order] = live.orders[side][1]
    return orders


# --- what the staff answers by itself ---------------------------------------------------------------------------


def answers_of(live: LiveGame, side: str) -> list[str]:
    """What the staff of a side answers if nothing is left for its holder to decide now: all that can be answered; else
    nothing."""
    sheet = sheet_of(live, side, {})
    return [] if any([not one.ahead for one in sheet.open_to()]) else [one.chosen for one in sheet.now]


def ordered_of(live: LiveGame, side: str) -> list[str]:
    """What the standing orders of a side answer now, up to the first question that they leave open."""
    sheet = sheet_of(live, side, {})
    return [one.chosen for one in takewhile(lambda one: one.by is By.ORDER, sheet.now)]


def is_watched(live: LiveGame, side: str) -> bool:
    """Whether another person could draw conclusions from the time that a side takes."""
    own = live.seats[side]
    others = [seat for other, seat in live.seats.items() if other != side]
    return any([not is_bot(seat) and not (seat["holder"] == own["holder"] == HOTSEAT) for seat in others])


def delay(live: LiveGame) -> float:
    """For how many seconds a moment waits that passes by itself. It follows from the tape and the secret of the dice:
    nobody can foresee it, it tells nothing of what is decided, and another server finds the same."""
    dice = live.game.dice
    secret = dice.secret if isinstance(dice, Committed) else ""
    digest = hmac.new(secret.encode(), f"delay/{live.game.tape().head}".encode(), "sha256").digest()
    share: float = int.from_bytes(digest[:4], "big") / 2**32
    return SOONEST + (LATEST - SOONEST) * share**2
