"""Settings of one value: what stands after the colon is text, a number, yes or no, a side, or one of some words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from flagplot.builder.draft import Draft
from flagplot.builder.paths import put
from flagplot.builder.pieces import Piece, Statement
from flagplot.builder.vocabulary import fold, slug

Reader = Callable[[Draft, Statement], None]

YES: Final = {"yes": True, "no": False, "true": True, "false": False, "on": True, "off": False, "": True}


def value_of(statement: Statement) -> Piece:
    """What stands after the colon, or the head if nothing does."""
    return statement.body[0] if statement.body else statement.head


def prose(path: str) -> Reader:
    def read(draft: Draft, statement: Statement) -> None:
        if not statement.body:
            draft.refuse(statement.head, "Type something after the colon")
            return
        put_value(draft, path, statement.prose, statement)

    return read


def put_value(draft: Draft, path: str, value: Any, statement: Statement) -> None:
    put(draft.document, path, value)
    draft.said(path, value_of(statement))
    draft.line(statement, "", path)


def choice(path: str, choices: dict[str, str]) -> Reader:
    def read(draft: Draft, statement: Statement) -> None:
        found = choices.get(fold(value_of(statement).text))
        if found is None:
            draft.refuse_word(value_of(statement), path.rpartition(".")[2], [*choices])
            return
        put_value(draft, path, found, statement)

    return read


def whole(path: str) -> Reader:
    def read(draft: Draft, statement: Statement) -> None:
        piece = value_of(statement)
        if not (found := re.fullmatch(r"([+-]?\d{1,9})(?:\s+\w+)?", piece.text)):
            draft.refuse(piece, f"Type a number, such as {statement.head.text}: 3")
            return
        put_value(draft, path, int(found[1]), statement)

    return read


def flag(path: str) -> Reader:
    def read(draft: Draft, statement: Statement) -> None:
        piece = value_of(statement)
        value = YES.get(fold(piece.text)) if statement.body else True
        if value is None:
            draft.refuse(piece, "Type yes or no", "yes")
            return
        put_value(draft, path, value, statement)

    return read


def side_setting(path: str) -> Reader:
    def read(draft: Draft, statement: Statement) -> None:
        piece = value_of(statement)
        if fold(piece.text) in ("nobody", "none", "no", "neither"):
            draft.line(statement, "", path)
        elif side := draft.read_side(piece):
            put(draft.document, path, side)
            draft.said(path, piece)
            draft.line(statement, side, path)

    return read


def words(path: str, choices: Sequence[str]) -> Reader:
    """A list of words, each one of some."""

    def read(draft: Draft, statement: Statement) -> None:
        chosen = []
        for piece in statement.items:
            if (word := slug(piece.text)) in choices:
                chosen.append(word)
            else:
                draft.refuse_word(piece, path.rstrip("s"), choices)
        put_value(draft, path, chosen, statement)

    return read


def place_list(path: str) -> Reader:
    """A list of places."""

    def read(draft: Draft, statement: Statement) -> None:
        put_value(draft, path, [slug(item.text) for item in statement.items], statement)

    return read
