"""Steps 2 and 3: a faction names its targets and rolls its attacks. What they do is noted, and waits for step 4."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import NamedTuple

from flagplot.kernel.effects import Effect
from flagplot.kernel.ledger import Ledger, Line
from flagplot.kernel.procedures import Next, Procedure
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Faces, Note, Roll, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words
from flagplot.line_of_battle.options import Options, faces
from flagplot.line_of_battle.state import BASE_ATTACK, DAY, State
from flagplot.line_of_battle.units import AIRSTRIKE, GUNNERY, TORPEDO, Factors

attacks = Procedure("attacks", "LOB-02", "The attacks of a faction")

Weapons = tuple[str, ...]


# --- who attacks with what ----------------------------------------------------------------------------------------


@rule("LOB-13", "LOB-17", "LOB-20")
def weapons_of_action(state: State) -> Weapons:
    """LOB-13, LOB-17: by day Airstrike and Torpedo Factors attack, by night Gunnery or Torpedo Factors; in a base
    attack aircraft alone (an assumption)."""
    if state.setting.kind == BASE_ATTACK and state.setting.options.base_attackers == "aircraft":
        return (AIRSTRIKE,)
    return (AIRSTRIKE, TORPEDO) if state.action == DAY else (GUNNERY, TORPEDO)


@rule("LOB-13", "LOB-17")
def weapon_sets(state: State, key: str) -> list[Weapons]:
    """LOB-13, LOB-17: the ways in which a unit may attack: with all its kinds of factors at once, or with one."""
    factors = state.factors(key)
    able = [weapon for weapon in weapons_of_action(state) if factors.of(weapon)]
    used = state.setting.options.factors_used
    together = used == "both" or (used == "day-both-night-one" and state.action == DAY)
    if together:
        return [tuple(able)] if able else []
    return [(weapon,) for weapon in able]


@rule("LOB-14", "LOB-15", "LOB-16")
def dice_ledger(state: State, key: str, weapons: Weapons, target: str) -> Ledger:
    """LOB-14 to LOB-16: the dice of an attack and where they come from."""
    lbas = state.unit(key).lba, state.unit(target).lba
    return _ledger(state.factors(key), weapons, *lbas, state.setting.options, _allowing(state))


@lru_cache(maxsize=4096)
def _ledger(
    factors: Factors, weapons: Weapons, from_lba: bool, at_lba: bool, options: Options, allowing: str
) -> Ledger:
    lines = []
    for weapon in weapons:
        number = factors.of(weapon)
        if weapon == AIRSTRIKE:
            lines.append(_airstrike(number, from_lba, at_lba, options))
        elif not at_lba or options.lba_targets == "any-factor":
            lines.append(_guns(weapon, number, options, allowing))
    return Ledger([line for line in lines if line.amount])


def _airstrike(number: int, from_lba: bool, at_lba: bool, options: Options) -> Line:
    third = options.lba_against_lba == "one-for-three" if from_lba else True
    if at_lba and third:
        words = ("one die for every three points of Airstrike Factor {}, against an LBA", number)
        return Line(number // 3, words, "LOB-16")
    return Line(number, "Airstrike Factor", "LOB-14" if from_lba else "LOB-15")


def _guns(weapon: str, number: int, options: Options, allowing: str) -> Line:
    dice = number if options.gun_dice == "each-factor" else min(number, 1)
    return Line(dice, f"{weapon.title()} Factor", allowing)


def _allowing(state: State) -> str:
    """The rule by which guns and torpedoes attack in this action."""
    return "LOB-13" if state.action == DAY else "LOB-17"


def in_reach(state: State, key: str, weapons: Weapons) -> list[str]:
    """The enemies in the Line of Battle Box at which a unit would roll any dice."""
    enemies = state.line(state.setting.enemy(state.unit(key).side))
    return [target for target, dice in dice_against(state, key, weapons, enemies).items() if dice]


def dice_against(state: State, key: str, weapons: Weapons, targets: Iterable[str]) -> dict[str, int]:
    """The dice that a unit would roll at each target: as many at all ships, and as many at all LBAs."""
    of_kind: dict[bool, int] = {}
    found = {}
    for target in targets:
        lba = state.unit(target).lba
        if lba not in of_kind:
            of_kind[lba] = dice_ledger(state, key, weapons, target).total
        found[target] = of_kind[lba]
    return found


def ways(state: State, key: str) -> list[Weapons]:
    """The ways in which a unit can attack somebody."""
    return [weapons for weapons in weapon_sets(state, key) if in_reach(state, key, weapons)]


# --- naming targets -----------------------------------------------------------------------------------------------


@attacks.segment("LOB-02", "The faction names its targets")
@rule("LOB-02", "LOB-03", "LOB-13", "LOB-17")
def name_targets(state: State, side: str) -> Script[Next]:
    """LOB-02: each unit that can attack is given one target; all are named before any die is rolled (an assumption)."""
    at_once = state.setting.options.targets_named == "before-dice"
    for key in waiting(state, side) if at_once else waiting(state, side)[:1]:
        yield from _name_target(state, side, key)
    named = to_roll(state, side)
    if named:
        pairs = [(state.unit(key).name, state.unit(state.markers[key].target).name) for key in named]
        yield Note(("{}: {}", state.name(side), Pairs(pairs)), _step(state, side))
    elif at_once:
        yield Note(("{}: no unit can attack", state.name(side)), _step(state, side))
    return None


def waiting(state: State, side: str) -> list[str]:
    """Units of a faction that can attack and have not been given a target in this action."""
    idle = [key for key in state.line(side) if not state.markers[key].target]
    return [key for key in idle if kept_from_attacking(state, key) is None]


@rule("LOB-03", "LOB-13", "LOB-16", "LOB-17", "LOB-20")
def kept_from_attacking(state: State, key: str) -> Refusal | None:
    """Why a unit in the Line of Battle does not attack in this action."""
    if is_silenced(state, key):
        return SILENCED
    if not weapon_sets(state, key):
        weapons = " or ".join([f"{weapon.title()} Factor" for weapon in weapons_of_action(state)])
        number = "LOB-20" if state.setting.kind == BASE_ATTACK else _allowing(state)
        return Refusal(("no {}, which this action needs", weapons), number)
    return None if ways(state, key) else NO_DICE


SILENCED = Refusal("disabled in this round", "LOB-03")
NO_DICE = Refusal("its factors give no dice against any enemy in the line", "LOB-16")


@rule("LOB-03")
def is_silenced(state: State, key: str) -> bool:
    """LOB-03: whether a unit may not attack because it has been disabled in this round; by default it still may. In a
    base attack Disabled results wait in any case (LOB-20)."""
    at_once = state.setting.options.disabled_ships == "silenced" and state.setting.kind != BASE_ATTACK
    return at_once and state.markers[key].disabled


def to_roll(state: State, side: str) -> list[str]:
    """Units of a faction that have a target and have not rolled yet, in the order in which they will."""
    markers = state.markers
    return [key for key in state.line(side) if markers[key].target and not markers[key].attacked]


def _step(state: State, side: str) -> str:
    return "LOB-02" if side == state.setting.phasing else "LOB-03"


class Pairs:
    """Attackers and targets in words, when somebody reads them."""

    __slots__ = ("_pairs",)

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._pairs = tuple(pairs)

    def __str__(self) -> str:
        return "; ".join(f"{attacker} attacks {target}" for attacker, target in self._pairs)


def _name_target(state: State, side: str, key: str) -> Script[None]:
    name, marker = state.unit(key).name, state.markers[key]
    sets = {"+".join(weapons): weapons for weapons in ways(state, key)}
    question: Words = ("Choose factors for {} to attack with", name)
    labels: dict[str, Words] = {text: _weapons_label(state, key, weapons) for text, weapons in sets.items()}
    chosen: str = yield Choose(side, ("weapons", key), [*sets], question, labels, _allowing(state))
    targets = open_targets(state, side, in_reach(state, key, sets[chosen]))
    dice = dice_against(state, key, sets[chosen], targets)
    aims: dict[str, Words] = {target: _target_label(state, target, dice[target]) for target in targets}
    question = ("Choose a target for {}", name)
    target: str = yield Choose(side, ("targets", key), targets, question, aims, _step(state, side))
    marker.weapons, marker.target = chosen, target


def _weapons_label(state: State, key: str, weapons: Weapons) -> Words:
    factors = state.factors(key)
    return " and ".join(f"{weapon.title()} Factor {factors.of(weapon)}" for weapon in weapons)


def _target_label(state: State, target: str, dice: int) -> Words:
    unit, factors = state.unit(target), state.factors(target)
    words = "{} (LBA, defense {}): {}" if unit.lba else "{} (defense {}): {}"
    return words, unit.name, factors.defense, f"{dice} {'die' if dice == 1 else 'dice'}"


def open_targets(state: State, side: str, targets: Sequence[str]) -> list[str]:
    """Any target may be shared; with `spread_fire` only when all that can be attacked have an attacker."""
    if not state.setting.options.spread_fire:
        return [*targets]
    taken = {state.markers[key].target for key in state.of(side)}
    return [target for target in targets if target not in taken] or [*targets]


# --- dice -----------------------------------------------------------------------------------------------------------


class Volley(NamedTuple):
    """What the dice of one attack show."""

    disabled: int
    hits: int

    def __str__(self) -> str:
        parts = [f"{self.disabled} disabled"] * bool(self.disabled)
        parts += [f"{self.hits} hit{'s' * (self.hits != 1)}"] * bool(self.hits)
        return ", ".join(parts) or "nothing"

    def effect(self) -> Effect:
        """The hits, and half a hit if the target is disabled, however often: it is out, but afloat."""
        return Effect(Fraction(2 * self.hits + bool(self.disabled), 2), "hits")


class Points(int):
    """LOB-21: points of damage."""

    def effect(self) -> Effect:
        return Effect(Fraction(int(self)), "points of damage")


def read_points(fallen: Faces) -> Points:
    """LOB-21: a point for every pip of the dice."""
    return Points(sum(fallen))


@attacks.segment("LOB-21", "The faction rolls for its attacks")
@rule("LOB-02", "LOB-03")
def roll_attacks(state: State, side: str) -> Script[Next]:
    """LOB-02, LOB-03: the attacks one by one, also those of units that have just been hit. Between two of them is a
    border, at which the odds take positions together that have come to the same."""
    named = to_roll(state, side)
    if named:
        yield from _attack(state, side, named[0])
    if len(named) > 1:
        return roll_attacks
    return name_targets if waiting(state, side) else None


@rule("LOB-18", "LOB-19", "LOB-21")
def _attack(state: State, side: str, key: str) -> Script[None]:
    """LOB-18, LOB-21: Disabled and Hit symbols; each hit is rolled once more for damage points. LOB-19: LBAs are not
    disabled."""
    marker, options = state.markers[key], state.setting.options
    unit, aim, noted = state.unit(key), state.unit(marker.target), state.markers[marker.target]
    marker.attacked = True
    volley: Volley = yield attack_roll(state, side, key)
    disabled = volley.disabled and not (volley.hits and options.disabled_and_hit == "hit-only")
    if disabled and not aim.lba:
        noted.disabled = True
    elif disabled:
        yield Note(("{}: not disabled, since it is an LBA", aim.name), "LOB-19")
    if volley.hits:
        dice = volley.hits if options.damage_roll == "each-hit" else 1
        purpose = ("{}: damage to {}", unit.name, aim.name)
        points: int = yield Roll(side, dice, purpose, read_points, "LOB-21")
        noted.points += points


def attack_roll(state: State, side: str, key: str) -> Roll[Volley]:
    """The dice of one attack."""
    marker, options = state.markers[key], state.setting.options
    unit, aim = state.unit(key), state.unit(marker.target)
    ledger = dice_ledger(state, key, tuple(marker.weapons.split("+")), marker.target)
    bonus = int(unit.bonus and options.attack_bonus == "plus-one")
    purpose = (
        "{} attacks {}: {} disables, {} hits{}",
        unit.name,
        aim.name,
        options.disabled_faces,
        options.hit_faces,
        ", +1 to each die" * bonus,
    )
    reads = _reading(options.disabled_faces, options.hit_faces, bonus)
    return Roll(side, ledger.total, purpose, reads, _step(state, side), ledger, counts="dice")


@lru_cache(maxsize=64)
def _reading(disabled: str, hit: str, bonus: int) -> Callable[[Faces], Volley]:
    """How the dice of an attack are read, one value for all attacks alike: the odds remember what it comes to."""
    return partial(read_dice, faces(disabled), faces(hit), bonus)


@rule("LOB-18", "LOB-21")
def read_dice(disabled: frozenset[int], hit: frozenset[int], bonus: int, fallen: Faces) -> Volley:
    """LOB-18, LOB-21: the Disabled and Hit symbols among the dice; a bonus raises each die, but not above six."""
    shown = [min(face + bonus, 6) for face in fallen]
    hits = sum([face in hit for face in shown])
    return Volley(sum([face in disabled and face not in hit for face in shown]), hits)
