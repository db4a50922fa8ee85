"""Orders by a click: the same for some time, left to the staff, until something happens; listed and cancelled."""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient

from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.levels import Level
from flagplot.kernel.sheets import By, Field
from flagplot.players.orders import fits
from flagplot.table.info import Created
from flagplot.table.server.app import create_app
from flagplot.table.service.ordering import scopes_of, strike_words
from flagplot.table.settings import Settings
from flagplot.table.tables import Tables
from tests.table.nonces import fresh_nonce


@pytest.fixture
def made(tables: Tables) -> Created:
    """A battle between people in which Japan sets up its groups."""
    return tables.create("first-battle")


def open_keys(tables: Tables, made: Created, side: str = "japan") -> list[str]:
    return [one.key for one in tables.plan(made.game, side, {}).open_to()]


def test_what_is_ordered_is_not_asked_until_it_is_cancelled(tables: Tables, made: Created) -> None:
    first, *others = open_keys(tables, made)
    sheet = tables.plan(made.game, "japan", {})
    value = sheet[first].offers[-1].text
    tables.order(made.game, "japan", others[-1], "round")
    assert others[-1] not in open_keys(tables, made)
    tables.order(made.game, "japan", others[-1], "battle", "staff")
    listed = tables.look(made.game, "japan", sheet=True).orders
    assert [one.number for one in listed] == [1, 2], "the newest comes first"
    assert listed[0].during == ""
    assert listed[1].during == "Round 1"
    assert sheet[others[-1]].question in listed[1].words
    assert tables.plan(made.game, "japan", {})[others[-1]].by is By.ORDER
    tables.cancel_order(made.game, "japan", 1)
    tables.cancel_order(made.game, "japan", 1)
    assert tables.orders(made.game, "japan") == ""
    assert open_keys(tables, made) == [first, *others]
    with pytest.raises(UnknownName):
        tables.cancel_order(made.game, "japan", 1)
    with pytest.raises(BadValue, match="no such time"):
        tables.order(made.game, "japan", first, "voyage", value)
    with pytest.raises(BadValue, match="not one of the answers"):
        tables.order(made.game, "japan", first, "round", "no-such")
    with pytest.raises(BadValue, match="no such time"):
        tables.pass_until(made.game, "japan", "never")


def test_an_order_for_a_step_is_over_with_it(tables: Tables, made: Created) -> None:
    key = open_keys(tables, made)[-1]
    tables.order(made.game, "japan", key, "phase")
    while tables.look(made.game, "japan", sheet=True).orders:
        side = tables.table(made.game).waiting_for
        assert side is not None
        sheet = tables.plan(made.game, side, {})
        tables.confirm_plan(made.game, side, {}, sheet.moment, fresh_nonce())
    assert tables.orders(made.game, "japan") == ""


def test_everything_is_left_to_the_staff_until_the_step_ends(
    tables: Tables, made: Created, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flagplot.table.playing.staff.delay", lambda live: 0.0)
    before = tables.store.count(made.game)
    tables.pass_until(made.game, "japan", "phase")
    for _ in range(500):
        if tables.table(made.game).waiting_for != "japan":
            break
        tables.look(made.game, "japan")
    assert tables.table(made.game).waiting_for == "allies"
    assert tables.store.count(made.game) > before
    tables.cancel_order(made.game, "japan", 1)


def test_clicks_on_the_page(tables: Tables, made: Created) -> None:
    client = TestClient(create_app(tables, Settings(rate_limits=False, log_requests=False)), follow_redirects=False)
    client.cookies.set(f"seat-{made.game}", made.tokens["japan"])
    page = client.get(f"/table/{made.game}").text
    token = page.split('name="form_token" value="')[1].split('"')[0]
    address, data = f"/table/{made.game}/order", {"form_token": token}
    key = open_keys(tables, made)[-1]
    assert client.post(address, data={**data, "do": "same", "key": key, "scope": "battle"}).status_code == 303
    assert len(tables.look(made.game, "japan", sheet=True).orders) == 1
    refused = client.post(address, data={**data, "do": "same", "key": "no-such", "scope": "battle"})
    assert "No such decision in this plan." in refused.text
    assert client.post(address, data={**data, "do": "cancel", "number": "1"}).status_code == 303
    assert tables.look(made.game, "japan", sheet=True).orders == ()


def test_a_decision_of_a_voyage_can_be_ordered_for_it_and_one_of_a_strike_for_that() -> None:
    def scopes(key: str) -> tuple[str, ...]:
        field = Field(key, "Question?", (), "", By.STAFF, (), Level.COMMAND, counts=False)
        return scopes_of(field, strike_words("awaw"))

    assert scopes("sortie:v1") == ("voyage", "phase", "round", "battle")
    assert scopes("engage:lae:japan:naval:squadrons") == ("strike", "phase", "round", "battle")
    assert fits("sortie:v1", "sortie:v1")
    assert not fits("sortie:v1", "sortie:v12"), "another voyage"


def test_every_decision_of_a_long_plan_can_be_ordered(tables: Tables) -> None:
    made = tables.create("kursk", level="everything")
    client = TestClient(create_app(tables, Settings(rate_limits=False, log_requests=False)), follow_redirects=False)
    side = str(tables.table(made.game).waiting_for)
    client.cookies.set(f"seat-{made.game}", made.tokens[side])
    menu = client.get(f"/table/{made.game}").text.split('<div class="sheet-menu">')[1]
    keys = open_keys(tables, made, side)
    assert len(keys) > 6
    assert re.findall(r'name="key" value="([^"]+)"', menu) == keys
    assert menu.count('value="same">') == len(keys)
    assert f"{len(keys) - 6} more decision" in menu
