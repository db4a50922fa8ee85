"""The interface for programs: what it tells and refuses, and that it is as its description says."""

from __future__ import annotations

import itertools
import random
import re
import secrets
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import GenerationMode
from starlette.testclient import TestClient

from flagplot.table.server.app import MOST_USED, create_app
from flagplot.table.settings import Settings
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from tests.table.databases import Cluster
from tests.table.nonces import fresh_nonce, with_nonce


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def app(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The application on each kind of database."""
    address = str(tmp_path_factory.mktemp("api") / "tables.sqlite")
    if request.param == "postgresql":
        postgres: Cluster = request.getfixturevalue("postgres")
        address = postgres.database()
    yield from _application(address)


def _application(address: str) -> Iterator[Any]:
    tables = Tables(Store(address))
    yield create_app(tables, Settings(rate_limits=False, log_requests=False))
    tables.close()


@pytest.fixture
def client(app: Any) -> TestClient:
    return TestClient(app)  # without its lifespan: odds are not asked for here


class Player:
    """A program that holds a seat."""

    def __init__(self, client: TestClient, game: str, side: str, token: str) -> None:
        self.client, self.token = client, token
        self.headers = {"Authorization": f"Bearer {token}"}
        self.table, self.side = f"/api/tables/{game}", f"/api/tables/{game}/sides/{side}"

    def get(self, path: str = "", status: int = 200) -> Any:
        return self._told(self.client.get(self.side + path, headers=self.headers), status)

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        return self._told(self.client.post(self.side + path, json=with_nonce(path, body), headers=self.headers), status)

    def put(self, path: str, body: Any, status: int = 200) -> Any:
        return self._told(self.client.put(self.side + path, json=body, headers=self.headers), status)

    def at_table(self, path: str = "", status: int = 200) -> Any:
        return self._told(self.client.get(self.table + path, headers=self.headers), status)

    def _told(self, response: Any, status: int) -> Any:
        assert response.status_code == status, response.text
        return response.json() if "json" in response.headers["content-type"] else response.text


def sit_down(client: TestClient, scenario: str = "first-battle", **more: Any) -> tuple[dict[str, Any], list[Player]]:
    made = client.post("/api/tables", json={"scenario": scenario, **more})
    assert made.status_code == 201
    told = made.json()
    players = [Player(client, told["game"], side, token) for side, token in told["tokens"].items()]
    for player in players:
        body = {"name": "Somebody", "contribution": secrets.token_hex(32)}
        assert client.post("/api/join", json=body, headers=player.headers).status_code == 200
    return told, players


def test_two_programs_play_to_the_end(client: TestClient) -> None:
    told, players = sit_down(client, "denmark-strait")
    chance = random.Random(1)
    assert players[0].at_table("/save", 409)["error"] == "not-yet"
    for _ in range(200):
        asked = [player for player in players if player.get("/turn")["question"]]
        if not asked:
            break
        question = asked[0].get("/turn")["question"]
        option = chance.choice(question["options"])["text"]
        asked[0].post("/answers", {"option": option, "at": question["at"]})
    look = client.get(f"/api/watch/{told['public_id']}").json()
    assert look["reader"] == "umpire"
    assert look["result"]["summary"]
    assert players[0].at_table()["finished"]
    proof = players[1].at_table("/verification")
    assert proof["sound"]
    assert set(proof["contributions"]) == {"germany", "britain"}
    assert any("had a part in" in words for words in proof["in_words"])
    assert players[0].at_table("/save").count("\n") == proof["answers"] + 2 + 2
    steps = players[0].get("/replay/0")["steps"]
    assert players[0].get(f"/replay/{steps}")["result"] == look["result"]
    assert players[0].get(f"/replay/{steps + 1}", 409)["error"] == "bad-value"


def test_an_answer_needs_a_nonce_and_is_given_once_however_often_it_is_sent(client: TestClient) -> None:
    _, players = sit_down(client)
    player = next(each for each in players if each.get("/turn")["question"])
    question = player.get("/turn")["question"]
    given = {"option": question["options"][0]["text"], "at": question["at"]}
    for path, body in (("/answers", given), ("/undo", {}), ("/proposal", {}), ("/consent", {"yes": True})):
        for nonce in ({}, {"nonce": None}, {"nonce": ""}, {"nonce": "AB" * 16}, {"nonce": "ab" * 15}):
            refused = client.post(player.side + path, json={**body, **nonce}, headers=player.headers)
            assert refused.status_code == 422, (path, nonce)
            assert "32 hexadecimal digits" in refused.json()["message"]
            assert "if you repeat the request, send the same nonce again" in refused.json()["message"]
    given["nonce"] = fresh_nonce()
    taken = player.post("/answers", given)
    assert re.fullmatch("[0-9a-f]{64}", taken["receipt"])
    assert player.post("/answers", given) == taken
    back = {"nonce": fresh_nonce()}
    taken_back = player.post("/undo", back)
    assert taken_back["receipt"] != taken["receipt"]
    assert player.post("/undo", back) == taken_back
    assert taken_back["question"]["at"] != question["at"]
    assert player.get("/turn")["question"] == taken_back["question"]


def test_who_joins_gets_a_receipt_of_what_he_added_to_the_dice(client: TestClient) -> None:
    made = client.post("/api/tables", json={"scenario": "denmark-strait"}).json()
    headers = {"Authorization": f"Bearer {made['tokens']['germany']}"}
    body = {"contribution": secrets.token_hex(32)}
    first, again = [client.post("/api/join", json=body, headers=headers).json()["receipt"] for _ in range(2)]
    assert re.fullmatch("[0-9a-f]{64}", first)
    assert first == again
    other = client.post("/api/join", json={"contribution": secrets.token_hex(32)}, headers=headers).json()
    assert other["receipt"] == "", "one contribution for whoever sits there"


def test_a_seat_gets_what_is_its_own_and_nothing_else(client: TestClient) -> None:
    told, players = sit_down(client)
    first, second = players if players[0].get("/turn")["question"] else reversed(players)
    assert second.get()["question"] is None
    strayed = Player(client, told["game"], first.side.rsplit("/", 1)[1], second.token)
    for path in ("", "/turn", "/news", "/orders", "/calls", "/replay/0"):
        assert strayed.get(path, 403)["error"] == "not-allowed"
    elsewhere, _ = sit_down(client)
    lost = Player(client, elsewhere["game"], "japan", first.token)
    assert lost.get("", 403)["message"] == "this seat is at another table"
    host = Player(client, told["game"], "japan", told["host_token"])
    host.get("", 403)
    assert host.at_table()["sides"] == ["japan", "allies"]
    assert "version" not in host.at_table()
    watched = client.get(f"/api/watch/{told['public_id']}").json()
    assert (watched["reader"], watched["question"]) == ("neutral", None)


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer nonsense"}, {"Authorization": "Basic eDp5"}])
def test_without_a_token_nothing_is_told(client: TestClient, headers: dict[str, str]) -> None:
    told, _ = sit_down(client)
    for path in ("/api/seat", f"/api/tables/{told['game']}", f"/api/tables/{told['game']}/sides/japan"):
        response = client.get(path, headers=headers)
        assert response.status_code == 401
        assert response.headers["www-authenticate"] == "Bearer"
        assert response.json()["error"] == "no-such-seat"
        assert "nonsense" not in response.text


def test_refusals_say_why(client: TestClient) -> None:
    told, players = sit_down(client)
    first, second = players if players[0].get("/turn")["question"] else reversed(players)
    at = first.get("/turn")["question"]["at"]
    refused = first.post("/answers", {"option": "nonsense", "at": at}, 409)
    assert (refused["error"], refused["given"]) == ("illegal-answer", "nonsense")
    assert refused["allowed"]
    assert first.post("/answers", {"option": "x", "at": at + 3000}, 409)["error"] == "stale-answer"
    moment = second.get("/turn")["moment"]
    assert second.post("/answers", {"option": "x", "at": moment}, 409)["error"] == "not-your-turn"
    assert second.post("/undo", None, 409)["error"] == "undo-refused"
    assert second.post("/consent", {"yes": True}, 409)["error"] == "conflict"
    assert first.put("/orders", {"text": "[[order]]"}, 409)["faults"]
    assert client.post("/api/tables", json={"scenario": "nowhere"}).status_code == 404
    faults = client.post("/api/tables", json={"scenario": {"game": "awaw"}})
    assert (faults.status_code, faults.json()["error"]) == (409, "scenario")
    assert faults.json()["faults"]
    assert first.post("/answers", {"option": "x"}, 422)["message"]
    assert client.get("/api/watch/w2222222222").json()["error"] == "no-such-table"
    assert told["game"]


def test_seats_are_handed_over_and_news_are_read(client: TestClient) -> None:
    told, players = sit_down(client)
    japan, allies = players
    news = allies.get("/news")
    assert news["total"] == len(news["entries"])
    assert allies.post("/seen", {"total": news["total"]})["entries"] == []
    new = japan.post("/link")["token"]
    assert client.get("/api/seat", headers=japan.headers).status_code == 401
    again = Player(client, told["game"], "japan", new)
    assert client.get("/api/seat", headers=again.headers).json()["joined"]
    assert allies.put("/holder", {"holder": "random"}, 403)["error"] == "not-allowed"
    host = Player(client, told["game"], "japan", told["host_token"])
    assert host.put("/holder", {"holder": "doctrine"}) == {"token": "", "asked": True}
    assert again.post("/request", {"yes": True}) == []
    assert host.at_table()["holders"]["japan"]["kind"] == "doctrine"
    assert host.post("/link", None, 403)["error"] == "not-allowed"


def test_orders_and_calls_are_kept(client: TestClient) -> None:
    _, (japan, allies) = sit_down(client)
    text = '[[order]]\nwhen = "hump"\nanswer = "first"\n'
    assert japan.put("/orders", {"text": text})["text"] == japan.get("/orders")["text"] == text
    assert allies.get("/orders")["text"] == ""
    kept = allies.put("/calls", {"webhook": "https://hooks.example/x"})
    assert kept["webhook"] == allies.get("/calls")["webhook"] == "https://hooks.example/x"
    assert japan.get("/calls")["webhook"] == ""
    assert allies.put("/calls", {"webhook": "http://127.0.0.1/"}, 403)["error"] == "not-allowed"
    assert allies.put("/calls", {"webhook": "ftp://x.example/"}, 409)["error"] == "bad-value"
    assert allies.put("/calls", {"email": "me@example.org"}, 403)["error"] == "not-allowed"
    assert japan.post("/calls/test", None, 409)["error"] == "bad-value"


def test_scenarios_are_listed(client: TestClient) -> None:
    listed = client.get("/api/scenarios").json()
    assert {"name": "midway", "title": "Midway, June 1942", "game": "awaw", "sides": ["japan", "allies"]} in listed


# --- the description --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The application as it is, which is asked all that its description allows."""
    yield from _application(str(tmp_path_factory.mktemp("described") / "tables.sqlite"))


@pytest.fixture
def api_schema(described: Any) -> Any:
    return schemathesis.openapi.from_asgi("/api/openapi.json", described)


schema = schemathesis.pytest.from_fixture("api_schema").exclude(path_regex="/events$")  # a stream has no end


@pytest.fixture
def seats(described: Any) -> dict[str, str]:
    """What a request needs to get past the door, taken in turns with what schemathesis makes up."""
    told, _ = sit_down(TestClient(described))
    return {"game": told["game"], "side": "japan", "token": told["tokens"]["japan"], "public_id": told["public_id"]}


count = itertools.count()


@schema.parametrize()
@settings(max_examples=4, derandomize=True, suppress_health_check=list(HealthCheck), deadline=None)
def test_the_interface_is_as_it_is_described(case: Any, seats: dict[str, str]) -> None:
    headers = {}
    if next(count) % 3 and case.meta.generation.mode is GenerationMode.POSITIVE:
        headers = {"Authorization": f"Bearer {seats['token']}"}
        case.path_parameters.update({name: seats[name] for name in case.path_parameters if name in seats})
    response = case.call(headers=headers)
    assert response.status_code < 500
    case.validate_response(response)


def test_what_is_asked_for_at_each_move_is_looked_at_first(app: Any) -> None:
    paths = [route.path for route in app.router.routes]
    first = list(itertools.takewhile(lambda path: path in MOST_USED, paths))
    assert set(first) == MOST_USED
    assert not MOST_USED & set(paths[len(first) :])


def test_every_refusal_of_the_interface_is_described(app: Any) -> None:
    described = TestClient(app).get("/api/openapi.json").json()["paths"]
    assert len(described) > 20
    for path, methods in described.items():
        for method, about in methods.items():
            assert {"422", "429", "503"} <= set(about["responses"]), (path, method)
            assert about["description"], (path, method)
            if "sides" in path:
                assert {"401", "403", "404", "409"} <= set(about["responses"]), (path, method)
                assert about["security"], (path, method)
