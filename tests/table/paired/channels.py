"""All that can be asked of a table: found from the routes of the application, and filled in here.

A route for reading is asked by everybody at the moments of a pair. If it has a part in its path that `FILLED` does not
know, or a method that `SENT` does not name, it is not classified, and a test fails until it is.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from fastapi.routing import APIRoute

from flagplot.table.build.examples import EXAMPLE
from flagplot.table.build.packed import pack
from flagplot.table.guard.safety import TOKEN_HEADER
from flagplot.table.visitors import _token
from tests.table.paired.asking import Said, Told


class Rule(NamedTuple):
    """Something that differs between two worlds for a good reason, and what stands for it in the comparison."""

    pattern: re.Pattern[str]
    instead: str
    why: str


NORMALISED = (
    Rule(
        re.compile(r'((?:^flagplot-receipt: |"receipt": ?"|data-reveal="))[0-9a-f]{64}', re.MULTILINE),
        r"\1(a receipt)",
        "a keyed hash of a line of the tape: random to whoever does not know the secret of the dice",
    ),
    Rule(
        re.compile(r'((?:\[|,)"?)[0-9a-f]{64}(?="?[\],\n])'),
        r"\1(a receipt)",
        "the same in a list, one for each line of a plan",
    ),
)
"""Everything that is not compared as it comes. Ids, links, times and commitments need no place here: both worlds have
the same ones."""


RECEIPT = re.compile(r"[0-9a-f]{64}")


def receipts_in(told: Told) -> list[str]:
    """The receipts of a response."""
    return [part for rule in NORMALISED for found in rule.pattern.finditer(told.text) for part in _hex(found[0])]


def _hex(text: str) -> list[str]:
    return RECEIPT.findall(text)


def normal(text: str) -> str:
    for rule in NORMALISED:
        text = rule.pattern.sub(rule.instead, text)
    return text


# --- who asks -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who asks: by cookies on pages, by a token as a program."""

    name: str
    cookies: Mapping[str, str]
    token: str = ""

    @property
    def visitor(self) -> str:
        return self.cookies["visitor"]

    def _headers(self, path: str) -> list[tuple[str, str]]:
        if path.startswith("/api/"):
            return [("authorization", f"Bearer {self.token}")] if self.token else []
        return [("cookie", "; ".join([f"{name}={value}" for name, value in self.cookies.items()]))]

    def reads(self, path: str, **headers: str) -> Said:
        return Said("GET", path, b"", (*self._headers(path), *headers.items()))

    def sends(self, path: str, fields: Mapping[str, Any], method: str = "POST") -> Said:
        """A form on pages, JSON as a program."""
        if path.startswith("/api/"):
            body, kind = json.dumps(fields).encode(), "application/json"
            return Said(method, path, body, (*self._headers(path), ("content-type", kind)))
        more = (("content-type", "application/x-www-form-urlencoded"), (TOKEN_HEADER, _token(self.visitor)))
        htmx = (("hx-request", "true"),) if path.endswith(("/answer", "/undo", "/propose", "/consent")) else ()
        return Said(method, path, urlencode(fields).encode(), (*self._headers(path), *more, *htmx))


# --- what is read -------------------------------------------------------------------------------------------------

FILLED: dict[str, Sequence[str]] = {
    "kind": ("search",),
    "number": ("22.41", "no-such"),
    "chapter": ("22",),
    "step": ("0", "1", "9999"),
    "place": ("1", "2", "9"),
    "code": ("no-such-code",),
}
"""What stands for parts of a path, besides the table's own: `game`, `game_id`, `public_id`, `side`, `name`."""
NAMED = {"/new/{name}": ("midway", "no-such"), "/learn/{name}": ("cap", "no-such")}
"""Paths in which `name` is something else than a unit of the table."""
QUERIES: dict[str, Sequence[str]] = {
    "/table/{game_id}": ("", "?as={enemy}", "?as=umpire"),
    "/table/{game_id}/odds": ("?at={at}", "?at=1"),
    "/api/tables/{game}/sides/{side}/odds": ("?at={at}", "?at=1"),
    "/table/{game_id}/replay": ("", "?step=1", "?step=9999", "?seen={enemy}", "?seen=umpire"),
    "/watch/{public_id}/replay": ("", "?seen={enemy}"),
    "/odds/{kind}.json": ("?groups=2&dice=3", ""),
    "/odds/{kind}/answer": ("?groups=2&dice=3",),
    "/odds/battle": ("?from=savo-island",),
    "/odds/battle.json": ("?from=savo-island",),
    "/odds/battle/stream": ("?from=savo-island",),
    "/build/file": (f"?b={pack(EXAMPLE)}", "?b=nonsense"),
}
STREAMS = frozenset({"/table/{game_id}/stream", "/watch/{public_id}/stream", "/api/tables/{game}/sides/{side}/events"})
"""Routes that go on; they are followed all the time."""
STILL = ("/odds", "/new", "/rules", "/help", "/learn", "/glossary", "/api/scenarios", "/join", "/build", "/api/build")
"""Beginnings of paths that know nothing of a table: asked once."""
OFTEN = frozenset(
    {
        "/table/{game_id}",
        "/table/{game_id}/log",
        "/watch/{public_id}",
        "/api/watch/{public_id}",
        "/api/watch/{public_id}/table",
        "/api/tables/{game}",
        "/api/tables/{game}/sides/{side}",
        "/api/tables/{game}/sides/{side}/turn",
        "/api/tables/{game}/sides/{side}/news",
        "/api/tables/{game}/sides/{side}/replay/{step}",
    }
)
"""Asked at every moment, by those who get an answer to it."""
DEAR = frozenset(
    {
        "/table/{game_id}/odds",
        "/table/{game_id}/forecast",
        "/table/{game_id}/forecast/stream",
        "/api/tables/{game}/sides/{side}/odds",
        "/api/tables/{game}/sides/{side}/forecast",
    }
)
"""Asked where there is time for it."""


@dataclass(frozen=True, slots=True)
class Around:
    """The table at a moment, as far as addresses need it."""

    game: str
    public_id: str
    side: str
    enemy: str
    at: int
    units: tuple[str, ...]
    option: str
    """Something that the side is offered now, or would be."""

    def fill(self, text: str) -> str:
        words = {"game": self.game, "enemy": quote(self.enemy), "at": str(self.at), "public_id": self.public_id}
        return re.sub(r"\{(\w+)\}", lambda found: words.get(found[1], found[0]), text)


PART = re.compile(r"\{(\w+)(?::\w+)?\}")


def values_of(path: str, part: str, around: Around) -> Sequence[str]:
    """What a part of a path may be; nothing if nobody has said."""
    if part == "name":
        return NAMED.get(path, around.units)
    own = {"game": [around.game], "game_id": [around.game], "public_id": [around.public_id]}
    own["side"] = [around.side, around.enemy, "nobody"]
    return own.get(part) or FILLED.get(part, ())


def filled(path: str, around: Around) -> Iterator[str]:
    """The addresses that a path stands for."""
    names = PART.findall(path)
    for chosen in itertools.product(*[values_of(path, name, around) for name in names]):
        address = path
        for name, value in zip(names, chosen, strict=True):
            address = re.sub(rf"\{{{name}(:\w+)?\}}", quote(value), address)
        yield address


def addresses(route: APIRoute, around: Around) -> Iterator[str]:
    """The addresses at which a route is asked."""
    for address in filled(route.path, around):
        for query in QUERIES.get(route.path, ("",)):
            yield address + around.fill(query)


def unclassified(routes: Sequence[APIRoute]) -> list[str]:
    """Routes that the crawler does not know how to ask."""
    around = Around("g", "w", "us", "them", 1, ("unit",), "go")
    found = []
    for route in routes:
        for method in sorted((route.methods or set()) - {"HEAD"}):
            names = PART.findall(route.path)
            known = all(values_of(route.path, name, around) for name in names)
            if not known or (method != "GET" and (method, route.path) not in SENT):
                found.append(f"{method} {route.path}")
    return found


# --- what is sent -------------------------------------------------------------------------------------------------

SEAT = "/api/tables/{game}/sides/{side}"
NONSENSE = {"side": "nobody", "holder": "nobody"}
NONCE = "f" * 32
"""A nonce that nothing takes."""
NEVER = 999_999
"""A moment at which nobody is asked."""
SENT: dict[tuple[str, str], Sequence[Mapping[str, Any]]] = {
    ("POST", "/new/file"): [{"text": "this is no scenario ["}],
    ("POST", "/build"): [{"text": "Japan TF1: Hiryu, 3 DD"}],
    ("POST", "/api/build"): [{"text": "this is no battle ["}],
    ("POST", "/build/read"): [{"text": "this is no battle ["}],
    ("POST", "/new"): [{"scenario": "no-such"}],
    ("POST", "/join/look"): [{"token": "{token}"}, {"token": "nobody"}],
    ("POST", "/join"): [{"token": "{token}"}],
    ("POST", "/table/{game}/seats/replace"): [NONSENSE],
    ("POST", "/table/{game}/seats/leave"): [NONSENSE],
    ("POST", "/table/{game}/seats/give"): [NONSENSE],
    ("POST", "/table/{game}/seats/settle"): [NONSENSE],
    ("POST", "/table/{game}/seats/withdraw"): [NONSENSE],
    ("POST", "/table/{game}/seats/carry-out"): [NONSENSE],
    ("POST", "/table/{game}/forget"): [{}],
    ("POST", "/table/{game_id}/keep"): [{}],
    ("POST", "/api/tables/{game}/keep"): [{}],
    ("POST", "/table/{game}/seats/call"): [{"side": "{side}", "webhook": "nowhere"}, {"side": "{enemy}"}],
    ("POST", "/table/{game_id}/orders"): [{"text": "these are no orders ["}, {"text": "", "as": "{enemy}"}],
    ("POST", "/table/{game_id}/answer"): [
        {"option": "no-such:answer", "at": "{at}", "nonce": NONCE},
        {"option": "{option}", "at": NEVER, "nonce": NONCE},
        {"option": "{option}", "at": "{at}", "as": "{enemy}", "nonce": NONCE},
        {"option": "{option}", "at": "{at}"},
    ],
    ("POST", "/table/{game_id}/plan"): [
        {"at": "{at}", "do": "update"},
        {"at": "{at}", "do": "update", "field.{option}": "no-such"},
        {"at": "{at}", "do": "confirm", "nonce": NONCE, "field.no-such": "no-such"},
        {"at": NEVER, "do": "confirm", "nonce": NONCE},
        {"at": "{at}", "do": "confirm"},
    ],
    ("POST", "/table/{game_id}/order"): [
        {"do": "same", "key": "no-such"},
        {"do": "cancel", "number": 99},
        {"do": "pass", "scope": "never"},
        {"do": "add", "value": "no=such", "back": "orders"},
        {"do": "staff", "key": "{option}", "as": "{enemy}"},
    ],
    ("POST", "/table/{game_id}/ahead"): [{"as": "{enemy}"}],
    ("DELETE", f"{SEAT}/ahead"): [],
    ("POST", "/table/{game_id}/level"): [{"level": "admiral"}, {"level": "flag", "as": "{enemy}"}],
    ("POST", "/table/{game_id}/staff"): [{"staff": "fleet"}, {"staff": "captain", "as": "{enemy}"}],
    ("POST", "/table/{game_id}/say"): [{"text": ""}, {"text": "Ahoy", "as": "{enemy}"}],
    ("POST", "/table/{game_id}/react"): [{"text": "Ahoy"}, {"text": "Ouch"}, {"text": "Ouch", "as": "{enemy}"}],
    ("POST", "/table/{game_id}/reactions"): [{"on": "", "as": "{enemy}"}],
    ("POST", "/table/{game_id}/pad"): [{"text": "Mine", "as": "{enemy}"}],
    ("POST", "/table/{game_id}/rematch"): [{"as": "{enemy}"}],
    ("POST", "/table/{game_id}/undo"): [{"as": "{enemy}", "nonce": NONCE}],
    ("POST", "/table/{game_id}/propose"): [{"as": "{enemy}", "nonce": NONCE}],
    ("POST", "/table/{game_id}/consent"): [{"yes": "no", "nonce": NONCE}, {"yes": "yes", "nonce": NONCE}],
    ("POST", "/table/{game_id}/receipt"): [{"nonce": NONCE}, {"nonce": "1".zfill(32)}],
    ("POST", "/table/{game_id}/contribute"): [{"contribution": "nothing"}],
    ("POST", "/table/{game_id}/pledge"): [{"pledge": "nothing"}],
    ("POST", "/table/{game_id}/reveal"): [{"reveal": "nothing", "pledge": "nothing"}],
    ("POST", "/confirm/{code}"): [{}],
    ("POST", "/api/confirmation"): [{"code": "no-such-code"}],
    ("POST", "/api/tables"): [{"scenario": "no-such"}],
    ("POST", "/api/join"): [{"name": ""}],
    ("POST", f"{SEAT}/answers"): [
        {"option": "no-such:answer", "at": "{at}", "nonce": NONCE},
        {"option": "{option}", "at": NEVER, "nonce": NONCE},
    ],
    ("POST", f"{SEAT}/sheet"): [
        {"at": "{at}", "nonce": NONCE, "answers": {"no-such": "no-such"}},
        {"at": NEVER, "nonce": NONCE},
    ],
    ("POST", f"{SEAT}/sheet/trial"): [{}, {"answers": {"no-such": "no-such"}}],
    ("PUT", f"{SEAT}/level"): [{"level": "admiral"}],
    ("PUT", f"{SEAT}/staff"): [{"staff": "fleet"}],
    ("POST", f"{SEAT}/undo"): [{"nonce": NONCE}],
    ("POST", f"{SEAT}/proposal"): [{"nonce": NONCE}],
    ("POST", f"{SEAT}/consent"): [{"yes": False, "nonce": NONCE}],
    ("POST", f"{SEAT}/pledge"): [{"pledge": "nothing"}],
    ("POST", f"{SEAT}/reveal"): [{"reveal": "f" * 64, "pledge": "e" * 64}],
    ("POST", f"{SEAT}/seen"): [{"total": 0}],
    ("PUT", f"{SEAT}/orders"): [{"text": "these are no orders ["}],
    ("PUT", f"{SEAT}/calls"): [{"webhook": "nowhere"}],
    ("POST", f"{SEAT}/calls/test"): [],
    ("POST", f"{SEAT}/link"): [],
    ("PUT", f"{SEAT}/holder"): [{"holder": "nobody"}],
    ("POST", f"{SEAT}/request"): [{"yes": False}],
    ("POST", f"{SEAT}/request/carry-out"): [{}],
    ("DELETE", f"{SEAT}/request"): [{}],
}
"""What is sent to each route at a moment: things that are refused, or that change nothing. Where the list is empty
only those send something who have no right to it; take-backs and calls are made while the pair is played."""
OWN = frozenset({f"{SEAT}/ahead", f"{SEAT}/undo", f"{SEAT}/proposal", f"{SEAT}/calls/test", f"{SEAT}/link"})
"""Routes that do something if the right one asks."""


def sendings(method: str, path: str, around: Around, reader: Reader) -> Iterator[Said]:
    """What a reader sends to a route."""
    for address in filled(path, around):
        mine = reader.name == "seat" and f"/{quote(around.side)}/" in address
        if path in OWN and (mine or reader.name == "host"):
            continue
        for fields in SENT[method, path] or [{}]:
            yield reader.sends(address, {name: _said(value, around, reader) for name, value in fields.items()}, method)


def _said(value: Any, around: Around, reader: Reader) -> Any:
    if not isinstance(value, str):
        return value
    words = {"side": around.side, "enemy": around.enemy, "option": around.option, "token": reader.token}
    if value == "{at}":
        return around.at
    return re.sub(r"\{(\w+)\}", lambda found: words.get(found[1], found[0]), value)


def difference(ours: Told, theirs: Told) -> str:
    """Where two responses part; nothing if they do not."""
    first, second = normal(ours.text), normal(theirs.text)
    return "" if first == second else parted(first, second)


def parted(first: str, second: str, around: int = 160) -> str:
    """Where two texts part, with what stands around."""
    pairs = enumerate(zip(first, second, strict=False))
    place = next((n for n, (a, b) in pairs if a != b), min(len(first), len(second)))
    begin = max(0, place - around)
    sizes = f"{len(first)} and {len(second)} characters, unlike from the {place + 1}th on"
    return f"{sizes}:\n  - {first[begin : place + around]!r}\n  + {second[begin : place + around]!r}"
