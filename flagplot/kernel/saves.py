"""From a save back to a game: going on with it, line by line."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from flagplot.kernel.dice import Dice, dice_of
from flagplot.kernel.errors import FlagplotError, OldRules, SaveError
from flagplot.kernel.game import Game
from flagplot.kernel.options import read_options
from flagplot.kernel.plain_data import to_plain
from flagplot.kernel.ruleset import Ruleset
from flagplot.kernel.save_lines import line_fault
from flagplot.kernel.tape import Saved, SaveFile, forget_secret, read_lines, read_save, read_secret, seal

Find = Callable[[str], Ruleset[Any]]
"""Finds a ruleset by its name."""


def resume(path: Path, find: Find, *, follow: bool) -> tuple[Game[Any], list[str]]:
    """The game that a save holds, at its last answer, and notices for people.

    With `follow`, a half-written last line is cut off and further answers are appended to the same file.
    """
    saved = read_save(path)
    if not follow or saved.closed:
        game = _replayed(saved, path, find, None)
        if follow and _opened(saved.bodies):
            forget_secret(path)  # if the program was stopped before it could
        return game, saved.notices
    file = SaveFile.follow(path)
    try:
        saved = read_save(path)  # once more: from here on nobody else writes to it
        if saved.notices:
            file.cut(saved.size)
        return _replayed(saved, path, find, file), saved.notices
    except BaseException:
        file.close()
        raise


def _replayed(saved: Saved, path: Path, find: Find, file: SaveFile | None) -> Game[Any]:
    header = saved.tape.header
    game = start(header, find, dice_of(header.get("dice"), _opened(saved.bodies) or read_secret(path)))
    _go_through(game, saved, path)
    game.attach(saved.tape, file, closed=saved.closed)
    return game


def _go_through(game: Game[Any], saved: Saved, name: object) -> None:
    game.detach()
    for number, body in enumerate(saved.bodies, start=2):
        try:
            answer(game, body)
        except FlagplotError as fault:
            raise SaveError(f"line {number} of this save does not fit the rules: {fault}", given=name) from fault


def start(header: Mapping[str, Any], find: Find, dice: Dice) -> Game[Any]:
    """The game of a save's header before its first answer."""
    ruleset = find(str(header.get("game")))
    if header.get("rules") != ruleset.version:
        raise OldRules(
            f"this save was played under rules {header.get('rules')} of {ruleset.title} "
            f"(program {header.get('program')}), and this version has {ruleset.version}: "
            "it can only be replayed and verified",
            given=header.get("rules"),
        )
    faults: list[Any] = []
    scenario, given = header["scenario"], header["options"]
    options = read_options(ruleset.options, given, "options", faults)
    if faults:
        raise SaveError(f"the options of this save are not those of this version: {faults[0]}")
    if exact(given) != exact(to_plain(options)):
        raise SaveError("the options of this save are not all of them, each once and in their order")
    return Game(ruleset, scenario, options, ruleset.read(scenario, options), dice, header.get("seats"))


def exact(thing: Any) -> str:
    """A text that is the same only for things that a save would write the same."""
    return json.dumps(thing, separators=(",", ":"), ensure_ascii=False)


def answer(game: Game[Any], body: Mapping[str, Any]) -> None:
    """Give one line's answer to a game. Raises if the rules, or the lines before it, do not allow it there."""
    game.check_line(body)
    _apply(game, body)
    game.note_line(body, str(body.get("hash", "")))


def _apply(game: Game[Any], body: Mapping[str, Any]) -> None:
    pending = game.pending
    if "end" in body:
        if pending is not None:
            raise SaveError(f"the save says that the game is over, but a question is open: {pending}")
    elif "undo" in body:
        _take_back(game, body)
    elif "roll" not in body and "choose" not in body:  # it stands on the tape, and changes nothing in the game
        if body["side"] not in game.sides or pending is None:
            raise SaveError("nothing can be added to the dice here", given=body["side"])
    elif pending is not None and body["side"] != pending.side:
        raise SaveError(f"{pending.side} must answer this", given=body["side"])
    elif "roll" in body:
        game.roll(body["roll"])
    else:
        game.choose(body["choose"])


def _take_back(game: Game[Any], body: Mapping[str, Any]) -> None:
    side, consent = str(body["side"]), body.get("consent")
    expected = game.turn if consent is None else game.last_answer_of(side, consent)
    if body["undo"] != expected:
        raise SaveError(f"this takes back answer {body['undo']}, but the game is at {expected}")
    game.undo(side, consent=consent)


def begin_tape(header: str, find: Find, secret: str | None) -> Game[Any]:
    """The game of a save's header line before its first answer, with its tape; `follow_line` goes on from there."""
    saved = read_lines([header.encode()], "the header")
    game = start(saved.tape.header, find, dice_of(saved.tape.header.get("dice"), secret))
    game.attach(saved.tape, None, closed=True)
    return game


def follow_line(game: Game[Any], text: str) -> None:
    """Go on with a game by a line that somebody else has put on the same tape. Raises SaveError if it does not fit."""
    tape, file = game.detach()
    if tape is None:
        raise SaveError("this game has no tape to continue")
    try:
        body = json.loads(text)
        bare = {key: value for key, value in body.items() if key != "hash"}
        if body.get("prev") != tape.head or seal(bare)[0] != text or body.get("n") != len(tape.texts):
            raise SaveError(f"line {len(tape.texts) + 1} does not follow the lines before it")
        if fault := line_fault(body):
            raise SaveError(f"line {len(tape.texts) + 1}: {fault}")
        answer(game, body)
        game.detach()  # dice that were asked for their head have made a tape of their own
        tape.add(text, body["hash"])
    finally:
        game.attach(tape, file, closed=True)


def _opened(bodies: list[dict[str, Any]]) -> str | None:
    """The secret that the closing line of a finished game opens."""
    secret = bodies[-1].get("secret") if bodies else None
    return None if secret is None else str(secret)
