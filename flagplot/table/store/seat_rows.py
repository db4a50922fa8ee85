"""Rows of seats: who sits where, their links, and all that is asked of them or waits for them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, and_, bindparam, delete, insert, select, tuple_, update

from flagplot.table.store.database import PRESENT, REVEALED, Database, Found, Row
from flagplot.table.store.schema import confirmations, handovers, happenings, keys, proposals, reveals, seats

IN_A_WORD = 25
"""Seats that one word names: PostgreSQL takes 8,000 bytes."""
SEATS = select(seats).where(seats.c.game == bindparam("wanted")).order_by(seats.c.place)


class SeatRows(Database):
    """Seats, links, take-backs that are asked for, bytes of browsers, addresses that wait for confirmation."""

    def seats(self, game: str) -> list[Found]:
        """The seats of a game in the order of its sides."""
        return self._rows(SEATS, {"wanted": game})

    def change_seat(self, game: str, side: str, **changes: Any) -> None:
        with self._writing(game) as connection:
            self._change_seat(connection, game, side, changes)

    def note_seat(self, game: str, side: str, **changes: Any) -> None:
        """Change what nobody else needs to hear of: when it looked, that it is there."""
        with self._writing() as connection:
            self._change_seat(connection, game, side, changes)

    def note_present(self, some: Iterable[tuple[str, str]], now: float) -> None:
        """Note that these seats, each of a game and a side, are there now, and tell the other servers."""
        named = sorted(some)
        with self._writing() as connection:
            for begin in range(0, len(named), IN_A_WORD):
                these = named[begin : begin + IN_A_WORD]
                which = tuple_(seats.c.game, seats.c.side).in_(these)
                connection.execute(update(seats).where(which).values(present=now))
                self._tell(connection, [f"* {self.origin} {PRESENT} {json.dumps(these, ensure_ascii=False)}"])

    def _change_seat(
        self, connection: Connection, game: str, side: str, changes: Row, before: Row | None = None
    ) -> bool:
        """Change the row of a seat, if it still says what is named; whether that is so."""
        same = [seats.c[name] == value for name, value in (before or {}).items()]
        changed = update(seats).where(seats.c.game == game, seats.c.side == side, *same).values(**changes)
        return bool(connection.execute(changed).rowcount)

    def opened_by(self, mark: str) -> list[Found]:
        """What the link with that hash opens: a row for each side, with its seat; the host's has no seat."""
        joined = keys.outerjoin(seats, and_(seats.c.game == keys.c.game, seats.c.side == keys.c.side))
        wanted = select(keys.c.game, keys.c.side, seats.c.name, seats.c.joined, seats.c.place, seats.c.contributed)
        return self._rows(wanted.select_from(joined).where(keys.c.hash == mark).order_by(seats.c.place))

    def links(self, game: str) -> list[Found]:
        return self._rows(select(keys).where(keys.c.game == game))

    def _replace_link(self, connection: Connection, game: str, side: str, link: Row | None) -> None:
        self._forget_unconfirmed(connection, game, side)
        connection.execute(delete(keys).where(keys.c.game == game, keys.c.side == side))
        if link is not None:
            connection.execute(insert(keys), [{"game": game, **link}])

    def handovers(self, game: str) -> tuple[dict[str, Found], list[Found]]:
        """The seats that the host asks for, by their sides; and what happened to seats, in its order."""
        with self._reading() as connection:
            asked = connection.execute(select(handovers).where(handovers.c.game == game)).mappings()
            requests = {str(row["side"]): dict(row) for row in asked}
            found = connection.execute(select(happenings).where(happenings.c.game == game).order_by(happenings.c.n))
            return requests, [dict(row) for row in found.mappings()]

    def note_sign(self, game: str, side: str, now: float) -> None:
        """The holder of a seat that the host asks for has given a sign."""
        with self._writing(game) as connection:
            concerned = and_(handovers.c.game == game, handovers.c.side == side)
            connection.execute(update(handovers).where(concerned).values(since=now))

    # --- bytes of browsers for the dice ------------------------------------------------------------------------

    def note_revealed(self, game: str, side: str, before: str, shown: str, pledge: str) -> None:
        """Keep the bytes that a side has revealed for an answer, by its receipt, and its next pledge, until those of
        the others are there too."""
        row = {"game": game, "side": side, "before": before, "shown": shown, "pledge": pledge}
        with self._writing((game, REVEALED)) as connection:
            self._put(connection, reveals, row)

    def revealed(self, game: str, before: str) -> list[tuple[str, str, str]]:
        """Side, bytes and next pledge of those that have revealed for the answer of that receipt."""
        which = (reveals.c.game == game, reveals.c.before == before)
        wanted = select(reveals.c.side, reveals.c.shown, reveals.c.pledge).where(*which)
        with self._reading() as connection:
            return [(str(side), str(shown), str(pledge)) for side, shown, pledge in connection.execute(wanted)]

    # --- take-backs that are asked for --------------------------------------------------------------------------

    def proposal(self, game: str) -> Found | None:
        return self._row(select(proposals).where(proposals.c.game == game))

    def propose(self, game: str, row: Row) -> None:
        """Ask for a take-back. Raises Duplicate if one is asked for already."""
        self._add(proposals, {"game": game, **row}, game)

    def settle(self, game: str) -> None:
        """The proposal is settled, one way or the other."""
        with self._writing(game) as connection:
            connection.execute(delete(proposals).where(proposals.c.game == game))

    # --- e-mail addresses that wait for their confirmation ------------------------------------------------------

    def ask_to_confirm(self, game: str, side: str, address: str, mark: str, asked: float) -> None:
        """An address waits for its confirmation. The seat has none until then, and a code from before is dead."""
        with self._writing(game) as connection:
            row = {"game": game, "side": side, "address": address, "mark": mark, "asked": asked}
            self._put(connection, confirmations, row)
            self._change_seat(connection, game, side, {"email": ""})

    def unconfirmed(self, game: str, side: str, since: float) -> str:
        """The address of a seat that waits for its confirmation."""
        which = (confirmations.c.game == game, confirmations.c.side == side, confirmations.c.asked >= since)
        return self._scalar(select(confirmations.c.address).where(*which)) or ""

    def confirm(self, mark: str, since: float) -> tuple[str, str] | None:
        """The address to which a code was sent is the seat's from now on; of which game and side, or None."""
        which = and_(confirmations.c.mark == mark, confirmations.c.asked >= since)
        row = self._row(select(confirmations).where(which))
        if row is None:
            return None
        with self._writing(row["game"]) as connection:
            if not connection.execute(delete(confirmations).where(which)).rowcount:
                return None  # another address was given meanwhile, or the seat changed hands
            self._change_seat(connection, row["game"], row["side"], {"email": row["address"], "told": ""})
        return row["game"], row["side"]

    def forget_unconfirmed(self, game: str, side: str) -> None:
        with self._writing() as connection:
            self._forget_unconfirmed(connection, game, side)

    def _forget_unconfirmed(self, connection: Connection, game: str, side: str) -> None:
        connection.execute(delete(confirmations).where(confirmations.c.game == game, confirmations.c.side == side))

    def lapse(self, before: float) -> int:
        """Forget the addresses that nobody has confirmed since then; how many."""
        with self._writing() as connection:
            return connection.execute(delete(confirmations).where(confirmations.c.asked < before)).rowcount
