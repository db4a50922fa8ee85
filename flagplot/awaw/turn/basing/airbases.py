"""Airbase counters (18.14): who may place how many of them, where and when, and how they are used again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flagplot.awaw.procedures import airbases, isolation, opening_airbases
from flagplot.awaw.state.setting import Supply
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Airbase, Phase
from flagplot.awaw.tables.nations import nation
from flagplot.awaw.turn.basing.displacement import isolate, strip_airbase
from flagplot.awaw.turn.basing.geography import resettle
from flagplot.awaw.turn.basing.rooms import airbase_room, free_room
from flagplot.awaw.turn.nations import controller, faction_of, major_powers, side_of_nation
from flagplot.kernel.procedures import END, Next
from flagplot.kernel.refusal import Reason, Refusal
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, capital

DONE = "done"
EUROPE, PACIFIC = 0, 1
COUNTERS = {
    "germany": (4, 4),
    "japan": (3, 3),
    "britain": (3, 1),
    "russia": (3, 1),
    "united-states": (3, 3),
    "italy": (2, 2),
    "france": (2, 2),
    "china": (1, 1),
}
"""18.14: the airbase counters of a major power, in Europe and in the Pacific."""
TWO_A_TURN = frozenset({"germany", "united-states"})
PLACING = (Phase.MOVEMENT, Phase.CONSTRUCTION, Phase.REDEPLOYMENT)
ALEUTIANS = "aleutian"
"""The island group in which nobody places airbases, whatever the scenario calls it in full (18.142E)."""


# --- how many ---------------------------------------------------------------------------------------------------


@rule("18.14", "18.145")
def counters(state: State, country: str) -> int:
    """18.14: the airbase counters that a major power has in this theatre, with those from production (42.22E)."""
    theatres = COUNTERS.get(country, (0, 0))
    return theatres[PACIFIC if state.setting.pacific else EUROPE] + state.turn.plan.airbase_counters.get(country, 0)


@rule("18.142B.1", "18.142B.2", "18.142B.3", "18.142B.4", "18.142B#classic")
def a_turn(state: State, country: str) -> int:
    """18.142B: the airbases that a major power may place in each turn, in this theatre: Germany and the United States
    two, Russia two from 1943 on, others one. The classic game begins in 1939."""
    if country not in COUNTERS:
        return 0
    if country == "russia":
        year = state.turn.plan.year
        return 2 if year >= 1943 else int(not state.setting.options.classic or year >= 1939)
    return 2 if country in TWO_A_TURN else 1


@rule("18.141.2", "18.141.3")
def kept_out_by_peace(state: State, country: str) -> Refusal | None:
    """18.141: the United States place no airbases in Europe before they are at war with Germany; they and Britain none
    in the Pacific before the turn after war with Japan has begun, unless tensions have reached 40."""
    war = state.turn.plan.at_war
    if state.setting.pacific:
        if country in ("united-states", "britain") and not (war["us-japan-last-turn"] or war["tension-40"]):
            return Refusal("no airbases in the Pacific before the turn after war with Japan begins", "18.141")
    elif country == "united-states" and not war["us-germany"]:
        return Refusal("no airbases in Europe before war with Germany", "18.141")
    return None


@rule("18.142A", "18.142B.1", "18.142B.2", "18.142B.3")
def kept_from_placing(state: State, country: str) -> Refusal | None:
    """18.142: why a major power places no airbase now: it has a limit in a player turn, in one phase or
    several."""
    turn = state.turn
    if turn.step not in PLACING:
        return Refusal("airbases are placed in the movement, construction and redeployment phases", "18.142A")
    if refusal := kept_out_by_peace(state, country):
        return refusal
    if turn.placed.get(country, 0) < a_turn(state, country):
        return None
    return Refusal("has placed all its airbases for this turn", "18.142B")


def on_the_map(state: State, country: str) -> list[str]:
    """The bases with an airbase counter of a nation."""
    return [base for base, counter in sorted(state.turn.airbases.items()) if counter.nation == country]


# --- where ------------------------------------------------------------------------------------------------------


@rule("18.142C", "18.142C.1", "18.142C#note1", "18.142C#note2", "18.142D", "18.142E")
def sites_for(state: State, country: str, without: str = "") -> list[str]:
    """18.142: the hexes in which a major power may place an airbase: fully supplied, of its own alliance faction, with
    enemy armour beside them or not, and without an airbase. The counter in the base `without` is about to be removed
    from there (18.143)."""
    bases = state.of_side(side_of_nation(state, country))
    return [base for base in bases if base != without and not no_airbase(state, country, base, without)]


def no_airbase(state: State, country: str, base: str, without: str = "") -> Refusal | None:
    """18.142C-E: why a major power may not place an airbase in a base of its side."""
    turn = state.turn
    place = state.place(base)
    if place.box or place.afloat:
        return Refusal("airbases stand in hexes", "18.142C")
    if place.supply is not Supply.FULL:
        return Refusal("not fully supplied", "18.142C")
    if any([state.place(other).at == place.at for other in turn.airbases]):
        return Refusal("there is an airbase in the hex", "18.142D")
    if base in turn.plan.new_minors and turn.step == Phase.MOVEMENT:
        return Refusal("the country joined in this turn", "18.142C")
    faction = faction_of(state, country)
    if faction_of(state, controller(state, base)) != faction:
        return Refusal("held by another alliance faction", "18.142C")
    return _no_room_in_islands(state, faction, base, without)


@rule("18.142E")
def _no_room_in_islands(state: State, faction: str, base: str, without: str) -> Refusal | None:
    """18.142E: an alliance faction has one airbase in each Pacific island group, and none in the Aleutians."""
    turn = state.turn
    group = turn.plan.island_groups.get(base, "")
    if not group or not state.setting.pacific:
        return None
    if ALEUTIANS in group.casefold():
        return Refusal("no airbases in the Aleutians", "18.142E")
    taken = [
        other
        for other, counter in turn.airbases.items()
        if other != without
        and turn.plan.island_groups.get(other) == group
        and faction_of(state, counter.nation) == faction
    ]
    return Refusal("its faction has an airbase in this island group", "18.142E") if taken else None


def about_airbases(state: State, side: str) -> Iterator[Reason]:
    """18.142: which major powers of the moving side place none now, and which bases take none of theirs."""
    for country in major_powers(state, side) if side == state.moving else ():
        name = capital(nation(country).adjective)
        if refusal := kept_from_placing(state, country):
            yield refusal.about(name)
            continue
        ways = _ways(state, country)
        removed = next(iter(ways), "")
        for base in state.of_side(side):
            offered = any([base in free for free in ways.values()]) or state.place(base).afloat
            if not offered and (refusal := no_airbase(state, country, base, removed)):
                yield refusal.about(f"{name} airbase in {state.place(base).name}")


# --- placing ----------------------------------------------------------------------------------------------------


@airbases.segment("18.142", "An airbase is placed, or none")
@rule("18.142A", "18.143", "18.144")
def place_airbase(state: State) -> Script[Next]:
    """18.142: the moving side places an airbase, from its counters or, if all are on the map, by taking one up
    elsewhere (18.143). One that stands is never moved in any other way (18.144)."""
    turn = state.turn
    side = state.moving
    able = {country: ways for country in major_powers(state, side) if (ways := _ways(state, country))}
    if not able:
        return END
    labels: dict[str, Words] = {DONE: "Place no more"}
    labels |= {country: ("Place {} airbase", _a(nation(country).adjective)) for country in able}
    question = "Place an airbase?"
    country: str = yield Choose(side, "airbase", [*able, DONE], question, labels, "18.142")
    if country == DONE:
        return END
    ways = able[country]
    old = yield from _take_up(state, country, [*ways])
    base = yield from _choose_site(state, country, ways[old])
    if old:
        yield from strip_airbase(state, old, "18.143")
    put_airbase(state, country, base)
    turn.placed[country] = turn.placed.get(country, 0) + 1
    yield Note(("{}: {} airbase in {}", state.name(side), nation(country).adjective, state.place(base).name), "18.142")
    return place_airbase


@rule("18.143", "18.143.2", "18.145", "18.147.2")
def _ways(state: State, country: str) -> dict[str, list[str]]:
    """18.143: by the base whose airbase is removed for it, or nothing if there is a counter left: where one may be
    placed. In the construction phase air cannot leave a base, so none is taken up under air that it holds."""
    if kept_from_placing(state, country):
        return {}
    standing = on_the_map(state, country)
    if len(standing) < counters(state, country):
        free = sites_for(state, country)
        return {"": free} if free else {}
    return {old: free for old in standing if _may_leave(state, old) and (free := sites_for(state, country, old))}


def _may_leave(state: State, base: str) -> bool:
    """Whether the counter in a base may be taken up in this phase."""
    return state.turn.step != Phase.CONSTRUCTION or free_room(state, base) >= airbase_room(state, base)


def _take_up(state: State, country: str, bases: list[str]) -> Script[str]:
    if bases == [""]:
        return ""
    labels: dict[str, Words] = {base: ("Remove the one in {}", state.place(base).name) for base in bases}
    question = ("All {} airbases are in use. Remove which?", nation(country).adjective)
    old: str = yield Choose(state.moving, ("recycle", country), bases, question, labels, "18.143")
    return old


def _a(word: str) -> str:
    return f"{'an' if word[0] in 'AEIOU' else 'a'} {word}"


def _choose_site(state: State, country: str, bases: list[str]) -> Script[str]:
    labels: dict[str, Words] = {base: state.place(base).name for base in bases}
    question = ("Choose a site for the {} airbase", nation(country).adjective)
    base: str = yield Choose(state.moving, ("airbase", country), bases, question, labels, "18.142C")
    return base


def put_airbase(state: State, country: str, base: str, *, opening: bool = False) -> None:
    """An airbase counter is placed in a base: it holds more air, and is better defended (23.4212)."""
    turn = state.turn
    place = state.place(base)
    defenses = place.defenses._replace(airbases=1)
    resettle(state, **{base: replace(place, installations=place.installations + 1, defenses=defenses)})
    counter = Airbase(country) if opening else Airbase(country, turn.player_turn, turn.step)
    turn.airbases = dict(sorted([*turn.airbases.items(), (base, counter)]))


# --- before the first turn --------------------------------------------------------------------------------------


@opening_airbases.segment("18.141", "Each major power may place an airbase")
@rule("18.141")
def set_up(state: State) -> Script[Next]:
    """18.141: in the opening setup of a campaign each major power that has a counter left may place one airbase in each
    theatre, the United States none, and Britain none in the Pacific."""
    for side in state.turn.plan.sides:
        for country in major_powers(state, side):
            excluded = country == "united-states" or (country == "britain" and state.setting.pacific)
            able = not excluded and len(on_the_map(state, country)) < counters(state, country)
            free = sites_for(state, country) if able else []
            labels: dict[str, Words] = {base: state.place(base).name for base in free}
            labels[DONE] = "Place none"
            question = ("Opening setup: place {} airbase?", _a(nation(country).adjective))
            chosen: str = yield Choose(side, ("setup", country), [*free, DONE], question, labels, "18.141")
            if chosen != DONE:
                put_airbase(state, country, chosen, opening=True)
                where = state.place(chosen).name
                yield Note(("{}: {} airbase in {}", state.name(side), nation(country).adjective, where), "18.141")
    return END


# --- airbases that are cut off ----------------------------------------------------------------------------------


@isolation.segment("18.147.1", "Airbases without supply are removed")
@rule("18.147.1")
def remove_isolated(state: State) -> Script[Next]:
    """18.147: airbases of the moving side that the enemy has cut off are removed as its ground units are, with its
    player turn (`docs/rulings.md`)."""
    turn = state.turn
    for base in turn.plan.isolated:
        if base in turn.airbases and state.place(base).side == state.moving:
            yield from isolate(state, base)
    return END
