"""One submarine attack (22.93E, 22.94): the category that is hit upon, the modifiers, the dice, and what they do."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache
from operator import attrgetter
from typing import Any

from flagplot.awaw.battle.cargo import settle_cargo
from flagplot.awaw.battle.damage import Hits, LightLosses, damaged_cruisers, tell_named
from flagplot.awaw.battle.decks import in_secret, settle_aboard, squadrons_by_nation
from flagplot.awaw.battle.groups import is_hampered, label, subject_of
from flagplot.awaw.battle.substitutes import lose_substitutes, substitute_name, substitutes
from flagplot.awaw.counting import add, take
from flagplot.awaw.hits import Sinks, Tally, hit_light, hit_named, sinks_light, sinks_named
from flagplot.awaw.ships import Fleet, Kind, Ship, Ships, name_of, ship
from flagplot.awaw.state.battle import Group, Submarines
from flagplot.awaw.state.setting import Asw, advantage, naval_ledger, submarine_ledger
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.counts import submarine_modifiers
from flagplot.awaw.tables.grids import SubmarineResult, submarine_attack
from flagplot.kernel.ledger import NOTHING, Ledger
from flagplot.kernel.requests import Choose, Faces, Headline, Note, Roll, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words, how_many


class Category(StrEnum):
    """22.93E: what a submarine may come upon, the higher category first."""

    CARRIERS = "fast carriers"
    CAPITAL = "capital ships"
    LIGHT = "light ships"


CARRIERS, CAPITAL, LIGHT = Category  # at hand: a member of an enumeration takes long to look up
CVE, DESTROYER = Kind.CVE, Kind.DESTROYER


class Outcome(SubmarineResult):
    """What a submarine attack does, as people read it."""

    __slots__ = ()

    def __str__(self) -> str:
        return "submarine lost" if self.lost else str(Hits(self.hits))


@rule("22.912", "22.93A", "22.93C", "22.94", "22.452C.4", "22.9431")
def strike_from_below(state: State, flotilla: Submarines, group: Group) -> Script[None]:
    """22.94: one submarine factor attacks one combat group, alone, with a roll of its own. It uses no search result,
    and does not attack again in this player turn.

    Its commander chooses among the ships and counts their escort, so the ships of the group are shown
    (`docs/rulings.md`).
    """
    flotilla.factors, flotilla.spent = flotilla.factors - 1, flotilla.spent + 1
    group.this_round.attacked = group.revealed = True
    name, ready = state.name(flotilla.side), ready_carriers(group)
    words = ("{}: submarine finds {}: {}", name, label(state, group), Ships(group.ships.items()))
    yield disclosed(words, "22.93", group.side)
    if any([which.fast_carrier for which in group.ships]):
        told = ("{}: fully operational fast carriers: {}", label(state, group), ready)
        yield disclosed(told, "22.9413", group.side)
    aimed = yield from _aim(state, flotilla, group)
    ledger = attack_ledger(state, flotilla, group, aimed)
    what: Words = aimed[0].name if aimed[0].named else ("light ships of {}", label(state, group))
    purpose = ("{}: submarine attack on {}", name, what)
    on_ships = sinks_named(aimed[0]) if aimed[0].named else sinks_light(group.ships, Tally(), state.setting.options)
    sinks = _sinks(on_ships)
    outcome: Outcome = yield Roll(flotilla.side, 2, purpose, _reads(ledger.total), "22.94", ledger, sinks=sinks)
    group.this_round.submarined += 1
    if outcome.lost:
        yield from _lose(state, flotilla)
    elif outcome.hits and aimed[0].named:
        yield from _hit_named_ship(state, group, aimed[0], outcome.hits)
    elif outcome.hits:
        yield from _hit_light_ships(state, group, outcome.hits)
    if not group.ships:
        yield Note(("{} destroyed", label(state, group)), "22.943", headline=Headline("sunk", (subject_of(group),)))


@lru_cache(maxsize=4096)
def _sinks(on_ships: Sinks) -> Callable[[Outcome], int]:
    """How many factors sink by what is read, if no others are lost instead."""
    return lambda outcome: on_ships(outcome.hits)


# --- whom it meets ----------------------------------------------------------------------------------------------


@rule("22.93E", "22.93E.4")
def _aim(state: State, flotilla: Submarines, group: Group) -> Script[list[Ship]]:
    """22.93E: dice say the category, the attacker says which ship of it; light ships are attacked together."""
    present = categories(group.ships)
    category = present[0]
    if len(present) > 1:
        purpose = ("{}: submarine target in {}", state.name(flotilla.side), label(state, group))
        category = yield Roll(flotilla.side, 1, purpose, category_reads(present), "22.93E")
    able = [which for which in group.ships if _category(which) is category]
    if category is LIGHT:
        return able
    names: dict[str, Words] = {which.id: which.name for which in able}
    question = ("Choose a target among the {}", category)
    chosen: str = yield Choose(flotilla.side, "torpedo", [*names], question, names, "22.93E")
    return [which for which in able if which.id == chosen]


def categories(fleet: Fleet) -> tuple[Category, ...]:
    """22.93E: the categories of ships in a fleet, the highest first."""
    there = {_category(which) for which in fleet}
    return tuple([category for category in (CARRIERS, CAPITAL, LIGHT) if category in there])


def _category(which: Ship) -> Category:
    return CARRIERS if which.fast_carrier else CAPITAL if which.capital else LIGHT


@rule("22.93E.1", "22.93E.2", "22.93E.3", "T22.94-13")
@lru_cache(maxsize=16)
def category_reads(present: tuple[Category, ...]) -> Callable[[Faces], Category]:
    """22.93E: of two categories 1-3 is the higher and 4-6 the lower; three of them share the die by twos; one alone
    needs no die."""

    def reads(faces: Faces) -> Category:
        return present[(faces[0] - 1) * len(present) // 6]

    return reads


# --- the modifiers ----------------------------------------------------------------------------------------------


@rule(
    "22.9411", "22.9413A.2", "22.9413B", "22.9414A", "22.9416A", "22.9416B", "22.9417A", "22.9417B", "22.9419", "22.942"
)
def attack_ledger(state: State, flotilla: Submarines, group: Group, aimed: list[Ship]) -> Ledger:
    """22.941: the modifiers of an attack on these ships of a group: only the group itself defends them (22.9419), with
    its operational carriers, CVEs and destroyers (22.942)."""
    target = min(aimed, key=attrgetter("drm"))
    return submarine_modifiers(
        submarine_ledger(state.setting, flotilla.nation),
        naval_ledger(state.setting, target),
        fast_carriers=ready_carriers(group),
        cves=_count(group.ships, CVE),
        destroyers=_count(group.ships, DESTROYER),
        previous_attacks=group.this_round.submarined,
        damaged=any([which.damaged for which in aimed]),
        hampered=is_hampered(group),
        **_whoever_is_attacked(state, flotilla),
    )


@rule("22.9412A", "22.9413A.1", "22.9413B", "22.9413D", "22.9415A", "22.9418")
def _whoever_is_attacked(state: State, flotilla: Submarines) -> dict[str, Any]:
    """22.941: what does not hang on the target: research, squadrons that searched in this round (they come from
    operational bases alone), excess ASW, codebreaking."""
    setting, scene, side, enemy = state.setting, state.scene, flotilla.side, state.other(flotilla.side)
    asw, searched = scene.asw.get(enemy, NO_ASW), state.battle.this_round.searched
    return {
        "torpedo_research": setting.best(side, "torpedo"),
        "asw_research": setting.best(enemy, "asw"),
        "attacking_searchers": searched.get(side, 0),
        "defending_searchers": searched.get(enemy, 0),
        "asw_factors": asw.factors,
        "submarines_in_box": asw.submarines,
        "codebreaking": advantage(scene.underwater, side),
        "tactical_codebreaking": advantage(scene.tactical, side),
        "advanced": flotilla.advanced,
    }


NO_ASW = Asw()


@rule("22.9413A.2", "22.942")
def ready_carriers(group: Group) -> int:
    """22.942: how many fast carriers of a group are fully operational: undamaged, each with as many squadrons as its
    size. Squadrons shift freely, so they are taken to fill the small ones first."""
    if not group.air:
        return 0
    aboard = squadrons_by_nation(group.air)
    ready = 0
    for which in sorted(group.ships, key=attrgetter("size")):
        if which.fast_carrier and not which.damaged and which.size <= aboard.get(which.nation, 0):
            aboard[which.nation] -= which.size
            ready += 1
    return ready


def _count(fleet: Fleet, kind: Kind) -> int:
    return sum([number for which, number in fleet.items() if which.kind is kind])


@lru_cache(maxsize=16)
def _reads(modifier: int) -> Callable[[Faces], Outcome]:
    def reads(faces: Faces) -> Outcome:
        return Outcome(*submarine_attack(faces[0] + faces[1] + modifier))

    return reads


# --- what it does -----------------------------------------------------------------------------------------------


@rule("T22.94-09")
def _lose(state: State, flotilla: Submarines) -> Script[None]:
    """T22.94-09: the attacking factor is eliminated."""
    flotilla.spent, flotilla.lost = flotilla.spent - 1, flotilla.lost + 1
    yield Note(("{}: 1 submarine factor lost", state.name(flotilla.side)), "22.94", headline=Headline("sunk"))


@rule("22.9433", "17.3124")
def _hit_named_ship(state: State, group: Group, which: Ship, hits: int) -> Script[None]:
    """22.943: hits on a named ship, as those of any attack; squadrons of a stricken carrier look for other decks."""
    after = hit_named(group.ships, which, hits)
    yield from tell_named(state, which, after, "22.943")
    if which.fast_carrier and (after is None or after.damaged):
        yield from in_secret(state, group.side, settle_aboard(state, group.side))


@rule("22.9432", "22.9433")
def _hit_light_ships(state: State, group: Group, hits: int) -> Script[None]:
    """22.943: hits on light ships, reckoned anew for each attack; losses of destroyers, and of no others, may be taken
    elsewhere."""
    before = damaged_cruisers(group.ships)
    sunk = yield from hit_light(group.side, group.ships, hits, Tally(), state.setting.options)
    for which in [which for which in sunk if which.kind is DESTROYER]:
        yield from _take_elsewhere(state, group, which, sunk)
    for which, number in sunk.items():
        add(state.losses.ships, which, number)
    damaged = damaged_cruisers(group.ships)
    if sunk or before != damaged:
        told = Headline("sunk" if sunk else "damaged", (subject_of(group),))
        losses = LightLosses(Ships(sunk.items()), before, damaged)
        yield Note(("{}: {}", label(state, group), losses), "22.943", headline=told)
    yield from settle_cargo(state, group)


@rule("22.9432", "22.9434")
def _take_elsewhere(state: State, group: Group, which: Ship, sunk: Fleet) -> Script[None]:
    """22.9432: as many of these destroyers as the owner likes are not sunk: others are lost instead, from the base of
    origin, a port of the supply line (22.9434), or uncommitted ones of the SW box."""
    free = ship(which.nation, which.kind, which.id, which.size, which.striped, which.drm)
    numbers, hidden = substitutes(state, group, free)
    script = _choose_substitutes(state, group, which, sunk[which], numbers)
    if hidden:
        words = ("{}: choosing where destroyers are lost", state.name(group.side))
        script = secretly(group.side, words, script, "22.9432")
    for source, number in (yield from script).items():
        take(sunk, which, number)
        add(group.ships, which if state.setting.options.substitute_saves_cargo else free, number)
        where = lose_substitutes(state, group.side, source, free, number)
        told = ("{}: {} {} lost {}", state.name(group.side), number, name_of(free, number), where)
        yield disclosed(told, "22.9432", group.side if hidden else "")


@rule("22.9432")
def _choose_substitutes(
    state: State, group: Group, which: Ship, lost: int, numbers: dict[str, int]
) -> Script[dict[str, int]]:
    """22.9432: how many of the losses are taken by others, force by force."""
    chosen: dict[str, int] = {}
    name = name_of(which, lost) + " with cargo" * which.laden
    for source, number in numbers.items():
        who = substitute_name(state, source)
        question = ("{} {} hit: lose how many {} instead?", lost, name, who)
        verb = ("elsewhere", which.tag, source) if source else ("elsewhere", which.tag)
        able = range(min(number, lost - sum(chosen.values())) + 1)
        count: int = yield Choose(group.side, verb, able, question, how_many, "22.9432")
        if count:
            chosen[source] = count
    return chosen


# --- sea supply lines -------------------------------------------------------------------------------------------


@rule("22.9434", "22.9417B", "22.942")
def attack_supply_line(state: State, flotilla: Submarines, earlier: int = 0) -> Script[Outcome]:
    """22.9434: one submarine factor attacks a sea supply line that nobody protects; so many have attacked it before.

    The attack itself disrupts the line; the dice say only whether the submarine is lost (`docs/rulings.md`). A line
    that is protected is a combat group of the activity ``sea-supply``, and is attacked like any other.
    """
    flotilla.factors, flotilla.spent = flotilla.factors - 1, flotilla.spent + 1
    ledger = submarine_modifiers(
        submarine_ledger(state.setting, flotilla.nation),
        NOTHING,
        previous_attacks=earlier,
        hampered=True,
        **_whoever_is_attacked(state, flotilla),
    )
    name = state.name(flotilla.side)
    yield Note(("{}: submarine disrupts the unprotected sea supply line", name), "22.9434")
    purpose = ("{}: submarine attack on a sea supply line", name)
    outcome: Outcome = yield Roll(flotilla.side, 2, purpose, _reads(ledger.total), "22.94", ledger)
    if outcome.lost:
        yield from _lose(state, flotilla)
    return outcome
