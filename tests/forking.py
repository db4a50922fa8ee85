"""Programs that start at once: each is forked from a process that has imported everything already.

`python -m flagplot` takes a second of processor time until it asks its first question, and a server takes three. Tests
of what a program says and does have it forked instead; how it starts by itself is the matter of a few tests of their
own. A forked program is a process like any other: it can be killed, and has its own folder, environment and terminal.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import io
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TERMINAL = (
    "flagplot.cli.keyboard.play",
    "flagplot.cli.keyboard.session",
    "flagplot.cli.saves.hint",
    "flagplot.cli.simulation.simulate",
)
SERVER = (
    "flagplot.cli.serve",
    *(f"flagplot.table.{name}" for name in ("api.routes", "battle.page", "server.app", "server.serving", "tables")),
)
CLUSTER = ("distributed",)
RUN = "import runpy; runpy.run_module('flagplot', run_name='__main__', alter_sys=True)"
MESSAGE = 1 << 20
NO_CODE = 1000
"""Signals are told as negative codes, as `subprocess` does; this is none of either."""


class Forked:
    """A program that was forked, with the part of `subprocess.Popen` that tests need."""

    def __init__(self, pid: int, ended: int) -> None:
        self.pid, self._ended = pid, ended
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._look(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("flagplot", timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _look(self, seconds: float | None) -> int | None:
        if self.returncode is None and select.select([self._ended], [], [], seconds)[0]:
            self.returncode = int(os.read(self._ended, 100) or NO_CODE)
            os.close(self._ended)
        return self.returncode


class Forker:
    """The process that forks. It ends with the one that started it."""

    def __init__(self, modules: Sequence[str]) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        code = f"from tests.forking import fork_on_demand; fork_on_demand({theirs.fileno()}, {modules!r})"
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", code],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )
        atexit.register(self.end)

    def start(
        self,
        arguments: Sequence[str],
        files: Sequence[int],
        folder: Path,
        environment: Mapping[str, str],
        code: str = RUN,
    ) -> Forked:
        """`python -m flagplot` with these arguments, or other code. `files` are its input, output and errors."""
        ended, told = os.pipe()
        order = {"arguments": arguments, "folder": str(folder), "environment": dict(environment), "code": code}
        socket.send_fds(self._line, [json.dumps(order).encode()], [*files, told])
        os.close(told)
        return Forked(int(self._line.recv(100)), ended)

    def end(self) -> None:
        self._line.close()
        self._process.wait(60)


@cache
def forker(modules: tuple[str, ...]) -> Forker:
    """One for all programs that need these modules, made when it is first wanted."""
    return Forker(modules)


def fork_on_demand(place: int, modules: Sequence[str]) -> None:
    """What the process does that forks: here it returns in each program that was forked, after it has run."""
    warm_up(modules)
    shared = importlib.import_module("bench._shared_workers") if set(SERVER) <= set(modules) else None
    if shared:
        shared.begin()
    line = socket.socket(fileno=place)
    heard, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever runs the tests
    running: dict[int, int] = {}
    while True:
        ready = select.select([place, heard], [], [])[0]
        if heard in ready:
            os.read(heard, 1000)
            bury(running)
        if place in ready:
            order, files, _, _ = socket.recv_fds(line, MESSAGE, 4)
            if not order:
                leave(0)
            if not (pid := os.fork()):
                line.detach()
                wanted = json.loads(order)
                become(files[:3], wanted["arguments"], wanted["folder"], wanted["environment"])
                if shared:
                    shared.adopt()
                run(wanted["code"])
                return
            running[pid] = files.pop()
            for each in files:
                os.close(each)
            line.send(b"%d" % pid)


def warm_up(modules: Sequence[str]) -> None:
    """Import modules; if they are ours, also what a command needs that reads all scenarios: games, options, tables."""
    for name in modules:
        importlib.import_module(name)
    if "flagplot.cli" in sys.modules:
        with contextlib.redirect_stdout(io.StringIO()):
            assert sys.modules["flagplot.cli"].main(["scenarios"]) == 0
    gc.collect()
    gc.freeze()


def run(code: str) -> None:
    """Let a program run, and end as it wants to."""
    try:
        exec(code, {"__name__": "__main__"})
    except SystemExit as end:
        if not isinstance(end.code, int | None):
            raise
        leave(end.code or 0)
    leave(0)


def leave(status: int) -> None:
    """End as any program does: threads first, then what is to be done at the end. But modules are not taken down one by
    one, since they are shared with other processes and all of them would be copied first."""
    shutdown: Any = threading._shutdown  # type: ignore[attr-defined]
    shutdown()
    at_exit: Any = atexit._run_exitfuncs
    at_exit()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:  # nobody reads any more, and Python has a way of its own to end then
        sys.exit(status)
    os._exit(status & 255)


def bury(running: dict[int, int]) -> None:
    """Tell how those ended that did."""
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        told = running.pop(pid)
        os.write(told, b"%d" % os.waitstatus_to_exitcode(status))
        os.close(told)


def become(files: Sequence[int], arguments: Sequence[str], folder: str, environment: Mapping[str, str]) -> None:
    """Turn this process, which was just forked, into a program that knows nothing of tests."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, file in enumerate(files):
        os.dup2(file, number)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.stdin = os.fdopen(0, encoding="utf8")
    sys.stdout = os.fdopen(1, "w", encoding="utf8")
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf8", errors="backslashreplace")
    sys.argv = ["flagplot", *arguments]
