"""The trees that `same` and `against` compare: the files of a commit, and processes that work with their package."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from bench._same_games import Match

ROOT = Path(__file__).resolve().parents[1]
GAMES = ROOT / "bench" / "_same_games.py"


class BadInput(Exception):
    """Something that was asked for cannot be done; the message says why."""


class Digests(NamedTuple):
    """What is kept of a game: the number of its requests and a digest of each part; or the fault that ended it."""

    requests: int
    parts: dict[str, str]
    fault: str = ""

    @classmethod
    def of(cls, data: dict[str, Any]) -> Digests:
        return cls(data.get("requests", 0), data.get("parts", {}), data.get("fault", ""))


class Workers:
    """Processes that run a program, by default one that plays games, with the package of one tree."""

    def __init__(self, tree: Path, number: int, program: Path = GAMES) -> None:
        self.tree, self._program = tree, program
        self._number = number
        self._all: list[subprocess.Popen[str]] = []
        self._idle: queue.SimpleQueue[subprocess.Popen[str]] = queue.SimpleQueue()
        self._closed = False
        self._folder = tempfile.TemporaryDirectory(prefix="flagplot-same-")
        self.scenarios: list[str] = []
        self.kinds: list[str] = []

    def __enter__(self) -> Workers:
        try:
            self._start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self) -> None:
        environment = os.environ | {
            "PYTHONPATH": str(self.tree),
            "PYTHONHASHSEED": str(
                secrets.randbelow(2**32)
            ),  # sets have another order in each tree: no play may follow it
            "TMPDIR": self._folder.name,
        }
        for _ in range(self._number):
            command = [sys.executable, "-P", str(self._program)]
            worker = subprocess.Popen(
                command, cwd=self.tree, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            self._all.append(worker)
            self._idle.put(worker)
        for worker in self._all:
            told = self._read(worker)
            if not Path(told["package"]).is_relative_to(self.tree):
                raise BadInput(f"{self.tree} is not played, but {told['package']}")
            self.scenarios, self.kinds = told["scenarios"], told.get("kinds", [])

    def _read(self, worker: subprocess.Popen[str]) -> Any:
        assert worker.stdout is not None
        line = worker.stdout.readline()
        if not line:
            raise BadInput(f"{self._program.name} has ended in {self.tree}")
        return json.loads(line)

    def ask(self, match: Match, every: int, want: str | int) -> Any:
        """What an idle process has to say of a game."""
        return self.tell({"match": match, "every": every, "want": want})

    def tell(self, task: Mapping[str, Any]) -> Any:
        """What an idle process answers to a task."""
        worker = self._idle.get()
        try:
            if self._closed:
                raise BadInput("stopped")
            assert worker.stdin is not None
            with contextlib.suppress(BrokenPipeError):  # then there is nothing to read either
                worker.stdin.write(json.dumps(task) + "\n")
                worker.stdin.flush()
            return self._read(worker)
        finally:
            self._idle.put(worker)

    def play(self, matches: Iterable[Match], every: int) -> Iterator[Digests]:
        """The digests of games, in their order."""
        pool = ThreadPoolExecutor(self._number)
        try:
            for data in pool.map(lambda match: self.ask(match, every, "digests"), matches):
                yield Digests.of(data)
        except BaseException:
            self.close()  # or the pool would wait for its games
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def close(self) -> None:
        self._closed = True
        for worker in self._all:
            worker.kill()
        for worker in self._all:
            worker.wait()
            for pipe in (worker.stdin, worker.stdout):
                with contextlib.suppress(OSError):
                    pipe.close()  # type: ignore[union-attr]
        self._folder.cleanup()


@contextlib.contextmanager
def worktree(commit: str) -> Iterator[Path]:
    """The files of a commit in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="flagplot-same-") as folder:
        tree = Path(folder).resolve() / "tree"
        try:
            git("worktree", "add", "--quiet", "--detach", str(tree), commit)
            yield tree
        finally:
            subprocess.run(["git", "-C", ROOT, "worktree", "remove", "--force", tree], capture_output=True, check=False)


def commit_of(name: str, otherwise: str = "no commit") -> str:
    """The commit that a name stands for, or a refusal that says what it is otherwise."""
    try:
        return git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    except BadInput:
        raise BadInput(f"“{name}” is {otherwise}") from None


def git(*words: str) -> str:
    done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise BadInput(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.strip()


def finished(run: Callable[[contextlib.ExitStack], int]) -> int:
    """The exit code of a comparison. However it ends, the trees that it built are removed."""
    try:
        with contextlib.ExitStack() as closing:
            return run(closing)
    except BadInput as fault:
        print(fault, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
