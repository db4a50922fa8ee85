"""What happens to seats while they change hands (`handovers`), and what the log of the table says of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from flagplot.kernel.game import Game
from flagplot.kernel.log import Entry
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.table.info import PERSON, SeatRequest
from flagplot.table.store.database import Row

DAY = 86400.0
ABSENCE_DAYS = 14
NOTED = 3600.0
"""Seconds in which one sign of a holder is as good as several."""
ASKED, ALLOWED, DECLINED, WITHDRAWN, TAKEN, GIVEN, RELINKED, LEFT = (
    "asked",
    "allowed",
    "declined",
    "withdrawn",
    "taken",
    "given",
    "relinked",
    "left",
)
WORDS = {
    ASKED: "the host asks to give it to {whom}. It changes hands by consent, or after {days} days without a sign of "
    "its holder",
    ALLOWED: "its holder lets it go to {whom}",
    DECLINED: "its holder declines and keeps it",
    WITHDRAWN: "the host no longer asks for it",
    TAKEN: "{days} days without a sign of its holder, so the host gives it to {whom}",
    GIVEN: "the host gives it to {whom}",
    RELINKED: "its holder has replaced the link",
    LEFT: "its holder hands it on to {whom}",
}
"""What the log says. Everybody at the table reads the same."""


def whom(holder: str) -> str:
    """Who gets a seat, in words."""
    return "another player" if holder == PERSON else f"the program ({holder.partition(':')[0]})"


def side_names(game: Game[Any]) -> dict[str, str]:
    """What people call the sides, as everybody may know."""
    return {str(side["id"]): str(side["name"]) for side in game.scenario["sides"]}


def in_words(row: Row, names: Mapping[str, str]) -> str:
    """What the log says of something that happened to a seat."""
    side = names.get(row["side"], row["side"])
    return f"Seat of {side}: " + WORDS[row["kind"]].format(whom=whom(row["holder"]), days=row["days"])


def readers_of(game: Game[Any]) -> list[str]:
    return [*game.sides, NEUTRAL, UMPIRE]


def with_happenings(entries: list[Entry], happenings: Sequence[Row], reader: str, game: Game[Any]) -> list[Entry]:
    """A reader's log with what happened to the seats, each where his log ended at that time. Nothing else of the game
    goes into it, so it tells nothing of what was answered in secret before or after."""
    if not happenings:
        return entries
    names = side_names(game)
    told, at = list[Entry](), 0
    for row in happenings:
        place = max(at, min(int(json.loads(row["places"]).get(reader, len(entries))), len(entries)))
        told += [*entries[at:place], Entry("note", "", in_words(row, names), "")]
        at = place
    return [*told, *entries[at:]]


def request_of(row: Row, *, due: bool = False) -> SeatRequest:
    holder = str(row["holder"])
    return SeatRequest(str(row["side"]), holder, whom(holder), float(row["asked"]), int(row["days"]), due)
