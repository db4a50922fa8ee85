"""Air strikes for the tests: two fleets that meet, and search dice that fall as wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flagplot.awaw.procedures import naval_battle
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Scripted
from flagplot.kernel.game import Game
from tests.awaw.battles import battle, fight, squadron
from tests.awaw.scenes import base, start
from tests.awaw.strike_orders import cover, patrol

Dice = tuple[str | int, ...]
Faces = Sequence[int]

RED_FINDS: tuple[Faces, Faces] = ((1,), (6,))
BLUE_FINDS: tuple[Faces, Faces] = ((6,), (1,))
BOTH_FIND: tuple[Faces, Faces] = ((1,), (1,))
"""Search dice of Red and Blue with one die each, if all groups have low numbers."""

QUIET: Dice = ("air defense of", 1, 1)
"""An air defense of level 1 or 2 that does nothing."""
MISS: Dice = ("attack on", 1, 1)
"""An attack by one squadron with a modifier of at most +3 that does nothing."""


def kido(air: int = 6, *, name: str = "kido", **more: Any) -> dict[str, Any]:
    """Four Japanese fleet carriers with their escort, 24 factors: they search with one die."""
    return squadron(name, "red", "Akagi", "Kaga", "Hiryu", "Soryu", cruisers=8, destroyers=4, air=air, **more)


def task(*named: str, name: str = "task", cruisers: int = 4, destroyers: int = 6, **more: Any) -> dict[str, Any]:
    """American ships, Enterprise unless others are named, with light ships of ten factors: they search with one die."""
    given = named or ("Enterprise",)
    return squadron(name, "blue", *given, cruisers=cruisers, destroyers=destroyers, **more)


def division(nation: str, *named: str, name: str = "more", side: str = "red", **more: Any) -> dict[str, Any]:
    """A force of fewer than ten factors, which does not search."""
    return squadron(name, side, *named, nation=nation, task_force=False, **more)


def meet(
    *forces: dict[str, Any],
    search: tuple[Faces, Faces] = RED_FINDS,
    before: Sequence[Dice] = (),
    rolls: Sequence[Dice] = (),
    orders: Sequence[str] = (),
    until: Callable[[Game[State]], bool] | None = None,
    options: dict[str, Any] | None = None,
    **settings: Any,
) -> Game[State]:
    """A battle in which the search dice fall like this, with these dice before and after them and these orders, all of
    which must be used. It goes on until all have landed, or until something is true.

    The forces of each side are numbered from 1 as they are given. Nobody surprises anybody, flies patrol or cover, or
    strikes unless an order says so.
    """
    searches: list[Dice] = []
    for name, faces in zip(("Red", "Blue"), search, strict=True):
        searches += [(f"{name}: search", *faces)] * bool(faces)
    if settings.get("attacker") == "blue":
        searches.reverse()
    given = any(order.startswith("number:") for order in orders) or settings.get("raiders")
    orders = orders if given else [*numbers(forces), *orders]
    with Scripted(*before, *searches, *rolls) as dice:
        return fight(start(battle(*forces, **settings), dice, **(options or {})), *orders, until=until or landed)


def numbers(forces: Sequence[dict[str, Any]]) -> list[str]:
    """Orders that number the forces of each side from 1 in their order."""
    names = {side: [entry["id"] for entry in forces if entry["side"] == side] for side in ("red", "blue")}
    return [f"number:{name}:{place}" for side in names.values() for place, name in enumerate(side, 1)]


def landed(game: Game[State]) -> bool:
    """Whether the air units of this round have landed, so that fleets may fight (22.463A)."""
    order = list(naval_battle.segments)
    return order.index(game.state.frames[0].segment) > order.index("landing")


# --- forces that many tests use -------------------------------------------------------------------------------------

BRITISH = ("Illustrious", "Formidable", "Victorious")


def mixed() -> list[dict[str, Any]]:
    """Three elite and three plain Japanese squadrons in two groups, with two search dice, against two carriers."""
    return [
        kido(3, elite=True),
        squadron("two", "red", "Shokaku", cruisers=6, destroyers=2, air=3),
        task("Enterprise", "Hornet", air=6),
    ]


MIXED_SEARCH: tuple[Faces, Faces] = ((1, 6), (6,))


def transports(**more: Any) -> dict[str, Any]:
    """Four American transports with cargo and nothing else."""
    return division("united-states", name="x", side="blue", laden_transports=4, cargo="oil", **more)


def isle(*air: str, at: tuple[int, int] = (0, 2), name: str = "isle", **more: Any) -> dict[str, Any]:
    """An American island in reach of the battle."""
    return base(name, "blue", at, *air, **more)


def defended(
    *orders: str,
    forces: Sequence[dict[str, Any]] = (),
    cap: int = 2,
    covering: int = 0,
    attackers: int = 6,
    **more: Any,
) -> Game[State]:
    """Japanese squadrons strike an American group under a patrol of up to two and air cover from an island.

    The orders are for the strike itself.
    """
    opening = [patrol(cap)] * bool(cap) + [cover(covering)] * bool(covering)
    return meet(
        *(forces or (kido(attackers), task("Enterprise", "Hornet", air=6))),
        bases=[isle("4 united-states naval")],
        orders=[*opening, *orders],
        **more,
    )
