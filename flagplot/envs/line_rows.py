"""A game of Line of Battle as rows: a row for each counter."""

from __future__ import annotations

from functools import lru_cache

from flagplot.envs.rows import ENOUGH, HERE, is_, stands, whose
from flagplot.line_of_battle.views import CounterGlance, Position


def line_rows(position: Position) -> list[bytes]:
    """Every counter in its box, and which action each faction has selected, as far as the reader knows."""
    reader = position.reader
    rows = [_counter(seen, reader) for seen in position.counters_at_a_glance()]
    return [*rows, *[_selected(side == reader, action) for side, action in position.selected.items()]]


@lru_cache(maxsize=ENOUGH)
def _counter(seen: CounterGlance, reader: str) -> bytes:
    state = seen.box.value, seen.fate, *seen.weapons.split("+")
    gunnery, torpedo, airstrike, defense, damage = seen.factors
    return stands(whose(seen.side == reader), 0, HERE, state) + is_(
        ("lba" if seen.lba else "ship",),
        (seen.id, seen.side),
        (seen.target,),
        count=1,
        damaged=seen.damaged,
        gunnery=gunnery,
        torpedo=torpedo,
        airstrike=airstrike,
        defense=defense,
        damage=damage,
        bonus=seen.bonus,
        points=seen.points,
        disabled=seen.disabled,
        attacked=seen.attacked,
    )


@lru_cache(maxsize=ENOUGH)
def _selected(mine: bool, action: str) -> bytes:
    return stands(whose(mine), 0, HERE, (action,)) + is_(("selected",))
