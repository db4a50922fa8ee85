"""The page of standing orders: read and given in plain words; the text form lies behind a fold."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from fastapi import FastAPI

from flagplot.library import games, ruleset
from flagplot.players.orders import Order, verbs_of
from flagplot.table.plans.order_words import standing_words, told
from tests.table.browsers import Browser, site, words


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    made = site(tmp_path_factory.mktemp("orders"), rate_limits=False)
    yield made
    made.state.tables.close()


@pytest.mark.parametrize("game", games())
def test_ready_made_orders_are_about_questions_that_the_game_asks(game: str) -> None:
    verbs, offered = verbs_of(ruleset(game)), [value for one in standing_words(game) for value, _ in one.offers]
    assert {one.when for one in standing_words(game)} <= verbs
    assert offered
    assert len(set(offered)) == len(offered)


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (Order(1, "patrol", ("most",)), "Combat air patrol: as much as the rules allow."),
        (
            Order(1, "withdraw", ("all",), 0.6),
            "Withdrawal: everybody goes home, once you have less than 60% of your strength left.",
        ),
        (Order(1, "target", ("mutsu", "first")), "Target of a strike: mutsu, else the first on the list."),
        (Order(1, "*", ("staff",), None, "", "hit"), "Everything: leave it to the staff, until something is hit."),
        (Order(1, "send:*:elite-naval:*", ("none",)), "Attacks on a base in battle (some of them): never."),
    ],
)
def test_an_order_reads_as_a_sentence(order: Order, words: str) -> None:
    assert told(order, "awaw") == words


def test_orders_are_given_and_taken_back_in_plain_words(app: FastAPI) -> None:
    tables = app.state.tables
    made = tables.create("midway")
    me, page = Browser(app), f"/table/{made.game}/orders"
    me.post("/join", {"token": made.tokens["japan"], "name": "Nagumo"})
    first = words(me.get(page))
    assert "None: you are asked everything." in first
    assert "Combat air patrol: as much as the rules allow" in first
    given = me.post(
        f"/table/{made.game}/order", {"do": "add", "value": "withdraw=all", "below": "60", "back": "orders"}
    )
    assert given.status_code == 303
    assert given.headers["location"] == page
    me.post(
        f"/table/{made.game}/orders",
        {"text": '[[order]]\nwhen = "fly"\nanswer = "half"\n' + tables.orders(made.game, "japan")},
    )
    shown = me.get(page)
    before, _, behind = shown.text.partition('<details class="as-text"')
    assert "everybody goes home, once you have less than 60% of your strength left." in before
    assert "Squadrons in a strike: half of them." in before
    assert "[[order]]" not in before
    assert "[[order]]" in behind
    numbers = re.findall('name="number" value="([0-9]+)"', before)
    assert numbers == ["1", "2"]
    me.post(f"/table/{made.game}/order", {"do": "cancel", "number": "1", "back": "orders"})
    assert "Squadrons in a strike: half" not in me.get(page).text.partition('id="give"')[0]
    wrong = me.post(f"/table/{made.game}/order", {"do": "add", "value": "sail=to-the-moon", "back": "orders"})
    assert wrong.status_code == 422
    assert "There is no such order." in words(wrong)
