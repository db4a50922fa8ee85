"""The states in which questions of the air begin. The ruleset's own scenario reader makes and checks them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from flagplot.awaw.air_units import NAVAL_ARMS, Arm, Force, Role, add, flying_range, unit
from flagplot.awaw.scenario import read_state
from flagplot.awaw.state.setting import at_sea, drm_ledger
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.nations import nation
from flagplot.kernel.errors import BadValue, Fault, ScenarioError
from flagplot.odds.questions.air_combat import AirCombatQuestion
from flagplot.odds.questions.base_attack import BaseAttackQuestion
from flagplot.odds.questions.shared import ATTACKERS, DEFENDERS
from flagplot.odds.questions.strike import StrikeQuestion
from flagplot.odds.words import Flight, by_country

AirQuestion = StrikeQuestion | AirCombatQuestion | BaseAttackQuestion
FIELD = "{}-field"
"""Where the land-based air of a side stands."""

Entry = dict[str, Any]
"""A table of a scenario."""


def opening(
    kind: str,
    nations: Mapping[str, Iterable[str]],
    question: AirQuestion,
    places: Mapping[str, str],
    **more: Any,
) -> State:
    """The state at the start of a small scenario between attackers and defenders of some nations.

    `places` tells for the beginning of each place of the scenario which word of the question it comes from: faults of
    the scenario are told of that."""
    members = {side: list(dict.fromkeys(nations[side])) for side in (ATTACKERS, DEFENDERS)}
    both = [country for country in members[ATTACKERS] if country in members[DEFENDERS]]
    if both:
        raise BadValue("a country cannot fight on both sides", given=nation(both[0]).name)
    sides = [{"id": side, "name": called(side, members[side]), "nations": members[side]} for side in members]
    head: Entry = {"game": "awaw", "kind": kind, "title": "A question of odds", "theatre": "pacific"}
    head |= {"sides": sides, "attacker": ATTACKERS, "research": by_country(question.research, nations)}
    try:
        return read_state(head | more, question.options.chosen)
    except ScenarioError as error:
        raise _refusal(error.faults, question, {**places, "research": "research"}) from error


def called(side: str, countries: Sequence[str]) -> str:
    """A side in words: its country, if it is of one alone."""
    return nation(countries[0]).name if len(countries) == 1 else f"the {side}"


def _refusal(faults: Sequence[Fault], question: AirQuestion, places: Mapping[str, str]) -> BadValue:
    """The faults of a scenario as what they are to somebody who asked a question."""
    first = faults[0]
    name = next((name for place, name in places.items() if first.place.startswith(place)), "")
    word = question.form.word(name)
    what, words = word.what if word else "question", question.text(name)
    told = list(dict.fromkeys([f"{fault.message}{f' (rule {fault.rule})' * bool(fault.rule)}" for fault in faults]))
    if len(told) == 1:
        return BadValue(f"the {what} cannot be: {first.message}", given=words or None, rule=first.rule)
    return BadValue(f"the {what} cannot be: {'; '.join(told)}", given=words or None)


def field(side: str, flights: Sequence[Flight], **more: Any) -> Entry:
    """A mapboard box with air units of a side, for the reader to check; it holds any number."""
    place = {"id": FIELD.format(side), "name": f"the field of the {side}", "side": side, "box": True}
    return {**place, "at": [0, 1 if side == ATTACKERS else -1], "air": [based(flight) for flight in flights], **more}


def base(key: str, name: str, flights: Sequence[Flight]) -> Entry:
    """A base of the defenders that holds as much air as any can (18.12)."""
    place = {"id": key, "name": name, "side": DEFENDERS, "at": [0, 0]}
    return {**place, "cities": 3, "ports": 2, "airbases": 1, "air": [based(flight) for flight in flights]}


def based(flight: Flight) -> Entry:
    """Air units as scenario files have them."""
    counter = "squadrons" if flight.arm in NAVAL_ARMS else "factors"
    return {"nation": flight.nation, "arm": flight.arm.value, counter: flight.number, "inverted": flight.inverted}


def escort(side: str, country: str) -> Entry:
    """A destroyer factor: a naval battle has ships of both sides, though not all questions are about them."""
    ships = [{"nation": country, "destroyers": 1}]
    return {"id": f"{side}-escort", "name": "an escort", "side": side, "task_force": False, "ships": ships}


def force_of(
    state: State, flights: Iterable[Flight], home: Callable[[Flight], str], role: Callable[[Flight], Role]
) -> Force:
    """Air units with the DRM that they have at their home."""
    force: Force = {}
    for flight in flights:
        there = home(flight)
        drm = drm_ledger(state.setting, state.place(there), flight.nation, flight.arm).total
        research = state.setting.research.get(flight.nation)
        reach = flying_range(flight.arm, state.setting.pacific, research.jets if research else 0)
        which = unit(flight.nation, flight.arm, drm, reach, there, role(flight), flight.inverted)
        add(force, which, flight.number)
    return force


def striker_home(flight: Flight) -> str:
    """Naval squadrons fly from carriers, army squadrons from a field."""
    return at_sea(ATTACKERS) if flight.arm in NAVAL_ARMS else FIELD.format(ATTACKERS)


def role(army: Role) -> Callable[[Flight], Role]:
    """The role of squadrons, if army squadrons have this one."""
    return lambda flight: army if flight.arm is Arm.ARMY else Role.SQUADRONS


def only(flights: Sequence[Flight], arms: Iterable[Arm], words: str, given: str, rule: str) -> None:
    """Refuse air units of other arms, or inverted ones."""
    for flight in flights:
        if flight.arm not in arms:
            raise BadValue(f"{words}, not {flight.arm.value} air", given=given, rule=rule)
        if flight.inverted:
            raise BadValue(f"{words} only while they are not inverted", given=given, rule=rule)
