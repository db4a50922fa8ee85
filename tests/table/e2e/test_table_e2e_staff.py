"""At a browser: a player lets a commodore fill in his plans; what he has changed himself stays."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.table.chromium import Person
from tests.table.e2e.test_table_e2e_pages import barriers
from tests.table.servers import Server

Somebody = Callable[..., Person]
WIDE = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DONE = re.compile("Your commodore’s plan")


def begin(somebody: Person, server: Server) -> tuple[Page, dict[str, Any]]:
    seats = {"japan": "person", "allies": "captain"}
    made = server.ask("/api/tables", {"scenario": "first-battle", "seats": seats, "level": "flag"})
    somebody.sit_down(made, "japan")
    expect(somebody.page.locator("#plan")).to_be_visible()
    return somebody.page, made


def choose_a_commodore(page: Page) -> None:
    page.get_by_text("You decide: Main decisions").click()
    expect(page.get_by_text("Who fills in your plans")).to_be_in_viewport()
    page.get_by_role("button", name="Commodore").click()
    expect(page.locator("#adviser")).to_contain_text("Your commodore")


@pytest.mark.parametrize("screen", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_commodore_fills_in_the_plan(person: Somebody, server: Server, screen: dict[str, Any]) -> None:
    page, made = begin(person(**screen), server)
    expect(page.locator("#adviser")).to_have_count(0)
    choose_a_commodore(page)
    expect(page.locator("#adviser")).to_contain_text(DONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is too wide"
    assert barriers(page) == []
    token, seat = made["tokens"]["japan"], f"/api/tables/{made['game']}/sides/japan"
    told = server.ask(f"{seat}/sheet/trial", {}, token)
    assert told["staff"] == "commodore"
    for field in [one for one in told["fields"] if one["open"]]:
        shown = page.locator(f"[name='field.{field['key']}']:checked, select[name='field.{field['key']}']")
        expect(shown).to_have_value(field["chosen"])
    page.reload()
    expect(page.locator("#adviser")).to_contain_text(DONE)  # he is the seat's
    expect(page.locator(".levels summary", has_text="You decide")).to_contain_text("staff: Commodore")
    page.locator("#plan footer button.main").click()
    expect(page.locator(f"#plan[data-at='{told['at']}']")).to_have_count(0)


def test_what_the_player_has_changed_stays_when_the_commodore_is_done(person: Somebody, server: Server) -> None:
    page, _ = begin(person(**WIDE), server)
    number = page.locator("[name='field.number:landing-group']")
    number.first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#plan .by.you")).to_have_count(1)
    value = page.locator("[name='field.number:landing-group']:checked").get_attribute("value")
    choose_a_commodore(page)
    expect(page.locator("#plan[data-by=commodore]")).to_be_visible()
    expect(page.locator("#adviser")).to_contain_text(DONE)
    expect(page.locator("#plan .by.you")).to_have_count(1)
    expect(page.locator("[name='field.number:landing-group']:checked")).to_have_value(str(value))
    page.get_by_role("button", name="Staff’s plan").click()
    expect(page.locator("#plan .by.you")).to_have_count(0)
    expect(page.locator("#plan[data-by=commodore]")).to_be_visible()


def test_without_script_he_is_done_after_a_reload(person: Somebody, server: Server) -> None:
    _, made = begin(person(**WIDE), server)
    somebody = person(**WIDE, java_script_enabled=False)
    seat = {"name": f"seat-{made['game']}", "value": made["tokens"]["japan"], "url": server.url}
    somebody.context.add_cookies([seat])  # type: ignore[list-item]
    page = somebody.go(f"/table/{made['game']}")
    page.get_by_text("You decide: Main decisions").click()
    page.get_by_role("button", name="Commodore").click()
    adviser = page.locator("#adviser")
    for _ in range(200):
        if "is thinking" not in adviser.inner_text():
            break
        expect(adviser).to_contain_text("Reload the page in a few seconds.")
        page.reload()
    expect(adviser).to_contain_text(DONE)
    expect(page.locator("#plan[data-by=commodore]")).to_be_visible()
