"""The builder: what is typed is read at once, what is wrong is put right by a click, and the text is never lost."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from flagplot import library
from flagplot.builder import read, same
from flagplot.kernel.errors import FlagplotError
from flagplot.table.build_edits import changed, edited, fixed, with_setting, with_units
from flagplot.table.build_pages import EXAMPLE
from flagplot.table.built import built
from flagplot.table.calculator import BUILT, Calculator, answered
from flagplot.table.packed import LONGEST, pack, unpack
from tests.table.browsers import Browser, site, words

WRONG = EXAMPLE.replace("Hornet", "Hornte").replace("Soryu", "Soryo")


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    """Battles are read in this process, and none is played."""
    app = site(tmp_path)
    app.state.calculator.ask_built = built
    app.state.calculator.ask_edited = lambda text, deed, *args: edited(text, deed, args)
    app.state.forecasts.look = lambda forecast, who: None
    yield Browser(app)
    app.state.tables.close()


def text_of(page: Any) -> str:
    """What stands in the box."""
    found = re.search(r'<textarea id="text"[^>]*>(.*?)</textarea>', page.text, re.DOTALL)
    assert found
    return unescape(found[1])


def typed(location: str) -> str:
    """The text of an address."""
    found = re.search(r"[?&]b=([\w-]+)", location)
    assert found
    return unpack(found[1])


def form(text: str, **more: str) -> dict[str, str]:
    mark = re.search('name="mark" value="([0-9a-f]+)"', more.pop("page", ""))
    return {"text": text, "mark": mark[1] if mark else "", **more}


def test_the_example_is_ready_to_play(browser: Browser) -> None:
    page = browser.get("/build")
    told = words(page)
    assert text_of(page) == EXAMPLE
    assert "Japan 26 factors · 6 air units" in told
    assert "Factors 13 of 25 20.162" in told
    assert ">Play</button>" in page.text
    assert answered(BUILT, {"text": EXAMPLE}, 1) == built(EXAMPLE)


def test_everything_wrong_is_shown_at_its_place_and_put_right_by_a_click(browser: Browser) -> None:
    page = browser.get(f"/build?b={pack(WRONG)}")
    assert "<mark>Soryo</mark>" in page.text
    assert "<mark>Hornte</mark>" in page.text
    assert "Play</button>" not in page.text
    assert "as if every suggestion were taken" in words(page)
    first = browser.post("/build", form(WRONG, page=page.text, fix="0"))
    assert first.status_code == 303
    assert typed(first.headers["location"]) == WRONG.replace("Soryo", "Soryu")
    page = browser.get(first.headers["location"])
    out = browser.post("/build", form(text_of(page), page=page.text, out="0"))
    assert "US TF16: Enterprise, 6 CA, 4 DD; 6 NAS" in typed(out.headers["location"])


def test_the_script_gets_the_parts_that_changed_and_the_address(browser: Browser) -> None:
    page = browser.get(f"/build?b={pack(WRONG)}")
    parts = browser.post("/build/read", form(WRONG, page=page.text, fix="0"))
    assert text_of(parts) == WRONG.replace("Soryo", "Soryu")
    assert typed(parts.headers["HX-Replace-Url"]) == text_of(parts)
    plain = browser.post("/build/read", form(EXAMPLE))
    assert "<textarea" not in plain.text, "what somebody types is not exchanged under his hands"


def test_steppers_rewrite_their_line_and_nothing_else() -> None:
    found = changed(EXAMPLE, {"forces[2].ships[0].cruisers": 8})
    lines, before = found.split("\n"), EXAMPLE.split("\n")
    assert [place for place in range(len(lines)) if lines[place] != before[place]] == [4]
    assert "8 CA" in lines[4]
    without = changed(EXAMPLE, {}, "forces[0].ships[0].named[0]").split("\n")[2]
    assert without.startswith("Japan Striking Force: Soryu, 4 CA, 3 DD; 3 elite NAS"), "her squadrons go with her"
    none = changed(EXAMPLE, {"forces[0].air[0].squadrons": 0}).split("\n")[2]
    assert "NAS" not in none
    assert changed(EXAMPLE, {"forces[9].ships[0].cruisers": 8, "__class__": 1, "sides": 3}) == EXAMPLE


def test_steppers_that_were_drawn_for_another_text_count_for_nothing(browser: Browser) -> None:
    page = browser.get("/build")
    steps = {"n.forces[2].ships[0].cruisers": "8"}
    stepped = browser.post("/build", form(EXAMPLE, page=page.text) | steps)
    assert "8 CA" in typed(stepped.headers["location"])
    newer = EXAMPLE.replace("6 CA", "2 CA")
    kept = browser.post("/build", form(newer, page=page.text) | steps)
    assert typed(kept.headers["location"]) == newer


def test_settings_and_units_are_lines_of_the_text(browser: Browser) -> None:
    assert with_setting(EXAMPLE, "date", "Fall 1943").startswith("Date: Fall 1943\nMoves: Japan\n")
    assert with_setting(EXAMPLE, "theatre", "Europe").startswith("Theatre: Europe\nDate: Summer 1942\n")
    assert with_setting(EXAMPLE, "attacker", "").startswith("Date: Summer 1942\nJapan Striking")
    more = with_units(EXAMPLE, "forces[2]", "Yorktown, 3 NAS")
    assert read(more).draft["forces"][2]["ships"][0]["named"] == ["Yorktown", "Enterprise", "Hornet"]
    assert with_units(EXAMPLE, "", "Japan TF9: Nagato, 6 CA").endswith("Japan TF9: Nagato, 6 CA\n")
    page = browser.get("/build")
    chosen = browser.post(
        "/build", form(EXAMPLE, page=page.text) | {"set.attacker": "United States", "set.date": "Summer 1942"}
    )
    assert "Moves: United States" in typed(chosen.headers["location"])


@pytest.mark.parametrize("name", ["midway", "malta", "savo-island", "coral-sea-operation"])
def test_any_scenario_can_be_opened(browser: Browser, name: str) -> None:
    opened = browser.get(f"/build?from={name}")
    assert opened.status_code == 303
    document = read(typed(opened.headers["location"])).document
    assert document is not None
    assert same(document, library.read_scenario(name))
    assert browser.get(opened.headers["location"]).status_code == 200


def test_a_battle_is_taken_away_as_a_file_and_played_with_one_click(browser: Browser) -> None:
    saved = browser.get(f"/build/file?b={pack(EXAMPLE)}")
    assert saved.headers["content-disposition"] == 'attachment; filename="a-battle-of-my-own.toml"'
    assert same(tomllib.loads(saved.text), read(EXAMPLE).document or {})
    assert browser.get(f"/build/file?b={pack(WRONG)}").status_code == 422
    page = browser.get("/build")
    found = re.search(r'name="text" value="([^"]*)"', page.text)
    assert found
    played = browser.post("/new", {"text": unescape(found[1])})
    assert played.status_code == 303
    assert played.headers["location"].endswith("/briefing")


def test_a_change_is_compared_with_the_battle_before_it(browser: Browser) -> None:
    page = browser.get("/build")
    pinned = browser.post("/build", form(EXAMPLE, page=page.text, compare="yes"))
    assert f"a={pack(EXAMPLE)}" in pinned.headers["location"]
    offered = re.search(r'href="(/build\?b=[^"]*)">Enterprise stays away', page.text)
    assert offered
    away = unescape(offered[1])
    assert "Enterprise" not in typed(away)
    assert f"a={pack(EXAMPLE)}" in away
    assert "Stop comparing" in browser.get(away).text


@pytest.mark.parametrize(
    "link", ["b=!", "b=", "b=" + "A" * 9000, "b=" + pack("a" * (LONGEST + 1)), "a=zz", "from=../../etc"]
)
def test_links_of_strangers_do_no_harm(browser: Browser, link: str) -> None:
    assert browser.get(f"/build?{link}").status_code in (200, 404, 422)
    assert browser.post("/build", {"text": "a" * (LONGEST + 1)}).status_code == 422


def test_hostile_texts_are_read_soon_and_shown_as_text(browser: Browser) -> None:
    for text in ("<script>alert(1)</script>: <b>", ":" * 3000, "((((" * 1000, "Set: a = " + "[" * 500, "\x00\ud7ff"):
        page = browser.get(f"/build?b={pack(text)}")
        assert page.status_code == 200
        assert "<script>alert" not in page.text


def test_a_line_that_is_longer_than_any_force_is_refused() -> None:
    with pytest.raises(FlagplotError, match="at most 1,500 characters"):
        Calculator().ask_built("Japan TF1: " + "9 CA " * 2400)


def test_what_is_wrong_is_never_left_out_beyond_its_line() -> None:
    problem = built(WRONG).problems[0]
    assert fixed("one line", problem) == "one line"
    with pytest.raises(FlagplotError):
        unpack("x" * 10)


def test_programs_read_battles_and_ask_who_will_win(browser: Browser) -> None:
    client = browser.client
    told = client.post("/api/build", json={"text": EXAMPLE}).json()
    made = client.post("/api/tables", json={"scenario": told["scenario"]}).json()
    assert not told["problems"]
    assert unpack(told["link"].partition("b=")[2]) == EXAMPLE
    wrong = client.post("/api/build", json={"text": WRONG}).json()
    assert wrong["scenario"] is None
    assert [one["suggestion"] for one in wrong["problems"]] == ["Soryu", "Hornet"]
    headers = {"Authorization": f"Bearer {made['tokens']['japan']}"}
    address = f"/api/tables/{made['game']}/sides/japan/forecast"
    assert client.get(address, headers=headers).json()["figures"]["battles"] == 0
    assert client.get(address).status_code == 401
