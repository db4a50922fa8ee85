"""`flagplot simulate --variants`: a table of changes, and what comes of each."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import flagplot
from flagplot.cli.simulation import variants as command
from flagplot.simulation.variants import VariantsError, play_variants, read_variants

Run = Callable[..., Any]
TABLE = """variant,hornet-group.cruisers,Hornet,forces.landing-group.arrives,player allies
as it was,,,,
more cruisers,8,,,
Hornet away,,absent,,
later,,,2,random
"""
PLAYED = ("simulate", "first-battle", "--variants", "table.csv", "--battles", "1", "--jobs", "1", "--seed", "1")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "table.csv").write_text(TABLE, encoding="utf8")
    return tmp_path


def rows_of(path: Path) -> list[dict[str, str]]:
    return [*csv.DictReader(path.read_text(encoding="utf8").splitlines())]


def test_each_row_changes_the_battle() -> None:
    scenario = flagplot.read_scenario("first-battle")
    first, second, third, last = read_variants(TABLE, scenario)
    assert first.document == scenario
    assert second.document["forces"][2]["ships"][0]["cruisers"] == 8
    without = third.document["forces"][2]
    assert (without["ships"][0]["named"], without["air"], without["task_force"]) == ([], [], False)
    assert last.document["forces"][1]["arrives"] == 2
    assert last.players == {"allies": "random"}


def test_everything_wrong_with_a_table_is_listed_at_once() -> None:
    text = "variant,hornet-grop.cruisers,hornet-group.cruisers,player allies\na,4,,\nb,,7,\nc,,,nobody\n"
    with pytest.raises(VariantsError) as refused:
        read_variants(text, flagplot.read_scenario("first-battle"))
    told = str(refused.value)
    assert "did you mean hornet-group?" in told
    assert "row 2: forces[2].ships[0].cruisers" in told
    assert "no player “nobody”" in told
    for nothing in ("", "variant\na\n", "a,b\n"):
        with pytest.raises(VariantsError):
            read_variants(nothing, flagplot.read_scenario("first-battle"))


def test_variants_are_played_and_can_be_continued(run: Run, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(*PLAYED, "--out", "whole.csv").code == 0
    whole = rows_of(table / "whole.csv")
    assert [row["variant"] for row in whole] == ["as it was", "more cruisers", "Hornet away", "later"]
    assert float(whole[2]["allies won"]) <= 1

    def cut_short(*given: Any, **more: Any) -> Iterator[dict[str, Any]]:
        yield next(play_variants(*given, **more))

    with monkeypatch.context() as patched:
        patched.setattr(command, "play_variants", cut_short)
        assert run(*PLAYED, "--out", "parts.csv").code == 1
    assert len(rows_of(table / "parts.csv")) == 1
    other = [*PLAYED[:5], "2", *PLAYED[6:]]
    assert "another battle, table or number" in run(*other, "--out", "parts.csv", "--resume").err
    assert run(*PLAYED, "--out", "parts.csv", "--resume").code == 0
    assert rows_of(table / "parts.csv") == whole
    assert not (table / "parts.csv.part").exists()
    assert run(*PLAYED, "--out", "parts.csv").code == 2


def test_parquet_is_written_by_pyarrow_or_refused(run: Run, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pyarrow", "pyarrow.parquet", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    assert "pip install pyarrow" in run(*PLAYED, "--out", "rows.parquet").err
    written: list[Any] = []
    arrow, parquet = ModuleType("pyarrow"), ModuleType("pyarrow.parquet")
    arrow.table = lambda columns: columns  # type: ignore[attr-defined]

    def write_table(columns: Any, path: Path) -> None:
        written.append(columns)
        path.write_bytes(b"PAR1")

    parquet.write_table = write_table  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pyarrow", arrow)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", parquet)
    assert run(*PLAYED, "--out", "rows.parquet").code == 0
    assert written[0]["variant"] == ["as it was", "more cruisers", "Hornet away", "later"]
