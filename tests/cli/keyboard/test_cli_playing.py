"""Playing through a pipe: what is typed and what comes back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flagplot.cli.keyboard.rulebook import behind, explained
from flagplot.register import meanings

Run = Callable[..., Any]
HUMAN = ("--player", "axis=human", "--player", "allies=random", "--seed", "3")


@pytest.mark.parametrize(
    ("arguments", "quoted", "allowed"),
    [
        (["--player", "axis=alien"], "“alien”", "human, random"),
        (["--player", "foo=human"], "“foo”", "axis or allies"),
        (["--player", "axis"], "“axis”", "SIDE=WHO"),
        (["--player", "axis=human", "--player", "axis=random"], "“axis=random”", "one --player for each side"),
        (["--seed", "x"], "“x”", "a number such as 7"),
        (["--dice", "loaded"], "“loaded”", "auto or manual"),
        (["--option", "nope=1"], "“nope”", "transport_losses"),
        (["--option", "nope"], "“nope”", "NAME=VALUE"),
        (["--option", "classic=maybe"], "“maybe”", "false or true"),
        (["--option", "transport_losses=none"], "“none”", "by-share or all-inverted"),
        (["--save", "taken.jsonl"], "“taken.jsonl”", "a new file"),
        (["--save", "no/such/folder.jsonl"], "“no/such/folder.jsonl”", ""),
        (["--json", "--player", "axis=human"], "axis=human", "random"),
        (["--json", "--dice", "manual"], "--dice manual", "--dice auto"),
    ],
)
def test_wrong_input_is_quoted(run: Run, tmp_path: Path, arguments: list[str], quoted: str, allowed: str) -> None:
    (tmp_path / "taken.jsonl").write_text("mine", encoding="utf8")
    ran = run("play", "malta", *arguments)
    assert ran.code == 2
    assert not ran.out
    assert quoted in ran.err
    assert allowed in ran.err
    assert (tmp_path / "taken.jsonl").read_text(encoding="utf8") == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["taken.jsonl"]


def test_wrong_players_of_a_resumed_game(run: Run) -> None:
    assert run("play", "malta", "--seed", "1", "--save", "game.jsonl").code == 0
    ran = run("resume", "game.jsonl", "--player", "japan=random")
    assert ran.code == 2
    assert "“japan”" in ran.err


def test_an_option_changes_the_reading(run: Run) -> None:
    from flagplot import resume

    ran = run("play", "malta", "--seed", "1", "--option", "classic=true", "--option", "jet_remainder=rounded-up",
              "--save", "game.jsonl")  # fmt: skip
    assert ran.code == 0
    game = resume("game.jsonl", follow=False)
    assert game.options.classic is True
    assert game.options.jet_remainder == "rounded-up"


def test_a_human_sees_position_question_and_options(run: Run) -> None:
    ran = run("play", "malta", *HUMAN, typed="counterair:malta\n")
    assert ran.code == 0
    assert "\x1b" not in ran.out
    assert "Malta, spring 1942: movement" in ran.out
    assert "1 British army air factor (inverted)" in ran.out
    assert "The Axis › Choose a base to attack (18.521)\n  1  Attack Malta\n  2  Attack Tobruk\n" in ran.out
    assert "> counterair:malta\n" in ran.out
    assert "  0 None  1  2  3  4  5\n" in ran.out


def test_a_number_to_choose_stands_for_itself(run: Run) -> None:
    ran = run("play", "malta", *HUMAN, typed="1\n0\n2\nlog\n")
    assert "Attack Malta with how many of 5 German army air factors from Catania? None (18.521)" in ran.out
    assert "Attack Malta with how many of 2 Italian army air factors from Catania? 2 (18.521)" in ran.out


@pytest.mark.parametrize("typed", ["9", "0", "counterair:berlin", "attack", "-1", "view please"])
def test_an_option_that_is_not_offered_is_refused(run: Run, typed: str) -> None:
    ran = run("play", "malta", *HUMAN, typed=f"{typed}\n")
    assert f"“{typed}” is not an answer here. Type 1 to 3" in ran.out
    assert "Nothing to save: no answers yet." in ran.out


def test_commands(run: Run) -> None:
    ran = run("play", "malta", *HUMAN, typed="\n?\n? 2\n? 19.31A\n? zz\nhelp\nodds\nview\nundo\n1\nundo\nlog\n")
    out = ran.out
    assert (
        out.count("Choose a base to attack (18.521)\n  1  Attack Malta") == 3
    )  # asked, repeated, asked again after undo
    assert out.count("18.521  ") >= 2
    assert "19.31A  Nationality DRM difference" in out
    assert "No such rule in the register." in out
    assert "save FILE  save the game in a new file" in out
    assert "Odds until the end of the counterair mission (18.52)." in out
    assert out.count("Malta, spring 1942: movement") == 2
    assert "Too late to take back: nothing to take back yet." in out
    assert "Taken back." in out


def test_undo_ends_at_the_dice(run: Run) -> None:
    ran = run("play", "malta", *HUMAN, typed="1\n5\n2\n0\n0\n0\n2\nundo\n")
    assert ": air combat over Malta" in ran.out
    assert "Too late to take back: " in ran.out
    assert "Taken back." not in ran.out


def test_a_number_in_a_text_means_its_table_or_the_rule_above() -> None:
    assert "T19.2" in [rule.id for rule in behind("19.2")]
    assert behind("19.2")[0].kind != "heading"
    assert [rule.id for rule in behind("18.522B.2.9")] == ["18.522B.2"]
    assert [rule.id for rule in behind("19.61-19.62")][:1] == ["19.61"]
    assert behind("zz") == []


def test_a_rule_alone_is_explained_in_full_and_several_in_a_sentence_each() -> None:
    assert meanings()["19.61"] in " ".join(line.text.plain for line in explained(["19.61"]))
    assert meanings()["19.61"] not in " ".join(line.text.plain for line in explained(["19.61", "19.62"]))


# --- saving and stopping ----------------------------------------------------------------------------------------


def test_the_end_of_input_loses_nothing(run: Run, tmp_path: Path) -> None:
    ran = run("play", "malta", *HUMAN, typed="1\n5\n")
    assert ran.code == 0
    [path] = tmp_path.glob("*.jsonl")
    assert path.name.startswith("flagplot-malta-20")
    assert f"Game saved in {path.name}" in ran.out
    assert f"  flagplot resume {path.name}\n" in ran.out
    run("play", "malta", *HUMAN, typed="1\n5\n")
    assert sorted(other.name for other in tmp_path.glob("*.jsonl")) == [f"{path.stem}-2.jsonl", path.name]


def test_nothing_is_kept_of_nothing(run: Run, tmp_path: Path) -> None:
    ran = run("play", "malta", *HUMAN, typed="quit\n")
    assert ran.code == 0
    assert not list(tmp_path.iterdir())


def test_quit_asks_for_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "taken.jsonl").write_text("mine", encoding="utf8")
    ran = run("play", "malta", *HUMAN, typed="1\nquit\ntaken.jsonl\nmine.jsonl\n")
    assert "“taken.jsonl”" in ran.out
    assert "flagplot resume mine.jsonl" in ran.out
    assert (tmp_path / "mine.jsonl").exists()
    ran = run("play", "malta", *HUMAN, typed="1\nquit\n\n")
    assert len(list(tmp_path.glob("flagplot-malta-*.jsonl"))) == 1
    ran = run("play", "malta", *HUMAN, typed="1\nquit\n-\n")
    assert "Game not saved." in ran.out
    assert len(list(tmp_path.glob("*.jsonl"))) == 3


def test_save_and_resume(run: Run, tmp_path: Path) -> None:
    typed = "1\nsave\nsave a.jsonl\n5\nsave a.jsonl\nsave b.jsonl\n2\nquit\n"
    ran = run("play", "malta", *HUMAN, typed=typed)
    assert "Type save and the name of a new file." in ran.out
    assert "Saved in a.jsonl, and every later answer too." in ran.out
    assert "a file of this name exists already: “a.jsonl”" in ran.out
    assert "flagplot resume b.jsonl" in ran.out
    assert len((tmp_path / "a.jsonl").read_text(encoding="utf8").splitlines()) == 3
    assert len((tmp_path / "b.jsonl").read_text(encoding="utf8").splitlines()) == 4
    ran = run("resume", "b.jsonl", "--player", "axis=human", typed="log\n")
    assert "Attack Malta with how many of 5 German army air factors from Catania? 5" in ran.out
    assert "Attack Malta with how many of 2 German army air factors from Derna?" in ran.out
    assert "Game saved in b.jsonl." in ran.out


# --- dice -------------------------------------------------------------------------------------------------------


def test_people_type_their_dice(run: Run) -> None:
    players = ("--player", "axis=human", "--player", "allies=human", "--dice", "manual")
    attack = "1\n5\n2\n0\n0\n0\n2\n"
    ran = run("play", "malta", *players, typed=f"{attack}7 1\nx\n3\n1 2 3\n\n?\n12\n6,6\nquit\ndice.jsonl\n")
    assert "a die has no face '7'" in ran.out
    assert "a die has no face 'x'" in ran.out
    assert ran.out.count("roll 2 dice here, not ") == 2
    assert ran.out.count("modifier +0\n2 dice, such as 3 5> ") >= 2
    assert "19.31A  Nationality DRM difference" in ran.out
    log = run("replay", "dice.jsonl").out
    assert "⚀ ⚁  1 2  The Axis: air combat" in log
    assert "⚅ ⚅  6 6  The Allies: air combat" in log
    assert "cannot be proved" in run("verify", "dice.jsonl").out


@pytest.mark.parametrize(
    ("typed", "faces"), [("3 5", ["3", "5"]), ("35", ["3", "5"]), (" 3,5 ", ["3", "5"]), ("x", ["x"]), ("", [])]
)
def test_faces_as_people_type_them(typed: str, faces: list[str]) -> None:
    from flagplot.cli.keyboard.question import faces_of

    assert faces_of(typed) == faces


# --- secrets ----------------------------------------------------------------------------------------------------


def test_one_human_never_sees_what_lies_under_the_enemys_marker(run: Run) -> None:
    ran = run("play", "rabaul", "--player", "allies=human", "--player", "japan=random", typed="view\n? 1\nlog\n3\n1\n")
    assert "TF marker TF 5" in ran.out
    assert "6 Japanese elite" not in ran.out
    assert "under the marker" not in ran.out
    ran = run("play", "rabaul", "--player", "allies=random", "--player", "japan=human", "--seed", "1")
    assert "2 Japanese naval air squadrons, under the marker" in ran.out


def test_two_humans_in_a_pipe_are_parted_by_a_line(run: Run) -> None:
    players = ("--player", "japan=human", "--player", "allies=human", "--seed", "1")
    ran = run("play", "midway", *players, typed="1\n3\n1\n4\n2\n")
    assert "\x1b" not in ran.out
    japan, allies = ran.out.split("== Hand over to United States ==")
    assert "== Hand over to Japan ==" in japan
    assert "Choose a combat group number for the First Striking Force" in japan
    assert "Akagi" in japan
    assert "Japan: combat groups 1, 3 and 4" in allies
    assert "Choose a combat group number for Task Force 16" in allies
    assert "Striking Force" not in allies
    assert "Akagi" not in allies
