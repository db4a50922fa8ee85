"""Nonces for tests: what clients add to each answer, so that nobody can choose the dice."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flagplot.table.tables import Tables

DEEDS = ("/answer", "/answers", "/plan", "/sheet", "/undo", "/propose", "/proposal", "/consent")
"""The ends of the addresses to which a nonce is sent, of pages and of the interface for programs."""


def fresh_nonce() -> str:
    return secrets.token_hex(16)


def with_nonce(path: str, body: Any) -> Any:
    """What a client sends there: with a nonce if that belongs to it and nothing else was said."""
    if path.endswith(DEEDS) and (body is None or isinstance(body, dict)):
        return {"nonce": fresh_nonce(), **(body or {})}
    return body


def answer(tables: Tables, game: str) -> str:
    """Whoever is asked answers; which side it was."""
    side = tables.table(game).waiting_for or ""
    question = tables.asked(game, side)[0]
    assert question is not None
    tables.answer(game, side, question.options[0].text, question.at, fresh_nonce())
    return side
