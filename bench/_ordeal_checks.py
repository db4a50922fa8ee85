"""Whether the tapes are what the clients hold receipts for: nothing lost, nothing twice, nothing made up."""

from __future__ import annotations

import hmac
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench._ordeal_players import Act, Ordered, Table
from flagplot import library
from flagplot.kernel.dice import plan_nonce
from flagplot.kernel.tape_rules import pledge_of
from flagplot.kernel.verifying import verify_lines
from flagplot.table.playing.ahead import read_ahead
from flagplot.table.store.store import Store

LONGEST_PLAN = 100
"""Lines that a client may have sent at once without a reply."""


@dataclass(slots=True)
class Findings:
    """What is wrong with the tapes, by its kind, and what was looked at."""

    faults: list[str] = field(default_factory=list)
    acts: int = 0
    receipts: int = 0
    reveals: int = 0
    finished: int = 0
    ahead: int = 0
    """Plans with orders ahead."""

    def count(self, word: str) -> int:
        return sum(fault.startswith(word) for fault in self.faults)


def check(address: str, tables: Sequence[Table]) -> Findings:
    """Every tape of a store against what the clients of its table hold."""
    store, findings = Store(address), Findings()
    try:
        there = set(store.ids())
        for table in tables:
            if table.game not in there:
                findings.faults.append(f"lost: table {table.number} is gone")
                continue
            texts = [line.text for line in store.lines(table.game)]
            secret = store.game(table.game)["secret"] or json.loads(texts[-1]).get("secret", "")
            where = f"table {table.number}"
            held = {seat.side: seat.acts for seat in table.seats}
            check_tape(findings, texts, secret, held, where, {seat.side: seat.ordered for seat in table.seats})
            rows = {str(row["side"]): row for row in store.seats(table.game)}
            for seat in table.seats:
                check_orders(findings, texts, str(rows[seat.side]["ahead"]), seat.ordered, f"{where}, {seat.side}")
                check_reveals(findings, texts, secret, seat.side, seat.revealed, where)
        for game in there - {table.game for table in tables}:
            _check_sound(findings, [line.text for line in store.lines(game)], "a table whose maker got no reply")
    finally:
        store.close()
    return findings


def check_tape(
    findings: Findings,
    texts: Sequence[str],
    secret: str,
    held: Mapping[str, Sequence[Act]],
    where: str,
    ordered: Mapping[str, Sequence[Ordered]] | None = None,
) -> None:
    """One tape: each act of a client that holds a receipt is there once, in his order; nothing else of his side but
    orders ahead that were waiting to the last."""
    bodies = [json.loads(text) for text in texts]
    for side, acts in held.items():
        mine = [(mark_of(body), body) for body in bodies if mark_of(body) and body.get("side") == side]
        check_side(findings, mine, acts, f"{where}, {side}", (ordered or {}).get(side, ()))
        _check_receipts(findings, dict(mine), acts, secret, f"{where}, {side}")
    strangers = [body for body in bodies if mark_of(body) and body.get("side") not in held]
    findings.faults += [f"made up: {where} has a line that no client sent" for _ in strangers]
    findings.finished += "end" in bodies[-1]
    _check_sound(findings, texts, where)


def check_reveals(
    findings: Findings, texts: Sequence[str], secret: str, side: str, told: Mapping[str, str], where: str
) -> None:
    """Fresh bytes of a side on a tape: its client told them, once, and after the answer whose receipt it was shown; and
    what a client told stands there, or that it came too late."""
    answer, seen, late = "", set[str](), dict[str, str]()
    for body in map(json.loads, texts):
        if "choose" in body or "undo" in body:
            answer = receipt_of(secret, body["hash"])
        elif "skip" in body and body["side"] == side:
            late[body["skip"]] = answer
        elif "reveal" in body and body["side"] == side:
            findings.reveals += 1
            fresh = body["reveal"]
            if fresh not in told:
                findings.faults.append(f"made up: {where}, {side}, fresh bytes that no client told")
            elif fresh in seen:
                findings.faults.append(f"doubled: {where}, {side}, fresh bytes")
            elif told[fresh] != answer:
                findings.faults.append(f"forged: {where}, {side}, fresh bytes were asked for after another answer")
            seen.add(fresh)
    still = answer if json.loads(texts[-1]).keys() & {"choose", "undo"} else ""  # its dice may wait even now
    for fresh in told.keys() - seen:
        if told[fresh] not in (late.get(pledge_of(fresh)), still):
            findings.faults.append(f"lost: {where}, {side}, fresh bytes, and nothing says that they came too late")


def mark_of(body: Mapping[str, Any]) -> str:
    """The bytes of a client by which a line of his is known; nothing if it is none."""
    return str(body.get("contribute") or body.get("nonce") or "")


def check_orders(findings: Findings, texts: Sequence[str], row: str, ordered: Sequence[Ordered], where: str) -> None:
    """Orders ahead that waited to the last: each is on the tape or still waits."""
    marks, waiting = {mark_of(json.loads(text)) for text in texts}, read_ahead(row)
    for one in ordered:
        findings.ahead += 1
        if one.open:
            given = sum(plan_nonce(one.plan.mark, place) in marks for place in range(one.total))
            left = len(waiting.orders) if waiting.nonce == one.plan.mark else 0
            if given + left != one.total and not (waiting.again and waiting.nonce == one.plan.mark):
                findings.faults.append(f"lost: {where}, {given} orders ahead given and {left} waiting, of {one.total}")


def check_side(
    findings: Findings,
    mine: list[tuple[str, dict[str, Any]]],
    acts: Sequence[Act],
    where: str,
    ordered: Sequence[Ordered] = (),
) -> None:
    """The lines of one side with the bytes of its client, `mine`, against what that client holds."""
    sent = {act.mark: act for act in acts}
    for one in ordered:  # nobody may have asked since for the receipts of those that were given
        places = range(one.known, one.known + one.open)
        sent |= {plan_nonce(one.plan.mark, place): one.plan for place in places}
    for silent in [act for act in acts if not act.receipt]:  # perhaps a plan, of which nobody knows how long it is
        sent |= {plan_nonce(silent.mark, place): silent for place in range(1, LONGEST_PLAN)}
    kept = [act.mark for act in acts if act.receipt]
    marks = [mark for mark, _ in mine]
    findings.acts += len(marks)
    for mark, number in Counter(marks).items():
        act = sent.get(mark)
        if act is None:
            findings.faults.append(f"made up: {where} has a line that no client sent")
        elif act.refused:
            findings.faults.append(f"made up: {where}, an act is kept that was refused ({act.refused})")
        if number > 1:
            findings.faults.append(f"doubled: {where}, an act is on the tape {number} times")
    findings.faults += [f"lost: {where}, an acknowledged {sent[mark].kind}" for mark in kept if mark not in set(marks)]
    known = set(kept)
    in_order = list(dict.fromkeys(mark for mark in marks if mark in known))
    if in_order != [mark for mark in kept if mark in set(marks)]:
        findings.faults.append(f"out of order: {where}")
    for mark, body in mine:
        act = sent.get(mark)
        if act is not None and (act.kind not in body or (act.option and body["choose"] != act.option)):
            findings.faults.append(f"made up: {where}, the tape says something else than was sent")


def _check_receipts(
    findings: Findings, mine: Mapping[str, Mapping[str, Any]], acts: Sequence[Act], secret: str, where: str
) -> None:
    for act in acts:
        if act.receipt and act.mark in mine:
            findings.receipts += 1
            if not hmac.compare_digest(receipt_of(secret, str(mine[act.mark]["hash"])), act.receipt):
                findings.faults.append(f"forged: {where}, a receipt is not that of the line")


def receipt_of(secret: str, line: str) -> str:
    """What the server says to have kept a line: nobody can make it who does not know the secret of the dice."""
    return hmac.digest(secret.encode(), f"receipt/{line}".encode(), "sha256").hex()


def _check_sound(findings: Findings, texts: Sequence[str], where: str) -> None:
    found = verify_lines([text.encode() for text in texts], library.ruleset)
    findings.faults += [f"broken: {where}: {problem}" for problem in found.problems]
