"""Kamikazes (17.46-17.48): in the first round of a naval battle, or in a sortie outside one, they attack found combat
groups, each attack alone.

They are counted, not kept as air units: they have no base, fly once, and are lost with it.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache, partial

from flagplot.awaw.air_combat import Weight, weigh
from flagplot.awaw.air_rounds import Party, exchange_fire
from flagplot.awaw.air_units import Arm, Role, Unit, unit
from flagplot.awaw.battle.air_attack import AtSea, Target, attack_ships, fire_at_air, target_name
from flagplot.awaw.battle.cargo import settle_cargo
from flagplot.awaw.battle.damage import Hits, hits_read
from flagplot.awaw.battle.decks import in_secret, settle_decks
from flagplot.awaw.battle.groups import key_of, label
from flagplot.awaw.battle.resolution import send_defenders
from flagplot.awaw.battle.search import count_attack
from flagplot.awaw.kamikaze_force import spend_kamikazes
from flagplot.awaw.procedures import kamikaze_attack, kamikazes
from flagplot.awaw.ships import Fleet, Ship
from flagplot.awaw.state.battle import LIGHT_SHIPS, Dive, Group
from flagplot.awaw.state.setting import NO_RESEARCH, DrmReasons, Setting, at_sea, naval_ledger
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.charts import air_nationality
from flagplot.awaw.tables.counts import air_attack_modifiers
from flagplot.awaw.tables.grids import AirResult, naval_attack_by_air_row, rows
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.procedures import END, AnySegment, Call, Next
from flagplot.kernel.requests import Choose, Faces, Headline, Note, Roll, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, how_many, listing, say

MOST = 15
"""17.47D: the most kamikazes in one attack."""
WORTH = 2
"""17.47G: the squadrons that each counts for on the Naval Attack Table."""
REACH = 4
"""17.462: how many hexes they fly."""
POOL = "japan/kamikaze/squadrons"
"""Under what kamikazes are counted when they are lost."""


# --- who is attacked, and by how many ---------------------------------------------------------------------------


@rule("17.463", "17.47B", "17.47C.1")
def open_to_kamikazes(state: State, side: str) -> list[Group]:
    """17.47B, C: found enemy groups that no other air of the side has struck in this round."""
    return [group for group in state.battle.found(state.other(side)) if not group.this_round.attacks]


@kamikazes.segment("17.47D", "All kamikaze attacks of the battle are announced together")
def send(state: State, side: str) -> Script[Next]:
    """17.47D: those that do not fly now do not fly in this battle."""
    yield from announce_dives(state, side)
    return None


@rule("17.47A.1", "17.47D.1", "17.47D.2", "17.47D.3")
def announce_dives(state: State, side: str, *, outside: bool = False) -> Script[None]:
    """17.47D: for each group that may be attacked the side says how many kamikazes attack it, and nobody goes with
    them: in naval combat, or `outside` it (17.47A)."""
    battle = state.battle
    lone = len(battle.present(state.other(side))) == 1
    for group in open_to_kamikazes(state, side):
        question = ("Attack {} with how many kamikazes?", label(state, group))
        verb = ("kamikazes", str(group.number))
        number: int = yield Choose(side, verb, able_to_dive(state), question, how_many, "17.47D")
        if number:
            count_attack(group, battle.round, by_air=True)
            group.this_round.kamikazed = True
            yield _take_off(state, Dive(side, key_of(state, group), number, lone, outside))


def able_to_dive(state: State) -> range:
    """17.47D: how many may be sent against a group."""
    return range(min(MOST, state.kamikazes) + 1)


def _take_off(state: State, dive: Dive) -> Note:
    state.kamikazes -= dive.number
    state.battle.dives.append(dive)
    over = label(state, state.battle.groups[dive.target])
    return disclosed(("{}: {} against {}", state.name(dive.side), Kamikazes(dive.number), over), "17.47D", dive.side)


@kamikazes.segment("17.47D", "They are resolved one after the other")
@rule("17.47A.1", "17.47D.1")
def attacks(state: State, side: str) -> Next:
    """17.47A: each attack is on a single combat group."""
    return Call(kamikaze_attack, then=attacks) if state.battle.dives else END


# --- the defenses -----------------------------------------------------------------------------------------------


def under_attack(state: State) -> tuple[Dive, AtSea]:
    """The attack that is under way, and the group that it is made on."""
    battle = state.battle
    dive = battle.dives[0]
    return dive, AtSea(state, battle.groups[dive.target], dive.side, 0, dive.outside)


@kamikaze_attack.segment("17.47E", "The defender's squadrons engage or hold back")
@rule("17.47E")
def engage(state: State) -> Script[Next]:
    """17.47E: cover and patrol over the group come first, as against any strike (23.415). Who finds that
    the group was sunk by diverted kamikazes is lost."""
    dive, target = under_attack(state)
    if not target.ships:
        yield find_nothing(state, dive)
        return second_wave
    dive.defenders = yield from send_defenders(state, target.group, dive.number)
    return None if dive.defenders else air_defense


def find_nothing(state: State, dive: Dive) -> Note:
    """17.48: kamikazes that find no target are lost as well."""
    words = ("{}: no target left for {}", state.name(dive.side), Kamikazes(dive.number))
    spend(state, dive)
    return Note(words, "17.48")


@kamikaze_attack.segment("17.47E", "Air combat over the target, in which kamikazes do not roll")
def air_combat(state: State) -> Script[Next]:
    return meet_squadrons(state, *under_attack(state), none_left=divert)


@rule("17.47E", "17.47E.1", "17.464")
def meet_squadrons(state: State, dive: Dive, target: Target, *, none_left: AnySegment) -> Script[Next]:
    """17.47E: only the defenders roll; against them kamikazes have the DRM of regular Japanese naval air (17.464)."""
    ours = Party(dive.side, Weight(dive.number, _as_naval_air(state.setting, dive.side), 0), rolls=False)
    theirs = Party(target.side, weigh(dive.defenders, state.setting.options))
    circumstances, reasons = target.circumstances(dive.defenders), partial(_reasons, state, ours.weight.lowest)
    fire = yield from exchange_fire(state, ours, theirs, circumstances, target.name, reasons=reasons)
    yield shoot_at(state, dive, fire.on_attackers)
    return None if dive.number else none_left


@rule("17.464", "17.464.1", "17.47H")
def kamikaze_drm(setting: Setting, *, elite: bool) -> Ledger:
    """17.464: the Air Nationality DRM of Japanese naval air, elite against ships and regular in air combat. Kamikazes
    have no base (17.461) and need no oil (17.45), so neither supply nor oil changes it."""
    research = setting.research.get("japan", NO_RESEARCH).air_drm
    return air_nationality("japan", arm="naval", elite=elite, research=research, chart=setting.options.air_chart)


def _as_naval_air(setting: Setting, side: str) -> Unit:
    drm = kamikaze_drm(setting, elite=False).total
    return unit("japan", Arm.NAVAL, drm, REACH, at_sea(side), Role.SQUADRONS, False)


def _reasons(state: State, ours: Unit, which: Unit) -> object:
    setting = state.setting
    return _KamikazeReasons(setting) if which is ours else DrmReasons(setting, state.scene, which)


class _KamikazeReasons:
    """Tells, when it is read, where the DRM of kamikazes in air combat comes from."""

    __slots__ = ("_setting",)

    def __init__(self, setting: Setting) -> None:
        self._setting = setting

    def __str__(self) -> str:
        first, *others = kamikaze_drm(self._setting, elite=False).lines
        parts = [f"Japan {first.amount}", *[f"{say(line.words)} {line.amount:+d}" for line in others]]
        return f"kamikazes as regular naval air, 17.464 ({', '.join(parts)})"


@rule("17.47E.2", "17.47E.3", "23.423", "T23.42-10")
def shoot_at(state: State, dive: Dive, result: AirResult) -> Note:
    """17.47E: so many kamikazes are shot down; so many more are driven off and turn to another group, or by option fly
    on (23.423)."""
    down = min(dive.number, result.eliminated)
    off = min(dive.number - down, result.aborted) if state.setting.options.kamikaze_aborts == "diverted" else 0
    dive.number -= down + off
    dive.diverted += off
    _lose(state, down)
    words = ("{}: {} shot down, {} diverted", state.name(dive.side), Kamikazes(down), off)
    return disclosed(words, "17.47E", True)


def _lose(state: State, number: int) -> None:
    if number:
        state.losses.air[POOL] = state.losses.air.get(POOL, 0) + number
        spend_kamikazes(state, number)


@kamikaze_attack.segment("17.47E", "The ships' air defense")
@rule("17.47E.3")
def air_defense(state: State) -> Script[Next]:
    """17.47E: where there is a single group nobody can be diverted from it."""
    dive, target = under_attack(state)
    return meet_guns(state, dive, target, alone=len(state.battle.present(target.side)) == 1, none_left=divert)


@rule("17.47E", "23.424#2")
def meet_guns(state: State, dive: Dive, target: Target, *, alone: bool, none_left: AnySegment) -> Script[Next]:
    """17.47E: then the air defense of the ships (23.42); if any get through, these are seen (23.424#2)."""
    result = yield from fire_at_air(state, target)
    if result is not None:
        yield shoot_at(state, dive, result)
    if alone:
        yield from rejoin(state, dive)
    if not dive.number:
        return none_left
    yield from target.show()
    return None


@rule("17.47E.3", "17.47F", "17.47G")
def rejoin(state: State, dive: Dive) -> Script[None]:
    """17.47E: where there is no other group those who were driven off rejoin the attack after the defenders' rolls, and
    their targets are chosen with those of the others (17.47F); by option they attack after it by themselves."""
    if dive.diverted and state.setting.options.diverted_from_one_group == "rejoin":
        words = ("{}: no other group for {}: they rejoin the attack", state.name(dive.side), Kamikazes(dive.diverted))
        dive.number, dive.diverted = dive.number + dive.diverted, 0
        yield disclosed(words, "17.47E", True)


# --- targets ----------------------------------------------------------------------------------------------------


class Category(StrEnum):
    """17.47F: the categories of ships, the highest first."""

    CARRIERS = "fast carriers"
    CAPITAL = "capital ships"
    LIGHT = "light ships"


@rule("17.47F")
def categories(fleet: Fleet) -> dict[Category, list[Ship]]:
    """17.47F: the ships of a group by category, the highest first: fast carriers, other named ships, all others."""
    sorts: dict[Category, list[Ship]] = {category: [] for category in Category}
    for which in fleet:
        sorts[_category(which)].append(which)
    return {category: members for category, members in sorts.items() if members}


def _category(which: Ship) -> Category:
    return Category.CARRIERS if which.fast_carrier else Category.CAPITAL if which.named else Category.LIGHT


class Drawn(tuple[tuple[Category, int], ...]):
    """How many kamikazes the dice gave to each category."""

    __slots__ = ()

    def __str__(self) -> str:
        return listing([f"{number} on {category}" for category, number in self if number])


@lru_cache
@rule("17.47F.2", "17.47F.3")
def category_reads(present: tuple[Category, ...]) -> Callable[[Faces], Drawn]:
    """17.47F: a die for each kamikaze: of two categories 1-3 is the higher; of three each has two faces."""

    def reads(faces: Faces) -> Drawn:
        fallen = [(face - 1) * len(present) // 6 for face in faces]
        return Drawn([(category, fallen.count(place)) for place, category in enumerate(present)])

    return reads


@kamikaze_attack.segment("17.47F", "Targets are rolled, then chosen")
def targets(state: State) -> Script[Next]:
    dive, target = under_attack(state)
    return choose_targets(state, dive, target.ships)


@rule("17.47F", "17.47F.1", "17.47F.4", "17.47F.4.4", "23.43")
def choose_targets(state: State, dive: Dive, ships: Fleet) -> Script[Next]:
    """17.47F: what each kamikaze attacks: a category by the die, and within it a ship each; light ships are attacked
    together. What is over in a category attacks whatever its owner likes."""
    sorts = categories(ships)
    drawn = yield from _draw(state, dive, tuple(sorts))
    surplus = 0
    for category, number in drawn:
        if category is Category.LIGHT:
            aim_at(dive, LIGHT_SHIPS, number)
        else:
            surplus += yield from _one_each(dive, sorts[category], number)
    yield from _aim_surplus(dive, sorts, surplus)
    return None


def _draw(state: State, dive: Dive, present: tuple[Category, ...]) -> Script[Drawn]:
    if len(present) == 1:
        return Drawn([(present[0], dive.number)])
    purpose = ("{}: targets for {}", state.name(dive.side), Kamikazes(dive.number))
    drawn: Drawn = yield Roll(dive.side, dive.number, purpose, category_reads(present), "17.47F")
    return drawn


def aim_at(dive: Dive, target: str, number: int) -> None:
    if number:
        dive.aims[target] = dive.aims.get(target, 0) + number


@rule("17.47F.4", "17.47F.4.1", "17.47F.4.2")
def _one_each(dive: Dive, ships: list[Ship], number: int) -> Script[int]:
    """17.47F: no more than one for each named ship; which ones, if there are more ships, is the attacker's choice. How
    many kamikazes are over."""
    left: dict[str, Words] = {which.id: which.name for which in ships}
    for _ in range(min(number, len(ships))):
        target = next(iter(left))
        if number < len(ships):
            target = yield Choose(dive.side, "target", [*left], "Choose a ship for a kamikaze", left, "17.47F")
        aim_at(dive, target, 1)
        left = {key: name for key, name in left.items() if key != target}
    return max(0, number - len(ships))


@rule("17.47F.4.3")
def _aim_surplus(dive: Dive, sorts: dict[Category, list[Ship]], surplus: int) -> Script[None]:
    """17.47F: kamikazes beyond one for each ship of their category attack anything in the group."""
    able: dict[str, Words] = {which.id: which.name for members in sorts.values() for which in members if which.named}
    if Category.LIGHT in sorts:
        able[LIGHT_SHIPS] = "light ships"
    while surplus:
        question: Words = ("Choose a target for {} left over", Kamikazes(surplus))
        target: str = yield Choose(dive.side, "surplus", [*able], question, able, "17.47F")
        least = surplus if len(able) == 1 else 1
        question = ("Attack {} with how many of {}?", able[target], Kamikazes(surplus))
        values = range(least, surplus + 1)
        number: int = yield Choose(dive.side, ("against", target), values, question, how_many, "17.47F")
        aim_at(dive, target, number)
        surplus -= number
        able = {key: name for key, name in able.items() if key != target}


# --- the attacks ------------------------------------------------------------------------------------------------


@kamikaze_attack.segment("17.47G", "The attacks")
@rule("17.3124")
def attack(state: State) -> Script[Next]:
    """17.47G: the ships are hit as in any strike; carriers may take squadrons down with them (17.3124)."""
    dive, target = under_attack(state)
    yield from kamikazes_attack(state, dive, target)
    if target.stricken:
        yield from in_secret(state, target.side, settle_decks(state, target.side))
    yield from settle_cargo(state, target.group)
    if not target.ships:
        yield Note(("{} destroyed", target.name), "23.443", headline=Headline("sunk"))
    return None


@rule("17.47G", "17.47G#ex1", "17.48")
def kamikazes_attack(state: State, dive: Dive, target: Target) -> Script[None]:
    """17.47G: for each target one roll on the Naval Attack Table; then all who attacked are lost (17.48)."""

    def rolls(aim: str, aimed: list[Ship]) -> list[Roll[Hits]]:
        return attack_rolls(state, dive.side, aimed, dive.aims[aim], at_sea=target.at_sea)

    yield from attack_ships(target, in_order_of_ships(dive, target.ships), rolls)
    spend(state, dive)


def in_order_of_ships(dive: Dive, ships: Fleet) -> list[str]:
    """The targets in the order in which the ships stand."""
    order = [which.id or LIGHT_SHIPS for which in ships]
    return sorted(dive.aims, key=order.index)


@rule("17.48")
def spend(state: State, dive: Dive) -> None:
    """17.48: kamikazes that have flown are lost, whatever they did."""
    _lose(state, dive.number)
    dive.number, dive.aims = 0, {}


@rule("17.47G", "17.47G.1", "T23.44-07")
def attack_rolls(state: State, side: str, aimed: list[Ship], number: int, *, at_sea: bool) -> list[Roll[Hits]]:
    """17.47G: one roll for a target, in the row of two squadrons for each kamikaze; beyond the last row it is read in
    several, or by option each is rolled for (T23.44-07)."""
    ledger = attack_ledger(state, aimed, at_sea=at_sea)
    what = target_name(aimed)
    separate = state.setting.options.beyond_last_row == "separate-rolls"
    squadrons = rows("naval-attack", WORTH * number) if separate else (WORTH * number,)
    return [
        Roll(
            side,
            2,
            ("{}: attack by {} on {}, row {}", state.name(side), Kamikazes(number), what, row),
            hits_read(naval_attack_by_air_row(row), ledger.total),
            "17.47G",
            ledger,
        )
        for row in squadrons
    ]


@rule("17.464.1", "17.47H", "17.47H.1", "17.354")
def attack_ledger(state: State, aimed: list[Ship], *, at_sea: bool) -> Ledger:
    """17.47H: the DRM of elite Japanese naval air, with the +1 of naval air at sea (17.354) and +1 for every growth of
    the pool, less the target's Naval DRM."""
    return air_attack_modifiers(
        kamikaze_drm(state.setting, elite=True),
        naval_ledger(state.setting, min(aimed, key=_naval_drm)),
        naval_air_at_sea=at_sea and state.setting.options.kamikazes_at_sea == "naval-air",
        kamikaze_growth=state.kamikaze_growth,
    )


def _naval_drm(which: Ship) -> int:
    return which.drm


# --- diverted kamikazes, and a second wave ----------------------------------------------------------------------


@kamikaze_attack.segment("17.47E", "Diverted kamikazes attack a group of the defender's choice")
@rule("17.47E.3", "17.47E.3.1")
def divert(state: State) -> Script[Next]:
    """17.47E: those who were driven off attack another group, which the defender names, found or not, or the same if
    there is no other and they have not rejoined its attack; neither squadrons nor guns meet them there."""
    dive, target = under_attack(state)
    if not dive.diverted:
        return None
    dive.number, dive.diverted = dive.diverted, 0
    first, present = target.group, state.battle.present(target.side)
    able = {str(group.number): group for group in present if group is not first or len(present) == 1}
    if not able:
        yield find_nothing(state, dive)
        return None
    labels: dict[str, Words] = {key: label(state, group) for key, group in able.items()}
    question = ("Divert {} to which group?", Kamikazes(dive.number))
    number: str = yield Choose(first.side, "divert", [*able], question, labels, "17.47E")
    group = able[number]
    dive.target, group.this_round.attacked = key_of(state, group), True
    words = ("{}: {} diverted to {}", state.name(dive.side), Kamikazes(dive.number), label(state, group))
    yield disclosed(words, "17.47E", True)
    yield from under_attack(state)[1].show()
    return targets


@kamikaze_attack.segment("17.47D", "A second wave, if the enemy has a single combat group")
@rule("17.47D.2", "17.47D.2.1")
def second_wave(state: State) -> Script[Next]:
    """17.47D: against a force of one combat group a second wave of as many may follow at once, and meets all the
    defenses again."""
    dive, target = under_attack(state)
    state.battle.dives.remove(dive)
    number = yield from ask_second_wave(state, dive, target)
    if not number:
        return END
    yield _take_off(state, Dive(dive.side, dive.target, number, outside=dive.outside))
    return engage


@rule("17.47D.2")
def ask_second_wave(state: State, dive: Dive, target: Target) -> Script[int]:
    """17.47D: how many follow an attack on a lone force whose ships are left."""
    if not dive.lone or not target.ships:
        return 0
    question = ("Second wave on {}: how many kamikazes?", target.name)
    number: int = yield Choose(dive.side, "wave", able_to_dive(state), question, how_many, "17.47D")
    return number


# --- words ------------------------------------------------------------------------------------------------------


class Kamikazes(int):
    """So many kamikazes, as people read them."""

    def __str__(self) -> str:
        return f"{int(self)} kamikaze{'s' * (self != 1)}"
