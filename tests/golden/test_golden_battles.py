"""Three battles of doctrine players, step by step with both sides' views, as they were when a person last read them."""

from __future__ import annotations

import pytest

from tests.golden.transcripts import BATTLES, path_of, transcript


@pytest.mark.parametrize(("scenario", "seed"), BATTLES.items())
def test_battle_goes_as_it_was_written_down(scenario: str, seed: int) -> None:
    """If this fails, a rule, a text, a view or the doctrine has changed: see the head of `transcripts.py`."""
    expected, told = path_of(scenario).read_text(encoding="utf8").splitlines(), transcript(scenario, seed).splitlines()
    for number, (was, now) in enumerate(zip(expected, told, strict=False), 1):
        assert now == was, f"line {number} of {path_of(scenario).name}"
    assert len(told) == len(expected)
