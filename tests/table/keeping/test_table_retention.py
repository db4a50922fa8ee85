"""Old tables are told of, kept if somebody wants, exported and deleted; and nobody can fill the store."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from flagplot.cli import main
from flagplot.table.guard.quotas import Limits, NoRoom, TooManyTables
from flagplot.table.info import Created
from flagplot.table.keeping.archive_checks import read_archive
from flagplot.table.keeping.retention import DAY, NOTICE, Retention
from flagplot.table.refusals import NoSuchSeat, NoSuchTable, NotAllowed
from flagplot.table.server.app import create_app
from flagplot.table.settings import Settings
from flagplot.table.store.aged_rows import Aged
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from tests.table.browsers import Browser, words
from tests.table.clocks import Clock
from tests.table.nonces import answer, fresh_nonce
from tests.table.servers import eventually

START = 1_800_000_000.0


Opened = Callable[..., Tables]


@pytest.fixture
def clock() -> Clock:
    return Clock(START)


@pytest.fixture
def opened(address: str, clock: Clock) -> Iterator[Opened]:
    """Opens tables that are kept for some time, by a clock of our own."""
    made = list[Tables]()

    def opened(limits: Limits | None = None, **kept: str | int) -> Tables:
        retention = Retention(**kept)  # type: ignore[arg-type]
        made.append(Tables(Store(address), clock=clock, retention=retention, limits=limits))
        return made[-1]

    yield opened
    for each in made:
        each.close()


def finished(tables: Tables) -> Created:
    """A table whose game is over: both sides are played by the program."""
    made = tables.create("denmark-strait", seats={"britain": "random", "germany": "random"})
    eventually(lambda: tables.table(made.game).finished)
    return made


def exists(tables: Tables, game: str) -> bool:
    return game in tables.store.ids()


# --- deleting -----------------------------------------------------------------------------------------------------


def test_nothing_is_ever_deleted_unless_it_was_set(opened: Opened, clock: Clock) -> None:
    tables = opened()
    games = [tables.create("midway").game, finished(tables).game]
    clock.days = 100_000
    assert tables.tidy() == []
    assert [tables.deletion(game) for game in games] == [None, None]
    assert sorted(tables.store.ids()) == sorted(games)


def test_a_finished_table_is_told_of_exported_and_deleted(opened: Opened, clock: Clock, tmp_path: Path) -> None:
    tables = opened(finished_days=90, exports=str(tmp_path / "gone"))
    made, other = finished(tables), tables.create("midway")
    clock.days = 90 - NOTICE - 1
    assert tables.tidy() == []
    assert tables.deletion(made.game) is None
    clock.days = 90 - NOTICE + 0.5
    assert tables.tidy() == []
    told = tables.deletion(made.game)
    assert told is not None
    assert told.finished
    clock.days = (told.at - START) / DAY - 0.01
    assert tables.tidy() == []
    clock.days += 0.02
    assert tables.tidy() == [made.game]
    assert not exists(tables, made.game)
    assert exists(tables, other.game)
    (file,) = (tmp_path / "gone").iterdir()
    assert [table.game["id"] for table in read_archive(file)] == [made.game]
    with pytest.raises(NoSuchTable):
        tables.look(made.game, "neutral")
    with pytest.raises(NoSuchSeat):
        tables.seat(made.host_token)


def test_who_sets_a_limit_later_deletes_nothing_that_was_not_told_of_before(opened: Opened, clock: Clock) -> None:
    made = opened().create("midway")
    clock.days = 1000
    tables = opened(idle_days=30)
    assert tables.tidy() == []
    told = tables.deletion(made.game)
    assert told is not None
    assert told.at == clock() + NOTICE * DAY
    clock.days += NOTICE - 0.1
    assert tables.tidy() == []
    clock.days += 0.2
    assert tables.tidy() == [made.game]


def test_a_table_at_which_somebody_plays_stays(opened: Opened, clock: Clock) -> None:
    """Its time begins again whenever the turn passes from one side to the other."""
    tables = opened(idle_days=30)
    made = tables.create("midway")
    clock.days = 29
    tables.tidy()
    assert tables.deletion(made.game) is not None
    first = tables.table(made.game).waiting_for
    while tables.table(made.game).waiting_for == first:
        answer(tables, made.game)
    assert tables.deletion(made.game) is None
    clock.days = 50
    assert tables.tidy() == []
    assert exists(tables, made.game)


def test_the_day_of_deletion_does_not_tell_of_answers_in_secret(opened: Opened, clock: Clock) -> None:
    """A side that answers while the turn stays with it does not move the day: the other side could read that."""
    tables = opened(idle_days=30)
    made = tables.create("midway")
    clock.days = 20
    tables.tidy()
    before = tables.deletion(made.game)
    side = answer(tables, made.game)
    assert tables.table(made.game).waiting_for == side, "a scenario that begins with more than one question for a side"
    assert tables.deletion(made.game) == before


def test_any_seat_can_keep_an_unfinished_table(opened: Opened, clock: Clock) -> None:
    tables = opened(idle_days=30, finished_days=30)
    made, over = tables.create("midway"), finished(tables)
    clock.days = 29
    tables.tidy()
    tables.keep(made.game)
    assert tables.deletion(made.game) is None
    with pytest.raises(NotAllowed, match="download it"):
        tables.keep(over.game)
    clock.days = 58
    assert tables.tidy() == [over.game]
    assert tables.deletion(made.game) is not None
    clock.days = 80
    assert tables.tidy() == [made.game]


def test_a_table_that_is_kept_while_the_server_tidies_stays(
    opened: Opened, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = opened(idle_days=30)
    made = tables.create("midway")
    clock.days = 25
    tables.tidy()
    clock.days = 60
    find = tables.store.aged

    def meanwhile(aged: Aged) -> list[str]:
        found = find(aged)
        if found:
            tables.keep(made.game)
        return found

    monkeypatch.setattr(tables.store, "aged", meanwhile)
    assert tables.tidy() == []
    assert exists(tables, made.game)


def test_nothing_is_deleted_that_could_not_be_exported(opened: Opened, clock: Clock, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    tables = opened(idle_days=30, exports=str(tmp_path / "file"))
    made = tables.create("midway")
    clock.days = 25
    tables.tidy()
    clock.days = 60
    with pytest.raises(OSError, match="file"):
        tables.tidy()
    assert exists(tables, made.game)


# --- pages --------------------------------------------------------------------------------------------------------


def test_pages_tell_of_the_deletion_and_offer_what_a_seat_may_take_away(tmp_path: Path, clock: Clock) -> None:
    store = Store(f"sqlite:///{tmp_path}/tables.sqlite")
    tables = Tables(store, clock=clock, retention=Retention(idle_days=30, finished_days=30))
    app = create_app(tables, Settings(rate_limits=False))
    browser, watcher = Browser(app), Browser(app)
    seats = {"scenario": "first-battle", "seat.japan": "me", "seat.allies": "friend", "contribution": "ab" * 32}
    game = browser.post("/new", seats).headers["location"].split("/")[2]
    public = tables.table(game).public_id
    assert "will be deleted" not in browser.get(f"/table/{game}").text
    clock.days = 20
    for page in (browser.get(f"/table/{game}"), browser.get(f"/table/{game}/seats")):
        assert "This table will be deleted after" in words(page)
        assert f'action="/table/{game}/keep"' in page.text
    watched = watcher.get(f"/watch/{public}")
    assert "This table will be deleted after" in words(watched)
    assert "/keep" not in watched.text
    log = browser.get(f"/table/{game}/log.txt")
    assert log.headers["content-disposition"] == f'attachment; filename="{public}.txt"'
    assert [str(entry) for entry in tables.look(game, "japan").log] == log.text.split("\n\n", 1)[1].splitlines()
    assert watcher.get(f"/watch/{public}/log.txt").status_code == 200
    assert watcher.get(f"/table/{game}/log.txt").status_code == 403
    assert watcher.post(f"/table/{game}/keep").status_code == 403
    assert browser.post(f"/table/{game}/keep").status_code == 303
    assert "will be deleted" not in browser.get(f"/table/{game}").text
    over = finished(tables)
    clock.days = 49
    shown = watcher.get(f"/watch/{over.public_id}")
    assert f'href="/watch/{over.public_id}/save"' in shown.text
    assert "/keep" not in shown.text
    tables.close()


def test_programs_read_the_day_and_keep_a_table(tmp_path: Path, clock: Clock) -> None:
    tables = Tables(Store(f"sqlite:///{tmp_path}/tables.sqlite"), clock=clock, retention=Retention(idle_days=30))
    client = Browser(create_app(tables, Settings(rate_limits=False))).client
    made = tables.create("midway")
    headers = {"Authorization": f"Bearer {made.tokens['japan']}"}
    clock.days = 29
    tables.tidy()
    told = client.get(f"/api/tables/{made.game}", headers=headers).json()
    assert told["deleted_after"] == clock() + NOTICE * DAY
    kept = client.post(f"/api/tables/{made.game}/keep", headers=headers).json()
    assert kept["deleted_after"] is None
    tables.close()


# --- the command --------------------------------------------------------------------------------------------------


def test_the_command_lists_exports_and_deletes(
    address: str, opened: Opened, clock: Clock, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clock.days = -20_000  # years ago, for the command, which goes by the real time
    game = opened().create("midway").game
    out = tmp_path / "old.jsonl"
    assert main(["tidy", "--store", address]) == 2
    assert "set how many days tables are kept" in capsys.readouterr().err
    assert main(["tidy", "--idle-days", "soon", "--store", address]) == 2
    capsys.readouterr()
    assert main(["tidy", "--days", "30", "--store", address]) == 0
    assert capsys.readouterr().out == "0 tables deleted.\n"
    assert main(["tidy", "--idle-days", "30", "--dry-run", "--store", address]) == 0
    assert capsys.readouterr().out == f"{game}\n1 table would be deleted.\n"
    assert main(["tidy", "--idle-days", "30", "--export", str(out), "--json", "--store", address]) == 0
    assert json.loads(capsys.readouterr().out)["deleted"] == [game]
    assert [table.game["id"] for table in read_archive(out)] == [game]
    store = Store(address)
    assert store.ids() == []
    store.close()


# --- quotas -------------------------------------------------------------------------------------------------------


def test_tables_of_one_network_are_counted_by_the_day(opened: Opened, clock: Clock) -> None:
    tables = opened(Limits(tables_a_day=2))
    for network in ("192.0.2.1", "192.0.2.1", "192.0.2.2"):
        tables.create("midway", network=network)
    with pytest.raises(TooManyTables, match="2 tables were made from your network today"):
        tables.create("midway", network="192.0.2.1")
    with pytest.raises(Exception, match="no such scenario"):
        tables.create("midways", network="192.0.2.2")  # what was not made does not count
    tables.create("midway", network="192.0.2.2")
    clock.days = 1
    tables.create("midway", network="192.0.2.1")


def test_the_store_takes_no_more_tables_than_its_owner_allows(opened: Opened) -> None:
    tables = opened(Limits(tables=2))
    made = tables.create("midway")
    tables.create("midway")
    with pytest.raises(NoRoom, match="this server keeps 2 tables"):
        tables.create("midway")
    answer(tables, made.game)
    tables.store.delete(made.game)
    tables.create("midway")


def test_a_store_that_is_large_enough_takes_no_new_tables_but_goes_on_with_old_ones(
    opened: Opened, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = opened(Limits(megabytes=50))
    made = tables.create("midway")
    assert 0 < tables.store.size() < 50_000_000
    monkeypatch.setattr(tables.store, "size", lambda: 51_000_000)
    clock.days = 1
    with pytest.raises(NoRoom, match="no room for new tables"):
        tables.create("midway")
    answer(tables, made.game)


def test_a_side_that_answers_without_end_is_stopped_by_its_own_lines_alone(opened: Opened) -> None:
    tables = opened(Limits(side_lines=6))
    made = tables.create("midway")
    side = tables.table(made.game).waiting_for or ""
    with pytest.raises(NoRoom, match=f"{side} has answered and taken back 6 times"):
        answer_and_take_back(tables, made.game, side)
    bodies = [json.loads(line.text) for line in tables.store.lines(made.game)]
    assert len([body for body in bodies if body.get("side") == side]) == 6
    assert tables.look(made.game, side).pending is not None


def answer_and_take_back(tables: Tables, game: str, side: str) -> None:
    for _ in range(20):
        assert answer(tables, game) == side
        tables.undo(game, side, fresh_nonce())


def test_a_refusal_has_its_status_and_plain_words(tmp_path: Path) -> None:
    limits = Limits.of(Settings(tables_a_day=1, most_tables=2))
    tables = Tables(Store(f"sqlite:///{tmp_path}/tables.sqlite"), limits=limits)
    app = create_app(tables, Settings())
    seats = {"scenario": "first-battle", "seat.japan": "me", "seat.allies": "doctrine", "contribution": "ab" * 32}
    assert Browser(app).post("/new", seats).status_code == 303
    refused = Browser(app).post("/new", seats)
    assert refused.status_code == 429
    assert "1 table was made from your network today" in words(refused)
    assert Browser(app).client.post("/api/tables", json={"scenario": "midway"}).status_code == 429
    assert Browser(app, "192.0.2.7").client.post("/api/tables", json={"scenario": "midway"}).status_code == 201
    full = Browser(app, "192.0.2.8").client.post("/api/tables", json={"scenario": "midway"})
    assert (full.status_code, full.json()["error"]) == (507, "no-room")
    assert Browser(app, "192.0.2.9").post("/new", seats).status_code == 507
    assert Limits.of(Settings(rate_limits=False)).tables_a_day == 0
    tables.close()
