"""What operators copy: the container, its neighbours and the service name only what there is."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from flagplot.table.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"
HOSTING = (ROOT / "docs" / "hosting.md").read_text(encoding="utf8")


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf8"))
    return found


def test_every_variable_is_a_setting() -> None:
    table = compose()["services"]["table"]["environment"]
    image = re.findall(r"FLAGPLOT_\w+", (DEPLOY / "Containerfile").read_text(encoding="utf8"))
    unit = re.findall(r"FLAGPLOT_\w+", (DEPLOY / "flagplot.service").read_text(encoding="utf8"))
    for name in {*table, *image, *unit}:
        assert f"`{name}`" in HOSTING, name


def test_what_compose_sets_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in compose()["services"]["table"]["environment"].items():
        filled = re.sub(r"\$\{FLAGPLOT_ADDRESS[^}]*\}", "https://table.example", value)
        monkeypatch.setenv(name, re.sub(r"\$\{[^}]*\}", "", filled))
    assert Settings.from_environment(host="::", port=8350).url == "https://table.example"


def test_the_image_is_built_of_what_there_is() -> None:
    text = (DEPLOY / "Containerfile").read_text(encoding="utf8")
    (extras,) = re.findall(r"/src\[([\w,]+)\]", text)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]
    assert set(extras.split(",")) <= set(project["optional-dependencies"])
    assert "/src/requirements.lock" in text
    assert (ROOT / compose()["services"]["table"]["build"]["dockerfile"]).is_file()


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="there is no systemd here, so the unit was not judged"
)
def test_the_service_is_sound(tmp_path: Path) -> None:
    unit = (DEPLOY / "flagplot.service").read_text(encoding="utf8")
    (tmp_path / "flagplot.service").write_text(unit.replace("/srv/flagplot/run", "/bin/true"), encoding="utf8")
    command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / "flagplot.service")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "flagplot.service" in done.stderr) == (0, False), done.stderr
