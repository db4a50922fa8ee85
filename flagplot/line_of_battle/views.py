"""What a faction may know of the state. Nothing else leaves the state."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.view_types import Parts, Seen, part
from flagplot.line_of_battle import rounds
from flagplot.line_of_battle.attacks import attacks
from flagplot.line_of_battle.options import faces
from flagplot.line_of_battle.state import BASE_ATTACK, Box, Marker, State
from flagplot.line_of_battle.units import Factors, Unit

STEPS = {
    "1": "day or night",
    "2": "attacker fires",
    "3": "defender fires",
    "4": "damage",
    "5": "retreat",
    "6": "result",
}
BASE_STEPS = {mark: name for mark, name in STEPS.items() if mark not in ("1", "5")}
RULES = {"1": "LOB-01", "2": "LOB-02", "3": "LOB-03", "4": "LOB-04", "5": "LOB-05", "6": "LOB-07"}
STEP_OF = {
    rounds.set_up.name: "1",
    rounds.phasing_selects.name: "1",
    rounds.other_selects.name: "1",
    rounds.day_or_night.name: "1",
    rounds.phasing_attacks.name: "2",
    rounds.other_attacks.name: "3",
    rounds.take_effect.name: "4",
    rounds.end_of_round.name: "4",
    rounds.phasing_retreats.name: "5",
    rounds.other_retreats.name: "5",
    rounds.open_round.name: "2",
    rounds.next_round.name: "4",
    rounds.release.name: "4",
    rounds.resolve.name: "6",
}


class StepView(Seen):
    """The step of the page that is being played, with the line of them all."""

    line: dict[str, str]
    mark: str
    name: str
    rule: str


class UnitView(Seen):
    """A counter, and what is noted beside it."""

    id: str
    name: str
    side: str
    kind: str
    """``lba`` or ``ship``."""
    box: Box
    damaged: bool
    gunnery: int
    torpedo: int
    airstrike: int
    defense: int
    damage: int
    bonus: bool
    points: int
    disabled: bool
    weapons: tuple[str, ...]
    target: str
    attacked: bool
    fate: str


class CounterGlance(NamedTuple):
    """A counter as a value that can be compared and hashed, for programs that look at every step."""

    id: str
    side: str
    lba: bool
    bonus: bool
    factors: Factors
    box: Box
    damaged: bool
    points: int
    disabled: bool
    weapons: str
    """What it attacks with, joined by ``+``."""
    target: str
    attacked: bool
    fate: str


class SymbolsView(Seen):
    """The faces of a die that disable and those that hit."""

    disabled: tuple[int, ...]
    hit: tuple[int, ...]


class StrengthView(Seen):
    """The attack factors with which a faction began, and those of its undamaged units in the Line of Battle."""

    left: int
    began: int


class LostView(Seen):
    """A ship that is sunk."""

    id: str
    nation: str
    text: str
    hits: int
    damaged: bool


class Position(Parts[State]):
    """All that a faction may know: everything but what the other has selected in secret."""

    @part
    def game(self) -> str:
        return "line-of-battle"

    @part
    def title(self) -> str:
        return self.now.setting.title

    @part
    def kind(self) -> str:
        return self.now.setting.kind

    @part
    def side(self) -> str:
        """Who looks."""
        return self.reader

    @part
    def sides(self) -> dict[str, str]:
        setting = self.now.setting
        return {key: setting.names[key] for key in setting.sides}

    @part
    def phasing(self) -> str:
        return self.now.setting.phasing

    @part
    def all_sea(self) -> bool:
        return self.now.setting.all_sea

    @part
    def air_bases(self) -> dict[str, bool]:
        setting = self.now.setting
        return {key: setting.air_bases[key] for key in setting.sides}

    @part
    def round(self) -> int:
        return self.now.round

    @part
    def rounds(self) -> int:
        return self.now.setting.rounds

    @part
    def action(self) -> str:
        return self.now.action

    @part
    def segment(self) -> StepView | None:
        return _segment(self.now)

    @part
    def selected(self) -> dict[str, str]:
        """Day or night as far as a faction knows it: its own choice, the other's when both are shown."""
        state = self.now
        hidden = {key: choice for key, choice in state.hidden.items() if self.reader in (key, UMPIRE)}
        known = {**state.selected, **hidden}
        return {key: known[key] for key in state.setting.sides if key in known}

    @part
    def units(self) -> tuple[UnitView, ...]:
        state = self.now
        return tuple([_unit(state, key) for key in state.setting.order])

    @part
    def symbols(self) -> SymbolsView:
        options = self.now.setting.options
        return SymbolsView(
            disabled=tuple(sorted(faces(options.disabled_faces))), hit=tuple(sorted(faces(options.hit_faces)))
        )

    @part
    def strength(self) -> dict[str, StrengthView]:
        return {key: strength(self.now, key) for key in self.now.setting.sides}

    @part
    def sunk(self) -> tuple[LostView, ...]:
        state = self.now
        return tuple([_lost(state, key) for key in _gone(state) if not state.unit(key).lba])

    @part
    def lost(self) -> dict[str, int]:
        state = self.now
        return {f"{key}/destroyed/LBAs": n for key in state.setting.sides if (n := len(_destroyed(state, key)))}

    @part
    def resolution(self) -> str:
        return self.now.resolution

    @part
    def over(self) -> bool:
        return not self.now.frames

    # For whoever is in a hurry.

    def counters_at_a_glance(self) -> list[CounterGlance]:
        """The same as `units`."""
        state = self.now
        markers, units, bonus = state.markers, state.setting.units, has_bonus(state)
        return [_glance(units[key], markers[key], bonus) for key in state.setting.order]


def has_bonus(state: State) -> bool:
    """Whether units that have an attack bonus may use it."""
    return state.setting.options.attack_bonus != "none"


def _glance(unit: Unit, marker: Marker, bonus: bool) -> CounterGlance:
    damaged = marker.damaged
    counter = (
        unit.id,
        unit.side,
        unit.lba,
        unit.bonus and bonus,
        unit.back if damaged else unit.front,
        marker.box,
        damaged,
        marker.points,
        marker.disabled,
        marker.weapons,
        marker.target,
        marker.attacked,
        marker.fate,
    )
    return tuple.__new__(CounterGlance, counter)  # in half of the time


def _segment(state: State) -> StepView | None:
    if not state.frames:
        return None
    top = state.frames[-1]
    if top.procedure == attacks.name:
        mark = "2" if top.arguments[0] == state.setting.phasing else "3"
    else:
        mark = STEP_OF[top.segment]
    line = BASE_STEPS if state.setting.kind == BASE_ATTACK else STEPS
    mark = mark if mark in line else next(iter(line))
    return StepView(line=line, mark=mark, name=line[mark], rule=RULES[mark])


def _unit(state: State, key: str) -> UnitView:
    unit = state.unit(key)
    return _counter(unit, _glance(unit, state.markers[key], has_bonus(state)))


@lru_cache(maxsize=4096)
def _counter(unit: Unit, seen: CounterGlance) -> UnitView:
    """A counter with all that is noted beside it. Little changes between two looks, so equal ones are made once."""
    factors = seen.factors
    return UnitView(
        id=unit.id,
        name=unit.name,
        side=unit.side,
        kind="lba" if unit.lba else "ship",
        box=seen.box,
        damaged=seen.damaged,
        gunnery=factors.gunnery,
        torpedo=factors.torpedo,
        airstrike=factors.airstrike,
        defense=factors.defense,
        damage=factors.damage,
        bonus=seen.bonus,
        points=seen.points,
        disabled=seen.disabled,
        weapons=tuple(seen.weapons.split("+")) if seen.weapons else (),
        target=seen.target,
        attacked=seen.attacked,
        fate=seen.fate,
    )


def strength(state: State, side: str) -> StrengthView:
    began = sum([state.unit(key).front.attack for key in state.of(side)])
    left = sum([state.unit(key).front.attack for key in state.line(side) if not state.markers[key].damaged])
    return StrengthView(left=left, began=began)


def _gone(state: State) -> list[str]:
    """Units that are sunk or destroyed for good, in their order."""
    return [key for key in state.setting.order if state.markers[key].fate in ("sunk", "destroyed")]


def _destroyed(state: State, side: str) -> list[str]:
    return [key for key in _gone(state) if state.unit(key).side == side and state.unit(key).lba]


def _lost(state: State, key: str) -> LostView:
    unit = state.unit(key)
    return LostView(id=key, nation=unit.side, text=unit.name, hits=0, damaged=state.markers[key].damaged)
