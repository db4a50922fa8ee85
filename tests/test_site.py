"""The documentation as a site: built strictly, every link leads somewhere, and nothing is loaded from elsewhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest
from starlette.testclient import TestClient

from flagplot.table.server.app import create_app
from flagplot.table.settings import Settings
from tools.site import ROOT, faults


def test_the_site_is_built_without_a_warning_and_served_under_help(tmp_path: Path) -> None:
    built = subprocess.run(
        [sys.executable, "-m", "tools.site", "--to", str(tmp_path)], cwd=ROOT, capture_output=True, text=True
    )
    assert built.returncode == 0, built.stderr
    names = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.html")}
    wanted = {"index", "table", "odds", "build", "hosting", "python", "api", "rulings", "architecture", "glossary"}
    assert {f"{name}.html" for name in wanted | {"changelog", "rules/index", "rules/22"}} <= names
    assert "def choose" not in (tmp_path / "api.html").read_text("utf8"), "docstrings, not source"
    assert "flagplot.Game.choose" in (tmp_path / "api.html").read_text("utf8")
    client = TestClient(create_app(Mock(), Settings(documentation=str(tmp_path))), "http://127.0.0.1:8350")
    assert 'href="/docs/index.html"' in client.get("/help").text
    assert "Your first hour" in client.get("/docs/index.html").text


def test_without_a_site_help_does_not_offer_it(tmp_path: Path) -> None:
    client = TestClient(create_app(Mock(), Settings(documentation=str(tmp_path))), "http://127.0.0.1:8350")
    assert "/docs" not in client.get("/help").text
    assert client.get("/docs/index.html").status_code == 404


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('<a href="other.html">', "other.html leads nowhere"),
        ('<a href="#below">', "#below has no such place"),
        ('<img src="picture.png">', "picture.png leads nowhere"),
        ('<script src="https://elsewhere.example/x.js"></script>', "loads https://elsewhere.example/x.js"),
        ("<script>alert()</script>", "a script stands in the page"),
    ],
)
def test_what_is_wrong_with_a_page_is_found(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "page.html").write_text(f'<p id="above">{text}<a href="#above"><a href="https://fine.example">', "utf8")
    assert [fault in one for one in faults(tmp_path)] == [True]
