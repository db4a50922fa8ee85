"""The store: the same on SQLite and PostgreSQL, and as the migrations say."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, create_engine, inspect, text

from flagplot.table.refusals import NoSuchTable, StoreError
from flagplot.table.store.database import Duplicate
from flagplot.table.store.engines import open_engine, read_address
from flagplot.table.store.schema import metadata
from flagplot.table.store.store import Line, Store
from flagplot.table.store.upgrading import NEWEST, downgrade, run_steps, shape_of, upgrade


def add(store: Store, game: str = "g1", public: str = "w1") -> None:
    row: dict[str, Any] = {
        "id": game,
        "public_id": public,
        "title": "A table",
        "scenario": "A battle",
        "ruleset": "awaw",
        "rules": "awaw-1",
        "commitment": "c",
        "secret": "s",
        "created": 1.0,
        "changed": 1.0,
        "finished": None,
        "waiting_for": "japan",
    }
    sides = [{"side": side, "place": place, "holder": "person"} for place, side in enumerate(("japan", "allies"))]
    links = [{"hash": f"{game}-{side}", "side": side, "made": 1.0} for side in ("japan", "allies", "")]
    store.add_game(row, [Line(0, "header", 1.0)], sides, links)


def line(n: int, words: str = "line") -> Line:
    return Line(n, f"{words} {n} ä→\u2028", float(n))


def test_a_game_is_kept_whole(store: Store) -> None:
    add(store)
    store.append("g1", [line(1), line(2)], {"changed": 2.0, "waiting_for": "allies"})
    assert [each.n for each in store.lines("g1")] == [0, 1, 2]
    assert store.lines("g1", 2) == [line(2)]
    assert store.count("g1") == 3
    assert store.game("g1")["waiting_for"] == "allies"
    assert store.public_game("w1")["id"] == "g1"
    assert [seat["side"] for seat in store.seats("g1")] == ["japan", "allies"]
    assert store.ids() == ["g1"]
    assert store.figures() == {"tables": 1, "finished": 0}


def test_what_is_not_there_is_refused(store: Store) -> None:
    with pytest.raises(NoSuchTable):
        store.game("g1")
    assert store.opened_by("nothing") == []


def test_names_are_taken_once(store: Store) -> None:
    add(store)
    with pytest.raises(Duplicate):
        add(store, public="w2")
    with pytest.raises(Duplicate):
        add(store, game="g2")
    add(store, game="g2", public="w2")
    assert store.ids() == ["g1", "g2"]


def test_of_two_lines_of_one_number_the_first_stays_and_nothing_of_the_second(store: Store) -> None:
    add(store)
    store.append("g1", [line(1, "first")], {"changed": 2.0})
    with pytest.raises(Duplicate):
        store.append("g1", [line(1, "second"), line(2, "second")], {"waiting_for": "nobody"})
    assert store.lines("g1", 1) == [line(1, "first")]
    assert store.game("g1")["waiting_for"] == "japan"


def test_many_writers_one_winner(store: Store) -> None:
    add(store)
    begin, won, lost = threading.Barrier(8), [], []

    def write(number: int) -> None:
        begin.wait()
        for n in range(1, 6):
            try:
                store.append("g1", [line(n, f"by {number}")], {"changed": float(n)})
                won.append(n)
            except Duplicate:
                lost.append(n)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == [1, 2, 3, 4, 5]
    assert len(lost) == 35


def test_a_link_opens_its_sides_until_it_is_replaced(store: Store) -> None:
    add(store)
    assert [row["side"] for row in store.opened_by("g1-japan")] == ["japan"]
    link = {"hash": "new", "side": "japan", "made": 2.0}
    store.append("g1", [], {}, seat=("japan", {"name": "Nagumo"}), link=("japan", link))
    assert store.opened_by("g1-japan") == []
    assert [(row["side"], row["name"]) for row in store.opened_by("new")] == [("japan", "Nagumo")]
    assert [row["side"] for row in store.opened_by("g1-")] == [""]


def test_a_call_is_due_once_for_each_moment_and_claimed_by_one(store: Store) -> None:
    add(store)
    store.change_seat("g1", "japan", webhook="https://a.example/x")
    call = {"side": "japan", "kind": "webhook", "moment": 3, "due": 5.0}
    for _ in range(2):
        store.append("g1", [], {"changed": 2.0}, calls=[call])
    assert store.due(4.0) == []
    (due,) = store.due(6.0)
    assert due["webhook"] == "https://a.example/x"
    assert [store.claim(due, 60.0), store.claim(due, 60.0)] == [True, False]
    assert store.due(6.0) == []
    store.called(due, done=7.0)
    assert store.due(100.0) == []


def test_games_are_forgotten_with_everything_of_them(store: Store) -> None:
    add(store)
    store.propose("g1", {"side": "japan", "answer": 1, "made": 1.0})
    with pytest.raises(Duplicate):
        store.propose("g1", {"side": "allies", "answer": 1, "made": 1.0})
    store.delete("g1")
    assert store.ids() == []
    assert (store.lines("g1"), store.seats("g1"), store.links("g1"), store.proposal("g1")) == ([], [], [], None)


# --- migrations -------------------------------------------------------------------------------------------------


def test_migrations_lead_to_the_shape_that_the_code_has_and_back(fresh_address: str) -> None:
    engine = open_engine(read_address(fresh_address))
    with engine.begin() as connection:
        upgrade(connection)
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        downgrade(connection, "base")
        assert engine.dialect.get_table_names(connection) == ["alembic_version"]
        upgrade(connection)
        assert compare_metadata(context, metadata) == []
        upgrade(connection)  # nothing is left to do
        assert shape_of(connection) == NEWEST
    engine.dispose()


def test_a_connection_in_use_is_closed_with_the_store_when_it_comes_back(store: Store) -> None:
    with store._engine.connect() as connection:
        used = connection.connection.driver_connection
        assert used is not None
        store.close()
        assert connection.execute(text("SELECT 1")).scalar() == 1
    with pytest.raises(Exception, match="closed"):
        used.execute("SELECT 1")


def shape_in(connection: Connection) -> dict[str, object]:
    """All that a database says of its tables; the order of columns does not count."""
    found = inspect(connection)
    asked = (found.get_columns, found.get_foreign_keys, found.get_unique_constraints, found.get_indexes)
    return {
        name: [found.get_pk_constraint(name), *[sorted(map(str, ask(name))) for ask in asked]]
        for name in found.get_table_names()
    }


def test_a_new_file_is_made_as_the_steps_would_make_it() -> None:
    one, other = create_engine("sqlite://"), create_engine("sqlite://")
    with one.begin() as made, other.begin() as stepped:
        upgrade(made)
        run_steps(stepped, None)
        assert shape_in(made) == shape_in(stepped)
        assert shape_of(made) == shape_of(stepped) == NEWEST
    one.dispose()
    other.dispose()


def test_a_store_of_a_later_version_is_refused(fresh_address: str) -> None:
    store = Store(fresh_address)
    with store._writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    with pytest.raises(StoreError, match="later version"):
        Store(fresh_address)


def test_a_store_keeps_what_it_has_when_it_is_opened_again(address: str) -> None:
    first = Store(address)
    add(first)
    first.close()
    again = Store(address)
    assert again.ids() == ["g1"]
    again.close()


def test_the_file_is_its_owners_and_what_is_committed_is_on_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "data" / "tables.sqlite"
    store = Store(str(path))
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    with store._reading() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 2
        assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1
    store.close()


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("mysql://there", "no such kind of store"),
        ("sqlite://", "no such kind of store"),
        ("sqlite:///:memory:", "no such kind of store"),
        ("://", "not the address of a store"),
        ("/dev/null/x", "cannot be opened"),
        ("postgresql://nobody:hush@127.0.0.1:1/none?connect_timeout=2", r"cannot be reached.*nobody:\*\*\*@127"),
    ],
)
def test_a_bad_address_is_refused_in_words_without_a_password(address: str, words: str) -> None:
    with pytest.raises(StoreError, match=words) as refused:
        Store(address)
    assert "hush" not in str(refused.value)
