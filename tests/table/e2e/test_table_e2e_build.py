"""A person at a real browser builds a battle, corrects it, sees its odds and what a change does, plays it and takes the
campaign sheet home; at a desk and on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.table.chromium import Person
from tests.table.servers import eventually

Somebody = Callable[..., Person]
TYPED = """Moves: Japan
Rounds: 1
Japan TF1: Hiryu, Soryo, 4 CA, 3 DD; 6 NAS
US TF16: Enterprise, Hornte, 6 CA, 2 DD; 6 NAS"""
SCREENS = {"desk": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}


def play_on(page: Page) -> None:
    """Take the staff's plans to the end of the battle."""

    def over() -> bool:
        for button in ("#plan button.main[value=confirm]", "#part-question button[name=option]"):
            if page.locator(button).count():
                page.locator(button).first.click(timeout=5000, no_wait_after=True)
                page.wait_for_timeout(150)
                break
        return page.locator("#part-question [data-over]").count() > 0

    eventually(over, "the battle did not end")


@pytest.mark.parametrize("screen", [*SCREENS])
def test_a_battle_is_built_corrected_judged_changed_played_and_taken_home(person: Somebody, screen: str) -> None:
    me = person(viewport=SCREENS[screen], reduced_motion="reduce")
    page = me.go("/build")
    page.locator("#text").fill(TYPED)
    right = TYPED
    for wrong, ship in {"Soryo": "Soryu", "Hornte": "Hornet"}.items():
        right = right.replace(wrong, ship)
        page.get_by_role("button", name=f"Use {ship}").click()
        expect(page.locator("#text")).to_have_value(right)
    expect(page.locator(".fix")).to_have_count(0)
    expect(page.locator("#build-lot")).to_contain_text("14 factors")
    expect(page.locator("#forecast .winbar")).to_be_visible()
    expect(page.locator("#forecast .live")).to_contain_text("battles played")
    page.reload()
    expect(page.locator("#text")).to_have_value(right)
    page.get_by_role("button", name="Compare what I change next").click()
    expect(page.get_by_role("button", name="Stop comparing")).to_be_visible()
    page.locator("summary", has_text="Change Task Force 16").click()
    page.get_by_role("button", name="Take Hornet out").click()
    expect(page.locator("#build-lot")).not_to_contain_text("Hornet")
    expect(page.locator("#forecast .diff").first).to_contain_text("±")
    page.get_by_role("button", name="Play", exact=True).click()
    me.begin()
    play_on(page)
    page.goto(f"{page.url}/campaign")
    expect(page.locator("#campaign-text")).to_contain_text("campaign sheet")
    with page.expect_download() as started:
        page.get_by_role("link", name="Spreadsheet (CSV)").click()
    assert started.value.path().read_text().startswith("part,side,what")


def test_an_operation_is_placed_by_clicking_on_its_map(person: Somebody) -> None:
    page = person(viewport=SCREENS["desk"], reduced_motion="reduce").go("/build")
    page.get_by_label("Kind").select_option("Operation")
    expect(page.locator("#text")).to_have_value(re.compile("Map: coral sea"))
    expect(page.locator(".map-view .m-ground")).to_be_visible()
    page.get_by_label("Place", exact=True).select_option("Task Force 17")
    page.locator(".map-view").click(position={"x": 420, "y": 300})
    expect(page.locator("#text")).not_to_have_value(re.compile("on patrol at 3,1"))
    expect(page.locator("#text")).to_have_value(re.compile(r"Task Force 17: .*on patrol at -?\d+,-?\d+"))
    page.get_by_label("Place", exact=True).select_option("A new port of Japan")
    page.get_by_label("Where").select_option("Guadalcanal")
    page.get_by_role("button", name="Put it there").click()
    expect(page.locator("#text")).to_have_value(re.compile("Japan Guadalcanal base: at 4,-2, port"))
    expect(page.locator(".fix")).to_have_count(0)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
