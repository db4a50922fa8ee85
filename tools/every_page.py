"""Every page of the web table, light and dark, on a phone and on a wide screen, as PNG in a folder:

    .venv/bin/python -m tools.every_page build/pages              all of them
    .venv/bin/python -m tools.every_page build/pages home ending  some

Look at them one by one after a change that shows. Wide pages are taken as one screen, phone pages down to their end.
"""

from __future__ import annotations

import itertools
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tools.screenshots import ODDS, PHONE, WIDE, Site, site

DEEPEST = 2600
"""Pixels of a phone page that are taken."""


def addresses(found: Site) -> dict[str, str]:
    """The address of every page, by the name of its pictures."""
    battle, over = f"/table/{found.battle.game}", f"/table/{found.over.game}"
    pages = {
        "home": "/",
        "help": "/help",
        "learn": "/learn",
        "glossary": "/glossary",
        "desk": "/odds",
        "odds": ODDS,
        "drill": "/learn/screening",
        "drill-answered": "/learn/screening?answer=screen:none",
        "odds-fire": "/odds/fire",
        "builder": "/build",
        "odds-battle": "/odds/battle?from=savo-island",
        "new": "/new",
        "set-up": "/new/midway",
        "set-up-line": "/new/savo-island",
        "join": "/join",
        "tables": "/tables",
        "rules": "/rules",
        "rule": "/rules/22.54A",
        "chapter": "/rules/chapter/22",
        "lost": "/nowhere",
        "battle": battle,
        "operation": f"/table/{found.operation.game}",
        "air-turn": f"/table/{found.turn.game}",
        "line": f"/table/{found.line.game}",
        "battle-on-map": f"/table/{found.met.game}",
        "watch": f"/watch/{found.battle.public_id}",
        "over": over,
    }
    for name in ("briefing", "forecast", "seats", "orders", "notes", "replay", "report", "proof", "log", "help"):
        pages[f"battle-{name}"] = f"{battle}/{name}"
    for name in ("briefing", "ending", "review", "replay", "report", "campaign", "proof"):
        pages[f"over-{name}"] = f"{over}/{name}"
    for name, made in (("operation", found.operation), ("air-turn", found.turn), ("line", found.line)):
        pages[f"{name}-briefing"] = f"/table/{made.game}/briefing"
    return pages


def main(folder: Path, wanted: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with site() as found:
        pages = addresses(found)
        for (size, screen), colour in itertools.product({"wide": WIDE, "phone": PHONE}.items(), ("light", "dark")):
            page = seated(found, screen, colour)
            for name in wanted or pages:
                page.goto(found.url + pages[name])
                page.wait_for_timeout(400)
                take(page, folder / f"{name}-{size}-{colour}.png", size)
            page.context.close()


def seated(found: Site, screen: Any, colour: str) -> Page:
    """Somebody who has a seat at every table."""
    mobile = {"is_mobile": True, "has_touch": True} if screen is PHONE else {}
    page = found.page("/", viewport=screen, color_scheme=colour, **mobile)
    for made, side in found.seats:
        page.context.add_cookies([{"name": f"seat-{made.game}", "value": made.tokens[side], "url": found.url}])
    return page


def take(page: Page, path: Path, size: str) -> None:
    height = page.evaluate("document.documentElement.scrollHeight")
    if size == "phone" and height > PHONE["height"]:
        page.screenshot(path=path, full_page=True, clip={"x": 0, "y": 0, "width": 390, "height": min(height, DEEPEST)})
    else:
        page.screenshot(path=path)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
