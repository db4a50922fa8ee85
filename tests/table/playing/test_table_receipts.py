"""The receipts that a browser keeps, and what it says when the finished game does not fit them."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Request, Route, expect

from tests.table.chromium import Person, play
from tests.table.servers import Server, eventually

SECRET = "5e" * 32
BYTES, SKIPPED = "ab" * 32, "cd" * 32
"""What Britain's browser told for two rolls."""

FAULTS = "([record, text]) => receipts.faults(record, 'britain', text)"

Lines = list[dict[str, Any]]


@pytest.fixture
def scripts(person: Callable[..., Person], server: Server) -> Callable[..., Any]:
    """Calls what the scripts of a page offer."""
    one = person()
    one.go(f"/watch/{server.make('first-battle')['public_id']}")
    return one.page.evaluate


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def receipt(mark: str, secret: str = SECRET) -> str:
    return hmac.new(secret.encode(), f"receipt/{mark}".encode(), "sha256").hexdigest()


def test_the_script_hashes_as_everybody_else_does(scripts: Callable[..., Any]) -> None:
    chance = random.Random(17)
    texts = ["".join(chance.choices("aé€😀\n", k=length)) for length in [*range(140), 1000, 50_000]]
    found = scripts("texts => texts.map(text => [hashing.ofText(text), hashing.hmac(text, text + '!')])", texts)
    for text, (mark, keyed) in zip(texts, found, strict=True):
        assert mark == sha256(text)
        assert keyed == hmac.new(text.encode(), f"{text}!".encode(), "sha256").hexdigest()
    assert scripts("hashing.ofBytes('00ff')") == hashlib.sha256(b"\x00\xff").hexdigest()
    assert scripts("hashing.receipt('secret', 'mark')") == receipt("mark", "secret")


# --- a game and the receipts of Britain's browser -----------------------------------------------------------------


def game() -> Lines:
    pledge, void = (hashlib.sha256(bytes.fromhex(each)).hexdigest() for each in (BYTES, SKIPPED))
    return [
        {"flagplot": 2, "dice": {"kind": "committed", "commitment": sha256(SECRET)}},
        {"n": 1, "side": "britain", "contribute": "0a" * 32},
        {"n": 2, "side": "britain", "pledge": pledge},
        {"n": 3, "side": "germany", "choose": "go", "nonce": "11" * 16},
        {"n": 4, "side": "britain", "reveal": BYTES},
        {"n": 5, "side": "germany", "roll": [3, 4]},
        {"n": 6, "side": "britain", "choose": "stay", "nonce": "22" * 16},
        {"n": 7, "side": "germany", "undo": 3, "consent": "britain", "nonce": "33" * 16},
        {"n": 8, "side": "germany", "choose": "on", "nonce": "44" * 16},
        {"n": 9, "side": "britain", "skip": void},
        {"n": 10, "side": "germany", "roll": [1]},
        {"n": 11, "end": {"result": {}, "state": ""}, "secret": SECRET},
    ]


def sealed(lines: Lines) -> list[tuple[str, str]]:
    """The text and the hash of each line."""
    found: list[tuple[str, str]] = []
    for line in lines:
        body = {**line, "prev": found[-1][1]} if found else line
        mark = sha256(written(body))
        found.append((written({**body, "hash": mark}), mark))
    return found


def written(body: dict[str, Any]) -> str:
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False)


def record() -> dict[str, Any]:
    marks = [mark for _, mark in sealed(game())]
    kept = [
        {"contribute": "0a" * 32, "receipt": receipt(marks[1])},
        {"reveal": BYTES, "before": receipt(marks[3])},
        {"nonce": "22" * 16, "receipt": receipt(marks[6])},
        {"nonce": "33" * 16, "receipt": receipt(marks[7])},
    ]
    return {"commitment": sha256(SECRET), "kept": kept}


def changed(place: int, **more: Any) -> Callable[[Lines], None]:
    def change(lines: Lines) -> None:
        lines[place] = {key: value for key, value in (lines[place] | more).items() if value is not None}

    return change


def dropped(place: int) -> Callable[[Lines], None]:
    def change(lines: Lines) -> None:
        del lines[place]

    return change


CHANGES: dict[str, tuple[Callable[[Lines], None], list[str]]] = {
    "nothing": (lambda lines: None, []),
    "an answer": (
        changed(6, choose="flee"),
        [
            "Receipt 3: your answer, or something earlier in the game, changed after the server took it.",
            "Receipt 4: your answer, or something earlier in the game, changed after the server took it.",
        ],
    ),
    "the last answer dropped": (
        dropped(7),
        ["Receipt 4: the server took your answer, but the game does not have it."],
    ),
    "an answer of another side": (
        changed(7, side="germany", consent="france"),
        ["Receipt 4: your answer is in the game for another side."],
    ),
    "what was added": (
        changed(1, contribute="0b" * 32),
        [
            "Receipt 1: the server took the bytes you added to the dice, but the game does not have them.",
            "Receipt 2: the answer that called for the dice changed after the server had this browser’s fresh bytes.",
            "Receipt 3: your answer, or something earlier in the game, changed after the server took it.",
            "Receipt 4: your answer, or something earlier in the game, changed after the server took it.",
        ],
    ),
    "another secret": (changed(11, secret="77" * 32), ["The opened secret does not fit the fingerprint in the game."]),
}


def test_the_browser_says_what_does_not_fit(scripts: Callable[..., Any]) -> None:
    for what, (change, expected) in CHANGES.items():
        lines = game()
        change(lines)
        found = scripts(FAULTS, [record(), save(lines)])
        assert found[: len(expected)] == expected, what
        assert bool(found) == bool(expected), what


def save(lines: Lines) -> str:
    return "".join(f"{text}\n" for text, _ in sealed(lines))


def test_a_line_that_does_not_fit_its_hash_or_its_place_is_told(scripts: Callable[..., Any]) -> None:
    text = save(game())
    for forged in (
        text.replace('"stay"', '"flee"'),
        "".join(text.splitlines(keepends=True)[:6] + text.splitlines(True)[7:]),
    ):
        found = scripts(FAULTS, [record(), forged])
        assert found == ["Line 7 of the game was changed: its hash does not fit."]


def test_bytes_that_were_told_stand_after_their_answer_or_came_too_late_there(scripts: Callable[..., Any]) -> None:
    marks = [mark for _, mark in sealed(game())]
    mine = record()
    mine["kept"].append({"reveal": SKIPPED, "before": receipt(marks[8])})
    assert scripts(FAULTS, [mine, save(game())]) == []
    assert scripts("([record, text]) => receipts.late(record, text)", [mine, save(game())]) == 1
    mine["kept"][-1]["before"] = receipt(marks[3])
    mine["kept"].append({"reveal": "ef" * 32, "before": receipt(marks[8])})
    mine["commitment"] = "00" * 32
    mine["nonces"] = {"answer-5": "22" * 16, "answer-8": "99" * 16}
    found = scripts(FAULTS, [mine, save(game())])
    assert found == [
        "The fingerprint in the game is not the one that this browser saw at the start.",
        "Receipt 5: the answer that called for the dice changed after the server had this browser’s fresh bytes.",
        "Receipt 6: this browser told its fresh bytes, but the game neither has them nor says that they came too late.",
        "The game has 1 of your answers for which the server gave no receipt.",
    ]


def test_bytes_are_told_for_one_answer_and_for_no_other(scripts: Callable[..., Any]) -> None:
    """Else a server could claim that they got lost, change its own answer when it knows them, and ask again."""
    told = scripts(
        """() => {
          const record = receipts.of("game", "britain"), mark = record.pledge(), bytes = record.now().pledges[mark];
          const told = [record.bytesFor(mark, "one"), record.bytesFor(mark, "other"), record.bytesFor(mark, "one")];
          return [bytes, ...told, record.bytesFor(record.pledge(), "one"), record.now().kept];
        }"""
    )
    bytes_, first, other, again, second, kept_ = told
    assert (first, other, again, second) == (bytes_, None, bytes_, None)
    assert kept_ == [{"reveal": bytes_, "before": "one"}], "the server may say that it never got them"


# --- at the table -------------------------------------------------------------------------------------------------


def kept(one: Person, made: dict[str, Any], side: str) -> dict[str, Any]:
    """What a browser keeps of a side."""
    found: dict[str, Any] = one.page.evaluate("([game, side]) => receipts.of(game, side).now()", [made["game"], side])
    return found


def nonce_in(request: Request) -> str:
    return parse_qs(request.post_data or "")["nonce"][0]


def germany_whose_answers_are_lost(
    person: Callable[..., Person], server: Server, lose: Callable[[Route, int], None]
) -> tuple[Person, dict[str, Any], list[str]]:
    """Somebody who plays Germany, the table, and the nonces that he sends; `lose` is given each answer and how many
    there were."""
    made = server.make("denmark-strait", britain="doctrine")
    one = person()
    one.sit_down(made, "germany")
    sent: list[str] = []

    def on_its_way(route: Route) -> None:
        sent.append(nonce_in(route.request))
        lose(route, len(sent))

    one.page.route("**/answer", on_its_way)
    return one, made, sent


def test_an_answer_that_did_not_arrive_is_sent_again_with_the_same_nonce(
    person: Callable[..., Person], server: Server
) -> None:
    def lose(route: Route, number: int) -> None:
        route.abort() if number == 1 else route.continue_()

    one, made, sent = germany_whose_answers_are_lost(person, server, lose)
    one.options.first.click()
    expect(one.page.locator("#refusal")).to_contain_text("cannot be reached")
    one.page.reload()
    one.answer()
    assert sent[0] == sent[1]
    eventually(lambda: sent[0] in [each.get("nonce") for each in kept(one, made, "germany")["kept"]])
    one.answer()
    assert sent[2] != sent[1]
    one.forgive()


def test_a_browser_whose_fresh_bytes_do_not_come_is_passed_over_and_promises_others(
    person: Callable[..., Person], server: Server
) -> None:
    made = server.make("denmark-strait")
    germany, britain = person(), person()
    germany.sit_down(made, "germany")
    britain.sit_down(made, "britain")
    britain.page.route("**/reveal", lambda route: route.abort())
    status = germany.page.locator("#part-top .whose")
    while status.inner_text() != "Rolling…":
        play({germany: False, britain: False}, answers=1)
        eventually(lambda: germany.asked or britain.asked or status.inner_text() == "Rolling…")
    eventually(lambda: germany.asked or britain.asked, "the dice did not fall without these bytes")
    britain.page.unroute("**/reveal")
    play({germany: False, britain: False})
    lines = [json.loads(line) for line in server.ask(save_of(made), token=made["tokens"]["britain"]).splitlines()]
    skipped = [line["skip"] for line in lines if "skip" in line]
    assert len(skipped) == 1
    place = next(line["n"] for line in lines if "skip" in line)
    assert "britain" in [line["side"] for line in lines[place:] if "pledge" in line], "it promises others"
    assert lines[place - 1].get("reveal"), "the bytes of the other browser came"
    for one in (germany, britain):
        one.go(f"/table/{made['game']}/proof")
        expect(one.page.locator(".receipts .said")).to_contain_text("receipts all match the game")
    britain.forgive()


def save_of(made: dict[str, Any]) -> str:
    return f"/api/tables/{made['game']}/save"


def test_a_receipt_that_got_lost_is_asked_for(person: Callable[..., Person], server: Server) -> None:
    def lose(route: Route, number: int) -> None:
        route.fetch()
        route.abort()

    one, made, sent = germany_whose_answers_are_lost(person, server, lose)
    one.answer()
    eventually(lambda: sent[0] in [each.get("nonce") for each in kept(one, made, "germany")["kept"]])
    assert kept(one, made, "germany")["nonces"] == {}
    one.forgive()
