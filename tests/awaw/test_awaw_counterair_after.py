"""18.523-18.526, 23.14: flight and return after a counterair, and squadrons."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from flagplot.awaw.air_units import Arm, Role
from flagplot.awaw.conversion import break_down
from flagplot.awaw.counterair import abandon, break_down_site, end_of_turn, invert_aborted, put_together
from flagplot.awaw.dividing import next_errand, stand_apart
from flagplot.awaw.operations.bases.targets import open_to_land_air
from flagplot.awaw.state.air import Site
from flagplot.kernel.requests import Choose
from tests.awaw.duels import ATTACK, KILL_ONE, NO_EFFECT, attack, duel, rolls, stay
from tests.awaw.scenes import CARRIERS, air, answer, asked, base, fleet, force, log, run, scene, short, start, units

# --- flight and return ------------------------------------------------------------------------------------------


def in_range_of_carriers() -> dict[str, Any]:
    return scene(
        fleet("force", "red", (0, 0), "japan", 2),
        base("aim", "blue", (0, 2), "1 britain naval"),
        base("haven", "blue", (0, 5)),
    )


@pytest.mark.rule("23.46A", "23.461A", "23.461B")
def test_defenders_may_leave_after_the_one_round_that_carriers_fight() -> None:
    with rolls(NO_EFFECT, NO_EFFECT) as dice:
        game = start(in_range_of_carriers(), dice)
        attack(game)
        assert asked(game) == ["defender:stay", "defender:leave"]
        answer(game, "defender:leave")
        assert (air(game, "aim"), air(game, "haven")) == ({}, {"britain naval inverted": 1})
        assert asked(game) == ["counterair:aim", "counterair:none"]
        assert air(game, "force") == {"japan naval": 2}


@pytest.mark.rule("23.46A", "18.522A")
@pytest.mark.parametrize(("reading", "leaves"), [("after-any-round", True), ("if-attackers-survive", False)])
def test_defenders_may_leave_though_no_attacker_is_left(reading: str, leaves: bool) -> None:
    places = duel(["1 germany army"], ["1 britain army"])
    places["bases"].append(base("reserve", "red", (1, 0), "3 germany army"))
    with rolls(NO_EFFECT, KILL_ONE) as dice:
        game = start(places, dice, defenders_leave=reading)
        answer(game, ATTACK, "send:aim:field:germany:army:factors:1", "send:aim:reserve:germany:army:factors:0")
        assert (game.pending is not None) == leaves
        answer(game, *["defender:leave"] * leaves)
        assert air(game, "haven") == ({"britain army inverted": 1} if leaves else {})
        assert game.state.battle.mission is None


@pytest.mark.rule("18.523", "18.21")
def test_refuges_must_be_within_staging_range() -> None:
    """Twice four hexes for army air: a haven at eight will do, one at nine will not."""
    for far, options in ((8, ["defender:stay", "defender:leave"]), (9, ["attacker:press-on", "attacker:break-off"])):
        places = scene(
            base("field", "red", (0, 0), "1 germany army"),
            base("aim", "blue", (0, 2), "1 britain army"),
            base("haven", "blue", (0, 2 + far)),
        )
        with rolls(NO_EFFECT, NO_EFFECT) as dice:
            game = start(places, dice)
            attack(game)
            assert asked(game) == options


@pytest.mark.rule("18.523.1")
def test_a_base_counteraired_in_the_same_phase_is_no_refuge() -> None:
    places = duel(["2 germany army"], ["1 britain army"])
    places["bases"][2]["at"] = [1, 2]
    with rolls(NO_EFFECT, NO_EFFECT) as dice:
        game = start(places, dice)
        answer(game, "counterair:haven", "send:haven:field:germany:army:factors:1")
        attack(game)
        assert asked(game) == ["attacker:press-on", "attacker:break-off"]


@pytest.mark.rule("18.523.2", "18.523")
def test_all_defenders_leave_or_none() -> None:
    """The haven has room for one factor: two defenders cannot leave, one can."""
    for defenders, may in (("2 britain army", False), ("1 britain army", True)):
        haven = base("haven", "blue", (0, 5), "4 britain army", cities=1)
        places = scene(base("field", "red", (0, 0), "1 germany army"), base("aim", "blue", (0, 2), defenders), haven)
        with rolls(NO_EFFECT, NO_EFFECT) as dice:
            game = start(places, dice)
            attack(game)
            assert ("defender:leave" in asked(game)) == may


@pytest.mark.rule("18.523", "17.3126B")
def test_carrier_air_in_port_flees_with_the_rest_and_boxes_have_room_for_all() -> None:
    aim = base("aim", "blue", (0, 2), "1 britain army", ports=1, task_force=CARRIERS)
    places = scene(base("field", "red", (0, 0), "1 germany army"), aim, base("box", "blue", (0, 4), box=True))
    with rolls(NO_EFFECT, NO_EFFECT) as dice:
        game = start(places, dice)
        attack(game, "first:search", "defender:leave")
        assert air(game, "aim") == {}
        assert air(game, "box") == {"britain army inverted": 1, "britain naval inverted": 2}


@pytest.mark.rule("18.523", "18.13")
def test_defender_divides_his_air_among_refuges_and_an_island_takes_one_naval_squadron_more() -> None:
    aim = base("aim", "blue", (0, 2), "2 britain naval")
    isle = base("isle", "blue", (0, 4), "5 britain army", airbases=1, island=True)
    with rolls((1, 1), (1, 1)) as dice:
        game = start(
            scene(base("field", "red", (0, 0), "1 japan naval"), aim, isle, base("haven", "blue", (1, 4))), dice
        )
        attack(game, "defender:leave")
        assert asked(game) == ["flee:isle:britain:naval:squadrons:0", "flee:isle:britain:naval:squadrons:1"]
        answer(game, "flee:isle:britain:naval:squadrons:1")
        assert (air(game, "isle")["britain naval inverted"], air(game, "haven")["britain naval inverted"]) == (1, 1)


@pytest.mark.rule("18.523", "23.461A")
def test_those_who_flee_are_asked_factors_first_and_never_more_than_a_shelter_holds() -> None:
    """Near has room for two factors and Next for one; a box takes the rest."""
    places = scene(
        base("field", "red", (0, 0), "1 germany army"),
        base("aim", "blue", (0, 2), "3 britain army", "2 britain naval"),
        base("near", "blue", (0, 6), "3 britain army", cities=1),
        base("next", "blue", (1, 6), "4 britain army", cities=1),
        base("box", "blue", (2, 6), box=True),
    )
    game = start(places)
    script, offered, reply = abandon(game.state, "aim"), [], None
    with contextlib.suppress(StopIteration):
        while True:
            request = script.send(reply)
            if isinstance(request, Choose):
                offered.append((request.verb[1], request.verb[3], list(request.values)))
                reply = 1 if 1 in request.values else request.values[0]
    assert offered == [
        ("near", Arm.ARMY, [0, 1, 2]),
        ("next", Arm.ARMY, [0, 1]),
        ("box", Arm.ARMY, [1]),
        ("near", Arm.NAVAL, [0, 1, 2]),
        ("next", Arm.NAVAL, [0]),
        ("box", Arm.NAVAL, [1]),
    ]


@pytest.mark.rule("18.523", "23.461B", "23.18.1")
def test_transports_that_fled_as_squadrons_are_put_together_where_they_are() -> None:
    with rolls(NO_EFFECT, NO_EFFECT) as dice:
        game = start(duel(["1 japan naval"], ["1 britain army", "1 britain transport"]), dice)
        attack(game, "transports:leave", "defender:leave")
        assert air(game, "haven") == {"britain army inverted": 1, "britain transport inverted": 1}


@pytest.mark.rule("23.18", "23.144", "18.523.3")
@pytest.mark.parametrize("broken", [False, True])
def test_transports_that_fled_to_others_that_are_broken_down_do_not_invert_these(broken: bool) -> None:
    """Two factors are in the refuge, in squadrons since they were in reach of a naval battle, or whole."""
    haven = {"air": units("2 britain transport")}
    state = start(duel(["1 japan naval"], ["1 britain transport"], haven=haven)).state
    for site in [state.sites["aim"], *[state.sites["haven"]] * broken]:
        break_down_site(state, site)
    run(abandon(state, "aim"))
    run(put_together(state, state.sites["haven"]))
    assert short(state.sites["haven"].air) == {"britain transport": 2, "britain transport inverted": 1}


@pytest.mark.rule("18.526A", "18.43")
def test_of_the_aborted_only_those_who_are_left_are_inverted() -> None:
    """They may have been lost in a later round of a naval battle."""
    (here,), (gone,) = force("1 britain naval 2"), force("1 britain army 2")
    site = Site(air={here: 3}, aborted={here: 2, gone: 1})
    invert_aborted(site)
    assert (short(site.air), site.aborted) == ({"britain naval": 1, "britain naval inverted": 2}, {})


@pytest.mark.rule("18.524B")
def test_carrier_air_that_was_aborted_over_a_base_may_fly_the_next_sortie() -> None:
    with rolls(NO_EFFECT, (2, 3)) as dice:
        game = start(
            scene(fleet("force", "red", (0, 0), "japan", 2), base("aim", "blue", (0, 2), "1 britain naval")), dice
        )
        attack(game)
        assert "Red: 1 air unit aborted" in log(game)
        answer(game, ATTACK)
        assert asked(game) == [f"send:aim:force:japan:naval:squadrons:{number}" for number in (1, 2)]


@pytest.mark.rule("18.526A", "18.526C", "18.43")
def test_last_rolls_aborts_invert_defenders_who_stayed() -> None:
    """0/1 aborts one of two. If that is the last roll he is inverted; a later roll without effect frees him."""
    abort_one = (2, 2)
    with rolls(abort_one, NO_EFFECT) as dice:
        game = start(duel(["1 germany army"], ["2 britain army"]), dice)
        attack(game, "defender:stay", "attacker:break-off")
        assert air(game, "aim") == {"britain army": 1, "britain army inverted": 1}
    with rolls(abort_one, NO_EFFECT, NO_EFFECT, NO_EFFECT) as dice:
        game = start(duel(["1 germany army"], ["2 britain army"]), dice)
        attack(game, "defender:stay", "attacker:press-on", "defender:stay", "attacker:break-off")
        assert air(game, "aim") == {"britain army": 2}


@pytest.mark.rule("18.524A", "18.42A")
def test_land_based_attackers_return_inverted_and_are_out_for_the_turn() -> None:
    with rolls(NO_EFFECT, NO_EFFECT, NO_EFFECT, NO_EFFECT) as dice:
        game = start(duel(["2 germany army"], ["1 britain army"], phases=["movement", "combat"]), dice)
        answer(game, ATTACK, "send:aim:field:germany:army:factors:1", "defender:stay", "attacker:break-off")
        assert air(game, "field") == {"germany army": 1, "germany army inverted": 1}
        answer(game, ATTACK)
        assert game.state.battle.mission is not None
        assert sum(game.state.battle.mission.attackers.values()) == 1


@pytest.mark.rule("18.525", "18.511A", "18.512A")
def test_a_base_may_be_counteraired_in_both_phases_by_other_units() -> None:
    with rolls(NO_EFFECT, NO_EFFECT, NO_EFFECT, NO_EFFECT) as dice:
        game = start(duel(["2 germany army"], ["1 britain army"], phases=["movement", "combat"]), dice)
        answer(game, ATTACK, "send:aim:field:germany:army:factors:1", "defender:stay", "attacker:break-off")
        assert asked(game) == [ATTACK, "counterair:none"]
        attack(game, "defender:stay", "attacker:break-off")
        assert game.pending is None


@pytest.mark.rule("18.525", "18.512A")
@pytest.mark.parametrize("phases", [["movement"], ["movement", "combat"]])
def test_carriers_are_asked_once_a_phase_whether_they_are_done(phases: list[str]) -> None:
    game = start(scene(fleet("force", "red", (0, 0), "japan", 2), base("aim", "blue", (0, 2)), phases=phases))
    answer(game, *["counterair:none"] * len(phases))
    assert game.pending is None


# --- squadrons --------------------------------------------------------------------------------------------------


@pytest.mark.rule("23.152A", "23.152D", "23.131A", "19.51")
def test_army_air_against_naval_air_fights_as_squadrons_and_is_put_together_afterwards() -> None:
    """Two factors are six squadrons, against two naval ones; row 2 at a 12 (2/2) kills two: four make one factor."""
    with rolls(NO_EFFECT, (6, 6)) as dice:
        game = start(duel(["2 italy army"], ["2 britain naval"]), dice)
        attack(game, "first:search", "first:cover", "defender:stay", "attacker:break-off")
        assert "Red: air combat over Aim, round 1, row 6" in log(game)
        assert air(game, "field") == {"italy army inverted": 1}


@pytest.mark.rule("23.152D")
def test_attackers_are_put_together_at_the_end_of_each_phase() -> None:
    with rolls(NO_EFFECT, NO_EFFECT) as dice:
        places = duel(["1 italy army", "1 germany army"], ["1 britain naval"], phases=["movement", "combat"])
        game = start(places, dice)
        answer(game, ATTACK, "send:aim:field:germany:army:factors:0")
        assert game.state.battle.phase == 1
        assert air(game, "field") == {"germany army": 1, "italy army inverted": 1}


@pytest.mark.rule("23.152C")
def test_squadrons_kept_for_another_base_do_not_reinforce() -> None:
    quiet = (1, 1)
    with rolls(quiet, quiet, quiet, quiet) as dice:
        game = start(two_islands(), dice)
        answer(game, ATTACK, "divide:field:italy:army:factors:1", "defender:stay", "attacker:press-on")
        assert "Red: air combat over Aim, round 2, row 2" in log(game)


def carriers_and_field(squadrons: int) -> dict[str, Any]:
    """Japanese carriers and an army factor, each in range of a British one; two phases."""
    return scene(
        fleet("force", "red", (0, 0), "japan", squadrons),
        base("field", "red", (1, 0), "1 japan army"),
        base("aim", "blue", (0, 2), "1 britain army"),
        phases=["movement", "combat"],
    )


@pytest.mark.rule("23.141A.2")
def test_squadrons_left_in_a_base_are_put_together_before_army_air_alone_attacks_it() -> None:
    """Carriers break the defending factor down and kill one squadron; army air then meets one factor, not squadrons."""
    with rolls(KILL_ONE, NO_EFFECT, NO_EFFECT, NO_EFFECT) as dice:
        game = start(carriers_and_field(1), dice)
        answer(game, ATTACK, "with:carriers", "first:search")
        assert air(game, "aim") == {"britain army cover": 1, "britain army attack": 1}
        answer(game, ATTACK)
        assert "Blue: air combat over Aim, round 1, row 1" in log(game)
        assert air(game, "aim") == {"britain army inverted": 1}


@pytest.mark.rule("23.142A", "23.141A.2")
def test_a_lone_squadron_makes_no_factor_and_there_is_no_combat() -> None:
    with rolls((4, 4), NO_EFFECT) as dice:
        game = start(carriers_and_field(5), dice)
        answer(game, ATTACK, "with:carriers", "send:aim:force:japan:naval:squadrons:5", "first:search", "first:cover")
        assert air(game, "aim") == {"britain army attack inverted": 1}
        answer(game, "counterair:none")
        answer(game, ATTACK, "with:land")
        assert "Aim: 1 British army air attack squadron left over and eliminated" in log(game)
        assert "No air units in" in log(game)


@pytest.mark.rule("23.142C", "23.142B")
def test_more_factors_than_the_force_pool_leave_the_board_at_the_end() -> None:
    """Two Japanese factors in two bases lose two squadrons each to naval air and one more of a third: the owner
    removes what the pool does not hold."""
    places = scene(
        fleet("force", "red", (0, 0), "japan", 9),
        *[base(name, "blue", (0, far), "1 britain army") for name, far in (("one", 1), ("two", 2), ("three", 3))],
    )
    with rolls(*[pair for _ in range(3) for pair in (KILL_ONE, (1, 1))]) as dice:
        game = start(places, dice)
        for name in ("one", "two", "three"):
            answer(game, f"counterair:{name}", f"send:{name}:force:japan:naval:squadrons:1", "first:search")
            stay(game)
        answer(game, "counterair:none")
        assert asked(game) == ["remove:one", "remove:two", "remove:three"]
        answer(game, "remove:two")
        assert (air(game, "one"), air(game, "two")) == ({"britain army inverted": 1}, {})
        assert game.pending is None


@pytest.mark.rule("23.141B", "23.142B", "23.142C")
def test_two_lost_squadrons_count_as_an_unbuilt_factor() -> None:
    """Two factors lose a squadron each; the two that are left in either base would make two factors again, and the two
    that were lost make a third."""
    places = scene(
        fleet("force", "red", (0, 0), "japan", 9),
        *[base(name, "blue", (0, far), "1 britain army") for name, far in (("one", 1), ("two", 2))],
    )
    with rolls(*[pair for _ in range(2) for pair in (KILL_ONE, (1, 1))]) as dice:
        game = start(places, dice)
        for name in ("one", "two"):
            answer(game, f"counterair:{name}", f"send:{name}:force:japan:naval:squadrons:1", "first:search")
            stay(game)
        answer(game, "counterair:none")
        assert asked(game) == ["remove:one", "remove:two"]


def two_islands(second: str = "1 britain naval") -> dict[str, Any]:
    return scene(
        base("field", "red", (0, 0), "1 italy army"),
        base("aim", "blue", (0, 2), "1 britain naval"),
        base("crete", "blue", (0, 3), second),
    )


@pytest.mark.rule("23.152C", "23.152B", "23.152D")
def test_the_squadrons_of_a_factor_counterair_two_bases() -> None:
    """Two fly against Aim, and the third has to fly against Crete, where it is lost: the two that
    come back make an inverted factor."""
    quiet = (1, 1)
    with rolls(quiet, quiet, quiet, (6, 6)) as dice:
        game = start(two_islands(), dice)
        answer(game, ATTACK)
        assert asked(game) == [f"divide:field:italy:army:factors:{number}" for number in (0, 1, 2)]
        answer(game, "divide:field:italy:army:factors:1")
        assert "Red: air combat over Aim, round 1, row 2" in log(game)
        answer(game, "defender:stay", "attacker:break-off")
        assert "Red: air combat over Crete, round 1, row 1" in log(game)
        assert air(game, "field") == {"italy army inverted": 1}
        assert game.pending is None


@pytest.mark.rule("23.152B")
def test_only_bases_with_naval_air_share_the_squadrons_of_a_factor() -> None:
    game = start(two_islands("1 britain army"))
    answer(game, ATTACK)
    assert not asked(game)[0].startswith("divide")


@pytest.mark.rule("23.152C")
def test_only_army_air_is_divided_and_all_of_it_may_be_if_others_fly() -> None:
    places = two_islands()
    places["bases"][0]["air"] = units("1 italy army", "1 italy naval")
    game = start(places)
    answer(game, ATTACK, "send:aim:field:italy:army:factors:1", "send:aim:field:italy:naval:squadrons:1")
    assert asked(game) == [f"divide:field:italy:army:factors:{number}" for number in (0, 1, 2, 3)]


@pytest.mark.rule("23.152C")
def test_the_last_squadrons_that_fly_against_a_base_are_not_divided_away() -> None:
    """All of one nation may go elsewhere, but then one squadron of the other stays for this base."""
    places = two_islands()
    places["bases"][0]["air"] = units("1 italy army", "1 germany army")
    for kept, most in ((3, 2), (2, 3)):
        game = start(places)
        answer(game, ATTACK, "send:aim:field:germany:army:factors:1", "send:aim:field:italy:army:factors:1")
        answer(game, f"divide:field:germany:army:factors:{kept}")
        assert asked(game) == [f"divide:field:italy:army:factors:{number}" for number in range(most + 1)]


@pytest.mark.rule("23.152B", "23.152C")
def test_squadrons_kept_back_fly_against_any_base_that_some_of_them_reach() -> None:
    places = scene(
        base("west", "red", (0, 0), "1 italy army"),
        base("east", "red", (0, 20), "1 italy army"),
        base("crete", "blue", (0, 3), "1 britain naval"),
        base("done", "blue", (1, 3), "1 britain naval"),
        base("rhodes", "blue", (0, 17), "1 britain naval"),
        base("far", "blue", (0, 40), "1 britain naval"),
    )
    state = start(places).state
    for site in (state.sites["west"], state.sites["east"]):
        site.air = break_down(site.air)
        site.committed = dict(site.air)
        state.divided |= site.air
    state.sites["done"].counteraired = True
    assert open_to_land_air(state) == ["crete", "rhodes"]
    question = next(next_errand(state))
    assert isinstance(question, Choose)
    assert list(question.values) == ["crete", "rhodes"]


@pytest.mark.rule("23.152D")
def test_only_squadrons_of_factors_that_are_left_stand_apart() -> None:
    state = start(duel(["1 italy army", "2 italy naval"], [])).state
    site = state.sites["field"]
    site.air = break_down(site.air)
    naval, *squadrons = sorted(site.air, key=lambda which: not which.is_naval)
    gone, left, untouched = squadrons
    del site.air[gone]
    others = stand_apart(state, {naval: 1, gone: 1, left: 2})
    assert others == {naval: 1}
    assert site.air == {naval: 2, untouched: 1, left.turned(inverted=True): 1}
    assert state.scattered == {left.turned(inverted=True): 1}


@pytest.mark.rule("23.17", "23.142C")
def test_jets_keep_within_the_force_pool_too() -> None:
    """One jet factor, its squadrons in two bases: two would make a factor in each, so one leaves."""
    places = duel(["1 germany jet"], [], research={"germany": {"jets": 9}})
    places["bases"].append(base("reserve", "red", (1, 0)))
    state = start(places).state
    whole = next(iter(state.sites["field"].air))
    state.squadrons = True
    for home in ("field", "reserve"):
        state.sites[home].air = {whole.based(home, whole.drm).counted(Role.SQUADRONS): 2}
    run(end_of_turn(state), "field")
    assert (state.sites["field"].air, sum(state.sites["reserve"].air.values())) == ({}, 1)
