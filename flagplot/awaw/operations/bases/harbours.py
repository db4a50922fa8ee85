"""Ships in port under air attack (23.421, 23.443B, 17.3126-17.3127): who is there, what defends it, what hits do."""

from __future__ import annotations

from flagplot.awaw.air_combat import Circumstances, Combat
from flagplot.awaw.air_units import ARMY_ROLES, Force, Listed, Lost, Unit, add, take
from flagplot.awaw.battle.air_attack import Target
from flagplot.awaw.battle.cargo import note_carried, settle_cargo
from flagplot.awaw.battle.damage import deal_and_tell
from flagplot.awaw.battle.picking import pick
from flagplot.awaw.carriers_in_port import come_under_attack
from flagplot.awaw.conversion import break_down
from flagplot.awaw.counterair import invert_aborted
from flagplot.awaw.counting import combined
from flagplot.awaw.hits import Critical, Tally, destroying_roll, hit_named
from flagplot.awaw.operations.passage.homeward import mend
from flagplot.awaw.reach import squadrons_based
from flagplot.awaw.ships import Fleet, Ship, Ships, decks, defense_counts, name_of
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.operation import NavalForce
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.counts import air_defense_level
from flagplot.awaw.turn.basing.rooms import taken
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.requests import Choose, Headline, Note, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import how_many

# --- who is there -----------------------------------------------------------------------------------------------


@rule("23.43D")
def in_port(state: State, base: str) -> dict[str, NavalForce]:
    """The naval forces that lie in a port, damaged ships waiting for repair among them (23.43D); those sunk there are
    not counted any more."""
    forces = state.operation.fleet_of(state.place(base).side)
    return {key: force for key, force in forces.items() if force.in_port and force.base == base}


@rule("23.43", "23.43A", "23.43B", "23.424#2")
def harbour(state: State, base: str) -> Group:
    """23.43: all the ships in a port are one force to those who attack it: named ships one by one, light ships as
    one."""
    ships = combined([force.group.ships for force in in_port(state, base).values()])
    return Group(state.place(base).side, state.place(base).name, ships, False)


@rule("23.421.2", "23.4212", "23.4212A", "23.4212B", "23.4212C", "23.4213", "23.4211C")
def port_level(state: State, base: str) -> Ledger:
    """23.421: the air defense level of a port is that of all the ships in it, whoever is attacked, but those sunk
    there, and of what stands in its hex."""
    group = harbour(state, base)
    return air_defense_level(
        **defense_counts(group.ships)._asdict(),
        **state.place(base).defenses._asdict(),
        research=state.setting.best(group.side, "air_defense"),
    )


@rule("23.43")
class InPort(Target):
    """23.43: all the ships in a port, attacked from the air."""

    at_sea = False
    arrival = "The attack reaches the ships in {}"

    def __init__(self, state: State, base: str) -> None:
        place = state.place(base)
        self.side, self.name, self.attacker = place.side, place.name, state.other(place.side)
        self.state, self.base = state, base

    @property
    def ships(self) -> Fleet:
        return harbour(self.state, self.base).ships

    def circumstances(self, defending: Force) -> Circumstances:
        return Circumstances(Combat.NAVAL_BASE)

    def defense_level(self) -> Ledger:
        return port_level(self.state, self.base)

    @rule("23.424#2")
    def show(self) -> Script[None]:
        """23.424#2: if anybody gets through, everything in port is shown."""
        for force in in_port(self.state, self.base).values():
            force.seen = True
            told = ("{} in {} revealed: {}", force.marker, self.name, Ships(force.group.ships.items()))
            yield disclosed(told, "23.424#2", force.side)

    def hit_named(self, which: Ship, hits: int) -> Script[None]:
        return hit_in_port(self.state, self.attacker, self.base, which, hits)

    def hit_light(self, hits: int) -> Script[None]:
        return hit_light_in_port(self.state, self.base, hits)


# --- carriers' squadrons in port --------------------------------------------------------------------------------


@rule("17.3126", "17.3126A", "17.3126B", "17.3126D", "17.3126E", "18.521C", "23.411.1", "17.3124.6", "17.3122D.3")
def come_ashore(state: State, base: str) -> Script[None]:
    """17.3126: as a base is attacked the squadrons of the carriers in it come to light, and defend it as if they were
    based on land, whatever it can hold; they have the status of their carriers. Before that they are not among the air
    of the base, and do nothing else (17.3126E)."""
    for marker, aboard in come_under_attack(state, base):
        shown = ("{} in {}: {} aboard", marker, state.place(base).name, Listed(aboard.items()))
        yield disclosed(shown, "17.3126", state.place(base).side)


def _there(state: State, base: str, which: Unit) -> dict[Unit, int]:
    """Squadrons such as these that are in the base now, the inverted ones first."""
    air, ashore = state.sites[base].air, state.rebased(which, base)
    forms = [ashore.turned(inverted=down) for down in (True, False)]
    return {form: air[form] for form in forms if form in air}


@rule("17.3126C.2", "18.526B", "17.3122D.1", "17.3124.7", "17.3126C")
def embark(state: State, key: str) -> Script[None]:
    """17.3126C: squadrons that have fought for the base may go aboard when their carriers go to sea; inverted ones have
    the status of the carrier then. Nobody flies onto a damaged carrier (17.3124), and who lies damaged in port is known
    to the owner: that squadrons have come ashore is all that the enemy can tell."""
    force = state.operation.fleet[key]
    base, ashore, force.ashore = force.base, force.ashore, {}
    if not ashore:
        return
    words = ("{}: embarking squadrons on {}", state.name(force.side), force.marker)
    script = _go_aboard(state, key, _able_to_embark(state, force, ashore))
    aboard: Force = yield from secretly(force.side, words, script, "17.3126")
    for which, number in aboard.items():
        _leave(state, base, which, number)
        add(force.group.air, which, number)
    if aboard:
        told = ("{}: {} embarked on {}", state.name(force.side), Listed(aboard.items()), force.marker)
        yield disclosed(told, "17.3126", force.side)


def _able_to_embark(state: State, force: NavalForce, ashore: Force) -> Force:
    """The squadrons of a force that are still in its port, as far as its undamaged carriers have room for them."""
    sound = {country: holds for country, (holds, _) in decks(force.group.ships).items()}
    for which, number in force.group.air.items():
        sound[which.nation] = sound.get(which.nation, 0) - number
    able: Force = {}
    for which, number in ashore.items():
        some = min(number, sound.get(which.nation, 0), sum(_there(state, force.base, which).values()))
        if some > 0:
            able[which] = some
            sound[which.nation] -= some
    return able


def _go_aboard(state: State, key: str, able: Force) -> Script[Force]:
    """All that can go, or nobody."""
    if not able:
        return {}
    force = state.operation.fleet[key]
    question = ("{} puts to sea: embark {}?", force.marker, Listed(able.items()))
    labels = {"aboard": "Embark", "ashore": "Stay ashore"}
    chosen: str = yield Choose(force.side, ("embark", key), [*labels], question, labels, "17.3126")
    return able if chosen == "aboard" else {}


def _leave(state: State, base: str, which: Unit, number: int) -> None:
    """So many squadrons of a kind leave a base, inverted ones first."""
    for form, there in _there(state, base, which).items():
        some = min(number, there)
        if some:
            take(state.sites[base].air, form, some)
            number -= some


@rule("17.3127", "17.3126#note1.1", "17.3124.1")
def displace(state: State, base: str) -> Script[None]:
    """17.3127: squadrons whose carriers were sunk in port are based there from now on; those for whom there is no room
    are lost. Squadrons whose carriers are afloat, damaged or not, take no room."""
    homeless: Force = {}
    for force in [
        force for _, force in state.operation.everybody() if force.in_port and force.base == base and force.ashore
    ]:
        bases = {country: sum(both) for country, both in decks(force.group.ships).items()}
        for which in list(force.ashore):
            there = min(force.ashore.pop(which), sum(_there(state, base, which).values()))
            kept = min(there, bases.get(which.nation, 0))
            if kept:
                bases[which.nation] -= kept
                add(force.ashore, which, kept)
            add(homeless, which, there - kept)
    for which, number in homeless.items():
        yield from _find_room(state, base, which, number)


@rule("17.3127")
def _find_room(state: State, base: str, which: Unit, homeless: int) -> Script[None]:
    """17.3127: squadrons that lost their carriers need room in the base; those whose carriers still float do not."""
    site, place = state.sites[base], state.place(base)
    holds = squadrons_based(place, state.setting.pacific) + place.island
    lost = min(homeless, max(0, taken(state, base) - holds))
    if lost:
        question = ("No room ashore. How many of {} are lost?", "No room ashore. Is {} lost?", "Spare it", "Lose it")
        gone = yield from pick(place.side, "lose", _there(state, base, which), lost, question, "17.3127")
        for form, number in gone.items():
            take(site.air, form, number)
        state.lose(gone)
        told = ("{}: {} lost with the carriers", state.name(place.side), Lost(gone.items()))
        yield Note(told, "17.3127", headline=Headline("air-lost"))


# --- the defenders of a base ------------------------------------------------------------------------------------


@rule("23.413")
def ready(air: Force) -> Force:
    """23.413: those who fight although nobody counterairs them: uninverted air, but no transports."""
    return {which: number for which, number in air.items() if not which.inverted and which.strength}


@rule("23.412A.1")
def rouse(state: State, base: str) -> None:
    """23.412A: defenders that an earlier attack of this phase has aborted fight again."""
    operation = state.operation
    site = state.sites[base]
    for which, number in _as_based(operation.last_raids.inverted[base], site.air).items():
        some = min(number, site.air.get(which.turned(inverted=True), 0))
        if some:
            take(site.air, which.turned(inverted=True), some)
            add(site.air, which, some)
            site.aborted[which] = some
    operation.last_raids.inverted[base] = {}


def _as_based(aborted: Force, air: Force) -> Force:
    """Units that were aborted, as squadrons if they have been broken down since (23.13)."""
    return break_down(aborted) if any([which.role in ARMY_ROLES for which in air]) else aborted


@rule("23.412A.2", "18.526A", "17.3126C.1")
def settle_defenders(state: State, base: str) -> Script[None]:
    """18.526: after an attack squadrons without carriers find room ashore, and the defenders whom the attacker's last
    roll has aborted are inverted, unless another round follows (23.412A)."""
    yield from displace(state, base)
    site = state.sites[base]
    state.operation.last_raids.inverted[base] = {
        which: min(number, site.air.get(which, 0)) for which, number in site.aborted.items()
    }
    invert_aborted(site)


# --- hits -------------------------------------------------------------------------------------------------------


@rule("23.443B.1", "23.443B.2", "23.443B.3", "23.443B.4")
def hit_in_port(state: State, side: str, base: str, which: Ship, hits: int) -> Script[None]:
    """23.443B: a named ship that is sunk in port lies there, unless a critical hit destroys it; one that is damaged
    stays; hits too few to damage it are wiped off."""
    force = next(force for force in in_port(state, base).values() if which in force.group.ships)
    after = hit_named(force.group.ships, which, hits)
    if after is not None:
        mend(force.group.ships)
        words = "{} damaged" if after.damaged else "{}: too few hits to damage it; hits removed"
        told = Headline("damaged", (which.id,)) if after.damaged else None
        yield Note((words, which.name), "23.443B", headline=told)
        return
    whole = which.bearing(0)
    add(state.losses.ships, whole, 1)
    sunk = Headline("sunk", (which.id,))
    roll = destroying_roll(side, whole, state.setting.options)
    if roll is not None and (yield roll) is Critical.DESTROYED:
        yield Note(("{} destroyed", which.name), "23.443B", headline=sunk)
        return
    add(force.sunk_in_port, whole, 1)
    yield Note(("{} sunk in port, resting on the bottom", which.name), "23.443B", headline=sunk)


@rule("23.443B.1", "23.443B.3", "23.45", "22.82A.2")
def hit_light_in_port(state: State, base: str, hits: int) -> Script[None]:
    """23.43B: light ships in port are one target; those sunk are gone, and damaged cruisers stay (by assumption only
    named ships can lie sunk in port). Cargo goes down with its ships here too (22.82A)."""
    group, forces = harbour(state, base), in_port(state, base)
    for force in forces.values():
        note_carried(force.group)
    before = {which: number for which, number in group.ships.items() if which.light}
    name = ("light ships in {}", group.name)
    yield from deal_and_tell(state, group, group.ships, hits, Tally(), "23.443B", name)
    damaged = {which: more for which in group.ships if (more := group.ships[which] - before.get(which, 0)) > 0}
    gone = {which: less for which in before if (less := before[which] - group.ships.get(which, 0)) > 0}
    for which, number in damaged.items():
        if which.light:
            sound = which.bearing(0)
            yield from _among(state, base, sound, number, which)
            gone[sound] -= number
    for which, number in gone.items():
        if number:
            yield from _among(state, base, which, number, None)
    for force in forces.values():
        yield from settle_cargo(state, force.group, force.marker)


def _among(state: State, base: str, which: Ship, number: int, after: Ship | None) -> Script[None]:
    """So many ships of a kind are damaged or sunk; if several forces have such ships the owner says whose they are."""
    forces = {key: force for key, force in in_port(state, base).items() if which in force.group.ships}
    rest = sum([force.group.ships[which] for force in forces.values()])
    for key, force in forces.items():
        there = force.group.ships[which]
        rest -= there
        values = range(max(0, number - rest), min(there, number) + 1)
        fate = "damaged" if after else "sunk"
        question = ("{} {} {}: how many from {}?", number, name_of(which, 2), fate, force.marker)
        some: int = yield Choose(force.side, (fate, key, which.tag), values, question, how_many, "23.45")
        if some:
            take(force.group.ships, which, some)
            if after is None:
                add(state.losses.ships, which.bearing(0), some)
            else:
                add(force.group.ships, after, some)
            number -= some
