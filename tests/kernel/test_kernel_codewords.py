"""The words of a head: eight of them, each clearly another."""

from __future__ import annotations

import itertools
import re

from flagplot.kernel.codewords import codewords, words_of


def test_each_byte_has_a_word_of_its_own_that_is_easy_to_spell() -> None:
    words = codewords()
    assert len(words) == len(set(words)) == 256
    assert list(words) == sorted(words)
    assert all(re.fullmatch("[a-z]{3,10}", word) for word in words)
    assert len({word[:4] for word in words}) == 256


def test_no_two_words_sound_alike() -> None:
    alike = [pair for pair in itertools.combinations(codewords(), 2) if sound(pair[0]) == sound(pair[1])]
    assert alike == []
    assert [pair for pair in itertools.combinations(codewords(), 2) if one_letter_apart(*pair)] == []
    assert sound("knot") == sound("not")


def test_the_words_stand_for_the_first_eight_bytes() -> None:
    first, last = codewords()[0], codewords()[255]
    assert words_of("00" * 8 + "77" * 24) == " ".join([first] * 8)
    assert words_of("00ff" * 16) == " ".join([first, last] * 4)
    assert words_of("000102030405060708") != words_of("000102030405060808")


def sound(word: str) -> str:
    """Roughly what is heard: the first letter and the consonants."""
    for letters, heard in (
        ("ph", "f"), ("wh", "w"), ("kn", "n"), ("wr", "r"), ("c(?=[eiy])", "s"), ("ck|c|q", "k"), ("z", "s"),
    ):  # fmt: skip
        word = re.sub(letters, heard, word)
    return re.sub(r"(.)\1+", r"\1", word[0] + re.sub("[aeiouyhw]", "", word[1:]))


def one_letter_apart(one: str, other: str) -> bool:
    """Whether a single letter more, less or changed makes one word of the other."""
    if len(one) == len(other):
        return sum(a != b for a, b in zip(one, other, strict=True)) == 1
    short, long = sorted((one, other), key=len)
    return any(long[:place] + long[place + 1 :] == short for place in range(len(long)))
