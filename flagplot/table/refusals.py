"""What the table refuses, each with a code for programs and words for people. No message holds a secret."""

from __future__ import annotations

from typing import ClassVar

from flagplot.kernel.errors import FlagplotError


class TableError(FlagplotError):
    """Base of the table's own refusals."""

    code: ClassVar[str] = "table"


class NoSuchSeat(TableError):
    """A link that opens no seat: mistyped, replaced by a newer one, or of a table that is gone."""

    code = "no-such-seat"

    def __init__(self, message: str = "this link opens no seat: it was replaced by a newer one, or mistyped") -> None:
        super().__init__(message)  # the token itself is never quoted


class NoSuchTable(TableError):
    """A table that is not in this store."""

    code = "no-such-table"


class NotYourTurn(TableError):
    """Another side is asked, or nobody."""

    code = "not-your-turn"


class Conflict(TableError):
    """Somebody else answered first; the table now shows the newer moment."""

    code = "conflict"


class NotAllowed(TableError):
    """Something that this seat may not do: only the host may, or only the side itself."""

    code = "not-allowed"


class NotYet(TableError):
    """Something that is shown only after the end of the game."""

    code = "not-yet"


class OldRules(TableError):
    """A game that was begun under another version of the rules: it can be exported, but not played on here."""

    code = "old-rules"


class StoreError(TableError):
    """The store cannot be opened, or is of another version."""

    code = "store"
