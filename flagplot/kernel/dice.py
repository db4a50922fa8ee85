"""Where the faces come from: a seed, a committed secret, people, or a test.

Dice made by the program are derived by a keyed hash (BLAKE2b, RFC 7693) and a rejection rule, so that all six faces are
exactly equally likely and anybody can work a roll out again with a few lines in any language:

* seeded: key = the SHA-256 of the seed's digits, message = the number of the roll. Anyone who knows the seed can look
  ahead.
* committed: key = a secret, message = the hash of the tape up to the finished choice. The save's header holds the
  SHA-256 of the secret from the start; the secret is opened at the end. Nobody who does not hold the secret can look
  ahead and then choose, and nobody can exchange it afterwards. Players may put contributions of their own on the tape,
  so that the dice hang on something that whoever drew the secret could not know when he committed to it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from typing import Any, Protocol

from flagplot.kernel.errors import BadValue, DiceError, SaveError
from flagplot.kernel.requests import Faces, Roll
from flagplot.kernel.words import say

Head = Callable[[], str]

NONCE = (
    "a nonce is 32 hexadecimal digits (0-9, a-f) that your client draws at random for this one request; if you repeat "
    "the request, send the same nonce again"
)


class Dice(Protocol):
    """A source of faces. `number` counts the rolls of the game; `head` is the hash of the tape so far."""

    @property
    def header(self) -> dict[str, Any]: ...

    def faces(self, roll: Roll[Any], number: int, head: Head) -> Faces: ...


def derive(key: bytes, message: bytes, dice: int) -> Faces:
    """Faces from a keyed hash: bytes of 252 and above are passed over, since 252 is the largest multiple of six."""
    faces = blake2b(message, key=key, digest_size=32).digest().translate(_FACES, _PASSED_OVER)
    block = 1
    while len(faces) < dice:
        text = b"%b/%d" % (message, block)
        faces += blake2b(text, key=key, digest_size=32).digest().translate(_FACES, _PASSED_OVER)
        block += 1
    return tuple(faces[:dice])


_FACES = bytes([byte % 6 + 1 for byte in range(256)])
_PASSED_OVER = bytes(range(252, 256))


class Seeded:
    """Dice that follow from a seed, the same every time."""

    __slots__ = ("key", "seed")

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.key = hashlib.sha256(str(seed).encode()).digest()

    @property
    def header(self) -> dict[str, Any]:
        return {"kind": "seeded", "seed": self.seed}

    def faces(self, roll: Roll[Any], number: int, head: Head) -> Faces:
        return derive(self.key, b"%d" % number, roll.dice)


class Keyed(Seeded):
    """Dice for comparisons: each roll has its own, by its rule, its side and how often that was rolled. So two games
    that differ somewhere still meet the same dice elsewhere. No save has such dice."""

    __slots__ = ("_counts",)

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._counts: Counter[tuple[str, str]] = Counter()

    @property
    def header(self) -> dict[str, Any]:
        return {"kind": "keyed", "seed": self.seed}

    def faces(self, roll: Roll[Any], number: int, head: Head) -> Faces:
        key = (roll.rule, roll.side)
        self._counts[key] += 1
        return derive(self.key, f"{roll.rule}/{roll.side}/{self._counts[key]}".encode(), roll.dice)


class Committed:
    """Dice that nobody can foresee and everybody can check: a secret, committed at the start, opened at the end."""

    __slots__ = ("secret",)

    def __init__(self, secret: str | None = None) -> None:
        self.secret = secret if secret is not None else secrets.token_hex(32)
        if not 0 < len(self.secret.encode()) <= 64:
            raise DiceError("a secret has 1 to 64 bytes", given=self.secret)

    @property
    def commitment(self) -> str:
        return commitment(self.secret)

    @property
    def header(self) -> dict[str, Any]:
        return {"kind": "committed", "commitment": self.commitment}

    def faces(self, roll: Roll[Any], number: int, head: Head) -> Faces:
        return derive_for(self, number, head(), roll.dice)

    def receipt(self, mark: str) -> str:
        """The receipt of a line, by its hash."""
        return receipt_of(self.secret, mark)


def receipt_of(secret: str, mark: str) -> str:
    """What a client keeps of a line with that hash. Not the hash itself: by it a side could try out what the other side
    may have answered in secret. When the secret is opened, everybody can check it."""
    return hmac.digest(secret.encode(), f"receipt/{mark}".encode(), "sha256").hex()


def derive_for(dice: Seeded | Committed, number: int, head: str, count: int) -> Faces:
    """What that many dice show at the `number`-th roll, after the line with that hash."""
    if isinstance(dice, Seeded):
        return derive(dice.key, b"%d" % number, count)
    return derive(dice.secret.encode(), head.encode(), count)


def commitment(secret: str) -> str:
    """What the header shows of a secret: its SHA-256."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Sealed:
    """Committed dice whose secret is not at hand: the game can be read and gone through again, but not rolled on."""

    __slots__ = ("commitment",)

    def __init__(self, commitment: str) -> None:
        self.commitment = commitment

    @property
    def header(self) -> dict[str, Any]:
        return {"kind": "committed", "commitment": self.commitment}

    def faces(self, roll: Roll[Any], number: int, head: Head) -> Faces:
        raise DiceError("the secret of these committed dice is missing, so no more dice can be rolled")


class Typed:
    """Real dice: people roll them and type the faces in."""

    __slots__ = ()

    @property
    def header(self) -> dict[str, Any]:
        return {"kind": "typed"}

    def faces(self, roll: Roll[Any], number: int, head: Head) -> Faces:
        raise DiceError(
            f"you roll these dice yourself: type {roll.dice} face{'s' * (roll.dice != 1)} for {say(roll.public)}"
        )


class Scripted:
    """Dice for tests: each roll names its purpose, and missing or left-over dice fail.

    ``with Scripted(("Germany rolls", 3, 4), ("Britain rolls", 6, 6)) as dice: …``
    """

    def __init__(self, *rolls: tuple[str | int, ...]) -> None:
        self._rolls = list(rolls)

    @property
    def header(self) -> dict[str, Any]:
        return {"kind": "typed"}

    def faces(self, roll: Roll[Any], number: int, head: Head) -> Faces:
        if not self._rolls:
            raise AssertionError(f"no dice left for: {roll}")
        purpose, *faces = self._rolls.pop(0)
        if str(purpose) not in str(roll):
            raise AssertionError(f"dice meant for {purpose!r} were asked for: {roll}")
        return read_faces(faces, roll.dice)

    def __enter__(self) -> Scripted:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None and self._rolls:
            raise AssertionError(f"dice left over: {self._rolls}")


def read_faces(faces: object, dice: int) -> Faces:
    """Faces as people give them, checked: as many as asked, each a whole number from 1 to 6."""
    given = tuple(faces) if isinstance(faces, Iterable) else (faces,)
    shown = " ".join(map(str, given)) or "nothing"
    read = [_face(face, shown) for face in given]
    if len(read) != dice:
        raise DiceError(f"roll {dice} dice here, not {len(read)}", given=shown, allowed=[f"{dice} faces"])
    return tuple(read)


def read_contribution(text: str) -> str:
    """What a player adds to committed dice, checked: 16 to 64 bytes as hexadecimal digits."""
    contribution = text.strip().lower()
    if not re.fullmatch(r"(?:[0-9a-f]{2}){16,64}", contribution):
        raise DiceError(
            "a contribution to the dice is 16 to 64 random bytes, written as hexadecimal digits",
            given=text,
            allowed=["32 to 128 digits 0-9a-f"],
        )
    return contribution


def read_nonce(text: str) -> str:
    """What a client adds to each answer at a web table, checked."""
    if not re.fullmatch(r"[0-9a-f]{32}", text):
        raise BadValue(NONCE, given=text or None)
    return text


def plan_nonce(nonce: str, place: int) -> str:
    """The nonce of a line of a plan, counted from 0. A client draws one for the whole plan; those of the later lines
    follow from it, so that a server has nothing to choose."""
    return hashlib.sha256(f"{nonce}/{place}".encode()).hexdigest()[:32] if place else nonce


def _face(face: object, shown: str) -> int:
    text = str(face).strip()
    if isinstance(face, bool) or text not in {"1", "2", "3", "4", "5", "6"}:
        raise DiceError(f"a die has no face {text!r}", given=shown, allowed=["1 to 6"])
    return int(text)


def dice_of(header: Any, secret: str | None) -> Dice:
    """The dice that a save's header describes; without their secret committed ones stay sealed."""
    about = header if isinstance(header, Mapping) else {}
    kind, promise = about.get("kind"), about.get("commitment")
    if kind == "seeded" and isinstance(about.get("seed"), int):
        return Seeded(about["seed"])
    if kind == "typed":
        return Typed()
    if kind != "committed" or not isinstance(promise, str):
        raise SaveError("unknown kind of dice", given=header, allowed=["seeded", "committed", "typed"])
    if secret is None:
        return Sealed(promise)
    if commitment(secret) != promise:
        raise SaveError("this secret is not the one that the save is committed to")
    return Committed(secret)
