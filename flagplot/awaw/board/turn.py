"""An air turn: ground units, air over the map, bases with their room, what is inverted and why, bombers, BRPs."""

from __future__ import annotations

from collections.abc import Iterator

from flagplot.awaw.air_units import NAMES, NAVAL_ARMS, Arm
from flagplot.awaw.board.bases import base
from flagplot.awaw.board.units import adjective, air_of, counts
from flagplot.awaw.state.turn import Until
from flagplot.awaw.tables.nations import nation
from flagplot.awaw.views.position import Position, SiteView
from flagplot.awaw.views.turn import AirFlightView, AirliftView, AttackView, TurnView, UnitView
from flagplot.board.model import Counter, Item, Note, Place, Stack
from flagplot.kernel.words import capital

UNTIL = {
    Until.NOW: "may be turned face up in its owner's player turn",
    Until.TURN_END: "until this player turn ends",
    Until.NEXT_TURN: "until its owner's next player turn",
}
"""When inverted air may be uninverted again, at the earliest (18.72)."""


def lead(seen: Position, turn: TurnView) -> str:
    """Whose player turn it is."""
    now = turn.player_turn
    return f"Player turn {now.number} of {now.of}, {now.season}: {seen.sides[now.side]} moves"


def turn_places(seen: Position, turn: TurnView, forces: list[Place]) -> list[Place]:
    """Everything of a turn that lies beside the map, with the forces at sea in their place."""
    over = Place(kind="air", title="Over the map", stacks=tuple(_over_the_map(seen, turn)))
    ground = [_ground(seen, turn, side) for side in seen.sides]
    bases = [_bases(seen, turn, side) for side in seen.sides]
    return [over, *ground, *forces, *bases, _inverted(seen, turn), _fronts(seen, turn), _economy(seen, turn)]


# --- on the ground, and over it ---------------------------------------------------------------------------------


def _ground(seen: Position, turn: TurnView, side: str) -> Place:
    """The ground units of a side, those of one hex in one stack; those aboard ships apart."""
    places: dict[str, list[Counter]] = {}
    for key, unit in turn.units.items():
        if unit.side == side:
            places.setdefault("at sea" if unit.aboard else unit.where, []).append(_unit(seen, key, unit))
    stacks = [_stack(side, where, units) for where, units in places.items()]
    return Place(kind="ground", title=f"{seen.sides[side]}: ground units", side=side, stacks=tuple(stacks))


def _stack(side: str, where: str, units: list[Counter]) -> Stack:
    near, far, place = where.rpartition(" of ")
    title = f"Near {place}" if near else capital(where)
    more = (Note(where, "faint"),) * bool(far)
    return Stack(kind="ground", title=title, side=side, where=where, items=(*more, *units))


def _unit(seen: Position, key: str, unit: UnitView) -> Counter:
    factors, defence, what = unit.factors, unit.defence, f"{adjective(unit.nation)} {unit.kind}"
    return Counter(
        text=unit.name,
        brief=f"{factors if factors == defence else f'{factors}-{defence}'} {what}",
        detail=f"{what}, {factors} factor{'s' * (factors != 1)}, defends with {defence}",
        notes=tuple(_notes(seen, unit)),
        id=key,
        tag=key,
        label=unit.name,
        value=str(factors) if factors == defence else f"{factors}-{defence}",
        silhouette="army",
        nation=unit.nation,
        factors=factors,
    )


def _notes(seen: Position, unit: UnitView) -> Iterator[str]:
    if unit.supply != "full":
        yield f"supply: {unit.supply}"
    if unit.travelled:
        yield f"travelled by air: {unit.travelled}"
    if unit.aboard:
        force = seen.operation.forces.get(unit.aboard) if seen.operation else None
        yield f"aboard {force.marker if force else 'ships'}"


def _over_the_map(seen: Position, turn: TurnView) -> Iterator[Stack]:
    """Missions over hexes, ground attacks with what they are made of, and air transport on its way."""
    yield from [_flight(flight) for flight in turn.flights]
    yield from [_attack(turn, attack) for attack in turn.attacks]
    if turn.airlift:
        yield _airlift(seen, turn.airlift)


def _flight(flight: AirFlightView) -> Stack:
    where = Note(f"over {flight.where}", "faint")
    return Stack(kind="air", title=_plainly(flight.kind), side=flight.side, items=(where, *air_of(flight.air)))


def _attack(turn: TurnView, attack: AttackView) -> Stack:
    first = turn.units.get(attack.units[0]) if attack.units else None
    items = [Note(f"on {' and '.join(attack.where)}", "faint"), *[Note(name) for name in attack.names]]
    items += [Note(f"{attack.guns} factors of shore bombardment")] if attack.guns else []
    items += [Note(f"{attack.cves} escort carriers")] if attack.cves else []
    return Stack(
        kind="air",
        title="Ground attack",
        side=first.side if first else turn.player_turn.side,
        marks=(Note(attack.kind.replace("-", " ")),),
        items=tuple(items),
    )


def _airlift(seen: Position, mission: AirliftView) -> Stack:
    items: list[Item] = [Note(f"to {_place(seen, mission.to)}", "faint")] if mission.to else []
    items += [*air_of(mission.transports), *[Note(name) for name in mission.names]]
    items += [*air_of(mission.interceptors, "intercepting"), *air_of(mission.guards, "guarding")]
    return Stack(kind="air", title=_plainly(mission.kind), side=mission.side, items=tuple(items))


def _place(seen: Position, key: str) -> str:
    return seen.sites[key].name if key in seen.sites else key


def _plainly(kind: str) -> str:
    return kind.replace("-", " ").capitalize()


# --- bases ------------------------------------------------------------------------------------------------------


def _bases(seen: Position, turn: TurnView, side: str) -> Place:
    """The bases of a side with room and airbase counters."""
    stacks = [_base(seen, turn, key, site) for key, site in seen.sites.items() if site.side == side]
    return Place(kind="bases", title=f"{seen.sides[side]}: bases", side=side, stacks=tuple(stacks))


def _base(seen: Position, turn: TurnView, key: str, site: SiteView) -> Stack:
    """18.11, 18.14: with an airbase counter, and how much the base holds; unless there is nothing at all."""
    bare = base(key, site)
    if not bare.items and not bare.marks and key not in turn.airbases:
        return bare
    notes = [f"{adjective(turn.airbases[key])} airbase counter"] if key in turn.airbases else []
    if room := turn.room.get(key):
        notes.append(f"room for {room.squadrons} squadrons{', naval air too' * bool(room.naval)}")
    return base(key, site, *[Note(words, "faint") for words in notes], unit=key if site.side == seen.side else "")


def _inverted(seen: Position, turn: TurnView) -> Place:
    """18.42: why air is inverted, and until when; everybody may know."""
    lines = []
    for down in turn.inverted:
        air = "; ".join([one.text for one in down.air])
        lines.append(f"{_place(seen, down.home)}: {air}: {down.why}; {UNTIL[down.until]} ({down.rule})")
    return Place(kind="inverted", title="Inverted air units: why and until when", lines=tuple(lines))


# --- beside the map ---------------------------------------------------------------------------------------------


def _fronts(seen: Position, turn: TurnView) -> Place:
    """Strategic bombers and interceptors, by front; kamikazes."""
    mine = turn.nations.get(seen.side, ())
    stacks = [
        Stack(
            kind="front",
            title=f"{_plainly(front)} front",
            subject=f"front:{front}",
            items=air_of(air) or (Note("none left", "faint"),),
            unit=front if any([one.nation in mine for one in air]) else "",
        )
        for front, air in turn.strategic.items()
    ]
    if (pool := turn.kamikaze_pool).limit:
        told = [
            f"{pool.ready} ready",
            *filter(None, [counts([(pool.unbuilt, "to build")]), counts([(pool.used, "have flown")])]),
        ]
        grows = f", grows by {pool.growth}" if pool.growth else ""
        items = (*[Note(words, sign="plane") for words in told], Note(f"force pool {pool.limit}{grows}"))
        unit = "kamikazes" if "japan" in mine else ""
        stacks.append(Stack(kind="front", title="Kamikazes", subject="front:kamikazes", items=items, unit=unit))
    return Place(kind="fronts", title="Bombers, interceptors, kamikazes", stacks=tuple(stacks))


def _economy(seen: Position, turn: TurnView) -> Place:
    """The BRPs of each nation, and the air units in its force pool that can be built."""
    stacks = []
    for side, mine in turn.nations.items():
        for key in mine:
            pool = {unit: count for unit, count in turn.force_pool.items() if unit.split("/")[0] == key}
            if key in turn.brps or pool:
                items = [Note(f"{turn.brps.get(key, 0)} BRPs", "strong")]
                items += [Note(pool_words(unit, count), sign="plane") for unit, count in pool.items()]
                items += [] if pool else [Note("nothing to build", "faint")]
                stacks.append(Stack(kind="pool", title=nation(key).name, side=side, items=tuple(items)))
    note = "air units that can be built"
    return Place(kind="economy", title="BRPs and force pools", note=note, stacks=tuple(stacks))


def pool_words(key: str, count: int) -> str:
    """An entry of a force pool in words: ``3 naval air squadrons``, ``1 army air squadron, waits to be a factor``."""
    _, arm, *rest = key.split("/")
    known = Arm(arm) if arm in set(Arm) else None
    name = NAMES[known] if known else arm
    unit = "squadron" if rest or known in NAVAL_ARMS else "factor"
    waits = ", which make factors by threes" if rest else ""
    return f"{count} {name} {unit}{'s' * (count != 1)}{waits}"
