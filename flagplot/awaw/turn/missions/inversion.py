"""Who may fly, how air takes off and comes home, and why and until when it is inverted (18.41-18.46, 18.51).

`available` is the one place that says which land-based air may fly a mission. Whoever flies is taken from its base by
`launch` and comes back by `return_home`; `invert` writes down why a unit is inverted and until when.
"""

from __future__ import annotations

from collections.abc import Iterable

from flagplot.awaw.air_units import Arm, Force, From, Listed, Unit, add, take
from flagplot.awaw.conversion import recombine
from flagplot.awaw.counting import merged
from flagplot.awaw.operations.bases.sorties import form_factors
from flagplot.awaw.operations.names import hex_name
from flagplot.awaw.operations.state import Hex
from flagplot.awaw.reach import flies_missions, is_fit, may_fly, unfit
from flagplot.awaw.state import Place
from flagplot.awaw.turn.basing.geography import as_based
from flagplot.awaw.turn.basing.rooms import fits, lands
from flagplot.awaw.turn.marks import lift, marked, set_mark, without_units
from flagplot.awaw.turn.missions.abilities import BOMBING, OFFENSIVE, Task, may_perform
from flagplot.awaw.turn.missions.overflight import air_distance
from flagplot.awaw.turn.nations import side_of_nation
from flagplot.awaw.turn.state import Down, TurnState, Until
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

HOME, ELSEWHERE = "home", "elsewhere"


# --- who may fly ------------------------------------------------------------------------------------------------


@rule("18.41", "18.41.1", "18.41.2", "18.45", "18.45.1", "18.45.2", "18.49", "23.162")
def available(state: TurnState, side: str, task: Task, at: Hex) -> Force:
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
def is_box(state: TurnState, at: Hex) -> bool:
    """18.49: whether a hex stands for a mapboard box."""
    return any([place.box and place.at == at for place in state.setting.places.values()])


@rule("18.49", "18.51", "18.51.1", "18.51.2", "18.45.3", "18.621")
def cannot_start(state: TurnState, which: Unit, task: Task, place: Place, hexes: int = 0) -> Refusal | None:
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


_IN_A_BOX = Refusal("no missions are flown in a mapboard box, or out of one", "18.49")
_NO_MISSION_BASE = Refusal("missions are flown from cities and airbases", "18.51")
_FROZEN = Refusal("in the worst winter it flies over its own hex alone", "18.45.3")


def is_mission_base(state: TurnState, which: Unit, place: Place) -> bool:
    """18.51: whether missions of some units start from a place that is supplied."""
    return flies_missions(place, which, state.setting.options)


@rule("18.41", "18.41.1", "23.162")
def free_to_fly(state: TurnState, which: Unit) -> int:
    """How many of such units in their base may fly a mission: none that are inverted, committed, or were used at sea;
    army air, jets and transports only as whole factors (23.141A)."""
    site = state.sites[which.home]
    if which.inverted or which not in site.air or (not which.is_factor and not which.is_naval):
        return 0
    return max(0, site.air[which] - site.committed.get(which, 0) - site.used.get(which, 0))


COMMITTED = Refusal("committed elsewhere in this player turn", "18.41")
USED_AT_SEA = Refusal("was used at sea in this player turn, and flies no mission in it", "23.162")
NO_FACTOR = Refusal("its squadrons make no uninverted factor", "23.144")


def grounded(state: TurnState, which: Unit) -> Refusal | None:
    """Why none of some uninverted units in their base may fly a mission."""
    site = state.sites[which.home]
    if free_to_fly(state, which):
        return None
    if site.air.get(which, 0) <= site.committed.get(which, 0):
        return COMMITTED
    return USED_AT_SEA if site.used.get(which, 0) else NO_FACTOR


@rule("18.48", "18.45")
def flying_distance(state: TurnState, base: str, at: Hex) -> int | None:
    """18.48: how far a hex is from a base for air units, which go around what they may not fly over."""
    return air_distance(state, state.place(base).at, at)


@rule("23.141A", "23.141A.1")
def form_up(state: TurnState, side: str) -> None:
    """23.141A: squadrons of a side that did nothing at sea are put together again, so that they can fly missions."""
    for base in state.of_side(side):
        site = state.sites[base]
        form_factors(site)
        if site.transports:
            squadrons = {which: number for which, number in site.air.items() if which.arm is Arm.TRANSPORT}
            others = {which: number for which, number in site.air.items() if which.arm is not Arm.TRANSPORT}
            whole = recombine(squadrons, site.transports, state.setting.options.transport_losses)
            site.air, site.transports = merged(others, whole), []


# --- taking off and coming home ---------------------------------------------------------------------------------


def launch(state: TurnState, force: Force) -> None:
    """Air units leave their bases."""
    for which, number in force.items():
        take(state.sites[which.home].air, which, number)


@rule("18.46", "18.46.1", "18.42A", "18.524A")
def return_home(state: TurnState, force: Force, at: Hex, by: str, why: str, *, inverted: bool = True) -> Script[None]:
    """18.46: those who were over a hex return to their base, or to another one in range of it that was theirs as the
    phase began. Whoever has flown a mission is inverted under the rule `by` (18.42), and so is who lands elsewhere."""
    if not force:
        return
    side = side_of(state, next(iter(force)))
    free = [which for which, number in force.items() if len(landing_places(state, which, number, at)) > 1]
    home = yield from _all_go_home(state, side, at, len(free))
    for which, number in list(force.items()):
        left = number
        while left:
            left -= yield from _land(state, which, left, at, by, why, inverted=inverted, home=home)
    yield Note(("{}: back from {}: {}", state.name(side), hex_name(state, at), Listed(force.items())), by)


def side_of(state: TurnState, which: Unit) -> str:
    """The side that some units belong to, wherever they are."""
    return side_of_nation(state, which.nation)


def _all_go_home(state: TurnState, side: str, at: Hex, kinds: int) -> Script[bool]:
    """Whether all return to their own bases: asked once, if several kinds of units have a choice."""
    if kinds < 2:
        return False
    labels: dict[str, Words] = {HOME: "all of them", ELSEWHERE: "some land in another base"}
    question = ("Back from {}: do all return to their own bases?", hex_name(state, at))
    chosen: str = yield Choose(side, "land", (HOME, ELSEWHERE), question, labels, "18.46")
    return chosen == HOME


def _land(
    state: TurnState, which: Unit, number: int, at: Hex, by: str, why: str, *, inverted: bool, home: bool
) -> Script[int]:
    """Some units land together in one base, which the owner names if there are several: how many did. With `home` they
    land in their own, if it has room."""
    bases = landing_places(state, which, number, at)
    if home and which.home in bases:
        bases = {which.home: bases[which.home]}
    if not bases:
        yield from _nowhere(state, which, number, by, why)
        return number
    return (yield from land_in(state, which, number, bases, by, why, inverted=inverted))


def land_in(
    state: TurnState, which: Unit, number: int, bases: dict[str, int], by: str, why: str, *, inverted: bool = True
) -> Script[int]:
    """Some units land in one of several bases, as many as it has room for: how many did."""
    freely = not inverted and not which.inverted
    labels: dict[str, Words] = {
        base: ("{}, where they are inverted", state.place(base).name)
        if freely and base != which.home
        else state.place(base).name
        for base in bases
    }
    question = _where_to(state, which, number)
    chosen: str = yield Choose(side_of(state, which), ("land", which.tag), [*bases], question, labels, "18.46")
    fit = bases[chosen]
    landed = which if chosen == which.home else as_based(state, which, chosen)
    add(state.sites[chosen].air, landed, fit)
    if chosen != which.home:
        _bring_marks(state, which, landed, fit)
    if inverted or landed.inverted:
        invert(state, landed, fit, by, why)
    elif chosen != which.home:
        invert(state, landed, fit, "18.46", "landed in another base than it came from")
    return fit


def _where_to(state: TurnState, which: Unit, number: int) -> Words:
    verb = "does" if number == 1 else "do"
    return ("Where {} {} land?", verb, From(which, number, state.place(which.home).name))


@rule("18.46", "18.524A")
def choose_landing(state: TurnState, flown: Force, at: Hex) -> Script[Force]:
    """18.46: air that is back in its base from an attack lands in another one after all, if its owner likes: what it is
    where it has landed. Squadrons of a factor stay together in their own base."""
    from flagplot.awaw.turn.basing.relocation import relocate

    landed: Force = {}
    free = [which for which, number in flown.items() if len(_landings(state, which, number, at)) > 1]
    home = bool(free) and (yield from _all_go_home(state, side_of(state, free[0]), at, len(free)))
    for which, number in flown.items():
        bases = {which.home: number} if home else _landings(state, which, number, at)
        labels: dict[str, Words] = {base: state.place(base).name for base in bases}
        question = _where_to(state, which, number)
        chosen: str = yield Choose(side_of(state, which), ("land", which.tag), [*bases], question, labels, "18.46")
        if chosen == which.home:
            add(landed, which, number)
            continue
        some = bases[chosen]
        add(landed, relocate(state, which, some, chosen), some)
        if number > some:
            add(landed, which, number - some)
    return landed


def _landings(state: TurnState, which: Unit, number: int, at: Hex) -> dict[str, int]:
    """Where units that are back in their base from an attack can land, and how many of them."""
    there = min(number, state.sites[which.home].air.get(which, 0))
    bases = {which.home: there}
    if there == number and (which.is_factor or which.is_naval):
        bases |= {base: fit for base in _others(state, which, at) if (fit := min(number, fits(state, which, base)))}
    return bases


@rule("18.46", "18.46.1")
def landing_places(state: TurnState, which: Unit, number: int, at: Hex) -> dict[str, int]:
    """18.46: where so many units can land, and how many of them: their own base first, then operational bases in range
    of the hex that they come from which were theirs as the phase began. If some have room for all, these alone."""
    side = side_of(state, which)
    home = [which.home] if state.place(which.home).side == side else []
    bases = (*home, *_others(state, which, at))
    found = {base: fit for base in bases if (fit := min(number, lands(state, which, base)))}
    return {base: fit for base, fit in found.items() if fit == number} or found


def _others(state: TurnState, which: Unit, at: Hex) -> list[str]:
    """The other bases in range of a hex in which some units may land."""
    side = side_of(state, which)
    return [base for base in state.of_side(side) if base != which.home and _is_open(state, which, base, at, side)]


def _is_open(state: TurnState, which: Unit, base: str, at: Hex, side: str) -> bool:
    place = state.place(base)
    if place.box or place.afloat or not is_fit(place) or state.held_at_start.get(base) != side:
        return False
    hexes = flying_distance(state, base, at)
    return hexes is not None and hexes <= which.reach


@rule("18.25.4", "18.46")
def _nowhere(state: TurnState, which: Unit, number: int, by: str, why: str) -> Script[None]:
    """18.25: whoever finds his base too full, and no other in range, is displaced from it; if it was taken meanwhile,
    not before the phase ends."""
    from flagplot.awaw.turn.basing.displacement import displace

    if state.place(which.home).side != side_of(state, which):
        state.absent.append(Down(which, number, by, why, Until.TURN_END))
        return
    add(state.sites[which.home].air, which, number)
    invert(state, which, number, by, why)
    yield from displace(state, which.home, surplus=True)


# --- inversion --------------------------------------------------------------------------------------------------


@rule("18.42A", "18.43", "18.46.1")
def invert(state: TurnState, which: Unit, number: int, by: str, why: str, until: Until = Until.TURN_END) -> None:
    """18.42: so many units in their base are inverted, or are so already, and it is written down by which rule, why,
    and until when."""
    down = which.turned(inverted=True)
    if not which.inverted:
        site = state.sites[which.home]
        _carry_marks(state, which, number)
        take(site.air, which, number)
        add(site.air, down, number)
    rewrite(state, [*state.down, Down(down, number, by, why, until)])


def _carry_marks(state: TurnState, which: Unit, number: int) -> None:
    """Those without a mark are taken to be inverted first; the others keep theirs."""
    there = state.sites[which.home].air.get(which, 0)
    for mark in list(state.marks):
        some = lift(state, mark, which, max(0, number - max(0, there - marked(state, mark, which))))
        set_mark(state, mark, which.turned(inverted=True), some)


@rule("18.72D.1")
def _bring_marks(state: TurnState, which: Unit, landed: Unit, number: int) -> None:
    """Units that land in another base than they flew from keep their marks there; those at home keep their own."""
    ready = which.turned(inverted=False)
    for mark in list(state.marks):
        some = lift(state, mark, ready, min(number, without_units(state, mark, ready)))
        set_mark(state, mark, landed, some)


def uninvert(state: TurnState, which: Unit, number: int) -> None:
    """So many inverted units in their base are uninverted, those first that are free to be so the longest."""
    air = state.sites[which.home].air
    take(air, which, number)
    add(air, which.turned(inverted=False), number)
    _, left = _split(_of(state, which), number)
    rewrite(state, [*_but(state, which), *left])


def moved(state: TurnState, old: Unit, new: Unit, number: int) -> None:
    """Inverted units have changed base: why they are inverted goes with them."""
    taken, left = _split(_of(state, old), number)
    rewrite(state, [*_but(state, old), *left, *[entry._replace(which=new) for entry in taken]])


_SOONEST = (Until.NOW, Until.TURN_END, Until.NEXT_TURN)


def _of(state: TurnState, which: Unit) -> list[Down]:
    """What is written down of some units, those first that are soonest free."""
    return sorted(
        [entry for entry in state.down if entry.which is which], key=lambda entry: _SOONEST.index(entry.until)
    )


def _but(state: TurnState, which: Unit) -> list[Down]:
    return [entry for entry in state.down if entry.which is not which]


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


def rewrite(state: TurnState, entries: Iterable[Down]) -> None:
    """What is written down from here on."""
    state.down = _settled(entries)


def _settled(entries: Iterable[Down]) -> list[Down]:
    """The entries in one order, those that say the same together: equal states are equal in every way."""
    counts: dict[tuple[Unit, str, str, Until], int] = {}
    for which, number, by, why, until in entries:
        key = (which, by, why, until)
        counts[key] = counts.get(key, 0) + number
    made = [Down(which, number, by, why, until) for (which, by, why, until), number in counts.items()]
    return sorted(made, key=lambda entry: (entry.which.text, entry.rule, entry.why, entry.until))


# --- what others have inverted ----------------------------------------------------------------------------------


def reconcile(state: TurnState, by: str = "", why: str = "", until: Until = Until.TURN_END) -> None:
    """Counterair, attacks on bases and naval battles invert air without a word: it gets its reason here, the given one
    or that which fits what happened. Who is no longer inverted, or gone, is struck out."""
    state.down = reasons(state, by, why, until)


def _kept(state: TurnState) -> tuple[list[Down], list[Down]]:
    """Of what is written down that which still holds, and that of units which are gone, or not inverted any more."""
    known: list[Down] = []
    gone: list[Down] = []
    for which in dict.fromkeys([entry.which for entry in state.down]):
        kept, left = _split(_of(state, which), state.sites[which.home].air.get(which, 0))
        known += kept
        gone += left
    return known, gone


def reasons(state: TurnState, by: str = "", why: str = "", until: Until = Until.TURN_END) -> list[Down]:
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
        if base in state.setting.places and not state.place(base).afloat
        for which, number in site.air.items()
        if which.inverted and (rest := number - written.get(which, 0)) > 0
    }
    given = (by, why, until)
    return _settled(known + [_explained(state, one, number, orphans, given) for one, number in unknown.items()])


def _explained(
    state: TurnState, which: Unit, number: int, orphans: dict[tuple[str, str, Arm], Down], given: tuple[str, str, Until]
) -> Down:
    """The reason of inverted units that have none yet: that of the squadrons they were put together from, or of the
    base that they have left, else the given one, else what must have happened."""
    orphan = orphans.get((which.home, which.nation, which.arm))
    if orphan is None and side_of(state, which) != state.moving and which.home not in state.attacked:
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
def _presumed(state: TurnState, which: Unit) -> tuple[str, str, Until]:
    """18.42, 18.43: air of the moving side has flown a mission; that of the other side was forced to abort over its
    base, or has left one that was attacked."""
    if not state.step:
        return "18.7", "was inverted as the game began", Until.NOW
    if side_of(state, which) == state.moving:
        return "18.42A", "has flown a mission in this player turn", Until.TURN_END
    if which.home in state.attacked:
        return "18.43", "was forced to abort by an attack on its base", Until.TURN_END
    return "18.43", "has left a base under attack", Until.TURN_END
