"""Declaring interceptions (22.12-22.14): whom a side intercepts, in which hex and with what. It is decided in secret
and announced as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from flagplot.awaw.mapboard.hexes import Hex, hex_text
from flagplot.awaw.operations.interception.dice import attempts_on, dice_of, prey, ships_of
from flagplot.awaw.operations.interception.hexes import open_legs
from flagplot.awaw.operations.interception.interceptors import (
    MOST_LOOSE,
    able_flotillas,
    able_forces,
    in_range,
    is_russian,
    kept_from,
    nations_of,
    theatre,
    way_to,
)
from flagplot.awaw.operations.interception.regrouping import possible_steps, regroup
from flagplot.awaw.operations.interception.sailing_together import is_known, same_path
from flagplot.awaw.operations.names import factors_long, force_name, hex_name, hexes_long
from flagplot.awaw.operations.passage.homeward import new_voyage
from flagplot.awaw.ships import Fleet, factors
from flagplot.awaw.state.operation import Activity, NavalForce, Voyage
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.counts import MAXIMUM_RANGE, Intercepted, interception_dice, may_intercept
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, listing

NONE, STAY, DIRECT = "none", "stay", "direct"
LONGEST_DETOUR = 3
MOST_WAYS = 4


def might_intercept(state: State, side: str, key: str) -> bool:
    """Whether a side might intercept a voyage, as far as everybody can tell: its forces are taken to be as fit for it
    as forces can be, since nobody knows what is in them or how they may be regrouped."""
    voyage = state.operation.voyages[key]
    if voyage.side == side or not is_known(voyage):
        return False
    forces, flotillas = able_forces(state, side, voyage), able_flotillas(state, side, voyage)
    for leg, hexes in open_legs(state, key, submarines=True).items():
        about = Abouts(state, key, leg)
        for at in hexes:
            near = [force for force in forces.values() if in_range(state, force.at, at)]
            if any([_at_best(about.of(at, _is_russian(force))) for force in near]):
                return True
            if any([no_hex(state, one.at, None, {at: about}, [one.nation]) is None for one in flotillas.values()]):
                return True
    return False


def _at_best(about: Intercepted) -> bool:
    return may_intercept(interception_dice(**about, cruisers_and_destroyers_only=True))


def _is_russian(force: NavalForce) -> bool:
    return is_russian(nations_of(force.group.ships))


class Abouts:
    """What counts about a target in each hex of a leg, worked out once for each question."""

    def __init__(self, state: State, key: str, leg: int) -> None:
        self._state, self._key, self._leg = state, key, leg
        self._known: dict[tuple[Hex, bool], Intercepted] = {}

    def of(self, at: Hex, russian: bool) -> Intercepted:
        known = self._known.get((at, russian))
        if known is None:
            known = self._known[at, russian] = prey(self._state, self._key, self._leg, at, russian=russian)
        return known


@rule("22.22", "22.23", "22.24C")
def no_hex(
    state: State, start: Hex, ships: Fleet | None, hexes: Mapping[Hex, Abouts], nations: Iterable[str]
) -> Refusal | None:
    """22.22: why somebody by himself, ships or submarines, can intercept in none of some hexes: none is in range, or
    there are too few dice (22.24C)."""
    near = [at for at in hexes if in_range(state, start, at)]
    if not near:
        sails = [far for at in hexes if (far := state.operation.plan.board.sea_distance(start, at)) is not None]
        if not sails:
            return Refusal("no sea route to its path", "22.23")
        words = "its path is {} hexes away at the nearest; the range is {}"
        return Refusal((words, min(sails), MAXIMUM_RANGE[theatre(state)]), "22.22")
    russian = is_russian(nations)
    counts = {at: dice_of(hexes[at].of(at, russian), ships, 1) for at in near}
    if any([may_intercept(ledger) for ledger in counts.values()]):
        return None
    at, ledger = max(counts.items(), key=lambda entry: entry[1].total)
    parts = ", ".join([f"{line.amount:+d} {line.rule}" for line in ledger]) or "no reason for any"
    return Refusal(("no dice in any hex; the best is {} ({})", hex_name(state, at), parts), "22.24C")


def decide(state: State, side: str, wanted: list[str]) -> Script[None]:
    """Regrouping, then target by target: task forces and smaller forces, then submarines."""
    yield from regroup(state, side, _ports(state, side, wanted))
    for key in wanted:
        for leg, hexes in open_legs(state, key).items():
            yield from _send_ships(state, side, key, leg, hexes)
        for leg, hexes in open_legs(state, key, submarines=True).items():
            yield from _send_submarines(state, side, key, leg, hexes)


def _ports(state: State, side: str, wanted: Iterable[str]) -> list[str]:
    """The ports of forces that may intercept somebody, if something can be regrouped there."""
    found: dict[str, None] = {}
    for key in wanted:
        for force in able_forces(state, side, state.operation.voyages[key]).values():
            if force.in_port:
                found[force.base] = None
    return [base for base in found if possible_steps(state, side, base)]


# --- ships ------------------------------------------------------------------------------------------------------


@rule("22.12", "22.13", "22.14A", "22.14B.1", "22.14D", "22.14E", "22.22", "22.22K", "22.24C", "SOP-NI-C", "SOP-NI-D")
def _send_ships(state: State, side: str, key: str, leg: int, hexes: tuple[Hex, ...]) -> Script[None]:
    """22.14: one hex for all who intercept a target on this leg (22.14E); then for each force whether it goes. Each
    task force goes for itself (22.14B), and every one of the attempts must have dice (22.24C)."""
    voyage = state.operation.voyages[key]
    about = Abouts(state, key, leg)
    able = able_forces(state, side, voyage)
    places: dict[str, Hex] = {
        hex_text(at): at
        for at in hexes
        if any([_no_hex_for(state, force, {at: about}) is None for force in able.values()])
    }
    if not places:
        return
    labels: dict[str, Words] = {NONE: "No interception"}
    labels |= {text: ("In {}", hex_name(state, at)) for text, at in places.items()}
    question = ("Intercept {}{}?", prey_name(state, key), _on_leg(state, key, leg))
    chosen: str = yield Choose(side, ("intercept", key, str(leg + 1)), [*labels], question, labels, "22.12")
    if chosen == NONE:
        return
    at = places[chosen]
    for name, force in able.items():
        taken = attempts_on(state, key, leg)
        if not kept_from(state, side, "", nations_of(force.group.ships), voyage, taken):
            yield from _send_force(state, key, leg, at, name, about)
    if attempts_on(state, key, leg):
        voyage.intercepted.append(leg)


def prey_name(state: State, key: str) -> str:
    """Who is intercepted: a force, and of interceptors all those on its very path (22.162)."""
    operation = state.operation
    voyage = operation.voyages[key]
    fellows = [voyage]
    if voyage.level:
        others = [operation.voyages[other] for other in same_path(state, key, voyage.path[0])]
        fellows += [other for other in others if other.path == voyage.path]
    return listing([force_name(state, other) for other in fellows])


def _on_leg(state: State, key: str, leg: int) -> str:
    return f" on leg {leg + 1} of its path" if len(open_legs(state, key)) > 1 else ""


def _no_hex_for(state: State, force: NavalForce, hexes: Mapping[Hex, Abouts]) -> Refusal | None:
    return no_hex(state, force.at, force.group.ships, hexes, nations_of(force.group.ships))


@rule("22.14B.1", "22.14C", "22.14D", "22.23", "22.22K", "22.24C")
def _send_force(state: State, key: str, leg: int, at: Hex, name: str, about: Abouts) -> Script[None]:
    """22.14D: a force goes or is held back. Forces that are no task forces and lie in one port go together, up to nine
    factors (22.14C). The path is announced with it (22.23)."""
    operation = state.operation
    force = operation.fleet[name]
    taken = attempts_on(state, key, leg)
    fellows = None if force.group.task_force else _loose(state, force, taken)
    ways = {DIRECT: fellows.path} if fellows else _ways(state, force, at)
    if hindrance(state, key, leg, at, name, about):
        return
    labels: dict[str | tuple[str, str], Words] = {STAY: "Hold back"}
    for via, path in ways.items():
        words: Words = ("Send it, {}", hexes_long(len(path) - 1))
        if via == DIRECT:
            labels[DIRECT] = words
        else:
            labels["via", via] = ("Via {}, {}", state.place(via).name, hexes_long(len(path) - 1))
    question = ("Send {} from {}?", force.marker, _whence(state, force))
    verb = ("go", key, str(leg + 1), name)
    chosen: str | tuple[str, str] = yield Choose(force.side, verb, [*labels], question, labels, "22.14")
    if chosen == STAY:
        return
    force.tried = state.now
    if fellows:
        fellows.forces.append(name)
        force.voyage = next(other for other, voyage in operation.voyages.items() if voyage is fellows)
        return
    path = ways[chosen if isinstance(chosen, str) else chosen[1]]
    _set_out(state, key, leg, at, path, forces=[name], at_sea=bool(force.patrol), side=force.side)


@rule("22.14C", "22.14E", "22.22K", "22.24C")
def hindrance(state: State, key: str, leg: int, at: Hex, name: str, about: Abouts) -> Refusal | None:
    """Why a force cannot go beside those that are declared already: all intercept in one hex (22.14E), small forces of
    one port have nine factors at most (22.14C), and each attempt must keep a die (22.24C)."""
    if not in_range(state, state.operation.fleet[name].at, at):
        return Refusal(("{}, where others intercept, is out of its range", hex_name(state, at)), "22.14E")
    force, taken = state.operation.fleet[name], attempts_on(state, key, leg)
    fellows = None if force.group.task_force else _loose(state, force, taken)
    loose = ships_of(state, [*(fellows.forces if fellows else ()), name])
    if not force.group.task_force and factors(loose) > MOST_LOOSE:
        return Refusal("small forces from one port send nine factors at most", "22.14C")
    together = [ships_of(state, other.forces + [name] * (other is fellows)) for other in taken]
    together += [] if fellows else [force.group.ships]
    prey_ = about.of(at, _is_russian(force))
    legal = all([may_intercept(dice_of(prey_, ships, len(together))) for ships in together])
    return None if legal else Refusal("another attempt would leave one of them without dice", "22.24C")


def _whence(state: State, force: NavalForce) -> str:
    return hex_name(state, force.at) if force.patrol else state.place(force.base).name


@rule("22.14C")
def _loose(state: State, force: NavalForce, taken: list[Voyage]) -> Voyage | None:
    """22.14C: the attempt of other small forces of the same port on this target."""
    for voyage in taken:
        for other in state.operation.sailing(voyage).values():
            if not other.group.task_force and other.at == force.at:
                return voyage
    return None


@rule("22.23", "22.14F", "T22.21-16")
def _ways(state: State, force: NavalForce, at: Hex) -> dict[str, tuple[Hex, ...]]:
    """22.23: the shortest path, or by way of another port of the side, so that forces can sail along one path."""
    direct = way_to(state, force.at, at)
    if direct is None:
        return {}
    ways = {DIRECT: direct}
    for base in state.of_side(force.side):
        place = state.place(base)
        if len(ways) == MOST_WAYS or not place.ports or place.box or place.at in direct:
            continue
        way = way_to(state, force.at, at, (place.at,))
        if way and len(way) <= len(direct) + LONGEST_DETOUR and len(set(way)) == len(way):
            ways[base] = way
    return ways


def _set_out(
    state: State,
    key: str,
    leg: int,
    at: Hex,
    path: tuple[Hex, ...],
    *,
    side: str,
    forces: list[str],
    at_sea: bool,
    flotilla: str = "",
) -> None:
    """An attempt is on the map: it counts from here on."""
    attempt = Voyage(side, Activity.INTERCEPTION, forces, path, step=0 if at_sea else -1, shown=True)
    attempt.level, attempt.target = state.operation.voyages[key].level + 1, key
    attempt.leg, attempt.meet, attempt.flotilla = leg, at, flotilla
    new_voyage(state, attempt)


# --- submarines -------------------------------------------------------------------------------------------------


@rule("22.114", "22.13E", "22.915", "22.916A", "22.911", "SOP-NI-C.1", "22.22K.3")
def _send_submarines(state: State, side: str, key: str, leg: int, hexes: tuple[Hex, ...]) -> Script[None]:
    """22.915: each submarine factor intercepts for itself, in any hex of the leg, whatever others do."""
    operation = state.operation
    voyage = operation.voyages[key]
    about = Abouts(state, key, leg)
    for name in able_flotillas(state, side, voyage, attempts_on(state, key, leg)):
        flotilla = state.operation.flotillas[name]
        nations = [flotilla.nation]
        places = {hex_text(at): at for at in hexes if no_hex(state, flotilla.at, None, {at: about}, nations) is None}
        while flotilla.factors and places:
            labels: dict[str, Words] = {NONE: "No more submarines"}
            labels |= {text: ("In {}", hex_name(state, at)) for text, at in places.items()}
            where = state.place(flotilla.base).name
            question = ("Send submarines from {} to intercept {}?", where, force_name(state, voyage))
            verb = ("submarine", key, str(leg + 1), name)
            chosen: str = yield Choose(side, verb, [*labels], question, labels, "22.915")
            if chosen == NONE:
                break
            at = places.pop(chosen)
            counts = range(1, flotilla.factors + 1)
            ask = ("factors", key, str(leg + 1), name)
            number: int = yield Choose(side, ask, counts, "Send how many factors?", factors_long, "22.915")
            path = way_to(state, flotilla.at, at)
            assert path is not None
            for _ in range(number):
                _set_out(state, key, leg, at, path, forces=[], at_sea=bool(flotilla.patrol), side=side, flotilla=name)
            flotilla.factors -= number
            flotilla.away += number
