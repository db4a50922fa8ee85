"""After the battle, and beside it: how it ended, rematches, chat and note pads. None of the talk leaves the table."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from flagplot.kernel.requests import Choose
from flagplot.table.games.replay import Replay
from flagplot.table.info import Created
from flagplot.table.keeping.archives import _packed
from flagplot.table.refusals import NotYet
from flagplot.table.seats.talk import A_MINUTE, MESSAGE, PAD, REACTIONS_A_MINUTE
from flagplot.table.tables import Tables
from tests.table.browsers import Browser, open_site, words


@pytest.fixture
def app(tmp_path: Path) -> Iterator[FastAPI]:
    with open_site(tmp_path) as made:
        yield made


@pytest.fixture
def tables(app: FastAPI) -> Tables:
    found: Tables = app.state.tables
    return found


def two(app: FastAPI, scenario: str = "denmark-strait") -> tuple[Created, Browser, Browser]:
    """A table with two people, each in a browser of his own: Germany and Britain."""
    made = app.state.tables.create(scenario)
    seated = []
    for number, (side, name) in enumerate([("germany", "Lütjens"), ("britain", "Holland")]):
        browser = Browser(app, f"192.0.2.{number + 1}")
        browser.post("/join", {"token": made.tokens[side], "name": name})
        seated.append(browser)
    return made, *seated


def play_out(tables: Tables, game: str) -> None:
    """Answer the first option until it is over; the staff answers for itself."""
    bots = [side for side, holder in tables.table(game).holders.items() if holder.is_bot]
    for number in range(2000):
        with tables.game(game, "neutral") as live:
            request = live.pending
            if request is None:
                return
            assert isinstance(request, Choose)
            side, option, at = request.side, request.options[0].text, live.moment_of(request.side)
        if side in bots:
            time.sleep(0.01)
        else:
            tables.answer(game, side, option, at, f"{number:032x}")
    raise AssertionError("it does not end")


# --- the end --------------------------------------------------------------------------------------------------------


def test_there_is_no_end_before_the_end(app: FastAPI, tables: Tables) -> None:
    made, germany, _ = two(app)
    assert germany.get(f"/table/{made.game}/ending").headers["location"] == f"/table/{made.game}"
    with pytest.raises(NotYet):
        tables.ending(made.game, "germany")
    refused = germany.post(f"/table/{made.game}/rematch")
    assert refused.status_code == 403


def test_the_end_is_told_and_the_same_people_play_again(app: FastAPI, tables: Tables) -> None:
    made, germany, britain = two(app)
    play_out(tables, made.game)
    told = tables.ending(made.game, "britain")
    result = tables.look(made.game, "britain").result
    assert result is not None
    assert (told.winner, told.rule) == (result["winner"], result["rule"])
    assert [cost.side for cost in told.costs] == ["britain", "germany"]
    for cost in told.costs:
        assert cost.factors == result["factors_sunk"][cost.side]
        assert cost.of == {"germany": 6, "britain": 7}[cost.side]
        assert all(one.rolls and one.error for one in cost.fallen)
    page = words(britain.get(f"/table/{made.game}/ending"))
    assert told.headline("britain") in page
    assert "Britain lost" in page
    assert "Rematch" in page
    watched = words(Browser(app).get(f"/watch/{made.public_id}/ending"))
    assert "Britain lost" in watched
    assert "Rematch" not in watched

    again = germany.post(f"/table/{made.game}/rematch", {"swap": "yes"})
    new = re.fullmatch(r"/table/(\w+)/briefing", again.headers["location"])
    assert new
    assert words(germany.get(f"/table/{new[1]}/briefing")).count("Orders for Britain") == 1
    assert "wants a rematch" not in words(germany.get(f"/table/{made.game}/ending"))
    offered = words(britain.get(f"/table/{made.game}/ending"))
    assert "Lütjens wants a rematch, with sides swapped." in offered
    taken = britain.post(f"/table/{made.game}/rematch")
    assert taken.headers["location"] == again.headers["location"]
    holders = tables.table(new[1]).holders
    assert {side: (one.name, one.joined) for side, one in holders.items()} == {
        "germany": ("Holland", True),
        "britain": ("Lütjens", True),
    }
    for browser in (germany, britain):
        assert browser.post(f"/table/{made.game}/rematch").status_code == 409


def test_a_rematch_against_the_staff_begins_at_once(app: FastAPI, tables: Tables) -> None:
    made = tables.create("denmark-strait", seats={"britain": "doctrine"})
    me = Browser(app)
    me.post("/join", {"token": made.tokens["germany"]})
    play_out(tables, made.game)
    again = me.post(f"/table/{made.game}/rematch", {"swap": "yes"})
    game = again.headers["location"].split("/")[2]
    assert {side: holder.kind for side, holder in tables.table(game).holders.items()} == {
        "germany": "doctrine",
        "britain": "person",
    }
    assert tables.store.rematch(made.game) is None


# --- chat and notes -------------------------------------------------------------------------------------------------


def test_players_talk_and_nobody_else_hears_it(app: FastAPI, tables: Tables) -> None:
    made, germany, britain = two(app)
    base = f"/table/{made.game}"
    assert germany.post(f"{base}/say", {"text": " Good  luck <b>! "}).headers["location"] == f"{base}/notes"
    assert germany.post(f"{base}/pad", {"text": "turn at dawn"}).status_code == 303
    heard = britain.get(f"{base}/notes")
    assert "Lütjens" in words(heard)
    assert "Good luck &lt;b&gt;!" in heard.text
    assert "turn at dawn" not in heard.text
    assert "turn at dawn" in germany.get(f"{base}/notes").text
    stranger = Browser(app, "192.0.2.9")
    for path in ("/notes", "/said"):
        assert stranger.get(base + path).status_code == 403
        assert stranger.get(f"/watch/{made.public_id}{path}").status_code == 404
    for path, data in (("/say", {"text": "x"}), ("/pad", {"text": "x"})):
        assert stranger.post(base + path, data).status_code == 403
        assert germany.post(base + path, {**data, "as": "britain"}).status_code == 403
    play_out(tables, made.game)
    everywhere = [stranger.get(f"/watch/{made.public_id}{path}").text for path in ("", "/ending", "/replay", "/report")]
    everywhere += [tables.save(made.game), str(_packed(tables.store, made.game))]
    everywhere += [britain.get(f"{base}{path}").text for path in ("", "/report", "/log", "/proof")]
    assert not any("Good luck" in text or "turn at dawn" in text for text in everywhere)


def test_a_new_message_shows_on_the_battle_page_until_it_is_read(app: FastAPI, tables: Tables) -> None:
    made, germany, britain = two(app)
    base = f"/table/{made.game}"
    tick = tables.tick(made.game)
    germany.post(f"{base}/say", {"text": "Ready?"})
    germany.post(f"{base}/say", {"text": "I am."})
    assert tables.tick(made.game) > tick, "open pages are woken"
    assert "2 new messages" in words(britain.get(base))
    assert "new message" not in words(germany.get(base)), "one's own messages are no news"
    assert "Ready?" not in britain.get(base).text, "the words stand in the chat alone"
    assert "new message" not in words(Browser(app, "192.0.2.9").get(f"/watch/{made.public_id}"))
    britain.get(f"{base}/notes")
    assert "new message" not in words(britain.get(base))
    germany.post(f"{base}/say", {"text": "Hello?"})
    assert "1 new message" in words(britain.get(base))
    britain.get(f"{base}/said")
    assert "new message" not in words(britain.get(base)), "who has the chat open reads along"


def test_quick_reactions_are_off_until_both_sides_want_them(app: FastAPI, tables: Tables) -> None:
    made, germany, britain = two(app)
    base = f"/table/{made.game}"
    refused = germany.post(f"{base}/react", {"text": "Ouch"})
    assert refused.status_code == 403
    assert 'class="react"' not in germany.get(base).text
    germany.post(f"{base}/reactions", {"on": "yes"})
    assert "on for you" in words(germany.get(f"{base}/notes"))
    assert germany.post(f"{base}/react", {"text": "Ouch"}).status_code == 403, "the other side has not agreed"
    britain.post(f"{base}/reactions", {"on": "yes"})
    assert 'class="react"' in germany.get(base).text
    assert germany.post(f"{base}/react", {"text": "You fool"}).status_code == 422
    assert germany.post(f"{base}/react", {"text": "Ouch"}).status_code == 303
    assert "“Ouch”" in words(britain.get(base))
    assert "Ouch" not in Browser(app, "192.0.2.9").get(f"/watch/{made.public_id}").text
    for _ in range(REACTIONS_A_MINUTE - 1):
        germany.post(f"{base}/react", {"text": "Nice roll"})
    assert germany.post(f"{base}/react", {"text": "Ouch"}).status_code == 429
    britain.post(f"{base}/reactions", {})
    page = words(britain.get(base))
    assert "Nice roll" not in page
    assert "new message" not in page, "who wants none is not called for them"
    play_out(tables, made.game)
    assert "Nice roll" not in tables.save(made.game)


def test_what_is_too_long_or_too_much_is_refused_and_kept_in_the_form(app: FastAPI) -> None:
    made, germany, _ = two(app)
    base = f"/table/{made.game}"
    for text, says in (("", "Write something first."), ("a" * (MESSAGE + 1), f"at most {MESSAGE} characters")):
        refused = germany.post(f"{base}/say", {"text": text})
        assert refused.status_code == 422
        assert says in words(refused)
        assert text in refused.text
    assert germany.post(f"{base}/say", {"text": "a" * 5000}).status_code == 422
    assert germany.post(f"{base}/pad", {"text": "b" * (PAD + 1)}).status_code == 422
    for number in range(A_MINUTE):
        assert germany.post(f"{base}/say", {"text": f"No {number}"}).status_code == 303
    assert "wait a moment" in words(germany.post(f"{base}/say", {"text": "One more"}))


def test_only_the_newest_messages_are_kept(app: FastAPI, tables: Tables) -> None:
    made, _, _ = two(app)
    for number in range(7):
        tables.store.say(made.game, "germany", f"No {number}", float(number), keep=5)
    assert [one.text for one in tables.talk.messages(made.game)] == [f"No {number}" for number in range(2, 7)]


def test_against_the_staff_there_is_a_note_pad_alone(app: FastAPI, tables: Tables) -> None:
    made = tables.create("denmark-strait", seats={"britain": "doctrine"})
    me = Browser(app)
    me.post("/join", {"token": made.tokens["germany"]})
    told = words(me.get(f"/table/{made.game}/notes"))
    assert "Note pad" in told
    assert "Send" not in told


# --- the replay -----------------------------------------------------------------------------------------------------


def test_key_moments_lead_to_steps_at_which_they_have_happened(app: FastAPI, tables: Tables) -> None:
    made, germany, _ = two(app)
    play_out(tables, made.game)
    for reader in ("umpire", "germany", "britain"):
        moments = tables.key_moments(made.game, reader)
        assert moments
        assert [one.step for one in moments] == sorted({one.step for one in moments})
        for one in moments:
            there = [entry.text for entry in tables.replay(made.game, reader, one.step).log]
            assert one.text in there
            if one.step:
                assert one.text not in [entry.text for entry in tables.replay(made.game, reader, one.step - 1).log]
    page = germany.get(f"/table/{made.game}/replay?step=2")
    assert f"Key moments ({len(tables.key_moments(made.game, 'germany'))})" in page.text
    for step in (0, 1, 3):
        assert f'data-to="{step}"' in page.text
    assert 'aria-disabled="true">Next' in germany.get(f"/table/{made.game}/replay?step=9999").text


def test_key_moments_know_what_was_taken_back() -> None:
    replay = Replay.__new__(Replay)
    replay._bodies = [{}, {"choose": "a"}, {"roll": [1]}, {"choose": "b"}, {"undo": 3}, {"choose": "c"}, {"roll": [2]}]
    assert replay._answers_at([0, 2, 3, 4, 5, 6]) == [0, 2, 3, 2, 3, 4]
