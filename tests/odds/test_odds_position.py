"""The odds of positions: the same fractions as by hand and by naive enumeration, and nothing of the enemy's secrets."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from random import Random
from typing import Any

import pytest

import flagplot
from flagplot.awaw.knowledge.account import knowledge_of
from flagplot.awaw.knowledge.fleets import Told, Wanted, fleets, told_by
from flagplot.awaw.ships import factors, named_ships
from flagplot.awaw.state.battle import Facts
from flagplot.kernel.dice import Seeded
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.game import Game
from flagplot.kernel.plain_data import canonical, digest, key_of
from flagplot.kernel.replaying import stand_of
from flagplot.kernel.requests import Choose, Roll
from flagplot.library import read_scenario
from flagplot.odds.answer import Answer
from flagplot.odds.chances import DIGITS, NEGLIGIBLE
from flagplot.odds.enumerator import Limits
from flagplot.odds.position import can_be_asked, compared, position
from flagplot.odds.position_answer import OptionOdds, PositionAnswer, SampledAnswer, SampledPart
from flagplot.odds.position_awaw import Officer
from flagplot.odds.position_sampling import KeyedDice
from flagplot.players import player
from flagplot.players.by_game import DoctrineByGame
from flagplot.players.random import RandomPlayer

NAVIES = ("united-states",)
QUICK = Limits(4_000, 600)
"""A limit that does not hang on the speed of the machine."""


def verb(game: Game[Any]) -> str:
    assert isinstance(game.pending, Choose)
    return game.pending.verb if isinstance(game.pending.verb, str) else game.pending.verb[0]


def doctrine(game: Game[Any]) -> dict[str, Any]:
    return {side: DoctrineByGame() for side in game.sides}


@cache
def _reached(name: str, wanted: str, least: int, seed: int) -> Game[Any]:
    game = flagplot.load(name, seed=seed)

    def there(game: Game[Any]) -> bool:
        return isinstance(game.pending, Choose) and verb(game) == wanted and len(game.pending) >= least

    game.play(doctrine(game), until=there)
    assert isinstance(game.pending, Choose)
    return game


def at(name: str, wanted: str, least: int = 2, seed: int = 0) -> Game[Any]:
    """A game between doctrine players at its first question of a kind."""
    return _reached(name, wanted, least, seed).copy()


def asked(game: Game[Any], **more: Any) -> PositionAnswer:
    assert isinstance(game.pending, Choose)
    answer: PositionAnswer = game.odds(game.pending.side, **{"limits": QUICK, "trials": 20} | more)
    return answer


def chances(answer: PositionAnswer, option: str, title: str) -> dict[Any, Fraction]:
    found = next(one for one in answer.options if one.text == option)
    return next(part.chances.chances for part in found.answer.parts if part.title == title)


# --- against all dice ---------------------------------------------------------------------------------------------


def naive(game: Game[Any], over: Callable[[Any], bool], told: Callable[[Any], Any]) -> dict[Any, Fraction]:
    """Every face of every die by itself, on copies of the game, with doctrine players; weights are fractions."""
    ends: dict[Any, Fraction] = {}
    players = doctrine(game)

    def follow(here: Game[Any], weight: Fraction) -> None:
        here.play(players, until=lambda game: over(game.state) or isinstance(game.pending, Roll))
        if over(here.state):
            end = told(here.state)
            ends[end] = ends.get(end, Fraction(0)) + weight
            return
        assert isinstance(here.pending, Roll)
        for faces in product(range(1, 7), repeat=here.pending.dice):
            after = here.copy()
            after.roll(faces)
            follow(after, weight / 6 ** len(faces))

    follow(game, Fraction(1))
    return ends


def test_the_targets_of_a_strike_have_the_fractions_of_naive_enumeration() -> None:
    game = at("midway", "target")
    state = game.state
    target = state.battle.strike.target
    before = factors(state.losses.ships)
    answer = asked(game)
    assert answer.decided_by == "the air strike (23.76)"
    assert not answer.unknown
    for option in game.pending.options[:2]:  # type: ignore[union-attr]
        taken = game.copy()
        taken.choose(option.text)
        ends = naive(
            taken, lambda after: after.battle.strike is None, lambda after: factors(after.losses.ships) - before
        )
        enemy = state.name(state.battle.groups[target].side)
        assert chances(answer, option.text, f"{enemy}: factors sunk") == ends
        assert sum(ends.values()) == 1


def test_what_the_defender_sends_up_is_exact() -> None:
    """He knows his own group, and the strike is announced: nothing is missing."""
    game = at("midway", "engage", 3)
    answer = asked(game)
    assert not answer.unknown
    assert not answer.assumable
    for one in answer.options:
        assert one.answer.as_dict()["exact"]
        assert all(part.chances.total == 1 for part in one.answer.parts)


# --- by hand ------------------------------------------------------------------------------------------------------


def test_an_attack_in_line_of_battle_by_hand() -> None:
    """Each die hits on so many faces, so all miss with the power of the others; then there are no points."""
    game = at("force-z", "targets")
    hit = len(game.view("britain").data["symbols"]["hit"])
    answer = asked(game)
    assert answer.decided_by == "the attack of the unit (LOB-21)"
    compared = 0
    for option in game.pending.options:  # type: ignore[union-attr]
        dice = int(option.label.rpartition(": ")[2].split()[0])
        points = chances(answer, option.text, "Points of damage")
        assert points[0] == Fraction(6 - hit, 6) ** dice
        ones = sum(  # one point of damage: one hit, whose die shows one pip
            [comb(dice, hits) * Fraction(hit, 6) ** hits * Fraction(6 - hit, 6) ** (dice - hits) / 6 for hits in (1,)]
        )
        assert points.get(1, Fraction(0)) == ones
        compared += 1
    assert compared > 1


def test_points_noted_before_count_even_if_the_attack_misses() -> None:
    game = flagplot.load("force-z", seed=2, options={"targets_named": "one-by-one"})
    players = {side: RandomPlayer(number) for number, side in enumerate(game.sides)}
    game.play(players, until=lambda game: game.turn >= 17)
    assert game.state.markers["vampire"].points >= 2, "it is as good as sunk already"
    assert chances(asked(game), "targets:mihoro:vampire", "Result of the damage") == {"sunk": 1}


def test_a_battle_that_may_go_on_for_ever_is_followed_as_far_as_it_matters() -> None:
    game = flagplot.load("kursk", seed=0)
    players = {side: RandomPlayer(number + 6) for number, side in enumerate(game.sides)}
    game.play(players, until=lambda game: game.turn >= 48)
    for one in asked(game).options:
        assert 0 <= one.answer.left_over < NEGLIGIBLE
        assert one.answer.soundness == f"Exact to {DIGITS} digits."
        assert one.answer.as_dict()["exact"]


def test_the_enemys_selection_is_day_or_night_alike_or_assumed() -> None:
    game = flagplot.load("force-z", seed=1)
    game.play(doctrine(game), until=lambda game: game.state.frames[-1].segment == "other_selects")
    side = game.pending.side  # type: ignore[union-attr]
    blind, day, night = (asked(game, assume=given) for given in ({}, {"selected": "day"}, {"selected": "night"}))
    assert blind.unknown
    assert not day.unknown
    for option in ("select:day", "select:night"):
        for action in ("day", "night"):
            halves = [chances(one, option, "The action").get(action, Fraction(0)) for one in (day, night)]
            assert chances(blind, option, "The action").get(action, Fraction(0)) == sum(halves) / 2
    with pytest.raises(BadValue, match="Day or Night"):
        game.odds(side, assume=["selected=dusk"])


# --- what is not known --------------------------------------------------------------------------------------------


def test_unseen_ships_are_sampled_and_it_is_said() -> None:
    game = at("midway", "strike", 3)
    answer = asked(game, believe="navies")
    struck, *_, none = answer.options
    assert isinstance(struck.answer, SampledAnswer)
    assert "SAMPLED" in str(answer)
    assert [told.endswith("[sampled]") for _, told in answer.short()] == [True, True, False]
    assert [words.partition(": ")[0] for words in answer.soundness()] == ["[sampled]", "Without a mark"]
    assert "s.e." in str(answer)
    assert struck.as_dict()["exact"] is False
    assert struck.as_dict()["sampled"]["trials"] == 20
    assert none.as_dict()["exact"] is True
    assert [key for key in answer.assumable if "." not in key] == ["cg4", "cg5"]
    assert str(answer) == str(asked(game, believe="navies")), "the same trials whenever it is asked"


@pytest.mark.parametrize(("name", "seed", "turn"), [("santa-cruz", 2, 35), ("coral-sea", 1, 55)])
@pytest.mark.parametrize("believe", ["", "navies"])
def test_arrangements_are_found_where_few_fleets_fit(name: str, seed: int, turn: int, believe: str) -> None:
    """An air defense has just fired, and of all fleets of the navy one in twenty would have read the same."""
    game = flagplot.load(name, seed=seed)
    game.play(doctrine(game), until=turn)
    answer = asked(game, trials=12, believe=believe)
    assert answer.decided_by == "the air strike (23.76)"
    for one in answer.options:
        assert one.answer.as_dict()["exact"] is not bool(believe)


def test_forces_of_the_scenario_make_it_exact() -> None:
    """Only one of the American forces has one carrier, so it is known what CG 4 is."""
    game = at("midway", "strike", 3)
    answer = asked(game)
    assert all(one.answer.as_dict()["exact"] for one in answer.options)
    assert answer.belief is not None
    assert answer.belief.words.startswith("the enemy has the forces that the scenario lists")
    assert "of the scenario's forces only Yorktown" in answer.unknown[0]
    ships = "Yorktown, 8 cruisers, 2 destroyers"
    title = "United States: factors sunk"
    assert chances(answer, "strike:4", title) == chances(asked(game, assume={"cg4": ships}), "strike:4", title)


def test_it_is_told_how_much_hangs_on_what_is_believed() -> None:
    game = at("coral-sea", "strike", 2)
    answer = compared(game, asked(game), limits=QUICK, trials=60)
    assert answer.belief is not None
    assert answer.belief.others == ("ships", "navies")
    ships, navies = answer.depends
    assert ships.startswith("if the enemy has the ships that the scenario lists, in any task forces: ")
    assert " instead of " in navies
    assert answer.as_dict()["depends"] == [ships, navies]
    with pytest.raises(UnknownName, match="forces, ships or navies"):
        asked(game, believe="all")


def test_a_scenario_may_keep_its_forces_secret() -> None:
    game = flagplot.load({**read_scenario("midway"), "public": "navies"}, seed=0)
    game.play(doctrine(game), until=lambda game: isinstance(game.pending, Choose) and verb(game) == "strike")
    answer = asked(game, trials=3)
    assert answer.belief is not None
    assert answer.belief.name == "navies"
    assert isinstance(answer.options[0].answer, SampledAnswer)


@pytest.mark.parametrize("name", ["coral-sea-operation", "malta-turn", "force-z"])
def test_decisions_that_no_procedure_decides_are_played_on(name: str) -> None:
    game = flagplot.load(name, seed=1)

    def wide(game: Game[Any]) -> bool:
        return isinstance(game.pending, Choose) and not can_be_asked(game, game.pending.side)

    game.play(doctrine(game), until=wide)
    answer = asked(game, trials=2)
    assert len(answer.options) == len(game.pending)  # type: ignore[arg-type]
    for one in answer.options:
        assert isinstance(one.answer, SampledAnswer)
        assert one.as_dict()["exact"] is False
        assert all(isinstance(part, SampledPart) for part in one.answer.parts)


def test_every_option_meets_the_same_dice() -> None:
    """However often other rolls were made before, a roll of a rule has its own dice in a trial."""
    first, second = KeyedDice(3), KeyedDice(3)
    roll, other = (Roll("japan", 2, "a roll", sum, rule) for rule in ("23.42", "22.45"))
    faces = [first.faces(roll, 0, str), first.faces(roll, 1, str)]
    second.faces(other, 0, str)
    assert [second.faces(roll, 1, str), second.faces(roll, 2, str)] == faces
    assert KeyedDice(4).faces(roll, 0, str) != faces[0]


def test_dice_of_the_game_are_not_foreseen() -> None:
    """Two games that differ in the dice to come alone have the same odds."""
    game = flagplot.load("midway", seed=0)
    other = game.copy(Seeded(99))
    assert asked(game, trials=2).as_dict() == asked(other, trials=2).as_dict()


def test_what_is_assumed_makes_it_exact() -> None:
    game = at("midway", "strike", 3)
    ships = "Enterprise, Hornet, 8 cruisers, 4 destroyers"
    two, three = (asked(game, assume={"cg5": ships, "cg5.patrol": number}) for number in ("2", "0"))
    found = next(one for one in two.options if one.text == "strike:5")
    assert found.answer.as_dict()["exact"]
    assert any("as assumed" in words for words in two.policies)
    title = "United States: fast carriers sunk"
    assert chances(three, "strike:5", title)[0] < chances(two, "strike:5", title)[0], "patrols protect"


def test_a_patrol_that_is_not_known_is_the_mean_of_all_it_may_be() -> None:
    """With its ships assumed, the patrol may be anything up to a third; the exact mixture is the mean of the parts."""
    game = at("midway", "strike", 3)
    ships = "Enterprise, Hornet, 8 cruisers, 4 destroyers"
    most = 2  # a third of six squadrons
    whole = chances(asked(game, assume={"cg5": ships}), "strike:5", "Japan: air units lost")
    parts = [
        chances(asked(game, assume={"cg5": ships, "cg5.patrol": str(n)}), "strike:5", "Japan: air units lost")
        for n in range(most + 1)
    ]
    for lost in whole:
        assert whole[lost] == sum([part.get(lost, Fraction(0)) for part in parts], Fraction(0)) / len(parts)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("cg9=Hornet", "cg4, cg4.patrol, cg5 or cg5.patrol"),
        ("cg5", "a key and a value"),
        ("cg5=Akagi", "no ship of the enemy"),
        ("cg5=Enterprise, 6 destroyers", "22.452B"),
        ("cg5=Enterprise, Hornet, 40 cruisers", "at most 25 factors"),
        ("cg5=Enterprize", "no such named ship"),
        ("cg5.patrol=99", "0 to "),
        ("cg5.patrol=-1", "0 to "),
        ("cg5.patrol=2 elite", "0 to "),
    ],
)
def test_an_assumption_that_cannot_be_is_refused(given: str, words: str) -> None:
    with pytest.raises((BadValue, UnknownName)) as refused:
        asked(at("midway", "strike", 3), assume=[given])
    assert words in str(refused.value)
    assert given.partition("=")[2] in str(refused.value)


@pytest.mark.parametrize(
    "facts", [Facts(False, 2, False, False), Facts(True, 0, True, True), Facts(True, 1, True, False)]
)
def test_fleets_that_are_drawn_fit_what_was_told(facts: Facts) -> None:
    setting = flagplot.load("midway", seed=0).state.setting
    fitting = fleets(setting, Wanted(NAVIES, frozenset({"enterprise"}), told_by(facts)))
    chance = Random(5)
    for _ in range(60):
        fleet = fitting.draw(chance)
        assert fleet is not None
        slow = any(which.slow or which.laden for which in fleet)
        carriers = sum(which.fast_carrier for which in fleet)
        told = Facts(factors(fleet) < 10, carriers, slow, any(which.laden for which in fleet))
        assert told == facts
        assert factors(fleet) <= 25
        assert all(which.id != "enterprise" for which in fleet)


def test_fleets_are_counted_and_drawn_alike() -> None:
    """By hand: cruisers of two factors and destroyers of one come to 1-9 factors in 1+2+2+3+3+4+4+5+5 ways."""
    setting = flagplot.load("midway", seed=0).state.setting
    named = frozenset([one.id for one in named_ships().values()])
    fitting = fleets(setting, Wanted(NAVIES, named, Told(True, 0, False, False)))
    assert fitting.number == 29
    chance = Random(2)
    drawn = Counter([tuple(map(str, (fitting.draw(chance) or {}).items())) for _ in range(2900)])
    assert len(drawn) == 29
    assert all(60 < number < 145 for number in drawn.values()), "4 standard deviations around 100"


def test_trials_agree_with_the_exact_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    game = at("midway", "engage", 3)
    exact = asked(game)
    monkeypatch.setattr(sys.modules[position.__module__], "TOO_MUCH", Fraction(-1))
    sampled = asked(game, trials=300)
    compared = 0
    for one, other in zip(exact.options, sampled.options, strict=True):
        means = {part.title: part.mean for part in one.answer.parts}
        for part in other.answer.parts:
            assert isinstance(part, SampledPart)
            if part.error and part.title in means:
                assert abs(float(part.mean - means[part.title])) < 4 * part.error + 0.03
                compared += 1
    assert compared > 10


def test_a_fleet_combat_taken_apart_is_that_of_all_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same fractions without the short cut for fleet combat."""
    game = at("denmark-strait", "fire", 2, seed=1)
    quick = asked(game)
    assert quick.decided_by == "the fleet combat (22.53)"
    monkeypatch.setattr(Officer, "quickly", lambda *_: None)
    whole = asked(game, limits=Limits(4_000_000, 600))
    compared = 0
    for one, other in zip(quick.options, whole.options, strict=True):
        assert other.answer.as_dict()["exact"]
        slowly = {part.title: part.chances for part in other.answer.parts}
        for part in one.answer.parts:
            assert slowly[part.title] == part.chances
            compared += 1
    assert compared > 4


ENOUGH = 2
"""Questions of one kind that are compared in a battle."""


# --- secrets ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("midway", {"the air strike (23.76)", "the fleet combat (22.53)"}),
        ("coral-sea", {"the air strike (23.76)", "the searches (22.45)"}),
        ("rabaul", {"the counterair mission (18.52)"}),
        ("force-z", {"the selection (LOB-09)"}),
    ],
)
def test_other_secrets_of_the_enemy_do_not_change_the_odds(name: str, kinds: set[str]) -> None:
    """At the borders of a battle the enemy's secrets are exchanged for others that look the same."""
    game = flagplot.load(name, seed=1)
    game.copy()  # from now on every border is remembered
    chance, players = Random(7), doctrine(game)
    compared: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    while game.pending is not None:
        border = game.border
        if isinstance(game.pending, Choose) and border.turn == game.turn:
            side = game.pending.side
            other = game.from_border(game.ruleset.reshuffle(border.state, side, chance))
            if isinstance(other.pending, Choose) and other.pending.side == side and tried[verb(game)] < ENOUGH:
                tried[verb(game)] += 1
                asking = {"limits": Limits(300, 600), "trials": 1}
                ours, theirs = game.odds(side, **asking), other.odds(side, **asking)
                assert ours.as_dict() == theirs.as_dict()
                compared[ours.decided_by] += key_of(border.state) != key_of(other.border.state)
        game.play(players, until=game.turn + 1)
    assert kinds <= {kind for kind, number in compared.items() if number}


@pytest.mark.parametrize("name", ["midway", "okinawa", "rabaul"])
def test_behind_the_veil_other_secrets_are_the_same(name: str) -> None:
    game = flagplot.load(name, seed=2)
    game.copy()
    chance, players, differed = Random(3), doctrine(game), 0
    while game.pending is not None:
        border = game.border
        if isinstance(game.pending, Choose) and border.turn == game.turn:
            for side in game.sides:
                other = game.ruleset.reshuffle(border.state, side, chance)
                ours, theirs = knowledge_of(border.state, side), knowledge_of(other, side)
                assert key_of(ours.state) == key_of(theirs.state)
                assert canonical(ours) == canonical(theirs)
                differed += key_of(other) != key_of(border.state)
        game.play(players, until=game.turn + 1)
    assert differed > (0 if name == "rabaul" else 20)


# --- when there is nothing to say -----------------------------------------------------------------------------------


def test_wide_questions_are_played_on_and_sampled() -> None:
    game = flagplot.load("midway", seed=0)
    answer = asked(game, trials=4)
    assert answer.decided_by == "the battle (22.72)"
    assert [one.text for one in answer.options] == [option.text for option in game.pending.options]  # type: ignore[union-attr]
    for one in answer.options:
        assert isinstance(one.answer, SampledAnswer)
        assert one.answer.trials == 4
        assert {"Winner", "Japan: factors sunk"} <= {part.title for part in one.answer.parts}
    assert "simulate" not in str(answer)
    assert "<svg" in answer._repr_svg_()
    assert str(answer) == str(asked(game, trials=4)), "the same trials whenever it is asked"
    with pytest.raises(BadValue, match="nothing can be assumed"):
        asked(game, assume=["cg1=Hood"])


def test_whose_decision_it_is() -> None:
    game = at("midway", "strike", 3)
    assert "japan decides now, not allies" in game.odds("allies").why_not
    with pytest.raises(UnknownName, match="umpire"):
        game.odds("umpire")
    game.play(doctrine(game))
    assert "over" in game.odds("japan").why_not


def test_when_dice_are_to_be_rolled_nobody_decides() -> None:
    game = at("midway", "target")
    game.play(doctrine(game), until=lambda game: isinstance(game.pending, Roll))
    assert "there is nothing to decide now" in position(game, "allies").why_not


def test_the_stand_is_the_border_before_the_question() -> None:
    """Also in a game that remembers few borders."""
    game = at("midway", "fly")
    plain = flagplot.load("midway", seed=0)
    plain.play(doctrine(plain), until=game.turn)
    stand = stand_of(plain)
    assert digest(stand.state) == digest(stand_of(game).state)
    assert stand.state.frames[-1].segment == plain.state.frames[-1].segment == "announce"


def test_it_draws_and_can_be_read_by_programs() -> None:
    answer = asked(at("midway", "engage", 3))
    assert "<svg" in answer._repr_svg_()
    assert [label for label, _ in answer.pairs] == [one.label for one in answer.options]
    seen = answer.as_dict()
    assert seen["side"] == "allies"
    assert [one["option"] for one in seen["options"]] == [one.text for one in answer.options]
    assert all(one["ledgers"] for one in seen["options"])


def test_it_is_told_which_answers_are_sampled() -> None:
    exact = Answer("q", (), states=3)
    sampled = SampledAnswer("q", (), trials=50, why="too large")
    options = (OptionOdds("a", "Stay", exact), OptionOdds("b", "Go", sampled))
    found = PositionAnswer("japan", "Stay?", options, decided_by="the round")
    first, second = found.soundness()
    assert first.startswith("Without a mark: Exact")
    assert second.startswith("[sampled]: ")


def test_where_nothing_of_a_possible_fleet_could_be_followed_it_is_sampled() -> None:
    """Else an answer without figures would read as one without losses."""
    game = flagplot.load("coral-sea", seed=1)
    game.play({side: player("doctrine", 1) for side in game.sides}, until=56)
    for option in asked(game, limits=Limits(400, 600)).options:
        assert option.answer.parts, option.text
