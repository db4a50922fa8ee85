"""Counterair missions (18.52): a phase of them, and one mission from its announcement to the way home."""

from __future__ import annotations

from functools import lru_cache

from flagplot.awaw.air_combat import CARRIER_COUNTERAIR, Circumstances, Combat, single_round, weigh
from flagplot.awaw.air_rounds import Party, exchange_fire, take_losses, tell_losses
from flagplot.awaw.air_units import Arm, Counted, Force, Listed, Lost, Plural, Unit, add, in_order, take
from flagplot.awaw.carriers_in_port import come_under_attack, vacate
from flagplot.awaw.conversion import (
    Broken,
    beyond_pool,
    break_down,
    broken_transports,
    factors_from,
    fought_as_squadrons,
    left_over,
    recombine,
    recombined_part,
)
from flagplot.awaw.dividing import bound_for, divide, has_naval_air, next_errand
from flagplot.awaw.losses import suffer
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import air_phase, counterair
from flagplot.awaw.reach import flies_missions, unfit
from flagplot.awaw.refuge import may_flee, parties, possible, shelters
from flagplot.awaw.state.air import Mission, Site
from flagplot.awaw.state.setting import Place, at_sea
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.grids import NO_EFFECT, AirResult
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Note, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.words import CountLabel, Words, count_or_not

NONE = "none"
TRANSPORT = Arm.TRANSPORT  # at hand: a member of an enumeration takes long to look up


# --- a phase ----------------------------------------------------------------------------------------------------


@air_phase.segment("18.521", "The attacker announces a counterair mission or is done")
@rule("18.521", "18.521D", "18.511A", "18.512A", "18.525", "17.23A", "17.33A", "17.53A")
def announce(state: State) -> Script[Next]:
    """18.521: the attacker names an enemy base in range, empty ones too, and the air units that fly against it."""
    side = state.scene.attacker
    kept = yield from next_errand(state)
    if kept:
        state.battle.mission = Mission(kept, side, Combat.COUNTERAIR)
        yield from _take_off(state, state.battle.mission, bound_for(state, kept))
        return Call(counterair, then=announce)
    targets, places = _targets(state, side), state.scene.places

    def label(site: str) -> Words:
        return "No more attacks this phase" if site == NONE else ("Attack {}", places[site].name)

    target: str = yield Choose(side, "counterair", [*targets, NONE], "Choose a base to attack", label, "18.521")
    if target == NONE:
        return None
    combat = yield from _by_land_or_sea(state, side, target)
    state.battle.mission = Mission(target, side, combat)
    yield from _take_off(state, state.battle.mission, {})
    return Call(counterair, then=announce)


@rule("23.152C")
def _take_off(state: State, mission: Mission, bound: Force) -> Script[None]:
    """Those who fly are named, beside those who are bound to; of land-based ones some squadrons may be kept for other
    bases (23.152C)."""
    mission.attackers = bound
    launch(state, bound)
    yield from commit(state, mission, at_least=1)
    flying = mission.attackers
    if mission.combat is Combat.COUNTERAIR and has_naval_air(state, mission.target):
        mission.attackers = {}
        for which, number in flying.items():
            add(state.sites[which.home].air, which, number)
        flying = yield from divide(state, mission.target, flying)
        launch(state, flying)
    mission.attackers = in_order(flying)


def launch(state: State, force: Force) -> None:
    """Air units leave their bases."""
    for which, number in force.items():
        take(state.sites[which.home].air, which, number)


@rule("18.521", "18.51", "18.525", "23.54")
def _targets(state: State, side: str) -> list[str]:
    """The bases that may be attacked: from carriers again and again (23.54), by land-based air once a phase."""
    reach = _ranges(state, side)
    return [target for target in state.of_side(state.other(side)) if _closed(state, target, reach) is None]


def kept_from_attack(state: State, side: str, target: str) -> Refusal | None:
    """18.521: why a base is not attacked now."""
    return _closed(state, target, _ranges(state, side))


def _closed(state: State, target: str, reach: dict[str, int]) -> Refusal | None:
    if not _within(state, target, reach, afloat=False):
        return NOBODY_IN_RANGE
    again = state.sites[target].counteraired
    return ATTACKED if again and not _within(state, target, reach, afloat=True) else None


NOBODY_IN_RANGE = Refusal("none of your air units can reach it", "18.521")
ATTACKED = Refusal("attacked already: land-based air attacks a base once a phase", "18.525")


def _ranges(state: State, side: str) -> dict[str, int]:
    """By base, how far the air of a side can fly from there to attack."""
    reach: dict[str, int] = {}
    for site in state.of_side(side):
        far = -1
        for which in state.sites[site].air:
            if which.reach > far and which.strength and not which.inverted and _starts(state, which):
                far = which.reach
        if far >= 0:
            reach[site] = far
    return reach


def _within(state: State, target: str, reach: dict[str, int], *, afloat: bool) -> bool:
    """Whether some site whose air can fly so far has the target in range; `afloat`, a carrier."""
    for site, hexes in state.scene.near.get(target, ()):
        if hexes <= reach.get(site, -1) and (not afloat or state.scene.places[site].afloat):
            return True
    return False


@rule("18.521", "18.41", "17.63", "23.51.1")
def in_range(state: State, target: str, afloat: bool) -> list[Unit]:
    """18.521: the enemy's uninverted army, naval and jet units within range of a base, ashore or afloat."""
    sites, places = state.sites, state.scene.places
    return [
        which
        for site, hexes in state.scene.near[target]
        if places[site].afloat == afloat
        for which in sites[site].air
        if hexes <= which.reach and which.strength and not which.inverted and (afloat or _starts(state, which))
    ]


@rule("18.521", "18.41", "18.42A", "18.45", "18.51", "17.63", "23.51.1")
def kept_from(state: State, target: str, which: Unit, afloat: bool) -> Refusal | None:
    """18.521: why some units do not fly against a base, ashore or afloat: `in_range`, for people who ask."""
    place = state.scene.places[which.home]
    if which.inverted:
        return Refusal("inverted", "18.42A")
    if not which.strength:
        return Refusal("air transports do not attack", "17.63")
    if place.afloat != afloat:
        return Refusal("carrier and land-based air attack apart", "23.51.1")
    if not afloat and (refusal := _cannot_start(state, which, place)):
        return refusal
    hexes = dict(state.scene.near[target]).get(which.home)
    if hexes is None or hexes > which.reach:
        return Refusal(("out of range ({} hexes)", which.reach), "18.45")
    return None


def _cannot_start(state: State, which: Unit, place: Place) -> Refusal | None:
    if place.box:
        return Refusal("no missions in or out of a mapboard box", "18.49")
    no_base = None if _starts(state, which) else Refusal("missions fly from cities and airbases", "18.51")
    return unfit(place) or no_base


def _starts(state: State, which: Unit) -> bool:
    """18.51: whether missions start from the base of some units."""
    return flies_missions(state.scene.places[which.home], which, state.setting.options)


@rule("23.51.1")
def _by_land_or_sea(state: State, side: str, target: str) -> Script[Combat]:
    """23.51: land-based and carrier-based air never attack the same base together."""
    if not in_range(state, target, afloat=True):
        return Combat.COUNTERAIR
    if state.sites[target].counteraired or not in_range(state, target, afloat=False):
        return CARRIER_COUNTERAIR
    labels: dict[str, Words] = {"land": "Send land-based air", "carriers": "Send carrier air"}
    question = "Attack from land or from carriers?"
    chosen: str = yield Choose(side, "with", ("land", "carriers"), question, labels, "23.51")
    return CARRIER_COUNTERAIR if chosen == "carriers" else Combat.COUNTERAIR


@rule("18.521", "18.522B.2.2", "22.26D", "22.433", "23.152C")
def commit(state: State, mission: Mission, at_least: int = 0) -> Script[None]:
    """The attacker says, kind by kind, how many fly, at least so many in all; nobody who was aborted earlier in this
    round of naval combat (22.433), or whose carrier is withheld (22.26D)."""
    able = in_range(state, mission.target, mission.combat is CARRIER_COUNTERAIR)
    places, attackers = state.scene.places, mission.attackers
    aim = places[mission.target].name
    for which in able:
        site = state.sites[which.home]
        there = site.air[which]
        most = there - site.aborted.get(which, 0) - site.barred.get(which, 0) - state.divided.get(which, 0)
        least = at_least if which is able[-1] and not attackers else 0
        question, labels = _flying_words(which, there, _home_name(state, mission.side, which.home), aim)
        verb, fly = ("send", mission.target, which.tag), range(least, most + 1)
        number: int = yield Choose(mission.side, verb, fly, question, labels, "18.521")
        if number:
            take(site.air, which, number)
            attackers[which] = attackers.get(which, 0) + number
    mission.attackers = in_order(attackers)


def _home_name(state: State, side: str, home: str) -> str:
    return "carriers" if home == at_sea(side) else state.place(home).name


@lru_cache(maxsize=4096)
def _flying_words(which: Unit, number: int, home: str, aim: str) -> tuple[Words, CountLabel]:
    """How many of some air units fly against a base."""
    who = Counted(which, number)
    many = ("Attack {} with how many of {} from {}?", aim, who, home)
    return count_or_not(number, many, ("Attack {} with {} from {}?", aim, who, home), "Hold back", ("Attack {}", aim))


@air_phase.segment("23.152D", "The phase ends; squadrons recombine into factors")
@rule("18.524", "23.152D", "23.141C", "18.525")
def end_phase(state: State) -> Script[Next]:
    """23.152D: after all counterairs of the phase the attackers recombine; at the end of the turn everyone does."""
    scene = state.scene
    last = state.battle.phase == len(scene.phases) - 1
    if state.squadrons:
        for site in state.of_side(scene.attacker):
            yield from put_together(state, state.sites[site])
        state.scattered = {}
    if not last:
        state.battle.phase += 1
        for place in state.sites.values():
            place.counteraired = False
        return announce
    yield from end_of_turn(state)
    return END


@rule("19.65C", "23.141", "23.141C", "23.142B", "23.142C", "23.143.EX1")
def end_of_turn(state: State) -> Script[None]:
    """23.141C: all squadrons are put together, and no more army air stays in play than the force pool allows."""
    if not state.squadrons:
        return
    for side in state.sides:
        for key in state.of_side(side):
            yield from put_together(state, state.sites[key], last=True)
    if not state.setting.pool:
        return
    in_play: dict[str, int] = {}
    for site in state.sites.values():
        for which, number in site.air.items():
            in_play[which.pool] = in_play.get(which.pool, 0) + number
    for pool, factors in sorted(state.setting.pool.items()):
        yield from _trim(state, pool, in_play.get(f"{pool}/factors", 0), factors)


@rule("23.164")
def put_together(state: State, site: Site, *, last: bool = False) -> Script[None]:
    """All squadrons of a base become factors; which of them were used at sea, are committed or were aborted is
    remembered (23.164)."""
    if _is_together(site):
        return
    yield from drop_left_over(state, site.air, last=last)
    site.used, site.committed = recombined_part(site.air, site.used), recombined_part(site.air, site.committed)
    site.aborted = recombined_part(site.air, site.aborted)
    site.air = recombine(site.air, site.transports, state.setting.options.transport_losses)
    site.transports = []


def _is_together(site: Site) -> bool:
    """Whether a base has neither squadrons that make factors nor anything of them to remember, as most bases."""
    if site.used or site.committed or site.aborted or site.transports:
        return False
    for which in site.air:  # noqa: SIM110 - asked very often, and quicker than `all`
        if not (which.is_factor or which.is_naval):
            return False
    return True


@rule("23.142A", "23.142B")
def drop_left_over(state: State, force: Force, *, last: bool = False) -> Script[None]:
    """23.142A: squadrons that make no factor are eliminated. At the end of a player turn the unbuilt ones have been
    counted before (23.142B), so these are not among them."""
    for which, number in left_over(force).items():
        if not last:
            state.lose({which: number})
        gone = Lost([(which, number)])
        yield Note(("{}: {} left over and eliminated", state.place(which.home).name, gone), "23.142A")


@rule("23.142B", "23.142C", "23.17")
def _trim(state: State, pool: str, in_play: int, factors: int) -> Script[None]:
    """23.142C: air of a nation above its force pool is removed, from bases of the owner's choice; jets and air
    transports like army air (23.17, 23.18)."""
    lost = state.losses.air
    unbuilt = lost.get(f"{pool}/factors", 0) + factors_from(lost.get(f"{pool}/squadrons", 0))
    for _ in range(beyond_pool(in_play, unbuilt, factors)):
        every = state.of_side(state.scene.attacker) + state.of_side(state.scene.defender)
        homes = {home: found for home in every if (found := _of_pool(state.sites[home], pool))}
        first = homes[next(iter(homes))][0]
        question = ("Force pool exceeded: remove one of the {}", Plural(first))
        labels: dict[str, Words] = {home: ("Remove one from {}", state.place(home).name) for home in homes}
        home: str = yield Choose(state.place(first.home).side, "remove", [*homes], question, labels, "23.142C")
        yield Note(("1 {} removed from {}", homes[home][0].name, state.place(home).name), "23.142C")
        take(state.sites[home].air, homes[home][0], 1)


def _of_pool(site: Site, pool: str) -> list[Unit]:
    return [which for which in site.air if which.pool == f"{pool}/factors"]


# --- a mission --------------------------------------------------------------------------------------------------


@counterair.segment("18.521C", "The base is revealed")
@rule("18.521A", "18.521B", "18.521C", "17.3126A", "17.3126B", "17.3126B.1", "18.521D")
def reveal(state: State) -> Script[Next]:
    """18.521C: carrier air under a TF marker is revealed and fights as if based on land, whatever the base can hold."""
    mission = _mission(state)
    site, place = state.sites[mission.target], state.place(mission.target)
    site.counteraired = True
    site.shaken = {}  # the last counterair counts (22.435)
    yield Note(
        ("{}: counterair against {} with {}", state.name(mission.side), place.name, Listed(mission.attackers.items())),
        "18.521",
    )
    for marker, aboard in come_under_attack(state, mission.target):
        yield disclosed(("{} in {}: {} aboard", marker, place.name, Listed(aboard.items())), "18.521C", place.side)
    yield from set_scale(state, mission)
    if not site.air:
        yield no_combat(state, mission.target)
        return come_home
    return None


@rule("18.521D")
def no_combat(state: State, base: str) -> Note:
    """18.521D: against a base without air units there is no combat."""
    return Note(("No air units in {}: no combat", state.place(base).name), "18.521D")


@counterair.segment("19.2", "A round of air combat")
@rule("18.521A", "18.521B", "18.522C", "19.21", "19.41", "19.64", "19.64.1", "23.141A.2", "23.152A")
def combat_round(state: State) -> Script[Next]:
    """19.2: strengths are fixed, both sides roll, and only then losses are taken (19.41)."""
    mission = _mission(state)
    yield from fight_round(state, mission, (yield from engaged_defenders(state, mission)))
    return None


def engaged_defenders(state: State, mission: Mission) -> Script[Force]:
    """Those of a counteraired base who fight in the next round: all of them, but for what the attacker declares."""
    site = state.sites[mission.target]
    for which in site.air:
        if which.inverted or not which.strength:
            return (yield from _declare(state, mission, site))
    return site.air


@rule("18.526A", "19.2", "19.21", "19.31", "19.41", "19.42", "19.64.1", "23.411A", "23.411C", "23.412B.2")
def fight_round(state: State, mission: Mission, engaged: Force, *, rolling: bool = True) -> Script[AirResult]:
    """19.2: both sides roll, and only then losses are taken (19.41). Gives what of the defender's result found nobody
    among the attackers. Those who do not counterair the defenders do not roll (23.411C)."""
    attacker, defender, options = mission.side, state.other(mission.side), state.setting.options
    site, combat = state.sites[mission.target], mission.combat
    mission.round += 1
    ours = Party(attacker, weigh(mission.attackers, options), rolling)
    theirs = Party(defender, weigh(engaged, options))
    over = state.place(mission.target).name
    on_defenders, on_attackers = yield from exchange_fire(
        state, ours, theirs, Circumstances(combat), over, mission.round
    )
    mission.aborted = {}
    site.aborted = {} if rolling else site.aborted
    hit = yield from take_losses(state, defender, site.air, on_defenders, site.aborted, combat, engaged)
    if hit.surplus:
        hit.eliminated |= yield from _surplus(defender, site, hit.surplus)
    lost = yield from take_losses(state, attacker, mission.attackers, on_attackers, mission.aborted, combat)
    for side, result in ((defender, hit), (attacker, lost)):
        state.lose(result.eliminated)
        yield tell_losses(state, side, result.eliminated, result.aborted)
    missed = on_attackers.aborted - lost.aborted
    return AirResult(lost.surplus, missed) if lost.surplus or missed else NO_EFFECT


@rule("23.131A", "23.141A.2", "19.51", "23.152A", "17.65")
def set_scale(state: State, mission: Mission) -> Script[None]:
    """23.131A: with naval air on either side everyone fights as squadrons, and goes on so between rounds (23.141A).

    Without it squadrons in the base, from an earlier combat or a task at sea between two sorties, are first put
    together; a lone one is lost (23.142A).
    """
    site = state.sites[mission.target]
    mission.squadrons = mission.squadrons or fought_as_squadrons(mission.attackers, site.air)
    if mission.squadrons:
        break_down_site(state, site)
        mission.attackers = break_down(mission.attackers)
    else:
        yield from put_together(state, site)


def break_down_site(state: State, site: Site) -> None:
    """23.132: all the air of a base in squadrons; transports are remembered, because they are reckoned as factors."""
    state.squadrons = True
    air = break_down(site.air)
    if air is not site.air:
        site.transports += broken_transports(site.air)
    site.air, site.aborted = air, break_down(site.aborted)
    site.committed, site.used = break_down(site.committed), break_down(site.used)


@rule("19.64", "18.521B", "18.521B.1", "17.65")
def _declare(state: State, mission: Mission, site: Site) -> Script[Force]:
    """19.64, 18.521B: before each round the attacker says whether inverted air, and whether transports, are engaged.

    Only where somebody else is left to fight: there is always an engagement (18.521A).
    """
    options = state.setting.options
    fighters = [which for which in site.air if which.strength]
    mixed = len({which.inverted for which in fighters}) == 2
    inverted = transports = True
    if options.inverted_air == "attacker-declares" and mixed:
        inverted = yield from _engage(mission.side, "inverted", "Fight inverted air units too?", "19.64")
    if fighters and options.transports_targeted == "attacker-declares" and len(fighters) < len(site.air):
        transports = yield from _engage(mission.side, "transports", "Attack air transports too?", "18.521B")
    return {
        which: number
        for which, number in site.air.items()
        if (inverted or not which.inverted if which.strength else transports)
    }


def _engage(side: str, verb: str, question: str, number: str) -> Script[bool]:
    labels: dict[str, Words] = {"engage": "Fight them", "leave": "Leave them alone"}
    chosen: str = yield Choose(side, verb, ("engage", "leave"), question, labels, number)
    return chosen == "engage"


@rule("19.64.1")
def _surplus(side: str, site: Site, surplus: int) -> Script[Force]:
    """19.64.1: eliminations beyond the uninverted air fall on inverted air, even if it was not engaged."""
    down = [which for which in site.air if which.inverted and which.strength]
    more = yield from suffer(side, site.air, down, AirResult(surplus, 0), {})
    return more.eliminated


@counterair.segment("18.522", "Each side stays or breaks off")
@rule("18.522A", "18.522B", "18.522B.1", "18.522B.2", "18.522B.2.1", "18.522B.2.2", "18.522C", "18.523.1", "19.11")
@rule("19.12.1", "23.46A", "23.461A")
def go_on(state: State) -> Script[Next]:
    """18.522: the defender may leave, after a single round too (23.46A); then the attacker, who may bring more air,
    goes on or does not. The combat is over if a side is wiped out, or if there is one round of it only (19.12)."""
    mission, options = _mission(state), state.setting.options
    site = state.sites[mission.target]
    if not site.air or not may_leave_after(mission.attackers, options):
        return come_home
    if may_flee(state, mission.target):
        chosen: str = yield Choose(
            state.other(mission.side),
            "defender",
            ("stay", "leave"),
            ("Evacuate {}?", state.place(mission.target).name),
            {"stay": "Stay and fight", "leave": "Evacuate all air units"},
            {"stay": "18.522B", "leave": "18.523"},
        )
        if chosen == "leave":
            return flee
    if not mission.attackers or single_round(mission.combat, options):
        return come_home
    pressed: str = yield Choose(
        mission.side,
        "attacker",
        ("press-on", "break-off"),
        "Fight another round?",
        {"press-on": "Fight another round", "break-off": "Break off"},
        "18.522B",
    )
    if pressed == "break-off":
        return come_home
    yield from commit(state, mission)
    yield from set_scale(state, mission)
    return combat_round


@rule("23.46A", "18.522A")
def may_leave_after(survivors: Force, options: Options) -> bool:
    """23.46A: defenders may leave after any round of air attack; by the other reading only if some of the attackers
    have survived it, since otherwise the combat is over (18.522A)."""
    return bool(survivors) or options.defenders_leave == "after-any-round"


@counterair.segment("18.523", "The defender leaves the base")
@rule("18.523", "18.523.1", "18.523.2", "18.523.3", "18.43")
def flee(state: State) -> Script[Next]:
    """18.523: all surviving defenders fly to bases with room in staging range and are inverted there."""
    mission = _mission(state)
    yield from abandon(state, mission.target)
    return None


@rule("18.523", "23.461A", "23.461B")
def abandon(state: State, target: str) -> Script[None]:
    """18.523: all air units leave a base, for others with room in staging range, and are inverted there (23.461B)."""
    side = state.place(target).side
    known = shelters(state, target)
    state.sites[target].aborted = {}
    waiting, free = parties(state, target, known), known.free
    state.sites[target].transports = []
    while waiting:
        party = waiting.pop(0)
        which, left, reach = party
        for shelter in reach:
            if not left:
                break
            last = shelter == reach[-1]
            numbers = [left] if last else possible(party, shelter, left, waiting, free)
            site = known.sites[shelter]
            name, who = state.place(site).name, Counted(which, left)
            question, labels = count_or_not(
                left,
                ("Evacuate how many of {} to {}?", who, name),
                ("Evacuate {} to {}?", who, name),
                "Send elsewhere",
                ("Evacuate to {}", name),
            )
            verb = ("flee", site, which.nation, which.arm, which.role)
            number: int = yield Choose(side, verb, numbers, question, labels, "18.523")
            left -= number
            free = (*free[:shelter], free[shelter] - number * which.size, *free[shelter + 1 :])
            if number:
                take(state.sites[target].air, which, number)
                add(state.sites[site].air, _fled(state, which, site), number)
                if which.arm is TRANSPORT and not which.is_factor:
                    state.sites[site].transports.append(_fled_transports(which, number))
    vacate(state, target)
    yield Note(("{}: all air units evacuate {}", state.name(side), state.place(target).name), "18.523")


@rule("23.46", "23.461A")
def offer_to_leave(state: State, bases: list[str]) -> Script[None]:
    """23.46: base by base the owner says whether all air units in it leave, if they find room elsewhere."""
    for base in bases:
        if state.sites[base].air and may_flee(state, base):
            question = ("Evacuate {}?", state.place(base).name)
            side = state.place(base).side
            chosen: str = yield Choose(side, ("flee-from", base), (STAY, LEAVE), question, _ANSWERS, "23.461")
            if chosen == LEAVE:
                yield from abandon(state, base)


STAY, LEAVE = "stay", "leave"
_ANSWERS: dict[str, Words] = {STAY: "Stay", LEAVE: "Evacuate all air units, inverted"}


@rule("18.523.3", "18.43")
def _fled(state: State, which: Unit, site: str) -> Unit:
    """18.523: those who fled are inverted, and have the DRM of their new base."""
    return state.rebased(which, site).turned(inverted=True)


@rule("23.18", "18.523.3")
def _fled_transports(which: Unit, number: int) -> Broken:
    """18.523: transports that fled as squadrons are reckoned as inverted factors where they are now, apart from others
    of their nation there."""
    return Broken(which.nation, 0, factors_from(number))


@counterair.segment("18.524", "The survivors")
@rule("18.524A", "18.524B", "18.526A", "18.526C", "18.42A", "18.43", "17.3126C", "17.3126C.1")
def come_home(state: State) -> Script[Next]:
    """18.524, 18.526: attackers return, land-based ones inverted; the last roll inverts the defenders it aborted."""
    mission = _mission(state)
    site = state.sites[mission.target]
    in_battle = state.scene.kind == "naval-battle"
    if not in_battle:
        invert_aborted(site)
    places = state.scene.places
    for which, number in mission.attackers.items():
        home = state.sites[which.home]
        if places[which.home].afloat:
            add(home.flown, which, number)
            home.launched = True
            if in_battle and which in mission.aborted:
                add(home.aborted, which, mission.aborted[which])
        else:
            which = which.turned(inverted=True)
        add(home.air, which, number)
    back = Listed(mission.attackers.items())
    yield Note(("{}: {} back from counterair", state.name(mission.side), back), "18.524")
    state.battle.mission = None
    return None


@rule("18.526A", "18.526C", "18.43")
def invert_aborted(site: Site) -> None:
    """18.526: those aborted by the last roll are inverted; the others act without impairment."""
    for which, aborted in site.aborted.items():
        invert_some(site, which, aborted)
    site.aborted = {}


def invert_some(site: Site, which: Unit, number: int) -> int:
    """Invert a number of units in a base, or those that are left of them. Returns how many were inverted."""
    some = min(number, site.air.get(which, 0))
    if some:
        take(site.air, which, some)
        add(site.air, which.turned(inverted=True), some)
    return some


def _mission(state: State) -> Mission:
    assert state.battle.mission is not None
    return state.battle.mission
