"""What the interface for programs takes and gives, as its OpenAPI description says it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from flagplot.kernel.log import Entry
from flagplot.kernel.view_types import to_json
from flagplot.table.info import Look, Since, Table
from flagplot.table.keeping.retention import Deletion

Holder = Annotated[
    str,
    StringConstraints(
        pattern=r"^(person|hotseat|random|ensign|captain"
        r"|(doctrine|commodore|admiral|fleet)(:[a-z_]{1,40}=[0-9.]{1,8})?)$"
    ),
]
NewHolder = Literal["person", "random", "doctrine", "ensign", "captain", "commodore", "admiral", "fleet"]
Words = Annotated[str, StringConstraints(max_length=200)]
Hexadecimal = Annotated[str, StringConstraints(pattern=r"^([0-9a-fA-F]{2}){16,64}$")]


Nonce = Annotated[
    str,
    StringConstraints(pattern=r"^[0-9a-f]{32}$"),
    Field(
        description="32 hexadecimal digits (0-9, a-f) that you draw at random for this one request. If you get no "
        "reply, send the same request with the same nonce again: it is not done twice, and you get its receipt."
    ),
]


Mark = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


def _whole(given: object) -> object:
    """A number as JSON has it: 4.0 is a whole one, true is none."""
    return int(given) if isinstance(given, float) and given.is_integer() else given


Whole = Annotated[int, BeforeValidator(_whole)]
GAME = r"^g[a-z2-7]{10}$"
WATCH = r"^w[a-z2-7]{10}$"


LevelWord = Literal["flag", "captain", "everything", "step"]


class Given(BaseModel):
    """What a program sends: nothing but what is known here."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewTable(Given):
    """A table to be made."""

    scenario: str | dict[str, Any] = Field(
        description="The name of a scenario that comes with Flagplot, or the data of one.", examples=["first-battle"]
    )
    options: dict[str, str | bool] = Field(default={}, description="Other readings of the rules, by name.")
    seats: dict[str, Holder] = Field(
        default={},
        description="Who holds each side: person (also if it is left out), hotseat, random, or a rank of "
        "the program: ensign, captain (or doctrine), commodore, admiral, fleet.",
        examples=[{"japan": "person", "allies": "doctrine"}],
    )
    title: Words = ""
    level: LevelWord = Field(
        default="step",
        description="How much the seats decide themselves: flag (what an admiral decides; the staff decides the rest), "
        "captain, everything, or step (everything, one question at a time).",
    )


class Joining(Given):
    """How a person sits down."""

    name: Words = ""
    contribution: Hexadecimal | Literal[""] = Field(
        default="", description="16 to 64 random bytes as hexadecimal digits: they go into the dice, the first time."
    )


class Answer(Given):
    """An answer to a question."""

    option: Annotated[str, StringConstraints(max_length=2000)] = Field(description="The text of an option.")
    at: Whole = Field(description="The moment of the question, as it was told with it.")
    nonce: Nonce


class TakeBack(Given):
    """A decision to take back, or to ask for that."""

    nonce: Nonce


class Consent(Given):
    """An answer to a take-back that the other side asks for; the side that asks withdraws it with false."""

    yes: bool
    nonce: Nonce


class Pledge(Given):
    """Fresh bytes for the dice, promised."""

    pledge: Mark = Field(description="The SHA-256 of 32 random bytes that you keep for yourself.")


class Reveal(Given):
    """The bytes that were promised, when the stream asks for them, and the next promise."""

    reveal: Mark = Field(description="The 32 bytes of your open pledge, as hexadecimal digits.")
    receipt: Mark | Literal[""] = Field(
        default="", description="The receipt in the event: with it the bytes are used after that answer or not at all."
    )
    pledge: Mark = Field(description="The SHA-256 of the next 32 random bytes.")


class OrdersText(Given):
    """Standing orders as TOML; an empty text means none."""

    text: Annotated[str, StringConstraints(max_length=20_000)]


class Seen(Given):
    """How many lines of its log a seat has read."""

    total: Whole = Field(ge=0)


class CallTo(Given):
    """Where a seat is called when it is its turn and it is not there; empty means not at all."""

    webhook: Annotated[str, StringConstraints(max_length=1000)] = ""
    email: Annotated[str, StringConstraints(max_length=254)] = ""


class Code(Given):
    """The code of a mail that asks for a confirmation."""

    code: Annotated[str, StringConstraints(max_length=60)]


class Allowing(Given):
    """Whether the holder of a seat lets the host give it away."""

    yes: bool


class HandOver(Given):
    """Who holds a seat from now on."""

    holder: NewHolder


# --- what is told -----------------------------------------------------------------------------------------------


RECEIPT = (
    "Keep it: HMAC-SHA-256 of what was taken, under the secret that is opened at the end. With it you can show then "
    "that nothing was changed or dropped. Empty if nothing was written down."
)


class Told(BaseModel):
    """What a program is told."""

    model_config = ConfigDict(from_attributes=True)

    @classmethod
    def of(cls, value: object) -> Self:
        """A value of ours that has what is told under the same names."""
        return cls.model_validate(value)

    @classmethod
    def of_any(cls, value: object | None) -> Self | None:
        """The same, if there is a value."""
        return None if value is None else cls.of(value)


class Refusal(BaseModel):
    """Why something was not done. Nothing has changed."""

    error: str = Field(description="A code for programs, such as stale-answer.")
    message: str
    given: str | None = None
    allowed: list[str] = []
    rule: str | None = None
    faults: list[dict[str, Any]] = []


class Made(Told):
    """A new table, with the secrets of its seats: they are told here once."""

    game: str
    public_id: str
    host_token: str
    tokens: dict[str, str]


class SeatTold(Told):
    """What a token opens."""

    game: str
    sides: list[str]
    name: str
    is_host: bool
    joined: bool


class Joined(SeatTold):
    """A seat that was taken."""

    receipt: str = Field(description=f"Of the contribution. {RECEIPT}")


class HolderTold(Told):
    """Who holds a side."""

    kind: str
    name: str
    joined: bool
    present: bool
    contributed: bool


class TableTold(Told):
    """A table as everybody at it may know it."""

    id: str
    public_id: str
    title: str
    scenario: str
    game: str
    rules: str
    created: float
    sides: list[str]
    holders: dict[str, HolderTold]
    finished: bool
    waiting_for: str | None
    commitment: str
    readonly: str
    deleted_after: float | None = Field(
        default=None, description="When the table will be deleted, in seconds since 1970, if that is near."
    )

    @classmethod
    def with_deletion(cls, table: Table, deletion: Deletion | None) -> Self:
        """The table, and when it will be deleted."""
        return cls.of(table).model_copy(update={"deleted_after": deletion.at if deletion else None})


class ChoiceTold(Told):
    """One option of a question."""

    number: int
    text: str
    label: str
    rule: str


class QuestionTold(Told):
    """What a side is asked."""

    side: str
    text: str
    options: list[ChoiceTold]
    rules: list[str]
    at: int


class Turn(BaseModel):
    """Whose turn it is, and what this side is asked."""

    waiting_for: str | None
    question: QuestionTold | None
    moment: int


class Taken(Turn):
    """What was sent is on the disk; what this side is asked next."""

    receipt: str = Field(description=RECEIPT)
    receipts: list[str] = Field(
        description="One for each line that was added to the game. A plan has several lines and one nonce: the first "
        "line has that nonce, the others have the first 32 digits of the SHA-256 of the nonce, a slash and the number "
        "of the line, counted from 0."
    )


class ProposalTold(Told):
    """A take-back that a side asks for."""

    side: str
    asked: list[str]
    made: float


class LookTold(BaseModel):
    """One moment of a game as its reader may know it."""

    reader: str
    position: dict[str, Any]
    log: list[dict[str, Any]]
    question: QuestionTold | None
    waiting_for: str | None
    waiting_since: float | None
    moment: int
    result: dict[str, Any] | None
    proposal: ProposalTold | None
    may_undo: bool
    may_propose: bool
    step: int
    steps: int

    @classmethod
    def of(cls, look: Look) -> LookTold:
        return cls(
            reader=look.reader,
            position=to_json(look.view),
            log=told(look.log),
            question=QuestionTold.of_any(look.pending),
            waiting_for=look.waiting_for,
            waiting_since=look.waiting_since,
            moment=look.moment,
            result=look.result,
            proposal=ProposalTold.of_any(look.proposal),
            may_undo=look.may_undo,
            may_propose=look.may_propose,
            step=look.step,
            steps=look.steps,
        )


class News(BaseModel):
    """What happened since a seat last looked."""

    entries: list[dict[str, Any]]
    when: float | None
    total: int

    @classmethod
    def of(cls, since: Since) -> News:
        return cls(entries=told(since.entries), when=since.when, total=since.total)


class TakenBack(BaseModel):
    """Whether a take-back was made at once, because nobody had to be asked."""

    at_once: bool
    receipt: str = Field(description=RECEIPT)


class Link(BaseModel):
    """The new secret of a seat; empty if the program holds it, or the host has to wait for an answer."""

    token: str
    asked: bool = Field(
        default=False, description="Whether the host only asks for the seat: somebody has joined there."
    )


class SeatRequestTold(Told):
    """The host asks for a seat whose holder has joined."""

    side: str
    holder: str = Field(description="Who would get it.")
    asked: float
    days: int = Field(description="For how many days its holder must have given no sign before it is given away.")
    due: bool


class CallTold(Told):
    """How a seat is called, and how the last call went."""

    webhook: str
    email: str
    last: str
    testing: bool = Field(description="A test is under way: ask again to learn how it went.")
    unconfirmed: str = Field(description="An e-mail address that is not used until it is confirmed.")


class ScenarioTold(BaseModel):
    """A scenario that comes with Flagplot."""

    name: str
    title: str
    game: str
    sides: list[str]


def told(entries: list[Entry]) -> list[dict[str, Any]]:
    """Lines of a log as data."""
    return [entry.as_dict() for entry in entries]
