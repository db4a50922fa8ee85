"""A game of Line of Battle as rows: a row for each counter."""

from __future__ import annotations

from typing import Any

from flagplot.envs.rows import HERE, Remembered, is_, stands, whose
from flagplot.line_of_battle.views import CounterGlance


@Remembered
def counter_row(fields: tuple[Any, ...]) -> bytes:
    """A counter in its box, of the fields of its glance."""
    seen = CounterGlance(*fields)
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


@Remembered
def selected_row(fields: tuple[bool, str]) -> bytes:
    """Which action a faction has selected."""
    mine, action = fields
    return stands(whose(mine), 0, HERE, (action,)) + is_(("selected",))
