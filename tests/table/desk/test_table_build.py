"""The builder: what is typed is read at once, what is wrong is put right by a click, and the text is never lost."""

from __future__ import annotations

import pickle
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
from flagplot.table.build.built import built
from flagplot.table.build.edits import changed, fixed, with_more, with_rule, with_setting, with_units
from flagplot.table.build.examples import EXAMPLE, EXAMPLES
from flagplot.table.build.map import placed
from flagplot.table.build.packed import LONGEST, pack, unpack
from flagplot.table.build.settings import KINDS, kind_of
from flagplot.table.workers.calculator import Calculator
from tests.table.browsers import Browser, site, words

WRONG = EXAMPLE.replace("Hornet", "Hornte").replace("Soryu", "Soryo")


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    """Battles are read in this process, and none is played."""
    app = site(tmp_path)
    app.state.calculator.ask_built = built
    app.state.calculator.run = lambda work, *args: work(*args)
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
    assert pickle.loads(pickle.dumps(built(EXAMPLE))) == built(EXAMPLE), "it comes from another process"


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


@pytest.mark.parametrize("kind", [*EXAMPLES])
def test_every_kind_has_an_example_whose_numbers_step(kind: str) -> None:
    text = with_setting(EXAMPLE, "kind", kind)
    found = built(text)
    assert found.ready
    assert kind_of(found.draft) == kind
    assert [side.trays for side in found.sides if not side.trays] == []
    for tray in [tray for side in found.sides for tray in side.trays]:
        part = next((one for one in tray.parts if one.step), None)
        if part is not None:
            wanted = part.number + part.step
            again = built(changed(text, {part.path: wanted})).sides
            parts = [one for side in again for new in side.trays for one in new.parts]
            assert [one.number for one in parts if one.path == part.path] == [wanted]


def test_a_battle_of_ones_own_changes_its_kind_line_and_nothing_else() -> None:
    mine = EXAMPLE.replace("Hornet", "Wasp")
    raid = with_setting(mine, "kind", "Raider battle")
    assert raid == f"Kind: Raider battle\n{mine}"
    assert kind_of(read(raid).draft) == "Raider battle"
    written = with_setting("Raiders: yes\n" + mine, "kind", "Line of Battle")
    assert written == f"Kind: Line of Battle\n{mine}"
    assert [kind_of(read(with_setting(mine, "kind", kind)).draft) for kind in KINDS[1:]] == [*KINDS[1:]]
    assert kind_of(read("Kind: base attack\nMap: hawaii\n" + mine).draft) == "Operation"


def test_who_intercepts_and_house_rules_are_lines_of_the_text() -> None:
    assert with_setting(EXAMPLE, "intercepts", "Japan") == EXAMPLE.replace("Moves: Japan", "Moves: United States")
    ruled = with_rule(with_rule(EXAMPLE, "critical_hits", "never"), "damaged_cruiser_first", "no")
    assert ruled.startswith("House rules: critical_hits = never; damaged_cruiser_first = no\n")
    assert read(ruled).draft["options"] == {"critical_hits": "never", "damaged_cruiser_first": False}
    assert with_rule(with_rule(ruled, "critical_hits", ""), "damaged_cruiser_first", "") == EXAMPLE


def test_controls_show_what_the_text_says_and_write_it(browser: Browser) -> None:
    text = "Winter: 3\nTactical codebreaking: US\n" + EXAMPLE
    page = browser.get(f"/build?b={pack(text)}")
    for shown in ('value="3" selected', '<option value="United States" selected', "22.462D"):
        assert shown in page.text
    sent = form(text, page=page.text) | {
        "set.winter": "",
        "set.rounds": "4",
        "set.tactical_codebreaking": "United States",
        "set.intercepts": "Japan",
        "t.forces[0].activity": "patrol",
    }
    after = typed(browser.post("/build", sent).headers["location"])
    assert "Winter" not in after
    assert "Rounds: 4" in after
    assert "Moves: United States" in after
    assert read(after).draft["forces"][0]["activity"] == "patrol"
    ruled = browser.post("/build", form(text, page=page.text, rule="critical_hits=never"))
    assert "House rules: critical_hits = never" in typed(ruled.headers["location"])


def test_forces_and_bases_are_placed_on_the_map() -> None:
    text = EXAMPLES["Operation"]
    chart = built(text).chart
    assert chart is not None
    assert "seamap" in chart.ground
    assert ("forces[2]", "Task Force 17") in chart.things
    assert ("truk", "Truk") in chart.spots
    at_sea = read(placed(text, "forces[0]", "3,1"))
    assert at_sea.problems == ()
    assert at_sea.draft["forces"][0]["patrol"] == "3,1"
    in_port = read(placed(at_sea.text, "forces[0]", "rabaul"))
    assert in_port.problems == ()
    assert in_port.draft["forces"][0]["base"] == "rabaul"
    assert "patrol" not in in_port.draft["forces"][0]
    ordered = read(placed(text, "may forces[0]", "3,1"))
    assert ordered.draft["forces"][0]["orders"][-1]["activity"] == "patrol"
    cove = read(placed(text, "ports japan", "4,-2"))
    assert cove.draft["bases"][1] | {"id": ""} == {
        "id": "",
        "name": "Guadalcanal",
        "side": "japan",
        "at": [4, -2],
        "ports": 1,
    }
    moved = read(placed(text, "bases[0]", "4,-2"))
    assert moved.draft["bases"][0]["at"] == [4, -2]
    for what, where in (("forces[9]", "3,1"), ("forces[0]", "999,999"), ("sides[0]", "3,1"), ("", ""), ("bases", "x")):
        assert placed(text, what, where) == text
    assert placed(EXAMPLE, "forces[0]", "3,1") == EXAMPLE, "a battle has no map"


def test_a_click_on_the_map_is_a_line_of_the_text(browser: Browser) -> None:
    text = EXAMPLES["Operation"]
    page = browser.get(f"/build?b={pack(text)}")
    assert "The Coral Sea" in words(page) or "Coral Sea" in words(page)
    sent = form(text, page=page.text, place="yes", thing="forces[0]", at="3,1", spot="truk")
    assert "on patrol at 3,1" in typed(browser.post("/build", sent).headers["location"])
    by_name = form(text, page=page.text, place="yes", thing="forces[0]", at="", spot="rabaul")
    assert "in Rabaul" in typed(browser.post("/build", by_name).headers["location"]).split("\n")[4]
    mark = re.search('name="charted" value="([0-9a-f]+)"', page.text)
    assert mark
    again = browser.post("/build/read", form(text, page=page.text, charted=mark[1]))
    assert "m-ground" not in again.text, "the ground is sent once"
    assert "m-counters" in again.text


def test_something_new_is_added_by_a_click(browser: Browser) -> None:
    for what, group in (("force", "forces"), ("base", "bases"), ("submarines", "submarines")):
        more = read(with_more(EXAMPLE, "japan", what))
        assert more.problems == ()
        assert more.draft[group][-1]["side"] == "japan"
    assert read(with_more(EXAMPLES["Line of Battle"], "japan", "counter")).problems == ()
    assert with_more(EXAMPLE, "nobody", "force") == EXAMPLE
    page = browser.get("/build")
    added = browser.post("/build", form(EXAMPLE, page=page.text, new="japan submarines"))
    assert typed(added.headers["location"]).endswith("Japan submarines: 1\n")


def test_keys_that_are_out_of_shape_are_told_and_break_nothing() -> None:
    for key in (
        "kind = [1]",
        "sides = 3",
        "sides[0].nations = 3",
        "forces = 3",
        "forces[0].ships = 3",
        "bases[0].air = [1]",
        'sides[0].nations = "x"',
        "forces[0] = {}",
    ):
        assert not built(f"{EXAMPLE}Set: {key}\n").ready, key


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
