"""What keeps the table safe, around all of its pages: headers, sizes, requests from other sites, and too many of them.

- **Headers**: nothing but our own files may run, style, load or frame a page; no page is kept by caches; the address of
  a page goes to no other site.
- **Names**: a request that asks for a name that is not ours is refused (see `hosts`).
- **Sizes**: the body of a request is read here up to a limit, and no further.
- **Other sites**: what changes something must come from our own pages. A browser says so (`Sec-Fetch-Site`, `Origin`);
  a form brings the token of the browser that it was shown to, by a field or, with htmx, by a header. Programs come with
  `Authorization` or with JSON instead, which no other site can make a browser send without asking.
- **Too many**: joining, posting and asking for odds are counted for each address (`rates`).
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable, Mapping
from hmac import compare_digest
from urllib.parse import urlsplit

from python_multipart.multipart import parse_options_header
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from flagplot.table.guard.hosts import is_known, known_names, name_of
from flagplot.table.guard.quotas import network_of
from flagplot.table.guard.rates import SAFE, Counter, kind_of
from flagplot.table.pages import environment
from flagplot.table.settings import Settings
from flagplot.table.visitors import VISITOR, cookie, form_token, is_secure

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # not no-referrer: browsers would then hide the origin of our own forms from us
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
TOKEN_HEADER = "x-form-token"
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain")
"""What any site can make a browser post."""
STREAMS = 200
"""Streams that one address may have open at a time."""
SLOWEST = 60.0
"""Seconds within which the body of a request must be there."""
HALVES = re.compile(rb"\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")
"""How JSON and UTF-8 spell one of the two halves of a character."""
ROOM = 64 * 1024
"""How much a request may bring beside an uploaded file."""


# --- around every request -----------------------------------------------------------------------------------------


class Refused(Exception):
    """A request that goes no further."""

    def __init__(self, status: int, title: str, words: str, wait: float = 0) -> None:
        super().__init__(words)
        self.status, self.title, self.words, self.wait = status, title, words, wait


class Safety:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, settings: Settings, counter: Counter | None = None) -> None:
        self.app, self.settings = app, settings
        self.counter = counter or Counter()
        self.names = known_names(settings)
        self.own = {origin for origin in [_origin_of(settings.address)] if origin}
        self._streams: dict[str, int] = {}
        """How many streams each address has open."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        sent = _with_headers(scope, send)
        try:
            self._check_host(scope)
            self._count(scope)
            if scope["method"] not in SAFE:
                receive = await self._checked(scope, receive)
        except Refused as refusal:
            await _refuse(scope, sent, refusal)
            return
        if self.settings.rate_limits and scope["path"].endswith(("/stream", "/events")):
            await self._streaming(scope, receive, sent)
            return
        await self.app(scope, receive, sent)

    def _check_host(self, scope: Scope) -> None:
        """Refuse a name that is not ours: see `hosts`."""
        given = Headers(scope=scope).get("host", "")
        if not is_known(given, self.names):
            raise Refused(
                421,
                "Wrong address",
                f"This server does not go by the name “{name_of(given)[:100]}”. Use the address that you were given, "
                "or the IP address of the machine. If you run the server, add the name to FLAGPLOT_HOSTS.",
            )

    async def _streaming(self, scope: Scope, receive: Receive, sent: Send) -> None:
        """A stream lasts for hours: those that are open are counted, not those that begin."""
        who = network_of(scope)
        if self._streams.get(who, 0) >= STREAMS:
            words = f"From your address {STREAMS} pages of tables are open. Close some of them."
            await _refuse(scope, sent, Refused(429, "Too many open pages", words, 60))
            return
        self._streams[who] = self._streams.get(who, 0) + 1
        try:
            await self.app(scope, receive, sent)
        finally:
            self._streams[who] -= 1
            if not self._streams[who]:
                del self._streams[who]

    def _count(self, scope: Scope) -> None:
        kind = kind_of(scope["method"], scope["path"])
        if not kind or not self.settings.rate_limits:
            return
        wait = self.counter.wait(kind, network_of(scope))
        if wait:
            seconds = max(1, round(wait))
            raise Refused(
                429,
                "Too many requests",
                f"That was a great deal at once. Try again in {seconds} second{'s' * (seconds != 1)}.",
                wait,
            )

    async def _checked(self, scope: Scope, receive: Receive) -> Receive:
        """Refuse what another site made a browser send, and what is too large; the body is read on the way."""
        headers = Headers(scope=scope)
        self._same_site(headers)
        kind = headers.get("content-type", "").partition(";")[0].strip().casefold()
        is_form = not kind or kind in FORMS
        body = await _body(headers, receive, self.settings.upload_bytes + ROOM)
        _check_text(headers, body, is_form=is_form)
        programs = scope["path"].startswith("/api/")  # they send no cookies, so nothing can be forged there
        if is_form and not programs and not headers.get("authorization"):
            expected = form_token(scope)
            brought = headers.get(TOKEN_HEADER, "")
            if not (compare_digest(brought.encode(), expected.encode()) or expected.encode() in body):
                raise Refused(
                    403,
                    "This form is out of date",
                    "The page that this came from was shown to another browser, or cookies are switched off. Load the "
                    "page again and repeat what you did; nothing has changed.",
                )
        return _replayed(body, receive)

    def _same_site(self, headers: Headers) -> None:
        site, origin = headers.get("sec-fetch-site", ""), headers.get("origin", "")
        host = headers.get("host", "")
        foreign = site in ("cross-site", "same-site")
        if origin and not foreign:
            foreign = urlsplit(origin).netloc != host and origin not in self.own
        if foreign:
            raise Refused(403, "From another site", "This request was made by a page of another site and is refused.")


def _origin_of(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


async def _body(headers: Headers, receive: Receive, limit: int) -> bytes:
    length = headers.get("content-length", "")
    too_large = Refused(413, "Too large", f"At most {limit // 1024} KB can be sent at once.")
    if length.isdigit() and int(length) > limit:
        raise too_large
    pieces, size = list[bytes](), 0
    try:
        async with asyncio.timeout(SLOWEST):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    break  # the client went away
                pieces.append(message.get("body", b""))
                size += len(pieces[-1])
                if size > limit:
                    raise too_large
                if not message.get("more_body", False):
                    break
    except TimeoutError:
        raise Refused(408, "Too slow", "What you sent did not arrive in time. Send it again.") from None
    return b"".join(pieces)


def _check_text(headers: Headers, body: bytes, *, is_form: bool) -> None:
    """Refuse what is no text. JSON can spell half of a character, and so can a form in another coding than UTF-8; no
    page and no database could hold it."""
    coding = parse_options_header(headers.get("content-type", ""))[1].get(b"charset", b"utf-8")
    if is_form and coding.lower() not in (b"utf-8", b"utf8", b"us-ascii"):
        raise Refused(422, "That cannot be read", "This form is in another coding than UTF-8. Send it in UTF-8.")
    if (HALVES.search(body) or b"\0" in body) and _has_halves(body):
        words = "What you sent holds half of a character (a lone surrogate). Send whole characters only."
        raise Refused(422, "That cannot be read", words)


def _has_halves(body: bytes) -> bool:
    try:
        json.dumps(json.loads(body), ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    except (ValueError, RecursionError):
        return False  # it is no JSON at all, and whoever wants some refuses it
    return False


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body once more for whoever reads it next; after that whatever the client does."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _with_headers(scope: Scope, send: Send) -> Send:
    kept = scope["path"].startswith("/static/")

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if is_secure(scope):
                headers.setdefault("Strict-Transport-Security", "max-age=31536000")
            if not kept:
                headers.setdefault("Cache-Control", "no-store")
            if scope.get("flagplot.new_visitor"):
                headers.append("Set-Cookie", cookie(scope, VISITOR, scope["flagplot.visitor"]))
        await send(message)

    return sent


async def _refuse(scope: Scope, send: Send, refusal: Refused) -> None:
    """A small page, or JSON for programs."""
    extra = {"Retry-After": str(max(1, round(refusal.wait)))} if refusal.wait else {}
    if scope["path"].startswith("/api/"):
        text = json.dumps({"error": refusal.title, "message": refusal.words})
        await _respond(send, refusal.status, "application/json", text, extra)
        return
    template = "refusal.html" if Headers(scope=scope).get("hx-request") else "problem.html"
    text = (
        environment()
        .get_template(template)
        .render(title=refusal.title, words=refusal.words, form_token=form_token(scope), path=scope["path"])
    )
    await _respond(send, refusal.status, "text/html; charset=utf-8", text, extra)


async def _respond(send: Send, status: int, kind: str, text: str, extra: Mapping[str, str]) -> None:
    body = text.encode()
    named: Iterable[tuple[str, str]] = [
        ("content-type", kind),
        ("content-length", str(len(body))),
        ("connection", "close"),  # what is left of the request is not read
        *extra.items(),
    ]
    headers = [(name.lower().encode(), value.encode()) for name, value in named]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
