#!/usr/bin/env python3
"""Checks the dice of a Flagplot save without Flagplot: python3 verify_dice.py SAVE [--receipts FILE] [--json]

docs/proof.md says what is checked, and why. Exit code 0: no fault; 1: a fault; 2: no such file, or not a save.
"""

from __future__ import annotations

import argparse
import hmac
import json
import re
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

Line = dict[str, Any]
ANSWERS, ASKED, HUMAN, SERVER = ("choose", "undo"), ("reveal", "skip"), ("person", "hotseat"), "the server"
GRAMMAR = r"""
INT -?[0-9]+
TEXT "(?:[^"\\]|\\.)*"
HASH "[0-9a-f]{64}"
NONCE "[0-9a-f]{32}"
BYTES "([0-9a-f]{2}){16,64}"
VERSION "[0-9]+(\.[0-9]+)*[a-z0-9.+-]*"
HOLDER "(person|hotseat|(doctrine|random|ensign|captain|commodore|admiral|fleet)(:[!#-\[\]-~]+)?)"
COMMITTED {"kind":"committed","commitment":HASH}
DICE ("seats":{(,?TEXT:HOLDER)+},"dice":COMMITTED|"dice":(COMMITTED|{"kind":"seeded","seed":INT}|{"kind":"typed"}))
START {"n":INT,"side":TEXT
END ,"prev":HASH,"hash":HASH}
header {"flagplot":2,"program":VERSION,"game":TEXT,"rules":TEXT,"scenario":{},"options":{},DICE,"hash":HASH}
choose START,"choose":TEXT(,"nonce":NONCE|,"by":"orders")? END
undo START,"undo":INT(,"consent":TEXT)?(,"nonce":NONCE)? END
roll START,"roll":\[[1-6](,[1-6])*\] END
contribute START,"contribute":BYTES END
pledge START,"pledge":HASH END
reveal START,"reveal":HASH END
skip START,"skip":HASH END
seat START,"seat":HOLDER END
end {"n":INT,"end":{"result":{},"state":HASH}(,"secret":TEXT)? END
KEPT {("nonce":NONCE,"receipt"|"contribute":BYTES,"receipt"|"reveal":HASH,"before"):HASH}
RECEIPTS {"flagplot":"receipts","game":TEXT,"side":TEXT,"commitment":HASH,"kept":\[(,?KEPT)*\]}
"""
PATTERNS: dict[str, str] = {}  # of each kind of line; words in capitals stand for patterns, {} for any object
for name, text in (row.split(" ", 1) for row in GRAMMAR.split("\n")[1:-1]):
    PATTERNS[name] = re.sub("[A-Z]{3,}", lambda word: PATTERNS[word[0]], text).replace(" ", "")


class Fault(Exception):
    """Something is not as it must be."""


def need(condition: bool, otherwise: str) -> None:
    if not condition:
        raise Fault(otherwise)


def written(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def read_line(data: bytes) -> Line:
    """A line, with its kind, if it is spelled as it must be and has the right hash."""
    try:
        line = json.loads(data.decode())
        need(isinstance(line, dict) and written(line).encode() == data, "it is not spelled as a line must be")
    except (ValueError, RecursionError):
        raise Fault("this is not a line of a save") from None
    bare = {k: {} if k in ("scenario", "options") and isinstance(v, dict) else v for k, v in line.items()}
    if isinstance(line.get("end"), dict) and isinstance(line["end"].get("result"), dict):
        bare["end"] = {**line["end"], "result": {}}
    kinds = [kind for kind in PATTERNS if kind.islower() and re.fullmatch(PATTERNS[kind], written(bare))]
    need(kinds != [], "its keys, their order or their values are not those of a line")
    body = written({key: line[key] for key in line if key != "hash"}).encode()
    need(sha256(body).hexdigest() == line["hash"], "its hash does not fit it")
    return {**line, "kind": kinds[0]}


def derive(key: bytes, message: str, dice: int) -> list[int]:
    """The faces of a roll: each byte below 252 gives one; if a block is not enough, the next has a number."""
    blocks = [message, *[f"{message}/{block}" for block in range(1, dice + 2)]]
    stream = b"".join([blake2b(block.encode(), key=key, digest_size=32).digest() for block in blocks])
    return [byte % 6 + 1 for byte in stream if byte < 252][:dice]


def one_person(line: Line, one: str, other: str) -> bool:
    return one == other or line["held"].get(one) == line["held"].get(other) == "hotseat"


def sender(line: Line) -> str:
    """The side whose browser made the random bytes of a line; none for most lines."""
    side, consent = str(line.get("side", "")), str(line.get("consent", ""))
    if "nonce" in line and line["held"].get(consent) in HUMAN and not one_person(line, side, consent):
        return consent
    return side if line.keys() & {"nonce", "contribute", "reveal"} else ""


class Save:
    """A save whose lines hold together. Raises Fault at the first that does not."""

    def __init__(self, texts: list[bytes]) -> None:
        self.lines: list[Line] = []  # each with its kind, who `held` the sides, and `whose` browser made bytes for it
        self.pledges: dict[str, str] = {}  # the open pledge of each side
        self.used: dict[str, Line] = {}
        plans: dict[str, tuple[str, int, int]] = {}  # of each side's last plan: its nonce, first line and length
        for number, text in enumerate(texts, start=1):
            try:
                line = read_line(text)
                need((line["kind"] == "header") == (number == 1), "line 1 is the header, and no other line is")
                line["held"] = dict(self.lines[-1]["held"] if self.lines else line.get("seats", {}))
                if number > 1:
                    self.check(line)
            except Fault as fault:
                raise Fault(f"line {number}: {fault}") from None
            nonce, (base, start, length) = line.get("nonce", ""), plans.get(whose := sender(line), ("", 0, 0))
            follows = length and nonce == sha256(f"{base}/{length}".encode()).hexdigest()[:32]
            plan = (base, start, length + 1) if follows else (nonce, number - 1, 1)
            plans |= {} if line["kind"] == "reveal" else {whose: plan}
            told = line["kind"] != "reveal" and sum(plan[1:]) == number  # who orders ahead may be away by then
            self.lines.append({**line, "whose": whose, "sent": plan[1], "acked": whose if told else ""})
        need(self.lines[-1]["kind"] not in ASKED, f"line {len(texts)}: a roll must follow")
        self.secret: str | None = self.lines[-1].get("secret")
        self.rolls = [place for place, line in enumerate(self.lines) if line["kind"] == "roll"]
        self.dice, seed = self.lines[0]["dice"], self.lines[0]["dice"].get("seed")
        key = (self.secret or "").encode() if seed is None else sha256(str(seed).encode()).digest()
        for number, place in enumerate(self.rolls):
            faces, message = self.lines[place]["roll"], self.lines[place]["prev"] if seed is None else str(number)
            must = derive(key, message, len(faces)) if key else faces  # without a key nobody can tell
            need(must == faces, f"line {place + 1}: the dice must show {must}, not {faces}")

    def check(self, line: Line) -> None:
        header, last, kind, held = self.lines[0], self.lines[-1], line["kind"], line["held"]
        table, committed, side = "seats" in header, "commitment" in header["dice"], line.get("side", "")
        human = held.get(side) in HUMAN  # never, if this is not a game of a table
        need(line["prev"] == last["hash"] and line["n"] == len(self.lines), "it does not follow the line before it")
        need(last["kind"] != "end" or (kind == "undo" and not committed), "nothing can follow the end")
        need(last["kind"] not in ASKED or kind in (*ASKED, "roll"), "a roll must come here")
        need(not table or kind == "end" or {side, line.get("consent", side)} <= held.keys(), "there is no such side")
        for given in (line[key] for key in ("nonce", "contribute", "pledge") if key in line):
            need(self.used.setdefault(given, line) is line, "these random bytes were used before")
        match kind:
            case "choose":
                need(("nonce" in line or "by" in line) == human, "a person's answer has a nonce or orders, no other")
            case "undo":
                need(("nonce" in line) == table == human, "only people at a table take back with a nonce")
            case "contribute":
                need(committed and human == table, "only people add to dice, and only to committed ones")
            case "pledge":
                need(human, "only people at a table pledge bytes")
                self.pledges[side] = line["pledge"]
            case "reveal" | "skip":
                asking = next(before for before in reversed(self.lines) if before["kind"] not in ASKED)
                need(asking["kind"] in ANSWERS, "no answer has asked for dice here")
                need(last == asking or [*held].index(last["side"]) < [*held].index(side), "sides are asked in order")
                pledge = line["skip"] if kind == "skip" else sha256(bytes.fromhex(line["reveal"])).hexdigest()
                need(self.pledges.pop(side, "") == pledge, "this is not what the side had pledged")
            case "seat":
                need(table and (line["seat"] != held[side] or line["seat"] == "person"), "it changes no seat")
                held[side] = line["seat"]
                self.pledges.pop(side, None)
            case "end":
                secret = line.get("secret", "").encode()
                good = 0 < len(secret) <= 64 and sha256(secret).hexdigest() == header["dice"].get("commitment")
                need(good == committed == ("secret" in line), "the end opens the secret of committed dice, no other")

    def receipt_before(self, place: int) -> int:
        """The last line that the sender of random bytes had a receipt for when he sent them; -1 if there is none."""
        own, before = self.lines[place], self.lines[: self.lines[place]["sent"]]
        if own["kind"] in ASKED:  # the request for the bytes came with the receipt of the answer
            return max(at for at, line in enumerate(before) if line["kind"] in ANSWERS)
        return max((at for at, line in enumerate(before) if line["acked"] == own["whose"]), default=-1)

    def could_look_ahead(self, host: str, roll: int) -> bool:
        """Whether a host (a side, or the server alone) could still act when he knew all random bytes of the others."""
        fixed = -1  # up to this line everything was fixed before somebody else sent bytes that the roll takes in
        for place in reversed(range(roll)):
            line = self.lines[place]
            own = one_person(line, host, line["whose"] or line.get("side", ""))
            if place <= fixed:
                return False
            if line["whose"] and not own:
                fixed = max(fixed, self.receipt_before(place))
            elif line["kind"] not in ("roll", "end", "reveal"):
                return True
        return True

    def check_receipts(self, kept: Line) -> list[int]:
        """The lines of a side that its receipts do not know. Raises Fault if this is not the game that they are of."""
        need(kept["commitment"] == self.dice.get("commitment"), "receipts: this player was shown another commitment")
        unknown = {place for place, line in enumerate(self.lines) if line["whose"] == kept["side"]}
        for (key, given), (_, receipt) in [one.items() for one in kept["kept"]]:
            found = [place for place in unknown if self.lines[place].get(key) == given]
            if key == "reveal" and not found:  # perhaps it came too late, or the dice still wait for it
                late = {"side": kept["side"], "skip": sha256(bytes.fromhex(given)).hexdigest()}.items()
                found = [place for place, line in enumerate(self.lines) if late <= line.items()]
            if key == "reveal" and not found and not self.secret:
                continue
            need(found != [], f"receipts: {key} {given} is missing")
            unknown -= {*found}
            answer = self.receipt_before(found[0]) if key == "reveal" else found[0]
            message = f"receipt/{self.lines[answer]['hash']}".encode()
            must = hmac.new(self.secret.encode(), message, "sha256").hexdigest() if self.secret else receipt
            need(must == receipt, f"receipts: line {answer + 1} is not what was acknowledged")
        return sorted(place + 1 for place in unknown)


def verdict(save: Save, receipts: Line | None) -> Line:
    sides = [*dict.fromkeys(line["whose"] for line in save.lines if line["whose"])]
    ahead = {roll: [host for host in [SERVER, *sides] if save.could_look_ahead(host, roll)] for roll in save.rolls}
    parts = {roll: sorted({line["whose"] for line in save.lines[:roll]} - {""}) for roll in save.rolls}
    unproved = {"typed": "people rolled them", "committed": "their secret is not open yet"}.get(save.dice["kind"])
    said = ["no fault", f"proved: all {len(save.lines)} lines are spelled as they must be and follow each other"]
    said += ["proved: every roll"] if save.secret or not unproved else [f"not proved: the dice, as {unproved}"]
    said += ["not proved: that the answers keep the rules and lead to the result; flagplot verify checks that"]
    said += ["not proved: that no line is missing after the last one"] * (save.lines[-1]["kind"] != "end")
    if receipts:
        said += [f"{'' if save.secret else 'not '}proved: this is the game of {len(receipts['kept'])} receipts"]
        said += [f"lines of {receipts['side']} that these receipts do not know: {save.check_receipts(receipts)}"]
    for host in [SERVER, *sides]:
        part, known = [[roll + 1 for roll in save.rolls if host in some[roll]] or "none" for some in (parts, ahead)]
        said += [f"{host}: random bytes in the rolls on lines {part}; as host could have looked ahead at lines {known}"]
    rolls = [{"line": roll + 1, "parts": parts[roll], "could_look_ahead": ahead[roll]} for roll in save.rolls]
    return {"fault": None, "rolls": rolls, "words": [*said, f"head: {save.lines[-1]['hash']}"]}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check the dice of a Flagplot save without Flagplot.")
    parser.add_argument("save")
    parser.add_argument("--receipts", help="a file of receipts that a browser kept")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    try:
        data = Path(given.save).read_bytes()
        need(data.startswith(b'{"flagplot"'), f"{given.save} is not a save")
        receipts = json.loads(Path(given.receipts).read_bytes()) if given.receipts else None
        need(not given.receipts or bool(re.fullmatch(PATTERNS["RECEIPTS"], written(receipts))), "these are no receipts")
    except (OSError, ValueError, Fault) as problem:
        parser.error(str(problem))  # exit code 2
    try:
        need(data.endswith(b"\n"), "the last line is only half written")
        found = verdict(Save(data.split(b"\n")[:-1]), receipts)
    except Fault as fault:
        found = {"fault": str(fault), "words": [f"FAULT: {fault}"]}
    print(json.dumps(found, indent=2) if given.json else "\n  ".join(found["words"]))
    return 1 if found["fault"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
