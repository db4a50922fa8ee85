"""A game of Line of Battle as rows: a row for each counter."""

from __future__ import annotations

from functools import lru_cache

from flagplot.envs.rows import ENOUGH, HERE, is_, stands, whose
from flagplot.line_of_battle.views import CounterGlance, PositionGlance


def line_rows(seen: PositionGlance, reader: str) -> list[bytes]:
    """Every counter in its box, and which action each faction has selected, as far as the reader knows."""
    rows = [*map(_counter, seen.counters)]
    return rows + [_selected(side == reader, action) for side, action in seen.selected.items()]


@lru_cache(maxsize=ENOUGH)
def _counter(seen: CounterGlance) -> bytes:
    unit = seen.unit
    state = seen.box.value, seen.fate, *seen.weapons.split("+")
    gunnery, torpedo, airstrike, defense, damage = seen.factors
    return stands(whose(seen.mine), 0, HERE, state) + is_(
        ("lba" if unit.lba else "ship",),
        (unit.id, unit.side),
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
