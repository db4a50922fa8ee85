"""Where the sources are: the package, its tests, and the record of the last full test run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Tree:
    """The folders of a project. An installed package has no tests, and so no record of them either."""

    package: Path
    tests: Path | None = None
    record: Path | None = None

    @classmethod
    def at(cls, project: Path) -> Tree:
        """A source checkout whose top folder is `project`."""
        return cls(project / "flagplot", project / "tests", project / ".flagplot" / "rule-tests.json")

    @classmethod
    def here(cls) -> Tree:
        """The tree of this module: a checkout if the tests of the register lie beside the package."""
        package = Path(__file__).resolve().parents[1]
        if (package.parent / "tests" / "register").is_dir():
            return cls.at(package.parent)
        return cls(package)
