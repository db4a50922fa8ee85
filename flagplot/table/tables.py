"""The service of the table: everything that pages, the API and commands may do with tables.

Who may do it is not asked here but by those who call: they find the seat of a token by `seat`, and name a side only if
the seat has it. All methods can be called from any thread. What a caller shows to a seat comes from `look`, `since`,
`replay` and `table` (without `version`), and from the words of refusals, which hold no secrets.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from flagplot.briefing.briefing import Briefing, brief
from flagplot.kernel.dice import read_nonce
from flagplot.kernel.errors import UnknownName
from flagplot.kernel.game import Game
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.kernel.sheets import Answers, Sheet
from flagplot.kernel.verifying import Verification, verify_lines
from flagplot.library import ruleset
from flagplot.table import clicks, plans, take_backs
from flagplot.table.ahead import ahead_of
from flagplot.table.ending import Ending, ending_of
from flagplot.table.handovers import HandingOver
from flagplot.table.health import Health
from flagplot.table.info import (
    BOTS,
    HOLDERS,
    HOTSEAT,
    PERSON,
    Ahead,
    Choice,
    Created,
    Holder,
    Look,
    Messenger,
    Proposal,
    Question,
    Seat,
    SeatRequest,
    Since,
    Table,
)
from flagplot.table.live import LiveGame
from flagplot.table.look import level_of, look_at, question_to, reader_of, table_of, with_coach
from flagplot.table.missions import Standings
from flagplot.table.notifications import Notices
from flagplot.table.outgoing import Post
from flagplot.table.playing import Playing
from flagplot.table.presence import Presence
from flagplot.table.quotas import Limits, Quotas
from flagplot.table.refusals import (
    Conflict,
    NoSuchSeat,
    NoSuchTable,
    NotAllowed,
    NotYet,
    NotYourTurn,
    OldRules,
    StoreError,
    TableError,
)
from flagplot.table.rematches import Rematches
from flagplot.table.replay import Moment, Replay, Replays
from flagplot.table.retention import Deletion, Retention, Tidying
from flagplot.table.seat_log import ABSENCE_DAYS
from flagplot.table.seating import Seating
from flagplot.table.staff import read_orders_text, sheet_of, standings_at
from flagplot.table.store.database import ALL, LINES_ONLY, REVEALED, UNSEEN
from flagplot.table.store.listening import Listener
from flagplot.table.store.store import Store
from flagplot.table.talk import Talk
from flagplot.table.wakeups import Subscription, Wakeups, is_present

__all__ = [
    "BOTS",
    "HOLDERS",
    "HOTSEAT",
    "NEUTRAL",
    "PERSON",
    "UMPIRE",
    "Choice",
    "Conflict",
    "Created",
    "Holder",
    "Look",
    "Messenger",
    "NoSuchSeat",
    "NoSuchTable",
    "NotAllowed",
    "NotYet",
    "NotYourTurn",
    "OldRules",
    "Proposal",
    "Question",
    "Seat",
    "Since",
    "StoreError",
    "Subscription",
    "Table",
    "TableError",
    "Tables",
]

LOG = logging.getLogger("flagplot.table")


class Tables:
    """All tables of a store. One object for a server; close it when the server goes down."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], float] = time.time,
        keep: int = 1000,
        workers: int = 2,
        post: Post | None = None,
        limits: Limits | None = None,
        retention: Retention | None = None,
        absence_days: int = ABSENCE_DAYS,
    ) -> None:
        """`keep` games stay in memory; `workers` threads let players of the program answer; `post` says how seats are
        called whose turn it is, `limits` how much may be kept, `retention` for how long; `absence_days` is
        how long somebody must stay away whose seat the host asks for. A server calls `start` when it is ready."""
        self.store = store
        self.clock = clock
        self.wakeups = Wakeups()
        quotas = Quotas(store, limits or Limits(), clock)
        self._playing = Playing(store, self.wakeups, clock, keep, workers, quotas)
        self._replays = Replays()
        self._seating = Seating(self._playing)
        self._handing_over = HandingOver(self._playing, self._seating, absence_days)
        self.talk = Talk(store, clock, self.wakeups.wake)
        self.rematches = Rematches(self._playing, self._seating)
        self._notices = Notices(self._playing, post or Post())
        self._health = Health(store, clock)
        self._tidying = Tidying(store, retention or Retention(), clock, self._deleted)
        self._errands = ThreadPoolExecutor(max_workers=1, thread_name_prefix="flagplot-errands")
        self._presence = Presence(store, clock, self._errands)
        self._listener = (
            Listener(store, self._changed_elsewhere, self._all_changed, self._present_elsewhere)
            if store.shared
            else None
        )
        self._playing.listener = self._listener

    def close(self) -> None:
        """Let streams end, players of the program finish their answer, and the store go."""
        self.wakeups.stop()
        self._presence.close()
        self._tidying.close()
        self._notices.close()
        if self._listener is not None:
            self._listener.close()
        self._playing.stop()
        self._errands.shutdown(wait=True, cancel_futures=True)
        self.store.close()

    def _changed_elsewhere(self, game_id: str, what: str = ALL) -> None:
        if what == REVEALED:
            self._playing.fresh.heard_of_bytes(game_id)
            return
        self._playing.games.changed_elsewhere(game_id, lines_only=what in (LINES_ONLY, UNSEEN))
        if what not in (LINES_ONLY, UNSEEN):
            self._seating.forget(game_id)
            self.talk.forget(game_id)
        if what != UNSEEN:
            self.wakeups.wake(game_id)

    def _present_elsewhere(self, some: list[tuple[str, str]]) -> None:
        self.wakeups.present_elsewhere(some, self.clock())

    def _all_changed(self) -> None:
        self._playing.games.all_changed()
        self._seating.forget_all()
        self.wakeups.wake_all()

    def start(self) -> None:
        """The server is ready: calls are made, and players of the program go on that were asked when it stopped."""
        self._notices.start()
        self._tidying.start()
        self._errands.submit(self.start_waiting_players)

    def start_waiting_players(self) -> None:
        """Players of the program that are asked now go on."""
        self._playing.go_on(self.store.waiting(BOTS))

    def stop_streams(self) -> None:
        """Let every stream end: the server is going down."""
        self.wakeups.stop()

    # --- seats --------------------------------------------------------------------------------------------------

    def create(
        self,
        scenario: Mapping[str, Any] | str,
        *,
        options: Mapping[str, Any] | None = None,
        seats: Mapping[str, str] | None = None,
        title: str = "",
        level: str = "",
        network: str = "",
    ) -> Created:
        """Make a table of a scenario: the name of one that comes with Flagplot, or its data (never a file's name).

        `seats` says who holds each side: ``person`` (the default), ``hotseat`` (one link for all such sides),
        ``random`` or ``doctrine``. `level` is how much they decide themselves (see `set_level`): if it is not named,
        what an admiral decides against the program, and everything against people. `network` is where the request comes
        from, for the limit of tables a day. Raises
        ScenarioError with every fault, UnknownName, BadValue, TooManyTables, NoRoom.
        """
        return self._seating.create(scenario, options or {}, seats or {}, title, level, network)

    def seat(self, token: str) -> Seat:
        """What a token opens. Raises NoSuchSeat."""
        return self._seating.seat(token, remembered=self._hears)

    def known_seat(self, token: str) -> Seat | None:
        """The same, if it is known without asking the store: for those who may not wait."""
        return self._seating.known(token) if self._hears else None

    def join(self, token: str, *, name: str = "", contribution: str = "") -> Seat:
        """Sit down: at the first time the contribution (16 to 64 random bytes, hexadecimal) goes into the dice.

        Joining again changes the name if one is given. Raises NoSuchSeat, and DiceError for a bad contribution."""
        return self._seating.join(token, name, contribution)

    def contribute(self, game_id: str, side: str, contribution: str) -> str:
        """Add to the dice what the client of a side drew (16 to 64 random bytes, hexadecimal), once for whoever sits
        there; the receipt. The same bytes sent again change nothing. Raises DiceError, and Conflict if others are there
        already."""
        return self._seating.contribute(game_id, side, contribution)

    def replace_link(self, token: str, side: str) -> str:
        """A new token for a side, by its own holder or the host; the old one is dead. NotAllowed for others. If
        somebody has joined there, the host only asks for the seat, and nothing is returned."""
        return self._handing_over.replace_link(token, side)

    def leave(self, token: str, side: str) -> str:
        """The holder of a side hands it on: a token for somebody else; his own is dead."""
        return self._handing_over.replace_link(token, side, leave=True)

    def relinked(self, game_id: str) -> dict[str, float]:
        """The sides whose links were replaced since the table was made, and when: everybody at it may know."""
        made = float(self.store.game(game_id)["created"])
        links = self.store.links(game_id)
        return {str(link["side"]): float(link["made"]) for link in links if link["side"] and link["made"] > made}

    def hand_over(self, host_token: str, side: str, holder: str) -> str:
        """Give a seat to a ``person`` (returns the new token) or to ``random`` or ``doctrine`` (returns ""). If
        somebody has joined there, the host only asks for it (see `seat_requests`), and nothing is returned."""
        return self._handing_over.hand_over(host_token, side, holder)

    @property
    def absence_days(self) -> int:
        """For how many days the holder of a seat must have given no sign before the host may give it away."""
        return self._handing_over.days

    def seat_requests(self, game_id: str) -> list[SeatRequest]:
        """The seats that the host asks for, whose holders have joined: everybody may know."""
        return self._handing_over.requests(game_id)

    def settle_seat_request(self, token: str, side: str, yes: bool) -> None:
        """The holder of a seat that the host asks for allows it or declines. Raises Conflict, NotAllowed."""
        self._handing_over.settle(token, side, yes=yes)

    def withdraw_seat_request(self, host_token: str, side: str) -> None:
        """The host asks for a seat no more. Raises Conflict, NotAllowed."""
        self._handing_over.withdraw(host_token, side)

    def carry_out_seat_request(self, host_token: str, side: str) -> str:
        """The host gives a seat away whose holder has given no sign for long enough since he asked; the new token, if
        it goes to a person. Raises NotYet, Conflict, NotAllowed."""
        return self._handing_over.carry_out(host_token, side)

    # --- looking ------------------------------------------------------------------------------------------------

    def table(self, game_id: str) -> Table:
        """What everybody at a table may know of it. Works for tables of older rules too. Raises NoSuchTable."""
        with self._playing.games.peek(game_id) as live:
            if live is not None and live.is_loaded and not live.stale and self._hears:
                return table_of(live.row, list(live.seats.values()), live.version, self.wakeups, self.clock())
        return self._table(self.store.game(game_id))

    def is_same(self, table: Table) -> bool:
        """Whether it is known, without asking the store, that nobody has come or gone since a table was looked at, nor
        anything changed that its tick does not tell. For those who may not wait."""
        live = self._playing.games.known(table.id)
        if live is None or not live.is_loaded or live.stale or not self._hears:
            return False
        now, holders = self.clock(), table.holders
        seats = [seat for side, seat in live.seats.items() if holders[side].kind not in BOTS]
        return all([is_present(table.id, seat, self.wakeups, now) == holders[seat["side"]].present for seat in seats])

    @property
    def _hears(self) -> bool:
        return self._playing.hears

    def public_table(self, public_id: str) -> Table:
        """The table of a spectator's link. Raises NoSuchTable."""
        return self._table(self.store.public_game(public_id))

    def _table(self, row: Mapping[str, Any]) -> Table:
        game_id = row["id"]
        seats, count, written = self.store.seats(game_id), self.store.count(game_id), self.store.format_of(game_id)
        return table_of(row, seats, count, self.wakeups, self.clock(), written)

    def look(self, game_id: str, reader: str, *, subscribed: bool = False, sheet: bool = False) -> Look:
        """This moment as a side or NEUTRAL may know it; after the end NEUTRAL gets what UMPIRE gets, everything. Who is
        `subscribed` is woken when another server changes something, so the store is not asked each time. With `sheet`
        a side that is asked gets its plan, unless it wants to be asked one question at a time.

        Raises NoSuchTable, UnknownName (no such side), NotYet (UMPIRE before the end), OldRules."""
        with self._game(game_id, reader, heard=subscribed and self._hears) as live:
            look = self._with_pledge(live, look_at(live, reader))
            if sheet and look.pending is not None and look.level != "step":
                plan = sheet_of(live, reader, {})
                look = with_coach(live, replace(look, sheet=plan, standings=standings_at(live, reader, plan)))
            if sheet and reader in live.game.sides:
                said = self.talk.unread(game_id, reader)
                look = replace(
                    look,
                    orders=clicks.listed(live, reader),
                    ahead=ahead_of(live, reader),
                    unread=said.number,
                    reacted=said.reaction,
                    reactions=said.reactions,
                )
            return look

    def _with_pledge(self, live: LiveGame, look: Look) -> Look:
        """A side is told of its own fresh bytes for the dice, and of nobody else's."""
        if look.reader not in live.game.sides:
            return look
        fresh, side = self._playing.fresh, look.reader
        return replace(look, pledge=fresh.open_pledge(live, side), reveal=fresh.wanted(live, side) or "")

    def briefing(self, game_id: str, reader: str) -> Briefing:
        """What a side, or NEUTRAL, is told before its first decision, as things stand now."""
        with self._game(game_id, reader) as live:
            return brief(live.game, reader_of(live.game, reader))

    def ending(self, game_id: str, reader: str) -> Ending:
        """How a game ended, what it cost, and how the dice fell. Raises NotYet."""
        with self._game(game_id, reader) as live:
            return ending_of(live.game, reader)

    def asked(self, game_id: str, side: str, *, subscribed: bool = False) -> tuple[Question | None, str | None, int]:
        """A side's question, the side that is asked, and the first side's moment: a `look` without what it costs."""
        with self._game(game_id, side, heard=subscribed and self._hears) as live:
            return question_to(live.game, side), live.waiting_for, live.game.moment_of(side)

    def since(self, game_id: str, side: str) -> Since:
        """What happened since this seat last looked; call `seen` when it has been shown."""
        with self._game(game_id, side) as live:
            log = live.log(side)
            seat = live.seats[side]
            return Since(log[min(seat["seen"], len(log)) :], seat["seen_at"], len(log))

    def seen(self, game_id: str, side: str, total: int) -> None:
        """A seat has read its log up to that many lines (`Since.total`, or the length of `Look.log`)."""
        with self._game(game_id, side) as live:
            changes = {"seen": max(0, min(total, len(live.log(side)))), "seen_at": self.clock()}
            self.store.note_seat(game_id, side, **changes)
            live.seats[side] = {**live.seats[side], **changes}

    def replay(self, game_id: str, reader: str, step: int) -> Look:
        """The game again as a reader saw it, `step` from 0 to `Look.steps`. A side may do so at any time, with its own
        answers and the rolls as steps; UMPIRE (and NEUTRAL, who is then shown everything) only after the end."""
        replay, reader = self._replay(game_id, reader)
        return replay.look(reader, step)

    def key_moments(self, game_id: str, reader: str) -> list[Moment]:
        """The steps of a replay that are worth going to, as its reader knows them."""
        replay, reader = self._replay(game_id, reader)
        return replay.moments(reader)

    def lines(self, game_id: str) -> list[str]:
        """The lines of a finished game's tape, for the server itself. Raises NotYet."""
        with self._game(game_id, UMPIRE) as live:
            return list(live.game.tape().texts[: live.version])

    def _replay(self, game_id: str, reader: str) -> tuple[Replay, str]:
        with self._game(game_id, reader) as live:
            reader = reader_of(live.game, reader)
            if reader == NEUTRAL:
                raise NotYet("spectators can replay the battle after its end")
            texts = live.game.tape().texts[: live.version]
        return self._replays.of(game_id, texts), reader

    @contextmanager
    def game(self, game_id: str, reader: str) -> Iterator[Game[Any]]:
        """A copy of the game, for those who make something of it for one reader: a report, odds, the map. They may show
        him nothing but what comes of his view and log. The table goes on meanwhile, however long they take."""
        with self._game(game_id, reader) as live:
            twin = live.game.copy()
        yield twin

    @contextmanager
    def _game(self, game_id: str, reader: str, *, heard: bool = False) -> Iterator[LiveGame]:
        with self._playing.using(game_id, heard=heard) as live:
            if reader not in live.game.sides and reader not in (NEUTRAL, UMPIRE):
                raise UnknownName("there is no such side at this table", given=reader, allowed=list(live.game.sides))
            self._handing_over.note_sign(live, reader)
            yield live

    # --- answering ----------------------------------------------------------------------------------------------

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
        return take_backs.consent(self._playing, game_id, side, read_nonce(nonce), yes=yes)

    # --- plans --------------------------------------------------------------------------------------------------

    def plan(self, game_id: str, side: str, answers: Answers, level: str | None = None) -> Sheet:
        """What a side can decide now, filled in by its standing orders and its staff; `answers` are its own, by the
        keys of the fields. `level` is another one than the seat's. Has no fields if the side is not asked."""
        return plans.plan(self._playing, game_id, side, answers, level or "")

    def plan_with_standings(self, game_id: str, side: str, answers: Answers) -> tuple[Sheet, Standings]:
        """The same with who may fly the missions of the plan."""
        return plans.plan_with_standings(self._playing, game_id, side, answers)

    def confirm_plan(
        self, game_id: str, side: str, answers: Answers, at: int, nonce: str, *, seen: Answers | None = None
    ) -> str:
        """Put all answers of a side's plan on the tape, or none; `at` is the moment of the sheet. `seen` is what stood
        in the fields that the side decides itself when it confirmed: if one stands otherwise now, PlanChanged is
        raised. The client draws one nonce for the whole plan (see `plan_nonce`). Returns the receipts of its lines,
        with commas between. Sent again with the same nonce, it changes nothing and returns the same receipts.

        Raises what `answer` raises."""
        return plans.confirm(self._playing, game_id, side, answers, at, read_nonce(nonce), seen)

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

    # --- standing orders ----------------------------------------------------------------------------------------

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
        """Order the answer of a field of the side's plan for the rest of the ``phase``, ``round``, ``battle`` or
        ``voyage``: a value, what stands there now, or ``staff`` to leave it to that. Raises BadValue, UnknownName."""
        clicks.give(self._playing, game_id, side, key, scope, value)

    def pass_until(self, game_id: str, side: str, until: str) -> None:
        """Leave everything to the staff until the step ends (``phase``), a group is ``found`` or something is
        ``hit``."""
        clicks.pass_until(self._playing, game_id, side, until)

    def cancel_order(self, game_id: str, side: str, number: int) -> None:
        """Take back a standing order; `Look.orders` has their numbers. Raises UnknownName."""
        clicks.cancel(self._playing, game_id, side, number)

    # --- calls to seats that are not there ----------------------------------------------------------------------

    def messenger(self, game_id: str, side: str) -> Messenger:
        """How a seat wants to be called when it is its turn and it is not there, and how the last call went."""
        return self._notices.messenger(game_id, side)

    def set_messenger(self, game_id: str, side: str, *, webhook: str = "", email: str = "") -> None:
        """Set the address of a webhook and an e-mail address; empty takes them away. An e-mail address is used when it
        was confirmed with the code that is sent there. Raises BadValue, NotAllowed, TooManyCalls."""
        self._notices.set_messenger(game_id, side, webhook, email)

    def test_messenger(self, game_id: str, side: str) -> None:
        """Have a call made now; `messenger` tells how it went when that is known, some seconds later. Raises BadValue
        if nothing is set, and TooManyCalls."""
        self._notices.test(game_id, side)

    def confirm_email(self, code: str) -> None:
        """Confirm an e-mail address by the code that was sent there. Raises BadValue."""
        self._notices.confirm(code)

    @property
    def has_mail(self) -> bool:
        """Whether this server can send e-mail."""
        return bool(self._notices.post.smtp)

    # --- fresh bytes for the dice -------------------------------------------------------------------------------

    def pledge(self, game_id: str, side: str, pledge: str) -> None:
        """A browser of a person's seat promises 32 bytes for a later roll: `pledge` is their SHA-256 (64 hexadecimal
        digits). Raises Conflict while dice are rolled, or if it pledges too often; NotAllowed; BadValue."""
        self._playing.pledge(game_id, side, pledge)

    def reveal(self, game_id: str, side: str, shown: str, pledge: str, before: str = "") -> None:
        """The 32 bytes that the side's open pledge promised (64 hexadecimal digits), when `wanted_reveal` asks for
        them, and the next pledge. `before` is the receipt that was asked with. Sent again it changes nothing. Raises
        Conflict (nobody waits any more, or the dice are those of another answer), BadValue."""
        self._playing.reveal(game_id, side, shown, pledge, before)

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

    # --- proof --------------------------------------------------------------------------------------------------

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

    # --- news ---------------------------------------------------------------------------------------------------

    @contextmanager
    def subscribe(self, game_id: str, side: str = "") -> Iterator[Subscription]:
        """Within an event loop: ``with tables.subscribe(game, side) as news: await news.wait(15)``.

        `wait` is True when the game may have changed, False when the time is up; `news.stopped` says that the server
        goes down. While it lasts, the seat of that side counts as present (leave it out for spectators)."""
        with self.wakeups.subscribe(game_id, side) as subscription:
            if side and self.store.shared:
                subscription.pulse = self._presence.pulse(game_id, side)
            yield subscription

    def tick(self, game_id: str) -> int:
        """A number that changes whenever the game may have changed, for `wait`. For the server alone."""
        return self.wakeups.tick(game_id)

    def wait(self, game_id: str, tick: int, timeout: float) -> int:
        """In a thread: wait until the tick is another one, at most so many seconds; returns the tick then."""
        return self.wakeups.wait(game_id, tick, timeout)

    # --- how long it is kept --------------------------------------------------------------------------------------

    def deletion(self, game_id: str) -> Deletion | None:
        """When a table will be deleted, if that is near: everybody at it may know."""
        retention = self._tidying.retention
        return retention.deletion(self.store.game(game_id), self.clock()) if retention.is_set else None

    def keep(self, game_id: str) -> None:
        """Keep an unfinished table: its time begins again."""
        if self.store.game(game_id)["finished"] is not None:
            raise NotAllowed("the game is over: download it to keep it")
        self.store.keep(game_id, self.clock())
        self._changed_elsewhere(game_id)

    def tidy(self) -> Sequence[str]:
        """Delete the tables that are due; their ids. A running server does it by itself."""
        return self._tidying.tidy()

    def _deleted(self, game_id: str) -> None:
        with self._playing.games.use(game_id) as live:
            live.forget()
        self._seating.forget(game_id)
        self.wakeups.wake(game_id)

    def trouble(self) -> str:
        """For `/healthz`: why nothing can be kept now, in words; nothing if all is well."""
        return self._health.trouble()

    def figures(self) -> dict[str, int]:
        """For `/metrics`: tables, finished ones, games in memory, streams."""
        return {**self.store.figures(), "in_memory": len(self._playing.games), "streams": self.wakeups.streams}
