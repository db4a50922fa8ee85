"""Nonces for tests: what clients add to each answer, so that nobody can choose the dice."""

from __future__ import annotations

import secrets
from typing import Any

DEEDS = ("/answer", "/answers", "/plan", "/sheet", "/undo", "/propose", "/proposal", "/consent")
"""The ends of the addresses to which a nonce is sent, of pages and of the interface for programs."""


def fresh_nonce() -> str:
    return secrets.token_hex(16)


def with_nonce(path: str, body: Any) -> Any:
    """What a client sends there: with a nonce if that belongs to it and nothing else was said."""
    if path.endswith(DEEDS) and (body is None or isinstance(body, dict)):
        return {"nonce": fresh_nonce(), **(body or {})}
    return body
