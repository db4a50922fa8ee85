"""The lane: answers and pages wait in line, the most urgent first, and what takes long holds up nobody for long."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from flagplot.table.battle import rendering
from flagplot.table.battle.rendering import Kind, Rendered
from flagplot.table.games.lane import AHEAD, Lane, let_others_pass
from flagplot.table.games.live import Awaited
from flagplot.table.info import Created
from flagplot.table.reader import Place, watching
from tests.table.halls import HTMX, Hall, token_of
from tests.table.nonces import fresh_nonce

LONG = 0.05


class Jobs:
    """Pieces of work that note when they begin and go on until they may end."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.may_end: dict[str, threading.Event] = {}

    def named(self, name: str, *, free: bool = True) -> Callable[[], str]:
        gate = self.may_end[name] = threading.Event()
        if free:
            gate.set()

        def work() -> str:
            self.begun.append(name)
            assert gate.wait(10)
            return name

        return work


def test_work_is_done_one_after_the_other_in_the_order_in_which_it_came() -> None:
    jobs, lane, most, now = Jobs(), Lane(abreast=1, long=10), 0, 0

    def counted(name: str) -> Callable[[], str]:
        work = jobs.named(name)

        def run() -> str:
            nonlocal most, now
            now += 1
            most = max(most, now)
            time.sleep(0.002)
            now -= 1
            return work()

        return run

    async def burst() -> list[str]:
        return await asyncio.gather(*[lane.run(counted(f"{number}")) for number in range(20)])

    names = [f"{number}" for number in range(20)]
    assert asyncio.run(burst()) == names
    assert jobs.begun == names
    assert most == 1


def test_what_others_wait_for_goes_ahead_and_what_nobody_waits_for_comes_after() -> None:
    jobs, lane = Jobs(), Lane(abreast=1, long=10)

    async def line() -> None:
        under_way = asyncio.create_task(lane.run(jobs.named("under way", free=False)))
        await asyncio.sleep(0)
        later = lane.run(jobs.named("own page"), -AHEAD)
        some = [later, lane.run(jobs.named("answer")), lane.run(jobs.named("other page"), AHEAD)]
        waiting = [asyncio.create_task(each) for each in some]
        await asyncio.sleep(0)
        jobs.may_end["under way"].set()
        await asyncio.gather(under_way, *waiting)

    asyncio.run(line())
    assert jobs.begun == ["under way", "other page", "answer", "own page"]


def test_nothing_waits_for_ever_behind_what_is_more_urgent() -> None:
    jobs, lane = Jobs(), Lane(abreast=1, long=10)

    async def line() -> None:
        under_way = asyncio.create_task(lane.run(jobs.named("under way", free=False)))
        await asyncio.sleep(0)
        old = asyncio.create_task(lane.run(jobs.named("old"), -0.01))
        await asyncio.sleep(0.05)
        new = asyncio.create_task(lane.run(jobs.named("new"), 0.01))
        await asyncio.sleep(0)
        jobs.may_end["under way"].set()
        await asyncio.gather(under_way, old, new)

    asyncio.run(line())
    assert jobs.begun == ["under way", "old", "new"]


def test_what_takes_long_holds_up_the_others_for_a_moment_only() -> None:
    jobs, lane = Jobs(), Lane(abreast=1, long=LONG)

    async def line() -> None:
        long = asyncio.create_task(lane.run(jobs.named("long", free=False)))
        await asyncio.sleep(0)
        assert await asyncio.wait_for(lane.run(jobs.named("next")), 5) == "next"
        assert not long.done()
        assert await asyncio.wait_for(lane.run(jobs.named("another")), 5) == "another"
        jobs.may_end["long"].set()
        await long
        assert await asyncio.wait_for(lane.run(jobs.named("last")), 5) == "last"

    asyncio.run(line())
    assert (lane._under_way, lane._holding) == (0, 0)


def test_what_waits_for_the_disk_holds_up_nobody() -> None:
    jobs, lane = Jobs(), Lane(abreast=1, long=60)

    def keeps() -> str:
        let_others_pass()
        return keep()

    async def line() -> None:
        keeping = asyncio.create_task(lane.run(keeps))
        await asyncio.sleep(0)
        assert await asyncio.wait_for(lane.run(jobs.named("next")), 5) == "next"
        assert not keeping.done()
        jobs.may_end["kept"].set()
        assert await keeping == "kept"

    keep = jobs.named("kept", free=False)
    asyncio.run(line())
    assert (lane._under_way, lane._holding) == (0, 0)
    let_others_pass()  # outside of a lane there is nobody to let pass


def test_there_is_an_end_to_what_is_under_way_at_once() -> None:
    jobs, lane = Jobs(), Lane(abreast=1, long=0.001, threads=2)

    async def line() -> None:
        stuck = [asyncio.create_task(lane.run(jobs.named(name, free=False))) for name in ("one", "two")]
        await asyncio.sleep(0.1)
        third = asyncio.create_task(lane.run(jobs.named("three")))
        await asyncio.sleep(0.1)
        assert jobs.begun == ["one", "two"]
        jobs.may_end["two"].set()
        assert await asyncio.wait_for(third, 5) == "three"
        jobs.may_end["one"].set()
        await asyncio.gather(*stuck)

    asyncio.run(line())


def test_a_fault_reaches_who_asked_and_what_nobody_waits_for_is_not_begun() -> None:
    jobs, lane = Jobs(), Lane(abreast=1, long=10)

    def fails() -> None:
        raise ValueError("no")

    async def line() -> None:
        under_way = asyncio.create_task(lane.run(jobs.named("under way", free=False)))
        await asyncio.sleep(0)
        left = asyncio.create_task(lane.run(jobs.named("left")))
        faulty = asyncio.create_task(lane.run(fails))
        last = asyncio.create_task(lane.run(jobs.named("last")))
        await asyncio.sleep(0)
        left.cancel()
        await asyncio.sleep(0)
        jobs.may_end["under way"].set()
        with pytest.raises(ValueError, match="no"):
            await faulty
        await asyncio.gather(under_way, last)

    asyncio.run(line())
    assert jobs.begun == ["under way", "last"]


# --- answers and pages ------------------------------------------------------------------------------------------------


def _kinds(hall: Hall, made: Created) -> list[Kind]:
    table = hall.tables.table(made.game)
    places = [Place(f"/table/{made.game}", side, (side,), table=table) for side in made.tokens]
    return [
        Kind(hall.tables, place) for place in [*places, watching(hall.request(hall.stranger(), "/"), made.public_id)]
    ]


def _answer(hall: Hall, made: Created) -> str:
    """Somebody answers; who it was."""
    side = hall.tables.table(made.game).waiting_for or ""
    question = hall.tables.asked(made.game, side)[0]
    assert question
    hall.tables.answer(made.game, side, question.options[0].text, question.at, fresh_nonce())
    return side


def test_the_page_that_waits_is_made_first_whatever_was_answered(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """In secret or not, with dice or without: what comes first hangs only on who has answered."""
    made = hall.make("first-battle")
    kinds, asked = _kinds(hall, made), list[float]()

    async def in_lane(work: Callable[[], Rendered], ahead: float = 0.0) -> Rendered:
        asked.append(ahead)
        return await asyncio.to_thread(work)

    monkeypatch.setattr(rendering, "in_lane", in_lane)

    async def look() -> list[float]:
        asked.clear()
        shown = [await kind.now() for kind in kinds]
        unseen.update([kind.place.side for kind, was, now in zip(kinds, before, shown, strict=False) if was is now])
        before[:] = shown
        return list(asked)

    before, unseen, answered = list[Rendered](), set[str](), set[str]()
    asyncio.run(look())
    for _ in range(25):
        side = _answer(hall, made)
        answered.add(side)
        assert asyncio.run(look()) == [-AHEAD if side == each else AHEAD for each in made.tokens] + [-AHEAD]
    assert answered == set(made.tokens)
    assert unseen, "some of it was in secret"


def test_who_answered_is_not_put_behind_while_dice_wait_for_the_bytes_of_his_browser(hall: Hall) -> None:
    made = hall.make("savo-island")
    side = hall.tables.table(made.game).waiting_for or ""
    with hall.tables._playing.using(made.game) as live:
        live.awaited = None
        hall.tables._playing.keep(live, by=side)
        assert hall.tables.changed_by(made.game) == side
        live.awaited = Awaited(live.game.tape().head, tuple(made.tokens), time.monotonic() + 60, ours=True)
        hall.tables._playing.keep(live, by=side)
        assert hall.tables.changed_by(made.game) == ""
        live.awaited = None


def test_what_changes_while_a_page_waits_in_line_is_taken_along(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made once, and comes no sooner because the other side answered meanwhile, perhaps in secret."""
    made = hall.make("first-battle")
    kind = _kinds(hall, made)[0]
    asked = list[float]()

    async def both() -> None:
        turn = asyncio.Event()

        async def in_lane(work: Callable[[], Rendered], ahead: float = 0.0) -> Rendered:
            asked.append(ahead)
            await turn.wait()
            return await asyncio.to_thread(work)

        monkeypatch.setattr(rendering, "in_lane", in_lane)
        _answer(hall, made)
        first = asyncio.create_task(kind.now())
        await asyncio.sleep(0.01)
        _answer(hall, made)
        second = asyncio.create_task(kind.now())
        await asyncio.sleep(0.01)
        turn.set()
        assert await first is await second
        assert kind._shown is not None
        assert kind._shown[0] == hall.tables.tick(made.game)
        assert await kind.now() is await first

    asyncio.run(both())
    assert len(asked) == 1


@pytest.fixture
def threads(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The threads in which something was decided at a table."""
    found = dict[str, str]()

    def noted(name: str) -> Callable[..., str]:
        def call(*_: Any, **__: Any) -> str:
            found[name] = threading.current_thread().name
            return "00"

        return call

    for name in ("answer", "confirm_plan", "pledge", "reveal"):
        monkeypatch.setattr(hall.tables, name, noted(name))
    return found


BYTES = "0" * 64
ANSWER = {"option": "any", "at": 1, "nonce": "0" * 32}


def test_what_programs_decide_waits_in_line(hall: Hall, threads: dict[str, str]) -> None:
    made = hall.make("first-battle")
    side, token = next(iter(made.tokens.items()))
    sent: dict[str, dict[str, Any]] = {
        "answers": ANSWER,
        "sheet": {"answers": {}, "at": 1, "nonce": "0" * 32},
        "pledge": {"pledge": BYTES},
        "reveal": {"reveal": BYTES, "pledge": BYTES},
    }
    for word, body in sent.items():
        path = f"/api/tables/{made.game}/sides/{side}/{word}"
        told = hall.stranger().post(path, json=body, headers={"Authorization": f"Bearer {token}"})
        assert told.status_code in (200, 204), told.text
    assert len(threads) == len(sent)
    assert {name.partition("_")[0] for name in threads.values()} == {"flagplot-lane"}


def test_what_pages_decide_waits_in_line(hall: Hall, threads: dict[str, str]) -> None:
    made = hall.make("first-battle")
    side = hall.tables.table(made.game).waiting_for or ""
    client = hall.browser(made, side)
    own = {"form_token": token_of(client.get(f"/table/{made.game}").text)}
    sent: dict[str, dict[str, Any]] = {
        "answer": ANSWER,
        "plan": {"do": "confirm", **ANSWER},
        "pledge": {"pledge": BYTES},
        "reveal": {"reveal": BYTES, "pledge": BYTES},
    }
    for word, fields in sent.items():
        told = client.post(f"/table/{made.game}/{word}", data={**own, **fields}, headers=HTMX)
        assert told.status_code in (200, 204), told.text
    assert len(threads) == len(sent)
    assert {name.partition("_")[0] for name in threads.values()} == {"flagplot-lane"}


def test_answers_that_wait_for_the_disk_share_a_commit(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each lets the next one pass while it waits, so those that come together are kept together."""
    tables = [hall.make("first-battle") for _ in range(6)]
    group, real = hall.tables.store._group, hall.tables.store._append_all
    together, gate = list[int](), threading.Event()

    def write(some: Any) -> None:
        together.append(len(some))
        gate.wait(5)
        real(some)

    monkeypatch.setattr(group, "_write", write)

    async def burst() -> None:
        lane = Lane(abreast=1, long=60)
        answers = [asyncio.create_task(lane.run(partial(_answer, hall, made))) for made in tables]
        while len(group._waiting) < len(tables) - 1:
            await asyncio.sleep(0.01)
        gate.set()
        await asyncio.gather(*answers)

    asyncio.run(asyncio.wait_for(burst(), 20))
    assert together == [1, 5]
