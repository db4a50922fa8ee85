"""People at browsers: Debian's Chromium, driven by Playwright, with cookies of its own for each of them. Without a
window it takes half the time, so its package for that comes first.

A browser lives as long as the tests of one module: while Playwright runs, no other test of the same process could use
an event loop. Where there is no Chromium, its tests are skipped with a line that says so and how to get it.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

from tests.table.servers import PATIENCE, Server, eventually

PROGRAMS = ("chromium-headless-shell", "chromium")
REMEDY = "install Debian's package chromium-headless-shell (as root: apt-get install chromium-headless-shell)"
MISSING = f"no Chromium here, so pages were not tried in a browser; {REMEDY}"
ARGUMENTS = [
    "--no-sandbox",  # it refuses to run as root with one
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
QUESTION = "#part-question form.answer"
SHOWN = f"[document.querySelector('#plan') !== null, document.querySelector('{QUESTION}')?.id ?? '']"
USUAL = {"viewport": {"width": 1100, "height": 900}, "reduced_motion": "reduce"}
expect.set_options(timeout=PATIENCE * 1000)


def program() -> str | None:
    """Where Chromium is; `FLAGPLOT_CHROMIUM` names another one."""
    return os.environ.get("FLAGPLOT_CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)


@contextlib.contextmanager
def running(place: str) -> Iterator[Browser]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=place, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    place = program()
    if place is None:
        pytest.skip(MISSING)
    with running(place) as found:
        yield found


class Person:
    """Somebody at a browser of his own, who notices when a page does not keep the rules of its site."""

    def __init__(self, context: BrowserContext, server: Server) -> None:
        self.context, self.server = context, server
        context.set_default_timeout(PATIENCE * 1000)
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)

    def forgive(self) -> None:
        """That the server could not be reached was to happen, and is no complaint."""
        unreached = re.compile("net::ERR_|network error|Failed to fetch")
        self.complaints = [words for words in self.complaints if not unreached.search(words)]

    def hide(self, hidden: bool) -> None:
        """Look at another tab, or come back: the page then lets its stream go, or connects again."""
        self.page.evaluate(
            "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
            " document.dispatchEvent(new Event('visibilitychange')); }",
            hidden,
        )

    def go(self, path: str) -> Page:
        self.page.goto(self.server.url + path)
        return self.page

    def sit_down(self, made: dict[str, Any], side: str, name: str = "") -> None:
        """Open the link of a seat and take it."""
        self.go(f"/join#{made['tokens'][side]}")
        expect(self.page.locator("#invitation")).to_contain_text("You play")
        if name:
            self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Take the seat").click()
        self.begin()

    def begin(self) -> None:
        """Go on to the table, by way of the briefing for whoever joins for the first time."""
        self.page.wait_for_url("**/table/**")
        if self.page.url.endswith("/briefing"):
            self.page.get_by_role("link", name="Begin").click()
        self.page.wait_for_url(re.compile(r"/table/\w+$"))

    @property
    def asked(self) -> str:
        """The id of the question that the page shows; empty if it shows none. Whoever is shown a plan asks for its
        questions first."""
        planned, found = self.page.evaluate(SHOWN)
        if planned:
            self.page.locator("#plan button[value=step]").click()
            expect(self.page.locator(QUESTION)).to_be_visible()
            _, found = self.page.evaluate(SHOWN)
        return str(found)

    @property
    def over(self) -> bool:
        found: bool = self.page.evaluate("document.querySelector('#part-question [data-over]') !== null")
        return found

    @property
    def options(self) -> Locator:
        return self.page.locator(f"{QUESTION} button.option")

    def answer(self, number: int = 0, *, by_key: bool = False) -> str:
        """Choose an option and wait until the page shows that it was taken; its text."""
        before, button = self.asked, self.options.nth(number)
        text = button.get_attribute("value")
        assert text
        if by_key:
            key = button.get_attribute("data-key")
            assert key, f"no key for {text}"
            self.page.keyboard.press(key)
        else:
            button.click()
        eventually(lambda: self.asked != before, f"{text} was chosen, and the page did not go on")
        return text


def play(people: dict[Person, bool], answers: int = 100, number: int = 0) -> list[str]:
    """Each answers when he is asked, with an option of the same number; those marked do it by key. What was chosen."""
    chosen: list[str] = []
    while len(chosen) < answers:
        eventually(lambda: any(person.asked or person.over for person in people), "nobody was asked anything")
        asked = next((person for person in people if person.asked), None)
        if asked is None:
            break
        chosen.append(asked.answer(number, by_key=people[asked]))
    return chosen


@pytest.fixture
def person(browser: Browser, server: Server) -> Iterator[Callable[..., Person]]:
    """Somebody new; at the end all go home, and none of them may have had to complain."""
    there: list[Person] = []

    def come(**context: Any) -> Person:
        there.append(Person(browser.new_context(**{**USUAL, **context}), server))
        return there[-1]

    yield come
    complaints = [words for one in there for words in one.complaints]
    for one in there:
        one.context.close()
    assert not complaints, "\n".join(complaints)
