"""Fleet fire on one target (22.55): the very segment in which ships fire, with one volley."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flagplot.awaw.battle.gunnery import capital_fire, light_fire
from flagplot.awaw.battle.screening import is_always_screened
from flagplot.awaw.options import Options
from flagplot.awaw.ships import Fleet, Kind, Ship, Ships, ship, ship_ledger
from flagplot.awaw.state.battle import LIGHT_SHIPS, Volley
from flagplot.awaw.state.state import State
from flagplot.kernel.errors import BadValue
from flagplot.kernel.requests import Roll
from flagplot.library import ruleset
from flagplot.odds.answer import Answer, Ledgers, Part
from flagplot.odds.answers.dice import CERTAINLY_NOTHING, plus, reading_of
from flagplot.odds.answers.losses import factor_parts, light_parts, ship_part, toll
from flagplot.odds.answers.two_fleets import HAMPERED, Fleets, battle_state, check_apart, engaged
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import enumerate_ends
from flagplot.odds.questions.fire import FireQuestion
from flagplot.odds.questions.shared import THEM, US
from flagplot.players.doctrine import DoctrinePlayer


def fire(question: FireQuestion) -> Answer:
    """What the fire of some ships, or of so many factors, does to a named ship or to light ships."""
    readings, differing = question.option
    ours = _firing(question)
    theirs = question.target.fleet(question.target_nation, question.hits, readings)
    aimed = _one_target(theirs, question.target.text)
    check_apart(ours, theirs)
    activities = dict.fromkeys(question.hampered, HAMPERED)
    return _answer(Fleets(ours, theirs, activities, question.codebreaking, options=readings), aimed, differing)


def _firing(question: FireQuestion) -> Fleet:
    ships, factors, options = question.ships, question.factors, question.option.chosen
    if ships and factors is not None:
        raise BadValue("give ships or factors, not both", given=ships.text, rule="22.55")
    if not ships and factors is None:
        raise BadValue("give the ships or the factors that fire", rule="22.55")
    if factors is not None:
        return _plain_factors(factors, question.nation, options)
    fleet = ships.fleet(question.nation, options=options)
    for which in fleet:
        if is_always_screened(which):
            raise BadValue("these ships are screened and do not fire", given=which.name, rule="22.531C")
    if len({which.capital for which in fleet}) > 1:
        remedy = "capital ships, or light ships: they fire one after the other"
        raise BadValue("capital and light ships do not fire together", given=ships.text, allowed=[remedy], rule="22.54")
    return fleet


def _plain_factors(number: int, nation: str, options: Options) -> Fleet:
    """So many factors at the DRM of their country, which light ships but CVEs have."""
    if not nation:
        raise BadValue("factors need a country: add --nation", given=number, rule="22.552A")
    drm = ship_ledger(nation, Kind.DESTROYER, 1, supply_and_oil=options.supply_and_oil).total
    return {ship(nation, Kind.DESTROYER, "", 1, False, drm): number}


def _one_target(fleet: Fleet, text: str) -> Ship | None:
    """The named ship that is fired at, or nothing if it is light ships."""
    named = [which for which in fleet if which.named]
    if named and len(fleet) > 1:
        remedy = "one named ship, or light ships"
        raise BadValue("choose a single target", given=text, allowed=[remedy], rule="22.54C.2")
    return named[0] if named else None


def _answer(fleets: Fleets, aimed: Ship | None, differing: dict[str, Any]) -> Answer:
    state = _state(fleets, aimed)
    ledgers, rolls = Ledgers(), list[Roll[Any]]()

    def seen(roll: Roll[Any]) -> None:
        ledgers(roll)
        if not any([known.purpose == roll.purpose for known in rolls]):
            rolls.append(roll)

    players = {US: DoctrinePlayer(), THEM: DoctrinePlayer()}
    segment = state.frames[-1].segment
    found = enumerate_ends(
        ruleset("awaw"),
        state,
        players,
        lambda after: toll(state, after),
        over=lambda after: after.frames[-1].segment != segment,
        seen=seen,
    )
    cases = [[found.ends]]
    parts = [Part("Hits", _hits(rolls))]
    if aimed:
        parts.append(ship_part(cases, THEM, aimed))
    else:
        parts += [*factor_parts(cases, THEM, "Their"), *light_parts(cases, THEM, fleets.theirs)]
    return Answer(_question(fleets), tuple(parts), ledgers.kept, (), differing)


def _state(fleets: Fleets, aimed: Ship | None) -> State:
    capital = any([which.capital for which in fleets.ours])
    state = battle_state(fleets, (capital_fire if capital else light_fire).start())
    state.battle.engagement = engaged(state)
    state.battle.engagement.volleys = [Volley(US, aimed.id if aimed else LIGHT_SHIPS, dict(fleets.ours))]
    return state


def _hits(rolls: Sequence[Roll[Any]]) -> Distribution[int]:
    """What all the dice together read, whether or not there is enough to be hit."""
    sums = CERTAINLY_NOTHING
    for roll in rolls:
        sums = plus(sums, reading_of(roll, int))
    return sums


def _question(fleets: Fleets) -> str:
    return f"Fire by {Ships(fleets.ours.items())} on {Ships(fleets.theirs.items())}"
