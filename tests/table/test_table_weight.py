"""What pages weigh on the wire: the first visit, a battle page, and what a decision changes on it."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from dataclasses import replace
from random import Random
from statistics import median
from time import process_time

import pytest
from fastapi import FastAPI

from flagplot.kernel.requests import Choose
from flagplot.table.battle.rendering import Rendered
from flagplot.table.reader import Place
from flagplot.table.tables import Tables
from tests.table.browsers import Browser

FIRST_VISIT, UPDATE = 200_000, 40_000
"""Compressed bytes of a page with all that it loads, and of what one decision changes on a board."""
SECONDS = 0.015
"""The time of a processor, not of a clock, in which a board is rendered: what else the machine does counts little."""
LOADED = re.compile(r'(?:src|href)="(/static/[^"]+)"')


def weight(browser: Browser, path: str) -> int:
    """A page and what it loads, as they travel."""
    page = browser.get(path)
    assert page.status_code == 200
    loaded = dict.fromkeys(LOADED.findall(page.text))
    assert loaded
    return sum(len(gzip.compress(content)) for content in [page.content, *[browser.get(one).content for one in loaded]])


@pytest.mark.parametrize("scenario", ["midway", "coral-sea-operation", "kursk"])
def test_the_first_page_and_a_battle_are_light(app: FastAPI, scenario: str) -> None:
    browser = Browser(app)
    assert weight(browser, "/") < FIRST_VISIT
    made = app.state.tables.create(scenario)
    side = next(iter(made.tokens))
    browser.post("/join", {"token": made.tokens[side], "name": "Somebody"})
    assert weight(browser, f"/table/{made.game}") < FIRST_VISIT


@pytest.mark.parametrize("scenario", ["midway", "coral-sea-operation", "malta-turn"])
def test_what_a_decision_changes_is_light_and_quick(app: FastAPI, scenario: str) -> None:
    tables: Tables = app.state.tables
    made = tables.create(scenario)
    sides, chance = list(made.tokens), Random(5)
    before: dict[str, Rendered] = {}
    heaviest, times = 0, list[float]()
    for number in range(12):
        for side in sides:
            look = replace(tables.look(made.game, side, sheet=True), version=0)
            names, table = tuple(look.view.sides.items()), tables.table(made.game)
            place = Place(base=f"/table/{made.game}", side=side, sides=(side,), names=names, table=table)
            times.append(min([_seconds(lambda: Rendered.of(place, look)) for _ in range(3)]))  # noqa: B023 - used at once
            now = Rendered.of(place, look, before.get(side))
            if side in before:
                heaviest = max(heaviest, len(gzip.compress(now.since(before[side]))))
            before[side] = now
        with tables.game(made.game, "neutral") as game:
            asked = game.pending
            assert isinstance(asked, Choose)
            option, at = chance.choice(asked.options).text, game.moment_of(asked.side)
        tables.answer(made.game, asked.side, option, at, f"{number:032x}")
    assert 0 < heaviest < UPDATE
    assert median(times) < SECONDS, "a whole page of this board, for one reader"


def _seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start
