"""The rules' own check of what was built; each fault is told at the letters that it is about."""

from __future__ import annotations

import re
from typing import Any

from flagplot import library
from flagplot.builder.draft import Draft
from flagplot.builder.pieces import Piece
from flagplot.kernel.errors import Fault, ScenarioError
from flagplot.kernel.words import capital


def check(draft: Draft, first: Piece) -> None:
    """Load the scenario as every game does, and add what is wrong with it to the problems."""
    told = {(one.line, one.column) for one in draft.problems}
    for fault in faults_of(draft.document):
        piece = _place(draft, fault) or first
        if piece.line in draft.unread:
            continue
        if (piece.line, piece.column) not in told:
            draft.refuse(piece, capital(fault.message), rule=fault.rule)


def faults_of(document: dict[str, Any]) -> tuple[Fault, ...]:
    """What the scenario loader has against a document."""
    try:
        library.load(document, seed=0)
    except ScenarioError as error:
        return error.faults
    return ()


def _place(draft: Draft, fault: Fault) -> Piece | None:
    """The letters that a fault is about: those of its path, or of the longest part of it that was said."""
    for name, piece in draft.ships.items():
        if fault.message.startswith(f"{name} "):
            return piece
    path = fault.place
    while path:
        if path in draft.spans:
            return draft.spans[path]
        path = re.sub(r"(\.[^.\[\]]*|\[\d+\]|^[^.\[\]]+)$", "", path)
    return None
