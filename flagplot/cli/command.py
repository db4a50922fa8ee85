"""The command that started the program, so that commands it prints work as they are printed."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def program() -> str:
    """How the program was started: ``flagplot``, ``./run`` or ``python -m flagplot``."""
    if told := os.environ.get("FLAGPLOT_COMMAND"):
        return told
    started = Path(sys.argv[0])
    if started.name == "__main__.py" and started.parent.name == "flagplot":
        return f"{Path(sys.executable).name} -m flagplot"
    return "flagplot"
