"""The Naval Combat Chart: the combat groups of both sides, what is off the chart, what is lost, what is fought."""

from __future__ import annotations

from collections.abc import Iterator

from flagplot.awaw.air_units import Arm
from flagplot.awaw.board.units import ARMS, AS_COVER, ON_PATROL, air_of, counts, losses, ships_of
from flagplot.awaw.tables.nations import nation
from flagplot.awaw.views.battle import (
    BattleView,
    DepartedView,
    EngagementView,
    GroupView,
    OwnGroup,
    PendingView,
    StrengthView,
    SubmarinesView,
)
from flagplot.awaw.views.operation import OperationView
from flagplot.awaw.views.position import Position
from flagplot.awaw.views.units import Flights
from flagplot.board.model import Counter, Item, News, Note, Place, Stack, State
from flagplot.kernel.naming import has
from flagplot.kernel.view_types import HIDDEN
from flagplot.kernel.words import count_times

PLACES = 6
STATES: dict[str, State] = {"active": "active", "distant": "distant", "destroyed": "gone"}


def chart_places(seen: Position, battle: BattleView, called: dict[str, str]) -> list[Place]:
    """22.423: each side's six places; a group is active once the number of the round has reached its own (22.425)."""
    places = [
        Place(
            kind="chart",
            title=called[side],
            side=side,
            note=strength_in_words(battle.strength[side]) if side in battle.strength else "",
            room=PLACES,
            stacks=tuple([_group(group, battle) for group in battle.groups if group.side == side]),
        )
        for side in seen.sides
    ]
    beside = [stack for side in seen.sides for stack in _beside(battle, side)]
    return [*places, Place(kind="beside", title="Off the chart", stacks=tuple(beside))]


def strength_in_words(strength: StrengthView) -> str:
    return f"{strength.left}/{strength.began} factors fit"


# --- combat groups ----------------------------------------------------------------------------------------------


def _group(group: GroupView, battle: BattleView) -> Stack:
    known = group.own or group.told or group.ships is not HIDDEN
    return Stack(
        kind="group",
        title=f"CG {group.number}",
        side=group.side,
        subject=f"group:{group.side}:{group.number}",
        name=group.own.name if group.own else "",
        number=group.number,
        state=STATES[group.status] if known else "hidden",
        active=group.status == "active",
        marks=(Note(group.status), *_found(group), *_surprised(group, battle)),
        items=(*_afloat(group), *_about(group), *air_of(group.cover or (), AS_COVER)),
    )


def _afloat(group: GroupView) -> tuple[Item, ...]:
    if group.ships is HIDDEN:
        return ()
    return ships_of(group.ships) or (Note("no ships", "faint"),)


def _found(group: GroupView) -> Iterator[Note]:
    """How often it was found, which is how often it may be attacked, and how often it was."""
    found, attacks = group.results, group.attacks
    if found:
        brief = "found" + f" {found}×" * (found > 1) + (", attacked" + f" {attacks}×" * (found > 1)) * bool(attacks)
        told = f", attacked {count_times(attacks)}" * bool(attacks)
        yield Note(brief, sign="eye", words=f"found {count_times(found)}{told}")
    if group.evaded:
        yield Note("evaded", sign="speed")


def _surprised(group: GroupView, battle: BattleView) -> Iterator[Note]:
    """23.741: the surprise level of the strike that is flown against it."""
    strike = battle.strike
    if strike and strike.side != group.side and strike.target == group.number and strike.level > 0:
        yield Note(f"surprise {strike.level}", sign="bolt", words=f"surprise level {strike.level}")


def _about(group: GroupView) -> tuple[Item, ...]:
    """What else is known: its owner knows all, the enemy what he was told (22.452B), until he sees it."""
    if group.own:
        return _owned(group.own)[not group.ships :]  # nobody counts the factors of a group that is gone
    if group.ships is not HIDDEN:
        return ()
    if group.told:
        size, carriers, rest = str(group.told).split(", ", 2)
        return Note(size, "faint"), Note(carriers, "faint"), Note(rest, "faint")
    return (Note("hidden", "strong"),)


def _owned(own: OwnGroup) -> tuple[Item, ...]:
    return (
        Note(f"{own.factors} factors, {'slow' if own.slow else 'fast'}", "faint"),
        *([Note(own.cargo, sign="cargo", words=f"carries {own.cargo}")] if own.cargo else []),
        *ships_of(own.shed, "left behind"),
        *air_of(own.air, "aboard"),
        *air_of(own.patrol, ON_PATROL),
    )


# --- off the chart ----------------------------------------------------------------------------------------------


def _beside(battle: BattleView, side: str) -> Iterator[Stack]:
    pending = battle.pending[side]
    if isinstance(pending, int):
        if pending:
            more = Note(f"{pending} more pending", "strong")
            yield Stack(kind="waiting", title="Waiting", side=side, state="hidden", items=(more,))
    else:
        yield from [_waiting(side, force) for force in pending if force.ships]
    yield from [_departed(group) for group in battle.departed if group.side == side]
    air = _carrier_air(battle, side)
    if air:
        yield Stack(kind="carrier-air", title="Carrier air", side=side, subject=f"carriers:{side}", items=air)
    boats = [_submarines(flotilla) for flotilla in battle.submarines if flotilla.side == side]
    if boats:
        yield Stack(kind="submarines", title="Submarines", side=side, items=tuple(boats))


def _waiting(side: str, force: PendingView) -> Stack:
    later = f"can join in round {force.arrives}"
    mark = Note(later) if force.arrives > 1 else Note("", words="waiting")
    items = (*ships_of(force.ships), *_owned(force.own))
    return Stack(
        kind="waiting", title="Waiting", side=side, name=force.own.name, state="distant", marks=(mark,), items=items
    )


def _departed(group: DepartedView) -> Stack:
    """A group, or a part of one, that has left the battle."""
    own = group.own
    cargo = [Note(own.cargo, sign="cargo", words=f"carried {own.cargo}")] if own and own.cargo else []
    return Stack(
        kind="departed",
        title=f"CG {group.number}",
        side=group.side,
        name=own.name if own else "",
        state="gone",
        marks=(Note(f"withdrawn after round {group.round}"),),
        items=(*ships_of(group.ships or ()), *cargo, *air_of(own.air if own else (), "aboard")),
    )


def _carrier_air(battle: BattleView, side: str) -> tuple[Item, ...]:
    """Squadrons that belong to no group just now: in a round the carrier air of a side is one force."""
    if side not in battle.carrier_air:
        return ()
    air = battle.carrier_air[side]
    told: tuple[tuple[Flights, str], ...] = (
        (air.aboard, "ready aboard"),
        (air.aborted, "of which aborted this round"),
        (air.flown, "have flown"),
        (air.struck, "back from strikes"),
        (air.grounded, "aboard damaged carriers"),
        (air.returned, "returned to port"),
    )
    squadrons = [counter for some, doing in told for counter in air_of(some, doing, idle=some is not air.aboard)]
    return (*squadrons, *ships_of(air.returned_ships, "returned to port"))


def _submarines(flotilla: SubmarinesView) -> Counter:
    """Submarine factors: those that can still attack, those that have attacked, and those that are lost."""
    told = counts([(flotilla.spent, "used"), (flotilla.lost, "lost")])
    told = (
        ", ".join([f"{flotilla.factors} ready", *([told] if told else [])]) if flotilla.factors or told else "none left"
    )
    marks = ["advanced"] * flotilla.advanced + ["with a force"] * flotilla.accompany
    marks += [f"from round {flotilla.arrives}"] * (flotilla.arrives > 1)
    country, kind = nation(flotilla.nation).adjective, f"{'advanced ' * flotilla.advanced}submarines"
    return Counter(
        text=f"{country} {kind}: {told}",
        silhouette="submarine",
        brief=", ".join([told, *marks]),
        label="Subs",
        nation=flotilla.nation,
        count=flotilla.factors,
        factors=flotilla.factors,
    )


def lost_place(seen: Position) -> Place:
    """What was sunk or shot down, and transports that raiders are kept from."""
    battle, operation = seen.battle, seen.operation
    told: BattleView | OperationView | None = battle or operation
    ships = [(told.sunk, "Sunk"), (told.sunk_elsewhere, "Sunk elsewhere")] if told else []
    stacks = [Stack(kind="lost", title=title, state="gone", items=ships_of(some)) for some, title in ships if some]
    if seen.lost:
        air = tuple([_air_lost(words, key) for words, key in zip(losses(seen.lost), seen.lost, strict=True)])
        stacks.append(Stack(kind="lost", title="Air units lost", state="gone", items=air))
    if battle and battle.shielded:
        safe = ships_of(battle.shielded)
        stacks.append(Stack(kind="lost", title="Transports under escort", state="plain", items=safe))
    title = "Lost, and transports under escort" if battle and battle.shielded else "Lost"
    return Place(kind="lost", title=title, stacks=tuple(stacks))


def _air_lost(words: str, key: str) -> Counter:
    nation, arm, _ = key.split("/")
    label = ARMS[Arm(arm)] if arm in set(Arm) else arm.capitalize()
    return Counter(text=words, silhouette="plane", label=label, nation=nation, count=int(words.partition(" ")[0]))


# --- what is being fought ---------------------------------------------------------------------------------------


def battle_news(seen: Position, battle: BattleView) -> Iterator[News]:
    """Strikes, kamikazes and fleet combats that are under way or agreed on."""
    if strike := battle.strike:
        yield News(
            topic="battle",
            who=f"{'Surprise strike' if strike.surprise else 'Strike'} on CG {strike.target}: ",
            counters=air_of(strike.attackers),
            engaged=air_of(strike.defenders),
            side=strike.side,
        )
    for dive in battle.dives:
        aims = [f"{number} at {_target(battle, target)}" for target, number in dive.aims.items()]
        parts = [f"{dive.kamikazes}", *aims, *[f"{dive.diverted} diverted"] * bool(dive.diverted)]
        who = f"Kamikazes against CG {dive.target}: "
        yield News(topic="battle", who=who, words=", ".join(parts), engaged=air_of(dive.defenders), side=dive.side)
    if battle.kamikazes:
        yield News(topic="battle", who="Kamikazes that have not flown: ", words=str(battle.kamikazes))
    if fight := battle.engagement:
        yield News(topic="battle", who="Fleet combat: ", words=_pair(seen, fight.agreed))
        for side, ships in (fight.screened or {}).items():
            if ships:
                who = f"{seen.sides[side]} {'screen' if has(seen.sides[side]) == 'have' else 'screens'} "
                yield News(topic="battle", who=who, counters=ships_of(ships), side=side, indent=2)
        for volley in fight.volleys or ():
            fires = "fire" if has(seen.sides[volley.side]) == "have" else "fires"
            who = f"{seen.sides[volley.side]} {fires} at {_target(battle, volley.target)}: "
            yield News(topic="battle", who=who, counters=ships_of(volley.ships), side=volley.side, indent=2)
    for agreed in battle.engagements:
        yield News(topic="battle", who="Still to fight: ", words=_pair(seen, agreed))


def _pair(seen: Position, fight: EngagementView) -> str:
    moving, intercepting = seen.sides.values()
    return f"CG {fight.moving} ({moving}) against CG {fight.intercepting} ({intercepting})"


def _target(battle: BattleView, key: str) -> str:
    """What people call a target: the name of a ship that is seen, or the light ships."""
    for group in battle.groups:
        for ship in group.ships or ():
            if ship.id == key:
                return ship.text.partition(" (")[0]
    return f"{key.replace('-', ' ')}" if key == "light-ships" else key
