"""Orders ahead: a plan goes on beyond a secret decision of the enemy, in a state drawn from what the side knows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.kernel.ahead import OrderAhead, orders_ahead
from flagplot.kernel.game import Game
from flagplot.kernel.levels import Levels
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.procedures import Next
from flagplot.kernel.requests import Choose, Note, Roll, Script
from flagplot.kernel.sheets import By, Sheet
from flagplot.players import staff
from flagplot.testing import Report, secrecy, set_up
from flagplot.testing.conforming import open_trial
from tests.kernel.test_kernel_sheets import FIRST
from tests.kernel.toys import Pad, pick, sandbox, throw

WAIT = "red decides in secret"
AHEAD = ["cape-matapan", "coral-sea", "force-z", "norwegian-sortie", "santa-cruz", "savo-island", "solomons-turn"]
"""Scenarios with orders ahead."""


def hides(*values: Any) -> Choose[Any]:
    return pick("red", *values, verb="hide", secret=WAIT)


def game_of(*scripts: Callable[[Pad], Script[Next]], stance: str = "") -> Game[Pad]:
    """A game in which a side knows all of the state but the enemy's stance."""
    ruleset: Any = sandbox(*scripts)
    ruleset.levels = Levels(ahead=frozenset({"main"}))
    ruleset.imagine = _imagined
    game: Game[Pad] = ruleset.game()
    return game if not stance else game.from_border(_standing(game.border.state, stance))


def _standing(state: Pad, stance: str) -> Pad:
    other = copy_of(state)
    other.stances = {"red": stance}
    return other


def _imagined(state: Pad, side: str, now: Pad) -> Pad:
    return _standing(state, "imagined")


def plan(game: Game[Any], **answers: str) -> Sheet:
    return game.sheet("blue", answers, staff=FIRST, ahead=True)


def script(state: Pad) -> Script[Next]:
    """Two runs of blue's questions with a secret decision of red before and between them."""
    yield pick("blue", "a", "b", verb="first")
    hidden = yield hides("x", "y", "z")
    if hidden == "z":
        yield Note("red is angry", "1")
    yield pick("blue", *(("c", "d") if hidden != "y" else ("c", "e")), verb="second")
    yield pick("blue", 1, 2, verb="third")
    yield hides("v", "w")
    yield pick("blue", 1, 2, verb="fourth")
    yield throw()
    yield pick("blue", 1, 2, verb="fifth")
    return None


# --- what is planned ----------------------------------------------------------------------------------------------


def test_a_plan_goes_on_beyond_secret_decisions_until_dice_fall() -> None:
    sheet = plan(game_of(script))
    assert [(one.key, one.ahead) for one in sheet] == [
        ("first", False),
        ("second", True),
        ("third", True),
        ("fourth", True),
    ]
    assert [one.key for one in sheet.now] == ["first"]
    told = ("Red decides in secret",)
    assert [order.wait.news for order in orders_ahead(sheet)] == [told, (), told]
    assert game_of(script).sheet("blue", staff=FIRST).fields == sheet.now


def test_later_fields_follow_a_change_of_an_order_ahead() -> None:
    sheet = plan(game_of(script)).set("third", 2)
    assert (sheet["third"].chosen, sheet["third"].by) == ("third:2", By.YOU)
    changed = sheet.set("first", "b")
    assert (changed["first"].chosen, changed["third"].chosen) == ("first:b", "third:2")
    assert changed["fourth"].by is By.STAFF


def test_news_and_open_choices_end_a_plan() -> None:
    def told(state: Pad) -> Script[Next]:
        yield pick("blue", 1, 2, verb="mine")
        yield hides("x", "y")
        yield Note("red shows its hand", "1", reveals="red")
        yield pick("blue", 1, 2, verb="later")
        return None

    def chosen(state: Pad) -> Script[Next]:
        yield pick("blue", 1, 2, verb="mine")
        yield hides("x", "y")
        yield pick("red", 1, 2, verb="open")
        yield pick("blue", 1, 2, verb="later")
        return None

    assert [[one.key for one in plan(game_of(one))] for one in (told, chosen)] == [["mine"], ["mine"]]


def test_what_the_enemy_hides_changes_no_plan() -> None:
    """After a secret decision what comes next may follow from a secret: the plan does not."""

    def leaky(state: Pad) -> Script[Next]:
        yield pick("blue", 1, 2, verb="mine")
        yield hides("x", "y")
        yield pick("blue", 1, 2, verb="later")
        if state.stances.get("red") == "ready":
            yield hides("x")
        yield pick("blue", 1, 2, verb="last")
        return None

    sheets = [plan(game_of(leaky, stance=stance)).as_dict() for stance in ("ready", "asleep")]
    assert sheets[0] == sheets[1]
    assert len(sheets[0]["fields"]) == 3


def test_what_was_answered_and_rolled_since_the_border_is_imagined_too() -> None:
    def long(state: Pad) -> Script[Next]:
        yield hides("x", "y")
        yield throw()
        yield pick("red", 1, 2, verb="open")
        yield from script(state)
        return None

    game = game_of(long)
    game.choose("hide:y")
    game.roll((3, 4))
    game.choose("open:2")
    assert [one.key for one in plan(game)] == ["first", "second", "third", "fourth"]


def test_nothing_is_planned_where_the_side_has_learnt_more_than_the_state_tells() -> None:
    def seen(state: Pad) -> Script[Next]:
        yield pick("blue", 1, 2, verb="look")
        yield Note(f"red is {state.stances['red']}", "1", reveals="red")
        yield from script(state)
        return None

    game = game_of(seen, stance="asleep")
    game.choose("look:1")
    assert [one.key for one in plan(game)] == ["first"]


def test_a_game_that_was_only_played_imagines_from_the_same_border_as_one_that_was_copied() -> None:
    """So two servers, one of which has just read the game, show the same plan."""
    one, other = flagplot.load("coral-sea", seed=3), flagplot.load("coral-sea", seed=3)
    one.copy()
    for game in (one, other):
        game.play({side: staff() for side in game.sides}, until=30)
        while isinstance(game.pending, Roll):
            game.roll()
    assert one.pending is not None
    assert one.border.turn != other.border.turn
    sheets = [game.sheet(one.pending.side, ahead=True) for game in (one, other)]
    assert sheets[0].as_dict() == sheets[1].as_dict()


# --- orders are given -----------------------------------------------------------------------------------------------


def test_orders_are_given_when_their_questions_come() -> None:
    game = game_of(script)
    game.confirm(plan(game).set("third", 2))
    assert len(game.orders_ahead["blue"]) == 3
    assert not game.give_ahead(), "red is asked"
    game.choose("hide:x")
    assert game.give_ahead()
    assert game.give_ahead()
    assert game.orders_ahead["blue"][0].chosen == "fourth:1"
    game.choose("hide:w")
    assert game.give_ahead()
    assert isinstance(game.pending, Roll)
    game.roll()
    assert not game.give_ahead()
    given = [request.option(answer).text for request, answer in game.events if isinstance(request, Choose)]
    assert given == ["first:a", "hide:x", "second:c", "third:2", "hide:w", "fourth:1"]


@pytest.mark.parametrize(("answer", "why"), [("y", "other options"), ("z", "other news")])
def test_orders_are_dropped_if_something_else_comes(answer: str, why: str) -> None:
    game = game_of(script)
    game.confirm(plan(game))
    game.choose(f"hide:{answer}")
    assert not game.give_ahead(), why
    assert "blue" not in game.orders_ahead
    assert [one.key for one in plan(game).now] == ["second", "third"], "it is shown again"


def test_who_takes_something_back_has_no_orders_ahead() -> None:
    game = game_of(script)
    game.confirm(plan(game))
    game.undo_sheet("blue")
    game.choose("first:a")
    game.choose("hide:x")
    assert not game.give_ahead()


def test_an_order_survives_being_written_down() -> None:
    for order in orders_ahead(plan(game_of(script))):
        assert OrderAhead.of(order.as_dict()) == order


# --- real games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", AHEAD)
def test_games_with_orders_ahead_are_the_same_as_with_single_answers(scenario: str) -> None:
    alone, game = flagplot.load(scenario, seed=4), flagplot.load(scenario, seed=4)
    alone.play({side: staff() for side in alone.sides}, until=120)
    given = 0
    while game.turn < alone.turn:
        if isinstance(game.pending, Roll):
            game.roll()
        elif game.give_ahead():
            given += 1
        elif game.pending is not None:
            game.confirm(game.sheet(game.pending.side, ahead=True))
    assert game.tape().texts[: len(alone.tape().texts)] == alone.tape().texts
    assert given


def test_paired_states_give_the_same_orders_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fields, number, kind and values follow from what the side may know; the bench `leaks` and the conformance suite
    compare many more."""
    monkeypatch.setattr(secrecy, "SHEETS", 1)
    compared = 0
    plans = secrecy.Pair._plans

    def counted(pair: secrecy.Pair) -> list[str]:
        nonlocal compared
        found = plans(pair)
        compared += '"ahead": true' in found[0]
        return found

    monkeypatch.setattr(secrecy.Pair, "_plans", counted)
    for scenario in ("cape-matapan", "surigao-strait", "norwegian-sortie"):
        trial = open_trial(set_up(scenario), 7, Report(), tmp_path)
        game, before, met = trial.game, compared, 0
        while game.turn < 130 and met < 2:
            game.play({side: staff() for side in game.sides}, until=game.turn + 1)
            asked = game.pending
            if isinstance(asked, Choose) and any([one.ahead for one in game.sheet(asked.side, ahead=True)]):
                assert list(secrecy.secrets_stay_secret(trial)) == []
                met += 1
        assert compared > before, scenario
