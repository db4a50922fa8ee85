"""Calls to seats whose turn it is while nobody sits there: a webhook, or an e-mail if the server has a mail server.

A call says which table and side, and what is asked in words that everybody may read; it never holds a secret or a
token. It is due a little after the seat was asked, is made once for each question, and is tried again for some hours.
A webhook may not reach into the network of the server itself, unless its owner allows it: the name is looked up once,
every address that it has must be outside, and the connection goes to one of these very addresses.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import logging
import os
import re
import smtplib
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any, NamedTuple
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from flagplot.kernel.errors import BadValue, FlagplotError
from flagplot.kernel.requests import Choose
from flagplot.kernel.words import say
from flagplot.table.addresses import is_outside, read_address
from flagplot.table.facts import Messenger
from flagplot.table.live import LiveGame
from flagplot.table.looking import is_present
from flagplot.table.playing import Playing
from flagplot.table.refusals import NotAllowed
from flagplot.table.store.store import Row

LOG = logging.getLogger("flagplot.table")

AGAIN = (30.0, 120.0, 600.0, 3600.0, 14400.0)
"""Seconds between the tries of a call; then it is given up."""
PATIENCE = 10.0
"""Seconds that a call may take."""
LEASE = 120.0
"""Seconds after which another server may make a call that one has begun and not ended."""
PULSE = 2.0
"""Seconds between looks for calls that are due."""
TARGETS = 4
"""Addresses of one name that are tried."""
AT_ONCE = 6
"""Calls that are made at the same time."""


class CallFailed(Exception):
    """A call did not reach its end; the words say why, and hold nothing of the address."""


# --- what the owner of the server sets --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Post:
    """How this server makes calls. From the environment: `FLAGPLOT_SMTP`, such as
    ``smtp://user:password@mail.example:587?from=table@example.org`` (or ``smtps://``), and `FLAGPLOT_WEBHOOKS_PRIVATE`
    (``yes`` lets webhooks reach addresses of the server's own network)."""

    address: str = ""
    """Where players find the table, for the link in a call."""
    smtp: str = field(default="", repr=False)
    private: bool = False

    @classmethod
    def from_environment(cls, address: str, environment: Mapping[str, str] = os.environ) -> Post:
        smtp = environment.get("FLAGPLOT_SMTP", "").strip()
        private = environment.get("FLAGPLOT_WEBHOOKS_PRIVATE", "").strip().lower() in ("1", "yes", "true", "on")
        post = cls(address.rstrip("/"), smtp, private)
        if smtp:
            post.mail_server()
        return post

    def mail_server(self) -> SplitResult:
        """The parts of its address; a refusal, which does not quote the password, if they are not sound."""
        with contextlib.suppress(ValueError):
            parts = urlsplit(self.smtp)
            if parts.scheme in ("smtp", "smtps") and parts.hostname and parts.port != 0 and is_email(self.sender):
                return parts
        raise BadValue(
            "FLAGPLOT_SMTP is not the address of a mail server", allowed=["smtp://host:587?from=table@example.org"]
        )

    @property
    def sender(self) -> str:
        with contextlib.suppress(ValueError):
            return parse_qs(urlsplit(self.smtp).query).get("from", [""])[0]
        return ""


# --- what a seat sets -------------------------------------------------------------------------------------------


def is_email(text: str) -> bool:
    return (
        len(text) <= 254 and re.fullmatch(r"[^@\s<>()\[\],;:\\\"]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*", text) is not None
    )


def read_webhook(text: str, *, private: bool) -> str:
    """The address of a webhook, checked."""
    address = text.strip()
    if not address:
        return ""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise BadValue("this is not the address of a webhook", given=text, allowed=["https://…"]) from None
    plain = address.isascii() and address.isprintable() and " " not in address and len(address) <= 1000
    if parts.scheme not in ("http", "https") or not host or port == 0 or not plain:
        raise BadValue("this is not the address of a webhook", given=text, allowed=["https://…"])
    if not private and read_address(host) and not is_outside(host):  # a name is looked up when the call is made
        raise NotAllowed("webhooks may not reach into the server's own network", given=text)
    return address


def read_email(text: str) -> str:
    address = text.strip()
    if address and not is_email(address):
        raise BadValue("this is not an e-mail address", given=text, allowed=["somebody@example.org"])
    return address


# --- making a call ----------------------------------------------------------------------------------------------


def send_webhook(address: str, message: Mapping[str, Any], *, private: bool) -> None:
    """POST a message as JSON. Raises CallFailed; redirects are not followed. However slowly the other end answers, when
    its time is over it is cut off."""
    parts = urlsplit(address)
    secure = parts.scheme == "https"
    host, port = parts.hostname or "", parts.port or (443 if secure else 80)
    connection = _Pinned(host, port, _resolve(host, port, private=private), secure=secure)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    body = json.dumps(message, ensure_ascii=False).encode()
    headers = {"Content-Type": "application/json", "User-Agent": "Flagplot", "Host": _host_header(parts, host)}
    timer = threading.Timer(PATIENCE, connection.cut)
    timer.daemon = True
    timer.start()
    try:
        connection.request("POST", target, body, headers)
        status = connection.getresponse().status
        connection.check_time()  # what is cut off looks like an answer that is short
    except (OSError, http.client.HTTPException) as fault:
        reason = "TimeoutError" if connection.is_over else type(fault).__name__
        raise CallFailed(f"the other end cannot be reached ({reason})") from fault
    finally:
        timer.cancel()
        connection.close()
    if not 200 <= status < 300:
        raise CallFailed(f"the other end answered with status {status}")


def _host_header(parts: SplitResult, host: str) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"{name}:{parts.port}" if parts.port else name


def _resolve(host: str, port: int, *, private: bool) -> list[Target]:
    """The addresses to connect to. The name is looked up this once; if it leads into the server's own network, be it
    by one address of many, it is refused."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as fault:
        raise CallFailed("there is no host of that name") from fault
    targets = [Target(family, address) for family, _, _, _, address in found]
    if not targets or (not private and not all([is_outside(str(target.address[0])) for target in targets])):
        raise CallFailed("webhooks may not reach into the server's own network")
    return targets[:TARGETS]


class Target(NamedTuple):
    """An address that a name was found to have, as a socket takes it."""

    family: int
    address: tuple[Any, ...]


class _Pinned(http.client.HTTPConnection):
    """A connection to addresses that were looked up before, so that it cannot be another one meanwhile. The name is
    what the other end must prove to have, if the connection is secure."""

    def __init__(self, host: str, port: int, targets: Sequence[Target], *, secure: bool) -> None:
        super().__init__(host, port, timeout=PATIENCE)
        self._targets, self._secure = targets, secure
        self.sock: socket.socket | None = None
        self.is_over = False

    def _reach(self) -> socket.socket:
        """A connection to the first of the addresses that takes one."""
        fault: OSError | None = None
        for target in self._targets:
            self.check_time()
            made = self.sock = socket.socket(target.family, socket.SOCK_STREAM)
            made.settimeout(PATIENCE / len(self._targets))
            try:
                made.connect(target.address)
            except OSError as refused:
                made.close()
                fault = refused
            else:
                made.settimeout(PATIENCE)
                return made
        raise fault or OSError("no address")

    def connect(self) -> None:
        made = self._reach()
        if self._secure:
            secured = self.sock = ssl.create_default_context().wrap_socket(
                made, server_hostname=self.host, do_handshake_on_connect=False
            )
            self.check_time()
            secured.do_handshake()
        self.check_time()

    def check_time(self) -> None:
        if self.is_over:
            raise TimeoutError

    def cut(self) -> None:
        """From another thread: its time is over. Each piece of an answer may come in time and the whole never."""
        self.is_over = True
        if self.sock is not None:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)


def send_email(post: Post, to: str, message: Mapping[str, Any]) -> None:
    """Send a message as a mail. Raises CallFailed."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = post.sender, to, _one_line(str(message["subject"]))
    mail.set_content(str(message["text"]) + "\n")
    parts = post.mail_server()
    kind = smtplib.SMTP_SSL if parts.scheme == "smtps" else smtplib.SMTP
    try:
        with kind(str(parts.hostname), parts.port or 0, timeout=PATIENCE) as server:
            if parts.scheme == "smtp" and server.ehlo()[0] == 250 and server.has_extn("starttls"):
                server.starttls(context=ssl.create_default_context())
            if parts.username:
                server.login(unquote(parts.username), unquote(parts.password or ""))
            server.send_message(mail)
    except (OSError, smtplib.SMTPException) as fault:
        raise CallFailed(f"the mail server did not take it ({type(fault).__name__})") from fault


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _name(live: LiveGame, side: str) -> str:
    """What people call a side."""
    return str(live.game.view(side).data.get("sides", {}).get(side, side))


# --- the queue --------------------------------------------------------------------------------------------------


class Notices:
    """Makes the calls that are due, and knows how each seat wants to be called."""

    def __init__(self, playing: Playing, post: Post) -> None:
        self.playing, self.store, self.post = playing, playing.store, post
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Look for due calls from now on."""
        self._thread = threading.Thread(target=self._run, name="flagplot-notices", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stop.set()  # a call that is being made may take some seconds: nobody waits for it

    def _run(self) -> None:
        while not self._stop.wait(PULSE):
            try:
                self.make_due()
            except FlagplotError as fault:
                LOG.warning("calls wait: %s", fault.code)
            except Exception:
                LOG.exception("calls wait")

    # --- what a seat sets ---------------------------------------------------------------------------------------

    def messenger(self, game_id: str, side: str) -> Messenger:
        with self.playing.using(game_id, side) as live:
            seat = live.seats[side]
            return Messenger(seat["webhook"], seat["email"], seat["told"])

    def set_messenger(self, game_id: str, side: str, webhook: str, email: str) -> None:
        address, mail = read_webhook(webhook, private=self.post.private), read_email(email)
        if mail and not self.post.smtp:
            raise NotAllowed("this server has no mail server: use a webhook", given=email)
        with self.playing.using(game_id, side) as live:
            self.store.change_seat(game_id, side, webhook=address, email=mail, told="")
            live.stale = True

    def test(self, game_id: str, side: str) -> str:
        """Make a call now, to try it; how it went, in words."""
        with self.playing.using(game_id, side) as live:
            seat, title, name = live.seats[side], live.row["title"], _name(live, side)
        kinds = [kind for kind in ("webhook", "email") if seat[kind]]
        if not kinds:
            raise BadValue("no webhook and no e-mail address is set for this seat", given=side)
        words = f"This is a test of the calls of {name} at the table “{title}”."
        message = self._message(game_id, side, title, words, "Flagplot: a test")
        told = "; ".join([f"{kind}: {self._try(kind, seat, message) or 'it arrived'}" for kind in kinds])
        self.store.note_seat(game_id, side, told=told)
        with self.playing.using(game_id) as live:
            live.stale = True
        return told

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
        """Make all calls that are due; how many arrived. Some are made at a time, so that one whose other end is slow
        does not hold up the others."""
        calls = deque[Row](self.store.due(self.playing.clock()))
        made = list[bool]()
        helpers = [
            threading.Thread(target=self._make_some, args=(calls, made), name="flagplot-call", daemon=True)
            for _ in range(min(AT_ONCE, len(calls)) - 1)
        ]
        for helper in helpers:
            helper.start()
        self._make_some(calls, made)
        for helper in helpers:
            helper.join()
        return sum(made)

    def _make_some(self, calls: deque[Row], made: list[bool]) -> None:
        """Make calls as long as there are any that nobody has begun."""
        while calls and not self._stop.is_set():
            with contextlib.suppress(IndexError):  # somebody else took the last one
                call = calls.popleft()
                try:
                    if self.store.claim(call, self.playing.clock() + LEASE):
                        made.append(self._make(call))
                except FlagplotError as fault:
                    LOG.warning("a call waits: %s", fault.code)

    def _make(self, call: Row) -> bool:
        message = self._about(call)
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

    def _about(self, call: Row) -> dict[str, Any] | None:
        """What a call says; None if it is no longer needed: the seat has answered, or somebody sits there."""
        game_id, side = call["game"], call["side"]
        try:
            with self.playing.using(game_id) as live:
                request = live.game.pending
                asked = isinstance(request, Choose) and request.side == side
                if not asked or live.game.moment_of(side) != call["moment"]:
                    return None
                assert request is not None
                if is_present(game_id, live.seats[side], self.playing.wakeups, self.playing.clock()):
                    return None
                words, name = say(request.public), _name(live, side)
        except FlagplotError:
            return None
        text = f"It is the turn of {name} at the table “{call['title']}”: {words}"
        return self._message(game_id, side, call["title"], text, f"Flagplot: the turn of {name} at {call['title']}")

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
            "at": int(time.time()),
        }
