"""The program at a real terminal: started, typed at and read like a person would do it."""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from flagplot.cli.screen import CLEAR_ALL
from tests.cli.interrupts import heed_interrupts
from tests.forking import TERMINAL, Forked, forker

PROJECT = Path(__file__).resolve().parents[2]
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]")
PROMPTS = ("> ", "press Enter ")


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
