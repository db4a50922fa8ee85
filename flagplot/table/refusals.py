"""What the table refuses, each with a code for programs and words for people. No message holds a secret."""

from __future__ import annotations

from typing import ClassVar

from flagplot.kernel.errors import FlagplotError


class TableError(FlagplotError):
    """Base of the table's own refusals."""

    code: ClassVar[str] = "table"
    status: ClassVar[int] = 400
    """The status of an answer over HTTP."""


class NoSuchSeat(TableError):
    """A link that opens no seat: mistyped, replaced by a newer one, or of a table that is gone."""

    code = "no-such-seat"
    status = 404

    def __init__(self, message: str = "this link opens no seat: it was replaced by a newer one, or mistyped") -> None:
        super().__init__(message)  # the token itself is never quoted


class NoSuchTable(TableError):
    """A table that is not in this store."""

    code = "no-such-table"
    status = 404


class NotYourTurn(TableError):
    """Another side is asked, or nobody."""

    code = "not-your-turn"
    status = 409


class Conflict(TableError):
    """Somebody else answered first; the table now shows the newer moment."""

    code = "conflict"
    status = 409


class Overtaken(Conflict):
    """Another server kept a line first: what was tried can be tried again if it still makes sense."""


class PlanChanged(Conflict):
    """A plan came out otherwise than the one who confirms it has seen."""

    code = "plan-changed"


class NotAllowed(TableError):
    """Something that this seat may not do: only the host may, or only the side itself."""

    code = "not-allowed"
    status = 403


class TooManyCalls(TableError):
    """More calls to elsewhere than this server makes for one seat, to one host, or at all."""

    code = "too-many"
    status = 429


class NotYet(TableError):
    """Something that is shown only after the end of the game."""

    code = "not-yet"
    status = 409


class OldRules(TableError):
    """A game that was begun under another version of the rules: it can be exported, but not played on here."""

    code = "old-rules"
    status = 409


class StoreError(TableError):
    """The store cannot be opened, or is of another version."""

    code = "store"
    status = 503
