"""The log: each side reads what it may know, secrets stand as their twins, and words never change afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from flagplot.kernel.dice import Typed
from flagplot.kernel.game import Game
from flagplot.kernel.ledger import Ledger, Line
from flagplot.kernel.log import Entry, LogReader
from flagplot.kernel.procedures import Next
from flagplot.kernel.requests import Note, Roll, Script
from tests.kernel.toys import DUEL, SCENARIOS, Pad, game_of, lively, pick, players, step


def texts(game: Game[Any], reader: str) -> list[str]:
    return [entry.text for entry in game.log(reader)]


def hush(state: Pad) -> Script[Next]:
    words = "blue puts squadrons on patrol"
    for site in ("akagi", "kaga", "soryu"):
        yield pick("blue", 0, 1, 2, verb=site, question=f"How many on {site}?", secret=words)
    yield pick("blue", "only", question="Forced?", secret=words)
    yield pick("blue", "left", "right", question="Where to?")
    return None


def test_secret_choices_stand_in_the_other_log_once_however_many() -> None:
    game = game_of(hush)
    for answered, text in enumerate(("akagi:1", "kaga:0", "soryu:2"), start=1):
        game.choose(text)
        assert texts(game, "red") == ["Blue puts squadrons on patrol"]
        assert len(texts(game, "blue")) == len(texts(game, "umpire")) == answered
    assert texts(game, "blue") == ["How many on akagi? Take 1", "How many on kaga? Take 0", "How many on soryu? Take 2"]
    game.choose("pick:left")
    assert texts(game, "red") == ["Blue puts squadrons on patrol", "Where to? Take left"]
    twin = game.log("red")[0]
    assert (twin.kind, twin.side, twin.rule, twin.faces) == ("note", "blue", "", ())


def test_the_line_stands_there_as_soon_as_something_is_asked_in_secret() -> None:
    """Else a line while the other side is still asked would tell that this is not its first question."""
    game = game_of(hush)
    assert texts(game, "red") == ["Blue puts squadrons on patrol"]
    assert texts(game, "blue") == texts(game, "umpire") == []
    for text in ("akagi:1", "kaga:0"):
        before = game.log("red")
        game.choose(text)
        assert game.log("red") == before
        assert game.view("red").asked == {"side": "blue", "choose": None}


def test_the_other_side_cannot_tell_whether_a_secret_choice_was_forced() -> None:
    def asked(state: Pad) -> Script[Next]:
        yield pick("blue", 0, 1, secret="blue decides")
        yield pick("red", 0, 1)
        return None

    def forced(state: Pad) -> Script[Next]:
        yield pick("blue", 0, secret="blue decides")
        yield pick("red", 0, 1)
        return None

    one, other = game_of(asked), game_of(forced)
    one.choose("pick:0")
    assert one.log("red") == other.log("red")
    assert str(one.pending) == str(other.pending)
    assert texts(other, "blue") == []


def test_different_secrets_stand_apart() -> None:
    def script(state: Pad) -> Script[Next]:
        yield pick("blue", 0, 1, secret="blue decides")
        yield Note("a gong sounds", "1")
        yield pick("blue", 2, 3, secret="blue decides")
        yield pick("blue", 4, 5, secret="blue decides again")
        return None

    game = game_of(script)
    game.play(players(game))
    assert texts(game, "red") == ["Blue decides", "A gong sounds", "Blue decides", "Blue decides again"]


def test_secret_notes_show_their_twin_once_and_untwinned_ones_nothing() -> None:
    def script(state: Pad) -> Script[Next]:
        for ship in ("Akagi", "Kaga"):
            yield Note(("{} sails", ship), "20.1", side="blue", twin="something sails")
        yield Note("nobody else hears this", "20.2", side="blue")
        return None

    game = game_of(script)
    assert texts(game, "blue") == texts(game, "umpire") == ["Akagi sails", "Kaga sails", "Nobody else hears this"]
    assert texts(game, "red") == ["Something sails"]


def test_a_repeated_open_note_is_repeated() -> None:
    def script(state: Pad) -> Script[Next]:
        for _ in range(2):
            yield Note("a shot", "1")
        return None

    assert texts(game_of(script), "red") == ["A shot", "A shot"]


def test_an_open_forced_choice_is_no_line() -> None:
    def script(state: Pad) -> Script[Next]:
        yield pick("blue", "only")
        return None

    assert game_of(script).log("umpire") == []


def test_a_roll_shows_its_faces_its_ledger_and_what_was_read() -> None:
    ledger = Ledger([Line(2, "elite", "19.31A"), Line(-1, ("{} winter", "first"), "19.31C")])

    def script(state: Pad) -> Script[Next]:
        yield Roll("blue", 2, ("{} rolls", "Blue"), lambda faces: f"{sum(faces)}/2", "19.2", ledger)
        yield Roll("red", 1, "Red rolls", sum, "19.3")
        return None

    game = game_of(script, dice=Typed())
    game.roll([3, 5])
    game.roll([6])
    for reader in ("blue", "red", "umpire"):
        first, second = game.log(reader)
        assert str(first).splitlines() == [
            "Blue rolls (19.2): 3 + 5 + 1 = 9 → 8/2",
            "    +2  elite (19.31A)",
            "    -1  first winter (19.31C)",
        ]
        assert str(second) == "Red rolls (19.3): 6 → 6"
        assert first.as_dict() == {
            "kind": "roll",
            "side": "blue",
            "text": "Blue rolls",
            "rule": "19.2",
            "faces": [3, 5],
            "reading": "8/2",
            "ledger": ledger.as_dict(),
            "counts": "",
        }


def test_a_ledger_that_is_no_modifier_says_what_it_counts() -> None:
    level = Ledger([Line(2, "twenty factors", "23.4211"), Line(1, "research", "23.4213")])

    def script(state: Pad) -> Script[Next]:
        yield Roll("blue", 2, "Air defense", sum, "23.42", level, "", "level")
        return None

    game = game_of(script, dice=Typed())
    game.roll([3, 5])
    (entry,) = game.log("red")
    assert str(entry).splitlines()[0] == "Air defense (23.42), level 3: 3 5 → 8"
    assert entry.as_dict()["counts"] == "level"


def test_a_secret_roll_shows_its_purpose_and_its_ledger_to_those_who_roll() -> None:
    ledger = Ledger([Line(2, "a fast carrier hides", "22.32")])

    def script(state: Pad) -> Script[Next]:
        words = ("{} searches", "Blue")
        yield Roll("blue", 2, "Blue searches from Akagi", sum, "22.31", ledger, words)
        return None

    game = game_of(script, dice=Typed())
    game.roll([3, 5])
    for reader in ("blue", "umpire"):
        assert [str(entry) for entry in game.log(reader)] == [
            "Blue searches from Akagi (22.31): 3 + 5 + 2 = 10 → 8\n    +2  a fast carrier hides (22.32)"
        ]
    (seen,) = game.log("red")
    assert str(seen) == "Blue searches (22.31): 3 5 → 8"
    assert seen.as_dict() == {
        "kind": "roll",
        "side": "blue",
        "text": "Blue searches",
        "rule": "22.31",
        "faces": [3, 5],
        "reading": "8",
        "ledger": {"total": 0, "lines": []},
        "counts": "",
    }


def test_choices_and_notes_as_data() -> None:
    game = DUEL.game()
    game.choose("stance:low")
    choice = game.log("blue")[0]
    assert choice.as_dict() == {"kind": "choice", "side": "blue", "text": "Which stance? Take low", "rule": "2.1"}
    assert str(choice) == "Which stance? Take low (2.1)"
    assert str(game.log("red")[0]) == "Blue takes a stance"


def test_the_duel_as_each_side_reads_it() -> None:
    game = DUEL.game(Typed())
    for text in ("stance:high", "stance:low"):
        game.choose(text)
    game.roll([6, 4])
    game.choose("parry:left")
    common = ["Both stances are taken", "The clash of round 1", "High against low", "Red beats 10? Take left"]
    assert texts(game, "blue") == ["Which stance? Take high", "Red takes a stance", *common, "Something glints"]
    assert texts(game, "red") == ["Blue takes a stance", "Which stance? Take low", *common, "Red ripostes"]
    assert texts(game, "umpire") == ["Which stance? Take high", "Which stance? Take low", *common, "Red ripostes"]


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("shift", range(2))
def test_words_read_at_once_are_the_words_read_at_the_end(scenario: str, shift: int) -> None:
    """No label, question or ledger hangs on what happens later: each new entry is kept as it was first read, and the
    whole log is read again now and then and at the end."""
    game, _ = lively(scenario)
    who = players(game, shift)
    logs = {reader: LogReader(reader) for reader in (*game.sides, "umpire")}
    kept: dict[str, list[Any]] = {reader: [] for reader in logs}
    read = 0
    while True:
        for reader, log in logs.items():
            for event in game.events[read:]:
                log.add(event)
            kept[reader] += in_words(log.entries(game.pending)[len(kept[reader]) :])
            if game.pending is None or game.turn % 10 == 0:
                assert kept[reader] == in_words(game.log(reader))
        read = len(game.events)
        if game.pending is None:
            break
        step(game, who)
    assert all(kept.values())


def in_words(entries: Iterable[Entry]) -> list[tuple[str, dict[str, Any]]]:
    return [(str(entry), entry.as_dict()) for entry in entries]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_umpire_reads_every_answer(scenario: str) -> None:
    game, who = lively(scenario)
    game.play(who)
    kinds = [entry.kind for entry in game.log("umpire")]
    assert kinds.count("choice") + kinds.count("roll") == game.turn
    for side in game.sides:
        seen = [entry.kind for entry in game.log(side)]
        assert seen.count("choice") + seen.count("roll") <= game.turn
