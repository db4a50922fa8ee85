"""Makes docs/pictures: pages of the web table as a browser shows them. Run it from the top folder:

    .venv/bin/python -m tools.screenshots            all of them
    .venv/bin/python -m tools.screenshots map phone  some

It needs Chromium (Debian: apt install chromium). The battles are always the same ones, so a picture changes when a page
does. Look at the pictures before you keep them.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

import flagplot
from flagplot.kernel.dice import Committed
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from flagplot.players.doctrine.player import DoctrinePlayer
from flagplot.table.info import Created
from flagplot.table.keeping.archives import bring_in
from flagplot.table.store.store import Store

TARGET = Path(__file__).resolve().parents[1] / "docs" / "pictures"
ODDS = (
    "/odds/strike?attackers=6+japan+elite&target=Enterprise%2C+Hornet%2C+8+cruiser+factors%2C+2+destroyer+factors&cap=2"
)
WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
MOST = 300_000
"""Bytes that a picture may have."""


class Site(NamedTuple):
    """A server with tables, and a browser to look at it."""

    url: str
    browser: Browser
    battle: Created
    operation: Created
    turn: Created
    line: Created
    met: Created
    over: Created

    @property
    def seats(self) -> list[tuple[Created, str]]:
        """A seat at each table."""
        tables = (self.battle, self.operation, self.turn, self.line, self.met, self.over)
        return [(made, next(iter(made.tokens))) for made in tables]

    def page(self, address: str, *seat: str, **context: Any) -> Page:
        """A page in a browser of its own, which holds the seat of a token if one is given: game, token."""
        shown: BrowserContext = self.browser.new_context(**{"viewport": WIDE, "reduced_motion": "reduce", **context})
        if seat:
            shown.add_cookies([{"name": f"seat-{seat[0]}", "value": seat[1], "url": self.url}])
        page = shown.new_page()
        page.goto(self.url + address)
        page.wait_for_timeout(400)
        return page

    def seat(self, made: Created, side: str, **context: Any) -> Page:
        return self.page(f"/table/{made.game}", made.game, made.tokens[side], **context)


# --- the pictures -----------------------------------------------------------------------------------------------


def home(site: Site) -> Page:
    return site.page("/")


def odds(site: Site) -> Page:
    return site.page(ODDS)


def midway_japan(site: Site) -> Page:
    return with_odds(site.seat(site.battle, "japan"))


def midway_allies(site: Site) -> Page:
    return site.seat(site.battle, "allies")


def midway_dark(site: Site) -> Page:
    return with_odds(site.seat(site.battle, "japan", color_scheme="dark"))


def with_odds(page: Page) -> Page:
    """Odds come by themselves, a moment after the question."""
    page.wait_for_selector(".odds .figures")
    return page


def map_(site: Site) -> Page:
    return site.seat(site.operation, "japan")


def air_turn(site: Site) -> Page:
    return site.seat(site.turn, "axis")


def phone(site: Site) -> Page:
    return site.seat(site.battle, "japan", viewport=PHONE, device_scale_factor=2, is_mobile=True, has_touch=True)


def new_table(site: Site) -> Page:
    return site.page("/new/midway")


PICTURES: dict[str, Callable[[Site], Page]] = {
    "home": home,
    "odds": odds,
    "midway-japan": midway_japan,
    "midway-allies": midway_allies,
    "midway-dark": midway_dark,
    "map": map_,
    "air-turn": air_turn,
    "phone": phone,
    "new-table": new_table,
}


def main(wanted: list[str]) -> None:
    """Make the pictures that are wanted, or all."""
    unknown = [name for name in wanted if name not in PICTURES]
    if unknown:
        sys.exit(f"there is no picture {unknown[0]}; there are {', '.join(PICTURES)}")
    TARGET.mkdir(parents=True, exist_ok=True)
    with site() as found:
        for name in wanted or PICTURES:
            page = PICTURES[name](found)
            path = TARGET / f"{name}.png"
            page.screenshot(path=path)
            page.context.close()
            smaller(path)
            print(f"{path.relative_to(Path.cwd())}: {path.stat().st_size // 1024} KB")


def smaller(path: Path) -> None:
    """The same picture with a palette of 256 colours, which flat pages do not miss."""
    with Image.open(path) as picture:
        few = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
    assert path.stat().st_size <= MOST, f"{path} is too large"


# --- what they show ---------------------------------------------------------------------------------------------


@contextlib.contextmanager
def site() -> Iterator[Site]:
    """A server on a free port with six tables, and a browser."""
    program = os.environ.get("FLAGPLOT_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-headless-shell")
    if program is None:
        sys.exit("there is no Chromium here (Debian: apt install chromium)")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        store = Store(f"sqlite:///{folder}/tables.sqlite")
        battle = table(store, "midway", "june", "japan", "target:")
        operation = table(store, "coral-sea-operation", "operation mo", "japan", "order:")
        turn = table(store, "malta-turn", "spring", "axis", "uninvert:")
        line = table(store, "savo-island", "august", "japan", "")
        met = table(store, "coral-sea-operation", "operation mo", "japan", "patrol:")
        over = table(store, "surigao-strait", "october", "japan", "(none)")
        store.close()
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        with serving(folder) as url:
            sit_down(url, battle, {"japan": "Nagumo", "allies": "Fletcher"})
            sit_down(url, operation, {"japan": "Inoue", "allies": "Fletcher"})
            sit_down(url, turn, {"axis": "Kesselring", "allies": "Cunningham"})
            sit_down(url, line, {"japan": "Mikawa", "allies": "Crutchley"})
            sit_down(url, met, {"japan": "Inoue", "allies": "Fletcher"})
            sit_down(url, over, {"japan": "Nishimura", "allies": "Oldendorf"})
            yield Site(url, browser, battle, operation, turn, line, met, over)
        browser.close()


def table(store: Store, scenario: str, secret: str, side: str, verb: str) -> Created:
    """A table at the first moment at which that side has a choice with that verb; if there is none, at its end."""
    game: Game[Any] = flagplot.load(scenario, dice=Committed(secret))
    players = {one: DoctrinePlayer() for one in game.sides}
    game.play(players, until=lambda now: is_moment(now, side, verb))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        game.save(path, follow=False)
        made = bring_in(store, path).made
    assert made
    return made


def sit_down(url: str, made: Created, names: dict[str, str]) -> None:
    """Take all seats of a table."""
    for number, (side, name) in enumerate(names.items()):
        body = json.dumps({"name": name, "contribution": f"{number:02}" * 32}).encode()
        headers = {"Authorization": f"Bearer {made.tokens[side]}", "Content-Type": "application/json"}
        with urlopen(Request(f"{url}/api/join", body, headers), timeout=60) as answer:
            assert answer.status == 200


def is_moment(game: Game[Any], side: str, verb: str) -> bool:
    asked = game.pending
    return isinstance(asked, Choose) and asked.side == side and len(asked) > 1 and asked.option(0).text.startswith(verb)


@contextlib.contextmanager
def serving(folder: str) -> Iterator[str]:
    command = [sys.executable, "-m", "flagplot", "serve", "--port", "0", "--data", folder]
    root = str(Path(__file__).resolve().parents[1])
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, "PYTHONPATH": root}
    )
    try:
        assert process.stdout
        told = re.search(r"http://\S+", process.stdout.readline())
        assert told, "the server did not start"
        yield told[0]
    finally:
        process.terminate()
        process.wait(10)


if __name__ == "__main__":
    main(sys.argv[1:])
