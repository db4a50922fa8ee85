"""What a save proves by its lines alone, without the rules of the game: form, chain, dice, and who had a part in them.

`tools/verify_dice.py` checks the same and shares no code with this. That every answer was legal, and that the result
follows, only the rules can tell: `verifying.verify_lines` adds it.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from flagplot.kernel.dice import Committed, Dice, Seeded, derive_for, dice_of, plan_nonce, receipt_of
from flagplot.kernel.errors import FlagplotError, SaveError
from flagplot.kernel.save_lines import HOTSEAT, header_fault, is_hex, is_program, kind_of, line_fault
from flagplot.kernel.tape import check_chain
from flagplot.kernel.tape_rules import ANSWERS, BEFORE_A_ROLL, TapeRules, pledge_of

SERVER = "server"
"""A host who does not play: the first of those who may have looked ahead."""


class Found(NamedTuple):
    """Something wrong in a line (they count from 1)."""

    line: int
    text: str


class RollParts(NamedTuple):
    """Who had a part in a roll."""

    line: int
    parts: tuple[str, ...]
    """The sides whose bytes (contribution, nonce, reveal) came before it."""
    ahead: tuple[str, ...]
    """Who, if he ran the server, could have looked ahead: `SERVER` for a host who does not play, or a side."""

    def as_dict(self) -> dict[str, Any]:
        return {"line": self.line, "parts": list(self.parts), "could_look_ahead": list(self.ahead)}


@dataclass(slots=True)
class Proof:
    """What the lines of a save prove. It holds if there are no problems."""

    found: list[Found] = field(default_factory=list)
    broken: bool = False
    """Whether its form or its chain is broken: then nothing else was looked at."""
    header: Mapping[str, Any] = field(default_factory=dict)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    """The lines after the header."""
    kind: str = ""
    """The dice: seeded, committed or typed."""
    secret: str = ""
    """The secret of committed dice, if the closing line opens it."""
    head: str = ""
    hosts: tuple[str, ...] = ()
    """Who could have run the server."""
    rolls: list[RollParts] = field(default_factory=list)
    proved: int = 0
    """How many rolls were worked out again."""

    @property
    def problems(self) -> list[str]:
        return [found.text for found in sorted(self.found, key=lambda one: one.line)]


def prove_lines(lines: Sequence[bytes]) -> Proof:
    """Prove the lines of a save by themselves."""
    proof = Proof()
    if not lines:
        _break(proof, 1, "line 1, the header, is missing")
        return proof
    bodies, chain = check_chain(list(lines))
    for problem in chain:
        _break(proof, int(problem.split()[1]), problem)
    if not proof.broken:
        _check_form(proof, bodies)
    if proof.broken:
        return proof
    proof.header, proof.bodies = bodies[0], bodies[1:]
    proof.head = str(bodies[-1]["hash"])
    proof.kind = str(proof.header["dice"]["kind"])
    _check_order(proof)
    if not proof.broken:
        _check_dice(proof)
        _tell_parts(proof)
    return proof


def _break(proof: Proof, line: int, text: str) -> None:
    proof.found.append(Found(line, text))
    proof.broken = True


def _check_form(proof: Proof, bodies: Sequence[Mapping[str, Any]]) -> None:
    if fault := header_fault(bodies[0]):
        _break(proof, 1, f"line 1: {fault}")
    for number, body in enumerate(bodies[1:], start=2):
        if fault := line_fault(body):
            _break(proof, number, f"line {number}: {fault}")


def rules_of(header: Mapping[str, Any]) -> TapeRules:
    """What may stand on the tape of a header."""
    return TapeRules(header.get("seats"), committed=header["dice"]["kind"] == "committed")


def _check_order(proof: Proof) -> None:
    """Whether each line may follow those before it, and whether the secret is opened at the end and nowhere else."""
    rules, number = rules_of(proof.header), 1
    before: Mapping[str, Any] = {}
    for number, body in enumerate(proof.bodies, start=2):
        if "end" in before and ("undo" not in body or "secret" in before):
            _break(proof, number, f"line {number}: nothing can follow the closing line")
            return
        if fault := rules.fault(body):
            _break(proof, number, f"line {number}: {fault}")
            return
        if "end" in body and (fault := _end_fault(proof, body)):
            _break(proof, number, f"line {number}: {fault}")
            return
        rules.note(body, body["hash"])
        before = body
    if kind_of(before) in BEFORE_A_ROLL:
        _break(proof, number, f"line {number}: after fresh bytes were revealed or skipped the dice must be rolled")


def _end_fault(proof: Proof, body: Mapping[str, Any]) -> str:
    if proof.kind != "committed":
        return "these dice have no secret" if "secret" in body else ""
    if "secret" not in body:
        return "the closing line must open the secret of the dice: without it no roll is proved"
    try:
        dice_of(proof.header["dice"], body["secret"])
    except FlagplotError as fault:
        return str(fault)
    proof.secret = body["secret"]
    return ""


def _check_dice(proof: Proof) -> None:
    dice: Dice = dice_of(proof.header["dice"], proof.secret or None)
    if not isinstance(dice, Committed | Seeded):
        return
    rolls = [(number, body) for number, body in enumerate(proof.bodies, start=2) if "roll" in body]
    for place, (number, body) in enumerate(rolls):
        must = list(derive_for(dice, place, body["prev"], len(body["roll"])))
        proof.proved += 1
        if must != body["roll"]:
            proof.found.append(Found(number, f"line {number}: the dice must show {must} here, not {body['roll']}"))


# --- who had a part ---------------------------------------------------------------------------------------------


class _Act(NamedTuple):
    """What a line means for those who might look ahead."""

    fresh: str = ""
    """The side whose client drew new bytes for it."""
    free: str = ""
    """The side that could have done otherwise; `SERVER` if any host could."""
    fixed: int = -1
    """With fresh bytes, the last line that their sender had a receipt for: it was fixed when he sent them."""
    hotseat: frozenset[str] = frozenset()
    """The sides that one person held then."""


class _Sent:
    """What the sides' clients have sent, and which receipts they had then. All lines of a plan were sent at once; those
    that stand apart from the others are orders ahead, whose receipts a client may not have had for long."""

    def __init__(self) -> None:
        self._receipts: dict[str, int] = {}
        self._plans: dict[str, tuple[str, int, int, int]] = {}
        """Of each side the nonce of its last plan, its first line, how many it has, and what was fixed when it was
        sent."""

    def after(self, side: str, nonce: str, place: int) -> int:
        """The last line for which a side had a receipt when it sent this one; it gets one for this line too."""
        first, begin, lines, fixed = self._plans.get(side, ("", 0, 0, -1))
        if not lines or nonce != plan_nonce(first, lines):
            first, begin, lines, fixed = nonce, place, 0, self._receipts.get(side, -1)
        self._plans[side] = first, begin, lines + 1, fixed
        if place == begin + lines:
            self._receipts[side] = place
        return fixed


def _tell_parts(proof: Proof) -> None:
    rules, acts, parts = rules_of(proof.header), [_Act(free=SERVER)], dict[str, None]()
    hosts = dict.fromkeys(_persons(rules)) if rules.seats is not None else dict[str, None]()
    answer, sent, rolls = 0, _Sent(), list[tuple[int, tuple[str, ...]]]()
    for place, body in enumerate(proof.bodies, start=1):
        kind = kind_of(body)
        hosts.update(
            dict.fromkeys([str(body["side"])] if rules.seats is None and kind == "choice" else _persons(rules))
        )
        if kind == "roll":
            rolls.append((place, tuple(parts)))
        if kind in ANSWERS:
            answer = place
        act = _act(body, kind, rules)
        if act.fresh:
            parts[act.fresh] = None
            fixed = answer if kind == "reveal" else sent.after(act.fresh, str(body.get("nonce", "")), place)
            act = act._replace(fixed=fixed)
        acts.append(act)
        rules.note(body, body["hash"])
    proof.hosts = (SERVER, *hosts)
    for place, sides in rolls:
        ahead = tuple(host for host in proof.hosts if _could_look_ahead(host, acts[:place]))
        proof.rolls.append(RollParts(place + 1, sides, ahead))


def _persons(rules: TapeRules) -> list[str]:
    return [side for side, holder in rules.holders.items() if not is_program(holder)]


def _act(body: Mapping[str, Any], kind: str, rules: TapeRules) -> _Act:
    side = str(body.get("side", ""))
    hotseat = frozenset([one for one, holder in rules.holders.items() if holder == HOTSEAT])
    if "nonce" in body:
        client = rules.client_of(body) or side
        return _Act(client, client, hotseat=hotseat)
    if kind == "contribution":
        return _Act(side, side, hotseat=hotseat)
    if kind == "reveal":  # fixed by the pledge
        return _Act(side, hotseat=hotseat)
    if kind in ("pledge", "skip", "seat", *ANSWERS):  # orders and staffs are carried out by the server
        return _Act(free=SERVER)
    return _Act(hotseat=hotseat)


def _could_look_ahead(host: str, acts: Sequence[_Act]) -> bool:
    """Whether a host could still act when he knew all bytes of the others.

    That theirs come last is not enough: a server can hold an answer back and put a line of its own before it. What
    counts is that nothing was free after the last line that their sender had a receipt for when he sent them.
    """
    fixed = -1
    for place in reversed(range(len(acts))):
        act = acts[place]
        own = host in (act.fresh, act.free) or act.hotseat >= {host, act.fresh or act.free}
        if place <= fixed:
            return False
        if act.fresh and not own:
            fixed = max(fixed, act.fixed)
        elif act.free == SERVER or (own and act.free):
            return True
    return True


# --- receipts ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class ReceiptsFound:
    """What a file of receipts says about a save."""

    side: str
    kept: int
    held: int = 0
    """How many of them fit."""
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


_ENTRIES = (("nonce", "receipt"), ("contribute", "receipt"), ("reveal", "before"))


def read_receipts(data: object) -> Mapping[str, Any]:
    """A file of receipts as a browser keeps it, checked. Raises SaveError."""
    wrong = SaveError("this is not a file of receipts")
    if not isinstance(data, dict) or sorted(data) != ["commitment", "flagplot", "game", "kept", "side"]:
        raise wrong
    texts = [data[key] for key in ("flagplot", "game", "side", "commitment")]
    if data["flagplot"] != "receipts" or not all(isinstance(text, str) for text in texts):
        raise wrong
    if not isinstance(data["kept"], list):
        raise wrong
    for number, entry in enumerate(data["kept"], start=1):
        fits = isinstance(entry, dict) and tuple(sorted(entry)) in [tuple(sorted(keys)) for keys in _ENTRIES]
        if not fits or not all(isinstance(value, str) for value in entry.values()):
            raise SaveError(f"receipt {number} of this file is not a receipt")
    return data


def check_receipts(proof: Proof, receipts: Mapping[str, Any]) -> ReceiptsFound:
    """Whether the game is the one that a browser holds receipts for. The proof must hold."""
    side = receipts["side"]
    found = ReceiptsFound(side, len(receipts["kept"]))
    if proof.header["dice"].get("commitment") != receipts["commitment"]:
        found.problems.append("the receipts are of another game: line 1 shows another commitment than they do")
        return found
    if not proof.secret:
        found.notes.append("the receipts can be checked when the secret of the dice is opened")
    marks = _marks(proof.bodies)
    for number, entry in enumerate(receipts["kept"], start=1):
        fault = _receipt_fault(entry, side, marks, proof.secret)
        if fault:
            found.problems.append(f"receipt {number}: {fault}")
        elif proof.secret:
            found.held += 1
    unknown = _unknown_to(proof.bodies, side, receipts["kept"])
    if unknown:
        found.notes.append(
            f"these receipts do not know of what {side} is said to have added on line "
            f"{', '.join(map(str, unknown))}: it came from another browser, or not from {side}"
        )
    return found


def _marks(bodies: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], tuple[Mapping[str, Any], str]]:
    """Lines by what was added in them, each with the hash that its receipt is made from."""
    marks: dict[tuple[str, str], tuple[Mapping[str, Any], str]] = {}
    answer = ""
    for body in bodies:
        kind = kind_of(body)
        if kind in ("choice", "undo"):
            answer = body["hash"]
        for key in ("nonce", "contribute", "reveal", "skip"):
            if key in body:
                marks[key, body[key]] = body, answer if kind in BEFORE_A_ROLL else body["hash"]
    return marks


def _receipt_fault(
    entry: Mapping[str, str],
    side: str,
    marks: Mapping[tuple[str, str], tuple[Mapping[str, Any], str]],
    secret: str,
) -> str:
    """Why an entry does not fit, in words; nothing if it does. Fresh bytes stand after the answer that they were told
    for, or it is said there that they came too late."""
    key = next(key for key in ("nonce", "contribute", "reveal") if key in entry)
    found = marks.get((key, entry[key]))
    if found is None and key == "reveal" and is_hex(entry[key], 64):
        if not secret:
            return ""  # the dice may still wait for them
        found = marks.get(("skip", pledge_of(entry[key])))
    if found is None:
        return f"no line of the save has this {key}"
    body, mark = found
    if side not in (body["side"], body.get("consent")):
        return f"the line with this {key} is not of {side}"
    given = entry.get("receipt", entry.get("before", ""))
    if secret and not hmac.compare_digest(receipt_of(secret, mark).encode(), given.encode()):
        return "the line was changed after the receipt was given"
    return ""


def _unknown_to(bodies: Sequence[Mapping[str, Any]], side: str, kept: Sequence[Mapping[str, str]]) -> list[int]:
    known = {(key, value) for entry in kept for key, value in entry.items()}
    return [
        number
        for number, body in enumerate(bodies, start=2)
        if body.get("side") == side and "consent" not in body
        for key in ("nonce", "contribute", "reveal")
        if key in body and (key, body[key]) not in known
    ]
