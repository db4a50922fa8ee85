"""The colours and signs of nations. A nation has them, not a seat: Australia is Australia on either side of a table.

The two letters are the names of the colours in `static/palette.css` and of the signs in `symbols`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

OTHER: Final = "xx"
"""Neutrals, and whoever is not known."""
CODES: Final[Mapping[str, str]] = {
    "japan": "jp",
    "united-states": "us",
    "philippines": "us",
    "britain": "uk",
    "india": "uk",
    "south-africa": "uk",
    "australia": "au",
    "new-zealand": "au",
    "canada": "ca",
    "germany": "de",
    "italy": "it",
    "france": "fr",
    "free-france": "fr",
    "vichy-france": "fr",
    "russia": "su",
    "netherlands": "nl",
    "dutch-east-indies": "nl",
    "china": "cn",
    "communist-china": "cn",
    "poland": "pl",
    "finland": "fi",
    "hungary": "hu",
    "rumania": "ro",
}
"""Countries whose counters have a colour of their own; those that fight under another flag share it."""

LEADERS: Final[Mapping[str, str]] = {"allies": "us", "axis": "de"}
"""Sides that are no nation, in games whose units have none: the colour of who leads them."""


def code_of(nation: str) -> str:
    """The two letters of a nation."""
    return CODES.get(nation) or LEADERS.get(nation, OTHER)
