"""What a faction may know of the state. Nothing else leaves the state."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

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

    mine: bool
    unit: Unit
    with_bonus: bool
    """Whether units that have an attack bonus may use it."""
    box: Box
    damaged: bool
    points: int
    disabled: bool
    weapons: str
    """What it attacks with, joined by ``+``."""
    target: str
    attacked: bool
    fate: str

    @property
    def factors(self) -> Factors:
        """Those of the side that is up."""
        return self.unit.factors(self.damaged)

    @property
    def bonus(self) -> bool:
        return self.unit.bonus and self.with_bonus


Made = TypeVar("Made")
PositionGlance = tuple[str, bool, int, str, str, dict[str, str], list[Made]]
"""A battle at a glance: its kind, whether the reader is the phasing faction, the round, the action, the number of the
step that is being played, what each faction has selected as far as the reader knows, and what was made of each
counter."""


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
        return _selected(self.now, self.reader)

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

    def at_a_glance(self, make: Mapping[tuple[Any, ...], Made]) -> PositionGlance[Made]:
        """How the battle stands, and all counters; `make` has what is made of one by the fields of its glance."""
        state, reader = self.now, self.reader
        setting, markers, bonus = state.setting, state.markers, has_bonus(state)
        units = setting.units
        counters = [make[_seen(units[key], reader, bonus, markers[key])] for key in setting.order]
        selected = _selected(state, reader) if state.selected or state.hidden else {}
        return setting.kind, setting.phasing == reader, state.round, state.action, _mark(state), selected, counters


def has_bonus(state: State) -> bool:
    """Whether units that have an attack bonus may use it."""
    return state.setting.options.attack_bonus != "none"


def _seen(unit: Unit, reader: str, bonus: bool, marker: Marker) -> tuple[Any, ...]:
    """The fields of the glance of a unit."""
    return (
        unit.side == reader,
        unit,
        bonus,
        marker.box,
        marker.damaged,
        marker.points,
        marker.disabled,
        marker.weapons,
        marker.target,
        marker.attacked,
        marker.fate,
    )


def _mark(state: State) -> str:
    """The number of the step that is being played; nothing when the battle is over."""
    if not state.frames:
        return ""
    top = state.frames[-1]
    if top.procedure == attacks.name:
        mark = "2" if top.arguments[0] == state.setting.phasing else "3"
    else:
        mark = STEP_OF[top.segment]
    line = _line(state)
    return mark if mark in line else next(iter(line))


def _line(state: State) -> dict[str, str]:
    return BASE_STEPS if state.setting.kind == BASE_ATTACK else STEPS


def _segment(state: State) -> StepView | None:
    mark, line = _mark(state), _line(state)
    return StepView(line=line, mark=mark, name=line[mark], rule=RULES[mark]) if mark else None


def _selected(state: State, reader: str) -> dict[str, str]:
    hidden = {key: choice for key, choice in state.hidden.items() if reader in (key, UMPIRE)}
    known = {**state.selected, **hidden}
    return {key: known[key] for key in state.setting.sides if key in known}


def _unit(state: State, key: str) -> UnitView:
    return _counter(CounterGlance(*_seen(state.unit(key), "", has_bonus(state), state.markers[key])))


@lru_cache(maxsize=4096)
def _counter(seen: CounterGlance) -> UnitView:
    """A counter with all that is noted beside it. Little changes between two looks, so equal ones are made once."""
    unit, factors = seen.unit, seen.factors
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
