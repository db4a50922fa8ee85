"""Nobody learns a secret: paired states at random moments of the scenarios that have secrets.

Each scenario is tried at 60 moments, for both sides: 120 pairs of states, 360 in all, less those in which there is no
secret, or something was revealed since the last border. The second state differs in the enemy's secrets alone.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flagplot.testing import Report, set_up
from flagplot.testing.conforming import open_trial
from flagplot.testing.secrecy import secrets_stay_secret

MOMENTS = 60


@pytest.mark.parametrize(("scenario", "longest"), [("rabaul", 40), ("midway", 70), ("coral-sea", 80)])
def test_neither_side_can_tell_paired_states_apart(scenario: str, longest: int, tmp_path: Path) -> None:
    setup, report = set_up(scenario), Report()

    @settings(max_examples=MOMENTS, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(seed=st.integers(0, 10**9), answers=st.integers(0, longest))
    def holds(seed: int, answers: int) -> None:
        trial = open_trial(setup, seed, report, tmp_path)
        while trial.answers < answers and trial.game.pending is not None:
            trial.answer()
        assert list(secrets_stay_secret(trial)) == [], f"{scenario}, seed {seed}, answer {trial.answers}"

    holds()
    assert report.differed > MOMENTS / 2
