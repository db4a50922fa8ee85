"""A side reads of its own groups as a player speaks of them; of the enemy's it reads what everybody reads."""

from __future__ import annotations

import pytest

from flagplot.awaw.own_groups import in_own_words


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("CG 5 (Japan) found: ten or more factors", "Your CG 5 found: ten or more factors"),
        ("No air cover over CG 5 (Japan)", "No air cover over your CG 5"),
        ("Fleet combat: CG 6 (Japan) against CG 4 (Allies)", "Fleet combat: your CG 6 against CG 4 (Allies)"),
        ("Choose a path for TF 1 (Japan) to the Slot", "Choose a path for your TF 1 to the Slot"),
        ("group 12 (Japan) returns", "Your group 12 returns"),
        ("Hiryu (damaged) of CG 4", "Hiryu (damaged) of CG 4"),
    ],
)
def test_the_log_says_your(text: str, read: str) -> None:
    assert in_own_words(text, "Japan") == read
    assert in_own_words(text, "United States") == text
    assert in_own_words(text, "") == text, "a spectator is nobody"


def test_a_question_has_the_names_of_groups_as_they_are_now() -> None:
    names = {5: "the Carrier Group", 1: "Nishimura's Force"}
    assert in_own_words("Withdraw CG 5 (Japan)?", "Japan", names) == "Withdraw the Carrier Group?"
    assert in_own_words("CG 1 (Japan): hold ships back?", "Japan", names) == "Nishimura's Force: hold ships back?"
    assert in_own_words("Withdraw CG 2 (Japan)?", "Japan", names) == "Withdraw your CG 2?"
    assert in_own_words("Withdraw TF 5 (Japan)?", "Japan", names) == "Withdraw your TF 5?"
