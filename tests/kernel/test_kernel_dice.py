"""Dice: every face equally likely, the same from the same seed, and scripted ones that must be used up exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from hashlib import blake2b, sha256
from itertools import pairwise
from typing import Any

import pytest

from flagplot.kernel import dice
from flagplot.kernel.dice import Committed, Scripted, Seeded, Typed, derive, read_faces
from flagplot.kernel.errors import DiceError
from tests.kernel.toys import DUEL, throw

ROLLS = 60_000


def nowhere() -> str:
    raise AssertionError("seeded dice do not look at the tape")


def chi_square(counts: Counter[Any], kinds: int) -> float:
    expected = counts.total() / kinds
    return sum((count - expected) ** 2 for count in counts.values()) / expected + (kinds - len(counts)) * expected


@pytest.mark.parametrize(
    "roll",
    [
        lambda number: derive(b"a key", b"%d" % number, 1),
        lambda number: Seeded(19).faces(throw(dice=1), number, nowhere),
        lambda number: Committed("a secret").faces(throw(dice=1), 0, lambda: str(number)),
    ],
    ids=["derived", "seeded", "committed"],
)
def test_all_faces_are_equally_likely(roll: Callable[[int], tuple[int, ...]]) -> None:
    """Chi-square of 60,000 faces, 5 degrees of freedom: below 20.5, which fair dice pass 999 times of 1,000."""
    counts = Counter(roll(number)[0] for number in range(ROLLS))
    assert set(counts) == {1, 2, 3, 4, 5, 6}
    assert chi_square(counts, 6) < 20.5


def test_the_dice_of_one_roll_do_not_hang_together() -> None:
    """Chi-square of 60,000 pairs, 35 degrees of freedom: below 66.6 (999 of 1,000)."""
    pairs = Counter(derive(b"a key", b"%d" % number, 2) for number in range(ROLLS))
    assert chi_square(pairs, 36) < 66.6


def test_rolls_in_a_row_do_not_hang_together() -> None:
    faces = [Seeded(7).faces(throw(dice=1), number, nowhere)[0] for number in range(ROLLS + 1)]
    assert chi_square(Counter(pairwise(faces)), 36) < 66.6


def test_later_dice_of_a_long_roll_are_as_fair() -> None:
    """Beyond the first digest too: 60,000 faces of 1,500 rolls of 40 dice."""
    counts = Counter(face for number in range(ROLLS // 40) for face in derive(b"a key", b"%d" % number, 40))
    assert counts.total() == ROLLS
    assert chi_square(counts, 6) < 20.5


class Digest:
    """A hash that returns what a test wants."""

    def __init__(self, *blocks: bytes) -> None:
        self.blocks = list(blocks)
        self.messages: list[bytes] = []

    def __call__(self, message: bytes, **named: Any) -> Digest:
        self.messages.append(message)
        return self

    def digest(self) -> bytes:
        return self.blocks.pop(0)


def test_bytes_of_252_and_above_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """252 is six times 42; the four bytes above would make the faces 1 to 4 likelier."""
    monkeypatch.setattr(dice, "blake2b", Digest(bytes([252, 253, 254, 255, 0, 251, 252, 7])))
    assert derive(b"key", b"message", 3) == (1, 6, 2)


def test_when_a_digest_is_used_up_the_next_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = Digest(bytes([255] * 31 + [5]), bytes([255] * 32), bytes([4, 3, 2]))
    monkeypatch.setattr(dice, "blake2b", fake)
    assert derive(b"key", b"message", 3) == (6, 5, 4)
    assert fake.messages == [b"message", b"message/1", b"message/2"]


def test_every_byte_below_252_gives_each_face_as_often() -> None:
    assert Counter(byte % 6 + 1 for byte in range(252)) == dict.fromkeys(range(1, 7), 42)


def by_hand(key: bytes, message: str, number: int) -> tuple[int, ...]:
    """The rule of the module's first lines, as an outsider would write it."""
    digest = blake2b(message.encode(), key=key, digest_size=32).digest()
    return tuple([byte % 6 + 1 for byte in digest if byte < 252][:number])


def test_anybody_can_work_a_seeded_roll_out_again() -> None:
    key = sha256(b"1942").digest()
    for number in range(200):
        assert Seeded(1942).faces(throw(dice=3), number, nowhere) == by_hand(key, str(number), 3)


def test_anybody_can_work_a_committed_roll_out_again() -> None:
    game = DUEL.game(Committed("hush"))
    game.choose("stance:low")
    game.choose("stance:mid")
    head = game.tape().head
    assert game.roll() == by_hand(b"hush", head, 2)


def test_the_derivation_stays_as_it_is() -> None:
    """Old saves must prove sound for ever: these faces may change only with the format of saves."""
    assert [Seeded(7).faces(throw(dice=4), number, nowhere) for number in range(3)] == GOLDEN_SEEDED
    assert Committed("hush").faces(throw(dice=6), 0, lambda: "head") == GOLDEN_COMMITTED


GOLDEN_SEEDED = [(1, 3, 4, 2), (4, 3, 1, 1), (6, 6, 4, 3)]
GOLDEN_COMMITTED = (3, 3, 5, 3, 4, 5)


def test_seeded_dice_are_the_same_every_time_and_others_for_other_seeds() -> None:
    def faces(seed: int) -> list[tuple[int, ...]]:
        return [Seeded(seed).faces(throw(dice=2), number, nowhere) for number in range(20)]

    assert faces(1) == faces(1)
    assert len({tuple(faces(seed)) for seed in range(-20, 20)}) == 40


def test_a_committed_secret_is_fresh_and_shown_only_as_its_hash() -> None:
    one, other = Committed(), Committed()
    assert one.secret != other.secret
    assert one.header == {"kind": "committed", "commitment": sha256(one.secret.encode()).hexdigest()}


def test_typed_dice_ask_people_for_the_faces() -> None:
    with pytest.raises(DiceError, match="type 1 face for The dice decide"):
        Typed().faces(throw(dice=1), 0, nowhere)
    with pytest.raises(DiceError, match="type 3 faces"):
        Typed().faces(throw(dice=3), 0, nowhere)


def test_scripted_dice_come_in_order() -> None:
    with Scripted(("The clash", 1, 2), ("blue", 3, 4)) as script:
        assert script.faces(throw(purpose="The clash of arms"), 0, nowhere) == (1, 2)
        assert script.faces(throw("blue"), 1, nowhere) == (3, 4)


def test_missing_scripted_dice_fail() -> None:
    with pytest.raises(AssertionError, match="no dice left for: blue: The dice decide"):
        Scripted().faces(throw(), 0, nowhere)


def test_left_over_scripted_dice_fail() -> None:
    with pytest.raises(AssertionError, match="dice left over"), Scripted(("The clash", 1, 2)):
        pass


def test_left_over_scripted_dice_do_not_hide_the_fault_that_left_them() -> None:
    with pytest.raises(ZeroDivisionError), Scripted(("The clash", 1, 2)):
        _ = 1 // 0


def test_scripted_dice_for_another_purpose_fail() -> None:
    with pytest.raises(AssertionError, match="dice meant for 'The retreat' were asked for: blue: The dice decide"):
        Scripted(("The retreat", 1, 2)).faces(throw(), 0, nowhere)


@pytest.mark.parametrize("faces", [(1,), (1, 2, 3), (1, 7)])
def test_scripted_dice_of_the_wrong_number_or_face_fail(faces: tuple[int, ...]) -> None:
    with pytest.raises(DiceError):
        Scripted(("The dice", *faces)).faces(throw(dice=2), 0, nowhere)


def test_given_faces_are_read_as_people_write_them() -> None:
    assert read_faces(["1", "6"], 2) == (1, 6)
    with pytest.raises(DiceError) as refusal:
        read_faces([1, 9], 2)
    assert str(refusal.value) == "a die has no face '9': “1 9”. Use 1 to 6"
    with pytest.raises(DiceError, match=r"roll 2 dice here, not 0: “nothing”\. Use 2 faces"):
        read_faces([], 2)
    with pytest.raises(DiceError, match="a die has no face '²'"):
        read_faces(["²", 1], 2)
