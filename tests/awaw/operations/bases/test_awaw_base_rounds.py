"""Bases under attack round after round: carriers in port, squadrons and factors, pursuit, who may come again."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.air_combat import Combat
from flagplot.awaw.air_units import Arm, Role
from flagplot.awaw.battle.air_plan import COVERERS, SEARCHERS, eligible
from flagplot.awaw.conversion import recombined_part
from flagplot.awaw.counterair import break_down_site, set_scale
from flagplot.awaw.operations.bases.harbours import come_ashore, displace, rouse, settle_defenders
from flagplot.awaw.operations.bases.sorties import form_factors, regroup, reunite, stand_down
from flagplot.awaw.operations.bases.targets import land_air, land_targets
from flagplot.awaw.operations.interception.regrouping import divide, join
from flagplot.awaw.operations.passage.naval_air import invert_used
from flagplot.awaw.procedures import encounter, land_strikes
from flagplot.awaw.state.air import Mission
from flagplot.awaw.state.battle import Strike
from flagplot.awaw.state.operation import Activity, BaseStrike, Encounter, Progress
from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from flagplot.kernel.procedures import Frame
from tests.awaw.harbours import (
    ABOARD,
    ARMY,
    PROCEDURES,
    attack,
    begin,
    counterair,
    fleet_in_port,
    fly,
    kido,
    on_mission,
    on_patrol,
    told,
    until,
    waters,
)
from tests.awaw.scenes import force as units
from tests.awaw.scenes import one, run, short
from tests.awaw.seas import force, offered, play, port, sail, sea


def air(state: State, base: str) -> dict[str, int]:
    return short(state.sites[base].air)


def used(state: State, base: str) -> dict[str, int]:
    return short(state.sites[base].used)


def use(state: State, base: str, **squadrons: int) -> None:
    """So many search, cover and attack squadrons of a base have been used at sea."""
    site = state.sites[base]
    break_down_site(state, site)
    site.used = {which: squadrons[which.role.value] for which in site.air if which.role.value in squadrons}


# --- carriers in port while there is naval combat outside ---------------------------------------------------------


def off_pearl(**carriers: Any) -> Game[State]:
    """Red carriers and Blue cruisers fight two hexes from Pearl, where Blue carriers lie."""
    state = sea(
        port("field", "red", (1, 0)),
        port("pearl", "blue", (6, 0)),
        force("kido", "red", "field", "Akagi", "Kaga", cruisers=6, air=6),
        force("pac", "blue", "pearl", cruisers=12),
        force("big", "blue", "pearl", "Lexington", "Saratoga", cruisers=8, air=6, **carriers),
        stage="combat",
    )
    key = sail(state, "fast-carrier-mission", "kido", (4, 0))
    other = sail(state, "interception", "pac", (4, 0), level=1, target=key, meet=(4, 0), arrives=1)
    for voyage, progress in ((key, Progress.UNDER_WAY), (other, Progress.ARRIVED)):
        sailing = state.operation.voyages[voyage]
        sailing.step, sailing.progress = len(sailing.path) - 1, progress
        state.operation.fleet[sailing.forces[0]].at = (4, 0)
    state.operation.encounter = Encounter((4, 0), key, 1, [key, other])
    return play(state, Frame(encounter.name, "gather", ()), *PROCEDURES)


ELITE = "field:japan:elite-naval:squadrons"
SEND = "send:pearl:red-at-sea:japan:naval:squadrons:6"


@pytest.mark.rule("17.3126A", "17.3126B", "18.521C", "22.432")
def test_carrier_air_in_port_defends_its_base_against_a_counterair_in_naval_combat() -> None:
    game = until(off_pearl(), "Red: air combat over Pearl", SEND)
    assert told(game, "TF 2 (Blue) in Pearl: 6 American naval air squadrons aboard", "red")
    assert air(game.state, "pearl") == {"united-states naval": 6}
    assert game.state.operation.fleet["big"].group.air == {}


@pytest.mark.rule("17.3126A")
def test_it_stays_hidden_if_its_base_is_left_alone() -> None:
    game = until(off_pearl(), "search")
    assert air(game.state, "pearl") == {}
    assert not told(game, "aboard", "red")
    assert short(game.state.operation.fleet["big"].group.air) == {"united-states naval": 6}


@pytest.mark.rule("17.3126E", "17.3126C")
def test_in_the_battle_it_does_nothing_else_and_afterwards_it_is_land_based() -> None:
    """Row 6 at 2 is 1/2: of the five that are left two are aborted. Nobody covers or searches, and later all may."""
    game = until(off_pearl(), "Red: air combat over Pearl", SEND)
    game.roll([1, 1])
    game = until(game, ": search")
    assert air(game.state, "pearl") == {"united-states naval": 5}
    for roles in (COVERERS, SEARCHERS):
        assert eligible(game.state, "blue", roles) == {}
    game = until(game, "nothing")
    assert game.state.operation.on_guard == {}
    assert game.state.sites["pearl"].committed == {}
    assert sum(game.state.operation.fleet["big"].ashore.values()) == 6


@pytest.mark.rule("23.461A")
def test_a_base_that_was_counteraired_in_naval_combat_is_no_refuge_in_that_phase() -> None:
    game = until(off_pearl(), "search dice", SEND)
    assert "pearl" in game.state.operation.raids_now.inverted
    assert land_targets(waters(red=["1 japan army"]), "red") == ["pearl"]


# --- squadrons and factors ----------------------------------------------------------------------------------------


@pytest.mark.rule("23.141A.2", "23.131A")
def test_defenders_that_broke_up_between_two_sorties_fight_in_factors_again() -> None:
    state = waters(air=["2 united-states army"], red=["3 japan army"])
    mission = Mission("pearl", "red", Combat.NAVAL_BASE, dict(state.sites["field"].air), round=1)
    break_down_site(state, state.sites["pearl"])
    run(set_scale(state, mission))
    assert air(state, "pearl") == {"united-states army": 2}
    assert short(mission.attackers) == {"japan army": 3}


@pytest.mark.rule("23.141A.2")
@pytest.mark.parametrize(
    ("red", "want"),
    [
        ("1 japan army", {"united-states army": 1}),
        (
            "1 japan naval",
            {"united-states army attack": 1, "united-states army cover": 1, "united-states army search": 1},
        ),
    ],
)
def test_squadrons_in_the_base_are_put_together_unless_the_combat_is_fought_in_squadrons(
    red: str, want: dict[str, int]
) -> None:
    """Before the attacker shares out his air."""
    state = waters(fleet_in_port("Arizona"), air=["1 united-states army"], red=[red])
    break_down_site(state, state.sites["pearl"])
    assert air(until(begin(state), "share").state, "pearl") == want


@pytest.mark.rule("23.412A.1")
@pytest.mark.parametrize("broken", [False, True])
def test_those_aborted_before_fight_again_though_they_were_broken_up_since(broken: bool) -> None:
    """Two factors, one of which the last roll has inverted: in the next sortie both roll."""
    state = waters(
        fleet_in_port("Arizona"), air=["1 united-states army", "1 united-states army inverted"], red=["3 japan army"]
    )
    which = next(which for which in state.sites["pearl"].air if not which.inverted)
    state.operation.note_attack("pearl")
    state.operation.last_raids.inverted["pearl"] = {which: 1}
    if broken:
        break_down_site(state, state.sites["pearl"])
    game = until(begin(state), "Blue: air combat", fly(3, ARMY), counterair(3, ARMY))
    assert "row 2" in str(game.pending)
    assert air(game.state, "pearl") == {"united-states army": 2}


@pytest.mark.rule("23.412A.2")
@pytest.mark.parametrize(
    ("red", "broken", "down"),
    [("3 japan naval", False, "cover"), ("3 japan army", True, ""), ("3 japan army", False, "")],
)
def test_an_attack_without_counterair_does_not_free_those_aborted_before(red: str, broken: bool, down: str) -> None:
    """Of two factors one was aborted. Nobody counterairs in the next sortie, and afterwards it is inverted again, in
    whatever form it fought."""
    state = waters(fleet_in_port("Arizona"), air=["1 united-states army", "1 united-states army inverted"], red=[red])
    which = next(which for which in state.sites["pearl"].air if not which.inverted)
    state.operation.note_attack("pearl")
    state.operation.last_raids.inverted["pearl"] = {which: 1}
    if broken:
        break_down_site(state, state.sites["pearl"])
    game = until(begin(state), "another", fly(3) if "naval" in red else fly(3, ARMY))
    assert air(game.state, "pearl")[f"united-states army {down} inverted".replace("  ", " ")] == 1


@pytest.mark.rule("23.162", "23.141A")
def test_one_squadron_used_at_sea_does_not_ground_its_base() -> None:
    state = waters(fleet_in_port("Arizona"), red=["5 japan army"])
    use(state, "field", search=1)
    game = until(play(state, land_strikes.start(), *PROCEDURES), "base-attack")
    assert air(game.state, "field") == {
        "japan army": 4,
        "japan army attack": 1,
        "japan army cover": 1,
        "japan army search": 1,
    }
    assert short(land_air(game.state, "pearl")) == {"japan army": 4}


@pytest.mark.rule("23.162", "23.141A")
def test_squadrons_that_make_no_factor_stay_squadrons() -> None:
    state = waters(red=["1 japan army"])
    use(state, "field", search=1, cover=1)
    form_factors(state.sites["field"])
    assert air(state, "field") == {"japan army attack": 1, "japan army cover": 1, "japan army search": 1}


@pytest.mark.rule("23.141A", "23.162")
def test_committed_squadrons_make_no_factors() -> None:
    state = waters(red=["2 japan army"])
    site = state.sites["field"]
    break_down_site(state, site)
    site.committed = {which: 1 for which in site.air if which.role is Role.SEARCH}
    form_factors(site)
    assert air(state, "field") == {
        "japan army": 1,
        "japan army attack": 1,
        "japan army cover": 1,
        "japan army search": 1,
    }


@pytest.mark.rule("23.141A", "23.144")
def test_three_squadrons_of_jets_make_a_factor() -> None:
    state = waters()
    site = state.sites["field"]
    site.air = units("7 germany jet 5", squadrons=True)
    form_factors(site)
    assert {which.role: number for which, number in site.air.items()} == {Role.FACTORS: 2, Role.SQUADRONS: 1}


@pytest.mark.rule("18.524A", "23.144")
@pytest.mark.parametrize("whole", [0, 1])
def test_factors_that_broke_up_to_pursue_ships_are_inverted_as_squadrons(whole: int) -> None:
    """One factor that has flown has broken up, another may be whole; one more did not fly."""
    state = waters(red=["2 japan army"])
    site = state.sites["field"]
    break_down_site(state, site)
    factor = next(iter(site.air)).counted(Role.FACTORS)
    site.air |= {factor: 1} if whole else {}
    run(stand_down(state, {factor: 1 + whole}))
    parts = {f"japan army {role}{down}": 1 for role in ("attack", "cover", "search") for down in ("", " inverted")}
    assert air(state, "field") == parts | ({"japan army inverted": 1} if whole else {})


@pytest.mark.rule("23.152D")
def test_squadrons_lost_since_they_have_flown_are_not_put_together() -> None:
    """Five have counteraired; one of each kind is in the base, and no other search squadron."""
    state = waters()
    site = state.sites["field"]
    site.air = units("1 japan army 2 cover inverted @field", "1 japan army 2 attack inverted @field")
    state.scattered = dict.fromkeys(site.air, 2) | units("1 japan army 2 search inverted @field")
    run(reunite(state))
    assert (air(state, "field"), state.scattered) == ({"japan army inverted": 1}, {})


@pytest.mark.rule("23.164")
def test_use_at_sea_is_remembered_when_the_defenders_are_put_together() -> None:
    """Of three factors one search and two cover squadrons were used: two factors are inverted in the end."""
    state = waters(fleet_in_port("Arizona"), air=["3 united-states army"], red=["1 japan army"])
    use(state, "pearl", search=1, cover=2)
    game = until(begin(state), "Blue: air combat")
    assert air(game.state, "pearl") == {"united-states army": 3}
    assert used(game.state, "pearl") == {"united-states army": 2}
    invert_used(game.state)
    assert air(game.state, "pearl") == {"united-states army": 1, "united-states army inverted": 2}


@pytest.mark.rule("23.164")
def test_the_owner_puts_used_squadrons_where_they_matter_least() -> None:
    """Of two search, two cover and one attack squadrons one factor is uninverted: a used search squadron need not be in
    it, two must."""
    force_ = units("2 japan army 2 search", "2 japan army 2 cover", "1 japan army 2 attack")
    search = next(which for which in force_ if which.role.value == "search")
    assert recombined_part(force_, {search: 1}) == {}
    assert short(recombined_part(force_, {search: 2})) == {"japan army": 1}


# --- pursuit ------------------------------------------------------------------------------------------------------


def pursuit(*red: str) -> Game[State]:
    """Some ships leave Pearl after the first sortie, and the attackers search for them; then it is asked whether there
    is another sortie."""
    state = waters(
        port("diego", "blue", (12, 0)),
        fleet_in_port("Arizona", cruisers=8),
        fleet_in_port("Nevada", name="other", task_force=False),
        red=red,
    )
    game = until(begin(state), "search", fly(4, ARMY), "escape:pac:diego", "sortie:v1:yes")
    game.choose(next(option for option in offered(game) if option.endswith(":1")))
    return until(game, "another")


@pytest.mark.rule("23.54", "23.462B")
def test_those_who_pursued_may_attack_the_base_again() -> None:
    game = pursuit("4 japan army")
    left = air(game.state, "field")
    assert offered(game) == ["another:done", "another:again"]
    assert used(game.state, "field") == {}
    game.choose("another:again")
    assert list(left) == ["japan army"]
    assert offered(game)[-1] == fly(left["japan army"], ARMY)


@pytest.mark.rule("23.462B", "23.162")
def test_who_was_used_at_sea_before_the_attack_stays_barred_after_a_pursuit() -> None:
    state = waters(red=["3 japan army"])
    which = next(iter(state.sites["field"].air))
    use(state, "field", search=1)
    raid = BaseStrike(
        Mission("pearl", "red", Combat.NAVAL_BASE), Strike("red", "pearl"), used=dict(state.sites["field"].used)
    )
    raid.flown = {which: 1}
    regroup(state, raid)
    assert used(state, "field") == {"japan army search": 1}, "it has pursued, and nobody else"
    break_down_site(state, state.sites["field"])
    state.sites["field"].used = dict.fromkeys(state.sites["field"].used, 2)
    regroup(state, raid)
    assert used(state, "field") == {"japan army search": 1}
    assert short(land_air(state, "pearl")) == {"japan army": 2}


@pytest.mark.rule("23.462B", "23.162")
def test_only_those_who_attacked_the_base_are_free_again_after_a_pursuit() -> None:
    state = waters(red=["2 japan naval", "2 japan elite-naval"])
    site = state.sites["field"]
    raid = BaseStrike(Mission("pearl", "red", Combat.NAVAL_BASE), Strike("red", "pearl"))
    raid.flown = {which: 2 for which in site.air if which.arm is Arm.NAVAL}
    site.used = dict(site.air)
    regroup(state, raid)
    assert used(state, "field") == {"japan elite-naval": 2}


@pytest.mark.rule("23.141A.1", "23.54")
def test_in_the_middle_of_a_combat_in_squadrons_nobody_is_put_together() -> None:
    state = waters(red=["1 japan army", "1 japan naval"])
    break_down_site(state, state.sites["field"])
    raid = BaseStrike(Mission("pearl", "red", Combat.NAVAL_BASE), Strike("red", "pearl"))
    raid.flown = dict(state.sites["field"].air)
    regroup(state, raid)
    assert state.sites["field"].air == raid.flown


# --- who may come again -------------------------------------------------------------------------------------------


@pytest.mark.rule("18.522A", "23.54")
def test_a_wiped_out_attacker_brings_no_fresh_air() -> None:
    state = waters(fleet_in_port("Arizona", task_force=False), red=["4 japan naval"])
    game = attack(state, "fly:field:japan:naval:squadrons:1", rolls=[("air defense of Pearl", 6, 6)])
    assert game.state.losses.air == {"japan/naval/squadrons": 1}
    assert not told(game, "Fly another sortie")
    assert air(game.state, "field") == {"japan naval": 3}


@pytest.mark.rule("18.522B.2.2")
def test_in_a_counterair_all_survivors_fight_on_and_others_may_join_them() -> None:
    state = waters(air=["6 united-states naval"], red=["4 japan naval", "1 japan elite-naval"], stage="movement")
    game = until(begin(state), "another", fly(3))
    left = sum(game.state.operation.base_strike.flown.values())
    assert 0 < left <= 3
    game.choose("another:again")
    assert offered(game) == [fly(0, ELITE), fly(1, ELITE)]
    game.choose(fly(0, ELITE))
    assert offered(game) == [fly(0), fly(1)]
    game.choose(fly(1))
    assert short(game.state.operation.base_strike.mission.attackers) == {"japan naval": left + 1}


@pytest.mark.rule("18.522A")
def test_a_counterair_is_over_when_the_base_is_empty() -> None:
    state = waters(air=["1 united-states naval"], red=["6 japan naval"], stage="movement")
    rolls = [("Red: air combat", 6, 6), ("Blue: air combat", 1, 1)]
    game = attack(state, "fly:field:japan:naval:squadrons:6", rolls=rolls)
    assert air(game.state, "pearl") == {}
    assert not told(game, "Fly another sortie")


@pytest.mark.rule("23.51.1", "18.525")
def test_land_based_air_may_attack_a_base_that_carriers_have_attacked() -> None:
    state = waters(kido(), fleet_in_port("Arizona", cruisers=8), red=["2 japan army"])
    game = until(begin(state, key=on_patrol(state)), "nothing", fly(6, ABOARD))
    assert "pearl" in game.state.operation.raids_now.inverted
    assert land_targets(game.state, "red") == ["pearl"]
    again = until(begin(game.state), "nothing", fly(1, ARMY))
    assert land_targets(again.state, "red") == [], "land-based air attacks a base once a phase"
    again.state.operation.stage += 1
    assert not again.state.operation.raids_now.inverted


# --- on the way to a patrol hex -----------------------------------------------------------------------------------


@pytest.mark.rule("22.22G.3")
def test_air_that_a_patrol_attacks_on_its_way_has_spotted_it() -> None:
    """Two factors of army air, and carrier squadrons, which do not spot (17.3126E); in its patrol hex it is no more on
    its way."""
    state = waters(
        kido(), fleet_in_port("Enterprise", cruisers=8, air=3), air=["2 united-states army"], stage="movement"
    )
    key = on_mission(state, activity="patrol", arrived=False)
    game = until(begin(state, key=key), "nothing", fly(6, ABOARD))
    assert game.state.operation.voyages[key].alerted == {"pearl": 2}
    for before, after in ((1, 2), (3, 3)):
        state.operation.voyages[key].alerted = {"pearl": before}
        again = until(begin(state, key=key), "nothing", fly(6, ABOARD))
        assert again.state.operation.voyages[key].alerted == {"pearl": after}, "the most that it has met there"
    there = waters(kido(), air=["2 united-states army"], stage="movement")
    key = on_mission(there, activity="patrol")
    game = until(begin(there, key=key), "nothing", fly(6, ABOARD))
    assert game.state.operation.voyages[key].alerted == {}


# --- escape -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("23.46A", "23.46B")
def test_nobody_escapes_from_an_attack_that_met_nobody() -> None:
    """A patrol counterairs Pearl, where there are ships but no air: the ships there and at Hilo stay."""
    state = waters(
        *(kido(), port("hilo", "blue", (4, 2)), port("diego", "blue", (14, 0))),
        *(fleet_in_port("Arizona", task_force=False), fleet_in_port("Nevada", name="hilo-fleet", home="hilo")),
        stage="movement",
    )
    key = on_mission(state, activity="patrol", arrived=False)
    game = until(begin(state, key=key), "escape", fly(6, ABOARD))
    assert told(game, "No air units in")
    assert game.pending is None


@pytest.mark.rule("23.443B.2", "23.462A")
def test_ships_sunk_in_port_stay_when_their_force_leaves() -> None:
    state = waters(port("diego", "blue", (12, 0)), fleet_in_port("Arizona", "Nevada", task_force=False))
    pac = state.operation.fleet["pac"]
    arizona = next(which for which in pac.group.ships if which.id == "arizona")
    del pac.group.ships[arizona]
    pac.sunk_in_port[arizona] = 1
    key = sail(state, Activity.ESCAPE, "pac", (12, 0))
    assert state.operation.fleet["pac"].voyage == key
    lying = {
        one.base: [which.id for which in one.sunk_in_port] for one in state.operation.fleet.values() if one.sunk_in_port
    }
    assert lying == {"pearl": ["arizona"]}
    assert state.operation.fleet["pac"].sunk_in_port == {}


# --- regrouping ---------------------------------------------------------------------------------------------------


def two_carriers() -> State:
    """Two forces of one carrier each in Pearl, whose squadrons are ashore."""
    state = waters(
        fleet_in_port("Lexington", name="first", cruisers=8, air=3),
        fleet_in_port("Enterprise", name="second", cruisers=8, air=3),
    )
    run(come_ashore(state, "pearl"))
    return state


@pytest.mark.rule("17.3127", "17.3124.1")
def test_squadrons_that_were_shot_down_are_no_more_ashore() -> None:
    """One of the three of Akagi; the squadrons of a carrier in another port are none of this."""
    fleets = [force("one", "red", "field", "Akagi", cruisers=8, air=3), force("two", "red", "truk", "Kaga", air=3)]
    state = waters(port("truk", "red", (-3, 0)), *fleets)
    for home in ("field", "truk"):
        run(come_ashore(state, home))
    state.sites["field"].air = dict.fromkeys(state.sites["field"].air, 2)
    run(displace(state, "field"))
    assert [short(state.operation.fleet[name].ashore) for name in ("one", "two")] == [
        {"japan naval": 2},
        {"japan naval": 3},
    ]


@pytest.mark.rule("17.3127", "17.3124.1")
def test_a_carrier_bases_three_squadrons_elite_or_not() -> None:
    """Of five that were aboard two carriers one carrier is left: two have no deck, and no room in a full base."""
    state = waters(force("kido", "red", "field", "Akagi", cruisers=8, air=3), red=["10 japan army"])
    run(come_ashore(state, "field"))
    kido = state.operation.fleet["kido"]
    elite = one("japan", "elite-naval", 3, f"@{next(iter(kido.ashore)).home}")
    kido.ashore = {elite: 2, **kido.ashore}
    state.sites["field"].air[state.rebased(elite, "field")] = 2
    run(displace(state, "field"))
    assert short(kido.ashore) == {"japan elite-naval": 2, "japan naval": 1}
    assert air(state, "field") == {"japan army": 10, "japan elite-naval": 2, "japan naval": 1}


@pytest.mark.rule("23.412A.1")
def test_of_those_aborted_before_only_those_fight_again_who_are_there() -> None:
    state = waters(air=["1 united-states naval inverted", "1 united-states army"])
    site = state.sites["pearl"]
    naval, army = sorted((which.turned(inverted=False) for which in site.air), key=lambda which: which.is_factor)
    state.operation.last_raids.inverted["pearl"] = {naval: 2, army: 1}
    rouse(state, "pearl")
    assert site.air == {naval: 1, army: 1}
    assert site.aborted == {naval: 1}


@pytest.mark.rule("23.412A.2", "18.526A")
def test_of_those_aborted_only_those_are_inverted_who_are_there() -> None:
    state = waters(air=["1 united-states naval"])
    site = state.sites["pearl"]
    (naval,) = site.air
    site.aborted = {naval: 2, one("britain", "naval", 2, "@pearl"): 1}
    run(settle_defenders(state, "pearl"))
    assert air(state, "pearl") == {"united-states naval inverted": 1}
    assert short(state.operation.last_raids.inverted["pearl"]) == {"united-states naval": 1, "britain naval": 0}


@pytest.mark.rule("17.3126C.2")
def test_forces_that_are_regrouped_keep_their_squadrons_ashore() -> None:
    state = two_carriers()
    join(state, "first", "second")
    assert sum(state.operation.fleet["first"].ashore.values()) == 6
    leaving = {which: 1 for which in state.operation.fleet["first"].group.ships if which.id == "enterprise"}
    new = divide(state, "first", leaving)
    assert (sum(state.operation.fleet["first"].ashore.values()), sum(state.operation.fleet[new].ashore.values())) == (
        3,
        3,
    )
