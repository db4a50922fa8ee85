"""`--plot`: charts beside the answers of `flagplot odds` and `flagplot simulate`, and what is refused."""

from __future__ import annotations

import os
import struct
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from flagplot.cli.app import app
from flagplot.odds.answers import fire
from tests.cli.conftest import Run
from tests.cli.test_cli_imports import imported_by

QUESTIONS = {
    "air-combat": ["--attackers", "2 japan elite", "--defenders", "2 american naval"],
    "strike": ["--attackers", "2 japan elite", "--target", "Wasp, 4 cruisers, 4 destroyers"],
    "search": ["--groups", "1,3", "--dice", "2"],
    "base-attack": ["--attackers", "2 germany army", "--defenders", "2 britain army"],
    "fire": ["--ships", "Bismarck", "--target", "Hood"],
    "engagement": ["--ours", "Kongo, 4 cruisers", "--theirs", "Washington, 4 cruisers"],
    "submarine": ["--submarines", "1", "--nation", "germany", "--target", "Ark Royal, 2 cruisers"],
    "interception": ["--distance", "12", "--theatre", "pacific", "--cargo"],
}
FIRE = ["odds", "fire", *QUESTIONS["fire"]]
BATTLES = ["simulate", "force-z", "--battles", "12", "--seed", "4", "--jobs", "1"]


@pytest.mark.parametrize("kind", QUESTIONS)
def test_every_question_is_drawn(run: Run, kind: str, tmp_path: Path) -> None:
    plain = run("odds", kind, *QUESTIONS[kind])
    ran = run("odds", kind, *QUESTIONS[kind], "--plot", "chart.svg")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == plain.out + "Plot: chart.svg\n"
    root = ET.fromstring((tmp_path / "chart.svg").read_bytes())
    assert root[1].text == plain.out.removesuffix("\n")  # the text twin
    assert os.listdir(tmp_path) == ["chart.svg"]


def test_every_command_of_odds_has_the_option() -> None:
    odds: Any = get_command(app).commands["odds"]  # type: ignore[attr-defined]
    without = [name for name, one in odds.commands.items() if "--plot" not in [o for p in one.params for o in p.opts]]
    assert without == []
    assert set(QUESTIONS) <= set(odds.commands)


def test_a_simulation_is_drawn(run: Run, tmp_path: Path) -> None:
    plain = run(*BATTLES)
    ran = run(*BATTLES, "--plot", "chart.svg")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == plain.out + "Plot: chart.svg\n"
    text = ET.fromstring((tmp_path / "chart.svg").read_bytes())[1].text or ""
    assert text.startswith("Force Z, December 1941\nSampled: 12 battles from seed 4.")


@pytest.mark.parametrize("command", [FIRE, BATTLES], ids=["odds", "simulate"])
def test_png_has_the_size_of_the_picture(run: Run, tmp_path: Path, command: list[str]) -> None:
    assert run(*command, "--plot", "chart.svg").code == 0
    assert run(*command, "--plot", "chart.PNG").code == 0
    written = (tmp_path / "chart.PNG").read_bytes()
    assert written.startswith(b"\x89PNG\r\n\x1a\n")
    box = ET.fromstring((tmp_path / "chart.svg").read_bytes()).get("viewBox", "")
    _, _, width, height = map(float, box.split())
    size = struct.unpack(">II", written[16:24])
    assert size == pytest.approx((2 * width, 2 * height), abs=1)
    assert written.endswith(b"IEND\xaeB`\x82")


def test_json_stays_one_document(run: Run, tmp_path: Path) -> None:
    for command in (FIRE, BATTLES):
        assert run(*command, "--json", "--plot", "chart.svg").json == run(*command, "--json").json
    assert (tmp_path / "chart.svg").exists()


def test_a_chart_takes_the_place_of_an_older_one(run: Run, tmp_path: Path) -> None:
    chart = tmp_path / "chart.svg"
    chart.write_text("old", encoding="utf8")
    (tmp_path / "link.svg").symlink_to(chart)
    assert run(*FIRE, "--plot", "link.svg").code == 0
    assert (tmp_path / "link.svg").is_symlink()
    assert chart.read_text(encoding="utf8").startswith("<svg ")
    if os.name == "posix":
        mask = os.umask(0)
        os.umask(mask)
        assert chart.stat().st_mode & 0o777 == 0o666 & ~mask


# --- what is refused --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("chart.gif", "the plot is of no known kind: “chart.gif”. Use a file.svg or a file.png"),
        ("chart", "the plot is of no known kind: “chart”"),
        ("", "the plot is of no known kind"),
        ("nowhere/chart.svg", "no such folder for the plot: “nowhere/chart.svg”"),
        ("file/chart.svg", "no such folder for the plot: “file/chart.svg”"),
        ("folder.svg", "the plot cannot be written here: this is not a file: “folder.svg”"),
        ("x" * 300 + ".svg", "the plot cannot be written (File name too long): “xxx"),
        ("/proc/chart.svg", "the plot cannot be written (No such file or directory): “/proc/chart.svg”"),
        ("a\0b.png", "the plot cannot be written"),
    ],
)
@pytest.mark.parametrize("command", ["odds", "simulate"])
def test_a_bad_plot_is_refused_before_anything_is_computed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, given: str, told: str
) -> None:
    if given.startswith("/proc") and sys.platform != "linux":
        pytest.skip("there is no /proc")
    (tmp_path / "folder.svg").mkdir()
    (tmp_path / "file").touch()
    there = sorted(os.listdir(tmp_path))

    def computed(*arguments: Any, **words: Any) -> None:
        raise AssertionError("it was computed")

    monkeypatch.setattr(fire, "fire", computed)
    monkeypatch.setattr("flagplot.cli.simulation.simulate.simulate", computed)
    ran = run(*(FIRE if command == "odds" else BATTLES), "--plot", given)
    assert ran.code == 2
    assert ran.out == ""
    assert told in ran.err
    assert sorted(os.listdir(tmp_path)) == there


def test_a_file_or_folder_that_may_not_be_changed_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "chart.svg").write_text("old", encoding="utf8")
    monkeypatch.setattr("flagplot.draw.files.os.access", lambda path, mode: False)  # root may do everything
    ran = run(*FIRE, "--plot", "chart.svg")
    assert (ran.code, ran.err) == (2, "flagplot: the plot cannot be written (it may not be changed): “chart.svg”\n")
    monkeypatch.setattr(Path, "open", refusing(PermissionError(13, "Permission denied")))
    ran = run(*FIRE, "--plot", "new.svg")
    assert (ran.code, ran.err) == (2, "flagplot: the plot cannot be written (Permission denied): “new.svg”\n")


def refusing(fault: OSError) -> Any:
    def refuse(*arguments: Any, **words: Any) -> None:
        raise fault

    return refuse


def test_nothing_is_half_written(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "chart.svg").write_text("old", encoding="utf8")
    monkeypatch.setattr(Path, "replace", refusing(OSError(28, "No space left on device")))
    ran = run(*FIRE, "--plot", "chart.svg")
    assert ran.code == 2
    assert ran.err == "flagplot: the plot cannot be written (No space left on device): “chart.svg”\n"
    assert "Exact" in ran.out  # the answer is not lost
    assert (tmp_path / "chart.svg").read_text(encoding="utf8") == "old"
    assert os.listdir(tmp_path) == ["chart.svg"]


def test_png_without_pillow_is_refused_with_a_remedy(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    ran = run(*FIRE, "--plot", "chart.png")
    assert ran.code == 2
    assert "PNG needs the package pillow, which is not installed: “chart.png”. Use a file.svg" in ran.err
    assert run(*FIRE, "--plot", "chart.svg").code == 0


def test_pillow_without_fonts_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("PIL.features.check", lambda feature: False)
    ran = run(*FIRE, "--plot", "chart.png")
    assert ran.code == 2
    assert "the package pillow has no fonts here (FreeType): “chart.png”. Use a file.svg" in ran.err


def test_other_mistakes_are_told_as_before(run: Run, tmp_path: Path) -> None:
    ran = run("odds", "fire", "--ships", "Nobody", "--target", "Hood", "--plot", "chart.svg")
    assert (ran.code, ran.out) == (2, "")
    assert "Nobody" in ran.err
    assert os.listdir(tmp_path) == []


def test_pillow_is_imported_for_png_only() -> None:
    modules = imported_by("-m", "flagplot", *FIRE)
    assert not {name for name in modules if name.startswith(("PIL", "flagplot.draw"))}
