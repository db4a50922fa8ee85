"""One battle of many: its seed, how it is played, and what is kept of it.

Each battle's seed follows from the seed of all and the battle's number, and from nothing else. So it does not matter
which process plays it, when, or how often; and `flagplot play` with that seed and the same players is the same battle,
if it was played from its start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from flagplot import library
from flagplot.kernel import saves
from flagplot.kernel.dice import Dice, Keyed, Seeded, Typed
from flagplot.kernel.game import Game, Player
from flagplot.kernel.playout import Playout, playout
from flagplot.kernel.toll import CountsLosses, Toll
from flagplot.kernel.views import Seeable
from flagplot.players import local_player, needs_no_past
from flagplot.players.program import ProgramFault
from flagplot.simulation.controls import Luck, Watched

MOST = 100_000
"""Answers after which a battle is broken off. No battle of people comes near this."""


class Plan(NamedTuple):
    """What is played, by whom, from which seed: all that a process must know."""

    scenario: Mapping[str, Any]
    players: Mapping[str, str]
    """By side, in the order of the sides."""
    seed: int
    options: Mapping[str, Any] = {}
    """Readings that stand before those of the scenario."""
    answers: Sequence[Mapping[str, Any]] = ()
    """The lines of a save, if the battles are played on from one. Its dice are not among the things known here."""
    paired: bool = False
    """Whether they are compared with battles of the same numbers, which then have the same dice for the same rules."""


class Fought(NamedTuple):
    """What is kept of one battle."""

    number: int
    seed: int
    """The seed of this battle, for `flagplot play`."""
    over: bool
    """Whether it came to an end; only a battle of endless answers does not."""
    winner: str | None
    ending: str
    """How it ended, in the words of the game, with the rule; nothing if the game does not tell."""
    rounds: int | None
    answers: int
    figures: dict[str, dict[str, int]]
    """What the result counts for each side: ``factors_sunk`` and the like."""
    toll: dict[str, Toll]
    luck: Luck
    """How far its dice were off, see `flagplot.simulation.controls`."""

    def as_dict(self) -> dict[str, Any]:
        return {
            "battle": self.number,
            "seed": self.seed,
            "winner": self.winner,
            "over": self.over,
            "ending": self.ending,
            "rounds": self.rounds,
            "answers": self.answers,
            "figures": self.figures,
            "lost": {side: dict(sorted(toll.lost.items())) for side, toll in self.toll.items()},
            "named": {
                side: {name: fate for name, fate in toll.named.items() if fate} for side, toll in self.toll.items()
            },
        }


def fought_from(data: Mapping[str, Any]) -> Fought:
    """The battle that `as_dict` has told, with its luck."""
    toll = {side: Toll(lost, data["named"][side]) for side, lost in data["lost"].items()}
    told = {name: data[name] for name in ("seed", "over", "winner", "ending", "rounds", "answers", "figures", "luck")}
    return Fought(number=data["battle"], toll=toll, **told)


class BattleFailed(RuntimeError):
    """A fault of the program in one battle; it says how to play that battle again."""


def seed_of(seed: int, number: int) -> int:
    """The seed of one battle: 53 bits, so that every program can read it as a number."""
    return int.from_bytes(blake2b(b"%d/%d" % (seed, number), digest_size=8).digest()) >> 11


def opening_of(plan: Plan) -> Game[Any]:
    """The game where the battles begin, to be copied for each of them.

    Its own dice roll nothing: those of a saved game must not be foreseen, and each battle brings its own.
    """
    game = library.load(plan.scenario, dice=Typed(), options=plan.options)
    if plan.answers:
        game.copy()  # from now on it remembers each border, so that playouts have little to run again
    for body in plan.answers:
        saves.answer(game, body)
    return game


def fight(plan: Plan, opening: Game[Any], number: int) -> Fought:
    """Play one battle to its end. A player's own program that fails is no fault of ours, and is told as it is."""
    seed = seed_of(plan.seed, number)
    try:
        players = {side: local_player(who, seed + place) for place, (side, who) in enumerate(plan.players.items())}
        dice = Watched(Keyed(seed) if plan.paired else Seeded(seed), players)
        return kept(_played(plan, opening, players, dice), number, seed, dice.luck)
    except ProgramFault:
        raise
    except Exception as fault:
        raise BattleFailed(f"battle {number} failed; to see it again, {_again(plan, number, seed)}") from fault


def _played(plan: Plan, opening: Game[Any], players: dict[str, Player], dice: Dice) -> Playout[Any] | Game[Any]:
    """Who looks at the position alone needs no log, so none is kept; others may read everything that a side may."""
    if all(needs_no_past(name) for name in plan.players.values()):
        return playout(opening, players, dice, most=opening.turn + MOST)
    game = opening.copy(dice)
    game.play(players, until=opening.turn + MOST)
    return game


def _again(plan: Plan, number: int, seed: int) -> str:
    """How to come back to a battle."""
    who = "".join(f" --player {side}={name}" for side, name in plan.players.items())
    if plan.paired:
        return f"compare {number} battles with --seed {plan.seed}{who}"
    if plan.answers:
        return f"simulate {number} battles from the same save with --seed {plan.seed}{who}"
    readings = "".join(f" --option {name}={str(value).lower()}" for name, value in plan.options.items())
    return f"play it with --seed {seed}{who}{readings}"


def kept(game: Playout[Any] | Game[Any], number: int, seed: int, luck: Luck) -> Fought:
    result, sides = game.result or {}, game.ruleset.sides(game.state)
    rule = f" ({result['rule']})" if result.get("rule") else ""
    return Fought(
        number=number,
        seed=seed,
        over=game.pending is None,
        winner=result.get("winner"),
        ending=f"{result['ended']}{rule}" if result.get("ended") else "",
        rounds=result.get("rounds"),
        answers=game.turn,
        figures=figures_in(result, sides),
        toll=toll_of(game),
        luck=luck,
    )


def figures_in(result: Mapping[str, Any], sides: tuple[str, ...]) -> dict[str, dict[str, int]]:
    """The entries of a result that are a number for each side."""
    return {key: dict(value) for key, value in result.items() if _is_figure(value, sides)}


def figures_of(fought: Fought, sides: tuple[str, ...]) -> dict[str, float]:
    """The figures of a battle of which averages without luck are told; in a game without figures what was lost."""
    told = {f"won {side}": float(fought.over and fought.winner == side) for side in sides}
    lost = {side: sum(toll.lost.values()) for side, toll in fought.toll.items()}
    for figure, by_side in (fought.figures or {"lost": lost}).items():
        told |= {f"{figure} {side}": float(number) for side, number in by_side.items()}
        if len(sides) == 2:
            told[f"{figure} more"] = float(by_side[sides[0]] - by_side[sides[1]])
    return told


def toll_of(game: Seeable) -> dict[str, Toll]:
    """What each side has lost; of a game that does not tell, nothing."""
    if isinstance(game.ruleset, CountsLosses):
        return game.ruleset.toll(game.state)
    return {side: Toll({}, {}) for side in game.ruleset.sides(game.state)}


def _is_figure(value: object, sides: tuple[str, ...]) -> bool:
    """Whether an entry of a result is a number for each side."""
    return isinstance(value, dict) and set(value) == set(sides) and all([type(one) is int for one in value.values()])
