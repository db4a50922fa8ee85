"""Questions near the one on the odds desk: a squadron more or fewer, no patrol, and the sides swapped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from flagplot.awaw.air_units import Arm
from flagplot.awaw.board.units import adjective
from flagplot.awaw.ships import FAST_CARRIERS, NamedShip, named_ship
from flagplot.kernel.errors import FlagplotError
from flagplot.odds.questions.question import Form, Word
from flagplot.odds.ship_lists import LightShips, read_ships
from flagplot.odds.words import entries, read_flights
from flagplot.table.desk.question import Asked, read
from flagplot.table.desk.trays import DIGITS, Piece

MOST_CASES = 4
"""Neighbouring cases that are shown."""
PAIRS = {
    "air-combat": (("attackers", "defenders"),),
    "fire": (("ships", "target"), ("nation", "target_nation")),
    "engagement": (
        ("ours", "theirs"),
        ("nation", "their_nation"),
        ("hits", "their_hits"),
        ("screen", "their_screen"),
        ("our_activity", "their_activity"),
    ),
}
"""By kind of question: the fields that the two sides have alike."""
OTHER_SIDE = {"us": "them", "them": "us"}
CARRIERS = {
    "japan": "Akagi, Kaga, Hiryu, Soryu, Shokaku, Zuikaku",
    "united-states": "Enterprise, Hornet, Yorktown, Wasp, Lexington, Saratoga",
    "britain": "Illustrious, Victorious, Formidable, Indomitable, Ark Royal, Furious",
}
"""From which carriers a strike comes if nobody says so, for the blow that is struck back."""


class Case(NamedTuple):
    """A neighbouring question: how it differs, and where it is answered."""

    label: str
    asked: Asked


# --- neighbours ---------------------------------------------------------------------------------------------------


def neighbours(asked: Asked) -> list[Case]:
    """The questions next to this one: one unit of the first force fewer or more, then other numbers."""
    found = [*_of_the_first_force(asked), *_of_numbers(asked)]
    return found[:MOST_CASES]


def _of_the_first_force(asked: Asked) -> Iterator[Case]:
    for name, tray in asked.trays.items():
        for place, piece in enumerate(tray.pieces):
            if piece.number is None:
                continue
            for number in (piece.number - piece.step, piece.number + piece.step):
                if number > 0:
                    kept = entries(tray.text)
                    kept[place] = DIGITS.sub(str(number), kept[place])
                    yield Case(_counted(piece, number), _with(asked, name, ", ".join(kept)))
            return


def _counted(piece: Piece, number: int) -> str:
    ship = piece.counter is not None and piece.counter.silhouette != "plane"
    name = piece.name.lstrip("0123456789 ").lower() if ship else piece.name
    return f"{number // piece.step} {name}"


def _of_numbers(asked: Asked) -> Iterator[Case]:
    for word in asked.form.words:
        text = asked.value(word).lstrip("+")
        if not (word.first and word.at_desk and word.type in ("number", "squadrons") and text.isdecimal()):
            continue
        number, title = int(text), word.title[0].lower() + word.title[1:]
        if number > 1 or (number and word.least):
            yield Case(f"{title} {number + 1}", _with(asked, word.name, str(number + 1)))
        if number and not word.least:
            yield Case(f"no {title}", _with(asked, word.name, "0"))


def _with(asked: Asked, name: str, text: str) -> Asked:
    return _asked(asked.form, {**{word.name: asked.value(word) for word in asked.form.words}, name: text})


def _asked(form: Form, said: dict[str, str]) -> Asked:
    return read(form, [(name, text) for name, text in said.items() if text])


# --- sides swapped ------------------------------------------------------------------------------------------------


def swapped(asked: Asked) -> Asked | None:
    """The same question with the sides swapped; of a strike from carriers, the blow that is struck back."""
    if asked.missing or any(asked.faults):
        return None
    if asked.form.kind == "strike":
        return _struck_back(asked)
    pairs = PAIRS.get(asked.form.kind, ())
    other = dict(pairs) | {theirs: ours for ours, theirs in pairs}
    said: dict[str, str] = {}
    for word in asked.form.words:
        if text := asked.value(word):
            said[other.get(word.name, word.name)] = _other_side(word, text)
    back = _asked(asked.form, {name: text for name, text in said.items() if name in other or _is_common(asked, name)})
    return back if pairs and not back.missing and len(back.values) > 1 else None


def _other_side(word: Word, text: str) -> str:
    return OTHER_SIDE.get(text, text) if word.type == "choice" else text


def _is_common(asked: Asked, name: str) -> bool:
    """Whether a field belongs to no side, so that it stays: the codebreakers, a kind of combat, house rules."""
    word = asked.form.word(name)
    return word is not None and word.type in ("choice", "readings")


def _struck_back(asked: Asked) -> Asked | None:
    said = {word.name: asked.value(word) for word in asked.form.words}
    try:
        flights, ships = read_flights(said["attackers"], "attackers"), read_ships(said["target"], "target").ships
    except FlagplotError:
        return None
    nation = flights[0].nation
    carriers = [one for one in ships if isinstance(one, NamedShip) and one.kind in FAST_CARRIERS]
    at_sea = all([one.arm in (Arm.NAVAL, Arm.ELITE) and one.nation == nation for one in flights])
    if not at_sea or not carriers or nation not in CARRIERS:
        return None
    patrol = int(said["cap"]) if said["cap"].isdecimal() else 0
    decks, needed = list[NamedShip](), sum([one.number for one in flights]) + patrol
    for name in CARRIERS[nation].split(", "):
        if sum([one.factors for one in decks]) < needed:
            decks.append(named_ship(name))
    launched = sum([one.factors for one in carriers]) - patrol
    screen = [f"{one.number} {one.kind.replace('_', '-')}" for one in ships if isinstance(one, LightShips)]
    target = ", ".join([*[one.name for one in decks], *screen])
    attackers = f"{launched} {adjective(carriers[0].nation).lower()} naval"
    return _asked(asked.form, {"attackers": attackers, "target": target, "cap": str(patrol or "")})
