"""Steps 2 and 3: who attacks, with how many dice, and what the dice show."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.kernel.requests import Roll
from flagplot.line_of_battle.attacks import Volley, dice_ledger, read_dice, ways
from tests.line_of_battle.battles import answer, box, by_day, by_night, fight, log, offered, seen, start
from tests.line_of_battle.boards import board, lba, ship

CARRIER, GUNS = ship("hiryu", "A5 D5/3"), ship("leander", "G3 T2 D5/3")
AIR = lba("bettys", "A4 D5/3")


def dice(attacker: dict[str, Any], target: dict[str, Any], when: str = "day", **options: Any) -> dict[str, int]:
    """The dice of each way in which the attacker can attack the target."""
    game = start(board([attacker], [target]), **options)
    state = game.state
    state.action = when
    return {
        "+".join(weapons): dice_ledger(state, attacker["id"], weapons, target["id"]).total
        for weapons in ways(state, attacker["id"])
    }


# --- how many dice ------------------------------------------------------------------------------------------------


@pytest.mark.rule("LOB-15", "LOB-16")
@pytest.mark.parametrize(("factor", "at_ship", "at_lba"), [(5, 5, 1), (2, 2, 0), (6, 6, 2), (3, 3, 1), (8, 8, 2)])
def test_a_carrier_rolls_all_its_dice_at_a_ship_and_a_third_at_an_lba(factor: int, at_ship: int, at_lba: int) -> None:
    carrier = ship("hiryu", f"A{factor} D5/3")
    assert dice(carrier, ship("hornet", "A1 D5/3")) == {"airstrike": at_ship}
    assert dice(carrier, AIR) == ({"airstrike": at_lba} if at_lba else {})


@pytest.mark.rule("LOB-14")
def test_an_lba_rolls_all_its_dice_at_anything() -> None:
    assert dice(AIR, ship("hornet", "A1 D5/3")) == {"airstrike": 4}
    assert dice(AIR, lba("marauders", "A1 D3")) == {"airstrike": 4}


@pytest.mark.rule("LOB-13", "LOB-17")
def test_what_attacks_by_day_and_by_night() -> None:
    everything = ship("tone", "G3 T2 A4 D5")
    target = ship("hornet", "G1 D5")
    assert dice(everything, target, "day") == {"airstrike+torpedo": 6}
    assert dice(everything, target, "night") == {"gunnery": 3, "torpedo": 2}
    assert dice(ship("warspite", "G5 D8"), target, "day") == {}


@pytest.mark.rule("LOB-17")
def test_by_night_aircraft_do_nothing() -> None:
    assert dice(CARRIER, GUNS, "night") == {}
    assert dice(AIR, GUNS, "night") == {}
    game = fight(
        board([CARRIER, AIR], [GUNS]), [("Leander attacks Hiryu", 1, 1, 1)], *by_night("weapons:leander:gunnery")
    )
    assert "Red: no unit can attack" in log(game)


@pytest.mark.rule("LOB-15", "LOB-16", "LOB-14")
def test_the_ledger_of_an_attack_cites_the_rule_of_its_dice() -> None:
    game = start(board([CARRIER, AIR], [GUNS, lba("marauders", "A1 D3")]))
    game.state.action = "day"
    cited = {
        (key, target): [line.rule for line in dice_ledger(game.state, key, ("airstrike",), target)]
        for key in ("hiryu", "bettys")
        for target in ("leander", "marauders")
    }
    assert cited == {
        ("hiryu", "leander"): ["LOB-15"],
        ("hiryu", "marauders"): ["LOB-16"],
        ("bettys", "leander"): ["LOB-14"],
        ("bettys", "marauders"): ["LOB-14"],
    }


def test_a_unit_that_would_roll_no_dice_is_not_asked() -> None:
    """A carrier of two factors against LBAs alone."""
    game = fight(board([ship("hosho", "A2 D3")], [AIR]), [("Bettys attacks Hosho", 1, 1, 1, 1)], *by_day())
    assert "Red: no unit can attack" in log(game)


# --- what the dice show -------------------------------------------------------------------------------------------


@pytest.mark.rule("LOB-18", "LOB-21")
def test_symbols_are_counted() -> None:
    assert read_dice(frozenset({5}), frozenset({6}), 0, (5, 6, 2)) == Volley(1, 1)
    assert read_dice(frozenset({5}), frozenset({6}), 0, (1, 2, 3, 4)) == Volley(0, 0)
    assert str(Volley(0, 0)) == "nothing"
    assert str(Volley(2, 1)) == "2 disabled, 1 hit"


def test_a_hit_goes_before_a_disabled_on_the_same_face() -> None:
    assert read_dice(frozenset({4, 5}), frozenset({5, 6}), 0, (4, 5, 6)) == Volley(1, 2)


@pytest.mark.rule("LOB-21")
def test_each_hit_is_rolled_again() -> None:
    game = fight(
        board([CARRIER], [ship("hornet", "D9/8")]),
        [("Hiryu attacks Hornet", 6, 6, 5, 1, 2), ("damage to Hornet", 3, 4)],
        *by_day(),
    )
    assert "3 4 → 7" in log(game)
    assert box(game, "hornet") == "delay"


def test_sixteen_dice_list_their_outcomes() -> None:
    game = start(board([ship("tone", "T8 A8 D5")], [ship("hornet", "D9")]))
    answer_day = by_day()
    game.choose(answer_day[0])
    game.choose(answer_day[1])
    assert isinstance(game.pending, Roll)
    assert game.pending.dice == 16
    outcomes = game.pending.outcomes()
    assert sum(outcomes.values()) == 6**16
    assert outcomes[Volley(0, 16)] == 1
    assert outcomes[Volley(0, 0)] == 4**16
    assert outcomes[Volley(16, 0)] == 1


# --- order --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LOB-02", "LOB-03")
def test_the_phasing_faction_first_and_those_who_were_hit_still_fire() -> None:
    """Red sinks and disables everybody, and everybody answers: the results wait."""
    game = fight(
        board([ship("tone", "G1 D1"), ship("chikuma", "G1 D5")], [ship("ajax", "G1 D2"), ship("achilles", "G1 D5")]),
        [
            ("Tone attacks Ajax", 6),
            ("damage", 5),
            ("Chikuma attacks Achilles", 5),
            ("Ajax attacks Tone", 6),
            ("damage", 1),
            ("Achilles attacks Chikuma", 5),
        ],
        *by_night("targets:tone:ajax", "targets:chikuma:achilles", "targets:ajax:tone", "targets:achilles:chikuma"),
    )
    assert [box(game, key) for key in ("tone", "chikuma", "ajax", "achilles")] == [
        "out-of-play",
        "delay",
        "out-of-play",
        "delay",
    ]


@pytest.mark.rule("LOB-02")
def test_all_targets_are_named_before_any_die() -> None:
    game = start(board([ship("tone", "G1 D3"), ship("chikuma", "G1 D3")], [GUNS, ship("ajax", "D3")]))
    answer(game, *by_night("targets:tone:leander"))
    assert offered(game) == ["targets:chikuma:leander", "targets:chikuma:ajax"]
    assert seen(game, "tone")["target"] == "leander"
    assert not [entry for entry in game.log("umpire") if entry.kind == "roll"]
    game.choose("targets:chikuma:leander")
    assert isinstance(game.pending, Roll)
    assert "Tone attacks Leander" in str(game.pending)


@pytest.mark.rule("LOB-24")
def test_only_units_in_the_line_attack_and_are_attacked() -> None:
    """What was disabled in the first round is neither asked nor offered in the second."""
    game = fight(
        board([ship("tone", "G1 D3"), ship("chikuma", "G1 D3")], [ship("ajax", "G1 D3"), ship("achilles", "G1 D3")]),
        [
            ("Tone attacks Ajax", 5),
            ("Chikuma attacks Ajax", 1),
            ("Ajax attacks Tone", 5),
            ("Achilles attacks Tone", 1),
            ("Chikuma attacks Achilles", 1),
            ("Achilles attacks Chikuma", 1),
        ],
        *by_night("targets:tone:ajax", "targets:chikuma:ajax", "targets:ajax:tone", "targets:achilles:tone"),
        *("retreat:stay", "retreat:stay"),
        *by_night(),
    )
    assert game.result is not None


# --- options ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LOB-18")
@pytest.mark.parametrize(
    ("reading", "faces"), [("5", {5}), ("3", {3}), ("4-5", {4, 5})], ids=["default", "three", "four or five"]
)
def test_option_disabled_faces(reading: str, faces: set[int]) -> None:
    for face in range(1, 7):
        game = start(board([ship("tone", "G1 D3")], [ship("ajax", "D3")]), disabled_faces=reading)
        game.choose("select:night")
        game.choose("select:night")
        game.roll([face])
        assert (seen(game, "ajax")["box"] == "delay") == (face in faces)


@pytest.mark.rule("LOB-21")
@pytest.mark.parametrize(("reading", "faces"), [("6", {6}), ("5-6", {5, 6})])
def test_option_hit_faces(reading: str, faces: set[int]) -> None:
    for face in range(1, 7):
        game = start(board([ship("tone", "G1 D3")], [ship("ajax", "D9/8")]), hit_faces=reading)
        game.choose("select:night")
        game.choose("select:night")
        game.roll([face])
        assert isinstance(game.pending, Roll) == (face in faces)


@pytest.mark.rule("LOB-21")
def test_option_damage_roll() -> None:
    scenario = board([ship("tone", "G2 D3")], [ship("ajax", "D9/8")])
    fight(scenario, [("Tone attacks", 6, 6), ("damage", 1, 1)], *by_night())
    fight(scenario, [("Tone attacks", 6, 6), ("damage", 1)], *by_night(), damage_roll="each-attack")


@pytest.mark.rule("LOB-02")
def test_option_targets_named() -> None:
    """One by one: the first attack is rolled before the second target is named."""
    scenario = board([ship("tone", "G1 D3"), ship("chikuma", "G1 D3")], [ship("leander", "D5/3"), ship("ajax", "D3")])
    game = fight(
        scenario,
        [("Tone attacks Leander", 1)],
        *by_night("targets:tone:leander"),
        targets_named="one-by-one",
    )
    assert offered(game) == ["targets:chikuma:leander", "targets:chikuma:ajax"]


@pytest.mark.parametrize(("spread", "second"), [(False, ["leander", "ajax"]), (True, ["ajax"])])
def test_option_spread_fire(spread: bool, second: list[str]) -> None:
    red = [ship("tone", "G1 D3"), ship("chikuma", "G1 D3"), ship("kumano", "G1 D3")]
    game = start(board(red, [ship("leander", "D5/3"), ship("ajax", "D3")]), spread_fire=spread)
    answer(game, *by_night("targets:tone:leander"))
    if second == ["ajax"]:  # the only one left, so it is not asked; then anybody may be doubled
        assert seen(game, "chikuma")["target"] == "ajax"
        assert offered(game) == ["targets:kumano:leander", "targets:kumano:ajax"]
    else:
        assert offered(game) == [f"targets:chikuma:{key}" for key in second]


@pytest.mark.rule("LOB-14", "LOB-15")
def test_option_lba_targets() -> None:
    """Guns and torpedoes cannot reach aircraft, unless that is allowed."""
    assert dice(ship("tone", "G3 T2 D5"), AIR, "night") == {}
    assert dice(ship("tone", "G3 T2 D5"), AIR, "night", lba_targets="any-factor") == {"gunnery": 3, "torpedo": 2}
    assert dice(ship("tone", "T2 A3 D5"), AIR, "day") == {"airstrike+torpedo": 1}
    assert dice(ship("tone", "T2 A3 D5"), AIR, "day", lba_targets="any-factor") == {"airstrike+torpedo": 3}


@pytest.mark.rule("LOB-14")
def test_option_lba_against_lba() -> None:
    other = lba("marauders", "A1 D3")
    assert dice(AIR, other) == {"airstrike": 4}
    assert dice(AIR, other, lba_against_lba="one-for-three") == {"airstrike": 1}
    assert dice(AIR, GUNS, lba_against_lba="one-for-three") == {"airstrike": 4}


@pytest.mark.rule("LOB-13", "LOB-17")
@pytest.mark.parametrize(
    ("reading", "day", "night"),
    [
        ("day-both-night-one", {"airstrike+torpedo": 6}, {"gunnery": 3, "torpedo": 2}),
        ("one", {"airstrike": 4, "torpedo": 2}, {"gunnery": 3, "torpedo": 2}),
        ("both", {"airstrike+torpedo": 6}, {"gunnery+torpedo": 5}),
    ],
)
def test_option_factors_used(reading: str, day: dict[str, int], night: dict[str, int]) -> None:
    tone = ship("tone", "G3 T2 A4 D5")
    assert dice(tone, GUNS, "day", factors_used=reading) == day
    assert dice(tone, GUNS, "night", factors_used=reading) == night


def test_a_ship_chooses_guns_or_torpedoes_by_night() -> None:
    game = start(board([ship("tone", "G3 T2 D5")], [GUNS]))
    answer(game, *by_night())
    assert offered(game) == ["weapons:tone:gunnery", "weapons:tone:torpedo"]
    game.choose("weapons:tone:torpedo")
    assert isinstance(game.pending, Roll)
    assert game.pending.dice == 2


@pytest.mark.rule("LOB-17")
def test_option_gun_dice() -> None:
    assert dice(ship("tone", "G3 T2 D5"), GUNS, "night", gun_dice="each-ship") == {"gunnery": 1, "torpedo": 1}
    assert dice(ship("tone", "T2 A4 D5"), GUNS, "day", gun_dice="each-ship") == {"airstrike+torpedo": 5}


@pytest.mark.rule("LOB-21")
def test_option_attack_bonus() -> None:
    """+1 to each die: a 4 disables and a 5 hits; a 6 stays a 6. Only units that are marked, and only if switched on."""
    scenario = board([ship("tone", "G3 D5", bonus=True)], [ship("ajax", "D9/8")])
    fight(scenario, [("Tone attacks", 4, 5, 6), ("damage", 1)], *by_night())
    game = fight(scenario, [("Tone attacks", 4, 5, 6), ("damage", 1, 1)], *by_night(), attack_bonus="plus-one")
    assert "4 5 6 → 1 disabled, 2 hits" in log(game)
    plain = board([ship("tone", "G3 D5")], [ship("ajax", "D9/8")])
    fight(plain, [("Tone attacks", 4, 5, 6), ("damage", 1)], *by_night(), attack_bonus="plus-one")


@pytest.mark.rule("LOB-18")
def test_option_disabled_and_hit() -> None:
    """A disabled and a hit of one attack: both, or the hit alone; another attack still disables."""
    scenario = board([ship("tone", "G2 D5"), ship("chikuma", "G1 D5")], [ship("ajax", "D9/8")])
    both = fight(scenario, [("Tone attacks", 5, 6), ("damage", 1), ("Chikuma", 1)], *by_night())
    assert box(both, "ajax") == "delay"
    rolls: list[tuple[str | int, ...]] = [("Tone attacks", 5, 6), ("damage", 1)]
    hit = fight(scenario, [*rolls, ("Chikuma", 1)], *by_night(), disabled_and_hit="hit-only")
    assert box(hit, "ajax") == "line-of-battle"
    other = fight(scenario, [*rolls, ("Chikuma", 5)], *by_night(), disabled_and_hit="hit-only")
    assert box(other, "ajax") == "delay"


@pytest.mark.rule("LOB-03", "LOB-18")
@pytest.mark.parametrize("named", ["before-dice", "one-by-one"])
def test_option_disabled_ships(named: str) -> None:
    """The Ajax is disabled before its turn comes: it attacks all the same, or is silent; the Leander attacks."""
    scenario = board([ship("tone", "G1 D9")], [ship("ajax", "G1 D3"), ship("leander", "G1 D3")])
    rolls: list[tuple[str | int, ...]] = [("Tone attacks Ajax", 5), ("Ajax attacks", 1), ("Leander attacks", 1)]
    answers = by_night("targets:tone:ajax")
    still = fight(scenario, rolls, *answers, targets_named=named)
    assert box(still, "ajax") == "delay"
    silent = fight(scenario, [rolls[0], rolls[2]], *answers, targets_named=named, disabled_ships="silenced")
    assert box(silent, "ajax") == "delay"


def test_silenced_are_only_those_that_have_yet_to_attack_and_only_by_a_disabled_result() -> None:
    """The phasing faction has attacked by then, and a ship that will sink attacks."""
    scenario = board([ship("tone", "G1 D9")], [ship("ajax", "G1 D3")])
    rolls: list[tuple[str | int, ...]] = [("Tone attacks", 6), ("damage", 6), ("Ajax attacks", 5)]
    game = fight(scenario, rolls, *by_night(), disabled_ships="silenced")
    assert (box(game, "tone"), box(game, "ajax")) == ("delay", "out-of-play")
