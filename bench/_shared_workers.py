"""Servers that are forked by the dozen, and have the processes of their odds desk forked from a single one.

Each server begins a process from which those are forked, and that one imports everything anew, which takes more time of
the processor than all else at the start of a server. So whoever forks servers begins it once, for all of them.
"""

from __future__ import annotations

import os
from multiprocessing import forkserver, resource_tracker
from typing import Any

from flagplot.table.workers.calculator import PRELOADED


def begin() -> None:
    """In the process that forks servers: begin the one process. It ends with this one."""
    forkserver.set_forkserver_preload(PRELOADED)
    forkserver.ensure_running()


def adopt() -> None:
    """In a server that was just forked: take that process for its own."""
    tracker: Any = resource_tracker._resource_tracker
    tracker._fd = tracker._pid = None  # it began there, too, and is a child of another process
    server: Any = forkserver._forkserver
    server._forkserver_alive_fd = os.open(os.devnull, os.O_RDONLY)
    server.ensure_running = tracker.ensure_running
