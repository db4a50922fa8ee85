"""A seat that somebody has joined changes hands with his consent, or after a long absence; everybody reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.table.info import Created
from flagplot.table.refusals import Conflict, NoSuchSeat, NotAllowed, NotYet
from flagplot.table.server.app import create_app
from flagplot.table.settings import Settings
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from tests.table.browsers import Browser, value_of, words
from tests.table.clocks import Clock
from tests.table.nonces import answer

START = 1_800_000_000.0
ASKS = (
    "Seat of United States: the host asks to give it to {}. It changes hands by consent, or after 14 days without a "
    "sign of its holder"
)


@pytest.fixture
def clock() -> Clock:
    return Clock(START)


@pytest.fixture
def own(address: str, clock: Clock) -> Iterator[Tables]:
    tables = Tables(Store(address), clock=clock)
    yield tables
    tables.close()


def joined(tables: Tables, **seats: str) -> Created:
    """A table at which everybody has sat down."""
    made = tables.create("first-battle", seats=seats)
    for number, token in enumerate(dict.fromkeys(made.tokens.values())):
        tables.join(token, name="Somebody", contribution=f"{number:02x}" * 32)
    return made


def log_of(tables: Tables, game: str, reader: str) -> list[str]:
    return [entry.text for entry in tables.look(game, reader).log]


def kinds(tables: Tables, game: str) -> dict[str, str]:
    return {side: holder.kind for side, holder in tables.table(game).holders.items()}


# --- asking -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["link", "person", "doctrine"])
def test_the_host_cannot_take_a_seat_that_somebody_has_joined(own: Tables, how: str) -> None:
    """Whatever he tries he only asks, and the holder's link goes on opening the seat."""
    made = joined(own)
    if how == "link":
        assert own.handovers.replace_link(made.host_token, "allies") == ""
    else:
        assert own.handovers.hand_over(made.host_token, "allies", how) == ""
    assert own.seat(made.tokens["allies"]).sides == ("allies",)
    assert kinds(own, made.game) == {"japan": "person", "allies": "person"}
    (request,) = own.handovers.requests(made.game)
    assert (request.side, request.holder, request.days, request.due) == (
        "allies",
        "doctrine" if how == "doctrine" else "person",
        14,
        False,
    )
    whom = "the program (doctrine)" if how == "doctrine" else "another player"
    for reader in ("japan", "allies", NEUTRAL):
        assert log_of(own, made.game, reader)[-1] == ASKS.format(whom)
    assert "seat" not in [key for line in own.store.lines(made.game) for key in json.loads(line.text)]


def test_an_empty_seat_is_the_hosts_to_give(own: Tables) -> None:
    made = own.create("first-battle")
    own.join(made.tokens["japan"], contribution="ab" * 32)
    fresh = own.handovers.replace_link(made.host_token, "allies")
    assert own.seat(fresh).sides == ("allies",)
    with pytest.raises(NoSuchSeat):
        own.seat(made.tokens["allies"])
    assert own.handovers.hand_over(made.host_token, "allies", "random") == ""
    assert kinds(own, made.game)["allies"] == "random"
    assert own.handovers.requests(made.game) == []


def test_a_seat_of_the_program_is_the_hosts_to_give_and_everybody_reads_it(own: Tables) -> None:
    made = joined(own, allies="doctrine")
    token = own.handovers.hand_over(made.host_token, "allies", "person")
    assert own.seat(token).sides == ("allies",)
    for reader in ("japan", "allies", NEUTRAL):
        assert "Seat of United States: the host gives it to another player" in log_of(own, made.game, reader)


def test_the_host_asks_once_and_not_all_day(own: Tables, clock: Clock) -> None:
    made = joined(own)
    for _ in range(5):
        own.handovers.hand_over(made.host_token, "allies", "doctrine")
        with pytest.raises(Conflict, match="asked for this seat already"):
            own.handovers.hand_over(made.host_token, "allies", "person")
        own.handovers.withdraw(made.host_token, "allies")
    assert own.handovers.requests(made.game) == []
    assert log_of(own, made.game, "japan")[-1] == "Seat of United States: the host no longer asks for it"
    with pytest.raises(NotAllowed, match="5 times today"):
        own.handovers.hand_over(made.host_token, "allies", "doctrine")
    clock.days = 1.1
    own.handovers.hand_over(made.host_token, "allies", "doctrine")


# --- consent ------------------------------------------------------------------------------------------------------


def test_the_holder_declines_and_keeps_his_seat(own: Tables) -> None:
    made = joined(own)
    own.handovers.hand_over(made.host_token, "allies", "doctrine")
    with pytest.raises(NotAllowed):
        own.handovers.settle(made.host_token, "allies", yes=True)
    with pytest.raises(NotAllowed):
        own.handovers.settle(made.tokens["japan"], "allies", yes=True)
    own.handovers.settle(made.tokens["allies"], "allies", yes=False)
    assert own.seat(made.tokens["allies"]).sides == ("allies",)
    for reader in ("japan", "allies", NEUTRAL):
        assert log_of(own, made.game, reader)[-1] == "Seat of United States: its holder declines and keeps it"
    with pytest.raises(Conflict, match="nobody asks"):
        own.handovers.settle(made.tokens["allies"], "allies", yes=True)
    with pytest.raises(Conflict, match="nobody asks"):
        own.handovers.carry_out(made.host_token, "allies")


def test_the_holder_allows_it_and_the_program_goes_on(own: Tables) -> None:
    made = joined(own)
    own.handovers.hand_over(made.host_token, "allies", "random")
    own.handovers.settle(made.tokens["allies"], "allies", yes=True)
    with pytest.raises(NoSuchSeat):
        own.seat(made.tokens["allies"])
    assert kinds(own, made.game)["allies"] == "random"
    assert (
        log_of(own, made.game, "japan").count("Seat of United States: its holder lets it go to the program (random)")
        == 1
    )
    bodies = [json.loads(line.text) for line in own.store.lines(made.game)]
    assert [(body["side"], body["seat"]) for body in bodies if "seat" in body] == [("allies", "random")]


def test_the_holder_allows_it_and_the_host_makes_a_link_for_another_player(own: Tables) -> None:
    made = joined(own)
    own.handovers.replace_link(made.host_token, "allies")
    own.handovers.settle(made.tokens["allies"], "allies", yes=True)
    assert not own.table(made.game).holders["allies"].joined
    with pytest.raises(NoSuchSeat):
        own.seat(made.tokens["allies"])
    fresh = own.handovers.replace_link(made.host_token, "allies")
    own.join(fresh, name="Fletcher", contribution="cd" * 32)
    assert own.table(made.game).holders["allies"].name == "Fletcher"


# --- absence ------------------------------------------------------------------------------------------------------


def test_after_a_long_absence_the_host_gives_the_seat_away(own: Tables, clock: Clock) -> None:
    made = joined(own)
    own.handovers.replace_link(made.host_token, "allies")
    with pytest.raises(NotYet):
        own.handovers.carry_out(made.host_token, "allies")
    clock.days = 13.9
    assert not own.handovers.requests(made.game)[0].due
    with pytest.raises(NotYet):
        own.handovers.carry_out(made.host_token, "allies")
    assert own.seat(made.tokens["allies"]).sides == ("allies",)
    clock.days = 14.1
    assert own.handovers.requests(made.game)[0].due
    with pytest.raises(NotAllowed):
        own.handovers.carry_out(made.tokens["japan"], "allies")
    fresh = own.handovers.carry_out(made.host_token, "allies")
    assert own.seat(fresh).sides == ("allies",)
    with pytest.raises(NoSuchSeat):
        own.seat(made.tokens["allies"])
    told = "Seat of United States: 14 days without a sign of its holder, so the host gives it to another player"
    for reader in ("japan", "allies", NEUTRAL):
        assert log_of(own, made.game, reader)[-1] == told


@pytest.mark.parametrize("sign", ["look", "answer", "seen"])
def test_any_sign_of_the_holder_starts_the_time_again(own: Tables, clock: Clock, sign: str) -> None:
    made = joined(own)
    while own.table(made.game).waiting_for != "allies":
        answer(own, made.game)
    own.handovers.hand_over(made.host_token, "allies", "doctrine")
    clock.days = 10
    if sign == "look":
        own.look(made.game, "allies")
    elif sign == "seen":
        own.seen(made.game, "allies", 0)
    else:
        answer(own, made.game)
    clock.days = 23.9
    own.look(made.game, "japan")  # the other side's signs are no signs of this one
    with pytest.raises(NotYet):
        own.handovers.carry_out(made.host_token, "allies")
    clock.days = 24.1
    own.handovers.carry_out(made.host_token, "allies")
    assert kinds(own, made.game)["allies"] == "doctrine"


@pytest.mark.anyio
async def test_a_holder_whose_page_is_open_is_not_absent(own: Tables, clock: Clock) -> None:
    made = joined(own)
    own.handovers.replace_link(made.host_token, "allies")
    with own.subscribe(made.game, "allies"):
        clock.days = 40
        with pytest.raises(NotYet):
            own.handovers.carry_out(made.host_token, "allies")


def test_a_sign_at_another_server_counts(own: Tables, address: str, clock: Clock) -> None:
    made = joined(own)
    own.handovers.replace_link(made.host_token, "allies")
    other = Tables(Store(address), clock=clock)
    clock.days = 10
    other.look(made.game, "allies")
    clock.days = 15
    with pytest.raises(NotYet):
        own.handovers.carry_out(made.host_token, "allies")
    other.close()


# --- the holder himself -------------------------------------------------------------------------------------------


def test_the_holder_replaces_his_link_or_hands_his_seat_on_as_he_likes(own: Tables) -> None:
    made = joined(own)
    own.handovers.hand_over(made.host_token, "allies", "doctrine")
    fresh = own.handovers.replace_link(made.tokens["allies"], "allies")
    assert own.seat(fresh).joined
    assert [one.side for one in own.handovers.requests(made.game)] == ["allies"]
    assert own.handovers.replace_link(made.host_token, "japan") == "", "Japan has joined too"
    left = own.handovers.replace_link(fresh, "allies", leave=True)
    assert [one.side for one in own.handovers.requests(made.game)] == ["japan"]
    own.join(left, name="Fletcher", contribution="cd" * 32)
    told = log_of(own, made.game, "japan")
    assert "Seat of United States: its holder has replaced the link" in told
    assert told[-1] == "Seat of United States: its holder hands it on to another player"


# --- the log ------------------------------------------------------------------------------------------------------


def test_each_reader_finds_it_where_his_log_ended_at_that_time(own: Tables) -> None:
    """The lines before it are those that he had read, the lines after it those that came later; and they are the same
    lines as without it."""
    made = joined(own)
    readers = ("japan", "allies", NEUTRAL)
    before = {reader: log_of(own, made.game, reader) for reader in readers}
    own.handovers.replace_link(made.host_token, "allies")
    for _ in range(12):
        answer(own, made.game)
    with own.game(made.game, NEUTRAL) as game:
        plain = {reader: [entry.text for entry in game.log(reader)] for reader in readers}
    for reader in readers:
        log = log_of(own, made.game, reader)
        place = log.index(ASKS.format("another player"))
        assert log[:place] == before[reader]
        assert log[:place] + log[place + 1 :] == plain[reader]


def test_how_often_a_side_answered_in_secret_does_not_show_in_where_it_stands(tmp_path: Path) -> None:
    """Two games, in one of which Japan has answered more of its secret questions when the host asks: the other side and
    the spectators read the same, then and later."""
    logs = []
    for answers in (0, 1, 2):
        tables = Tables(Store(str(tmp_path / f"{answers}.sqlite")))
        made = joined(tables)
        for _ in range(answers):
            assert answer(tables, made.game) == "japan"
        assert tables.table(made.game).waiting_for == "japan"
        tables.handovers.replace_link(made.host_token, "allies")
        logs.append([log_of(tables, made.game, reader) for reader in ("allies", NEUTRAL)])
        while tables.table(made.game).waiting_for == "japan":
            answer(tables, made.game)
        logs[-1] += [log_of(tables, made.game, reader) for reader in ("allies", NEUTRAL)]
        tables.close()
    assert logs[0] == logs[1] == logs[2]


def test_after_the_end_it_is_in_the_log_of_the_umpire(own: Tables) -> None:
    made = joined(own)
    own.handovers.replace_link(made.host_token, "allies")
    own.handovers.settle(made.tokens["allies"], "allies", yes=False)
    for _ in range(2000):
        if own.table(made.game).finished:
            break
        answer(own, made.game)
    told = log_of(own, made.game, UMPIRE)
    assert ASKS.format("another player") in told
    assert own.verify(made.game).sound
    with pytest.raises(NotAllowed, match="the game is over"):
        own.handovers.hand_over(made.host_token, "allies", "doctrine")


def test_the_holder_is_called(own: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    made = joined(own)
    own.calls.set_messenger(made.game, "allies", webhook="https://hooks.example/x")
    calls = list[str]()
    monkeypatch.setattr(
        "flagplot.table.seats.notifications.send_webhook", lambda _address, message, **_: calls.append(message["text"])
    )
    own.handovers.hand_over(made.host_token, "allies", "doctrine")
    own.calls.make_due()
    (text,) = calls
    assert ASKS.format("the program (doctrine)") in text


# --- pages and programs -------------------------------------------------------------------------------------------


@pytest.fixture
def tables(tmp_path: Path, clock: Clock) -> Iterator[Tables]:
    made = Tables(Store(f"sqlite:///{tmp_path}/tables.sqlite"), clock=clock)
    yield made
    made.close()


def sat_down(tables: Tables) -> tuple[Browser, Browser, str]:
    app = create_app(tables, Settings(rate_limits=False))
    host, friend = Browser(app), Browser(app)
    seats = {"scenario": "first-battle", "seat.japan": "me", "seat.allies": "friend", "contribution": "ab" * 32}
    game = host.post("/new", seats).headers["location"].split("/")[2]
    link = value_of(host.get(f"/table/{game}/seats"), "link-2")
    assert friend.post("/join", {"token": link, "name": "Spruance", "contribution": "cd" * 32}).status_code == 303
    return host, friend, game


def test_pages_ask_and_answer(tables: Tables) -> None:
    host, friend, game = sat_down(tables)
    assert "Ask for this seat" in words(host.get(f"/table/{game}/seats"))
    assert host.post(f"/table/{game}/seats/give", {"side": "allies", "holder": "doctrine"}).status_code == 303
    wants = "The host wants to give your seat to the program (doctrine)."
    assert wants in words(friend.get(f"/table/{game}"))
    assert wants in words(friend.get(f"/table/{game}/seats"))
    assert wants not in words(host.get(f"/table/{game}"))
    assert "You asked for this seat on" in words(host.get(f"/table/{game}/seats"))
    assert friend.post(f"/table/{game}/seats/settle", {"side": "allies", "yes": "no"}).status_code == 303
    assert wants not in words(friend.get(f"/table/{game}"))
    assert "declines and keeps it" in words(host.get(f"/table/{game}"))
    host.post(f"/table/{game}/seats/give", {"side": "allies", "holder": "person"})
    gone = friend.post(f"/table/{game}/seats/settle", {"side": "allies", "yes": "yes"})
    assert "You have given up your seat" in words(gone)
    assert friend.get(f"/table/{game}").status_code == 403
    host.post(f"/table/{game}/seats/give", {"side": "allies", "holder": "person"})
    fresh = value_of(host.get(f"/table/{game}/seats"), "link-2")
    assert friend.post("/join", {"token": fresh, "contribution": "ef" * 32}).status_code == 303


def test_pages_carry_it_out_after_an_absence_or_stop_asking(tables: Tables, clock: Clock) -> None:
    host, friend, game = sat_down(tables)
    host.post(f"/table/{game}/seats/replace", {"side": "allies"})
    assert host.post(f"/table/{game}/seats/carry-out", {"side": "allies"}).status_code == 403
    assert friend.post(f"/table/{game}/seats/carry-out", {"side": "allies"}).status_code == 403
    assert friend.post(f"/table/{game}/seats/withdraw", {"side": "allies"}).status_code == 403
    assert host.post(f"/table/{game}/seats/withdraw", {"side": "allies"}).status_code == 303
    host.post(f"/table/{game}/seats/replace", {"side": "allies"})
    assert "carry-out" not in host.get(f"/table/{game}/seats").text
    clock.days = 15
    assert "Give the seat to another player" in words(host.get(f"/table/{game}/seats"))
    assert host.post(f"/table/{game}/seats/carry-out", {"side": "allies"}).status_code == 303
    assert value_of(host.get(f"/table/{game}/seats"), "link-2")
    assert friend.get(f"/table/{game}").status_code == 403


def test_programs_ask_and_answer(tables: Tables, clock: Clock) -> None:
    client = TestClient(create_app(tables, Settings(rate_limits=False)))
    made = joined(tables)
    place = f"/api/tables/{made.game}/sides/allies"
    host, allies = [{"Authorization": f"Bearer {token}"} for token in (made.host_token, made.tokens["allies"])]
    assert client.put(f"{place}/holder", headers=host, json={"holder": "doctrine"}).json() == {
        "token": "",
        "asked": True,
    }
    (told,) = client.get(f"/api/tables/{made.game}/requests", headers=allies).json()
    assert told == {"side": "allies", "holder": "doctrine", "asked": START, "days": 14, "due": False}
    assert client.post(f"{place}/request/carry-out", headers=host).status_code == 409
    assert client.delete(f"{place}/request", headers=host).json() == []
    assert client.post(f"{place}/link", headers=host).json() == {"token": "", "asked": True}
    assert client.post(f"{place}/request", headers=host, json={"yes": True}).status_code == 403
    assert client.post(f"{place}/request", headers=allies, json={"yes": False}).json() == []
    clock.days = 0.1
    client.post(f"{place}/link", headers=host)
    clock.days = 15
    assert client.post(f"{place}/request/carry-out", headers=host).json()["token"]
    assert client.get("/api/seat", headers=allies).status_code == 401
