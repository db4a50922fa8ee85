"""How the process of a worker is started: as a copy of this one, or as a fresh interpreter.

A copy has everything imported and remembered that this process has, so it plays its first battle at once; a fresh
interpreter takes a second or more for that. But a copy has one thread only: what the others were doing, and the locks
that they held, stay as they were for ever. So a process is copied only if it has no other thread, and only on Linux,
since the libraries of macOS use threads of their own.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection
from subprocess import DEVNULL, Popen
from typing import Protocol


class Process(Protocol):
    """As much of a `Popen` as is needed here."""

    pid: int
    returncode: int | None

    def kill(self) -> None: ...
    def wait(self) -> int: ...


class Copied:
    """A copy of this process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def kill(self) -> None:
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        if self.returncode is None:
            self.returncode = 0
            with suppress(ChildProcessError):  # somebody else has waited for it, as for any process of ours
                self.returncode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.returncode


def can_be_copied() -> bool:
    """Whether this process may be copied. Threads of the system count too, not only those that Python knows of."""
    with suppress(OSError):
        return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1
    return False


def copied(work: Callable[[], None], not_ours: Iterable[Connection]) -> Copied:
    """A copy of this process that does some work and nothing else. It closes its ends of pipes that are `not_ours`: as
    long as it held one of them, nobody else could see that this process has ended."""
    if pid := os.fork():
        return Copied(pid)
    ended = 1
    try:
        os.setsid()
        for pipe in not_ours:
            pipe.close()
        with open(os.devnull, "r+b") as nothing:
            os.dup2(nothing.fileno(), 0)
            os.dup2(nothing.fileno(), 1)
        work()
        ended = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(ended)  # nothing is flushed or cleared away that belongs to the other process


def fresh(code: str, keeps: int) -> Popen[bytes]:
    """A fresh interpreter that runs some code and keeps one open file."""
    begin = f"import sys; sys.path[:] = {sys.path!r}; {code}"
    return Popen([sys.executable, "-c", begin], stdin=DEVNULL, stdout=DEVNULL, pass_fds=[keeps], start_new_session=True)
