"""What pages call things: the same ships have one number, names are names, and labels say whose they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

import flagplot
from flagplot import library
from flagplot.awaw.board.units import ships_of
from flagplot.board.model import Counter
from flagplot.kernel.dice import Committed
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from flagplot.kernel.words import say
from flagplot.odds.answer import Answer
from flagplot.odds.position_answer import OptionOdds, PositionAnswer, SampledAnswer
from flagplot.odds.questions.forms import FORMS
from flagplot.odds.ship_lists import read_fleet
from flagplot.players.doctrine.player import DoctrinePlayer
from flagplot.table.battle.extras import without_commands
from flagplot.table.desk.trays import trays_of
from flagplot.table.pages import environment
from flagplot.table.plans.odds_words import BELIEFS, comparison, shown
from tests.awaw import looks
from tests.games import moments

CRUISERS = re.compile(r"(\d+) (?:\w+ )?cruisers?\b")
BODIES = re.compile(r"\b(division|force|group|corps|regiment|fleet|squadron|line|body)s?\b")
"""What is a name only with a capital letter."""


def counters(game: Game[Any]) -> Iterator[Counter]:
    for place in game.view("umpire").board.places:
        for stack in place.stacks:
            yield from stack.counters


# --- numbers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["midway", "surigao-strait", "coral-sea-operation"])
def test_cruisers_are_counted_as_ships_wherever_a_counter_names_them(name: str) -> None:
    told = 0
    for game in moments(name, seed=3, every=7, longest=70):
        for one in counters(game):
            said = [CRUISERS.search(words) for words in (one.text, one.brief, one.label, one.sentence)]
            numbers = {int(found[1]) for found in said if found}
            assert numbers <= {one.count}, one
            told += bool(numbers)
    assert told > 10


def test_the_desk_counts_cruisers_as_the_board_does_and_says_what_its_stepper_counts() -> None:
    texts = {"target": "Enterprise, 8 cruiser factors, 3 destroyer factors, 1 damaged-cruisers"}
    enterprise, cruisers, destroyers, damaged = trays_of(FORMS["strike"], texts)["target"].pieces
    assert cruisers.counter is not None
    assert (cruisers.name, cruisers.counter.label) == ("4 cruisers", "4 cruisers")
    assert (cruisers.number, cruisers.step, cruisers.unit) == (8, 2, "factors")
    assert (destroyers.name, destroyers.number, destroyers.unit) == ("Destroyers", 3, "factors")
    assert (damaged.number, damaged.unit, enterprise.unit) == (1, "", "")


def test_cruiser_factors_may_be_written_out() -> None:
    for words in ("8 cruiser factors", "8 japan cruiser factors", "8 cruisers"):
        assert sum(read_fleet(words, "ships", "japan").values()) == 4
    assert read_fleet("1 destroyer factor", "ships", "japan") == read_fleet("1 destroyers", "ships", "japan")


# --- names --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", library.scenario_names())
def test_names_of_units_and_forces_are_capitalised(name: str) -> None:
    """``Helm Division``, ``the Third Cruiser Division``. What somebody carries is no name: ``an infantry division``."""
    data = library.read_scenario(name)
    named = [*data.get("units", ()), *data.get("forces", ())]
    named += [one for side in data["sides"] for one in side.get("ships", ()) if isinstance(one, dict)]
    for one in named:
        assert not BODIES.search(one.get("name", "")), one["name"]


def test_ships_of_several_nations_keep_theirs() -> None:
    mixed = (looks.ship("2 Japanese cruisers", 2, count=2), looks.ship("3 Italian cruisers", 2, count=3))
    mixed = (mixed[0], mixed[1].but(nation="italy"))
    assert [one.brief for one in ships_of(mixed)] == ["2 Japanese cruisers", "3 Italian cruisers"]
    assert [one.brief for one in ships_of(mixed[:1])] == ["2 cruisers"]


@pytest.mark.parametrize("name", ["surigao-strait", "coral-sea-operation", "malta-turn", "okinawa"])
def test_no_two_answers_to_a_question_read_the_same(name: str) -> None:
    """An answer that loses its owner reads like that of somebody else."""
    for game in moments(name, seed=3, every=1, longest=70):
        if isinstance(game.pending, Choose):
            labels = [option.label for option in game.pending.options]
            assert len(labels) == len(set(labels)), labels


def test_a_question_about_a_force_in_battle_names_it() -> None:
    """Its ships are in combat groups by then, and it used to be called nothing."""
    game = flagplot.load("coral-sea-operation", dice=Committed("operation mo"))
    game.play({side: DoctrinePlayer() for side in game.sides}, until=is_about_cover)
    assert isinstance(game.pending, Choose)
    assert say(game.pending.question).startswith("TF 2 (Japan): cover with")


def is_about_cover(game: Game[Any]) -> bool:
    asked = game.pending
    return isinstance(asked, Choose) and asked.option(0).text.startswith("cover:") and game.state.operation is not None


# --- odds of options ----------------------------------------------------------------------------------------------


def test_what_a_terminal_is_told_to_type_is_left_out_of_a_page() -> None:
    assert without_commands("Too many cases. Ask `flagplot odds position` with more time.") == "Too many cases."
    assert "`" not in without_commands("Use `./run odds`.")


def odds_html(found: PositionAnswer) -> str:
    shows = {"options": shown(found), "compared": comparison(found), "more": 0, "belief": None, "beliefs": BELIEFS}
    rest = {"unknown": (), "slow": False, "asked_for": True, "why_not": ""}
    return environment().get_template("battle_odds.html").render(**shows, **rest)


def test_an_exact_answer_never_stands_under_the_heading_of_an_estimate() -> None:
    exact, sampled = Answer("q", (), states=3), SampledAnswer("q", (), trials=50, why="too large")
    stay, go = OptionOdds("a", "Stay", exact), OptionOdds("b", "Go", sampled)
    badge = re.compile(r'<span class="exact( about)?">([^<]*)</span>')
    both = odds_html(PositionAnswer("japan", "Stay?", (stay, go), decided_by="the round"))
    heading, first, second = re.split("<h[34]>", both)[1:]
    assert not badge.search(heading)
    assert badge.findall(first) == [("", "Exact")]
    assert badge.findall(second)[0][0] == " about"
    alone = odds_html(PositionAnswer("japan", "Stay?", (stay,), decided_by="the round"))
    assert badge.findall(alone) == [("", "Exact")]
    mixed = PositionAnswer("japan", "Stay?", (stay, go), decided_by="the round (22.41)", played_on=True)
    compared = comparison(mixed)
    assert compared is not None
    assert [row.label for row in compared.rows] == ["Go"]
