"""Units that are divided between targets. The rules ask target by target: which one, and how many attack it, until
nobody is left. On a page that is one list with a number for each target, and what one of them gets another loses.

The form of a plan has both these numbers and the fields that they stand for. If the numbers were changed, `settled`
fills in the fields from them; a page without its script may send numbers that leave somebody out or send him twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from flagplot.board.model import Board, Counter, Vector
from flagplot.kernel.sheets import Answers, By, Field
from flagplot.table.plans.forms import FIELD, STAFF, entries

SHARE, HAD, SHARED = "share.", "had.", "shared"
"""How the names of these entries of a form begin: the numbers, and what they were when the page was made; and the
name of the entry that lists the fields that they stand for."""
COUNT = re.compile(r"^\d+ ")
Division = Mapping[tuple[str, str], int]
"""How many units of a kind go for a target, by both."""


class Share(NamedTuple):
    """Units of one kind for one target."""

    key: str
    """Which question asks for the target, which for the number, the target, the kind."""
    option: str
    """The answer that chooses the target."""
    label: str
    counter: Counter | None
    """That of the target."""
    kind: str
    value: int
    most: int


class Shares(NamedTuple):
    """A list of targets."""

    fields: tuple[Field, ...]
    """What it stands for."""
    parts: tuple[Share, ...]
    kinds: tuple[Counter, ...]

    @property
    def units(self) -> str:
        return " and ".join([one.text for one in self.kinds])

    @property
    def keys(self) -> str:
        return " ".join([one.key for one in self.fields])

    @property
    def changed(self) -> bool:
        return any([one.by is By.YOU for one in self.fields])

    @property
    def dropped(self) -> bool:
        return any([bool(one.dropped) for one in self.fields])


def shares_of(fields: Sequence[Field], asked: Mapping[str, str], board: Board | None, side: str) -> Shares | None:
    """The list that some fields of a plan make; `asked` has the kind of the questions for a number by that of those for
    a target. None if there is no such choice, or the board does not show who is to be divided."""
    choose = next((one.family for one in fields if one.family in asked), "")
    if not choose:
        return None
    count = asked[choose]
    mine = [one for one in fields if one.family in (choose, count)]
    if mine[0].key != choose or len(mine) == 1 or mine[1].family != count or any([one.ahead for one in mine]):
        return None
    flight = _flight(board, side, [one.subject for one in mine if one.family == count])
    kinds = flight.counters if flight else ()
    targets = [offer.text.removeprefix(f"{choose}:") for offer in mine[0].offers]
    division = _division(mine, choose, targets, {one.tag: one.count for one in kinds})
    if board is None or flight is None or division is None:
        return None
    parts = []
    for offer, target in zip(mine[0].offers, targets, strict=True):
        for kind in kinds:
            value = division.get((target, kind.tag), 0)
            key, counter = "|".join((choose, count, target, kind.tag)), _aimed_at(board, flight, target)
            parts.append(Share(key, offer.text, offer.label, counter, COUNT.sub("", kind.text), value, kind.count))
    return Shares(tuple(mine), tuple(parts), tuple(kinds))


def _flight(board: Board | None, side: str, subjects: Sequence[str]) -> Vector | None:
    """The units of a side that are on their way and that the questions are about."""
    for vector in board.vectors if board else ():
        tags = [one.tag for one in vector.counters]
        told = all([any([subject.endswith(f":{tag}") for tag in tags]) for subject in subjects])
        if vector.side == side and told and all(tags) and len(set(tags)) == len(tags):
            return vector
    return None


def _aimed_at(board: Board, flight: Vector, target: str) -> Counter | None:
    """The counter of a target: that of its name, or for all ships without one the first of these."""
    stacks = [stack for place in board.places for stack in place.stacks if stack.subject == flight.target]
    ships = [one for stack in stacks for one in stack.counters if one.factors]
    named = [one for one in ships if target in (one.id, one.tag)]
    return next(iter(named or [one for one in ships if not one.size]), None)


def _division(fields: Sequence[Field], choose: str, targets: Sequence[str], left: Mapping[str, int]) -> Division | None:
    """How the plan divides them; None if that does not come out. Nobody is asked about the last target that is left: it
    gets all who are left."""
    division: dict[tuple[str, str], int] = {}
    rest, target, asked = dict(left), "", set[str]()
    for one in [*fields, None]:
        if one is None or one.family == choose:
            if target:  # who was not asked about had no choice: all of that kind
                forced = [kind for kind, number in rest.items() if number and kind not in asked]
                division |= {(target, kind): rest.pop(kind) for kind in forced}
            target, asked = (one.chosen.removeprefix(f"{choose}:"), set()) if one else ("", set())
            continue
        kind = next((kind for kind in rest if one.subject == f"{target}:{kind}"), None)
        number = int(one.chosen.rpartition(":")[2])
        if kind is None or number > rest[kind]:
            return None
        asked.add(kind)
        division[target, kind] = number
        rest[kind] -= number
    chosen = {target for target, _ in division}
    unasked = [target for target in targets if target not in chosen]
    if division and len(unasked) == 1:
        division |= {(unasked[0], kind): rest.pop(kind) for kind in [*rest]}
    return division if division and not any(rest.values()) else None


# --- what a form sends ------------------------------------------------------------------------------------------


class Settled(NamedTuple):
    """A form whose fields say what its numbers say."""

    form: Mapping[str, str]
    keys: frozenset[str] = frozenset()
    """The fields that were written anew; some of them may not be asked."""
    balanced: bool = True
    """Whether the numbers sent everybody, and nobody twice."""

    def asked(self, answers: Answers, fields: Sequence[Field]) -> Answers:
        """Answers without those that are not asked: the last target gets whoever is left."""
        known = {one.key for one in fields}
        return {key: value for key, value in answers.items() if key in known or key not in self.keys}


def settled(form: Mapping[str, str]) -> Settled:
    """A form with its numbers written into its fields, if they were changed."""
    had, wanted = entries(form, HAD), entries(form, SHARE)
    before = {
        key: number for key, value in had.items() if (number := _number(value)) is not None and key.count("|") == 3
    }
    now = {key: before[key] if (number := _number(wanted.get(key, ""))) is None else number for key in before}
    if now == before:
        return Settled(form)
    divided = _divided(before, now)
    written = dict(_answers(divided))
    stale = set(form.get(SHARED, "").split())
    kept = {
        name: value
        for name, value in form.items()
        if not any([name.startswith(begin) and name.removeprefix(begin) in stale for begin in (FIELD, STAFF)])
    }
    added = {f"{FIELD}{key}": value for key, value in written.items()}
    return Settled({**kept, **added}, frozenset(written), divided == now)


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 6 else None


def _divided(before: Mapping[str, int], now: Mapping[str, int]) -> dict[str, int]:
    """The numbers that were wanted, made to come out: who was not changed gives way, the one with the most first."""
    found = dict(now)
    for kind in {key.rpartition("|")[2]: None for key in now}:
        keys = [key for key in now if key.endswith(f"|{kind}")]
        most = sum([before[key] for key in keys])
        over = sum([now[key] for key in keys]) - most
        for key in sorted(keys, key=lambda key: (now[key] != before[key], -now[key])):
            value = min(most, max(0, found[key] - over))
            over -= found[key] - value
            found[key] = value
    return found


def _answers(divided: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """The answers that divide them so, target by target."""
    targets: dict[tuple[str, str, str], dict[str, int]] = {}
    for key, number in divided.items():
        choose, count, target, kind = key.split("|")
        targets.setdefault((choose, count, target), {})[kind] = number
    chosen = [(where, some) for where, some in targets.items() if any(some.values())]
    for place, ((choose, count, target), some) in enumerate(chosen, 1):
        yield f"{choose}#{place}" if place > 1 else choose, f"{choose}:{target}"
        yield from [(f"{count}:{target}:{kind}", str(number)) for kind, number in some.items()]
