"""Other packages bring players, scenarios, maps and games: the examples, built and unpacked as an installer does."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from hatchling.builders.wheel import WheelBuilder

from flagplot import library
from flagplot.awaw.mapboard.reading import maps, read_map
from flagplot.kernel import extensions
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.extensions import BrokenExtension
from flagplot.players import RANKS, is_player, local_player, player, player_names

ROOT = Path(__file__).resolve().parents[2]


def install(example: str, site: Path) -> None:
    """Build the wheel of an example and unpack it."""
    (built,) = WheelBuilder(str(ROOT / "examples" / example)).build(directory=str(site.parent / "wheels"))
    ZipFile(built).extractall(site)


def entry_point(site: Path, group: str, *lines: str) -> None:
    """The metadata of an installed package, written by hand."""
    folder = site / f"{group}-1.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {group}\nVersion: 1\n")
    (folder / "entry_points.txt").write_text("\n".join([f"[flagplot.{group}]", *lines]))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages that this process sees."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    kept = dict(sys.modules)
    for remembered in (extensions.brought, extensions.data_files):
        remembered.cache_clear()
    yield folder
    for name in set(sys.modules) - set(kept):
        if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]
    for remembered in (extensions.brought, extensions.data_files):
        remembered.cache_clear()


def test_the_examples_are_installed_and_play(site: Path) -> None:
    install("bot", site)
    install("scenario", site)
    words = ["play", "lantern-reef-by-night", "--seed", "1", "--json"]
    words += ["--player", "japan=steadfast:nerve=1", "--player", "allies=steadfast"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(site)])}
    done = subprocess.run(
        [sys.executable, "-m", "flagplot", *words], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["result"]["summary"]


def test_a_player_is_found_by_name_with_its_settings(site: Path) -> None:
    assert not is_player("steadfast")
    install("bot", site)
    for remembered in (extensions.brought, extensions.data_files):
        remembered.cache_clear()
    assert player_names() == ["random", "doctrine", *RANKS, "steadfast"]
    assert vars(local_player("steadfast:nerve=0.5", 3))["nerve"] == 0.5
    for wrong, told in (("nerv=1", "use nerve=0.9"), ("nerve=x", "could not convert string to float: 'x'")):
        with pytest.raises(BadValue, match=re.escape(f"steadfast does not take these settings ({told}): “{wrong}”")):
            local_player(f"steadfast:{wrong}", 3)
    with pytest.raises(UnknownName):  # at a table in the browser everybody must be able to prove what it did
        player("steadfast", 3)


def test_a_player_may_have_no_constructor(site: Path) -> None:
    (site / "plain.py").write_text("class Plain:\n    def choose(self, view, request): ...\n")
    (site / "empty.py").write_text("class Empty: pass\n")
    entry_point(site, "players", "plain = plain:Plain", "empty = empty:Empty", "gone = nowhere:Gone")
    assert callable(local_player("plain", 1).choose)
    with pytest.raises(BadValue, match="has no settings"):
        local_player("plain:deep=1", 1)
    with pytest.raises(BrokenExtension, match="has no method choose"):
        local_player("empty", 1)
    with pytest.raises(BrokenExtension, match="ModuleNotFoundError"):
        local_player("gone", 1)


def test_names_of_our_own_are_not_taken_away(site: Path) -> None:
    (site / "evil.py").write_text("class Evil:\n    def choose(self, view, request): ...\n")
    folder = site / "battles"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "midway.toml").write_text("")
    entry_point(site, "players", "doctrine = evil:Evil", "exec = evil:Evil")
    entry_point(site, "scenarios", "mine = battles")
    assert type(local_player("doctrine", 1)).__name__ != "Evil"
    assert not is_player("exec")
    with pytest.warns(UserWarning, match="that name is taken"):
        assert library.read_scenario("midway")["title"]


def test_maps_and_games_are_found(site: Path) -> None:
    folder = site / "charts"
    folder.mkdir()
    (folder / "__init__.py").write_text("from flagplot.line_of_battle.ruleset import LINE_OF_BATTLE as RULES\n")
    ours = ROOT / "flagplot" / "maps" / "hawaii.toml"
    (folder / "another-sea.toml").write_text(ours.read_text(encoding="utf8"), encoding="utf8")
    entry_point(site, "maps", "mine = charts")
    entry_point(site, "games", "skirmish = charts:RULES")
    assert "another-sea" in maps()
    assert read_map("another-sea").title == read_map("hawaii").title
    assert library.games() == ["awaw", "line-of-battle", "skirmish"]
    assert library.ruleset("skirmish") is library.ruleset("line-of-battle")
    assert library.package_of("skirmish") == "charts"
