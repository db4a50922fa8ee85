"""Tests against mutants: one pytest session collects them once, and every mutant gets a process of its own.

Such a process is a fork of the session in which the code of one function has been replaced, so nothing is imported
again. Only tests that reach the broken block can tell it from the sound one: they are found by a run of the tests in
which all blocks tell their numbers. What they reached is kept until the code or the test changes.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper, partial
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import hypothesis
import pytest
from _pytest.runner import runtestprotocol

from bench._breaking import PROBE, Cited, Module, Mutant
from flagplot.register import twins

LEAST, TIMES = 3.0, 10
"""A test may compute for at least this many seconds, and for this many times what it took when all was well; then it is
stopped. A plan may name another least."""
SILENCE = 300
"""A process that says nothing for so many seconds is stopped, whatever it is doing."""
MEMORY = 3 * 2**30
"""How much more memory a mutant may take than the session."""
SPAWNING = ("subprocess.Popen", "os.fork", "os.posix_spawn", "os.system")

PASSED = "passed"
FAILED = "failed"
SKIPPED = "skipped"
SPAWNS = "starts processes"


Source = tuple[str, str, int]
"""A file, a name in it, and the line where that begins."""


class Reach(NamedTuple):
    """What one test did when nothing was broken: how it ended, what it took, the blocks that it reached."""

    digest: str
    """Of the test's file, and of all that tests share."""
    outcome: str
    seconds: float
    blocks: Sequence[int]


class Verdict(NamedTuple):
    """What became of one mutant."""

    killed: bool
    by: str = ""
    """The test, with what happened if it did not simply fail."""
    marked: bool = False
    """Whether that test is marked with a rule that the function cites."""
    reached: tuple[int, int] = (0, 0)
    """How many marked tests and how many others of the package reach the place."""


@dataclass(slots=True)
class Plan:
    """What a session is asked to do."""

    project: Path
    modules: list[Module]
    mutants: list[Mutant]
    jobs: int
    marked_only: bool
    least: float
    told: Callable[[Mutant, Verdict], None]
    say: Callable[[str], None]


def session(plan: Plan) -> int:
    """Try all mutants of a plan in one session of pytest; its exit code."""
    paths = _paths(plan.project, plan.mutants)
    quiet = ["-qq", "--no-header", "--no-summary", "--capture=sys", "--assert=plain", "--tb=native"]
    ours = ["-p", "no:cacheprovider", "-p", "no:xdist", f"--rootdir={plan.project}"]
    return int(pytest.main([*quiet, *ours, *paths], plugins=[Trying(plan)]))


def _paths(project: Path, mutants: Iterable[Mutant]) -> list[str]:
    """The tests of the packages, and other files with marked tests."""
    homes = sorted({home(mutant.file) for mutant in mutants})
    tests = [name for name in homes if (project / name).is_dir()]
    for path in sorted((project / "tests").rglob("test_*.py")):
        name = path.relative_to(project).as_posix()
        if b"mark.rule(" in path.read_bytes() and not name.startswith((*tests, "tests/table/")):
            tests.append(name)
    return [str(project / name) for name in tests]


def home(file: str) -> str:
    """Where the tests of a file's package are: ``tests/awaw/`` for ``flagplot/awaw/battle/fire.py``."""
    return f"tests/{file.split('/')[1]}/"


class Trying:
    """The plugin: it takes the place of the loop that runs the tests."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", "rule(*ids): the rules of the register that the test holds")

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Before any test is read: Hypothesis tries the same examples every time, keeps none, and shrinks none."""
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        checks = list(hypothesis.HealthCheck)
        hypothesis.settings.register_profile(
            "mutants", deadline=None, derandomize=True, database=None, phases=phases, suppress_health_check=checks
        )
        hypothesis.settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Interrupted("some tests cannot be collected")
        with tempfile.TemporaryDirectory(prefix="flagplot-mutants-") as folder:
            Bench(self.plan, session.items, folder).run()
        return True


@dataclass(slots=True)
class Running:
    """A mutant that is being tried."""

    mutant: Mutant
    process: int
    pipe: int
    tests: list[str]
    marked: int
    """How many of the tests, from the first on, are marked with its rules."""
    heard: bytes = b""
    last: float = field(default_factory=time.monotonic)
    """When something was heard last."""


@dataclass(slots=True)
class Bench:
    """The collected tests and the sound code."""

    plan: Plan
    items: list[pytest.Item]
    folder: str
    """For temporary files."""
    functions: dict[Source, list[FunctionType]] = field(default_factory=dict)
    caches: list[Any] = field(default_factory=list)
    tests: dict[str, pytest.Item] = field(default_factory=dict)
    by_rule: dict[str, set[str]] = field(default_factory=dict)
    by_home: dict[str, set[str]] = field(default_factory=dict)
    reach: dict[str, Reach] = field(default_factory=dict)
    by_block: dict[int, set[str]] = field(default_factory=dict)

    def run(self) -> None:
        for item in self.items:
            self.tests[item.nodeid] = item
            for name in {name for mark in item.iter_markers("rule") for name in mark.args}:
                self.by_rule.setdefault(name, set()).add(item.nodeid)
        for folder in {home(mutant.file) for mutant in self.plan.mutants}:
            self.by_home[folder] = {name for name in self.tests if name.startswith(folder)}
        for module in self.plan.modules:
            importlib.import_module(module.file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        self.functions = _functions()
        self.caches = _caches(self.plan.project)
        self._learn()
        gc.collect()
        gc.freeze()
        self._try_all()

    # --- what reaches what --------------------------------------------------------------------------------------

    def _learn(self) -> None:
        """Find out what the tests reach that are wanted and not yet known."""
        memory = Memory(self.plan.project, self.plan.modules)
        wanted: set[str] = set()
        for function in {id(mutant.function): mutant.function for mutant in self.plan.mutants}.values():
            wanted |= self._marked(function) if self.plan.marked_only else self._candidates(function)
        unknown = [name for name in self.tests if name in wanted and name not in memory.known]
        if unknown:
            self.plan.say(f"finding out what {len(unknown):,} tests reach")
            self._record_all(unknown, memory)
        self.reach = {name: memory.known[name] for name in sorted(wanted)}
        for name, found in self.reach.items():
            if found.outcome == PASSED:
                for block in found.blocks:
                    self.by_block.setdefault(block, set()).add(name)
            elif found.outcome == FAILED:
                self.plan.say(f"left out, it does not pass as things are: {name}")

    def _record_all(self, unknown: list[str], memory: Memory) -> None:
        files = [Path(self.folder) / f"reach-{number}" for number in range(self.plan.jobs)]
        parts = [unknown[number :: len(files)] for number in range(len(files))]
        works = [partial(self._record, part, memory, file) for part, file in zip(parts, files, strict=True)]
        for process in [_fork(work, self.folder) for work in works]:
            os.waitpid(process, 0)
        for file in files:
            for name, found in json.loads(file.read_text(encoding="utf-8")).items():
                memory.known[name] = Reach(*found)
        memory.keep()

    def _record(self, names: list[str], memory: Memory, file: Path) -> None:
        """In a process of its own: run tests with probes in all blocks."""
        seen: set[int] = set()
        for module in self.plan.modules:
            probed = module.probed()
            for cited in module.functions:
                for function in self._objects(cited):
                    function.__code__ = probed[cited.name, cited.line]
                    function.__globals__[PROBE] = seen.add
        spawned: list[str] = []
        sys.addaudithook(lambda event, _: spawned.append(event) if event in SPAWNING else None)
        found = {}
        for name in names:
            self._forget()
            seen.clear()
            spawned.clear()
            start = time.process_time()
            outcome = _outcome(self.tests[name])
            spent = round(time.process_time() - start, 4)
            outcome = SPAWNS if spawned else outcome
            found[name] = Reach(memory.digest(self.tests[name].path), outcome, spent, sorted(seen))
        file.write_text(json.dumps(found), encoding="utf-8")

    def _forget(self) -> None:
        for cache in self.caches:
            cache.cache_clear()

    def _objects(self, function: Cited) -> list[FunctionType]:
        return self.functions.get((str(function.module.path), function.name, function.line), [])

    # --- which tests --------------------------------------------------------------------------------------------

    def _marked(self, function: Cited) -> set[str]:
        """The tests marked with rules of a function, under any of the numbers of a rule that is printed twice."""
        rules = {name for rule in function.rules for name in (rule, *twins().get(rule, ()))}
        return {test for name in rules for test in self.by_rule.get(name, ())}

    def _candidates(self, function: Cited) -> set[str]:
        """Those, and the rest of the tests of its package."""
        return self._marked(function) | self.by_home[home(function.module.file)]

    def _quickest(self, names: set[str]) -> list[str]:
        return sorted(names, key=lambda name: (self.reach[name].seconds, name))

    # --- trying -------------------------------------------------------------------------------------------------

    def _try_all(self) -> None:
        running: dict[int, Running] = {}
        waiting = iter(self.plan.mutants)
        while True:
            while len(running) < self.plan.jobs and (mutant := next(waiting, None)):
                if started := self._start(mutant):
                    running[started.pipe] = started
            if not running:
                return
            ready, _, _ = select.select(list(running), [], [], 10)
            for pipe, one in list(running.items()):
                if pipe in ready:
                    heard = os.read(pipe, 65536)
                    one.heard, one.last = one.heard + heard, time.monotonic()
                    if not heard:
                        del running[pipe]
                        os.close(pipe)
                        self.plan.told(one.mutant, self._verdict(one, os.waitpid(one.process, 0)[1]))
                elif time.monotonic() - one.last > SILENCE:
                    os.kill(one.process, signal.SIGKILL)

    def _start(self, mutant: Mutant) -> Running | None:
        able = self.by_block.get(mutant.block, set())
        marked = self._quickest(able & self._marked(mutant.function))
        others = self._quickest(able & self._candidates(mutant.function) - set(marked))
        tests = marked if self.plan.marked_only else marked + others
        if not self._objects(mutant.function):
            self.plan.told(mutant, Verdict(False, "not found among the loaded functions"))
        elif not tests:
            self.plan.told(mutant, Verdict(False))
        else:
            reading, writing = os.pipe()
            process = _fork(partial(self._try, mutant, tests, writing), self.folder)
            os.close(writing)
            return Running(mutant, process, reading, tests, len(marked))
        return None

    def _try(self, mutant: Mutant, tests: list[str], pipe: int) -> None:
        """In the process of the mutant: tell the number of each test before it begins, and then how it all ended."""
        broken = mutant.code()
        for function in self._objects(mutant.function):
            function.__code__ = broken
        self._forget()
        _limit_memory()
        for number, name in enumerate(tests):
            os.write(pipe, b"%d\n" % number)
            signal.setitimer(signal.ITIMER_PROF, self.plan.least + TIMES * self.reach[name].seconds)
            if _outcome(self.tests[name]) == FAILED:
                os.write(pipe, b"failed\n")
                return
        os.write(pipe, b"survived\n")

    def _verdict(self, one: Running, status: int) -> Verdict:
        *numbers, end = one.heard.decode().split() or [""]
        reached = (one.marked, len(one.tests) - one.marked)
        if end == "survived":
            return Verdict(False, reached=reached)
        how = ""
        if end != "failed":
            numbers.append(end)
            stopped = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGKILL)
            how = " (went on for ever)" if stopped else " (broke down)"
        if not numbers[-1]:
            raise RuntimeError(f"{one.mutant.file}:{one.mutant.line}: the mutant cannot be made: {one.mutant.after}")
        number = int(numbers[-1])
        return Verdict(True, one.tests[number] + how, number < one.marked, reached)


class Memory:
    """What earlier runs found out, in a file that belongs to nobody."""

    def __init__(self, project: Path, modules: list[Module]) -> None:
        self.project = project
        self.file = project / ".pytest_cache" / "mutants.json"
        package = project / modules[0].file.split("/")[0] if modules else project
        self.code = _digest([*package.rglob("*.py"), *package.rglob("*.toml"), *package.rglob("*.csv")])
        tests = (project / "tests").rglob("*.py")
        self.shared = _digest([path for path in tests if not path.name.startswith("test_")])
        self.digests: dict[Path, str] = {}
        self.known: dict[str, Reach] = {}
        with contextlib.suppress(OSError, ValueError):
            kept = json.loads(self.file.read_text(encoding="utf-8"))
            if kept["code"] == self.code:
                self.known = {name: Reach(*found) for name, found in kept["tests"].items() if self._holds(name, *found)}

    def _holds(self, name: str, digest: str, *_: object) -> bool:
        return digest == self.digest(self.project / name.split("::")[0])

    def digest(self, path: Path) -> str:
        if path not in self.digests:
            self.digests[path] = self.shared + _digest([path]) if path.exists() else ""
        return self.digests[path]

    def keep(self) -> None:
        self.file.parent.mkdir(exist_ok=True)
        new = self.file.with_suffix(f".{os.getpid()}")
        new.write_text(json.dumps({"code": self.code, "tests": self.known}), encoding="utf-8")
        new.replace(self.file)


def _digest(paths: Iterable[Path]) -> str:
    total = sha256()
    for path in sorted(paths):
        content = path.read_bytes()
        total.update(f"{path} {len(content)}\n".encode() + content)
    return total.hexdigest()[:16]


def _functions() -> dict[Source, list[FunctionType]]:
    """All functions by where they come from, also those that something is wrapped around."""
    found: dict[Source, list[FunctionType]] = {}
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType):
            code = thing.__code__
            source = (os.path.realpath(code.co_filename), code.co_qualname, code.co_firstlineno)
            found.setdefault(source, []).append(thing)
    return found


def _caches(project: Path) -> list[Any]:
    """What remembers results: a broken function must be asked again. The kernel and the register call no rules."""
    found = [thing for thing in gc.get_objects() if isinstance(thing, _lru_cache_wrapper)]
    apart = ("flagplot.kernel", "flagplot.register", "bench")
    files = {name: str(getattr(module, "__file__", "")) for name, module in sys.modules.items()}
    ours = {name for name, file in files.items() if file.startswith(f"{project}/") and "/.venv/" not in file}
    return [one for one in found if one.__module__ in ours and not one.__module__.startswith(apart)]


def _outcome(item: pytest.Item) -> str:
    """Run one test and tear down all that was set up for it."""
    try:
        reports = runtestprotocol(item, log=False, nextitem=None)
    except BaseException:
        return FAILED
    if any(report.failed for report in reports):
        return FAILED
    return PASSED if all(report.passed for report in reports) else SKIPPED


def _limit_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _fork(work: Callable[[], None], folder: str) -> int:
    """Do something silently in another process that ends with it; its temporary files go into a folder of its own."""
    if process := os.fork():
        return process
    code = 1
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        with tempfile.TemporaryDirectory(dir=folder) as tempfile.tempdir:
            work()
        code = 0
    finally:
        os._exit(code)
