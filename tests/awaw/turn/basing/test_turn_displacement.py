"""Displaced air (18.25) and airbases that are lost (18.147)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagplot.awaw.air_units import Arm
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import airbases, isolation, player_turn
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Down, Until
from flagplot.awaw.turn.basing.displacement import capture, displace, strip_airbase
from flagplot.awaw.turn.basing.rooms import excess
from flagplot.awaw.turn.turn import hand_over
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from tests.awaw.turn.moves import offered, play, run, script, steer
from tests.awaw.turn.turns import air_at, base, ground, small_force, turn, units_of

LOST = (0, 0)


def lose(state: State, name: str = "lost") -> Game[Any]:
    """The base falls to blue; whoever has to choose is asked."""
    return play(state, script("loss", lambda state: capture(state, name, "blue")))


def scene(*air: str, **bases: Any) -> State:
    """A red base that is about to fall, and other bases by distance: ``near=(2, "3 germany army")``."""
    others = [base(name, "red", (far, 0), *there) for name, (far, *there) in bases.items()]
    return turn(base("lost", "red", LOST, *air), *others, base("enemy", "blue", (0, 3)))


# --- where to ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.25", "18.253")
def test_air_goes_to_the_nearest_base_with_room_and_is_inverted() -> None:
    state = scene("3 germany army", far=(5,), near=(2,))
    game = lose(state)
    assert game.pending is None  # there is nothing to choose
    assert air_at(game.state, "near") == {"germany army inverted": 3}
    assert air_at(game.state, "lost") == {}
    assert game.state.place("lost").side == "blue"
    assert [(entry.rule, entry.number, entry.until) for entry in game.state.turn.down] == [
        ("18.253", 3, Until.TURN_END)
    ]


@pytest.mark.rule("18.25")
def test_supply_does_not_matter_but_control_does() -> None:
    state = turn(
        base("lost", "red", LOST, "3 germany army"),
        base("enemy", "blue", (1, 0)),
        base("dry", "red", (2, 0), supply="none"),
        base("good", "red", (3, 0)),
    )
    game = lose(state)
    assert air_at(game.state, "dry") == {"germany army inverted": 3}
    assert air_at(game.state, "enemy") == {}


@pytest.mark.rule("18.25.1")
def test_the_owner_chooses_between_bases_equally_near() -> None:
    state = scene("3 germany army", east=(2,), west=(-2,), far=(3,))
    game = lose(state)
    assert isinstance(game.pending, Choose)
    assert game.pending.side == "red"
    assert offered(game) == ["displaced:east", "displaced:west"]
    game.choose("displaced:west")
    game.choose("displaced:west:lost:germany:army:factors:2")
    game.choose("displaced:east")
    assert game.pending is None
    assert air_at(game.state, "west") == {"germany army inverted": 2}
    assert air_at(game.state, "east") == {"germany army inverted": 1}


@pytest.mark.rule("18.25.2")
def test_if_the_nearest_has_room_for_some_the_owner_says_for_whom() -> None:
    state = scene("2 germany army", "2 italy army", near=(1, "2 italy transport"), next=(3,))
    game = lose(state)
    assert [text.rsplit(":", 5)[-5] for text in offered(game)] == ["army", "army"]
    german = next(text for text in offered(game) if "germany" in text)
    game.choose(german)
    game.choose("displaced:near:lost:germany:army:factors:1")
    game.choose(next(text for text in offered(game) if "italy" in text))
    assert "displaced:near:lost:italy:army:factors:2" in offered(game)
    game.choose("displaced:near:lost:italy:army:factors:2")
    assert game.pending is None  # the nearest is full, the rest goes on
    assert air_at(game.state, "near") == {
        "germany army inverted": 1,
        "italy army inverted": 2,
        "italy transport": 2,
    }
    assert air_at(game.state, "next") == {"germany army inverted": 1}


@pytest.mark.rule("18.25.2")
def test_the_owner_reads_which_of_them_are_inverted() -> None:
    game = lose(scene("3 germany army", "2 germany army inverted", near=(2, "2 germany army"), far=(5,)))
    assert isinstance(game.pending, Choose)
    assert sorted([option.label for option in game.pending.options]) == [
        "2 German army air factors, inverted",
        "3 German army air factors",
    ]


@pytest.mark.rule("18.25.2")
def test_the_nearest_base_is_filled_before_anybody_goes_on() -> None:
    state = scene("2 germany army", "2 italy army", near=(1, "2 italy transport"), next=(3,))
    game = lose(state)
    while game.pending is not None:
        game.choose(offered(game)[0])  # whatever is chosen
    assert excess(game.state, "near") == 0
    assert sum(air_at(game.state, "near").values()) == 5
    assert sum(air_at(game.state, "next").values()) == 1


@pytest.mark.rule("18.25.3")
def test_air_that_reaches_no_base_with_room_is_eliminated() -> None:
    state = scene("3 germany army", "3 italy naval", full=(1, "5 italy army"), some=(7, "3 italy army"), far=(9,))
    game = lose(state)
    assert air_at(game.state, "some") == {"italy army": 3, "germany army inverted": 2}
    assert air_at(game.state, "far") == {}
    assert game.state.losses.air == {"germany/army/factors": 1, "italy/naval/squadrons": 3}  # naval air flies six hexes


@pytest.mark.rule("18.25.5", "17.21.3")
def test_a_box_may_receive_displaced_air() -> None:
    state = turn(
        base("lost", "red", LOST, "5 germany army"),
        base("box", "red", (2, 0), box=True, cities=0),
        base("base", "red", (4, 0)),
    )
    assert air_at(lose(state).state, "box") == {"germany army inverted": 5}


@pytest.mark.rule("18.22.2", "18.25")
def test_displaced_air_flies_around_neutral_land() -> None:
    """The base behind neutral land is nearer on the map, and farther to fly."""
    bases = [base("lost", "red", LOST, "1 germany army"), base("east", "red", (2, 0)), base("west", "red", (-3, 0))]
    assert air_at(lose(turn(*bases)).state, "east")
    state = turn(*bases, neutral=[f"1,{r}" for r in range(-5, 11)])
    assert air_at(lose(state).state, "west") == {"germany army inverted": 1}


@pytest.mark.rule("18.252")
def test_nobody_intercepts_displaced_air() -> None:
    state = turn(
        base("lost", "red", LOST, "3 germany army"),
        base("enemy", "blue", (1, 0), "5 britain army"),
        base("east", "red", (2, 0)),
        base("west", "red", (-2, 0)),
    )
    game = lose(state)
    while game.pending is not None:
        assert isinstance(game.pending, Choose)
        assert game.pending.side == "red"
        game.choose(offered(game)[0])
    assert air_at(game.state, "enemy") == {"britain army": 5}


@pytest.mark.rule("18.253")
def test_what_was_inverted_keeps_its_reason() -> None:
    state = scene("1 germany army", "2 germany army inverted", near=(2,))
    inverted = units_of(state, "lost", Arm.ARMY, inverted=True)
    state.turn.down = [Down(inverted, 2, "18.42A", "flew", Until.NEXT_TURN)]
    game = lose(state)
    assert air_at(game.state, "near") == {"germany army inverted": 3}
    assert [(entry.which.home, entry.rule, entry.number) for entry in game.state.turn.down] == [
        ("near", "18.253", 1),
        ("near", "18.42A", 2),
    ]


# --- when -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.25.4")
@pytest.mark.parametrize(("hamar", "left"), [("advance:8,0:berta", 0), ("advance:8,0:none", 2)])
def test_support_whose_base_fell_is_displaced_when_the_phase_ends_to_what_is_left_then(hamar: str, left: int) -> None:
    state = turn(
        base("oslo", "blue", (3, 0), "2 britain army"),
        base("hamar", "blue", (8, 0)),
        base("bergen", "blue", (13, 0)),
        units=[
            ground("anton", "red", "germany", "2,0", factors=3),
            ground("mons", "blue", "britain", "oslo"),
            ground("berta", "red", "germany", "7,0", factors=3),
            ground("loos", "blue", "britain", "hamar"),
        ],
        phases=["combat"],
    )
    oslo = ("attack:3,0", "defend:3,0", "das:3,0:oslo:britain:army:factors:2", "fight:3,0", "go:3,0:all")
    used = "use:3,0:oslo:britain:army:factors:2"
    won = ("defender-loses:3,0:1", "advance:3,0:anton", "fight:8,0", "go:8,0:all", "defender-loses:8,0:1", hamar)
    after = steer(play(state, player_turn), *oslo, used, *won).state
    assert air_at(after, "hamar") == ({"britain army inverted": left} if left else {})
    assert air_at(after, "bergen") == {}, "it is ten hexes from Oslo, too far to be displaced to"
    assert after.losses.air == ({} if left else {"britain/army/factors": 2})
    assert after.turn.absent == []


@pytest.mark.rule("18.142C", "18.147")
@pytest.mark.parametrize(("reading", "supply"), [("next-turn", "none"), ("at-once", "full")])
def test_a_captured_base_is_supplied_when_its_new_owner_next_traces_supply_or_by_option_at_once(
    reading: str, supply: str
) -> None:
    state = turn(
        base("kiel", "red", (1, 0), airbases=1),
        base("oslo", "blue", (3, 0), supply="partial", oil=True),
        units=[ground("anton", "red", "germany", "2,0", factors=3), ground("mons", "blue", "britain", "oslo")],
        turns=["red", "blue"],
        phases=["combat", "construction"],
        airbases={"kiel": "germany"},
        options=Options(captured_supply=reading),
    )
    taken = ("attack:3,0", "fight:3,0", "go:3,0:all", "defender-loses:3,0:1", "advance:3,0:anton")
    game, asked = play(state, player_turn), list[str]()
    for answer in taken:
        while answer not in offered(game):
            game.choose(next(text for text in offered(game) if text.endswith(("none", "done", ":0"))))
        game.choose(answer)
    while game.pending is not None:
        asked += offered(game)
        game.choose(offered(game)[-1])
    assert game.state.turn.untraced == (["oslo"] if supply == "none" else [])
    oslo = game.state.place("oslo")
    assert (oslo.side, oslo.supply, oslo.oil) == ("red", supply, False)
    assert ("airbase:germany" in asked) == (supply == "full"), "Oslo is the only hex for one"
    after = game.state
    for side in ("blue", "red"):
        assert after.place("oslo").supply == supply
        hand_over(after, side)
        after = steer(play(after, player_turn)).state
    assert after.place("oslo").supply == "full"


# --- airbases ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.147", "18.15.1")
def test_an_airbase_is_removed_when_the_enemy_takes_its_hex_and_its_air_is_displaced() -> None:
    state = turn(
        base("lost", "red", LOST, "8 italy army", airbases=1),
        base("near", "red", (1, 0), cities=2),
        airbases={"lost": "italy"},
    )
    game = lose(state)
    assert game.state.turn.airbases == {}
    assert game.state.turn.controllers == {}
    of_france = play(state, script("loss", lambda state: capture(state, "lost", "blue", "france")))
    assert of_france.state.turn.controllers == {"lost": "france"}
    assert game.state.place("lost").installations == 1
    assert game.state.place("lost").defenses.airbases == 0
    assert air_at(game.state, "near") == {"italy army inverted": 8}


@pytest.mark.rule("18.147.2")
def test_a_removed_airbase_may_be_placed_again() -> None:
    state = turn(
        base("one", "red", (0, 0), airbases=1),
        base("two", "red", (1, 0), airbases=1),
        base("three", "red", (2, 0)),
        airbases={"one": "italy", "two": "italy"},
    )
    run(strip_airbase(state, "one", "18.147"))
    game = play(state, airbases)
    game.choose("airbase:italy")
    assert offered(game) == ["airbase:italy:one", "airbase:italy:three"]  # and none is taken up for it
    game.choose("airbase:italy:three")
    assert sorted(game.state.turn.airbases) == ["three", "two"]


@pytest.mark.rule("18.147.1", "18.15.1", "18.25")
def test_an_isolated_airbase_is_removed_and_what_the_hex_does_not_hold_is_displaced() -> None:
    state = turn(
        base("cut", "red", LOST, "7 italy army", airbases=1),
        base("near", "red", (1, 0)),
        base("other", "red", (3, 0), cities=0, airbases=1),
        airbases={"cut": "italy", "other": "italy"},
        isolated=["cut"],
    )
    game = steer(play(state, isolation))
    assert sorted(game.state.turn.airbases) == ["other"]
    assert air_at(game.state, "cut") == {"italy army": 5}
    assert air_at(game.state, "near") == {"italy army inverted": 2}


@pytest.mark.rule("18.15.1", "18.147.1")
@pytest.mark.parametrize(
    ("air", "chosen", "left"),
    [
        (("5 italy army", "1 italy naval"), ["naval"], {"italy army": 5}),
        (
            ("6 italy army", "2 italy naval"),
            ["naval", "naval"],
            {"italy army": 5},
        ),  # and then a factor, all that is left
        (("6 italy army", "2 italy naval"), ["army", "naval", "naval"], {"italy army": 5}),
        (("6 italy army", "2 italy naval"), ["army", "army"], {"italy army": 4, "italy naval": 2}),
    ],
)
def test_the_owner_says_one_by_one_what_leaves_a_base_until_it_holds_the_rest(
    air: tuple[str, ...], chosen: list[str], left: dict[str, int]
) -> None:
    """Without its airbase it holds fifteen squadrons."""
    bases = [base("cut", "red", LOST, *air, airbases=1), base("near", "red", (1, 0))]
    state = turn(*bases, airbases={"cut": "italy"}, isolated=["cut"])
    there = {arm: units_of(state, "cut", arm) for arm in (Arm.ARMY, Arm.NAVAL)}
    numbers = {arm: state.sites["cut"].air[which] for arm, which in there.items()}
    game = play(state, isolation)
    for arm in map(Arm, chosen):
        assert offered(game) == [f"leave:cut:{which.text}" for one, which in there.items() if numbers[one]]
        game.choose(f"leave:cut:{there[arm].text}")
        numbers[arm] -= 1
    assert game.pending is None
    assert air_at(game.state, "cut") == left


@pytest.mark.rule("17.3126C")
def test_squadrons_ashore_stay_with_the_carriers_of_other_ports_and_at_sea() -> None:
    def carriers(name: str, home: str, **more: Any) -> dict[str, Any]:
        return small_force(name, "red", home, {"nation": "japan", "named": [name]}, **more)

    state = turn(
        base("lost", "red", (0, -7), "3 japan naval", ports=1),
        base("near", "red", (3, -7), ports=1),
        base("enemy", "blue", (0, 3)),
        forces=[carriers("akagi", "lost"), carriers("kaga", "near"), carriers("soryu", "lost", patrol="0,-8")],
        pacific=True,
    )
    squadrons = {units_of(state, "lost", Arm.NAVAL): 1}
    for force in state.operation.fleet.values():
        force.ashore = dict(squadrons)
    after = lose(state).state
    assert {key: force.ashore for key, force in after.operation.fleet.items()} == {
        "akagi": {},
        "kaga": squadrons,
        "soryu": squadrons,
    }


@pytest.mark.rule("18.147.1")
def test_only_the_moving_sides_airbases_that_are_cut_off_are_removed() -> None:
    state = turn(
        base("ours", "red", LOST, airbases=1),
        base("theirs", "blue", (3, 0), airbases=1),
        airbases={"ours": "italy", "theirs": "britain"},
        isolated=["theirs"],
    )
    assert sorted(play(state, isolation).state.turn.airbases) == ["ours", "theirs"]


# --- whatever is played -----------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    counts=st.lists(st.integers(0, 4), min_size=8, max_size=8),
    answers=st.lists(st.integers(0, 9), min_size=40, max_size=40),
)
@pytest.mark.rule("18.25", "18.11")
def test_displacement_loses_nobody_and_overfills_nothing(counts: list[int], answers: list[int]) -> None:
    kinds = ("germany army", "italy army inverted", "italy naval", "germany transport")
    there = [f"{number} {kind}" for number, kind in zip(counts, kinds, strict=False) if number]
    guests = [f"{number % 4} italy army" for number in counts[4:]]
    others = [
        base(f"b{n}", "red", at, *([] if air.startswith("0") else [air]), island=n == 2)
        for n, (at, air) in enumerate(zip([(1, 0), (-1, 0), (0, 2), (7, 0)], guests, strict=True))
    ]
    state = turn(base("lost", "red", LOST, *there, cities=3), *others)
    before = _squadrons(state)
    game = play(state, script("displaced", lambda state: displace(state, "lost")))
    for answer in answers:
        if game.pending is None:
            break
        game.choose(offered(game)[answer % len(offered(game))])
    steer(game)
    lost = sum((3 if "factors" in pool else 1) * number for pool, number in game.state.losses.air.items())
    assert _squadrons(game.state) + lost == before
    assert [excess(game.state, key) for key in game.state.sites] == [0] * len(game.state.sites)
    assert air_at(game.state, "lost") == {}


def _squadrons(state: State) -> int:
    return sum(which.size * number for site in state.sites.values() for which, number in site.air.items())
