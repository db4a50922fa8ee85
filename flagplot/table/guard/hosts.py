"""The names that this server answers to.

Another site can let a name of its own lead to our address (DNS rebinding); the browser then takes us for that site and
lets its script read our pages. So a name that we do not know is refused. An IP address cannot be turned in this way,
and is always allowed.
"""

from __future__ import annotations

import re
import socket
from urllib.parse import urlsplit

from flagplot.table.guard.addresses import read_address
from flagplot.table.settings import Settings

HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?")
AT_HOME = (".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")
"""Endings that routers and machines give at home, and that nobody can register."""
ANY = "*"
LOCAL = frozenset({"localhost"})
"""Names that mean the machine on which they are typed."""


def name_of(header: str) -> str:
    """The name in the header `Host`, without its port; nothing if it is none."""
    found = HOST.fullmatch(header.strip())
    return found[1].strip("[]").rstrip(".").casefold() if found else ""


def is_this_machine(name: str) -> bool:
    """Whether a name means this machine wherever it is typed."""
    address = read_address(name)
    return address.is_loopback if address else name in LOCAL or name.endswith(".localhost")


def known_names(settings: Settings) -> frozenset[str]:
    """The names by which this server is known, beside addresses and `localhost`."""
    names = [urlsplit(settings.address).hostname or "", settings.host, *settings.hosts.split(",")]
    if not settings.on_loopback:
        own = socket.gethostname()
        short = own.partition(".")[0]
        names += [own, short, *[short + ending for ending in AT_HOME]]
    return frozenset(name.strip().rstrip(".").casefold() for name in names) - {""}


def is_known(header: str, names: frozenset[str]) -> bool:
    """Whether we answer to what a request has in `Host`. Programs of old send none, browsers always do."""
    if not header or ANY in names:
        return True
    name = name_of(header)
    return bool(name) and (name in names or is_this_machine(name) or read_address(name) is not None)
