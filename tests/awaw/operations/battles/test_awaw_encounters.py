"""Battles on the map: who takes part from when, in which order they are fought, and what follows (22.16, 22.8)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from flagplot.awaw.operations.patrols.support import support_round
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import passage
from flagplot.awaw.state.operation import Progress
from flagplot.awaw.state.state import State
from flagplot.kernel.requests import Choose
from tests.awaw.seas import flotilla, force, offered, play, port, sail, sea
from tests.awaw.voyages import Cruise, cruise, dive, intercept

TRUK, RABAUL = port("truk", "red", (0, 0)), port("rabaul", "red", (0, 4))
NOUMEA, SYDNEY, SUVA = port("noumea", "blue", (9, 0)), port("sydney", "blue", (9, 4)), port("suva", "blue", (12, 0))
KIDO = force("kido", "red", "truk", "Akagi", cruisers=8)
COVER = force("cover", "red", "rabaul", cruisers=10)
TF = force("tf", "blue", "noumea", "Enterprise", cruisers=8)
FAR = force("far", "blue", "suva", cruisers=10)
PORTS = (TRUK, RABAUL, NOUMEA, SYDNEY, SUVA)


def scene(*more: dict[str, Any], activity: str = "fast-carrier-mission", tf: dict[str, Any] = TF, **plan: Any) -> State:
    """Kido sails from Truk in (0, 0) to (6, 0) as v1; Blue's tf is in Noumea in (9, 0), Red's cover in Rabaul."""
    plan.setdefault("stage", "combat")
    state = sea(*PORTS, KIDO, COVER, tf, *more, **plan)
    assert sail(state, activity, "kido", (6, 0)) == "v1"
    state.operation.fleet["kido"].group.activity = activity
    return state


def voyage_of(played: Cruise, name: str) -> str:
    """The activity of a force in the end: the key of its voyage."""
    return played.state.operation.fleet[name].voyage


def in_port(played: Cruise, *names: str) -> bool:
    forces = [played.state.operation.fleet[name] for name in names]
    return all(force.in_port and force.at == played.state.place(force.base).at for force in forces)


# --- where battles are fought: 22.161, 22.19 --------------------------------------------------------------------


@pytest.mark.rule("22.19A", "22.19B", "22.19C", "22.141", "22.23", "SOP-NI-H.1.a", "SOP-NI-H.1.b", "22.81B")
def test_interceptors_sail_first_and_wait() -> None:
    """22.19: the interceptor is in the interception hex as the other force comes to it; there they fight, and he
    returns."""
    state = scene()
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), flees="blue")
    assert [(battle.at, battle.forces, battle.moving) for battle in played.battles] == [("4,0", {"kido", "tf"}, "red")]
    assert played.battles[0].where["tf"] == played.battles[0].where["kido"] == (4, 0)
    assert in_port(played, "tf")
    assert played.inverted() == {"tf"}
    assert played.state.operation.voyages["v1"].progress is Progress.ARRIVED
    assert played.state.operation.fleet["kido"].at == (6, 0)


@pytest.mark.rule("22.161A", "SOP-NI-F.2", "22.81C", "22.33")
def test_a_counter_in_the_interception_hex_makes_one_battle() -> None:
    """22.161A: all who are in the interception hex fight one battle; who countered takes over the activity (22.81C)."""
    state = scene()
    first = intercept(state, "tf", "v1", (4, 0))
    intercept(state, "cover", first, (4, 0))
    played = cruise(state, passage.start("v1"), flees="blue")
    (battle,) = played.battles
    assert (battle.at, battle.level, battle.forces) == ("4,0", 1, {"kido", "tf", "cover"})
    assert battle.withholder == ""
    assert battle.where["kido"] == (4, 0)
    assert voyage_of(played, "cover") == voyage_of(played, "kido") == "v1"
    assert played.state.operation.fleet["cover"].at == (6, 0)
    assert played.inverted() == {"tf"}


@pytest.mark.rule("22.81A.2", "22.81C", "22.15D")
def test_counterers_share_the_defeat() -> None:
    """22.81: if the force that was intercepted is beaten, those who helped it return with it, inverted."""
    state = scene()
    intercept(state, "cover", intercept(state, "tf", "v1", (4, 0)), (4, 0))
    played = cruise(state, passage.start("v1"), flees="red")
    assert in_port(played, "kido", "cover", "tf")
    assert played.inverted() == {"kido", "cover", "tf"}
    assert played.state.operation.is_over("v1")


@pytest.mark.rule("22.161B", "SOP-NI-F.1", "22.33", "22.26D")
def test_a_counter_elsewhere_is_a_battle_of_its_own() -> None:
    """22.161B: in another hex they fight first, without the force that was to be intercepted, and those who are on
    their way may withhold ships; if they are beaten nobody meets that force."""
    state = scene()
    intercept(state, "cover", intercept(state, "tf", "v1", (4, 0)), (6, 0))
    played = cruise(state, passage.start("v1"), flees="blue")
    (battle,) = played.battles
    assert (battle.at, battle.level, battle.forces, battle.withholder) == ("6,0", 2, {"tf", "cover"}, "blue")
    assert battle.moving == "red"
    assert battle.where["kido"] == (0, 0)
    assert in_port(played, "tf", "cover")
    assert played.inverted() == {"tf", "cover"}
    assert played.state.operation.voyages["v1"].progress is Progress.ARRIVED


@pytest.mark.rule("22.161A", "22.19C")
def test_who_waits_in_another_hex_is_not_in_the_battle() -> None:
    """22.161A: each fights where he intercepts."""
    state = scene(FAR)
    intercept(state, "tf", "v1", (4, 0))
    intercept(state, "far", "v1", (6, 0))
    played = cruise(state, passage.start("v1"), flees="blue")
    assert [(battle.at, battle.forces) for battle in played.battles] == [
        ("4,0", {"kido", "tf"}),
        ("6,0", {"kido", "far"}),
    ]


@pytest.mark.rule("22.161B", "22.252E", "22.81A.1")
def test_victorious_interceptors_go_on() -> None:
    """22.161B: who beats those that stopped him may go on to the interception hex."""
    state = scene()
    intercept(state, "cover", intercept(state, "tf", "v1", (4, 0)), (6, 0))
    played = cruise(state, passage.start("v1"), flees="red")
    assert [(battle.at, battle.forces) for battle in played.battles] == [
        ("6,0", {"tf", "cover"}),
        ("4,0", {"tf", "kido"}),
    ]
    assert in_port(played, "kido", "tf", "cover")


@pytest.mark.rule("22.161B", "22.252E")
def test_victorious_interceptors_may_return() -> None:
    """22.161B: or they return; they have fought, so they are inverted."""
    state = scene()
    intercept(state, "cover", intercept(state, "tf", "v1", (4, 0)), (6, 0))
    played = cruise(state, passage.start("v1"), "activity:tf:abort", flees="red")
    assert played.places == ["6,0"]
    assert in_port(played, "tf")
    assert played.inverted() == {"tf", "cover"}
    assert played.state.operation.voyages["v1"].progress is Progress.ARRIVED


@pytest.mark.rule("SOP-NI-H", "SOP-NI-H.1", "22.164", "22.19", "22.253")
def test_three_levels_last_in_first_out() -> None:
    """SOP-NI-H: the last to intercept sails first: its battle comes before that of the counter-interception, and that
    before the one about the activity itself. Until then the others are in port."""
    state = scene(force("third", "blue", "sydney", cruisers=10))
    second = intercept(state, "cover", intercept(state, "tf", "v1", (4, 0)), (6, 0))
    assert (3, 2) in state.operation.voyages[second].path or (2, 3) in state.operation.voyages[second].path
    hex_ = state.operation.voyages[second].path[3]
    intercept(state, "third", second, hex_)
    last = f"{hex_[0]},{hex_[1]}"
    played = cruise(state, passage.start("v1"), flees={last: "blue", "6,0": "red", "4,0": "blue"})
    assert [(battle.at, battle.level) for battle in played.battles] == [(last, 3), ("6,0", 2), ("4,0", 1)]
    one, two, three = played.battles
    assert one.forces == {"cover", "third"}
    assert one.withholder == "red"
    assert one.where["tf"] == (9, 0)
    assert one.where["kido"] == (0, 0)
    assert two.forces == {"tf", "cover"}
    assert two.where["kido"] == (0, 0)
    assert three.forces == {"kido", "tf"}
    assert played.inverted() == {"third", "cover", "tf"}


@pytest.mark.rule("22.253", "22.161A", "22.81D")
def test_counter_counters_in_the_counter_hex_help_the_interceptor() -> None:
    """22.253, 22.161A: who counters a counter-interception in its hex fights beside the interceptor there; 22.81D: if
    they win he goes on with him to intercept."""
    state = scene(force("third", "blue", "sydney", cruisers=10))
    first = intercept(state, "tf", "v1", (4, 0))
    intercept(state, "third", intercept(state, "cover", first, (6, 0)), (6, 0))
    played = cruise(state, passage.start("v1"), flees={"6,0": "red", "4,0": "red"})
    assert [(battle.at, battle.forces) for battle in played.battles] == [
        ("6,0", {"tf", "cover", "third"}),
        ("4,0", {"kido", "tf", "third"}),
    ]
    assert played.inverted() == {"kido", "tf", "cover", "third"}
    assert in_port(played, "third")


@pytest.mark.rule("22.161A")
def test_all_three_levels_in_one_hex() -> None:
    """22.161A: with all counters made in the interception hex there is one battle of all of them."""
    state = scene(force("third", "blue", "sydney", cruisers=10))
    intercept(state, "third", intercept(state, "cover", intercept(state, "tf", "v1", (4, 0)), (4, 0)), (4, 0))
    played = cruise(state, passage.start("v1"), flees="red")
    assert [(battle.at, battle.forces) for battle in played.battles] == [("4,0", {"kido", "tf", "cover", "third"})]
    assert in_port(played, "kido", "tf", "cover", "third")


# --- late comers: 22.24, 22.252 ---------------------------------------------------------------------------------


@pytest.mark.rule("22.24B", "22.24B.1", "22.161A", "SOP-NI-E.2", "22.26C", "SOP-NI-H.2")
@pytest.mark.parametrize(("rounds", "joined"), [(1, False), (2, False), (3, True)])
def test_late_interceptors_enter_in_their_round(rounds: int, joined: bool) -> None:
    """22.24B: a force that fell short by five hexes joins in the third round; if the battle is over before, it returns
    uninverted (22.26C)."""
    state = scene(force("late", "blue", "sydney", cruisers=10))
    intercept(state, "tf", "v1", (4, 0))
    intercept(state, "late", "v1", (4, 0), arrives=3)
    played = cruise(state, passage.start("v1"), flees="blue", rounds={"4,0": rounds})
    (battle,) = played.battles
    assert battle.arrives == {"kido": 1, "tf": 1, "late": 3}
    assert battle.rounds == rounds
    assert played.asked.count("number:late") == joined
    assert played.inverted() == ({"tf", "late"} if joined else {"tf"})
    assert in_port(played, "late", "tf")


@pytest.mark.rule("22.161A", "22.24B")
def test_late_counter_interceptors_enter_in_their_round() -> None:
    """22.161A: those who countered in the interception hex and fell short join later as well; if it is over before,
    they return uninverted and take over nothing."""
    for rounds, joined in ((1, False), (2, True)):
        state = scene()
        intercept(state, "cover", intercept(state, "tf", "v1", (4, 0)), (4, 0), arrives=2)
        played = cruise(state, passage.start("v1"), flees="blue", rounds={"4,0": rounds})
        assert played.asked.count("number:cover") == joined
        assert voyage_of(played, "cover") == ("v1" if joined else "")
        assert played.inverted() == {"tf"}
        assert ("activity:cover" in played.asked) == joined


@pytest.mark.rule("22.24B", "22.27")
def test_without_one_in_time_late_comers_return() -> None:
    """22.24B: late comers join a battle only if one who came in time has begun it; if he was stopped on his way they
    return, uninverted."""
    state = scene(force("late", "blue", "sydney", cruisers=10))
    intercept(state, "cover", intercept(state, "tf", "v1", (4, 0)), (6, 0))
    intercept(state, "late", "v1", (4, 0), arrives=2)
    played = cruise(state, passage.start("v1"), flees="blue")
    assert played.places == ["6,0"]
    assert in_port(played, "late", "tf")
    assert played.inverted() == {"tf", "cover"}


@pytest.mark.rule("22.252A", "22.252B", "22.252C", "22.162", "22.141")
def test_combined_interceptors_are_stopped_together() -> None:
    """22.252: two task forces on one path are stopped in one battle; who has not reached that hex by his dice joins
    later: six hexes to it and three reached are the second round."""
    state = scene(FAR, force("other", "blue", "sydney", cruisers=10))
    first = intercept(state, "tf", "v1", (3, 0))
    second = intercept(state, "far", "v1", (3, 0), arrives=3, reached=3)
    intercept(state, "other", "v1", (3, 0), arrives=2, reached=8)
    assert state.operation.voyages[second].path[3:] == state.operation.voyages[first].path
    intercept(state, "cover", first, (6, 0))
    played = cruise(state, passage.start("v1"), flees={"6,0": "red", "3,0": "red"}, rounds={"6,0": 2})
    assert played.battles[0].arrives == {"tf": 1, "far": 2, "cover": 1}, "who sails along another path does not help"
    assert played.asked.count("number:far") == 1
    assert played.battles[1].arrives == {"kido": 1, "tf": 1, "far": 3, "other": 2}


@pytest.mark.rule("22.252A")
def test_the_first_to_reach_the_hex_fights_the_first_round() -> None:
    """22.252A: who has reached the hex is told by his own distance and dice, whoever of them was named; the first of
    them is there in the first round."""
    state = scene(FAR)
    first = intercept(state, "tf", "v1", (3, 0), arrives=3, reached=1)
    intercept(state, "far", "v1", (3, 0), reached=9)
    intercept(state, "cover", first, (6, 0))
    played = cruise(state, passage.start("v1"), flees={"6,0": "blue"})
    assert played.battles[0].arrives == {"tf": 2, "far": 1, "cover": 1}


@pytest.mark.rule("22.252C", "22.252D", "22.26C")
def test_combined_interceptors_are_beaten_together() -> None:
    """22.252D: if the counter-interceptors win, all on that path return without having intercepted, those too who were
    to join later; they have not fought, and are not inverted."""
    state = scene(FAR)
    first = intercept(state, "tf", "v1", (3, 0))
    intercept(state, "far", "v1", (3, 0), arrives=3, reached=3)
    intercept(state, "cover", first, (6, 0))
    played = cruise(state, passage.start("v1"), flees={"6,0": "blue"})
    assert played.places == ["6,0"]
    assert in_port(played, "tf", "far", "cover")
    assert played.inverted() == {"tf", "cover"}


@pytest.mark.rule("22.252E")
def test_combined_interceptors_go_on_together() -> None:
    """22.252E: if they win, all of them may complete their interception."""
    state = scene(FAR)
    first = intercept(state, "tf", "v1", (3, 0))
    intercept(state, "far", "v1", (3, 0), reached=9)
    intercept(state, "cover", first, (6, 0))
    played = cruise(state, passage.start("v1"), flees="red")
    assert [(battle.at, battle.forces) for battle in played.battles] == [
        ("6,0", {"tf", "far", "cover"}),
        ("3,0", {"kido", "tf", "far"}),
    ]


@pytest.mark.rule("22.252E", "22.252C", "22.81D")
def test_who_was_to_join_later_goes_on_with_the_victors() -> None:
    """22.252E: of interceptors on one path those too may complete their interception who had not yet come up when the
    battle was won."""
    state = scene(FAR)
    first = intercept(state, "tf", "v1", (3, 0))
    intercept(state, "far", "v1", (3, 0), arrives=3, reached=3)
    intercept(state, "cover", first, (6, 0))
    played = cruise(state, passage.start("v1"), flees={"6,0": "red", "3,0": "red"}, rounds={"3,0": 3})
    assert [(battle.at, battle.arrives) for battle in played.battles] == [
        ("6,0", {"tf": 1, "far": 2, "cover": 1}),
        ("3,0", {"kido": 1, "tf": 1, "far": 3}),
    ]


# --- who is inverted: 22.26, 22.27 ------------------------------------------------------------------------------


@pytest.mark.rule("22.26", "SOP-NI-K", "22.81A.2", "22.81B")
def test_who_fought_is_inverted_at_base() -> None:
    """22.26, 22.81: interceptors are inverted once they are back, and so is a force that was beaten."""
    state = scene()
    intercept(state, "tf", "v1", (4, 0))
    assert cruise(state, passage.start("v1"), flees="red").inverted() == {"kido", "tf"}


@pytest.mark.rule("22.26B", "22.28", "22.28A", "22.281")
def test_interceptors_whose_target_is_gone_are_not_inverted() -> None:
    """22.26B: submarines attack on the way, and the force aborts: those who wait for it return uninverted. Who has
    aborted is inverted (22.281)."""
    state = scene(flotilla("boats", "blue", "noumea"))
    intercept(state, "tf", "v1", (4, 0))
    dive(state, "boats", "v1", (2, 0))
    played = cruise(state, passage.start("v1"), "abort:v1:abort")
    assert not played.battles
    assert in_port(played, "tf", "kido")
    assert played.inverted() == {"kido"}


@pytest.mark.rule("22.26", "22.26B", "22.26D")
def test_who_fought_on_his_way_is_inverted_even_if_his_target_is_gone() -> None:
    """22.26D: who has fought those who stopped him is inverted, although he never met the force that he set out for."""
    state = scene(flotilla("boats", "blue", "noumea"))
    intercept(state, "cover", intercept(state, "tf", "v1", (4, 0)), (6, 0))
    dive(state, "boats", "v1", (2, 0))
    played = cruise(state, passage.start("v1"), "abort:v1:abort", flees="red")
    assert played.places == ["6,0"]
    assert played.inverted() == {"tf", "cover", "kido"}


@pytest.mark.rule("22.26D", "22.26D.1", "SOP-NI-K.1")
def test_ships_withheld_on_the_way_are_not_inverted() -> None:
    """22.26D: a force that withholds all its ships from those who stop it returns uninverted."""
    state = scene()
    intercept(state, "cover", intercept(state, "tf", "v1", (4, 0)), (6, 0))
    played = cruise(state, passage.start("v1"), "withhold:1:all", "activity:tf:abort", flees="red")
    assert played.inverted() == {"cover"}
    assert in_port(played, "tf")


@pytest.mark.rule("22.26D", "22.26D.2", "22.26D.3", "SOP-NI-K.1")
def test_some_ships_withheld_are_a_force_of_their_own() -> None:
    """22.26D: of a force of which some ships were withheld only the others are inverted."""
    state = scene()
    intercept(state, "cover", intercept(state, "tf", "v1", (4, 0)), (6, 0))
    played = cruise(
        state, passage.start("v1"), "withhold:1:some", "withhold:1:enterprise:1", "activity:tf:abort", flees="red"
    )
    there = {key: force for key, force in played.state.operation.fleet.items() if force.base == "noumea"}
    carriers = [key for key, force in there.items() if any(which.id == "enterprise" for which in force.group.ships)]
    assert len(there) == 2
    assert played.inverted() == {"cover", "tf"}
    assert carriers == ["tf-2"]
    assert in_port(played, "tf", "tf-2")


@pytest.mark.rule("22.26D.4", "22.26D")
def test_who_withheld_ships_and_then_fought_is_inverted_whole() -> None:
    """22.26D: ships that were withheld on the way and then meet the target are inverted with the others: in that battle
    nobody is withheld."""
    state = scene()
    intercept(state, "cover", intercept(state, "tf", "v1", (4, 0)), (6, 0))
    played = cruise(state, passage.start("v1"), "withhold:1:some", "withhold:1:enterprise:1", flees="red")
    assert played.places == ["6,0", "4,0"]
    assert played.asked.count("withhold:1") == 1
    assert played.inverted() == {"cover", "tf", "kido"}
    assert "tf-2" not in played.state.operation.fleet


# --- roles: 22.27, 22.62 ----------------------------------------------------------------------------------------


@pytest.mark.rule("22.27", "22.62", "22.81B")
def test_the_other_side_may_be_the_one_that_is_intercepted() -> None:
    """22.27: an enemy force on its way home may be intercepted; then it is the moving one. If it wins it goes on home,
    inverted because it fought; the interceptors return, and are inverted too."""
    state = sea(*PORTS, KIDO, TF, stage="combat")
    sail(state, "return", "tf", (9, 0), start=(2, 0), base="noumea", step=0)
    intercept(state, "kido", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), flees="red")
    (battle,) = played.battles
    assert battle.moving == "blue"
    assert battle.forces == {"tf", "kido"}
    assert played.inverted() == {"tf", "kido"}
    assert in_port(played, "kido")
    assert not played.state.operation.fleet["kido"].patrol
    assert played.state.operation.fleet["tf"].at == (9, 0)
    assert "activity:tf" in played.asked


@pytest.mark.rule("22.141", "22.81A.1")
def test_companions_fight_together_and_keep_their_own_activities() -> None:
    """22.141: forces on the same way are intercepted together; afterwards each goes on with what it was out for."""
    state = scene(force("second", "red", "truk", cruisers=10))
    assert sail(state, "shore-bombardment", "second", (6, 0)) == "v2"
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), flees="blue")
    assert played.battles[0].forces == {"kido", "second", "tf"}
    assert (voyage_of(played, "kido"), voyage_of(played, "second")) == ("v1", "v2")
    assert played.state.operation.voyages["v2"].forces == ["second"]


# --- patrols that support: 22.163 -------------------------------------------------------------------------------


@pytest.mark.rule("22.163B", "22.163C", "T22.21-14")
def test_support_round_by_distance() -> None:
    """22.163C, as printed: within three hexes the first round, then one more for every four, in the Pacific two."""
    europe = [support_round(hexes, pacific=False) for hexes in range(13)]
    pacific = [support_round(hexes, pacific=True) for hexes in range(9)]
    assert europe == [1] * 4 + [2] * 4 + [3] * 4 + [4]
    assert pacific == [1] * 4 + [2] * 2 + [3] * 2 + [4]


PATROL = force("guard", "red", "truk", cruisers=10, at=(4, 3), patrol="offensive")


@pytest.mark.rule("22.163", "22.163D", "22.11D", "SOP-PA-E.2", "SOP-PA-E.2.a", "22.163B")
def test_a_patrol_supports_without_dice_and_adopts_the_mission() -> None:
    """22.163: a patrol three hexes away joins in the first round without a roll, and then takes over the activity."""
    state = scene(PATROL)
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), "support:guard:go", flees="blue")
    assert played.battles[0].arrives == {"kido": 1, "guard": 1, "tf": 1}
    assert not [roll for roll in played.rolled if "interception" in roll]
    guard = played.state.operation.fleet["guard"]
    assert (guard.voyage, guard.patrol, guard.at) == ("v1", "", (6, 0))
    assert played.inverted() == {"tf"}


@pytest.mark.rule("22.163", "SOP-PA-E.2")
def test_a_patrol_need_not_support() -> None:
    """22.163: a patrol may stay where it is."""
    state = scene(PATROL)
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), flees="blue")
    assert "support:guard" in played.asked
    assert played.battles[0].forces == {"kido", "tf"}
    assert (played.state.operation.fleet["guard"].patrol, played.state.operation.fleet["guard"].at) == (
        "offensive",
        (4, 3),
    )


@pytest.mark.rule("22.163E", "SOP-PA-E.2.c", "22.163C")
@pytest.mark.parametrize("rounds", [1, 2])
def test_a_patrol_that_comes_too_late_is_in_its_hex_again(rounds: int) -> None:
    """22.163E: from five hexes away it would join in the second round; if the battle is over before, it is in its
    patrol hex again, uninverted, and does not try once more in this stage."""
    far = force("guard", "red", "truk", cruisers=10, at=(4, 5), patrol="offensive")
    state = scene(far)
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), "support:guard:go", flees="blue", rounds={"4,0": rounds})
    guard = played.state.operation.fleet["guard"]
    assert played.battles[0].arrives["guard"] == 2
    if rounds == 1:
        assert (guard.patrol, guard.at, guard.voyage, guard.tried) == ("offensive", (4, 5), "", "combat")
        assert not guard.inverted
        assert "activity:guard" not in played.asked
    else:
        assert (guard.patrol, guard.at, guard.voyage) == ("", (6, 0), "v1")


@pytest.mark.rule("22.163E", "SOP-PA-E.2.c")
def test_who_was_too_late_is_not_asked_again() -> None:
    """SOP-PA-E.2.c: no second attempt in the same stage."""
    state = scene(PATROL)
    state.operation.fleet["guard"].tried = "combat"
    intercept(state, "tf", "v1", (4, 0))
    assert "support:guard" not in cruise(state, passage.start("v1")).asked


@pytest.mark.rule("SOP-PA-E.2.b", "22.81A.2")
def test_a_patrol_that_was_beaten_returns_to_base() -> None:
    """SOP-PA-E.2.b: if those whom it supported are beaten, so is the patrol: it goes to base, inverted."""
    state = scene(PATROL)
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), "support:guard:go", flees="red")
    assert in_port(played, "guard", "kido")
    assert played.inverted() == {"guard", "kido", "tf"}


@pytest.mark.rule("22.163A", "SOP-NI-F.2.a")
def test_patrols_support_only_in_the_interception_hex() -> None:
    """22.163A: in a battle elsewhere no patrol takes part, however near it is."""
    near = force("guard", "red", "truk", cruisers=10, at=(6, 1), patrol="offensive")
    state = scene(near)
    intercept(state, "cover", intercept(state, "tf", "v1", (4, 0)), (6, 0))
    played = cruise(state, passage.start("v1"), flees="blue")
    assert played.places == ["6,0"]
    assert "support:guard" not in played.asked


@pytest.mark.rule("22.163", "22.18E")
def test_defensive_patrols_do_not_support() -> None:
    """22.163 is about offensive patrols: others are not asked."""
    state = scene(force("guard", "red", "truk", cruisers=10, at=(4, 3), patrol="defensive"))
    intercept(state, "tf", "v1", (4, 0))
    assert "support:guard" not in cruise(state, passage.start("v1")).asked


@pytest.mark.rule("22.163", "22.916B", "SOP-PA-E.6", "22.914")
def test_submarines_on_patrol_support_and_leave_their_hex_if_they_attack() -> None:
    """22.916B: submarines on offensive patrol come to the aid of others; those that have attacked are no longer in
    their patrol hex (21.4184B), the others are (22.92)."""
    state = scene(flotilla("boats", "red", "truk", 2, at=(4, 2), patrol="offensive"))
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), "support:boats:go", flees="blue")
    boats = played.state.operation.flotillas["boats"]
    assert (boats.factors, boats.away) == (0, 0)
    assert boats.inverted + boats.lost + boats.tried == 2
    assert boats.tried
    assert (boats.at, boats.patrol) == ((4, 2), "offensive")


@pytest.mark.rule("SOP-PA-E.2", "SOP-PA-E.2.a", "22.163")
def test_a_part_of_a_patrol_may_support_while_the_rest_stays() -> None:
    """21.4182A: of a patrol of ten cruisers (20 factors) three go: they are no task force, and take over the activity;
    the others are still one, in the patrol hex."""
    state = scene(force("guard", "red", "truk", cruisers=20, at=(4, 3), patrol="offensive"))
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), "support:guard:part", "dispatch:guard:japan:cruiser:3", flees="blue")
    assert played.battles[0].forces == {"kido", "guard-2", "tf"}
    part, rest = played.state.operation.fleet["guard-2"], played.state.operation.fleet["guard"]
    assert (part.voyage, part.patrol, part.at, part.group.task_force) == ("v1", "", (6, 0), False)
    assert (rest.voyage, rest.patrol, rest.at, rest.group.task_force) == ("", "offensive", (4, 3), True)
    assert [sum(one.group.ships.values()) for one in (part, rest)] == [3, 7]


@pytest.mark.rule("SOP-PA-E.2", "SOP-PA-E.2.b", "22.163")
def test_only_the_ships_that_left_the_patrol_hex_return_when_they_are_beaten() -> None:
    state = scene(force("guard", "red", "truk", cruisers=20, at=(4, 3), patrol="offensive"))
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), "support:guard:part", "dispatch:guard:japan:cruiser:5", flees="red")
    assert in_port(played, "guard-2", "kido")
    assert (played.state.operation.fleet["guard"].patrol, played.state.operation.fleet["guard"].inverted) == (
        "offensive",
        False,
    )


@pytest.mark.rule("SOP-PA-E.2")
@pytest.mark.parametrize(("ships", "going"), [("none", set()), ("10", {"guard"})])
def test_nobody_or_everybody_may_be_chosen(ships: str, going: set[str]) -> None:
    state = scene(force("guard", "red", "truk", cruisers=20, at=(4, 3), patrol="offensive"))
    intercept(state, "tf", "v1", (4, 0))
    orders = ("support:guard:part", f"dispatch:guard:japan:cruiser:{ships.replace('none', '0')}")
    played = cruise(state, passage.start("v1"), *orders, flees="blue")
    assert played.battles[0].forces == {"kido", "tf"} | going
    assert "guard-2" not in played.state.operation.fleet


@pytest.mark.rule("SOP-PA-E.2", "22.916B")
def test_some_submarines_of_a_patrol_may_support() -> None:
    state = scene(flotilla("boats", "red", "truk", 3, at=(4, 2), patrol="offensive"))
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), "support:boats:part", "factors:boats:1", flees="blue")
    boats = {key: (one.factors, one.patrol, one.at) for key, one in played.state.operation.flotillas.items()}
    assert boats["boats"] == (2, "offensive", (4, 2))
    gone = played.state.operation.flotillas["boats-2"]
    assert gone.inverted + gone.lost + gone.tried == 1


def offers(patrol: dict[str, Any], *, task_force: bool = False, seen: bool = False) -> list[str]:
    """How a patrol, or submarines on patrol, are asked to support."""
    state = scene(patrol)
    if "guard" in state.operation.fleet:
        state.operation.fleet["guard"].group.task_force, state.operation.fleet["guard"].seen = task_force, seen
    intercept(state, "tf", "v1", (4, 0))
    game = play(state, passage.start("v1"))
    while not offered(game)[0].startswith("support"):
        game.choose(offered(game)[0]) if isinstance(game.pending, Choose) else game.roll()
    return [text.rsplit(":", 1)[-1] for text in offered(game)]


@pytest.mark.rule("SOP-PA-E.2")
def test_a_part_may_go_if_there_may_be_several_ships() -> None:
    """21.4182A: one ship or factor goes or stays; of a task force nobody knows how many ships it has."""
    whole, parts = ["stay", "go"], ["stay", "go", "part"]
    at: dict[str, Any] = {"at": (4, 3), "patrol": "offensive"}
    yamato = force("guard", "red", "truk", "Yamato", **at)
    assert offers(yamato) == whole
    assert offers(force("guard", "red", "truk", destroyers=2, **at)) == parts
    assert offers(yamato, task_force=True) == parts
    assert offers(yamato, task_force=True, seen=True) == whole
    assert offers(flotilla("boats", "red", "truk", 1, **at)) == whole
    assert offers(flotilla("boats", "red", "truk", 2, **at)) == parts


@pytest.mark.rule("SOP-PA-E.2", "SOP-PA-E.2.b")
@pytest.mark.parametrize("struck", [False, True])
def test_ships_that_leave_a_patrol_have_done_what_it_has_done(struck: bool) -> None:
    state = scene(force("guard", "red", "truk", cruisers=20, at=(4, 3), patrol="offensive"))
    state.operation.struck = ["guard"] if struck else []
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), "support:guard:part", "dispatch:guard:japan:cruiser:5", flees="blue")
    assert ("guard-2" in played.state.operation.struck) == struck


@pytest.mark.rule("SOP-PA-E.2", "22.916B")
def test_at_least_one_factor_goes_and_one_stays() -> None:
    state = scene(flotilla("boats", "red", "truk", 3, at=(4, 2), patrol="offensive"))
    intercept(state, "tf", "v1", (4, 0))
    game = play(state, passage.start("v1"))
    while not offered(game)[0].startswith("factors"):
        part = [text for text in offered(game) if text == "support:boats:part"]
        game.choose((part or offered(game))[0]) if isinstance(game.pending, Choose) else game.roll()
    assert offered(game) == ["factors:boats:1", "factors:boats:2"]


@pytest.mark.rule("SOP-PA-E.2")
def test_by_option_a_patrol_supports_as_a_whole() -> None:
    for reading, offers in (("any-part", 3), ("whole-forces", 2)):
        state = scene(PATROL, flotilla("boats", "red", "truk", 2, at=(4, 2), patrol="offensive"))
        state.setting = replace(state.setting, options=Options(patrol_support=reading))
        intercept(state, "tf", "v1", (4, 0))
        game = play(state, passage.start("v1"))
        for who in ("guard", "boats"):
            while not offered(game)[0].startswith(f"support:{who}"):
                game.choose(offered(game)[0]) if isinstance(game.pending, Choose) else game.roll()
            assert len(offered(game)) == offers


# --- submarines in a battle: 22.914 -----------------------------------------------------------------------------


@pytest.mark.rule("22.914", "22.24B.3")
def test_submarines_that_intercept_in_the_hex_of_a_battle_take_part_in_it() -> None:
    """22.914: submarines that have intercepted in the hex of a battle attack in it, not apart from it."""
    state = scene(flotilla("boats", "blue", "noumea", 2))
    intercept(state, "tf", "v1", (4, 0))
    dive(state, "boats", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), flees="red", guns=True)
    assert played.places == ["4,0"]
    assert "1 submarine factor attacks TF" not in played.log()
    assert [roll for roll in played.rolled if "submarine" in roll], "fleet combat has shown where the enemy is"
    boats = played.state.operation.flotillas["boats"]
    assert (boats.factors, boats.inverted + boats.tried + boats.lost, boats.away) == (1, 1, 0)


@pytest.mark.rule("22.24B.3", "22.921")
def test_submarines_alone_make_no_naval_combat() -> None:
    """22.24B: submarines that reach the hex do not let others join who came late."""
    state = scene(flotilla("boats", "blue", "noumea"))
    intercept(state, "tf", "v1", (4, 0), arrives=2)
    dive(state, "boats", "v1", (4, 0))
    played = cruise(state, passage.start("v1"))
    assert not played.battles
    assert "1 submarine factor attacks" in played.log()
    assert in_port(played, "tf")
    assert not played.state.operation.fleet["tf"].inverted


# --- cargo, transports, ports: 22.282, 22.63 --------------------------------------------------------------------

CONVOY = force("convoy", "red", "truk", cruisers=4, laden_transports=3, cargo="troops", task_force=False)


@pytest.mark.rule("22.282", "22.81A.2")
@pytest.mark.parametrize(("loser", "barred"), [("red", ["solomons"]), ("blue", [])])
def test_transports_that_were_beaten_bar_their_zone(loser: str, barred: list[str]) -> None:
    """22.282: a force with transports that is beaten aborts; no more are used for that supply zone in this turn."""
    state = sea(*PORTS, TF, CONVOY, stage="combat", zones={"noumea": "solomons"})
    sail(state, "sea-transport", "convoy", (6, 0), base="noumea")
    intercept(state, "tf", "v1", (4, 0))
    assert cruise(state, passage.start("v1"), flees=loser).state.operation.barred_zones == barred


@pytest.mark.rule("22.63B", "22.63")
def test_laden_ships_return_to_their_base_of_origin() -> None:
    """22.63B: the escort of a beaten invasion may return to another port, the ships with the troops go where they came
    from."""
    landing = force("landing", "red", "truk", cruisers=4, laden_destroyers=3, cargo="troops", task_force=False)
    state = sea(*PORTS, TF, landing, stage="combat")
    sail(state, "seaborne-invasion", "landing", (6, 0))
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), "return:landing/gone:rabaul", flees="red")
    homes = {force.base: force.group for force in played.state.operation.fleet.values() if force.side == "red"}
    assert set(homes) == {"truk", "rabaul"}
    assert all(which.laden for which in homes["truk"].ships)
    assert homes["truk"].cargo == "troops"
    assert not any(which.laden for which in homes["rabaul"].ships)
    assert (homes["rabaul"].cargo, homes["rabaul"].carried) == ("", 0)
    assert played.state.battle.phase == 0


@pytest.mark.rule("22.63B")
def test_ships_with_cargo_and_their_escort_stay_one_force_if_all_go_where_they_came_from() -> None:
    landing = force("landing", "red", "truk", cruisers=4, laden_destroyers=3, cargo="troops", task_force=False)
    state = sea(*PORTS, TF, landing, stage="combat")
    sail(state, "seaborne-invasion", "landing", (6, 0))
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), "return:landing/gone:origin", flees="red")
    assert [key for key, force in played.state.operation.fleet.items() if force.side == "red"] == ["landing"]


@pytest.mark.rule("22.63", "22.63A")
@pytest.mark.parametrize(("activity", "asked"), [("shore-bombardment", True), ("base-change", False)])
def test_after_a_change_of_base_ships_return_to_where_they_came_from(activity: str, asked: bool) -> None:
    """22.63A: who was beaten on a change of base goes back; others choose among ports within 20 hexes."""
    state = scene(activity=activity)
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), flees="red")
    assert ("return:kido/gone" in played.asked) == asked
    assert played.state.operation.fleet["kido"].base == "truk"


@pytest.mark.rule("22.63C")
def test_ships_do_not_return_to_a_base_that_is_invaded() -> None:
    """22.63C: in the combat stage the invaded base is not among those that are offered, nor where others go by
    themselves, if there is another."""
    landing = force("landing", "red", "truk", cruisers=4, laden_destroyers=3, cargo="troops", task_force=False)
    state = sea(*PORTS, TF, landing, stage="combat")
    sail(state, "seaborne-invasion", "landing", (9, 0), base="noumea")
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), "return:tf:suva", flees="red")
    assert played.state.operation.fleet["tf"].base == "suva"
    one_base = sea(TRUK, NOUMEA, TF, landing, stage="combat")
    sail(one_base, "seaborne-invasion", "landing", (9, 0), base="noumea")
    intercept(one_base, "tf", "v1", (4, 0))
    assert cruise(one_base, passage.start("v1"), flees="red").state.operation.fleet["tf"].base == "noumea", (
        "the only one"
    )


@pytest.mark.rule("22.63")
def test_ports_without_room_are_not_offered() -> None:
    """22.63: ships return to another port only if it has room for them: a port holds 50 factors."""
    full = [force(f"full{n}", "blue", "suva", cruisers=24) for n in (1, 2)]
    state = scene(*full)
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), "return:tf:sydney", flees="red")
    assert played.state.operation.fleet["tf"].base == "sydney"
    state = scene(*full)
    intercept(state, "tf", "v1", (4, 0))
    with pytest.raises(AssertionError, match="never asked"):
        cruise(state, passage.start("v1"), "return:tf:suva", flees="red")


@pytest.mark.rule("22.63")
@pytest.mark.parametrize("destroyers", [4, 5])
def test_transports_need_room_in_the_port_that_they_return_to(destroyers: int) -> None:
    """22.63: a port that has room for the escorts alone does not take their transports as well."""
    full = [force("full1", "red", "palau", cruisers=24), force("full2", "red", "palau", cruisers=16)]
    full.append(force("full3", "red", "palau", destroyers=destroyers))
    convoy = force("convoy", "red", "truk", cruisers=4, transports=2)
    state = sea(*PORTS, port("palau", "red", (5, 3)), TF, convoy, *full, stage="combat")
    assert sail(state, "sea-escort", "convoy", (9, 0)) == "v1"
    intercept(state, "tf", "v1", (4, 0))
    if destroyers == 4:
        played = cruise(state, passage.start("v1"), "return:convoy/gone:palau", flees="red")
        assert played.state.operation.fleet["convoy"].base == "palau"
    else:
        with pytest.raises(AssertionError, match="never asked"):
            cruise(state, passage.start("v1"), "return:convoy/gone:palau", flees="red")


@pytest.mark.rule("22.63")
def test_each_group_that_returns_to_a_port_takes_room_in_it() -> None:
    """22.63: Suva has room for one of two groups of the same battle; who goes there leaves room where he came from."""
    full = [force("full1", "blue", "suva", cruisers=24), force("full2", "blue", "suva", cruisers=10)]
    second = force("tf2", "blue", "noumea", "Iowa", cruisers=8)
    state = scene(second, *full)
    intercept(state, ["tf", "tf2"], "v1", (4, 0))
    played = cruise(state, passage.start("v1"), "return:tf:suva", flees="red")
    assert {key: played.state.operation.fleet[key].base for key in ("tf", "tf2")} == {"tf": "suva", "tf2": "noumea"}
    state = scene(second, *full)
    intercept(state, ["tf", "tf2"], "v1", (4, 0))
    with pytest.raises(AssertionError, match="never asked"):
        cruise(state, passage.start("v1"), "return:tf:suva", "return:tf2:suva", flees="red")


# --- carrier air: 22.74 -----------------------------------------------------------------------------------------


@pytest.mark.rule("22.74", "22.74-EX")
def test_carrier_air_fights_again_although_its_carriers_are_inverted() -> None:
    """22.74, the example: the carriers were intercepted on their mission and are inverted; as they redeploy and are
    intercepted again their squadrons fight."""
    carriers = force("strike", "red", "truk", "Akagi", "Kaga", "Soryu", cruisers=10, air=9)
    state = sea(*PORTS, TF, carriers, stage="redeployment")
    state.operation.fleet["strike"].inverted = True
    sail(state, "redeployment", "strike", (6, 0), base="rabaul")
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), flees="blue")
    assert played.places == ["4,0"]
    assert "patrol:1:9" not in played.asked
    assert any(verb.startswith("patrol:1") for verb in played.asked), "combat air patrol is flown"


@pytest.mark.rule("22.132B", "23.752A")
def test_no_air_attack_apart_from_the_battle() -> None:
    """22.132B: in the hex of naval combat air units take part in it; in all other hexes they may attack on the way."""
    near = port("lae", "blue", (4, 2), "3 united-states army")
    quiet = cruise(scene(near), passage.start("v1")).asked.count("sortie:v1")
    state = scene(near)
    intercept(state, "tf", "v1", (4, 0))
    assert cruise(state, passage.start("v1"), flees="blue").asked.count("sortie:v1") == quiet - 1 == 4


@pytest.mark.rule("22.163A", "SOP-NI-F.2.a")
def test_patrols_do_not_help_those_who_counter_elsewhere() -> None:
    """22.163A: patrols come to the interception hex alone, not to where a counter-interception is countered, although
    it is their own side that is met there."""
    guard = force("guard", "red", "truk", cruisers=10, at=(5, 2), patrol="offensive")
    state = scene(force("third", "blue", "sydney", cruisers=10), guard)
    counter = intercept(state, "cover", intercept(state, "tf", "v1", (4, 0)), (6, 0))
    at = state.operation.voyages[counter].path[3]
    intercept(state, "third", counter, at)
    played = cruise(state, passage.start("v1"), flees="blue")
    assert (played.battles[0].at, played.battles[0].level) == (f"{at[0]},{at[1]}", 3)
    assert "support:guard" not in played.asked[: played.asked.index("withdraw")]


@pytest.mark.rule("22.81C")
def test_who_has_countered_takes_over_what_he_protected() -> None:
    """22.81C: of two forces that are met together each has its own interceptor; who countered that of the second adopts
    the second's mission."""
    state = scene(force("two", "red", "truk", cruisers=10), force("tf2", "blue", "noumea", cruisers=10))
    second = sail(state, "shore-bombardment", "two", (6, 0))
    intercept(state, "tf", "v1", (4, 0))
    intercept(state, "cover", intercept(state, "tf2", second, (4, 0)), (4, 0))
    played = cruise(state, passage.start("v1"), flees="blue")
    assert played.battles[0].forces == {"kido", "two", "tf", "tf2", "cover"}
    assert played.state.operation.fleet["cover"].voyage == second


@pytest.mark.rule("22.141", "22.19B")
def test_who_has_waited_for_a_battle_sails_on_when_he_is_told_to() -> None:
    """22.141: a force that was called to the hex where others are met with it stays there until its own turn comes."""
    state = scene(force("two", "red", "truk", cruisers=10))
    second = sail(state, "shore-bombardment", "two", (6, 0))
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), flees="blue")
    assert played.battles[0].forces == {"kido", "two", "tf"}
    assert played.state.operation.fleet["kido"].at == (6, 0)
    assert played.state.operation.fleet["two"].at == (4, 0)
    assert played.state.operation.voyages[second].is_open
