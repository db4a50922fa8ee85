from __future__ import annotations

import pytest

from tests.table.databases import MISSING, address, open_tables, postgres, store, tables

__all__ = ["address", "open_tables", "postgres", "store", "tables"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say once more, and loudly, what was not tested."""
    missed = [report for report in terminalreporter.stats.get("skipped", []) if MISSING in str(report.longrepr)]
    if missed:
        terminalreporter.write_line(f"LOUD: {len(missed)} tests were SKIPPED: {MISSING}", red=True, bold=True)
