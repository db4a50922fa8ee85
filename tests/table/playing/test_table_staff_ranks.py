"""Who fills in a seat's plans: the captain at once, or a commodore or admiral who thinks meanwhile."""

from __future__ import annotations

import json
import pickle
import re
import time
from collections.abc import Callable
from functools import partial
from html import unescape
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from flagplot.kernel.errors import BadValue
from flagplot.kernel.requests import Roll
from flagplot.kernel.sheets import By, Sheet
from flagplot.library import load
from flagplot.players import ranks
from flagplot.players.search.budget import Budget
from flagplot.players.search.hints import Hints, hints
from flagplot.players.search.thought import Thought
from flagplot.players.search.weighing import Mean, Weighed
from flagplot.table.info import Created
from flagplot.table.keeping.archive_checks import ArchiveError
from flagplot.table.keeping.archives import bring_in, export
from flagplot.table.playing import advice
from flagplot.table.refusals import PlanChanged
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from flagplot.table.workers.calculator import Busy, Calculator
from flagplot.table.workers.game_work import PlanAsked
from flagplot.table.workers.thinking import NO_TIME, Thinkers
from tests.table.browsers import Browser, site, words
from tests.table.nonces import fresh_nonce

BATTLE = "first-battle"
WHY = "“The other way” loses 1.0 factors fewer than “The usual way”."


def eventually(holds: Callable[[], object], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.01)


def weighed(text: str, label: str, own: float) -> Weighed:
    return Weighed(text, label, 8, Mean(0.5, 0.01), Mean(0.5, 0.01), own, 1.0, 0.0)


def others_in(sheet: Sheet) -> dict[str, str]:
    """A plan that decides the last thing otherwise than the captain."""
    last = sheet.open_to()[-1]
    return {last.key: next(offer.text for offer in last.offers if offer.text != last.chosen)}


class Slow:
    """Thinks as long as a test likes, and comes to another plan than the captain."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[PlanAsked] = []
        self.may_end = Event()
        self.found = Hints()
        monkeypatch.setattr(Thinkers, "plan", lambda _, asked: self._plan(asked))

    def _plan(self, asked: PlanAsked) -> Hints:
        self.asked.append(asked)
        assert self.may_end.wait(60)
        return self.found

    def proposing(self, sheet: Sheet) -> dict[str, str]:
        answers = others_in(sheet)
        [chosen] = answers.values()
        usual = sheet.open_to()[-1].chosen
        options = (weighed(chosen, "The other way", 1.0), weighed(usual, "The usual way", 2.0))
        thought = Thought("japan", "Japan", "Which way?", options, chosen, usual, "factors", "the end")
        self.found = Hints((thought,), answers)
        return answers


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    return Slow(monkeypatch)


def seated(tables: Tables, staff: str = "commodore", **seats: str) -> Created:
    made = tables.create(BATTLE, seats={"allies": "captain", **seats})
    tables.set_staff(made.game, "japan", staff)
    return made


def test_the_captains_plan_stands_until_the_commodore_has_thought(tables: Tables, slow: Slow) -> None:
    made = seated(tables)
    look = tables.look(made.game, "japan", sheet=True)
    assert look.sheet is not None
    assert (look.advice.rank, look.advice.by, look.advice.thinking) == ("commodore", "captain", True)
    answers, tick = slow.proposing(look.sheet), tables.tick(made.game)
    assert tables.look(made.game, "japan", sheet=True) == look, "the table is not locked, and nobody waits"
    slow.may_end.set()
    assert tables.wait(made.game, tick, 60) != tick, "pages are told"
    after = tables.look(made.game, "japan", sheet=True)
    assert after.sheet is not None
    assert (after.advice.by, after.advice.thinking) == ("commodore", False)
    [(key, text)] = answers.items()
    assert (after.sheet[key].chosen, after.sheet[key].by) == (text, By.STAFF)
    assert after.advice.found.thoughts[0].sentence == WHY
    assert len(slow.asked) == 1
    assert slow.asked[0].rank == "commodore"
    assert tables.look(made.game, "allies", sheet=True).advice.rank == "captain"


def test_what_the_player_has_set_stays(tables: Tables, slow: Slow) -> None:
    made = seated(tables)
    sheet = tables.plan(made.game, "japan", {})
    own, answers = sheet.open_to()[-2], slow.proposing(sheet)
    taken = {text.rpartition(":")[2] for text in answers.values()}
    mine = {own.key: next(one.text for one in own.offers if one.text.rpartition(":")[2] not in taken)}
    assert mine[own.key] != own.chosen
    slow.may_end.set()
    eventually(lambda: not tables.advice(made.game, "japan").thinking)
    after = tables.plan(made.game, "japan", mine)
    assert after[own.key].by is By.YOU
    assert {key: after[key].chosen for key in (own.key, *answers)} == {**answers, **mine}


def test_whoever_confirms_confirms_what_he_has_seen(tables: Tables, slow: Slow) -> None:
    made = seated(tables)
    sheet = tables.plan(made.game, "japan", {})
    answers = slow.proposing(sheet)
    slow.may_end.set()
    eventually(lambda: not tables.advice(made.game, "japan").thinking)
    with pytest.raises(PlanChanged):
        tables.confirm_plan(made.game, "japan", {}, sheet.moment, fresh_nonce(), by="captain")
    seen = {one.key: one.chosen for one in sheet.open_to()}
    tables.confirm_plan(made.game, "japan", {}, sheet.moment, fresh_nonce(), seen=seen, proposed=seen)
    lines = [json.loads(line.text) for line in tables.store.lines(made.game)]
    given = [line["choose"] for line in lines if "choose" in line]
    assert given[: len(sheet)] == [one.chosen for one in sheet], "the captain's, as it stood there"
    assert not set(answers.values()) & set(given[: len(sheet)])


def test_a_plan_that_is_confirmed_without_a_word_is_that_of_the_commodore(tables: Tables, slow: Slow) -> None:
    made = seated(tables)
    sheet = tables.plan(made.game, "japan", {})
    [text] = slow.proposing(sheet).values()
    slow.may_end.set()
    eventually(lambda: not tables.advice(made.game, "japan").thinking)
    tables.confirm_plan(made.game, "japan", {}, sheet.moment, fresh_nonce(), by="commodore")
    lines = [json.loads(line.text) for line in tables.store.lines(made.game)]
    assert text in [line.get("choose") for line in lines]


def test_one_plan_of_a_seat_is_thought_about_at_a_time_and_then_the_newest(tables: Tables, slow: Slow) -> None:
    made = seated(tables)
    for level in ("captain", "everything", "flag", "captain"):
        tables.set_level(made.game, "japan", level)
        tables.look(made.game, "japan", sheet=True)
    eventually(lambda: slow.asked)
    assert len(slow.asked) == 1
    slow.may_end.set()
    eventually(lambda: not tables.look(made.game, "japan", sheet=True).advice.thinking)
    assert [asked.level for asked in slow.asked] == ["tactics"], "he was at the newest again"


def test_few_wait_and_the_others_keep_to_the_captain(
    tables: Tables, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice, "WAITING", 1)
    looks = []
    for _ in range(3):
        looks.append(tables.look(seated(tables).game, "japan", sheet=True))
        eventually(lambda: slow.asked)  # the first is being thought about, the second waits
    assert [look.advice.thinking for look in looks] == [True, True, False]
    assert looks[2].advice.found.why_not == advice.NO_ROOM
    slow.may_end.set()


def test_one_question_at_a_time_and_nothing_to_decide_need_no_staff(tables: Tables, slow: Slow) -> None:
    made = seated(tables, allies="person")
    tables.set_level(made.game, "japan", "step")
    assert not tables.look(made.game, "japan", sheet=True).advice.thinking
    tables.set_level(made.game, "japan", "flag")
    tables.pass_until(made.game, "japan", "phase")  # everything is left to the staff
    look = tables.look(made.game, "japan", sheet=True)
    assert not look.advice.thinking
    assert not slow.asked
    slow.may_end.set()


def test_the_staff_is_the_seats_and_stays(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/tables.sqlite"
    first = Tables(Store(address))
    made = seated(first, "admiral", allies="person")
    with pytest.raises(BadValue, match="no such staff"):
        first.set_staff(made.game, "japan", "fleet")
    first.close()
    again = Tables(Store(address))
    assert [again.look(made.game, side).advice.rank for side in ("japan", "allies")] == ["admiral", "captain"]
    export(again.store, [], tmp_path / "archive")
    again.handovers.hand_over(made.host_token, "japan", "person")
    assert again.look(made.game, "japan").advice.rank == "captain", "somebody else begins anew"
    again.close()
    elsewhere = Tables(Store(f"sqlite:///{tmp_path}/elsewhere.sqlite"))
    bring_in(elsewhere.store, tmp_path / "archive")
    assert elsewhere.look(made.game, "japan").advice.rank == "admiral"
    elsewhere.close()
    text = (tmp_path / "archive").read_text()
    (tmp_path / "wrong").write_text(text.replace('"staff": "admiral"', '"staff": "nobody"'))
    with pytest.raises(ArchiveError, match=r"staff: this should be one of captain, commodore, admiral"):
        bring_in(elsewhere.store, tmp_path / "wrong")


# --- thinking in earnest --------------------------------------------------------------------------------------------


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions are answered in this process, and soon; what is sent there must survive the way."""

    def run(self: Calculator, work: Any, *given: Any, **named: Any) -> Any:
        return pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(partial(work, *given, **named)))()))

    monkeypatch.setattr(Calculator, "run", run)
    monkeypatch.setattr(ranks, "BUDGETS", dict.fromkeys(ranks.BUDGETS, Budget(4, 60.0, 2, 0)))


@pytest.mark.usefixtures("here")
def test_a_commodore_thinks_about_all_that_the_player_decides(tables: Tables) -> None:
    made = seated(tables)
    eventually(lambda: not tables.look(made.game, "japan", sheet=True).advice.thinking)
    assert tables.advice(made.game, "japan").found.thoughts
    tables.set_orders(made.game, "japan", '[[order]]\nwhen = "number:landing-group"\nanswer = "6"\n')
    eventually(lambda: not tables.look(made.game, "japan", sheet=True).advice.thinking)
    found = tables.advice(made.game, "japan").found
    sheet = tables.plan(made.game, "japan", {})
    assert found.thoughts
    assert set(found.answers) == {one.key for one in sheet.open_to()}
    assert {key: sheet[key].chosen for key in found.answers} == dict(found.answers)
    assert sheet["number:landing-group"].by is By.ORDER


def test_a_staff_that_cannot_think_keeps_to_the_captain(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*asked: object, **more: object) -> Any:
        raise Busy("many people are asking just now")

    monkeypatch.setattr(Calculator, "run", busy)
    made = seated(tables)
    eventually(lambda: not tables.look(made.game, "japan", sheet=True).advice.thinking)
    assert tables.advice(made.game, "japan") == ("commodore", Hints(why_not=NO_TIME), False)


def test_a_plan_whose_first_question_leaves_no_choice_has_hints() -> None:
    """The first question of a plan may be forced, and those after it not."""
    game, thoughts = load("first-battle", seed=3), 0
    while not thoughts:
        if isinstance(game.pending, Roll):
            game.roll()
            continue
        assert game.pending is not None, "no such plan"
        sheet = game.sheet(game.pending.side)
        if sheet.fields[0].by is By.FORCED and sheet.choices:
            thoughts = len(hints(game, sheet.side, sheet.level, rank="commodore:playouts=2").thoughts)
        game.confirm(sheet)


# --- pages and the interface for programs ---------------------------------------------------------------------------


def browser_of(app: Any, made: Created) -> Browser:
    browser = Browser(app)
    browser.client.cookies.set(f"seat-{made.game}", made.tokens["japan"])
    app.state.tables.join(made.tokens["japan"], contribution="ab" * 16)
    return browser


def chosen_in(text: str, key: str) -> str:
    part = text[text.index(f'data-row="{key}"') :]
    found = re.search(r'value="([^"]*)"(?: checked| selected| id="field)', part)
    assert found
    return unescape(found[1])


def test_the_page_says_that_he_thinks_and_then_why(tmp_path: Path, slow: Slow) -> None:
    app = site(tmp_path)
    tables = app.state.tables
    made = tables.create(BATTLE, seats={"allies": "captain"})
    browser, base = browser_of(app, made), f"/table/{made.game}"
    page = browser.get(base)
    assert "Who fills in your plans" in words(page)
    assert 'id="adviser"' not in page.text
    assert browser.post(f"{base}/staff", {"staff": "admiral"}).status_code == 303
    assert browser.post(f"{base}/staff", {"staff": "ensign"}).status_code == 422
    page = browser.get(base)
    assert "Your admiral is thinking. Until then this is the captain’s plan." in words(page)
    assert "staff: Admiral" in words(page)
    sheet = tables.plan(made.game, "japan", {})
    [(key, text)] = slow.proposing(sheet).items()
    slow.may_end.set()
    eventually(lambda: not tables.advice(made.game, "japan").thinking)
    shown = browser.get(base)
    assert f"Your admiral’s plan. Which way? {WHY}" in words(shown)
    assert chosen_in(shown.text, key) == text
    assert chosen_in(page.text, key) == sheet[key].chosen
    assert WHY in words(browser.get(f"{base}/hint")), "a hint costs nothing more"
    # whoever has the older page before him confirms what it shows
    form = {"do": "confirm", "at": str(sheet.moment), "nonce": fresh_nonce(), "by": "captain"}
    for one in sheet.open_to():
        form |= {f"{begin}.{one.key}": one.chosen for begin in ("staff", "field")}
    assert browser.post(f"{base}/plan", form).status_code == 303
    lines = [json.loads(line.text) for line in tables.store.lines(made.game)]
    assert sheet[key].chosen in [line.get("choose") for line in lines]


def test_programs_choose_a_staff_too(tmp_path: Path, slow: Slow) -> None:
    app = site(tmp_path)
    tables = app.state.tables
    made = tables.create(BATTLE, seats={"allies": "captain"})
    client, seat = browser_of(app, made).client, f"/api/tables/{made.game}/sides/japan"
    token = {"Authorization": f"Bearer {made.tokens['japan']}"}
    told = client.get(f"{seat}/sheet", headers=token).json()
    assert (told["staff"], told["thinking"], told["why"]) == ("captain", False, [])
    told = client.put(f"{seat}/staff", headers=token, json={"staff": "commodore"}).json()
    assert (told["staff"], told["thinking"]) == ("captain", True)
    assert client.put(f"{seat}/staff", headers=token, json={"staff": "ensign"}).status_code == 422
    [(key, text)] = slow.proposing(tables.plan(made.game, "japan", {})).items()
    slow.may_end.set()
    eventually(lambda: not client.get(f"{seat}/sheet", headers=token).json()["thinking"])
    told = client.get(f"{seat}/sheet", headers=token).json()
    assert (told["staff"], told["why"]) == ("commodore", [f"Which way? {WHY}"])
    assert next(one["chosen"] for one in told["fields"] if one["key"] == key) == text
    plan = {"at": told["at"], "nonce": fresh_nonce(), "staff": "captain"}
    assert client.post(f"{seat}/sheet", headers=token, json=plan).status_code == 409
    assert client.post(f"{seat}/sheet", headers=token, json=plan | {"staff": "commodore"}).status_code == 200
