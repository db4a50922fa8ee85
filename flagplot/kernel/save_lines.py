"""The grammar of a save's lines: for each kind its exact keys, in their exact order, and what each may hold.

A line has no freedom beyond what it says: committed dice follow from the hash of the line before them, so whoever could
write a line in two ways could choose between two rolls. `docs/proof.md` specifies the same to the byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

FORMAT = 2

PERSON, HOTSEAT = "person", "hotseat"
PROGRAM = ("random", "doctrine", "ensign", "captain", "commodore", "admiral", "fleet")
"""Players of the program that may hold a seat, each perhaps with settings after a colon."""
ORDERS = "orders"
"""What stands on a choice that standing orders made."""

_KINDS: Mapping[str, tuple[str, ...]] = {
    "choice": ("side choose", "side choose nonce", "side choose by"),
    "undo": ("side undo", "side undo consent", "side undo nonce", "side undo consent nonce"),
    "roll": ("side roll",),
    "contribution": ("side contribute",),
    "pledge": ("side pledge",),
    "reveal": ("side reveal",),
    "skip": ("side skip",),
    "seat": ("side seat",),
    "end": ("end", "end secret"),
}
_HEADERS = (
    "flagplot program game rules scenario options dice hash",
    "flagplot program game rules scenario options seats dice hash",
)
_SHAPES = {("n", *keys.split(), "prev", "hash"): kind for kind, variants in _KINDS.items() for keys in variants}
_HEADER_SHAPES = tuple(tuple(keys.split()) for keys in _HEADERS)


def kind_of(body: Mapping[str, Any]) -> str:
    """The kind of a line by its keys, with or without what chains it; nothing if there is no such line."""
    if "n" not in body:
        body = {"n": 0, **body, "prev": "", "hash": ""}
    return _SHAPES.get(tuple(body), "")


def is_hex(value: object, digits: int) -> bool:
    """Whether this is a text of that number of lower-case hexadecimal digits."""
    return isinstance(value, str) and len(value) == digits and not value.strip("0123456789abcdef")


def is_contribution(value: object) -> bool:
    """16 to 64 bytes in hexadecimal digits."""
    return isinstance(value, str) and len(value) in range(32, 129, 2) and is_hex(value, len(value))


_HOLDER = re.compile(rf"{PERSON}|{HOTSEAT}|(?:{'|'.join(PROGRAM)})(?::[!#-\[\]-~]+)?")
"""Settings are printable ASCII without a blank, a quotation mark or a backslash."""


def is_holder(value: object) -> bool:
    """Whether this names somebody who may hold a seat."""
    return isinstance(value, str) and _HOLDER.fullmatch(value) is not None


def is_program(holder: str) -> bool:
    """Whether a player of the program holds the seat."""
    return holder.partition(":")[0] in PROGRAM


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_number(value: object) -> bool:
    return type(value) is int


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _is_faces(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(type(face) is int and 1 <= face <= 6 for face in value)


def _is_dice(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    keys, kind = tuple(value), value.get("kind")
    if kind == "seeded":
        return keys == ("kind", "seed") and type(value["seed"]) is int
    if kind == "committed":
        return keys == ("kind", "commitment") and is_hex(value["commitment"], 64)
    return kind == "typed" and keys == ("kind",)


def _is_end(value: object) -> bool:
    if not isinstance(value, dict) or tuple(value) != ("result", "state"):
        return False
    return isinstance(value["result"], dict) and is_hex(value["state"], 64)


def _is_seats(value: object) -> bool:
    return isinstance(value, dict) and bool(value) and all(is_holder(holder) for holder in value.values())


def _is_program_version(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[0-9]+(\.[0-9]+)*[a-z0-9.+-]*", value) is not None


def _hex(digits: int) -> tuple[Callable[[object], bool], str]:
    return lambda value: is_hex(value, digits), f"{digits} lower-case hexadecimal digits"


_VALUES: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "n": (_is_number, "a whole number"),
    "side": (_is_text, "the name of a side"),
    "choose": (_is_text, "the text of an option"),
    "nonce": _hex(32),
    "by": (lambda value: value == ORDERS, f"“{ORDERS}”"),
    "undo": (_is_number, "a whole number"),
    "consent": (_is_text, "the name of a side"),
    "roll": (_is_faces, "a list of faces from 1 to 6"),
    "contribute": (is_contribution, "16 to 64 random bytes, written as 32 to 128 lower-case hexadecimal digits"),
    "pledge": _hex(64),
    "reveal": _hex(64),
    "skip": _hex(64),
    "seat": (is_holder, "person, hotseat or a player of the program"),
    "end": (_is_end, "the result and the hash of the last state, and nothing else"),
    "secret": (_is_text, "the text of the secret"),
    "prev": _hex(64),
    "hash": _hex(64),
    "flagplot": (_is_number, "the number of the format"),
    "program": (_is_program_version, "a version such as 1.2.0"),
    "game": (_is_text, "the name of a game"),
    "rules": (_is_text, "a version of rules"),
    "scenario": (_is_table, "a scenario"),
    "options": (_is_table, "a table of options"),
    "seats": (_is_seats, "who holds each side"),
    "dice": (_is_dice, "exactly one kind of dice: seeded, committed or typed, with its seed or commitment"),
}


def format_fault(header: Mapping[str, Any]) -> str:
    """What is wrong with the format that a header names; nothing if it is the one known here."""
    given = header.get("flagplot")
    if type(given) is int and given == FORMAT:
        return ""
    if type(given) is int and given == 1:
        return "this save is of format 1: play it on, or prove it, with the version of Flagplot that wrote it"
    return f"this save is of another version of the format: {given!r} is not {FORMAT}, the one known here"


def header_fault(header: Mapping[str, Any]) -> str:
    """What is wrong with a header, in words; nothing if it has the form of one."""
    if fault := format_fault(header):
        return fault
    if tuple(header) not in _HEADER_SHAPES:
        return "these are not the keys of a header, in their order"
    if fault := value_fault(header):
        return fault
    if "seats" in header and header["dice"]["kind"] != "committed":
        return "a game of a web table has committed dice"
    return ""


def line_fault(body: Mapping[str, Any]) -> str:
    """What is wrong with a line after the header, in words; nothing if it has the form of one."""
    if not kind_of(body):
        return "these are not the keys of any kind of line, in their order"
    return value_fault(body)


def value_fault(body: Mapping[str, Any]) -> str:
    """What is wrong with what the keys of a line hold, in words."""
    for key, value in body.items():
        fits, wanted = _VALUES[key]
        if not fits(value):
            return f"“{key}” must be {wanted}"
    return ""
