"""An operation on its map: forces and submarines, who sails where and is intercepted by whom, what is attacked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from flagplot.awaw.air_units import Arm, flying_range
from flagplot.awaw.board.units import ARMS, air_of, counts, ships_of
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.state.operation import Activity, Progress
from flagplot.awaw.views.operation import FlotillaView, ForceView, OperationView, VoyageView
from flagplot.awaw.views.position import Position
from flagplot.awaw.views.units import Flights
from flagplot.board.model import (
    Counter,
    MapBase,
    MapCounter,
    MapItem,
    News,
    Note,
    Path,
    Place,
    Reach,
    SeaMap,
    Silhouette,
    Stack,
    listed,
)
from flagplot.kernel.rules import rule
from flagplot.kernel.view_types import HIDDEN, Hidden
from flagplot.kernel.words import plural

FIGHTS = {
    "battle": "Naval combat",
    "air-attack": "Air attack",
    "submarines": "Submarine attack",
    "hunt": "Air attack on submarines",
    "raid": "Raiders",
    "base": "Attack on a base",
}
"""What is fought on a map, by the kinds of the record."""
BEACH: Final = "beach"
VERBS = {1: "intercepted", 2: "counter-intercepted", 3: "countered in turn"}


# --- forces -----------------------------------------------------------------------------------------------------


def force_places(seen: Position, operation: OperationView, called: dict[str, str]) -> list[Place]:
    """The naval forces and submarines of each side."""
    places = []
    for side in seen.sides:
        stacks = [_force(seen, operation, key, one) for key, one in operation.forces.items() if one.side == side]
        stacks += [_flotilla(key, one) for key, one in operation.flotillas.items() if one.side == side]
        places.append(Place(kind="forces", title=f"{called[side]}: forces", side=side, stacks=tuple(stacks)))
    return places


def _force(seen: Position, operation: OperationView, key: str, force: ForceView) -> Stack:
    """A force: one's own with all that is in it, an enemy's marker with what was seen."""
    own, known, voyage = force.own, force.ships is not HIDDEN, operation.voyages.get(force.voyage)
    asked = seen.turn and force.side == seen.side and own and own.air
    return Stack(
        kind="force",
        title=short(seen, force),
        side=force.side,
        subject=f"force:{key}",
        name=own.name if own else "",
        marker=force.marker,
        state="hidden" if not known else "active" if voyage or force.patrol else "distant",
        marks=(Note("inverted"),) * force.inverted,
        where=force.where,
        doing=voyage.what if voyage else f"{force.patrol} patrol" if force.patrol else "",
        bound=(voyage.bound or "") if voyage else "",
        items=(
            *([Note("ships hidden", "faint")] if not known else ships_of(force.ships or ())),
            *ships_of(force.sunk_in_port or (), "sunk in port"),
            *([Note(own.cargo, sign="cargo", words=f"carries {own.cargo}")] if own and own.cargo else []),
            *air_of(own.air if own else (), "aboard"),
            *air_of(own.grounded if own else (), "carried on damaged carriers", idle=True),
        ),
        unit=key if asked else "",
    )


def short(seen: Position, force: ForceView) -> str:
    """A marker without the name of its side."""
    return force.marker.replace(f" ({seen.sides[force.side]})", "")


def _flotilla(key: str, flotilla: FlotillaView) -> Stack:
    told = counts(
        [
            (flotilla.factors, "ready"),
            (flotilla.tried, "tried"),
            (flotilla.away, "away"),
            (flotilla.inverted, "inverted"),
            (flotilla.lost, "lost"),
        ]
    )
    boats = Counter(
        text=told or "none left", silhouette="submarine", label="Subs", nation=flotilla.nation, count=flotilla.factors,
        factors=flotilla.factors,
    )  # fmt: skip
    return Stack(
        kind="flotilla",
        title="Submarines",
        side=flotilla.side,
        subject=f"flotilla:{key}",
        where=flotilla.where,
        doing=f"{flotilla.patrol} patrol" if flotilla.patrol else "",
        items=(boats,),
    )


# --- what is going on -------------------------------------------------------------------------------------------


def sea_news(seen: Position, operation: OperationView) -> Iterator[News]:
    """Where on the map it is fought and who meets whom, and attacks on bases and ports."""
    if fight := operation.fighting:
        who = f"{FIGHTS.get(fight.kind, 'Fighting')} in {fight.where}: "
        yield News(topic="fight", who=who, words=" against ".join([words for words in fight.sides.values() if words]))
    yield from raid_news(seen, operation)


def raid_news(seen: Position, operation: OperationView) -> Iterator[News]:
    """The attack on a base that is under way: who counterairs, who attacks the ships, and the ships once seen."""
    attack = operation.base_strike
    if attack:
        parts = [f"{_air(attack.counterair)} counterair"] if attack.counterair else []
        parts += [f"{_air(attack.attackers)} against the ships"] if attack.attackers else []
        if parts:
            who = f"Attack on {seen.sites[attack.base].name}, sortie {attack.sortie}: "
            yield News(topic="mission", who=who, words="; ".join(parts), side=attack.side)
            if attack.ships:
                yield News(topic="mission", who="In port: ", counters=ships_of(attack.ships))
        return
    for dive in operation.port_dives:
        words = f"{dive.kamikazes}" + (f", {dive.diverted} diverted" if dive.diverted else "")
        who = f"Kamikazes against the ships in {seen.sites[dive.base].name}: "
        yield News(topic="mission", who=who, words=words, side=dive.side)
        if dive.ships:
            yield News(topic="mission", who="In port: ", counters=ships_of(dive.ships))


def _air(flights: Flights) -> str:
    return listed(air_of(flights), lambda counter: counter.text)


# --- who sails where --------------------------------------------------------------------------------------------


def _announced(operation: OperationView) -> Iterator[News]:
    """What is announced, and below each force who intercepts it where, level by level."""
    for key, voyage in operation.voyages.items():
        if not voyage.level and voyage.progress is not Progress.OVER:
            yield _activity(voyage, operation)
            yield from _against(key, operation, 1)


def _activity(voyage: VoyageView, operation: OperationView) -> News:
    host = operation.voyages.get(voyage.joins)
    words = [f"{voyage.what}, to meet {_named(host, operation)}" if host else voyage.what]
    words += [f"to {voyage.bound}"] if voyage.bound is not HIDDEN else []
    words += ["path unknown" if voyage.path is HIDDEN else plural(len(voyage.path) - 1, "hex", "hexes")]
    words += ["with cargo"] if voyage.cargo and voyage.activity is not Activity.RETURN else []
    words += [voyage.progress.value] if voyage.progress in (Progress.ARRIVED, Progress.ABORTED) else []
    return News(topic="activity", who=f"{_named(voyage, operation)}: ", words=", ".join(words), side=voyage.side)


def _against(key: str, operation: OperationView, depth: int) -> Iterator[News]:
    for other, voyage in operation.voyages.items():
        if voyage.target == key and voyage.progress is not Progress.OVER and voyage.meeting:
            away = "" if voyage.path is HIDDEN else f", {plural(len(voyage.path) - 1, 'hex', 'hexes')} away"
            yield News(
                topic="activity",
                before=f"{VERBS[voyage.level]} in {voyage.meeting.meets} by ",
                who=_named(voyage, operation),
                words=f"{away}: {_success(voyage, voyage.meeting.reached)}",
                side=voyage.side,
                indent=2 * depth,
            )
            yield from _against(other, operation, depth + 1)


def _success(voyage: VoyageView, reached: int) -> str:
    if voyage.arrives:
        when = "in time" if voyage.arrives == 1 else f"late: arrives in round {voyage.arrives}"
        return "there" if voyage.flotilla else when
    return f"reaches {plural(reached, 'hex', 'hexes')}" if reached else "dice not yet rolled"


def _sailing(operation: OperationView) -> Iterator[News]:
    """Who is under way just now, and how far it has come."""
    for voyage in operation.voyages.values():
        path = voyage.path or ()
        if voyage.progress is Progress.UNDER_WAY and voyage.at in path:
            step, last = path.index(voyage.at), len(path) - 1
            way = f"hex {step} of {last} to {voyage.bound}" if voyage.bound else f"hex {step}"
            who = f"{_named(voyage, operation)}: "
            yield News(topic="sailing", who=who, words=f"{voyage.where}, {way}", side=voyage.side)


def _named(voyage: VoyageView, operation: OperationView) -> str:
    """Who is on a voyage now, by the markers that everybody sees."""
    forces = [operation.forces[key].marker for key in voyage.forces if key in operation.forces]
    if len(forces) > 1:
        return f"{', '.join(forces[:-1])} and {forces[-1]}"
    return forces[0] if forces else voyage.names


# --- the map ----------------------------------------------------------------------------------------------------


def sea_map(seen: Position, operation: OperationView) -> SeaMap:
    """What stands where and who sails along which path, as far as the reader knows."""
    return SeaMap(
        items=tuple(_standing(seen, operation)),
        paths=tuple(_paths(operation)),
        announced=tuple(_announced(operation)),
        sailing=tuple(_sailing(operation)),
        names=seen.sides,
        bases=tuple(_bases(seen, operation)),
        reaches=tuple(_reaches(seen, operation)),
        fighting=operation.fighting.at if operation.fighting else None,
    )


def _bases(seen: Position, operation: OperationView) -> Iterator[MapBase]:
    """The bases that the game uses, and the beaches on which the reader may land troops."""
    beaches = _beaches(operation)
    for site in seen.sites.values():
        if site.kind == "base":
            beach = (BEACH,) if site.at in beaches else ()
            beaches.pop(site.at, None)
            yield MapBase(site.at, site.name, site.side, (*(site.has or ()), *beach))
    for at, side in beaches.items():
        yield MapBase(at, "Landing beach", side, (BEACH,))


def _beaches(operation: OperationView) -> dict[Hex, str]:
    """Where the seaborne invasions of the reader's orders land. What the enemy is ordered to do is not in his view."""
    own = [(force.side, force.own.orders) for force in operation.forces.values() if not isinstance(force.own, Hidden)]
    return {order.to: side for side, orders in own for order in orders if order.activity is Activity.INVASION}


@rule("18.31")
def _reaches(seen: Position, operation: OperationView) -> Iterator[Reach]:
    """18.31: how far the air units of each base fly, by the range of those that fly farthest. That of jets follows from
    research, so they count as those of the shortest range."""
    pacific = operation.theatre == "pacific"
    for key, site in seen.sites.items():
        ready = [flight for flight in site.air if not flight.inverted]
        if site.kind == "base" and ready:
            far = max([flying_range(flight.arm, pacific, 0) for flight in ready])
            yield Reach(f"base:{key}", f"Air range from {site.name}", site.at, far, ready[0].nation)


def _standing(seen: Position, operation: OperationView) -> Iterator[MapItem]:
    """Forces by their markers, submarines, air units on bases; in an air turn ground units and air over hexes."""
    flags = {side: nations[0] for side, nations in operation.nations.items()}
    for key, force in operation.forces.items():
        name = short(seen, force)
        doing = " on patrol" if force.patrol else _in_box(seen, force)
        text = f"{name}{doing}{' inverted' * force.inverted}"
        yield MapItem(force.at, force.side, text, name, f"force:{key}", (_marker(force, name, flags),))
    for key, some in operation.flotillas.items():
        there = some.factors + some.tried + some.inverted
        if there:  # those away on an interception are where their interception is
            words = f"{there} submarine{'s' * (there != 1)}{' on patrol' * bool(some.patrol)}"
            boats = MapCounter(some.nation, "submarine", str(there), "Subs", inverted=not some.factors + some.tried)
            yield MapItem(some.at, some.side, words, "submarines", f"flotilla:{key}", (boats,))
    for key, site in seen.sites.items():
        air = _counted(site.air)
        if air and site.kind == "base":
            yield MapItem(site.at, site.side, air, "air", f"base:{key}", _air_counters(site.air))
    if seen.turn:
        for key, unit in seen.turn.units.items():
            if not unit.aboard:
                words = f"{unit.factors}-factor {unit.kind}"
                army = MapCounter(unit.nation, "army", str(unit.factors), unit.kind.capitalize())
                yield MapItem(unit.at, unit.side, words, unit.kind, f"ground:{key}", (army,))
        for flight in seen.turn.flights:
            words = f"{_counted(flight.air)} on {flight.kind.replace('-', ' ')}"
            yield MapItem(flight.at, flight.side, words, "air", "", _air_counters(flight.air))


def _marker(force: ForceView, name: str, flags: dict[str, str]) -> MapCounter:
    """The counter of a force: its largest ships and all its factors, or a marker that hides them."""
    if force.ships is HIDDEN:
        return MapCounter(flags[force.side], None, "", name, hidden=True, inverted=force.inverted)
    ships = [ship for ship in ships_of(force.ships or ()) if ship.silhouette]
    if not ships:
        return MapCounter(flags[force.side], "transport", "", name, inverted=force.inverted)
    first = min(ships, key=lambda ship: RANKS.index(ship.silhouette or "transport"))
    shares: dict[str, int] = {}
    for ship in ships:
        shares[ship.nation] = shares.get(ship.nation, 0) + ship.factors
    nation = max(shares, key=lambda nation: shares[nation])
    return MapCounter(nation, first.silhouette, str(sum(shares.values())), name, inverted=force.inverted)


RANKS: Final[tuple[Silhouette, ...]] = ("carrier", "battleship", "cruiser", "destroyer", "transport")
"""Ships in the order in which one stands for all that are with it."""


def _air_counters(flights: Flights) -> tuple[MapCounter, ...]:
    """A counter for the air units of each nation and arm; inverted ones apart."""
    found: dict[tuple[str, str, bool], int] = {}
    for flight in flights:
        key = flight.nation, flight.arm.value, flight.inverted
        found[key] = found.get(key, 0) + flight.count
    return tuple(
        [
            MapCounter(nation, "plane", str(count), ARMS[Arm(arm)], inverted=down)
            for (nation, arm, down), count in found.items()
        ]
    )


def _in_box(seen: Position, force: ForceView) -> str:
    """Where a force is that lies in a box beside the map."""
    site = seen.sites.get(force.base)
    return f" in {site.name}" if site and site.kind == "box" and not force.voyage else ""


def _counted(flights: Flights) -> str:
    """Air units in short: ``3 air factors``, ``2 squadrons (1 inverted)``."""
    parts = []
    for what, factors in (("air factor", True), ("squadron", False)):
        some = [flight for flight in flights if (flight.role == "factors") == factors]
        number, down = sum([one.count for one in some]), sum([one.count for one in some if one.inverted])
        if number:
            parts.append(f"{number} {what}{'s' * (number != 1)}" + (f" ({down} inverted)" if down else ""))
    return ", ".join(parts)


def _paths(operation: OperationView) -> Iterator[Path]:
    """The paths of forces under way, each from where the force is."""
    for voyage in operation.voyages.values():
        if voyage.path is not HIDDEN and voyage.progress in (Progress.ANNOUNCED, Progress.UNDER_WAY):
            rest = voyage.path[voyage.path.index(voyage.at) :]
            if len(rest) > 1:
                yield Path(
                    f"{_named(voyage, operation)}, {voyage.what}", rest, voyage.side, operation.nations[voyage.side][0]
                )
