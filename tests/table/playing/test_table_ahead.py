"""Orders ahead between people: kept with the seat, given once when their questions come, cancelled, shown again."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from flagplot.kernel.dice import plan_nonce
from flagplot.table.info import Created
from flagplot.table.keeping.archive_checks import ArchiveError
from flagplot.table.keeping.archives import bring_in, export
from flagplot.table.playing import staff
from flagplot.table.playing.ahead import read_ahead
from flagplot.table.refusals import Conflict
from flagplot.table.seats.notifications import LEFT
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from tests.table.clocks import Clock
from tests.table.databases import Cluster
from tests.table.nonces import fresh_nonce
from tests.table.playing.test_table_passing import bodies, eventually

BATTLE = "surigao-strait"
DAY = 24 * 3600


class Hall:
    """A server with a clock of our own, and a table of two people at it."""

    def __init__(self, address: str, clock: Clock) -> None:
        self.address, self.clock = address, clock
        self.tables = Tables(Store(address), clock=clock)
        self._dead: list[Tables] = []
        self.made: Created = self.tables.create(BATTLE)

    @property
    def game(self) -> str:
        return self.made.game

    @property
    def asked(self) -> str:
        return str(self.tables.table(self.game).waiting_for)

    def start_again(self) -> None:
        """What comes after kill -9: all that was kept is in the store, and nothing else is left."""
        self.tables._playing._stopped = True
        self._dead.append(self.tables)
        self.tables = Tables(Store(self.address), clock=self.clock)
        self.tables.start_waiting_players()

    def confirm(self, nonce: str = "", **answers: str) -> str:
        """The side that is asked confirms its plan; which side."""
        side = self.asked
        sheet = self.tables.plan(self.game, side, answers)
        self.tables.confirm_plan(self.game, side, answers, sheet.moment, nonce or fresh_nonce())
        return side

    def order_ahead(self) -> tuple[str, str]:
        """Play on until somebody has confirmed a plan with orders ahead; who, and the nonce of his plan."""
        for _ in range(60):
            nonce = fresh_nonce()
            side = self.confirm(nonce)
            if self.waiting(side):
                return side, nonce
        raise AssertionError("nobody could order anything ahead")

    def waiting(self, side: str) -> int:
        return len(self.tables.look(self.game, side, sheet=True).ahead.orders)

    def pass_time(self) -> None:
        self.clock.now += staff.LATEST
        self.tables.look(self.game, self.asked)

    def lines(self) -> list[dict[str, Any]]:
        return bodies(self.tables, self.made)

    def close(self) -> None:
        for each in (*self._dead, self.tables):
            each.close()


@pytest.fixture
def either(address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    """The same on both databases."""
    monkeypatch.setattr("flagplot.table.playing.answers.Alarms.set", lambda *given: None)
    made = Hall(address, Clock())
    yield made
    made.close()


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    monkeypatch.setattr("flagplot.table.playing.answers.Alarms.set", lambda *given: None)  # the clock is ours
    made = Hall(f"sqlite:///{tmp_path / 'hall.db'}", Clock())
    yield made
    made.close()


def test_an_order_ahead_is_given_after_a_delay_even_while_its_player_is_away(hall: Hall) -> None:
    side, nonce = hall.order_ahead()
    orders = hall.tables.look(hall.game, side, sheet=True).ahead.orders
    enemy = hall.asked
    assert enemy != side
    hall.confirm()
    before = hall.lines()
    assert hall.asked == side
    time.sleep(0.05)
    assert hall.lines() == before, "not at once: haste would tell that nobody is there"
    hall.pass_time()
    eventually(lambda: len(hall.lines()) > len(before))
    given = [line for line in hall.lines()[len(before) :] if line.get("side") == side and "choose" in line]
    assert [line["choose"] for line in given] == [order.chosen for order in orders[: len(given)]]
    first = hall.tables.look(hall.game, side, sheet=True).ahead.given - len(given)
    assert [line["nonce"] for line in given] == [plan_nonce(nonce, first + place) for place in range(len(given))]
    receipts = hall.tables.receipt(hall.game, side, nonce).split(",")
    assert len(set(receipts)) == first + len(given), "each line has its receipt"


def test_two_people_have_orders_ahead_at_the_same_time(hall: Hall) -> None:
    """Both give theirs, neither hears of the other's, and every line is on the tape once."""
    most = 0
    for _ in range(40):
        if hall.tables.table(hall.game).finished or most == 2:
            break
        hall.confirm()
        sides = hall.tables.table(hall.game).sides
        most = max(most, sum([hall.waiting(side) > 0 for side in sides]))
        for _ in range(4):
            hall.pass_time()
            time.sleep(0.02)
    assert most == 2
    nonces = [line["nonce"] for line in hall.lines() if "nonce" in line]
    assert len(nonces) == len(set(nonces))
    assert hall.tables.look(hall.game, "neutral", sheet=True).ahead.orders == ()


def test_none_is_lost_and_none_given_twice_when_a_server_dies(either: Hall) -> None:
    hall = either
    side, _ = hall.order_ahead()
    waiting = hall.waiting(side)
    hall.start_again()
    assert hall.waiting(side) == waiting
    hall.confirm()
    hall.start_again()
    before = len(hall.lines())
    hall.pass_time()
    eventually(lambda: len(hall.lines()) > before)
    eventually(lambda: hall.waiting(side) < waiting)
    lines = hall.lines()
    hall.start_again()
    hall.pass_time()
    time.sleep(0.05)
    own = [line["nonce"] for line in hall.lines() if line.get("side") == side and "nonce" in line]
    assert len(own) == len(set(own))
    assert hall.lines()[: len(lines)] == lines


def test_two_servers_give_an_order_once(postgres: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flagplot.table.playing.answers.Alarms.set", lambda *given: None)
    hall = Hall(postgres.database(), Clock())
    other = Tables(Store(hall.address), clock=hall.clock)
    side, _ = hall.order_ahead()
    waiting = hall.waiting(side)
    for each in (hall.tables, other):
        each.look(hall.game, side)
    hall.confirm()
    other.look(hall.game, side)
    hall.clock.now += staff.LATEST
    with ThreadPoolExecutor(2) as both:
        list(both.map(lambda each: each.look(hall.game, side), (hall.tables, other)))
    eventually(lambda: hall.waiting(side) < waiting)
    time.sleep(0.1)
    own = [line["nonce"] for line in hall.lines() if line.get("side") == side and "nonce" in line]
    assert len(own) == len(set(own))
    seen = [each.look(hall.game, side, sheet=True).ahead for each in (hall.tables, other)]
    assert seen[0] == seen[1]
    other.close()
    hall.close()


@pytest.mark.parametrize("set_back", [0, 3], ids=["the clock goes on", "the clock is set back by days"])
def test_another_server_gives_what_a_dead_one_left(
    postgres: Cluster, monkeypatch: pytest.MonkeyPatch, set_back: int
) -> None:
    """Nobody looks at the table any more: the servers that are left look after it now and then."""
    monkeypatch.setattr("flagplot.table.playing.answers.Alarms.set", lambda *given: None)
    hall = Hall(postgres.database(), Clock())
    left = Tables(Store(hall.address), clock=hall.clock)
    side, _ = hall.order_ahead()
    waiting = hall.waiting(side)
    hall.tables._playing._stopped = True  # it dies before it could
    hall.confirm()
    before = len(hall.lines())
    left.calls._look_after_orders()
    time.sleep(0.05)
    assert len(hall.lines()) == before, "it has just looked"
    hall.clock.now += LEFT + 1 - set_back * DAY
    left.calls._look_after_orders()
    hall.clock.now += LEFT + 1
    left.calls._look_after_orders()
    eventually(lambda: len(hall.lines()) > before)
    eventually(lambda: len(left.look(hall.game, side, sheet=True).ahead.orders) < waiting)
    left.close()
    hall.close()


def test_an_order_is_given_after_its_delay_although_the_clock_was_set_back(hall: Hall) -> None:
    hall.order_ahead()
    hall.confirm()
    hall.tables.look(hall.game, hall.asked)  # from now on its time runs
    before = len(hall.lines())
    hall.clock.now -= 5 * DAY
    hall.tables.look(hall.game, hall.asked)
    time.sleep(0.05)
    assert len(hall.lines()) == before, "not at once"
    hall.pass_time()
    eventually(lambda: len(hall.lines()) > before)


def test_an_order_that_was_cancelled_is_not_given_whoever_else_knows_it(hall: Hall) -> None:
    """Another server still has it in memory: the store tells it that the row has changed."""
    side, _ = hall.order_ahead()
    hall.confirm()
    other, before = Store(hall.address), hall.lines()
    with hall.tables._playing.using(hall.game) as live:
        other.change_seat(hall.game, side, ahead="")  # cancelled there
        assert read_ahead(live.seats[side]["ahead"]).orders
        with pytest.raises(Conflict):
            hall.tables._playing._give_ahead(live, "")
        assert not live.seats[side]["ahead"]
    assert hall.lines() == before
    other.close()


def test_orders_ahead_are_cancelled_by_a_click_and_the_side_is_asked(hall: Hall) -> None:
    side, _ = hall.order_ahead()
    hall.tables.cancel_ahead(hall.game, side)
    with pytest.raises(Conflict, match="no orders ahead are waiting"):
        hall.tables.cancel_ahead(hall.game, side)
    hall.confirm()
    before = hall.lines()
    for _ in range(3):
        hall.pass_time()
        time.sleep(0.02)
    assert hall.lines() == before
    assert hall.asked == side


def test_orders_that_do_not_fit_any_more_are_dropped_and_the_plan_is_shown_again(hall: Hall) -> None:
    side, _ = hall.order_ahead()
    seats = {seat["side"]: seat for seat in hall.tables.store.seats(hall.game)}
    row = json.loads(seats[side]["ahead"])
    row["orders"][0]["offers"].append("something:else")
    hall.tables.store.change_seat(hall.game, side, ahead=json.dumps(row, ensure_ascii=False, separators=(",", ":")))
    hall.start_again()
    hall.confirm()
    eventually(lambda: hall.tables.look(hall.game, side, sheet=True).ahead.again)
    look = hall.tables.look(hall.game, side, sheet=True)
    assert look.pending is not None
    assert look.ahead.orders == ()
    before = hall.lines()
    hall.pass_time()
    time.sleep(0.05)
    assert hall.lines() == before
    hall.confirm()
    assert not hall.tables.look(hall.game, side, sheet=True).ahead.again


def test_who_takes_his_plan_back_takes_back_its_orders_ahead(hall: Hall) -> None:
    side, _ = hall.order_ahead()
    enemy = hall.asked
    hall.tables.propose_undo(hall.game, side, fresh_nonce())
    hall.tables.consent(hall.game, enemy, True, fresh_nonce())
    assert hall.asked == side
    assert hall.waiting(side) == 0


def test_a_guess_that_the_rules_cannot_play_costs_only_the_orders_ahead(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*given: object) -> None:
        raise KeyError("a force that is nowhere")

    monkeypatch.setattr("flagplot.kernel.game.fill_ahead", fail)
    sheet = hall.tables.plan(hall.game, hall.asked, {})
    assert sheet.fields == sheet.now != ()
    assert "a force that is nowhere" in caplog.text
    hall.confirm()


def test_against_the_program_nothing_has_to_wait(tables: Tables) -> None:
    made = tables.create(BATTLE, seats={"allies": "doctrine"}, level="everything")
    eventually(lambda: tables.table(made.game).waiting_for == "japan")
    assert not any([one.ahead for one in tables.plan(made.game, "japan", {})])


def test_an_archive_keeps_orders_ahead(hall: Hall, tmp_path: Path) -> None:
    side, _ = hall.order_ahead()
    path = tmp_path / "tables.jsonl"
    export(hall.tables.store, [hall.game], path)
    store = Store(f"sqlite:///{tmp_path / 'other.db'}")
    assert bring_in(store, path).came == [hall.game]
    kept = {seat["side"]: seat["ahead"] for seat in store.seats(hall.game)}
    assert len(read_ahead(kept[side]).orders) == hall.waiting(side)
    path.write_text(path.read_text().replace('\\"given\\"', '\\"gone\\"'))
    with pytest.raises(ArchiveError, match="these are no orders ahead"):
        bring_in(store, path)
    store.close()
