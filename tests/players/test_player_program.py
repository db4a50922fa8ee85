"""Players that are other programs: the lines that go to and fro, and everything that such a program can do wrong."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from shlex import join

import pytest

import flagplot
from flagplot.cli.seats import seats
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.players import local_player, player
from flagplot.players.program import LIMIT, ProgramFault, ProgramPlayer, read_command
from flagplot.simulation.battles import Fought
from flagplot.simulation.simulating import simulate

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "programs"


def written(tmp_path: Path, body: str, greeting: str = '{"flagplot": 1}') -> str:
    """The command of a small program that answers each question by what `body` prints."""
    path = tmp_path / "bot.py"
    lines = ["import json, sys, time", "sys.stdin.readline()", f"print('{greeting}', flush=True)"]
    lines += ["for line in sys.stdin:", "    asked = json.loads(line)", f"    {body}"]
    path.write_text("\n".join(lines))
    return join([sys.executable, "-I", "-S", str(path)])


def answer(index: str) -> str:
    return f"print(json.dumps({{'ask': asked['ask'], 'choose': {index}}}), flush=True)"


def played(command: str) -> None:
    """Two answers of a game by that program."""
    game = flagplot.load("malta", seed=1)
    bot = ProgramPlayer(command, 1)
    game.play(dict.fromkeys(game.sides, bot), until=2)


def test_it_chooses_by_text_or_by_number(tmp_path: Path) -> None:
    for choice in ("asked['options'][1]['text']", "1"):
        game = flagplot.load("malta", seed=1)
        request = game.pending
        assert isinstance(request, flagplot.Choose)
        bot = ProgramPlayer(written(tmp_path, answer(choice)), 1)
        assert bot.choose(game.view("axis"), request) == request.options[1]


def test_it_is_told_its_own_view_and_what_is_new_in_its_log(tmp_path: Path) -> None:
    told = tmp_path / "told.jsonl"
    body = f"open({str(told)!r}, 'a').write(line); {answer('0')}"
    game = flagplot.load("first-battle", seed=1)
    game.play({"japan": ProgramPlayer(written(tmp_path, body), 1)}, until=3)
    lines = [json.loads(line) for line in told.read_text().splitlines()]
    assert [line["ask"] for line in lines] == [1, 2, 3]
    assert all(line["position"] and line["options"] and line["question"] for line in lines)
    assert lines[1]["log_from"] == len(lines[0]["log"])
    whole = [entry for line in lines for entry in line["log"]]
    assert whole == [entry.as_dict() for entry in game.log("japan")[: len(whole)]]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("print('nonsense', flush=True)", "not JSON: nonsense"),
        ("print('[1]', flush=True)", "not a JSON object"),
        (answer("'no such thing'"), 'chose "no such thing", which was not offered'),
        (answer("-1"), "chose -1"),
        (answer("True"), "chose true"),
        ("print(json.dumps({'ask': 7, 'choose': 0}), flush=True)", "was asked question 1 and answered question 7"),
        ("raise SystemExit('out of coal')", "ended instead of answering (it wrote: out of coal)"),
        ("time.sleep(60)", "did not answer within 0.3 seconds"),
    ],
)
def test_what_it_does_wrong_is_told(tmp_path: Path, body: str, words: str) -> None:
    limit = "limit=0.3 " if "sleep" in body else ""
    with pytest.raises(ProgramFault) as refused:
        played(limit + written(tmp_path, body))
    assert words in str(refused.value)


def test_it_must_say_which_lines_it_knows(tmp_path: Path) -> None:
    with pytest.raises(ProgramFault, match="should have said"):
        played(written(tmp_path, answer("0"), greeting='{"flagplot": 2}'))
    with pytest.raises(ProgramFault, match="cannot be started"):
        played("./no-such-program")


def test_commands_are_read() -> None:
    assert read_command("node bot.js --deep 'two words'") == (LIMIT, ["node", "bot.js", "--deep", "two words"])
    assert read_command("limit=2.5 ./bot") == (2.5, ["./bot"])
    for wrong in ("", "limit=2", "limit=0 ./bot", "limit=soon ./bot", "./bot 'open"):
        with pytest.raises(BadValue):
            read_command(wrong)


def test_only_who_sits_here_can_start_a_program() -> None:
    """A table takes names of players from browsers, and a save may come from a stranger: neither starts a program."""
    with pytest.raises(UnknownName):
        player("exec:touch owned", 0)
    assert isinstance(local_player("exec:touch owned", 0), ProgramPlayer)
    taken = seats(["japan", "allies"], [], 1, "human", {"japan": "exec:touch owned", "allies": "doctrine"})
    assert taken.who == {"japan": "human", "allies": "doctrine"}


def test_it_fights_simulated_battles_too(tmp_path: Path) -> None:
    """With the log of its side, which our own players do without."""
    fought: list[Fought] = []
    bot = f"exec:{written(tmp_path, answer('0'))}"
    simulate("malta", 1, {"axis": bot}, seed=1, keep=fought.extend)
    assert [one.over for one in fought] == [True]


@pytest.mark.parametrize("example", ["python", "node"])
def test_the_examples_play(example: str) -> None:
    interpreter = sys.executable if example == "python" else shutil.which("node")
    if interpreter is None:
        pytest.skip("there is no node here, so the example in JavaScript was not tried")
    game = flagplot.load("malta", seed=3)
    script = EXAMPLES / ("bot.py" if example == "python" else "bot.js")
    game.play({side: local_player(f"exec:{join([interpreter, str(script)])}", 1) for side in game.sides})
    assert game.result is not None
