"""Views: what a side may know at one moment, its options and nobody else's, as data, text and picture."""

from __future__ import annotations

import gc
import json
from typing import Any
from xml.etree import ElementTree

import pytest

import flagplot
from flagplot.draw.text_panel import panel
from flagplot.kernel.errors import StaleAnswer
from flagplot.kernel.procedures import Next
from flagplot.kernel.requests import Choose, Roll, Script
from flagplot.kernel.view_types import Seen
from flagplot.kernel.views import View, options_of
from flagplot.players.random import RandomPlayer
from tests.kernel.toys import DUEL, SCENARIOS, Pad, game_of, lively, players, step


def test_a_side_sees_its_own_secrets_and_not_the_others() -> None:
    game = DUEL.game()
    game.choose("stance:high")
    game.choose("stance:low")
    assert game.view("blue").data["stances"] == {"blue": "high"}
    assert game.view("red").data["stances"] == {"red": "low"}
    assert game.view("umpire").data["stances"] == {"blue": "high", "red": "low"}


def test_only_the_side_that_chooses_and_the_umpire_see_the_options() -> None:
    game = DUEL.game()
    full = {
        "side": "blue",
        "choose": "Which stance?",
        "options": [
            {"text": f"stance:{stance}", "label": f"Take {stance}", "rule": "2.1"} for stance in ("high", "low", "mid")
        ],
    }
    assert game.view("blue").asked == full
    assert game.view("umpire").asked == full
    assert game.view("red").asked == {"side": "blue", "choose": None}


def test_a_roll_is_seen_by_all() -> None:
    game = DUEL.game()
    game.play(players(game), until=2)
    for side in ("blue", "red", "umpire"):
        assert game.view(side).asked == {"side": "blue", "roll": 2, "purpose": "The clash of round 1"}


def test_what_a_secret_roll_is_for_is_seen_by_those_who_roll() -> None:
    def script(state: Pad) -> Script[Next]:
        yield Roll("blue", 3, "Blue searches from Akagi", sum, "22.31", secret=("{} searches", "Blue"))
        return None

    game = game_of(script)
    for side in ("blue", "umpire"):
        assert game.view(side).asked == {"side": "blue", "roll": 3, "purpose": "Blue searches from Akagi"}
    assert game.view("red").asked == {"side": "blue", "roll": 3, "purpose": "Blue searches"}


def test_after_the_end_nothing_is_asked() -> None:
    game = DUEL.game()
    game.play(players(game))
    assert game.view("red").asked is None


def test_a_view_of_an_earlier_moment_is_refused() -> None:
    game = DUEL.game()
    view = game.view("blue")
    assert view.data["round"] == 1
    game.choose("stance:mid")
    for look in (
        lambda: view.data,
        lambda: view.log,
        lambda: view.asked,
        lambda: view.moment,
        view.as_dict,
        lambda: str(view),
        view._repr_svg_,
    ):
        with pytest.raises(StaleAnswer, match="this view is out of date: the game has moved on"):
            look()
    assert game.view("blue").data["stances"] == {"blue": "mid"}


def test_a_view_says_whose_it_is_and_of_when() -> None:
    game = DUEL.game()
    game.choose("stance:mid")
    view = game.view("red")
    assert view.as_dict() == {"side": "red", "moment": view.moment, "position": view.data, "asked": view.asked}
    assert view.log == game.log("red")


def test_the_picture_is_well_formed_and_holds_the_text() -> None:
    game = DUEL.game()
    view = game.view("blue")
    root = ElementTree.fromstring(view._repr_svg_())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "".join(root.itertext()) == str(view).replace("\n", "")
    assert "<of & two>" in str(view)
    assert "&lt;of &amp; two&gt;" in view._repr_svg_()


@pytest.mark.parametrize("text", ["", "one", "quotes \" and '\n<b>", "ä – 漢字", "\n\n"])
def test_any_text_makes_a_picture(text: str) -> None:
    root = ElementTree.fromstring(panel(text))
    assert [part.text or "" for part in root.iter("{http://www.w3.org/2000/svg}text")] == text.splitlines()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_real_views_are_plain_data_text_and_picture_at_many_steps(scenario: str) -> None:
    """The picture, which costs most, is drawn for the readers in turns."""
    game, who = lively(scenario)
    while True:
        readers = (*game.sides, "umpire") if game.pending is None or game.turn % 5 < 2 else ()
        for place, side in enumerate(readers):
            view = game.view(side)
            assert json.loads(json.dumps(view.as_dict()))["side"] == side
            if game.pending is None or (game.turn // 5 + place) % len(readers) == 0:
                text = ElementTree.fromstring(view._repr_svg_())
                assert "".join(text.itertext()).strip()
            assert hidden(view, game.pending)
        if game.pending is None:
            break
        step(game, who)


def hidden(view: View, request: Choose[Any] | Roll[Any] | None) -> bool:
    """Whether the options are shown to those who may see them and to nobody else."""
    if not isinstance(request, Choose):
        return view.asked is None or "options" not in view.asked
    assert view.asked is not None
    mine = view.side in (request.side, "umpire")
    return view.asked.get("options") == (options_of(request) if mine else None)


class Cargo(Seen):
    """A value with a field that is made late."""

    name: str
    weight: int


def test_a_field_is_made_when_it_is_read_and_not_after_its_moment() -> None:
    made: list[str] = []

    def weigh(name: str) -> int:
        made.append(name)
        return len(name)

    over = False

    def still() -> None:
        if over:
            raise StaleAnswer("over")

    made_from = {"weight": weigh}
    first, second, third = [Cargo.later(still, name, made_from, {"name": name}) for name in ("ab", "abc", "abcd")]
    assert (first.name, made) == ("ab", [])
    assert (first.weight, first.weight, made) == (2, 2, ["ab"])
    assert second.settled() == Cargo(name="abc", weight=3)
    over = True
    assert (first.weight, second.but(name="x").weight) == (2, 3)
    with pytest.raises(StaleAnswer):
        _ = third.weight
    with pytest.raises(AttributeError, match="Cargo has no colour"):
        _ = second.colour


def test_who_asks_about_one_group_does_not_look_at_the_others() -> None:
    game = flagplot.load("midway", seed=1)
    game.play(
        {side: RandomPlayer(1) for side in game.sides},
        until=lambda now: sum(bool(group.number) for group in now.state.battle.groups.values()) > 2,
    )
    some = next(group for group in game.state.battle.groups.values() if group.number)
    seen = game.view(some.side).position.battle
    one = seen.group(some.side, some.number)
    assert list(seen.__dict__["_made"]) == [(some.side, some.number)]
    assert one is next(group for group in seen.groups if (group.side, group.number) == (some.side, some.number))
    assert seen.group(some.side, 99) is None


def test_a_view_leaves_nothing_for_the_collector() -> None:
    """A view and its position do not hold each other: millions of them are looked at in a simulation."""
    game = flagplot.load("midway", seed=1)
    gc.collect()
    gc.disable()
    try:
        for _ in range(10):
            assert game.view("japan").position.battle.pending
        assert gc.collect() == 0
    finally:
        gc.enable()
