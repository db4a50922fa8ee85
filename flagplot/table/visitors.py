"""The browser of a visitor: its cookies, and the token of its forms.

The token follows from a cookie that only the browser and we know, so it needs no memory and outlives restarts.
"""

from __future__ import annotations

import secrets
from hashlib import blake2b
from http.cookies import SimpleCookie

from starlette.datastructures import Headers
from starlette.types import Scope

VISITOR = "visitor"
"""The cookie from which the tokens of forms follow."""


def cookies_of(scope: Scope) -> dict[str, str]:
    """The cookies of a request; what cannot be read is left out."""
    read: dict[str, str] = {}
    for text in Headers(scope=scope).getlist("cookie"):
        for piece in text.split(";"):
            name, mark, value = piece.strip().partition("=")
            if mark and name:
                read.setdefault(name, value.strip('"'))
    return read


def visitor_of(scope: Scope) -> str:
    """The mark of this browser: its cookie, or a new one that goes out with the response."""
    known: str = scope.get("flagplot.visitor", "")
    if not known:
        known = cookies_of(scope).get(VISITOR, "")
        if not (len(known) == 32 and known.isascii() and known.isalnum()):
            known = secrets.token_hex(16)
            scope["flagplot.new_visitor"] = True
        scope["flagplot.visitor"] = known
    return known


def form_token(scope: Scope) -> str:
    """What a form of this browser must bring along."""
    return _token(visitor_of(scope))


def _token(visitor: str) -> str:
    return blake2b(visitor.encode(), digest_size=16, person=b"flagplot-form").hexdigest()


def is_secure(scope: Scope) -> bool:
    return scope.get("scheme") == "https"


def cookie(scope: Scope, name: str, value: str, *, days: int = 400, path: str = "/") -> str:
    """The header of a cookie that no script and no other site gets; 0 days forget it."""
    made: SimpleCookie = SimpleCookie()
    made[name] = value
    for key, words in {"path": path, "max-age": str(days * 86400), "samesite": "Strict"}.items():
        made[name][key] = words
    made[name]["httponly"] = True
    if is_secure(scope):
        made[name]["secure"] = True
    return made[name].OutputString()
