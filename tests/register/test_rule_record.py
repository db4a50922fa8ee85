"""The record of a full run: gathered from reports, written whole, left alone by partial runs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from flagplot.kernel.errors import BadValue
from flagplot.register.results import Outcomes, Record, Recorder, read, write

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"

SUITE = """\
import pytest

pytestmark = pytest.mark.rule("19.1")

@pytest.mark.rule("19.61", "19.62")
def test_good(): ...

@pytest.mark.rule("19.61")
def test_bad(): assert not "passed"

@pytest.mark.rule("19.62")
@pytest.mark.skip
def test_skipped(): ...

@pytest.mark.rule("19.62")
@pytest.mark.xfail
def test_expected(): assert not "passed"

@pytest.mark.rule("19.62")
@pytest.mark.xfail
def test_surprising(): ...

@pytest.fixture
def broken():
    yield
    raise ValueError

@pytest.mark.rule("19.63")
def test_torn_down(broken): ...

@pytest.mark.parametrize("x", [1, pytest.param(2, marks=pytest.mark.rule("19.64"))])
def test_cases(x): ...
"""


class Project:
    """A small project in a folder of its own, with the conftest of this one."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        pytester.makeini("[pytest]\ntestpaths = tests\naddopts = --strict-markers\nfilterwarnings = error\n")
        self.file("conftest.py", CONFTEST.read_text(encoding="utf-8"))

    @property
    def record(self) -> Record | None:
        return read(self.pytester.path / ".flagplot" / "rule-tests.json")

    def file(self, name: str, text: str) -> None:
        path = self.pytester.path / "tests" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, *arguments: str) -> pytest.RunResult:
        """Run pytest there: workers need a process of their own, everything else is quicker in this one."""
        if "-n" in arguments:
            return self.pytester.runpytest_subprocess("-p", "xdist.plugin", *arguments)
        return self.pytester.runpytest_inprocess(*arguments)


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Project:
    paths = [str(CONFTEST.parents[1]), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # a file that is written anew in the same second looks old
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take longer to load than the tests to run
    return Project(pytester)


@pytest.mark.parametrize("arguments", [(), ("-n", "2"), ("tests",), (".",)], ids=" ".join)
def test_a_full_run_is_recorded(project: Project, arguments: tuple[str, ...]) -> None:
    project.file("test_x.py", SUITE)
    assert project.run(*arguments).ret == 1
    assert project.record
    node = "tests/test_x.py::test_{}".format
    good, bad, torn = node("good"), node("bad"), node("torn_down")
    others = {node("expected"): "xfailed", node("skipped"): "skipped", node("surprising"): "xpassed"}
    cases = (node("cases[1]"), node("cases[2]"))
    assert project.record.rules == {
        "19.1": Outcomes((*cases, good), {bad: "failed", torn: "error"} | others),
        "19.61": Outcomes((good,), {bad: "failed"}),
        "19.62": Outcomes((good,), others),
        "19.63": Outcomes((), {torn: "error"}),
        "19.64": Outcomes((node("cases[2]"),), {}),
    }


@pytest.mark.parametrize(
    "arguments",
    [
        ("-k", "good"),
        ("-m", "rule"),
        ("tests/test_x.py",),
        ("tests/test_x.py::test_good",),
        ("--deselect", "tests/test_x.py::test_bad"),
        ("--ignore", "tests/test_y.py"),
        ("--lf",),
        ("--stepwise",),
        ("--collect-only",),
        ("--setup-only",),
        ("-x",),
        ("-x", "-n", "2"),
        ("-k", "good", "-n", "2"),
    ],
    ids=" ".join,
)
def test_a_partial_run_leaves_the_record_alone(project: Project, arguments: tuple[str, ...]) -> None:
    project.file("test_x.py", SUITE)
    project.run(*arguments)
    assert project.record is None


def test_a_run_without_failures_is_recorded_even_if_it_would_have_stopped(project: Project) -> None:
    project.file("test_x.py", "import pytest\n@pytest.mark.rule('19.61')\ndef test_it(): ...\n")
    assert project.run("-x").ret == 0
    assert project.record
    assert project.record.rules == {"19.61": Outcomes(("tests/test_x.py::test_it",))}


def test_the_record_is_of_the_last_full_run(project: Project) -> None:
    project.file("test_x.py", "import pytest\n@pytest.mark.rule('19.61')\ndef test_it(): ...\n")
    project.run()
    first = project.record
    project.file("test_x.py", "import pytest\n@pytest.mark.rule('19.62')\ndef test_it(): ...\n")
    project.run()
    assert first
    assert project.record
    assert list(project.record.rules) == ["19.62"]
    assert project.record.digest != first.digest
    assert [path.name for path in (project.pytester.path / ".flagplot").iterdir()] == ["rule-tests.json"]


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ('rule("19.61", "19.6l")', "is wrong: no such rule: “19.6l”. Did you mean 19.6? Otherwise use 19.6*"),
        ("rule()", "must give the ids of rules as strings*"),
        ("rule", "must give the ids of rules as strings*"),
        ("rule(19.61)", "must give the ids of rules as strings*"),
        ('rule("19.61", id="19.61")', "must give the ids of rules as strings*"),
    ],
    ids=["unknown", "empty", "bare", "number", "keyword"],
)
def test_a_wrong_mark_fails_the_collection(project: Project, mark: str, message: str) -> None:
    project.file("test_x.py", f"import pytest\n@pytest.mark.{mark}\ndef test_it(): ...\n")
    result = project.run()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines([f"tests/test_x.py::test_it: the rule mark {message}"])
    assert project.record is None


def test_a_wrong_mark_fails_the_collection_of_workers(project: Project) -> None:
    project.file("test_x.py", "import pytest\n@pytest.mark.rule('0')\ndef test_it(): ...\n")
    project.file("test_y.py", "import pytest\n@pytest.mark.rule('19.61')\ndef test_other(): ...\n")
    result = project.run("-n", "2")
    assert result.ret != 0
    result.stdout.fnmatch_lines(["tests/test_x.py::test_it: the rule mark is wrong: no such rule: “0”*"])
    assert project.record is None


def test_a_wrong_mark_on_a_class_is_found_too(project: Project) -> None:
    project.file("test_x.py", "import pytest\n@pytest.mark.rule('0')\nclass TestIt:\n    def test_it(self): ...\n")
    result = project.run("--continue-on-collection-errors")
    result.stdout.fnmatch_lines(["*TestIt::test_it: the rule mark is wrong: no such rule: “0”*"])
    assert project.record is None


def test_what_did_not_pass_stays_so() -> None:
    recorder = Recorder()
    for when, outcome in [("setup", "passed"), ("call", "failed"), ("teardown", "error")]:
        recorder.add("t::one", when, outcome, ["1"])
    for when, outcome in [("setup", "passed"), ("call", "passed"), ("teardown", "error")]:
        recorder.add("t::two", when, outcome, ["1"])
    recorder.add("t::three", "setup", "passed", ["1"])
    recorder.add("t::four", "call", "passed")
    ends = {"t::one": "failed", "t::three": "unfinished", "t::two": "error"}
    assert recorder.record("d").rules == {"1": Outcomes((), ends)}


def test_write_and_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "record.json"
    assert read(path) is None
    record = Record("2030-01-01T00:00:00+00:00", "d", {"1": Outcomes(("a",), {"b": "failed"})})
    write(path, record)
    assert read(path) == record
    assert list(path.parent.iterdir()) == [path]


def test_a_write_that_fails_leaves_the_old_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "record.json"
    old = Record("t", "d", {})
    write(path, old)

    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="no space"):
        write(path, Record("t", "other", {}))
    assert read(path) == old
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": 2}', '{"format": 1, "time": "", "digest": ""}'])
def test_what_is_not_a_record_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "record.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadValue, match=r"run \./test again"):
        read(path)
