"""The sheet of the battle page: plans as rows and blocks, what their buttons say, odds as bars, headlines."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from markupsafe import Markup

import flagplot
from flagplot import library
from flagplot.kernel.game import Game
from flagplot.kernel.levels import Level
from flagplot.kernel.requests import Choose
from flagplot.kernel.sheets import By, Field, Offer
from flagplot.odds.answer import Answer, Part
from flagplot.odds.chances import Distribution
from flagplot.odds.position_answer import OptionOdds, PositionAnswer
from flagplot.players import player
from flagplot.register.rule_lookup import is_known
from flagplot.report import readings
from flagplot.table.battle.page_words import Told
from flagplot.table.battle.recap import Chapter, Recap
from flagplot.table.plans.odds_words import comparison, shown
from flagplot.table.plans.rows import Plan, control_of, plan_of
from flagplot.table.plans.words import PlanWords, words_of
from flagplot.table.workers.game_work import OddsAsked, position_odds

AWAW = words_of("awaw")


def field(key: str, *offers: tuple[str, str], chosen: int = 0, counts: bool = False, by: By = By.STAFF) -> Field:
    made = tuple(Offer(f"{key}:{value}", label, "22.1") for value, label in offers)
    return Field(key, f"{key}?", made, made[chosen].text, by, ("22.1",), Level.COMMAND, counts)


def count(key: str, most: int, chosen: int = 0) -> Field:
    offers = [(str(number), str(number) if number else "none") for number in range(most + 1)]
    return field(key, *offers, chosen=chosen, counts=True)


@pytest.fixture(scope="module")
def at() -> Callable[[str, str, str], Game[Any]]:
    """A game at the first choice of a side with a verb."""

    def come(scenario: str, side: str, verb: str) -> Game[Any]:
        game = flagplot.load(scenario, seed=5)

        def there(now: Game[Any]) -> bool:
            asked = now.pending
            mine = isinstance(asked, Choose) and asked.side == side and len(asked) > 1
            return isinstance(asked, Choose) and mine and asked.option(0).text.startswith(verb)

        game.play({one: player("doctrine", 3) for one in game.sides}, until=there)
        return game

    return come


def plan_at(game: Game[Any], side: str, answers: dict[str, str] | None = None) -> Plan:
    board = library.board_of("awaw", game.view(side).position)
    return plan_of(game.sheet(side, answers or {}), AWAW, board, side)


# --- rows and blocks ----------------------------------------------------------------------------------------------


def test_numbers_of_units_get_a_stepper_and_short_answers_chips() -> None:
    assert control_of(count("patrol:5:x", 4), AWAW) == "stepper"
    assert control_of(field("number:tf-16", ("1", "1"), ("3", "3"), counts=True), AWAW) == "chips"
    assert control_of(field("leave:5:hornet", ("0", "No"), ("1", "Yes"), counts=True), AWAW) == "chips"
    assert control_of(field("fly:x", ("0", "none"), ("2", "2"), counts=True), AWAW) == "chips", "1 is not offered"
    assert control_of(field("strike", ("1", "Group 1: ten factors or more"), ("none", "No strike")), AWAW) == "radios"
    assert control_of(field("way:x", *[(str(n), f"by way of {n}") for n in range(20)]), AWAW) == "select"


def test_a_long_list_of_places_is_folded_because_the_map_shows_them() -> None:
    def places(number: int) -> tuple[tuple[str, str], ...]:
        return (("none", "No interception"), *[(f"{n},1", f"In the hex {n} north of Rabaul") for n in range(number)])

    assert control_of(field("intercept:tf-1", *places(4)), AWAW) == "radios"
    assert control_of(field("intercept:tf-1", *places(9)), AWAW) == "select"
    assert control_of(field("strike", *places(9)), AWAW) == "radios", "what is no place stands on the sheet"
    game = flagplot.load("coral-sea-operation", seed=5)
    way = next(one for one in plan_at(game, "japan").blocks if one.rows[0].field.family == "way")
    assert (way.rows[0].control, way.rows[0].on_map) == ("select", True)


def test_an_interception_comes_before_its_submarines() -> None:
    plan = [
        field("intercept:tf-1", ("none", "No"), ("1", "Yes")),
        field("submarine:b:tf-1", ("none", "No"), ("1", "Yes")),
    ]
    assert AWAW.ask(plan) == "Intercept?"


def test_patrols_of_several_groups_are_one_table_with_a_total(at: Callable[..., Game[Any]]) -> None:
    plan = plan_at(at("midway", "japan", "patrol:"), "japan")
    (table,) = [block for block in plan.blocks if block.rows[0].field.family == "patrol"]
    assert len(table.rows) == 2
    assert len({row.name for row in table.rows}) == 2
    assert not any(row.name == row.field.question for row in table.rows)
    assert table.total == f"{sum(row.value for row in table.rows)} on patrol"


def test_long_plans_are_folded_and_the_staffs_share_is_told(at: Callable[..., Game[Any]]) -> None:
    game = flagplot.load("malta-turn", seed=7)
    board = library.board_of("awaw", game.view("axis").position)
    everything = plan_of(game.sheet("axis"), AWAW, board, "axis")
    assert everything.folded
    assert not any(block.changed for block in everything.blocks)
    assert everything.button == "Give the orders"
    flag = plan_of(game.sheet("axis", level=Level.COMMAND), AWAW, board, "axis")
    assert flag.staff
    rows = sum(len(block.rows) for block in flag.blocks)
    assert rows + len(flag.staff) == sum(len(block.rows) for block in everything.blocks)


def test_a_plan_without_a_choice_says_so_in_its_heading() -> None:
    game = flagplot.load("denmark-strait", seed=2)
    game.choose("ready:go")
    game.choose("ready:go")
    plan = plan_at(game, "britain")
    assert (plan.ask, plan.button, plan.blocks) == ("Nothing to decide: no more strikes", "Continue", [])
    assert plan.idle
    while isinstance(game.pending, Choose) and game.pending.option(0).text.split(":")[0] != "screen":
        game.choose(game.pending.option(0).text)
    staffs = plan_of(game.sheet("germany", level=Level.COMMAND), AWAW, None, "germany")
    assert (staffs.ask, len(staffs.staff)) == ("Nothing for you to decide", 1)


def test_what_was_changed_is_marked(at: Callable[..., Game[Any]]) -> None:
    game = at("midway", "japan", "patrol:")
    one = game.sheet("japan").fields[0]
    other = next(offer.text for offer in one.offers if offer.text != one.chosen)
    plan = plan_at(game, "japan", {one.key: other})
    assert plan.own
    assert plan.blocks[0].rows[0].changed
    assert plan.blocks[0].rows[0].posted == other.rpartition(":")[2]


# --- words --------------------------------------------------------------------------------------------------------


def test_buttons_say_what_happens() -> None:
    strike, fly = field("strike", ("5", "Group 5"), ("none", "No strike")), count("fly:x", 3, 2)
    assert AWAW.button([strike, fly]) == "Launch the strike"
    assert AWAW.button([strike._replace(chosen="strike:none")]) == "Hold back"
    assert AWAW.button([field("withdraw", ("none", "Nobody"), ("all", "Everybody"))]) == "Stay and fight"
    assert AWAW.button([]) == "Continue"
    assert AWAW.button([field("unheard-of", ("a", "A"))]) == "Confirm"
    assert AWAW.button([field("unheard-of", ("go", "Carry on"))]) == "Carry on"


def test_a_button_never_says_that_nothing_is_done_if_something_is() -> None:
    attack = field("base-attack", ("none", "No attack"), ("malta", "Attack Malta"))
    order = field("order", ("stay", "Stay in port"), ("land", "Seaborne invasion"), chosen=1)
    assert AWAW.button([attack, order]) == "Give the orders"
    assert AWAW.button([attack, order._replace(chosen="order:stay")]) == "No mission"
    assert AWAW.ask([attack, order], 1) == "Plan this phase"


@pytest.mark.parametrize("game", list(library.RULESETS))
def test_the_words_of_plans_name_kinds_and_rules_that_there_are(game: str) -> None:
    words: PlanWords = words_of(game)
    levels = getattr(library.ruleset(game), "levels")  # noqa: B009
    known = {word.rpartition("/")[2] for word in levels.words}
    kinds = (
        {kind for button in words.buttons for kind in button.kinds} | words.numbers | set(words.tables) | words.on_map
    )
    assert kinds <= known, kinds - known
    assert [rule for rule in words.chapters if not is_known(rule)] == []


def test_a_rule_within_a_rule_begins_the_same_step() -> None:
    assert AWAW.chapter("22.61") == AWAW.chapter("22.61C") == "Withdrawal"
    assert AWAW.chapter("23.44") == ""
    assert AWAW.chapter("") == ""


# --- odds ---------------------------------------------------------------------------------------------------------


def test_the_odds_of_a_plan_are_those_of_its_last_decision(at: Callable[..., Game[Any]]) -> None:
    game = at("midway", "japan", "target:")
    plan = [one.chosen for one in game.sheet("japan")]
    found = position_odds(game.tape().texts, OddsAsked("japan", tuple(plan), quick=True), 30.0)
    assert [one.text for one in found.options] == [plan[-1]]
    (option,) = shown(found)
    assert option.error == ""
    assert not option.missing
    assert option.ledgers
    for bar in option.bars:
        assert [piece.begin for piece in bar.pieces] == sorted(piece.begin for piece in bar.pieces)
        assert sum(piece.width for piece in bar.pieces) == pytest.approx(100, abs=2)
    assert len({figure.number for figure in option.figures}) == len(option.figures)


def test_odds_that_were_not_followed_to_the_end_say_how_much_is_missing() -> None:
    """Figures count what was followed alone: with a third missing they are not nearly exact."""
    parts = (Part("Hits", Distribution({0: Fraction(1, 3), 2: Fraction(1, 3)})),)
    followed = Answer("", parts, left_over=Fraction(1, 3))
    whole = Answer("", parts, left_over=Fraction(1, 10**30))
    told = shown(PositionAnswer("", "", (OptionOdds("a", "A", followed), OptionOdds("b", "B", whole))))
    assert [one.missing for one in told] == ["33.33% not followed", ""]


def test_figures_say_what_their_chance_is_a_chance_of() -> None:
    """A count (“factors sunk”) would be misread next to a percentage; what tells most comes first, and once."""

    def chances(*quarters: int) -> Distribution[int]:
        return Distribution({number: Fraction(some, 4) for number, some in enumerate(quarters)})

    parts = (
        Part("United States: factors sunk", chances(2, 1, 1)),
        Part("United States: fast carriers sunk", chances(2, 1, 1)),
        Part("United States: transports sunk", chances(4)),
        Part("United States: factors newly damaged", chances(3, 1)),
        Part("Guns silenced", chances(1, 3)),
    )
    answer = PositionAnswer("", "", (OptionOdds("all", "All", Answer("", parts)),))
    (option,) = shown(answer)
    assert [f"{number} {words}" for number, words in option.figures] == [
        "50% United States: a carrier sunk",
        "25% United States: a ship damaged",
        "75% Guns silenced",
    ]


def test_odds_that_nobody_asked_for_are_never_sampled(at: Callable[..., Game[Any]]) -> None:
    game = at("midway", "allies", "number:")
    plan = [one.chosen for one in game.sheet("allies")]
    lines, asked = game.tape().texts, OddsAsked("allies", tuple(plan))
    found = position_odds(lines, asked._replace(quick=True), 30.0)
    assert found.slow
    assert found.options == ()
    found = position_odds(lines, asked, 0.01)
    assert found.decided_by == "the battle (22.72)"
    assert [one.text for one in found.options] == [plan[-1]], "the whole plan is played on"
    compared = comparison(found)
    assert compared is not None
    assert compared.until == "the battle"
    assert compared.columns[0] == "Winner"
    assert len(compared.rows) == 1
    assert comparison(PositionAnswer("allies", "?")) is None


# --- news ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["denmark-strait", "midway"])
def test_sunk_ships_and_lost_air_are_headlines_of_the_log(scenario: str) -> None:
    """What was lost on the board is told by a headline, whatever its words are."""
    game = flagplot.load(scenario, seed=Random(4).randrange(99))
    game.play({side: player("doctrine", 3) for side in game.sides})
    told = [entry.headline for entry in game.log("umpire") if entry.headline]
    kinds = {one.kind for one in told}
    assert "round" in kinds
    names = {unit for one in told if one.kind == "sunk" for unit in one.of}
    board = library.board_of("awaw", game.view("umpire").position)
    assert board
    lost = {unit.id for place in board.places if place.kind == "lost" for stack in place.stacks for unit in stack.ships}
    assert {unit for unit in lost if unit} <= names
    if scenario == "midway":
        assert {"found", "air-lost"} <= kinds


# --- rolls ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("0", "no effect"),
        ("2/0", "2 eliminated"),
        ("0/1", "1 aborted"),
        ("2/3", "2 eliminated, 3 aborted"),
        ("1 hit", "1 hit"),
    ],
)
def test_the_cells_of_air_combat_are_said_in_words(cell: str, words: str) -> None:
    assert readings.in_words("awaw", "19.2", cell) == words
    assert readings.in_words("awaw", "23.42", cell) == words
    assert readings.in_words("awaw", "23.44", cell) == cell


def test_a_single_count_has_a_short_question(at: Callable[[str, str, str], Game[Any]]) -> None:
    assert plan_at(at("first-battle", "japan", "patrol:"), "japan").ask == "Assign combat air patrol"


def test_the_newest_line_at_a_glance_is_no_list_of_hexes() -> None:
    lines = [told_line("TF 1 sails"), told_line("Path of TF 1: -15,1 -14,1 -13,1")]
    assert Recap([Chapter("Paths", lines)], []).newest == "TF 1 sails"
    assert Recap([Chapter("Paths", lines[1:])], []).newest == lines[1].text


def told_line(text: str) -> Told:
    return Told(1, "note", -1, "", text, "", Markup(""), (), "", "", "", (), "", "", ())
