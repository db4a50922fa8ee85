"""What the table refuses, each with a code for programs and words for people. No message holds a secret."""

from __future__ import annotations

from typing import ClassVar

from flagplot.kernel.errors import FlagplotError


class TableError(FlagplotError, code="table"):
    """Base of the table's own refusals."""

    status: ClassVar[int] = 400
    """The status of an answer over HTTP."""

    def __init_subclass__(cls, *, code: str = "", status: int = 0) -> None:
        super().__init_subclass__(code=code)
        cls.status = status or cls.status


class NoSuchSeat(TableError, code="no-such-seat", status=404):
    """A link that opens no seat: mistyped, replaced by a newer one, or of a table that is gone."""

    def __init__(self, message: str = "this link opens no seat: it was replaced by a newer one, or mistyped") -> None:
        super().__init__(message)  # the token itself is never quoted


class NoSuchTable(TableError, code="no-such-table", status=404):
    """A table that is not in this store."""


class NotYourTurn(TableError, code="not-your-turn", status=409):
    """Another side is asked, or nobody."""


class Conflict(TableError, code="conflict", status=409):
    """Somebody else answered first; the table now shows the newer moment."""


class Overtaken(Conflict):
    """Another server kept a line first: what was tried can be tried again if it still makes sense."""


class PlanChanged(Conflict, code="plan-changed"):
    """A plan came out otherwise than the one who confirms it has seen."""


class NotAllowed(TableError, code="not-allowed", status=403):
    """Something that this seat may not do: only the host may, or only the side itself."""


class TooManyCalls(TableError, code="too-many", status=429):
    """More calls to elsewhere than this server makes for one seat, to one host, or at all."""


class NotYet(TableError, code="not-yet", status=409):
    """Something that is shown only after the end of the game."""


class OldRules(TableError, code="old-rules", status=409):
    """A game that was begun under another version of the rules: it can be exported, but not played on here."""


class StoreError(TableError, code="store", status=503):
    """The store cannot be opened, or is of another version."""
