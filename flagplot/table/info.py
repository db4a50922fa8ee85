"""What the table tells those who ask: seats, tables, looks. Plain values, made by `Tables`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from flagplot.kernel.ahead import OrderAhead
from flagplot.kernel.log import Entry
from flagplot.kernel.sheets import Sheet
from flagplot.kernel.words import answered
from flagplot.lessons import Step
from flagplot.players import PLAYERS
from flagplot.players.search.hints import Hints
from flagplot.table.plans.missions import Standings

PERSON, HOTSEAT = "person", "hotseat"
BOTS = tuple(PLAYERS)
HOLDERS = (PERSON, HOTSEAT, *BOTS)
"""Who may hold a seat: somebody with a link, one person who holds several sides, or a player of the program."""
CAPTAIN = "captain"
STAFFS = (CAPTAIN, "commodore", "admiral")
"""Who may fill in the plans of a person's seat: the captain by the doctrine, at once; the others look ahead."""


@dataclass(frozen=True, slots=True)
class Created:
    """A new table. The tokens are told here once and are nowhere else: the store has only their hashes."""

    game: str
    public_id: str
    host_token: str = field(repr=False)
    tokens: Mapping[str, str] = field(repr=False)
    """The secret of each side that a person holds; sides of one hot-seat have the same."""


@dataclass(frozen=True, slots=True)
class Seat:
    """What a link opens. A host's link has no sides of its own."""

    game: str
    sides: tuple[str, ...]
    name: str
    is_host: bool
    joined: bool = True
    """False until somebody has joined by this link: then the page asks for a contribution to the dice."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a side, as everybody at the table may know."""

    side: str
    kind: str
    """``person``, ``hotseat``, or a player of the program."""
    name: str
    joined: bool
    present: bool
    """Whether a page of this seat is open somewhere now."""
    contributed: bool
    """Whether this side has added something of its own to the dice."""

    @property
    def is_bot(self) -> bool:
        return self.kind in BOTS


@dataclass(frozen=True, slots=True)
class Table:
    """A table as everybody at it may know it, except `version`, which is for the server alone."""

    id: str
    public_id: str
    title: str
    """What its maker called it, else the title of the scenario."""
    scenario: str
    """The title of the scenario."""
    game: str
    """The game that is played: ``awaw``, ``line-of-battle``."""
    rules: str
    """The version of the rules that it is played under."""
    created: float
    """Seconds since 1970."""
    sides: tuple[str, ...]
    holders: Mapping[str, Holder]
    finished: bool
    waiting_for: str | None
    """The side that is asked now."""
    commitment: str
    """The SHA-256 of the server's secret for the dice, fixed before anybody joined."""
    version: int
    """The number of rows. It counts secret answers too: never send it to a seat, nor anything that follows from it."""
    readonly: str = ""
    """Why it cannot be played on here, in words; nothing if it can."""

    @property
    def usual_names(self) -> dict[str, str]:
        """What the sides are called as long as nothing is known of the game but their ids."""
        return {side: side.replace("-", " ").capitalize() for side in self.sides}


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of a question. `number` counts from 1, as keys and buttons do."""

    number: int
    text: str
    """The stable text, which is what is answered."""
    label: str
    rule: str


@dataclass(frozen=True, slots=True)
class Question:
    """What a side is asked. Only that side gets it."""

    side: str
    text: str
    options: tuple[Choice, ...]
    rules: tuple[str, ...]
    at: int
    """The moment that an answer must name, so that it is not taken for an answer to another question."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A side asks the others to let it take back its last decision. Everybody may read it."""

    side: str
    """Who asks."""
    asked: tuple[str, ...]
    """Who has to consent."""
    made: float


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """The host asks for a seat whose holder has joined. Everybody may know."""

    side: str
    holder: str
    """Who would get it: ``person``, ``random`` or ``doctrine``."""
    whom: str
    """The same in words."""
    asked: float
    days: int
    """For how many days its holder must have given no sign before it can change hands without him."""
    due: bool = False
    """Whether that is so now."""


class Position(Protocol):
    """A view of any game."""

    @property
    def sides(self) -> dict[str, str]:
        """The names of the sides."""


class ClickedOrder(NamedTuple):
    """A standing order as its side sees it."""

    number: int
    """Its place among the seat's orders, from 1."""
    words: str
    """What it answers, and to what."""
    during: str
    """For how long, in words; nothing if it is for the whole game."""
    active: bool
    """Whether it is in force now."""


class Ahead(NamedTuple):
    """What a seat has ordered ahead with its last plan."""

    orders: tuple[OrderAhead, ...] = ()
    """Those that wait for their questions."""
    nonce: str = ""
    """That of the plan."""
    given: int = 0
    """How many lines of the plan are on the tape: the next one has the nonce of that number."""
    again: bool = False
    """Whether the others were dropped because something else was asked: the plan is shown again."""

    def __str__(self) -> str:
        orders = [order.as_dict() for order in self.orders]
        told = {"orders": orders, "nonce": self.nonce, "given": self.given, "again": self.again}
        return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


NOTHING_AHEAD = Ahead()


class Advice(NamedTuple):
    """What the staff of a seat has to say about its plan."""

    rank: str = CAPTAIN
    found: Hints = Hints()
    thinking: bool = False
    """Whether it is not done yet: then the plan is the captain's."""

    @property
    def by(self) -> str:
        """Whose plan it is."""
        return self.rank if self.found.answers else CAPTAIN

    @property
    def reasons(self) -> list[str]:
        """Why it proposes that, decision by decision; first where it would not follow the doctrine. Or why it has
        nothing to propose."""
        told = sorted(self.found.thoughts, key=lambda one: one.chosen == one.doctrine)
        return [answered(one.question, one.sentence) for one in told] or [*filter(None, [self.found.why_not])]


NO_ADVICE = Advice()


@dataclass(frozen=True, slots=True)
class Look:
    """One moment of a game as one reader may know it: a side, the neutral who watches, or (at the end) the umpire."""

    reader: str
    game: str
    """The game that is played, as `Table.game`."""
    view: Position
    """`game.view(reader).position`, with every part made."""
    log: list[Entry]
    pending: Question | None
    """What the reader is asked; None if another side is asked, or nobody."""
    waiting_for: str | None
    """The side that is asked now, or whose dice are about to fall; None at the end."""
    waiting_since: float | None
    """When that side's turn began, in seconds since 1970."""
    version: int
    """For the server alone, see `Table.version`."""
    moment: int
    result: dict[str, Any] | None
    sheet: Sheet | None = None
    """The plan that the reader's staff proposes; None if the reader is not asked, wants to be asked one question at a
    time, or if whoever looks does not need it."""
    standings: Standings = field(default_factory=dict)
    """Who may fly the missions of that plan, and what keeps the others."""
    coach: tuple[Step, ...] = ()
    """What the coach of a lesson says of the plan, if somebody plays one against the program."""
    unread: int = 0
    """Messages of the other side that the reader has not read."""
    reacted: str = ""
    """What the other side said last with one click, until that is read."""
    reactions: bool = False
    """Whether the sides have turned quick reactions on."""
    orders: tuple[ClickedOrder, ...] = ()
    """The reader's standing orders, if whoever looks needs them."""
    ahead: Ahead = NOTHING_AHEAD
    """What the reader has ordered ahead, if whoever looks needs it."""
    advice: Advice = NO_ADVICE
    """What the reader's staff says about the plan."""
    level: str = ""
    """How much the reader decides himself: ``flag``, ``captain``, ``everything``, ``step``; nothing if it is no
    side."""
    rolling: bool = False
    """Whether dice wait for fresh bytes of a browser, for a second or two."""
    proposal: Proposal | None = None
    seat_requests: tuple[SeatRequest, ...] = ()
    """The seats that the host asks for."""
    may_undo: bool = False
    """Whether the reader may take back its last decision without asking."""
    may_propose: bool = False
    """Whether the reader may ask the other side to let it take back its last decision."""
    chart: Any = None
    """The map of an operation, as its scenario names it or holds it; None without one."""
    pledge: str | None = None
    """The reader's open pledge of fresh bytes for the dice; "" if it has none, None if none is asked of it."""
    reveal: str = ""
    """If the reader's fresh bytes are wanted now: the receipt of the answer that the dice follow from."""
    step: int = 0
    steps: int = 0
    """Of a replay: where it stands and how many steps there are after the first."""


@dataclass(frozen=True, slots=True)
class Since:
    """What happened since a seat last looked."""

    entries: list[Entry]
    """The new lines of its log."""
    when: float | None
    """When it last looked; None if it never did."""
    total: int
    """How long its log is now: pass it to `Tables.seen`."""


@dataclass(frozen=True, slots=True)
class Messenger:
    """How a seat wants to be told that it is its turn."""

    webhook: str = ""
    email: str = ""
    last: str = ""
    """How the last call went, in words."""
    testing: bool = False
    """Whether a test is under way, of which nobody knows yet how it goes."""
    unconfirmed: str = ""
    """An e-mail address that is not used until somebody confirms it with the code that was sent there."""
