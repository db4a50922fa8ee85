"""Playing at a real terminal: two people at one keyboard, undo, saving, stopping, going on."""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from flagplot.cli.screen import CLEAR_ALL
from tests.cli.interrupts import heed_interrupts
from tests.forking import TERMINAL, Forked, forker

PROJECT = Path(__file__).resolve().parents[3]
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]")
PROMPTS = ("> ", "press Enter ")
HIDDEN_AT_RABAUL = "6 Japanese elite naval air squadrons"
HIDDEN_AT_TRUK = "◌ 2 Japanese naval air squadrons"


class Terminal:
    """A program at a pseudo-terminal, forked unless it is to start by itself."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        rows: int = 40,
        columns: int = 120,
        by_itself: bool = False,
        **settings: str,
    ) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        (folder / "inputrc").write_text("set enable-bracketed-paste off\n", encoding="utf8")
        kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
        fixed = {"TERM": "xterm-256color", "INPUTRC": str(folder / "inputrc"), "PYTHONPATH": str(PROJECT)}
        environment = {**kept, **fixed, **settings}
        self.process: subprocess.Popen[bytes] | Forked
        if by_itself:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "flagplot", *arguments],
                stdin=slave, stdout=slave, stderr=slave, cwd=folder, env=environment, preexec_fn=heed_interrupts,
            )  # fmt: skip
        else:
            self.process = forker(TERMINAL).start(arguments, [slave] * 3, folder, environment)
        os.close(slave)
        self.decoder = codecs.getincrementaldecoder("utf8")()  # a character may come in two pieces
        self.written = ""
        self.mark = 0

    def read_on(self) -> bool:
        """Wait for more output; False at its end."""
        assert select.select([self.master], [], [], 60)[0], f"nothing came after: {self.written[-2000:]}"
        try:
            piece = os.read(self.master, 65536)
        except OSError:  # how Linux says that the other end is closed
            piece = b""
        self.written += self.decoder.decode(piece)
        return bool(piece)

    def step(self, text: str) -> bool:
        """Type a line and wait for the next prompt; False if there is none."""
        self.mark = len(self.written)
        os.write(self.master, f"{text}\n".encode())
        return self.asked()

    def answer(self, text: str) -> str:
        """Type a line and wait for the next prompt; what came in between."""
        assert self.step(text), f"it ended: {self.written[-2000:]}"
        return self.fresh

    def prompt(self) -> str:
        """Wait until something is asked."""
        assert self.asked(), f"it ended: {self.written[-2000:]}"
        return self.fresh

    def asked(self) -> bool:
        """Wait until something is asked (False if the program ends before), not counting the line just typed."""
        while not self.fresh.endswith(PROMPTS) or self.fresh.count("\n") < (self.mark > 0):
            if not self.read_on():
                return False
        return True

    def last(self, text: str) -> str:
        """Type a line after which the program ends."""
        assert not self.step(text), f"it asks on: {self.written[-2000:]}"
        return self.end()

    def end(self) -> str:
        while self.read_on():
            pass
        self.process.wait(10)
        return self.fresh

    @property
    def fresh(self) -> str:
        return plain(self.written[self.mark :])

    @property
    def screen(self) -> str:
        """All that can be read: on the screen and by scrolling back."""
        return plain(self.written.rpartition(CLEAR_ALL)[2])

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait(10)
        os.close(self.master)


def plain(text: str) -> str:
    return CODES.sub("", text).replace("\r", "")


Start = Callable[..., Terminal]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    started: list[Terminal] = []

    def start(*arguments: str, **settings: object) -> Terminal:
        started.append(Terminal(tmp_path, *arguments, **settings))  # type: ignore[arg-type]
        return started[-1]

    yield start
    for terminal in started:
        terminal.close()


def any_answer(screen: str) -> str:
    """Something that may be answered to the question that stands on a screen."""
    if screen.endswith("press Enter "):
        return ""
    question = screen.rpartition(" › ")[2]
    if question.startswith("Choose a base to attack"):
        return "counterair:none"
    found = re.search(r"^ +([0-9]+) ", question, re.MULTILINE)
    assert found, question
    return found[1]


def test_two_people_play_a_whole_game(start: Start, tmp_path: Path) -> None:
    table = start("play", "rabaul", "--level", "step", "--seed", "3")
    table.prompt()
    assert table.screen == "Hand over to The Allies; press Enter "
    allies = table.answer("")
    assert "Choose a base to attack" in allies
    assert "TF marker TF 5" in table.screen
    assert HIDDEN_AT_RABAUL not in table.screen
    assert "◌" not in table.screen.replace("◌ hidden from the enemy", "")

    for typed in ("counterair:rabaul", "with:carriers", "5"):
        table.answer(typed)
    assert "Taken back." in table.answer("undo")
    assert "18.521  " in table.answer("?")
    assert "Rabaul (18.521)" in table.answer("log")
    assert "Saved in mine.jsonl" in table.answer("save mine.jsonl")
    assert HIDDEN_AT_RABAUL not in table.written
    table.answer("5")
    shown = table.answer("8")
    assert f"TF 5 in Rabaul: {HIDDEN_AT_RABAUL} aboard (18.521C)" in shown
    assert HIDDEN_AT_TRUK not in table.written

    assert table.answer("inverted:leave").strip().endswith("Hand over to Japan; press Enter")
    assert table.screen == "Hand over to Japan; press Enter "
    japan = table.answer("")
    assert HIDDEN_AT_TRUK in japan
    assert "⚀" in japan or ": air combat over" in japan
    assert "Too late to take back" in table.answer("undo")
    table.answer("quit now")
    farewell = table.last("quit")
    assert "flagplot resume mine.jsonl" in farewell
    assert table.process.returncode == 0

    again = start("resume", "mine.jsonl", "--level", "step", "--player", "allies=human", "--player", "japan=human")
    again.prompt()
    seen = {"allies": "", "japan": ""}
    sitting = ""
    while True:
        if again.screen.endswith("press Enter "):
            sitting = "japan" if again.screen == "Hand over to Japan; press Enter " else "allies"
        else:
            seen[sitting] += again.screen
        if not again.step(any_answer(again.screen)):
            break
    again.end()
    assert again.process.returncode == 0
    assert "flagplot verify mine.jsonl" in again.fresh
    assert HIDDEN_AT_TRUK in seen["japan"]
    assert HIDDEN_AT_TRUK not in seen["allies"]
    verdict = subprocess.run(
        [sys.executable, "-m", "flagplot", "verify", str(tmp_path / "mine.jsonl")],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(PROJECT)},
    )  # fmt: skip
    assert verdict.returncode == 0, verdict.stdout


def test_an_answer_is_taken_back_before_the_other_sits_down(start: Start) -> None:
    table = start("play", "midway", "--level", "step", "--seed", "1")
    table.prompt()
    for typed in ("", "1", "3", "1"):
        table.answer(typed)
    assert "Hand over to United States" in table.answer("4")
    for typed in ("", "1"):
        table.answer(typed)
    assert "Hand over to Japan" in table.answer("2")
    for typed in ("", "2"):
        table.answer(typed)
    assert "Hand over to United States" in table.answer("1")
    back = table.answer("undo")
    assert "› CAP over the Midway Invasion Force: how many of 2 Japanese naval air squadrons?" in back
    table.answer("0")
    table.answer("")
    assert "Japan: assigning combat air patrol" in table.answer("log")
    assert "Invasion Force" not in table.screen
    assert "on combat air patrol" not in table.screen


def test_one_human_hands_nothing_over(start: Start) -> None:
    table = start("play", "malta", "--level", "step", "--seed", "1", "--player", "allies=random")
    assert "Choose a base to attack" in table.prompt()
    assert CLEAR_ALL not in table.written


def test_ctrl_c_saves_and_says_how_to_go_on(start: Start, tmp_path: Path) -> None:
    players = ("--player", "allies=random")
    table = start("play", "malta", "--level", "step", *players, columns=70, by_itself=True)
    table.prompt()
    table.answer("1")
    table.mark = len(table.written)
    time.sleep(0.05)
    table.process.send_signal(signal.SIGINT)
    farewell = table.end()
    assert table.process.returncode == 130
    [save] = tmp_path.glob("flagplot-malta-*.jsonl")
    assert f"Game saved in {save.name}" in " ".join(farewell.split())
    assert f"flagplot resume {save.name}" in farewell


def test_the_menu(start: Start) -> None:
    table = start("play")
    menu = table.prompt()
    assert "What do you want to play?" in menu
    assert "Air phases" in menu
    assert "“99” is not in the list. Type 1 to 6, a name, or quit." in table.answer("99")
    assert "Malta, spring 1942" in table.answer("5")
    assert "Who plays The Axis?" in table.answer("malta")
    assert "Who plays The Allies?" in table.answer("1")
    assert "Choose a base to attack" in table.answer("random")
    assert "Nothing to save" in table.last("quit")
    assert table.process.returncode == 0


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_the_position_fits_the_screen(start: Start, columns: int) -> None:
    table = start("play", "rabaul", "--level", "step", "--seed", "3", "--player", "japan=random", columns=columns)
    lines = table.prompt().splitlines()
    assert max(map(len, lines)) <= columns
    beside = [line for line in lines if "The Allies" in line and "Japan" in line]
    assert bool(beside) == (columns >= 78)


def test_without_colour_the_signs_remain(start: Start) -> None:
    table = start("play", "rabaul", "--level", "step", "--player", "japan=random", NO_COLOR="1")
    table.prompt()
    assert not re.search(r"\x1b\[[0-9;]*(3[0-8]|4[0-8])[;m]", table.written)
    assert "○ 1 Japanese army air factor, inverted" in table.fresh
    coloured = start("play", "rabaul", "--level", "step", "--player", "japan=random")
    coloured.prompt()
    assert "\x1b[1;38;" in coloured.written
