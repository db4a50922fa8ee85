"""A player that is another program, in any language: a line of JSON for each question, a line of JSON back.

`docs/bots.md` describes the lines. The program is started for one game, is given its own side's view and log and
nothing else, and is stopped when the game is over, when it is silent for too long, or when it answers nonsense.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections import deque
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any
from weakref import finalize

from flagplot.kernel.errors import BadValue, FlagplotError
from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.views import View, options_of
from flagplot.kernel.words import sentence

PROTOCOL = 1
LIMIT = 10.0
"""Seconds that a program may think about one answer, unless it is given another limit."""
FAREWELL = 2.0
"""Seconds that it is given to end by itself."""
LONGEST = 1_000_000
"""Characters that a line of the program may have."""


class ProgramFault(FlagplotError, code="program-fault"):
    """The other program did not start, did not answer in time, or answered with something that was not offered."""


class ProgramPlayer:
    """Asks another program. The command may begin with a limit: ``limit=2.5 ./bot.py --fast``."""

    def __init__(self, command: str, seed: int) -> None:
        self.limit, self.words = read_command(command)
        self.seed = seed
        self._asked = 0
        self._told = 0
        self._lines: Queue[str] = Queue()
        self._process: subprocess.Popen[str] | None = None
        self._said: deque[str] = deque(maxlen=1)

    def choose(self, view: View, request: Choose[Any]) -> Option[Any]:
        if self._process is None:
            self._start(view)
        self._asked += 1
        log = view.log
        self._told = min(self._told, len(log))  # answers may have been taken back
        self._send(
            {
                "ask": self._asked,
                "question": sentence(request.question),
                "rules": list(request.rules),
                "options": options_of(request),
                "position": view.data,
                "log_from": self._told,
                "log": [entry.as_dict() for entry in log[self._told :]],
            }
        )
        self._told = len(log)
        return self._option(request, self._answer())

    def _start(self, view: View) -> None:
        try:
            process = subprocess.Popen(
                self.words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf8",
                errors="replace",
            )
        except OSError as fault:
            raise ProgramFault(f"this program cannot be started ({fault.strerror})", given=self.words[0]) from None
        self._process = process
        finalize(self, _stop, process)
        Thread(target=_read, args=(process.stdout, self._lines), daemon=True).start()
        self._listener = Thread(target=_listen, args=(process.stderr, self._said), daemon=True)
        self._listener.start()
        self._send({"flagplot": PROTOCOL, "game": view.game, "side": view.side, "seed": self.seed})
        if self._answer().get("flagplot") != PROTOCOL:
            raise self._fault(f'should have said {{"flagplot": {PROTOCOL}}}')

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message, ensure_ascii=False) + "\n")
            self._process.stdin.flush()
        except OSError:
            raise self._fault("ended before it was asked") from None

    def _answer(self) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=self.limit)
        except Empty:
            raise self._fault(f"did not answer within {self.limit:g} second{'s' * (self.limit != 1)}") from None
        if not line:
            raise self._fault("ended instead of answering")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise self._fault(f"answered with something that is not JSON: {line[:80].strip()}") from None
        if not isinstance(answer, dict):
            raise self._fault(f"answered with something that is not a JSON object: {line[:80].strip()}")
        return answer

    def _option(self, request: Choose[Any], answer: dict[str, Any]) -> Option[Any]:
        chosen = answer.get("choose")
        if answer.get("ask") != self._asked:
            raise self._fault(f"was asked question {self._asked} and answered question {answer.get('ask')}")
        if isinstance(chosen, int) and not isinstance(chosen, bool) and 0 <= chosen < len(request.options):
            return request.options[chosen]
        found = request.find(chosen) if isinstance(chosen, str) else None
        if found is None:
            raise self._fault(f"chose {json.dumps(chosen)[:80]}, which was not offered")
        return found

    def _fault(self, words: str) -> ProgramFault:
        """What went wrong, with the last thing that the program wrote to its standard error. It is stopped."""
        assert self._process is not None
        _stop(self._process, patience=0)
        self._listener.join(FAREWELL)
        last = f" (it wrote: {self._said[-1]})" if self._said else ""
        return ProgramFault(f"the program {words}{last}", given=shlex.join(self.words))


def read_command(command: str) -> tuple[float, list[str]]:
    """The limit in seconds and the words of a command."""
    try:
        words = shlex.split(command)
    except ValueError as fault:
        raise BadValue(f"this command cannot be read ({fault})", given=command) from None
    limit = LIMIT
    if words and words[0].startswith("limit="):
        given = words.pop(0).removeprefix("limit=")
        if not re.fullmatch(r"\d{1,5}(\.\d{1,3})?", given) or float(given) == 0:
            raise BadValue("the limit of a program should be seconds", given=given, allowed=["limit=2.5 ./bot.py"])
        limit = float(given)
    if not words:
        raise BadValue("exec needs a program", given=f"exec:{command}", allowed=["exec:./bot.py", "exec:node bot.js"])
    return limit, words


def _read(stream: IO[str], lines: Queue[str]) -> None:
    """Pass each line on; an empty one means the end."""
    with suppress(OSError), stream:
        while line := stream.readline(LONGEST):
            lines.put(line)
    lines.put("")


def _listen(stream: IO[str], said: deque[str]) -> None:
    """Keep the last thing that was written to the standard error."""
    with suppress(OSError), stream:
        said.extend(line.strip()[:200] for line in stream if line.strip())


def _stop(process: subprocess.Popen[str], patience: float = FAREWELL) -> None:
    """End of input tells a program to end; one that does not is killed."""
    with suppress(OSError):
        if process.stdin is not None:
            process.stdin.close()
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
