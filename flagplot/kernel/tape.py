"""The tape is the truth: scenario, options and answers, one JSON line each, chained by hash.

A save is a header and then one line an answer. Each line carries the hash of the line before (`prev`) and its own
(`hash`, over everything else in it), so that a changed, dropped, swapped or invented line shows. Appending is
durable: the line is written and flushed to the disk before the answer counts.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import weakref
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from flagplot.kernel.errors import SaveError
from flagplot.kernel.save_lines import format_fault, header_fault, line_fault

try:
    import fcntl
except ImportError:  # pragma: no cover - only where there is no such lock
    fcntl = None  # type: ignore[assignment]


_canonical = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


def seal(body: Mapping[str, Any]) -> tuple[str, str]:
    """A line's text and its hash, which stands last in it."""
    text = _canonical(body)
    mark = hashlib.sha256(text.encode()).hexdigest()
    return f'{text[:-1]}{"," * bool(body)}"hash":"{mark}"}}', mark


class Tape:
    """A header and the answers, in memory, with the hash of the last line."""

    def __init__(self, header: Mapping[str, Any]) -> None:
        text, self.head = seal(header)
        self.header = dict(header)
        self.texts = [text]

    def line(self, body: Mapping[str, Any]) -> tuple[str, str]:
        """The text and hash of the line that would follow with this body. Changes nothing."""
        return seal({"n": len(self.texts), **body, "prev": self.head})

    def add(self, text: str, mark: str) -> None:
        self.texts.append(text)
        self.head = mark

    def copy(self) -> Tape:
        twin = Tape.__new__(Tape)
        twin.header, twin.head, twin.texts = self.header, self.head, self.texts[:]
        return twin


class Follower(Protocol):
    """Where the lines of a game go as it is played: a file, or the rows of a store."""

    def append(self, *texts: str) -> None:
        """Keep some lines, all or none; they count when this returns. Raises SaveError if they cannot be kept."""
        ...

    def end(self) -> None:
        """The closing line is kept: the secret of the dice, if it was kept apart, is not needed any more."""
        ...

    def close(self) -> None: ...


class SaveFile:
    """A save on disk that follows a game. Only one program may follow a file at a time, and in it only one game."""

    def __init__(self, path: Path, handle: int) -> None:
        self.path = path
        self._handle = handle
        self._size = os.fstat(handle).st_size
        self._release = weakref.finalize(self, os.close, handle)

    @classmethod
    def create(cls, path: Path, texts: list[str], *, secret: str | None = None, overwrite: bool = False) -> SaveFile:
        """Write a whole save at once, its secret before it: either all of it is there afterwards or nothing."""
        earlier = None
        with _readable_faults(path):
            there = path.exists()
        if there:
            if not overwrite:
                raise SaveError("a file of this name exists already", given=path)
            earlier = cls.follow(path)  # refused while another program plays from it
        with _readable_faults(path), _draft(path, "".join(f"{text}\n" for text in texts), 0o644) as draft:
            if secret is not None:
                with _draft(secret_path(path), secret, 0o600) as hidden:
                    os.replace(hidden, secret_path(path))
                _flush_directory(path)
            os.replace(draft, path)
            _flush_directory(path)
        if earlier is not None:
            earlier.close()
        return cls.follow(path)

    @classmethod
    def follow(cls, path: Path) -> SaveFile:
        """Open an existing save for appending. A game of this program that followed it is cut off from it."""
        with _readable_faults(path):
            handle = os.open(path, os.O_WRONLY | os.O_APPEND)
        status = os.fstat(handle)
        earlier = _followed.get((status.st_dev, status.st_ino))
        if earlier is not None:
            earlier.close()
        if fcntl is not None:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(handle)
                raise SaveError("another program is playing this game from the same file", given=path) from None
        file = _followed[status.st_dev, status.st_ino] = cls(path, handle)
        return file

    def append(self, *texts: str) -> None:
        """Add some lines and wait until they are on the disk. If that fails the file is as it was."""
        if not self._release.alive:
            raise SaveError("another game of this program has this save open", given=self.path)
        data = "".join([f"{text}\n" for text in texts]).encode()
        with _readable_faults(self.path):
            if os.fstat(self._handle).st_size != self._size:  # a failed line that could not be cut off then
                os.ftruncate(self._handle, self._size)
            try:
                _write(self._handle, data)
            except BaseException:
                os.ftruncate(self._handle, self._size)
                raise
        self._size += len(data)

    def cut(self, size: int) -> None:
        """Cut off what stands after the first `size` bytes."""
        with _readable_faults(self.path):
            os.ftruncate(self._handle, size)
            os.fsync(self._handle)
        self._size = size

    def end(self) -> None:
        """The closing line has opened the secret, so the copy beside the save is no longer needed."""
        forget_secret(self.path)

    def close(self) -> None:
        """Let go of the file."""
        self._release()


_followed: weakref.WeakValueDictionary[tuple[int, int], SaveFile] = weakref.WeakValueDictionary()
"""The saves that games of this program follow, by device and file number."""


def _write(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]
    os.fsync(handle)


@contextlib.contextmanager
def _draft(path: Path, text: str, mode: int) -> Iterator[Path]:
    """A file beside `path` that is on the disk and can be moved to its place; if it is not moved it is removed."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    draft.unlink(missing_ok=True)
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            _write(handle, text.encode())
        finally:
            os.close(handle)
        yield draft
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def _flush_directory(path: Path) -> None:
    with contextlib.suppress(OSError):  # not every file system lets a directory be flushed
        handle = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def _readable_faults(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        raise SaveError(f"the save cannot be written or read ({fault.strerror})", given=path) from fault


# --- the secret of committed dice lies beside the save until the end --------------------------------------------


def secret_path(path: Path) -> Path:
    """Where the secret is kept: only its owner can read it, and it is on the disk before the save."""
    return path.with_name(path.name + ".secret")


def read_secret(path: Path) -> str | None:
    """The secret, if it is there and ours to read."""
    try:
        return secret_path(path).read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return None


def forget_secret(path: Path) -> None:
    """Remove the secret, once the closing line of the save has opened it."""
    with contextlib.suppress(OSError):
        secret_path(path).unlink()


# --- reading ----------------------------------------------------------------------------------------------------


class Saved(NamedTuple):
    """A save as it was read: the tape, the bodies of its lines, notices for people, the size of its whole lines."""

    tape: Tape
    bodies: list[dict[str, Any]]
    notices: list[str]
    size: int

    @property
    def closed(self) -> bool:
        """Whether the closing line is there."""
        return bool(self.bodies) and "end" in self.bodies[-1]


def read_save(path: Path) -> Saved:
    """Read a save whose chain must hold. A half-written last line is left out."""
    whole, torn = split_lines(path)
    notices = [f"the last line of {path.name} was only half written and has been left out"] if torn else []
    return read_lines(whole, path, notices)


def read_lines(whole: list[bytes], name: object, notices: list[str] | None = None) -> Saved:
    """A save from its whole lines, whose chain must hold."""
    if not whole:
        raise SaveError("this is not a save: it has no header", given=name)
    bodies, problems = check_chain(whole)
    header = bodies[0]
    if fault := "" if problems else format_fault(header):
        raise SaveError(fault, given=name)
    problems += [f"line {number}: {fault}" for number, fault in enumerate(_form_faults(bodies), 1) if fault]
    if problems:
        raise SaveError(f"this save has been damaged: {problems[0]}", given=name)
    tape = Tape.__new__(Tape)
    tape.header = {key: value for key, value in header.items() if key != "hash"}
    tape.texts = [line.decode() for line in whole]
    tape.head = bodies[-1]["hash"]
    return Saved(tape, bodies[1:], notices or [], sum(len(line) + 1 for line in whole))


def _form_faults(bodies: list[dict[str, Any]]) -> Iterator[str]:
    yield header_fault(bodies[0])
    yield from map(line_fault, bodies[1:])


def split_lines(path: Path) -> tuple[list[bytes], bytes]:
    """The whole lines of a file, and what stands after the last line end."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise SaveError("no such save", given=path) from None
    except OSError as fault:
        raise SaveError(f"the save cannot be read ({fault.strerror})", given=path) from fault
    *whole, torn = data.split(b"\n")
    return whole, torn


def check_chain(lines: list[bytes]) -> tuple[list[dict[str, Any]], list[str]]:
    """The bodies of the lines and, in words, each line that is changed or out of its place."""
    bodies: list[dict[str, Any]] = []
    problems: list[str] = []
    for number, line in enumerate(lines, start=1):
        body = _body(line)
        if body is None:
            problems.append(f"line {number} is not a line of a save")
            body = {}
        elif seal({key: value for key, value in body.items() if key != "hash"})[0].encode() != line:
            problems.append(f"line {number} was changed: its hash does not fit it")
        elif number > 1 and (
            body.get("prev") != bodies[-1].get("hash")
            or (body.get("n") != number - 1 and not problems)  # after a fault all the numbers are out of step
        ):
            problems.append(
                f"line {number} does not follow line {number - 1}: a line was changed, dropped, swapped or invented"
            )
        bodies.append(body)
    return bodies, problems


def _body(line: bytes) -> dict[str, Any] | None:
    try:
        body = json.loads(line)
        _canonical(body).encode()  # not every text that JSON can hold can be written
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None
