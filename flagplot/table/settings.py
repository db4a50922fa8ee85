"""What can be set when the table is served: by `flagplot serve`, or by variables of the environment for a service.

A variable is called as the setting, in capitals after `FLAGPLOT_`: ``FLAGPLOT_ADDRESS=https://table.example``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from flagplot.kernel.errors import BadValue

PREFIX = "FLAGPLOT_"
YES, NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")
LOOPBACK = ("127.0.0.1", "::1", "localhost")


def data_directory() -> Path:
    """Where tables are kept unless somebody says otherwise."""
    home = os.environ.get("XDG_DATA_HOME", "")
    return (Path(home) if home else Path.home() / ".local" / "share") / "flagplot"


@dataclass(frozen=True, slots=True)
class Settings:
    """How the table is served. The usual values suit one machine and its owner."""

    host: str = "127.0.0.1"
    """Where the server listens: on this machine alone, unless told otherwise."""
    port: int = 8350
    address: str = ""
    """The address that players use, such as https://table.example, if it is another than host and port."""
    hosts: str = ""
    """More names by which browsers may ask for this server, with commas; `*` for any."""
    proxies: str = "127.0.0.1"
    """From which addresses a reverse proxy may tell whom it speaks for (X-Forwarded-For); several with commas."""
    rate_limits: bool = True
    """Whether joining, posting and asking for odds is limited for each address."""
    upload_bytes: int = 256 * 1024
    """The largest scenario that may be uploaded."""
    odds_seconds: int = 4
    """How long the odds desk follows a question; what it has found by then is told as it is."""
    odds_workers: int = 2
    """How many questions of odds are answered at a time, each in a process of its own."""
    course_seconds: int = 30
    """For how long a finished battle is played on in the background to tell how the chances went; 0 for not at all."""
    absence_days: int = 14
    """How many days somebody must have given no sign before the host may give his seat away without him."""
    keep_days: int = 0
    """How many days a finished table is kept; 0 for ever."""
    keep_idle_days: int = 0
    """How many days a table is kept at which nobody plays; 0 for ever."""
    keep_exports: str = ""
    """The folder into which the server exports tables before it deletes them."""
    most_tables: int = 0
    """How many tables there may be; 0 for any number. It is the same with the others."""
    tables_a_day: int = 200
    """How many tables may be made from one network in a day, if there are rate limits."""
    store_megabytes: int = 0
    """How large the store may be when a table is made."""
    side_lines: int = 20_000
    """How often one side may answer and take back at one table."""
    spectators: int = 100
    """How many pages of spectators may be open at one table at a time."""
    pages_per_visitor: int = 20
    """How many pages may be open at one table for a seat, or for spectators from one network."""
    connections_per_visitor: int = 250
    """How many connections one network may hold open, if there are rate limits; proxies may hold any number."""
    metrics: bool = True
    """Whether /metrics can be read: by programs on this machine, and by those that have the token."""
    metrics_token: str = field(default="", repr=False)
    log_requests: bool = True
    documentation: str = ""
    """The folder of the documentation as a site; if none is named, build/docs of this tree, once it is built."""

    @property
    def documentation_folder(self) -> Path | None:
        """Where the documentation lies, if it has been built."""
        folder = Path(self.documentation or Path(__file__).parents[2] / "build" / "docs")
        return folder if (folder / "index.html").is_file() else None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None, **given: Any) -> Settings:
        """The usual settings, those of the environment, and those given, the later before the earlier."""
        known = os.environ if environment is None else environment
        found = cls()
        for part in fields(cls):
            text = known.get(f"{PREFIX}{part.name.upper()}", "").strip()
            if text:
                found = replace(found, **{part.name: _read(part.name, text, getattr(found, part.name))})
        return replace(found, **{name: value for name, value in given.items() if value is not None}).checked()

    def checked(self) -> Settings:
        """The same, or a refusal of what cannot be."""
        if not self.absence_days:
            raise BadValue("FLAGPLOT_ABSENCE_DAYS should be at least 1", given=self.absence_days)
        if not 0 <= self.port <= 65535:
            raise BadValue("a port is a number from 0 to 65535", given=self.port)
        if self.address and (
            urlsplit(self.address).scheme not in ("http", "https") or not urlsplit(self.address).netloc
        ):
            raise BadValue(
                "the address of the table should be that of a web site",
                given=self.address,
                allowed=["https://table.example"],
            )
        if self.metrics_token and not re.fullmatch(r"[!-~]{16,}", self.metrics_token):
            raise BadValue(f"{PREFIX}METRICS_TOKEN should have at least 16 letters, figures or signs, and no blanks")
        return self

    @property
    def url(self) -> str:
        """Where the table is found."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.address.rstrip("/") or f"http://{host}:{self.port}"

    @property
    def on_loopback(self) -> bool:
        return self.host in LOOPBACK


def _read(name: str, text: str, usual: object) -> Any:
    if isinstance(usual, bool):
        if text.casefold() not in (*YES, *NO):
            raise BadValue(f"{PREFIX}{name.upper()} should be true or false", given=text)
        return text.casefold() in YES
    if isinstance(usual, int):
        if not text.isascii() or not text.isdigit() or len(text) > 9:
            raise BadValue(f"{PREFIX}{name.upper()} should be a whole number", given=text)
        return int(text)
    return text
