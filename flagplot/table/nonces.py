"""Nonces for requests that bring none.

A nonce is worth something only if the client drew it: until pages and API clients send theirs, the server draws one.
"""

from __future__ import annotations

import secrets


def or_drawn_here(nonce: str) -> str:
    """The client's nonce; if it sent none, one of the server's."""
    return nonce or secrets.token_hex(16)
