"""The laws of air units have teeth: a state that breaks one is told so."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from flagplot.awaw.conversion import break_down
from flagplot.awaw.state import State
from flagplot.kernel.plain import copy_of
from flagplot.testing import set_up
from flagplot.testing.awaw import CounterairLaws

Spoil = Callable[[State], None]


def opening(scenario: str) -> State:
    state: State = copy_of(set_up(scenario).opening)
    return state


def faults(scenario: str, spoil: Spoil) -> list[str]:
    before = opening(scenario)
    after = copy_of(before)
    spoil(after)
    laws = CounterairLaws(before)
    return [*laws.always(after), *laws.step(before, after)]


def lose_without_account(state: State) -> None:
    which = next(iter(state.sites["rabaul"].air))
    state.sites["rabaul"].air[which] -= 1


def naval_squadron_from_nowhere(state: State) -> None:
    air = state.sites["tf38"].air
    air[next(iter(air))] += 1


def empty_flight(state: State) -> None:
    air = state.sites["tf38"].air
    air[next(iter(air))] = 0


def too_many_aborted(state: State) -> None:
    site = state.sites["tf38"]
    site.aborted = {next(iter(site.air)): 6}


def still_hidden(state: State) -> None:
    state.sites["rabaul"].counteraired = True


def in_an_enemy_base(state: State) -> None:
    state.sites["munda"].air |= state.sites["buin"].air
    state.sites["buin"].air = {}


def base_too_full(state: State) -> None:
    which = next(which for which in state.sites["buin"].air if which.role == "factors")
    state.sites["buin"].air[which] = 4


def never_put_together(state: State) -> None:
    state.sites["rabaul"].air = break_down(state.sites["rabaul"].air)
    state.frames = []


def beyond_the_pool(state: State) -> None:
    state.lost["japan/army/factors"] = 1
    state.frames = []


BROKEN: list[tuple[Spoil, str]] = [
    (lose_without_account, "japan army air in play and lost, in squadrons: 15, then"),
    (naval_squadron_from_nowhere, "united-states naval air in play and lost, in squadrons: 15, then 16"),
    (empty_flight, "an empty flight"),
    (too_many_aborted, "5 units, 6 of them aborted"),
    (still_hidden, "rabaul was attacked, but something is still hidden there"),
    (in_an_enemy_base, "based here, but its home is elsewhere"),
    (base_too_full, "buin has room for 9 squadrons, but holds"),
    (never_put_together, "not put together at the end"),
    (beyond_the_pool, "japan has 6 army air factors; its force pool holds 5"),
]


@pytest.mark.parametrize(("spoil", "words"), BROKEN, ids=[spoil.__name__ for spoil, _ in BROKEN])
def test_a_broken_state_is_told_so(spoil: Spoil, words: str) -> None:
    assert any(words in fault for fault in faults("rabaul", spoil)), faults("rabaul", spoil)


@pytest.mark.parametrize(
    ("site", "patrol", "limit", "words"),
    [
        ("tf16", 3, 2, "3 squadrons of tf16 fly patrol, but 2 may"),
        ("tf16", 3, 3, "3 of 6 squadrons of tf16 may fly patrol"),
        ("tf17", 4, 1, "4 squadrons of tf17 fly patrol, but 3 are there"),
        ("midway", 1, 0, "a patrol over midway, which is not at sea"),
    ],
)
def test_patrols_are_a_third_at_most(site: str, patrol: int, limit: int, words: str) -> None:
    def spoil(state: State) -> None:
        state.sites[site].patrol, state.sites[site].third = patrol, limit

    assert words in faults("midway-morning", spoil)


@pytest.mark.parametrize("scenario", ["jets", "malta", "midway-morning", "rabaul"])
def test_openings_are_lawful(scenario: str) -> None:
    assert faults(scenario, lambda state: None) == []
