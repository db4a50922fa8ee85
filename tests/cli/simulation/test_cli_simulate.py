"""`flagplot simulate`: what it prints, what it writes, how it is stopped, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.cli.simulation.simulate import read_amount
from flagplot.players import player
from flagplot.simulation import processes
from flagplot.simulation.intervals import Share, between, percent
from tests.cli.interrupts import heed_interrupts

Run = Callable[..., Any]
ROOT = Path(flagplot.__file__).parents[1]
SOME = ("simulate", "force-z", "--battles", "30", "--seed", "4")


@pytest.fixture(autouse=True)
def one_process_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """To start others takes longer than the battles; tests with several ask for them."""
    monkeypatch.setattr("flagplot.cli.simulation.simulate.cores", lambda: 1)


def test_it_tells_who_won_how_long_it_took_and_what_was_lost(run: Run) -> None:
    ran = run(*SOME)
    assert ran.code == 0
    assert ran.err == ""  # nothing but the answer goes into a pipe
    assert ran.out.startswith("Force Z, December 1941\n30 battles from seed 4. Britain: doctrine, Japan: doctrine.\n")
    titles = [line for line in ran.out.splitlines() if line.startswith("== ")]
    names = ["Winners", "Without the luck of the dice", "How it ended", "Length", "Britain", "Japan"]
    assert titles == [f"== {title} ==" for title in names]
    assert "so far" not in ran.out
    assert "Repulse" in ran.out
    assert "\x1b" not in ran.out


def test_shares_are_told_with_their_intervals() -> None:
    assert percent(0.1234) == "12.3 %"
    assert between(*Share(81, 263).interval) == "25.5 to 36.6 %"


def test_the_same_seed_gives_the_same_text_with_any_number_of_jobs(run: Run) -> None:
    one, two = run(*SOME, "--jobs", "1"), run(*SOME, "--jobs", "2")
    assert one == two
    assert run(*SOME, "--jobs", "2", "--json").json == run(*SOME, "--jobs", "1", "--json").json
    assert run("simulate", "force-z", "--battles", "30", "--seed", "5").out != one.out


def test_it_takes_all_processors_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flagplot.cli.simulation.simulate.cores", lambda: 7)
    assert read_amount("30", None, None).processes == 7
    assert read_amount("30", "2", None).processes == 2


def test_json_has_all_figures(run: Run) -> None:
    found = run(*SOME, "--player", "japan=random", "--json").json
    assert found["players"] == {"britain": "doctrine", "japan": "random"}
    assert (found["battles"], found["wanted"], found["complete"], found["stopped"]) == (30, 30, True, None)
    assert sum(entry["times"] for entry in found["winners"].values()) == 30
    assert all(entry["low"] <= entry["share"] <= entry["high"] for entry in found["winners"].values())
    assert sum(found["rounds"]["distribution"].values()) == 30
    lost = found["sides"]["britain"]["lost"]["ships"]
    assert sum(lost["distribution"].values()) == 30
    assert set(found["sides"]["britain"]["named"]["Repulse"]) == {"sunk", "damaged"}


def test_without_a_seed_it_says_which_one_it_took(run: Run) -> None:
    first = run("simulate", "force-z", "--battles", "5", "--json").json
    again = run("simulate", "force-z", "--battles", "5", "--seed", str(first["seed"]), "--json").json
    assert again == first


def test_a_file_can_be_simulated(run: Run, tmp_path: Path) -> None:
    text = (ROOT / "flagplot" / "scenarios" / "force-z.toml").read_text(encoding="utf8")
    (tmp_path / "my.toml").write_text(text, encoding="utf8")
    assert run("simulate", "my.toml", *SOME[2:]).out == run(*SOME).out


# --- battle by battle -------------------------------------------------------------------------------------------


def test_each_battle_is_a_line_of_csv(run: Run, tmp_path: Path) -> None:
    ran = run("simulate", "midway", "--battles", "12", "--seed", "4", "--out", "all.csv", "--json")
    assert ran.code == 0
    with (tmp_path / "all.csv").open(encoding="utf8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["battle"] for row in rows] == [str(number) for number in range(1, 13)]
    found = ran.json
    for side in ("japan", "allies"):
        assert sum(row["winner"] == side for row in rows) == found["winners"][side]["times"]
        sunk = sum(int(row[f"factors_sunk {side}"]) for row in rows) / 12
        assert sunk == pytest.approx(found["sides"][side]["figures"]["factors_sunk"]["mean"])
    hornet = [row["sunk allies"].split("; ").count("Hornet") for row in rows]
    assert sum(hornet) == found["sides"]["allies"]["named"]["Hornet"]["sunk"]["times"] > 0


def test_each_battle_is_a_line_of_json_and_can_be_played_again(run: Run, tmp_path: Path) -> None:
    players = ("--player", "britain=random", "--player", "japan=doctrine")
    assert run(*SOME, *players, "--out", "all.jsonl").code == 0
    lines = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text(encoding="utf8").splitlines()]
    assert len(lines) == 30
    for line in lines[:3]:
        played = run("play", "force-z", "--seed", str(line["seed"]), *players, "--json").json
        assert played["answers"] == line["answers"]
        assert played["result"]["winner"] == line["winner"]
        sunk = [name for name, fate in line["named"]["britain"].items() if fate == "sunk"]
        fates = played["result"]["losses_by_faction"]["britain"]
        assert sunk == [*fates["sunk"], *fates["destroyed"]]


def test_no_file_is_written_over(run: Run, tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_text("a save\n", encoding="utf8")
    ran = run(*SOME, "--out", "game.jsonl")
    assert ran.code == 2
    assert "“game.jsonl”" in ran.err
    assert (tmp_path / "game.jsonl").read_text(encoding="utf8") == "a save\n"


# --- from a save, and under other readings ----------------------------------------------------------------------


def keep_a_game(path: Path, answers: int = 12) -> None:
    game = flagplot.load("force-z", seed=1)
    game.play({side: player("random", place) for place, side in enumerate(game.sides)}, until=answers)
    game.save(path, follow=False)


def test_a_save_is_played_on_for_the_umpire(run: Run, tmp_path: Path) -> None:
    keep_a_game(tmp_path / "my game.jsonl")
    before = (tmp_path / "my game.jsonl").read_bytes()
    ran = run("simulate", "my game.jsonl", *SOME[2:])
    assert ran.code == 0
    assert ran.out.startswith(
        "Force Z, December 1941\n"
        "30 battles from seed 4. Britain: doctrine, Japan: doctrine.\n"
        "Continued from my game.jsonl after 12 answers, with other dice; losses and length count the whole battle.\n"
        "For the umpire only: hidden forces are as they really are. What one side can know of its chances:\n"
    )
    assert "flagplot odds position 'my game.jsonl' --as SIDE" in ran.out
    assert run("simulate", "my game.jsonl", *SOME[2:], "--json").json["from"] == {
        "save": "my game.jsonl",
        "answers": 12,
    }
    assert (tmp_path / "my game.jsonl").read_bytes() == before
    assert "umpire" in run("simulate", "--help").out


def test_a_half_written_line_is_told(run: Run, tmp_path: Path) -> None:
    keep_a_game(tmp_path / "game.jsonl")
    (tmp_path / "game.jsonl").write_bytes((tmp_path / "game.jsonl").read_bytes()[:-5])
    ran = run("simulate", "game.jsonl", *SOME[2:])
    assert "Note: the last line of game.jsonl was only half written and has been left out." in ran.out
    assert "after 11 answers" in ran.out


def test_a_save_that_cannot_be_simulated_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    keep_a_game(path)
    refused = run("simulate", "game.jsonl", "--option", "hit_faces=5-6")
    assert refused.code == 2
    assert "a save keeps its house rules: “--option hit_faces=5-6”" in refused.err
    path.write_text(path.read_text(encoding="utf8").replace('"choose"', '"chose"', 1), encoding="utf8")
    damaged = run("simulate", "game.jsonl", "--out", "all.csv")
    assert damaged.code == 2
    assert "damaged" in damaged.err
    assert "“game.jsonl”" in damaged.err
    assert not (tmp_path / "all.csv").exists()
    keep_a_game(tmp_path / "over.jsonl", 10_000)
    over = run("simulate", "over.jsonl")
    assert over.code == 2
    assert "this game is over" in over.err
    assert "“over.jsonl”" in over.err


def test_options_change_the_battles_and_are_told(run: Run) -> None:
    usual = run(*SOME)
    other = run(*SOME, "--option", "hit_faces=5-6", "--option", "carry_damage=true")
    assert other.code == 0
    assert "Options: hit_faces=5-6, carry_damage=true.\n" in other.out
    assert "Options" not in usual.out
    assert run(*SOME, "--option", "hit_faces=5-6", "--json").json["options"] == {"hit_faces": "5-6"}


# --- bad input --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "quoted"),
    [
        (["nowhere"], "nowhere"),
        (["force-z", "--battles", "0"], "0"),
        (["force-z", "--battles", "-3"], "-3"),
        (["force-z", "--battles", "many"], "many"),
        (["force-z", "--battles", "9999999999999"], "9999999999999"),
        (["force-z", "--jobs", "0"], "0"),
        (["force-z", "--seed", "x"], "x"),
        (["force-z", "--player", "japan=nobody"], "nobody"),
        (["force-z", "--player", "japan=human"], "human"),
        (["force-z", "--player", "france=random"], "france"),
        (["force-z", "--player", "random"], "random"),
        (["force-z", "--player", "japan=random:fast"], "fast"),
        (["force-z", "--player", "japan=random", "--player", "japan=doctrine"], "japan=doctrine"),
        (["force-z", "--out", "all.txt"], "all.txt"),
        (["force-z", "--out", "nowhere/all.csv"], "nowhere/all.csv"),
        (["game.jsonl"], "game.jsonl"),
        (["force-z", "--option", "luck=true"], "luck"),
        (["force-z", "--option", "hit_faces=7"], "7"),
        (["force-z", "--option", "hit_faces"], "hit_faces"),
    ],
)
def test_bad_input_is_quoted(run: Run, tmp_path: Path, arguments: list[str], quoted: str) -> None:
    ran = run("simulate", *arguments)
    assert ran.code == 2
    assert f"“{quoted}”" in ran.err
    assert ran.out == ""
    assert list(tmp_path.iterdir()) == []


def test_workers_that_always_die_are_no_answer(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "can_be_copied", lambda: False)
    monkeypatch.setattr("sys.executable", "/bin/false")
    ran = run(*SOME, "--jobs", "2")
    assert ran.code == 1
    assert "Fewer than 30 battles: 7 worker processes died one after the other. This is the answer so far." in ran.out


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_program_of_a_player_that_fails_is_told_in_a_sentence(run: Run, jobs: str) -> None:
    ran = run(*SOME, "--jobs", jobs, "--player", "japan=exec:true")
    assert ran.code == 2
    assert re.fullmatch("flagplot: the program ended (before it was asked|instead of answering): “true”\n", ran.err)
    assert ran.out == ""


# --- a terminal, and Ctrl-C -------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_has_a_bar_with_the_time_left(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    assert run(*SOME, "--jobs", "1").code == 0
    assert "left:" in screen.getvalue()
    assert "30/30" in screen.getvalue()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_gives_the_answer_so_far(jobs: str, tmp_path: Path) -> None:
    lines = tmp_path / "all.jsonl"
    command = [sys.executable, "-m", "flagplot", "simulate", "force-z", "--battles", "1000000", "--seed", "4"]
    command += ["--jobs", jobs, "--out", str(lines), "--json"]
    paths = os.pathsep.join([str(ROOT), *sys.path])
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
        preexec_fn=heed_interrupts,
    ) as process:
        try:
            wait_for(lambda: lines.exists() and lines.stat().st_size > 0)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert err == ""
    found = json.loads(out)
    assert not found["complete"]
    assert found["stopped"] == "stopped before the end"
    assert 0 < found["battles"] < found["wanted"] == 1_000_000
    assert found["battles"] == len(lines.read_text(encoding="utf8").splitlines())


def wait_for(ready: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.02)
