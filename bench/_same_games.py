"""What `./bench/run same` compares of a game, and the process that plays games with the package of one tree.

As a program, ``python -P bench/_same_games.py`` with PYTHONPATH set to a tree, it reads tasks, one a line, and answers
each with a line. It plays older trees too, so it uses only names of the package that older and newer trees share.
"""

from __future__ import annotations

import json
import sys
import tempfile
import traceback
from collections.abc import Iterator
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import flagplot

MOST = 20_000
"""Answers after which a game is left unfinished."""
SELDOM = 5
"""Explanations are asked for at one in this number of the requests at which views are looked at, and at one in this
number of those the logs are read, which are long."""
MANY_DICE = 6
"""More dice than these fall in too many ways to list the outcomes of every roll."""
ONLOOKERS = ("umpire", "neutral")
"""Readers who play no side: the one who may know everything, and a spectator."""


class Match(NamedTuple):
    """One game: what is played, by which kind of player, with which seed."""

    scenario: str
    player: str
    seed: int

    def __str__(self) -> str:
        return f"{self.scenario}, {self.player}, seed {self.seed}"


class Told(NamedTuple):
    """Something that a game tells: at which request, what part of all that is compared, and the text."""

    request: int
    part: str
    """What it is and, if that matters, who reads it: ``options``, ``view:japan``."""
    text: str


def story(match: Match, every: int) -> Iterator[Told]:
    """A whole game: every request, at one in `every` what each reader sees, and how it ended."""
    from flagplot.players import player

    game = flagplot.load(match.scenario, seed=match.seed)
    players = {side: player(match.player, 2 * match.seed + place) for place, side in enumerate(game.sides)}
    while game.pending is not None and game.turn < MOST:
        yield from _asked(game)
        if game.turn % every == 0:
            yield from _seen(game)
            yield from _reasons(game)
        if game.turn % (every * SELDOM) == 0:
            yield from _explained(game)
        if game.turn % (every * SELDOM * SELDOM) == 0:
            yield from _logs(game)
        answered = game.turn
        game.play(players, until=answered + 1)
        if game.turn == answered:
            raise AssertionError(f"nobody answers request {answered}")
    yield from _seen(game)
    yield from _reasons(game)
    yield from _explained(game)
    yield from _logs(game)
    yield Told(game.turn, "result", _json(game.result))
    yield from _reports(game)
    yield from _saved(game)


def _asked(game: Any) -> Iterator[Told]:
    """Who is asked what; the options, or what the dice can do."""
    request, asked = game.pending, game.view("umpire").asked
    options = asked.pop("options", None)
    yield Told(game.turn, "question", _json([asked, game.view("neutral").asked]))
    if options is not None:
        yield Told(game.turn, "options", _json(options))
        return
    yield Told(game.turn, "roll", _json([request.rule, request.counts, request.ledger.as_dict()]))
    if request.dice <= MANY_DICE or game.turn % (2 * SELDOM) == 0:
        outcomes = [[str(reading), ways] for reading, ways in request.outcomes().items()]
        yield Told(game.turn, "outcomes", _json(outcomes))


def _seen(game: Any) -> Iterator[Told]:
    """What each reader sees, as data and as text. The order of the keys stands apart: it tells nobody anything."""
    for reader in (*game.sides, *ONLOOKERS):
        view = game.view(reader)
        data = view.as_dict()
        yield Told(game.turn, f"view:{reader}", json.dumps(data, ensure_ascii=False, sort_keys=True))
        yield Told(game.turn, f"order:{reader}", _json(data))
        yield Told(game.turn, f"text:{reader}", str(view))


def _logs(game: Any) -> Iterator[Told]:
    for reader in (*game.sides, *ONLOOKERS):
        entries = game.log(reader)
        yield Told(game.turn, f"log:{reader}", "\n".join([f"{entry}\n{_json(entry.as_dict())}" for entry in entries]))


def _reasons(game: Any) -> Iterator[Told]:
    """Why something is not offered, where the game tells it."""
    why = getattr(game.ruleset, "why", None)
    for side in game.sides:
        found = why(game.state, side) if why else None
        if found is not None:
            yield Told(game.turn, f"why:{side}", _json([[each.about, each.text, each.rule] for each in found]))


def _explained(game: Any) -> Iterator[Told]:
    """What units may do, and why not. A name that does not exist is refused with the names that do."""
    for side in game.sides:
        try:
            told: list[Any] = [game.explain("?", side)]
        except flagplot.FlagplotError as refused:
            told = [str(refused), *[game.explain(unit, side) for unit in refused.allowed]]
        yield Told(game.turn, f"explain:{side}", _json(told))


def _reports(game: Any) -> Iterator[Told]:
    """The report of each reader, without what follows from the version of the program."""
    from flagplot.report.gathering import gathered
    from flagplot.report.page import page

    for reader in (*game.sides, "umpire"):
        found = gathered(game, reader, "game.jsonl")
        found["program"] = found["proof"]["head"] = "-"
        yield Told(game.turn, f"report:{reader}", "\n".join(page(found)))


def _saved(game: Any) -> Iterator[Told]:
    """The tape as it is saved, without the version of the program and the hashes that hang on it. The hash of the last
    state stands apart: it changes with the form of the state, also where no game does."""
    with tempfile.TemporaryDirectory(prefix="flagplot-same-") as folder:
        file = Path(folder) / "game.jsonl"
        game.save(file, follow=False)
        lines = [json.loads(line) for line in file.read_text(encoding="utf8").splitlines()]
    del lines[0]["program"]
    state = lines[-1].get("end", {}).pop("state", None)
    tape = [_json({key: part for key, part in line.items() if key not in ("prev", "hash")}) for line in lines]
    yield Told(game.turn, "tape", "\n".join(tape))
    yield Told(game.turn, "state", str(state))


def _json(thing: Any) -> str:
    return json.dumps(thing, ensure_ascii=False)


# --- what is kept of a story ------------------------------------------------------------------------------------


def digests(match: Match, every: int) -> dict[str, Any]:
    """The number of requests of a game, and a digest of each part."""
    parts: dict[str, Any] = {}
    requests = 0
    for requests, part, text in story(match, every):
        hashed = parts.setdefault(part, blake2b(digest_size=8))
        hashed.update(f"{requests}\0{text}\0".encode())
    return {"requests": requests, "parts": {part: hashed.hexdigest() for part, hashed in parts.items()}}


def outline(match: Match, every: int) -> list[tuple[int, str, str]]:
    """A whole game with digests instead of the texts."""
    return [
        (request, part, blake2b(text.encode(), digest_size=8).hexdigest())
        for request, part, text in story(match, every)
    ]


def text_at(match: Match, every: int, place: int) -> str:
    """The text at a place of the outline; nothing after its end."""
    return next((told.text for told in islice(story(match, every), place, None)), "")


# --- the process ------------------------------------------------------------------------------------------------


def introduce() -> dict[str, Any]:
    """What this tree has. A name that the stories use and the tree does not have ends the process here."""
    from flagplot.generating import KINDS
    from flagplot.players import player
    from flagplot.report.gathering import gathered
    from flagplot.report.page import page

    assert all(map(callable, (gathered, page, player)))
    return {"package": flagplot.__file__, "scenarios": flagplot.scenario_names(), "kinds": list(KINDS)}


def answer(task: dict[str, Any]) -> Any:
    match, every = Match(*task["match"]), task["every"]
    try:
        if task["want"] == "digests":
            return digests(match, every)
        if task["want"] == "outline":
            return outline(match, every)
        return text_at(match, every, task["want"])
    except Exception:  # whatever it is, it is told with its game
        return {"fault": traceback.format_exc()}


def main() -> None:
    print(json.dumps(introduce()), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
