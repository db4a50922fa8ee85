"""The state at the start of an air strike, made of the words of a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flagplot.awaw.air_units import NAVAL_ARMS, Arm, Force, Role, add, take
from flagplot.awaw.battle.air_plan import patrol_limit
from flagplot.awaw.battle.groups import facts_of
from flagplot.awaw.battle.rounds import second_strikes
from flagplot.awaw.battle.strikes import room_in_strike
from flagplot.awaw.procedures import strike
from flagplot.awaw.ships import FAST_CARRIERS, Kind, named_ship
from flagplot.awaw.state.battle import Group, Strike
from flagplot.awaw.state.setting import at_sea
from flagplot.awaw.state.state import State
from flagplot.awaw.task_forces import LEAST, MOST
from flagplot.kernel.errors import BadValue
from flagplot.odds.answers.air_scenario import FIELD, Entry, escort, field, force_of, only, opening, role, striker_home
from flagplot.odds.questions.shared import ATTACKERS, DEFENDERS
from flagplot.odds.questions.strike import StrikeQuestion
from flagplot.odds.words import Flight, Flights

TARGET = "target"
STRIKING_ARMS = (*NAVAL_ARMS, Arm.ARMY)


def strike_state(question: StrikeQuestion) -> State:
    """The state at the border before the first segment of the strike: the squadrons over the target are in the air, all
    others of its carriers aboard."""
    flying, covering = question.attackers, question.cover
    _check_flights(question)
    ships = question.target.contingents(question.nation, _hits(question))
    if not ships:
        allowed = ["Enterprise, 4 cruisers, 4 destroyers"]
        raise BadValue("a strike needs a target", given=question.target.text, allowed=allowed)
    aboard, patrol = _carrier_air(ships, question)
    nations = {
        ATTACKERS: [flight.nation for flight in flying],
        DEFENDERS: [part["nation"] for part in ships] + [flight.nation for flight in covering],
    }

    def read(escorts: int) -> State:
        return opening(
            "naval-battle",
            nations,
            question,
            {"forces[0]": "target", "bases[0]": "attackers", "bases[1]": "cover"},
            rounds=1,
            bases=[field(ATTACKERS, flying), field(DEFENDERS, covering)],
            forces=[_target(ships, aboard, escorts), escort(ATTACKERS, flying[0].nation)],
        )

    return _launched(_bereft(read, ships[0]["nation"]), patrol, question)


ESCORT_RULES = ("20.162F", "22.421A")
"""What a task force owes its carriers as it sails; afterwards escorts may be lost."""


def _bereft(read: Callable[[int], State], nation: str) -> State:
    """The state of a target whose carriers may have lost their escorts: as a task force it is read with destroyers that
    it lacks, and they are taken away again."""
    lacking: BadValue | None = None
    for escorts in range(MOST):
        try:
            state = read(escorts)
        except BadValue as refusal:
            if refusal.rule not in ESCORT_RULES:
                raise lacking or refusal from None
            lacking = lacking or refusal
            continue
        ships = state.battle.groups[TARGET].ships
        for which in [which for which in ships if which.kind is Kind.DESTROYER and which.nation == nation]:
            if escorts and not which.laden and not which.damaged:
                take(ships, which, escorts)
        return state
    return read(0)


# --- checking what the scenario reader does not know --------------------------------------------------------------


def _check_flights(question: StrikeQuestion) -> None:
    """23.11: army and naval squadrons strike and cover ships."""
    attackers = question.text("attackers")
    if not question.attackers:
        raise BadValue("a strike needs squadrons", given=attackers, allowed=["12 japan elite"], rule="23.71")
    only(question.attackers, STRIKING_ARMS, "army and naval squadrons strike ships", attackers, "23.11E")
    only(question.cover, STRIKING_ARMS, "army and naval squadrons fly air cover", question.text("cover"), "23.11D")


def _hits(question: StrikeQuestion) -> dict[str, int]:
    """Hits that ships have; a ship that is sunk is no target any more."""
    for name, number in question.hits.items():
        ship = named_ship(name)
        if number >= ship.factors:
            message = f"{ship.name} is sunk already: a ship of {ship.factors} factors sinks at {ship.factors} hits"
            raise BadValue(message, given=question.text("hits"), rule="T23.44-08")
    return question.hits


def _check_limit(force: Force, question: StrikeQuestion) -> None:
    """23.73: twelve squadrons, of which at most eight below a DRM of three and four below two."""
    chosen: Force = {}
    for which, number in force.items():
        if number > room_in_strike(which, chosen):
            limit = "a strike has at most 12 squadrons, at most 8 of them of an Air DRM below 3 and 4 of one below 2"
            drms = ", ".join([f"{count} of DRM {one.drm}" for one, count in force.items()])
            raise BadValue(f"{limit}, and these are {drms}", given=question.text("attackers"), rule="23.73")
        chosen[which] = number


def _decks(ships: Sequence[Entry]) -> dict[str, int]:
    """17.312: the squadrons that the sound fast carriers of each nation base."""
    room: dict[str, int] = {}
    for part in ships:
        for name in part["named"]:
            found = named_ship(name)
            if found.kind in FAST_CARRIERS and part.get("hits", {}).get(name, 0) < found.factors - 1:
                room[found.nation] = room.get(found.nation, 0) + found.factors
    return room


def _carrier_air(ships: Sequence[Entry], question: StrikeQuestion) -> tuple[Flights, Flights]:
    """The squadrons aboard, full decks unless it is said, and those among them that fly patrol."""
    wanted, given = question.cap or 0, question.aboard
    for name, flights in (("cap", wanted), ("aboard", given)):
        if isinstance(flights, tuple):
            only(flights, NAVAL_ARMS, "carriers base naval squadrons", question.text(name), "17.312")
    elite = [flight.nation for flight in wanted if flight.arm is Arm.ELITE] if isinstance(wanted, tuple) else ()
    full = [
        Flight(most, country, Arm.ELITE if country in elite else Arm.NAVAL) for country, most in _decks(ships).items()
    ]
    aboard = tuple(full) if given is None else given
    if isinstance(aboard, int):
        words = "the carriers of the target base {} squadrons"
        aboard = _first(full, aboard, question.text("aboard"), words, "17.312")
    present, cap = sum(flight.number for flight in aboard), question.text("cap")
    if wanted and not present:
        message = "no undamaged fast carrier of the target has squadrons to fly patrol"
        raise BadValue(message, given=cap, rule="23.31")
    number = wanted if isinstance(wanted, int) else sum(flight.number for flight in wanted)
    if number > patrol_limit(present):
        limit = f"of {present} squadrons aboard at most {patrol_limit(present)}, a third, fly combat air patrol"
        raise BadValue(limit, given=cap, rule="23.33")
    if isinstance(wanted, int):
        return aboard, _first(aboard, wanted, cap, "there are {} squadrons", "23.33")
    for flight in wanted:
        there = sum(one.number for one in aboard if one[1:] == flight[1:])
        if flight.number > there:
            raise BadValue(f"of these squadrons {there} are aboard", given=cap, rule="17.312")
    return aboard, wanted


def _first(flights: Sequence[Flight], number: int, given: str, words: str, rule: str) -> Flights:
    """So many of some squadrons, the first ones first."""
    most = sum(flight.number for flight in flights)
    if number > most:
        raise BadValue(words.format(most), given=given, rule=rule)
    taken = []
    for flight in flights:
        some = min(number, flight.number)
        number -= some
        if some:
            taken.append(flight._replace(number=some))
    return tuple(taken)


# --- the scenario, and the state ------------------------------------------------------------------------------------


def _target(ships: Sequence[Entry], aboard: Sequence[Flight], escorts: int = 0) -> Entry:
    """The struck force: a task force if it has ten factors, else a small one."""
    if escorts:
        first, *rest = ships
        ships = [first | {"destroyers": first["destroyers"] + escorts}, *rest]
    laden = any(part["laden_destroyers"] or part["laden_transports"] for part in ships)
    air = [
        {"nation": flight.nation, "squadrons": flight.number, "elite": flight.arm is Arm.ELITE}
        for flight in aboard
        if flight.number
    ]
    entry = {"id": TARGET, "name": "the target", "side": DEFENDERS, "ships": list(ships), "air": air}
    return entry | {"task_force": _factors(ships) >= LEAST} | ({"cargo": "cargo"} if laden else {})


def _factors(ships: Sequence[Entry]) -> int:
    light = (Kind.CRUISER, Kind.DESTROYER, Kind.CVE)
    return sum(
        [
            *[named_ship(name).factors for part in ships for name in part["named"]],
            *[part[f"{kind}s"] for part in ships for kind in light],
            *[part["laden_destroyers"] for part in ships],
        ]
    )


def _launched(state: State, patrol: Flights, question: StrikeQuestion) -> State:
    """Put everybody where he is as the strike comes in."""
    for side in (ATTACKERS, DEFENDERS):
        state.sites[FIELD.format(side)].air = {}
    group = state.battle.groups[TARGET]
    state.battle.groups = {TARGET: group}  # the attackers' ships are far away
    group.formed, group.number = True, 1
    group.patrol = force_of(state, patrol, lambda _: at_sea(DEFENDERS), lambda _: Role.SQUADRONS)
    group.cover = force_of(state, question.cover, lambda _: FIELD.format(DEFENDERS), role(Role.COVER))
    _muster(state, group)
    group.third, group.this_round.results, group.this_round.attacks, group.facts = (
        sum(group.patrol.values()),
        1,
        1,
        facts_of(group),
    )
    attackers, level = force_of(state, question.attackers, striker_home, role(Role.ATTACK)), question.surprise
    _check_limit(attackers, question)
    state.battle.strike = Strike(ATTACKERS, TARGET, level > 0, level, attackers)
    if level > 0 and any([not which.is_naval for which in attackers]):
        message = "a surprise strike is flown by carrier squadrons alone"
        raise BadValue(message, given=question.text("attackers"), rule="23.7411A")
    state.frames = [second_strikes.start(), strike.start()]
    return state


def _muster(state: State, group: Group) -> None:
    """22.41C: the squadrons that are not on patrol stand together."""
    site = state.at_sea(DEFENDERS)
    for which, number in group.air.items():
        add(site.air, which, number)
    for which, number in group.patrol.items():
        take(site.air, which, number)
    group.air = {}
