"""What a browser keeps: its seat in the cookie `seat-ID`, the rights of the host in `host-ID`, links to give away."""

from __future__ import annotations

import re
import socket
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from fastapi import Request
from fastapi.responses import Response

from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.words import capital
from flagplot.table.guard.hosts import is_this_machine
from flagplot.table.visitors import cookie, cookies_of

GAME = re.compile("g[a-z2-7]{10}")
TOKEN = re.compile(r"[\w-]{20,100}", re.ASCII)


def keep_token(request: Request, response: Response, name: str, token: str) -> None:
    """This browser has a seat, or the rights of a host, from now on."""
    response.headers.append("Set-Cookie", cookie(request.scope, name, token))


def forget_token(request: Request, response: Response, name: str) -> None:
    """It has it no more."""
    response.headers.append("Set-Cookie", cookie(request.scope, name, "", days=0))


def links_of(request: Request, game: str) -> dict[int, str]:
    """The links that this browser made and may still give away, by the place of their side."""
    text = cookies_of(request.scope).get(f"links-{game}", "")
    pairs = [piece.partition("~") for piece in text.split(".")]
    return {
        int(place): token for place, _, token in pairs if place.isdigit() and len(place) < 3 and TOKEN.fullmatch(token)
    }


def keep_links(request: Request, response: Response, game: str, sides: list[str], tokens: Mapping[str, str]) -> None:
    """The links that this browser has just made, by their sides."""
    keep_indexed(request, response, game, {sides.index(side): token for side, token in tokens.items()})


def keep_indexed(request: Request, response: Response, game: str, links: Mapping[int, str]) -> None:
    """The links that it may still give away, by the places of their sides."""
    text = ".".join([f"{place}~{token}" for place, token in links.items()])
    made = cookie(request.scope, f"links-{game}", text, days=14 if text else 0, path=f"/table/{game}/seats")
    response.headers.append("Set-Cookie", made)


def address_of(request: Request) -> str:
    """The address of this server, as the browser knows it."""
    address: str = request.app.state.settings.address
    return address.rstrip("/") or str(request.base_url).rstrip("/")


class Local(NamedTuple):
    """A link has the address by which this browser reached us. If that is this machine's own, it leads nobody else
    here; whoever reads that sits at the machine, so he is told what to do."""

    here: str
    """The name in the link that means this computer to everybody."""
    name: str
    """A name by which others may know it."""
    alone: bool
    """Whether it listens to this computer alone."""


def local_links(request: Request) -> Local | None:
    """What is wrong with links to give away, if something is."""
    here = urlsplit(address_of(request)).hostname or ""
    if not is_this_machine(here):
        return None
    return Local(here, socket.gethostname(), bool(request.app.state.settings.on_loopback))


def sentence_of(error: FlagplotError) -> str:
    text = str(error)
    return f"{capital(text)}."
