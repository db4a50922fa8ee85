"""Two real servers on one PostgreSQL: each sees at once what was answered at the other, and outlives it."""

from __future__ import annotations

import contextlib
import http.client
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.table.databases import Cluster
from tests.table.servers import PATIENCE, Server, eventually, meanwhile


@pytest.fixture(scope="module")
def two(postgres: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    address = postgres.database()
    servers = [Server(tmp_path_factory.mktemp("server"), address) for _ in range(2)]
    servers[0].start()  # the first makes the shape of the store
    servers[1].start()
    yield servers
    for each in servers:
        each.stop()


class Seat:
    """A program at a seat, which plays at one of the servers."""

    def __init__(self, made: dict[str, Any], side: str) -> None:
        self.token, self.path = made["tokens"][side], f"/api/tables/{made['game']}/sides/{side}"
        self.events: list[dict[str, Any]] = []

    def question(self, server: Server) -> dict[str, Any] | None:
        found: dict[str, Any] | None = server.ask(f"{self.path}/turn", token=self.token)["question"]
        return found

    def answer(self, server: Server, question: dict[str, Any]) -> dict[str, Any]:
        given = {"option": question["options"][0]["text"], "at": question["at"]}
        told: dict[str, Any] = server.ask(f"{self.path}/answers", given, self.token)
        return told

    @contextlib.contextmanager
    def following(self, server: Server) -> Iterator[None]:
        """Keep what a stream of that server tells."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)) as connection:
            connection.request("GET", f"{self.path}/events", headers={"Authorization": f"Bearer {self.token}"})
            answer = connection.getresponse()
            assert answer.status == 200
            with meanwhile(self._follow, answer):
                yield

    def _follow(self, answer: http.client.HTTPResponse) -> None:
        with answer:
            for line in answer:
                if line.startswith(b"data:"):
                    self.events.append(json.loads(line[5:]))
                    if self.events[-1]["waiting_for"] is None:
                        return


def test_what_is_answered_at_one_server_shows_at_once_at_the_other(two: list[Server]) -> None:
    first, second = two
    made = first.make("denmark-strait", join=True)
    germany, britain = Seat(made, "germany"), Seat(made, "britain")
    home = {"germany": first, "britain": second}
    with britain.following(second), germany.following(first):
        for _ in range(13):
            eventually(lambda: any(seat.events and seat.events[-1]["question"] for seat in (germany, britain)))
            seat = next(one for one in (germany, britain) if one.events and one.events[-1]["question"])
            question = seat.events[-1]["question"]
            assert "error" not in seat.answer(home[question["side"]], question)
            eventually(lambda: seat.events[-1]["question"] != question)  # noqa: B023
    for seat in (germany, britain):
        assert seat.events[-1]["waiting_for"] is None
        assert sum(bool(event["question"]) for event in seat.events) >= 5
    saves = [each.ask(f"/api/tables/{made['game']}/save", token=germany.token) for each in two]
    assert saves[0] == saves[1]
    assert second.ask(f"/api/tables/{made['game']}/verification", token=britain.token)["sound"]


def test_of_two_answers_to_one_question_at_two_servers_one_is_taken(two: list[Server]) -> None:
    made = two[0].make("surigao-strait", join=True)
    seats = [Seat(made, side) for side in made["tokens"]]
    for _ in range(6):
        seat = next(one for one in seats if one.question(two[0]))
        question = seat.question(two[1])
        assert question
        with ThreadPoolExecutor(2) as both:
            told = list(both.map(lambda server: seat.answer(server, question), two))  # noqa: B023
        refused = [one["error"] for one in told if "error" in one]
        assert len(refused) == 1, told
        assert refused[0] in ("conflict", "stale-answer", "not-your-turn")


def test_when_one_server_is_killed_the_other_goes_on_and_nothing_is_lost(two: list[Server]) -> None:
    first, second = two
    made = first.make("denmark-strait", join=True)
    seats = [Seat(made, side) for side in made["tokens"]]
    for number in range(13):
        server = second if number >= 4 else first
        if number == 4:
            before = {seat.path: first.ask(seat.path, token=seat.token) for seat in seats}
            first.kill()
            assert {seat.path: second.ask(seat.path, token=seat.token) for seat in seats} == before
        seat = next(one for one in seats if one.question(server))
        question = seat.question(server)
        assert question
        assert "error" not in seat.answer(server, question)
    first.start()
    for each in two:
        assert each.ask(f"/api/tables/{made['game']}/verification", token=seats[0].token)["sound"]
