"""Air units on their way: strikes and kamikazes in a battle, counterair missions, attacks on bases."""

from __future__ import annotations

from collections.abc import Iterator

from flagplot.awaw.board.units import air_of
from flagplot.awaw.views.battle import BattleView
from flagplot.awaw.views.position import MissionView, Position
from flagplot.awaw.views.units import Flights
from flagplot.board.model import Counter, Vector
from flagplot.kernel.view_types import HIDDEN


def vectors(seen: Position) -> Iterator[Vector]:
    """All that both sides see in the air."""
    if seen.battle:
        yield from _strikes(seen, seen.battle)
    if seen.mission and seen.mission.attackers:
        yield _mission(seen, seen.mission, "Over")
    yield from [_mission(seen, sortie, "Announced against") for sortie in seen.announced if sortie.attackers]
    if seen.operation and (attack := seen.operation.base_strike):
        flying = (*attack.counterair, *attack.attackers)
        if flying:
            words = f"Attack on {seen.sites[attack.base].name}"
            yield _vector(seen, attack.side, f"base:{attack.base}", flying, words)


def focus(seen: Position) -> Iterator[str]:
    """The stacks that are fought over: targets in the air, and the two groups of a fleet combat."""
    yield from [vector.target for vector in vectors(seen)]
    if seen.battle and (fight := seen.battle.engagement):
        moving, intercepting = seen.sides
        yield f"group:{moving}:{fight.agreed.moving}"
        yield f"group:{intercepting}:{fight.agreed.intercepting}"


def _strikes(seen: Position, battle: BattleView) -> Iterator[Vector]:
    if (strike := battle.strike) and strike.attackers:
        enemy = next(side for side in seen.sides if side != strike.side)
        words = f"{'Surprise strike' if strike.surprise else 'Strike'} on CG {strike.target}"
        yield _vector(seen, strike.side, f"group:{enemy}:{strike.target}", strike.attackers, words)
    for dive in battle.dives:
        enemy = next(side for side in seen.sides if side != dive.side)
        boats = Counter(
            text=f"{dive.kamikazes} kamikaze{'s' * (dive.kamikazes != 1)}", label="Kamikaze", silhouette="plane",
            nation=seen.flags[dive.side], count=dive.kamikazes,
        )  # fmt: skip
        words = f"Kamikazes against CG {dive.target}"
        yield Vector(dive.side, f"group:{enemy}:{dive.target}", (), (boats,), words)


def _mission(seen: Position, mission: MissionView, verb: str) -> Vector:
    words = f"{verb} {seen.sites[mission.target].name}"
    return _vector(seen, mission.side, f"base:{mission.target}", mission.attackers, words)


def _vector(seen: Position, side: str, target: str, flights: Flights, words: str) -> Vector:
    homes = dict.fromkeys([flight.home for flight in flights])
    sources = [source for home in homes for source in _sources(seen, side, home)]
    return Vector(side, target, tuple(dict.fromkeys(sources)), air_of(flights, sites=seen.sites), words)


def _sources(seen: Position, side: str, home: str) -> list[str]:
    """A base, or the combat groups with carriers, as far as the reader sees them: in a round the carrier air of a side
    is one force."""
    if home in seen.sites:
        return [f"base:{home}"]
    groups = seen.battle.groups if seen.battle else ()
    return [
        f"group:{side}:{group.number}"
        for group in groups
        if group.side == side
        and group.ships is not HIDDEN
        and any([ship.kind in ("cv", "cvl", "cvb") for ship in group.ships])
    ]
