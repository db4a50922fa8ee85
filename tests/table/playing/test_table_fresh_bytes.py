"""Fresh bytes of the other browser before each roll: asked for when the answer is kept, on the tape with the dice."""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import secrets
import time
from collections.abc import Callable
from typing import Any

import pytest

from flagplot.kernel.dice import receipt_of
from flagplot.kernel.errors import BadValue, UndoRefused
from flagplot.kernel.requests import Roll
from flagplot.kernel.ruleset import NEUTRAL
from flagplot.table.info import Created
from flagplot.table.playing import fresh_bytes
from flagplot.table.refusals import Conflict, NotAllowed, NotYourTurn
from flagplot.table.tables import Tables

Open = Callable[[], Tables]
PATIENCE = 20.0


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time is not up by chance; tests of the time set their own."""
    monkeypatch.setattr(fresh_bytes, "PATIENCE", 60.0)


class Browser:
    """The script of a page: it pledges, and reveals when it is asked to."""

    def __init__(self, tables: Tables, made: Created, side: str) -> None:
        self.tables, self.game, self.side = tables, made.game, side
        self.drawn: dict[str, str] = {}
        tables.wakeups._present[made.game, side] += 1  # as an open stream does

    def draw(self) -> str:
        shown = secrets.token_hex(32)
        pledge = hashlib.sha256(bytes.fromhex(shown)).hexdigest()
        self.drawn[pledge] = shown
        return pledge

    def pledge(self) -> None:
        self.tables.pledge(self.game, self.side, self.draw())

    def reveal(self) -> str | None:
        """Reveal if that is wanted; the receipt that came with the request."""
        receipt = self.tables.wanted_reveal(self.game, self.side)
        if receipt is not None:
            open_pledge = self.tables.open_pledge(self.game, self.side)
            assert open_pledge
            self.tables.reveal(self.game, self.side, self.drawn[open_pledge], self.draw(), receipt)
        return receipt


def answer(tables: Tables, game: str, chance: random.Random) -> tuple[str, str]:
    """Whoever is asked answers at random; the side and the receipt."""
    _, side, _ = tables.asked(game, NEUTRAL)
    assert side
    question, _, _ = tables.asked(game, side)
    assert question is not None, "dice are awaited"
    return side, tables.answer(game, side, chance.choice(question.options).text, question.at, secrets.token_hex(16))


def bodies(tables: Tables, game: str) -> list[dict[str, Any]]:
    return [json.loads(line.text) for line in tables.store.lines(game)]


def kinds(tables: Tables, game: str) -> list[str]:
    keys = ("choose", "roll", "reveal", "skip", "pledge", "contribute", "undo", "seat", "end")
    return [next((key for key in keys if key in body), "header") for body in bodies(tables, game)]


def rolling(tables: Tables, game: str) -> bool:
    return tables.look(game, NEUTRAL).rolling


def until_dice(tables: Tables, made: Created, *browsers: Browser, seed: int = 1) -> tuple[str, str]:
    """Play until dice wait for bytes; who asked for them, and his receipt."""
    chance = random.Random(seed)
    for _ in range(200):
        asked = answer(tables, made.game, chance)
        if rolling(tables, made.game):
            return asked
    raise AssertionError("no dice waited")


def eventually(what: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.01)


def both(tables: Tables, made: Created) -> dict[str, Browser]:
    found = {side: Browser(tables, made, side) for side in tables.table(made.game).sides}
    for one in found.values():
        one.pledge()
    return found


def test_the_answer_is_kept_before_the_bytes_are_asked_for_and_the_dice_fall_with_them(tables: Tables) -> None:
    made = tables.create("midway")
    browsers = both(tables, made)
    side, receipt = until_dice(tables, made)
    other = next(each for each in browsers if each != side)
    before = bodies(tables, made.game)
    assert before[-1]["side"] == side
    assert browsers[side].reveal() == receipt  # also who asked for the dice himself
    assert rolling(tables, made.game)
    assert browsers[other].reveal() == receipt
    after = kinds(tables, made.game)[len(before) :]
    assert after[:3] == ["reveal", "reveal", "roll"]
    assert after[-2:] == ["pledge", "pledge"]  # the next ones, after the dice
    assert set(after[3:-2]) <= {"roll"}
    assert "roll" in after
    assert not rolling(tables, made.game)
    secret = str(tables.store.game(made.game)["secret"])
    assert receipt == receipt_of(secret, before[-1]["hash"])


def test_with_two_browsers_nobody_could_look_ahead(tables: Tables) -> None:
    made = tables.create("midway")
    browsers, chance = both(tables, made), random.Random(3)
    while not tables.table(made.game).finished:
        answer(tables, made.game, chance)
        for one in browsers.values():
            one.reveal()
        assert not rolling(tables, made.game)
    found = tables.verify(made.game)
    assert found.problems == []
    assert found.rolls
    assert [roll for roll in found.parts if roll.ahead] == []
    assert "skip" not in kinds(tables, made.game)


def test_who_does_not_reveal_is_skipped_once(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fresh_bytes, "PATIENCE", 0.15)
    made = tables.create("midway")
    browsers = both(tables, made)
    side, _ = until_dice(tables, made)
    other = next(each for each in browsers if each != side)
    old = tables.open_pledge(made.game, other)
    assert old
    browsers[side].reveal()
    eventually(lambda: not rolling(tables, made.game))
    (skip,) = [body for body in bodies(tables, made.game) if "skip" in body]
    assert (skip["side"], skip["skip"]) == (other, old)
    assert tables.open_pledge(made.game, other) == ""
    with pytest.raises(Conflict, match="nobody waits"):
        tables.reveal(made.game, other, browsers[other].drawn[old], browsers[other].draw())
    chance, rolls = random.Random(5), 0
    while rolls < 3 and not tables.table(made.game).finished:  # he has no open pledge: nobody waits for him again
        answer(tables, made.game, chance)
        browsers[side].reveal()
        assert not rolling(tables, made.game)
        rolls = kinds(tables, made.game).count("roll")


def test_without_a_browser_that_is_there_dice_fall_at_once(tables: Tables) -> None:
    made = tables.create("midway")
    browsers = both(tables, made)
    for side in browsers:
        del tables.wakeups._present[made.game, side]
    chance = random.Random(1)
    while not tables.table(made.game).finished:
        answer(tables, made.game, chance)
        assert not rolling(tables, made.game)
    assert "roll" in kinds(tables, made.game)
    assert not {"reveal", "skip"} & set(kinds(tables, made.game))


def test_dice_that_wait_let_nothing_else_happen(tables: Tables) -> None:
    made = tables.create("midway")
    browsers = both(tables, made)
    side, _ = until_dice(tables, made)
    other = next(each for each in browsers if each != side)
    rows = tables.table(made.game).version
    for each in (side, other):
        with pytest.raises(NotYourTurn, match="the dice are being rolled"):
            tables.answer(made.game, each, "x", tables.asked(made.game, each)[2], secrets.token_hex(16))
        with pytest.raises(UndoRefused, match="the dice are being rolled"):
            tables.undo(made.game, each, secrets.token_hex(16))
        with pytest.raises(UndoRefused, match="the dice are being rolled"):
            tables.propose_undo(made.game, each, secrets.token_hex(16))
        with pytest.raises(Conflict, match="the dice are being rolled"):
            tables.pledge(made.game, each, browsers[each].draw())
        look = tables.look(made.game, each)
        assert (look.pending, look.may_undo, look.may_propose) == (None, False, False)
        assert look.waiting_for is not None
    good = browsers[other].drawn[tables.open_pledge(made.game, other) or ""]
    for shown, pledge in (("00" * 32, browsers[other].draw()), (good, "short"), ("short", browsers[other].draw())):
        with pytest.raises(BadValue):
            tables.reveal(made.game, other, shown, pledge)
    with pytest.raises(BadValue, match="made before"):
        tables.reveal(made.game, other, good, tables.open_pledge(made.game, side) or "")
    assert tables.table(made.game).version == rows
    browsers[other].reveal()
    browsers[side].reveal()
    tables.reveal(made.game, other, good, browsers[other].draw())  # heard already: nothing happens twice
    assert kinds(tables, made.game).count("reveal") == 2


def test_who_sits_down_or_leaves_does_not_wait_for_the_dice(tables: Tables) -> None:
    for act in ("join", "hand over", "new link"):
        made = tables.create("midway")
        both(tables, made)
        side, _ = until_dice(tables, made)
        if act == "join":
            tables.join(made.tokens[side], contribution=secrets.token_hex(32))
        elif act == "hand over":
            tables.handovers.hand_over(made.host_token, side, "doctrine")
        else:
            tables.handovers.replace_link(made.tokens[side], side)
        assert "skip" in kinds(tables, made.game)


def test_answers_of_the_program_and_of_orders_wait_too(tables: Tables) -> None:
    """A short battle may have no roll that the program's answer leads to: then another one is played."""
    chance = random.Random(4)
    rolls = next(filter(None, (rolls_of_the_program(tables, chance) for _ in range(6))))
    assert all("reveal" in line for line in rolls)


def rolls_of_the_program(tables: Tables, chance: random.Random) -> list[dict[str, Any]]:
    """Play a battle against the program; what came right after its answers, where that was a roll or fresh bytes."""
    made = tables.create("midway", seats={"japan": "doctrine"}, level="step")
    browser = Browser(tables, made, "allies")
    browser.pledge()
    until, revealed = time.monotonic() + PATIENCE, 0
    while not tables.table(made.game).finished and time.monotonic() < until:
        revealed += browser.reveal() is not None
        if tables.asked(made.game, "allies")[0] is not None:
            answer(tables, made.game, chance)
    assert tables.table(made.game).finished
    assert tables.verify(made.game).sound
    assert revealed > 0
    lines = bodies(tables, made.game)
    return [
        later
        for earlier, later in itertools.pairwise(lines)
        if earlier.get("side") == "japan" and "choose" in earlier and ("roll" in later or "reveal" in later)
    ]


def test_a_server_that_was_stopped_goes_on(open_tables: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    first = open_tables()
    made = first.create("midway")
    browsers = both(first, made)
    side, receipt = until_dice(first, made)
    other = next(each for each in browsers if each != side)
    second = open_tables()  # the first one is gone, with what it had in memory
    for browser in (browsers[side], browsers[other]):
        browser.tables = second
        assert browser.reveal() == receipt
    assert "reveal" in kinds(second, made.game)
    assert not rolling(second, made.game)
    made = second.create("midway")
    both(second, made)
    second._playing.fresh.stop()  # it is killed before its alarm rings
    until_dice(second, made)
    monkeypatch.setattr(fresh_bytes, "PATIENCE", 0.1)
    monkeypatch.setattr(fresh_bytes, "SPARE", 0.1)
    third = open_tables()
    third.start_waiting_players()
    eventually(lambda: "skip" in kinds(third, made.game))


def test_bytes_may_come_to_any_server(open_tables: Open) -> None:
    """Standing orders answer, so both browsers are asked; each is at another server."""
    first, second = open_tables(), open_tables()
    if not first.store.shared:
        pytest.skip("one server has a file of SQLite to itself")
    made = first.create("midway")
    browsers = both(first, made)
    with first._playing.using(made.game) as live:
        chance = random.Random(1)
        while not isinstance(live.game.pending, Roll):
            request = live.game.pending
            assert request is not None
            live.game.choose(request.option(chance.randrange(len(request.values))), by="orders")
        assert not first._playing.fresh.roll(live)
        first._playing.keep(live)
    sides = list(browsers)
    browsers[sides[1]].tables = second
    receipts = {browser.reveal() for browser in browsers.values()}
    assert len(receipts) == 1
    assert None not in receipts
    eventually(lambda: not rolling(first, made.game))
    after = [body for body in bodies(second, made.game) if "reveal" in body]
    assert [body["side"] for body in after] == sides
    assert "skip" not in kinds(second, made.game)


def settled_elsewhere(first: Tables, second: Tables, monkeypatch: pytest.MonkeyPatch) -> tuple[Created, Any, str]:
    """Dice for which the first server waits fall at the second, and everybody pledges again there. The table, its
    browsers, and the receipt of the answer whose dice have fallen."""
    made = first.create("midway")
    browsers = both(first, made)
    _, receipt = until_dice(first, made)
    with monkeypatch.context() as patch:
        patch.setattr(fresh_bytes, "PATIENCE", 0.0)
        patch.setattr(fresh_bytes, "SPARE", 0.0)
        assert not rolling(second, made.game)
    for browser in browsers.values():
        browser.tables = second
        browser.pledge()
    return made, browsers, receipt


def test_dice_that_fell_at_another_server_are_not_waited_for(
    open_tables: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a browser would tell what it has pledged for the next roll, before anybody knows what calls for that."""
    first, second = open_tables(), open_tables()
    if not first.store.shared:
        pytest.skip("one server has a file of SQLite to itself")
    made, browsers, _ = settled_elsewhere(first, second, monkeypatch)
    assert not rolling(first, made.game)
    assert [first.wanted_reveal(made.game, side) for side in browsers] == [None, None]


def test_bytes_told_for_one_answer_are_not_used_after_another(open_tables: Open) -> None:
    """Whoever knew them could have chosen the other answer."""
    first, second = open_tables(), open_tables()
    made = first.create("midway")
    browsers = both(first, made)
    _, receipt = until_dice(first, made)
    side, other = browsers
    pledge = first.open_pledge(made.game, side)
    assert pledge
    for tables in (first, second):
        with pytest.raises(Conflict, match="another answer"):
            tables.reveal(made.game, side, browsers[side].drawn[pledge], browsers[side].draw(), "0a" * 32)
        assert tables.wanted_reveal(made.game, side) == receipt
    if first.store.shared:  # as if another server had taken them before
        first.store.note_revealed(made.game, side, "0a" * 32, browsers[side].drawn[pledge], browsers[side].draw())
    browsers[other].reveal()
    assert rolling(first, made.game)
    first.handovers.replace_link(made.tokens[other], other)  # this cannot wait for the dice
    assert [body["skip"] for body in bodies(first, made.game) if "skip" in body] == [pledge]


def test_an_answer_is_not_refused_because_somebody_pledged_at_another_server(open_tables: Open) -> None:
    first, second = open_tables(), open_tables()
    if not first.store.shared:
        pytest.skip("one server has a file of SQLite to itself")
    made = first.create("midway")
    side = first.asked(made.game, NEUTRAL)[1] or ""
    other = next(each for each in first.table(made.game).sides if each != side)
    question = first.asked(made.game, side)[0]
    assert question is not None
    browser = Browser(second, made, other)
    append, done = first.store.append, list[bool]()

    def overtaken(*given: Any, **named: Any) -> None:
        if not done:
            done.append(True)
            browser.pledge()
        append(*given, **named)

    first.store.append = overtaken  # type: ignore[method-assign]
    assert first.answer(made.game, side, question.options[0].text, question.at, secrets.token_hex(16))
    assert kinds(first, made.game)[-2:] == ["pledge", "choose"]


def test_pledges_are_quiet_and_few(tables: Tables) -> None:
    made = tables.create("midway")
    side = tables.asked(made.game, NEUTRAL)[1] or ""
    other = next(each for each in tables.table(made.game).sides if each != side)
    looks = {each: tables.look(made.game, each) for each in (side, NEUTRAL)}
    tick = tables.tick(made.game)
    browser = Browser(tables, made, other)
    for _ in range(fresh_bytes.PLEDGES):
        browser.pledge()
    last = tables.open_pledge(made.game, other)
    assert last
    tables.pledge(made.game, other, last)  # again: it is there
    with pytest.raises(Conflict, match="several times"):
        browser.pledge()
    assert kinds(tables, made.game).count("pledge") == fresh_bytes.PLEDGES
    for each, look in looks.items():
        now = tables.look(made.game, each)
        assert (now.view, now.log, now.moment, now.pending) == (look.view, look.log, look.moment, look.pending)
        assert now.waiting_since == look.waiting_since
    if not tables.store.shared:
        assert tables.tick(made.game) == tick


def test_answers_of_the_enemy_do_not_let_a_side_pledge_again(tables: Tables) -> None:
    """Else it could find out whether he has answered in secret."""
    made, chance = tables.create("midway"), random.Random(2)
    side = tables.asked(made.game, NEUTRAL)[1] or ""
    browser = Browser(tables, made, next(each for each in tables.table(made.game).sides if each != side))
    for _ in range(fresh_bytes.PLEDGES):
        browser.pledge()
    for _ in range(2):
        assert answer(tables, made.game, chance)[0] == side
        with pytest.raises(Conflict, match="several times"):
            browser.pledge()


def test_hot_seats_and_games_that_are_over_pledge_nothing(tables: Tables) -> None:
    made = tables.create("first-battle", seats={"japan": "hotseat", "allies": "hotseat"})
    assert tables.open_pledge(made.game, "japan") is None
    with pytest.raises(NotAllowed):
        tables.pledge(made.game, "japan", "c" * 64)
    for wrong in ("", "C" * 64, "c" * 63):
        fresh = tables.create("first-battle")
        with pytest.raises(BadValue):
            tables.pledge(fresh.game, "japan", wrong)


def test_a_table_that_was_deleted_meanwhile_is_no_fault(tables: Tables, caplog: pytest.LogCaptureFixture) -> None:
    made = tables.create("first-battle")
    tables.store.delete(made.game)
    tables._changed_elsewhere(made.game)
    tables._playing._alarms._rung(made.game)
    assert caplog.messages == []
