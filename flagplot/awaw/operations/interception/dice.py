"""The dice of an interception (22.21, 22.22), counted from the map, and what they lead to (22.23, 22.24)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache

from flagplot.awaw.air_units import Force
from flagplot.awaw.basing import distance
from flagplot.awaw.battle.air_plan import SEARCHERS
from flagplot.awaw.conversion import break_down
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.interception.hexes import began_at_sea, forces_on_leg
from flagplot.awaw.operations.interception.interceptors import is_russian, theatre
from flagplot.awaw.operations.interception.sailing_together import companions, is_known, nations, same_path
from flagplot.awaw.reach import may_fly
from flagplot.awaw.ships import Fleet, Kind, is_slow
from flagplot.awaw.state.operation import Activity, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.counts import Intercepted, arrival_round, interception_dice, interception_distance
from flagplot.kernel.effects import Effect
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.requests import Faces
from flagplot.kernel.rules import rule

CARGO = frozenset({Activity.SEA_SUPPLY, Activity.SEA_TRANSPORT, Activity.INVASION, Activity.SEA_ESCORT})
MOST_SPOTTERS = 3
SUBMARINE_HEXES = 3
"""How near to the interception hex submarines help (22.22H)."""


@rule("22.22", "22.22A", "22.22B", "22.22C", "22.22E", "22.22F", "22.22I", "22.18F", "T22.21-15", "22.253", "22.21")
def prey(state: State, key: str, leg: int, at: Hex, *, russian: bool = False) -> Intercepted:
    """22.22: what is counted about a voyage that is to be intercepted in a hex of a leg. Counter-interceptions are
    counted alike (T22.21-15), and for returning forces everything is counted afresh (22.18F)."""
    operation = state.operation
    voyage = operation.voyages[key]
    side = state.other(voyage.side)
    return Intercepted(
        cargo=carries_cargo(voyage),
        bombardment=voyage.activity is Activity.BOMBARDMENT,
        carrier_mission=voyage.activity is Activity.CARRIER_MISSION,
        patrol_staying=voyage.staying,
        counter_in_hex=voyage.level > 0 and at == voyage.meet,
        task_forces=task_forces(state, key, leg, at),
        ground_defenders=ground_defenders(state, voyage, at),
        spotters=spotters(state, side, voyage, at, russian=russian),
        submarines=assisting_submarines(state, side, at),
        card_lead=int(operation.plan.strategic == side),
    )


@rule("22.22A")
def carries_cargo(voyage: Voyage) -> bool:
    """22.22A: whether a force carries cargo, or did on the way out and is on its return trip."""
    return voyage.level == 0 and (voyage.cargo or voyage.activity in CARGO)


@rule("22.22E", "22.141")
def task_forces(state: State, key: str, leg: int, at: Hex) -> int:
    """22.22E: the task forces that are intercepted: those of the force on this leg, and of all that are intercepted
    with it in the hex (22.141), if the enemy has asked for their paths too (`docs/rulings.md`); smaller forces do not
    count."""
    operation = state.operation
    voyage = operation.voyages[key]
    others = companions(state, key, at) if voyage.level == 0 else same_path(state, key, at)
    others = [other for other in others if is_known(operation.voyages[other])]
    keys = set(forces_on_leg(state, key, leg)).union(*(operation.sailing(operation.voyages[other]) for other in others))
    return sum([operation.fleet[force].group.task_force for force in keys])


@rule("22.22F")
def ground_defenders(state: State, voyage: Voyage, at: Hex) -> int:
    """22.22F: the ground factors that defend the hex against a seaborne invasion, if it is intercepted there."""
    if voyage.activity is not Activity.INVASION or at != voyage.path[-1]:
        return 0
    return state.ground_factors(state.other(voyage.side), at)


# --- air units that spot ----------------------------------------------------------------------------------------


@rule("22.22G", "22.22G.1", "22.22G.2", "22.22G.3", "22.22G.4", "22.18F", "18.59", "18.59.1", "23.11A", "23.131B")
@rule("18.42C")
def spotters(state: State, side: str, voyage: Voyage, at: Hex, *, russian: bool = False) -> int:
    """22.22G: the search squadrons that spot a force on its way to the interception hex or in it, at most three: those
    of army air, and naval squadrons ashore, uninverted and not committed, in operational bases in range of any of these
    hexes. That costs them nothing, and each counts for any number of attempts. Air that a patrol has attacked on its
    way has spotted it, even if it is lost. Russians spot for Russians alone. What was spotted on the way out does not
    count on the way home (22.18F)."""
    route = route_to(voyage, at)
    seen = 0
    for base in state.of_side(side):
        place = state.place(base)
        able = voyage.alerted.get(base, 0)
        if not place.afloat and not place.box:
            hexes = min([distance(place.at, hex_) for hex_ in route])
            if may_fly(place, hexes):
                able = max(able, searchers(state, base, hexes, russian=russian))
        seen += able
    return min(seen, MOST_SPOTTERS)


def route_to(voyage: Voyage, at: Hex) -> tuple[Hex, ...]:
    """The hexes that a force has entered and will enter up to a hex of its path; from sea not that where it starts."""
    last = voyage.path.index(at)
    return voyage.path[min(int(began_at_sea(voyage)), last) : last + 1]


@rule("22.22G.1", "22.22G.2", "22.22G.4", "23.131B")
def searchers(state: State, base: str, hexes: int = 0, *, russian: bool = False) -> int:
    """22.22G: the squadrons of a base that can spot so many hexes away; army air breaks down for it (23.131B)."""
    site = state.sites[base]
    ready: Force = {}
    for which, number in site.air.items():
        free = number - site.committed.get(which, 0)
        if free > 0 and not which.inverted and hexes <= which.reach and is_russian((which.nation,)) == russian:
            ready[which] = free
    return sum(
        [
            number
            for which, number in break_down(ready).items()
            if which.role in SEARCHERS and (which.is_naval or which.arm == "army")
        ]
    )


@rule("22.22H")
def assisting_submarines(state: State, side: str, at: Hex) -> int:
    """22.22H: submarines within three hexes of the interception hex, on patrol or uninverted in a base."""
    return sum(
        [
            flotilla.factors + flotilla.tried + flotilla.away
            for flotilla in state.operation.flotillas.values()
            if flotilla.side == side and distance(flotilla.at, at) <= SUBMARINE_HEXES
        ]
    )


# --- one attempt ------------------------------------------------------------------------------------------------


@rule("22.22", "22.22D", "22.22J", "22.22K", "22.22K.2", "22.22K.3", "22.915", "22.916A", "SOP-NI-D", "SOP-NI-D.1")
def dice_of(about: Intercepted, ships: Fleet | None, attempts: int) -> Ledger:
    """22.22: the dice of one attempt: what is known about the target, the ships that intercept (None for a submarine),
    and how many attempts there are on this activity, submarines apart (22.22K)."""
    if ships is None:
        return interception_dice(**about, submarine_force=True)
    return interception_dice(
        **about, cruisers_and_destroyers_only=light_only(ships), slow=is_slow(ships), attempts=attempts
    )


@rule("22.22D")
def light_only(ships: Fleet) -> bool:
    """22.22D: whether there are only cruisers and destroyers."""
    return all([which.kind in (Kind.CRUISER, Kind.DESTROYER) for which in ships])


def ships_of(state: State, forces: Iterable[str]) -> Fleet:
    """The ships of some forces, for counting; their order does not matter here."""
    together: Fleet = {}
    for key in forces:
        for which, number in state.operation.fleet[key].group.ships.items():
            together[which] = together.get(which, 0) + number
    return together


@rule("22.22K", "22.22K.2", "22.22K.3")
def attempts_on(state: State, target: str, leg: int) -> list[Voyage]:
    """22.22K: the attempts on one leg of a voyage; submarines do not count, nor do attempts on others."""
    return [voyage for _, voyage in state.operation.opposing(target, leg) if not voyage.flotilla]


@rule("22.22", "22.21")
def ledger_of(state: State, attempt: Voyage) -> Ledger:
    """22.22: the dice of an attempt that is declared, each with its reason."""
    russian = is_russian(nations(state, attempt))
    about = prey(state, attempt.target, attempt.leg, attempt.meet, russian=russian)
    ships = None if attempt.flotilla else ships_of(state, attempt.forces)
    return dice_of(about, ships, len(attempts_on(state, attempt.target, attempt.leg)))


class Reached(int):
    """The hexes that an intercepting force reaches."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"{int(self)} hex{'es' * (self != 1)}"

    def effect(self) -> Effect:
        """What it is worth when luck is judged."""
        return Effect(Fraction(int(self)), "hexes reached")


@cache
@rule("22.21", "22.23", "T22.21-13", "SOP-NI-D.2")
def hexes_reached(where: str) -> Callable[[Faces], Reached]:
    """22.21: the sum of the dice is the hexes reached; in the Pacific half of it, rounded up."""

    def reads(faces: Faces) -> Reached:
        return Reached(interception_distance(sum(faces), where))

    return reads


# --- what comes of it -------------------------------------------------------------------------------------------


@rule("22.23", "22.24A", "22.24B", "22.24B.3", "22.26A", "SOP-NI-E", "SOP-NI-E.1", "SOP-NI-E.2", "22.92")
def conclude(state: State, target: str, leg: int) -> None:
    """22.23: who reaches the interception hex is there in the first round; others join later by how far they fall
    short, if anybody but submarines has reached it (22.24B). If nobody has, all of them have stayed in port: they are
    not inverted, nobody counters or attacks them, and they do not try again in this stage (22.24A)."""
    tried = [voyage for _, voyage in state.operation.opposing(target, leg) if voyage.progress is Progress.ANNOUNCED]
    hexes = [voyage.meet for voyage in tried if not voyage.flotilla and _round(state, voyage) == 1]
    for voyage in tried:
        late = _round(state, voyage)
        if late == 1 or voyage.meet in hexes:
            _sets_out(state, voyage, late)
        else:
            _stays_in_port(state, voyage)


def _round(state: State, voyage: Voyage) -> int:
    return arrival_round(len(voyage.path) - 1, voyage.reached, theatre(state))


def _sets_out(state: State, voyage: Voyage, arrives: int) -> None:
    voyage.arrives = arrives
    for force in state.operation.sailing(voyage).values():
        force.patrol = ""


@rule("22.24A", "22.26A", "22.27", "22.92", "SOP-NI-K.2")
def _stays_in_port(state: State, voyage: Voyage) -> None:
    """22.24A: it never left. A submarine may try again in a later stage (22.92)."""
    operation = state.operation
    voyage.progress = Progress.OVER
    for force in operation.sailing(voyage).values():
        force.voyage = ""
    voyage.forces = []
    if voyage.flotilla:
        flotilla = operation.flotillas[voyage.flotilla]
        flotilla.away -= 1
        flotilla.tried += 1
