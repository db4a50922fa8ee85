"""How a game ended: who won and by which rule, what each side lost, and how the dice fell. Everything is open then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flagplot import library
from flagplot.board.model import Board, Counter
from flagplot.kernel.game import Game
from flagplot.kernel.naming import closing_words, ending_words, in_sentence, plainly
from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.words import capital
from flagplot.odds.luck import Luck, luck
from flagplot.odds.luck_words import how_far, how_often, number
from flagplot.table.refusals import NotYet

SCALE = 3.0
"""Standard errors that the charts of luck show to either side."""


@dataclass(frozen=True, slots=True)
class Fallen:
    """Rolls of one kind: what came up, and what was to be expected."""

    unit: str
    rolls: int
    amount: str
    expected: str
    error: str
    deviations: float

    @property
    def share(self) -> float:
        """Where its bar ends, from -100 to 100."""
        return 100 * max(-1.0, min(1.0, self.deviations / SCALE))


@dataclass(frozen=True, slots=True)
class Cost:
    """What a battle cost a side."""

    side: str
    name: str
    nation: str
    sunk: tuple[Counter, ...]
    damaged: tuple[Counter, ...]
    air: tuple[Counter, ...]
    factors: int
    """Naval factors that were sunk, and all that it had."""
    of: int
    points: int | None
    luck: str
    often: str
    fallen: tuple[Fallen, ...]

    @property
    def nothing(self) -> bool:
        return not (self.sunk or self.damaged or self.air)


@dataclass(frozen=True, slots=True)
class Ending:
    """All that is told at the end."""

    title: str
    rounds: int
    winner: str | None
    winner_name: str
    nation: str
    """Of whoever won, for the colour of the page."""
    why: str
    rule: str
    follows: tuple[tuple[str, str], ...]
    """What comes of it: words and rule."""
    costs: tuple[Cost, ...]

    def headline(self, reader: str) -> str:
        if self.winner is None:
            return "Nobody won."
        if self.winner == reader:
            return "You won."
        at_the_table = reader in [cost.side for cost in self.costs]
        return "You lost." if at_the_table else f"{capital(in_sentence(self.winner_name))} won."


def ending_of(game: Game[Any], reader: str) -> Ending:
    """The end of a game, as everybody may know it now. Raises NotYet while it is played."""
    result = game.result
    if result is None:
        raise NotYet("the battle is not over yet")
    look = game.view(UMPIRE).position
    board = library.board_of(game.ruleset.name, look)
    names = dict(look.sides)
    nations = {side["id"]: list(side.get("nations", [side["id"]])) for side in game.scenario["sides"]}
    winner = result.get("winner")
    fell = luck(game, UMPIRE)
    order = sorted(game.sides, key=lambda side: side != reader)
    return Ending(
        title=game.scenario["title"],
        rounds=result.get("rounds", 0),
        winner=winner,
        winner_name=names.get(winner or "", ""),
        nation=nations[winner][0] if winner else "",
        why=f"{capital(ending_words(result, names) or closing_words(result, names)).rstrip('.')}.",
        rule=result.get("rule", ""),
        follows=tuple([(capital(plainly(one["text"])), one["rule"]) for one in result.get("consequences", [])]),
        costs=tuple([_cost(result, board, side, names[side], nations[side], fell) for side in order]),
    )


def _cost(result: dict[str, Any], board: Board | None, side: str, name: str, nations: list[str], fell: Luck) -> Cost:
    lost = [counter for counter, gone in _counters(board, side, nations) if gone]
    left = [counter for counter, gone in _counters(board, side, nations) if not gone]
    sunk = [counter for counter in lost if counter.silhouette != "plane"]
    factors = sum([counter.factors for counter in sunk if counter.is_ship])
    return Cost(
        side=side,
        name=name,
        nation=nations[0],
        sunk=tuple(sunk),
        damaged=tuple([counter for counter in left if counter.is_ship and (counter.damaged or counter.hits)]),
        air=tuple([counter for counter in lost if counter.silhouette == "plane"]),
        factors=factors,
        of=factors + sum([counter.factors for counter in left if counter.is_ship]),
        points=result["points"].get(side) if "points" in result else None,
        luck=how_far(fell.in_all(side)),
        often=how_often(fell.in_all(side)),
        fallen=tuple(_fallen(fell, side)),
    )


def _counters(board: Board | None, side: str, nations: list[str]) -> Iterator[tuple[Counter, bool]]:
    """All counters of a side, and whether each is lost. What lies among the losses of both sides is told by nation."""
    for place in board.places if board else ():
        for stack in place.stacks:
            gone = stack.kind in ("lost", "unit") and stack.state == "gone"
            for counter in stack.counters:
                if stack.side == side or (not stack.side and counter.nation in nations):
                    yield counter, gone


def _fallen(fell: Luck, side: str) -> Iterator[Fallen]:
    for unit, total in fell.balances(side).items():
        figures = number(total.amount), number(total.expected), f"{total.error:.1f}"
        yield Fallen(unit, total.rolls, *figures, total.deviations)
