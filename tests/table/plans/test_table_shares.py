"""Squadrons divided between targets: one list with a number for each, whatever the rules ask one after the other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import flagplot
from flagplot import library
from flagplot.kernel.dice import Committed
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from flagplot.players.doctrine.player import DoctrinePlayer
from flagplot.table.battle.board_page import asks_of
from flagplot.table.battle.page_words import board_of
from flagplot.table.battle.plan_routes import CHANGED
from flagplot.table.info import Created
from flagplot.table.keeping.archives import bring_in
from flagplot.table.plans.rows import Plan, plan_of
from flagplot.table.plans.shares import settled
from flagplot.table.plans.words import words_of
from flagplot.table.server.app import create_app
from flagplot.table.settings import Settings
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from tests.table.browsers import Browser

INPUT = re.compile(r'<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"')
ELITE = "japan-at-sea:japan:elite-naval:squadrons"


def aiming(scenario: str, secret: str, side: str, *, alone: bool = False) -> Game[Any]:
    """A game in which a side has squadrons over a group with several targets, or one squadron."""
    game: Game[Any] = flagplot.load(scenario, dice=Committed(secret))

    def there(now: Game[Any]) -> bool:
        asked = now.pending
        mine = isinstance(asked, Choose) and asked.side == side and len(asked) > 1
        aims = isinstance(asked, Choose) and mine and asked.option(0).text.startswith("target:")
        return aims and (not alone or len(now.sheet(side).fields) == 1)

    game.play({one: DoctrinePlayer() for one in game.sides}, until=there)
    return game


def plan_at(game: Game[Any], side: str) -> Plan:
    return plan_of(game.sheet(side), words_of("awaw"), library.board_of("awaw", game.view(side).position), side)


# --- the list -----------------------------------------------------------------------------------------------------


def test_all_targets_of_a_strike_stand_in_one_list_with_their_numbers() -> None:
    plan = plan_at(aiming("midway", "june", "japan"), "japan")
    assert plan.blocks == []
    assert not plan.idle
    assert plan.shares
    assert plan.shares.units == "4 Japanese elite naval air squadrons"
    told = [(one.label, one.value, one.most, one.counter and one.counter.label) for one in plan.shares.parts]
    assert told == [("Enterprise", 2, 4, "Enterprise"), ("Hornet", 2, 4, "Hornet"), ("Light ships", 0, 4, "4 cruisers")]
    asked = ["target", f"against:enterprise:{ELITE}", "target#2", f"against:hornet:{ELITE}"]
    assert [key for key, _ in plan.posted] == asked
    assert plan.button == "Attack"


def test_the_last_target_that_is_left_gets_who_is_left_though_nobody_is_asked() -> None:
    game = aiming("midway", "june", "japan")
    sheet = game.sheet("japan").set(f"against:enterprise:{ELITE}", 1).set(f"against:hornet:{ELITE}", 2)
    plan = plan_of(sheet, words_of("awaw"), library.board_of("awaw", game.view("japan").position), "japan")
    assert plan.shares
    assert [(one.label, one.value) for one in plan.shares.parts] == [
        ("Enterprise", 1),
        ("Hornet", 2),
        ("Light ships", 1),
    ]


def test_every_ship_that_is_attacked_is_marked_on_the_chart(seat: Seat) -> None:
    look = seat.tables.look(seat.made.game, "japan", sheet=True)
    board = board_of(look)
    assert board
    asks = asks_of(look, board)
    marked = {ask.option for ask in asks.values() if ask.chosen}
    assert marked == {"target:enterprise", "target:hornet"}
    assert "target:light-ships" in {ask.option for ask in asks.values()}


def test_squadrons_of_two_kinds_have_a_number_each() -> None:
    plan = plan_at(aiming("coral-sea", "a", "allies"), "allies")
    assert plan.shares
    assert [one.kind for one in plan.shares.parts][:2] == [
        "American naval air squadrons",
        "Australian army air attack squadron",
    ]
    assert [(one.label, one.value) for one in plan.shares.parts if one.value] == [("Shokaku", 2), ("Shokaku", 1)]


def test_a_single_squadron_only_chooses_its_target() -> None:
    game = aiming("midway", "a", "allies", alone=True)
    plan = plan_at(game, "allies")
    assert plan.shares is None
    assert [row.field.key for block in plan.blocks for row in block.rows] == ["target"]


# --- what a form sends --------------------------------------------------------------------------------------------


def form(**numbers: int) -> dict[str, str]:
    """The form of a plan for three squadrons on Hiryu and one on Akagi, with other numbers; Kaga is left alone."""
    had = {"hiryu": 3, "akagi": 1, "kaga": 0}
    fields = {"target": "target:hiryu", "against:hiryu:a": "3", "target#2": "target:akagi", "against:akagi:a": "1"}
    sent = {f"field.{key}": value for key, value in fields.items()} | {"staff.target": "target:hiryu", "at": "7"}
    sent |= {f"had.target|against|{ship}|a": str(number) for ship, number in had.items()}
    sent |= {f"share.target|against|{ship}|a": str(number) for ship, number in (had | numbers).items()}
    return sent | {"shared": " ".join(fields)}


def written(sent: dict[str, str]) -> dict[str, str]:
    found = settled(sent).form
    assert found["at"] == "7"
    assert "staff.target" not in found or found == sent
    return {name.removeprefix("field."): value for name, value in found.items() if name.startswith("field.")}


def test_numbers_that_were_not_changed_leave_the_fields_as_they_are() -> None:
    assert settled(form()).form == form()
    assert settled({"at": "7"}).form == {"at": "7"}


def test_numbers_that_were_changed_are_written_into_the_fields() -> None:
    found = settled(form(hiryu=0, kaga=3))
    assert found.balanced
    assert written(form(hiryu=0, kaga=3)) == {
        "target": "target:akagi",
        "against:akagi:a": "1",
        "target#2": "target:kaga",
        "against:kaga:a": "3",
    }


@pytest.mark.parametrize(
    ("changed", "divided"),
    [
        ({"kaga": 1}, {"hiryu": 2, "akagi": 1, "kaga": 1}),
        ({"hiryu": 1}, {"hiryu": 1, "akagi": 3}),
        ({"kaga": 4}, {"kaga": 4}),
        ({"kaga": 99}, {"kaga": 4}),
        ({"hiryu": 0, "akagi": 0}, {"kaga": 4}),
    ],
)
def test_nobody_is_left_out_and_nobody_flies_twice(changed: dict[str, int], divided: dict[str, int]) -> None:
    assert not settled(form(**changed)).balanced
    counts = {key.split(":")[1]: int(value) for key, value in written(form(**changed)).items() if ":" in key}
    assert counts == divided


def test_nonsense_in_a_form_changes_nothing() -> None:
    for name, value in (
        ("share.target|against|kaga|a", "many"),
        ("had.x", "1"),
        ("share.x", "1"),
        ("had.a|b|c|d", "-1"),
    ):
        assert written({**form(), name: value})["against:hiryu:a"] == "3"


# --- at the table -------------------------------------------------------------------------------------------------


class Seat(NamedTuple):
    browser: Browser
    tables: Tables
    made: Created

    @property
    def page(self) -> str:
        return f"/table/{self.made.game}"

    def send(self, do: str, **numbers: int) -> str:
        """Send the form of the plan with other numbers; the page after it."""
        text = self.browser.get(self.page).text
        plan = text[text.index('<form id="plan"') : text.index("</form>", text.index('<form id="plan"'))]
        sent = {unescape(name): unescape(value) for name, value in INPUT.findall(plan)}
        sent |= {f"share.target|against|{ship}|{ELITE}": str(number) for ship, number in numbers.items()}
        answer = self.browser.post(f"{self.page}/plan", {**sent, "do": do, "typed": "abcdefgh"})
        return answer.text if answer.status_code == 200 else ""

    @property
    def answers(self) -> list[str]:
        bodies = [json.loads(line.text) for line in self.tables.store.lines(self.made.game)]
        return [body["choose"] for body in bodies if "choose" in body]


@pytest.fixture
def seat(tmp_path: Path) -> Iterator[Seat]:
    store = Store(f"sqlite:///{tmp_path}/tables.sqlite")
    save = tmp_path / "game.jsonl"
    aiming("midway", "june", "japan").save(save, follow=False)
    made = bring_in(store, save).made
    assert made
    tables = Tables(store)
    app = create_app(tables, Settings(log_requests=False, course_seconds=0))
    browser = Browser(app)
    browser.post("/join", {"token": made.tokens["japan"], "name": "Nagumo"})
    yield Seat(browser, tables, made)
    app.state.calculator.close()
    tables.close()


def numbers_on(page: str) -> list[str]:
    return re.findall(r'<input type="number" name="share\.[^"]*" value="(\d)"', page)


def test_numbers_are_worked_out_and_then_go_on_the_tape(seat: Seat) -> None:
    assert numbers_on(seat.browser.get(seat.page).text) == ["2", "2", "0"]
    shown = seat.send("update", enterprise=1)
    assert numbers_on(shown) == ["1", "3", "0"]
    before = len(seat.answers)
    seat.send("confirm", enterprise=1, hornet=3)
    assert seat.answers[before:][:4] == [
        "target:enterprise",
        f"against:enterprise:{ELITE}:1",
        "target:hornet",
        f"against:hornet:{ELITE}:3",
    ]


def test_who_gets_the_rest_is_not_asked_for_a_number(seat: Seat) -> None:
    before = len(seat.answers)
    seat.send("confirm", **{"enterprise": 1, "hornet": 1, "light-ships": 2})
    assert seat.answers[before:] == [
        "target:enterprise",
        f"against:enterprise:{ELITE}:1",
        "target:hornet",
        f"against:hornet:{ELITE}:1",
    ]


def test_numbers_that_do_not_come_out_are_shown_again_first(seat: Seat) -> None:
    before = seat.answers
    shown = seat.send("confirm", enterprise=4)
    assert CHANGED in shown
    assert numbers_on(shown) == ["4", "0", "0"]
    assert seat.answers == before
