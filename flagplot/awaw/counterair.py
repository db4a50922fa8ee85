"""Counterair missions (18.52): a phase of them, and one mission from its announcement to the way home."""

from __future__ import annotations

from functools import partial

from flagplot.awaw.air_combat import (
    Circumstances,
    Combat,
    defenders_abort,
    fight,
    modifiers,
    single_round,
    strength,
)
from flagplot.awaw.air_units import NAVAL_ARMS, Arm, Flight, Force, Kind, Lost, Role, merged
from flagplot.awaw.conversion import Broken, beyond_pool, break_down, fought_as_squadrons, recombine
from flagplot.awaw.losses import suffer
from flagplot.awaw.refuge import all_fit, parties, possible, shelters
from flagplot.awaw.state import DrmReasons, Mission, Site, State
from flagplot.awaw.tables.grids import AirResult
from flagplot.awaw.tables.nations import nation
from flagplot.kernel.procedures import END, Call, Next, Procedure
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

air_phase = Procedure("air-phase", "18.511-18.512", "Counterair in one or more phases of a player turn")
counterair = Procedure("counterair", "18.52", "A counterair mission")

NONE = "none"


# --- a phase ----------------------------------------------------------------------------------------------------


@air_phase.segment("18.521", "The attacker announces a counterair mission, or is done")
@rule("18.521", "18.521D", "18.511A", "18.512A", "18.525", "17.23A", "17.33A", "17.53A")
def announce(state: State) -> Script[Next]:
    """18.521: the attacker names an enemy base in range, empty ones too, and the air units that fly against it."""
    side = state.setting.attacker
    able = _targets(state, side)
    places = state.setting.places

    def label(site: str) -> Words:
        return "no more counterair this phase" if site == NONE else places[site].name

    target: str = yield Choose(side, "counterair", [*able, NONE], "Which base is counteraired?", label, "18.521")
    if target == NONE:
        return None
    afloat = yield from _from_carriers(state, side, able[target])
    state.mission = Mission(target, side, Combat.CARRIER_COUNTERAIR if afloat else Combat.COUNTERAIR)
    yield from commit(state, state.mission, able[target], at_least=1)
    return Call("counterair", then="announce")


@rule("23.54")
def _targets(state: State, side: str) -> dict[str, list[Flight]]:
    """The bases that may be attacked and by whom: from carriers again and again (23.54), else once a phase."""
    able = {}
    for target in state.of_side(state.other(side)):
        if target in state.setting.near:
            flights = available(state, target)
            if state.sites[target].counteraired:
                flights = [flight for flight in flights if state.place(flight.home).afloat]
            if flights:
                able[target] = flights
    return able


@rule("23.51.1")
def _from_carriers(state: State, side: str, flights: list[Flight]) -> Script[bool]:
    """23.51: land-based and carrier-based air never attack the same base together."""
    kinds = {state.place(flight.home).afloat for flight in flights}
    if len(kinds) == 1:
        return kinds.pop()
    labels: dict[str, Words] = {"land": "land-based air", "carriers": "carrier-based air"}
    question = "Which air flies? Both together may not."
    chosen: str = yield Choose(side, "with", ("land", "carriers"), question, labels, "23.51")
    return chosen == "carriers"


@rule("18.521", "18.41", "17.63")
def available(state: State, target: str) -> list[Flight]:
    """18.521: the enemy's uninverted army, naval and jet units within range of a base."""
    sites = state.sites
    return [
        flight
        for site, hexes in state.setting.near[target]
        for flight in sites[site].air
        if not flight.inverted and hexes <= flight.reach and flight.arm is not Arm.TRANSPORT
    ]


def commit(state: State, mission: Mission, flights: list[Flight], at_least: int) -> Script[None]:
    """The attacker says, flight by flight, how many fly; at least so many in all."""
    afloat = mission.combat is Combat.CARRIER_COUNTERAIR
    able = [flight for flight in flights if state.place(flight.home).afloat == afloat]
    for number, flight in enumerate(able):
        last = number == len(able) - 1
        yield from send(state, mission, flight, at_least if last and not mission.attackers else 0)


def send(state: State, mission: Mission, flight: Flight, least: int, most: int | None = None) -> Script[None]:
    """Ask how many units of one flight fly, and take them out of their home."""
    most = flight.units if most is None else most
    site = state.sites[flight.home]
    places = state.setting.places
    home, aim = places[flight.home].name, places[mission.target].name
    question = ("{}: how many of {} {} fly against {}?", home, most, Kind(flight), aim)
    verb = ("send", mission.target, flight.home, flight.nation, flight.arm, flight.role)
    count: int = yield Choose(mission.side, verb, range(least, most + 1), question, _how_many, "18.521")
    if count:
        mission.attackers.append(flight.of(count))
        place = site.air.index(flight)
        site.air[place : place + 1] = [flight.of(flight.units - count)] if count < flight.units else []


def _how_many(count: int) -> Words:
    return "none" if count == 0 else ("{}", count)


@air_phase.segment("23.152D", "The phase ends; squadrons are put together again")
@rule("18.524", "23.152D", "23.141C", "18.525")
def end_phase(state: State) -> Script[Next]:
    """23.152D: after all counterairs of the phase the attackers recombine; at the end of the turn everyone does."""
    setting = state.setting
    last = state.phase == len(setting.phases) - 1
    for site in state.of_side(setting.attacker):
        _put_together(state, state.sites[site])
    if not last:
        state.phase += 1
        for place in state.sites.values():
            place.counteraired = False
        return "announce"
    yield from end_of_turn(state)
    return END


@rule("23.141C", "23.142B", "23.142C", "23.143.EX1")
def end_of_turn(state: State) -> Script[None]:
    """23.141C: all squadrons are put together, and no more army air stays in play than the force pool allows."""
    for site in state.sites.values():
        _put_together(state, site)
    for country, pool in state.setting.pool.items():
        if f"{country}/army/squadrons" in state.lost:  # only squadrons can make more factors than there were
            yield from _trim(state, country, pool)


def _put_together(state: State, site: Site) -> None:
    site.air = recombine(site.air, site.transports, state.setting.options.transport_losses)
    site.transports = []


@rule("23.142B", "23.142C")
def _trim(state: State, country: str, pool: int) -> Script[None]:
    """23.142C: army air of a nation above its force pool is removed, from bases of the owner's choice."""
    army = f"{country}/{Arm.ARMY.value}"
    unbuilt = state.lost.get(f"{army}/factors", 0) + state.lost.get(f"{army}/squadrons", 0) // 3
    while True:
        homes = {
            key: flight.units
            for key, site in state.sites.items()
            for flight in site.air
            if flight.nation == country and flight.arm is Arm.ARMY
        }
        in_play = sum(
            flight.units
            for site in state.sites.values()
            for flight in site.air
            if flight.nation == country and flight.arm is Arm.ARMY
        )
        if not beyond_pool(in_play, unbuilt, pool):
            return
        side = state.place(next(iter(homes))).side
        labels: dict[str, Words] = {home: ("one of {}", state.place(home).name) for home in homes}
        question = ("More {} army air factors than the force pool holds: where is one removed?", country)
        home: str = yield Choose(side, "remove", list(homes), question, labels, "23.142C")
        site = state.sites[home]
        gone = next(f for f in site.air if f.nation == country and f.arm is Arm.ARMY)
        site.air = merged(f._replace(units=f.units - 1) if f is gone else f for f in site.air)
        yield Note(("One {} army air factor leaves {}", nation(country).adjective, home), "23.142C")


# --- a mission --------------------------------------------------------------------------------------------------


@counterair.segment("18.521C", "What the base holds is revealed")
@rule("18.521A", "18.521B", "18.521C", "17.3126A", "17.3126B", "17.3126B.1", "18.521D")
def reveal(state: State) -> Script[Next]:
    """18.521C: carrier air under a TF marker is revealed and fights as if based on land, whatever the base can hold."""
    mission = _mission(state)
    site, place = state.sites[mission.target], state.place(mission.target)
    site.counteraired = True
    yield Note(("{} counterairs {} with {}", state.name(mission.side), place.name, Force(mission.attackers)), "18.521")
    if place.marker:
        shown = ("{} in {} had {} aboard", place.marker, place.name, Force(site.hidden))
        yield Note(shown, "18.521C", reveals=True)
        site.air = merged([*site.air, *site.hidden])
        site.hidden = []
    if not site.air:
        yield Note(("{} holds no air units: there is no combat", place.name), "18.521D")
        return "come_home"
    return None


@counterair.segment("19.2", "A round of air combat")
@rule("18.521A", "18.521B", "18.522C", "19.21", "19.41", "19.64", "19.64.1", "23.141A.2", "23.152A")
def combat_round(state: State) -> Script[Next]:
    """19.2: strengths are fixed, both sides roll, and only then losses are taken (19.41)."""
    mission = _mission(state)
    attacker, defender, options = mission.side, state.other(mission.side), state.setting.options
    site = state.sites[mission.target]
    _set_scale(state, mission, site)
    mission.round += 1
    site.air = [flight.of(flight.units) if flight.aborted else flight for flight in site.air]
    inverted = transports = True
    if _something_to_declare(site):
        inverted, transports = yield from _declare(state, mission, site)
    involved = [
        place
        for place, flight in enumerate(site.air)
        if (inverted or not flight.inverted) and (transports or flight.arm is not Arm.TRANSPORT)
    ]
    engaged = [site.air[place] for place in involved]
    circumstances = Circumstances(mission.combat)
    ledger = modifiers(mission.attackers, engaged, partial(DrmReasons, state.setting), circumstances, options)
    ours, theirs = strength(mission.attackers), strength(engaged)
    over = state.place(mission.target).name
    ours_hit = yield from fight(attacker, ours, ledger, _purpose(state, attacker, ours, over), options)
    theirs_hit = yield from fight(defender, theirs, -ledger, _purpose(state, defender, theirs, over), options)

    hit = yield from suffer(defender, site.air, involved, ours_hit, aborts=defenders_abort(mission.combat))
    more = (yield from _surplus(defender, site, hit.surplus)) if hit.surplus else []
    everyone = list(range(len(mission.attackers)))
    at_sea = state.setting.kind == "naval-battle"
    lost = yield from suffer(attacker, mission.attackers, everyone, theirs_hit, aborts=at_sea)
    yield _report(state, defender, hit.eliminated + more, hit.aborted)
    yield _report(state, attacker, lost.eliminated, lost.aborted)
    site.air = [flight for flight in site.air if flight.units]
    mission.attackers = [flight for flight in mission.attackers if flight.units]
    return None


def _purpose(state: State, side: str, force: int, over: str) -> Words:
    return ("{} rolls for air combat over {}, row {}", state.name(side), over, force)


def _report(state: State, side: str, eliminated: list[Flight], aborted: int) -> Note:
    state.lose(eliminated)
    return Note(("{} loses {}; {} aborted", state.name(side), Lost(eliminated), aborted), "19.42")


@rule("23.131A", "23.141A.2", "19.51", "23.152A", "17.65")
def _set_scale(state: State, mission: Mission, site: Site) -> None:
    """23.131A: with naval air on either side everyone fights as squadrons, and goes on so between rounds (23.141A)."""
    mission.squadrons = mission.squadrons or fought_as_squadrons(mission.attackers, site.air)
    if mission.squadrons:
        site.transports += [
            Broken(flight.nation, flight.units * (not flight.inverted), flight.units * flight.inverted)
            for flight in site.air
            if flight.arm is Arm.TRANSPORT and flight.role is Role.FACTORS
        ]
        site.air = break_down(site.air)
        mission.attackers = break_down(mission.attackers)
    elif mission.round == 0:
        _put_together(state, site)


def _something_to_declare(site: Site) -> bool:
    return any([flight.inverted or flight.arm is Arm.TRANSPORT for flight in site.air])


@rule("19.64", "18.521B", "18.521B.1", "17.65")
def _declare(state: State, mission: Mission, site: Site) -> Script[tuple[bool, bool]]:
    """19.64, 18.521B: before each round the attacker says whether inverted air, and whether transports, are engaged.

    Only where somebody else is left to fight: there is always an engagement (18.521A).
    """
    options = state.setting.options
    up = down = carry = False
    for flight in site.air:
        down = down or flight.inverted
        if flight.arm is Arm.TRANSPORT:
            carry = True
        else:
            up = up or not flight.inverted
    inverted = transports = True
    if up and down and options.inverted_air == "attacker-declares":
        inverted = yield from _engage(mission.side, "inverted", "Is inverted air engaged too?", "19.64")
    fight_back = up or (inverted and any([flight.arm is not Arm.TRANSPORT for flight in site.air]))
    if carry and fight_back and options.transports_targeted == "attacker-declares":
        transports = yield from _engage(mission.side, "transports", "Are air transports attacked too?", "18.521B")
    return inverted, transports


def _engage(side: str, verb: str, question: str, number: str) -> Script[bool]:
    labels: dict[str, Words] = {"engage": "yes: they share the results", "leave": "no: results pass them by"}
    chosen: str = yield Choose(side, verb, ("engage", "leave"), question, labels, number)
    return chosen == "engage"


@rule("19.64.1")
def _surplus(side: str, site: Site, surplus: int) -> Script[list[Flight]]:
    """19.64.1: eliminations beyond the uninverted air fall on inverted air, even if it was not engaged."""
    down = [
        place
        for place, flight in enumerate(site.air)
        if flight.inverted and flight.units and flight.arm is not Arm.TRANSPORT
    ]
    more = yield from suffer(side, site.air, down, AirResult(surplus, 0), aborts=False)
    return more.eliminated


@counterair.segment("18.522", "Each side stays or breaks off")
@rule("18.522A", "18.522B", "18.522B.1", "18.522B.2", "18.522B.2.1", "18.522B.2.2", "18.522C", "18.523.1", "19.11")
def go_on(state: State) -> Script[Next]:
    """18.522: over if a side is wiped out; else the defender says first, then the attacker, who may bring more air."""
    mission = _mission(state)
    site = state.sites[mission.target]
    if not mission.attackers or not site.air or single_round(mission.combat, state.setting.options):
        return "come_home"
    known = shelters(state, mission.target)
    may_leave = all_fit(parties(state, mission.target, known), known.free)
    chosen: str = yield Choose(
        state.other(mission.side),
        "defender",
        ("stay", "leave") if may_leave else ("stay",),
        "Does the defender fight on?",
        {"stay": "stay and fight on", "leave": "leave the base with all air units"},
        {"stay": "18.522B", "leave": "18.523"},
    )
    if chosen == "leave":
        return "flee"
    pressed: str = yield Choose(
        mission.side,
        "attacker",
        ("press-on", "break-off"),
        "Does the attacker fight another round?",
        {"press-on": "another round, with all survivors", "break-off": "break off and go home"},
        "18.522B",
    )
    if pressed == "break-off":
        return "come_home"
    yield from commit(state, mission, available(state, mission.target), at_least=0)
    mission.attackers = merged(mission.attackers)
    return "combat_round"


@counterair.segment("18.523", "The defender leaves the base")
@rule("18.523", "18.523.1", "18.523.2", "18.523.3", "18.43", "23.461A", "23.461B")
def flee(state: State) -> Script[Next]:
    """18.523: all surviving defenders fly to bases with room in staging range and are inverted there."""
    mission = _mission(state)
    side = state.other(mission.side)
    known = shelters(state, mission.target)
    waiting, free = parties(state, mission.target, known), known.free
    while waiting:
        party, left = waiting[0], waiting[0].flight.units
        for shelter in party.reach:
            last = shelter == party.reach[-1]
            numbers = [left] if last else possible(party, shelter, left, waiting[1:], free)
            site = known.sites[shelter]
            question = ("{} {} flee: how many to {}?", left, Kind(party.flight), state.place(site).name)
            verb = ("flee", site, party.flight.nation, party.flight.arm, party.flight.role)
            count: int = yield Choose(side, verb, numbers, question, _how_many, "18.523")
            left -= count
            free = (*free[:shelter], free[shelter] - count * party.size, *free[shelter + 1 :])
            moved = state.rebased(party.flight, site, inverted=True)
            state.sites[site].air = merged([*state.sites[site].air, moved.of(count)])
        waiting = waiting[1:]
    _move_transports(state, mission.target)
    state.sites[mission.target].air = []
    mission.fled = True
    yield Note(("{} leaves {}", state.name(side), state.place(mission.target).name), "18.523")
    return None


def _move_transports(state: State, target: str) -> None:
    """Transports that fled as squadrons are reckoned as inverted factors where they are now."""
    state.sites[target].transports = []
    for site in state.sites.values():
        known = {entry.nation for entry in site.transports}
        squadrons: dict[str, int] = {}
        for flight in site.air:
            if flight.arm is Arm.TRANSPORT and flight.role is Role.SQUADRONS and flight.nation not in known:
                squadrons[flight.nation] = squadrons.get(flight.nation, 0) + flight.units
        site.transports += [Broken(country, 0, (count + 1) // 3) for country, count in squadrons.items()]


@counterair.segment("18.524", "The survivors")
@rule("18.524A", "18.524B", "18.526A", "18.526C", "18.42A", "18.43", "17.3126C")
def come_home(state: State) -> Script[Next]:
    """18.524, 18.526: attackers return, land-based ones inverted; the last roll inverts the defenders it aborted."""
    mission = _mission(state)
    site = state.sites[mission.target]
    if state.setting.kind != "naval-battle":
        site.air = invert_aborted(site.air)
    for flight in mission.attackers:
        home = state.sites[flight.home]
        inverted = not state.place(flight.home).afloat
        home.air = merged([*home.air, flight if flight.inverted == inverted else flight._replace(inverted=inverted)])
        home.flown += flight.units if flight.arm in NAVAL_ARMS else 0
    yield Note(("{} returns with {}", state.name(mission.side), Force(mission.attackers)), "18.524")
    state.mission = None
    return None


@rule("18.526A", "18.526C", "18.43")
def invert_aborted(air: list[Flight]) -> list[Flight]:
    """18.526: those aborted by the last roll are inverted; the others act without impairment."""
    if not any([flight.aborted for flight in air]):
        return air
    split = [flight._replace(units=flight.units - flight.aborted, aborted=0) for flight in air]
    split += [flight._replace(units=flight.aborted, aborted=0, inverted=True) for flight in air if flight.aborted]
    return merged(split)


def _mission(state: State) -> Mission:
    assert state.mission is not None
    return state.mission
