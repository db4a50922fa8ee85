"""Pages in a real browser: the odds desk by keyboard alone, and every page without barriers, light and dark, small and
wide."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from tests.table.chromium import Person
from tests.table.servers import Server, eventually

Somebody = Callable[..., Person]
AXE = Axe()
OPTIONS = {"resultTypes": ["violations"], "preload": False}
"""Style sheets are not fetched once more."""
FAULTS = """([context, options]) => axe.run(context, options).then(found => found.violations.flatMap(
  one => one.nodes.map(node => `${one.id}: ${node.html} (${node.failureSummary})`)))"""
"""Only what is wrong leaves the browser: all that axe looked at would take longer to send than to find."""
SMALL_PRINT = """() => {
  const size = one => parseFloat(getComputedStyle(one).fontSize);
  const says = one => [...one.childNodes].some(part => part.nodeType === 3 && part.data.trim());
  const seen = one => one.getClientRects().length && size(one) && !one.closest("svg, .unseen");
  return [...document.querySelectorAll("body *")].filter(one => size(one) < 13 && says(one) && seen(one)).map(
    one => `printed in ${size(one)} pixels: ${one.outerHTML.slice(0, 120)}`);
}"""
CUT = """() => {
  const within = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1;
  const chart = document.querySelector(".seas").getBoundingClientRect();
  const trays = [...document.querySelectorAll(".seas .tray")].filter(
    one => !within(one.getBoundingClientRect(), chart));
  const names = [...document.querySelectorAll(".seas .ctr .name")].filter(one => one.scrollWidth > one.clientWidth + 1);
  return [...trays, ...names].map(one => `cut: ${one.textContent.trim().slice(0, 60)}`);
}"""
"""Trays that reach beyond their chart, whose border is cut off then, and names that do not fit on their counters."""
ALL_WIDTHS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def barriers(page: Page) -> list[str]:
    """What axe finds on a page, each with the rule and the element."""
    page.evaluate(AXE.axe_script)
    found: list[str] = page.evaluate(FAULTS, [{"include": ["html"]}, OPTIONS])
    return found


def dark_barriers(page: Page) -> list[str]:
    """What cannot be read on the same page at night. `test_palette.py` looks at counters and pictures."""
    page.emulate_media(color_scheme="dark")
    words = {"include": ["html"], "exclude": [".ctr", "svg"]}
    found: list[str] = page.evaluate(FAULTS, [words, {**OPTIONS, "runOnly": ["color-contrast"]}])
    page.emulate_media(color_scheme="light")
    return [f"dark: {fault}" for fault in found]


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until that element has the focus; on the way, every focus shows."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
    raise AssertionError(f"{selector} cannot be reached with the Tab key")


def test_the_odds_desk_is_worked_by_keyboard_alone(person: Somebody) -> None:
    me = person(permissions=["clipboard-read", "clipboard-write"])
    page = me.go("/odds")
    page.keyboard.press("Tab")
    expect(page.locator("a.skip")).to_be_focused()
    expect(page.locator("a.skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    tab_to(page, "a[href='/odds/fire']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/odds/fire*")
    tab_to(page, "a[data-clear]")
    page.keyboard.press("Enter")
    expect(page.locator("#answer")).to_contain_text("Required")
    for name, ship in (("ships", "Bismarck"), ("target", "Hood")):
        tab_to(page, f"[name='new.{name}']")
        page.keyboard.type(ship)
        page.keyboard.press("Enter")
        expect(page.locator(f"#tray-{name} .piece")).to_contain_text(ship)
    expect(page.locator("#answer .badge")).to_contain_text("exact")
    expect(page.locator("#answer h2").first).to_contain_text("Hood")
    page.wait_for_url("**/odds/fire?*Hood*")
    tab_to(page, "#answer .ledger a[data-rule]")
    page.keyboard.press("Enter")
    expect(page.locator("#rule-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#rule-dialog")).not_to_be_visible()
    tab_to(page, "button[data-copy=share-link]")
    eventually(lambda: copied(page), "the link was not copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def copied(page: Page) -> bool:
    """Whether the focused button says so; a window that is not in front may refuse the first time."""
    page.keyboard.press("Enter")
    page.wait_for_timeout(250)
    return "Copied" in (page.locator("#announcer").text_content() or "")


@pytest.fixture(scope="module")
def visited(server: Server) -> dict[str, str]:
    """The address of every page, by a name for it: of a table that is played, and of one that is over."""
    played, over = server.make("midway", join=True), server.make("jets", axis="random", allies="random")
    map_ = server.make("coral-sea-operation", join=True)
    air = server.make("kursk", join=True)
    table, done = f"/table/{played['game']}", f"/watch/{over['public_id']}"
    pages = {
        "home": "/",
        "help": "/help",
        "learn": "/learn",
        "glossary": "/glossary",
        "drill": "/learn/screening?answer=screen:none",
        "desk": "/odds",
        "fire": "/odds/fire",
        "builder": "/build",
        "whole battle": "/odds/battle?from=savo-island",
        "new": "/new",
        "set up": "/new/midway",
        "join": "/join",
    }
    pages |= {"tables": "/tables", "rules": "/rules", "rule": "/rules/22.54A", "lost": "/nowhere", "battle": table}
    pages |= {
        name: f"{table}/{name}"
        for name in ("briefing", "forecast", "seats", "orders", "notes", "replay", "report", "proof", "log", "help")
    }
    pages |= {
        "grid": f"/table/{air['game']}",
        "map": f"/table/{map_['game']}",
        "watch": f"/watch/{played['public_id']}",
        "over": done,
    }
    pages |= {
        f"{name} at the end": f"{done}/{name}"
        for name in ("briefing", "ending", "replay", "report", "campaign", "proof")
    }
    pages["seat"] = played["tokens"]["japan"]
    pages |= {"other seat": map_["tokens"]["japan"], "third seat": air["tokens"]["axis"]}
    return pages


def test_no_page_has_a_barrier_or_is_wider_than_a_phone(person: Somebody, visited: dict[str, str]) -> None:
    """By day with all rules of axe; by night, where only colours differ, the same page with that of contrast."""
    me = person(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    for token in (visited["seat"], visited["other seat"], visited["third seat"]):
        me.go(f"/join#{token}").get_by_role("button", name="Take the seat").click()
        me.page.wait_for_url("**/table/**")
    found = {}
    for name, address in visited.items():
        if address.startswith("/"):
            page = me.go(address)
            wider = page.evaluate(ALL_WIDTHS)
            found[name] = barriers(page) + dark_barriers(page)
            found[name] += [f"{wider} pixels wider than the screen"] if wider > 0 else []
            found[name] += page.evaluate(SMALL_PRINT)
    me.page.set_viewport_size({"width": 1440, "height": 900})
    found["the chart"] = me.go(visited["battle"]).evaluate(CUT)
    me.complaints = [words for words in me.complaints if "404" not in words]
    assert not any(found.values()), "\n".join(f"{name}: {fault}" for name, faults in found.items() for fault in faults)
    assert len(found) > 30
