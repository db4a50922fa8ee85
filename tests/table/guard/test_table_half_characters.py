"""Half of a character (a lone surrogate) is refused in words wherever somebody can send it, and is nowhere a fault."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from flagplot import library
from flagplot.cli import main
from flagplot.kernel.errors import ScenarioError
from flagplot.table.info import Created
from flagplot.table.tables import Tables
from tests.table.browsers import Browser, site, words

HALF = "\ud800"
SCENARIO = library.read_scenario("first-battle")
AS_UTF_7 = "+2AA-"
"""The same half as it is written in UTF-7."""


class Place:
    """A server with one table, and somebody who sits there."""

    def __init__(self, folder: Path) -> None:
        self.app = site(folder, rate_limits=False)
        self.tables: Tables = self.app.state.tables
        self.made: Created = self.tables.create("first-battle")
        self.browser = Browser(self.app)
        self.browser.client.cookies.set(f"seat-{self.made.game}", self.made.tokens["japan"])
        self.side = f"/api/tables/{self.made.game}/sides/japan"
        self.client = TestClient(self.app, raise_server_exceptions=False)

    def send(self, method: str, path: str, body: bytes, token: str = "") -> Response:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token or self.made.tokens['japan']}"}
        return self.client.request(method, path, content=body, headers=headers)

    def form(self, path: str, coding: str, **fields: str) -> Response:
        """A form of several parts in any coding."""
        pieces = [
            f'--XX\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
            for name, value in {"form_token": self.browser.token, **fields}.items()
        ]
        kind = f"multipart/form-data; boundary=XX; charset={coding}"
        return self.browser.client.post(path, content="".join([*pieces, "--XX--\r\n"]), headers={"Content-Type": kind})


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    made = Place(tmp_path_factory.mktemp("characters"))
    yield made
    made.tables.close()


def broken(data: dict[str, Any], *path: Any) -> dict[str, Any]:
    """A copy with half of a character at some place."""
    copy: dict[str, Any] = json.loads(json.dumps(data))
    inside: Any = copy
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = f"x{HALF}y"
    return copy


BROKEN = [
    *[broken(SCENARIO, key) for key in [*SCENARIO, "unknown"]],
    broken(SCENARIO, "sides", 0, "name"),
    broken(SCENARIO, "sides", 1, "id"),
    {**SCENARIO, HALF: 1},
]


# --- scenarios ----------------------------------------------------------------------------------------------------


def test_the_fault_of_a_scenario_says_where() -> None:
    for data, where in (
        (broken(SCENARIO, "title"), "title"),
        (broken(SCENARIO, "sides", 1, "name"), "sides[2].name"),
        ({**SCENARIO, "options": {HALF: True}}, "options.?"),
        ({**SCENARIO, "game": HALF}, "game"),
    ):
        with pytest.raises(ScenarioError, match="1 fault") as refused:
            library.load(data, seed=0)
        (fault,) = refused.value.faults
        assert (fault.place, "half of a character" in fault.message) == (where, True)
        str(refused.value).encode()
    with pytest.raises(ScenarioError, match="2 faults"):
        library.load(broken(broken(SCENARIO, "title"), "about"), seed=0)


def test_a_file_with_half_a_character_is_refused_in_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.json"
    file.write_text(json.dumps(broken(SCENARIO, "title")), encoding="utf8")
    assert main(["play", str(file)]) != 0
    assert "title: this text holds half of a character" in capsys.readouterr().err


@pytest.mark.parametrize("data", BROKEN)
def test_an_uploaded_or_typed_scenario_is_refused_with_its_faults(place: Place, data: dict[str, Any]) -> None:
    text = json.dumps(data)
    files = {"file": ("x.json", text.encode(), "text/plain")}
    for refused in (
        place.browser.post("/new/file", files=files),
        place.browser.post("/new/file", {"text": text}),
        place.browser.post("/new", {"text": text}),
    ):
        assert refused.status_code == 422
        assert "half of a character" in words(refused)


def test_toml_with_half_a_character_is_refused(place: Place) -> None:
    for raw in (b'title = "\xed\xa0\x80"', b'title = "\\ud800"', b'title = "\\U0000d800"'):
        refused = place.browser.post("/new/file", files={"file": ("x.toml", raw, "text/plain")})
        assert refused.status_code == 422
        assert "1 fault" in words(refused)


# --- programs -----------------------------------------------------------------------------------------------------


def asked(place: Place) -> list[tuple[str, str, Any]]:
    """Whatever programs can send, with half of a character in it."""
    return [
        *[("POST", "/api/tables", {"scenario": data}) for data in BROKEN],
        ("POST", "/api/tables", {"scenario": HALF}),
        ("POST", "/api/tables", {"scenario": "first-battle", "title": HALF}),
        ("POST", "/api/tables", {"scenario": "first-battle", "options": {HALF: "x"}}),
        ("POST", "/api/tables", {"scenario": "first-battle", "options": {"surprise": HALF}}),
        ("POST", "/api/tables", {"scenario": "first-battle", "seats": {HALF: "person"}}),
        ("POST", "/api/tables", {"scenario": "first-battle", "seats": {"japan": HALF}}),
        ("POST", "/api/tables", {HALF: "first-battle"}),
        ("POST", "/api/join", {"name": HALF}),
        ("POST", "/api/join", {"contribution": HALF}),
        ("POST", f"{place.side}/answers", {"option": HALF, "at": 0}),
        ("PUT", f"{place.side}/orders", {"text": f'a = "{HALF}"'}),
        ("PUT", f"{place.side}/calls", {"webhook": f"https://{HALF}/"}),
        ("PUT", f"{place.side}/calls", {"email": f"{HALF}@x.example"}),
        ("PUT", f"{place.side}/holder", {"holder": HALF}),
    ]


@pytest.mark.parametrize("coding", ["escaped", "utf-8", "utf-16", "utf-32"])
def test_programs_are_refused_with_422(place: Place, coding: str) -> None:
    for method, path, data in asked(place):
        text = json.dumps(data, ensure_ascii=coding == "escaped")
        body = text.encode() if coding == "escaped" else text.encode(coding, "surrogatepass")
        refused = place.send(method, path, body)
        assert refused.status_code == 422, (method, path, str(data)[:80])
        assert "half of a character" in refused.json()["message"]


def test_whole_characters_are_welcome_however_they_are_spelled(place: Place) -> None:
    for title in ('"\\ud83d\\ude00"', '"😀"', '"\\\\ud800"'):
        made = place.send("POST", "/api/tables", f'{{"scenario": "first-battle", "title": {title}}}'.encode())
        assert made.status_code == 201
        assert place.tables.table(made.json()["game"]).title == json.loads(title)
    assert place.send("POST", "/api/tables", b'{"\\ud800": ').status_code == 422  # no JSON at all


# --- forms, addresses, headers ------------------------------------------------------------------------------------


@pytest.mark.parametrize("coding", ["utf-7", '"UTF-7"', "unicode_escape", "utf-16", "no-such-coding"])
def test_forms_are_in_utf_8(place: Place, coding: str) -> None:
    half = AS_UTF_7 if "7" in coding else "\\ud800"
    calls = f"/table/{place.made.game}/seats/call"
    for path, fields in (
        ("/new/file", {"text": half}),
        ("/new", {"scenario": half}),
        ("/new", {"scenario": "first-battle", "title": half, "name": half, "seat.japan": half}),
        ("/join", {"token": half, "name": half}),
        ("/join/look", {"token": half}),
        (calls, {"side": "japan", "webhook": f"https://{half}/", "email": f"{half}@x.example"}),
        (calls, {"side": half}),
        (f"/table/{place.made.game}/answer", {"option": half, "at": "0"}),
        (f"/table/{place.made.game}/orders", {"text": half}),
    ):
        refused = place.form(path, coding, **fields)
        assert refused.status_code == 422, path
        assert "Send it in UTF-8" in words(refused)
    assert place.form("/new", "utf-8", scenario="first-battle").status_code == 303


@pytest.mark.parametrize(
    "path",
    [
        "/odds/fire?target=%ED%A0%80",
        "/odds/fire/answer?target=%ED%A0%80&ships=%ED%A0%80",
        "/odds/%ED%A0%80",
        "/rules/%ED%A0%80",
        "/new/%ED%A0%80",
        "/watch/%ED%A0%80",
        "/table/%ED%A0%80/seats",
        "/api/watch/%ED%A0%80",
        "/api/tables/%ED%A0%80",
        "/static/%ED%A0%80",
    ],
)
def test_addresses_with_half_a_character_are_no_fault(place: Place, path: str) -> None:
    assert place.client.get(path).status_code in (200, 401, 404, 422)


def test_headers_with_half_a_character_are_no_fault(place: Place) -> None:
    raw = b"\xed\xa0\x80"
    for name, value, status in (
        ("Cookie", b"seat-gaaaaaaaaaa=" + raw, 200),
        ("Host", raw, 421),
        ("HX-Request", raw, 200),
        ("Accept-Language", raw, 200),
    ):
        assert place.client.get("/tables", headers={name.encode(): value}).status_code == status
    assert place.client.get("/api/seat", headers={b"Authorization": b"Bearer " + raw}).status_code == 401
