"""19.1-19.5: the kinds of air combat, strengths, modifiers and the roll."""

from __future__ import annotations

import pytest

from flagplot.awaw.air_combat import (
    Circumstances,
    Combat,
    attackers_engaged,
    defenders_abort,
    modifiers,
    rolls,
    single_round,
    weigh,
)
from flagplot.awaw.air_units import Force
from flagplot.awaw.options import Options
from flagplot.awaw.tables.grids import AirResult, air_combat
from flagplot.kernel.ledger import NOTHING, Ledger, Line
from tests.awaw.scenes import force

OPTIONS = Options()


def total(attackers: Force, defenders: Force, circumstances: Circumstances, options: Options = OPTIONS) -> int:
    """The attacker's modifiers in all; the defender's must be the opposite."""
    ledger = modifiers(weigh(attackers, options), weigh(defenders, options), str, circumstances)
    assert (-ledger).total == -ledger.total
    assert [line.amount for line in (-ledger).lines] == [-line.amount for line in ledger.lines]
    return ledger.total


COUNTERAIR = Circumstances(Combat.COUNTERAIR)


@pytest.mark.rule("19.11", "19.12", "19.12.1")
@pytest.mark.parametrize("combat", list(Combat))
def test_which_combats_are_over_after_one_round(combat: Combat) -> None:
    many = {Combat.COUNTERAIR, Combat.DEFENSIVE_SUPPORT, Combat.COUNTER_INTERCEPTION}
    assert single_round(combat, OPTIONS) == (combat not in many)


@pytest.mark.rule("T19.2-07", "23.416B.2", "SOP-NC-I.G.2.c.ii.b")
@pytest.mark.parametrize("combat", list(Combat))
def test_who_ignores_aborts(combat: Combat) -> None:
    """Patrol and cover over ships, and defenders against bombing."""
    assert defenders_abort(combat) == (combat not in {Combat.AT_SEA, Combat.BOMBING})


@pytest.mark.rule("23.415B.1", "23.415B.2", "SOP-NC-I.G.2.c.ii")
@pytest.mark.parametrize(("attacking", "engaging", "fighting"), [(10, 3, 3), (2, 5, 2), (4, 4, 4), (6, 0, 0)])
def test_as_many_attackers_fight_as_defenders_engage(attacking: int, engaging: int, fighting: int) -> None:
    assert attackers_engaged(attacking, engaging) == fighting


@pytest.mark.rule("17.55", "17.65.2", "23.153")
def test_strength_counts_jets_three_times_and_transports_not() -> None:
    assert weigh(force("2 germany army 2", "2 germany jet 2", "3 germany transport 2"), OPTIONS).strength == 8
    squadrons = force(
        "1 germany army 2 search", "1 germany army 2 cover", "1 germany army 2 attack", "2 germany jet 2 squadrons"
    )
    assert weigh(squadrons, OPTIONS).strength == 9


@pytest.mark.rule("19.31", "19.31A", "T19.2-01")
def test_side_with_the_higher_nationality_adds_the_difference() -> None:
    assert total(force("4 germany army 2"), force("4 italy army 1"), COUNTERAIR) == 1
    assert total(force("4 britain naval 1"), force("4 japan elite-naval 3"), COUNTERAIR) == -2


@pytest.mark.rule("19.31A.1")
def test_a_mixed_force_has_its_lowest_drm() -> None:
    assert total(force("4 germany army 2", "1 italy army 1"), force("4 germany army 2"), COUNTERAIR) == -1


@pytest.mark.rule("19.31A.2", "23.415B.4")
def test_only_units_now_engaged_count_for_the_drm() -> None:
    """Once the Italians are gone, or do not fight, the Germans' own DRM counts."""
    mixed = force("4 germany army 2", "1 italy army 1")
    assert weigh(mixed, OPTIONS).lowest.nation == "italy"
    del mixed[next(which for which in mixed if which.nation == "italy")]
    assert total(mixed, force("4 italy army 1"), COUNTERAIR) == 1


@pytest.mark.rule("17.65.2")
def test_transports_give_no_drm_unless_alone() -> None:
    """They do not fight (our ruling on 17.65)."""
    assert weigh(force("1 germany army 2", "2 italy transport 1"), OPTIONS).lowest.nation == "germany"
    assert weigh(force("2 italy transport 1"), OPTIONS).lowest.nation == "italy"


@pytest.mark.rule("17.56", "19.31B", "T19.2-02")
@pytest.mark.parametrize(
    ("ours", "theirs", "net"),
    [
        ("2 germany jet 2", "1 britain jet 2", 1),
        ("1 germany jet 2", "3 britain jet 2", -2),
        ("3 germany jet 2 squadrons", "1 britain army 2", 1),
        ("5 germany jet 2 squadrons", "1 britain army 2", 1),
        ("2 germany jet 2 squadrons", "1 britain army 2", 0),
    ],
)
def test_jets_give_a_net_modifier(ours: str, theirs: str, net: int) -> None:
    assert total(force(ours), force(theirs), COUNTERAIR) == net


@pytest.mark.rule("17.56", "19.31B")
def test_jet_remainder_by_option_counts_as_three() -> None:
    rounded = Options(jet_remainder="rounded-up")
    assert total(force("2 germany jet 2 squadrons"), force("1 britain army 2"), COUNTERAIR, rounded) == 1
    assert total(force("3 germany jet 2 squadrons"), force("1 britain army 2"), COUNTERAIR, rounded) == 1
    assert total(force("4 germany jet 2 squadrons"), force("1 britain army 2"), COUNTERAIR, rounded) == 2
    assert total(force("1 germany army 2"), force("1 britain army 2"), COUNTERAIR, rounded) == 0


@pytest.mark.rule("19.31C", "23.415D", "SOP-NC-I.G.2.c.ii.a", "T19.2-03")
@pytest.mark.parametrize(
    ("circumstances", "net"),
    [
        (Circumstances(Combat.AT_SEA, cap=True), -1),
        (Circumstances(Combat.AT_SEA, cap=True, cover=True), 0),
        (Circumstances(Combat.AT_SEA, cover=True), 0),
        (Circumstances(Combat.AT_SEA, cap=True, surprise=1), 0),
        (Circumstances(Combat.COUNTERAIR, cap=True), 0),
    ],
)
def test_patrol_alone_over_ships_has_an_edge_unless_surprised(circumstances: Circumstances, net: int) -> None:
    assert total(force("4 japan naval 2"), force("4 united-states naval 2"), circumstances) == net


@pytest.mark.rule("19.31D", "T19.2-04")
def test_defenders_radar_counts_against_bombing_alone() -> None:
    ours, theirs = force("4 united-states bomber 2"), force("4 germany interceptor 3")
    assert total(ours, theirs, Circumstances(Combat.BOMBING, radar=2)) == -3
    assert total(ours, theirs, Circumstances(Combat.COUNTERAIR, radar=2)) == -1


def fight(strength: int, ledger: Ledger, *faces: tuple[int, int], options: Options = OPTIONS) -> AirResult:
    """What a side's dice do."""
    asked = rolls("side", strength, ledger, "a roll", options)
    return sum((roll.reads(fallen) for roll, fallen in zip(asked, faces, strict=True)), AirResult(0, 0))


def ledger(amount: int) -> Ledger:
    return Ledger([Line(amount, "a reason", "19.31")])


@pytest.mark.rule("19.21", "19.42")
@pytest.mark.parametrize(
    ("faces", "modifier", "column"), [((3, 4), 0, 7), ((3, 4), 2, 9), ((1, 1), -3, 2), ((6, 6), 4, 12)]
)
def test_two_dice_with_the_modifier_are_read_in_the_row(faces: tuple[int, int], modifier: int, column: int) -> None:
    for strength in (1, 7, 20):
        assert fight(strength, ledger(modifier), faces) == air_combat(strength, column)


@pytest.mark.rule("17.65.2", "19.21")
def test_a_force_without_strength_does_not_roll() -> None:
    assert rolls("side", 0, NOTHING, "a roll", OPTIONS) == []


@pytest.mark.rule("T19.2-05")
def test_more_than_twenty_read_one_roll_in_several_rows() -> None:
    """23 at a roll of 7: row 20 gives 7/8, row 3 gives 1/2."""
    assert fight(23, NOTHING, (3, 4)) == AirResult(8, 10)


@pytest.mark.rule("T19.2-05")
def test_by_option_each_row_is_rolled_for() -> None:
    apart = Options(beyond_last_row="separate-rolls")
    result = fight(23, NOTHING, (3, 4), (6, 6), options=apart)
    assert result == air_combat(20, 7) + air_combat(3, 12)
    assert fight(21, NOTHING, (3, 4), (6, 6), options=apart) == air_combat(20, 7) + air_combat(1, 12)
    assert fight(20, NOTHING, (3, 4), options=apart) == air_combat(20, 7)
    assert [roll.purpose for roll in rolls("side", 20, NOTHING, "a roll", apart)] == ["a roll"]
