"""The command line: `flagplot COMMAND`, for people by default and for programs with `--json`."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 the answer is no, 2 bad input."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words in (["version"], ["version", "--json"], ["--version"]):  # most of the time would go to reading options
        from flagplot.cli.versions import version

        version(as_json="--json" in words)
        return 0
    from flagplot.cli.app import run

    return run(words)
