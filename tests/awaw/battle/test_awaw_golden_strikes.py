"""Strikes worked out by hand from the printed tables: every line of the log, what is left, and how likely it was.

Each strike says what every roll reads and in how many of the 36 ways two dice fall like that. The ways of 2 to 12 are
1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1. The rows used, from 2 to 12:

* Air Combat 1: 0 0 0/1 0/1 1/0 1/0 1/1 1/1 1/2 1/2 1/3
* Air Combat 2: 0/1 0/1 1/0 1/0 1/1 1/1 1/2 1/2 1/3 1/3 2/2
* Air Combat 3: 1/0 1/0 1/1 1/1 1/2 1/2 1/3 1/3 2/2 2/3 2/4
* Air Defense 1: 0 0 0 0 0 0/1 0/1 1/0 1/0 1/1 1/1
* Air Defense 2: 0 0 0/1 0/1 1/0 1/0 1/1 1/1 1/2 1/2 2/1
* Air Defense 4: 1/0 1/0 1/1 1/1 1/2 1/2 2/1 2/1 2/2 2/2 2/3
* Naval Attack, 1 squadron: 0 0 0 0 1 1 1 1 1 2 2; 2: 0 0 1 1 1 1 2 2 2 3 3; 3: 1 1 1 1 2 2 2 3 3 3 4;
  5: 2 2 2 3 3 3 4 4 5 5 6
"""

from __future__ import annotations

from fractions import Fraction
from math import prod
from textwrap import dedent

import pytest

from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Roll
from tests.awaw.battles import group, lost, ships, squadron, sunk
from tests.awaw.scenes import air, short
from tests.awaw.strike_news import seen_ships
from tests.awaw.strike_orders import AMERICA, ELITE, ENTERPRISE, ISLE, JAPAN, cover, engage, fly, patrol
from tests.awaw.strikes import BLUE_FINDS, isle, kido, meet, task

OF_A_STRIKE = {"23.7412", "19.2", "23.42", "23.44", "T23.7413-07"}
"""The rules under which the dice of a strike are rolled."""


def chance(game: Game[State]) -> Fraction:
    """How likely all that the dice of the strikes read was: the product of the weights of the readings."""
    odds = Fraction(1)
    for request, faces in game.events:
        if isinstance(request, Roll) and request.rule in OF_A_STRIKE:
            odds *= Fraction(request.outcomes()[request.reads(faces)], 6**request.dice)
    return odds


def ways(*numbers: int) -> Fraction:
    """The chance of rolls of two dice that read what they read in so many of 36 ways."""
    return prod([Fraction(number, 36) for number in numbers], start=Fraction(1))


def told(game: Game[State]) -> str:
    """What the umpire reads of the strikes until the air units land, without the questions."""
    entries = game.log("umpire")
    first = next(place for place, entry in enumerate(entries) if " strike on CG " in entry.text)
    last = next(place for place, entry in enumerate(entries) if entry.rule == "22.463")
    return "\n".join([str(entry) for entry in entries[first:last] if entry.kind != "choice"])


def written(text: str) -> str:
    return dedent(text).strip()


@pytest.mark.rule("23.76", "23.76D", "23.44")
def test_a_strike_that_nobody_meets() -> None:
    """Four squadrons; level 2 at 4 reads 0/1 (4 or 5: 3 + 4 ways). Two attack Enterprise at +3, 5 + 3 in row 2: two
    hits (8 to 10, so 5 to 7: 4 + 5 + 6), damaged. One attacks the light ships at +1, 8 + 1 in row 1: one hit (6 to
    10, so 5 to 9: 4 + 5 + 6 + 5 + 4) on a cruiser."""
    game = meet(
        kido(4),
        task(),
        orders=["strike:1", fly(4), ENTERPRISE, f"against:enterprise:{JAPAN}:2"],
        rolls=[("air defense", 2, 2), ("attack on Enterprise", 3, 2), ("attack on light ships", 4, 4)],
    )
    assert told(game) == written(
        """
        Red: air strike on CG 1 (Blue) with 4 Japanese naval air squadrons (23.71)
        No air cover over CG 1 (Blue) (22.4421)
        Blue: no squadrons engage the strike (23.415)
        The strike reaches CG 1 (Blue) (23.42)
        Blue: air defense of CG 1 (Blue), row 2 (23.42), level 2: 2 2 → 0/1
            +2  one per ten naval factors or part of ten (a CVE counts three): 13 (23.4211)
        Red: 1 air unit aborted (23.423)
        CG 1 (Blue) revealed: Enterprise, 2 American cruisers, 6 American destroyer factors (23.424#2)
        Red: attack on Enterprise, row 2 (23.44): 3 + 2 + 3 = 8 → 2 hits
            +2  Air Nationality DRM of Japan (19.31A)
            -2  Naval Nationality DRM of United States (22.552A)
            +2  CV, CVE, or CVL of Japan or the United States (22.552A)
            +1  naval air attacking ships at sea (17.354)
        Enterprise damaged (23.443)
        Red: attack on light ships, row 1 (23.44): 4 + 4 + 1 = 9 → 1 hit
            +2  Air Nationality DRM of Japan (19.31A)
            -2  Naval Nationality DRM of United States (22.552A)
            +1  naval air attacking ships at sea (17.354)
        CG 1 (Blue): 1 cruiser damaged (23.443)
        """
    )
    assert ships(group(game, "blue", 1)) == {
        "enterprise damaged": 2,
        "united-states cruiser": 1,
        "united-states cruiser damaged": 1,
        "united-states destroyer": 6,
    }
    assert (sunk(game), lost(game)) == ({}, {})
    assert short(group(game, "red", 1).air) == {"japan naval": 4}
    assert chance(game) == ways(7, 15, 24) == Fraction(35, 648)


@pytest.mark.rule("23.415B.1", "23.416A.2", "23.416B.2", "19.31C")
def test_a_strike_through_combat_air_patrol() -> None:
    """Five squadrons, two of which fight a patrol of two, at -1. Red's 7 - 1 in row 2 reads 1/1 (6 or 7, so 7 or 8: 6
    + 5 ways), the abort for nothing. Blue's 9 + 1 reads 1/3 (10 or 11, so 9 or 10: 4 + 3): of the fighters one dies
    and one turns back, and two of the other three as well. Level 2 at 3 reads 0 (2 or 3: 1 + 2). The last squadron
    attacks Hornet at +3, 8 + 3 in row 1: two hits (11 or more, so 8 or more: 5 + 4 + 3 + 2 + 1). Of the four
    squadrons aboard two find no room on Enterprise beside the one in the air, and stay on the damaged Hornet."""
    game = meet(
        kido(5),
        task("Enterprise", "Hornet", air=6),
        orders=[patrol(2), "strike:1", fly(5), engage(2), "target:hornet"],
        rolls=[
            ("Red: air combat", 4, 3),
            ("Blue: air combat", 5, 4),
            ("air defense", 1, 2),
            ("attack on Hornet", 6, 2),
        ],
    )
    assert told(game) == written(
        """
        Red: air strike on CG 1 (Blue) with 5 Japanese naval air squadrons (23.71)
        No air cover over CG 1 (Blue) (22.4421)
        Blue: strike engaged by 2 American naval air squadrons (23.415)
        Red: air combat over CG 1 (Blue), row 2 (19.2): 4 + 3 - 1 = 6 → 1/1
            +2  attacker's lowest Air Nationality DRM, Japanese naval air (Japan 2) (19.31A)
            -2  defender's lowest Air Nationality DRM, American naval air (United States 2) (19.31A)
            -1  defenders fly only combat air patrol (19.31C)
        Blue: air combat over CG 1 (Blue), row 2 (19.2): 5 + 4 + 1 = 10 → 1/3
            -2  attacker's lowest Air Nationality DRM, Japanese naval air (Japan 2) (19.31A)
            +2  defender's lowest Air Nationality DRM, American naval air (United States 2) (19.31A)
            +1  defenders fly only combat air patrol (19.31C)
        Blue: 1 American naval air squadron eliminated (23.416)
        Red: 1 Japanese naval air squadron eliminated, 3 aborted (23.416)
        The strike reaches CG 1 (Blue) (23.42)
        Blue: air defense of CG 1 (Blue), row 2 (23.42), level 2: 1 2 → 0
            +2  one per ten naval factors or part of ten (a CVE counts three): 16 (23.4211)
        Red: no air losses (23.423)
        CG 1 (Blue) revealed: Enterprise, Hornet, 2 American cruisers, 6 American destroyer factors (23.424#2)
        Red: attack on Hornet, row 1 (23.44): 6 + 2 + 3 = 11 → 2 hits
            +2  Air Nationality DRM of Japan (19.31A)
            -2  Naval Nationality DRM of United States (22.552A)
            +2  CV, CVE, or CVL of Japan or the United States (22.552A)
            +1  naval air attacking ships at sea (17.354)
        Hornet damaged (23.443)
        """
    )
    assert ships(group(game, "blue", 1))["hornet damaged"] == 2
    assert lost(game) == {"japan/naval/squadrons": 1, "united-states/naval/squadrons": 1}
    assert short(group(game, "red", 1).air) == {"japan naval": 4}
    assert short(group(game, "blue", 1).air) == {"united-states naval": 3}
    assert short(game.state.sites["blue-at-sea"].grounded) == {"united-states naval": 2}
    assert chance(game) == ways(11, 7, 3, 15) == Fraction(385, 186624)


@pytest.mark.rule("23.415C", "17.3124", "T23.44-08")
def test_a_carrier_sunk_under_cover_and_patrol_with_its_squadrons() -> None:
    """Six elite squadrons, three of which fight one on patrol and two of cover, at +1. Red's 9 + 1 in row 3 reads 2/2
    (10, so 9: 4 ways): Blue gives one of each. His 4 - 1 reads 1/0 (3 or less, so 4 or less: 1 + 2 + 3). Level 2 at
    10 reads 1/2 (10 or 11: 3 + 2): two are left. At +4, 7 + 4 in row 2: three hits (11 or more, so 7 or more: 6 + 5 +
    4 + 3 + 2 + 1). Enterprise sinks with the two squadrons that were aboard."""
    game = meet(
        kido(6, elite=True),
        task(air=3),
        bases=[isle("2 united-states naval")],
        orders=[
            *(patrol(1), cover(2), "strike:1", fly(6, ELITE), engage(1), engage(2, ISLE)),
            *("lose:isle:ready", "lose:blue-at-sea:ready", ENTERPRISE, f"against:enterprise:{ELITE}:2"),
        ],
        rolls=[
            ("Red: air combat", 6, 3),
            ("Blue: air combat", 2, 2),
            ("air defense", 5, 5),
            ("attack on Enterprise", 4, 3),
        ],
    )
    assert told(game) == written(
        """
        Red: air strike on CG 1 (Blue) with 6 Japanese elite naval air squadrons (23.71)
        Air cover over CG 1 (Blue): 2 American naval air squadrons (22.4421)
        Blue: strike engaged by 3 American naval air squadrons (23.415)
        Red: air combat over CG 1 (Blue), row 3 (19.2): 6 + 3 + 1 = 10 → 2/2
            +3  attacker's lowest Air Nationality DRM, Japanese elite naval air (Japan 2, elite Japanese naval air +1) (19.31A)
            -2  defender's lowest Air Nationality DRM, American naval air (United States 2) (19.31A)
        Blue: air combat over CG 1 (Blue), row 3 (19.2): 2 + 2 - 1 = 3 → 1/0
            -3  attacker's lowest Air Nationality DRM, Japanese elite naval air (Japan 2, elite Japanese naval air +1) (19.31A)
            +2  defender's lowest Air Nationality DRM, American naval air (United States 2) (19.31A)
        Blue: 2 American naval air squadrons eliminated (23.416)
        Red: 1 Japanese elite naval air squadron eliminated (23.416)
        The strike reaches CG 1 (Blue) (23.42)
        Blue: air defense of CG 1 (Blue), row 2 (23.42), level 2: 5 5 → 1/2
            +2  one per ten naval factors or part of ten (a CVE counts three): 13 (23.4211)
        Red: 1 Japanese elite naval air squadron eliminated, 2 aborted (23.423)
        CG 1 (Blue) revealed: Enterprise, 2 American cruisers, 6 American destroyer factors (23.424#2)
        Red: attack on Enterprise, row 2 (23.44): 4 + 3 + 4 = 11 → 3 hits
            +2  Air Nationality DRM of Japan (19.31A)
            +1  elite Japanese naval air (19.31A)
            -2  Naval Nationality DRM of United States (22.552A)
            +2  CV, CVE, or CVL of Japan or the United States (22.552A)
            +1  naval air attacking ships at sea (17.354)
        Enterprise sunk (23.443)
        Blue: 2 American naval air squadrons lost with the carriers (17.3124)
        """  # noqa: E501
    )
    assert ships(group(game, "blue", 1)) == {"united-states cruiser": 2, "united-states destroyer": 6}
    assert sunk(game) == {"enterprise": 1}
    assert lost(game) == {"japan/elite-naval/squadrons": 2, "united-states/naval/squadrons": 4}
    assert air(game, "isle") == {"united-states naval": 1}
    assert chance(game) == ways(4, 6, 5, 21) == Fraction(35, 23328)


@pytest.mark.rule("T23.7413-07", "T23.7413-11", "23.74122A.2")
def test_a_critical_hit_by_surprise() -> None:
    """Two results: 6 + 1 is level 7 (one face in six), and four defenders fewer are none of two. Level 2 - 1 at 7
    reads 0/1 (7 or 8: 6 + 5 ways). Two squadrons at +4, 4 + 4 in row 2: two hits (8 to 10, so 4 to 6: 3 + 4 + 5),
    damaged; a 6 (one in six) sinks her. Of four squadrons aboard three have no deck, since Hornet keeps room for the
    two on patrol."""
    game = meet(
        kido(9),
        squadron("two", "red", "Shokaku", cruisers=6, destroyers=2, air=3),
        task("Enterprise", "Hornet", air=6),
        search=((1, 1, 6), ()),
        codebreaking="red",
        orders=[patrol(2), "surprise:1", fly(3), ENTERPRISE, f"against:enterprise:{JAPAN}:2", "strike:none"],
        rolls=[("surprise", 6), ("air defense", 3, 4), ("attack on Enterprise", 1, 3), ("critical hit", 6)],
    )
    assert told(game) == written(
        """
        Red: surprise strike on CG 1 (Blue) with 3 Japanese naval air squadrons (23.71)
        Red: surprise level (23.7412): 6 + 1 = 7 → level 7
            +1  two search results against the group (23.74122A)
        No air cover over CG 1 (Blue) (22.4421)
        Blue: no squadrons engage the strike (23.415)
        The strike reaches CG 1 (Blue) (23.42)
        Blue: air defense of CG 1 (Blue), row 1 (23.42), level 1: 3 4 → 0/1
            +2  one per ten naval factors or part of ten (a CVE counts three): 16 (23.4211)
            -1  attacked with a surprise level of 2 or more (23.42)
        Red: 1 air unit aborted (23.423)
        CG 1 (Blue) revealed: Enterprise, Hornet, 2 American cruisers, 6 American destroyer factors (23.424#2)
        Red: attack on Enterprise, row 2 (23.44): 1 + 3 + 4 = 8 → 2 hits
            +2  Air Nationality DRM of Japan (19.31A)
            -2  Naval Nationality DRM of United States (22.552A)
            +2  CV, CVE, or CVL of Japan or the United States (22.552A)
            +1  naval air attacking ships at sea (17.354)
            +1  a surprise level of 3 or more (23.441C)
        Critical hit on Enterprise (sinks on a 6; 20.524, by assumption) (T23.7413-07): 6 → sunk
        Enterprise sunk (23.443)
        Blue: 3 American naval air squadrons lost with the carriers (17.3124)
        """
    )
    assert sunk(game) == {"enterprise": 1}
    assert lost(game) == {"united-states/naval/squadrons": 3}
    assert short(group(game, "blue", 1).air) == {"united-states naval": 3}
    assert chance(game) == Fraction(1, 6) * ways(11, 12) * Fraction(1, 6) == Fraction(11, 3888)


@pytest.mark.rule("23.74B.2", "23.75B.2", "23.441A", "23.423")
def test_carrier_and_army_air_together() -> None:
    """Two American naval (DRM 2) and two Russian army squadrons (1) against Shoho (3 - 2). An American fights the
    patrol at -1: his 8 - 1 in row 1 reads 1/0 (6 or 7, so 7 or 8: 6 + 5 ways), Red's 4 + 1 reads 0/1 (4 or 5, so 3 or
    4: 2 + 3). Level 2 at 6 reads 1/0 (6 or 7: 5 + 6), and the Russians, who are two against one, lose it. One of each
    attacks at the Russian 1 without the bonus of naval air: 9 + 0 in row 2, two hits (8 to 10: 5 + 4 + 3), and Shoho
    sinks with one squadron."""
    russians = "isle:russia:army:attack"
    game = meet(
        squadron("shoho", "red", "Shoho", cruisers=4, destroyers=6, air=2),
        task("Princeton", air=2),
        search=BLUE_FINDS,
        bases=[isle("2 russia army")],
        orders=[
            *(patrol(1, tag=JAPAN), "strike:1", fly(2, AMERICA), fly(2, russians), engage(1, JAPAN)),
            *(f"fight:{AMERICA}:1", "target:shoho", f"against:shoho:{AMERICA}:1", f"against:shoho:{russians}:1"),
        ],
        rolls=[
            ("Blue: air combat", 4, 4),
            ("Red: air combat", 3, 1),
            ("air defense", 2, 4),
            ("attack on Shoho", 5, 4),
        ],
    )
    assert told(game) == written(
        """
        Blue: air strike on CG 1 (Red) with 2 American naval air squadrons; 2 Russian army air attack squadrons (23.71)
        No air cover over CG 1 (Red) (22.4421)
        Red: strike engaged by 1 Japanese naval air squadron (23.415)
        Blue: air combat over CG 1 (Red), row 1 (19.2): 4 + 4 - 1 = 7 → 1/0
            +2  attacker's lowest Air Nationality DRM, American naval air (United States 2) (19.31A)
            -2  defender's lowest Air Nationality DRM, Japanese naval air (Japan 2) (19.31A)
            -1  defenders fly only combat air patrol (19.31C)
        Red: air combat over CG 1 (Red), row 1 (19.2): 3 + 1 + 1 = 5 → 0/1
            -2  attacker's lowest Air Nationality DRM, American naval air (United States 2) (19.31A)
            +2  defender's lowest Air Nationality DRM, Japanese naval air (Japan 2) (19.31A)
            +1  defenders fly only combat air patrol (19.31C)
        Red: 1 Japanese naval air squadron eliminated (23.416)
        Blue: 1 air unit aborted (23.416)
        The strike reaches CG 1 (Red) (23.42)
        Red: air defense of CG 1 (Red), row 2 (23.42), level 2: 2 4 → 1/0
            +2  one per ten naval factors or part of ten (a CVE counts three): 12 (23.4211)
        Blue: 1 Russian army air attack squadron eliminated (23.423)
        CG 1 (Red) revealed: Shoho, 2 Japanese cruisers, 6 Japanese destroyer factors (23.424#2)
        Blue: attack on Shoho, row 2 (23.44): 5 + 4 = 9 → 2 hits
            +1  Air Nationality DRM of Russia (19.31A)
            -3  Naval Nationality DRM of Japan (22.552A)
            +2  CV, CVE, or CVL of Japan or the United States (22.552A)
        Shoho sunk (23.443)
        Red: 1 Japanese naval air squadron lost with the carriers (17.3124)
        """
    )
    assert sunk(game) == {"shoho": 1}
    assert lost(game) == {"japan/naval/squadrons": 2, "russia/army/squadrons": 1}
    assert short(group(game, "blue", 1).air) == {"united-states naval": 2}
    assert chance(game) == ways(11, 5, 11, 12) == Fraction(605, 139968)


@pytest.mark.rule("23.424#2", "T23.42-06")
def test_a_strike_that_the_guns_drive_off() -> None:
    """Two five-factor battleships: level 2 + 2. Row 4 at 7 reads 1/2 (6 or 7: 5 + 6 ways): all three are gone, and
    Red does not learn what he met."""
    game = meet(
        kido(6),
        squadron("iowa", "blue", "Iowa", "Missouri", destroyers=2),
        orders=["strike:1", fly(3)],
        rolls=[("air defense", 3, 4)],
    )
    assert told(game) == written(
        """
        Red: air strike on CG 1 (Blue) with 3 Japanese naval air squadrons (23.71)
        No air cover over CG 1 (Blue) (22.4421)
        Blue: no squadrons engage the strike (23.415)
        The strike reaches CG 1 (Blue) (23.42)
        Blue: air defense of CG 1 (Blue), row 4 (23.42), level 4: 3 4 → 1/2
            +2  one per ten naval factors or part of ten (a CVE counts three): 12 (23.4211)
            +2  five-factor battleships: 2 (23.42)
        Red: 1 Japanese naval air squadron eliminated, 2 aborted (23.423)
        """
    )
    assert seen_ships(game, "red", "blue", 1) is None
    assert "Iowa" not in "\n".join(map(str, game.log("red")))
    assert lost(game) == {"japan/naval/squadrons": 1}
    assert short(group(game, "red", 1).air) == {"japan naval": 5}
    assert chance(game) == ways(11) == Fraction(11, 36)


@pytest.mark.rule("T23.44-11", "23.45", "23.4211B")
def test_cruisers_destroyers_and_an_escort_carrier() -> None:
    """Eleven factors and a CVE, as three: level 2, which at 2 reads 0 (2 or 3: 1 + 2 ways). The CVE (2 - 2) makes it
    +3: 7 + 3 in row 5, five hits (10 or 11, so 7 or 8: 6 + 5). Three fall on cruisers and two on the others, one on
    each kind: a cruiser sinks and one is damaged, the CVE and a destroyer factor sink."""
    game = meet(
        kido(6),
        squadron("escort", "blue", cruisers=6, destroyers=5, cves=1),
        orders=["strike:1", fly(5)],
        rolls=[("air defense", 1, 1), ("attack on light ships", 3, 4)],
    )
    assert told(game) == written(
        """
        Red: air strike on CG 1 (Blue) with 5 Japanese naval air squadrons (23.71)
        No air cover over CG 1 (Blue) (22.4421)
        Blue: no squadrons engage the strike (23.415)
        The strike reaches CG 1 (Blue) (23.42)
        Blue: air defense of CG 1 (Blue), row 2 (23.42), level 2: 1 1 → 0
            +2  one per ten naval factors or part of ten (a CVE counts three): 14 (23.4211)
        Red: no air losses (23.423)
        CG 1 (Blue) revealed: 3 American cruisers, 1 American escort carrier, 5 American destroyer factors (23.424#2)
        Red: attack on light ships, row 5 (23.44): 3 + 4 + 3 = 10 → 5 hits
            +2  Air Nationality DRM of Japan (19.31A)
            -2  Naval Nationality DRM of United States (22.552A)
            +2  CV, CVE, or CVL of Japan or the United States (22.552A)
            +1  naval air attacking ships at sea (17.354)
        CG 1 (Blue): 1 American cruiser, 1 American escort carrier, 1 American destroyer factor sunk; 1 cruiser damaged (23.443)
        """  # noqa: E501
    )
    assert ships(group(game, "blue", 1)) == {
        "united-states cruiser": 1,
        "united-states cruiser damaged": 1,
        "united-states destroyer": 4,
    }
    assert sunk(game) == {"united-states:cruiser": 1, "united-states:cve": 1, "united-states:destroyer": 1}
    assert chance(game) == ways(3, 11) == Fraction(11, 432)


@pytest.mark.rule("23.76D", "17.3124")
def test_two_carriers_attacked_at_once() -> None:
    """Six elite squadrons; level 2 at 8 reads 1/1 (8 or 9: 5 + 4 ways). Two attack Lexington at +4, 9 + 4 in row 2:
    three hits (11 or more, so 7 or more: 21), sunk; two attack Yorktown, 3 + 4: one hit (7 or less, so 2 or 3: 1 +
    2). Six squadrons were aboard, and Yorktown holds three."""
    game = meet(
        squadron("car", "red", "Shokaku", "Zuikaku", cruisers=8, destroyers=2, air=6, elite=True),
        task("Lexington", "Yorktown", air=6),
        orders=[
            *("strike:1", fly(6, ELITE), "target:lexington", f"against:lexington:{ELITE}:2"),
            *("target:yorktown", f"against:yorktown:{ELITE}:2"),
        ],
        rolls=[("air defense", 4, 4), ("attack on Lexington", 6, 3), ("attack on Yorktown", 1, 2)],
    )
    assert told(game) == written(
        """
        Red: air strike on CG 1 (Blue) with 6 Japanese elite naval air squadrons (23.71)
        No air cover over CG 1 (Blue) (22.4421)
        Blue: no squadrons engage the strike (23.415)
        The strike reaches CG 1 (Blue) (23.42)
        Blue: air defense of CG 1 (Blue), row 2 (23.42), level 2: 4 4 → 1/1
            +2  one per ten naval factors or part of ten (a CVE counts three): 16 (23.4211)
        Red: 1 Japanese elite naval air squadron eliminated, 1 aborted (23.423)
        CG 1 (Blue) revealed: Lexington, Yorktown, 2 American cruisers, 6 American destroyer factors (23.424#2)
        Red: attack on Lexington, row 2 (23.44): 6 + 3 + 4 = 13 → 3 hits
            +2  Air Nationality DRM of Japan (19.31A)
            +1  elite Japanese naval air (19.31A)
            -2  Naval Nationality DRM of United States (22.552A)
            +2  CV, CVE, or CVL of Japan or the United States (22.552A)
            +1  naval air attacking ships at sea (17.354)
        Lexington sunk (23.443)
        Red: attack on Yorktown, row 2 (23.44): 1 + 2 + 4 = 7 → 1 hit
            +2  Air Nationality DRM of Japan (19.31A)
            +1  elite Japanese naval air (19.31A)
            -2  Naval Nationality DRM of United States (22.552A)
            +2  CV, CVE, or CVL of Japan or the United States (22.552A)
            +1  naval air attacking ships at sea (17.354)
        Blue: 3 American naval air squadrons lost with the carriers (17.3124)
        """
    )
    assert ships(group(game, "blue", 1)) == {
        "yorktown": 1,
        "united-states cruiser": 2,
        "united-states destroyer": 6,
    }
    assert lost(game) == {"japan/elite-naval/squadrons": 1, "united-states/naval/squadrons": 3}
    assert short(group(game, "blue", 1).air) == {"united-states naval": 3}
    assert chance(game) == ways(9, 21, 3) == Fraction(7, 576)


@pytest.mark.rule("23.76E", "23.416B.1", "T23.44-11")
def test_two_strikes_against_the_same_defenders() -> None:
    """Cover of two. First strike of four, two of which fight at +0: 4 in row 2 reads 1/0 (4 or 5: 3 + 4 ways), Blue's
    2 reads 0/1 (2 or 3: 1 + 2). Level 2 at 3 reads 0 (1 + 2). Three attack the light ships at +1, 4 + 1 in row 3: one
    hit (5 or less, so 4 or less: 1 + 2 + 3) damages a cruiser.

    Second strike of four, one of which fights the one that is left: 2 in row 1 reads 0 (1 + 2), Blue's 6 reads 1/0 (6
    or 7: 5 + 6). Level 2 at 4 reads 0/1 (3 + 4). Two attack at +1, 9 + 1 in row 2: two hits (8 to 10, so 7 to 9: 6 +
    5 + 4). The first finishes the damaged cruiser, the second sinks a destroyer factor."""
    game = meet(
        kido(8),
        squadron("light", "blue", cruisers=6, destroyers=6),
        search=((1, 1), ()),
        codebreaking="red",
        bases=[isle("2 united-states naval")],
        orders=[cover(2), *("strike:1", fly(4), engage(2, ISLE)), *("strike:1", fly(4), engage(1, ISLE))],
        rolls=[
            *(("Red: air combat", 1, 3), ("Blue: air combat", 1, 1), ("air defense", 1, 2), ("attack on", 2, 2)),
            *(("Red: air combat", 1, 1), ("Blue: air combat", 3, 3), ("air defense", 2, 2), ("attack on", 6, 3)),
        ],
    )
    assert told(game) == written(
        """
        Red: air strike on CG 1 (Blue) with 4 Japanese naval air squadrons (23.71)
        Air cover over CG 1 (Blue): 2 American naval air squadrons (22.4421)
        Blue: strike engaged by 2 American naval air squadrons (23.415)
        Red: air combat over CG 1 (Blue), row 2 (19.2): 1 + 3 = 4 → 1/0
            +2  attacker's lowest Air Nationality DRM, Japanese naval air (Japan 2) (19.31A)
            -2  defender's lowest Air Nationality DRM, American naval air (United States 2) (19.31A)
        Blue: air combat over CG 1 (Blue), row 2 (19.2): 1 + 1 = 2 → 0/1
            -2  attacker's lowest Air Nationality DRM, Japanese naval air (Japan 2) (19.31A)
            +2  defender's lowest Air Nationality DRM, American naval air (United States 2) (19.31A)
        Blue: 1 American naval air squadron eliminated (23.416)
        Red: 1 air unit aborted (23.416)
        The strike reaches CG 1 (Blue) (23.42)
        Blue: air defense of CG 1 (Blue), row 2 (23.42), level 2: 1 2 → 0
            +2  one per ten naval factors or part of ten (a CVE counts three): 12 (23.4211)
        Red: no air losses (23.423)
        CG 1 (Blue) revealed: 3 American cruisers, 6 American destroyer factors (23.424#2)
        Red: attack on light ships, row 3 (23.44): 2 + 2 + 1 = 5 → 1 hit
            +2  Air Nationality DRM of Japan (19.31A)
            -2  Naval Nationality DRM of United States (22.552A)
            +1  naval air attacking ships at sea (17.354)
        CG 1 (Blue): 1 cruiser damaged (23.443)
        Red: air strike on CG 1 (Blue) with 4 Japanese naval air squadrons (23.71)
        Air cover over CG 1 (Blue): 1 American naval air squadron (22.4421)
        Blue: strike engaged by 1 American naval air squadron (23.415)
        Red: air combat over CG 1 (Blue), row 1 (19.2): 1 + 1 = 2 → 0
            +2  attacker's lowest Air Nationality DRM, Japanese naval air (Japan 2) (19.31A)
            -2  defender's lowest Air Nationality DRM, American naval air (United States 2) (19.31A)
        Blue: air combat over CG 1 (Blue), row 1 (19.2): 3 + 3 = 6 → 1/0
            -2  attacker's lowest Air Nationality DRM, Japanese naval air (Japan 2) (19.31A)
            +2  defender's lowest Air Nationality DRM, American naval air (United States 2) (19.31A)
        Blue: no air losses (23.416)
        Red: 1 Japanese naval air squadron eliminated (23.416)
        The strike reaches CG 1 (Blue) (23.42)
        Blue: air defense of CG 1 (Blue), row 2 (23.42), level 2: 2 2 → 0/1
            +2  one per ten naval factors or part of ten (a CVE counts three): 12 (23.4211)
        Red: 1 air unit aborted (23.423)
        CG 1 (Blue) revealed: 3 American cruisers (1 damaged), 6 American destroyer factors (23.424#2)
        Red: attack on light ships, row 2 (23.44): 6 + 3 + 1 = 10 → 2 hits
            +2  Air Nationality DRM of Japan (19.31A)
            -2  Naval Nationality DRM of United States (22.552A)
            +1  naval air attacking ships at sea (17.354)
        CG 1 (Blue): 1 American cruiser, 1 American destroyer factor sunk; no damaged cruiser left (23.443)
        """
    )
    assert ships(group(game, "blue", 1)) == {"united-states cruiser": 2, "united-states destroyer": 5}
    assert lost(game) == {"japan/naval/squadrons": 1, "united-states/naval/squadrons": 1}
    assert short(group(game, "red", 1).air) == {"japan naval": 7}
    assert air(game, "isle") == {"united-states naval": 1}
    assert chance(game) == ways(7, 3, 3, 6) * ways(3, 11, 7, 15) == Fraction(378 * 3465, 36**8)
