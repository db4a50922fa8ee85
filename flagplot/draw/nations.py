"""Nations on counters: each has a colour, by the short name that `static/palette.css` knows it by."""

from __future__ import annotations

OTHER = "xx"
"""Neutrals, and whoever is not known."""

CODES = {
    "japan": "jp",
    "united-states": "us",
    "britain": "uk",
    "india": "uk",
    "australia": "au",
    "new-zealand": "au",
    "germany": "de",
    "italy": "it",
    "france": "fr",
    "free-france": "fr",
    "vichy-france": "fr",
    "russia": "su",
    "netherlands": "nl",
    "china": "cn",
    "canada": "ca",
    "poland": "pl",
    "finland": "fi",
    "hungary": "hu",
    "rumania": "ro",
}


def code_of(nation: str) -> str:
    """The short name of a nation: the class of its counters and the start of its colours' names."""
    return CODES.get(nation, OTHER)
