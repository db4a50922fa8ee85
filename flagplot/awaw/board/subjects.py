"""What on the board an option means: the group that is struck, the ship that is aimed at, the base that is attacked.

Every verb has a pattern of the words after it, and the word with a star is what a click means. Words are read against
what lies on the board of the reader, so an option never points at something that the reader does not see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from flagplot.board.model import Board, Counter, Stack, counter_subject

PATTERNS: Final[dict[str, str]] = {
    # groups
    "strike": "*foe",
    "surprise": "*foe",
    "seek": "own *foe",
    "meet": "own *foe",
    "kamikazes": "*foe count",
    "submarines": "word *foe count",
    "patrol": "*own air count",
    "land": "*own air count",
    # ships
    "target": "*ship",
    "torpedo": "*ship",
    "surplus": "*ship",
    "fire": "mine *ship",
    "answer": "mine *ship",
    "aim": "*ship",
    "against": "*ship",
    "screen": "*mine",
    "rank": "*mine",
    "hit": "*mine",
    "leave": "own *mine count",
    # air units
    "cover": "*own air count",
    "search": "*air count",
    "fly": "*air count",
    "engage": "*cap count",
    "fight": "*air count",
    # bases
    "counterair": "*base",
    "base-attack": "word *base",
    "send": "*base air count",
    "ashore": "*base air count",
    "stage": "*base",
    "redeploy": "*base",
    "return": "word *base",
    "airlift": "*base",
    "airdrop": "*base",
    "place": "word *base",
    "remove": "word *base",
    "lose": "*base",
    "abort": "*base",
    # forces
    "strengthen": "*force",
    "order": "*force",
    "support": "*force",
    "activity": "*force",
}
OTHERS: Final[dict[str, str]] = {
    "cover": "*air count",
    "engage": "*air count",
    "send": "*base",
    "abort": "*air",
    "lose": "*air",
}
"""Another pattern of the same verb."""
LIGHT: Final = "light-ships"


class Reading(NamedTuple):
    """What a word of an option means, and what is left of the option after it."""

    subjects: tuple[str, ...]
    rest: str


def subjects_of(board: Board, option: str) -> tuple[str, ...]:
    """The subjects of stacks and counters that an option means; none if it means nothing that lies there."""
    verb, _, words = option.partition(":")
    for patterns in (PATTERNS, OTHERS):
        if verb in patterns and (found := _read(board, patterns[verb].split(), words)):
            return found
    return ()


def _read(board: Board, pattern: Sequence[str], words: str) -> tuple[str, ...]:
    meant: tuple[str, ...] = ()
    for role in pattern:
        if role == "count":
            break
        found = _word(board, role.removeprefix("*"), words)
        if found is None:
            return ()
        meant = found.subjects if role.startswith("*") else meant
        words = found.rest
    return meant


def _word(board: Board, role: str, words: str) -> Reading | None:
    """The next word of an option, by what it may be."""
    first, _, rest = words.partition(":")
    me = board.reader
    enemy = next((side for side in board.names if side != me), "")
    match role:
        case "word":
            return Reading((), rest)
        case "foe" | "own":
            subject = f"group:{enemy if role == 'foe' else me}:{first}"
            return Reading((subject,), rest) if any(_stacks(board, [subject])) else None
        case "base" | "force":
            subject = f"{role}:{first}"
            return Reading((subject,), rest) if any(_stacks(board, [subject])) else None
        case "ship":
            return _ships(board, enemy, words)
        case "mine":
            return _ships(board, me, words)
        case _:
            return _air(board, me, words, above=role == "cap")


def _stacks(board: Board, subjects: Iterable[str] = ()) -> Iterator[Stack]:
    wanted = frozenset(subjects)
    for place in board.places:
        for stack in place.stacks:
            if stack.subject and (not wanted or stack.subject in wanted):
                yield stack


def _ships(board: Board, side: str, words: str) -> Reading | None:
    """Ships of a side by their tag: those in the groups that are fought over, or wherever there are some."""
    groups = [stack for stack in _stacks(board) if stack.side == side and stack.kind in ("group", "base", "force")]
    fought = [stack for stack in groups if stack.subject in board.focus]
    for stacks in (fought, groups):
        if words.partition(":")[0] == LIGHT:
            light = [_counter(stack, ship) for stack in stacks for ship in stack.ships if not ship.id]
            if light and (fought or len(stacks) == 1):
                return Reading(tuple(light), words.partition(":")[2])
        else:
            found = [(ship.tag, _counter(stack, ship)) for stack in stacks for ship in stack.ships]
            tags = sorted({tag for tag, _ in found if _begins(words, tag)}, key=len)
            if tags:
                return Reading(
                    tuple([subject for tag, subject in found if tag == tags[-1]]), words[len(tags[-1]) + 1 :]
                )
    return None


def _air(board: Board, side: str, words: str, *, above: bool) -> Reading | None:
    """Air units of a side by their tag: home, nation, arm and role; those above a group, or those that are not."""
    found = [
        (one.tag, _counter(stack, one))
        for stack in _stacks(board)
        if stack.side == side
        for one in stack.counters
        if _begins(words, one.tag) and not one.idle and one.above == above
    ]
    return (
        Reading(tuple(dict.fromkeys([subject for _, subject in found])), words[len(found[0][0]) + 1 :])
        if found
        else None
    )


def _begins(words: str, tag: str) -> bool:
    return bool(tag) and (words == tag or words.startswith(f"{tag}:"))


def _counter(stack: Stack, counter: Counter) -> str:
    return counter_subject(stack.subject, counter)
