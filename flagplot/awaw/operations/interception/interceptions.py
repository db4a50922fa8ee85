"""Interceptions, counter-interceptions and counter-counter-interceptions (22.1, 22.2), in the order of 22.164.

All attempts of a level are declared, then the dice are rolled for each, and then it is clear who arrives when. Nothing
is fought here: who set out sails in `passage`.
"""

from __future__ import annotations

from collections.abc import Iterator

from flagplot.awaw.mapboard.hexes import hex_text
from flagplot.awaw.operations.interception.declaring import decide, might_intercept, prey_name
from flagplot.awaw.operations.interception.dice import conclude, hexes_reached, ledger_of
from flagplot.awaw.operations.interception.immunity import is_immune
from flagplot.awaw.operations.interception.interceptors import is_free, submarines_kept_from_intercepting, theatre
from flagplot.awaw.operations.interception.regrouping import forces_by_port
from flagplot.awaw.operations.interception.sailing_together import is_known
from flagplot.awaw.operations.names import force_name, hex_name, hexes_long
from flagplot.awaw.operations.passage.supply_lines import is_bare_line
from flagplot.awaw.procedures import attempts, interceptions
from flagplot.awaw.state.operation import Activity, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.awaw.views.operation import lower_curtain, raise_curtain
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.requests import Choose, Note, Roll, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words, listing

OUT, HOME = "out", "home"
NONE, ALL = "none", "all"
LEVELS = {1: "intercept", 2: "counter-intercept", 3: "counter-counter-intercept"}


# --- the order of 22.164 ----------------------------------------------------------------------------------------


@interceptions.segment("22.12", "The enemy may ask for exact paths")
@rule("22.12", "SOP-NI-B")
def routes(state: State, scope: str) -> Script[Next]:
    """22.12: who may intercept can ask for the exact path of each force; only then can he choose a hex of it."""
    for side in state.sides:
        hidden = {
            key: voyage
            for key in _activities(state, scope)
            if (voyage := state.operation.voyages[key]).side != side
            and not is_known(voyage)
            and not is_immune(state, voyage)
        }
        while hidden and has_interceptors(state, side):
            labels: dict[str, Words] = {NONE: "No more paths"}
            labels |= {ALL: "Show all paths"} if len(hidden) > 1 else {}
            labels |= {key: force_name(state, voyage) for key, voyage in hidden.items()}
            chosen: str = yield Choose(side, "route", [*labels], "Ask to see a path?", labels, "22.12")
            if chosen == NONE:
                break
            for key in [*hidden] if chosen == ALL else [chosen]:
                voyage = hidden.pop(key)
                voyage.shown = True
                path = " ".join(map(hex_text, voyage.path))
                yield disclosed(("Path of {}: {}", force_name(state, voyage), path), "22.12", voyage.side)
    return None


def has_interceptors(state: State, side: str) -> bool:
    """Whether a side has anybody who could intercept something, as everybody can see."""
    operation = state.operation
    return any([is_free(state, force) for force in operation.fleet_of(side).values()]) or any(
        [one.side == side and not submarines_kept_from_intercepting(state, one) for one in operation.flotillas.values()]
    )


@interceptions.segment("22.164A", "Interceptions")
@rule("22.164", "22.164A", "22.18A", "22.11", "22.111")
def intercept(state: State, scope: str) -> Next:
    """22.164A: all interceptions are announced, then the dice are rolled. They cost nothing (22.111)."""
    return Call(attempts, (scope, 1))


@interceptions.segment("22.164B", "Counter-interceptions")
@rule("22.164B", "22.16", "22.161", "22.25", "SOP-NI-F", "SOP-NI-F.1", "SOP-NI-G")
def counter(state: State, scope: str) -> Next:
    """22.164B, 22.16: then those who were to be intercepted counter, before anything is fought."""
    return Call(attempts, (scope, 2))


@interceptions.segment("22.164C", "Counter-counter-interceptions")
@rule("22.164C", "22.17", "22.253", "SOP-NI-G.1")
def counter_counter(state: State, scope: str) -> Next:
    """22.164C: then the first side may counter that; there is no further level (22.17)."""
    return Call(attempts, (scope, 3))


@rule("22.164A", "22.18A", "22.25", "22.24A", "22.917", "22.13B", "22.162")
def targets(state: State, scope: str, level: int) -> list[str]:
    """22.164: the voyages that may be intercepted now: those of activities, or those that return (22.18A), or a single
    one. On the next level those who intercept them, unless all of them have failed (22.25); never submarines (22.917).
    Of those on one and the same path the first stands for all (22.162)."""
    if level > 1:
        found: dict[object, str] = {}
        for key, voyage in _attempts(state, scope, level - 1):
            if not voyage.flotilla:
                found.setdefault((voyage.side, voyage.path), key)
        return list(found.values())
    return _activities(state, scope)


def _activities(state: State, scope: str) -> list[str]:
    """The voyages about which it all is."""
    return [
        key
        for key, voyage in state.operation.voyages.items()
        if _is_meant(voyage, key, scope) and _is_there(state, voyage)
    ]


@rule("23.752D", "22.141B")
def _is_there(state: State, voyage: Voyage) -> bool:
    """Whether there is something to intercept: ships, or a sea supply line that nobody protects."""
    return bool(state.operation.sailing(voyage)) or is_bare_line(state, voyage)


def _is_meant(voyage: Voyage, key: str, scope: str) -> bool:
    if voyage.level or scope not in (OUT, HOME):
        return key == scope
    return voyage.is_open and (voyage.activity is Activity.RETURN) == (scope == HOME)


def _attempts(state: State, scope: str, level: int) -> Iterator[tuple[str, Voyage]]:
    """The attempts of a level that were made on these voyages and have not failed."""
    roots = set(_activities(state, scope))
    for key, voyage in list(state.operation.voyages.items()):
        if voyage.level == level and voyage.progress is Progress.ANNOUNCED and root(state, key) in roots:
            yield key, voyage


def root(state: State, key: str) -> str:
    """The naval activity about which an interception is, through all its counters."""
    operation = state.operation
    while key in operation.voyages and operation.voyages[key].target:
        key = operation.voyages[key].target
    return key


# --- declaring --------------------------------------------------------------------------------------------------


@attempts.segment("22.14", "All attempts are declared")
@rule("22.14B.2", "22.14D", "22.164A", "22.164B", "22.164C", "22.11", "SOP-PA-B.1.a")
def declare(state: State, scope: str, level: int) -> Script[Next]:
    """22.164: a side decides in secret whom it intercepts where and with what, then announces all of it. That it sends
    nobody is announced as well: a patrol sails on as soon as it is not intercepted in its hex (SOP-PA-B)."""
    operation = state.operation
    for side in (state.scene.defender, state.scene.attacker):
        wanted = [key for key in targets(state, scope, level) if might_intercept(state, side, key)]
        if not wanted:
            continue
        before, ports = set(operation.voyages), forces_by_port(state, side)
        words = ("{}: choosing forces to {}", state.name(side), LEVELS[level])
        lower_curtain(state, side)
        yield from secretly(side, words, decide(state, side, wanted), "22.14")
        raise_curtain(state)
        for base, forces in forces_by_port(state, side).items():
            if forces != ports[base]:
                told = ("{}: forces in {} regrouped: {}", state.name(side), state.place(base).name)
                yield disclosed((*told, listing([marker for _, marker, _ in forces])), "22.14B", side)
        declared = [voyage for key, voyage in state.operation.voyages.items() if key not in before]
        for voyage in declared:
            yield disclosed(_announcement(state, voyage), "22.164", side)
        if not declared:
            yield disclosed(_nobody(state, side, wanted, level), "22.164", side)
    return None


def _nobody(state: State, side: str, wanted: list[str], level: int) -> Words:
    """What is announced if a side intercepts nobody: the same whether it could not or would not."""
    first = state.operation.voyages[wanted[0]]
    here = f" in {hex_name(state, first.at)}" if first.activity is Activity.PATROL and first.step >= 0 else ""
    names = listing([prey_name(state, key) for key in wanted])
    return ("{}: no {}ion of {}{}", state.name(side), LEVELS[level], names, here)


def _announcement(state: State, voyage: Voyage) -> Words:
    return (
        "{}: {} sets out to {} {} in {}, {} away",
        state.name(voyage.side),
        force_name(state, voyage),
        LEVELS[voyage.level],
        prey_name(state, voyage.target),
        hex_name(state, voyage.meet),
        hexes_long(len(voyage.path) - 1),
    )


# --- dice -------------------------------------------------------------------------------------------------------


@attempts.segment("22.21", "The dice of each attempt are rolled")
@rule("22.21", "22.22", "22.164A", "SOP-NI-D", "SOP-NI-D.1", "T22.21-15", "22.114", "22.14B.1")
def roll(state: State, scope: str, level: int) -> Script[Next]:
    """22.21: for each intercepting force dice are rolled; their sum is compared with its distance."""
    waiting = [voyage for _, voyage in _attempts(state, scope, level) if not voyage.reached]
    if not waiting:
        return None
    attempt = waiting[0]
    ledger = ledger_of(state, attempt)
    assert ledger.total > 0, "an attempt without dice was declared"
    purpose = (
        "{}: interception by {}, {} away",
        state.name(attempt.side),
        force_name(state, attempt),
        hexes_long(len(attempt.path) - 1),
    )
    hidden = any([force.group.task_force for force in state.operation.sailing(attempt).values()])
    secret: Words = purpose if hidden else ""
    reads = hexes_reached(theatre(state))
    attempt.reached = yield Roll(attempt.side, ledger.total, purpose, reads, "22.21", ledger, secret, "dice")
    attempt.reached = int(attempt.reached)
    return roll


@attempts.segment("22.24", "Who arrives, and when")
@rule("22.23", "22.24A", "22.24B", "22.25", "SOP-NI-E")
def arrivals(state: State, scope: str, level: int) -> Script[Next]:
    """22.24: if nobody reaches the interception hex all have stayed in port; else those who fell short come later."""
    operation = state.operation
    made = list(_attempts(state, scope, level))
    for target, leg in dict.fromkeys([(voyage.target, voyage.leg) for _, voyage in made]):
        names = {key: force_name(state, voyage) for key, voyage in made if (voyage.target, voyage.leg) == (target, leg)}
        conclude(state, target, leg)
        failed = [names[key] for key in names if not operation.voyages[key].arrives]
        for key in names:
            voyage = operation.voyages[key]
            if voyage.arrives:
                yield Note(_arrival(state, voyage, names[key]), "22.23" if voyage.arrives == 1 else "22.24B")
        if failed:
            yield Note(("{}: not intercepted by {}", prey_name(state, target), listing(failed)), "22.24A")
    return END


def _arrival(state: State, voyage: Voyage, name: str) -> Words:
    where = hex_name(state, voyage.meet)
    if voyage.flotilla or voyage.arrives == 1:
        return ("{}: {} reaches {}", state.name(voyage.side), name, where)
    return ("{}: {} is late for {}: arrives in round {}", state.name(voyage.side), name, where, voyage.arrives)
