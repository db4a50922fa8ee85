"""Factors and squadrons in the course of a turn: unbuilt squadrons, force pools, and factors against several bases."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagplot.awaw.air_units import ARMY_ROLES, Arm, Role, add, take
from flagplot.awaw.conversion import break_down, broken_transports
from flagplot.awaw.procedures import construction, land_strikes
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.basing.conversion import convert_unbuilt, in_play, settle_pools
from flagplot.awaw.turn.construction.kamikaze_pool import KAMIKAZE
from flagplot.awaw.turn.end.ending import put_all_together
from flagplot.awaw.turn.turn import hand_over
from flagplot.kernel.dice import Seeded
from flagplot.kernel.procedures import END, Next, Procedure
from flagplot.kernel.requests import Choose, Script
from tests.awaw.turn.moves import offered, play, steer
from tests.awaw.turn.turns import air_at, base, turn, units_of


def britain(*bases: dict[str, Any], **more: Any) -> State:
    """Blue's turn; its air is British."""
    state = turn(base("berlin", "red", (0, 0)), *bases, **more)
    hand_over(state, "blue")
    return state


def break_up(state: State, home: str) -> None:
    site = state.sites[home]
    site.transports += broken_transports(site.air)
    site.air = break_down(site.air)
    state.squadrons = True


def shoot_down(state: State, home: str, role: Role, number: int = 1) -> None:
    """Squadrons in a base are lost."""
    which = next(one for one in state.sites[home].air if one.role is role)
    take(state.sites[home].air, which, number)
    state.lose({which: number})


def procedure(script: Any) -> Procedure:
    made = Procedure("under-test", "23.14", "A script by itself")

    @made.segment("23.14", "It")
    def run(state: State) -> Script[Next]:
        yield from script(state)
        return END

    return made


# --- counters, factors and squadrons ----------------------------------------------------------------------------


@pytest.mark.rule("17.11")
def test_there_are_seven_types_of_air_unit() -> None:
    """Elite naval air is naval air, Pacific bombers are strategic bombers, and kamikazes are counted for themselves."""
    variants = {Arm.ELITE: Arm.NAVAL, Arm.PACIFIC_BOMBER: Arm.BOMBER}
    types = {variants.get(arm, arm) for arm in Arm}
    assert types == {Arm.ARMY, Arm.NAVAL, Arm.JET, Arm.TRANSPORT, Arm.BOMBER, Arm.INTERCEPTOR}
    assert len({*types, KAMIKAZE}) == 7


@pytest.mark.rule("17.91", "17.92", "17.93")
def test_counters_are_broken_down_and_put_together_at_any_time() -> None:
    """A base may be listed in parts; one factor of them flies and the others stay; back in their base they are one
    count again, in the order in which they always stand."""
    parts = base("sicily", "red", (0, 0), "2 germany army", "1 germany army", "1 germany army inverted")
    state = turn(parts, base("malta", "blue", (2, 0), "1 britain army"))
    assert air_at(state, "sicily") == {"germany army": 3, "germany army inverted": 1}
    assert len(state.sites["sicily"].air) == 2
    army = units_of(state, "sicily", Arm.ARMY)
    take(state.sites["sicily"].air, army, 1)
    assert state.sites["sicily"].air[army] == 2
    take(state.sites["sicily"].air, army, 2)
    assert army not in state.sites["sicily"].air
    add(state.sites["sicily"].air, army, 2)
    add(state.sites["sicily"].air, army, 1)
    inverted = army.turned(inverted=True)
    take(state.sites["sicily"].air, inverted, 1)
    add(state.sites["sicily"].air, inverted, 1)
    assert list(state.sites["sicily"].air) == [inverted, army]
    whole = turn(base("sicily", "red", (0, 0), "3 germany army", "1 germany army inverted"), base("x", "blue", (2, 0)))
    assert list(state.sites["sicily"].air.items()) == list(whole.sites["sicily"].air.items())


@pytest.mark.rule("23.131", "23.141")
def test_army_air_breaks_down_just_before_it_meets_naval_air_and_not_else() -> None:
    """Two factors fly as factors; over a base with naval air they fight as six squadrons, and then are factors."""
    for defender, scale in (("1 britain naval", 6), ("1 britain army", 2)):
        state = turn(
            base("sicily", "red", (0, 0), "2 germany army"), base("malta", "blue", (2, 0), defender), phase="movement"
        )
        game = play(state, land_strikes)
        game.choose("base-attack:land:malta")
        assert set(game.state.sites["sicily"].air) == {units_of(state, "sicily", Arm.ARMY)}
        game.choose("fly:sicily:germany:army:factors:2")
        assert sum(game.state.operation.base_strike.mission.attackers.values()) == scale
        _to_the_end(game)
        assert all([which.role is Role.FACTORS for which in game.state.sites["sicily"].air])


# --- unbuilt squadrons ------------------------------------------------------------------------------------------


@pytest.mark.rule("23.141B", "23.141")
def test_three_unbuilt_squadrons_make_a_factor_that_can_be_built() -> None:
    state = britain(base("malta", "blue", (5, 0), "3 britain army"), phase="construction", brps={"britain": 9})
    break_up(state, "malta")
    for role in ARMY_ROLES:
        shoot_down(state, "malta", role)
    assert state.turn.unbuilt == {"britain/army/squadrons": 3}
    game = play(state, construction)
    assert game.state.turn.unbuilt == {"britain/army": 1}
    assert offered(game) == ["build:britain/army", "build:done"]


@pytest.mark.rule("23.141B")
def test_a_remnant_of_two_makes_one_too_and_a_third_squadron_leaves_play() -> None:
    state = britain(
        base("malta", "blue", (5, 0), "1 britain army"), base("crete", "blue", (7, 0), "1 britain army"), phase="combat"
    )
    break_up(state, "malta")
    break_up(state, "crete")
    shoot_down(state, "malta", Role.SEARCH)
    shoot_down(state, "crete", Role.COVER)
    game = play(state, procedure(lambda state: convert_unbuilt(state, "blue")))
    assert offered(game) == [
        "third:britain/army:malta:attack",
        "third:britain/army:malta:cover",
        "third:britain/army:crete:attack",
        "third:britain/army:crete:search",
    ]
    game.choose("third:britain/army:malta:cover")
    assert air_at(game.state, "malta") == {"britain army attack": 1}
    assert game.state.turn.unbuilt == {"britain/army": 1}


@pytest.mark.rule("23.141B")
def test_a_remnant_of_one_waits() -> None:
    state = britain(base("malta", "blue", (5, 0), "2 britain army"))
    break_up(state, "malta")
    shoot_down(state, "malta", Role.SEARCH)
    after = play(state, procedure(lambda state: convert_unbuilt(state, "blue"))).state
    assert after.turn.unbuilt == {"britain/army/squadrons": 1}
    assert sum(after.sites["malta"].air.values()) == 5


@pytest.mark.rule("23.141B")
@pytest.mark.parametrize(
    ("squadrons", "made", "waiting"), [(2, 1, 0), (3, 1, 0), (4, 1, 1), (5, 2, 0), (6, 2, 0), (7, 2, 1), (8, 3, 0)]
)
def test_every_three_make_a_factor_two_that_are_left_over_one_more_and_a_single_one_waits(
    squadrons: int, made: int, waiting: int
) -> None:
    state = britain(base("malta", "blue", (5, 0), "2 britain army"))
    break_up(state, "malta")
    state.turn.pools["britain/army"], state.turn.unbuilt = 9, {"britain/army/squadrons": squadrons}
    game = play(state, procedure(lambda state: convert_unbuilt(state, "blue")))
    assert (game.pending is not None) is (squadrons % 3 == 2), "whether a third squadron leaves play"
    after = steer(game).state
    assert after.turn.unbuilt == {"britain/army": made} | ({"britain/army/squadrons": 1} if waiting else {})
    assert sum(after.sites["malta"].air.values()) == (5 if squadrons % 3 == 2 else 6)


@pytest.mark.rule("23.141B")
@pytest.mark.parametrize(("used", "left"), [(1, 1), (2, 1)])
def test_no_more_squadrons_have_flown_than_are_left_when_a_third_one_leaves_play(used: int, left: int) -> None:
    state = britain(base("malta", "blue", (5, 0), "2 britain army"))
    break_up(state, "malta")
    attack = next(one for one in state.sites["malta"].air if one.role is Role.ATTACK)
    cover = next(one for one in state.sites["malta"].air if one.role is Role.COVER)
    take(state.sites["malta"].air, cover, 1)
    state.sites["malta"].used = {attack: used, cover: 1}
    state.turn.unbuilt = {"britain/army/squadrons": 2}
    again = procedure(lambda state: convert_unbuilt(state, "blue"))
    after = steer(play(state, again), "third:britain/army:malta:attack").state
    assert after.sites["malta"].used == {attack: left, cover: 1}
    assert after.sites["malta"].air[attack] == 1
    last = steer(play(state, again), "third:britain/army:malta:cover").state
    assert last.sites["malta"].used == {attack: used}


@pytest.mark.rule("23.141B")
def test_only_the_squadrons_of_the_moving_side_are_converted() -> None:
    state = britain(base("malta", "blue", (5, 0), "2 britain army"))
    state.turn.unbuilt = {"germany/army/squadrons": 3}
    after = play(state, procedure(lambda state: convert_unbuilt(state, "blue"))).state
    assert after.turn.unbuilt == {"germany/army/squadrons": 3}


@pytest.mark.rule("23.141B", "23.142C")
def test_two_unbuilt_squadrons_make_a_factor_and_one_in_play_goes_if_the_pool_is_full() -> None:
    """All that are in play have been put together: a factor beyond the force pool leaves a base of the owner's
    choice."""
    malta = base("malta", "blue", (5, 0), "1 britain army", "1 france army", "1 britain transport")
    full = britain(malta, base("crete", "blue", (7, 0), "1 britain army"))
    full.turn.unbuilt = {"britain/army/squadrons": 2}
    game = play(full, procedure(lambda state: convert_unbuilt(state, "blue")))
    assert offered(game) == ["remove:britain/army:malta", "remove:britain/army:crete"]
    game.choose("remove:britain/army:crete")
    assert air_at(game.state, "malta") == {"britain army": 1, "britain transport": 1, "france army": 1}
    assert air_at(game.state, "crete") == {}
    other = play(full, procedure(lambda state: convert_unbuilt(state, "blue")))
    other.choose("remove:britain/army:malta")
    assert air_at(other.state, "malta") == {"britain transport": 1, "france army": 1}
    assert game.state.turn.unbuilt == {"britain/army": 1}
    room = britain(base("malta", "blue", (5, 0), "2 britain army"))
    room.turn.unbuilt = {"britain/army/squadrons": 2}
    room.turn.pools["britain/army"] = 3
    assert play(room, procedure(lambda state: convert_unbuilt(state, "blue"))).state.turn.unbuilt == {"britain/army": 1}


@pytest.mark.rule("23.142C")
def test_of_a_base_the_inverted_factor_is_removed() -> None:
    """The owner chooses the base; of what it holds, the factor that is inverted anyway goes."""
    malta = base("malta", "blue", (5, 0), "1 britain army", "1 britain army inverted")
    full = britain(malta, base("crete", "blue", (7, 0)))
    full.turn.unbuilt = {"britain/army/squadrons": 2}
    game = play(full, procedure(lambda state: convert_unbuilt(state, "blue")))
    assert air_at(game.state, "malta") == {"britain army": 1}


# --- the end of a turn ------------------------------------------------------------------------------------------


@pytest.mark.rule("23.142C", "23.143", "19.52")
def test_the_printed_example_of_five_factors() -> None:
    """23.143: fifteen squadrons lose nine, two are left in each of three hexes; one factor of three is removed."""
    state = britain(
        base("malta", "blue", (5, 0), "2 britain army"),
        base("crete", "blue", (6, 0), "2 britain army"),
        base("cyprus", "blue", (7, 0), "1 britain army"),
    )
    for home, losses in (("malta", (2, 1, 1)), ("crete", (2, 1, 1)), ("cyprus", (1, 0, 0))):
        break_up(state, home)
        for role, number in zip(ARMY_ROLES, losses, strict=True):
            if number:
                shoot_down(state, home, role, number)
    game = play(state, procedure(put_all_together))
    assert offered(game) == [f"remove:britain/army:{home}" for home in ("malta", "crete", "cyprus")]
    game.choose("remove:britain/army:crete")
    assert [sum(game.state.sites[home].air.values()) for home in ("malta", "crete", "cyprus")] == [1, 0, 1]
    assert game.state.turn.unbuilt == {"britain/army": 3}


@pytest.mark.rule("23.143")
def test_squadrons_that_make_no_factor_can_be_built_again() -> None:
    """Three bases with one squadron each: nothing is left, and all three factors can be built."""
    state = britain(
        *[base(name, "blue", (5 + q, 0), "1 britain army") for q, name in enumerate(("malta", "crete", "cos"))]
    )
    for home in ("malta", "crete", "cos"):
        break_up(state, home)
        shoot_down(state, home, Role.SEARCH)
        shoot_down(state, home, Role.COVER)
    after = steer(play(state, procedure(put_all_together))).state
    assert in_play(after, "britain/army") == 0
    assert after.turn.unbuilt == {"britain/army": 3}


@pytest.mark.rule("23.143", "23.142B")
@pytest.mark.parametrize("missing", [0, 1, 2])
def test_what_is_neither_in_play_nor_unbuilt_can_be_built(missing: int) -> None:
    state = britain(base("malta", "blue", (5, 0), "2 britain army"))
    state.turn.pools["britain/army"] = 2 + missing
    after = play(state, procedure(settle_pools)).state
    assert after.turn.unbuilt == ({"britain/army": missing} if missing else {})


LOSSES = st.lists(st.tuples(st.sampled_from(["malta", "crete", "cyprus"]), st.integers(0, 99)), max_size=14)


@given(
    strengths=st.tuples(*[st.integers(0, 3)] * 3),
    arm=st.sampled_from(["army", "jet", "transport"]),
    unbuilt=st.integers(0, 2),
    losses=LOSSES,
    built=st.booleans(),
)
@settings(max_examples=40, deadline=None)
def test_conversions_conserve_force_pools(
    strengths: tuple[int, ...], arm: str, unbuilt: int, losses: list[tuple[str, int]], built: bool
) -> None:
    """Whatever is broken down, lost and put together, in the construction phase and at the end of the turn: as many
    factors are in play and unbuilt together as the force pool holds."""
    homes = dict(zip(("malta", "crete", "cyprus"), strengths, strict=True))
    bases = [
        base(name, "blue", (5 + q, 0), *[f"{number} britain {arm}"] * bool(number))
        for q, (name, number) in enumerate(homes.items())
    ]
    key = f"britain/{arm}"
    state = britain(
        *bases,
        force_pool={key: unbuilt} if unbuilt else {},
        phase="construction",
        brps={"britain": 9},
        research={"britain": {"jets": 9}},
    )
    whole = sum(strengths) + unbuilt
    for home in homes:
        break_up(state, home)
    for home, number in losses:
        force = list(state.sites[home].air)
        if force:
            which = force[number % len(force)]
            take(state.sites[home].air, which, 1)
            state.lose({which: 1})
    if built:
        state = _first_answers(play(state, construction))
    after = _first_answers(play(state, procedure(put_all_together)))
    together = in_play(after, key) + after.turn.unbuilt.get(key, 0)
    assert together == whole == after.turn.pools.get(key, 0)
    assert not any([name.endswith("squadrons") for name in after.turn.unbuilt])


def _first_answers(game: Any) -> State:
    while isinstance(game.pending, Choose):
        game.choose(game.pending.options[0])
    state: State = game.state
    return state


def test_pools_are_settled_without_a_word_where_nothing_was_lost() -> None:
    state = britain(base("malta", "blue", (5, 0), "2 britain army"), force_pool={"britain/army": 1})
    game = play(state, procedure(settle_pools))
    assert game.pending is None
    assert game.state.turn.unbuilt == {"britain/army": 1}


# --- one factor against several bases ---------------------------------------------------------------------------


def islands(*, second: str = "1 britain naval", **more: Any) -> State:
    """Two German factors in Sicily; Malta and Crete are in range, Malta with naval air."""
    return turn(
        base("sicily", "red", (0, 0), "2 germany army"),
        base("malta", "blue", (2, 0), "1 britain naval"),
        base("crete", "blue", (3, 0), *[second] * bool(second)),
        phase="movement",
        **more,
    )


def flies(state: State) -> Any:
    game = play(state, land_strikes)
    game.choose("base-attack:land:malta")
    game.choose("fly:sicily:germany:army:factors:1")
    return game


DIVIDE = "divide:sicily:germany:army:factors"


@pytest.mark.rule("23.152C")
def test_the_squadrons_of_a_factor_attack_two_bases() -> None:
    game = flies(islands())
    assert offered(game) == [f"{DIVIDE}:{number}" for number in (0, 1, 2)]
    game.choose(f"{DIVIDE}:1")
    fighting = sum(game.state.operation.base_strike.mission.attackers.values())
    assert (fighting, sum(game.state.divided.values())) == (2, 1)
    assert game.state.operation.base_strike.mission.squadrons


@pytest.mark.rule("23.152C")
def test_the_enemy_hears_of_the_division_when_the_attack_is_announced() -> None:
    """What flies is a secret until then, and so is every question about it; the bases stay as they were."""
    state = turn(
        base("sicily", "red", (0, 0), "1 germany army", "1 italy army"),
        base("malta", "blue", (2, 0), "1 britain naval"),
        base("crete", "blue", (3, 0), "1 britain naval"),
        phase="movement",
    )
    game = play(state, land_strikes)
    game.choose("base-attack:land:malta")
    game.choose("fly:sicily:germany:army:factors:1")
    game.choose("fly:sicily:italy:army:factors:1")
    before = (game.view("blue").data, game.log("blue"))
    game.choose(f"{DIVIDE}:3")
    assert offered(game) == [f"divide:sicily:italy:army:factors:{number}" for number in (0, 1, 2)]
    assert (game.view("blue").data, game.log("blue")) == before
    game.choose("divide:sicily:italy:army:factors:1")
    assert sum(game.state.divided.values()) == 4


@pytest.mark.rule("23.152B")
def test_none_of_them_is_withheld() -> None:
    """Those that were kept from Malta fly against Crete, whether or not anybody wants it, before anything else."""
    game = flies(islands())
    game.choose(f"{DIVIDE}:2")
    targets: list[str] = []
    _to_the_end(game, targets)
    assert targets[:2] == ["malta", "crete"]
    assert not game.state.divided


def divides(*bases: dict[str, Any]) -> bool:
    """Whether two factors in Sicily are asked to divide against these bases."""
    state = turn(base("sicily", "red", (0, 0), "2 germany army"), *bases, phase="movement")
    return offered(flies(state))[0].startswith("divide")


@pytest.mark.rule("23.152B", "23.152C")
@pytest.mark.parametrize("second", ["", "1 britain army"])
def test_only_bases_with_naval_air_are_attacked_so(second: str) -> None:
    game = flies(islands(second=second))
    assert not offered(game)[0].startswith("divide")
    army, naval = base("malta", "blue", (2, 0), "1 britain army"), base("crete", "blue", (3, 0), "1 britain naval")
    assert not divides(army, naval)


@pytest.mark.rule("23.152C")
def test_a_base_out_of_range_is_none_of_them() -> None:
    assert not divides(
        *[base(name, "blue", at, "1 britain naval") for name, at in (("malta", (2, 0)), ("cyprus", (5, 0)))]
    )


@pytest.mark.rule("23.152D")
def test_they_are_put_together_when_the_last_counterair_is_over() -> None:
    """One factor, two squadrons over Malta and one over Crete: the three make one inverted factor again."""
    for seed in range(12):
        game = play(islands(), land_strikes, dice=Seeded(seed))
        game.choose("base-attack:land:malta")
        game.choose("fly:sicily:germany:army:factors:1")
        game.choose(f"{DIVIDE}:1")
        lost = _to_the_end(game)
        air = air_at(game.state, "sicily")
        assert air.pop("germany army") == 1
        assert air == ({"germany army inverted": 1} if lost < 2 else {})
        assert not game.state.scattered
        assert not any([site.committed for site in game.state.sites.values()])


def _to_the_end(game: Any, targets: list[str] | None = None) -> int:
    """The squadrons that are lost when everybody breaks off as soon as he can; and which bases are attacked."""
    while game.pending is not None:
        strike = game.state.operation.base_strike
        if targets is not None and strike is not None and strike.mission.target not in targets:
            targets.append(strike.mission.target)
        if not isinstance(game.pending, Choose):
            game.roll()
            continue
        quiet = [option for option in game.pending.options if str(option.value) in ("none", "break-off", "done", "0")]
        game.choose(quiet[0] if quiet else game.pending.options[0])
    lost: int = game.state.losses.air.get("germany/army/squadrons", 0)
    return lost


@pytest.mark.rule("23.152B")
def test_squadrons_whose_base_has_lost_its_naval_air_have_flown_in_vain() -> None:
    state = islands()
    which = units_of(state, "sicily", Arm.ARMY).counted(Role.COVER)
    factor = units_of(state, "sicily", Arm.ARMY)
    take(state.sites["sicily"].air, factor, 1)
    add(state.sites["sicily"].air, which, 1)
    add(state.sites["sicily"].committed, which, 1)
    add(state.divided, which, 1)
    for home in ("malta", "crete"):
        state.sites[home].air = {}
    game = play(state, land_strikes)
    assert not game.state.divided
    assert air_at(game.state, "sicily")["germany army cover inverted"] == 1
    steer(game)
    assert air_at(game.state, "sicily") == {"germany army": 1}  # a lone squadron makes no factor (23.142A)
