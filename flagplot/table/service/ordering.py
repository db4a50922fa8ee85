"""Standing orders: as a person types them, or by a click.

A click orders the same answer for the rest of a step, a round or a battle, or the staff's. It stands in the same text,
the newest first, and the comment within it says what was clicked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection

from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.sheets import Field
from flagplot.kernel.views import View
from flagplot.players.orders import NEWS, SCOPES, STAFF, is_during, levels_of, news_of, place_for
from flagplot.table.games.live import LiveGame
from flagplot.table.info import ClickedOrder
from flagplot.table.plans.order_words import SHARES, below_words, ready_made, told
from flagplot.table.plans.orders import read_orders_text
from flagplot.table.playing.staff import sheet_of, standing_orders
from flagplot.table.service.common import Service

ROOM = 20_000
"""Characters that the orders of a seat may have."""
VOYAGE = re.compile(r"[vw]\d+")
HEAD = "[[order]]"


class Ordering(Service):
    """What a side has answered in advance."""

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
            self._playing.change_seat(live, side, orders=kept, by_hand=None)

    def order(self, game_id: str, side: str, key: str, scope: str, value: str = "") -> None:
        """Order the answer of a field of the side's plan for the rest of the ``strike``, ``phase``, ``round``,
        ``battle`` or ``voyage``: a value, what stands there now, or ``staff`` to leave it to that. Raises BadValue,
        UnknownName."""
        with self._playing.using(game_id, side) as live:
            one = sheet_of(live, side, {}, proposed=self._playing.advisers.known(live, side).found.answers)[key]
            scopes = scopes_of(one, strike_words(live.game.ruleset.name))
            if scope not in scopes:
                raise BadValue("there is no such time", given=scope, allowed=scopes)
            common = key.partition("#")[0]
            wanted = value or one.chosen
            label = next(
                (offer.label for offer in one.offers if wanted in (offer.text, _value(offer.text, common))), ""
            )
            if wanted != STAFF and not label:
                raise BadValue("not one of the answers", given=value, allowed=[offer.text for offer in one.offers])
            words = f"{one.question} {label or 'Left to the staff.'}"
            during = "" if scope == "voyage" else _place(live, side, scope)
            answer = wanted if wanted == STAFF else _value(wanted, common)
            self._put_first(live, side, _written(words, common, answer, during=during))

    def add_order(self, game_id: str, side: str, chosen: str, per_cent: int = 0) -> None:
        """Give one of the ready-made orders of the game (`order_words.standing_words`), always or once the side has
        less than some per cent of its strength left. Raises BadValue."""
        if per_cent not in (0, *SHARES):
            raise BadValue("there is no such share", given=per_cent, allowed=SHARES)
        with self._playing.using(game_id, side) as live:
            words, when, answer = ready_made(live.game.ruleset.name, chosen)
            share = per_cent / 100
            condition = f", {below_words(share)}" if share else ""
            self._put_first(live, side, _written(f"{words}{condition}.", when, answer, below=share))

    def pass_until(self, game_id: str, side: str, until: str) -> None:
        """Leave everything to the staff until the step ends (``phase``), something of the side is ``attacked``, the
        enemy is ``found`` or something is ``hit``."""
        if until not in ("phase", *NEWS):
            raise BadValue("there is no such time", given=until, allowed=["phase", *NEWS])
        with self._playing.using(game_id, side) as live:
            view = View(live.game, side)
            words = {
                "phase": "Everything left to the staff until this step ends.",
                "attacked": "Everything left to the staff until something of yours is attacked.",
                "found": "Everything left to the staff until the enemy is found.",
                "hit": "Everything left to the staff until something is hit.",
            }[until]
            if until == "phase":
                new = _written(words, "*", STAFF, during=_place(live, side, "phase"))
            else:
                new = _written(words, "*", STAFF, until=until, after=news_of(view, until))
            self._put_first(live, side, new)

    def cancel_order(self, game_id: str, side: str, number: int) -> None:
        """Take back a standing order, so that the side is asked again; `Look.orders` has their numbers. Raises
        UnknownName."""
        with self._playing.using(game_id, side) as live:
            parts = _parts(str(live.seats[side]["orders"]))
            if not 1 <= number < len(parts):
                raise UnknownName("there is no such order", given=number)
            del parts[number]
            self._keep_orders(live, side, "".join(parts))

    def _put_first(self, live: LiveGame, side: str, new: str) -> None:
        """Put an order before the others."""
        parts = _parts(str(live.seats[side]["orders"]))
        self._keep_orders(live, side, "".join([parts[0], new, *parts[1:]]))

    def _keep_orders(self, live: LiveGame, side: str, text: str) -> None:
        kept = text if text.strip() else ""
        if len(kept) > ROOM:
            raise BadValue("these are too many orders: cancel some of them")
        if kept and HEAD in kept:
            read_orders_text(kept, "orders")
        elif HEAD not in kept:
            kept = ""
        self._playing.change_seat(live, side, orders=kept, by_hand=None)
        self.wakeups.wake(live.id)


def listed(live: LiveGame, side: str) -> tuple[ClickedOrder, ...]:
    """The standing orders of a side."""
    text = str(live.seats[side]["orders"])
    if not text:
        return ()
    view, words = live.game.view(side), [_comment(part) for part in _parts(text)[1:]]
    orders, game = standing_orders(live, side), live.game.ruleset.name
    return tuple(
        ClickedOrder(order.number, words[order.number - 1] or told(order, game), order.during, order.is_due(view))
        for order in orders
    )


def scopes_of(one: Field, strikes: Collection[str] = ()) -> tuple[str, ...]:
    """For how long the answer of a field can be ordered; `strikes` are the kinds of questions within a strike."""
    scopes = [scope for scope in SCOPES if scope != "strike" or one.family in strikes]
    voyage = any(map(VOYAGE.fullmatch, one.subject.split(":")))
    return ("voyage", *scopes) if voyage else tuple(scopes)


def strike_words(game: str) -> Collection[str]:
    """The kinds of questions that a game asks within a strike."""
    return levels_of(game).strikes.words


def without_expired(live: LiveGame, side: str) -> str:
    """The orders of a side without those whose step of play is over."""
    text = str(live.seats[side]["orders"])
    orders = standing_orders(live, side) if "during" in text else ()
    if not any([order.during for order in orders]):
        return text
    view, parts = View(live.game, side), _parts(text)
    kept = [parts[order.number] for order in orders if not order.during or is_during(view, order.during)]
    return "".join([parts[0], *kept]) if kept or parts[0].strip() else ""


def _place(live: LiveGame, side: str, scope: str) -> str:
    found = place_for(View(live.game, side), scope)
    if not found and scope != "battle":
        raise BadValue("this is not played in steps: give the order for the whole battle", given=scope)
    return found


# --- their text -------------------------------------------------------------------------------------------------


def _parts(text: str) -> list[str]:
    """What stands before the first order, and each order."""
    parts = [""]
    for line in text.splitlines(keepends=True):
        if line.strip() == HEAD:
            parts.append("")
        parts[-1] += line
    return parts


def _comment(part: str) -> str:
    found = re.search(r"^# (.*)$", part, re.MULTILINE)
    return found[1] if found and part.startswith(f"{HEAD}\n# ") else ""


def _value(text: str, common: str) -> str:
    return text.removeprefix(f"{common}:")


def _written(
    words: str, when: str, answer: str, *, during: str = "", until: str = "", after: int = 0, below: float = 0
) -> str:
    lines = [HEAD, f"# {' '.join(words.split())}", f"when = {json.dumps(when)}", f"answer = {json.dumps(answer)}"]
    lines += [f"during = {json.dumps(during)}"] if during else []
    lines += [f"below = {below:g}"] if below else []
    lines += [f"until = {json.dumps(until)}", f"after = {after}"] if until else []
    return "\n".join([*lines, ""])
