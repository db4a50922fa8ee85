"""What may follow what on a tape, whatever the game: who holds the seats, nonces, pledges, contributions.

A table's save says in its header who holds each side. From there each line tells who had a part in the dice: a person's
choice carries a nonce that his own client drew, a player of the program has no bytes of his own to add, and before a
roll the other sides' clients may reveal bytes that they had pledged. All of this is read from the lines alone; `Game`
asks before it writes a line, a replay asks before it follows one, and the proof asks without knowing the rules.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from flagplot.kernel.save_lines import HOTSEAT, PERSON, is_program, kind_of, value_fault

ANSWERS = ("choice", "undo")
BEFORE_A_ROLL = ("reveal", "skip")


class Spent(NamedTuple):
    """A line with bytes of a client: what it said, and its hash."""

    side: str
    """Whose client drew them."""
    kind: str
    option: str
    mark: str


def pledge_of(revealed: str) -> str:
    """What is pledged before bytes are revealed: their SHA-256."""
    return hashlib.sha256(bytes.fromhex(revealed)).hexdigest()


def _moment_fault(kind: str, awaits: str) -> str:
    """At a table nothing comes between an answer and its dice but fresh bytes for them."""
    if kind in ("pledge", "seat", "contribution") and awaits != "choice":
        return "the dice are being rolled" if awaits == "roll" else "the game is over"
    return "there are no dice to roll now" if kind in BEFORE_A_ROLL and awaits != "roll" else ""


class TapeRules:
    """The facts of a tape so far, and what may stand on its next line."""

    __slots__ = (
        "_in_vain",
        "_last",
        "_run",
        "committed",
        "contributed",
        "contributions",
        "holders",
        "nonces",
        "pledged",
        "pledges",
        "revealed",
        "seats",
    )

    def __init__(self, seats: Mapping[str, str] | None, *, committed: bool) -> None:
        self.seats = seats
        """Who held each side at first, in the order of the sides; None if the game is not of a web table."""
        self.holders = dict(seats or {})
        """Who holds each side now."""
        self.committed = committed
        self.contributed: dict[str, int] = {}
        """The sides that have added to the dice, with how many answers stood when each last did."""
        self.contributions: dict[str, Spent] = {}
        self.nonces: dict[str, Spent] = {}
        self.pledges: dict[str, str] = {}
        """The open pledge of each side that has one."""
        self.pledged: set[str] = set()
        """Pledges that were ever made."""
        self.revealed: set[str] = set()
        """Pledges that were kept."""
        self._in_vain: Counter[str] = Counter()
        self._last = ""
        self._run: list[str] = []
        """The sides that have revealed or were skipped since the last answer."""

    def aside(self) -> TapeRules:
        """For a copy of the game, whose answers go into no save: nobody has to prove anything there."""
        twin = TapeRules(None, committed=self.committed)
        twin.contributed = dict(self.contributed)
        return twin

    # --- may it follow? -----------------------------------------------------------------------------------------

    def fault(self, body: Mapping[str, Any], awaits: str = "") -> str:
        """Why a line may not follow here, in words; nothing if it may. `awaits` says what the game waits for, where the
        rules of the game are known: a choice, a roll, or the end."""
        kind = kind_of(body)
        if not kind:
            return "these are not the keys of any kind of line, in their order"
        if fault := value_fault(body):
            return fault
        if awaits and self.seats is not None and (fault := _moment_fault(kind, awaits)):
            return fault
        if self._run and kind not in (*BEFORE_A_ROLL, "roll"):
            return "after fresh bytes were revealed or skipped the dice must be rolled"
        if fault := self._seated_fault(body):
            return fault
        if kind == "choice":
            return self._choice_fault(body)
        if kind == "undo":
            return self._undo_fault(body)
        if kind == "contribution":
            return self._contribution_fault(body)
        if kind in ("roll", "end"):
            return ""
        if self.seats is None:
            return f"a {kind} line stands only in games of a web table"
        checks = {
            "pledge": self._pledge_fault,
            "reveal": self._reveal_fault,
            "skip": self._skip_fault,
            "seat": self._seat_fault,
        }
        return checks[kind](body)

    def _seated_fault(self, body: Mapping[str, Any]) -> str:
        """At a table every line is of a side there, and the bytes in it are a person's."""
        if self.seats is None:
            return ""
        for side in (body[key] for key in ("side", "consent") if key in body):
            if side not in self.seats:
                return f"{side} has no seat at this table"
        fresh = [key for key in ("nonce", "contribute", "pledge", "reveal") if key in body]
        if fresh and is_program(self.holders[body["side"]]):
            return f"{body['side']} is played by the program, which has no bytes of its own"
        return ""

    def _choice_fault(self, body: Mapping[str, Any]) -> str:
        given = "nonce" in body or "by" in body
        if self.seats is None:
            return "only at a web table does a choice say who made it" if given else ""
        if is_program(self.holders[body["side"]]):
            return f"{body['side']} is played by the program, which has no orders" if given else ""
        if not given:
            return "a person's choice needs the nonce of his client"
        return self._nonce_fault(body)

    def _undo_fault(self, body: Mapping[str, Any]) -> str:
        if self.seats is None:
            return "only at a web table does a take-back carry a nonce" if "nonce" in body else ""
        if "nonce" not in body:
            return "a take-back needs the nonce of the client that made it"
        return self._nonce_fault(body)

    def _nonce_fault(self, body: Mapping[str, Any]) -> str:
        return "this nonce was used before" if body.get("nonce") in self.nonces else ""

    def _contribution_fault(self, body: Mapping[str, Any]) -> str:
        if not self.committed:
            return "only committed dice take contributions"
        return "this contribution was made before" if body["contribute"] in self.contributions else ""

    def _pledge_fault(self, body: Mapping[str, Any]) -> str:
        return "this pledge was made before" if body["pledge"] in self.pledged else ""

    def _reveal_fault(self, body: Mapping[str, Any]) -> str:
        if fault := self._place_fault(body["side"]):
            return fault
        fits = pledge_of(body["reveal"]) == self.pledges[body["side"]]
        return "" if fits else "these are not the bytes that were pledged"

    def _skip_fault(self, body: Mapping[str, Any]) -> str:
        if fault := self._place_fault(body["side"]):
            return fault
        return "" if body["skip"] == self.pledges[body["side"]] else "this is not the side's open pledge"

    def _place_fault(self, side: str) -> str:
        """Bytes are revealed or skipped after an answer and before its dice, in the order of the sides."""
        assert self.seats is not None
        if not self._run and self._last not in ANSWERS:
            return "bytes are revealed or skipped only after an answer"
        order = list(self.seats)
        if self._run and order.index(side) <= order.index(self._run[-1]):
            return "each side reveals or is skipped once, in the order of the sides"
        return "" if side in self.pledges else f"{side} has no open pledge"

    def _seat_fault(self, body: Mapping[str, Any]) -> str:
        holder, before = body["seat"], self.holders[body["side"]]
        return "the seat does not change" if holder == before and holder != PERSON else ""

    # --- it follows ---------------------------------------------------------------------------------------------

    def note(self, body: Mapping[str, Any], mark: str, turn: int = 0) -> None:
        """A line stands on the tape; `turn` counts the answers that stand before it."""
        kind, side = kind_of(body), body.get("side", "")
        if kind in BEFORE_A_ROLL:
            self._run.append(side)
        else:
            self._run = []
        self._last = kind
        if "nonce" in body:
            self.nonces[body["nonce"]] = Spent(self.client_of(body) or side, kind, str(body.get("choose", "")), mark)
        if kind == "contribution":
            self.contributed[side] = turn
            self.contributions[body["contribute"]] = Spent(side, kind, "", mark)
        if kind == "reveal":
            self.revealed.add(self.pledges[side])
        self._count_pledge(kind, side)
        if kind in ("reveal", "skip", "seat"):
            self.pledges.pop(side, None)
        if kind == "seat":
            self.holders[side] = body["seat"]
        if "pledge" in body:
            self.pledges[side] = body["pledge"]
            self.pledged.add(body["pledge"])

    def _count_pledge(self, kind: str, side: str) -> None:
        if kind == "pledge":
            self._in_vain[side] += 1
        elif kind == "roll":
            self._in_vain.clear()
        elif kind in ANSWERS:
            del self._in_vain[side]

    def pledged_in_vain(self, side: str) -> int:
        """How often a side has pledged since the last roll, or its own last answer. Answers of others do not count:
        they may be secret."""
        return self._in_vain[side]

    @property
    def is_answered(self) -> bool:
        """Whether the last line is an answer, for whose dice bytes could be revealed."""
        return self._last in ANSWERS

    def client_of(self, body: Mapping[str, Any]) -> str | None:
        """The side whose client drew the nonce of an answer; None if it has none."""
        if "nonce" not in body:
            return None
        side, consent = str(body["side"]), body.get("consent")
        other = self.holders.get(str(consent), "")
        if consent is None or not other or is_program(other) or self.holders.get(side) == other == HOTSEAT:
            return side
        return str(consent)
