"""Who may fly, and why and until when air is inverted (18.41-18.45, 18.51).

`available` is the one place that says which land-based air may fly a mission; `invert` writes down why a unit is
inverted and until when.
"""

from __future__ import annotations

from collections.abc import Iterable

from flagplot.awaw.air_units import Arm, Force, Unit, add, take
from flagplot.awaw.conversion import recombine
from flagplot.awaw.counting import merged
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.bases.sorties import form_factors
from flagplot.awaw.reach import flies_missions, may_fly, unfit
from flagplot.awaw.state.setting import Place
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Down, Until
from flagplot.awaw.turn.marks import lift, marked, set_mark
from flagplot.awaw.turn.missions.abilities import BOMBING, OFFENSIVE, Task, may_perform
from flagplot.awaw.turn.missions.overflight import air_distance
from flagplot.awaw.turn.nations import side_of_nation
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.rules import rule

# --- who may fly ------------------------------------------------------------------------------------------------


@rule("18.41", "18.41.1", "18.41.2", "18.45", "18.45.1", "18.45.2", "18.49", "23.162")
def available(state: State, side: str, task: Task, at: Hex) -> Force:
    """18.41: the land-based air of a side that may fly a mission over a hex: uninverted, in range, from a base that
    lets it, and neither committed nor used at sea in this player turn (23.162). Range counts from where it is now, so
    it adds to staging (18.45). Nobody flies out of a mapboard box, or into one unless to bomb it (18.49). Army air
    flies in factors."""
    force: Force = {}
    if task not in BOMBING and is_box(state, at):
        return force
    for base in state.of_side(side):
        place = state.place(base)
        hexes = None if place.afloat else flying_distance(state, base, at)
        if hexes is None:
            continue
        for which in state.sites[base].air:
            number = free_to_fly(state, which) if which.reach >= hexes else 0
            if number and not may_perform(which.arm, task) and not cannot_start(state, which, task, place, hexes):
                add(force, which, number)
    return force


@rule("18.49")
def is_box(state: State, at: Hex) -> bool:
    """18.49: whether a hex stands for a mapboard box."""
    return any([place.box and place.at == at for place in state.scene.places.values()])


@rule("18.49", "18.51", "18.51.1", "18.51.2", "18.45.3", "18.621")
def cannot_start(state: State, which: Unit, task: Task, place: Place, hexes: int = 0) -> Refusal | None:
    """18.51: why units do not fly something from a base. Offensive missions start from fully supplied bases without oil
    effects; defensive ones, and those at sea, from others too, but over their own hex alone (18.45), and from
    unsupplied bases not at all; nobody flies out of a box (18.49)."""
    if place.box:
        return _IN_A_BOX
    if not is_mission_base(state, which, place):
        return _NO_MISSION_BASE
    if task in OFFENSIVE:
        return unfit(place)
    return None if may_fly(place, hexes) else unfit(place) or _FROZEN


_IN_A_BOX = Refusal("no missions in or out of a mapboard box", "18.49")
_NO_MISSION_BASE = Refusal("missions fly from cities and airbases", "18.51")
_FROZEN = Refusal("in the worst winter it flies only over its own hex", "18.45.3")


def is_mission_base(state: State, which: Unit, place: Place) -> bool:
    """18.51: whether missions of some units start from a place that is supplied."""
    return flies_missions(place, which, state.setting.options)


@rule("18.41", "18.41.1", "23.162")
def free_to_fly(state: State, which: Unit) -> int:
    """How many of such units in their base may fly a mission: none that are inverted, committed, or were used at sea;
    army air, jets and transports only as whole factors (23.141A)."""
    site = state.sites[which.home]
    if which.inverted or which not in site.air or (not which.is_factor and not which.is_naval):
        return 0
    return max(0, site.air[which] - site.committed.get(which, 0) - site.used.get(which, 0))


COMMITTED = Refusal("committed elsewhere this player turn", "18.41")
USED_AT_SEA = Refusal("used at sea this player turn: no other mission", "23.162")
NO_FACTOR = Refusal("its squadrons make no uninverted factor", "23.144")


def grounded(state: State, which: Unit) -> Refusal | None:
    """Why none of some uninverted units in their base may fly a mission."""
    site = state.sites[which.home]
    if free_to_fly(state, which):
        return None
    if site.air.get(which, 0) <= site.committed.get(which, 0):
        return COMMITTED
    return USED_AT_SEA if site.used.get(which, 0) else NO_FACTOR


@rule("18.48", "18.45")
def flying_distance(state: State, base: str, at: Hex) -> int | None:
    """18.48: how far a hex is from a base for air units, which go around what they may not fly over."""
    return air_distance(state, state.place(base).at, at)


@rule("23.141A", "23.141A.1")
def form_up(state: State, side: str) -> None:
    """23.141A: squadrons of a side that did nothing at sea are put together again, so that they can fly missions."""
    for base in state.of_side(side):
        site = state.sites[base]
        form_factors(site)
        if site.transports:
            squadrons = {which: number for which, number in site.air.items() if which.arm is Arm.TRANSPORT}
            others = {which: number for which, number in site.air.items() if which.arm is not Arm.TRANSPORT}
            whole = recombine(squadrons, site.transports, state.setting.options.transport_losses)
            site.air, site.transports = merged(others, whole), []


# --- inversion --------------------------------------------------------------------------------------------------


def side_of(state: State, which: Unit) -> str:
    """The side that some units belong to, wherever they are."""
    return side_of_nation(state, which.nation)


@rule("18.42A", "18.43", "18.46.1")
def invert(state: State, which: Unit, number: int, by: str, why: str, until: Until = Until.TURN_END) -> None:
    """18.42: so many units in their base are inverted, or are so already, and it is written down by which rule, why,
    and until when."""
    down = which.turned(inverted=True)
    if not which.inverted:
        site = state.sites[which.home]
        _carry_marks(state, which, number)
        take(site.air, which, number)
        add(site.air, down, number)
    rewrite(state, [*state.turn.down, Down(down, number, by, why, until)])


def _carry_marks(state: State, which: Unit, number: int) -> None:
    """Those without a mark are taken to be inverted first; the others keep theirs."""
    there = state.sites[which.home].air.get(which, 0)
    for mark in list(state.turn.marks):
        some = lift(state, mark, which, max(0, number - max(0, there - marked(state, mark, which))))
        set_mark(state, mark, which.turned(inverted=True), some)


def uninvert(state: State, which: Unit, number: int) -> None:
    """So many inverted units in their base are uninverted, those first that are free to be so the longest."""
    air = state.sites[which.home].air
    take(air, which, number)
    add(air, which.turned(inverted=False), number)
    _, left = _split(_of(state, which), number)
    rewrite(state, [*_but(state, which), *left])


def moved(state: State, old: Unit, new: Unit, number: int) -> None:
    """Inverted units have changed base: why they are inverted goes with them."""
    taken, left = _split(_of(state, old), number)
    rewrite(state, [*_but(state, old), *left, *[entry._replace(which=new) for entry in taken]])


_SOONEST = (Until.NOW, Until.TURN_END, Until.NEXT_TURN)


def _of(state: State, which: Unit) -> list[Down]:
    """What is written down of some units, those first that are soonest free."""
    return sorted(
        [entry for entry in state.turn.down if entry.which is which], key=lambda entry: _SOONEST.index(entry.until)
    )


def _but(state: State, which: Unit) -> list[Down]:
    return [entry for entry in state.turn.down if entry.which is not which]


def _split(entries: Iterable[Down], number: int) -> tuple[list[Down], list[Down]]:
    """The first so many units of some entries, and the others."""
    taken, left = [], []
    for entry in entries:
        some = min(number, entry.number)
        number -= some
        if some:
            taken.append(entry._replace(number=some))
        if entry.number > some:
            left.append(entry._replace(number=entry.number - some))
    return taken, left


def rewrite(state: State, entries: Iterable[Down]) -> None:
    """What is written down from here on."""
    state.turn.down = _settled(entries)


def _settled(entries: Iterable[Down]) -> list[Down]:
    """The entries in one order, those that say the same together: equal states are equal in every way."""
    counts: dict[tuple[Unit, str, str, Until], int] = {}
    for which, number, by, why, until in entries:
        key = (which, by, why, until)
        counts[key] = counts.get(key, 0) + number
    made = [Down(which, number, by, why, until) for (which, by, why, until), number in counts.items()]
    return sorted(made, key=lambda entry: (entry.which.text, entry.rule, entry.why, entry.until))


# --- what others have inverted ----------------------------------------------------------------------------------


def reconcile(state: State, by: str = "", why: str = "", until: Until = Until.TURN_END) -> None:
    """Counterair, attacks on bases and naval battles invert air without a word: it gets its reason here, the given one
    or that which fits what happened. Who is no longer inverted, or gone, is struck out."""
    state.turn.down = reasons(state, by, why, until)


def _kept(state: State) -> tuple[list[Down], list[Down]]:
    """Of what is written down that which still holds, and that of units which are gone, or not inverted any more."""
    known: list[Down] = []
    gone: list[Down] = []
    for which in dict.fromkeys([entry.which for entry in state.turn.down]):
        kept, left = _split(_of(state, which), state.sites[which.home].air.get(which, 0))
        known += kept
        gone += left
    return known, gone


def reasons(state: State, by: str = "", why: str = "", until: Until = Until.TURN_END) -> list[Down]:
    """Why all the inverted air on the map is inverted, and until when, as `reconcile` would write it down."""
    known, gone = _kept(state)
    orphans: dict[tuple[str, str, Arm], Down] = {}
    for entry in gone:
        orphans.setdefault((entry.which.home, entry.which.nation, entry.which.arm), entry)
    written: dict[Unit, int] = {}
    for entry in known:
        written[entry.which] = written.get(entry.which, 0) + entry.number
    unknown = {
        which: rest
        for base, site in state.sites.items()
        if base in state.scene.places and not state.place(base).afloat
        for which, number in site.air.items()
        if which.inverted and (rest := number - written.get(which, 0)) > 0
    }
    given = (by, why, until)
    return _settled(known + [_explained(state, one, number, orphans, given) for one, number in unknown.items()])


def _explained(
    state: State, which: Unit, number: int, orphans: dict[tuple[str, str, Arm], Down], given: tuple[str, str, Until]
) -> Down:
    """The reason of inverted units that have none yet: that of the squadrons they were put together from, or of the
    base that they have left, else the given one, else what must have happened."""
    orphan = orphans.get((which.home, which.nation, which.arm))
    if (
        orphan is None
        and side_of(state, which) != state.moving
        and which.home not in state.operation.last_raids.inverted
    ):
        fled = [
            entry for entry in orphans.values() if (entry.which.nation, entry.which.arm) == (which.nation, which.arm)
        ]
        orphan = fled[0] if fled else None
    if orphan is not None:
        return orphan._replace(which=which, number=number)
    if given[0]:
        return Down(which, number, *given)
    return Down(which, number, *_presumed(state, which))


@rule("18.42A", "18.43", "18.524A", "18.526A", "18.523.3")
def _presumed(state: State, which: Unit) -> tuple[str, str, Until]:
    """18.42, 18.43: air of the moving side has flown a mission; that of the other side was forced to abort over its
    base, or has left one that was attacked."""
    if not state.turn.step:
        return "18.7", "was inverted as the game began", Until.NOW
    if side_of(state, which) == state.moving:
        return "18.42A", "has flown a mission in this player turn", Until.TURN_END
    if which.home in state.operation.last_raids.inverted:
        return "18.43", "was forced to abort by an attack on its base", Until.TURN_END
    return "18.43", "has left a base under attack", Until.TURN_END
