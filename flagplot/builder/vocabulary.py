"""The words of players: nations, ships, types of unit and of base, however they are spelt."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from functools import cache, lru_cache
from typing import Final

from flagplot.awaw.ships import Kind, NamedShip, named_ships
from flagplot.awaw.tables.nations import nations
from flagplot.generating.sketch import EUROPE, PACIFIC


@lru_cache(4096)
def fold(text: str) -> str:
    """A text as it is compared: small letters without accents, points or hyphens."""
    plain = "".join([one for one in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(one)])
    return " ".join(re.findall(r"[a-z0-9]+", plain.replace("'s ", " ").replace("’s ", " ").replace("'", "")))


def slug(text: str) -> str:
    """A short name for files: ``tf-16`` for Task Force 16, ``main-body`` for the Main Body."""
    words = fold(text.replace("'s", "").replace("’s", "")).split()
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    return re.sub(r"^task-(force|group)-(?=\d)", lambda match: f"t{match[1][0]}-", "-".join(words))


def singulars(word: str) -> list[str]:
    """A folded word, and what it may be the plural of."""
    found = [word]
    if word.endswith("ies"):
        found.append(word[:-3] + "y")
    if word.endswith("es"):
        found.append(word[:-2])
    if word.endswith("s"):
        found.append(word[:-1])
    return found


# --- nations ------------------------------------------------------------------------------------------------------

_OTHER_NAMES: Final = {
    "united-states": ("us", "usa", "u s", "usn", "america", "americans", "united states of america"),
    "britain": (
        "uk",
        "gb",
        "rn",
        "brit",
        "brits",
        "great britain",
        "united kingdom",
        "royal navy",
        "england",
        "english",
    ),
    "japan": ("ijn", "jpn", "jap", "imperial japan", "imperial japanese navy", "nippon"),
    "germany": ("ger", "kriegsmarine", "german navy", "third reich"),
    "italy": ("ita", "regia marina"),
    "russia": ("ussr", "soviet", "soviets", "rus", "soviet union", "red navy"),
    "australia": ("aus", "aussie", "ran"),
    "canada": ("can", "rcn"),
    "new-zealand": ("nz", "kiwi"),
    "france": ("fr", "fra"),
    "netherlands": ("holland", "nl"),
    "rumania": ("romania", "romanian"),
    "persia": ("iran", "iranian"),
    "thailand": ("siam", "siamese"),
}
"""What players call a nation, beside its name and adjective."""

AXIS: Final = frozenset(
    [nation for theatre in (EUROPE, PACIFIC) for some in theatre[0] for nation in some] + ["bulgaria", "vichy-france"]
)
AIR_FORCES: Final = {"raf": "britain", "usaaf": "united-states", "raaf": "australia", "luftwaffe": "germany"}


@cache
def nation_words() -> Mapping[str, str]:
    """Every name of a nation, folded, with its name in files."""
    found = {}
    for one in nations().values():
        for name in (one.id, one.name, one.adjective):
            found[fold(name)] = one.id
    return found | {word: country for country, words in _OTHER_NAMES.items() for word in words}


def nation_at_start(text: str) -> tuple[str, int]:
    """The nation that a text begins with, and how many letters of it that took; ("", 0) if it names none."""
    return longest_name(text, nation_words())


def longest_name(text: str, names: Mapping[str, str]) -> tuple[str, int]:
    """The longest name that a text begins with: what it stands for, and the letters that it takes."""
    ends = [match.end() for match in re.finditer(r"[\w.’']+", text)][:5]
    for end in reversed(ends):
        if found := names.get(fold(text[:end])) or names.get(fold(text[:end]).removesuffix("s")):
            return found, end
        bare = re.sub(r"['’]s?$", "", text[:end])
        if found := names.get(fold(bare)):
            return found, end
    return "", 0


# --- types of unit ------------------------------------------------------------------------------------------------

LIGHT_SHIPS: Final = {
    "cruisers": ("ca", "cl", "cruiser", "heavy cruiser", "light cruiser", "cru"),
    "destroyers": ("dd", "destroyer", "dest"),
    "cves": ("cve", "escort carrier", "jeep carrier"),
    "transports": (
        "tr",
        "transport",
        "merchant",
        "merchantman",
        "merchantmen",
        "merchant ship",
        "freighter",
        "troopship",
    ),
}
"""Ships without a name, by the key of the scenario file."""
ABBREVIATED: Final = frozenset({"ca", "cl"})
"""Of these the number before it counts factors; before ``cruisers`` it counts ships, which have two factors each."""

CAPITAL_SHIPS: Final = {
    Kind.CVB: ("cvb", "super carrier"),
    Kind.CV: ("cv", "carrier", "fleet carrier", "aircraft carrier", "fast carrier"),
    Kind.CVL: ("cvl", "light carrier"),
    Kind.BATTLESHIP: ("bb", "battleship"),
    Kind.BATTLECRUISER: ("bc", "battlecruiser", "battle cruiser"),
    Kind.POCKET_BATTLESHIP: ("pb", "pocket battleship", "panzerschiff"),
}
AIR: Final = {
    "naval": ("nas", "naval air", "naval air squadron", "squadron", "sqn", "naval squadron", "carrier squadron"),
    "elite-naval": ("enas", "elite"),
    "army": ("aaf", "army air", "army air factor", "army", "air factor", "land based air", "army factor"),
    "jet": ("jet", "jet factor"),
    "transport": ("atr", "air transport", "air transport factor"),
}
SUBMARINES: Final = ("ss", "sub", "submarine", "u boat", "boat", "submarine factor", "sub factor")
KAMIKAZES: Final = ("kamikaze",)


@cache
def type_words() -> Mapping[str, tuple[str, str]]:
    """Every word for a type of unit: the group that it belongs to, and its key there."""
    found: dict[str, tuple[str, str]] = {}
    for group, words in (("light", LIGHT_SHIPS), ("capital", CAPITAL_SHIPS), ("air", AIR)):
        for key, spellings in words.items():
            for one in spellings:
                found[one] = (group, str(key))
    found |= dict.fromkeys(SUBMARINES, ("submarines", "factors"))
    found |= dict.fromkeys(KAMIKAZES, ("kamikazes", "number"))
    return found


def type_of(words: str) -> tuple[str, str] | None:
    """The group and key of a type of unit, in the singular or plural."""
    known = type_words()
    return next((known[one] for one in singulars(words) if one in known), None)


# --- ships by name ------------------------------------------------------------------------------------------------

_PREFIXES: Final = (
    "uss",
    "hms",
    "ijn",
    "hijms",
    "hmas",
    "hmcs",
    "kms",
    "dkm",
    "rn",
    "fs",
    "cv",
    "cvl",
    "cvb",
    "bb",
    "bc",
)


@cache
def _ship_names() -> Mapping[str, NamedShip]:
    return {fold(one.name): one for one in named_ships().values()}


def ship_called(text: str, of: Collection[str] = ()) -> NamedShip | None:
    """The ship of a name: whole, shortened if only one can be meant (``Graf Spee``, ``N. Carolina``), after ``HMS``."""
    return _ship_called(text, tuple(of))


@lru_cache(4096)
def _ship_called(text: str, of: tuple[str, ...]) -> NamedShip | None:
    known, words = _ship_names(), fold(text).split()
    for given in (words, words[1:] if words and words[0] in _PREFIXES else [], _without_type(words)):
        if not given:
            continue
        if found := known.get(" ".join(given)):
            return found
        shortened = [one for one in _alike().get(given[-1], ()) if _ends(given, fold(one.name).split())]
        initials = "".join([word[0] for word in given])
        shortened += [one for one in _alike().get(f"={initials}", ()) if _cuts(given, fold(one.name).split())]
        if of and len(shortened) > 1:
            shortened = [one for one in shortened if one.nation in of]
        if len(shortened) == 1:
            return shortened[0]
    return None


def _without_type(words: list[str]) -> list[str]:
    """A name without the type that follows it: ``Akagi CV``, ``Yamato BB5``."""
    last = re.sub(r"\d$", "", words[-1]) if words else ""
    return words[:-1] if len(words) > 1 and type_of(last) else []


@cache
def _alike() -> Mapping[str, list[NamedShip]]:
    """Ships of several words by the last word of their name, and by the first letters of all (after a ``=``)."""
    found: dict[str, list[NamedShip]] = {}
    for name, one in _ship_names().items():
        words = name.split()
        if len(words) > 1:
            found.setdefault(words[-1], []).append(one)
            found.setdefault("=" + "".join([word[0] for word in words]), []).append(one)
    return found


def _ends(given: list[str], name: list[str]) -> bool:
    """Whether these words are the last ones of a ship's name."""
    return any(len(word) > 3 for word in given) and len(given) < len(name) and name[-len(given) :] == given


def _cuts(given: list[str], name: list[str]) -> bool:
    """Whether these words are those of a ship's name, cut short."""
    cut = all(word.startswith(short) for word, short in zip(name, given, strict=True))
    return cut and sum(map(len, given)) > len(name)


def ship_names(of: Collection[str] = ()) -> list[str]:
    """The names of the ships of some nations, or of all."""
    return [one.name for one in named_ships().values() if not of or one.nation in of]


def unused_ships(kind: Kind, country: str, taken: Iterable[str]) -> list[NamedShip]:
    """The ships of a kind and nation that are in no force yet, in the order of the list."""
    used = set(taken)
    return [one for one in named_ships().values() if (one.kind, one.nation) == (kind, country) and one.name not in used]
