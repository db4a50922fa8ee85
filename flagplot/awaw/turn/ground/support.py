"""Ground attacks are announced, and air units fly to support them (18.55).

Which ground units attack which hexes is said first; then land-based air is sent. Invaders at sea are supported before
they sail, and what becomes of their support hangs on whether they arrive (18.5551).
"""

from __future__ import annotations

from collections.abc import Iterator

from flagplot.awaw.air_units import Force, Listed
from flagplot.awaw.basing import distance
from flagplot.awaw.battle.picking import Asked, asked_about, gather
from flagplot.awaw.counterair import launch
from flagplot.awaw.mapboard.hexes import Hex, hex_text
from flagplot.awaw.operations.names import factors_long, force_name, hex_name, hex_title
from flagplot.awaw.procedures import ground_support
from flagplot.awaw.state.operation import Activity
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Flight, FlightKind, GroundAttack, GroundUnit, Kind, Phase
from flagplot.awaw.turn.ground.carriers_at_sea import within
from flagplot.awaw.turn.ground.strengths import (
    THIRDS,
    air_of,
    defenders,
    ground_factors,
    support_ledger,
    support_limit,
    supporting,
    thirds,
)
from flagplot.awaw.turn.missions.abilities import Task
from flagplot.awaw.turn.missions.inversion import available, form_up
from flagplot.awaw.turn.nations import unit_name, unit_names
from flagplot.awaw.turn.transport.airdrops import AIRDROP, airborne_in_reach, airdrop_targets
from flagplot.awaw.turn.transport.passengers import passengers
from flagplot.kernel.procedures import END, Next
from flagplot.kernel.refusal import Reason, Refusal
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, capital, listing

ALL, DONE, NONE = "all", "done", "none"
KINDS = {Phase.MOVEMENT: "overrun", Phase.COMBAT: "regular", Phase.EXPLOITATION: "exploitation"}
"""What ground attacks are called in each phase."""
_VERBS = {"overrun": "overrun", "regular": "attack", "exploitation": "exploit"}


# --- which hexes, with which units ------------------------------------------------------------------------------


@ground_support.segment("18.5551", "Seaborne invasions are attacks on their destination")
@rule("18.5551", "18.551")
def plan_invasions(state: State) -> Script[Next]:
    """18.5551: air units may support an invasion from the sea."""
    turn = state.turn
    turn.attacks, turn.fought, turn.stormed, turn.ashore = [], [], [], []
    for key, voyage in state.operation.voyages.items():
        if voyage.activity is not Activity.INVASION or voyage.level or not voyage.is_open or voyage.joins:
            continue
        names = [name for name in passengers(state, key) if name in turn.units]
        if names:
            at = voyage.path[-1]
            _invade(state, at, names, key)
            told = ("{}: seaborne invasion of {} with {}, by {}", state.name(voyage.side), hex_name(state, at))
            yield Note((*told, unit_names(state, names), force_name(state, voyage)), "18.5551")
    return None


def _invade(state: State, at: Hex, names: list[str], voyage: str) -> None:
    """Invaders of one hex attack it together, whichever voyage brings them."""
    turn = state.turn
    for attack in turn.attacks:
        if attack.hexes == (at,):
            attack.units += names
            return
    turn.attacks.append(GroundAttack((at,), names, "invasion", voyage=voyage))


@ground_support.segment("18.551", "Ground attacks are announced")
@rule("18.551", "18.512D")
def plan_attacks(state: State) -> Script[Next]:
    """18.551: the moving side names the hexes that its ground units attack, and the units."""
    while (yield from plan_attack(state)) is not None:
        pass
    return None


def plan_attack(state: State) -> Script[GroundAttack | None]:
    """One attack of the present phase: its hexes and its ground units, or nothing."""
    side, kind = state.moving, KINDS[Phase(state.turn.step)]
    found = {hex_text(at): at for at in targets(state)}
    if not found:
        return None
    labels: dict[str, Words] = {text: target_words(state, at) for text, at in found.items()}
    labels[DONE] = "No more attacks"
    verb, question = _VERBS[kind], "Choose an enemy hex to attack"
    chosen: str = yield Choose(side, verb, [*found, DONE], question, labels, "18.551")
    return None if chosen == DONE else (yield from plan_at(state, found[chosen]))


def plan_at(state: State, at: Hex) -> Script[GroundAttack]:
    """An attack on a hex: with which units, and whether other hexes are part of it."""
    turn = state.turn
    side, kind = state.moving, KINDS[Phase(turn.step)]
    units = yield from _choose_units(state, at)
    hexes = yield from _choose_more(state, at, units)
    attack = GroundAttack(hexes, units, kind)
    turn.attacks.append(attack)
    where = listing([hex_name(state, at) for at in hexes])
    strength = factors_long(ground_factors(state, units))
    told = ("{}: {} against {} with {} ({})", state.name(side), NOUNS[kind], where, unit_names(state, units), strength)
    yield Note(told, "18.551")
    return attack


NOUNS = {
    "overrun": "an overrun",
    "regular": "a ground attack",
    "exploitation": "an exploitation attack",
    "invasion": "a seaborne invasion",
    "airdrop": "an airdrop",
}


def target_words(state: State, at: Hex) -> Words:
    units = defenders(state, [at])
    defence = sum([unit.defence for unit in units.values()])
    return ("{}: {}, defence {}", hex_name(state, at), unit_names(state, units), defence)


def targets(state: State) -> list[Hex]:
    """The hexes with enemy ground units beside units of the moving side that may attack, each once in a phase."""
    turn = state.turn
    planned = [at for attack in turn.attacks for at in attack.hexes]
    enemy = {unit.at for unit in turn.units.values() if unit.side != state.moving and not unit.aboard}
    return [at for at in sorted(enemy) if at not in planned and at not in turn.stormed and attackers(state, at)]


@rule("18.551")
def attackers(state: State, at: Hex) -> list[str]:
    """18.551: the ground units of the moving side that can attack a hex: those beside it which have not attacked in
    this phase and are not to. Whoever overruns has movement left, and only armor exploits (`docs/rulings.md`)."""
    return [name for name, unit in state.turn.units.items() if not kept_from_attacking(state, name, unit, at)]


@rule("18.551")
def kept_from_attacking(state: State, name: str, unit: GroundUnit, at: Hex) -> Refusal | None:
    """18.551: why a ground unit does not attack a hex now."""
    turn = state.turn
    if unit.side != state.moving or unit.aboard or distance(unit.at, at) != 1:
        return Refusal("not adjacent", "18.551")
    if any([name in attack.units for attack in turn.attacks]):
        return Refusal("takes part in an attack already", "18.551")
    if name in turn.fought:
        return Refusal("already attacked in this phase", "18.551")
    if turn.step == Phase.EXPLOITATION and unit.kind is not Kind.ARMOR:
        return Refusal("only armor exploits", "18.512D")
    if turn.step == Phase.MOVEMENT and unit.movement <= 0:
        return Refusal("no movement left to overrun with", "18.511G")
    return None


def about_attacks(state: State, side: str) -> Iterator[Reason]:
    """18.551: which units next to the enemy do not attack, and which hexes were attacked already."""
    turn = state.turn
    if side != state.moving:
        return
    enemy = sorted({unit.at for unit in turn.units.values() if unit.side != side and not unit.aboard})
    for at in enemy:
        if at in turn.stormed:
            yield Refusal("already attacked in this phase", "18.551").about(hex_title(state, at))
    for name, unit in turn.units.items():
        beside = [] if unit.side != side or unit.aboard else [at for at in enemy if distance(unit.at, at) == 1]
        if beside and (refusal := kept_from_attacking(state, name, unit, beside[0])):
            yield refusal.about(capital(unit_name(state, name)))


def _choose_units(state: State, at: Hex) -> Script[list[str]]:
    """Unit after unit, or all of them together."""
    able, chosen = attackers(state, at), list[str]()
    labels: dict[str, Words] = {name: unit_words(state, name) for name in able}
    labels |= {ALL: "Attack with all", DONE: "No more units"}
    question = ("{}: choose attacking units", hex_title(state, at))
    while able:
        ends = [ALL] * (len(able) > 1) + [DONE] * bool(chosen)
        answer: str = yield Choose(state.moving, ("with", hex_text(at)), [*ends, *able], question, labels, "18.551")
        if answer == DONE:
            break
        chosen += able if answer == ALL else [answer]
        able = [] if answer == ALL else [name for name in able if name != answer]
    return chosen


def unit_words(state: State, name: str) -> Words:
    """A ground unit in a label."""
    unit = state.turn.units[name]
    return ("{}, {}, {}", unit_name(state, name), unit.kind.value, factors_long(unit.factors))


@rule("18.551.2")
def _choose_more(state: State, at: Hex, units: list[str]) -> Script[tuple[Hex, ...]]:
    """18.551: an attack may be on more than one hex, if each attacking unit is beside all of them."""
    hexes = [at]
    while True:
        more = {
            hex_text(other): other
            for other in targets(state) or ()
            if other not in hexes and all([distance(state.turn.units[name].at, other) == 1 for name in units])
        }
        labels: dict[str, Words] = {text: target_words(state, other) for text, other in more.items()}
        labels[NONE] = "Only this hex"
        question = "Attack another hex as well?"
        verb = ("also", hex_text(at))
        chosen: str = yield Choose(state.moving, verb, [NONE, *more], question, labels, "18.551")
        if chosen == NONE:
            return tuple(hexes)
        hexes.append(more[chosen])


@ground_support.segment("18.551", "Drop zones for airborne units are named")
@rule("18.551", "18.554A")
def plan_airdrops(state: State) -> Script[Next]:
    """18.551: air may also support a hex that airborne units alone can attack. The airdrop itself is announced after
    the defender has sent his air (18.611); if it does not come the support is lost (18.555)."""
    turn = state.turn
    form_up(state, state.moving)
    while True:
        planned = [at for attack in turn.attacks for at in attack.hexes]
        found = {hex_text(at): at for at in airdrop_targets(state) if at not in planned}
        labels: dict[str, Words] = {text: target_words(state, at) for text, at in found.items()}
        labels[DONE] = "No airdrop"
        question = "Send ground support for an airdrop?"
        chosen: str = yield Choose(state.moving, "drop-zone", [*found, DONE], question, labels, "18.551")
        if chosen == DONE:
            return None
        turn.attacks.append(GroundAttack((found[chosen],), [], AIRDROP))


@rule("18.554A")
def count_on_airborne(state: State, attack: GroundAttack) -> None:
    """18.554A: airborne units that may join an attack count toward its limit, unless the support of another one counts
    on them already."""
    taken = 0
    for other in state.turn.attacks:
        if other is not attack and not other.done:
            used = thirds(air_of(supporting(state, other))) + THIRDS * other.cves
            taken += max(0, -(-used // (3 * THIRDS)) - ground_factors(state, other.units))
    attack.airborne = max(0, airborne_in_reach(state, attack.hexes) - taken)


# --- air units that support them --------------------------------------------------------------------------------


@ground_support.segment("18.551", "Land-based air flies to support the attacks")
@rule("18.551", "18.552", "18.512D", "17.23F", "17.33F")
def support(state: State) -> Script[Next]:
    """18.551: for each attack the moving side says which of its air in range gives ground support."""
    form_up(state, state.moving)
    for attack in state.turn.attacks:
        yield from support_attack(state, attack)
    return END


@rule("18.551", "18.551.1", "18.551.2", "18.554A", "18.511G", "18.512D")
def support_attack(state: State, attack: GroundAttack) -> Script[None]:
    """18.551: land-based air that reaches all the attacked hexes may support an attack, up to three factors for each
    ground factor (18.554A), and then for each factor of airborne units that may join it. Who has supported another
    attack of this player turn is inverted, and flies no more."""
    where = hex_title(state, attack.hexes[0])
    yield from _send_support(
        state, attack, "support", asked_about(where, "support the attack", "Hold back", "Support it")
    )
    count_on_airborne(state, attack)
    if attack.airborne:
        yield from _send_support(
            state, attack, "support-airdrop", asked_about(where, "support an airdrop", "Hold back", "Support it")
        )


def _send_support(state: State, attack: GroundAttack, verb: str, question: Asked) -> Script[None]:
    able, at = able_to_support(state, attack), attack.hexes[0]
    left = support_limit(state, attack) - thirds(air_of(supporting(state, attack)))
    air = yield from gather(
        state.moving,
        f"{verb}:{hex_text(at)}",
        able,
        within(able, left),
        0,
        question,
        "18.551",
        named=state.scene.name_of_place,
    )
    if air:
        launch(state, air)
        state.turn.flights.append(Flight(state.moving, FlightKind.GROUND_SUPPORT, at, air))
        ledger = support_ledger(air)
        told = ("{}: ground support over {} by {}, worth {}", state.name(state.moving), hex_name(state, at))
        yield Note((*told, Listed(air.items()), factors_long(ledger.total)), "18.551")


@rule("18.551", "18.551.2")
def able_to_support(state: State, attack: GroundAttack) -> Force:
    """18.551: the land-based air that may support an attack: it has to reach every hex that is attacked."""
    able, *others = [available(state, state.moving, Task.GROUND_SUPPORT, at) for at in attack.hexes]
    return {which: number for which, number in able.items() if all([which in there for there in others])}
