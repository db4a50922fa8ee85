"""A small game with a secret, which the suite must pass, and how it is broken in one thing at a time.

Two sides, red and blue. Each secretly puts some of its stones aside; red attacks openly with some of the others, the
dice fall, blue loses stones, and what blue had put aside comes to light. Three rounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from flagplot.kernel.ledger import Ledger, Line
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.procedures import END, Frame, Next, Procedure
from flagplot.kernel.requests import Choose, Faces, Note, Roll, Script
from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.words import Words

STONES = 6
ROUNDS = 3
SIDES = ("red", "blue")


@dataclass(frozen=True, slots=True)
class NoOptions:
    """The game has no variants."""


@dataclass(slots=True)
class Stones:
    """What can change."""

    frames: list[Frame]
    stones: dict[str, int]
    aside: dict[str, int]
    round: int = 1
    told: list[str] = field(default_factory=list)


class Toy:
    """The sound game. Those that are broken replace one of its parts."""

    name = "toy"
    title = "Stones"
    version = "toy-1"
    options = NoOptions()
    state_type: type[Any] = Stones

    def __init__(self) -> None:
        play = Procedure("play", "1", "A round")
        play.segment("1.1", "Stones are put aside")(self.put_aside)
        play.segment("1.2", "Red attacks")(self.attack)
        play.segment("1.3", "The round ends")(self.end_round)
        self.procedures = {"play": play}

    # --- the rules ----------------------------------------------------------------------------------------------

    def put_aside(self, state: Any) -> Script[Next]:
        for side in SIDES:
            yield from self.hide(state, side)
        return None

    def hide(self, state: Any, side: str) -> Script[None]:
        values = range(min(2, state.stones[side]) + 1)
        state.aside[side] = yield Choose(
            side, "aside", values, "How many are put aside?", self.count, "1.1", (f"{side} puts stones aside",)
        )
        yield Note(("{} put {} aside", side, state.aside[side]), "1.1", side=side, twin=(f"{side} has chosen",))

    def count(self, number: int) -> Words:
        return ("{} stones", number)

    def attack(self, state: Any) -> Script[Next]:
        free = state.stones["red"] - state.aside["red"]
        question = "How many attack?"
        sent = yield Choose("red", "attack", range(free + 1), question, self.count, "1.2", always=True)
        lost = yield self.roll(state, sent)
        state.stones["blue"] -= min(lost, state.stones["blue"])
        yield Note(("blue loses {}", lost), "1.2")
        return None

    def roll(self, state: Any, sent: int) -> Roll[int]:
        ledger = Ledger([Line(sent, ("{} stones attack", sent), "1.2"), Line(-2, "blue defends", "1.2A")])
        return Roll("red", 1, "Red attacks", Reads(ledger.total), "1.2", ledger)

    def end_round(self, state: Any) -> Script[Next]:
        yield Note(("blue had {} aside", state.aside["blue"]), "1.3", reveals=True)
        state.told.append(f"{state.aside['blue']}")
        state.round += 1
        state.aside.update(red=0, blue=0)
        return self.procedures["play"].segments["put_aside"] if state.round <= ROUNDS else END

    # --- what the kernel asks -----------------------------------------------------------------------------------

    def read(self, scenario: Mapping[str, Any], options: Any) -> Any:
        counts: dict[str, int] = dict.fromkeys(SIDES, STONES)
        return self.state_type([self.procedures["play"].start()], counts, dict.fromkeys(SIDES, 0))

    def schema(self) -> dict[str, Any]:
        return {}

    def sides(self, state: Any) -> tuple[str, ...]:
        return SIDES

    def look(self, state: Any, side: str) -> dict[str, Any]:
        aside = state.aside if side == UMPIRE else {side: state.aside[side]}
        return {"stones": dict(state.stones), "aside": dict(aside), "round": state.round}

    def draw(self, look: Mapping[str, Any]) -> str:
        return "\n".join(f"{key}: {value}" for key, value in look.items())

    def result(self, state: Any) -> dict[str, Any]:
        lost = {side: STONES - left for side, left in state.stones.items()}
        return {"summary": f"blue lost {lost['blue']}", "winner": "red" if lost["blue"] else None, "losses": lost}

    def reshuffle(self, state: Any, side: str, chance: Random) -> Any:
        other = copy_of(state)
        for enemy in SIDES:
            if enemy != side:
                other.aside[enemy] = chance.randint(0, min(2, other.stones[enemy]))
        return other


class Reads:
    """Stones lost: the die and the modifier, halved."""

    def __init__(self, modifier: int) -> None:
        self.modifier = modifier

    def __call__(self, faces: Faces) -> int:
        return max(0, (faces[0] + self.modifier) // 2)


SCENARIO = {"title": "Six stones each", "game": "toy"}
