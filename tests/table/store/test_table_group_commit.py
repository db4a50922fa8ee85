"""Group commit: answers of several tables in one transaction, none acknowledged before it, none failing for another."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from flagplot.table.refusals import StoreError
from flagplot.table.store.database import Duplicate
from flagplot.table.store.grouping import Group, Waiting
from flagplot.table.store.store import Line, Store
from tests.table.servers import eventually

MANY = 8


def add_games(store: Store, number: int = MANY + 1) -> list[str]:
    ids = [f"g{place}" for place in range(number)]
    for each in ids:
        store.add_game(
            {
                "id": each,
                "public_id": f"w{each}",
                "title": each,
                "scenario": "",
                "ruleset": "awaw",
                "rules": "1",
                "commitment": "",
                "secret": "",
                "created": 0.0,
                "changed": 0.0,
            },
            [Line(0, "header", 0.0)],
            [],
            [],
        )
    return ids


class Gate:
    """Holds the first transaction before its commit, and counts all of them."""

    def __init__(self, store: Store) -> None:
        self.open = threading.Event()
        self.held = threading.Event()
        self.sizes: list[int] = []
        self._write = store._append

        def append(connection: Any, together: Sequence[Any], *, at_once: bool) -> None:
            if not at_once:
                self._write(connection, together, at_once=False)
            self.sizes.append(len(together))
            self.held.set()
            assert self.open.wait(30)
            if at_once:  # the statement is its own commit
                self._write(connection, together, at_once=True)

        store._append = append  # type: ignore[method-assign]


@contextmanager
def all_at_once(store: Store, wanted: Sequence[tuple[str, int]]) -> Iterator[tuple[Gate, list[Future[None]]]]:
    """The first is about to be committed; all others wait behind it."""
    gate = Gate(store)
    with ThreadPoolExecutor(len(wanted)) as threads:
        try:
            first = threads.submit(store.append, wanted[0][0], [Line(wanted[0][1], "one", 1.0)], {})
            assert gate.held.wait(30)
            others = [threads.submit(store.append, game, [Line(n, "one", 1.0)], {}) for game, n in wanted[1:]]
            eventually(lambda: len(store._group._waiting) == len(others) or len(gate.sizes) > 1)
            yield gate, [first, *others]
        finally:
            gate.open.set()


def test_those_who_wait_are_kept_together_and_none_goes_on_before_that(store: Store) -> None:
    ids = add_games(store)
    with all_at_once(store, [(each, 1) for each in ids]) as (gate, going):
        assert not any(each.done() for each in going)
        gate.open.set()
        assert [each.result(30) for each in going] == [None] * len(ids)
    assert gate.sizes == [1, MANY]
    assert [len(store.lines(each)) for each in ids] == [2] * len(ids)


def test_a_duplicate_fails_alone(store: Store) -> None:
    ids = add_games(store)
    wanted = [(each, 0 if each == "g3" else 1) for each in ids]  # the header has number 0
    with all_at_once(store, wanted) as (gate, going):
        gate.open.set()
        faults = [each.exception(30) for each in going]
    assert [type(fault) for fault in faults] == [Duplicate if each == "g3" else type(None) for each in ids]
    assert [len(store.lines(each)) for each in ids] == [1 if each == "g3" else 2 for each in ids]


def test_if_the_commit_fails_nobody_is_told_that_his_answer_is_kept(store: Store) -> None:
    ids = add_games(store)

    def fail(connection: Any, *_: Any) -> None:
        from sqlalchemy.exc import OperationalError

        raise OperationalError("commit", {}, Exception("the disk is full"))

    with all_at_once(store, [(each, 1) for each in ids]) as (gate, going):
        commit = "before_cursor_execute" if store.shared else "commit"  # PostgreSQL has one statement for all of it
        event.listen(store._engine, commit, fail)
        try:
            gate.open.set()
            faults = [each.exception(30) for each in going]
        finally:
            event.remove(store._engine, commit, fail)
    assert all(isinstance(fault, StoreError) for fault in faults)
    assert [len(store.lines(each)) for each in ids] == [1] * len(ids)
    store.append("g0", [Line(1, "one", 1.0)], {})
    assert len(store.lines("g0")) == 2


def test_whoever_writes_for_others_hands_it_on_even_if_it_fails() -> None:
    seen: list[int] = []

    def write(together: Sequence[Waiting[int]]) -> None:
        seen.append(len(together))
        raise KeyError("broken")

    group: Group[int] = Group(write)
    for _ in range(2):
        with pytest.raises(KeyError):
            group.keep(1)
    assert seen == [1, 1]
