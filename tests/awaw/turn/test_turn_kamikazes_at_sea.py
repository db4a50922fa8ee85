"""Kamikazes against ships outside naval combat, at sea and in port: 17.462-17.463, 17.47-17.48, 23.11F, 23.75D."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from flagplot.awaw.kamikaze_force import kamikazes_fly
from flagplot.awaw.operations.bases.kamikazes_in_port import dived_at
from flagplot.awaw.operations.passage.air_attacks import may_be_attacked
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import air_attack, construction, land_strikes, stage
from flagplot.awaw.state.operation import Activity
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.missions.explain import explain
from flagplot.awaw.turn.turn import hand_over
from flagplot.kernel.dice import Scripted
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Roll
from tests.awaw.battles import squadron
from tests.awaw.seas import least, sail, taken
from tests.awaw.turn.moves import offered, play, steer
from tests.awaw.turn.turns import base, turn

Dice = tuple[str | int, ...]
HOME = {"tokyo": "japan"}
SEARCH = "search:tokyo:japan:army:search"
FOUND: Dice = ("search", 1)
QUIET: Dice = ("air defense", 1, 1)


def guard(name: str = "guard", *named: str, **ships: Any) -> dict[str, Any]:
    """A Blue task force in Guam."""
    made = squadron(name, "blue", *(named or ("Enterprise",)), **(ships or {"cruisers": 8, "destroyers": 2}))
    orders = [{"activity": "base-change", "to": "leyte"}]
    return {key: value for key, value in made.items() if key != "arrives"} | {"base": "guam", "orders": orders}


def waters(
    *forces: dict[str, Any], air: Sequence[str] = ("1 japan army",), at: int = 4, guam: Sequence[str] = (), **more: Any
) -> tuple[State, str]:
    """Blue's player turn: a force on its way from Guam to Leyte passes Tokyo, and is in the hex ``at,-7``: from 1 to 7
    it is within four hexes. Tokyo has one army air factor if nothing else is said, so one search die."""
    given = forces or (guard(),)
    kamikazes = more.pop("kamikazes", 15)
    state = turn(
        base("tokyo", "red", (3, -5), *air, cities=2),
        base("guam", "blue", (0, -7), *guam, ports=2, cities=3),
        base("leyte", "blue", (9, -7), ports=1),
        *more.pop("bases", ()),
        pacific=True,
        forces=given,
        homes=more.pop("homes", HOME),
        kamikaze_limit=45,
        kamikazes=kamikazes,
        **more,
    )
    hand_over(state, "blue")
    key = sail(state, Activity.BASE_CHANGE, [entry["id"] for entry in given], (9, -7))
    voyage = state.operation.voyages[key]
    voyage.step = next(step for step, one in enumerate(voyage.path) if one[0] - (one[1] + 7) == at or one == (at, -7))
    return state, key


def attack(
    state: State, key: str, *orders: str, dice: Sequence[Dice] = (), until: str = "", searching: int = 1
) -> Game[Any]:
    """Japan attacks where the force is: one search squadron looks for it, or more, and the rest is as little as may be,
    until something of this verb is asked."""
    game = play(state, air_attack.start(key), dice=Scripted(*dice))
    waiting = [f"sortie:{key}:yes", f"{SEARCH}:{searching}", *orders]
    while game.pending is not None:
        if isinstance(game.pending, Roll):
            if until and until in str(game.pending.purpose):
                break
            game.roll()
            continue
        texts = offered(game)
        if until and texts[0].split(":")[0] == until:
            break
        game.choose(taken(waiting, texts) or least(texts, "none", "no", "done"))
    assert until or not waiting, f"never asked: {waiting}"
    return game


def told(game: Game[Any], words: str) -> list[str]:
    return [entry.text for entry in game.log("umpire") if words in entry.text]


def groups_asked(game: Game[Any]) -> list[str]:
    """The combat groups that are asked about now."""
    return sorted({text.split(":")[1] for text in offered(game)})


def codebreaking(state: State, side: str) -> State:
    state.scene = state.operation.between = replace(state.scene, codebreaking=side)
    return state


TWO = (guard("one"), guard("two", "Hornet"))
NUMBERS = ("number:one:1", "number:two:2")


# --- when and where they may attack -----------------------------------------------------------------------------


@pytest.mark.rule("17.462", "23.75D", "23.11E")
@pytest.mark.parametrize(("at", "able"), [(0, False), (1, True), (7, True), (8, False)])
def test_they_attack_a_force_on_its_way_within_four_hexes_of_japan(at: int, able: bool) -> None:
    """Codebreaking finds it for them: nobody else is in Tokyo."""
    state, key = waters(air=(), at=at)
    assert may_be_attacked(codebreaking(state, "red"), state.operation.voyages[key]) is able


@pytest.mark.rule("17.462")
def test_they_do_not_fly_from_bases_that_are_not_in_japan() -> None:
    truk = base("truk", "red", (6, -5), cities=1)
    state, key = waters(air=(), at=8, bases=[truk])
    assert not may_be_attacked(codebreaking(state, "red"), state.operation.voyages[key])
    state, key = waters(air=(), at=8, bases=[truk], homes={"tokyo": "japan", "truk": "japan"})
    assert may_be_attacked(codebreaking(state, "red"), state.operation.voyages[key])


@pytest.mark.rule("17.47B", "23.722")
def test_somebody_has_to_search_for_them() -> None:
    """One squadron that searches cannot strike as well, but kamikazes can; without it nobody finds the force."""
    state, key = waters(air=["1 japan naval"])
    assert may_be_attacked(state, state.operation.voyages[key])
    state.kamikazes = 0
    assert not may_be_attacked(state, state.operation.voyages[key])
    state, key = waters(air=())
    assert not may_be_attacked(state, state.operation.voyages[key])


@pytest.mark.rule("17.463")
def test_a_supply_line_without_ships_gives_them_nothing_to_attack() -> None:
    state, key = waters(air=["1 japan naval"])
    line = state.operation.voyages[key]
    state.operation.fleet, line.forces, line.activity = {}, [], Activity.SEA_SUPPLY
    assert not may_be_attacked(state, line)
    state.sites["tokyo"].air = dict.fromkeys(state.sites["tokyo"].air, 2)
    assert may_be_attacked(state, line)
    game = attack(state, key, "search:tokyo:japan:naval:squadrons:1", dice=[FOUND], until="strike")
    assert offered(game) == ["strike:1", "strike:none"]
    assert not told(game, "kamikaze")


@pytest.mark.rule("17.47B", "17.47A.1")
def test_only_groups_that_were_found_are_attacked() -> None:
    state, key = waters(*TWO)
    game = attack(state, key, *NUMBERS, dice=[("search", 2)], until="kamikazes")
    assert groups_asked(game) == ["2"]
    state, key = waters(*TWO)
    assert not told(attack(state, key, *NUMBERS, dice=[("search", 3)]), "How many kamikazes")


@pytest.mark.rule("17.47A")
def test_outside_naval_combat_there_may_be_more_than_six_groups() -> None:
    """The seventh shares the number 1 with the first, and is found with it."""
    forces = [guard(f"tf{n}", cruisers=8, destroyers=2) for n in range(1, 8)]
    for entry in forces:
        entry["ships"][0]["named"] = []
        entry["ships"][0]["cruisers"] = 10
    state, key = waters(*forces)
    game = attack(state, key, *[f"number:tf{n}:{n}" for n in range(1, 8)], dice=[FOUND], until="kamikazes")
    assert [group.number for group in game.state.battle.present("blue")] == [1, 2, 3, 4, 5, 6, 7]
    assert groups_asked(game) == ["1"]
    game.choose("kamikazes:1:4")
    assert groups_asked(game) == ["7"]


@pytest.mark.rule("17.47D.1", "23.752A")
def test_all_kamikazes_of_a_player_turn_attack_at_one_time() -> None:
    """In the next hex other air may attack, but no kamikazes: not on the way, and not in naval combat."""
    state, key = waters(kamikazes=20)
    after = attack(state, key, "kamikazes:1:4", dice=[FOUND, QUIET, *harmless(4)]).state
    assert after.kamikazes == 16
    after.operation.voyages[key].step += 1
    game = play(after, air_attack.start(key))
    assert "kamikazes" not in str(game.pending)
    after.sites["tokyo"].air = {}
    assert not may_be_attacked(after, after.operation.voyages[key])
    assert not kamikazes_fly(after, "red", (4, -7))
    after.turn.player_turn += 1
    assert kamikazes_fly(after, "red", (4, -7))


def harmless(number: int) -> list[Dice]:
    """Kamikazes whose targets are the light ships, and who do nothing."""
    return [("targets for", *[6] * number), ("attack by", 1, 1)]


@pytest.mark.rule("17.47D.1")
def test_who_sends_nobody_may_send_them_in_the_next_hex() -> None:
    state, key = waters()
    after = attack(state, key, "kamikazes:1:0", dice=[FOUND]).state
    assert not after.operation.attack.flown
    after.operation.voyages[key].step += 1
    assert "or kamikazes" in str(play(after, air_attack.start(key)).pending)


# --- announcing -------------------------------------------------------------------------------------------------


@pytest.mark.rule("17.47C.1", "17.47D.3", "17.47A.1")
def test_they_attack_alone_and_no_other_air_strikes_their_target() -> None:
    """It was found twice, and would be open to another strike."""
    state, key = waters(*TWO, air=["3 japan army"])
    orders = (*NUMBERS, "kamikazes:1:5")
    game = attack(state, key, *orders, dice=[("search", 1, 1, 2)], until="strike", searching=3)
    assert offered(game) == ["strike:2", "strike:none"]
    assert [(dive.number, game.state.battle.groups[dive.target].number) for dive in game.state.battle.dives] == [(5, 1)]


@pytest.mark.rule("23.75D", "17.47D.3")
@pytest.mark.parametrize(
    ("diving", "strikes", "who"),
    [(5, True, "land-based air and kamikazes"), (5, False, "kamikazes"), (0, True, "land-based air")],
)
def test_the_record_says_who_attacks(diving: int, strikes: bool, who: str) -> None:
    state, key = waters(*TWO, air=["3 japan army"])
    orders = [*NUMBERS, f"kamikazes:1:{diving}", *["strike:2"] * strikes]
    game = attack(state, key, *orders, dice=[("search", 1, 2, 2)], until="air defense", searching=3)
    assert game.state.operation.open_fights[-1].sides["red"] == who


@pytest.mark.rule("17.47D.2", "17.47D.2.1")
def test_fifteen_in_an_attack_and_a_second_wave_if_there_is_a_single_group() -> None:
    state, key = waters(kamikazes=45)
    game = attack(state, key, dice=[FOUND], until="kamikazes")
    assert offered(game)[-1] == "kamikazes:1:15"
    dice = [FOUND, QUIET, *harmless(1)]
    state, key = waters(kamikazes=45)
    game = attack(state, key, "kamikazes:1:1", dice=dice, until="wave")
    assert offered(game)[-1] == "wave:15"
    steer(game, "wave:0")
    assert game.state.kamikazes == 44
    state, key = waters(kamikazes=45)
    game = attack(state, key, "kamikazes:1:1", "wave:1", dice=[*dice, QUIET, *harmless(1)])
    assert game.state.kamikazes == 43
    state, key = waters(*TWO, kamikazes=45)
    game = attack(state, key, *NUMBERS, "kamikazes:1:1", dice=dice)
    assert not told(game, "Second wave")


@pytest.mark.rule("23.23D", "17.47E")
def test_cover_is_shared_out_over_the_groups_that_they_attack() -> None:
    """Four squadrons over three task forces: the one that is attacked has two of them (23.23D)."""
    forces = (*TWO, guard("three", "Yorktown"))
    state, key = waters(*forces, guam=["4 united-states naval"], at=2)
    cover = "cover:guam:united-states:naval:squadrons:4"
    orders = (*NUMBERS, "number:three:3", cover, "kamikazes:2:5")
    game = attack(state, key, *orders, dice=[("search", 2)], until="engage")
    covered = {group.number: sum(group.cover.values()) for group in game.state.battle.groups.values() if group.cover}
    assert covered == {2: 2}
    assert offered(game)[-1] == "engage:guam:united-states:naval:squadrons:2"
    game.choose(offered(game)[-1])
    assert "Blue: air combat over CG 2 (Blue), row 2" in str(game.pending), "kamikazes do not roll"


@pytest.mark.rule("17.47E")
def test_combat_air_patrol_over_the_group_and_then_its_guns() -> None:
    carriers = guard("guard", "Enterprise", "Hornet", cruisers=8, destroyers=2, air=6)
    state, key = waters(carriers)
    patrol = "patrol:1:blue-at-sea:united-states:naval:squadrons:2"
    engage = "engage:blue-at-sea:united-states:naval:squadrons:2"
    dice: list[Dice] = [
        FOUND,
        ("Blue: air combat", 6, 6),
        ("air defense", 1, 1),
        ("targets for", 6),
        ("attack by", 1, 1),
    ]
    game = attack(state, key, "number:guard:1", patrol, "kamikazes:1:6", engage, dice=dice[:2], until="air defense")
    texts = [entry.text for entry in game.log("umpire")]
    assert any("engaged by 2 American naval" in text for text in texts)
    assert game.state.losses.air["japan/kamikaze/squadrons"] > 0


# --- what becomes of them ---------------------------------------------------------------------------------------


@pytest.mark.rule("17.47E.3", "17.47E.3.1")
def test_those_driven_off_attack_another_group_that_was_not_found() -> None:
    """Row 2, 3 and 4: one is shot down, one driven off; nobody fires at it again."""
    state, key = waters(*TWO)
    dice: list[Dice] = [
        FOUND,
        ("air defense", 4, 4),
        ("targets for", 6),
        ("attack by 1 kamikaze on light ships", 1, 1),
        ("targets for", 6),
        ("attack by 1 kamikaze on light ships", 1, 1),
    ]
    game = attack(state, key, *NUMBERS, "kamikazes:1:3", dice=dice)
    assert told(game, "1 kamikaze shot down, 1 diverted")
    assert told(game, "1 kamikaze diverted to CG 2")
    assert game.state.kamikazes == 12


@pytest.mark.rule("23.424#2")
def test_who_gets_through_sees_the_whole_force() -> None:
    state, key = waters(*TWO)
    after = attack(state, key, *NUMBERS, "kamikazes:1:1", dice=[FOUND, QUIET, *harmless(1)]).state
    assert after.operation.fleet["one"].seen
    assert after.operation.fleet["two"].seen
    state, key = waters(*TWO)
    dice = [FOUND, ("air defense", 5, 5)]
    after = attack(state, key, *NUMBERS, "kamikazes:1:1", dice=dice).state
    assert not after.operation.fleet["one"].seen, "it was shot down"


@pytest.mark.rule("17.48", "17.43B", "17.44B")
def test_they_fly_once_and_are_counted_for_the_growth_of_the_pool() -> None:
    state, key = waters(kamikazes=15)
    state.turn.pool.limit = 15
    after = attack(state, key, "kamikazes:1:15", dice=[FOUND, QUIET, *harmless(15)]).state
    assert (after.kamikazes, after.turn.pool.used, after.turn.pool.unbuilt) == (0, 15, 15)
    hand_over(after, "red")
    after.turn.step, after.turn.brps = "construction", {"japan": 0}
    assert play(after, construction).state.turn.pool.limit == 30


@pytest.mark.rule("17.47F", "17.47G", "22.28A")
def test_a_carrier_is_sunk_and_the_rest_may_abort() -> None:
    """One kamikaze by a die of 1 on the carrier, in the row of two squadrons; the force was attacked (22.28A)."""
    state, key = waters()
    dice: list[Dice] = [FOUND, QUIET, ("targets for", 1), ("attack by 1 kamikaze on Enterprise, row 2", 6, 6)]
    after = attack(state, key, "number:guard:1", "kamikazes:1:1", dice=dice).state
    assert [which.id for which in after.losses.ships] == ["enterprise"]
    assert after.operation.voyages[key].attacked
    assert after.operation.fights[-1].struck
    assert after.operation.fights[-1].sides["red"] == "kamikazes"


@pytest.mark.rule("17.47D", "17.462")
def test_on_the_map_japan_is_asked_in_the_hexes_that_they_reach() -> None:
    """A voyage of nine hexes from Guam to Leyte: a naval squadron can search five of them for kamikazes."""
    state, _ = waters(air=["1 japan naval"])
    state.operation.voyages, state.operation.sailings = {}, 0
    state.operation.fleet["guard"].voyage = ""
    game = steer(play(state, stage), "order:guard:0")
    asked = told(game, "or kamikazes?")
    assert len(asked) == 5
    assert game.state.operation.fleet["guard"].base == "leyte"


@pytest.mark.rule("17.47D.1")
def test_by_option_they_attack_once_in_a_game_turn() -> None:
    for reading, again in (("player-turn", True), ("game-turn", False)):
        state, key = waters(options=Options(kamikaze_turn=reading), air=(), at=4)
        codebreaking(state, "red").turn.pool.last = 0
        state.turn.player_turn = 1
        assert may_be_attacked(state, state.operation.voyages[key]) is again


@pytest.mark.rule("17.461")
def test_everybody_sees_them_and_the_announced_attack() -> None:
    state, key = waters()
    game = attack(state, key, "number:guard:1", "kamikazes:1:4", dice=[FOUND], until="air defense")
    for side in ("red", "blue"):
        seen = game.view(side).data
        assert seen["kamikazes"] == 11
        assert [(dive["target"], dive["kamikazes"]) for dive in seen["dives"]] == [(1, 4)]
        assert not seen["kamikaze_pool"]["flown"]
    assert isinstance(game.pending, Roll)


# --- ships in port ----------------------------------------------------------------------------------------------

GUNS: Dice = ("air defense of Guam", 1, 1)
"""A city, a port and 13 factors are level 8: 1/2 at its worst."""


def harbour(
    *forces: dict[str, Any], air: Sequence[str] = (), red: Sequence[str] = (), near: int = 4, **more: Any
) -> State:
    """Japan's combat phase: American ships lie in Guam, so many hexes from Tokyo."""
    more.setdefault("kamikazes", 15)
    return turn(
        base("tokyo", "red", (near, -7), *red, cities=2, ports=1),
        base("guam", "blue", (0, -7), *air, ports=1, cities=1),
        base("leyte", "blue", (-6, -7), ports=1),
        *more.pop("bases", ()),
        pacific=True,
        forces=forces or (guard(),),
        homes=HOME,
        kamikaze_limit=45,
        phase="combat",
        **more,
    )


@pytest.mark.rule("17.463", "17.462", "23.11F")
def test_they_attack_ships_in_port_within_four_hexes_of_japan() -> None:
    game = play(harbour(), land_strikes)
    assert offered(game)[-1] == "kamikazes:guam:15"
    assert play(harbour(near=5), land_strikes).pending is None
    empty = harbour()
    empty.operation.fleet = {}
    assert play(empty, land_strikes).pending is None


@pytest.mark.rule("23.51", "17.463")
def test_ships_in_port_are_attacked_in_the_combat_phase_of_their_own_player_turn() -> None:
    state = harbour()
    state.turn.step = "movement"
    assert play(state, land_strikes).pending is None
    state.turn.step = "combat"
    hand_over(state, "blue")
    assert play(state, land_strikes).pending is None


@pytest.mark.rule("17.47E", "17.47E.1", "17.3126A", "23.411C", "23.413", "17.464")
def test_the_air_of_the_base_and_of_carriers_in_port_rolls_and_kamikazes_do_not() -> None:
    """One army air factor and three squadrons of the Enterprise: six squadrons; inverted ones do not fight."""
    state = harbour(
        guard(air=3, cruisers=8, destroyers=2), air=["1 united-states army", "2 united-states army inverted"]
    )
    game = play(state, land_strikes, dice=Scripted(("Blue: air combat over Guam, row 6", 6, 6)))
    game.choose("kamikazes:guam:15")
    assert told(game, "3 American naval air squadrons aboard")
    game.roll()
    (shot,) = told(game, "shot down")
    assert shot.startswith("Red: ")
    assert game.state.losses.air == {"japan/kamikaze/squadrons": game.state.turn.pool.used}
    assert "air defense of Guam" in str(game.pending)


@pytest.mark.rule("17.47G", "17.47H", "17.354", "23.424#2", "23.443B.1", "17.48")
def test_they_sink_ships_in_port_without_the_bonus_of_the_sea() -> None:
    """Of two one is diverted and one shot down: the diverted one attacks after all, without any more fire."""
    state = harbour()
    dice: list[Dice] = [GUNS, ("targets for 1 kamikaze", 1), ("attack by 1 kamikaze on Enterprise, row 2", 6, 6)]
    dice.append(("critical", 1))
    game = play(state, land_strikes, dice=Scripted(*dice))
    game.choose("kamikazes:guam:2")
    game.roll()
    game.roll()
    assert isinstance(game.pending, Roll)
    assert game.pending.ledger is not None
    assert all("at sea" not in str(line.words) for line in game.pending.ledger.lines)
    assert game.state.operation.fleet["guard"].seen
    steer(game)
    assert [which.id for which in game.state.operation.fleet["guard"].sunk_in_port] == ["enterprise"]
    assert (game.state.kamikazes, game.state.turn.pool.used) == (13, 2)


@pytest.mark.rule("17.47E.3", "17.47F", "17.47F.4.1", "17.47G")
def test_in_port_the_diverted_rejoin_the_attack() -> None:
    """Of four kamikazes one is shot down and one driven off. Against three carriers each ship has one of the three; by
    option the one comes later, and may attack what was attacked before."""
    hit: Dice = ("attack by 1 kamikaze", 1, 1)
    later: list[Dice] = [("targets for 2 kamikazes", 1, 1), hit, hit, ("targets for 1 kamikaze", 1), hit]
    together: list[Dice] = [("targets for 3 kamikazes", 1, 1, 1), hit, hit, hit]
    twice = ("target:enterprise", "target:hornet", "target:enterprise")
    for reading, dice, orders, struck in (
        ("rejoin", together, (), ["Enterprise", "Hornet", "Yorktown"]),
        ("second-attack", later, twice, ["Enterprise", "Hornet", "Enterprise"]),
    ):
        fleet = guard("guard", "Enterprise", "Hornet", "Yorktown", cruisers=8, destroyers=2)
        state = harbour(fleet, options=Options(diverted_from_one_group=reading))
        game = play(state, land_strikes, dice=Scripted(GUNS, *dice))
        steer(game, "kamikazes:guam:4", *orders)
        assert [entry.split(" on ")[1].split(",")[0] for entry in told(game, ": attack by 1 kamikaze on")] == struck


@pytest.mark.rule("17.47D.2.1", "17.47D.2")
def test_ships_in_port_are_one_force_so_there_is_a_second_wave_and_no_third() -> None:
    game = play(harbour(kamikazes=45), land_strikes, dice=Scripted(GUNS, *harmless(1), GUNS, *harmless(1)))
    game.choose("kamikazes:guam:2")
    waves = 0
    while game.pending is not None:
        if isinstance(game.pending, Roll):
            game.roll()
            continue
        waves += offered(game)[0].startswith("wave")
        game.choose("wave:2" if "wave:2" in offered(game) else offered(game)[0])
    assert waves == 1
    assert game.state.kamikazes == 41


@pytest.mark.rule("17.47D.2.1", "17.48")
def test_a_second_wave_comes_before_the_attack_on_another_port() -> None:
    """And each attack is over before the next begins, whatever ships are left."""
    other = guard("other", "Hornet") | {"base": "iwo"}
    more = guard("more", "Wasp") | {"base": "rota"}
    bases = [base("iwo", "blue", (1, -7), ports=1, cities=1), base("rota", "blue", (2, -7), ports=1, cities=1)]
    state = harbour(guard(), other, more, bases=bases, kamikazes=45)
    shots = [(f"air defense of {name}", 6, 6) for name in ("Guam", "Guam", "Iwo", "Rota")]
    game = play(state, land_strikes, dice=Scripted(*shots))
    steer(game, "kamikazes:guam:1", "kamikazes:iwo:1", "kamikazes:rota:1", "wave:1")
    assert sorted(game.state.operation.fleet) == ["guard", "more", "other"]
    assert game.state.kamikazes == 41


@pytest.mark.rule("17.47C.1")
def test_ships_that_kamikazes_attacked_in_an_earlier_phase_may_be_attacked() -> None:
    state = harbour()
    state.operation.note_attack("guam")
    state.operation.last_raids.by_kamikazes = ["guam"]
    assert dived_at(state) == ["guam"]
    state.operation.stage += 1
    assert dived_at(state) == []


@pytest.mark.rule("17.47C.1", "17.47D.3")
def test_no_other_air_attacks_the_ships_that_kamikazes_attack() -> None:
    """Other air has counteraired the base before, or not; now it does not attack the ships."""
    state = harbour(air=["1 united-states army"], red=["2 japan army"], near=2)
    army = "tokyo:japan:army:factors"
    for number, shared in ((1, False), (0, True)):
        game = play(state, land_strikes)
        orders = ["base-attack:land:none", f"kamikazes:guam:{number}"]
        texts = asked(game, *orders, *["base-attack:land:guam", f"fly:{army}:2"] * shared)
        assert any(text.startswith("share") for text in texts) is shared


@pytest.mark.rule("17.47C.1", "23.51")
@pytest.mark.parametrize(("flown", "often"), [(0, 2), (2, 1)])
def test_kamikazes_do_not_attack_ships_that_other_air_has_attacked(flown: int, often: int) -> None:
    """They may come before the other air attacks or after it; not after it where it has attacked the ships."""
    counterair_first = ["base-attack:land:none", "kamikazes:guam:0"]
    orders = [*counterair_first, "base-attack:land:guam", f"fly:tokyo:japan:army:factors:{flown}"] if flown else []
    game = steer(play(harbour(red=["2 japan army"], near=2), land_strikes), *orders)
    assert len(told(game, "Attack ships in Guam with how many kamikazes?")) == often


def asked(game: Game[Any], *orders: str) -> list[str]:
    """All that is asked until the orders are given and the attack has begun."""
    texts: list[str] = []
    waiting = list(orders)
    while game.pending is not None:
        if isinstance(game.pending, Roll):
            if not waiting:
                break
            game.roll()
            continue
        texts += offered(game)
        order = next((order for order in waiting if order in offered(game)), None)
        if order is not None:
            waiting.remove(order)
        quiet = [text for text in offered(game) if text.rsplit(":", 1)[-1] in ("none", "no", "stay", "done", "0")]
        game.choose(order or (quiet or offered(game))[0])
    assert not waiting
    return texts


@pytest.mark.rule("23.46A", "17.47D.1")
def test_afterwards_the_ships_may_leave_and_no_kamikazes_fly_after_them() -> None:
    game = play(harbour(kamikazes=20), land_strikes, dice=Scripted(GUNS, *harmless(1)))
    steer(game, "kamikazes:guam:2", "escape:guard:leyte")
    assert game.state.operation.fleet["guard"].base == "leyte"
    assert not told(game, "or kamikazes?")
    assert not game.state.operation.port_dives
    assert game.state.operation.fights[-1].sides["red"] == "kamikazes"


@pytest.mark.rule("17.463")
def test_what_may_kamikazes_do() -> None:
    def verdict(state: State, task: str) -> tuple[bool, str]:
        told_ = explain(state, "red", "kamikazes")
        (found,) = [entry for entry in told_["units"][0]["tasks"] if entry["task"] == task]
        return found["open"], found["rule"]

    state = harbour()
    assert verdict(state, "attack-in-port") == (True, "17.462")
    state.turn.step = "movement"
    assert verdict(state, "attack-in-port") == (False, "23.51")
    assert verdict(state, "attack-at-sea") == (True, "17.462")
    assert verdict(harbour(near=5), "attack-in-port") == (False, "17.462")
    state.turn.pool.last = state.turn.player_turn
    assert verdict(state, "attack-in-port") == (False, "17.47D")
