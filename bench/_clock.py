"""Servers with a clock that can be set from outside, and that start at once: each is forked from a process that has
imported everything, so an ordeal need not wait two seconds of processor time after each kill.

The clock of a server is a file with one number, the seconds by which `time.time` is off. It is read at each call, so
whoever changes the file makes the clock of a running server jump. The monotonic clock goes on as ever, as it does on a
real machine.
"""

from __future__ import annotations

import mmap
import multiprocessing
import os
import signal
import struct
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import IO

from bench._serving import QUIET, Server

OFFSET = struct.Struct("d")
_clock: mmap.mmap | None = None
_true, _true_ns = time.time, time.time_ns


def set_clock(path: Path, seconds: float) -> None:
    """Set a clock wrong by this number of seconds."""
    with open(path, "r+b" if path.exists() else "wb") as file:
        file.write(OFFSET.pack(seconds))


def _offset() -> float:
    return float(OFFSET.unpack_from(_clock)[0]) if _clock is not None else 0.0


PASSING = (0.1, 1.5)
"""Seconds between which orders ahead are given, and moments pass: players of an ordeal cannot wait for twenty."""


def shift() -> None:
    """Let this process read the time from a clock that may be wrong; before Flagplot is imported, which keeps the
    function here and there."""
    time.time = lambda: _true() + _offset()
    time.time_ns = lambda: _true_ns() + int(_offset() * 1e9)


def _serve(clock: Path, log: Path, said: Connection, arguments: list[str]) -> None:
    """What a server does once it is forked."""
    global _clock
    with open(clock, "rb") as file:
        _clock = mmap.mmap(file.fileno(), OFFSET.size, access=mmap.ACCESS_READ)
    with open(log, "ab") as errors:
        os.dup2(errors.fileno(), 2)
    os.dup2(said.fileno(), 1)
    sys.argv = ["flagplot", *arguments]
    from bench import _shared_workers
    from flagplot.cli import main
    from flagplot.table.playing import staff

    _shared_workers.adopt()
    staff.SOONEST, staff.LATEST = PASSING
    sys.exit(main())


class _Process:
    """A forked server as if `subprocess` had started it."""

    def __init__(self, process: ForkServerProcess, stdout: IO[bytes]) -> None:
        self._process, self.stdout, self.pid = process, stdout, process.pid or 0

    def poll(self) -> int | None:
        return self._process.exitcode

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self._process.exitcode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> None:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("flagplot serve", timeout or 0)


class QuickServer(Server):
    """`flagplot serve`, forked, with a clock of its own."""

    def __init__(self, *arguments: str, clock: Path, log: Path, port: int = 0) -> None:
        self._clock, self._log = clock, log
        super().__init__(*arguments, port=port)

    def _begin(self, arguments: list[str]) -> _Process:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["bench._preload"])
        os.environ.update(QUIET | {"FLAGPLOT_ODDS_WORKERS": "1"})  # the process that forks has them from here
        heard, said = context.Pipe(duplex=False)
        with heard, said:
            process = context.Process(target=_serve, args=(self._clock, self._log, said, arguments))
            process.start()
            return _Process(process, os.fdopen(os.dup(heard.fileno()), "rb"))
