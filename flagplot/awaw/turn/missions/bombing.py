"""Bombing of economic targets (18.57), as far as the air rules govern it: who flies, how far, who opposes it, and one
round of air combat.

Chapter 26 is not among our documents. A third of the army air bombs and the rest escorts it; the strengths in the air
combat are those of the sequence of play for bombing (`docs/rulings.md`). What the bombs do the moving side says.
"""

from __future__ import annotations

from dataclasses import replace

from flagplot.awaw.air_combat import Circumstances, Combat, weigh
from flagplot.awaw.air_rounds import Party, exchange_fire, take_losses, tell_losses
from flagplot.awaw.air_units import Arm, Force, Listed, Unit, add, in_order, take
from flagplot.awaw.battle.picking import Asked, any_of, gather
from flagplot.awaw.counterair import launch
from flagplot.awaw.counting import merged, without
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.names import factors_long
from flagplot.awaw.procedures import bombing
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Raid
from flagplot.awaw.tables.nations import nation as nation_of
from flagplot.awaw.turn.missions.abilities import Task
from flagplot.awaw.turn.missions.inversion import available, form_up
from flagplot.awaw.turn.missions.returning import return_home
from flagplot.awaw.turn.missions.strategic import BOMBERS, as_flown, may_bomb_box, may_intercept, reaches
from flagplot.awaw.turn.transport.air_routes import air_path
from flagplot.kernel.procedures import END, Next
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, capital

DONE = "done"
MOST_JAPANESE = 10
"""Japanese army air factors that bomb in a turn (chapter 26)."""
MOST_BRPS = 3
"""BRPs that a bombing factor costs the enemy at the most, among the answers that are offered."""


# --- who can bomb what ------------------------------------------------------------------------------------------


@bombing.segment("18.512F", "A raid is announced, or none")
@rule("18.512F", "18.57", "18.49A", "18.49B", "17.23E", "17.73")
def announce(state: State) -> Script[Next]:
    """18.57: in the combat phase a nation bombs an economic target within range, each target once."""
    turn = state.turn
    form_up(state, state.moving)
    raids = {
        (country, target): bases
        for country in state.setting.nations[state.moving]
        for target, bases in bombable(state, country).items()
    }
    labels: dict[str, Words] = {
        f"{country}:{target}": ("Bomb {} ({})", turn.plan.targets[target], nation_of(country).name)
        for country, target in raids
    }
    labels[DONE] = "No more bombing"
    question = "Choose a target to bomb"
    chosen: str = yield Choose(state.moving, "bomb", [*labels], question, labels, "18.57")
    if chosen == DONE:
        return END
    country, _, target = chosen.partition(":")
    bases = raids[country, target]
    named: dict[str, Words] = {base: state.place(base).name for base in bases}
    question = "Choose a base for the raid"
    start: str = yield Choose(state.moving, ("raid-from", target), bases, question, named, "17.72")
    turn.raided[chosen] = 0
    route = air_path(state, state.place(start).at, target_hex(state, target))
    turn.raid = Raid(target, country, start, route or (state.place(start).at, target_hex(state, target)))
    return None


NO_TARGET = Refusal("no unbombed target in range, or fewer than three factors ready", "18.57")


@rule("18.57")
def bombable(state: State, country: str) -> dict[str, list[str]]:
    """18.57: the targets that a nation can bomb, each once, and the bases from which it can; that of its raid under way
    is among them."""
    now = state.turn.raid.target if state.turn.raid and state.turn.raid.nation == country else ""
    known = sorted(state.turn.plan.targets)  # whatever order the dictionary has
    targets = [one for one in known if one == now or f"{country}:{one}" not in state.turn.raided]
    return {target: bases for target in targets if (bases := origins(state, country, target))}


def target_hex(state: State, target: str) -> Hex:
    """Where an economic target is."""
    return state.place(target).at if target in state.scene.places else state.operation.plan.board.find(target)


@rule("18.49A", "18.49B", "17.71.2", "17.72")
def origins(state: State, country: str, target: str) -> list[str]:
    """17.72: the bases from which a nation can bomb a target: those of a front whose strategic bombers reach it from
    there, and those of army air in range; boxes only as 18.49 has it."""
    at, side = target_hex(state, target), state.moving
    if target in state.scene.places:
        place = state.place(target)
        if place.side == side or (place.box and may_bomb_box(state, country, target) is not None):
            return []
    found = dict[str, None]()
    for force in state.turn.bombers.values():
        for which in force:
            if which.nation == country:
                found |= dict.fromkeys(bomber_bases(state, which, at))
    army = _of(country, available(state, side, Task.BOMB, at))
    if _most_army(state, country, army) >= 3:
        found |= dict.fromkeys([which.home for which in army])
    return list(found)


def bomber_bases(state: State, which: Unit, at: Hex) -> list[str]:
    """17.72: the bases from which some strategic bombers can bomb a hex."""
    able = which.arm in BOMBERS and not which.inverted and _fit(state, which)
    return reaches(state, state.moving, which, at) if able else []


@rule("17.75A")
def _fit(state: State, which: Unit) -> bool:
    """17.75A: American Pacific bombers serve in the Pacific alone."""
    return which.arm is not Arm.PACIFIC_BOMBER or state.setting.pacific


def _of(country: str, force: Force) -> Force:
    return {which: number for which, number in force.items() if which.nation == country}


def _most_army(state: State, country: str, army: Force) -> int:
    """How much of some army air may be sent: of the Japanese ten factors in a turn."""
    there = sum(army.values())
    if country != "japan":
        return there
    return min(
        there, MOST_JAPANESE - sum([sent for raid, sent in state.turn.raided.items() if raid.startswith("japan:")])
    )


# --- who flies --------------------------------------------------------------------------------------------------


BOMB = ("Bomb with how many of {}?", "Bomb with {}?", "Hold back", "Bomb")
ARMY_BOMB = ("Send how many of {}? A third bomb", "Send {}?", "Hold back", "Send it")
ESCORT = ("Escort them with how many of {}?", "Escort them with {}?", "No escort", "Escort")
OPPOSE = ("Oppose the raid with how many of {}?", "Oppose the raid with {}?", "Hold back", "Oppose it")


@bombing.segment("18.57", "The raid takes off")
@rule("17.58", "17.581", "17.53C", "17.82.1", "17.83", "18.31G.1", "17.71.2")
def take_off(state: State) -> Script[Next]:
    """17.58: strategic bombers and army air bomb; jets escort them as far as they fly, and interceptors as far as they
    do from a base of their front."""
    turn = state.turn
    raid, side = _under_way(state), state.moving
    at, front = raid.route[-1], turn.plan.fronts.get(raid.base, "")
    bombers = _ready(state, raid.nation, BOMBERS, front, at)
    raid.strategic = yield from _send(state, side, "bombers", bombers, BOMB, "17.73")
    army = _of(raid.nation, available(state, side, Task.BOMB, at))
    left = _most_army(state, raid.nation, army)

    def most(which: Unit, chosen: Force) -> int:
        return min(army[which], left - sum(chosen.values()))

    question, named = ARMY_BOMB, state.scene.name_of_place
    raid.air = yield from gather(side, "bombing", army, most, 0, question, "17.23E", named=named)
    if not bombing_factors(raid.air, raid.strategic):
        raid.air, raid.strategic, turn.raid = {}, {}, None
        yield Note(("{}: no bombing of {}", state.name(side), turn.plan.targets[raid.target]), "18.57")
        return announce
    sent = sum(raid.air.values())
    turn.raided[f"{raid.nation}:{raid.target}"], raid.bombing_army = sent, sent // 3
    escort = _ready(state, raid.nation, (Arm.INTERCEPTOR,), front, at)
    some = yield from _send(state, side, "escort", escort, ESCORT, "17.83")
    raid.strategic = merged(raid.strategic, some)
    jets = _of(raid.nation, available(state, side, Task.ESCORT_BOMBING, at))
    some = yield from _send(state, side, "escort", jets, ESCORT, "17.53C")
    raid.air = merged(raid.air, some)
    launch(state, raid.air)
    _leave_box(state, raid.strategic)
    flying = Listed(merged(raid.air, raid.strategic).items())
    yield Note(("{}: raid on {} by {}", state.name(side), turn.plan.targets[raid.target], flying), "18.57")
    return None


def _under_way(state: State) -> Raid:
    turn = state.turn
    assert turn.raid is not None, "a raid is under way"
    return turn.raid


def _send(state: State, side: str, verb: str, able: Force, question: Asked, number: str) -> Script[Force]:
    def named(home: str) -> str:
        return state.scene.name_of_place(home) if home in state.scene.places else f"the {home} front"

    return (yield from gather(side, verb, able, any_of(able), 0, question, number, named=named))


def _ready(state: State, country: str, arms: tuple[Arm, ...], front: str, at: Hex) -> Force:
    """The SW units of a nation on a front that reach a target."""
    return {
        which: number
        for which, number in state.turn.bombers.get(front, {}).items()
        if which.nation == country
        and which.arm in arms
        and not which.inverted
        and _fit(state, which)
        and reaches(state, state.moving, which, at)
    }


def _leave_box(state: State, force: Force) -> None:
    for which, number in force.items():
        take(state.turn.bombers[which.home], which, number)


@rule("17.23E", "17.73")
def bombing_factors(air: Force, strategic: Force) -> int:
    """26.13: what bombs of a raid: all strategic bombers, and a third of its army air, rounded down."""
    army = sum([number for which, number in air.items() if which.arm is Arm.ARMY])
    return army // 3 + sum([number for which, number in strategic.items() if which.arm in BOMBERS])


# --- who opposes it ---------------------------------------------------------------------------------------------


@bombing.segment("17.582", "The defender may oppose the raid")
@rule("17.23I", "17.53F", "17.582", "17.82", "17.83", "18.31G")
def oppose(state: State) -> Script[Next]:
    """17.582: army air and jets within range of the route may engage the raid, and interceptors whose front it flies
    over (18.31G)."""
    raid, side = _under_way(state), state.other(state.moving)
    form_up(state, side)
    able = able_to_oppose(state, raid)
    raid.guards = yield from _send(state, side, "oppose", able, OPPOSE, "17.582")
    launch(state, raid.guards)
    ready = {
        which: number
        for force in state.turn.bombers.values()
        for which, number in force.items()
        if which.nation in state.setting.nations[side]
        and which.arm is Arm.INTERCEPTOR
        and not which.inverted
        and may_intercept(state, side, which, raid.route)
    }
    raid.interceptors = yield from _send(state, side, "oppose", ready, OPPOSE, "18.31G")
    _leave_box(state, raid.interceptors)
    flying = merged(raid.guards, raid.interceptors)
    if not flying:
        return drop_bombs
    yield Note(("{}: raid opposed by {}", state.name(side), Listed(flying.items())), "17.582")
    return None


@rule("17.582", "17.23I", "17.53F")
def able_to_oppose(state: State, raid: Raid) -> Force:
    """17.582: the defender's army air and jets within range of some hex of the route; Italian army air does not defend
    Germany (chapter 26)."""
    side, able = state.other(state.moving), dict[Unit, int]()
    for at in raid.route:
        for which, number in available(state, side, Task.OPPOSE_BOMBING, at).items():
            if which not in able and not _forbidden(state, raid, which):
                add(able, which, number)
    return able


def _forbidden(state: State, raid: Raid, which: Unit) -> bool:
    over_germany = state.turn.plan.homes.get(raid.target) == "germany"
    return over_germany and which.nation == "italy" and which.arm is Arm.ARMY


# --- the air combat ---------------------------------------------------------------------------------------------


@rule("17.55", "17.56")
def strengths(attackers: Force, defenders: Force) -> tuple[int, int]:
    """26.45: the rows of both sides. The defender's: all his factors, and two more for each jet. The attacker's: two
    for each jet, and as many of his factors as the defender has, those that bomb of army air not among them."""
    ours, theirs = sum(attackers.values()), sum(defenders.values())
    army = sum([number for which, number in attackers.items() if which.arm is Arm.ARMY])
    jets = sum([number for which, number in attackers.items() if which.arm is Arm.JET])
    their_jets = sum([number for which, number in defenders.items() if which.arm is Arm.JET])
    return 2 * jets + min(theirs, ours - army // 3), theirs + 2 * their_jets


@bombing.segment("19.12", "One round of air combat")
@rule("19.12", "19.31D", "17.75C", "17.85", "19.62", "17.581", "17.582")
def fight(state: State) -> Script[Next]:
    """19.12: bombing is opposed in a single round. Each radar result of the defender counts for him (19.31D), and he
    does not abort (26.451)."""
    raid, options = _under_way(state), state.setting.options
    side, other = state.moving, state.other(state.moving)
    mine, others = _flying(state, raid)
    ours, theirs = _as_one(raid.air, raid.strategic, mine), _as_one(raid.guards, raid.interceptors, others)
    our_row, their_row = strengths(ours, theirs)
    attackers = Party(side, replace(weigh(ours, options), strength=our_row))
    defenders = Party(other, replace(weigh(theirs, options), strength=their_row))
    circumstances = Circumstances(Combat.BOMBING, radar=state.setting.best(other, "radar"))
    over = state.turn.plan.targets[raid.target]
    fire = yield from exchange_fire(state, attackers, defenders, circumstances, over)
    aborted: Force = {}
    lost = yield from take_losses(state, other, theirs, fire.on_defenders, {}, Combat.BOMBING)
    gone = yield from take_losses(state, side, ours, fire.on_attackers, aborted, Combat.BOMBING)
    for owner, result in ((other, lost), (side, gone)):
        state.lose(result.eliminated)
        yield tell_losses(state, owner, result.eliminated, result.aborted)
    raid.guards, raid.interceptors = _left(raid.guards, theirs, {}), _left(raid.interceptors, theirs, others)
    raid.air, raid.strategic = _left(raid.air, ours, {}), _left(raid.strategic, ours, mine)
    yield from _turn_back(state, raid, aborted, mine)
    return None


Strategic = dict[Unit, Unit]
"""SW units as they stand on their front, and as they fight."""


def _flying(state: State, raid: Raid) -> tuple[Strategic, Strategic]:
    """The SW units of both sides as they fight, each from a base of its front."""
    other = state.other(state.moving)
    ours = {which: as_flown(state, which, raid.base) for which in raid.strategic}
    bases = {which: may_intercept(state, other, which, raid.route) for which in raid.interceptors}
    return ours, {which: as_flown(state, which, base) for which, base in bases.items()}


def _as_one(air: Force, strategic: Force, flown: Strategic) -> Force:
    force = dict(air)
    for which, number in strategic.items():
        add(force, flown[which], number)
    return in_order(force)


def _left(force: Force, left: Force, flown: Strategic) -> Force:
    """What is left of air units, or of SW units, that fought together with others."""
    return {which: some for which in force if (some := left.get(flown.get(which, which), 0))}


@rule("18.42A", "19.42")
def _turn_back(state: State, raid: Raid, aborted: Force, flown: Strategic) -> Script[None]:
    """19.42: attackers who were forced to abort return without bombing."""
    air, strategic = _left(raid.air, aborted, {}), _left(raid.strategic, aborted, flown)
    raid.air, raid.strategic = without(raid.air, air), without(raid.strategic, strategic)
    yield from return_home(state, air, raid.route[-1], "18.42A", "was forced to abort bombing")
    _return_to_box(state, strategic)


def _return_to_box(state: State, force: Force) -> None:
    """SW units are back on their front, inverted until their owner's player turn ends (18.73)."""
    for which, number in force.items():
        add(state.turn.bombers.setdefault(which.home, {}), which.turned(inverted=True), number)


# --- the bombs --------------------------------------------------------------------------------------------------


@bombing.segment("18.57", "The bombs fall, and all return")
@rule("18.57", "18.42A", "18.73A")
def drop_bombs(state: State) -> Script[Next]:
    """18.57: what the bombing costs the enemy the moving side says, as chapter 26 has it. All have flown their mission
    and are inverted."""
    turn = state.turn
    raid, name = _under_way(state), capital(turn.plan.targets[_under_way(state).target])
    through = bombing_factors_left(raid)
    if through:
        question = ("{}: {} of bombs cost how many BRPs?", name, factors_long(through))
        verb, counts = ("bombed", raid.target), range(MOST_BRPS * through + 1)
        cost: int = yield Choose(state.moving, verb, counts, question, _brps, "18.57")
        turn.bombed[raid.target] = turn.bombed.get(raid.target, 0) + cost
        yield Note(("{}: {} of bombs cost {}", name, factors_long(through), _brps(cost)), "18.57")
    else:
        yield Note(("{}: no bombs fall", name), "18.57")
    at = raid.route[-1]
    yield from return_home(state, raid.air, at, "18.42A", f"took part in the bombing of {name}")
    yield from return_home(state, raid.guards, at, "18.42A", f"opposed the bombing of {name}")
    _return_to_box(state, raid.strategic)
    _return_to_box(state, raid.interceptors)
    turn.raid = None
    return announce


def bombing_factors_left(raid: Raid) -> int:
    """What still bombs: strategic bombers, and of army air no more than was meant to; its escorts are lost first
    (`docs/rulings.md`)."""
    army = sum([number for which, number in raid.air.items() if which.arm is Arm.ARMY])
    return min(army, raid.bombing_army) + sum(
        [number for which, number in raid.strategic.items() if which.arm in BOMBERS]
    )


def _brps(number: int) -> Words:
    return ("{} BRP{}", number, "s" * (number != 1))
