"""Every reading of the rules that can be switched, with each of its alternatives (see docs/rulings.md)."""

from __future__ import annotations

from dataclasses import fields

import pytest

from flagplot.awaw.air_combat import Combat, tie_by_drm, weigh
from flagplot.awaw.air_units import Arm
from flagplot.awaw.losses import suffer
from flagplot.awaw.options import Options
from flagplot.awaw.tables.grids import AirResult
from flagplot.kernel.dice import Scripted
from flagplot.kernel.errors import ScenarioError
from flagplot.kernel.options import describe
from flagplot.register import register
from tests.awaw.duels import duel
from tests.awaw.scenes import air, answer, base, fleet, force, log, run, scene, send_all, short, start

ATTACK = "counterair:aim"


def test_every_option_is_described_and_cites_rules_that_exist() -> None:
    found = describe(Options)
    assert [option.name for option in found] == [field.name for field in fields(Options)]
    for option in found:
        assert len(option.alternatives) >= 2
        assert option.alternatives[0] == option.default
        assert option.about.endswith(".")
        assert option.rules
        assert set(option.rules) <= set(register())


@pytest.mark.rule("18.521B", "19.64")
def test_inverted_air_always_engaged() -> None:
    with Scripted(("Red", 1, 1), ("Blue: air combat over Aim, round 1, row 3", 1, 1)) as dice:
        game = start(
            duel(["1 germany army"], ["2 britain army", "1 britain army inverted"]), dice, inverted_air="always-engaged"
        )
        answer(game, ATTACK)
        assert "Engage inverted air too?" not in log(game)


@pytest.mark.rule("18.521B.1")
def test_transports_always_targeted() -> None:
    """1/1 on one army unit and two transports is shared without a question."""
    with Scripted(("Red", 4, 4), ("Blue", 1, 1)) as dice:
        game = start(
            duel(["1 germany army"], ["1 britain army", "2 britain transport"]), dice, transports_targeted="always"
        )
        answer(game, ATTACK)
        assert air(game, "aim") == {"britain army": 1, "britain transport": 1}


@pytest.mark.rule("23.18.1")
@pytest.mark.parametrize(
    ("reading", "left"), [("by-share", {"up": 1, "down": 1}), ("all-inverted", {"up": 0, "down": 2})]
)
def test_transport_losses(reading: str, left: dict[str, int]) -> None:
    """One of six transport squadrons is shot down: one factor of two is inverted, or both."""
    places = scene(fleet("force", "red", (0, 0), "japan", 1), base("aim", "blue", (0, 2), "2 britain transport"))
    with Scripted(("Red", 3, 3)) as dice:
        game = start(places, dice, transport_losses=reading)
        answer(game, ATTACK, "counterair:none")
        found = air(game, "aim")
        assert {"up": found.get("britain transport", 0), "down": found.get("britain transport inverted", 0)} == left


@pytest.mark.rule("17.56")
@pytest.mark.parametrize(("reading", "jets"), [("dropped", 1), ("rounded-up", 2)])
def test_jet_remainder(reading: str, jets: int) -> None:
    """Four jet squadrons are one factor for the modifier, or two."""
    assert weigh(force("4 germany jet 2 squadrons"), Options(jet_remainder=reading)).jets == jets


@pytest.mark.rule("19.62")
@pytest.mark.parametrize("reading", ["owner", "lower-drm"])
def test_bombing_remnant(reading: str) -> None:
    """Equal numbers of German (2) and Italian (1) air against bombers: the owner says, or the Italians take it."""
    units = force("2 germany army 2", "2 italy army 1")
    by_drm = tie_by_drm(Combat.BOMBING, Options(bombing_remnant=reading))
    answers = [("germany", Arm.ARMY, 2)] if reading == "owner" else []
    done = run(suffer("side", units, list(units), AirResult(1, 0), {}, by_drm=by_drm), *answers)
    assert short(done.eliminated) == {"germany army" if reading == "owner" else "italy army": 1}
    assert tie_by_drm(Combat.COUNTERAIR, Options(bombing_remnant=reading))


@pytest.mark.rule("T19.31A-09")
@pytest.mark.parametrize(("reading", "drm"), [("once", 1), ("each", 0)])
def test_partial_supply_and_oil_together(reading: str, drm: int) -> None:
    places = duel(["1 germany army"], ["1 britain army"], target={"supply": "partial", "oil": True})
    with Scripted(("Red", 1, 1), ("Blue", 1, 1)) as dice:
        game = start(places, dice, supply_and_oil=reading)
        answer(game, ATTACK)
        roll = next(entry for entry in game.log("umpire") if entry.text.startswith("Red: air combat"))
        assert roll.ledger.total == 2 - drm


@pytest.mark.rule("T19.31A-01", "T23.441A")
@pytest.mark.parametrize(("reading", "modifier"), [("19.31A", 0), ("23.441A", 2)])
def test_air_chart_of_chapter_19_or_23(reading: str, modifier: int) -> None:
    """India has 2 on the newer chart and nothing on the older one."""
    with Scripted(("Red", 1, 1), ("Blue", 1, 1)) as dice:
        game = start(duel(["1 germany army"], ["1 india army"]), dice, air_chart=reading)
        answer(game, ATTACK)
        roll = next(entry for entry in game.log("umpire") if entry.text.startswith("Red: air combat"))
        assert roll.ledger.total == modifier


@pytest.mark.rule("19.31A#classic")
def test_classic_india_has_no_army_air() -> None:
    places = duel(["1 germany army"], ["1 india army"])
    assert start(places).pending is not None
    with pytest.raises(ScenarioError, match=r"classic game India has no army air \(rule 19\.31A#classic\)"):
        start(places, classic=True)


@pytest.mark.rule("T19.2-05")
@pytest.mark.parametrize(("reading", "dice"), [("one-roll", 1), ("separate-rolls", 2)])
def test_beyond_the_last_row(reading: str, dice: int) -> None:
    places = duel(["9 germany army", "5 germany jet"], ["1 britain army"], research={"germany": {"jets": 12}})
    places["bases"][0]["cities"] = 3
    scripted = [("Red: air combat over Aim, round 1, row 24", 6, 6)] * dice
    with Scripted(*scripted, ("Blue", 1, 1)) as rolls:
        game = start(places, rolls, beyond_last_row=reading)
        answer(game, ATTACK)
        send_all(game)
        answer(game)
        assert air(game, "aim") == {}
        assert ("row 20" in log(game)) == (reading == "separate-rolls")
