"""Ctrl-C for programs that tests start."""

from __future__ import annotations

import signal


def heed_interrupts() -> None:
    """For `preexec_fn`: a shell that runs ./test in the background ignores Ctrl-C, and its children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
