"""Why groups and squadrons are not offered in a naval battle: what is not offered is explained, and nothing secret."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import flagplot
from flagplot.awaw.air_units import described
from flagplot.awaw.battle.air_plan import COVERERS, SEARCHERS, eligible
from flagplot.awaw.battle.screening import group_of, is_always_screened
from flagplot.awaw.battle.why import reasons
from flagplot.awaw.ships import described_ships
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from flagplot.kernel.words import capital

VERBS = ("strike", "seek", "submarines")
"""Questions whose options are enemy groups."""
OWN = ("patrol", "cover", "search", "withdraw", "screen")
"""Questions about one's own squadrons and ships."""


def moments(scenario: str, seed: int, most: int = 400) -> list[Game[Any]]:
    """A battle at random: the moments at which somebody is asked about enemy groups, or about patrol."""
    game, chance, found = flagplot.load(scenario, seed=seed), Random(seed), list[Game[Any]]()
    for _ in range(most):
        asked = game.pending
        if asked is None:
            break
        if not isinstance(asked, Choose):
            game.roll()
            continue
        if asked.option(0).text.split(":")[0] in (*VERBS, *OWN):
            found.append(game.copy())
        options = [one for one in asked.options if not one.text.startswith("withdraw:all")]
        game.choose(chance.choice(options or list(asked.options)).text)
    return found


@pytest.fixture(scope="module", params=[("coral-sea", 3), ("midway", 5)])
def battle(request: pytest.FixtureRequest) -> list[Game[Any]]:
    return moments(*request.param)


def test_every_enemy_group_is_offered_or_explained(battle: list[Game[Any]]) -> None:
    seen = set()
    for game in battle:
        asked = game.pending
        assert isinstance(asked, Choose)
        verb = asked.option(0).text.split(":")[0]
        if verb not in ("strike", "seek"):
            continue
        offered = {option.text.split(":")[-1] for option in asked.options} - {"none"}
        told = reasons(game.state, asked.side) or []
        enemy = game.state.other(asked.side)
        for group in game.state.battle.present(enemy):
            about = [one for one in told if one.about.startswith(f"CG {group.number} (")]
            slow = [one for one in told if one.text.startswith("slow")]
            if str(group.number) in offered:
                assert not about
            elif verb == "strike" and not offered:
                assert about or [one for one in told if one.about == "Air strike"]
            else:  # a slow group is told of itself, and two that are to meet already are on the board
                assert about or (verb == "seek" and (slow or game.state.battle.engagements)), (verb, group.number, told)
        seen.add(verb)
    assert "seek" in seen


def test_reasons_tell_no_secret(battle: list[Game[Any]]) -> None:
    for game in battle[:25]:
        for side in game.sides:
            other = game.ruleset.reshuffle(game.copy().state, side, Random(1))
            assert reasons(game.state, side) == reasons(other, side)


def test_land_based_air_covers_and_searches_or_is_told_why_not() -> None:
    seen = set()
    for game in moments("coral-sea", 3, most=60):
        state, asked = game.state, game.pending
        assert isinstance(asked, Choose)
        verb = asked.option(0).text.split(":")[0]
        if verb not in ("cover", "search"):
            continue
        able = eligible(state, asked.side, COVERERS if verb == "cover" else SEARCHERS)
        told = {(one.about, one.text.split(": ")[0]) for one in reasons(state, asked.side) or ()}
        for base in state.of_side(asked.side):
            place = state.place(base)
            for which, number in state.sites[base].air.items():
                who = described([(which.turned(inverted=False), number)])
                closed = (place.name, who) in told or any([about == place.name for about, text in told if text != who])
                assert place.afloat or closed or which in able, (base, who)
                assert (place.name, who) not in told or which not in able
        seen.add(verb)
    assert seen == {"cover", "search"}


def test_a_group_is_divided_or_told_why_not(battle: list[Game[Any]]) -> None:
    whole = parted = 0
    for game in battle:
        asked = game.pending
        assert isinstance(asked, Choose)
        texts = [option.text for option in asked.options]
        if texts[0].startswith("withdraw:") and texts[0].endswith(":stay"):
            number = int(texts[0].split(":")[1])
            (group,) = [one for one in game.state.battle.present(asked.side) if one.number == number]
            told = [one for one in reasons(game.state, asked.side) or () if one.about == group.name]
            closed = [one for one in told if one.rule in ("22.61B", "22.61D")]
            assert bool(closed) != any([text.endswith(":part") for text in texts])
            whole, parted = whole + bool(closed), parted + (not closed)
    assert whole
    assert parted


def test_ships_that_never_stand_in_the_line_are_named(battle: list[Game[Any]]) -> None:
    for game in battle:
        asked = game.pending
        assert isinstance(asked, Choose)
        if asked.option(0).text.split(":")[0] == "screen" and len(asked.options) > 1:
            told = {one.about for one in reasons(game.state, asked.side) or ()}
            ships = group_of(game.state, asked.side).ships
            kept = [described_ships([(which, n)]) for which, n in ships.items() if is_always_screened(which)]
            assert told == {capital(name) for name in kept}


def test_patrols_and_tired_squadrons_are_explained(battle: list[Game[Any]]) -> None:
    texts = {(one.about, one.rule) for game in battle for side in game.sides for one in reasons(game.state, side) or ()}
    assert {rule for _, rule in texts} >= {"23.33", "22.521D"}
