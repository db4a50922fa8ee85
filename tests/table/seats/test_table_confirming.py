"""An e-mail address gets one mail until somebody confirms it, and that mail is of no use to anybody else."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import text

from flagplot.kernel.errors import BadValue
from flagplot.table.games.keeper import GRACE
from flagplot.table.guard.rates import Counter, kind_of
from flagplot.table.info import Created
from flagplot.table.refusals import TooManyCalls
from flagplot.table.seats import notifications as notices
from flagplot.table.seats.confirming import LASTS, mark_of_code, new_code
from flagplot.table.seats.outgoing import CallFailed, Post
from flagplot.table.server.app import create_app
from flagplot.table.settings import Settings
from flagplot.table.store.engines import open_engine, read_address
from flagplot.table.store.store import Store
from flagplot.table.store.upgrading import downgrade, upgrade
from flagplot.table.tables import Tables
from tests.table.browsers import Browser, value_of, words
from tests.table.servers import eventually

ME = "me@example.org"
TITLE = "Buy cheap torpedoes"
CODE = re.compile(r"\b(?:[a-z2-7]{4}-){3}[a-z2-7]{4}\b")


class Office:
    """A server with mail, whose letters are kept here instead of being sent."""

    def __init__(self, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.letters, self.fault = 1_000_000.0, list[tuple[str, str]](), ""
        post = Post("https://table.example", "smtp://mail.example?from=table@example.org", private=True)
        self.tables = Tables(Store(address), clock=lambda: self.now, post=post)
        self.tables.calls.rates = Counter(notices.RATES, clock=lambda: self.now)
        monkeypatch.setattr(notices, "send_email", self.send)
        self.made: Created = self.tables.create("first-battle", title=TITLE)
        self.side, self.other = self.tables.table(self.made.game).sides
        self.app: FastAPI = create_app(self.tables, Settings(rate_limits=False, log_requests=False))

    def send(self, post: Post, to: str, message: Any) -> None:
        if self.fault:
            raise CallFailed(self.fault)
        self.letters.append((to, f"{message['subject']}\n{message['text']}"))

    def give(self, address: str = ME, webhook: str = "") -> str:
        """Give an address; the code of the mail that it gets."""
        before = len(self.letters)
        self.tables.calls.set_messenger(self.made.game, self.side, email=address, webhook=webhook)
        eventually(lambda: len(self.letters) > before)
        code = CODE.search(self.letters[-1][1])
        assert code
        return code[0]

    @property
    def known(self) -> tuple[str, str]:
        """The address that is used, and the one that waits."""
        found = self.tables.calls.messenger(self.made.game, self.side)
        return found.email, found.unconfirmed

    def call(self) -> int:
        """Both sit down, and the call becomes due; how many arrived."""
        for token in self.made.tokens.values():
            self.tables.join(token, contribution=secrets.token_hex(32))
        self.now += GRACE + 1
        return self.tables.calls.make_due()

    def browser(self) -> Browser:
        """Whoever sits at the side."""
        made = Browser(self.app)
        made.client.cookies.set(f"seat-{self.made.game}", self.made.tokens[self.side])
        return made


@pytest.fixture
def office(address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    made = Office(address, monkeypatch)
    asked = made.tables.look(made.made.game, "neutral").waiting_for
    if asked != made.side:
        made.side, made.other = made.other, made.side
    yield made
    made.tables.close()


def test_nothing_but_the_one_mail_is_sent_until_the_address_is_confirmed(office: Office) -> None:
    code = office.give()
    assert office.known == ("", ME)
    assert office.call() == 0
    with pytest.raises(BadValue, match="confirm your e-mail address first"):
        office.tables.calls.test(office.made.game, office.side)
    assert len(office.letters) == 1
    office.tables.calls.confirm(code)
    assert office.known == (ME, "")
    office.tables.calls.test(office.made.game, office.side)
    eventually(lambda: len(office.letters) == 2)
    assert "This is a test" in office.letters[1][1]


def test_a_confirmed_address_is_called(office: Office) -> None:
    office.tables.calls.confirm(office.give())
    assert office.call() == 1
    assert [to for to, _ in office.letters] == [ME, ME]
    assert "turn of" in office.letters[1][1]
    office.tables.calls.set_messenger(office.made.game, office.side, email=ME, webhook="https://hooks.example/")
    assert office.known == (ME, "")  # it need not be confirmed again
    assert len(office.letters) == 2


def test_the_mail_holds_no_secret_and_no_word_of_a_player(office: Office) -> None:
    code = office.give()
    ((to, letter),) = office.letters
    assert to == ME
    assert f"https://table.example/confirm/{code}" in letter
    assert "If it is not you, do nothing" in letter
    secret = [*office.made.tokens.values(), office.made.host_token, office.made.game, office.made.public_id]
    assert [word for word in [*secret, TITLE, office.side] if word in letter] == []
    with office.tables.store._reading() as connection:
        kept = str(connection.execute(text("SELECT * FROM confirmations")).all())
    assert code not in kept
    assert mark_of_code(code) in kept


def test_a_code_works_once_for_its_own_address_and_lapses(office: Office) -> None:
    first = office.give()
    second = office.give("new@example.org")
    with pytest.raises(BadValue, match="confirms nothing"):
        office.tables.calls.confirm(first)  # that was for another address
    office.tables.calls.confirm(second.upper().replace("-", " "))
    with pytest.raises(BadValue, match="confirms nothing"):
        office.tables.calls.confirm(second)
    assert office.known == ("new@example.org", "")
    third = office.give()
    assert office.known == ("", ME)  # the old one is no longer wanted
    office.now += LASTS + 1
    with pytest.raises(BadValue, match="older than a day"):
        office.tables.calls.confirm(third)
    assert office.known == ("", "")
    for wrong in ("", "x", new_code(), "ä" * 16, "' OR 1=1 --"):
        with pytest.raises(BadValue, match="confirms nothing"):
            office.tables.calls.confirm(wrong)


def test_addresses_that_nobody_confirms_are_forgotten(office: Office) -> None:
    office.give()
    store = office.tables.store
    office.tables.calls._lapse()
    with store._reading() as connection:
        assert connection.scalar(text("SELECT count(*) FROM confirmations")) == 1
    office.now += LASTS + 1
    office.tables.calls._lapse()
    with store._reading() as connection:
        assert connection.scalar(text("SELECT count(*) FROM confirmations")) == 0


def test_a_seat_that_changes_hands_takes_no_address_along(office: Office) -> None:
    code = office.give()
    office.tables.handovers.replace_link(office.made.tokens[office.side], office.side)
    with pytest.raises(BadValue, match="confirms nothing"):
        office.tables.calls.confirm(code)
    assert office.known == ("", "")


def test_few_mails_go_to_an_address_that_is_not_confirmed(office: Office) -> None:
    for _ in range(3):
        office.give()
    with pytest.raises(TooManyCalls, match="minutes"):
        office.give()
    other = office.tables.create("first-battle")
    with pytest.raises(TooManyCalls):  # also for other tables
        office.tables.calls.set_messenger(other.game, office.side, email=ME.upper())
    assert len(office.letters) == 3
    assert office.known == ("", ME)  # what was refused has changed nothing
    office.now += 3700
    office.give()


def test_a_mail_that_cannot_be_sent_is_told(office: Office) -> None:
    office.fault = "the mail server did not take it (SMTPRecipientsRefused)"
    office.tables.calls.set_messenger(office.made.game, office.side, email=ME)
    eventually(lambda: "did not take it" in office.tables.calls.messenger(office.made.game, office.side).last)


# --- pages and programs -------------------------------------------------------------------------------------------


def test_the_link_asks_and_the_button_confirms(office: Office) -> None:
    code = office.give()
    stranger = Browser(office.app)  # the mail may be read in another browser
    page = stranger.get(f"/confirm/{code}")
    assert page.status_code == 200
    assert office.known == ("", ME)  # a program that opens links confirms nothing
    done = stranger.post(f"/confirm/{code}")
    assert "Your e-mail address is confirmed" in words(done)
    assert office.known == (ME, "")
    again = stranger.post(f"/confirm/{code}")
    assert again.status_code == 422
    assert "confirms nothing" in words(again)
    assert stranger.client.post(f"/confirm/{code}").status_code == 403  # without the token of the form
    assert kind_of("POST", f"/confirm/{code}") == kind_of("POST", "/api/confirmation") == "join"


def test_the_page_of_the_seat_takes_the_code(office: Office) -> None:
    browser, path = office.browser(), f"/table/{office.made.game}/seats"
    place = office.tables.table(office.made.game).sides.index(office.side) + 1
    assert browser.post(f"{path}/call", {"side": office.side, "email": ME}).status_code == 303
    eventually(lambda: office.letters)
    code = CODE.search(office.letters[0][1])
    assert code
    page = browser.get(path)
    assert f"We have sent a mail to {ME}" in words(page)
    assert value_of(page, f"email-{place}") == ME
    wrong = browser.post(f"{path}/call", {"side": office.side, "email": ME, "code": "x", "do": "confirm"})
    assert (wrong.status_code, "confirms nothing" in words(wrong)) == (422, True)
    assert len(office.letters) == 1
    again = browser.post(f"{path}/call", {"side": office.side, "email": ME, "do": "again"})
    assert again.status_code == 303
    eventually(lambda: len(office.letters) == 2)
    code = CODE.search(office.letters[1][1])
    assert code
    assert browser.post(f"{path}/call", {"side": office.side, "email": ME, "code": code[0]}).status_code == 303
    assert office.known == (ME, "")
    assert "We have sent a mail" not in words(browser.get(path))
    assert browser.post(f"{path}/call", {"side": office.side, "do": "remove"}).status_code == 303
    assert office.known == ("", "")


def test_programs_confirm_too(office: Office) -> None:
    client = Browser(office.app).client
    headers = {"Authorization": f"Bearer {office.made.tokens[office.side]}"}
    path = f"/api/tables/{office.made.game}/sides/{office.side}/calls"
    told = client.put(path, json={"email": ME}, headers=headers).json()
    assert (told["email"], told["unconfirmed"]) == ("", ME)
    eventually(lambda: office.letters)
    code = CODE.search(office.letters[0][1])
    assert code
    assert client.post("/api/confirmation", json={"code": "x"}).status_code == 409
    assert client.post("/api/confirmation", json={"code": code[0]}).status_code == 204
    told = client.get(path, headers=headers).json()
    assert (told["email"], told["unconfirmed"]) == (ME, "")


def test_addresses_of_before_are_not_used(tmp_path: Path) -> None:
    place = str(tmp_path / "old.sqlite")
    store = Store(place)
    tables = Tables(store)
    game = tables.create("first-battle").game
    store.change_seat(game, "japan", email=ME)
    tables.close()
    engine = open_engine(read_address(place))
    with engine.begin() as connection:
        downgrade(connection, "0003")
        upgrade(connection)
        found = connection.execute(text("SELECT email, told FROM seats WHERE side = 'japan'")).one()
    engine.dispose()
    assert found == ("", "email: addresses are confirmed now, so type yours again")
