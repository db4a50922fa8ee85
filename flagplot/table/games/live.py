"""Games in memory: each is made from its rows once, and goes on with the rows that it or another server adds."""

from __future__ import annotations

import json
import threading
from collections import Counter, OrderedDict
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, takewhile
from typing import Any

from flagplot import library
from flagplot.kernel.dice import Committed, Sealed, plan_nonce
from flagplot.kernel.errors import BadValue, DiceError, FlagplotError, SaveError
from flagplot.kernel.game import Game, Player
from flagplot.kernel.log import Entry
from flagplot.kernel.requests import Choose, Roll
from flagplot.kernel.save_lines import FORMAT, kind_of
from flagplot.kernel.saves import begin_tape, follow_line
from flagplot.kernel.sheets import Sheet
from flagplot.players.search.thinking import Unthought
from flagplot.table.games.logbook import Logbook
from flagplot.table.games.seat_log import readers_of, with_happenings
from flagplot.table.plans.missions import Standings
from flagplot.table.refusals import NoSuchTable, OldRules
from flagplot.table.store.store import Line, Store


class Rows:
    """What a game follows instead of a file: lines are held here until the store has kept them all at once."""

    def __init__(self) -> None:
        self.new: list[str] = []

    def append(self, *texts: str) -> None:
        self.new += texts

    def end(self) -> None:
        """The secret is cleared with the row of the game."""

    def close(self) -> None:
        """There is nothing to let go of."""


@dataclass(slots=True)
class Awaited:
    """The bytes that a roll waits for."""

    head: str
    """The hash of the answer that asked for the dice."""
    sides: tuple[str, ...]
    until: float
    ours: bool
    """Whether this server rolls as soon as all bytes are there; another one took the answer if not, and does it."""
    elsewhere: bool = True
    """Whether other servers may have taken bytes that were not read yet."""
    shown: dict[str, tuple[str, str]] = field(default_factory=dict)
    """What has come: the bytes of a side, and its next pledge."""


class LiveGame:
    """One game in memory. Only who holds `lock` may touch it."""

    def __init__(self, game_id: str) -> None:
        self.id = game_id
        self.lock = threading.RLock()
        self.rows = Rows()
        self.row: Mapping[str, Any] = {}
        self.seats: dict[str, Mapping[str, Any]] = {}
        self.proposal: Mapping[str, Any] | None = None
        self.requests: dict[str, dict[str, Any]] = {}
        """The seats that the host asks for."""
        self.happenings: list[dict[str, Any]] = []
        """What happened to seats."""
        self.players: dict[str, tuple[str, Player]] = {}
        """The players of the program that hold sides: what each is called, and himself with his memory."""
        self.unthought: Unthought | None = None
        """What one of them has to think about before it can answer."""
        self.orders: dict[str, tuple[str, Any]] = {}
        """Standing orders that were read: their text, and what it says."""
        self.since: float | None = None
        """When the side that is asked now was first asked."""
        self.stale = True
        """Whether seats or proposals may have changed since they were read."""
        self.behind = False
        """Whether another server has kept lines that were not read yet."""
        self.busy = False
        """Whether a worker is letting players of the program answer."""
        self.logbook = Logbook()
        self._counted, self._lines = 0, Counter[str]()
        self._undone = Counter[tuple[str, int]]()
        self._answers: list[tuple[str, str]] = []
        """Of each answer that stands its side and the nonce of its client; no side for dice, no nonce for what nobody
        sent."""
        self._undoing = ("", 0)
        """With which nonce something was taken back last, and on how many lines."""
        self.left_to_person: Hashable = None
        """The question for which a worker has found that neither orders nor staff answer it."""
        self.passes: dict[bool, tuple[tuple[str, int, int], float]] = {}
        """The moment (side, turn, take-backs) that passes by itself if its side has nothing to decide, and when; and
        the same for its orders, whose time runs also while it is away (True)."""
        self.sheets: dict[str, tuple[Hashable, Sheet]] = {}
        """The plan of each side's staff, and what it was made from."""
        self.standings: dict[str, tuple[Sheet, Standings]] = {}
        """Who may fly the missions of a side's plan, and of which one."""
        self._game: Game[Any] | None = None
        self._asked: str | None = None
        self._awaited: Awaited | None = None

    @property
    def game(self) -> Game[Any]:
        assert self._game is not None, "not caught up"
        return self._game

    @property
    def is_loaded(self) -> bool:
        return self._game is not None

    @property
    def version(self) -> int:
        """The number of lines that are kept."""
        return len(self.game.tape().texts) - len(self.rows.new)

    @property
    def awaited(self) -> Awaited | None:
        """The bytes of browsers that the dice wait for; None once there is a line after the answer, perhaps of another
        server. Otherwise a browser would be asked for what it has pledged since then, for an answer of the past."""
        awaited, game = self._awaited, self._game
        return awaited if awaited and game and awaited.head == game.tape().head else None

    @awaited.setter
    def awaited(self, awaited: Awaited | None) -> None:
        self._awaited = awaited

    def log(self, reader: str) -> list[Entry]:
        """The log as a reader may know it, his own answers marked that he did not give himself."""
        entries = self.logbook.read(self.game, self.game.tape().texts, reader)
        return with_happenings(entries, self.happenings, reader, self.game)

    def log_lengths(self) -> dict[str, int]:
        """How long the log of each reader is now, without what happened to seats."""
        texts = self.game.tape().texts
        return {reader: len(self.logbook.read(self.game, texts, reader)) for reader in readers_of(self.game)}

    @property
    def asked(self) -> str | None:
        """The side that is asked now."""
        pending = self.game.pending
        return pending.side if isinstance(pending, Choose) else None

    @property
    def waiting_for(self) -> str | None:
        """The side that is asked now, or whose dice wait for fresh bytes; None only at the end."""
        return self.game.pending.side if self.game.pending is not None else None

    def lines_of(self, side: str) -> int:
        """How many lines a side has added to the tape itself; dice fall by themselves."""
        self._count()
        return self._lines[side]

    def taken_back(self, side: str) -> tuple[int, int, int]:
        """How often a side has taken back its last answer; how often it has taken back anything without asking; and how
        often anything was taken back by consent."""
        self._count()
        return self._undone[side, self.game.turn], self._undone[side, 0], self._undone["", 0]

    def _count(self) -> None:
        texts = self.game.tape().texts
        for text in texts[self._counted :]:
            body = json.loads(text)
            side = body.get("side", "")
            if kind_of(body) in ("choice", "undo", "contribution"):
                self._lines[side] += 1
            if kind_of(body) in ("choice", "roll"):
                self._answers.append((side if "choose" in body else "", body.get("nonce", "")))
            elif "undo" in body:
                del self._answers[body["undo"] - 1 :]
            if "undo" in body and not self._goes_on_undoing(body.get("nonce", "")):
                self._undone.update([("", 0)] if "consent" in body else [(side, body["undo"]), (side, 0)])
        self._counted = len(texts)

    def _goes_on_undoing(self, nonce: str) -> bool:
        """Whether the same plan is taken back as on the line before: that counts once."""
        first, lines = self._undoing
        same = bool(lines) and nonce == plan_nonce(first, lines)
        self._undoing = (first, lines + 1) if same else (nonce, 1)
        return same

    def forget(self) -> None:
        """Something went wrong: the rows are the truth, and the game is made from them again."""
        self._counted, self._lines, self._undone, self._answers = 0, Counter(), Counter(), []
        self._undoing, self.sheets, self.standings = ("", 0), {}, {}
        self._game, self.rows, self.stale, self.behind, self.awaited = None, Rows(), True, False, None
        self.logbook = Logbook()

    def catch_up(self, store: Store, *, heard: bool = False) -> None:
        """Go on with lines that others have kept. `heard` says that whoever wants to know will be told again if
        something changes, so that the store is asked only if it has."""
        if self._game is None:
            self._read_row(store)
            self._load(store)
            return
        changed, self.stale = self.stale, False
        behind, self.behind = self.behind, False
        new: list[Line] = []
        if not store.alone and (changed or behind or not heard):
            new = store.lines(self.id, self.version)
            for line in new:
                self._follow(self._game, line)
        if changed or (new and not heard):  # nobody may have said yet what else has changed
            self._read_row(store)
        elif new:
            self._change_row(new[-1].at)

    def _change_row(self, at: float) -> None:
        """What follows from new lines for the row of the game."""
        if self.asked != self.row["waiting_for"]:
            self.row = {**self.row, "changed": at, "waiting_for": self.asked}
        if self.game.pending is None:
            self.row = {**self.row, "changed": at, "finished": at, "secret": None}

    def _read_row(self, store: Store) -> None:
        self.stale = False
        self.row, seats, self.proposal = store.around(self.id)
        self.seats = {str(seat["side"]): seat for seat in seats}
        self.requests, self.happenings = store.handovers(self.id)

    def _load(self, store: Store) -> None:
        lines = store.lines(self.id)
        if not lines:
            raise NoSuchTable("there is no such table here")
        _check_version(json.loads(lines[0].text))
        secret = json.loads(lines[-1].text).get("secret") or self.row["secret"]
        game = begin_tape(lines[0].text, library.ruleset, secret)
        self._asked, self.since = None, None
        self._note(game, lines[0].at)
        for line in lines[1:]:
            self._follow(game, line)
        self.rows = Rows()
        game.attach(game.tape(), self.rows, closed='"end":' in lines[-1].text and "end" in json.loads(lines[-1].text))
        self._game = game

    def _follow(self, game: Game[Any], line: Line) -> None:
        try:
            follow_line(game, line.text)
        except FlagplotError as fault:
            raise SaveError(f"line {line.n + 1} of this table does not fit the rules: {fault.message}") from fault
        self._note(game, line.at)

    def _note(self, game: Game[Any], at: float) -> None:
        """Remember since when a side is asked. While it goes on being asked the time stays: how often it has answered
        meanwhile is nobody's business."""
        pending = game.pending
        if isinstance(pending, Roll):
            return
        asked = pending.side if pending is not None else None
        if asked != self._asked:
            self._asked, self.since = asked, at

    def roll(self) -> None:
        """Roll all dice that are to be rolled: nobody has to ask for it."""
        while isinstance(self.game.pending, Roll):
            if isinstance(self.game.dice, Sealed):
                raise DiceError("the secret of this table's dice is missing: it cannot be played on")
            self.game.roll()

    # --- nonces and receipts ------------------------------------------------------------------------------------

    @property
    def takes_nonces(self) -> bool:
        """Whether the tape has nonces; not if the game was begun in the terminal, and has no seats on its tape."""
        return self.game.seats is not None

    def nonce(self, given: str) -> str:
        """The nonce for the tape, if it has any."""
        return given if self.takes_nonces else ""

    def receipt(self, mark: str = "") -> str:
        """The receipt of the line with that hash; if none is named, of the last one but for the end of the game, which
        is nothing if it has no nonce: nobody could tell which line it is of."""
        dice = self.game.dice
        if not (mark or self.takes_nonces):
            return ""
        return dice.receipt(mark or self._last_answer()) if isinstance(dice, Committed) else ""

    def _last_answer(self) -> str:
        tape = self.game.tape()
        return str(json.loads(tape.texts[-1])["prev"]) if self.game.pending is None else tape.head

    def receipt_again(self, nonce: str, side: str, option: str | None = "") -> str:
        """The receipt of what is on the tape already: a client that heard nothing sends the same once more. Nothing if
        no line has the nonce. Of a plan, for which no option is named, the receipts of all its lines."""
        spent = self.game.tape_rules.nonces.get(nonce)
        if spent is None:
            return ""
        if spent.side != side or option not in (None, spent.option):
            raise BadValue("this nonce was used for something else: draw a new one for each question")
        return self.receipts(nonce)

    def receipts(self, nonce: str) -> str:
        """The receipts of all lines that a client sent with one nonce, with commas between."""
        spent = self.game.tape_rules.nonces
        lines = takewhile(bool, (spent.get(plan_nonce(nonce, place)) for place in count()))
        return ",".join([self.receipt(line.mark) for line in lines if line is not None])

    def last_step(self, side: str, answer: int) -> int:
        """How many answers a side takes back at once, that of a number and those before it: what its staff has answered
        since, and what it sent with one nonce, a single answer or the lines of a plan."""
        if self.game.seats is None:
            return 1
        self._count()
        before = self._answers[:answer]
        staffs = len(list(takewhile(lambda one: one == (side, ""), reversed(before))))
        own = [nonce for _, nonce in takewhile(all, reversed(before[: len(before) - staffs]))]
        plan = next((place for place, nonce in enumerate(own) if place and plan_nonce(nonce, place) == own[0]), 0)
        return staffs + plan + bool(own) or 1

    def contribution_receipt(self, contribution: str) -> str:
        """The receipt of what a client added to the dice; nothing if that is not on the tape."""
        spent = self.game.tape_rules.contributions.get(contribution)
        return self.receipt(spent.mark) if spent else ""

    # --- rows ---------------------------------------------------------------------------------------------------

    def fresh(self, now: float) -> list[Line]:
        """The lines that the store has not kept yet."""
        first = self.version
        return [Line(first + place, text, now) for place, text in enumerate(self.rows.new)]

    def kept(self, now: float) -> None:
        """The store has kept them."""
        self.rows.new.clear()
        self._note(self.game, now)


def _check_version(header: Mapping[str, Any]) -> None:
    reason = old_rules(str(header.get("game")), str(header.get("rules"))) or old_format(header.get("flagplot"))
    if reason:
        raise OldRules(reason)


def old_format(given: object) -> str:
    """Why a table whose lines are of that format cannot be played here; nothing if it can."""
    if given == FORMAT:
        return ""
    return (
        f"this table was begun with saves of format {given}, and this server writes format {FORMAT}, whose dice can be "
        "proved. It is kept as it is: it can be exported and played on with the version that it was begun with"
    )


def old_rules(ruleset: str, rules: str) -> str:
    """Why a game of that version of the rules cannot be played here; nothing if it can."""
    if ruleset not in library.games():
        return f"this table plays {ruleset}, which this version of Flagplot does not have"
    now = library.ruleset(ruleset)
    if rules == now.version:
        return ""
    return (
        f"this table was begun under rules {rules} of {now.title}, and this server plays {now.version}: the same "
        "answers might mean something else. It is kept as it is: it can be exported and played on with "
        "the version that it was begun with"
    )


class LiveGames:
    """The games in memory by their ids; those that were not used for longest are let go."""

    def __init__(self, keep: int) -> None:
        self._keep = keep
        self._lock = threading.Lock()
        self._games: OrderedDict[str, LiveGame] = OrderedDict()
        self._used: dict[str, int] = {}

    @contextmanager
    def use(self, game_id: str) -> Iterator[LiveGame]:
        """The game of an id, locked. It is made at its first use; whoever uses it catches up with its rows."""
        with self._lock:
            live = self._games.get(game_id)
            if live is None:
                live = self._games[game_id] = LiveGame(game_id)
            self._games.move_to_end(game_id)
            self._used[game_id] = self._used.get(game_id, 0) + 1
        try:
            with live.lock:
                yield live
        finally:
            with self._lock:
                self._used[game_id] -= 1
                if not self._used[game_id]:
                    del self._used[game_id]
                    if not live.is_loaded:  # there is no such table, or something went wrong
                        self._games.pop(game_id, None)
                self._let_go()

    def _let_go(self) -> None:
        excess = len(self._games) - self._keep
        if excess <= 0:
            return
        for game_id in [each for each in self._games if each not in self._used][:excess]:
            del self._games[game_id]

    @contextmanager
    def peek(self, game_id: str) -> Iterator[LiveGame | None]:
        """The game of an id, locked, if it is in memory."""
        live = self.known(game_id)
        if live is None:
            yield None
            return
        with live.lock:
            yield live

    def known(self, game_id: str) -> LiveGame | None:
        """The game of an id, not locked, if it is in memory: for those who may not wait."""
        with self._lock:
            return self._games.get(game_id)

    def forget(self, game_id: str) -> None:
        """A table is gone, or was never there."""
        with self._lock:
            if game_id not in self._used:
                self._games.pop(game_id, None)

    def changed_elsewhere(self, game_id: str, *, lines_only: bool = False) -> None:
        """Another server has changed something: its lines are read, and unless there is nothing else, seats and
        proposals again."""
        live = self.known(game_id)
        if live is not None:
            live.behind = True
            live.stale = live.stale or not lines_only

    def all_changed(self) -> None:
        with self._lock:
            for live in self._games.values():
                live.stale = True

    def __len__(self) -> int:
        with self._lock:
            return len(self._games)
