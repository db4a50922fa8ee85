"""Plans at the table: one request for all answers, or none; their nonces and receipts; levels; taking back."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient

from flagplot.kernel.dice import plan_nonce
from flagplot.kernel.errors import BadValue, IllegalAnswer, StaleAnswer, UndoRefused, UnknownName
from flagplot.table.info import Created
from flagplot.table.refusals import NotYourTurn, PlanChanged
from flagplot.table.server.app import create_app
from flagplot.table.settings import Settings
from flagplot.table.tables import Tables
from tests.table.nonces import fresh_nonce

BATTLE = "first-battle"


def asked(tables: Tables, made: Created) -> str:
    return str(tables.table(made.game).waiting_for)


def bodies(tables: Tables, made: Created) -> list[dict[str, Any]]:
    return [json.loads(line.text) for line in tables.store.lines(made.game)]


# --- the service --------------------------------------------------------------------------------------------------


def test_all_answers_of_a_plan_are_kept_at_once_with_nonces_that_follow_from_one(tables: Tables) -> None:
    made = tables.create(BATTLE)
    side = asked(tables, made)
    sheet = tables.plan(made.game, side, {})
    assert len(sheet) > 1
    assert tables.look(made.game, side, sheet=True).sheet == sheet
    assert tables.look(made.game, side).sheet is None, "nobody pays for what he does not need"
    nonce, before = fresh_nonce(), len(bodies(tables, made))
    receipts = tables.confirm_plan(made.game, side, {}, sheet.moment, nonce)
    lines = bodies(tables, made)[before:]
    assert [line["choose"] for line in lines] == [one.chosen for one in sheet]
    assert [line["nonce"] for line in lines] == [plan_nonce(nonce, place) for place in range(len(sheet))]
    assert len(set(receipts.split(","))) == len(sheet)
    assert tables.receipt(made.game, side, nonce) == receipts
    assert tables.confirm_plan(made.game, side, {}, sheet.moment, nonce) == receipts, "not twice"
    assert len(bodies(tables, made)) == before + len(sheet)
    with pytest.raises(StaleAnswer):
        tables.confirm_plan(made.game, side, {}, sheet.moment, fresh_nonce())


def test_a_plan_with_an_answer_that_is_not_offered_is_refused_whole(tables: Tables) -> None:
    made = tables.create(BATTLE)
    side = asked(tables, made)
    sheet, before = tables.plan(made.game, side, {}), bodies(tables, made)
    key = sheet.open_to()[0].key
    with pytest.raises(IllegalAnswer, match="not one of the answers"):
        tables.confirm_plan(made.game, side, {key: "no-such"}, sheet.moment, fresh_nonce())
    with pytest.raises(UnknownName):
        tables.confirm_plan(made.game, side, {"no-such": "1"}, sheet.moment, fresh_nonce())
    other = next(each for each in made.tokens if each != side)
    at = tables.look(made.game, other).moment
    with pytest.raises(NotYourTurn):
        tables.confirm_plan(made.game, other, {}, at, fresh_nonce())
    with pytest.raises(BadValue):
        tables.confirm_plan(made.game, side, {}, sheet.moment, "ab")
    assert bodies(tables, made) == before


def test_nobody_confirms_what_he_has_not_seen(tables: Tables) -> None:
    made = tables.create(BATTLE)
    side = asked(tables, made)
    sheet = tables.plan(made.game, side, {})
    seen = {one.key: one.chosen for one in sheet.open_to()}
    key = sheet.open_to()[-1].key
    other = next(offer.text for offer in sheet[key].offers if offer.text != sheet[key].chosen)
    with pytest.raises(PlanChanged):
        tables.confirm_plan(made.game, side, {key: other}, sheet.moment, fresh_nonce(), seen=seen)
    with pytest.raises(PlanChanged):
        tables.confirm_plan(made.game, side, {}, sheet.moment, fresh_nonce(), seen={})
    tables.confirm_plan(made.game, side, {key: other}, sheet.moment, fresh_nonce(), seen={**seen, key: other})
    assert other in [line.get("choose") for line in bodies(tables, made)]


def test_a_plan_is_taken_back_in_one_step_and_counts_once(tables: Tables) -> None:
    made = tables.create("arctic-convoy")
    side = asked(tables, made)
    for _ in range(3):
        sheet = tables.plan(made.game, side, {})
        tables.confirm_plan(made.game, side, {}, sheet.moment, fresh_nonce())
        nonce, before = fresh_nonce(), len(bodies(tables, made))
        receipts = tables.undo(made.game, side, nonce)
        lines = bodies(tables, made)[before:]
        assert ["undo" in line for line in lines] == [True] * len(sheet)
        assert [line["nonce"] for line in lines] == [plan_nonce(nonce, place) for place in range(len(sheet))]
        assert len(receipts.split(",")) == len(sheet)
        assert tables.undo(made.game, side, nonce) == receipts, "not twice"
        assert tables.plan(made.game, side, {}).fields == sheet.fields
    with tables._playing.using(made.game) as live:
        assert live.taken_back(side)[1] == 3
    with pytest.raises(UndoRefused):
        tables.undo(made.game, side, fresh_nonce())


def test_a_plan_is_taken_back_by_consent_in_one_step(tables: Tables) -> None:
    made = tables.create("malta")
    side = asked(tables, made)
    other = next(each for each in made.tokens if each != side)
    sheet = tables.plan(made.game, side, {})
    tables.confirm_plan(made.game, side, {}, sheet.moment, fresh_nonce())
    assert "roll" in bodies(tables, made)[-1]
    tables.propose_undo(made.game, side, fresh_nonce())
    nonce = fresh_nonce()
    receipts = tables.consent(made.game, other, True, nonce)
    assert len(receipts.split(",")) == len(sheet)
    assert tables.consent(made.game, other, True, nonce) == receipts, "not twice"
    assert [one.key for one in tables.plan(made.game, side, {})] == [one.key for one in sheet]
    with tables._playing.using(made.game) as live:
        assert live.taken_back("")[2] == 1


def test_single_answers_are_taken_back_one_by_one(tables: Tables) -> None:
    made = tables.create("malta", level="step")
    side = asked(tables, made)
    for _ in range(2):
        question = tables.asked(made.game, side)[0]
        assert question is not None
        tables.answer(made.game, side, question.options[0].text, question.at, fresh_nonce())
    before = len(bodies(tables, made))
    tables.undo(made.game, side, fresh_nonce())
    assert len(bodies(tables, made)) == before + 1


def test_a_game_of_plans_proves_its_dice(tables: Tables) -> None:
    made = tables.create("denmark-strait")
    receipts = dict[str, str]()
    while (side := tables.table(made.game).waiting_for) is not None:
        nonce, sheet = fresh_nonce(), tables.plan(made.game, side, {})
        found = tables.confirm_plan(made.game, side, {}, sheet.moment, nonce).split(",")
        receipts |= {plan_nonce(nonce, place): receipt for place, receipt in enumerate(found)}
    assert tables.verify(made.game).problems == []
    lines = [line for line in bodies(tables, made) if "nonce" in line]
    assert {line["nonce"] for line in lines} == set(receipts)


def test_levels_are_the_seats(tables: Tables) -> None:
    people, program = tables.create(BATTLE), tables.create(BATTLE, seats={"allies": "doctrine"})
    assert {tables.level(people.game, side) for side in people.tokens} == {"everything"}
    assert tables.level(program.game, "japan") == "flag"
    tables.set_level(people.game, "japan", "captain")
    assert [tables.level(people.game, side) for side in ("japan", "allies")] == ["captain", "everything"]
    tables.set_level(people.game, "japan", "step")
    assert tables.look(people.game, "japan", sheet=True).sheet is None
    with pytest.raises(BadValue, match="no such level"):
        tables.set_level(people.game, "japan", "ensign")
    with pytest.raises(BadValue, match="no such level"):
        tables.create(BATTLE, level="ensign")


# --- the page -----------------------------------------------------------------------------------------------------

HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
CHECKED = re.compile(r'<input type="radio" name="([^"]+)" value="([^"]*)" checked')
NUMBER = re.compile(r'<input type="number" name="([^"]+)" value="([^"]*)"')
SELECTED = re.compile(r'<select name="([^"]+)".*?<option value="([^"]*)" selected', re.DOTALL)


def form_in(page: str) -> dict[str, str]:
    """What a browser sends of the plan on a page."""
    plan = page[page.index('<form id="plan"') : page.index("</form>", page.index('<form id="plan"'))]
    found = [*HIDDEN.findall(plan), *CHECKED.findall(plan), *NUMBER.findall(plan), *SELECTED.findall(plan)]
    return {unescape(name): unescape(value) for name, value in found}


def seat_of(tables: Tables, made: Created, side: str) -> TestClient:
    app = create_app(tables, Settings(rate_limits=False, log_requests=False))
    client = TestClient(app, follow_redirects=False)
    client.cookies.set(f"seat-{made.game}", made.tokens[side])
    return client


def test_the_form_of_a_plan_changes_it_and_confirms_it(tables: Tables) -> None:
    made = tables.create(BATTLE)
    side = asked(tables, made)
    client, address = seat_of(tables, made, side), f"/table/{made.game}/plan"
    htmx = {"HX-Request": "true"}
    form, sheet = form_in(client.get(f"/table/{made.game}").text), tables.plan(made.game, side, {})
    key = sheet.open_to()[-1].key
    other = next(offer.text for offer in sheet[key].offers if offer.text != sheet[key].chosen)
    form |= {f"field.{key}": other, "nonce": fresh_nonce()}
    whole = client.post(address, data={**form, "do": "update"}).text
    part = client.post(
        address, data={**form, "do": "update"}, headers={**htmx, "X-Form-Token": form["form_token"]}
    ).text
    assert form_in(whole)[f"field.{key}"] == form_in(part)[f"field.{key}"] == other
    assert f"staff.{key}" not in form_in(part), "it is the person's own now"
    assert "<html" in whole
    assert part.startswith("<hx-partial")
    staffs = form_in(client.post(address, data={**form, "do": "staff"}).text)
    assert staffs[f"field.{key}"] == sheet[key].chosen
    done = client.post(address, data={**form, "do": "confirm"}, headers=htmx)
    assert done.status_code == 200
    given = [line["choose"] for line in bodies(tables, made) if "choose" in line]
    assert other in given
    assert len(done.headers["Flagplot-Receipt"].split(",")) == len(given)


def test_a_click_on_the_board_sets_a_field_without_a_script(tables: Tables) -> None:
    made = tables.create(BATTLE)
    side = asked(tables, made)
    client = seat_of(tables, made, side)
    form, sheet = form_in(client.get(f"/table/{made.game}").text), tables.plan(made.game, side, {})
    key = sheet.open_to()[0].key
    other = next(offer.text for offer in sheet[key].offers if offer.text != sheet[key].chosen)
    page = client.post(f"/table/{made.game}/plan", data={**form, f"pick.{key}": other}).text
    assert form_in(page)[f"field.{key}"] == other
    assert form_in(client.post(f"/table/{made.game}/plan", data={**form, f"pick.{key}": "no-such"}).text)


def test_a_plan_that_came_out_otherwise_is_shown_again(tables: Tables) -> None:
    made = tables.create(BATTLE)
    side = asked(tables, made)
    client, before = seat_of(tables, made, side), bodies(tables, made)
    form = form_in(client.get(f"/table/{made.game}").text)
    unseen = {name: value for name, value in form.items() if not name.startswith("field.")}
    page = client.post(f"/table/{made.game}/plan", data={**unseen, "do": "confirm", "nonce": fresh_nonce()}).text
    assert "Check it and confirm again" in page
    assert bodies(tables, made) == before


def test_one_question_at_a_time_is_a_level_too(tables: Tables) -> None:
    made = tables.create(BATTLE)
    side = asked(tables, made)
    client = seat_of(tables, made, side)
    form = form_in(client.get(f"/table/{made.game}").text)
    assert client.post(f"/table/{made.game}/plan", data={**form, "do": "step"}).status_code == 303
    page = client.get(f"/table/{made.game}").text
    assert 'name="option"' in page
    data = {"form_token": form["form_token"], "level": "captain"}
    assert client.post(f"/table/{made.game}/level", data=data).status_code == 303
    assert tables.level(made.game, side) == "captain"


# --- programs -----------------------------------------------------------------------------------------------------


def test_a_program_reads_tries_and_confirms_a_sheet(tables: Tables) -> None:
    made = tables.create(BATTLE)
    side = asked(tables, made)
    app = create_app(tables, Settings(rate_limits=False, log_requests=False))
    client = TestClient(app, headers={"Authorization": f"Bearer {made.tokens[side]}"})
    base = f"/api/tables/{made.game}/sides/{side}"
    sheet = client.get(f"{base}/sheet").json()
    one = next(each for each in sheet["fields"] if each["open"] and len(each["offers"]) > 1)
    other = next(offer["text"] for offer in one["offers"] if offer["text"] != one["chosen"])
    tried = client.post(f"{base}/sheet/trial", json={"answers": {one["key"]: other}}).json()
    assert next(each for each in tried["fields"] if each["key"] == one["key"])["by"] == "you"
    plan = {"answers": {one["key"]: other}, "at": sheet["at"], "nonce": fresh_nonce()}
    taken = client.post(f"{base}/sheet", json=plan).json()
    assert len(taken["receipts"]) == len(tried["fields"])
    assert taken["receipt"] == taken["receipts"][0]
    assert client.post(f"{base}/sheet", json=plan).json()["receipts"] == taken["receipts"]
    stale = client.post(f"{base}/sheet", json={**plan, "nonce": fresh_nonce()})
    assert (stale.status_code, stale.json()["error"]) == (409, "stale-answer")
    assert client.put(f"{base}/level", json={"level": "flag"}).json()["level"] == "flag"
    assert client.put(f"{base}/level", json={"level": "ensign"}).status_code == 422
