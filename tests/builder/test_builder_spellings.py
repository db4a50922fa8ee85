"""What must work: Midway in under thirty lines, twelve battles in five spellings, two hundred misspelt lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.awaw.ships import NamedShip, named_ships
from flagplot.awaw.tables.nations import nation
from flagplot.builder import read, same, write
from tests.builder.spellings import SPELLINGS

BATTLES = (
    "first-battle",
    "denmark-strait",
    "surigao-strait",
    "cape-matapan",
    "coral-sea",
    "midway",
    "santa-cruz",
    "malta-convoy",
    "philippine-sea",
    "okinawa",
    "rabaul",
    "coral-sea-operation",
)


def test_midway_is_typed_in_under_thirty_lines() -> None:
    text = (Path(__file__).parent / "midway.txt").read_text(encoding="utf8")
    assert len(text.splitlines()) < 30
    reading = read(text)
    assert reading.problems == ()
    assert reading.document is not None
    published = flagplot.read_scenario("midway")
    assert same(_in_one_line(reading.document), _in_one_line(published))
    assert flagplot.load(reading.document, seed=1).state == flagplot.load(published, seed=1).state


def _in_one_line(data: Any) -> Any:
    """Prose without its line breaks, which are those of a file."""
    if isinstance(data, dict):
        return {key: _in_one_line(part) for key, part in data.items()}
    if isinstance(data, list):
        return [_in_one_line(part) for part in data]
    return " ".join(data.split()) if isinstance(data, str) else data


@pytest.mark.parametrize("battle", BATTLES)
def test_twelve_battles_in_five_spellings(battle: str) -> None:
    document = flagplot.read_scenario(battle)
    written = write(document)
    texts = {name: spelling(written) for name, spelling in SPELLINGS.items()}
    assert len(set(texts.values())) == 5, "two spellings are alike"
    for name, text in texts.items():
        reading = read(text)
        assert reading.problems == (), name
        assert same(reading.draft, document), name


# --- misspelt lines -----------------------------------------------------------------------------------------------

OTHER = "\nUS TF2: Washington, 8 CA, 4 DD"


def _misspelt(name: str, place: int) -> str:
    """A name as somebody types it in a hurry: two letters exchanged, one left out, one doubled, or another vowel."""
    middle = 1 + place % max(1, len(name) - 3)
    match place % 4:
        case 0:
            return name[:middle] + name[middle + 1] + name[middle] + name[middle + 2 :]
        case 1:
            return name[:middle] + name[middle + 1 :]
        case 2:
            return name[:middle] + name[middle] * 2 + name[middle + 1 :]
        case _:
            return (
                re.sub("[aeiou]", lambda found: "ui"[found[0] == "u"], name[: middle + 2], count=1) + name[middle + 2 :]
            )


def misspelt_ships() -> Iterator[tuple[NamedShip, str]]:
    """Ships of all navies, each misspelt in its own way; a slip that gives another ship's name is none."""
    names = {one.name.casefold() for one in named_ships().values()}
    for place, ship in enumerate(named_ships().values()):
        wrong = _misspelt(ship.name, place)
        if len(ship.name) > 5 and wrong.casefold() not in names and wrong != ship.name:
            yield ship, wrong


def test_misspelt_ships_get_the_right_suggestion() -> None:
    right = tried = 0
    for ship, wrong in misspelt_ships():
        head = f"{nation(ship.nation).name} TF1: "
        other = "\nJapan TF2: Nagato, 8 CA, 4 DD" if ship.nation == "united-states" else OTHER
        problems = read(f"{head}{wrong}, 8 CA, 4 DD{other}").problems
        if not problems:
            continue  # it was understood
        tried += 1
        (problem,) = problems
        assert (problem.line, problem.column, problem.length) == (1, len(head) + 1, len(wrong))
        assert problem.message.startswith("No ship called “")
        assert problem.suggestion == ship.name or "Type a ship of the list" in problem.message, (wrong, problem)
        right += problem.suggestion == ship.name
    assert tried >= 180, "with the lines below these are more than two hundred"
    assert right == tried


@pytest.mark.parametrize(
    ("line", "suggestion", "told"),
    [
        ("Japan TF1: Kongo, 8 CAA, 4 DD", "CA", "No type of unit"),
        ("Japan TF1: Kongo, 8 CA, 4 DDD", "DD", "No type of unit"),
        ("Japan TF1: Kongo, 8 crusers", "cruiser", "No type of unit"),
        ("Japan TF1: Kongo, 4 destoryers", "destroyer", "No type of unit"),
        ("Japan TF1: Kongo, 8 CA; 3 squadrns", "squadron", "No type of unit"),
        ("Japan TF1: Kongo, 8 CA; 3 NSA", "NAS", "No type of unit"),
        ("Japan TF1: Kongo, 8 CA; 3 elit NAS", "elite", "No type of unit"),
        ("Japan TF1: Kongo, 8 CA, 4 DD; patrl", "patrol", "Did you mean patrol"),
        ("Japan TF1: Kongo, 8 CA, 4 DD; seaborn invasion", "seaborne invasion", "Did you mean"),
        ("Japan TF1: Kongo, 8 CA, 4 DD; shore bombardmnt", "shore bombardment", "Did you mean"),
        ("Japan TF1: Kongo, 7 CA, 4 DD", "7 cruisers", "no whole number of cruisers"),
        ("Japan TF1: Kongo, 4 CA (2 damaged), 4 DD", "", "Type each number apart"),
        ("Japan TF1: Kongo, CA, 8 DD", "", "How many"),
        ("Germany TF1: Bismarck, Prinz Eugen", "", "cruisers and destroyers have no names"),
        ("Japan TF1: Kongo, 0 CA, 8 DD", "", "from 1 on"),
        ("Japan TF1: Kongo, 8 CA, 4 DD; 3 AAF", "", "give it to a base"),
        ("Japan TF1: Kongo, 8 CA, 4 DD; island", "", "belongs to a base"),
        ("Japan TF1: Kongo, 8 CA, 4 laden CA", "4  CA", "cannot be laden"),
        ("Japan TF1: Kongo (3 hits), 8 CA, 4 DD", "", "3 hits sink a ship"),
        ("Japan TF1: Kongo, Kongo, 8 CA, 4 DD", "", "stands twice"),
        ("Japan TF1: Washington, 8 CA, 4 DD", "", "does not fight on the side of Japan"),
        ("Japan TF1: Akagi, Kaga, 4 CA", "", "may be fast carriers"),
        ("Japan TF1: Kongo, 40 CA", "", "at most 25 factors"),
        ("Japan TF1: Kongo, 8 CA; 3 NAS", "", "more than the 0"),
        ("Japan TF1: Kongo, 8 CA, 2 laden DD", "", "say what"),
        ("Japan TF1 Kongo, 8 CA, 4 DD", "", "has no colon"),
        ("Jappan TF1: 8 CA, 4 DD", "Japan", "No nation called"),
        ("Japn TF1: 8 CA, 4 DD", "Japan", "No nation called"),
        ("Striking Force: 8 CA, 4 DD", "Japan Striking Force", "Whose is"),
        ("Mvoes: Japan", "Moves", "is no setting"),
        ("Theater: Pacfic", "pacific", "No theatre called"),
        ("Moves: Japn", "Japan", "No side called"),
        ("Codebraking: Japan", "Codebreaking", "is no setting"),
        ("Research: Japan torpdo 1", "torpedo", "No research result"),
        ("Research: torpedo 1", "US torpedo 1", "Whose research"),
        ("Research: Japan torpedo", "", "how often"),
        ("Date: someday", "", "Type a season"),
        ("Kind: navl battle", "naval battle", "No kind of battle"),
        ("Map: corral sea", "coral sea", "No map called"),
        ("Public: shps", "ships", "No public called"),
        ("Rounds: many", "", "Type a number"),
        ("Raiders: perhaps", "yes", "Type yes or no"),
        ("Japan submarines: some", "", "says nothing of submarines"),
        ("Japan submarines:", "", "How many factors"),
        ("ASW: Japan lots", "", "Type it like"),
        ("Kamikazes: 1.5", "", "Type how many"),
        ("Transports: British", "3 British", "Type how many factors"),
        ("Battle hex: here", "", "Type the hex"),
        ("Set: nowhere[3].x = 1", "", "No such key"),
        ("Set: public", "", "Type a key and its value"),
        ("Set: public = ships", "", "no TOML"),
        ("House rules: classic", "", "Type a rule and its reading"),
        ("House rules: clasic = yes", "classic", "No house rule"),
        ("Japan Truk base: 1 AFA", "AAF", "No type of unit"),
        ("Japan Truk base: 1 AAF; iland", "island", "Did you mean island"),
        ("Japan Truk base: 1 AAF; patrol", "", "belongs to a force"),
        ("Japan Truk base: 99 AAF; airbase", "", "only 5 factors"),
        ("Mood: clasic", "classic", "No mood called"),
        ("Side: Japan; naval oyl", "naval oil", "No condition of a side"),
        ("At peace: Japan", "", "Type two nations"),
        ("Supply line: Kiel", "", "Type it like Supply line"),
    ],
)
def test_other_misspelt_lines_get_a_suggestion_or_a_clear_error(line: str, suggestion: str, told: str) -> None:
    text = f"{line}\nJapan TF8: Hiei, 8 CA, 4 DD{OTHER}"
    problems = [one for one in read(text).problems if told in one.message]
    assert problems, read(text).problems
    assert problems[0].line == 1
    assert problems[0].suggestion == suggestion
