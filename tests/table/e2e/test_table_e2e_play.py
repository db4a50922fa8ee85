"""People at real browsers play on a real server: to the end, through reloads and a killed server, and take back."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import flagplot
from flagplot.kernel.tape import seal
from tests.table.chromium import Person, play
from tests.table.databases import Cluster
from tests.table.servers import Server, eventually

Somebody = Callable[..., Person]
BATTLE = "denmark-strait"
"""Two groups, a single round: thirteen answers if everybody takes the first option."""
KEPT = ("contribute", "nonce", "reveal")
"""What a browser adds to the dice."""
MATCH = re.compile(r"^This browser’s \d+ receipts all match the game\.$")


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all of this. A page does the same with either kind of database, so each test has one of them; whole
    games by programs and what a killed server leaves behind are tried with both in `test_table_api.py`,
    `test_table_ahead.py` and `test_table_commands.py`."""
    store = ""
    if request.param == "postgresql":
        postgres: Cluster = request.getfixturevalue("postgres")
        store = postgres.database()
    made = Server(tmp_path_factory.mktemp("server"), store, rate_limits="no")
    made.start()
    yield made
    made.stop()


on_sqlite = pytest.mark.parametrize("server", ["sqlite"], indirect=True)
on_postgresql = pytest.mark.parametrize("server", ["postgresql"], indirect=True)


@on_sqlite
def test_two_people_set_up_a_table_play_to_the_end_and_replay_it(person: Somebody, tmp_path: Path) -> None:
    host, friend = person(), person()
    page = host.go(f"/new/{BATTLE}")
    page.get_by_role("group", name="Opponent").get_by_label("A friend, by a link").check()
    page.locator("summary", has_text="Names").click()
    page.get_by_label("Your name").fill("Lütjens")
    page.get_by_role("button", name="Begin").click()
    link = page.get_by_label("Link for Britain").input_value()
    page.get_by_role("link", name="To the table").click()
    expect(page.locator("#part-top")).to_contain_text("Your turn")
    host.answer(by_key=True)
    expect(page.locator("#part-question")).to_contain_text("Nobody has taken that seat yet")

    friend.page.goto(link)
    expect(friend.page.locator("#invitation")).to_contain_text("You play Britain")
    assert friend.page.url.endswith("/join"), "the secret of the link stays in the address"
    friend.page.get_by_label("Your name").fill("Holland")
    friend.page.get_by_role("button", name="Take the seat").click()
    expect(friend.page.locator("#orders")).to_have_text("Stop the raiders before they reach the convoys.")
    friend.begin()
    expect(friend.page.locator("#part-top")).to_contain_text("You are Britain against Lütjens")

    chosen = play({host: True, friend: False})
    assert len(chosen) >= 10
    for one in (host, friend):
        expect(one.page.locator("#part-question [data-over]")).to_have_count(1)
        expect(one.page).to_have_title("Battle over. Denmark Strait, May 1941 · Flagplot")

    for one in (host, friend):
        one.page.get_by_role("link", name="Proof of the dice").click()
        expect(one.page.locator(".receipts .said")).to_have_text(MATCH)
    page = friend.page
    expect(page.get_by_role("heading", name="Proved")).to_be_visible()
    with page.expect_download() as started:
        page.get_by_role("link", name="Download the save").click()
    file = tmp_path / started.value.suggested_filename
    started.value.save_as(file)
    proof = flagplot.verify(file)
    assert proof.sound
    assert proof.answers >= len(chosen)
    with page.expect_download() as started:
        page.get_by_role("button", name="Download the receipts").click()
    mine = json.loads(started.value.path().read_text())
    assert (mine["flagplot"], mine["side"]) == ("receipts", "britain")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert mine["commitment"] == lines[0]["dice"]["commitment"]
    own = {kind: [line[kind] for line in lines if line.get("side") == "britain" and kind in line] for kind in KEPT}
    assert {kind: [each[kind] for each in mine["kept"] if kind in each] for kind in KEPT} == own
    assert own["reveal"], "no roll had fresh bytes of the other browser"
    assert not any("skip" in line for line in lines)

    page.route("**/save", lambda route: route.fulfill(body=forged(file.read_text())))
    page.reload()
    expect(page.locator(".receipts .said")).to_contain_text("receipts do not all match the game")
    expect(page.locator(".receipts .faults")).to_contain_text("your answer, or something earlier in the game, changed")
    page.unroute("**/save")
    page.go_back()

    page.get_by_role("link", name="Replay, as each side saw it").click()
    expect(page.locator("#replay")).to_contain_text("Step 0 of")
    page.wait_for_load_state()  # its keys are there when its script is
    page.get_by_role("slider").press("End")
    expect(page.locator("#replay")).to_contain_text("the end. ")
    page.get_by_role("slider").press("ArrowLeft")
    expect(page.locator("#replay")).not_to_contain_text("the end. ")
    page.get_by_role("link", name="As Germany saw it").click()
    expect(page.locator("#replay")).to_contain_text("Step 0 of")


def forged(save: str) -> str:
    """The save with Britain's first answer changed, and all that follows chained again."""
    lines, prev = [json.loads(line) for line in save.splitlines()], ""
    first = next(line for line in lines if line.get("side") == "britain" and "choose" in line)
    first["choose"] = "something else"
    for line in lines:
        del line["hash"]
        text, prev = seal(line | ({"prev": prev} if "prev" in line else {}))
        line["hash"] = prev
        line["text"] = text
    return "".join(f"{line['text']}\n" for line in lines)


@on_sqlite
def test_two_at_one_screen_hand_over_and_see_nothing_before(person: Somebody) -> None:
    both = person()
    page = both.go("/new/malta")
    page.get_by_label("Both, at one screen").check()
    page.get_by_role("button", name="Begin").click()
    for _ in range(20):
        expect(page.locator("main")).to_contain_text("It shows neither side")
        assert page.locator(".board, .position, .log").count() == 0
        page.keyboard.press("1")
        page.wait_for_url("**?as=*")
        while both.asked:
            both.answer(both.options.count() - 1)
        if both.over:
            break
        page.get_by_role("link", name="Hand over").click()
    expect(page.locator("#part-question [data-over]")).to_have_count(1)


@on_sqlite
def test_two_people_talk_take_back_by_consent_and_play_again(person: Somebody, server: Server) -> None:
    made = server.make(BATTLE)
    germany, britain = person(), person()
    germany.sit_down(made, "germany", "Lütjens")
    britain.sit_down(made, "britain", "Holland")
    talk(germany, britain)
    play({germany: False, britain: False}, answers=6)
    eventually(lambda: germany.asked or britain.asked)
    asked = germany if germany.asked else britain
    other = britain if asked is germany else germany
    other.page.get_by_role("button", name="Ask to take back").click()
    expect(other.page.locator(".proposal")).to_contain_text("You asked to take back")
    expect(asked.page.locator(".proposal")).to_contain_text("asks to take back the last decision")
    asked.page.get_by_role("button", name="Decline").click()
    expect(other.page.locator(".proposal")).to_have_count(0)
    assert not other.asked
    other.page.get_by_role("button", name="Ask to take back").click()
    asked.page.get_by_role("button", name="Allow").click()
    eventually(lambda: other.asked and not asked.asked)
    expect(asked.page.locator(".proposal")).to_have_count(0)
    play({germany: False, britain: False})
    assert server.ask(f"/api/tables/{made['game']}/verification", token=made["tokens"]["britain"])["sound"]
    for one in (germany, britain):
        expect(one.page.locator("#part-question [data-over]")).to_have_count(1)
    germany.page.get_by_role("link", name="See how it ended").click()
    germany.page.get_by_role("button", name="Swap sides").click()
    germany.begin()
    expect(germany.page.locator("#part-top")).to_contain_text("You are Britain")
    britain.page.get_by_role("link", name="See how it ended").click()
    expect(britain.page.locator("main")).to_contain_text("Lütjens wants a rematch, with sides swapped.")
    britain.page.get_by_role("button", name="Take your seat").click()
    britain.begin()
    expect(britain.page.locator("#part-top")).to_contain_text("You are Germany against Lütjens")


def talk(one: Person, other: Person) -> None:
    """What one says shows on the other's battle page at once, and in its title, until it is read."""
    address = other.page.url
    one.page.locator(".menu summary").click()
    one.page.get_by_role("link", name="Chat and notes").click()
    one.page.get_by_role("textbox", name="Message").fill("Good hunting")
    one.page.get_by_role("button", name="Send").click()
    expect(other.page.locator("#part-top .mail")).to_contain_text("1 new message")
    expect(other.page).to_have_title(re.compile(r"^\(1\) "))
    other.page.locator("#part-top .mail").click()
    expect(other.page.locator("#said")).to_contain_text("Good hunting")
    for person in (one, other):
        person.page.get_by_role("link", name="Table").click()
    expect(other.page).to_have_url(address)
    expect(other.page.locator("#part-top .mail")).to_have_count(0)


@on_sqlite
def test_a_page_that_was_reloaded_or_hidden_or_left_shows_what_is_now(person: Somebody, server: Server) -> None:
    made = server.make(BATTLE)
    germany, britain = person(), person()
    germany.sit_down(made, "germany")
    britain.sit_down(made, "britain")
    play({germany: False, britain: False}, answers=1)
    question = britain.asked
    britain.page.reload()
    assert britain.asked == question
    germany.hide(True)
    while britain.asked:
        britain.answer()
    assert not germany.asked
    germany.hide(False)
    eventually(lambda: germany.asked, "the page did not connect again by itself")
    britain.page.locator(".menu summary").click()
    britain.page.get_by_role("link", name="Rules", exact=True).click()
    while germany.asked:
        germany.answer()
    britain.page.go_back()
    eventually(lambda: britain.asked, "who came back was not shown what is now")
    play({germany: False, britain: False})
    assert germany.over
    assert britain.over


@on_sqlite
def test_a_page_gets_news_also_if_its_scripts_come_late(person: Somebody, server: Server) -> None:
    """htmx must not begin before its extension for streams is there."""
    made = server.make(BATTLE, join=True)
    watching = person()
    watching.page.route("**/htmx-sse*", lambda route: (time.sleep(0.4), route.continue_()))  # type: ignore[func-returns-value]
    watching.go(f"/watch/{made['public_id']}")
    asked, token = f"{path(made, 'germany')}", made["tokens"]["germany"]
    question = server.ask(f"{asked}/turn", token=token)["question"]
    server.ask(f"{asked}/answers", {"option": question["options"][0]["text"], "at": question["at"]}, token)
    expect(watching.page.locator("#part-question")).to_contain_text("Waiting for Britain")


@on_postgresql
def test_after_the_server_was_killed_all_that_was_acknowledged_is_there_and_pages_go_on(
    person: Somebody, server: Server
) -> None:
    made = server.make("surigao-strait")
    japan, allies = person(), person()
    japan.sit_down(made, "japan")
    allies.sit_down(made, "allies")
    play({japan: True, allies: False}, answers=5)
    eventually(lambda: japan.asked or allies.asked)  # no dice wait for a browser any more
    looks = {side: server.ask(path(made, side), token=token) for side, token in made["tokens"].items()}
    server.kill()
    asked = japan if japan.asked else allies
    question = asked.asked
    asked.options.first.click()  # nobody is there to take it
    for one in (japan, allies):
        expect(one.page.get_by_role("alert")).to_contain_text("cannot be reached")
    server.start()
    assert {side: server.ask(path(made, side), token=token) for side, token in made["tokens"].items()} == looks
    assert asked.asked == question
    assert len(play({japan: True, allies: False}, answers=6)) == 6
    for one in (japan, allies):
        expect(one.page.locator("#refusal")).to_be_empty()
    for one in (japan, allies):
        one.forgive()
    assert "Traceback" not in server.log


def path(made: dict[str, Any], side: str) -> str:
    return f"/api/tables/{made['game']}/sides/{side}"
