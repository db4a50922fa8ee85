"""Many pages at one table: what they show is made once, the others' tables do not notice, and there is a limit."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Any

import pytest

from flagplot.kernel.ruleset import NEUTRAL
from flagplot.table.battle import rendering, streaming
from flagplot.table.battle.rendering import Kind, Rendered
from flagplot.table.battle.streaming import stream
from flagplot.table.info import Created, Look
from flagplot.table.reader import Place, seated, watching
from flagplot.table.refusals import NoSuchTable
from flagplot.table.server.app import create_app
from flagplot.table.settings import Settings
from tests.table.halls import Hall

MANY = 195


@pytest.fixture
def hall(hall: Hall) -> Hall:
    hall.app = create_app(hall.tables, Settings(log_requests=False, spectators=MANY, pages_per_visitor=MANY))
    return hall


class Pages:
    """Streams that are open, and all that each of them was sent."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.sent: list[tuple[str, str, list[bytes]]] = []
        """The table, the side, and what was sent."""
        self.tasks: list[asyncio.Task[None]] = []

    def open(self, made: Created, side: str) -> None:
        hall = self.hall
        request = hall.request(hall.stranger() if side == NEUTRAL else hall.browser(made, side), "/")
        place = watching(request, made.public_id) if side == NEUTRAL else seated(request, made.game)
        events: list[bytes] = []
        self.sent.append((made.game, side, events))
        self.tasks.append(asyncio.create_task(self._follow(request, place, events)))

    async def _follow(self, request: Any, place: Place, events: list[bytes]) -> None:
        async for event in stream(request, place, lambda: None):
            events.append(event)

    async def settle(self) -> None:
        """Until nothing more comes."""
        before = -1
        while before != (now := sum(len(events) for _, _, events in self.sent)) or not now:
            before = now
            await asyncio.sleep(0.15)

    def of(self, game: str, side: str) -> list[list[bytes]]:
        return [events for each, at, events in self.sent if (each, at) == (game, side)]


@pytest.fixture
def made_parts(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[str, str]]:
    """How often the parts of a page were made, for each table and side."""
    counted: Counter[tuple[str, str]] = Counter()
    real = Rendered.of.__func__  # type: ignore[attr-defined]

    def of(cls: type[Rendered], place: Place, look: Look, before: Rendered | None = None) -> Rendered:
        counted[place.table.id, place.side] += 1
        made: Rendered = real(cls, place, look, before)
        return made

    monkeypatch.setattr(Rendered, "of", classmethod(of))
    return counted


def test_what_195_pages_show_is_made_once_and_not_at_all_when_another_table_goes_on(
    hall: Hall, made_parts: Counter[tuple[str, str]]
) -> None:
    crowded, quiet = hall.make("denmark-strait"), hall.make("denmark-strait")
    looks = Counter[str]()
    real = Kind.look

    def look(kind: Kind) -> Rendered:
        looks[kind.place.table.id] += 1
        return real(kind)

    def answer(made: Created) -> None:
        side = hall.tables.table(made.game).waiting_for
        assert side
        question = hall.tables.look(made.game, side).pending
        assert question
        hall.tables.answer(made.game, side, question.options[0].text, question.at, token_hex(16))

    async def watched() -> None:
        pages = Pages(hall)
        for _ in range(MANY):
            pages.open(crowded, NEUTRAL)
        for made in (crowded, quiet):
            for side in made.tokens:
                pages.open(made, side)
        await pages.settle()
        for _ in range(3):
            made_parts.clear()
            looks.clear()
            await asyncio.to_thread(answer, crowded)
            await pages.settle()
            assert set(made_parts.values()) <= {1}
            assert looks[quiet.game] == 0
            assert looks[crowded.game] <= 3 * 2  # each kind of reader; once more if a page was woken while it looked
            await asyncio.to_thread(answer, quiet)
            looks_before = looks[crowded.game]
            await pages.settle()
            assert looks[crowded.game] == looks_before
        spectators = pages.of(crowded.game, NEUTRAL)
        assert len(spectators) == MANY
        assert len(spectators[0]) > 1
        for events in spectators:
            assert all(one is other for one, other in zip(events, spectators[0], strict=True))  # the very same bytes
        hall.tables.stop_streams()
        await asyncio.gather(*pages.tasks)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Kind, "look", look)
        asyncio.run(asyncio.wait_for(watched(), 60))


def test_signs_of_life_come_as_often_though_a_page_is_woken_that_has_nothing_to_tell(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a page could see by them when the other side answers in secret."""
    monkeypatch.setattr(streaming, "PULSE", 0.5)
    made = hall.make("denmark-strait")

    async def watched() -> None:
        pages = Pages(hall)
        pages.open(made, NEUTRAL)
        events = pages.sent[0][2]
        while not events:
            await asyncio.sleep(0.01)
        began = monotonic()
        while len(events) < 5:
            hall.tables.wakeups.wake(made.game)
            await asyncio.sleep(0.1)
        assert events[1:5] == [streaming.SIGN_OF_LIFE] * 4
        assert monotonic() - began > 4 * 0.5 - 0.1
        hall.tables.stop_streams()
        await asyncio.gather(*pages.tasks)

    asyncio.run(asyncio.wait_for(watched(), 60))


def test_while_nothing_happens_a_page_looks_only_if_somebody_has_come_or_gone(
    hall: Hall, made_parts: Counter[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "PULSE", 0.1)
    monkeypatch.setattr(rendering, "KNOWN", 0.0)
    monkeypatch.setattr(hall.tables.store, "alone", True)
    made = hall.make("denmark-strait")
    one, other = made.tokens

    async def watched() -> None:
        pages = Pages(hall)
        pages.open(made, one)
        events = pages.sent[0][2]
        while len(events) < 3:
            await asyncio.sleep(0.05)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(Kind, "look", None)  # it would fail
            known = len(events)
            while len(events) < known + 5:
                await asyncio.sleep(0.05)
        made_parts.clear()
        pages.open(made, other)
        while not made_parts[made.game, one]:
            await asyncio.sleep(0.05)
        hall.tables.stop_streams()
        await asyncio.gather(*pages.tasks)

    asyncio.run(asyncio.wait_for(watched(), 60))


@pytest.mark.parametrize("scenario", ["first-battle", "savo-island", "coral-sea-operation"])
def test_what_is_taken_from_the_moment_before_is_what_would_be_made_now(hall: Hall, scenario: str) -> None:
    """A part stays as it was only if it is made of the same; parts that show the question are made again each time."""
    made = hall.make(scenario)
    for side, level in zip(made.tokens, ("everything", "step"), strict=True):
        hall.tables.set_level(made.game, side, level)
    request = hall.request(hall.stranger(), "/")
    places = [Place(f"/table/{made.game}", side, (side,), table=hall.tables.table(made.game)) for side in made.tokens]
    kinds = [Kind(hall.tables, place) for place in [*places, watching(request, made.public_id)]]
    before, kept = [kind.look() for kind in kinds], Counter[str]()
    for number in range(7):
        side = hall.tables.table(made.game).waiting_for or ""
        question = hall.tables.asked(made.game, side)[0]
        assert question
        option = question.options[number % len(question.options)]
        hall.tables.answer(made.game, side, option.text, question.at, token_hex(16))
        now = [kind.look() for kind in kinds]
        for was, shown in zip(before, now, strict=True):
            assert shown.parts == Rendered.of(shown.place, shown.look).parts
            kept.update([name for name in shown.made if shown is not was and shown.made[name] is was.made[name]])
            kept["the position"] += shown is not was and shown.board is was.board
        before = now
    assert min([kept[name] for name in ("top", "status", "map", "dice")]) > kept["question"]
    assert kept["the position"], "a position that looks the same is laid out once"


def test_nothing_of_one_visitor_is_in_what_pages_share(hall: Hall) -> None:
    """The token of a form belongs to one browser: it stands in the page that this browser is sent, and in no stream."""
    made = hall.make("denmark-strait")
    side = hall.tables.table(made.game).waiting_for or ""
    page = hall.browser(made, side).get(f"/table/{made.game}").text
    assert 'name="form_token" value=""' not in page
    request = hall.request(hall.browser(made, side), "/")
    shared = Kind(hall.tables, seated(request, made.game)).look()
    assert 'name="form_token" value=""' in shared.parts["question"]
    assert shared.since(None).count(b'name="form_token"') == shared.since(None).count(b'name="form_token" value=""') > 0


def test_who_looks_as_another_side_is_another_kind_of_reader(hall: Hall) -> None:
    made = hall.make("surigao-strait", japan="hotseat", allies="hotseat")
    request = hall.request(hall.browser(made, "japan"), "/")
    places = [seated(request, made.game, side) for side in made.tokens] + [watching(request, made.public_id)]
    kinds = hall.app.state.kinds
    with ExitStack() as stack:
        opened = [stack.enter_context(kinds.open(hall.tables, place)) for place in [*places, *places]]
        assert opened[:3] == opened[3:]
        assert len(set(map(id, opened))) == 3
        assert [kind.look().look.reader for kind in opened[:3]] == [*made.tokens, NEUTRAL]


def test_there_is_room_for_some_pages_of_a_seat_and_some_spectators(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.app = create_app(hall.tables, Settings(log_requests=False, spectators=3, pages_per_visitor=2))
    made, other = hall.make("denmark-strait"), hall.make("denmark-strait")
    pages = hall.app.state.pages
    seat, here = hall.browser(made, "germany"), "from testclient"
    streamed = f"/table/{made.game}/stream"
    hall.tables.stop_streams()  # a stream that is let in ends at once
    with ExitStack() as held:
        held.enter_context(pages.counted(made.game, "germany", ""))
        assert seat.get(streamed).status_code == 200
        held.enter_context(pages.counted(made.game, "germany", ""))
        refused = seat.get(streamed)
        assert refused.status_code == 429
        assert "2 pages of this seat are open already" in refused.text
        told = seat.get(
            f"/api/tables/{made.game}/sides/germany/events",
            headers={"Authorization": f"Bearer {made.tokens['germany']}"},
        )
        assert (told.status_code, told.json()["error"]) == (429, "too-many-pages")
        assert hall.browser(made, "britain").get(streamed).status_code == 200
        assert hall.browser(other, "germany").get(f"/table/{other.game}/stream").status_code == 200
    assert seat.get(streamed).status_code == 200
    with ExitStack() as held:
        for _ in range(2):
            held.enter_context(pages.counted(made.game, "", here))
        refused = hall.stranger().get(f"/watch/{made.public_id}/stream")
        assert refused.status_code == 429
        assert "from your address are open already" in refused.text
        assert hall.stranger().get(f"/watch/{other.public_id}/stream").status_code == 200
    with ExitStack() as held:
        for number in range(3):
            held.enter_context(pages.counted(made.game, "", f"from {number}"))
        refused = hall.stranger().get(f"/watch/{made.public_id}/stream")
        assert refused.status_code == 429
        assert "3 spectators are watching this table already" in refused.text
        assert seat.get(streamed).status_code == 200  # the players have their own room
    hall.tables.close()


def test_a_fault_that_no_page_waits_for_any_more_is_not_logged(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a table is deleted while its last page closes."""
    made = hall.tables.create("denmark-strait")
    kind = Kind(hall.tables, watching(hall.request(hall.stranger(), "/"), made.public_id))
    leave, complaints = threading.Event(), list[Any]()

    def look() -> Rendered:
        leave.wait(5)
        raise NoSuchTable("there is no such table here")

    async def close_while_it_is_made() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        page = asyncio.create_task(kind.now())
        await asyncio.sleep(0.05)
        page.cancel()
        leave.set()
        while kind._making is not None:
            await asyncio.sleep(0.01)
        del page
        gc.collect()

    monkeypatch.setattr(kind, "look", look)
    asyncio.run(close_while_it_is_made())
    assert complaints == []
