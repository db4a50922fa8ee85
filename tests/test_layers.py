"""What may import what: each package knows only those below it, in functions and for types too; so do the folders
of the terminal and of the web table."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

import flagplot

ROOT = Path(flagplot.__file__).parent
LAYERS = (
    ("version",),
    ("kernel",),
    ("board",),
    ("awaw", "line_of_battle"),
    ("generating",),
    ("library",),
    ("builder", "players"),
    ("odds", "report", "briefing", "lessons"),
    ("drills", "review"),
    ("simulation",),
    ("draw",),
    ("table", "envs"),
    ("cli",),
)
"""From below: the board of a view is made by each game, and shown by those above."""
BESIDE = {"register": ("kernel",), "testing": ("kernel", "awaw", "line_of_battle", "library", "players", "odds")}
"""Packages that nobody plays with, and what they may import."""


def modules(package: str) -> Iterator[Path]:
    single = ROOT / f"{package}.py"
    yield from [single] if single.exists() else sorted((ROOT / package).rglob("*.py"))


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """All that a module imports of Flagplot, wherever it does so, by package."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{one.name}" for one in node.names]
        elif isinstance(node, ast.Import):
            names = [one.name for one in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "flagplot" and len(parts) > 1:
                yield parts[1], getattr(node, "lineno", 0)


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")


def modules_imported(path: Path, known: Collection[str]) -> set[str]:
    """The modules among those known that a module imports, wherever it does so: inside functions and for types too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            named = {f"{node.module}.{one.name}" for one in node.names}
            found |= named & set(known)
            found |= {node.module} if named - set(known) else set()
    return found & set(known)


def in_circles(graph: dict[str, set[str]]) -> set[str]:
    """The modules that import each other in a circle, and those between two circles."""
    left = dict(graph)
    while True:
        wanted = set().union(*left.values()) if left else set()
        kept = {name: others & set(left) for name, others in left.items() if name in wanted and others & set(left)}
        if len(kept) == len(left):
            return set(left)
        left = kept


def test_no_modules_import_each_other_in_a_circle() -> None:
    paths = {module_name(path): path for path in ROOT.rglob("*.py")}
    assert len(paths) > 400
    assert not in_circles({name: modules_imported(path, paths) for name, path in paths.items()})


@pytest.mark.parametrize("package", ["cli", "table"])
def test_no_folders_import_each_other_in_a_circle(package: str) -> None:
    """What stands in no folder counts for itself."""
    paths = {module_name(path): path for path in modules(package)}
    graph: dict[str, set[str]] = {}
    for name, path in paths.items():
        folder = folder_of(name)
        graph.setdefault(folder, set()).update({folder_of(other) for other in modules_imported(path, paths)} - {folder})
    assert len(graph) > 10
    assert not in_circles(graph)


def folder_of(module: str) -> str:
    """The folder of a package that a module is in, or the module itself if it is in none."""
    return ".".join(module.split(".")[:3])


def test_a_circle_is_found(tmp_path: Path) -> None:
    module = tmp_path / "one.py"
    module.write_text("def late():\n    from game.two import name\n    from game import three\n")
    assert modules_imported(module, {"game", "game.two", "game.three"}) == {"game.two", "game.three"}
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}
    assert in_circles(graph) == {"b", "c"}


def test_every_package_has_its_layer() -> None:
    known = {package for layer in LAYERS for package in layer} | set(BESIDE)
    found = {path.stem for path in ROOT.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert found - {"__init__", "__main__"} == known


@pytest.mark.parametrize("package", [package for layer in LAYERS for package in layer] + list(BESIDE))
def test_a_package_imports_only_what_is_below_it(package: str) -> None:
    place = next((place for place, layer in enumerate(LAYERS) if package in layer), None)
    if place is None:
        allowed = {package, *BESIDE[package]}
    else:
        allowed = {package, *[one for layer in LAYERS[:place] for one in layer], *_beside(package)}
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports flagplot.{name}"
        for path in modules(package)
        for name, line in imports(path)
        if name not in allowed
    ]
    assert not wrong, "\n".join(wrong)


def _beside(package: str) -> set[str]:
    """What else it may import: people are shown the rules."""
    return {"register"} if package in ("table", "cli") else set()


def test_an_import_inside_of_a_function_is_found(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("def draw():\n    from flagplot.cli.screen import Line\n    import flagplot.draw\n")
    assert list(imports(module)) == [("cli", 2), ("draw", 3)]
