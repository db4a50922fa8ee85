"""Attacks on bases from the air (23.411-23.414, 23.5, 23.6): air units, ships in port, or both, sortie by sortie.

One side's land-based air, or the squadrons of its carriers, attack one base. In each sortie the attacker shares out
his air between counterair and the ships; one round of air combat, the air defense of the port and the attacks follow.
"""

from __future__ import annotations

from flagplot.awaw.air_combat import Combat, single_round
from flagplot.awaw.air_rounds import take_losses, tell_losses
from flagplot.awaw.air_units import Counted, Force, Listed, in_order, take
from flagplot.awaw.battle.air_attack import fire_at_air, squadrons_attack, take_aim
from flagplot.awaw.battle.picking import any_of, gather
from flagplot.awaw.conversion import break_down, fought_as_squadrons
from flagplot.awaw.counterair import engaged_defenders, fight_round, may_leave_after, no_combat, set_scale
from flagplot.awaw.counterair import put_together as put_together_site
from flagplot.awaw.counting import merged, without
from flagplot.awaw.dividing import bound_for, divide, next_errand, stand_apart
from flagplot.awaw.operations.bases.harbours import (
    InPort,
    come_ashore,
    harbour,
    in_port,
    ready,
    rouse,
    settle_defenders,
)
from flagplot.awaw.operations.bases.kamikazes_in_port import announce_port_dives, dived_at
from flagplot.awaw.operations.bases.sorties import fly_home, form_factors, form_up_again, regroup, reunite, stand_down
from flagplot.awaw.operations.bases.targets import (
    BASE_ATTACK,
    LAND_BASED,
    Permission,
    available,
    carrier_forces,
    enemy_bases,
    is_patrol,
    launchable,
    may_attack_ships,
    open_to_land_air,
    permission,
)
from flagplot.awaw.operations.bases.targets import carrier_targets as carrier_targets
from flagplot.awaw.operations.bases.targets import land_targets as land_targets
from flagplot.awaw.operations.bases.targets import offer_base_strike as offer_base_strike
from flagplot.awaw.operations.interception.dice import searchers
from flagplot.awaw.operations.passage.naval_air import used_by
from flagplot.awaw.operations.records.record import begin_base_attack, end_fight
from flagplot.awaw.procedures import base_strike, carrier_mission, escape, land_strikes, port_dive
from flagplot.awaw.state.air import Mission
from flagplot.awaw.state.battle import Strike
from flagplot.awaw.state.operation import BaseStrike
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.grids import AirResult
from flagplot.awaw.turn.missions.returning import land_attackers
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.requests import Choose, Note, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words, count_or_not

# --- who attacks what -------------------------------------------------------------------------------------------


@carrier_mission.segment("23.61B", "The carriers attack a base or are done")
@rule("23.61B")
def next_base(state: State, key: str) -> Script[Next]:
    """23.61B: from its mission hex a fast carrier mission attacks bases in range, one after the other."""
    attack = yield from offer_base_strike(state, key)
    if attack is None:
        return END
    state.operation.tasks |= dict.fromkeys(carrier_forces(state, key), BASE_ATTACK)
    return attack._replace(then=next_base)


@land_strikes.segment("23.141A", "Squadrons that did nothing at sea are factors again")
@rule("23.141A.1", "23.141A")
def put_together(state: State) -> Next:
    """23.141A: army air that was broken down and is not committed flies missions in factors."""
    for key in state.of_side(state.scene.attacker):
        form_factors(state.sites[key])
    return None


@land_strikes.segment("18.52", "Land-based air attacks a base or is done")
@rule("23.51", "18.511A", "18.512A", "18.525", "23.152B")
def next_counterair(state: State) -> Script[Next]:
    """23.51: first the counterair missions of the phase, against any bases, those with ships in port among them; one
    base after the other. Squadrons that were kept for other bases fly before anything else (23.152B)."""
    operation = state.operation
    operation.counterair_first = True
    kept = yield from next_errand(state)
    attack = Call(base_strike, (kept, LAND_BASED)) if kept else (yield from offer_base_strike(state, LAND_BASED))
    if attack is not None:
        return attack._replace(then=next_counterair)
    yield from reunite(state)
    operation.counterair_first, operation.last_raids.by_land = False, []
    return None


@land_strikes.segment("17.463", "Kamikazes attack ships in port, all of them together")
def kamikazes(state: State) -> Script[Next]:
    yield from _announce_kamikazes(state)
    return None


@rule("17.463", "23.51")
def _announce_kamikazes(state: State) -> Script[None]:
    """23.51: ships in port are attacked in the combat phase."""
    if permission(state, LAND_BASED) is Permission.ALL:
        yield from announce_port_dives(state)


@land_strikes.segment("17.47D", "They attack, one port after the other")
def dives(state: State) -> Next:
    return Call(port_dive, then=dives) if state.operation.port_dives else None


@land_strikes.segment("23.51", "Land-based air attacks ships in port or is done")
@rule("23.51", "18.512B")
def next_port(state: State) -> Script[Next]:
    """23.51: in the combat phase, when all counterair missions are over, land-based air attacks ports with ships in
    them, one after the other, before these ships can intercept anybody."""
    if permission(state, LAND_BASED) is not Permission.ALL:
        return None
    known = land_targets(state, state.scene.attacker)
    ports = [base for base in open_ports(state) if base in known]
    attack = yield from offer_base_strike(state, LAND_BASED, ports)
    return None if attack is None else attack._replace(then=next_port)


@rule("23.51", "17.47C.1")
def open_ports(state: State) -> list[str]:
    """23.51: the enemy's bases with ships in port that land-based air may attack in this phase, each once, but none
    that kamikazes have attacked (17.47C). Counterair missions that come before do not count."""
    bases = enemy_bases(state, state.scene.attacker) if state.operation.counterair_first else open_to_land_air(state)
    return [base for base in bases if in_port(state, base) and base not in dived_at(state)]


@land_strikes.segment("17.463", "If they did not attack before, kamikazes attack ships in port now")
def last_kamikazes(state: State) -> Script[Next]:
    yield from _announce_kamikazes(state)
    return None


@land_strikes.segment("17.47D", "They attack, one port after the other")
def last_dives(state: State) -> Next:
    return Call(port_dive, then=last_dives) if state.operation.port_dives else END


# --- a sortie ---------------------------------------------------------------------------------------------------


@base_strike.segment("23.411", "The attacker says what flies")
@rule("17.23A", "17.33A", "17.53A", "23.411", "23.51.1", "23.54", "18.521", "18.522B.2.2", "23.152B")
def send(state: State, base: str, key: str) -> Script[Next]:
    """23.411: some of the air in range flies against the base, at least one unit. Where another round of counterair
    is fought all survivors of the last one fly, and others may join them (18.522B); so do squadrons that were kept for
    this base (23.152B)."""
    operation = state.operation
    side = state.other(state.place(base).side)
    if operation.base_strike is None:
        mission = Mission(base, side, Combat.NAVAL_BASE)
        operation.base_strike = BaseStrike(mission, Strike(side, base), key, used=used_by(state, side))
        operation.base_strike.flown = bound_for(state, base) if key == LAND_BASED else {}
        begin_base_attack(state, side, base, key)
    raid = operation.base_strike
    able = available(state, base, key)
    again: Force = {}
    if is_counterair(state, base, key):
        again = {which: min(number, able[which]) for which, number in raid.flown.items() if which in able}
        able = without(able, again)
    words = ("{}: launching air units", state.name(side))
    question = ("Attack with how many of {}?", "Attack with {}?", "Hold back", "Attack")
    named = state.scene.name_of_place if key == LAND_BASED else None
    joining = gather(side, "fly", able, any_of(able), 0 if again else 1, question, "23.411", named=named)
    script = _who_flies(state, raid, again, joining)
    flying = yield from secretly(side, words, script, "23.411", anyway=key != LAND_BASED)
    _take_off(state, raid, flying)
    raid.mission.attackers = flying
    told = ("{}: attack on {} with {}", state.name(side), state.place(base).name, Listed(flying.items()))
    yield disclosed(told, "23.411", side)
    return None


@rule("23.152C")
def _who_flies(state: State, raid: BaseStrike, again: Force, joining: Script[Force]) -> Script[Force]:
    """23.152C: of those who take off for a counterair mission some squadrons may be kept for other bases."""
    flying = in_order(merged(again, in_order((yield from joining))))
    if raid.sortie > 1 or raid.carriers != LAND_BASED or permission(state, LAND_BASED) is Permission.ALL:
        return flying
    here = in_order((yield from divide(state, raid.mission.target, flying)))
    raid.flown = {}  # squadrons that were kept back before fly here now, or wait for another base
    return here


@rule("18.52", "23.61A", "18.511A", "17.47C.1")
def is_counterair(state: State, base: str, key: str) -> bool:
    """Whether only the air units of a base can be attacked: there are no ships, or they may not be attacked now, since
    kamikazes have attacked them in this phase (17.47C) or for other reasons."""
    return permission(state, key) is not Permission.ALL or not in_port(state, base) or base in dived_at(state)


def _take_off(state: State, raid: BaseStrike, flying: Force) -> None:
    """Air units leave their bases, those first that have flown in this attack before, or their carriers."""
    if raid.carriers == LAND_BASED:
        for which, number in flying.items():
            take(state.sites[which.home].air, which, number)
            again = min(number, raid.flown.get(which, 0))
            if again:
                take(raid.flown, which, again)
        return
    left = dict(flying)
    for key, force in carrier_forces(state, raid.carriers).items():
        for which, number in launchable(force).items():
            some = min(number, left.get(which, 0))
            if some:
                take(left, which, some)
                take(force.group.air, which, some)
                raid.launched.setdefault(key, {})[which] = some


@base_strike.segment("17.3126", "Carrier air in port is revealed")
@rule("23.411.1", "17.3126A", "23.412A.1", "18.521C", "23.141A.2", "22.22G.3", "18.525")
def reveal(state: State, base: str, key: str) -> Script[Next]:
    """17.3126: squadrons of carriers in port come to light and defend the base. Defenders that an earlier attack of
    this phase has aborted fight again (23.412A), in squadrons if the combat is fought so (23.141A). Air that a patrol
    attacks on its way has spotted it (22.22G). Land-based air attacks a base once a phase (18.525)."""
    site, mission = state.sites[base], _under_way(state).mission
    _alert(state, base, key)
    state.operation.note_attack(base, by_land=key == LAND_BASED)
    yield from come_ashore(state, base)
    rouse(state, base)
    if not mission.squadrons and not fought_as_squadrons(mission.attackers, site.air):
        yield from put_together_site(state, site)
    return None


@rule("22.22G.3")
def _alert(state: State, base: str, key: str) -> None:
    """22.22G: the search squadrons that a patrol attacks on its way, before anything befalls them."""
    voyage = state.operation.voyages.get(key)
    if voyage is not None and permission(state, key) is Permission.COUNTERAIR:
        found = searchers(state, base)
        voyage.alerted[base] = max(found, voyage.alerted.get(base, found))


@base_strike.segment("23.411", "The attacker divides his air between counterair and the ships")
@rule("23.411", "23.411A", "23.411B", "23.411C", "23.52", "23.63", "23.61A", "17.23D", "17.33D", "17.53B", "23.141A.1")
def share_out(state: State, base: str, key: str) -> Script[Next]:
    """23.411: all, some or none of the attackers counterair the defending air, the others attack the ships; on the way
    to a patrol hex all do (23.61A). Squadrons that attack ships are first put together (23.141A)."""
    raid = _under_way(state)
    flying, site = raid.mission.attackers, state.sites[base]
    if is_counterair(state, base, key):
        return None
    counterair: Force = {}
    for which, number in flying.items():
        least = 0 if may_attack_ships(which) else number
        most = number if site.air else least
        question, labels = count_or_not(
            number,
            ("Send how many of {} against enemy air?", Counted(which, number)),
            ("Send {} against enemy air?", Counted(which, number)),
            "Attack the ships",
            "Attack enemy air",
        )
        verb, numbers = ("share", which.tag), range(least, most + 1)
        some: int = yield Choose(raid.mission.side, verb, numbers, question, labels, "23.411")
        if some:
            counterair[which] = some
    ships = without(flying, counterair)
    raid.mission.attackers = counterair
    raid.strike.attackers, raid.back = yield from form_up_again(state, ships, {})
    told = ("{}: {} against enemy air, {} against the ships", state.name(raid.mission.side), Listed(counterair.items()))
    yield Note((*told, Listed(raid.strike.attackers.items())), "23.411")
    return None


@base_strike.segment("23.412", "A round of air combat")
@rule("23.411A", "23.411B", "23.411C", "23.412B.1", "23.412B.2", "23.412B.3", "23.413", "23.414", "17.3126B")
@rule("17.3126D", "23.131A", "19.12.1", "23.46A")
def air_combat(state: State, base: str, key: str) -> Script[Next]:
    """23.411: those who counterair fight one round with the air based here, and with nobody else's (23.414). If nobody
    does, uninverted defenders roll all the same (23.411C), inverted ones do not (23.413). What exceeds those who
    counterair falls on those who attack the ships (23.412B)."""
    raid = _under_way(state)
    mission, flown, site = raid.mission, raid.strike, state.sites[base]
    counterair = bool(mission.attackers)
    mission.attackers = mission.attackers or dict(flown.attackers)
    if not mission.attackers:  # squadrons that did not make a factor
        return come_home
    raid.fought |= bool(site.air or flown.attackers)
    if counterair or ready(site.air):
        yield from set_scale(state, mission)
    if counterair:
        if site.air:
            left = yield from fight_round(state, mission, (yield from engaged_defenders(state, mission)))
            if any(left) and flown.attackers:
                yield from _excess(state, raid, left)
        else:
            yield no_combat(state, base)
    else:
        if ready(site.air):
            yield from fight_round(state, mission, ready(site.air), rolling=False)
        flown.attackers, home = yield from form_up_again(state, mission.attackers, mission.aborted)
        raid.back = merged(raid.back, home)
        mission.attackers = {}
    return None if flown.attackers else come_home


@rule("23.412B.2", "23.131A", "19.61")
def _excess(state: State, raid: BaseStrike, left: AirResult) -> Script[None]:
    """23.412B: what of the defender's result exceeds those who counterair is taken from those who attack the ships; in
    squadrons if the combat was fought so (`docs/rulings.md`)."""
    force = break_down(raid.strike.attackers) if raid.mission.squadrons else raid.strike.attackers
    raid.strike.attackers = yield from _suffer(state, raid, dict(force), left, "23.412B")


@rule("23.423", "17.142B", "23.412B.1", "23.53", "T23.42-10", "T23.42-11")
def _suffer(state: State, raid: BaseStrike, force: Force, result: AirResult, number: str) -> Script[Force]:
    """23.423: eliminated units are lost, aborted ones turn home; the others go on. Factors and squadrons count one for
    one (17.142B)."""
    turned: Force = {}
    hit = yield from take_losses(state, raid.strike.side, force, result, turned, raid.mission.combat)
    state.lose(hit.eliminated)
    yield tell_losses(state, raid.strike.side, hit.eliminated, hit.aborted, number, reveals=True)
    on, home = yield from form_up_again(state, force, turned)
    raid.back = merged(raid.back, home)
    return on


@base_strike.segment("23.4212", "The air defense of the port")
@rule("23.421.2", "23.4212", "23.411A", "17.142B", "17.142B#ex1", "23.53", "23.424")
def air_defense(state: State, base: str, key: str) -> Script[Next]:
    """23.421: all who came through to the ships face the air defense of the port."""
    raid, target = _under_way(state), InPort(state, base)
    state.operation.last_raids.on_ships.append(base)
    result = yield from fire_at_air(state, target)
    if result is not None:
        raid.strike.attackers = yield from _suffer(state, raid, raid.strike.attackers, result, "23.423")
    if not raid.strike.attackers:
        return come_home
    yield from target.show()
    return None


@base_strike.segment("23.43", "Targets are chosen")
@rule("23.43")
def targets(state: State, base: str, key: str) -> Script[Next]:
    """23.43: the attacker gives all who got through their targets among all the ships in port."""
    yield from take_aim(_under_way(state).strike, harbour(state, base).ships)
    return None


@base_strike.segment("23.44", "The attacks")
@rule("23.441", "17.142A", "23.53")
def attack(state: State, base: str, key: str) -> Script[Next]:
    """23.53: factors and squadrons attack ships in port alike (17.142A); naval air has no +1 there."""
    yield from squadrons_attack(state, _under_way(state).strike, InPort(state, base))
    return None


# --- afterwards -------------------------------------------------------------------------------------------------


@base_strike.segment("23.412A", "The attackers return; the defenders may leave the base")
@rule("23.412A.2", "18.526A", "18.526C", "17.3126C", "17.3126C.1", "17.3127", "23.46", "23.46A", "SOP-PA-C.3")
@rule("18.522")
def come_home(state: State, base: str, key: str) -> Script[Next]:
    """18.526: the defenders whom the attacker's last roll has aborted are inverted, unless another round follows
    (23.412A). After each round against air units or ships those in the base may leave it (23.46). Where carriers fight
    round after round all who are back fight on (18.522)."""
    raid = _under_way(state)
    back = merged(raid.back, merged(raid.mission.attackers, raid.strike.attackers))
    raid.repelled = not may_leave_after(back, state.setting.options)
    raid.back, raid.mission.attackers, raid.mission.aborted = {}, {}, {}
    raid.strike.attackers, raid.strike.aims = {}, []
    yield from fly_home(state, raid, back)
    if fights_on(state, base, key):
        raid.flown = dict(back)
    yield from settle_defenders(state, base)
    return Call(escape, (base, key)) if raid.fought else None


@base_strike.segment("23.54", "Another sortie or the end of the attack")
@rule("23.54", "SOP-PA-C.2", "SOP-PA-B.1.b.1", "23.61A", "18.522A")
def again(state: State, base: str, key: str) -> Script[Next]:
    """23.54: those who are left may fly again, and again. Patrols attack one round at a time (21.416I). If nobody is
    left of those who fight round after round, or nobody of those whom they counterair, it is over (18.522A)."""
    raid = _under_way(state)
    land, rounds = key == LAND_BASED, fights_on(state, base, key)
    if is_patrol(state, key) and not rounds:
        return stand_down_all
    if land:
        regroup(state, raid)
    nobody = is_counterair(state, base, key) and not state.sites[base].air
    if (land or rounds) and (nobody or not raid.flown):
        return stand_down_all
    able = bool(available(state, base, key))
    if land and not able:
        return stand_down_all
    values = ("done", "again") if able else ("done",)
    question = ("Fly another sortie against {}?", state.place(base).name)
    chosen: str = yield Choose(raid.mission.side, "another", values, question, _SORTIES, "23.54", always=not land)
    if chosen == "done":
        return stand_down_all
    raid.sortie += 1
    return send


_SORTIES: dict[str, Words] = {"again": "Fly another sortie", "done": "End the attack"}


@rule("18.522", "19.12.1", "19.12.2")
def fights_on(state: State, base: str, key: str) -> bool:
    """18.522: whether carriers that counterair a base fight round after round, as the option has it; not on their way
    to a patrol hex (19.12.2), nor where there are ships to attack."""
    carriers = key != LAND_BASED and permission(state, key) is Permission.ALL
    return (
        carriers
        and is_counterair(state, base, key)
        and not single_round(Combat.CARRIER_COUNTERAIR, state.setting.options)
    )


@base_strike.segment("18.524", "The attack ends")
@rule("18.524A", "18.524B", "23.152D", "23.162")
def stand_down_all(state: State, base: str, key: str) -> Script[Next]:
    """18.524: land-based air that has flown is inverted for the rest of the player turn; carrier squadrons are not.
    Squadrons of factors wait for the end of all counterair in the phase (23.152D)."""
    operation = state.operation
    raid = _under_way(state)
    flown = raid.flown if raid.carriers == LAND_BASED else {}
    flown = yield from land_attackers(state, flown, base)
    yield from stand_down(state, stand_apart(state, flown) if operation.counterair_first else flown)
    if flown:
        yield Note(("{}: {} inverted", state.name(raid.mission.side), Listed(flown.items())), "18.524")
    operation.base_strike = None
    end_fight(state)
    operation.drop_sunk_forces()
    return END


def _under_way(state: State) -> BaseStrike:
    operation = state.operation
    assert operation.base_strike is not None
    return operation.base_strike
