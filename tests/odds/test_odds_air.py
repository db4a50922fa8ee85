"""Questions of the air against the printed tables by hand, against the game itself, and with input that is wrong."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import pytest

import flagplot
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.grids import air_combat_row
from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.plain_data import copy_of
from flagplot.odds.answer import Answer
from flagplot.odds.answers.players import thinned
from flagplot.odds.enumerator import Limits, enumerate_ends
from flagplot.odds.questions.forms import FORMS
from flagplot.odds.ship_lists import read_counts, read_ships
from flagplot.odds.words import by_country, read_flights, read_research
from tests.awaw.battles import squadron
from tests.awaw.strike_orders import AMERICA, ISLE, JAPAN
from tests.awaw.strikes import isle, kido, meet
from tests.odds.test_odds_enumerator import PLAYERS, RULES, damage, naive, small_strike, standard_strike, striking

FOUR = "Enterprise, Hornet, Yorktown, Wasp, 8 cruisers, 4 destroyers"
WAYS = {roll: 6 - abs(roll - 7) for roll in range(2, 13)}

# The rows that are used, from 2 to 12, typed off the playing aids; the same stand in the golden strikes.
DEFENSE_2 = ((0, 0), (0, 0), (0, 1), (0, 1), (1, 0), (1, 0), (1, 1), (1, 1), (1, 2), (1, 2), (2, 1))
ATTACK = {
    0: (0,) * 11,
    1: (0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2),
    2: (0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3),
    3: (1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4),
}


def chances(answer: Answer, title: str) -> dict[Any, Fraction]:
    """The chances of the part of this title, whatever is added to it."""
    (found,) = [
        part
        for part in answer.parts
        if part.title == title or part.title.startswith((f"{title},", f"{title} (", f"{title}:"))
    ]
    return dict(found.chances.chances)


def attacked(squadrons: int, modifier: int, size: int) -> dict[int, Fraction]:
    """By hand: the hits of so many squadrons on a ship of that size."""
    hits: Counter[int] = Counter()
    for roll, ways in WAYS.items():
        hits[min(size, ATTACK[squadrons][min(max(roll + modifier, 2), 12) - 2])] += ways
    return {number: Fraction(ways, 36) for number, ways in hits.items()}


# --- strikes --------------------------------------------------------------------------------------------------------


def test_one_squadron_by_hand() -> None:
    """Level 2 lets it through at 2 and 3: 3 of 36 ways. At 2 + 1 - 2 + 2 it hits once from 3 to 7, twice from 8 on."""
    answer = flagplot.odds(
        "strike", attackers="1 japan naval", target="Enterprise, 4 cruisers, 6 destroyers", aim="enterprise"
    )
    through = Fraction(3, 36)
    expected = {1: through * Fraction(20, 36), 2: through * Fraction(15, 36)}
    assert chances(answer, "Enterprise") == {0: 1 - sum(expected.values()), **expected}
    assert chances(answer, "Squadrons of the attackers lost") == {0: Fraction(10, 36), 1: Fraction(26, 36)}


def test_two_carriers_by_hand() -> None:
    """Six elite squadrons, three for each carrier, against air defense 2, as in the golden strikes."""
    target = "Lexington, Yorktown, 4 cruisers, 6 destroyers"
    answer = flagplot.odds("strike", attackers="6 japan elite", target=target, aim="lexington 3, yorktown 3")
    hits: dict[str, Counter[int]] = {"Lexington": Counter(), "Yorktown": Counter()}
    for roll, ways in WAYS.items():
        missing = sum(DEFENSE_2[roll - 2])
        first, second = {0: (3, 3), 1: (3, 2), 2: (2, 2), 3: (2, 1)}[missing]
        for name, some in (("Lexington", first), ("Yorktown", second)):
            for number, chance in attacked(some, 4, 3).items():
                hits[name][number] += Fraction(ways, 36) * chance  # type: ignore[assignment]
    for name, expected in hits.items():
        assert chances(answer, name) == {number: chance for number, chance in expected.items() if chance}


def test_guns_that_drive_a_strike_off() -> None:
    """Two five-factor battleships make level 4, which eliminates one up to 7 and two above, and lets nobody through
    from three squadrons on the rows from 6 on."""
    answer = flagplot.odds(
        "strike", attackers="3 japan naval", target="Iowa, Missouri, 2 destroyers", nation="united-states"
    )
    assert chances(answer, "Squadrons of the attackers lost") == {1: Fraction(21, 36), 2: Fraction(15, 36)}
    assert dict(answer.ledgers)["United States: air defense of CG 1 (United States)"].total == 4


def seen_damage(answer: Answer) -> dict[str, dict[int, Fraction]]:
    return {
        part.title.partition(",")[0].lower(): dict(part.chances.chances)
        for part in answer.parts
        if part.title.endswith(": hits")
    }


def by_ship(ends: Any) -> dict[str, dict[int, Fraction]]:
    names = [name for name, _ in next(iter(ends))[0]]
    return {name: dict(ends.of(lambda end, name=name: dict(end[0])[name]).chances) for name in names}


def test_every_sequence_of_faces_in_the_game_gives_the_same() -> None:
    answer = flagplot.odds("strike", attackers="1 japan naval", target="Enterprise, 4 cruisers, 8 destroyers")
    assert seen_damage(answer) == by_ship(naive(small_strike()))


def test_the_standard_strike_is_that_of_the_game() -> None:
    answer = flagplot.odds("strike", attackers="12 japan elite", target=FOUR, cap=4)
    ends = enumerate_ends(RULES, copy_of(standard_strike().state), PLAYERS, damage).ends
    assert seen_damage(answer) == by_ship(ends)
    assert sum(chances(answer, "Fast carriers sunk").values()) == 1


def struck_in_play(state: State) -> tuple[int, ...]:
    """Squadrons lost, by pool."""
    return tuple(state.losses.air.get(pool, 0) for pool in ("japan/naval/squadrons", "united-states/naval/squadrons"))


def test_patrol_and_cover_are_those_of_the_game() -> None:
    """Cover from an island beside the patrol: no +1 for patrol alone, and all of them engage."""
    orders = ["strike:1", f"fly:{JAPAN}:6", f"patrol:1:{AMERICA}:2", f"cover:1:{ISLE}:2"]
    blue = squadron("task", "blue", "Enterprise", "Hornet", cruisers=4, destroyers=6, air=6)
    game = meet(kido(6), blue, orders=orders, until=striking, bases=[isle("2 united-states naval")])
    ends = enumerate_ends(RULES, copy_of(game.state), PLAYERS, struck_in_play).ends
    target = "Enterprise, Hornet, 4 cruisers, 6 destroyers"
    answer = flagplot.odds("strike", attackers="6 japan naval", target=target, cap=2, cover="2 united-states naval")
    assert chances(answer, "Squadrons of the attackers lost") == ends.of(lambda lost: lost[0]).chances
    assert all(line.rule != "19.31C" for _, ledger in answer.ledgers for line in ledger.lines)


def test_who_is_told_to_hold_back_does() -> None:
    held = flagplot.odds("strike", attackers="6 japan elite", target=FOUR, cap=4, engage=0)
    free = flagplot.odds("strike", attackers="6 japan elite", target=FOUR)
    assert seen_damage(held) == seen_damage(free)
    assert chances(held, "Squadrons of the defenders lost in air combat") == {0: 1}
    two = flagplot.odds("strike", attackers="6 japan elite", target=FOUR, cap=4, engage=2)
    assert max(chances(two, "Squadrons of the defenders lost in air combat")) == 2
    assert "engages with 2 of the 4" in "\n".join(two.policies)


def test_hits_that_a_ship_has_count() -> None:
    fresh = chances(flagplot.odds("strike", attackers="1 japan naval", target=FOUR, aim="wasp"), "Wasp")
    hurt = chances(flagplot.odds("strike", attackers="1 japan naval", target=FOUR, aim="wasp", hits="wasp 1"), "Wasp")
    assert hurt == {number + 1: chance for number, chance in fresh.items()}


def test_surprise_and_a_reading_of_it() -> None:
    question: dict[str, Any] = {"attackers": "4 japan elite", "target": FOUR, "aim": "hornet", "surprise": 7}
    usual = flagplot.odds("strike", **question)
    never = flagplot.odds("strike", **question, options=["critical_hits=never"])
    damaged = chances(never, "Hornet")[2]
    assert chances(usual, "Hornet")[2] == damaged * Fraction(5, 6)
    assert never.options == {"critical_hits": "never"}
    assert usual.options == {}


def test_research_of_a_side_or_a_country() -> None:
    levels = []
    for research in ("", "defenders:air_defense=1", "united-states:air_defense=2"):
        answer = flagplot.odds("strike", attackers="1 japan naval", target=FOUR, research=research)
        levels += [ledger.total for title, ledger in answer.ledgers if "air defense" in title]
    assert levels == [3, 4, 5]


def test_squadrons_that_are_missing_are_missed_where_most_were_to_attack() -> None:
    assert thinned({"a": 6, "b": 6}, 12) == {"a": 6, "b": 6}
    assert thinned({"a": 6, "b": 6}, 9) == {"a": 5, "b": 4}
    assert thinned({"a": 5, "b": 1}, 3) == {"a": 2, "b": 1}
    assert thinned({"a": 2, "b": 2}, 1) == {"a": 1, "b": 0}


def test_mixed_squadrons_keep_to_the_aims() -> None:
    question = {
        "attackers": "3 japan elite, 2 japan naval, 2 japan army",
        "target": FOUR,
        "aim": "hornet 4, light-ships 3",
    }
    answer = flagplot.odds("strike", **question, cap=2)
    assert set(chances(answer, "Enterprise")) == set(chances(answer, "Wasp")) == {0}
    assert len(chances(answer, "Hornet")) == 4
    assert len(chances(answer, "Light ships sunk")) > 1
    assert "army" not in "".join(title for title, _ in answer.ledgers)


def test_a_strike_that_is_too_large_says_what_it_has_not_followed() -> None:
    answer = flagplot.odds("strike", attackers="12 japan elite", target=FOUR, cap=4, limits=Limits(states=200))
    assert answer.left_over > 0
    assert "Incomplete: " in str(answer)


# --- air combat -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "defenders", "attackers", "aborted"),
    [
        ({}, 21, 30, 5),
        ({"cap": True}, 21, 30, 5),
        ({"cover": True}, 26, 26, 7),
        ({"surprise": 1}, 26, 26, 7),
    ],
)
def test_one_against_one_over_ships(words: dict[str, Any], defenders: int, attackers: int, aborted: int) -> None:
    """Row 1 eliminates from 6 on, and aborts at 4 and 5; the +1 of patrol alone is lost by cover or surprise."""
    answer = flagplot.odds("air-combat", attackers="1 japan naval", defenders="1 united-states naval", **words)
    assert chances(answer, "Defenders eliminated")[1] == Fraction(defenders, 36)
    assert chances(answer, "Attackers eliminated")[1] == Fraction(attackers, 36)
    assert chances(answer, "Attackers aborted")[1] == Fraction(aborted, 36)
    assert chances(answer, "Defenders aborted") == {0: 1}
    assert len(answer.ledgers) == 2


@pytest.mark.parametrize("kind", ["counterair", "carrier-counterair", "naval-base", "counter-interception"])
def test_a_round_is_read_off_the_table(kind: str) -> None:
    answer = flagplot.odds("air-combat", attackers="6 germany army", defenders="9 britain army", kind=kind)
    ours, theirs = air_combat_row(6), air_combat_row(9)
    for title, row, most in (("Defenders eliminated", ours, 9), ("Attackers eliminated", theirs, 6)):
        expected: Counter[int] = Counter()
        for roll, ways in WAYS.items():
            expected[min(most, row[roll - 2].eliminated)] += ways
        assert chances(answer, title) == {number: Fraction(ways, 36) for number, ways in expected.items()}


def test_radar_counts_against_bombers() -> None:
    answer = flagplot.odds(
        "air-combat", attackers="6 germany bomber", defenders="4 britain interceptor", kind="bombing", radar=2
    )
    (ours, theirs) = [ledger.total for _, ledger in answer.ledgers]
    assert (ours, theirs) == (-3, 3)
    assert chances(answer, "Defenders aborted") == {0: 1}


# --- bases ----------------------------------------------------------------------------------------------------------


def test_one_round_over_a_base_is_a_round_of_air_combat() -> None:
    forces = {"attackers": "6 germany army", "defenders": "4 britain army"}
    base = flagplot.odds("base-attack", **forces)
    duel = flagplot.odds("air-combat", **forces, kind="counterair")
    assert chances(base, "Attackers lost") == chances(duel, "Attackers eliminated")
    assert chances(base, "Defenders lost") == chances(duel, "Defenders eliminated")
    assert chances(base, "Defenders left and inverted") == chances(duel, "Defenders aborted")


def rounds_by_hand(ours: int, theirs: int, rounds: int) -> dict[tuple[int, int], Fraction]:
    """What is left of both sides after so many rounds at no modifier, or when one of them is wiped out."""
    if not rounds or not ours or not theirs:
        return {(ours, theirs): Fraction(1)}
    left: dict[tuple[int, int], Fraction] = {}
    for one, some in WAYS.items():
        for other, more in WAYS.items():
            hit, lost = air_combat_row(ours)[one - 2].eliminated, air_combat_row(theirs)[other - 2].eliminated
            for end, chance in rounds_by_hand(max(0, ours - lost), max(0, theirs - hit), rounds - 1).items():
                left[end] = left.get(end, Fraction(0)) + Fraction(some * more, 1296) * chance
    return left


def test_two_rounds_over_a_base_by_hand() -> None:
    answer = flagplot.odds("base-attack", attackers="3 germany army", defenders="2 britain army", rounds=2)
    expected: dict[str, dict[int, Fraction]] = {"Attackers lost": {}, "Defenders lost": {}}
    for (ours, theirs), chance in rounds_by_hand(3, 2, 2).items():
        for title, number in (("Attackers lost", 3 - ours), ("Defenders lost", 2 - theirs)):
            expected[title][number] = expected[title].get(number, Fraction(0)) + chance
    assert {title: chances(answer, title) for title in expected} == expected


def test_carriers_fight_one_round_in_squadrons() -> None:
    words = {"attackers": "6 japan naval", "defenders": "2 united-states army"}
    answer = flagplot.odds("base-attack", **words, carriers=True)
    assert "Defenders lost, in squadrons" in str(answer)
    assert dict(answer.ledgers)["United States: air combat over the base, round 1"].total == 0
    with pytest.raises(FlagplotError, match="many-rounds"):
        flagplot.odds("base-attack", **words, carriers=True, rounds=2)
    many = flagplot.odds("base-attack", **words, carriers=True, rounds=2, options=["carrier_counterair=many-rounds"])
    assert max(chances(many, "Defenders lost")) > max(chances(answer, "Defenders lost"))


# --- search ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dice", range(9))
def test_search_by_closed_forms(dice: int) -> None:
    answer = flagplot.odds("search", groups="1,3,5", dice=dice)
    for number in (1, 3, 5):
        assert chances(answer, f"Results against CG {number}") == {
            hits: Fraction(comb(dice, hits) * 5 ** (dice - hits), 6**dice) for hits in range(dice + 1)
        }
    nothing = Fraction(3, 6) ** dice
    assert chances(answer, "Anything found").get("nothing found", 0) == nothing
    all_three = sum(
        (-1) ** len(missed) * Fraction(6 - len(missed), 6) ** dice
        for size in range(4)
        for missed in combinations((1, 3, 5), size)
    )
    assert chances(answer, "Combat groups found").get(3, 0) == all_three


def test_surprise_by_search() -> None:
    answer = flagplot.odds(
        "search",
        groups="2",
        squadrons=2,
        active=1,
        carriers=1,
        round=2,
        codebreaking=-1,
        enemy_dice=2,
        own_groups="1,6",
    )
    assert answer.ledgers[0][1].total == 4
    found, seen = 1 - Fraction(5, 6) ** 4, 1 - Fraction(4, 6) ** 2
    surprise = chances(answer, "Surprise")
    assert surprise["we may surprise"] == found * (1 - seen)
    assert surprise["the enemy may surprise"] == seen * (1 - found)
    assert sum(surprise.values()) == 1


# --- every answer ---------------------------------------------------------------------------------------------------

QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("strike", {"attackers": "8 japan naval", "target": FOUR, "cap": 4, "cover": "2 united-states army"}),
    ("strike", {"attackers": "3 britain naval", "target": "4 italy transports, 6 destroyers", "nation": "italy"}),
    ("strike", {"attackers": "4 united-states naval", "target": "Akagi, 4 cruisers", "cap": "1 japan elite"}),
    ("air-combat", {"attackers": "6 japan elite", "defenders": "4 united-states naval, 3 united-states army"}),
    ("air-combat", {"attackers": "2 britain jet", "defenders": "9 germany army", "kind": "counterair"}),
    ("base-attack", {"attackers": "4 japan naval", "defenders": "1 britain army, 1 britain army inverted"}),
    ("search", {"groups": "1,2,6", "dice": 5}),
]


@pytest.mark.parametrize(("kind", "words"), QUESTIONS)
def test_chances_are_one_in_all_and_depend_on_the_question_alone(kind: str, words: dict[str, Any]) -> None:
    random.seed(1)
    answer = flagplot.odds(kind, **words)
    assert [part.chances.total for part in answer.parts] == [1] * len(answer.parts)
    flagplot.odds("strike", attackers="1 japan naval", target="Wasp, 4 cruisers")
    random.seed(2)
    assert flagplot.odds(kind, **words).as_dict() == answer.as_dict()
    assert answer.as_dict()["exact"]
    assert answer._repr_svg_().startswith("<svg")


def test_the_order_of_the_words_does_not_matter() -> None:
    one = flagplot.odds(
        "air-combat", attackers="3 japan elite, 2 japan army", defenders="2 britain naval, 1 india army"
    )
    other = flagplot.odds(
        "air-combat", attackers="2 japan army, 3 japan elite", defenders="1 india army, 2 britain naval"
    )
    assert one.parts == other.parts


def test_every_kind_has_its_function() -> None:
    from flagplot import odds

    assert all(callable(getattr(odds, kind.replace("-", "_"))) for kind in FORMS)
    with pytest.raises(FlagplotError, match="poker"):
        flagplot.odds("poker")


STRIKE = {"attackers": "12 japan elite", "target": FOUR}


@pytest.mark.parametrize(
    ("kind", "words", "quoted", "told"),
    [
        ("strike", STRIKE | {"attackers": "-3 japan elite"}, "-3 japan elite", "from 1 to 99"),
        ("strike", STRIKE | {"attackers": ""}, "“”", "23.71"),
        ("strike", STRIKE | {"attackers": "4 japan"}, "4 japan", "a number, a country and an arm"),
        ("strike", STRIKE | {"attackers": "4 jpan naval"}, "4 jpan naval", "japan"),
        ("strike", STRIKE | {"attackers": "4 japan floating"}, "4 japan floating", "elite"),
        ("strike", STRIKE | {"attackers": "9 japan naval"}, "9 japan naval", "23.73"),
        ("strike", STRIKE | {"attackers": "13 japan elite"}, "13 japan elite", "23.73"),
        ("strike", STRIKE | {"attackers": "5 china army"}, "5 china army", "23.73"),
        ("strike", STRIKE | {"attackers": "2 britain elite"}, "2 britain elite", "17.352"),
        ("strike", STRIKE | {"attackers": "2 britain jet"}, "2 britain jet", "23.11E"),
        ("strike", STRIKE | {"attackers": "2 japan naval inverted"}, "inverted", "23.11E"),
        ("strike", STRIKE | {"attackers": "2 united-states naval"}, "United States", "both sides"),
        ("strike", STRIKE | {"attackers": "2 japan army", "surprise": 2}, "2 japan army", "23.7411A"),
        ("strike", STRIKE | {"cap": 5}, "“5”", "23.33"),
        ("strike", STRIKE | {"cap": -1}, "“-1”", "23.33"),
        ("strike", STRIKE | {"cap": "4 japan elite"}, "4 japan elite", "17.312"),
        ("strike", STRIKE | {"cap": 1, "aboard": 13}, "“13”", "17.312"),
        ("strike", STRIKE | {"target": "4 united-states cruisers", "cap": 1}, "“1”", "23.31"),
        ("strike", STRIKE | {"target": "Entreprise"}, "Entreprise", "Enterprise"),
        ("strike", STRIKE | {"target": ""}, "“”", "target"),
        ("strike", STRIKE | {"target": "8 cruisers"}, "8 cruisers", "say whose light ships these are"),
        ("strike", STRIKE | {"target": "8 united-states ships"}, "8 united-states ships", "cruisers"),
        ("strike", STRIKE | {"target": f"{FOUR}, Iowa"}, "Iowa", "20.162"),
        ("strike", STRIKE | {"target": f"{FOUR}, Saratoga"}, "Saratoga", "20.162F"),
        ("strike", STRIKE | {"target": "3 united-states cruisers"}, "3 united-states cruisers", "whole number"),
        ("strike", STRIKE | {"hits": "enterprise 3"}, "enterprise 3", "sunk already"),
        ("strike", STRIKE | {"hits": "akagi 1"}, "akagi", "Enterprise"),
        ("strike", STRIKE | {"aim": "akagi 12"}, "akagi", "23.43"),
        ("strike", STRIKE | {"aim": "enterprise 6, hornet 5"}, "hornet 5", "23.76C"),
        ("strike", STRIKE | {"aim": "enterprise 6, enterprise 6"}, "enterprise 6", "twice"),
        ("strike", STRIKE | {"engage": 5, "cap": 4}, "“5”", "23.415"),
        ("strike", STRIKE | {"surprise": 10}, "“10”", "23.7412"),
        ("strike", STRIKE | {"options": ["critical_hits=maybe"]}, "maybe", "on-5-6"),
        ("strike", STRIKE | {"options": ["critical_hits"]}, "critical_hits", "value"),
        ("strike", STRIKE | {"research": "defenders:luck=1"}, "defenders:luck=1", "air_defense"),
        ("strike", STRIKE | {"research": "china:radar=1"}, "china:radar=1", "takes no part"),
        ("strike", STRIKE | {"research": "radar"}, "radar", "air_defense=1"),
        ("search", {"groups": "0,1", "dice": 2}, "0,1", "22.423"),
        ("search", {"groups": "1", "dice": -2}, "“-2”", "22.451"),
        ("search", {"groups": "1", "dice": 2, "active": 1}, "dice 2", "22.451"),
        ("search", {"groups": "1", "codebreaking": 2}, "“2”", "22.451B"),
        ("air-combat", {"attackers": "1 japan army", "defenders": "1 china army", "kind": "sea"}, "sea", "at-sea"),
        ("air-combat", {"attackers": "1 japan army", "defenders": "1 china army", "cap": True}, "cap", "23.11C"),
        ("air-combat", {"attackers": "1 japan army", "defenders": "1 china army", "radar": 1}, "radar 1", "19.31D"),
        ("base-attack", {"attackers": "1 japan army", "defenders": "", "rounds": 1}, "“”", "18.521D"),
        ("base-attack", {"attackers": "1 japan army", "defenders": "1 china army", "rounds": 0}, "“0”", "18.522"),
        ("base-attack", {"attackers": "1 japan army", "defenders": "40 china army"}, "40 china army", "18.12"),
        (
            "base-attack",
            {"attackers": "1 japan army", "defenders": "1 china army", "carriers": True},
            "1 japan army",
            "23.51",
        ),
    ],
)
def test_bad_input_is_quoted_with_the_rule_or_the_remedy(
    kind: str, words: Mapping[str, Any], quoted: str, told: str
) -> None:
    with pytest.raises(FlagplotError) as refused:
        flagplot.odds(kind, **words)
    assert quoted in str(refused.value)
    assert told in str(refused.value)


# --- the words ------------------------------------------------------------------------------------------------------


def test_countries_are_written_in_several_ways() -> None:
    ways = ("6 united-states naval", "6 United States naval", "6 American naval", "6 american naval air")
    assert len({read_flights(way, "attackers") for way in ways}) == 1
    assert read_flights("2 japan elite naval, 1 Free French army inverted", "x")[1].nation == "free-france"


def test_ships_of_several_countries() -> None:
    ships = read_ships("4 cruisers, Hood, 2 laden transports, 3 australia destroyers, Wasp", "target")
    parts = ships.contingents()
    assert [(part["nation"], part["named"]) for part in parts] == [
        ("britain", ["hood"]),
        ("australia", []),
        ("united-states", ["wasp"]),
    ]
    assert parts[0]["laden_transports"] == 2
    assert parts[1]["destroyers"] == 3
    assert sum(part["cruisers"] for part in parts) == 4


def test_counts_by_name() -> None:
    assert read_counts("Enterprise 6, prince of wales=2, light-ships", "aims", ["light-ships"]) == {
        "enterprise": 6,
        "prince-of-wales": 2,
        "light-ships": 0,
    }


def test_research_by_side() -> None:
    sides = {"attackers": ["japan"], "defenders": ["britain", "australia"]}
    assert by_country(read_research("defenders:air-defense=1, Japanese:air_drm=2"), sides) == {
        "britain": {"air_defense": 1},
        "australia": {"air_defense": 1},
        "japan": {"air_drm": 2},
    }
