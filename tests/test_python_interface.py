"""What `import flagplot` offers: results with tables, readable words for everything, and notebooks that run."""

from __future__ import annotations

import inspect
import json
import sys
from dataclasses import FrozenInstanceError
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import pytest

import flagplot
from flagplot.builder import same
from flagplot.kernel.errors import BadValue
from flagplot.kernel.results import LIBRARIES, Result
from flagplot.players.random import RandomPlayer
from tools.notebooks import NOTEBOOKS, executed


def strike() -> Any:
    return flagplot.odds.strike(attackers="2 japan naval", target="Enterprise, 4 cruisers")


def test_odds_know_their_words_and_types() -> None:
    signature = inspect.signature(flagplot.odds.strike)
    assert signature.parameters["attackers"].annotation is str
    assert signature.parameters["attackers"].default is inspect.Parameter.empty
    assert signature.parameters["surprise"].annotation == int | None
    assert "combat air patrol" in flagplot.odds.strike.__doc__
    assert "air_combat" in dir(flagplot.odds)
    assert repr(flagplot.odds.strike).startswith("<flagplot.odds.strike(*, attackers: str")
    assert (
        strike().to_dict()
        == flagplot.odds("strike", attackers="2 japan naval", target="Enterprise, 4 cruisers").as_dict()
    )


def test_results_are_rows_frames_and_html(monkeypatch: pytest.MonkeyPatch) -> None:
    answer, battles = strike(), flagplot.simulate("savo-island", battles=2, seed=1)
    game = flagplot.load("malta", seed=1)
    game.play({side: RandomPlayer(1) for side in game.sides})
    luck = flagplot.luck(game, "umpire")
    results: list[Any] = [answer, battles, luck]
    for result in results:
        assert result.__dataclass_params__.frozen
        rows = result.rows()
        assert len({tuple(row) for row in rows}) == 1
        html = result._repr_html_()
        assert html.startswith("<svg")
        assert html.count("<tr>") == len(rows) + 1
        assert repr(result) == str(result)
    parts = {row["part"] for row in answer.rows()}
    assert sum([row["chance"] for row in answer.rows()]) == pytest.approx(len(parts))
    assert sum([row["mean"] for row in battles.rows() if row["what"] == "won"]) == pytest.approx(1)
    with pytest.raises(FrozenInstanceError):
        luck.rolls = []  # type: ignore[misc]
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(BadValue, match="pip install pandas"):
        answer.to_frame()
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=lambda rows: ("frame", rows)))
    assert answer.to_frame() == ("frame", answer.rows())
    with pytest.raises(BadValue, match="Use pandas or polars"):
        answer.to_frame("excel")


def test_a_battle_of_plain_text_is_a_scenario_that_nobody_can_change() -> None:
    battle = flagplot.build("Japan TF1: Hiryu, 4 CA, 3 DD; 3 NAS\nUS TF16: Hornet, 4 CA, 3 DD; 3 NAS")
    with pytest.raises(FrozenInstanceError):
        battle.reading = None  # type: ignore[misc, assignment]
    battle["forces"].clear()
    battle.to_dict()["forces"].clear()
    assert battle == battle.to_dict()
    assert len(battle["forces"]) == 2
    assert same(flagplot.build(str(battle)), battle.to_dict())
    assert [row["side"] for row in battle.rows()] == ["japan", "united-states"]
    assert "<td>US TF16: Hornet, 4 CA, 3 DD; 3 NAS</td>" in battle._repr_html_()
    assert flagplot.simulate(battle, battles=1).battles == 1


def test_a_meeting_of_players_is_a_result_like_the_others() -> None:
    found: Any = flagplot.arena(["doctrine", "random"], "denmark-strait", games=2, seed=1)
    assert found.__dataclass_params__.frozen
    assert len({tuple(row) for row in found.rows()}) == 1
    assert found._repr_html_().startswith("<svg")
    assert json.dumps(found.to_dict())
    for call in (flagplot.simulate, flagplot.compare, flagplot.arena, flagplot.build):
        signature = inspect.signature(call)
        assert all(one.annotation is not inspect.Parameter.empty for one in signature.parameters.values())
        assert signature.return_annotation in ("Simulation", "Comparison", "Arena", "BuiltBattle")


class Late(Result):
    """A table whose columns show what they hold only far down."""

    def rows(self) -> list[dict[str, Any]]:
        return [{"side": "japan", "mean": number, "low": None} for number in range(200)] + [
            {"side": "allies", "mean": 0.5, "low": 0.25}
        ]


@pytest.mark.parametrize("library", LIBRARIES)
def test_frames_of_real_libraries(library: Literal["pandas", "polars"]) -> None:
    if find_spec(library) is None:
        pytest.skip(f"there is no {library} here, so no data frame of it was made")
    for result in (strike(), flagplot.simulate("savo-island", battles=2, seed=1), Late()):
        rows, frame = result.rows(), result.to_frame(library)
        assert list(frame.columns) == list(rows[0])
        assert len(frame) == len(rows)
        for name in ("chance", "mean"):
            if name in rows[0]:
                assert list(frame[name]) == pytest.approx([row[name] for row in rows])


def test_everything_has_readable_words() -> None:
    game = flagplot.load("first-battle", seed=1)
    view = game.view("japan")
    assert repr(game).endswith("0 answers, waits for japan: Japan: forming combat groups>")
    assert repr(game.pending) == "<Choose japan: Escort the Landing Group with another force?, 2 options>"
    assert "<td>No escort</td>" in game.pending._repr_html_()  # type: ignore[union-attr]
    assert repr(game.pending.options[0]) == "<option strengthen:alone>"  # type: ignore[union-attr]
    assert repr(view) == "<View of japan: A first battle: off Lantern Reef, 1942: round 1>"
    assert repr(game.sheet("japan")) == "<Sheet of japan: 2 decisions>"
    game.play({side: RandomPlayer(1) for side in game.sides}, until=lambda one: isinstance(one.pending, flagplot.Roll))
    assert repr(game.pending).startswith("<Roll ")
    assert repr(view) == "<View of japan, out of date>"


def test_a_game_is_shown_without_secrets() -> None:
    game = flagplot.load("first-battle", seed=1)
    assert "Hiryu" not in game._repr_svg_()
    assert "Hiryu" in game.view("japan")._repr_svg_()
    assert "Landing" not in repr(game)
    game.play({side: RandomPlayer(1) for side in game.sides})
    assert repr(game).endswith("over>")
    assert "Hiryu" in game._repr_svg_()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_show_what_is_stored(path: Path) -> None:
    """Run tools.notebooks if this fails because something is now said better."""
    notebook = json.loads(path.read_text(encoding="utf8"))
    stored = [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [told(outputs) for outputs in executed(notebook)] == [told(outputs) for outputs in stored]
    assert any([kind in output.get("data", {}) for outputs in stored for output in outputs for kind in ("text/html",)])


def told(outputs: list[dict[str, Any]]) -> list[str]:
    """The words of some outputs; pictures may be drawn better."""
    return ["".join(output["text"] if "text" in output else output["data"]["text/plain"]) for output in outputs]


def test_there_are_two_notebooks() -> None:
    assert len(NOTEBOOKS) == 2
