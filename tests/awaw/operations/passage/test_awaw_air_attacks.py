"""Air attacks on naval forces on their way: 22.132, 23.161, 23.164, 23.23, 23.34, 23.71-23.75 outside naval combat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from flagplot.awaw.air_units import Role
from flagplot.awaw.battle.air_plan import STRIKERS, eligible
from flagplot.awaw.counterair import break_down_site
from flagplot.awaw.mapboard.board import Box
from flagplot.awaw.operations.battles.scenes import bring_in, set_scene
from flagplot.awaw.operations.passage.air_attacks import is_exempt, may_be_attacked
from flagplot.awaw.operations.passage.homeward import new_voyage
from flagplot.awaw.operations.passage.naval_air import invert_used
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import air_attack, encounter, naval_battle, operation, passage
from flagplot.awaw.state.operation import Activity, Encounter, Flotilla, Order, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Scripted, Seeded
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose, Roll
from tests.awaw import seas
from tests.awaw.looks import look
from tests.awaw.scenes import one, short
from tests.awaw.seas import force, least, ocean, offered, order, play, port, sail, sea, steer
from tests.awaw.voyages import cruise, go_on_until, reaching

ISLE = "isle:united-states:naval:squadrons"
ARMY = "isle:united-states:army"
Dice = Sequence[tuple[str | int, ...]]


def cross(*air: str, forces: Sequence[dict[str, Any]] = (), at: int = 2, **more: Any) -> tuple[State, str]:
    """Red ships from Truk pass Isle, a Blue base three hexes to the east of it; they are so many hexes out."""
    entries = forces or [force("van", "red", "truk", "Kongo", cruisers=8, destroyers=2)]
    bases = more.pop("bases", [port("truk", "red", (0, 0))])
    isle = port("isle", "blue", (3, 0), *(air or ("4 united-states naval",)), **more.pop("isle", {}))
    state = sea(*bases, isle, *entries, pacific=True, **more)
    key = sail(state, "base-change", [entry["entry"]["id"] for entry in entries], (6, 0))
    state.operation.voyages[key].step = at
    return state, key


def attack(state: State, key: str, *orders: str, dice: Dice = ()) -> Game[State]:
    """Blue attacks the voyage where it is."""
    with Scripted(*dice) as rolls:
        return steer(play(state, air_attack.start(key), dice=rolls), f"sortie:{key}:yes", *orders)


def lines(game: Game[State], words: str) -> list[str]:
    """What the log says of something."""
    return [entry.text for entry in game.log("umpire") if words in entry.text]


def next_hex(game: Game[State], key: str) -> State:
    game.state.operation.voyages[key].step += 1
    return game.state


def asked_until(game: Game[State], verb: str, *orders: str) -> list[str]:
    """The verbs and rolls in order, up to a question of this verb; `orders` are given when they are offered."""
    seen = []
    while game.pending is not None:
        text = offered(game)[0]
        seen.append(text.split(":")[0] if isinstance(game.pending, Choose) else "roll")
        if seen[-1] == verb:
            return seen
        if isinstance(game.pending, Roll):
            game.roll()
        else:
            game.choose(next((order for order in orders if order in offered(game)), text))
    return seen


SEARCH_ONE = f"search:{ISLE}:1"
NUMBER = "number:van:1"
FOUND = ("search", 1)


# --- who is attacked, and by whom -------------------------------------------------------------------------------


@pytest.mark.rule("23.75A", "18.473", "18.58", "18.58A", "18.58C", "17.33C", "17.33D", "17.23C", "17.23D", "17.141D")
@pytest.mark.parametrize(
    ("air", "at", "able"),
    [
        ("2 united-states naval", 0, True),
        ("2 united-states naval", 6, True),
        ("1 united-states naval", 2, False),
        ("1 united-states army", 2, True),
        ("2 united-states naval inverted", 2, False),
        ("2 united-states transport", 2, False),
    ],
)
def test_who_has_search_and_attack_squadrons_in_range_may_attack(air: str, at: int, able: bool) -> None:
    state, key = cross(air, at=at)
    assert may_be_attacked(state, state.operation.voyages[key]) is able


@pytest.mark.rule("23.75A", "18.49", "18.51.2")
def test_out_of_range_from_boxes_and_from_bases_without_supply_nobody_attacks() -> None:
    far, key = cross("6 united-states naval")
    far.operation.voyages[key].path = ((7, 0),)
    far.operation.voyages[key].step = 0
    assert not may_be_attacked(far, far.operation.voyages[key])
    assert may_be_attacked(*_voyage_of(cross("6 united-states naval")))
    for unfit in ({"supply": "none"}, {"supply": "partial"}, {"oil": True}, {"winter": 9}):
        assert not may_be_attacked(*_voyage_of(cross("6 united-states naval", isle=unfit)))
    assert not may_be_attacked(*_voyage_of(cross("6 united-states naval", isle={"box": True})))


def _voyage_of(made: tuple[State, str]) -> tuple[State, Any]:
    return made[0], made[0].operation.voyages[made[1]]


@pytest.mark.rule("23.722", "23.75A")
def test_codebreaking_searches_for_a_single_squadron_and_the_enemys_costs_one() -> None:
    state, key = cross("1 united-states naval", settings={"codebreaking": "blue"})
    assert may_be_attacked(state, state.operation.voyages[key])
    state, key = cross("2 united-states naval", settings={"codebreaking": "red"})
    assert not may_be_attacked(state, state.operation.voyages[key])
    state, key = cross("3 united-states naval", settings={"codebreaking": "red"})
    assert may_be_attacked(state, state.operation.voyages[key])


@pytest.mark.rule("23.75A")
@pytest.mark.parametrize(("there", "committed", "able"), [(1, 0, True), (1, 1, False), (1, 2, False), (2, 1, True)])
def test_committed_squadrons_neither_search_nor_strike(there: int, committed: int, able: bool) -> None:
    """One of each kind is enough, two of one kind too; of those committed some may be lost already."""
    state, key = cross("1 united-states naval", f"{there} britain naval")
    site = state.sites["isle"]
    site.committed = {which: committed for which in site.air if which.nation == "britain"}
    assert may_be_attacked(state, state.operation.voyages[key]) is able
    site.air |= {which: 2 for which in site.air if which.nation == "united-states"}
    assert may_be_attacked(state, state.operation.voyages[key]), "two others are enough, whatever was lost"


@pytest.mark.rule("23.75A")
def test_search_squadrons_alone_do_not_attack() -> None:
    state, key = cross("3 united-states army")
    break_down_site(state, state.sites["isle"])
    site = state.sites["isle"]
    site.air = {which: number for which, number in site.air.items() if which.role is not Role.ATTACK}
    assert not may_be_attacked(state, state.operation.voyages[key])


@pytest.mark.rule("22.132B", "22.132A")
def test_where_there_was_naval_combat_there_is_no_air_attack_outside_it() -> None:
    state, key = cross()
    voyage = state.operation.voyages[key]
    voyage.fought_at.append(voyage.at)
    assert not may_be_attacked(state, voyage)
    voyage.step += 1
    assert may_be_attacked(state, voyage)


@pytest.mark.rule("23.75A.1")
def test_western_allied_transports_to_a_box_and_submarines_are_not_attacked() -> None:
    board = ocean(boxes=[Box("atlantic", "Atlantic", ((30, 0),))], pacific=True)
    state = sea(
        port("home", "blue", (0, 0)),
        port("isle", "red", (2, 0), "4 japan naval"),
        force("convoy", "blue", "home", transports=6),
        force("guard", "blue", "home", transports=2, destroyers=2),
        board=board,
    )
    convoy = sail(state, "base-change", "convoy", (3, 0), base="atlantic", step=1)
    assert is_exempt(state, state.operation.voyages[convoy])
    assert not may_be_attacked(state, state.operation.voyages[convoy])
    state.operation.voyages[convoy].base = "home"
    assert may_be_attacked(state, state.operation.voyages[convoy])
    guard = sail(state, "base-change", "guard", (3, 0), base="atlantic", step=1)
    assert may_be_attacked(state, state.operation.voyages[guard])
    state.operation.voyages[guard].flotilla = "boats"
    assert not may_be_attacked(state, state.operation.voyages[guard])


# --- the order of things ----------------------------------------------------------------------------------------

CARRIERS = force("kido", "red", "truk", "Akagi", "Kaga", cruisers=4, destroyers=6, air=6)
TRUK = port("truk", "red", (0, 0), "4 japan naval")
COVER = "cover:truk:japan:naval:squadrons"
PATROL = "patrol:1:red-at-sea:japan:naval:squadrons"


@pytest.mark.rule("23.23A", "23.23C", "23.34A", "23.34B", "17.33B", "17.33E", "18.58B", "18.63")
def test_the_attack_is_announced_then_cover_and_patrol_go_up_then_the_attacker_searches() -> None:
    state, key = cross(forces=[CARRIERS], bases=[TRUK])
    game = play(state, air_attack.start(key), dice=Scripted(("search", 1)))
    order = asked_until(game, "strike", f"sortie:{key}:yes", "number:kido:1", SEARCH_ONE)
    assert order == ["sortie", "number", "cover", "patrol", "search", "roll", "strike"]


@pytest.mark.rule("23.23A", "23.23B", "17.23B", "17.33B")
def test_as_much_cover_as_the_defender_likes_of_land_based_air_alone() -> None:
    truk = port("truk", "red", (0, 0), "4 japan naval", "1 japan army", "1 japan naval inverted")
    state, key = cross(forces=[CARRIERS], bases=[truk])
    game = play(state, air_attack.start(key), dice=Scripted())
    asked_until(game, "cover", f"sortie:{key}:yes")
    assert offered(game) == [f"cover:truk:japan:army:cover:{number}" for number in range(2)]
    game.choose("cover:truk:japan:army:cover:1")
    assert offered(game) == [f"{COVER}:{number}" for number in range(5)]
    game.choose(f"{COVER}:3")
    seen = look(game.state, "red")["sortie"]
    assert seen is not None
    assert [flight["count"] for flight in seen["cover"]] == [1, 3]
    assert "Red: air cover by" in "\n".join(map(str, game.log("blue")))
    assert offered(game)[0].startswith("patrol:")
    assert short(game.state.sites["truk"].air)["japan naval"] == 1


@pytest.mark.rule("23.23A", "23.23C")
def test_nobody_has_to_fly_cover() -> None:
    state, key = cross(bases=[TRUK])
    game = play(state, air_attack.start(key), dice=Scripted())
    asked_until(game, "cover", f"sortie:{key}:yes")
    assert offered(game) == [f"{COVER}:{number}" for number in range(5)]
    game.choose(f"{COVER}:0")
    assert not lines(game, "air cover by")


@pytest.mark.rule("18.45.2", "23.23B")
@pytest.mark.parametrize(("at", "asked"), [(3, True), (4, False)])
def test_cover_comes_from_bases_in_range(at: int, asked: bool) -> None:
    state, key = cross(bases=[TRUK], at=at)
    game = play(state, air_attack.start(key), dice=Scripted())
    verbs = asked_until(game, "search", f"sortie:{key}:yes")
    assert ("cover" in verbs) is asked


@pytest.mark.rule("23.34A", "23.34C", "17.33E")
def test_a_third_of_the_squadrons_in_each_hex_flies_patrol() -> None:
    state, key = cross(forces=[CARRIERS])
    game = play(state, air_attack.start(key), dice=Scripted(FOUND, ("air combat", 4, 4), ("air combat", 1, 1)))
    orders = [f"sortie:{key}:yes", "number:kido:1"]
    asked_until(game, "patrol", *orders)
    assert offered(game) == [f"{PATROL}:{number}" for number in range(3)]
    game.choose(f"{PATROL}:2")
    asked_until(game, "engage", SEARCH_ONE, "strike:1", f"fly:{ISLE}:3")
    assert offered(game) == [f"engage:red-at-sea:japan:naval:squadrons:{number}" for number in range(3)]
    with pytest.raises(AssertionError, match="air defense"):
        steer(game, "engage:red-at-sea:japan:naval:squadrons:2")
    left = sum(game.state.battle.groups["kido"].patrol.values()) + 4
    assert left == 5
    state.operation.fleet["kido"].group.air = dict.fromkeys(state.operation.fleet["kido"].group.air, 3)
    again = play(state, air_attack.start(key), dice=Scripted())
    asked_until(again, "patrol", *orders)
    assert offered(again) == [f"{PATROL}:{number}" for number in range(2)], "three are left, so one may fly"


@pytest.mark.rule("23.34C", "23.23E")
def test_patrols_and_cover_are_back_when_nothing_was_found() -> None:
    state, key = cross(forces=[CARRIERS], bases=[TRUK])
    game = attack(state, key, "number:kido:1", f"{COVER}:4", f"{PATROL}:2", SEARCH_ONE, dice=[("search", 6)])
    kido = game.state.operation.fleet["kido"].group
    assert sum(kido.air.values()) == 6
    assert not kido.patrol
    assert short(game.state.sites["truk"].air) == {"japan naval": 4}
    assert short(game.state.sites["isle"].air) == {"united-states naval": 4}
    assert not game.state.operation.voyages[key].attacked, "nobody was struck, so it may not abort"
    assert not lines(game, "landing squadrons on carriers"), "they never left"


@pytest.mark.rule("23.34C")
def test_patrols_land_on_their_carriers_after_a_strike() -> None:
    state, key = cross(forces=[CARRIERS])
    orders = ["number:kido:1", f"{PATROL}:2", SEARCH_ONE, "strike:1", f"fly:{ISLE}:1"]
    dice = [FOUND, ("air defense", 1, 1), ("attack on", 1, 1)]
    kido = attack(state, key, *orders, dice=dice).state.operation.fleet["kido"].group
    assert (sum(kido.air.values()), kido.patrol) == (6, {})


@pytest.mark.rule("23.62", "23.75E", "23.75D")
def test_only_land_based_air_strikes_the_carriers_do_not_and_nobody_is_surprised() -> None:
    state, key = cross(forces=[CARRIERS])
    game = play(state, air_attack.start(key), dice=Scripted(FOUND, ("air defense", 1, 1), ("attack on", 1, 1)))
    asked: list[tuple[str, str]] = []
    orders = [f"sortie:{key}:yes", "number:kido:1", SEARCH_ONE, "strike:1", f"fly:{ISLE}:3", f"against:akagi:{ISLE}:3"]
    while game.pending is not None:
        if isinstance(game.pending, Roll):
            assert "surprise" not in str(game.pending)
            game.roll()
            continue
        asked.append((game.pending.side, offered(game)[0].split(":")[0]))
        game.choose(next((order for order in orders if order in offered(game)), offered(game)[0]))
    assert {verb for side, verb in asked if side == "red"} == {"number", "patrol", "ready"}
    assert not {verb for _, verb in asked} & {"surprise", "counterair", "sorties"}


# --- search -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("23.722", "23.161.1", "23.722A")
def test_only_searching_squadrons_give_dice_and_they_do_not_strike() -> None:
    state, key = cross("4 united-states naval", "1 united-states army")
    game = play(state, air_attack.start(key), dice=Scripted(("search", 1, 1, 1)))
    orders = [NUMBER, f"search:{ISLE}:2", f"search:{ARMY}:search:1"]
    asked_until(game, "roll", f"sortie:{key}:yes", *orders)
    assert isinstance(game.pending, Roll)
    assert game.pending.dice == 3
    asked_until(game, "fly", "strike:1")
    assert offered(game)[-1] == f"fly:{ARMY}:attack:1"
    game.choose(f"fly:{ARMY}:attack:0")
    assert offered(game)[-1] == f"fly:{ISLE}:2", "two of the four search"


@pytest.mark.rule("23.722")
def test_without_dice_there_is_no_attack() -> None:
    state, key = cross()
    game = attack(state, key, NUMBER)
    assert not game.state.operation.voyages[key].attacked
    assert short(game.state.sites["isle"].air) == {"united-states naval": 4}


def many(number: int) -> list[dict[str, Any]]:
    return [force(f"tf{n}", "red", "truk", cruisers=8, destroyers=2) for n in range(1, number + 1)]


@pytest.mark.rule("23.71A", "23.721A")
def test_seven_task_forces_are_seven_groups_and_the_seventh_shares_a_number_with_the_first() -> None:
    state, key = cross(forces=many(7))
    game = play(state, air_attack.start(key), dice=Scripted(FOUND))
    numbers = [f"number:tf{n}:{n}" for n in range(1, 8)]
    asked_until(game, "strike", f"sortie:{key}:yes", *numbers, SEARCH_ONE)
    assert offered(game) == ["strike:1", "strike:7", "strike:none"]


@pytest.mark.rule("23.71A")
@pytest.mark.parametrize("chosen", [1, 7])
def test_by_option_the_owner_says_which_of_the_groups_that_share_a_number_is_found(chosen: int) -> None:
    state, key = cross(forces=many(7), options=Options(shared_numbers="one-group"))
    game = play(state, air_attack.start(key), dice=Scripted(FOUND))
    numbers = [f"number:tf{n}:{n}" for n in range(1, 8)]
    asked_until(game, "found", f"sortie:{key}:yes", *numbers, SEARCH_ONE)
    assert game.pending is not None
    assert game.pending.side == "red"
    assert offered(game) == ["found:1", "found:7"]
    game.choose(f"found:{chosen}")
    assert offered(game) == [f"strike:{chosen}", "strike:none"]


@pytest.mark.rule("23.71A")
def test_nobody_is_asked_about_a_number_that_one_group_has() -> None:
    state, key = cross(forces=many(7), options=Options(shared_numbers="one-group"))
    game = play(state, air_attack.start(key), dice=Scripted(("search", 2)))
    numbers = [f"number:tf{n}:{n}" for n in range(1, 8)]
    asked_until(game, "strike", f"sortie:{key}:yes", *numbers, SEARCH_ONE)
    assert offered(game) == ["strike:2", "strike:none"]
    assert "which is found?" not in "\n".join(map(str, game.log("red")))


# --- cover is shared out ----------------------------------------------------------------------------------------


@pytest.mark.rule("23.23D", "23.23D.EX1")
@pytest.mark.parametrize(("faces", "larger", "shares"), [((1,), None, {1: 2}), ((1, 3), 3, {1: 1, 3: 2})])
def test_four_squadrons_over_three_task_forces(
    faces: tuple[int, ...], larger: int | None, shares: dict[int, int]
) -> None:
    """23.23D: one of three is struck: it has two of the four; two are struck: two and one, as the defender says."""
    state, key = cross("8 united-states naval", forces=many(3), bases=[TRUK])
    game = play(state, air_attack.start(key), dice=Scripted(("search", *faces)))
    numbers = [f"number:tf{n}:{n}" for n in range(1, 4)]
    searchers = f"search:{ISLE}:{len(faces)}"
    asked_until(game, "strike", f"sortie:{key}:yes", *numbers, f"{COVER}:4", searchers)
    for face in faces:
        game.choose(f"strike:{face}")
        game.choose(f"fly:{ISLE}:2")
    if larger:
        assert game.pending is not None
        assert game.pending.side == "red", "all strikes are announced before the cover is shared out"
        seen = look(game.state, "red")["sortie"]
        assert seen is not None
        assert [strike["group"] for strike in seen["strikes"]] == [1, 3]
        assert offered(game) == ["larger-share:1", "larger-share:3"]
        game.choose(f"larger-share:{larger}")
    asked_until(game, "engage")
    groups = {group.number: sum(group.cover.values()) for group in game.state.battle.groups.values() if group.cover}
    assert groups == shares


@pytest.mark.rule("23.23D", "23.23E")
def test_cover_over_groups_that_are_not_struck_does_not_fight_and_returns() -> None:
    state, key = cross("8 united-states naval", forces=many(2), bases=[TRUK])
    game = attack(
        state,
        key,
        "number:tf1:1",
        "number:tf2:2",
        f"{COVER}:4",
        SEARCH_ONE,
        "strike:1",
        f"fly:{ISLE}:1",
        "engage:truk:japan:naval:squadrons:2",
        dice=[FOUND, ("Blue: air combat", 6, 6), ("Red: air combat", 6, 6)],
    )
    assert short(game.state.sites["truk"].air)["japan naval"] in (2, 3), "two of them did not fight"
    assert short(game.state.sites["isle"].air)["united-states naval"] < 8


# --- what a strike does -----------------------------------------------------------------------------------------

STRIKE = (NUMBER, SEARCH_ONE, "strike:1", f"fly:{ISLE}:3", "target:kongo", f"against:kongo:{ISLE}:3")
QUIET = ("air defense", 1, 1)
SHOT = ("air defense", 3, 4)
"""The guns of thirteen factors do nothing, or shoot down one squadron."""


@pytest.mark.rule("23.76", "23.71B", "23.752A")
def test_strikes_are_flown_in_the_order_in_which_they_were_announced() -> None:
    """All who do not search have flown: no more is asked, though a third group was found."""
    state, key = cross("5 united-states naval", forces=many(3))
    dice: list[tuple[str | int, ...]] = [("search", 1, 2, 3)]
    dice += [("air defense of CG 2", 1, 1), ("attack on", 1, 1), ("air defense of CG 1", 1, 1), ("attack on", 1, 1)]
    numbers = [f"number:tf{n}:{n}" for n in range(1, 4)]
    strikes = ["strike:2", f"fly:{ISLE}:1", "strike:1"]
    game = play(state, air_attack.start(key), dice=Scripted(*dice))
    asked = verbs_of(game, f"sortie:{key}:yes", *numbers, f"search:{ISLE}:3", *strikes)
    assert [verb for verb in asked if "strike" in verb] == ["blue strike:1", "blue strike:1"]


@pytest.mark.rule("23.76")
def test_a_strike_that_finds_its_target_gone_turns_home() -> None:
    few = force("few", "red", "truk", destroyers=1, task_force=False)
    state, key = cross("6 united-states naval", forces=[few])
    strikes = ["strike:1", f"fly:{ISLE}:2", "strike:1"]
    dice = [("search", 1, 1), ("air defense", 1, 1), ("attack on light ships", 6, 6)]
    game = attack(state, key, "number:few:1", f"search:{ISLE}:2", *strikes, dice=dice)
    assert lines(game, "is gone; the strike turns home")
    assert short(game.state.sites["isle"].air) == {"united-states naval": 6}


@pytest.mark.rule("23.424#2", "22.132A")
def test_who_gets_through_sees_the_whole_force() -> None:
    rear = force("rear", "red", "truk", cruisers=8, destroyers=2)
    van = force("van", "red", "truk", "Kongo", cruisers=8, destroyers=2)
    state, key = cross(forces=[van, rear])
    dice = [FOUND, ("air defense", 1, 1), ("attack on", 1, 1)]
    game = attack(state, key, *STRIKE, "number:rear:2", dice=dice)
    assert game.state.operation.fleet["van"].seen
    assert game.state.operation.fleet["rear"].seen


@pytest.mark.rule("23.76#2", "22.28A", "23.752A")
def test_a_force_that_was_struck_goes_on_with_its_damaged_ships_and_may_abort() -> None:
    state, key = cross()
    game = attack(state, key, *STRIKE, dice=[FOUND, QUIET, ("attack on", 4, 3)])
    voyage, van = game.state.operation.voyages[key], game.state.operation.fleet["van"]
    assert voyage.attacked
    assert voyage.is_open
    kongo = next(which for which in van.group.ships if which.named)
    assert kongo.hits
    assert van.voyage == key
    assert game.state.scene is game.state.operation.between
    assert not game.state.battle.groups


HIT = ("attack on", 3, 3)
"""Three squadrons damage Kongo, or a carrier."""


@pytest.mark.rule("23.443A.2", "22.281")
@pytest.mark.parametrize(
    ("orders", "leaving"),
    [
        (["send-home:van:kongo:1"], {"kongo": 1}),
        (["send-home:van:kongo:1", "accompany:van:japan:cruiser:2"], {"kongo": 1, "japan:cruiser": 2}),
        ([], {}),
    ],
)
def test_damaged_ships_return_alone_or_escorted_while_the_rest_sails_on(
    orders: list[str], leaving: dict[str, int]
) -> None:
    state, key = cross()
    state.operation.voyages[key].step = 1
    game = play(state, passage.start(key), dice=Scripted(FOUND, QUIET, HIT))
    steer(game, f"sortie:{key}:yes", *STRIKE, *orders, "abort:v1:go-on")
    after = game.state
    assert (after.operation.fleet["van"].voyage, after.operation.fleet["van"].at) == (key, (6, 0))
    assert after.operation.voyages[key].progress is Progress.ARRIVED
    if leaving:
        part = after.operation.fleet["van-2"]
        assert {which.tag: number for which, number in part.group.ships.items()} == leaving
        assert (part.in_port, part.base, part.inverted, part.group.task_force) == (True, "truk", True, False)
        assert after.operation.fleet["van"].group.task_force, "at sea it keeps its marker"
    assert ("kongo" in {which.tag for which in after.operation.fleet["van"].group.ships}) is not bool(leaving)
    assert not after.operation.fleet["van"].inverted


@pytest.mark.rule("23.443A.2", "22.63", "22.63A")
def test_damaged_ships_return_to_any_base_in_range_and_may_be_intercepted_on_the_way() -> None:
    """23.443A: they sail for an eligible base, as after naval combat; not after a change of base (22.63A)."""
    for activity, bases in (("shore-bombardment", ["origin", "near"]), ("base-change", [])):
        state, key = cross(bases=[port("truk", "red", (0, 0)), port("near", "red", (2, 2))])
        state.operation.voyages[key].activity = Activity(activity)
        game = play(state, air_attack.start(key), dice=Scripted(FOUND, QUIET, HIT))
        asked_until(game, "accompany", f"sortie:{key}:yes", *STRIKE, "send-home:van:kongo:1")
        while offered(game)[0].startswith("accompany"):
            game.choose(offered(game)[0])
        assert offered(game) == [f"return:van:{base}" for base in bases] or (not bases and game.pending is None)
        steer(game)
        (home,) = [voyage for voyage in game.state.operation.voyages.values() if voyage.activity is Activity.RETURN]
        assert (home.progress, home.forces, home.base) == (Progress.ABORTED, ["van-2"], "truk")


@pytest.mark.rule("23.443A.2", "17.3124")
def test_squadrons_stay_with_the_carriers_that_are_left_and_with_the_damaged_one() -> None:
    carriers = force("van", "red", "truk", "Akagi", "Kaga", cruisers=8, air=6)
    state, key = cross(forces=[carriers])
    orders = (*STRIKE[:-2], "target:akagi", f"against:akagi:{ISLE}:3", "send-home:van:akagi:1")
    game = attack(state, key, *orders, dice=[FOUND, QUIET, HIT])
    van, part = game.state.operation.fleet["van"], game.state.operation.fleet["van-2"]
    assert sum(van.group.air.values()) == 3
    assert sum(part.group.air.values()) + sum(part.grounded.values()) == 3 - sum(game.state.losses.air.values())


@pytest.mark.rule("23.443A.2", "22.28")
def test_one_ship_at_least_sails_on() -> None:
    """22.28: for all of them to turn back is to abort."""
    state, key = cross(forces=[force("van", "red", "truk", "Kongo")])
    game = attack(state, key, *STRIKE[:-2], dice=[FOUND, QUIET, HIT])
    assert any(which.damaged for which in game.state.operation.fleet["van"].group.ships)
    assert len(game.state.operation.voyages) == 1
    assert "send Kongo" not in "".join(map(str, game.log("umpire")))
    assert game.state.operation.voyages[key].attacked


@pytest.mark.rule("23.443A.2", "22.28A")
def test_a_whole_force_may_return_if_another_sails_on() -> None:
    van, rear = force("van", "red", "truk", "Kongo"), force("rear", "red", "truk", cruisers=8, destroyers=2)
    state, key = cross(forces=[van, rear])
    orders = ("number:rear:2", *STRIKE[:-2], "send-home:van:kongo:1")
    game = attack(state, key, *orders, dice=[FOUND, QUIET, HIT])
    assert game.state.operation.voyages[key].forces == ["rear"]
    assert game.state.operation.voyages[game.state.operation.fleet["van"].voyage].activity is Activity.RETURN


@pytest.mark.rule("23.443A.2")
def test_nobody_learns_from_the_question_whether_a_hidden_force_has_damaged_ships() -> None:
    """A strike that is shot down has seen nothing: its enemy waits for the answer, damaged ships or not."""
    waits = []
    cases: list[dict[str, Any]] = [{}, {"hits": {"Fuso": 2}}]
    for hits in cases:
        state, key = cross(forces=[force("van", "red", "truk", "Fuso", cruisers=8, destroyers=2, **hits)])
        dice = [FOUND, ("air defense", 6, 6)]
        game = attack(state, key, NUMBER, SEARCH_ONE, "strike:1", f"fly:{ISLE}:1", dice=dice)
        assert not game.state.operation.fleet["van"].seen
        waits.append([str(entry) for entry in game.log("blue")])
    assert waits[0] == waits[1]


@pytest.mark.rule("23.752A", "23.752A.1", "23.161.EX1")
def test_in_each_hex_one_sortie_by_those_who_are_left() -> None:
    state, key = cross("1 united-states naval", "3 united-states army")
    first = attack(
        state,
        key,
        NUMBER,
        f"search:{ARMY}:search:1",
        "strike:1",
        f"fly:{ARMY}:attack:3",
        "target:kongo",
        f"against:kongo:{ARMY}:attack:2",
        dice=[FOUND, SHOT, ("attack on", 1, 1)],
    )
    left = short(first.state.sites["isle"].air)["united-states army attack"]
    assert left == 2, "the guns have shot one down"
    assert not any(which.inverted for which in first.state.sites["isle"].air)
    second = play(next_hex(first, key), air_attack.start(key), dice=Scripted(FOUND))
    asked_until(second, "fly", f"sortie:{key}:yes", NUMBER, f"search:{ARMY}:search:1", "strike:1")
    assert offered(second)[-1] == f"fly:{ARMY}:attack:{left}"


@pytest.mark.rule("23.752A")
def test_a_second_result_is_a_second_strike_but_nobody_flies_twice_in_a_hex() -> None:
    state, key = cross()
    game = play(state, air_attack.start(key), dice=Scripted(("search", 1, 1)))
    asked_until(game, "fly", f"sortie:{key}:yes", NUMBER, f"search:{ISLE}:2", "strike:1")
    game.choose(f"fly:{ISLE}:1")
    assert offered(game) == ["strike:1", "strike:none"]
    verbs = asked_until(game, "roll", "strike:1")
    assert verbs.count("strike") == 1, "all four are in the air"
    assert game.state.operation.attack is not None
    flown = [game.state.battle.strike, *game.state.operation.attack.strikes]
    assert [sum(one.attackers.values()) for one in flown if one] == [1, 1]


@pytest.mark.rule("23.752A.2")
def test_a_hex_may_be_left_out() -> None:
    state, key = cross()
    game = steer(play(state, air_attack.start(key), dice=Scripted()), f"sortie:{key}:no")
    assert game.state.operation.voyages[key].is_open
    assert not game.state.squadrons
    assert not game.state.battle.groups
    later = next_hex(game, key)
    assert may_be_attacked(later, later.operation.voyages[key])
    attack(later, key, NUMBER, SEARCH_ONE, dice=[("search", 6)])


# --- the printed examples ---------------------------------------------------------------------------------------

SICILY = "sicily:italy:army"


def malta() -> tuple[State, str, str]:
    """23.161: Italian ships invade Malta; British task forces come from Gibraltar and from Alexandria, and an Italian
    one counter-intercepts the first of them."""
    state = sea(
        port("sicily", "red", (0, 0), "4 italy army"),
        port("gibraltar", "blue", (-12, 0)),
        port("alexandria", "blue", (12, 0)),
        force("invader", "red", "sicily", cruisers=8, destroyers=4, nation="italy"),
        force("counter", "red", "sicily", cruisers=8, destroyers=4, nation="italy"),
        force("h", "blue", "gibraltar", cruisers=8, destroyers=4, nation="britain"),
        force("a", "blue", "alexandria", cruisers=8, destroyers=4, nation="britain"),
    )
    invasion = sail(state, "seaborne-invasion", "invader", (1, 0))
    west = sail(state, "interception", "h", (-3, 0), step=9, level=1, target=invasion, meet=(1, 0))
    east = sail(state, "interception", "a", (1, 0), level=1, target=invasion, meet=(1, 0))
    return state, west, east


def against_alexandria(state: State, east: str, at: int, shot: bool) -> State:
    """Axis air attacks the force from Alexandria in one hex; perhaps its guns shoot some down."""
    state.operation.voyages[east].step = at
    dice = [("search", 1), ("air defense", *((6, 6) if shot else (1, 1))), ("attack on", 1, 1)]
    orders = ["number:a:1", f"search:{SICILY}:search:1", "strike:1", f"fly:{SICILY}:attack:{attackers(state)}"]
    return attack(state, east, *orders, dice=dice).state


def attackers(state: State) -> int:
    air = short(state.sites["sicily"].air)
    return air.get("italy army attack", air.get("italy army", 0))


def off_gibraltar(state: State, west: str) -> State:
    """The counter-interception battle in the west, in which Axis air takes part."""
    state.frames = [naval_battle.start()]
    set_scene(state, state.operation.voyages[west].at)
    bring_in(state, "h")
    bring_in(state, "counter")
    return state


@pytest.mark.rule("23.161.EX1")
def test_malta_air_attacks_one_force_hex_by_hex_and_survivors_join_the_battle_with_the_other() -> None:
    state, west, east = malta()
    state.operation.voyages[east].step = 7
    assert not may_be_attacked(state, state.operation.voyages[east]), "five hexes from Sicily"
    state.operation.voyages[east].step = 8
    assert may_be_attacked(state, state.operation.voyages[east])
    state = against_alexandria(state, east, 8, shot=True)
    left = attackers(state)
    assert left < 4
    state = against_alexandria(state, east, 9, shot=False)
    assert attackers(state) == left
    battle = off_gibraltar(state, west)
    able = {which: number for which, number in eligible(battle, "red", STRIKERS).items() if which.role == "attack"}
    assert sum(able.values()) == left, "survivors take part, those who were shot down do not"


@pytest.mark.rule("23.161.EX1")
def test_malta_or_the_other_way_round() -> None:
    state, west, east = malta()
    at = state.operation.voyages[west].at
    counter = sail(state, "interception", "counter", at, level=2, target=west, meet=at, arrives=1)
    state.operation.encounter = Encounter(at, west, 2, [west, counter])
    game = play(state, encounter, dice=Seeded(2))
    eager(game, "search", "strike", "fly")
    left = attackers(game.state)
    assert 0 < left < 4, "the battle has cost squadrons"
    assert sum(game.state.sites["sicily"].used.values()), "and it is remembered that they were used"
    later = against_alexandria(game.state, east, 9, shot=False)
    assert attackers(later) == left, "all that were left could attack"


def eager(game: Game[State], *verbs: str) -> None:
    """Go through a battle; to questions of these verbs the answer is as much as possible, to others as little."""
    while game.pending is not None:
        if isinstance(game.pending, Roll):
            game.roll()
            continue
        texts = offered(game)
        least = next((text for text in texts if text.endswith(":none")), texts[0])
        game.choose((texts[0] if "strike" in texts[0] else texts[-1]) if texts[0].split(":")[0] in verbs else least)


@pytest.mark.rule("23.164", "23.164.EX1", "23.163", "23.752B", "18.42B", "18.473", "18.58")
def test_the_same_squadrons_attack_in_three_phases_and_are_inverted_when_the_last_has_ended() -> None:
    """23.164: interceptors of sea supply, of sea transport and of a sea escort are attacked in turn."""
    ships = [force(name, "red", "truk", cruisers=8, destroyers=2) for name in ("one", "two", "three")]
    isle = port("isle", "blue", (3, 0), "1 united-states naval", "3 united-states army")
    state = sea(port("truk", "red", (0, 0)), isle, *ships, pacific=True)
    for stage, name in enumerate(("one", "two", "three")):
        state.operation.stage = stage
        key = sail(state, "interception", name, (6, 0), step=2, level=1)
        orders = [f"number:{name}:1", f"search:{ARMY}:search:1", "strike:1", f"fly:{ARMY}:attack:2"]
        state = attack(state, key, *orders, dice=[FOUND, QUIET, ("attack on", 1, 1)]).state
    site = state.sites["isle"]
    assert short(site.used) == {"united-states army attack": 2, "united-states army search": 1}
    assert not any(which.inverted for which in site.air)
    invert_used(state)
    assert short(site.air) == {
        "united-states army attack": 1,
        "united-states army attack inverted": 2,
        "united-states army cover": 3,
        "united-states army search": 2,
        "united-states army search inverted": 1,
        "united-states naval": 1,
    }


@pytest.mark.rule("23.164", "18.58", "18.473", "18.473.2", "18.42B")
def test_air_that_was_used_at_sea_is_inverted_when_the_redeployment_stage_is_over() -> None:
    """23.164, 18.473: squadrons that have attacked in the combat stage are uninverted as long as the stages of the
    player turn last, and inverted as the last of them ends; those that did nothing are not."""
    orders = [order("shore-bombardment", (5, 0)), order("redeployment", (0, 4), "redeployment", base="rabaul")]
    kido = force("kido", "red", "truk", cruisers=10, orders=orders)
    isle = port("isle", "blue", (5, 3), "4 united-states naval")
    state = sea(seas.TRUK, seas.RABAUL, isle, kido, stage="combat", stages=("combat", "redeployment"))
    game = play(state, operation, dice=reaching(1))
    for wanted in ("order:kido:0", "sortie:v1:yes", f"search:{ISLE}:1", "strike:1", f"fly:{ISLE}:2"):
        go_on_until(game, wanted.rpartition(":")[0])
        game.choose(wanted)
    go_on_until(game, "order:kido")
    assert game.state.now == "redeployment"
    assert short(game.state.sites["isle"].air) == {"united-states naval": 4}
    go_on_until(game, "nothing more")
    assert short(game.state.sites["isle"].air) == {"united-states naval": 1, "united-states naval inverted": 3}


@pytest.mark.rule("23.164", "18.473.2", "23.144")
def test_army_air_that_was_used_at_sea_is_put_together_after_it_is_inverted() -> None:
    """23.164, 23.144: broken-down factors whose squadrons were used are inverted factors in the end; one that is made
    of squadrons that did nothing is uninverted."""
    kido = force("kido", "red", "truk", cruisers=10, orders=[order("shore-bombardment", (5, 0))])
    isle = port("isle", "blue", (5, 3), "3 united-states army")
    state = sea(seas.TRUK, isle, kido, stage="combat", stages=("combat",))
    wanted = ("sortie:v1:yes", "search:isle:united-states:army:search:1", "strike:1")
    flying = "fly:isle:united-states:army:attack:2"
    made = cruise(state, operation, "order:kido:0", *wanted, flying, dice=reaching(1)).state
    assert short(made.sites["isle"].air) == {"united-states army": 1, "united-states army inverted": 2}
    assert not made.sites["isle"].used


@pytest.mark.rule("23.164", "18.42B")
def test_only_what_is_left_of_the_squadrons_that_were_used_is_inverted() -> None:
    """23.164: some were lost since they flew, and all of another kind."""
    state = sea(port("isle", "blue", (3, 0), "3 united-states naval"))
    site = state.sites["isle"]
    (squadron,) = site.air
    site.used = {squadron: 5, one("united-states", "army", 2, squadrons=True): 1}
    invert_used(state)
    assert short(site.air) == {"united-states naval inverted": 3}
    assert site.used == {}


@pytest.mark.rule("23.164")
def test_squadrons_that_were_used_are_counted_once_and_the_lost_not_at_all() -> None:
    state, key = cross("8 united-states naval")
    game = attack(state, key, *STRIKE, dice=[FOUND, QUIET, ("attack on", 1, 1)])
    assert sum(game.state.sites["isle"].used.values()) == 4
    again = attack(
        next_hex(game, key),
        key,
        NUMBER,
        SEARCH_ONE,
        "strike:1",
        f"fly:{ISLE}:1",
        dice=[FOUND, SHOT],
    )
    lost = again.state.losses.air["united-states/naval/squadrons"]
    assert lost == 1
    assert sum(again.state.sites["isle"].used.values()) == 3, "the one that was shot down had flown before"


@pytest.mark.rule("23.161.1")
def test_the_setting_is_that_of_the_map_again_and_committed_air_stays_out() -> None:
    state, key = cross("4 united-states naval")
    which = next(iter(state.sites["isle"].air))
    state.sites["isle"].committed = {which: 3}
    assert not may_be_attacked(state, state.operation.voyages[key])
    state.sites["isle"].committed = {which: 2}
    assert may_be_attacked(state, state.operation.voyages[key])
    assert state.scene == state.operation.between


# --- on the whole way -------------------------------------------------------------------------------------------


def verbs_of(game: Game[State], *orders: str) -> list[str]:
    """Go on to the end; who is asked what, and what is rolled, in order. `orders` are given whenever they are offered,
    to other questions the answer is to do as little as possible."""
    seen = []
    while game.pending is not None:
        if isinstance(game.pending, Roll):
            seen.append(f"roll {game.pending}")
            game.roll()
            continue
        texts = offered(game)
        seen.append(f"{game.pending.side} {texts[0]}")
        quiet = least(texts)
        game.choose(next((order for order in orders if order in texts), quiet))
    return seen


@pytest.mark.rule("22.132A", "23.752A", "23.752A.2", "23.75A")
def test_on_the_way_the_attacker_is_asked_in_each_hex_in_range_the_last_one_too() -> None:
    state, key = cross(at=-1)
    isle = state.operation.voyages[key].path.index((3, 0))
    assert (isle, len(state.operation.voyages[key].path)) == (3, 7)
    game = play(state, passage.start(key))
    assert sum("sortie" in verb for verb in verbs_of(game)) == 7, "naval air flies three hexes from Isle"
    state, key = cross(at=-1)
    far = state.operation.plan.board.sea_path((0, 0), (9, 0))
    assert far
    state.operation.voyages[key].path = far
    assert sum("sortie" in verb for verb in verbs_of(play(state, passage.start(key)))) == 7, "and not beyond"


@pytest.mark.rule("22.921", "SOP-PA-B.1.c")
def test_submarines_attack_in_the_hex_after_the_air_units() -> None:
    state, key = cross(at=-1)
    state.operation.flotillas["boats"] = Flotilla("blue", "united-states", "isle", (3, 0), 0, away=1)
    boat = Voyage("blue", Activity.INTERCEPTION, [], ((2, 0),), level=1, target=key, meet=(2, 0), arrives=1)
    boat.flotilla, boat.progress = "boats", Progress.ARRIVED
    new_voyage(state, boat)
    verbs = verbs_of(play(state, passage.start(key)))
    sorties = [place for place, verb in enumerate(verbs) if "sortie" in verb]
    torpedoes = next(place for place, verb in enumerate(verbs) if "submarine attack" in verb)
    assert sorties[2] < torpedoes < sorties[3]
    abort = next(place for place, verb in enumerate(verbs) if "abort" in verb)
    assert torpedoes < abort < sorties[3], "then it may abort"


@pytest.mark.rule("23.752C", "23.752C.1")
def test_air_attacks_come_after_all_interceptions_in_the_order_that_the_moving_side_says() -> None:
    orders = [Order(Activity.BASE_CHANGE, "movement", (6, 0), "haven")]
    state = sea(
        port("truk", "red", (0, 0)),
        port("haven", "red", (6, 0)),
        port("isle", "blue", (3, 0), "4 united-states naval"),
        force("one", "red", "truk", cruisers=8, destroyers=2, orders=orders),
        force("two", "red", "truk", cruisers=8, destroyers=2, orders=orders),
        force("task", "blue", "isle", cruisers=8, destroyers=2),
        pacific=True,
        stages=["movement"],
    )
    game = play(state, operation, dice=Seeded(1))
    go = ["intercept:v1:1:6,0", "go:v1:1:task:direct"]
    verbs = verbs_of(game, "order:one:0", "order:two:0", "route:all", *go, "sail:v2")
    first = next(place for place, verb in enumerate(verbs) if "sortie" in verb)
    assert max(place for place, verb in enumerate(verbs) if "interception by" in verb) < first
    assert verbs[first - 1].startswith("red sail:")
    assert "sortie:v2" in verbs[first], "the second force sails first, as Red said"
    asked = [verb.split(":")[1] for verb in verbs if "sortie" in verb]
    assert asked == ["v2"] * 6 + ["v1"] * 6, "in the last hex there is naval combat instead, for both (22.132B, 22.141)"


@pytest.mark.rule("22.82A.2")
def test_cargo_is_lost_in_an_air_attack_as_in_a_battle() -> None:
    convoy = force("convoy", "red", "truk", laden_destroyers=3, cargo="infantry", task_force=False)
    state, key = cross(forces=[convoy])
    orders = ["number:convoy:1", SEARCH_ONE, "strike:1", f"fly:{ISLE}:3"]
    game = attack(state, key, *orders, dice=[FOUND, QUIET, ("attack on", 2, 2)])
    sunk = sum(game.state.losses.ships.values())
    assert sunk
    assert game.state.losses.cargo["red"] == {"infantry": sunk}


# --- what the attacker learns -----------------------------------------------------------------------------------

GUNS = force("kido", "red", "truk", "Kongo", "Haruna", cruisers=8, destroyers=2)


def told_blue(ships: dict[str, Any], *rolls: tuple[str | int, ...]) -> list[Any]:
    """All that Blue sees while it attacks a force of these ships: views, log and questions, as often as it is asked."""
    state, key = cross(forces=[ships], bases=[TRUK])
    game = play(state, air_attack.start(key), dice=Scripted(*rolls))
    orders = [f"sortie:{key}:yes", "number:kido:1", f"{COVER}:1", SEARCH_ONE, "strike:1", f"fly:{ISLE}:3"]
    seen = []
    while game.pending is not None and "air defense" not in str(game.pending):
        if isinstance(game.pending, Roll) or game.pending.side == "blue":
            texts = offered(game) if isinstance(game.pending, Choose) else []
            seen.append((game.view("blue").data, [str(entry) for entry in game.log("blue")], texts))
        if isinstance(game.pending, Roll):
            game.roll()
        else:
            game.choose(next((order for order in orders if order in offered(game)), offered(game)[0]))
    return seen


@pytest.mark.parametrize("face", [1, 6])
def test_a_force_that_is_not_found_shows_nothing_and_a_found_one_only_what_must_be_told(face: int) -> None:
    carriers, guns = told_blue(CARRIERS, ("search", face)), told_blue(GUNS, ("search", face))
    before = 3 if face == 1 else len(carriers)
    assert len(carriers) >= 3
    assert carriers[:before] == guns[:before]
    assert (carriers == guns) is (face == 6), "of a found force the carriers are counted"
