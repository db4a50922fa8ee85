"""Principles for an air turn: uninvert, attack on the ground where the odds are good and everything that can helps,
defend what is attacked, build what there are BRPs for. Bases are changed only if the rules ask for it."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.air_units import Arm, flying_range
from flagplot.awaw.mapboard.hexes import distance
from flagplot.awaw.views.turn import UnitView
from flagplot.awaw.views.units import Hex
from flagplot.kernel.requests import Choose
from flagplot.players.doctrine.principles import When, always, first, last, part, principle, says
from flagplot.players.doctrine.sea import Sea, hex_of
from flagplot.players.doctrine.sight import Sight, squadrons

GOOD_ODDS = 2.0
"""Attack factors against one of the defence from which an attack is made, ground support among them."""
OVERRUN_ODDS = 5.0
SUPPORT = 3
"""18.554, 18.614: air factors for each ground factor."""
DESPERATE = 1944
"""The year from which Japan invokes the kamikaze rule (17.41)."""


def ruled(*numbers: str) -> When:
    """Questions that one of these rules asks, since the map has other questions under the same verb."""

    def holds(request: Choose[Any]) -> bool:
        rule = request.rule
        if isinstance(rule, str):
            return rule.startswith(numbers)
        return any([number.startswith(numbers) for number in rule.values()])

    return holds


# --- everything, or nothing -------------------------------------------------------------------------------------


EVERYBODY = "Who can take part does."
always(last, "das", "use", "guard", "bombers", "bombard", "cves", "launch", "converted", why=EVERYBODY)
always(last, "support", "intercept", when=ruled("18.55", "18.56"), why=EVERYBODY)
always(last, "attack", when=ruled("18.623"), why=EVERYBODY)
always(last, "send", when=ruled("18.621"), why=EVERYBODY)
always(last, "number", when=ruled("17."), why=EVERYBODY)
always(last, "aboard", when=ruled("17.3122"), why=EVERYBODY)
always(last, "escort", why="All who can escort do: they are of no use over the ground.")
NOBODY = "Squadrons stay aboard their carriers, and army air supports the army; nobody counts on airborne units."
always(says(0), "ashore", when=ruled("17.3122"), why=NOBODY)
always(says(0), "bombing", "support-airdrop", "launch-airdrop", why=NOBODY)
always(says("done"), "drop-zone", why="Airborne units stay on the ground.")
TOGETHER = "All air is uninverted, and all ground units of an attack make it."
always(says("all"), "uninvert", "with", "go", when=ruled("18.71", "18.551", "18.555"), why=TOGETHER)
IN_ORDER = "Attacks in the order in which they were announced, home to the own base, by the shortest way."
always(first, "land", when=ruled("18.46"), why=IN_ORDER)
always(first, "route", when=ruled("18.621"), why=IN_ORDER)
always(first, "surplus", when=ruled("18.15"), why=IN_ORDER)
always(first, "raid-from", "build", "place", "bomb", "convert", "remove", why=IN_ORDER)


# --- on the ground ----------------------------------------------------------------------------------------------


def _odds_against(sight: Sight, at: Hex) -> float:
    """Our ground factors beside a hex with the air that can support them, against the enemy's in it."""
    theirs = sum([unit.defence for unit in _units(sight, sight.enemy) if unit.at == at])
    ours = sum([unit.factors for unit in _units(sight, sight.side) if distance(unit.at, at) <= 1])
    return (ours + min(SUPPORT * ours, _air_near(sight, at))) / max(1, theirs) if ours else 0.0


def _units(sight: Sight, side: str) -> list[UnitView]:
    return [unit for unit in sight.turn.units.values() if unit.side == side and not unit.aboard]


def _air_near(sight: Sight, at: Hex) -> int:
    """Factors of uninverted army air in range of a hex."""
    reach = flying_range(Arm.ARMY, Sea(sight).pacific, 0)
    sites = [site for site in sight.position.sites.values() if site.side == sight.side]
    flights = [flight for site in sites if distance(site.at, at) <= reach for flight in site.air]
    return squadrons([flight for flight in flights if flight.arm is Arm.ARMY and not flight.inverted])


def _best_hex(sight: Sight, request: Choose[Any], odds: float) -> Any:
    hexes = [value for value in request.values if "," in str(value)]
    best = max(hexes, key=lambda value: _odds_against(sight, hex_of(value)), default="done")
    return best if best != "done" and _odds_against(sight, hex_of(best)) >= odds else "done"


@principle("exploit")
@principle("attack", when=lambda request: request.verb == "attack" and "done" in request.values)
def attack(sight: Sight, request: Choose[Any]) -> Any:
    """The enemy is attacked where the odds are best, if they are good."""
    return _best_hex(sight, request, GOOD_ODDS)


@principle("overrun")
def overrun(sight: Sight, request: Choose[Any]) -> Any:
    """Overruns are for the weakest alone."""
    return _best_hex(sight, request, OVERRUN_ODDS)


@principle("fight", when=ruled("18.551"))
def next_attack(sight: Sight, request: Choose[Any]) -> Any:
    """Attacks that were announced are made; others only at good odds without support."""
    announced = _attacked_hexes(sight)
    hexes = [value for value in request.values if "," in str(value)]
    ready = [value for value in hexes if hex_of(str(value).split("+")[0]) in announced]
    return ready[0] if ready else "done"


def _attacked_hexes(sight: Sight) -> set[Hex]:
    return {at for attack in sight.turn.attacks for at in attack.hexes}


@principle("advance")
def advance(sight: Sight, request: Choose[Any]) -> Any:
    """An empty hex is taken."""
    return next((value for value in request.values if value != "none"), "none")


@principle("defend")
def defend(sight: Sight, request: Choose[Any]) -> Any:
    """Defensive air support flies to hexes that are attacked, once to each."""
    covered = {flight.at for flight in sight.turn.flights if flight.side == sight.side}
    attacked = _attacked_hexes(sight) - covered
    return next((value for value in request.values if "," in str(value) and hex_of(value) in attacked), "done")


always(says("continue"), "mission", why="Defensive air support goes on as long as any of it is left.")


@principle("round", "interceptors", "remain")
def enough(sight: Sight, request: Choose[Any]) -> Any:
    """One round of air combat is enough, and nobody waits for exploitation."""
    return next((value for value in request.values if value in ("break-off", "return")), request.values[0])


# --- results that the players give ------------------------------------------------------------------------------


def _strengths(request: Choose[Any]) -> tuple[int, int]:
    """The factors of attack and defence, as the question tells them."""
    told = request.question if isinstance(request.question, tuple) else ()
    ours, theirs, *_ = [*[number for number in told if isinstance(number, int)], 1, 1]
    return ours, max(1, theirs)


@principle("attacker-loses")
def attacker_loses(sight: Sight, request: Choose[Any]) -> int:
    """At good odds half of what the defence counts, else half of the attack."""
    ours, theirs = _strengths(request)
    return -(-theirs // 2) if ours >= GOOD_ODDS * theirs else -(-ours // 2)


@principle("defender-loses")
def defender_loses(sight: Sight, request: Choose[Any]) -> int:
    """All of it at good odds, half at even ones, else nothing."""
    ours, theirs = _strengths(request)
    most: int = request.values[-1]
    return most if ours >= GOOD_ODDS * theirs else most // 2 if ours >= theirs else 0


@principle("result", when=ruled("18.613"))
def overrun_result(sight: Sight, request: Choose[Any]) -> Any:
    """An overrun succeeds at its odds."""
    wanted = _odds_against(sight, hex_of(part(request, 1))) >= OVERRUN_ODDS
    return next((value for value in request.values if (value == "overrun") == wanted), request.values[0])


@principle("bombed")
def bombed(sight: Sight, request: Choose[Any]) -> int:
    """As much as can be expected on average."""
    most: int = request.values[-1]
    return -(-most // 2)


# --- in the air -------------------------------------------------------------------------------------------------


IN_REACH = "Air transports are met where they are first in reach."
always(first, "intercept", when=lambda one: ruled("18.621")(one) and "none" in one.values, why=IN_REACH)


@principle("oppose")
def oppose(sight: Sight, request: Choose[Any]) -> int:
    """Interceptors and jets oppose bombers; army air has the front to think of."""
    kind = part(request, 1)
    most: int = request.values[-1]
    return most if ":interceptor:" in kind or ":jet:" in kind else 0


@principle("kamikazes", when=ruled("17.41"))
def invoke(sight: Sight, request: Choose[Any]) -> str:
    """Kamikazes are for the last years of the war."""
    year = int(sight.turn.player_turn.season.rsplit(" ", 1)[-1])
    return "yes" if year >= DESPERATE else "no"
