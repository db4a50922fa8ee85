"""From a save back to a game: going on with it, and proving it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flagplot.kernel.dice import Dice, Sealed, Typed, dice_of, read_contribution
from flagplot.kernel.errors import FlagplotError, SaveError
from flagplot.kernel.game import Game
from flagplot.kernel.options import read_options
from flagplot.kernel.plain import digest
from flagplot.kernel.requests import Roll
from flagplot.kernel.ruleset import Ruleset
from flagplot.kernel.tape import (
    FORMAT,
    Saved,
    SaveFile,
    check_chain,
    forget_secret,
    read_lines,
    read_save,
    read_secret,
    seal,
    split_lines,
)

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
        raise SaveError(
            f"this save was played under rules {header.get('rules')} of {ruleset.title} "
            f"(program {header.get('program')}); use that version to go on with it",
            given=header.get("rules"),
            allowed=[ruleset.version],
        )
    faults: list[Any] = []
    scenario, given = header.get("scenario"), header.get("options")
    if not isinstance(scenario, Mapping) or not isinstance(given, Mapping):
        raise SaveError("the header of this save has no scenario or no options")
    options = read_options(ruleset.options, given, "options", faults)
    if faults:
        raise SaveError(f"the options of this save are not those of this version: {faults[0]}")
    return Game(ruleset, scenario, options, ruleset.read(scenario, options), dice)


def answer(game: Game[Any], body: Mapping[str, Any]) -> None:
    """Give one line's answer to a game. Raises if the rules do not allow it there."""
    pending = game.pending
    if "end" in body:
        if pending is not None:
            raise SaveError(f"the save says that the game is over, but the rules ask on: {pending}")
        return
    if "undo" in body:
        _take_back(game, body)
        return
    if "contribute" in body:
        _contribution(game, body)
        return
    if pending is not None and body.get("side") != pending.side:
        raise SaveError(f"this is for {pending.side} to answer", given=body.get("side"))
    if "roll" in body:
        game.roll(body["roll"] or ())  # never the game's own dice
    elif "choose" in body:
        game.choose(str(body["choose"]))
    else:
        raise SaveError("this line is neither a choice, a roll, an undo, a contribution to the dice nor the end")


def _contribution(game: Game[Any], body: Mapping[str, Any]) -> None:
    side = str(body.get("side"))
    if side not in game.sides or game.pending is None:
        raise SaveError("nobody can add to the dice here", given=side)
    read_contribution(str(body["contribute"]))
    game.note_contribution(side)


def _take_back(game: Game[Any], body: Mapping[str, Any]) -> None:
    side, consent = str(body.get("side")), body.get("consent")
    expected = game.turn if consent is None else game.last_answer_of(side, str(consent))
    if body["undo"] != expected:
        raise SaveError(f"this takes back answer {body['undo']}, but the game is at {expected}")
    game.undo(side, consent=None if consent is None else str(consent))


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
        raise SaveError("this game has no tape to go on with")
    try:
        body = json.loads(text)
        bare = {key: value for key, value in body.items() if key != "hash"}
        if body.get("prev") != tape.head or seal(bare)[0] != text:
            raise SaveError(f"line {len(tape.texts) + 1} does not follow the lines before it")
        answer(game, body)
        game.detach()  # dice that were asked for their head have made a tape of their own
        tape.add(text, body["hash"])
    finally:
        game.attach(tape, file, closed=True)


def _opened(bodies: list[dict[str, Any]]) -> str | None:
    """The secret that the closing line of a finished game opens."""
    secret = bodies[-1].get("secret") if bodies else None
    return None if secret is None else str(secret)


@dataclass(slots=True)
class Verification:
    """What `verify` found. The save is sound if there are no problems; the notes say what could not be proved."""

    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    answers: int = 0
    rolls: int = 0
    proved: int = 0
    contributions: dict[str, list[int]] = field(default_factory=dict)
    """The lines on which each side added something of its own to the dice."""
    answered: set[str] = field(default_factory=set)
    """The sides that have decided something."""
    late: list[str] = field(default_factory=list)
    """Sides that did so only after they had answered something."""
    early: dict[str, int] = field(default_factory=dict)
    """The rolls that fell before each side first did so, and do not hang on it."""
    taken_back: int = 0
    taken_back_by_consent: int = 0
    commitment: str = ""
    secret: str = ""
    """The secret of committed dice, if the closing line opens it."""
    head: str = ""
    result: dict[str, Any] | None = None

    @property
    def sound(self) -> bool:
        return not self.problems

    def in_words(self) -> list[str]:
        """What was found, for people: a sentence each."""
        found = [f"problem: {problem}" for problem in self.problems] + [f"note: {note}" for note in self.notes]
        if not self.sound:
            return found
        found.append(f"{_count(self.answers, 'answer')}, all of them allowed by the rules")
        if self.proved:
            found.append(f"{_count(self.rolls, 'roll')}, {self.proved} of them proved to be what the dice must show")
        else:
            found.append(f"{_count(self.rolls, 'roll')}, none of them proved")
        found += self._dice_in_words()
        if self.taken_back_by_consent:
            times = _count(self.taken_back_by_consent, "time")
            found.append(f"{times} a decision was taken back with the other side's consent; the dice after it are new")
        if self.result:
            found.append(f"result: {self.result['summary']}")
        found.append(f"head: {self.head}")
        found.append("(players who hold the same game have the same head: compare it by mail)")
        return found

    def _dice_in_words(self) -> list[str]:
        if not self.contributions:
            return []
        found = [
            f"{side} added something of its own to the dice on line {', '.join(map(str, lines))}"
            f"{', but only after it had answered something' if side in self.late else ', before its first answer'}"
            for side, lines in self.contributions.items()
        ]
        found += [
            f"{_count(number, 'roll')} fell before {side} had added anything, and {_hang(number)} not hang on it"
            for side, number in self.early.items()
            if number
        ]
        if self.secret:
            found.append(
                "every roll follows from the secret that line 1 was committed to before anybody joined, from what the "
                "sides added, and from the finished choice: nobody without that secret could choose the dice, and "
                "nobody could change them afterwards"
            )
        return found

    def as_dict(self) -> dict[str, Any]:
        return {
            "sound": self.sound,
            "problems": self.problems,
            "notes": self.notes,
            "answers": self.answers,
            "rolls": self.rolls,
            "rolls_proved": self.proved,
            "contributions": self.contributions,
            "taken_back": self.taken_back,
            "taken_back_by_consent": self.taken_back_by_consent,
            "commitment": self.commitment or None,
            "secret": self.secret or None,
            "head": self.head,
            "result": self.result,
        }


def _hang(number: int) -> str:
    return "does" if number == 1 else "do"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"


def verify(path: Path, find: Find) -> Verification:
    """Prove a save offline: its chain, the legality of every answer, every roll, and the result."""
    lines, torn = split_lines(path)
    return verify_lines(lines, find, torn=bool(torn))


def verify_lines(lines: list[bytes], find: Find, *, torn: bool = False) -> Verification:
    """Prove the lines of a save; `torn` says that another one was only half written."""
    found = Verification()
    if torn:
        found.problems.append(f"line {len(lines) + 1} is only half written")
    if not lines:
        found.problems.append("line 1, the header, is missing")
        return found
    bodies, problems = check_chain(lines)
    found.problems += problems
    header = bodies[0]
    if header.get("flagplot") != FORMAT:
        found.problems.append(f"line 1: format {header.get('flagplot')!r} is not {FORMAT}, the one known here")
    if found.problems:
        return found
    found.head = bodies[-1]["hash"]
    try:
        game = start(header, find, Typed())
    except FlagplotError as fault:
        found.problems.append(f"line 1: {fault}")
        return found
    _verify_answers(game, bodies[1:], _proof(header, bodies[1:], found), found)
    return found


def _proof(header: Mapping[str, Any], bodies: list[dict[str, Any]], found: Verification) -> Dice | None:
    """The dice that every roll must agree with, as far as they can be known."""
    secret = _opened(bodies)
    try:
        dice = dice_of(header.get("dice"), secret)
        found.commitment, found.secret = str(dice.header.get("commitment", "")), secret or ""
    except FlagplotError as fault:
        found.problems.append(f"line {1 if secret is None else len(bodies) + 1}: {fault}")
        return None
    if isinstance(dice, Typed):
        found.notes.append("the dice were rolled by people: their faces cannot be proved")
        return None
    if isinstance(dice, Sealed):
        found.notes.append("the secret of the dice is not opened yet: their faces cannot be proved before the end")
        return None
    return dice


def _verify_answers(game: Game[Any], bodies: list[dict[str, Any]], dice: Dice | None, found: Verification) -> None:
    before: dict[str, Any] = {}
    for number, body in enumerate(bodies, start=2):
        pending = game.pending
        if "end" in before and ("undo" not in body or "secret" in before):
            found.problems.append(f"line {number}: nothing can follow the closing line")
            return
        before = body
        if "roll" in body and isinstance(pending, Roll):
            if dice is not None:
                fallen = dice.faces(pending, found.rolls, lambda line=body: str(line["prev"]))  # type: ignore[misc]
                if list(fallen) != body["roll"]:
                    found.problems.append(f"line {number}: the dice must show {list(fallen)} here, not {body['roll']}")
                found.proved += 1
            found.rolls += 1
        try:
            answer(game, body)
        except FlagplotError as fault:
            found.problems.append(f"line {number}: {fault}")
            return
        _count_line(number, body, found)
    _verify_end(game, bodies, found)


def _count_line(number: int, body: Mapping[str, Any], found: Verification) -> None:
    found.answers += not ("end" in body or "contribute" in body)
    found.taken_back += "undo" in body
    found.taken_back_by_consent += "consent" in body
    if "contribute" in body:
        side = str(body["side"])
        if side not in found.contributions and side in found.answered:
            found.late.append(side)
        found.early.setdefault(side, found.rolls)
        found.contributions.setdefault(side, []).append(number)
    elif "choose" in body:
        found.answered.add(str(body["side"]))


def _verify_end(game: Game[Any], bodies: list[dict[str, Any]], found: Verification) -> None:
    closing = bodies[-1] if bodies and "end" in bodies[-1] else None
    if game.pending is not None:
        found.notes.append("the game is not over: nothing shows if answers are missing after the last line")
        return
    found.result = game.result
    if closing is None:
        found.problems.append(f"line {len(bodies) + 2}: the closing line is missing")
    elif closing["end"] != {"result": game.result, "state": digest(game.state)}:
        found.problems.append(f"line {len(bodies) + 1}: the result is not what the answers lead to")
