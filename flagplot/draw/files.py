"""Pictures in files. What cannot be written is refused before anything is computed, and nothing is half-written."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from flagplot.kernel.errors import BadValue
from flagplot.kernel.plugins import Picture

SUFFIXES = (".svg", ".png")


def check_plot(given: str | Path) -> None:
    """Refuse a file for a picture if it could not be written: ask this before a long computation."""
    suffix = Path(given).suffix.lower()
    if suffix not in SUFFIXES:
        raise BadValue("the plot is of no known kind", given=given, allowed=["a file.svg", "a file.png"])
    if suffix == ".png":
        from flagplot.draw.png import check_png

        check_png(given)
    try:
        _check_place(given, _target(given))
    except (OSError, ValueError, RuntimeError) as fault:
        raise _unwritten(given, fault) from fault


def _target(given: str | Path) -> Path:
    """The file itself, if the name is that of a link to it."""
    return Path(given).expanduser().resolve()


def _check_place(given: str | Path, path: Path) -> None:
    if not path.parent.is_dir():
        raise BadValue("no such folder for the plot", given=given, allowed=["a file in a folder that exists"])
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(path.stat().st_mode):
            raise BadValue("the plot cannot be written here: this is not a file", given=given, allowed=["a new name"])
        if not os.access(path, os.W_OK):
            raise PermissionError("it may not be changed")
    beside = _beside(path)
    beside.open("xb").close()
    beside.unlink()


def write_plot(picture: Picture, given: str | Path) -> None:
    """Write a picture to a file, as SVG or PNG by the end of its name. A file that is there is replaced, but only when
    the new one is whole."""
    content = picture.png() if Path(given).suffix.lower() == ".png" else picture.svg().encode()
    try:
        path = _target(given)
        beside = _beside(path)
        try:
            with beside.open("xb") as file:
                file.write(content)
            beside.replace(path)
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
    except (OSError, ValueError, RuntimeError) as fault:
        raise _unwritten(given, fault) from fault


def _beside(path: Path) -> Path:
    return path.with_name(f".flagplot-{os.getpid()}.part")


def _unwritten(given: str | Path, fault: Exception) -> BadValue:
    reason = (fault.strerror if isinstance(fault, OSError) else None) or str(fault)
    return BadValue(f"the plot cannot be written ({reason})", given=given)
