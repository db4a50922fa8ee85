"""22.44, 23.1-23.3: the air plan of a naval combat round: combat air patrol, land-based air and air cover."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot.awaw.air_units import Role
from flagplot.awaw.battle.air_plan import (
    COVERERS,
    SEARCHERS,
    STRIKERS,
    eligible,
    open_round,
    patrol_limit,
    prorated_cover,
)
from flagplot.awaw.state.battle import GroupRound
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Scripted
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose, Roll
from tests.awaw.battles import asked_now, asks, battle, fight, group, rolls_for, squadron
from tests.awaw.scenes import CARRIERS, air, base, log, roll, short, start
from tests.awaw.voyages import Same

ENEMY = squadron("enemy", "blue", destroyers=12)
KIDO = squadron("kido", "red", "Akagi", "Kaga", "Hiryu", "Soryu", cruisers=12, destroyers=1, air=12)
LINE = squadron("line", "red", destroyers=10)
LEXINGTON = squadron("lady", "blue", "Lexington", cruisers=10, air=3)

PATROL = "red-at-sea:japan:naval:squadrons"
ISLE = "isle:japan:naval:squadrons"


def isle(*units: str, far: int = 3, **more: Any) -> dict[str, Any]:
    return base("isle", "red", (0, far), *units, **more)


def in_round(number: int, until: Callable[[Game[State]], bool]) -> Callable[[Game[State]], bool]:
    return lambda game: game.state.battle.round == number and until(game)


def at_cover(*bases: dict[str, Any], orders: tuple[str, ...] = (), **more: Any) -> Game[State]:
    """A battle of surface ships up to the questions about Red's air cover, or past them if there are none."""
    game = start(battle(LINE, ENEMY, bases=bases, **more))
    return fight(game, *orders, until=lambda game: asks("cover")(game) or rolls_for(": search")(game))


def verbs(game: Game[State], side: str) -> set[str]:
    """Everything that a side was asked so far, by verb."""
    asked = [request for request, _ in game.events if isinstance(request, Choose) and request.side == side]
    return {one.verb if isinstance(one.verb, str) else one.verb[0] for one in asked if len(one) > 1}


# --- combat air patrol ------------------------------------------------------------------------------------------


@pytest.mark.rule("23.33", "23.33.EX1", "SOP-NC-I.C.2.a")
@pytest.mark.parametrize(("squadrons", "most"), [(12, 4), (9, 3), (3, 1), (4, 2), (1, 1), (0, 0)])
def test_at_most_a_third_rounded_up_flies_patrol(squadrons: int, most: int) -> None:
    assert patrol_limit(squadrons) == most


@pytest.mark.rule("23.33")
@given(st.integers(0, 60))
def test_a_third_is_never_less_than_it_nor_a_squadron_more(squadrons: int) -> None:
    assert squadrons <= 3 * patrol_limit(squadrons) < squadrons + 3


@pytest.mark.rule("23.33.EX1", "23.33", "23.32", "23.35B")
def test_printed_example_of_twelve_squadrons_and_then_nine() -> None:
    """Four of twelve may fly patrol in the first round; three are lost over a base (row 5 at 10: 3/4), and of nine
    three may, whoever flew patrol before."""
    with Scripted(
        *[("Red: air combat over Rock", 1, 1), ("Blue: air combat over Rock", 4, 6)],
        *[("Red: search", 6), ("Blue: search", 6), ("Red: search", 6, 6), ("Blue: search", 6, 6)],
    ) as dice:
        game = start(battle(KIDO, ENEMY, bases=[base("rock", "blue", (0, 2), "5 united-states naval")], rounds=2), dice)
        fight(game, until=asks("patrol"))
        assert asked_now(game) == [f"patrol:1:{PATROL}:{number}" for number in range(5)]
        fight(game, f"patrol:1:{PATROL}:4", f"send:rock:{PATROL}:8", until=in_round(2, asks("patrol")))
        assert game.state.losses.air["japan/naval/squadrons"] == 3
        assert asked_now(game) == [f"patrol:1:{PATROL}:{number}" for number in range(4)]
        fight(game)


@pytest.mark.rule("23.32", "23.33", "22.451D.2")
def test_a_round_begins_with_nothing_found_and_a_third_of_the_squadrons_that_are_there() -> None:
    state = start(battle(KIDO, LINE, LEXINGTON)).state
    for number, one in enumerate(state.battle.groups.values(), 1):
        one.number, one.third, one.ready = number, 9, False
        one.this_round = GroupRound(results=2, attacks=1, uncovered=True)
    state.battle.end_round()
    open_round(state)
    rounds = {one.name: one.this_round for one in state.battle.groups.values()}
    found = {name: (one.results, one.attacks, one.uncovered) for name, one in rounds.items()}
    assert found == dict.fromkeys(("KIDO", "LINE", "LADY"), (0, 0, False))
    assert {one.name: one.third for one in state.battle.groups.values()} == {"KIDO": 4, "LINE": 0, "LADY": 1}
    assert {one.name: one.ready for one in state.battle.groups.values()} == {"KIDO": True, "LINE": False, "LADY": True}


@pytest.mark.rule("22.41B.1", "22.431A", "SOP-NC-I.C", "SOP-NC-I.C.2")
def test_squadrons_on_patrol_stand_over_their_group_and_the_others_stand_by() -> None:
    game = fight(start(battle(KIDO, LINE, LEXINGTON)), "number:kido:3", "number:line:5", until=asks("patrol"))
    fight(game, f"patrol:3:{PATROL}:4", until=rolls_for(": search"))
    assert short(group(game, "red", 3).patrol) == {"japan naval": 4}
    assert group(game, "red", 5).patrol == {}
    assert short(game.state.at_sea("red").air) == {"japan naval": 8}
    assert game.view("red").data["groups"][0]["patrol"][0]["count"] == 4


@pytest.mark.rule("22.41B.1", "SOP-NC-I.C")
def test_patrol_is_allocated_in_secret() -> None:
    """The enemy reads that something is decided, and whatever it is he reads and sees the same."""
    told = set()
    for number in (0, 1, 4):
        game = start(battle(KIDO, LINE, LEXINGTON))
        orders = ["number:kido:3", "number:line:5", f"patrol:3:{PATROL}:{number}"]
        fight(game, *orders, until=rolls_for(": search"))
        told.add((log(game, "blue"), str(game.view("blue").data)))
    assert len(told) == 1
    assert "Red: assigning combat air patrol" in told.pop()[0]


@pytest.mark.rule("22.41B.1", "22.431A")
def test_patrol_comes_before_the_attacks_on_bases_and_does_not_fly_them() -> None:
    rock = base("rock", "blue", (0, 2), "1 united-states naval")
    game = fight(start(battle(KIDO, ENEMY, bases=[rock])), until=asks("patrol"))
    fight(game, f"patrol:1:{PATROL}:4", until=asks("send"))
    assert asked_now(game)[-1] == f"send:rock:{PATROL}:8"


@pytest.mark.rule("23.31", "23.33", "SOP-NC-I.C.2.a")
def test_each_group_has_a_third_of_its_own_squadrons_over_itself() -> None:
    """Twelve and two squadrons: four over the one, one over the other; not five over either."""
    other = squadron("other", "red", "Shoho", cruisers=10, air=2)
    game = fight(
        start(battle(KIDO, other, ENEMY)),
        *["number:kido:1", "number:other:2", f"patrol:1:{PATROL}:4", f"patrol:2:{PATROL}:1"],
        until=rolls_for(": search"),
    )
    patrols = [request for request, _ in game.events if isinstance(request, Choose) and request.verb[0] == "patrol"]
    assert [list(one.values) for one in patrols] == [[0, 1, 2, 3, 4], [0, 1]]
    assert [short(group(game, "red", number).patrol) for number in (1, 2)] == [{"japan naval": 4}, {"japan naval": 1}]


@pytest.mark.rule("23.33")
def test_a_third_is_counted_over_all_kinds_of_squadron() -> None:
    """Three elite and three regular squadrons: two in all."""
    mixed = squadron("mixed", "red", "Akagi", "Kaga", cruisers=10)
    mixed["air"] = [{"nation": "japan", "squadrons": 3, "elite": elite} for elite in (True, False)]
    game = fight(start(battle(mixed, ENEMY)), until=asks("patrol"))
    game.choose("patrol:1:red-at-sea:japan:elite-naval:squadrons:1")
    assert asked_now(game) == [f"patrol:1:{PATROL}:{number}" for number in (0, 1)]
    game.choose(f"patrol:1:{PATROL}:1")
    assert sum(group(game, "red", 1).patrol.values()) == 2


@pytest.mark.rule("23.11C", "23.36")
def test_only_squadrons_of_fast_carriers_fly_patrol() -> None:
    """Neither CVEs nor squadrons ashore give any."""
    game = fight(
        start(battle(squadron("line", "red", destroyers=10, cves=6), ENEMY, bases=[isle("3 japan naval")])),
        until=rolls_for(": search"),
    )
    assert "patrol" not in verbs(game, "red")


@pytest.mark.rule("23.36", "23.33")
def test_escort_carriers_do_not_raise_the_limit() -> None:
    game = fight(start(battle(squadron("a", "red", "Akagi", cruisers=10, cves=6, air=3), ENEMY)), until=asks("patrol"))
    assert len(asked_now(game)) == 2


@pytest.mark.rule("23.35B", "23.32")
def test_patrol_is_chosen_anew_each_round_whatever_was_done_before() -> None:
    """All three squadrons are free again in round two: those that flew patrol too."""
    akagi = squadron("a", "red", "Akagi", cruisers=10, air=3)
    game = fight(start(battle(akagi, ENEMY, rounds=2)), f"patrol:1:{PATROL}:1", until=in_round(2, asks("patrol")))
    assert group(game, "red", 1).patrol == {}
    assert asked_now(game) == [f"patrol:1:{PATROL}:{number}" for number in (0, 1)]
    fight(game, f"patrol:1:{PATROL}:0", until=rolls_for(": search"))
    assert short(game.state.at_sea("red").air) == {"japan naval": 3}


@pytest.mark.rule("23.64", "23.35A", "23.33", "SOP-NC-I.C")
@pytest.mark.parametrize(("sent", "most"), [(9, 3), (4, 4), (12, 0)])
def test_by_the_other_reading_patrol_is_flown_by_those_who_stayed_behind(sent: int, most: int) -> None:
    """A third of the twelve that were there as the round began; together with the strikes, before any is announced."""
    with Scripted(("Red: air combat over Rock", 6, 6), ("Blue: air combat over Rock", 1, 1)) as dice:
        rock = base("rock", "blue", (0, 2), "1 united-states naval")
        game = start(battle(KIDO, ENEMY, bases=[rock]), dice, patrol_chosen="after-counterair")
        fight(game, until=asks("send"))
        game.choose(f"send:rock:{PATROL}:{sent}")
        roll(game)
    offered = [f"patrol:1:{PATROL}:{number}" for number in range(most + 1)] if most else ["ready:go"]
    assert asked_now(game) == offered
    game.choose(offered[-1])
    assert sum(group(game, "red", 1).patrol.values()) == most


@pytest.mark.rule("23.64", "23.31")
def test_by_the_other_reading_too_a_nation_flies_over_groups_with_its_own_carriers() -> None:
    forces = [
        squadron("a", "red", "Akagi", cruisers=10, air=3),
        squadron("g", "red", "Graf Zeppelin", nation="germany", cruisers=10, air=2),
    ]
    game = start(battle(*forces, ENEMY), patrol_chosen="after-counterair")
    fight(game, "number:a:1", "number:g:2", until=asks("patrol:1"))
    assert all("japan" in text for text in asked_now(game))
    fight(game, until=asks("patrol:2"))
    assert all("germany" in text for text in asked_now(game))


@pytest.mark.rule("23.35A", "23.24A", "22.41D.1")
def test_patrol_then_cover_then_search_then_strikes() -> None:
    akagi = squadron("a", "red", "Akagi", cruisers=10, air=3)
    game = start(battle(akagi, ENEMY, bases=[isle("1 japan naval")]))
    order = []
    while "strike" not in order:
        assert game.pending is not None
        order.append("roll" if isinstance(game.pending, Roll) else asked_now(game)[0].split(":")[0])
        game.roll([1]) if isinstance(game.pending, Roll) else game.choose(asked_now(game)[0])
    assert [verb for verb in order if verb != "ready"] == [
        "number",
        "number",
        "patrol",
        "cover",
        "search",
        "roll",
        "roll",
        "strike",
    ]


# --- which land-based air may act -------------------------------------------------------------------------------


@pytest.mark.rule("22.442", "22.442A", "22.341", "18.51.2", "18.45.3")
@pytest.mark.parametrize(
    ("units", "more", "able"),
    [
        ("2 japan naval", {"far": 3}, {"japan naval": 2}),
        ("2 japan naval", {"far": 4}, {}),
        ("2 japan naval inverted", {"far": 3}, {}),
        ("2 japan naval", {"far": 1, "supply": "partial"}, {}),
        ("2 japan naval", {"far": 0, "supply": "partial"}, {"japan naval": 2}),
        ("2 japan naval", {"far": 1, "oil": True}, {}),
        ("2 japan naval", {"far": 0, "oil": True}, {"japan naval": 2}),
        ("2 japan naval", {"far": 1, "winter": 9}, {}),
        ("2 japan naval", {"far": 0, "winter": 9}, {"japan naval": 2}),
        ("2 japan naval", {"far": 3, "winter": 8}, {"japan naval": 2}),
        ("2 japan naval", {"far": 3, "supply": "none"}, {}),
        ("1 japan army", {"far": 3}, {"japan army cover": 1}),
        ("1 japan army", {"far": 4}, {}),
        ("1 japan army inverted", {"far": 3}, {}),
    ],
)
def test_uninverted_air_in_an_operational_base_in_range_is_eligible(
    units: str, more: dict[str, Any], able: dict[str, int]
) -> None:
    game = at_cover(isle(units, **more))
    assert short(eligible(game.state, "red", COVERERS)) == able


@pytest.mark.rule("22.442A")
@pytest.mark.parametrize(("units", "able"), [("1 japan army", 1), ("1 japan naval", 0)])
def test_in_europe_army_air_reaches_a_hex_farther(units: str, able: int) -> None:
    game = at_cover(isle(units, far=4), theatre="europe")
    assert sum(eligible(game.state, "red", COVERERS).values()) == able


@pytest.mark.rule("22.442", "22.442B")
def test_committed_air_takes_no_part() -> None:
    """Two of five squadrons, and one of two army factors with all its squadrons, are wanted elsewhere."""
    place = isle("3 japan naval", "1 japan army")
    place["air"] += [{**entry, "committed": True} for entry in isle("2 japan naval", "1 japan army")["air"]]
    game = at_cover(place)
    assert short(eligible(game.state, "red", COVERERS)) == {"japan army cover": 1, "japan naval": 3}
    assert short(eligible(game.state, "red", SEARCHERS)) == {"japan army search": 1, "japan naval": 3}
    assert short(eligible(game.state, "red", STRIKERS)) == {"japan army attack": 1, "japan naval": 3}


@pytest.mark.rule("22.442", "22.442C", "22.434")
def test_air_that_a_counterair_of_this_round_aborted_is_not_eligible_before_the_next() -> None:
    """Five naval squadrons in Isle; one is shot down, two are aborted (row 3 at 6: 1/2), and two may act. In the next
    round all four may."""
    with Scripted(
        *[("Blue: air combat over Isle", 3, 4), ("Red: air combat over Isle", 1, 1)],
        *[("Red: search", 6), ("Blue: search", 6)],
    ) as dice:
        game = start(battle(LINE, LEXINGTON, bases=[isle("5 japan naval")], rounds=2), dice)
        fight(game, "send:isle:blue-at-sea:united-states:naval:squadrons:3", until=asks("cover"))
        assert air(game, "isle") == {"japan naval": 4}
        assert short(eligible(game.state, "red", COVERERS)) == {"japan naval": 2}
        fight(game, until=in_round(2, asks("cover")))
        assert short(eligible(game.state, "red", COVERERS)) == {"japan naval": 4}


@pytest.mark.rule("22.341", "22.341B", "22.341C", "22.341D")
def test_the_three_roles_are_for_the_three_kinds_and_naval_squadrons() -> None:
    game = at_cover(isle("1 japan army", "1 japan naval"))
    kinds = {roles: short(eligible(game.state, "red", roles)) for roles in (COVERERS, SEARCHERS, STRIKERS)}
    assert kinds == {
        COVERERS: {"japan army cover": 1, "japan naval": 1},
        SEARCHERS: {"japan army search": 1, "japan naval": 1},
        STRIKERS: {"japan army attack": 1, "japan naval": 1},
    }


@pytest.mark.rule("23.161.1", "22.41D.1.2", "22.4422B")
def test_a_squadron_has_one_role_in_a_round() -> None:
    """Of three naval squadrons one covers, one searches, and one can still strike."""
    with Scripted(("Red: search", 1, 1), ("Blue: search", 6)) as dice:
        game = start(battle(LINE, ENEMY, bases=[isle("3 japan naval")]), dice)
        fight(game, "number:line:1", f"cover:1:{ISLE}:1", f"search:{ISLE}:1", until=asks("strike"))
        assert short(eligible(game.state, "red", STRIKERS)) == {"japan naval": 1}
        assert eligible(game.state, "red", SEARCHERS) == eligible(game.state, "red", STRIKERS)


@pytest.mark.rule("23.161.1")
def test_a_squadron_that_struck_does_nothing_else_in_that_round() -> None:
    """Two results: two of three strike, and the second strike has one squadron left."""
    game = start(battle(squadron("a", "red", destroyers=10), ENEMY, bases=[isle("3 japan naval")], codebreaking="red"))
    fight(game, "number:enemy:1", until=rolls_for("Red: search"))
    game.roll([1, 1])
    fight(game, until=asks("strike"))
    game.choose("strike:1")
    game.choose(f"fly:{ISLE}:2")
    fight(game, until=asks("strike"))
    assert short(eligible(game.state, "red", STRIKERS)) == {"japan naval": 1}


@pytest.mark.rule("23.161.1", "23.24B", "22.4421C")
@pytest.mark.parametrize("before", [f"cover:1:{ISLE}:3", f"search:{ISLE}:3"])
def test_in_the_next_round_every_squadron_is_free_for_any_role(before: str) -> None:
    game = start(battle(LINE, ENEMY, bases=[isle("3 japan naval")], rounds=2))
    fight(game, before, until=in_round(2, asks("cover")))
    assert asked_now(game)[-1] == f"cover:1:{ISLE}:3"
    fight(game, f"cover:1:{ISLE}:0", until=asks("search"))
    assert asked_now(game)[-1] == f"search:{ISLE}:3"


# --- army air as squadrons --------------------------------------------------------------------------------------


@pytest.mark.rule("22.343", "23.131C", "17.25", "SOP-NC-STAR")
def test_army_air_in_range_breaks_down_before_cover_is_assigned() -> None:
    """Two factors make two squadrons of each kind; air too far away stays as it is."""
    game = at_cover(isle("2 japan army"), base("far", "red", (0, 4), "1 japan army"))
    assert air(game, "isle") == {"japan army attack": 2, "japan army cover": 2, "japan army search": 2}
    assert air(game, "far") == {"japan army": 1}
    assert asked_now(game) == [f"cover:1:isle:japan:army:cover:{number}" for number in range(3)]


@pytest.mark.rule("23.131D", "23.131E", "17.25", "SOP-NC-STAR")
@pytest.mark.parametrize(("verb", "role"), [("search", Role.SEARCH), ("fly", Role.ATTACK)])
def test_army_air_searches_and_strikes_as_squadrons(verb: str, role: Role) -> None:
    game = fight(start(battle(LINE, ENEMY, bases=[isle("2 japan army")])), "number:enemy:1", until=asks("search"))
    if verb == "fly":
        fight(game, until=rolls_for("Red: search"))
        game.roll([1])
        fight(game, "strike:1", until=asks("fly"))
    assert asked_now(game)[-1] == f"{verb}:isle:japan:army:{role}:2"


@pytest.mark.rule("22.343", "19.65C")
def test_squadrons_lost_in_a_naval_battle_are_factors_lost_in_its_end() -> None:
    """Both factors go out as squadrons; of six two are lost as if shot down, four are left and make one factor."""
    game = start(battle(LINE, ENEMY, bases=[isle("2 japan army")]))
    fight(game, until=asks("cover"))
    stands = game.state.sites["isle"].air
    for which in [which for which in stands if which.role is not Role.COVER]:
        stands[which] -= 1
        game.state.lose({which: 1})
    fight(game)
    assert sum(air(game, "isle").values()) == 1
    assert game.state.losses.air == {"japan/army/squadrons": 2}


# --- air cover --------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.341B", "22.41D.1.3", "23.11D", "23.21")
def test_cover_squadrons_of_army_air_and_naval_squadrons_ashore_may_cover() -> None:
    """Search and attack squadrons, jets, transports and carrier squadrons may not."""
    mixed = isle("2 japan army", "1 japan naval", "1 japan jet", "1 japan transport")
    akagi = squadron("a", "red", "Akagi", cruisers=10, air=3)
    game = start(battle(akagi, ENEMY, bases=[mixed], research={"japan": {"jets": 9}}))
    fight(game, until=asks("cover"))
    assert asked_now(game) == [f"cover:1:isle:japan:army:cover:{number}" for number in range(3)]
    game.choose("cover:1:isle:japan:army:cover:2")
    assert asked_now(game) == [f"cover:1:{ISLE}:{number}" for number in range(2)]
    game.choose(f"cover:1:{ISLE}:1")
    assert short(group(game, "red", 1).cover) == {"japan army cover": 2, "japan naval": 1}
    assert not asks("cover")(game)


@pytest.mark.rule("22.41D.1.2")
def test_naval_squadrons_on_cover_neither_search_nor_strike() -> None:
    with Scripted(("Red: search", 1), ("Blue: search", 6)) as dice:
        game = start(battle(LINE, ENEMY, bases=[isle("3 japan naval")]), dice)
        fight(game, "number:enemy:1", "number:line:1", f"cover:1:{ISLE}:3", until=asks("strike"))
        assert verbs(game, "red") == {"number", "cover"}
        assert asked_now(game) == ["strike:none"]


TWO_GROUPS = (LINE, squadron("second", "red", destroyers=11))
BOTH = ("number:line:2", "number:second:4")


@pytest.mark.rule("22.41D.1", "22.4421A", "SOP-NC-I.D", "23.24A", "23.21")
def test_each_covering_squadron_is_assigned_to_one_group_in_any_split() -> None:
    game = start(battle(*TWO_GROUPS, ENEMY, bases=[isle("5 japan naval")]))
    fight(game, *BOTH, until=asks("cover"))
    assert asked_now(game) == [f"cover:2:{ISLE}:{number}" for number in range(6)]
    game.choose(f"cover:2:{ISLE}:2")
    assert asked_now(game) == [f"cover:4:{ISLE}:{number}" for number in range(4)]
    game.choose(f"cover:4:{ISLE}:1")
    assert [short(group(game, "red", number).cover) for number in (2, 4)] == [{"japan naval": 2}, {"japan naval": 1}]
    assert air(game, "isle") == {"japan naval": 2}


@pytest.mark.rule("22.41D.1", "22.4421B", "22.4421A", "SOP-NC-I.D.1", "23.24A")
def test_cover_is_announced_but_not_what_it_covers() -> None:
    game = start(battle(*TWO_GROUPS, ENEMY, bases=[isle("5 japan naval")]))
    fight(game, *BOTH, f"cover:2:{ISLE}:2", f"cover:4:{ISLE}:1", until=rolls_for(": search"))
    assert "Red: air cover by 3 Japanese naval air squadrons" in log(game, "blue")
    assert "Red: assigning air cover" in log(game, "blue")
    theirs = [one for one in game.view("blue").data["groups"] if one["side"] == "red"]
    assert all("cover" not in one for one in theirs)
    assert "Cover CG" not in log(game, "blue")
    mine = [one for one in game.view("red").data["groups"] if one["side"] == "red"]
    assert [one["cover"][0]["count"] for one in mine] == [2, 1]


@pytest.mark.rule("22.4421B")
def test_the_same_is_announced_whichever_group_is_covered() -> None:
    """What Blue can read does not depend on it."""
    told = set()
    for number in (2, 4):
        game = start(battle(*TWO_GROUPS, ENEMY, bases=[isle("5 japan naval")]))
        fight(game, *BOTH, f"cover:{number}:{ISLE}:3", until=rolls_for(": search"))
        told.add((log(game, "blue"), str(game.view("blue").data)))
    assert len(told) == 1


def struck(number: int, *orders: str, surprise: bool = False, **more: Any) -> Game[State]:
    """Blue finds both of Red's groups and strikes one with his three carrier squadrons; up to the question who
    engages, or beyond it."""
    scenario = battle(*TWO_GROUPS, LEXINGTON, bases=[isle("5 japan naval")], codebreaking="blue", **more)
    game = fight(start(scenario), *BOTH, *orders, until=rolls_for("Blue: search"))
    game.roll([2, 4])
    fly = "fly:blue-at-sea:united-states:naval:squadrons:3"
    fight(
        game,
        f"{'surprise' if surprise else 'strike'}:{number}",
        fly,
        until=lambda game: game.state.battle.strike is not None,
    )
    if surprise:
        game.roll([1])
    return game


COVERED = (f"cover:2:{ISLE}:2", f"cover:4:{ISLE}:1")


@pytest.mark.rule("22.41D.1.1", "22.4421B", "22.4421A")
@pytest.mark.parametrize(("number", "there"), [(2, 2), (4, 1)])
def test_cover_defends_the_group_that_it_was_assigned_to_and_comes_to_light_as_that_is_struck(
    number: int, there: int
) -> None:
    game = struck(number, *COVERED)
    assert asked_now(game) == [f"engage:{ISLE}:{some}" for some in range(there + 1)]
    told = f"Air cover over CG {number} (Red): {there} Japanese naval air squadron{'s' * (there > 1)}"
    assert told in log(game, "blue")
    seen = {one["number"]: "cover" in one for one in game.view("blue").data["groups"] if one["side"] == "red"}
    assert seen == {number: True, 6 - number: False}


@pytest.mark.rule("22.41D.1.1")
def test_a_group_without_cover_is_defended_by_nobody_elses() -> None:
    game = fight(struck(4, f"cover:2:{ISLE}:5"), until=rolls_for("air defense"))
    assert "engage" not in verbs(game, "red")
    assert "no squadrons engage the strike" in log(game)


@pytest.mark.rule("22.4421C", "23.415A.1")
@pytest.mark.parametrize("surprise", [True, False])
def test_cover_defends_against_surprise_and_ordinary_strikes(surprise: bool) -> None:
    """A surprise of low level leaves all of them free to engage."""
    game = struck(2, *COVERED, surprise=surprise)
    assert asked_now(game) == [f"engage:{ISLE}:{some}" for some in range(3)]


@pytest.mark.rule("22.4421C", "23.24B")
def test_cover_that_survives_may_act_in_further_rounds() -> None:
    """Two engage, and one is shot down (row 2 at 4: 1/0); the other one and those held back may cover in round two."""
    game = struck(2, *COVERED, rounds=2)
    game.choose(f"engage:{ISLE}:2")
    fight(game, until=rolls_for("Blue: air combat"))
    game.roll([2, 2])
    fight(game, until=in_round(2, asks("cover")))
    assert game.state.losses.air["japan/naval/squadrons"] == 1
    assert asked_now(game)[-1] == f"cover:2:{ISLE}:4"


@pytest.mark.rule("23.21.1")
def test_ships_in_port_cannot_be_covered() -> None:
    """The carriers under a marker in Isle are nobody's choice: only groups in the battle are."""
    marker = {**CARRIERS, "nation": "japan"}
    place = isle("2 japan naval", cities=1, ports=1, airbases=1, task_force=marker)
    late = squadron("late", "red", destroyers=10, arrives=2)
    game = start(battle(*TWO_GROUPS, late, ENEMY, bases=[place]))
    fight(game, *BOTH, until=rolls_for(": search"))
    covers = [request for request, _ in game.events if isinstance(request, Choose) and request.verb[0] == "cover"]
    assert [one.verb[1] for one in covers] == ["2", "4"]


@pytest.mark.rule("17.3126E")
def test_carrier_squadrons_in_an_attacked_port_defend_it_and_nothing_else_until_the_battle_is_over() -> None:
    """Blue attacks Isle in both rounds. The squadrons of the carriers in port fight for it both times, and never cover,
    search or strike; the army air that is based there may."""
    place = isle("2 japan army", cities=1, ports=1, airbases=1, task_force={**CARRIERS, "nation": "japan"})
    sortie = "send:isle:blue-at-sea:united-states:naval:squadrons:1"
    game = start(battle(LINE, LEXINGTON, bases=[place], rounds=2), Same(1))
    for number in (1, 2):
        fight(game, sortie, until=in_round(number, rolls_for("Red: air combat over Isle")))
        assert "row 9" in str(game.pending)
        fight(game, until=in_round(number, asks("cover")))
        assert air(game, "isle")["japan naval"] == 3
        for roles in (COVERERS, SEARCHERS, STRIKERS):
            assert set(short(eligible(game.state, "red", roles))) <= {f"japan army {role}" for role in ROLES}
            assert eligible(game.state, "red", roles)


ROLES = ("cover", "search", "attack")


@pytest.mark.rule("SOP-NC-I.D", "SOP-NC-I.C")
def test_raiders_have_patrol_but_no_cover() -> None:
    akagi = squadron("a", "red", "Akagi", cruisers=10, air=3)
    game = fight(start(battle(akagi, ENEMY, bases=[isle("3 japan naval")], raiders=True)))
    assert verbs(game, "red") >= {"patrol"}
    assert "cover" not in verbs(game, "red")


@pytest.mark.rule("23.23D", "23.23D.EX1")
@pytest.mark.parametrize(
    ("squadrons", "groups", "attacked", "shares"),
    [(4, 3, 1, [2]), (4, 3, 2, [2, 1]), (5, 3, 3, [2, 2, 1]), (3, 3, 2, [1, 1]), (1, 3, 2, [1, 0]), (0, 2, 1, [0])],
)
def test_cover_outside_combat_is_shared_over_the_groups(
    squadrons: int, groups: int, attacked: int, shares: list[int]
) -> None:
    """The printed example is the first two: four squadrons over three task forces, one or two of them attacked."""
    assert prorated_cover(squadrons, groups, attacked) == shares
