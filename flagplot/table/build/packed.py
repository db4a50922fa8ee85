"""A text in an address: compressed, in letters that need no quoting. Addresses come from strangers."""

from __future__ import annotations

import base64
import binascii
import zlib

from flagplot.kernel.errors import BadValue

LONGEST = 12_000
"""Characters of a battle in words: ten times those of Midway."""
ADDRESS = 8_000
"""Characters that it may have in an address."""


def pack(text: str) -> str:
    """A text for an address."""
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpack(packed: str) -> str:
    """The text of an address. Raises BadValue if it is none, or too long: no more is unpacked than a text may have."""
    if len(packed) > ADDRESS:
        raise BadValue("this link is too long", allowed=[f"at most {ADDRESS} characters"])
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), b"-_", validate=True)
        reader = zlib.decompressobj()
        text = reader.decompress(data, 4 * LONGEST)
        if not reader.eof or len(text.decode()) > LONGEST:
            raise BadValue("the battle in this link is cut off, or too long")
        return text.decode()
    except (binascii.Error, zlib.error, ValueError):
        raise BadValue("this link is damaged: perhaps its end is missing") from None
