"""Beliefs are honest: what is drawn for the enemy is true about as often as it says. The bench does it at length."""

from __future__ import annotations

from bench.calibration import guesses


def test_what_is_believed_is_about_as_often_true() -> None:
    found = [guess for seed in range(12) for guess in guesses("first-battle", seed, draws=16)]
    ships = [one for one in found if one.what != "patrol"]
    assert len(ships) > 20
    thought, true = sum([one.chance for one in ships]), sum([one.true for one in ships])
    assert abs(thought - true) < 0.15 * len(ships)
    surprises = [one for one in found if one.true and not one.chance]
    assert len(surprises) < 0.1 * len(found)
