"""What leaves this server: webhooks and mail, and what seats may give as an address for them.

A webhook may not reach into the network of the server itself, unless its owner allows it: the name is looked up once,
every address that it has must be outside, and the connection goes to one of these very addresses.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import smtplib
import socket
import ssl
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any, NamedTuple
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from flagplot.kernel.errors import BadValue
from flagplot.table.guard.addresses import is_outside, read_address
from flagplot.table.refusals import NotAllowed

PATIENCE = 10.0
"""Seconds that a call may take."""
TARGETS = 4
"""Addresses of one name that are tried."""


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
        len(text) <= 254
        and text.isprintable()
        and re.fullmatch(r"[^@\s<>()\[\],;:\\\"]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*", text) is not None
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


def host_of(kind: str, address: str) -> str:
    """Whom a call is for: the host of a webhook, or the domain of an e-mail address."""
    if kind == "email":
        return address.rpartition("@")[2].casefold()
    return urlsplit(address).hostname or ""


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
    mail["From"], mail["To"], mail["Subject"] = post.sender, to, " ".join(str(message["subject"]).split())
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
