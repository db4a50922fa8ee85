"""Games of two trees compared: the same game has the same digests, and a change shows where it was made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import same
from bench._same_games import Match, digests, outline, story, text_at
from bench._same_trees import Digests
from flagplot.kernel.requests import Option

GAME = Match("rabaul", "random", 2)
READERS = ("japan", "allies", "umpire", "neutral")


def relabelled(option: Option[object]) -> str:
    return f"{LABEL.__get__(option)}!"


LABEL = Option.__dict__["label"]


def test_a_game_has_the_same_digests_each_time() -> None:
    first = digests(GAME, 2)
    assert first == digests(GAME, 2)
    assert first != digests(GAME._replace(seed=3), 2)
    assert {part for part in first["parts"] if ":" not in part} == {
        "question", "options", "roll", "outcomes", "result", "tape", "state",
    }  # fmt: skip
    for what in ("view", "order", "text", "log"):
        assert {f"{what}:{reader}" for reader in READERS} <= first["parts"].keys()


def test_a_changed_label_is_found_and_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """It changes what is offered and all that shows it, but neither the play nor the save."""
    before, old, texts = digests(GAME, 2), outline(GAME, 2), [told.text for told in story(GAME, 2)]
    monkeypatch.setattr(Option, "label", property(relabelled))
    found = same.differing(Digests.of(before), Digests.of(digests(GAME, 2)), [])
    assert found == ["options", "view", "order", "log"]
    assert same.differing(Digests.of(before), Digests.of(digests(GAME, 2)), found) == []
    assert same.first_difference(old, outline(GAME, 2), "roll") is None
    places = same.first_difference(old, outline(GAME, 2), "options")
    assert places is not None
    assert old[places[0]][1] == "options"
    changed = [line for line in same.difference(texts[places[0]], text_at(GAME, 2, places[1])) if line[0] in "-+"]
    gone, come = [[line[1:] for line in changed if line[0] == sign] for sign in "-+"]
    assert gone[0].startswith('  "label": ')
    assert come == [line.replace('",', '!",') for line in gone]


def test_digests_are_kept_and_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, settings = tmp_path / "kept", same.Settings(random=2, doctrine=0, generated=0, scenario=("rabaul",))
    games = {match: Digests.of(digests(match, settings.every)) for match in same.matches(settings, (), ())}
    assert len(games) == 2
    games[GAME].parts["log:umpire"] = "0" * 16
    same.keep(file, settings, games)
    assert same.read_kept(file).games == games
    header, *lines = file.read_text(encoding="utf8").splitlines()
    of_no_commit = json.dumps(json.loads(header) | {"commit": "", "changed": True})  # so it is not played again
    file.write_text("\n".join([of_no_commit, *lines]), encoding="utf8")
    assert same.main(["--against", str(file), "--jobs", "1"]) == 1
    told = capsys.readouterr().out
    assert "1 differs (log 1), first random 2\n" in told
    assert told.endswith(" seconds: 1 differs\n")


def test_each_scenario_counts_its_differences_and_each_part_is_shown() -> None:
    """Also one that differs later than others of the same scenario."""
    first, second, third = GAME, GAME._replace(seed=3), GAME._replace(scenario="midway")
    rows = [
        same.Row("rabaul", 2, 60, {first: ["text"], second: ["text", "explain"]}),
        same.Row("kursk", 1, 9),
        same.Row("midway", 1, 90, {third: ["text"]}),
    ]
    assert str(rows[0]).endswith("2 differ (text 2, explain 1), first random 2")
    assert str(rows[1]).endswith("same")
    assert same.to_show(rows) == {first: ["text"], second: ["explain"], third: ["text"]}


def test_bad_input_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "other").write_text("[1]\n", encoding="utf8")
    assert same.main(["--against", str(tmp_path / "other")]) == 2
    assert same.main(["--against", "no-such-commit"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert "is not a file that --keep wrote" in told[0]
    assert told[1] == "“no-such-commit” is neither a file nor a commit"
