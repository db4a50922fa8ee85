"""Proving a save: what its lines show by themselves, then every answer by the rules of the game."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flagplot.kernel.dice import dice_of
from flagplot.kernel.errors import FlagplotError, OldRules, SaveError
from flagplot.kernel.game import Game
from flagplot.kernel.naming import closing_words, names_of
from flagplot.kernel.proof import (
    SERVER,
    Found,
    Proof,
    ReceiptsFound,
    RollParts,
    check_receipts,
    prove_lines,
    read_receipts,
)
from flagplot.kernel.save_lines import kind_of
from flagplot.kernel.saves import Find, answer, exact, start
from flagplot.kernel.tape import split_lines
from flagplot.kernel.words import plural

SHOWN = 12
"""Line numbers that are listed in a sentence; all of them are in the JSON."""

PROVED, HOLDS, OPEN, FAULTY = "proved", "holds so far", "not proved", "faulty"


@dataclass(slots=True)
class Verification:
    """What `verify` found. The save is sound if there are no problems; the headline and notes say what was proved."""

    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    broken: bool = False
    """Whether its form or its chain is broken: then nothing else was looked at."""
    answers: int = 0
    rolls: int = 0
    proved: int = 0
    """How many rolls were worked out again, and are right."""
    dice: str = ""
    """Seeded, committed or typed."""
    seats: Mapping[str, str] | None = None
    """Who held each side at first, in a game of a web table."""
    parts: list[RollParts] = field(default_factory=list)
    """Who had a part in each roll, and who could have looked ahead."""
    hosts: tuple[str, ...] = ()
    contributions: dict[str, list[int]] = field(default_factory=dict)
    """The lines on which each side added something of its own to the dice."""
    taken_back: int = 0
    taken_back_by_consent: int = 0
    commitment: str = ""
    secret: str = ""
    """The secret of committed dice, if the closing line opens it."""
    head: str = ""
    result: dict[str, Any] | None = None
    names: dict[str, str] = field(default_factory=dict)
    """The names of the sides, for words about the result."""
    old_rules: str = ""
    """The version of the rules that it was played under, if this program has another one."""
    receipts: ReceiptsFound | None = None

    @property
    def sound(self) -> bool:
        return not self.problems

    @property
    def whole(self) -> bool:
        """Whether everything was looked at, and nothing is wrong."""
        return self.sound and not self.old_rules

    @property
    def finished(self) -> bool:
        return self.result is not None

    def headline(self, name: str) -> str:
        """What was proved, in a sentence or two."""
        if not self.sound:
            return f"{name} is NOT sound: {plural(len(self.problems), 'fault')}."
        if self.old_rules:
            return (
                f"{name} is proved in part: the chain and {self.proved} of {plural(self.rolls, 'roll')}. Whether each "
                f"answer was allowed by its rules, {self.old_rules}, cannot be checked with this version."
            )
        if not self.finished:
            return f"{name} holds so far. {self._dice_so_far()}"
        answers, rolls = plural(self.answers, "answer"), plural(self.rolls, "roll")
        if self.dice == "typed":
            return f"{name} holds: {answers} and the result. People rolled the dice: the {rolls} are not proved."
        return f"{name} is proved: {answers}, {self.proved} of {rolls}, the result."

    def _dice_so_far(self) -> str:
        if self.dice == "typed":
            return "People roll the dice: they are not proved."
        if self.dice == "committed":
            return "The dice can be proved when the secret is opened."
        return f"{plural(self.answers, 'answer')} and {self.proved} of {plural(self.rolls, 'roll')} are proved."

    @property
    def proved_in_words(self) -> dict[str, str]:
        """A word each for the chain, the answers, the dice and the result."""
        dice = HOLDS if self.dice == "committed" and not self.secret else PROVED
        if self.dice == "typed":
            dice = OPEN
        words = {"chain": PROVED, "answers": PROVED, "dice": dice, "result": PROVED if self.finished else "not over"}
        if self.old_rules:
            words |= {"answers": OPEN, "result": OPEN}
        if self.sound:
            return words
        return (
            dict.fromkeys(words, OPEN) | {"chain": FAULTY}
            if self.broken
            else dict.fromkeys(words, FAULTY) | {"chain": PROVED}
        )

    def in_words(self) -> list[str]:
        """What was found, for people: a sentence each."""
        found = [f"problem: {problem}" for problem in self.problems] + [f"note: {note}" for note in self.notes]
        if not self.sound:
            return found
        checked = "not checked" if self.old_rules else "all allowed by the rules"
        found.append(f"{plural(self.answers, 'answer')}, {checked}")
        if self.proved:
            found.append(f"{plural(self.rolls, 'roll')}, {self.proved} proved to be what the dice must show")
        else:
            found.append(f"{plural(self.rolls, 'roll')}, none proved")
        found += self._parts_in_words()
        if self.receipts is not None and self.secret:
            found.append(f"{self.receipts.held} of {plural(self.receipts.kept, 'receipt')} of {self.receipts.side} fit")
        if self.taken_back_by_consent:
            decisions = plural(self.taken_back_by_consent, "decision")
            after = "it" if self.taken_back_by_consent == 1 else "them"
            found.append(f"{decisions} taken back by agreement: the dice after {after} are new")
        if self.result:
            found.append(f"result: {closing_words(self.result, self.names)}")
        found.append(f"head: {self.head}")
        found.append("(players with the same game have the same head: compare it by mail)")
        return found

    def _parts_in_words(self) -> list[str]:
        """Who had a part in the rolls, and who could have looked ahead at which."""
        if self.dice != "committed" or not self.parts:
            return []
        total = len(self.parts)
        sides = dict.fromkeys(side for roll in self.parts for side in roll.parts)
        found = [
            f"{side} had a part in {sum(side in roll.parts for roll in self.parts)} of {plural(total, 'roll')}"
            for side in sides
        ]
        if self.seats is None:
            return [*found, "whoever ran the program held the secret, and could have looked ahead"]
        for host in self.hosts:
            lines = [roll.line for roll in self.parts if host in roll.ahead]
            who, ran = ("the server", "") if host == SERVER else (host, " if its player ran the server")
            found.append(
                f"note: {who} could have looked ahead at {len(lines)} of {plural(total, 'roll')}{ran}: {_lines(lines)}"
                if lines
                else f"{who} could have looked ahead at no roll{ran and ', even' + ran}"
            )
        return found

    def as_dict(self) -> dict[str, Any]:
        return {
            "sound": self.whole,
            "proved": self.proved_in_words,
            "problems": self.problems,
            "notes": self.notes,
            "finished": self.finished,
            "answers": self.answers,
            "dice": self.dice or None,
            "rolls": self.rolls,
            "rolls_proved": self.proved,
            "parts": [roll.as_dict() for roll in self.parts],
            "hosts": list(self.hosts),
            "contributions": self.contributions,
            "taken_back": self.taken_back,
            "taken_back_by_consent": self.taken_back_by_consent,
            "receipts": self.receipts.as_dict() if self.receipts else None,
            "commitment": self.commitment or None,
            "secret": self.secret or None,
            "head": self.head,
            "result": self.result,
            "old_rules": self.old_rules or None,
        }


def _lines(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, numbers[:SHOWN]))
    more = len(numbers) - SHOWN
    return f"line{'s' * (len(numbers) != 1)} {shown}" + (f" and {more} more" if more > 0 else "")


def verify(path: Path, find: Find, receipts: Path | None = None) -> Verification:
    """Prove a save offline: its chain, the legality of every answer, every roll, and the result; and, with a file of
    receipts, that it is the game that they were given for."""
    lines, torn = split_lines(path)
    return verify_lines(lines, find, torn=bool(torn), receipts=None if receipts is None else _receipts(receipts))


def _receipts(path: Path) -> Mapping[str, Any]:
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise SaveError("no such file of receipts", given=path) from None
    except OSError as fault:
        raise SaveError(f"the file of receipts cannot be read ({fault.strerror})", given=path) from fault
    except (ValueError, RecursionError):
        raise SaveError("this is not a file of receipts", given=path) from None
    return read_receipts(data)


def verify_lines(
    lines: list[bytes], find: Find, *, torn: bool = False, receipts: Mapping[str, Any] | None = None
) -> Verification:
    """Prove the lines of a save; `torn` says that another one was only half written."""
    proof = prove_lines(lines)
    found = Verification(broken=proof.broken)
    if torn:
        proof.found.append(Found(len(lines) + 1, f"line {len(lines) + 1} is only half written"))
    if not proof.broken and not torn:
        _tell_dice(proof, found)
        _verify_rules(proof, find, found)
        if receipts is not None:
            _verify_receipts(proof, receipts, found)
    found.problems = proof.problems + found.problems
    return found


def _tell_dice(proof: Proof, found: Verification) -> None:
    found.head, found.dice, found.secret = proof.head, proof.kind, proof.secret
    found.commitment = str(proof.header["dice"].get("commitment", ""))
    found.seats, found.parts, found.hosts = proof.header.get("seats"), proof.rolls, proof.hosts
    found.rolls, found.proved = len(proof.rolls), proof.proved
    if proof.kind == "typed":
        found.notes.append("people rolled the dice: their faces cannot be proved")
    elif proof.kind == "committed" and not proof.secret:
        found.notes.append("the secret of the dice is not open yet: faces cannot be proved before the end")
    for number, body in enumerate(proof.bodies, start=2):
        kind = kind_of(body)
        found.answers += kind in ("choice", "undo", "roll")
        found.taken_back += kind == "undo"
        found.taken_back_by_consent += "consent" in body
        if kind == "contribution":
            found.contributions.setdefault(str(body["side"]), []).append(number)


def _verify_rules(proof: Proof, find: Find, found: Verification) -> None:
    """Go through the answers by the rules; what is wrong is added to the proof."""
    found.names = names_of(proof.header)
    try:
        game = start(proof.header, find, dice_of(proof.header["dice"], None))
    except OldRules:
        found.old_rules = str(proof.header["rules"])
        found.result = _written_result(proof)
        return
    except FlagplotError as fault:
        proof.found.append(Found(1, f"line 1: {fault}"))
        return
    game.detach()
    for line, body in enumerate(proof.bodies, start=2):
        try:
            answer(game, body)
        except FlagplotError as fault:
            proof.found.append(Found(line, f"line {line}: {fault}"))
            return
    _verify_end(game, proof, found)


def _written_result(proof: Proof) -> dict[str, Any] | None:
    """The result as the closing line has it."""
    ending = proof.bodies[-1].get("end") if proof.bodies else None
    result = ending.get("result") if isinstance(ending, dict) else None
    return result if isinstance(result, dict) else None


def _verify_end(game: Game[Any], proof: Proof, found: Verification) -> None:
    last = len(proof.bodies) + 1
    closing = proof.bodies[-1] if proof.bodies and "end" in proof.bodies[-1] else None
    if game.pending is not None:
        found.notes.append("the game is still in progress: missing answers after the last line would not show")
        return
    found.result = game.result
    if closing is None:
        proof.found.append(Found(last + 1, f"line {last + 1}: the closing line is missing"))
    elif exact(closing["end"]) != exact(game.ending()):
        proof.found.append(Found(last, f"line {last}: the result is not what the answers lead to"))


def _verify_receipts(proof: Proof, receipts: Mapping[str, Any], found: Verification) -> None:
    found.receipts = check_receipts(proof, receipts)
    found.problems += found.receipts.problems
    found.notes += found.receipts.notes
