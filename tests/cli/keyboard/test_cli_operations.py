"""Operations at the keyboard and in files: the map, the line of steps, why something is not offered, the report."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.awaw.board.boards import board_of
from flagplot.awaw.state.operation import Activity, Progress
from flagplot.awaw.views.operation import BaseStrikeView, ForceView, MeetingView, OperationView, VoyageView
from flagplot.awaw.views.position import SiteView
from flagplot.board.model import Board
from flagplot.cli.keyboard import sea_map as seamap
from flagplot.cli.keyboard.position import news_lines
from flagplot.cli.keyboard.steps import stage_of
from flagplot.kernel.view_types import HIDDEN
from flagplot.kernel.views import View
from flagplot.players.random import RandomPlayer
from tests.awaw.looks import flight, position, staged
from tests.cli.terminals import Start, plain

Run = Callable[..., Any]
JAPAN = ("coral-sea-operation", "--player", "japan=human", "--player", "allies=random", "--seed", "4")
ROW = re.compile(r"^ *-?\d+,-?\d+ .*·", re.MULTILINE)
"""A row of a map."""


def played(tmp_path: Path, seed: int, until: int = 0, scenario: str = "coral-sea-operation") -> Path:
    """A save of a game between random players, whole or the first answers of it."""
    game = flagplot.load(scenario, seed=seed)
    path = tmp_path / "game.jsonl"
    game.play({side: RandomPlayer(seed + place) for place, side in enumerate(game.sides)}, until=until or 100_000)
    game.save(path, follow=False)
    return path


# --- in a pipe --------------------------------------------------------------------------------------------------


def test_a_person_sees_forces_map_step_and_question(run: Run) -> None:
    out = run("play", *JAPAN, typed="").out
    assert "TF 1 (Japan) in Truk: Shokaku" in out
    assert re.search(r"^  TF 1 \(Allies\) in [^:\n]+$", out, re.MULTILINE)  # a marker, and nothing of what it hides
    assert "Lexington" not in out
    assert re.search(r"^\[1\] TF 1.* \(Japan\), Truk \(4,-11\)$", out, re.MULTILINE)
    assert "Movement stage: [announce] patrols bases intercept sail carry-out home (22.15)" in out
    assert "Japan › Choose an activity for your TF 1 in Truk (22.15)\n  1  Stay in port\n" in out


def test_the_map_comes_again_only_if_it_has_changed_or_is_asked_for(run: Run) -> None:
    once = len(ROW.findall(run("play", *JAPAN, typed="").out))
    assert once > 10
    assert len(ROW.findall(run("play", *JAPAN, typed="1\n").out)) == once  # the force stays in port
    asked = run("play", *JAPAN, typed="1\nmap\n").out
    assert len(ROW.findall(asked)) == 2 * once
    assert "Ros the waters off Rossel Island" in asked


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        pytest.param(
            ("2", "1", "map"),
            ("TF 1 (Japan): patrol, to the Coral Sea, 11 hexes\n", "[1]* ·", "* path"),
            id="what is announced is listed",
        ),
        pytest.param(
            ("why",),
            ("TF 1 (Japan): fast carrier mission (the Coral Sea) is announced in the combat stage (22.15A)",),
            id="why names the rule",
        ),
        pytest.param(
            ("99",),
            (
                "“99” is not an answer here. Type 1 to 4, or help (22.15).",
                "“why” says what is not offered to your forces, and why.",
            ),
            id="a refusal names the rule and the way to learn more",
        ),
        pytest.param(
            ("round",),
            (
                "  announce   all naval activities of the stage are announced (now)\n",
                "  home       all forces return to base and may be intercepted again\n",
            ),
            id="round tells the steps in words",
        ),
    ],
)
def test_what_a_person_asks_for_is_told(run: Run, typed: tuple[str, ...], told: tuple[str, ...]) -> None:
    out = run("play", *JAPAN, typed="".join(f"{line}\n" for line in typed)).out
    assert [words for words in told if words not in out] == []


def test_help_lists_map_and_why_and_an_air_phase_has_no_map(run: Run) -> None:
    out = run("play", "malta", "--player", "axis=human", "--seed", "3", typed="help\nmap\nwhy\n9\n").out
    assert "  map        in an operation: the map with all names" in out
    assert "This game has no map." in out
    assert "  why        what is not offered to your forces now, and the rule that forbids it" in out
    assert "Alexandria: none of your air units can reach it (18.521)" in out


# --- at a terminal ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
def test_a_whole_operation_at_the_keyboard(start: Start, columns: int, rows: int) -> None:
    """From the announcement to the return, always with an answer that lets forces sail."""
    table = start("play", *JAPAN, "--level", "step", columns=columns, rows=rows)
    screen = plain(table.prompt())
    screens = [screen]
    while table.step(eager_answer(screen)):
        screen = plain(table.fresh)
        screens.append(screen)
        assert len(screens) < 500
        if "Save the game" in screen:
            break
    told = "".join(screens)
    assert max(len(line) for line in told.splitlines()) <= columns
    assert "Combat stage  announce bases intercept [sail] carry-out home" in told
    assert "Game over ─" in told
    assert " for activities, " in told
    assert re.search(r"^  - TF \d+ \(Japan\)[^:]*: in ", told, re.MULTILINE)
    assert len(ROW.findall(told)) > 40


def eager_answer(screen: str) -> str:
    """An answer by which something happens, if one is offered."""
    question = screen.rpartition(" › ")[2]
    offered = re.findall(r"^ +([0-9]+)  (.*)$", question, re.MULTILINE)
    wanted = (
        "fast carrier",
        "invasion",
        "patrol: the coral",
        "stay for",
        "keep fighting",
        "stay and fight",
        "no more",
        "no attack",
    )
    for word in wanted:
        for number, words in offered:
            if word in words.lower():
                return str(number)
    found = re.search(r"^ +([0-9]+) ", question, re.MULTILINE)
    return found[1] if found else ""


# --- a fight on the map -----------------------------------------------------------------------------------------


def test_in_a_battle_a_line_says_where_on_the_map_it_is() -> None:
    view = in_combat()
    board, data = view.board, view.data
    (line,) = news_lines(board, board.told("fight"))
    where = data["fighting"]["where"]
    assert line.text.plain.startswith(f"Naval combat in {where}: ")
    assert "(Japan)" in line.text.plain
    assert "(Allies)" in line.text.plain
    assert board.heading == f"Operation MO, May 1942: naval combat in {where}"
    assert [line.text.plain.split("  ")[0] for line in stage_of(board)] == [
        f"{data['stage'].capitalize()} stage",
        "Round 1",
    ]


def in_combat() -> View:
    """A moment of a random game at which there is naval combat."""
    for seed in range(200):
        game = flagplot.load("coral-sea-operation", seed=seed)
        players = {side: RandomPlayer(seed + place) for place, side in enumerate(game.sides)}
        while game.pending is not None:
            view = game.view("allies")
            now = seamap.moment_of(view.position, view.board)
            if now and now.is_naval_combat:
                return view
            game.play(players, until=game.turn + 1)
    raise AssertionError("there was no naval combat in 200 games")


def at_sea(**parts: Any) -> Board:
    """The board of Red's operation."""
    usual: dict[str, Any] = dict.fromkeys(("fighting", "base_strike", "step"))
    usual |= dict.fromkeys(("port_dives", "sunk", "sunk_elsewhere"), ())
    usual |= {"forces": {}, "flotillas": {}, "voyages": {}, "points": {}, "stage": "combat"}
    usual |= {
        "theatre": "pacific",
        "nations": {"red": ("japan",), "blue": ("united-states",)},
        "cards": "",
        "safe_coast": (),
    }
    lae = SiteView(
        name="Lae", side="blue", at=(0, 0), kind="base", air=(), searching=(), struck=(), counteraired=False,
        marker=None, hidden=HIDDEN, has=None,
    )  # fmt: skip
    return board_of(position(kind="operation", sites={"lae": lae}, operation=staged(OperationView, **usual | parts)))


def test_an_attack_on_a_base_shows_who_flies() -> None:
    attackers = (flight("3 Japanese naval air squadrons"),)
    attack = BaseStrikeView(side="red", base="lae", sortie=2, counterair=(), attackers=attackers, aims=(), ships=())
    assert [str(news) for news in at_sea(base_strike=attack).news] == [
        "Attack on Lae, sortie 2: 3 Japanese naval air squadrons against the ships"
    ]
    assert at_sea().news == ()


def test_who_intercepts_whom_is_a_tree() -> None:
    meeting = MeetingView(meet=(0, 0), meets="Milne Bay", reached=0)
    board = at_sea(
        forces={
            "a": marker("TF 1 (Red)", "red"),
            "b": marker("TF 1 (Blue)", "blue"),
            "c": marker("TF 2 (Red)", "red"),
        },
        voyages={
            "v1": voyage("red", "a", what="sea transport", bound="Lae", cargo=True),
            "v2": voyage("blue", "b", level=1, target="v1", meeting=meeting, arrives=2, path=((0, 0),) * 6),
            "v3": voyage("red", "c", level=2, target="v2", meeting=meeting, path=((0, 0),) * 3),
        },
    )
    assert board.sea is not None
    assert [f"{' ' * line.indent}{line.text.plain}" for line in news_lines(board, board.sea.announced)] == [
        "TF 1 (Red): sea transport, to Lae, path unknown, with cargo",
        "  intercepted in Milne Bay by TF 1 (Blue), 5 hexes away: late: arrives in round 2",
        "    counter-intercepted in Milne Bay by TF 2 (Red), 2 hexes away: dice not yet rolled",
    ]


def marker(name: str, side: str) -> ForceView:
    return ForceView(
        marker=name, side=side, task_force=True, base="", at=(0, 0), where="Lae", voyage="", patrol="",
        inverted=False, ships=HIDDEN, own=HIDDEN, sunk_in_port=None,
    )  # fmt: skip


def voyage(side: str, force: str, **more: Any) -> VoyageView:
    usual = {"activity": Activity.SEA_TRANSPORT, "joins": "", "cargo": False, "progress": Progress.ANNOUNCED}
    where = {"base": "", "at": (0, 0), "where": "", "names": "", "destination": HIDDEN, "bound": HIDDEN, "path": HIDDEN}
    none = {"level": 0, "target": "", "flotilla": "", "arrives": 0, "meeting": None}
    return VoyageView(**{"side": side, "forces": (force,), "what": "interception", **usual, **where, **none, **more})


# --- files ------------------------------------------------------------------------------------------------------


def eventful(tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    """A whole game in which there is something to tell of everything."""
    for seed in range(100):
        path = played(tmp_path, seed)
        result = flagplot.resume(path, follow=False).result
        kinds = {event["kind"] for event in result["record"]} if result else set()
        if result and result["fights"] and kinds >= {"activity", "interception", "done"}:
            return path, result
        path.unlink()
    raise AssertionError("nothing happened in 100 games")


def test_a_report_tells_the_whole_operation(run: Run, tmp_path: Path) -> None:
    path, result = eventful(tmp_path)
    out = run("report", str(path)).out
    for title in ("Result", "Announced", "Intercepted", "Fought", "Carried out", "Home", "Losses"):
        assert f"\n{title}\n{'-' * len(title)}\n" in out
    assert max(map(len, out.splitlines())) <= 72
    whole = " ".join(out.split())
    for fight in result["fights"]:
        assert f"{fight['where']}, {fight['stage']} stage: " in whole
        assert not fight["rule"] or f"({fight['rule']})" in whole
    for force in result["home"]:
        assert (
            f"- {force['marker']}: in {force['base']}; {'inverted' if force['inverted'] else 'not inverted'}" in whole
        )


def test_a_report_in_the_middle_tells_where_it_stands(run: Run, tmp_path: Path) -> None:
    path = played(tmp_path, 3, until=30)
    out = run("report", str(path), "--as", "allies").out
    assert re.search(r"(Movement|Combat) stage, [a-z-]+; still in progress\. As known to Allies\.", out)
    assert "Shokaku" not in out


def test_the_map_of_a_save_shows_what_the_side_may_know(run: Run, tmp_path: Path) -> None:
    path = played(tmp_path, 3, until=30)
    ran = run("map", "--game", str(path), "--as", "allies", "--svg", "map.svg")
    assert ran.code == 0
    assert "as known to Allies" in ran.out
    picture = (tmp_path / "map.svg").read_text(encoding="utf8")
    for side in ("Allies", "Japan"):
        assert re.search(rf": TF 1[^<]*\({side}\)", picture)
    for text in (ran.out, picture):
        assert "Shokaku" not in text
        assert "the Carrier Force" not in text


def test_a_path_that_nobody_asked_for_is_not_on_the_enemys_map(run: Run, tmp_path: Path) -> None:
    game = flagplot.load("coral-sea-operation", seed=1)
    while "Choose the next patrol to sail" not in str(game.pending):
        place = 1 if "Choose an activity for" in str(game.pending) else 0
        game.choose(game.pending.options[place])  # type: ignore[union-attr]
    game.save(tmp_path / "game.jsonl", follow=False)
    own = run("map", "--game", "game.jsonl", "--as", "japan", "--json").json
    theirs = run("map", "--game", "game.jsonl", "--as", "allies", "--json").json
    assert [entry["who"] for entry in own["paths"]][:1] == ["TF 1 (Japan), patrol"]
    assert theirs["paths"] == []
    assert own["marks"] == theirs["marks"]


@pytest.mark.parametrize(
    ("arguments", "quoted", "allowed"),
    [
        (["--as", "japan"], "“--as japan”", "--game FILE"),
        (["coral-sea", "--game", "game.jsonl"], "“--game”", "--as SIDE"),
        (["--game", "game.jsonl", "--as", "moon"], "“moon”", "umpire"),
        (["--game", "nothing.jsonl"], "“nothing.jsonl”", ""),
        (["--game", "malta.jsonl"], "“malta.jsonl”", "a save of an operation"),
        (["--game", "game.jsonl", "--svg", "no/such/file.svg"], "“no/such/file.svg”", ""),
    ],
)
def test_wrong_input_for_a_map(run: Run, tmp_path: Path, arguments: list[str], quoted: str, allowed: str) -> None:
    played(tmp_path, 3, until=5)
    flagplot.load("malta", seed=1).save(tmp_path / "malta.jsonl", follow=False)
    ran = run("map", *arguments)
    assert ran.code == 2
    assert quoted in ran.err
    assert allowed in ran.err


def test_replay_luck_and_simulate_know_operations(run: Run, tmp_path: Path) -> None:
    path = str(eventful(tmp_path)[0])
    assert "Naval activities of the player turn completed (22.15)" in run("replay", path, "--as", "allies").out
    assert "hexes reached" in run("luck", path).out
    players = ("--player", "japan=random", "--player", "allies=random")
    found = run(
        "simulate", "coral-sea-operation", "--battles", "3", "--seed", "1", "--jobs", "1", *players, "--json"
    ).json
    figures = found["sides"]["japan"]["figures"]
    assert {"points", "factors_sunk", "battles_won", "cargo_factors_landed"} <= set(figures)
    assert set(found["sides"]["allies"]["named"]) == {"Lexington", "Yorktown"}
    assert found["complete"]


def test_the_end_tells_points_and_who_is_home(run: Run) -> None:
    out = run("play", "coral-sea-operation", "--player", "japan=random", "--player", "allies=random", "--seed", "3").out
    end = out.partition("== Game over ==")[2]
    assert re.search(r"won: Japan \d+ to Allies \d+ points\.", end)
    assert "Home:\n" in end
    assert re.search(r"^  - TF \d+ \(Japan\)[^:]*: in ", end, re.MULTILINE)


def test_a_view_as_text_has_the_line_of_steps() -> None:
    game = flagplot.load("coral-sea-operation", seed=3)
    view: View = game.view("allies")
    assert "Movement stage: [announce] patrols bases intercept sail carry-out home (22.15)" in str(view)
