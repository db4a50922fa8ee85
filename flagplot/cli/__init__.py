"""The command line: `flagplot COMMAND`, for people by default and for programs with `--json`."""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 the answer is no, 2 bad input."""
    from flagplot.cli.app import run

    return run(arguments)
