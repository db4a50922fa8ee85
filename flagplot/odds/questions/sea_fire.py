"""Fleet fire on one target (22.55): the very segment in which ships fire, with one volley."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flagplot.awaw.battle.screening import is_always_screened
from flagplot.awaw.options import Options
from flagplot.awaw.ships import Fleet, Kind, Ship, Ships, ship, ship_ledger
from flagplot.awaw.state import LIGHT_SHIPS, State, Volley
from flagplot.kernel.errors import BadValue
from flagplot.kernel.procedures import Frame
from flagplot.kernel.requests import Roll
from flagplot.library import ruleset
from flagplot.odds.answer import Answer, Ledgers, Part
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import enumerate_ends
from flagplot.odds.questions.sea_dice import CERTAINLY_NOTHING, plus, reading_of
from flagplot.odds.questions.sea_forces import check_apart, read_fleet, read_side, read_sides
from flagplot.odds.questions.sea_states import HAMPERED, THEM, US, Fleets, battle_state, engaged
from flagplot.odds.questions.sea_tolls import factor_parts, light_parts, ship_part, toll
from flagplot.odds.words import country_of, read_readings, read_whole
from flagplot.players.doctrine import DoctrinePlayer

MOST_FACTORS = 200


def fire(
    *,
    ships: str = "",
    factors: int | str | None = None,
    nation: str = "",
    target: str,
    target_nation: str = "",
    hits: str = "",
    hampered: Sequence[str] = (),
    codebreaking: str = "",
    option: Sequence[str] | dict[str, Any] = (),
) -> Answer:
    """What the fire of some ships, or of so many factors, does to a named ship or to light ships."""
    readings, differing = read_readings(option)
    ours = _firing(ships, factors, nation, readings)
    theirs = read_fleet(target, "target", target_nation, hits, readings)
    aimed = _one_target(theirs, target)
    check_apart(ours, theirs)
    activities = dict.fromkeys(read_sides(hampered, "being hampered"), HAMPERED)
    fleets = Fleets(ours, theirs, activities, read_side(codebreaking, "codebreaking"), options=readings)
    return _answer(fleets, aimed, differing)


def _firing(ships: str, factors: int | str | None, nation: str, options: Options) -> Fleet:
    if bool(ships.strip()) == (factors is not None):
        given = ships if ships.strip() else "neither"
        raise BadValue("who fires is said by ships or by factors, one of the two", given=given, rule="22.55")
    if factors is not None:
        return _plain_factors(read_whole(factors, "number of factors", 1, MOST_FACTORS, "22.55"), nation, options)
    fleet = read_fleet(ships, "firing ships", nation, "", options)
    for which in fleet:
        if is_always_screened(which):
            raise BadValue("these ships are screened and do not fire", given=which.name, rule="22.531C")
    if len({which.capital for which in fleet}) > 1:
        remedy = "capital ships, or light ships: they fire one after the other"
        raise BadValue("capital and light ships do not fire together", given=ships, allowed=[remedy], rule="22.54")
    return fleet


def _plain_factors(number: int, nation: str, options: Options) -> Fleet:
    """So many factors at the DRM of their country, which light ships but CVEs have."""
    if not nation:
        raise BadValue("factors need a country: say --nation", given=number, rule="22.552A")
    country = country_of(nation, nation)
    drm = ship_ledger(country, Kind.DESTROYER, 1, supply_and_oil=options.supply_and_oil).total
    return {ship(country, Kind.DESTROYER, "", 1, False, drm): number}


def _one_target(fleet: Fleet, text: str) -> Ship | None:
    """The named ship that is fired at, or nothing if it is light ships."""
    named = [which for which in fleet if which.named]
    if named and len(fleet) > 1:
        remedy = "one named ship, or light ships"
        raise BadValue("each target is fired at by itself", given=text, allowed=[remedy], rule="22.54C.2")
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
    state = battle_state(fleets, Frame("engagement", "capital_fire" if capital else "light_fire"))
    state.engagement = engaged(state)
    state.engagement.volleys = [Volley(US, aimed.id if aimed else LIGHT_SHIPS, dict(fleets.ours))]
    return state


def _hits(rolls: Sequence[Roll[Any]]) -> Distribution[int]:
    """What all the dice together read, whether or not there is enough to be hit."""
    sums = CERTAINLY_NOTHING
    for roll in rolls:
        sums = plus(sums, reading_of(roll, int))
    return sums


def _question(fleets: Fleets) -> str:
    return f"Fire of {Ships(fleets.ours.items())} on {Ships(fleets.theirs.items())}"
