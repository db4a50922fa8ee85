"""Who sits where: making tables, links and what they open, joining.

A token is 32 random bytes. The store has its SHA-256 only, so whoever reads the store cannot sit down at a table; and
no message, log or address ever holds one.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from flagplot import library
from flagplot.kernel.dice import Committed, read_contribution
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.game import Game
from flagplot.kernel.levels import SEAT_LEVELS
from flagplot.kernel.requests import Choose, Roll
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.players import player
from flagplot.table.games.live import LiveGame
from flagplot.table.guard.uploads import is_too_deep
from flagplot.table.info import BOTS, HOLDERS, HOTSEAT, PERSON, Created, Seat
from flagplot.table.playing.answers import Playing
from flagplot.table.refusals import Conflict, NoSuchSeat
from flagplot.table.store.database import Duplicate, Row
from flagplot.table.store.store import Line, Store

NAME_LENGTH, TITLE_LENGTH = 60, 120
REMEMBERED = 10_000
"""Links whose seats are remembered at a time."""
TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Marks that turn the direction of what follows, also beyond a name."""
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


def new_id(prefix: str) -> str:
    """A name that nobody can guess: ten letters of 32."""
    return prefix + "".join(secrets.choice(LETTERS) for _ in range(10))


def new_token() -> str:
    return secrets.token_urlsafe(32)


def mark_of(token: str) -> str:
    """What the store keeps of a token."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def clean(text: str, length: int) -> str:
    """A name or title as a person typed it: one line, no control characters, not too long."""
    kept = "".join(
        letter
        for letter in text
        if unicodedata.category(letter) not in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp") and letter not in TURNING
    )
    return " ".join(kept.split())[:length].strip()


class Seating:
    """Makes tables, and knows what each link opens."""

    def __init__(self, playing: Playing) -> None:
        self.playing, self.store, self.clock = playing, playing.store, playing.clock
        self._known: dict[str, Seat] = {}
        """What links open, by their hashes: pages ask for it all the time."""
        self._changes = 0
        self._lock = threading.Lock()

    def forget(self, game_id: str) -> None:
        """Who sits where at a table has changed."""
        with self._lock:
            self._changes += 1
            self._known = {mark: seat for mark, seat in self._known.items() if seat.game != game_id}

    def forget_all(self) -> None:
        with self._lock:
            self._changes += 1
            self._known = {}

    def _remember(self, mark: str, seat: Seat, changes: int) -> None:
        """Unless something has changed since the store was asked: then it may be out of date already."""
        with self._lock:
            if changes == self._changes:
                if len(self._known) >= REMEMBERED:
                    self._known.clear()
                self._known[mark] = seat

    # --- making a table -----------------------------------------------------------------------------------------

    def create(
        self,
        scenario: Mapping[str, Any] | str,
        options: Mapping[str, Any],
        seats: Mapping[str, str],
        title: str,
        level: str,
        network: str = "",
    ) -> Created:
        """A new table; see `Tables.create`."""
        if level and level not in SEAT_LEVELS:
            raise BadValue("there is no such level", given=level, allowed=list(SEAT_LEVELS))
        with self.playing.quotas.one_more(network):
            game, holders = _begun(scenario, options, seats)
            for _ in range(5):
                try:
                    return self._keep(game, holders, clean(title, TITLE_LENGTH), level)
                except Duplicate:  # one chance in many millions of millions
                    continue
            raise Conflict("no free name was found for the table: try again")

    def _keep(self, game: Game[Any], holders: Mapping[str, str], title: str, level: str) -> Created:
        now = self.clock()
        hotseat = new_token()
        tokens = {
            side: hotseat if holder == HOTSEAT else new_token()
            for side, holder in holders.items()
            if holder in (PERSON, HOTSEAT)
        }
        created = Created(new_id("g"), new_id("w"), new_token(), tokens)
        seats = [{"holder": holders[side], "level": level} for side in game.sides]
        keep_table(self.store, game, created, now, seats, title)
        with self.playing.using(created.game):
            pass  # players of the program begin at once
        return created

    # --- links --------------------------------------------------------------------------------------------------

    def seat(self, token: str, *, remembered: bool = False) -> Seat:
        """What a token opens, from the store, or as it is remembered."""
        mark = mark_of(token)
        if remembered and (known := self._known.get(mark)):
            return known
        changes = self._changes
        found = self._seat(mark)
        self._remember(mark, found, changes)
        return found

    def known(self, token: str) -> Seat | None:
        """What a token opens, if it is remembered."""
        return self._known.get(mark_of(token))

    def _seat(self, mark: str) -> Seat:
        rows = self.store.opened_by(mark)
        if not rows:
            raise NoSuchSeat
        sides = tuple(row["side"] for row in rows if row["side"])
        seated = [row for row in rows if row["side"]]
        return Seat(
            game=rows[0]["game"],
            sides=sides,
            name=next((row["name"] for row in seated if row["name"]), ""),
            is_host=any(not row["side"] for row in rows),
            joined=all(row["joined"] is not None for row in seated),
        )

    def join(self, token: str, name: str, contribution: str) -> Seat:
        if contribution:
            contribution = read_contribution(contribution)
        seat = self.seat(token)
        for side in seat.sides:
            self._join_side(seat.game, side, clean(name, NAME_LENGTH), contribution)
        return self.seat(token)

    def contribute(self, game_id: str, side: str, contribution: str) -> str:
        given = read_contribution(contribution)
        self._join_side(game_id, side, "", given)
        with self.playing.using(game_id) as live:
            if receipt := live.contribution_receipt(given):
                return receipt
        raise Conflict(f"{side} has added something of its own to the dice already")

    def _join_side(self, game_id: str, side: str, name: str, contribution: str) -> None:
        """Sit down; if somebody answers at another server at the same moment, once more."""
        self.playing.once_more(game_id, lambda live: self._sit_down(live, side, name, contribution))

    def _sit_down(self, live: LiveGame, side: str, name: str, contribution: str) -> None:
        row = live.seats[side]
        changes: dict[str, Any] = {}
        if row["joined"] is None:
            changes["joined"] = self.clock()
        if name and name != row["name"]:
            changes["name"] = name
        if contribution and not row["contributed"] and live.game.pending is not None:
            changes["contributed"] = True
            self.playing.fresh.settle_now(live)
            with self.playing.changing(live):
                shared = row["holder"] == HOTSEAT and live.contribution_receipt(contribution)
                if not shared:  # one person who holds several sides adds once
                    live.game.contribute(side, contribution)
                self.playing.keep(live, seat=(side, changes))
        elif changes:
            self.store.change_seat(live.id, side, **changes)
            live.stale = True
            self.playing.wakeups.wake(live.id)
        self.forget(live.id)


def keep_table(store: Store, game: Game[Any], made: Created, now: float, seats: Sequence[Row], title: str = "") -> None:
    """Keep a new table, with what its seats say in the order of its sides. Raises Duplicate if its name is taken."""
    row = _game_row(game, made.game, made.public_id, title, now)
    placed = enumerate(zip(game.sides, seats, strict=True))
    sides = [{"side": side, "place": place, **seat} for place, (side, seat) in placed]
    opened = {**made.tokens, "": made.host_token}
    links = [{"hash": mark_of(token), "side": side, "made": now} for side, token in opened.items()]
    store.add_game(row, [Line(n, text, now) for n, text in enumerate(game.tape().texts)], sides, links)


def _game_row(game: Game[Any], game_id: str, public_id: str, title: str, now: float) -> Row:
    """The row of a game as the store keeps it."""
    assert isinstance(game.dice, Committed)
    scenario = clean(str(game.scenario.get("title", "")), TITLE_LENGTH)
    pending = game.pending
    return {
        "id": game_id,
        "public_id": public_id,
        "title": title or scenario,
        "scenario": scenario,
        "ruleset": game.ruleset.name,
        "rules": game.ruleset.version,
        "commitment": game.dice.commitment,
        "secret": game.dice.secret if pending is not None else None,
        "created": now,
        "changed": now,
        "finished": now if pending is None else None,
        "waiting_for": pending.side if isinstance(pending, Choose) else None,
    }


def _read_holders(game: Game[Any], seats: Mapping[str, str]) -> dict[str, str]:
    """Who holds each side, checked; sides that are not named are held by a person."""
    for side, holder in seats.items():
        if side not in game.sides:
            raise UnknownName("there is no such side in this scenario", given=side, allowed=list(game.sides))
        kind = holder.partition(":")[0]
        if kind not in HOLDERS or (":" in holder and kind not in BOTS):
            raise UnknownName(f"nobody of that kind can hold {side}", given=holder, allowed=list(HOLDERS))
        if kind in BOTS:
            player(holder, 0)  # its settings are checked
    return {side: seats.get(side, PERSON) for side in game.sides}


def _begun(
    scenario: Mapping[str, Any] | str, options: Mapping[str, Any], seats: Mapping[str, str]
) -> tuple[Game[Any], dict[str, str]]:
    """A game at its first question, and who holds its sides."""
    if isinstance(scenario, str) and scenario not in library.scenario_names():
        raise UnknownName("there is no such scenario", given=scenario, allowed=library.scenario_names())
    if is_too_deep(scenario):
        raise BadValue("this is no scenario: its tables and lists lie too deep in one another")
    game = library.load(scenario, options=options, dice=Committed())
    _check_texts(game)
    holders = _read_holders(game, seats)
    rules, state = game.ruleset, game.ruleset.read(game.scenario, game.options)
    game = Game(rules, game.scenario, game.options, state, game.dice, seats=holders)
    while isinstance(game.pending, Roll):
        game.roll()
    return game, holders


def _check_texts(game: Game[Any]) -> None:
    """Refuse a scenario with sides whose names cannot be shown."""
    for side in game.sides:
        if clean(side, NAME_LENGTH) != side:
            raise BadValue("the name of a side should be one short line", given=side)
        if side in (UMPIRE, NEUTRAL):
            raise BadValue("a side cannot be called as one who sees what no side may see", given=side)
