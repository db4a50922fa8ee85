"""Submarines outside naval combat: 22.915, 22.917, 22.92, 22.921, 22.9416C; attacks on those on patrol: 23.43C."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest

from flagplot.awaw.battle.substitutes import lose_substitutes, substitutes
from flagplot.awaw.battle.withdrawal import announcing_order
from flagplot.awaw.counting import add
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.battles.scenes import bring_in
from flagplot.awaw.operations.passage.air_attacks import may_be_attacked
from flagplot.awaw.operations.passage.homeward import new_voyage
from flagplot.awaw.operations.passage.passage import from_below
from flagplot.awaw.operations.passage.submarine_attacks import may_be_hunted
from flagplot.awaw.operations.patrols.submarine_patrols import uninvert_submarines
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import air_attack, operation, passage, submarine_hunt, submarine_interception
from flagplot.awaw.scenario import read_state
from flagplot.awaw.state.operation import Activity, Encounter, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Scripted
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Roll
from tests.awaw import seas
from tests.awaw.scenes import short
from tests.awaw.seas import flotilla, force, ocean, offered, play, port, sail, sea, steer
from tests.awaw.voyages import cruise, dive, go_on_until, intercept

ISLE = "isle:united-states"
Dice = Sequence[tuple[str | int, ...]]


def wolves(
    *boats: str,
    air: Sequence[str] = (),
    ships: dict[str, Any] | None = None,
    more: Sequence[dict[str, Any]] = (),
    **plan: Any,
) -> tuple[State, str]:
    """Red ships on their way; submarines of these flotillas have intercepted them in the hex that they are in."""
    state = sea(
        port("truk", "red", (0, 0), *air),
        port("isle", "blue", (3, 0)),
        force("van", "red", "truk", **(ships or {"cruisers": 8, "destroyers": 2})),
        *[flotilla(name, "blue", "isle", 0, away=boats.count(name)) for name in dict.fromkeys(boats)],
        *more,
        **({"pacific": True} | plan),
    )
    key = sail(state, "base-change", "van", (6, 0), step=2)
    for name in boats:
        lurk(state, key, name)
    state.operation.encounter = Encounter(state.operation.voyages[key].at, key, 1, [key, "v2"])
    return state, key


def lurk(state: State, key: str, boats: str, *, ahead: int = 0) -> str:
    """One submarine waits for a voyage, in its hex or so many hexes ahead."""
    voyage = state.operation.voyages[key]
    at = voyage.path[voyage.step + ahead]
    made = Voyage("blue", Activity.INTERCEPTION, [], (at,), level=1, target=key, meet=at, flotilla=boats, arrives=1)
    made.progress = Progress.ARRIVED
    return new_voyage(state, made)


def ambush(state: State, key: str, *orders: str, dice: Dice) -> Game[State]:
    with Scripted(*dice) as rolls:
        return steer(play(state, submarine_interception.start(key), dice=rolls), *orders)


def modifiers(game: Game[State]) -> list[str]:
    """Go on to the next submarine attack; the reasons of its modifiers."""
    while not (isinstance(game.pending, Roll) and "submarine attack on" in str(game.pending)):
        assert game.pending is not None
        if isinstance(game.pending, Roll):
            game.roll()
        else:
            game.choose(offered(game)[0])
    assert isinstance(game.pending, Roll)
    return [f"{line.amount:+d} {line.rule}" for line in game.pending.ledger.lines]


@pytest.mark.rule("23.443A.2", "22.28A")
def test_ships_that_submarines_have_damaged_may_be_sent_home() -> None:
    state, key = wolves("boats", ships={"cruisers": 10})
    dice = [("submarine attack", 4, 3)]
    game = ambush(state, key, "send-home:van:japan:cruiser:damaged:1", dice=dice)
    (home,) = [voyage for voyage in game.state.operation.voyages.values() if voyage.activity is Activity.RETURN]
    (part,) = game.state.operation.sailing(home).values()
    assert [which.damaged for which in part.group.ships] == [True]


# --- destroyers in port that are lost instead: 22.9432, 22.9434 -------------------------------------------------

SINKS = [("submarine attack", 5, 5)]
"""Two hits."""


def reserves(*more: dict[str, Any], activity: str = "base-change", **state: Any) -> tuple[State, str]:
    """Ten destroyers from Truk have met a submarine; more forces may be anywhere."""
    made, key = wolves("boats", ships={"destroyers": 10}, more=more, **state)
    made.operation.voyages[key].activity = Activity(activity)
    return made, key


@pytest.mark.rule("22.9432")
def test_destroyers_of_the_base_of_origin_are_lost_instead() -> None:
    """22.9432: all, some or none of the losses, by destroyers in the base from which the force came."""
    state, key = reserves(force("rear", "red", "truk", cruisers=2, destroyers=2))
    game = ambush(state, key, "elsewhere:japan:destroyer:rear:1", dice=SINKS)
    assert sum(game.state.operation.fleet["van"].group.ships.values()) == 9
    assert {which.kind: number for which, number in game.state.operation.fleet["rear"].group.ships.items()} == {
        "cruiser": 1,
        "destroyer": 1,
    }
    assert sum(game.state.losses.ships.values()) == 2
    assert "1 Japanese destroyer factor lost in Truk" in "\n".join(map(str, game.log("blue")))


@pytest.mark.rule("22.9432", "22.61A")
@pytest.mark.parametrize(("taken", "first"), [(0, "red"), (2, "blue")])
def test_destroyers_lost_in_port_are_not_lost_in_the_round(taken: int, first: str) -> None:
    """22.61A: as in a battle by itself, where they are only counted, they do not make their side the loser of it."""
    state, _ = reserves(force("rear", "red", "truk", destroyers=2))
    bring_in(state, "van")
    (which,) = state.battle.groups["van"].ships
    if taken:
        lose_substitutes(state, "red", "rear", which, taken)
    else:
        add(state.losses.ships, which, 2)
    assert announcing_order(state)[0] == first


@pytest.mark.rule("22.9432")
@pytest.mark.parametrize("first", [0, 1, 2])
def test_no_loss_is_taken_twice(first: int) -> None:
    """Two are sunk: the second force takes at most what the first one has left."""
    state, key = reserves(*[force(name, "red", "truk", destroyers=2, task_force=False) for name in ("one", "two")])
    with Scripted(*SINKS) as rolls:
        game = play(state, submarine_interception.start(key), dice=rolls)
        modifiers(game)
        game.roll()
    assert offered(game) == [f"elsewhere:japan:destroyer:one:{number}" for number in range(3)]
    game.choose(f"elsewhere:japan:destroyer:one:{first}")
    second = [text for text in offered(game) if text.startswith("elsewhere:japan:destroyer:two:")]
    assert len(second) == (3 - first if first < 2 else 0), "nothing is left to ask"


@pytest.mark.rule("22.9432", "22.9434")
@pytest.mark.parametrize(
    ("rear", "activity", "asked"),
    [
        (force("rear", "red", "truk", destroyers=2), "base-change", True),
        (force("rear", "red", "truk", destroyers=2, inverted=True), "base-change", False),
        (force("rear", "red", "truk", cruisers=2), "base-change", False),
        (force("rear", "red", "truk", laden_destroyers=2, cargo="oil"), "base-change", False),
        (force("rear", "red", "truk", destroyers=2, nation="germany"), "base-change", False),
        (force("rear", "red", "truk", destroyers=2, at=(1, 0), patrol="offensive"), "base-change", False),
        (force("rear", "red", "far", destroyers=2), "base-change", False),
        (force("rear", "red", "far", destroyers=2), "sea-supply", True),
    ],
)
def test_only_uninverted_destroyers_in_the_right_ports_take_losses(
    rear: dict[str, Any], activity: str, asked: bool
) -> None:
    """22.9434: those in a port through which a supply line passes as well."""
    state, key = reserves(port("far", "red", (6, 0)), rear, activity=activity)
    game = ambush(state, key, dice=SINKS)
    assert ("hit: lose how many" in "\n".join(map(str, game.log("umpire")))) is asked


@pytest.mark.rule("22.9432")
def test_the_enemy_does_not_learn_whether_a_hidden_task_force_has_destroyers() -> None:
    logs = []
    for hidden in (force("rear", "red", "truk", cruisers=10), force("rear", "red", "truk", cruisers=8, destroyers=2)):
        state, key = reserves(hidden)
        logs.append([str(entry) for entry in ambush(state, key, dice=SINKS).log("blue")])
    assert logs[0] == logs[1]


@pytest.mark.rule("22.9432")
def test_what_the_enemy_sees_of_the_destroyers_in_port() -> None:
    """22.9432: he sees how many there are, unless a task force that he has not seen lies there among others."""
    state, _ = reserves(force("rear", "red", "truk", destroyers=2), force("more", "red", "truk", cruisers=10))
    bring_in(state, "van")
    group = state.battle.groups["van"]
    (which,) = group.ships
    more = state.operation.fleet["more"]
    assert substitutes(state, group, which) == ({"rear": 2}, True)
    more.seen = True
    assert substitutes(state, group, which) == ({"rear": 2}, False)
    more.seen, more.group.task_force = False, False
    assert substitutes(state, group, which) == ({"rear": 2}, False)


@pytest.mark.rule("22.92")
@pytest.mark.parametrize(("factors", "tried", "home"), [(1, 1, False), (0, 1, False), (1, 0, False), (0, 0, True)])
def test_uninverted_submarines_are_in_port_while_others_stay_on_patrol(factors: int, tried: int, home: bool) -> None:
    boats = flotilla("boats", "blue", "isle", factors, at=(2, 0), patrol="defensive", tried=tried, inverted=3)
    state = sea(port("truk", "red", (0, 0)), port("isle", "blue", (3, 0)), boats)
    uninvert_submarines(state, "boats")
    there = [(one.at, one.patrol, one.factors, one.inverted) for one in state.operation.flotillas.values()]
    ready = ((3, 0), "", 3, 0)
    assert there == ([ready] if home else [((2, 0), "defensive", factors, 0), ready])


@pytest.mark.rule("22.9432", "22.14C")
def test_a_task_force_in_port_that_has_lost_destroyers_may_be_too_small() -> None:
    state, key = reserves(force("rear", "red", "truk", cruisers=8, destroyers=2))
    game = ambush(state, key, "elsewhere:japan:destroyer:rear:1", dice=SINKS)
    assert not game.state.operation.fleet["rear"].group.task_force


@pytest.mark.rule("22.9432")
def test_destroyers_that_a_file_counts_are_lost_instead_on_the_map_too() -> None:
    data = tomllib.loads(files("flagplot.scenarios").joinpath("norwegian-sortie.toml").read_text())
    assert read_state(data | {"destroyers_elsewhere": {"britain": 3}}, Options()).elsewhere.destroyers == {"britain": 3}
    state, key = reserves()
    state.elsewhere.destroyers = {"red": 2}
    game = ambush(state, key, "elsewhere:japan:destroyer:1", dice=SINKS)
    assert sum(game.state.operation.fleet["van"].group.ships.values()) == 9
    assert game.state.elsewhere.destroyers == game.view("red").data["destroyers_elsewhere"] == {"red": 1}


@pytest.mark.rule("22.915", "22.921", "22.9416C")
def test_submarines_that_intercepted_in_one_hex_attack_one_by_one_as_in_one_round() -> None:
    state, key = wolves("boats", "others")
    ahead = lurk(state, key, "boats", ahead=1)
    state.operation.flotillas["boats"].away += 1
    rolls = Scripted(("submarine attack", 3, 3), ("submarine attack", 3, 3))
    game = play(state, submarine_interception.start(key), dice=rolls)
    assert not any("22.9416" in reason for reason in modifiers(game))
    game.roll()
    assert any(reason.startswith("-1 22.9416") for reason in modifiers(game))
    game.roll()
    steer(game)
    left = game.state.operation.flotillas
    assert (left["boats"].inverted, left["boats"].away) == (1, 1), "one has attacked, one waits elsewhere"
    assert left["others"].inverted == 1
    assert game.state.operation.voyages[ahead].progress is Progress.ARRIVED
    assert all(game.state.operation.voyages[other].progress is Progress.OVER for other in ("v2", "v3"))


@pytest.mark.rule("22.28A", "22.92")
def test_a_force_that_submarines_attacked_may_abort_and_the_lost_do_not_return() -> None:
    state, key = wolves("boats")
    game = ambush(state, key, dice=[("submarine attack", 1, 1)])
    assert game.state.operation.voyages[key].attacked
    boats = game.state.operation.flotillas["boats"]
    assert (boats.lost, boats.inverted, boats.away, boats.factors) == (1, 0, 0, 0)
    assert game.state.operation.encounter is None
    assert game.state.scene is game.state.operation.between


@pytest.mark.rule("22.92")
def test_a_submarine_that_finds_its_target_sunk_is_not_inverted() -> None:
    state, key = wolves("boats", "boats", ships={"destroyers": 1})
    game = ambush(state, key, dice=[("submarine attack", 6, 6)])
    boats = game.state.operation.flotillas["boats"]
    assert (boats.inverted, boats.tried, boats.away) == (1, 1, 0)
    assert "van" not in game.state.operation.fleet


@pytest.mark.rule("22.917", "23.75A.1")
def test_a_submarine_on_its_way_to_intercept_is_not_attacked() -> None:
    state, _ = wolves("boats", air=["4 japan naval"])
    assert not may_be_attacked(state, state.operation.voyages["v2"])
    state.operation.voyages["v2"].flotilla, state.operation.voyages["v2"].forces = "", ["van"]
    assert may_be_attacked(state, state.operation.voyages["v2"]), "ships would be"


@pytest.mark.rule("22.9415B", "22.9415B.1", "22.9415B.2", "22.9415B.3")
@pytest.mark.parametrize(
    ("front", "pacific", "counts"),
    [("Western", False, True), ("Mediterranean", False, False), ("", False, True), ("Eastern", True, True)],
)
def test_excess_asw_counts_on_the_western_front_and_anywhere_in_the_pacific(
    front: str, pacific: bool, counts: bool
) -> None:
    board = ocean(pacific=pacific)
    if front:
        rows = tuple("F" * len(row) for row in board.rows)
        board = replace(board, front_rows=rows, front_names=(("F", front),))
    asw = {"red": {"factors": 6, "submarines": 0}}
    state, key = wolves("boats", board=board, settings={"asw": asw})
    game = play(state, submarine_interception.start(key), dice=Scripted(("submarine attack", 3, 3)))
    assert any(reason.startswith("-2 22.9415") for reason in modifiers(game)) is counts


# --- with an air attack in the same hex -------------------------------------------------------------------------


@pytest.mark.rule("23.161.1", "22.9413B")
def test_squadrons_that_searched_in_the_hex_count_and_those_that_struck_do_not_search() -> None:
    state = sea(
        port("truk", "red", (0, 0)),
        port("isle", "blue", (3, 0), "4 united-states army", "1 united-states naval"),
        force("van", "red", "truk", cruisers=8, destroyers=2),
        flotilla("boats", "blue", "isle", 0, away=1),
        pacific=True,
    )
    key = sail(state, "base-change", "van", (6, 0), step=2)
    lurk(state, key, "boats")
    orders = ["number:van:1", f"search:{ISLE}:army:search:3", "strike:1"]
    with Scripted(("search", 1, 1, 1), ("air defense", 1, 1), ("attack on", 1, 1)) as dice:
        game = steer(play(state, air_attack.start(key), dice=dice), f"sortie:{key}:yes", *orders)
    later = game.state
    later.operation.encounter = Encounter(later.operation.voyages[key].at, key, 1, [key, "v2"])
    game = play(later, submarine_interception.start(key), dice=Scripted(("submarine attack", 2, 2)))
    while not offered(game)[0].startswith("search:"):
        game.choose(offered(game)[0])
    assert offered(game) == [f"search:{ISLE}:army:search:{number}" for number in range(2)], (
        "the fourth, and no naval air"
    )
    assert any(reason.startswith("+1 22.9413") for reason in modifiers(game)), "three have searched"
    steer(game)
    isle = game.state.sites["isle"]
    assert short(isle.air) == {
        "united-states army attack": 4,
        "united-states army cover": 4,
        "united-states army search": 4,
        "united-states naval": 1,
    }
    assert short(isle.used) == {"united-states army search": 3, "united-states naval": 1}
    assert not isle.committed


@pytest.mark.rule("22.24B.3", "22.92")
def test_a_submarine_that_would_come_late_does_not_attack_without_naval_combat() -> None:
    state, key = wolves("boats", "boats")
    state.operation.voyages["v3"].arrives = 2
    game = ambush(state, key, dice=[("submarine attack on", 3, 3)])
    assert any("1 submarine factor attacks" in str(line) for line in game.log("red"))
    assert game.state.operation.voyages["v3"].progress is not Progress.OVER


@pytest.mark.rule("22.24B.3", "22.914", "22.92")
@pytest.mark.parametrize("ships", [True, False])
def test_a_submarine_that_is_late_needs_naval_combat_to_join(ships: bool) -> None:
    """22.24B: a submarine that fell short joins the battle in its round; if those who were in time have been stopped
    there is none, and it returns without having attacked (22.92)."""
    boats = flotilla("boats", "blue", "noumea")
    state = sea(seas.TRUK, seas.NOUMEA, seas.KIDO, seas.TF, boats, stage="combat")
    sail(state, "shore-bombardment", "kido", (6, 0))
    if ships:
        intercept(state, "tf", "v1", (4, 0))
    late = state.operation.voyages[dive(state, "boats", "v1", (4, 0))]
    voyage = state.operation.voyages["v1"]
    for arrives in (1, 2):
        late.arrives, voyage.step = arrives, 4
        assert bool(from_below(state, "v1")) == (arrives == 1), "by itself it attacks if it is in time"
    voyage.step, state.operation.encounter = -1, None
    game = play(state, passage.start("v1"))
    asked = go_on_until(game, "withdraw" if ships else "nothing more")
    assert [submarines.arrives for submarines in game.state.battle.submarines] == [2] * ships
    if not ships:
        assert not asked
        assert game.state.operation.voyages["v1"].progress is Progress.ARRIVED
        assert not game.state.operation.flotillas["boats"].inverted


# --- submarines on patrol are attacked --------------------------------------------------------------------------


def hunted(*air: str, boats: int = 3, **more: Any) -> State:
    """Red moves; Blue submarines have stayed on patrol two hexes from its base."""
    return sea(
        port("truk", "red", (0, 0), *(air or ("4 japan naval",)), **more.pop("truk", {})),
        port("isle", "blue", (3, 0), "2 united-states naval"),
        flotilla("boats", "blue", "isle", boats, at=(2, 0), patrol=more.pop("patrol", "defensive")),
        pacific=True,
        **more,
    )


TRUK = "truk:japan:naval:squadrons"


def hunt(state: State, *orders: str, dice: Dice) -> Game[State]:
    with Scripted(*dice) as rolls:
        return steer(play(state, submarine_hunt.start("boats"), dice=rolls), "hunt:boats:yes", *orders)


HUNT = (f"search:{TRUK}:1", "strike:1", f"fly:{TRUK}:3")


@pytest.mark.rule("23.43C", "18.511B", "22.913")
def test_submarines_are_attacked_only_on_patrol_while_the_other_side_moves() -> None:
    assert may_be_hunted(hunted(), "boats")
    assert may_be_hunted(hunted(boats=1), "boats")
    assert not may_be_hunted(hunted(boats=0), "boats")
    assert not may_be_hunted(hunted(patrol=""), "boats")
    assert not may_be_hunted(hunted(stage="combat"), "boats")
    assert not may_be_hunted(hunted(options=Options(air_against_submarines="none")), "boats")
    assert not may_be_hunted(hunted("1 japan naval"), "boats")
    own = hunted()
    own.operation.flotillas["boats"].side = "red"
    assert not may_be_hunted(own, "boats")


@pytest.mark.rule("18.45")
def test_only_air_that_reaches_their_hex_attacks_them() -> None:
    state = hunted()
    state.operation.flotillas["boats"].at = (3, 0)
    assert may_be_hunted(state, "boats")
    state.operation.flotillas["boats"].at = (4, 0)
    assert not may_be_hunted(state, "boats"), "naval air flies three hexes"


@pytest.mark.rule("SOP-PA-E.7", "18.511B")
@pytest.mark.parametrize(
    ("side", "at", "stage", "asked"),
    [
        ("blue", (2, 0), "movement", 1),
        ("blue", (2, 0), "combat", 0),
        ("blue", (16, 0), "movement", 0),
        ("red", (2, 0), "movement", 0),
    ],
)
def test_land_based_air_is_asked_once_about_enemy_submarines_in_range(
    side: str, at: Hex, stage: str, asked: int
) -> None:
    """SOP-PA-E.7, 18.511B: in the movement stage each patrol of enemy submarines in range may be attacked, once."""
    home = {"red": "truk", "blue": "noumea"}[side]
    boats = flotilla("boats", side, home, 2, at=at, patrol="defensive")
    ports = port("truk", "red", (0, 0), "2 japan army"), port("noumea", "blue", (20, 0))
    state = sea(*ports, boats, stage=stage, stages=(stage,))
    assert cruise(state, operation).asked.count("hunt:boats") == asked


@pytest.mark.rule("18.51.1")
def test_it_is_a_mission_from_bases_that_are_fully_supplied() -> None:
    assert may_be_hunted(hunted(), "boats")
    assert not may_be_hunted(hunted(truk={"supply": "partial"}), "boats")
    assert not may_be_hunted(hunted(truk={"oil": True}), "boats")


@pytest.mark.rule("23.43C")
def test_each_hit_is_a_factor_lost_and_there_are_no_guns() -> None:
    game = hunt(hunted(), *HUNT, dice=[("search", 1), ("attack on the American submarines", 2, 2)])
    boats = game.state.operation.flotillas["boats"]
    assert (boats.factors, boats.lost) == (2, 1)


@pytest.mark.rule("23.4211D")
def test_submarines_never_make_an_air_defense_roll() -> None:
    """Their side has air defense research, which gives anybody else without guns a roll."""
    state = hunted(settings={"research": {"united-states": {"air_defense": 2}}})
    game = hunt(state, *HUNT, dice=[("search", 1), ("attack on the American submarines", 6, 6)])
    told = "\n".join(map(str, game.log("red")))
    assert "the American submarines in" in told
    assert "air defense" not in told


@pytest.mark.rule("23.43C")
@pytest.mark.parametrize(("number", "faces", "words"), [(1, (1, 1), []), (3, (2, 2), ["1 submarine factor lost"])])
def test_the_factors_lost_are_counted_in_words(number: int, faces: tuple[int, int], words: list[str]) -> None:
    orders = (*HUNT[:2], f"fly:{TRUK}:{number}")
    game = hunt(hunted(), *orders, dice=[("search", 1), ("attack on the American submarines", *faces)])
    told = [entry.text.split(": ")[-1] for entry in game.log("red") if entry.rule in ("23.43C", "23.752D")]
    assert told[-1:] == words


@pytest.mark.rule("18.42A", "23.43C")
def test_those_who_flew_are_inverted() -> None:
    game = hunt(hunted(), f"search:{TRUK}:1", "strike:1", f"fly:{TRUK}:2", dice=[("search", 1), ("attack on", 6, 6)])
    assert short(game.state.sites["truk"].air) == {"japan naval": 1, "japan naval inverted": 3}
    assert not game.state.sites["truk"].used
    assert not game.state.sites["truk"].committed
    assert game.state.operation.attack is None


@pytest.mark.rule("23.162")
def test_who_was_used_at_sea_flies_no_such_mission() -> None:
    state = hunted("6 japan naval")
    which = next(iter(state.sites["truk"].air))
    state.sites["truk"].used = {which: 3}
    game = play(state, submarine_hunt.start("boats"), dice=Scripted())
    game.choose("hunt:boats:yes")
    while not offered(game)[0].startswith("search:"):
        game.choose(offered(game)[0])
    assert offered(game)[-1] == f"search:{TRUK}:3"


@pytest.mark.rule("23.43C")
def test_they_may_be_covered_and_not_be_found() -> None:
    game = hunt(hunted(), f"search:{TRUK}:1", "cover:isle:united-states:naval:squadrons:2", dice=[("search", 6)])
    assert game.state.operation.flotillas["boats"].factors == 3
    assert short(game.state.sites["isle"].air) == {"united-states naval": 2}
