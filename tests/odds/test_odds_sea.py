"""The questions of the sea against naive enumeration, closed forms and symmetry."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from flagplot.awaw.battle.gunnery import capital_fire
from flagplot.awaw.battle.screening import joined
from flagplot.awaw.hits import Tally, hit_light
from flagplot.awaw.options import Options
from flagplot.awaw.ships import Fleet, factors
from flagplot.awaw.state.battle import Submarines
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.counts import arrival_round
from flagplot.awaw.tables.grids import naval_attack_by_fleet_row, submarine_attack
from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.plain_data import copy_of
from flagplot.library import ruleset
from flagplot.odds import ask
from flagplot.odds.answer import Answer, Part
from flagplot.odds.answers import fleet_combat, two_fleets
from flagplot.odds.answers.dice import sum_of_dice
from flagplot.odds.answers.engagement import Joiner, combat_state
from flagplot.odds.answers.fleet_combat import fought
from flagplot.odds.answers.following import reach
from flagplot.odds.answers.losses import Toll, added, folded, toll
from flagplot.odds.answers.submarine import attacked, submarine_state
from flagplot.odds.answers.two_fleets import Fleets
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import Limits, enumerate_ends
from flagplot.odds.questions.shared import SIDES, THEM, US
from flagplot.odds.ship_lists import read_fleet
from flagplot.players.doctrine import DoctrinePlayer
from tests.awaw.scenes import run

engagement, fire, interception, submarine = ask.engagement, ask.fire, ask.interception, ask.submarine

ALL = [(one, two) for one in range(1, 7) for two in range(1, 7)]
"""How two dice fall."""


def part(answer: Answer, title: str) -> Distribution[Any]:
    return next(one.chances for one in answer.parts if one.title == title)


def whole(answer: Answer) -> bool:
    """Whether every part of an answer has chances of 1 in all."""
    return all(one.chances.total == 1 for one in answer.parts) and not answer.left_over


def two_dice(reads: Any) -> dict[Any, Fraction]:
    ways = Counter(reads(one + two) for one, two in ALL)
    return {reading: Fraction(number, 36) for reading, number in ways.items()}


# --- fire ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "modifier"), [(1, 0), (4, 0), (12, 0), (25, 0), (4, 1), (12, -1)])
def test_fire_is_two_dice_through_the_table(number: int, modifier: int) -> None:
    row = naval_attack_by_fleet_row(number)
    words: dict[str, Any] = {"hampered": [{1: "them", -1: "us"}[modifier]]} if modifier else {}
    answer = fire(factors=number, nation="germany", target="20 destroyers", target_nation="britain", **words)
    expected = two_dice(lambda roll: row[min(12, max(2, roll + modifier)) - 2])
    assert part(answer, "Hits").chances == expected
    assert part(answer, "British destroyer factors sunk").chances == expected
    assert answer.ledgers[0][1].total == modifier
    assert whole(answer)


def test_fire_on_a_ship_with_a_hit() -> None:
    answer = fire(ships="Bismarck", target="Hood", hits="hood 1")
    row = naval_attack_by_fleet_row(4)
    words = {0: "not hit", 1: "2 hits, not damaged", 2: "damaged"}
    hood = read_fleet("Hood", "target")
    size = next(iter(hood)).size
    words = {hits: words[hits] if 1 + hits < size - 1 else "damaged" for hits in (0, 1, 2)} | {0: "not hit"}
    expected: Counter[str] = Counter()
    for one, two in ALL:
        hits = row[one + two - 2]
        expected["sunk" if 1 + hits >= size else words[hits]] += 1
    assert part(answer, "Hood").chances == {word: Fraction(ways, 36) for word, ways in expected.items()}


def test_fire_on_light_ships_deals_hits_as_the_game_does() -> None:
    answer = fire(factors=15, nation="japan", target="6 cruisers, 4 destroyers", target_nation="united-states")
    row = naval_attack_by_fleet_row(15)
    expected: Counter[int] = Counter()
    for one, two in ALL:
        fleet = read_fleet("6 cruisers, 4 destroyers", "target", "united-states")
        sunk: Fleet = run(hit_light("blue", fleet, row[min(12, one + two + 1) - 2], Tally(), Options()))
        expected[factors(sunk)] += 1
    assert part(answer, "Their factors sunk").chances == {hits: Fraction(n, 36) for hits, n in expected.items()}


def test_fire_with_codebreaking_and_the_ledger() -> None:
    for side, amount in (("us", 1), ("them", -1)):
        (_, ledger), *_ = fire(ships="Bismarck", target="Hood", codebreaking=side).ledgers
        assert ledger.total == amount


def test_fire_beyond_the_last_row_by_separate_rolls() -> None:
    words: dict[str, Any] = {"factors": 70, "nation": "japan", "target": "40 destroyers", "target_nation": "britain"}
    one, many = fire(**words), fire(**words, option=["beyond_last_row=separate-rolls"])
    assert whole(one)
    assert whole(many)
    assert many.options == {"beyond_last_row": "separate-rolls"}
    assert part(one, "Hits") != part(many, "Hits")
    assert part(many, "Hits") == part(many, "British destroyer factors sunk")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"ships": "Bismark", "target": "Hood"}, "Bismark"),
        ({"ships": "Bismarck", "target": "Hood", "hits": "hood 4"}, "Hood has 3 factors and that many hits sink it"),
        ({"ships": "Bismarck", "target": "Hood", "hits": "rodney 1"}, "rodney"),
        ({"ships": "Bismarck", "target": "Hood, 4 britain destroyers"}, "22.54C"),
        ({"ships": "Bismarck, 4 germany destroyers", "target": "Hood"}, "22.54"),
        ({"ships": "Akagi", "target": "Hood"}, "22.531C"),
        ({"ships": "Bismarck", "target": "Bismarck"}, "Bismarck"),
        ({"ships": "Bismarck", "factors": 3, "target": "Hood"}, "give ships or factors, not both: “Bismarck”"),
        ({"target": "Hood"}, "give the ships or the factors that fire"),
        ({"factors": 3, "target": "Hood"}, "--nation"),
        ({"factors": -3, "nation": "germany", "target": "Hood"}, "-3"),
        ({"factors": 3, "nation": "atlantis", "target": "Hood"}, "atlantis"),
        ({"ships": "Bismarck", "target": "5 britain cruisers"}, "two factors"),
        ({"ships": "Bismarck", "target": "-4 britain cruisers"}, "-4"),
        ({"ships": "Bismarck", "target": "4 britain cruisers, 3 britain damaged-cruisers"}, "3 damaged"),
        ({"ships": "Bismarck", "target": ""}, "target"),
        ({"ships": "Bismarck", "target": "Hood, Hood"}, "Hood"),
        ({"ships": "Bismarck", "target": "Hood", "hampered": ["everybody"]}, "everybody"),
        ({"ships": "Bismarck", "target": "Hood", "codebreaking": "me"}, "me"),
        ({"ships": "Bismarck", "target": "Hood", "option": ["classics=true"]}, "classics"),
    ],
)
def test_bad_questions_of_fire_are_refused_with_the_input(words: dict[str, Any], told: str) -> None:
    with pytest.raises(FlagplotError) as refused:
        fire(**words)
    assert told in str(refused.value)


# --- fleet combat -------------------------------------------------------------------------------------------------

PLAYERS = {side: DoctrinePlayer() for side in SIDES}
JOINERS = {side: Joiner(DoctrinePlayer()) for side in SIDES}


def fleets(ours: str, theirs: str, **more: Any) -> Fleets:
    return Fleets(read_fleet(ours, "ours", "japan"), read_fleet(theirs, "theirs", "united-states"), **more)


def naive(before: State, players: Any) -> Distribution[Toll]:
    """All the ways of a combat as one, without taking anything apart."""
    found = enumerate_ends(ruleset("awaw"), before, players, lambda after: tuple(sorted(toll(before, after))))
    assert found.complete
    return found.ends


def joint(cases: Any) -> dict[Toll, Fraction]:
    """Cases put together again: the chance of everything that can come of all ships."""
    chances: dict[Toll, Fraction] = {}
    for tolls in cases:
        for ways in product(*[one.chances.items() for one in tolls]):
            losses: Toll = ()
            chance = Fraction(1)
            for more, some in ways:
                losses, chance = added(losses, more), chance * some
            chances[losses] = chances.get(losses, Fraction(0)) + chance
    return chances


APART = [
    ("Kongo, 2 cruisers, 2 destroyers", "Iowa, 2 cruisers, 2 destroyers"),
    ("Kongo, Ise, 4 cruisers", "Iowa, 6 cruisers"),
    ("Kongo, 2 cruisers, 1 destroyer", "4 cruisers"),
    ("4 cruisers, 3 destroyers", "2 cruisers, 4 destroyers"),
]
TOGETHER = [
    ("Kongo, 8 destroyers", "Iowa, 2 destroyers"),
    ("Kongo, 8 destroyers", "Washington, Enterprise"),
    ("Kongo, Ise, 2 cruisers", "Iowa, 2 cruisers"),
    ("Yamato, Musashi, Nagato", "Alaska, Enterprise"),
    ("Yamato, Musashi, Nagato, 20 destroyers", "1 destroyers, Enterprise"),
    ("4 cruisers, 12 destroyers", "Colorado, Maryland, 2 destroyers"),
]


@pytest.mark.parametrize(("ours", "theirs"), [*APART, *TOGETHER])
@pytest.mark.parametrize("players", [PLAYERS, JOINERS], ids=["doctrine", "join"])
def test_a_combat_taken_apart_is_the_same_as_one_followed_as_a_whole(ours: str, theirs: str, players: Any) -> None:
    before = combat_state(fleets(ours, theirs))
    found = fought(before, players, Limits())
    assert joint(found.cases) == naive(before, players).chances


@pytest.mark.parametrize(("ours", "theirs"), APART)
def test_what_does_not_hang_together_is_taken_apart(ours: str, theirs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(fleet_combat, "followed_together")
    assert fought(combat_state(fleets(ours, theirs)), PLAYERS, Limits()).cases


@pytest.mark.parametrize(("ours", "theirs"), TOGETHER[:2])
def test_what_hangs_together_is_followed_together(ours: str, theirs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(fleet_combat, "followed_together")
    with pytest.raises(NameError):
        fought(combat_state(fleets(ours, theirs)), PLAYERS, Limits())


def test_every_sequence_of_faces_gives_the_same() -> None:
    """One roll of each side: all 36 * 36 ways by hand."""
    answer = engagement(ours="6 japan destroyers", theirs="8 united-states destroyers")
    ours, theirs = naval_attack_by_fleet_row(6), naval_attack_by_fleet_row(8)
    expected: Counter[str] = Counter()
    for (a, b), (c, d) in product(ALL, ALL):
        sunk, lost = ours[min(12, a + b + 1) - 2], theirs[max(2, c + d - 1) - 2]
        expected["we" if lost > sunk else "they" if sunk > lost else "both alike"] += 1
    found = part(answer, "Who loses more factors")
    assert found.chances == {word: Fraction(ways, 36**2) for word, ways in expected.items()}


def test_the_standard_engagement_is_exact() -> None:
    japan = "Yamato, Musashi, Nagato, Mutsu, Ise, Hyuga, Fuso, Yamashiro"
    america = "Iowa, New Jersey, North Carolina, Washington, Colorado, Maryland, California, Tennessee"
    light = "10 cruisers, 10 destroyers"
    answer = engagement(ours=f"{japan}, {light}", theirs=f"{america}, {light}")
    assert whole(answer)
    assert answer.states < 1000
    row = naval_attack_by_fleet_row(5)
    hits = two_dice(lambda roll: row[max(2, roll - 1) - 2])
    yamato = part(answer, "Yamato")
    assert yamato["not hit"] == hits[0]
    assert yamato["1 hit, not damaged"] == hits[1]


@pytest.fixture
def civil_war(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only ships of one country are equal in every way, so for once it may fight itself."""
    monkeypatch.setattr(two_fleets, "check_at_war", lambda *_: None)


@pytest.mark.usefixtures("civil_war")
def test_equal_sides_have_mirrored_chances() -> None:
    light = "6 japan cruisers, 5 japan destroyers, 2 japan cves"
    answer = engagement(ours=f"Hiei, Kongo, {light}", theirs=f"Haruna, Kirishima, {light}")
    assert part(answer, "Our factors sunk") == part(answer, "Their factors sunk")
    assert part(answer, "Our factors newly damaged") == part(answer, "Their factors newly damaged")
    more = part(answer, "Who loses more factors")
    assert more["we"] == more["they"]
    assert more.total == 1


@pytest.mark.usefixtures("civil_war")
def test_codebreaking_and_activities_change_a_combat() -> None:
    words = {"ours": "8 japan destroyers", "theirs": "8 japan destroyers"}

    def lost(**more: str) -> tuple[Fraction, Fraction]:
        answer = engagement(**words, **more)
        ours, theirs = part(answer, "Our factors sunk"), part(answer, "Their factors sunk")
        return ours.mean(int), theirs.mean(int)

    plain = lost()
    assert plain[0] == plain[1]
    hampered = lost(our_activity="sea-transport")
    assert hampered[0] > plain[0]
    assert hampered[1] < plain[1]
    assert lost(codebreaking="them") == hampered
    assert lost(our_activity="sea-transport", their_activity="sea-supply") == plain


def test_screened_ships_are_not_fired_at() -> None:
    words = {"ours": "Kongo, 4 japan destroyers", "theirs": "Iowa, Alaska, 8 united-states destroyers"}
    answer = engagement(**words, their_screen="Iowa, 4 united-states destroyers")
    assert part(answer, "Iowa")["not hit"] == 1
    assert part(answer, "Alaska")["not hit"] < 1
    assert part(answer, "Kongo")["not hit"] > part(engagement(**words, their_screen="none"), "Kongo")["not hit"]
    assert any("fire by 4 American" in title for title, _ in answer.ledgers)
    assert "screens Iowa" in "".join(answer.policies)
    assert whole(answer)


def test_a_combat_that_is_too_large_says_what_is_left_over() -> None:
    answer = engagement(
        ours="Yamato, Nagato, Ise, 20 japan destroyers",
        theirs="Iowa, Washington, Colorado, 4 united-states destroyers",
        states=10,
    )
    assert 0 < answer.left_over < 1
    assert all(one.chances.total == 1 - answer.left_over for one in answer.parts)
    assert "if surplus light ships join in, and no fire is held for screened ships, the answer is complete" in str(
        answer
    )


def test_tolls_add_up() -> None:
    before = combat_state(fleets("Kongo, 4 cruisers", "Iowa, 4 cruisers"))
    aimed = reach(before, PLAYERS, capital_fire)
    assert len(joined(aimed).volleys) == 2
    assert toll(before, aimed) == ()
    sums = folded([[naive(before, PLAYERS)]], lambda loss: (loss.hits, loss.sunk), 2)
    assert sums.total == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"ours": "Yamato", "theirs": "Yamato"}, "Yamato"),
        ({"ours": "Yamato", "theirs": "Iowas"}, "Iowas"),
        ({"ours": "Yamato", "theirs": "Iowa", "their_hits": "iowa 5"}, "Iowa has 5 factors and that many hits sink it"),
        ({"ours": "Yamato", "theirs": "Iowa", "our_activity": "fishing"}, "fishing"),
        ({"ours": "Yamato", "theirs": "Iowa", "screen": "Musashi"}, "22.531C"),
        (
            {"ours": "Yamato", "theirs": "Iowa, 2 american cruisers", "their_screen": "4 american cruisers"},
            "22.53",
        ),
        ({"ours": "Yamato", "theirs": "Iowa", "surplus": "flee"}, "flee"),
        ({"ours": "Yamato", "theirs": "Iowa", "states": -1}, "-1"),
        ({"ours": "Yamato", "theirs": "Iowa", "seconds": "soon"}, "soon"),
        ({"ours": "4 destroyers", "theirs": "Iowa"}, "4 destroyers"),
    ],
)
def test_bad_questions_of_combat_are_refused_with_the_input(words: dict[str, Any], told: str) -> None:
    with pytest.raises(FlagplotError) as refused:
        engagement(**words)
    assert told in str(refused.value)


# --- submarines ---------------------------------------------------------------------------------------------------


def test_one_submarine_is_two_dice_through_the_table() -> None:
    answer = submarine(submarines=1, nation="japan", target="20 transports", target_nation="united-states")
    lost = two_dice(lambda roll: submarine_attack(roll + 1).lost)
    hits = two_dice(lambda roll: submarine_attack(roll + 1).hits)
    assert answer.ledgers[0][1].total == 1
    assert part(answer, "Hits taken").chances == hits
    assert part(answer, "Submarine factors lost")[1] == lost.get(True, 0)
    assert whole(answer)


def test_each_earlier_attack_counts() -> None:
    words: dict[str, Any] = {"nation": "japan", "target": "20 transports", "target_nation": "united-states"}
    two = part(submarine(submarines=2, **words), "Hits taken")
    first = part(submarine(submarines=1, **words), "Hits taken")
    second = part(submarine(submarines=1, earlier=1, **words), "Hits taken")
    assert second.mean(int) < first.mean(int)
    expected: Counter[int] = Counter()
    for (one, chance), (other, more) in product(first.chances.items(), second.chances.items()):
        expected[one + other] += chance * more  # type: ignore[assignment]
    assert two.chances == dict(expected)


def test_categories_share_the_die() -> None:
    answer = submarine(submarines=1, nation="japan", target="Iowa, Enterprise, 4 united-states cruisers")
    for title in ("Hits on fast carriers", "Hits on capital ships", "Hits on light ships"):
        assert part(answer, title)[0] >= Fraction(2, 3)
    assert part(answer, "Enterprise")["not hit"] >= Fraction(2, 3)
    assert answer.policies
    assert whole(answer)


def modifier(**words: Any) -> int:
    given = {"submarines": 1, "nation": "japan", "target": "10 united-states cruisers", **words}
    total: int = submarine(**given).ledgers[0][1].total
    return total


@pytest.mark.parametrize(
    ("words", "amount"),
    [
        ({}, 1),
        ({"nation": "germany"}, 1),
        ({"advanced": True, "searchers": "them=9"}, 1),
        ({"searchers": "us=3"}, 2),
        ({"searchers": "us=3, them=6"}, 0),
        ({"searchers": "them=30"}, -1),
        ({"torpedo": 1}, 2),
        ({"torpedo": 1, "asw": 2}, 0),
        ({"excess_asw": 3}, 0),
        ({"excess_asw": 30}, -1),
        ({"earlier": 2}, -1),
        ({"hampered": True}, 2),
        ({"codebreaking": "us"}, 2),
        ({"codebreaking": "them"}, 0),
        ({"tactical": "them"}, 0),
        ({"target": "10 united-states cruisers, 3 united-states destroyers"}, 0),
        ({"target": "10 united-states cruisers, 1 united-states damaged-cruisers"}, 2),
    ],
)
def test_modifiers_of_submarines(words: dict[str, Any], amount: int) -> None:
    assert modifier(**words) == amount


def test_operational_carriers_count_and_idle_ones_do_not() -> None:
    words: dict[str, Any] = {"target": "Enterprise, Hornet, Yorktown", "target_nation": "united-states"}
    assert modifier(**words) == modifier(**words, idle_carriers=True) - 1


def newly(answer: Answer) -> Distribution[Any]:
    """The enemy's factors newly damaged, the last part of that kind."""
    return [one.chances for one in answer.parts if one.title.endswith("newly damaged")][-1]


@pytest.mark.parametrize(("hits", "newly_damaged"), [(3, 5), (4, 0)])
def test_a_damaged_ship_that_sinks_is_not_one_damaged_less(hits: int, newly_damaged: int) -> None:
    """The Iowa has five factors: the fourth hit damages it, the fifth sinks it."""
    alone = submarine(submarines=2, nation="japan", target="Iowa", hits=f"iowa {hits}")
    assert set(newly(alone)) == {0, newly_damaged}
    among = submarine(submarines=2, nation="japan", target="Iowa, 4 united-states cruisers", hits=f"iowa {hits}")
    assert min(newly(among)) == 0


def test_a_damaged_ship_sunk_by_guns_is_not_one_damaged_less() -> None:
    fought = engagement(ours="Yamato", theirs="Iowa", their_hits="iowa 4")
    assert set(newly(fought)) == {0}, "screened or sunk: damaged it was before"


def test_submarines_that_find_nothing_left_keep_their_attack() -> None:
    answer = submarine(submarines=3, nation="japan", target="1 united-states transports")
    attacked = part(answer, "Submarine factors that attack")
    assert attacked[1] > 0
    assert attacked.total == 1


def test_submarines_layer_by_layer_are_those_of_the_enumerator() -> None:
    target = "Enterprise, Iowa, 4 american cruisers, 4 american destroyers"
    opening = submarine_state(Fleets({}, read_fleet(target, "target")), Submarines(US, "japan", 3))
    answer = submarine(submarines=3, nation="japan", target=target, idle_carriers=True)

    def end(after: State) -> tuple[Any, ...]:
        return tuple(sorted(toll(opening, after))), after.battle.submarines[0].lost

    found = enumerate_ends(ruleset("awaw"), copy_of(opening), PLAYERS, end).ends
    ends, _ = attacked(opening, Limits())
    assert ends.of(lambda one: (tuple(sorted(one.losses)), one.submarines_lost)) == found
    assert part(answer, "Submarine factors lost") == found.of(lambda one: one[1])
    assert whole(answer)


def test_too_many_submarines_leave_something_over() -> None:
    answer = submarine(submarines=4, nation="japan", target="Enterprise, Iowa, 4 american cruisers", states=5)
    assert 0 < answer.left_over < 1
    assert all(one.chances.total == 1 - answer.left_over for one in answer.parts)
    assert "Incomplete: " in str(answer)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"submarines": 0}, "0"),
        ({"submarines": -2}, "-2"),
        ({"nation": "atlantis"}, "atlantis"),
        ({"target": "Lusitania"}, "Lusitania"),
        ({"target": "Iowa", "hits": "iowa 9"}, "Iowa has 5 factors and that many hits sink it"),
        ({"searchers": "3"}, "us=3,them=6"),
        ({"searchers": "us=-3"}, "-3"),
        ({"torpedo": -1}, "-1"),
        ({"earlier": "often"}, "often"),
        ({"states": 0}, "0"),
        ({"codebreaking": "nobody"}, "nobody"),
    ],
)
def test_bad_questions_of_submarines_are_refused_with_the_input(words: dict[str, Any], told: str) -> None:
    with pytest.raises(FlagplotError) as refused:
        modifier(**words)
    assert told in str(refused.value)


# --- interception -------------------------------------------------------------------------------------------------


def test_sums_of_dice_are_exact() -> None:
    ways = Counter(sum(faces) for faces in product(range(1, 7), repeat=4))
    assert sum_of_dice(4).chances == {total: Fraction(number, 6**4) for total, number in ways.items()}
    many = sum_of_dice(40)
    assert many.total == 1
    assert many.mean(int) == 140
    assert many.variance(int) == 40 * Fraction(35, 12)
    assert sum_of_dice(0).chances == {0: 1}


@pytest.mark.rule("22.24B", "22.24B.1", "22.24B.2", "22.23")
@pytest.mark.parametrize(
    ("theatre", "rounds"),
    [("europe", [1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5]), ("pacific", [1, 2, 2, 3, 3, 4, 4, 5])],
)
def test_who_falls_short_arrives_late(theatre: str, rounds: list[int]) -> None:
    assert [arrival_round(20, 20 - short, theatre) for short in range(len(rounds))] == rounds
    assert arrival_round(5, 9, theatre) == 1


LATE = "If another attempt succeeds and the battle lasts, it arrives in (22.24B)"
ALONE = "If it is the only attempt, it arrives in (22.23, 22.24A)"


@pytest.mark.parametrize("theatre", ["europe", "pacific"])
def test_interception_against_every_fall_of_the_dice(theatre: str) -> None:
    answer = interception(distance=9, theatre=theatre, cargo=True, task_forces=1)
    expected: Counter[str] = Counter()
    for faces in product(range(1, 7), repeat=3):
        reached = sum(faces) if theatre == "europe" else (sum(faces) + 1) // 2
        short = max(0, 9 - reached)
        expected[f"round {1 + -(-short // (4 if theatre == 'europe' else 2))}"] += 1
    assert part(answer, LATE).chances == {word: Fraction(ways, 216) for word, ways in expected.items()}
    assert part(answer, ALONE)["the first round"] == part(answer, LATE)["round 1"]
    assert answer.ledgers[0][1].total == 3
    assert whole(answer)


@pytest.mark.parametrize(
    ("words", "dice"),
    [
        ({"bombardment": True, "cargo": True}, 2),
        ({"carrier_mission": True, "counter_in_hex": True, "patrol_staying": True}, 6),
        ({"cargo": True, "light_only": True}, 3),
        ({"task_forces": 2, "ground_defenders": 5, "spotters": 2, "submarines": 9, "cards": 4}, 2 + 3 + 2 + 3 + 1),
        ({"task_forces": 4, "slow": True, "attempts": 3}, 1),
        ({"task_forces": 4, "submarine_force": True, "attempts": 3}, 3),
        ({"task_forces": 60}, 60),
    ],
)
def test_factors_of_interception(words: dict[str, Any], dice: int) -> None:
    answer = interception(distance=10, theatre="europe", **words)
    assert answer.ledgers[0][1].total == dice
    assert whole(answer)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ({"distance": 41, "theatre": "europe", "task_forces": 9}, "22.22"),
        ({"distance": 21, "theatre": "pacific", "task_forces": 30}, "22.22"),
        ({"distance": 3, "theatre": "europe", "task_forces": 1, "slow": True}, "22.24C"),
        ({"distance": 3, "theatre": "europe", "slow": True, "attempts": 2}, "22.24C"),
    ],
)
def test_who_may_not_try_does_not_arrive(words: dict[str, Any], why: str) -> None:
    (only,) = interception(**words).parts
    assert isinstance(only, Part)
    assert only.chances.chances == {"not at all": 1}
    assert why in only.title


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"distance": -1, "theatre": "europe"}, "-1"),
        ({"distance": "far", "theatre": "europe"}, "far"),
        ({"distance": 5, "theatre": "mars"}, "mars"),
        ({"distance": 5, "theatre": "europe", "spotters": -2}, "-2"),
        ({"distance": 5, "theatre": "europe", "attempts": 0}, "22.22K"),
    ],
)
def test_bad_questions_of_interception_are_refused_with_the_input(words: dict[str, Any], told: str) -> None:
    with pytest.raises(FlagplotError) as refused:
        interception(**words)
    assert told in str(refused.value)


def test_sides_are_we_and_they() -> None:
    assert SIDES == (US, THEM)
