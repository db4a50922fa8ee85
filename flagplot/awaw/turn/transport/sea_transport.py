"""Air units that are carried by sea: by sea transport in the movement phase (18.24), by sea escort in the redeployment
phase (17.141B, 21.64). They embark in port, and are based where they are landed.

Aboard they are parts of the cargo, three laden factors for each factor and one for each naval squadron (21.434); what
happens to them at sea is a matter of the naval rules (22.82).
"""

from __future__ import annotations

from flagplot.awaw.air_units import Force, Lost, Unit, add, name_of, take
from flagplot.awaw.battle.cargo import unload
from flagplot.awaw.procedures import disembarking, embarking
from flagplot.awaw.state.operation import Activity, NavalForce
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Freight, Phase, Until
from flagplot.awaw.turn.basing.base_changes import described_as
from flagplot.awaw.turn.basing.redeploying import redeployments_left
from flagplot.awaw.turn.basing.relocation import clip_down, clip_site
from flagplot.awaw.turn.marks import REDEPLOYED, SHIPPED, STAGED, clip, free_of, set_mark
from flagplot.awaw.turn.missions.inversion import invert
from flagplot.awaw.turn.transport.landing import can_carry, come_ashore, lade
from flagplot.kernel.procedures import END, Next
from flagplot.kernel.requests import Choose, Note, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import how_many

CARRYING = {Phase.MOVEMENT: Activity.SEA_TRANSPORT, Phase.REDEPLOYMENT: Activity.SEA_ESCORT}
"""By phase: the naval activity that takes air units to another port."""


@embarking.segment("18.24", "Air units go aboard ships that are about to transport them")
@rule("18.24", "17.141B")
def embark(state: State) -> Script[Next]:
    """18.24: in the movement phase air units of a port go aboard naval forces that may be ordered to transport them to
    another, and in the redeployment phase aboard those that may be ordered to escort them (17.141B). How many ships a
    task force has for them is its owner's secret; what embarks is not (22.15)."""
    for key, force in state.operation.fleet_of(state.moving).items():
        if may_carry(state, key, force):
            words = ("{}: embarking air units in {}", state.name(force.side), state.place(force.base).name)
            loaded: Force = yield from secretly(force.side, words, _choose(state, key, force), "18.24")
            for which, number in loaded.items():
                load(state, force, which, number)
                told = ("{}: in {}, {} embarks {}", state.name(force.side), state.place(which.home).name)
                yield disclosed((*told, force.marker, described_as(which, number)), "18.24", force.side)
    return END


@rule("18.24", "18.24.1")
def may_carry(state: State, key: str, force: NavalForce) -> bool:
    """18.24: whether a force may be asked to carry air units, as far as everybody can tell: it lies in a port with some
    and may be ordered to another port on sea transport, or sea escort in the redeployment phase."""
    bound = [
        order
        for order in state.operation.plan.orders.get(key, ())
        if order.activity is CARRYING[Phase(state.turn.step)]
        and order.stage == state.now
        and _is_ours(state, order.base, force.side)
    ]
    return force.in_port and bool(bound) and not force.inverted and bool(able_to_embark(state, force.base))


def _is_ours(state: State, base: str, side: str) -> bool:
    return base in state.scene.places and state.place(base).side == side and bool(state.place(base).ports)


@rule("18.24.1", "17.141B")
def able_to_embark(state: State, base: str) -> Force:
    """18.24: the air units of a base that may be sea transported: those that have not staged in this turn. Those that
    redeploy by sea have not redeployed by air."""
    site = state.sites[base]
    mark = REDEPLOYED if state.turn.step == Phase.REDEPLOYMENT else STAGED
    free = {
        which: free_of(state, mark, which) - site.used.get(which, 0) - site.committed.get(which, 0)
        for which in site.air
        if which.is_factor or which.is_naval
    }
    return {which: number for which, number in free.items() if number > 0}


def _choose(state: State, key: str, force: NavalForce) -> Script[Force]:
    """How many of each kind, as far as there are ships for them; none beside other cargo."""
    loaded: Force = {}
    empty = not force.group.cargo
    ships = sum([number for which, number in force.group.ships.items() if empty and can_carry(which)])
    for which, number in able_to_embark(state, force.base).items():
        most = min(number, ships // which.size)
        if state.turn.step == Phase.REDEPLOYMENT:
            aboard = sum([some for other, some in loaded.items() if other.nation == which.nation])
            most = min(most, redeployments_left(state, which.nation) - aboard)
        if most > 0:
            question = ("Embark how many of {} on {}?", described_as(which, number), force.marker)
            verb = ("embark", key, which.tag, "inverted" if which.inverted else "ready")
            some: int = yield Choose(force.side, verb, range(most + 1), question, how_many, "18.24")
            if some:
                loaded[which] = some
                ships -= some * which.size
    return loaded


@rule("17.141B", "18.24")
def load(state: State, force: NavalForce, which: Unit, number: int) -> None:
    """17.141B: air units leave their base for the ships: three laden factors carry a factor, one a naval squadron."""
    take(state.sites[which.home].air, which, number)
    clip(state)
    clip_site(state, which.home)
    clip_down(state)
    name = cargo_name(state, force, which)
    lade(force.group, name, number * which.size)
    force.group.divisible = (*force.group.divisible, name)
    state.turn.freight[name] = Freight(which, number)


def cargo_name(state: State, force: NavalForce, which: Unit) -> str:
    """What such cargo is called; no two parts of it share a name."""
    status = "inverted " if which.inverted else ""
    return f"{status}{name_of(which, 2)} from {state.place(which.home).name}, {force.marker}"


# --- on land again ----------------------------------------------------------------------------------------------


@rule("18.24", "18.24.2")
def land_air(state: State, key: str, base: str) -> None:
    """18.24: the air units aboard a force are based where they are landed. They fly missions from there as others do,
    but do not stage in this turn; those that were escorted have redeployed. Of a factor a part is worth nothing."""
    turn = state.turn
    group = state.operation.fleet[key].group
    for name in [name for name in group.loads if name in turn.freight]:
        which, number = turn.freight[name]
        landed = min(number, group.loads[name] // which.size)
        turn.freight[name] = Freight(which, number - landed)
        if landed:
            ashore = state.rebased(which, base).turned(inverted=False)
            add(state.sites[base].air, ashore, landed)
            if which.inverted:
                invert(state, ashore, landed, "18.7", "was inverted when it was sea transported", Until.NOW)
            if base != which.home:
                mark = REDEPLOYED if turn.step == Phase.REDEPLOYMENT else SHIPPED
                set_mark(state, mark, ashore.turned(inverted=which.inverted), landed)


@disembarking.segment("18.15", "Air units come ashore or were lost")
@rule("18.15", "18.24")
def disembark(state: State) -> Script[Next]:
    """18.15: after the naval activities of the phase air units that did not get where they were bound for come ashore
    in the port in which their ships are; what no ship carries any more went down with one (22.82)."""
    turn = state.turn
    operation = state.operation
    for key, force in operation.everybody():
        if force.in_port and any([name in turn.freight for name in force.group.loads]):
            land_air(state, key, force.base)
            unload(force)
            back = ("{}: air units of {} come ashore in {}", state.name(force.side), force.marker)
            yield Note((*back, state.place(force.base).name), "18.15")
    at_sea = {name for force in operation.fleet.values() for name in force.group.loads}
    for name in [name for name in turn.freight if name not in at_sea]:
        which, number = turn.freight.pop(name)
        if number:
            state.lose({which: number})
            yield disclosed(("{} lost at sea", Lost([(which, number)])), "22.82", True)
    return END


def put_ashore(state: State, voyage: str, force: str) -> None:
    """The cargo of a force is where it was bound for; in an air turn there are ground and air units among it."""
    if state.turn_if_any is None:
        return
    come_ashore(state, voyage, force)
    if state.operation.voyages[voyage].activity in (Activity.SEA_TRANSPORT, Activity.SEA_ESCORT):
        land_air(state, force, state.operation.voyages[voyage].base)
