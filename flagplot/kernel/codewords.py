"""A hash as eight words that two people can read to each other over the phone."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def words_of(mark: str) -> str:
    """The first eight bytes of a hash, given in hexadecimal digits: a word for each."""
    return " ".join([codewords()[byte] for byte in bytes.fromhex(mark[:16])])


@cache
def codewords() -> tuple[str, ...]:
    """One word for each byte: 256, no two of which sound or begin alike."""
    return tuple((files("flagplot.kernel") / "codewords.txt").read_text(encoding="ascii").split())
