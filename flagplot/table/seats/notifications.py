"""Calls to seats whose turn it is while nobody sits there: a webhook, or an e-mail if the server has a mail server.

A call says which table and side, and what is asked in words that everybody may read; it never holds a secret or a
token. It is due a little after the seat was asked, is made once for each question, and is tried again for some hours.
No request waits for a call: all are made by threads of their own (`call_pool`), and tests by others than due calls.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from functools import partial
from typing import Any

from flagplot.kernel.errors import BadValue, FlagplotError
from flagplot.kernel.requests import Choose
from flagplot.kernel.words import say
from flagplot.table.games.live import LiveGame
from flagplot.table.games.seat_log import in_words, side_names
from flagplot.table.guard.rates import Counter, Rate
from flagplot.table.info import Messenger
from flagplot.table.playing.answers import Playing
from flagplot.table.refusals import Conflict, NotAllowed, StoreError, TooManyCalls
from flagplot.table.seats.call_pool import CallPool
from flagplot.table.seats.confirming import LASTS, confirmation_mail, mark_of_code, new_code
from flagplot.table.seats.outgoing import CallFailed, Post, host_of, read_email, read_webhook, send_email, send_webhook
from flagplot.table.store.database import Row

LOG = logging.getLogger("flagplot.table")

AGAIN = (30.0, 120.0, 600.0, 3600.0, 14400.0)
"""Seconds between the tries of a call; then it is given up."""
LEASE = 120.0
"""Seconds after which another server may make a call that one has begun and not ended."""
LATER = 15.0
"""Seconds until a call is looked at again whose host is busy."""
LEFT = 60.0
"""Seconds after which a server looks for orders ahead that another one left waiting."""
PULSE = 2.0
"""Seconds between looks for calls that are due."""
RATES = {
    "seat": Rate(6, 2),
    "host": Rate(30, 15),
    "all": Rate(120, 60),
    "address": Rate(3, 1 / 60),
    "mail": Rate(30, 10),
}
"""How many calls people may ask for: for a seat, to a host, at this server; and mails to addresses that nobody has
confirmed, for each and for all."""
TESTING = "testing since "
"""What a seat is noted to be told while a test is under way, with the time."""
TEST_LASTS = 120.0
"""Seconds after which a test that has not ended was made by a server that is gone."""


def _span(seconds: float) -> str:
    """A time to wait, in words."""
    if seconds > 90:
        return f"{round(seconds / 60)} minutes"
    number = max(1, round(seconds))
    return f"{number} second{'s' * (number != 1)}"


def _name(live: LiveGame, side: str) -> str:
    """What people call a side."""
    return str(live.game.view(side).position.sides.get(side, side))


# --- the queue --------------------------------------------------------------------------------------------------


class Notices:
    """Makes the calls that are due, and knows how each seat wants to be called."""

    def __init__(self, playing: Playing, post: Post) -> None:
        self.playing, self.store, self.post = playing, playing.store, post
        self.due = CallPool("flagplot-call", threads=6, at_host=2, waiting=40, waiting_for_host=10)
        self.asked = CallPool("flagplot-test", threads=3, at_host=1, waiting=40, waiting_for_host=5)
        """What people ask for now: it must not keep those from being called who wait."""
        self.rates = Counter(RATES)
        self._lapsed, self._looked = 0.0, playing.clock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Look for due calls from now on."""
        self._thread = threading.Thread(target=self._run, name="flagplot-notices", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self.due.close()
        self.asked.close()

    def _run(self) -> None:
        while not self._stop.wait(PULSE):
            try:
                self.begin_due()
                self._lapse()
                self._look_after_orders()
            except FlagplotError as fault:
                LOG.warning("calls wait: %s", fault.code)
            except Exception:
                LOG.exception("calls wait")

    def _lapse(self) -> None:
        """Now and then forget addresses that nobody has confirmed."""
        now = self.playing.clock()
        if abs(now - self._lapsed) > LASTS / 24:  # also if the clock was set back
            self._lapsed = now
            self.store.lapse(now - LASTS)

    def _look_after_orders(self) -> None:
        """Now and then see to orders ahead that another server left waiting when it stopped."""
        now = self.playing.clock()
        if self.store.shared and abs(now - self._looked) > LEFT:  # also if the clock was set back
            self._looked = now
            self.playing.go_on(self.store.ordered_ahead())

    # --- what a seat sets ---------------------------------------------------------------------------------------

    @property
    def has_mail(self) -> bool:
        """Whether this server can send e-mail."""
        return bool(self.post.smtp)

    def messenger(self, game_id: str, side: str) -> Messenger:
        """How a seat wants to be called when it is its turn and it is not there, and how the last call went."""
        with self.playing.using(game_id, side) as live:
            seat = live.seats[side]
        last, testing = seat["told"], False
        if last.startswith(TESTING):
            testing = self.playing.clock() - float(last.removeprefix(TESTING)) < TEST_LASTS
            last = "" if testing else "the test was cut off: try it again"
        waits = self.store.unconfirmed(game_id, side, self.playing.clock() - LASTS) if self.post.smtp else ""
        return Messenger(seat["webhook"], seat["email"], last, testing, waits)

    def set_messenger(self, game_id: str, side: str, *, webhook: str = "", email: str = "") -> None:
        """Set the address of a webhook and an e-mail address; empty takes them away. An e-mail address is used when it
        was confirmed with the code that is sent there. Raises BadValue, NotAllowed, TooManyCalls."""
        address, mail = read_webhook(webhook, private=self.post.private), read_email(email)
        if mail and not self.post.smtp:
            raise NotAllowed("this server has no mail server: use a webhook", given=email)
        with self.playing.using(game_id, side) as live:
            known = mail if mail == live.seats[side]["email"] else ""
        if mail and not known:
            self._count((game_id, side), host_of("email", mail), address=mail)
        self.store.change_seat(game_id, side, webhook=address, email=known, told="")
        self.store.forget_unconfirmed(game_id, side)
        if mail and not known:
            self._ask_to_confirm(game_id, side, mail)
        self.playing.games.changed_elsewhere(game_id)

    def _ask_to_confirm(self, game_id: str, side: str, address: str) -> None:
        """Send the one mail that an address gets before somebody has confirmed it."""
        code = new_code()
        message = confirmation_mail(self.post.address, code)

        def work() -> bool:
            fault = self._try("email", {"email": address}, message)
            if fault:
                self._tell(game_id, side, f"email: {fault}, so nobody can confirm the address; give it again")
            return not fault

        self.store.ask_to_confirm(game_id, side, address, mark_of_code(code), self.playing.clock())
        if self.asked.begin((game_id, side, "confirm"), host_of("email", address), work) is None:
            self.store.forget_unconfirmed(game_id, side)
            raise TooManyCalls("this server is sending other mail now: try again in a minute")

    def confirm(self, code: str) -> None:
        """Somebody has the code that was sent to an address: from now on it is used. Raises BadValue."""
        mark = mark_of_code(code)
        found = self.store.confirm(mark, self.playing.clock() - LASTS) if mark else None
        if found is None:
            raise BadValue("this code confirms nothing: it is older than a day, was replaced, or mistyped")
        self.playing.games.changed_elsewhere(found[0])

    def test(self, game_id: str, side: str) -> None:
        """Have a call made now, to try it; `messenger` tells how it went when that is known. Raises BadValue if
        nothing is set, and TooManyCalls."""
        with self.playing.using(game_id, side) as live:
            seat, title, name = live.seats[side], live.row["title"], _name(live, side)
        kinds = [kind for kind in ("webhook", "email") if seat[kind]]
        if not kinds:
            if self.store.unconfirmed(game_id, side, self.playing.clock() - LASTS):
                raise BadValue("confirm your e-mail address first: the code is in the mail that was sent there")
            raise BadValue("no webhook and no e-mail address is set for this seat", given=side)
        self._count((game_id, side), *[host_of(kind, seat[kind]) for kind in kinds])
        words = f"This is a test of the calls of {name} at the table “{title}”."
        message = self._message(game_id, side, title, words, "Flagplot: a test")

        def work() -> bool:
            faults = {kind: self._try(kind, seat, message) for kind in kinds}
            self._tell(game_id, side, "; ".join([f"{kind}: {fault or 'it arrived'}" for kind, fault in faults.items()]))
            return not any(faults.values())

        self._tell(game_id, side, f"{TESTING}{self.playing.clock():.0f}")
        if self.asked.begin((game_id, side), host_of(kinds[0], seat[kinds[0]]), work) is None:
            self._tell(game_id, side, seat["told"])
            raise TooManyCalls("this server is making other calls now: try again in a minute")

    def _count(self, seat: tuple[str, str], *hosts: str, address: str = "") -> None:
        """Count a call that somebody asks for. Raises TooManyCalls."""
        counted = [("seat", " ".join(seat)), *[("host", host) for host in hosts], ("all", "")]
        counted += [("address", address.casefold()), ("mail", "")] if address else []
        wait = max([self.rates.wait(kind, who) for kind, who in counted])
        if wait:
            raise TooManyCalls(f"that was a great deal at once: try again in {_span(wait)}")

    def _tell(self, game_id: str, side: str, words: str) -> None:
        """Note how a call went; also pages at other servers show it."""
        self.store.change_seat(game_id, side, told=words)
        self.playing.games.changed_elsewhere(game_id)

    def _try(self, kind: str, seat: Row, message: Mapping[str, Any]) -> str:
        """Make a call; what went wrong, or nothing."""
        try:
            if kind == "webhook":
                send_webhook(seat["webhook"], message, private=self.post.private)
            else:
                send_email(self.post, seat["email"], message)
        except CallFailed as fault:
            return str(fault)
        return ""

    # --- calls that are due -------------------------------------------------------------------------------------

    def make_due(self) -> int:
        """Make all calls that are due; how many arrived."""
        return sum([call.result() for call in self.begin_due()])

    def begin_due(self) -> list[Future[bool]]:
        """Begin all calls that are due. One whose host is busy is put off, so that it does not hold up the others."""
        begun = list[Future[bool]]()
        for call in self.store.due(self.playing.clock()):
            seat, host = (call["game"], call["side"], call["kind"]), host_of(call["kind"], call[call["kind"]])
            done = self.due.begin(seat, host, partial(self._claim, call))
            if done is None:
                self.store.put_off(call, self.playing.clock() + LATER)
            else:
                begun.append(done)
        return begun

    def _claim(self, call: Row) -> bool:
        """Make a call, unless another server does; whether it arrived."""
        return self.store.claim(call, self.playing.clock() + LEASE) and self._make(call)

    def _make(self, call: Row) -> bool:
        try:
            message = self._about_seat(call) if call["moment"] < 0 else self._about_turn(call)
        except (StoreError, Conflict):
            raise  # it cannot be known now: the call is made later
        except FlagplotError:
            message = None  # the table is gone
        now = self.playing.clock()
        if message is None or not call[call["kind"]]:
            self.store.called(call, done=now)
            return False
        fault = self._try(call["kind"], call, message)
        tries = call["tries"] + 1
        if not fault:
            self.store.called(call, done=now)
            told = "the last call arrived"
        elif tries > len(AGAIN):
            self.store.called(call, done=now)
            told = f"the last call was given up after {tries} tries: {fault}"
        else:
            self.store.called(call, due=now + AGAIN[tries - 1])
            told = f"the last call failed and will be tried again: {fault}"
        self.store.note_seat(call["game"], call["side"], told=f"{call['kind']}: {told}")
        self.playing.games.changed_elsewhere(call["game"])
        return not fault

    def _about_turn(self, call: Row) -> dict[str, Any] | None:
        """What a call says; None if it is no longer needed: the seat has answered, or somebody sits there."""
        game_id, side = call["game"], call["side"]
        with self.playing.using(game_id) as live:
            request = live.game.pending
            if not isinstance(request, Choose) or request.side != side:
                return None
            if live.game.moment_of(side) != call["moment"] or self.playing.is_there(live, side):
                return None
            words, name = say(request.public), _name(live, side)
        text = f"It is the turn of {name} at the table “{call['title']}”: {words}"
        return self._message(game_id, side, call["title"], text, f"Flagplot: the turn of {name} at {call['title']}")

    def _about_seat(self, call: Row) -> dict[str, Any] | None:
        """What a call says when the host asks for the seat; None if he no longer does."""
        game_id, side = call["game"], call["side"]
        with self.playing.using(game_id) as live:
            happened = next((one for one in live.happenings if one["n"] == -call["moment"]), None)
            if happened is None or side not in live.requests:
                return None
            words, name = in_words(happened, side_names(live.game)), side_names(live.game).get(side, side)
        text = f"At the table “{call['title']}”: {words}."
        return self._message(game_id, side, call["title"], text, f"Flagplot: the seat of {name} at {call['title']}")

    def _message(self, game_id: str, side: str, title: str, words: str, subject: str) -> dict[str, Any]:
        """A message. `text` and `content` are what the common chat services show."""
        link = f"{self.post.address}/table/{game_id}" if self.post.address else ""
        text = f"{words}\n{link}" if link else words
        return {
            "subject": subject,
            "text": text,
            "content": text,
            "game": game_id,
            "side": side,
            "title": title,
            "url": link,
            "at": int(self.playing.clock()),
        }
