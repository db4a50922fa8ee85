"""Kills a program that saves its game, again and again, at random moments: no save corrupt, no answer lost."""

from __future__ import annotations

import argparse
import os
import random
import select
import shutil
import signal
import struct
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import flagplot
from flagplot import library
from flagplot.kernel.dice import Committed, Dice, Seeded
from flagplot.kernel.game import Game
from flagplot.kernel.plain_data import canonical
from flagplot.kernel.requests import Choose
from flagplot.players.random import RandomPlayer

ACKNOWLEDGED = struct.Struct("<i")
SHORTEST = 12
"""Games with fewer answers are not worth killing."""
WRITE = os.write


class Trial(NamedTuple):
    """One game that will be killed."""

    number: int
    scenario: str
    dice: Dice
    seed: int
    length: int
    """Answers of the whole game, if nobody were killed."""
    slow: bool
    """Whether the disk takes a line only in pieces, so that kills fall between them."""
    path: Path


class Outcome(NamedTuple):
    """What a kill left behind: when it fell, and what was wrong (nothing, one hopes)."""

    moment: str
    answers: int
    faults: list[str]


def players(game: Game[Any], seed: int) -> dict[str, RandomPlayer]:
    return {side: RandomPlayer(seed + number) for number, side in enumerate(game.sides)}


# --- the child: plays, saves, and acknowledges each answer that counted -------------------------------------------


def in_pieces(handle: int, data: bytes) -> int:
    """A slow disk: it takes a few bytes at a time."""
    time.sleep(0.0001)
    return WRITE(handle, data[:32])


def play(trial: Trial, pipe: int) -> None:
    """Play the game to its end. Each answer is acknowledged after `choose` or `roll` came back, not before."""
    game = flagplot.load(trial.scenario, dice=trial.dice)
    who = players(game, trial.seed)
    os.write(pipe, ACKNOWLEDGED.pack(-1))  # about to create the save
    game.save(trial.path)
    os.write(pipe, ACKNOWLEDGED.pack(0))
    while (request := game.pending) is not None:
        if isinstance(request, Choose):
            game.choose(who[request.side].choose(game.view(request.side), request))
        else:
            game.roll()
        os.write(pipe, ACKNOWLEDGED.pack(game.turn))


def start(trial: Trial) -> tuple[int, int]:
    """A child that plays the game, forked off warm; its process id and the pipe of its acknowledgements."""
    reader, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        return child, reader
    os.close(reader)
    status = 1
    try:
        with patch.object(os, "write", in_pieces if trial.slow else WRITE):
            play(trial, writer)
        status = 0
    except BaseException as fault:
        print(f"trial {trial.number}: the game itself failed: {fault!r}", file=sys.stderr)
    finally:
        os._exit(status)


# --- the parent: kills, resumes and checks ------------------------------------------------------------------------


def kill(child: int, reader: int, length: int, chance: random.Random) -> int:
    """Wait for a random acknowledgement and a little longer, kill, and return the last answer acknowledged (-2: none).

    Half of the kills are aimed at the creation of the save, the others at the first answers or the whole game.
    """
    target = chance.choice((-2, -1, chance.randint(0, 3), chance.randint(0, length)))
    last = -2
    data = b""
    while last < target and (part := os.read(reader, 4096)):
        data += part
        last = ACKNOWLEDGED.unpack_from(data, len(data) // ACKNOWLEDGED.size * ACKNOWLEDGED.size - 4)[0]
    time.sleep(chance.random() * chance.choice((0.0, 0.0005, 0.002)))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while select.select([reader], [], [], 0)[0] and (part := os.read(reader, 4096)):
        data += part
    os.close(reader)
    whole = len(data) // ACKNOWLEDGED.size * ACKNOWLEDGED.size
    return int(ACKNOWLEDGED.unpack_from(data, whole - 4)[0]) if whole else -2


def check(trial: Trial, acknowledged: int) -> Outcome:
    """Resume what the kill left behind, compare it with the game as it must be, and play on to the end."""
    if not trial.path.exists():
        faults = ["lost: the save is gone"] if acknowledged >= 0 else []
        return Outcome("before the save" if acknowledged < -1 else "while the save was created", 0, faults)
    try:
        data = trial.path.read_bytes()
        game, notices = library.resume_with_notices(trial.path)
    except flagplot.FlagplotError as fault:
        return Outcome("unknown", 0, [f"corrupt: {fault}"])
    faults = []
    turn = game.turn
    if turn < acknowledged:
        faults.append(f"lost: {acknowledged} answers were acknowledged, {turn} are there")
    if turn > max(acknowledged, 0) + 1:
        faults.append(f"{acknowledged} answers were acknowledged, but {turn} are there")
    if bool(notices) != (not data.endswith(b"\n")):
        faults.append("the half-written line was not noticed")
    ended = game.pending is None
    faults += compare(game, undisturbed(trial, turn), "resumed")
    game.play(players(game, trial.seed + 1000))
    game.stop_saving()
    verification = flagplot.verify(trial.path)
    faults += [f"corrupt: {problem}" for problem in verification.problems]
    if verification.answers != game.turn or verification.result != game.result or verification.notes:
        faults.append("the finished save does not prove the finished game")
    faults += compare(flagplot.resume(trial.path, follow=False), game, "replayed")
    if trial.path.with_name(trial.path.name + ".secret").exists():
        faults.append("the secret still lies beside the finished save")
    return Outcome(moment(notices, turn, acknowledged, ended), turn, faults)


def moment(notices: list[str], turn: int, acknowledged: int, ended: bool) -> str:
    if notices:
        return "inside a line"
    if ended and turn == acknowledged:
        return "after the end"
    if acknowledged < 0:
        return "while the save was created"
    return "between the write and its acknowledgement" if turn > acknowledged else "between answers, or before a write"


def undisturbed(trial: Trial, turn: int) -> Game[Any]:
    """The same game played to the same answer by nobody who was killed."""
    game = flagplot.load(trial.scenario, dice=trial.dice)
    game.play(players(game, trial.seed), until=turn)
    return game


def compare(one: Game[Any], other: Game[Any], how: str) -> list[str]:
    same = {
        "state": canonical(one.state) == canonical(other.state),
        "tape": one.tape().texts == other.tape().texts,
        "question": str(one.pending) == str(other.pending),
        "log": all(list(map(str, one.log(side))) == list(map(str, other.log(side))) for side in (*one.sides, "umpire")),
    }
    return [f"the {part} of the {how} game is another" for part, equal in same.items() if not equal]


def kind(faults: list[str]) -> str:
    """The worst of some faults in a word."""
    return next((word for word in ("corrupt", "lost") if any(fault.startswith(word) for fault in faults)), "otherwise")


# --- all of it ----------------------------------------------------------------------------------------------------


def run(trials: int, seed: int, limit: float, folder: Path) -> tuple[list[Outcome], Counter[str]]:
    """So many kills (or as many as there is time for), each checked; and how often each moment was hit."""
    chance, started = random.Random(seed), time.perf_counter()
    outcomes: list[Outcome] = []
    scenarios = flagplot.scenario_names()
    for number in range(trials):
        if time.perf_counter() - started > limit:
            break
        trial = draw(number, chance, scenarios, folder)
        child, reader = start(trial)
        outcome = check(trial, kill(child, reader, trial.length, chance))
        outcomes.append(outcome)
        for fault in outcome.faults:
            print(f"trial {number} ({trial.scenario}, killed {outcome.moment}): {fault}", file=sys.stderr)
        if not outcome.faults:
            for left in folder.glob(f"*{number}.jsonl*"):
                left.unlink()
    return outcomes, Counter(outcome.moment for outcome in outcomes)


def draw(number: int, chance: random.Random, scenarios: list[str], folder: Path) -> Trial:
    """A game that is long enough to be killed: committed and seeded dice in turn, every third on a slow disk."""
    while True:
        dice: Dice = Committed(f"{chance.getrandbits(256):064x}") if number % 2 else Seeded(chance.getrandbits(32))
        slow, path = number % 3 == 0, folder / f"{number}.jsonl"
        trial = Trial(number, chance.choice(scenarios), dice, chance.getrandbits(32), 0, slow, path)
        if (length := undisturbed(trial, sys.maxsize).turn) >= SHORTEST:
            return trial._replace(length=length)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1000, help="how many games are killed")
    parser.add_argument("--seed", type=int, default=None, help="of the games and the moments; a fresh one if not given")
    parser.add_argument("--seconds-limit", type=float, default=600.0, help="begin no further trial after this time")
    parser.add_argument(
        "--folder", type=Path, default=None, help="where the saves are made; a temporary one if not given"
    )
    wanted = parser.parse_args(arguments)
    seed = random.SystemRandom().getrandbits(32) if wanted.seed is None else wanted.seed
    for name in flagplot.scenario_names():
        flagplot.load(name, seed=0)  # everything is imported before the first child is forked off
    folder = Path(tempfile.mkdtemp(prefix="kill9-", dir=wanted.folder))
    started = time.perf_counter()
    outcomes, moments = run(wanted.trials, seed, wanted.seconds_limit, folder)
    spent = time.perf_counter() - started
    kinds = Counter(kind(outcome.faults) for outcome in outcomes if outcome.faults)
    print(f"seed {seed}: {len(outcomes)} of {wanted.trials} trials in {spent:.0f} s")
    for when, count in moments.most_common():
        print(f"{count:6d} killed {when}")
    print(f"{kinds['corrupt']} corrupt, {kinds['lost']} lost, {kinds['otherwise']} otherwise wrong")
    if kinds:
        print(f"the saves of the failed trials are in {folder}")
    else:
        shutil.rmtree(folder)
    return 1 if kinds or not outcomes else 0


if __name__ == "__main__":
    sys.exit(main())
