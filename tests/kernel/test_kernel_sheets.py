"""Decision sheets: what one side can decide now without learning anything, changed, confirmed and taken back whole."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

import flagplot
from flagplot.kernel.errors import IllegalAnswer, SaveError, StaleAnswer, UndoRefused, UnknownName
from flagplot.kernel.game import Game
from flagplot.kernel.levels import Level, Levels, Rounds
from flagplot.kernel.procedures import Next
from flagplot.kernel.requests import Choose, Headline, Note, Roll, Script, value_text
from flagplot.kernel.sheets import By, Sheet
from flagplot.kernel.words import how_many
from flagplot.players import staff
from flagplot.players.random import RandomPlayer
from tests.kernel.toys import SHORT, Pad, game_of, pick, throw


class First:
    """Always the first option."""

    def choose(self, view: Any, request: Choose[Any]) -> str:
        return request.option(0).text


FIRST = First()


def plans(state: Pad) -> Script[Next]:
    """Two choices of blue, a secret one of red, another one of blue, then dice."""
    first = yield pick("blue", "a", "b", verb="first")
    second = yield pick("blue", *range(3 if first == "a" else 2), verb="second")
    secret = yield pick("red", "x", "y", verb="hide", secret="red decides in secret")
    third = yield pick("blue", "c", "d", verb="third")
    yield throw()
    state.trail = [first, str(second), secret, third]
    return None


def sheet_of(game: Game[Any], side: str = "blue", **answers: str) -> Sheet:
    return game.sheet(side, answers, staff=FIRST)


# --- what a sheet holds -------------------------------------------------------------------------------------------


def test_a_sheet_goes_on_until_something_can_be_read() -> None:
    sheet = sheet_of(game_of(plans))
    assert [one.key for one in sheet] == ["first", "second"]
    assert {one.by for one in sheet} == {By.STAFF}
    assert [one.chosen for one in sheet] == ["first:a", "second:0"]


def test_news_of_the_enemys_secrets_ends_a_sheet_and_ones_own_do_not() -> None:
    def script(state: Pad) -> Script[Next]:
        yield pick("blue", 1, 2, verb="before")
        yield Note("blue shows its hand", "1", reveals="blue")
        yield pick("blue", 1, 2, verb="between")
        yield Note("red shows its hand", "1", reveals="red")
        yield pick("blue", 1, 2, verb="after")
        return None

    sheet = sheet_of(game_of(script))
    assert [one.key for one in sheet] == ["before", "between"]


def test_an_open_choice_of_the_enemy_ends_a_sheet() -> None:
    def script(state: Pad) -> Script[Next]:
        yield pick("blue", 1, 2, verb="mine")
        yield pick("red", 1, 2, verb="open")
        yield pick("blue", 1, 2, verb="later")
        return None

    sheet = sheet_of(game_of(script))
    assert [one.key for one in sheet] == ["mine"]
    assert sheet_of(game_of(script), "red").fields == ()


def test_a_secret_decision_that_was_forced_looks_like_any_other() -> None:
    def script(*values: str) -> Any:
        def segment(state: Pad) -> Script[Next]:
            yield pick("blue", 1, 2, verb="mine")
            yield pick("red", *values, verb="hide", secret="red decides in secret")
            yield pick("blue", 1, 2, verb="later")
            return None

        return segment

    one, several = sheet_of(game_of(script("x"))), sheet_of(game_of(script("x", "y")))
    assert one.as_dict() == several.as_dict()
    assert [field.key for field in one] == ["mine"]


def test_the_second_question_of_the_same_words_has_a_number() -> None:
    def script(state: Pad) -> Script[Next]:
        for _ in range(3):
            yield pick("blue", 1, 2, verb="same")
        return None

    assert [one.key for one in sheet_of(game_of(script))] == ["same", "same#2", "same#3"]


# --- changing it --------------------------------------------------------------------------------------------------


def test_later_fields_follow_a_change() -> None:
    sheet = sheet_of(game_of(plans)).set("second", 2)
    assert (sheet["second"].chosen, sheet["second"].by) == ("second:2", By.YOU)
    changed = sheet.set("first", "b")
    assert changed["second"].chosen == "second:0"
    assert (changed["second"].by, changed["second"].dropped) == (By.STAFF, "second:2")
    assert changed.clear().as_dict() == sheet_of(game_of(plans)).as_dict()


def test_what_is_not_offered_is_refused() -> None:
    sheet = sheet_of(game_of(plans))
    with pytest.raises(IllegalAnswer, match="not one of the answers: “7”"):
        sheet.set("second", 7)
    with pytest.raises(UnknownName, match="no such decision in this plan"):
        sheet.set("fourth", 1)
    with pytest.raises(UnknownName, match="no such side"):
        game_of(plans).sheet("green")


# --- confirming it ------------------------------------------------------------------------------------------------


def test_all_answers_of_a_sheet_are_given() -> None:
    game = game_of(plans)
    game.confirm(sheet_of(game).set("second", 1))
    assert game.pending is not None
    assert game.pending.side == "red"
    game.choose("hide:y")
    game.confirm(sheet_of(game, third="third:d"))
    game.roll()
    assert game.state.trail == ["a", "1", "y", "d"]


def test_a_sheet_of_an_earlier_moment_is_refused_whole() -> None:
    game = game_of(plans)
    sheet = sheet_of(game)
    game.choose("first:b")
    with pytest.raises(StaleAnswer):
        game.confirm(sheet)
    with pytest.raises(StaleAnswer):
        sheet.set("second", 1)
    assert game.turn == 1


def test_a_sheet_is_taken_back_in_one_step() -> None:
    game = game_of(plans)
    before = sheet_of(game).as_dict()["fields"]
    game.confirm(sheet_of(game))
    game.undo_sheet("blue")
    assert game.turn == 0
    assert sheet_of(game).as_dict()["fields"] == before
    with pytest.raises(UndoRefused, match="the last thing was not a plan"):
        game.undo_sheet("blue")


def test_what_the_enemy_has_seen_is_not_taken_back() -> None:
    def script(state: Pad) -> Script[Next]:
        yield pick("blue", 1, 2, verb="before")
        yield Note("blue shows its hand", "1", reveals="blue")
        yield pick("blue", 1, 2, verb="after")
        yield pick("blue", 1, 2, verb="last")
        yield throw()
        return None

    game = game_of(script)
    game.confirm(sheet_of(game))
    with pytest.raises(UndoRefused):
        game.undo_sheet("blue")


def test_all_lines_of_a_sheet_are_saved_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = flagplot.load("first-battle", seed=3)
    path = tmp_path / "save.jsonl"
    game.save(path)
    before = path.read_bytes()
    sheet = game.sheet(game.sides[0])
    assert len(sheet) > 1

    def full(*texts: str) -> None:
        raise SaveError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(game._file, "append", full)
        with pytest.raises(SaveError):
            game.confirm(sheet)
    assert (game.turn, path.read_bytes()) == (0, before)
    game.confirm(sheet)
    assert len(path.read_text().splitlines()) == 1 + len(sheet)
    assert flagplot.resume(path, follow=False).turn == len(sheet)


# --- the games stay the same --------------------------------------------------------------------------------------


def by_sheets(scenario: str, seed: int) -> Game[Any]:
    """A game whose sides confirm what their staff has filled in."""
    game = flagplot.load(scenario, seed=seed)
    staffs = {side: staff() for side in game.sides}
    while game.pending is not None:
        if isinstance(game.pending, Roll):
            game.roll()
        else:
            side = game.pending.side
            game.confirm(game.sheet(side, staff=staffs[side]))
    return game


@pytest.mark.parametrize("scenario", SHORT)
def test_accepted_sheets_give_the_same_tape_as_single_answers(scenario: str) -> None:
    alone = flagplot.load(scenario, seed=11)
    alone.play({side: staff() for side in alone.sides})
    assert by_sheets(scenario, 11).tape().texts == alone.tape().texts


@pytest.mark.parametrize("scenario", ["first-battle", "kursk", "savo-island"])
def test_changed_sheets_are_legal_too(scenario: str) -> None:
    """Whatever is set in a sheet that offers it can be confirmed, and what was set is answered."""
    chance = Random(5)
    game = flagplot.load(scenario, seed=5)
    staff = RandomPlayer(5)
    while game.pending is not None and game.turn < 120:
        if isinstance(game.pending, Roll):
            game.roll()
            continue
        side = game.pending.side
        sheet = game.sheet(side, staff=staff)
        one = chance.choice(sheet.fields)
        sheet = sheet.set(one.key, chance.choice(one.offers).text)
        before = len(game.events)
        game.confirm(sheet)
        given = [
            request.option(answer).text
            for request, answer in game.events[before:]
            if isinstance(request, Choose) and request.side == side and answer >= 0
        ]
        assert given[: len(sheet)] == [field.chosen for field in sheet]


def test_a_sheet_is_quick() -> None:
    """A generous bound that a slow machine keeps: a sheet costs about what its answers cost."""
    game = flagplot.load("santa-cruz", seed=3)
    began = time.process_time()
    sheet = game.sheet(game.sides[0])
    assert time.process_time() - began < 0.05 * max(20, len(sheet))


# --- levels -------------------------------------------------------------------------------------------------------


def test_a_level_asks_what_those_before_it_ask() -> None:
    assert [Level.TACTICS.asks(level) for level in Level] == [True, True, False]
    levels = Levels({"abort": Level.ROUTINE, "passage/abort": Level.COMMAND})
    assert levels.of("passage", "abort") is Level.COMMAND
    assert levels.of("strike", "abort") is Level.ROUTINE
    assert levels.of("strike", "unheard-of") is Level.COMMAND


def test_what_is_decided_once_is_not_asked_again_and_stays_held_back() -> None:
    def script(state: Pad) -> Script[Next]:
        for _ in range(3):
            yield pick("blue", "no", "yes", verb="sortie")
            yield throw()
        return None

    game = game_of(script)
    game.ruleset.levels = Levels(once=frozenset({"sortie"}))  # type: ignore[attr-defined]
    flag = {"staff": Last(), "level": Level.COMMAND}
    sheet = game.sheet("blue", **flag)  # type: ignore[arg-type]
    assert len(sheet.open_to()) == 1
    game.confirm(sheet.set("sortie", "no"))
    game.roll()
    sheet = game.sheet("blue", **flag)  # type: ignore[arg-type]
    assert sheet.open_to() == ()
    assert (sheet["sortie"].chosen, sheet["sortie"].by) == ("sortie:no", By.BEFORE)
    assert game.sheet("blue", staff=Last())["sortie"].chosen == "sortie:yes"


def test_whoever_is_asked_just_the_same_in_another_round_of_a_battle_has_decided_it() -> None:
    """Until the numbers change, or another battle begins; who held back goes on doing so in any case."""

    def script(state: Pad) -> Script[Next]:
        for begins, most in ((True, 2), (False, 2), (False, 1), (False, 3), (True, 3)):
            if begins:
                yield Note("A battle", "22.141")
            yield pick("blue", *range(most + 1), verb="patrol")
            yield throw()
        return None

    game = game_of(script)
    rounds = Rounds(words=frozenset({"main/patrol"}), begun=frozenset({"22.141"}))
    game.ruleset.levels = Levels(rounds=rounds)  # type: ignore[attr-defined]
    asked = []
    for wanted in (1, 1, 0, 0, 2):
        sheet = game.sheet("blue", staff=Last(), level=Level.COMMAND)
        asked.append(bool(sheet.open_to()))
        sheet = sheet.set("patrol", wanted) if asked[-1] else sheet
        assert sheet["patrol"].chosen == f"patrol:{wanted}"
        game.confirm(sheet)
        game.roll()
    assert asked == [True, False, True, False, True]


def asked_at_flag(script: Any, rounds: Rounds) -> list[tuple[bool, str]]:
    """Whether each question of a script, with dice after it, is put to an admiral, and the answer. His staff takes
    the last option."""
    game = game_of(script)
    game.ruleset.levels = Levels(rounds=rounds)  # type: ignore[attr-defined]
    told = []
    while game.pending is not None:
        if isinstance(game.pending, Roll):
            game.roll()
            continue
        sheet = game.sheet("blue", staff=Last(), level=Level.COMMAND)
        told += [(bool(sheet.open_to()), one.chosen.rpartition(":")[2]) for one in sheet]
        game.confirm(sheet)
    return told


def test_whoever_sent_all_that_he_could_sends_all_that_are_left() -> None:
    def script(state: Pad) -> Script[Next]:
        for most in (3, 2, 1):
            yield pick("blue", *range(most + 1), verb="patrol")
            yield throw()
        return None

    told = asked_at_flag(script, Rounds(words=frozenset({"main/patrol"})))
    assert told == [(True, "3"), (False, "2"), (False, "1")]


def test_on_a_voyage_only_the_very_same_question_is_decided() -> None:
    def script(state: Pad) -> Script[Next]:
        for force in ("TF 1", "TF 1", "TF 2"):
            yield Choose("blue", "cover", [0, 1], f"Cover {force}?", how_many, "1")
            yield throw()
        return None

    told = asked_at_flag(script, Rounds(voyages=frozenset({"main/cover"})))
    assert [asked for asked, _ in told] == [True, False, True]


def test_who_stays_in_a_battle_is_asked_again_once_something_is_hit() -> None:
    """By news that the side can read."""

    def script(state: Pad) -> Script[Next]:
        for news in ("", "red", "blue"):
            if news:
                yield Note("A ship is hit", "1", side=news, headline=Headline("damaged"))
            yield pick("blue", "some", "none", verb="withdraw")
            yield throw()
        return None

    told = asked_at_flag(script, Rounds(lulls=frozenset({"main/withdraw"})))
    assert [asked for asked, _ in told] == [True, False, True]


class Last:
    """A staff that takes the last option."""

    def choose(self, view: Any, request: Choose[Any]) -> str:
        return request.option(len(request) - 1).text


@pytest.mark.parametrize("scenario", SHORT)
def test_every_question_has_its_level(scenario: str) -> None:
    game = flagplot.load(scenario, seed=2)
    players = {side: RandomPlayer(place) for place, side in enumerate(game.sides)}
    marked = game.ruleset.levels.words  # type: ignore[attr-defined]
    while game.pending is not None:
        if isinstance(game.pending, Choose):
            assert value_text(game.pending.verb).partition(":")[0] in marked
        game.play(players, until=game.turn + 1)
