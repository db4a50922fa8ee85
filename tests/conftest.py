"""Hooks for all tests: rule marks are checked as tests are collected, and a full run is recorded.

A test says which rules it holds by ``@pytest.mark.rule("19.61", …)``. The record of a run of the whole suite
is what `flagplot rules coverage` counts; runs of a part of the suite leave it alone. With pytest-xdist the
workers send the ids along with their reports and the controller writes the record.
"""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings

from flagplot.kernel.errors import UnknownName
from flagplot.register import find
from flagplot.register.results import Recorder, digest, write
from flagplot.register.tree import Tree

pytest_plugins = ["pytester"]

settings.register_profile("flagplot", deadline=None)  # a busy machine is no fault of the rules
settings.load_profile("flagplot")

PROJECT = Path(__file__).resolve().parents[1]
NARROWING = ("keyword", "markexpr", "deselect", "ignore", "ignore_glob", "lf", "stepwise")
LONGEST = (
    *("test_packages", "test_simulation_cluster", "test_site", "test_table_api", "test_table_commands"),
    *("test_table_e2e", "test_table_leaks", "test_table_ordeal", "test_table_paired"),
)
NOT_RUNNING = ("collectonly", "setuponly", "setupplan")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(*ids): the rules of the register that the test holds")
    if not hasattr(config, "workerinput") and whole_suite(config):
        config.pluginmanager.register(RuleRecord(Tree.at(PROJECT)), "rule-record")


def pytest_collection_finish() -> None:
    """What was collected stays to the end: the garbage collector need not look at it again and again. It takes a tenth
    of the time of a run otherwise."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 10, 10)


def whole_suite(config: pytest.Config) -> bool:
    """Whether this run is asked to run every test."""
    if any(config.getoption(name, default=None) for name in NARROWING + NOT_RUNNING):
        return False
    given = {(config.invocation_params.dir / arg).resolve() for arg in config.args}
    return bool(given & {PROJECT, PROJECT / "tests"})


class RuleRecord:
    """Gathers the reports of marked tests and writes the record if the run comes to its end."""

    def __init__(self, tree: Tree) -> None:
        self.path = tree.record
        self.digest = digest(tree)
        self.recorder = Recorder()
        self.complete = True

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.complete &= not report.failed

    def pytest_deselected(self) -> None:
        self.complete = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        ids = [str(value) for name, value in report.user_properties if name == "rule"]
        self.recorder.add(report.nodeid, report.when or "", outcome(report), ids)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        ended = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        if self.path and self.complete and ended and not (session.shouldfail or session.shouldstop):
            write(self.path, self.recorder.record(self.digest))


AGAIN = "second try"
WANTING = " here, so "
"""In the reason of a test that was skipped because something is not installed: it is repeated at the end of the run."""


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """A real browser on a busy machine may miss a moment: its tests are tried once more, and what fails twice fails.

    A worker of pytest-xdist tells only what counts: to send and to read that each set-up and tear-down went well takes
    longer than most tests."""
    in_browser, in_worker = "_e2e_" in item.path.name, hasattr(item.config, "workerinput")
    if not in_browser and not in_worker:
        return None
    if not in_worker:
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    again = in_browser and any(report.failed for report in reports)
    if again:
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if in_worker and item.config.getoption("durations") is None:
        reports = [report for report in reports if report.when == "call" or not report.passed]
    if again:
        reports[0].user_properties.append((AGAIN, item.nodeid))
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for reports in terminalreporter.stats.values():
        for name in {value for one in reports for key, value in getattr(one, "user_properties", ()) if key == AGAIN}:
            terminalreporter.write_line(f"TRIED TWICE, because it failed the first time: {name}")
    skipped = [str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", [])]
    for reason, missed in Counter(skipped).items():
        if WANTING in reason:
            said = f"LOUD: SKIPPED {missed} test{'s' * (missed != 1)}: {reason.removeprefix('Skipped: ')}"
            terminalreporter.write_line(said, red=True, bold=True)


def outcome(report: pytest.TestReport) -> str:
    """``passed``, or what became of the test instead."""
    if hasattr(report, "wasxfail"):
        return "xpassed" if report.passed else "xfailed"
    return "error" if report.failed and report.when != "call" else report.outcome


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    ids = (rule_id for mark in item.iter_markers("rule") for rule_id in mark.args)
    report.user_properties.extend(("rule", rule_id) for rule_id in dict.fromkeys(ids))
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest comes first, and no worker is left alone with it in the end: whole games under every check,
    browsers, real servers, installed packages."""
    items.sort(key=lambda item: not (item.path.parent.name == "testing" or item.path.name.startswith(LONGEST)))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if isinstance(collector, pytest.Dir):
        import_own_share(report.result or [])
    faults = [fault for item in report.result or () for fault in mark_faults(item)]
    if faults:
        report.outcome = "failed"
        report.longrepr = "\n".join(dict.fromkeys(faults))
    return report


def import_own_share(found: list[pytest.Item | pytest.Collector]) -> None:
    """In a fresh clone most of the time of collecting goes into compiling modules of tests. Each worker begins with
    another share of each folder, so that they divide that work."""
    worker, workers = os.environ.get("PYTEST_XDIST_WORKER", "gw0"), os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")
    modules = [node for node in found if isinstance(node, pytest.Module)]
    for module in modules[len(modules) * int(worker.removeprefix("gw")) // int(workers) :]:
        with suppress(Exception, pytest.skip.Exception):  # it comes up again when the module is collected
            _ = module.obj


def mark_faults(item: pytest.Item | pytest.Collector) -> Iterator[str]:
    """What is wrong with the rule marks of a test, in words."""
    test = item.nodeid.split("[")[0]
    for mark in item.iter_markers("rule") if isinstance(item, pytest.Item) else ():
        names = [name for name in mark.args if isinstance(name, str)]
        if not names or mark.kwargs or len(names) < len(mark.args):
            yield f"{test}: the rule mark must give the ids of rules as strings, and nothing else"
        for name in names:
            try:
                find(name)
            except UnknownName as error:
                yield f"{test}: the rule mark is wrong: {error}"
