"""Why bases are not attacked and air units do not fly in an air phase: what is not offered is explained."""

from __future__ import annotations

from random import Random

import pytest

import flagplot
from flagplot.awaw.air_units import described
from flagplot.awaw.operations.bases.targets import enemy_bases
from flagplot.awaw.procedures import announcing, base_strike, ground_combat, interceptions
from flagplot.awaw.why import reasons
from flagplot.kernel.requests import Choose
from tests.games import decisions


@pytest.mark.parametrize("scenario", ["malta", "jets"])
def test_every_base_and_unit_is_offered_or_explained(scenario: str) -> None:
    game, chance, rules = flagplot.load(scenario, seed=4), Random(4), set[str]()
    for asked in decisions(game):
        verb = asked.option(0).text.split(":")[0]
        told = reasons(game.state, asked.side) or []
        state, about = game.state, {one.about for one in told}
        if verb == "counterair":
            offered = {option.text.split(":")[1] for option in asked.options}
            for base in state.of_side(state.other(asked.side)):
                assert (base in offered) != (state.place(base).name in about)
        elif verb == "send" and state.battle.mission:
            kept = {(one.about, one.text.split(": ")[0]) for one in told}
            unit = asked.option(0).text.split(":", 2)[2].rpartition(":")[0]
            for base in state.of_side(asked.side):
                air = {which: number for which, number in state.sites[base].air.items() if not which.inverted}
                if len(air) == len(state.sites[base].air):
                    names = [described([entry]) for entry in air.items() if entry[0].tag == unit]
                    assert not [name for name in names if (state.place(base).name, name) in kept]
        rules |= {one.rule for one in told}
        game.choose(chance.choice(asked.options).text)
    assert {"18.525", "18.42A"} & rules


def test_the_defender_is_told_nothing_of_the_attackers_bases() -> None:
    game = flagplot.load("malta", seed=1)
    attacker = game.pending
    assert isinstance(attacker, Choose)
    assert reasons(game.state, game.state.other(attacker.side)) == []


@pytest.mark.parametrize(("scenario", "seeds"), [("malta-turn", 1), ("pearl-harbor", 2)])
def test_on_the_map_reasons_fit_the_step(scenario: str, seeds: int) -> None:
    """Who cannot intercept is told while interceptions are declared, not while bases are attacked or armies fight."""
    met = dict.fromkeys(("bases", "fights"), 0)
    for seed in range(seeds):
        game, chance = flagplot.load(scenario, seed=seed), Random(seed)
        for asked in decisions(game):
            state, told = game.state, reasons(game.state, asked.side)
            if asked.verb == ("base-attack", "land"):
                offered = {str(value) for value in asked.values}
                about = {one.about for one in told or ()}
                for base in enemy_bases(state, asked.side):
                    assert (base in offered) != (state.place(base).name in about)
                met["bases"] += 1
            elif any([one.under_way(state.frames) for one in (base_strike, ground_combat)]) and not any(
                [one.under_way(state.frames) for one in (announcing, interceptions)]
            ):
                assert not [one for one in told or () if one.rule.startswith("22.1")]
                met["fights"] += 1
            game.choose(chance.choice(asked.options).text)
    assert met["fights"]
    assert met["bases"] or scenario == "pearl-harbor"
