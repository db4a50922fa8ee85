"""E-mail addresses are confirmed before they are used, so that nobody gets mail that he did not ask for.

Whoever gives an address has one mail sent there, with a code, and nothing else until somebody confirms it. The mail
holds no word that a player typed, and no secret of a seat: the code confirms this address for this seat, and does
nothing more.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

from flagplot.table.seats.seating import LETTERS

LENGTH = 16
"""Letters of a code: nobody can guess it within the time that it lasts."""
LASTS = 24 * 3600.0
"""Seconds after which a code, and an address that nobody has confirmed, is forgotten."""


def new_code() -> str:
    letters = [secrets.choice(LETTERS) for _ in range(LENGTH)]
    return "-".join(["".join(letters[place : place + 4]) for place in range(0, LENGTH, 4)])


def mark_of_code(typed: str) -> str:
    """What the store keeps of a code, however somebody typed it; nothing if it cannot be one."""
    letters = "".join(typed.split()).replace("-", "").lower()
    if len(letters) != LENGTH or any(letter not in LETTERS for letter in letters):
        return ""
    return hashlib.sha256(letters.encode()).hexdigest()


def confirmation_mail(address: str, code: str) -> dict[str, Any]:
    """The mail that asks for a confirmation; `address` is that of the table, if it is known."""
    where = f"at {address}" if address else "at a Flagplot table"
    by_link = f"If that is you, open this page and press Confirm:\n{address}/confirm/{code}\n\n" if address else ""
    by_code = f"{'Or t' if address else 'If that is you, t'}ype this code on the page with your seat: {code}\n\n"
    text = (
        f"Somebody who plays {where} wants to be notified by mail, at this address, when it is his turn.\n\n"
        f"{by_link}{by_code}"
        "If it is not you, do nothing. You will get no more mail, and the code stops working after a day."
    )
    return {"subject": "Flagplot: confirm your e-mail address", "text": text}
