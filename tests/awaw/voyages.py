"""Voyages for the tests: interceptions made by hand, and games in which it is said who gives way in which battle.

``cruise(state, passage.start("v1"), flees={"4,0": "blue"})`` sails the voyage v1; in a battle in (4, 0) nobody fires,
and Blue withdraws after the first round. What was fought, where and by whom is kept in order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flagplot.awaw.mapboard.hexes import Hex, hex_text
from flagplot.awaw.operations.passage.homeward import new_voyage
from flagplot.awaw.state.operation import Activity, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Dice, Scripted
from flagplot.kernel.game import Game
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.procedures import Frame, Procedure
from flagplot.kernel.requests import Roll
from tests.awaw.seas import least, offered, play, questions, sail, taken


def intercept(
    state: State,
    names: str | Sequence[str],
    target: str,
    at: Hex,
    *,
    arrives: int = 1,
    reached: int | None = None,
    via: Sequence[Hex] = (),
) -> str:
    """Forces that are to intercept a voyage in a hex, their dice rolled: they arrive in this round; the key."""
    keys = [names] if isinstance(names, str) else list(names)
    first, prey = state.operation.fleet[keys[0]], state.operation.voyages[target]
    path = state.operation.plan.board.sea_path(first.at, at, tuple(via))
    assert path is not None
    attempt = Voyage(first.side, Activity.INTERCEPTION, keys, path, step=0 if first.patrol else -1, shown=True)
    attempt.level, attempt.target, attempt.meet, attempt.arrives = prey.level + 1, target, at, arrives
    attempt.reached = reached if reached is not None else len(path) - 1 if arrives == 1 else 1
    for key in keys:
        state.operation.fleet[key].tried, state.operation.fleet[key].patrol = state.now, ""
    prey.intercepted.append(0)
    return new_voyage(state, attempt)


def dive(state: State, name: str, target: str, at: Hex) -> str:
    """A submarine factor that has intercepted a voyage in a hex; the key."""
    flotilla = state.operation.flotillas[name]
    path = state.operation.plan.board.sea_path(flotilla.at, at)
    assert path is not None
    attempt = Voyage(flotilla.side, Activity.INTERCEPTION, [], path, shown=True, flotilla=name)
    attempt.level, attempt.target, attempt.meet, attempt.arrives = (
        state.operation.voyages[target].level + 1,
        target,
        at,
        1,
    )
    flotilla.factors, flotilla.away = flotilla.factors - 1, flotilla.away + 1
    return new_voyage(state, attempt)


def at_sea(state: State, name: str, at: Hex, activity: str = "shore-bombardment") -> str:
    """A force that has arrived somewhere on an activity; its voyage."""
    key = sail(state, activity, name, at)
    voyage = state.operation.voyages[key]
    voyage.step, voyage.progress = len(voyage.path) - 1, Progress.ARRIVED
    state.operation.fleet[name].at = at
    return key


def home_of(state: State, name: str) -> Voyage:
    """The voyage of a force, its way home."""
    return state.operation.voyages[state.operation.fleet[name].voyage]


class Same(Scripted):
    """Dice that all show the same face, however many are rolled."""

    def __init__(self, face: int) -> None:
        super().__init__()
        self.face = face

    def faces(self, roll: Any, number: int, head: Any) -> tuple[int, ...]:
        return (self.face,) * int(roll.dice)


def reaching(face: int = 6) -> Same:
    """Dice with which every interception succeeds, or with other faces fails."""
    return Same(face)


@dataclass
class Fought:
    """A battle as it began."""

    at: str
    level: int
    arrives: dict[str, int]
    """By force: the round in which it joins."""
    withholder: str
    moving: str
    where: dict[str, Hex]
    """Where each force of the map was, those that do not fight too."""
    rounds: int = 0

    @property
    def forces(self) -> set[str]:
        return set(self.arrives)


@dataclass
class Cruise:
    """A game that was played to its end, and what was seen on the way."""

    game: Game[State]
    battles: list[Fought] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    """The verbs of all questions."""
    rolled: list[str] = field(default_factory=list)
    ledgers: list[tuple[str, Ledger]] = field(default_factory=list)
    """Of each roll with modifiers: the side that rolls, and its ledger."""

    @property
    def state(self) -> State:
        return self.game.state

    @property
    def places(self) -> list[str]:
        """The hexes of the battles in order."""
        return [battle.at for battle in self.battles]

    def inverted(self) -> set[str]:
        return {key for key, force in self.state.operation.fleet.items() if force.inverted}

    def log(self, side: str = "umpire") -> str:
        return "\n".join(map(str, self.game.log(side)))


def cruise(
    state: State | Game[State],
    start: Frame | Procedure | None = None,
    *orders: str,
    flees: Mapping[str, str] | str = "blue",
    rounds: Mapping[str, int] | None = None,
    guns: bool = False,
    dice: Dice | None = None,
) -> Cruise:
    """Play to the end. `flees` says for each hex, or for all, which side withdraws from a battle there, and `rounds`
    after how many rounds if not after the first. Orders are given once when they are offered, and must be; all other
    answers are the least ones. Unless it is about `guns` all ships are screened, so that nobody fires."""
    if isinstance(state, Game):
        game = state
    else:
        assert start is not None
        game = play(state, start, dice=dice)
    seen, waiting, before = Cruise(game), list(orders), None
    while game.pending is not None:
        now = game.state
        meeting = now.operation.encounter if now.battle.groups and now.scene.phases else None
        if meeting is not None and meeting is not before and now.frames[-1].procedure == "naval-battle":
            seen.battles.append(_fought(now))
            before = meeting
        if meeting is not None and seen.battles:
            seen.battles[-1].rounds = now.battle.round
        if isinstance(game.pending, Roll):
            seen.rolled.append(str(game.pending))
            if game.pending.ledger is not None:
                seen.ledgers.append((game.pending.side, game.pending.ledger))
            game.roll()
            continue
        texts = offered(game)
        seen.asked.append(texts[0].rsplit(":", 1)[0])
        game.choose(taken(waiting, texts) or _answer(game, texts, flees, rounds or {}, guns))
    assert not waiting, f"never asked: {waiting}"
    return seen


def go_on_until(game: Game[State], verb: str) -> list[str]:
    """Go on with the least answers until something of this verb is asked; the verbs of all questions before it."""
    asked = []
    for texts in questions(game):
        asked.append(texts[0].rsplit(":", 1)[0])
        if texts[0].startswith(verb):
            break
        game.choose(least(texts))
    return asked


def _fought(state: State) -> Fought:
    assert state.operation.encounter is not None
    at = hex_text(state.operation.encounter.at)
    arrives = {key: group.arrives for key, group in state.battle.groups.items()}
    where = {key: force.at for key, force in state.operation.fleet.items()}
    return Fought(at, state.operation.encounter.level, arrives, state.scene.withholder, state.scene.attacker, where)


def _answer(
    game: Game[State],
    texts: list[str],
    flees: Mapping[str, str] | str,
    rounds: Mapping[str, int],
    guns: bool,
) -> str:
    pending: Any = game.pending
    at = hex_text(game.state.scene.at)
    if texts[0] == "withdraw:none":
        loser = flees if isinstance(flees, str) else flees[at]
        return (
            "withdraw:all"
            if pending.side == loser and game.state.battle.round >= rounds.get(at, 1)
            else "withdraw:none"
        )
    if texts[0].startswith("screen:") and not guns:
        return texts[-1]
    return least(texts)
