"""The wheel and the source archive that people install: what is in them, and that they work without anything else."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from importlib.metadata import Distribution, distribution
from pathlib import Path
from zipfile import ZipFile

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from twine.commands.check import check

ROOT = Path(__file__).resolve().parents[1]
SECRETS = re.compile(r"(^|/)(\.env|\.venv|\.git|.*\.(sqlite|secret|pem|key|jsonl))($|/)")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the source archive."""
    folder = str(tmp_path_factory.mktemp("dist"))
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=folder)
    (source,) = SdistBuilder(str(ROOT)).build(directory=folder)
    return Path(wheel), Path(source)


def test_they_hold_the_package_with_its_data_and_nothing_else(built: tuple[Path, Path]) -> None:
    wheel, source = built
    inside = set(ZipFile(wheel).namelist())
    with tarfile.open(source) as archive:
        whole = {name.partition("/")[2] for name in archive.getnames()}
    for names in (inside, whole):
        assert {"flagplot/py.typed", "flagplot/scenarios/midway.toml", "flagplot/register/register.csv"} <= names
        assert {
            "flagplot/table/static/board.css",
            "flagplot/table/templates/base.html",
            "flagplot/maps/rhine.toml",
            "flagplot/register/meanings/17.toml",
        } <= names
        assert not [name for name in names if SECRETS.search(name) or name.startswith(("tests/", "bench/", "tools/"))]
        kept = {str(path.relative_to(ROOT)) for path in (ROOT / "flagplot").rglob("*.py")}
        assert kept <= names
    assert {"README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml"} <= whole


def test_their_descriptions_are_sound(built: tuple[Path, Path]) -> None:
    assert check([str(path) for path in built], strict=True) is False  # twine's word for: none failed


def base_packages() -> list[Distribution]:
    """What an installer brings with Flagplot when no extra is asked for."""
    found: dict[str, Distribution] = {}
    wanted = list(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]["dependencies"])
    while wanted:
        words = wanted.pop()
        name = re.split(r"[^\w.-]", words.strip(), maxsplit=1)[0]
        if "extra ==" in words or name in found:
            continue
        try:
            found[name] = distribution(name)
        except ModuleNotFoundError:  # for another system or version of Python
            assert ";" in words
            continue
        wanted += found[name].requires or []
    return list(found.values())


@pytest.fixture(scope="module")
def clean(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the packages that the base install brings, as an installer leaves them."""
    site = tmp_path_factory.mktemp("clean")
    ZipFile(built[0]).extractall(site)
    for package in base_packages():
        for file in package.files or []:
            path = Path(str(file.locate()))
            if ".." not in file.parts and path.suffix != ".pyc" and path.is_file():
                (site / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, site / file)
    return site


def run(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Flagplot with nothing but that folder and the standard library."""
    start = "import sys; sys.path.insert(0, sys.argv.pop(1)); from flagplot.cli import main; sys.exit(main())"
    command = [sys.executable, "-I", "-S", "-c", start, str(site), *words]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=site, env=environment)


def test_a_battle_is_played_from_the_wheel_alone(clean: Path) -> None:
    players = ["--player", "japan=doctrine", "--player", "allies=random"]
    played = run(clean, "play", "savo-island", "--seed", "3", *players, "--json")
    assert played.returncode == 0, played.stderr
    assert json.loads(played.stdout)["result"]["summary"]


def test_without_the_extra_the_table_says_what_to_install(clean: Path) -> None:
    refused = run(clean, "serve", "--data", str(clean / "data"))
    assert refused.returncode == 2
    assert refused.stderr.startswith("flagplot: this needs packages that are not installed")
    assert refused.stderr.endswith(". Type: pip install 'flagplot[web]'\n")


def test_without_the_extra_environments_say_what_to_install(clean: Path) -> None:
    start = f"import sys; sys.path.insert(0, {str(clean)!r}); import flagplot, flagplot.envs"
    refused = subprocess.run([sys.executable, "-I", "-S", "-c", start], capture_output=True, text=True, check=False)
    assert "MissingExtra" in refused.stderr
    assert "pip install 'flagplot[envs]'" in refused.stderr
