"""A newcomer at a browser plays by plans to the end of the first battle: by clicks, by keys alone, and on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Page, Route, expect

from flagplot.table.keeping.archives import bring_in
from flagplot.table.store.store import Store
from tests.table.chromium import Person
from tests.table.databases import Cluster
from tests.table.e2e.test_table_e2e_pages import barriers
from tests.table.plans.test_table_shares import aiming
from tests.table.servers import Server, eventually

Somebody = Callable[..., Person]
BATTLE = "first-battle"
CLICKS = 4
"""Plans that the newcomer changes on the chart, at most."""
MOST = 45
"""Presses that the first battle may take at level Flag, whatever falls: a server's dice have no seed. The usual number,
which `./bench/run presses` counts, is much lower."""
UNCOVERED = """(selector) => {
  const found = document.querySelector(selector), area = found.getBoundingClientRect();
  return found.contains(document.elementFromPoint(area.x + area.width / 2, area.y + area.height - 4));
}"""
"""Whether something is to be seen whole, and nothing lies over it."""
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def begin(somebody: Person, server: Server) -> Page:
    seats = {"japan": "person", "allies": "doctrine"}
    made = server.ask("/api/tables", {"scenario": BATTLE, "seats": seats, "level": "flag"})
    somebody.sit_down(made, "japan")
    expect(somebody.page.locator("#plan")).to_be_visible()
    return somebody.page


def moment(page: Page) -> str:
    """What the page asks for: the moment of its plan, `over`, or nothing."""
    found: str = page.evaluate(
        "document.querySelector('[data-over]') ? 'over' : document.querySelector('#plan')?.dataset.at ?? ''"
    )
    return found


def goes_on(page: Page, before: str) -> bool:
    return moment(page) not in ("", before)


def test_a_newcomer_plays_the_first_battle_from_home_to_its_end_by_clicks(person: Somebody, server: Server) -> None:
    somebody = person(viewport={"width": 1440, "height": 900})
    page = somebody.go("/")
    page.get_by_role("button", name="Play now").click()
    somebody.begin()
    expect(page.locator("#part-top")).to_contain_text("against the staff")
    expect(page.locator("#plan")).to_be_visible()
    clicked = 0
    while (now := moment(page)) != "over":
        counters = page.locator(".chart button[data-field]:visible")
        with suppress(Error):  # the staff may have gone on by itself meanwhile
            if clicked < CLICKS and counters.count():
                with page.expect_response("**/plan", timeout=3000):
                    counters.first.click(timeout=3000)
                clicked += 1
            page.locator("#plan footer button.main").click(timeout=3000)
        eventually(partial(goes_on, page, now), f"plan {now} was confirmed, and nothing came")
    assert clicked, "no counter on the chart could be clicked"
    page.get_by_role("link", name="See how it ended").click()
    expect(page.locator("#verdict")).to_have_text(re.compile("won|lost"))
    assert barriers(page) == []
    page.get_by_role("link", name="Replay").first.click()
    page.wait_for_load_state()
    page.get_by_role("link", name="Next").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#replay")).to_contain_text("Step 1 of")


def test_the_first_battle_is_played_by_the_keyboard_alone(person: Somebody, server: Server) -> None:
    page = begin(person(viewport={"width": 1440, "height": 900}), server)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "the page scrolls"
    assert barriers(page) == []
    number = page.locator("#plan .chips input").first
    number.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#plan .by.you")).to_have_count(1)
    assert page.evaluate("document.activeElement.type") == "radio", "the focus was lost with the change"
    page.keyboard.press("p")
    expect(page.locator("#plan .by.you")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.locator("#keys-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    presses = 0
    while (now := moment(page)) != "over":
        page.keyboard.press("Enter")
        presses += 1
        assert presses <= MOST, "too many presses"
        eventually(partial(goes_on, page, now), f"plan {now} was confirmed, and nothing came")
    assert page.locator("#part-since .entry").count()
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_have_text(re.compile("won|lost"))


def numbers(page: Page) -> list[str]:
    return [one.input_value() for one in page.locator("#plan [data-share]").all()]


def aims(person: Somebody, server: Server, folder: Path) -> Page:
    """The page of somebody whose strike is to choose its targets."""
    save = folder / "game.jsonl"
    aiming("midway", "june", "japan").save(save, follow=False)
    store = Store(f"sqlite:///{server.folder}/data/tables.sqlite")
    made = bring_in(store, save).made
    store.close()
    assert made
    somebody = person(viewport={"width": 1440, "height": 900})
    somebody.sit_down({"tokens": made.tokens}, "japan")
    assert numbers(somebody.page) == ["2", "2", "0"]
    return somebody.page


def test_a_late_answer_to_a_change_does_not_undo_a_newer_one(person: Somebody, server: Server, tmp_path: Path) -> None:
    page = aims(person, server, tmp_path)
    held: list[Route] = []
    page.route("**/plan", lambda route: held.append(route), times=1)
    page.get_by_role("button", name="One fewer: Enterprise").click()
    while not held:
        page.wait_for_timeout(20)
    page.get_by_role("button", name="All on one").click()
    with page.expect_response(lambda answer: answer.request.post_data != held[0].request.post_data):
        held[0].continue_()
    eventually(lambda: numbers(page) == ["0", "4", "0"])


def test_squadrons_are_divided_between_targets_by_clicks(person: Somebody, server: Server, tmp_path: Path) -> None:
    """What one target gets another loses, so the plan is whole at every moment."""
    page = aims(person, server, tmp_path)
    page.get_by_role("button", name="One fewer: Enterprise").click()
    assert numbers(page) == ["1", "3", "0"]
    expect(page.locator("#plan .by.you")).to_have_count(1)
    with page.expect_response("**/plan"):  # the last target is not asked about, and the list stays
        page.locator(".chart button[data-option='target:light-ships']").first.click()
        assert numbers(page) == ["1", "2", "1"]
    page.wait_for_timeout(200)
    assert numbers(page) == ["1", "2", "1"]
    expect(page.locator(".chart button[data-field=target][aria-pressed=true]")).to_have_count(4)  # two for light ships
    page.get_by_role("button", name="All on one").click()
    eventually(lambda: numbers(page) == ["0", "4", "0"])
    expect(page.locator(".chart button[data-field=target][aria-pressed=true]")).to_have_count(1)
    expect(page.locator("#odds .ship")).to_have_count(1)
    page.keyboard.press("p")
    eventually(lambda: numbers(page) == ["2", "2", "0"])
    expect(page.locator("#odds .ship").last).to_be_in_viewport()
    assert barriers(page) == []
    page.get_by_role("button", name="Attack").click()
    expect(page.locator("#plan [data-share]")).to_have_count(0)


def _has_begun(page: Page, before: str) -> bool:
    return bool(page.locator(".status.then").count()) or goes_on(page, before)


def test_the_steps_follow_what_is_shown_while_dice_fall(person: Somebody, server: Server) -> None:
    page = begin(person(viewport={"width": 1440, "height": 900}, reduced_motion="no-preference"), server)
    page.wait_for_timeout(600)  # the page keeps the board and the steps as they are before news comes
    shown = page.locator(".status.then .now .step")
    while not shown.count():
        now = moment(page)
        page.keyboard.press("Enter")
        eventually(partial(_has_begun, page, now), "nothing came")
    expect(shown).to_have_text("Search")
    expect(page.locator("#part-status")).to_be_hidden()
    page.keyboard.press("s")
    expect(page.locator(".status.then")).to_have_count(0)
    expect(page.locator("#part-status")).to_be_visible()


def test_a_plan_on_a_phone(person: Somebody, server: Server) -> None:
    page = begin(person(**PHONE, reduced_motion="no-preference"), server)
    confirm = page.locator("#plan footer button.main")
    expect(confirm).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is too wide"
    assert barriers(page) == []
    assert page.evaluate(UNCOVERED, "#plan .offer"), "the coach keeps the answers out of sight"
    coach = page.locator(".coach details").first
    coach.locator("summary").tap()
    expect(coach.locator("p").first).to_be_visible()
    page.locator("#plan .offer").first.tap()  # what the staff does not propose
    expect(page.locator("#plan .by.you").first).to_be_visible()
    assert coach.get_attribute("open") is not None, "it was to be read"
    before = moment(page)
    confirm.tap()
    eventually(lambda: goes_on(page, before))
    stepper = page.locator("#plan .stepper").first
    stepper.get_by_role("button", name="One fewer").tap()
    expect(page.locator("#plan .by.you")).to_have_count(1)
    expect(stepper.locator("input")).to_have_value("0")
    expect(confirm).to_contain_text("No patrol")
    confirm.tap()
    expect(page.locator("body")).to_have_class("table playing")
    expect(page.locator("#plan")).to_be_hidden()
    assert page.locator("#part-since .entry.present").count() == 1
    expect(
        page.locator(".chart > .past .tray").first
    ).to_be_visible()  # the board as it was, until the dice have fallen
    page.get_by_role("button", name="Skip to my next decision").tap()
    expect(page.locator("body")).to_have_class("table")
    expect(page.locator(".past")).to_have_count(0)
    eventually(lambda: goes_on(page, before))
    expect(confirm).to_be_in_viewport()


def ordered_ahead(page: Page) -> list[str]:
    return [text.strip() for text in page.locator(".ahead.waiting li").all_inner_texts()]


def order_ahead(server: Server, made: dict[str, Any]) -> str:
    """Programs confirm plans for both sides until one of them has orders ahead; which."""
    seats = {side: f"/api/tables/{made['game']}/sides/{side}" for side in made["tokens"]}
    while True:
        for side, path in seats.items():
            token = made["tokens"][side]
            sheet = server.ask(f"{path}/sheet/trial", {}, token)
            if sheet["fields"]:
                server.ask(f"{path}/sheet", {"at": sheet["at"]}, token)
                if server.ask(f"{path}/ahead", token=token)["orders"]:
                    return str(side)


def test_two_people_have_orders_ahead_and_none_is_lost_with_the_server(
    person: Somebody, postgres: Cluster, tmp_path: Path
) -> None:
    """The server is killed with orders ahead waiting; they are there again when it is back, and are cancelled by a
    click. The other side, on a phone, sees nothing of them. This is played on the other kind of database."""
    own = Server(tmp_path, postgres.database(), rate_limits="no")
    own.start()
    try:
        made = own.make("cape-matapan", join=True)
        side = order_ahead(own, made)
        enemy = next(other for other in made["tokens"] if other != side)
        mine, theirs = person(viewport={"width": 1440, "height": 900}), person(**PHONE)
        for somebody, seat in ((mine, side), (theirs, enemy)):
            somebody.server = own
            somebody.sit_down(made, seat)
        orders = ordered_ahead(mine.page)
        assert orders
        assert ordered_ahead(theirs.page) == []
        assert barriers(mine.page) == []
        own.kill()
        own.start()
        mine.page.reload()
        assert ordered_ahead(mine.page) == orders
        mine.page.get_by_role("button", name="Cancel orders ahead").click()
        expect(mine.page.locator(".ahead.waiting")).to_have_count(0)
        for somebody in (mine, theirs):
            somebody.go("/help")
            somebody.forgive()
    finally:
        own.stop()
