"""`flagplot serve`, `export` and `import`: a real server that is killed and started again, and tables that move."""

from __future__ import annotations

import json
import os
import random
import secrets
import select
import signal
import stat
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.cli import main
from flagplot.kernel.dice import Committed
from flagplot.kernel.requests import Choose
from flagplot.kernel.ruleset import NEUTRAL
from flagplot.players.random import RandomPlayer
from flagplot.table.server.app import create_app
from flagplot.table.settings import Settings
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from tests.forking import SERVER, Forked, forker
from tests.table.browsers import Browser, words
from tests.table.databases import Cluster
from tests.table.nonces import fresh_nonce, with_nonce

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 90.0


class Served:
    """A server in a process of its own; without arguments it starts by itself, else it is forked."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(folder), "FLAGPLOT_PORT": "0"}
        self.errors = folder / f"errors-{secrets.token_hex(4)}"
        heard, said = os.pipe()
        self.out = os.fdopen(heard, encoding="utf8")
        self.process: subprocess.Popen[bytes] | Forked
        with open(os.devnull) as nothing, os.fdopen(said, "w") as out, open(self.errors, "w") as errors:
            if arguments:
                files = [nothing.fileno(), out.fileno(), errors.fileno()]
                self.process = forker(SERVER).start(arguments, files, folder, environment)
            else:
                command = [sys.executable, "-P", "-m", "flagplot"]
                self.process = subprocess.Popen(
                    command, stdin=nothing, stdout=out, stderr=errors, env=environment, cwd=folder
                )
        assert select.select([self.out], [], [], PATIENCE)[0], "no address was printed"
        self.said = self.out.readline()
        self.address = next((word for word in self.said.split() if word.startswith("http://")), "")

    def call(self, path: str, token: str = "", body: Any = None) -> Any:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        body = with_nonce(path, body)
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(
            urllib.request.Request(self.address + path, data, headers), timeout=PATIENCE
        ) as got:
            return json.loads(got.read())

    def listen(self, path: str, token: str) -> Any:
        headers = {"Authorization": f"Bearer {token}"}
        return urllib.request.urlopen(urllib.request.Request(self.address + path, headers=headers), timeout=PATIENCE)

    def end(self, sign: signal.Signals) -> tuple[int, str]:
        self.process.send_signal(sign)
        return self.process.wait(PATIENCE), self.errors.read_text(encoding="utf8")


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    started: list[Served] = []

    def start(*arguments: str) -> Served:
        started.append(Served(tmp_path, *arguments))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.wait()
        each.out.close()


def test_a_server_is_killed_and_started_again_and_nothing_is_lost(
    serve: Callable[..., Served], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = serve()  # as with no arguments at all
    assert f"tables are kept in {tmp_path / 'flagplot'}" in first.said
    assert first.address.startswith("http://127.0.0.1:")
    how = f"{Path(sys.executable).name} -m flagplot serve --host ::"
    assert first.out.readline().endswith(f"For others in your network type: {how}\n")
    made = first.call("/api/tables", body={"scenario": "first-battle"})
    for token in made["tokens"].values():
        first.call("/api/join", token, {"contribution": secrets.token_hex(32)})
    given = answer_some(first, made, 6)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["serve", "--port", "0"]) == 2
    assert "another server keeps its tables there" in capsys.readouterr().err
    first.end(signal.SIGKILL)
    second = serve("serve", "--data", str(tmp_path / "flagplot"))
    looks = [second.call(f"/api/tables/{made['game']}/sides/{side}", token) for side, token in made["tokens"].items()]
    assert [look["moment"] for look in looks] == given
    answer_some(second, made, 4)
    code, err = second.end(signal.SIGTERM)
    assert code in (0, -signal.SIGTERM)
    assert not [token for token in made["tokens"].values() if token in err]
    assert "Traceback" not in err
    out = tmp_path / "out.jsonl"
    assert main(["export", "--out", str(out)]) == 0
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert made["game"] in out.read_text(encoding="utf8")


def answer_some(server: Served, made: dict[str, Any], number: int) -> list[int]:
    """Random answers over the network; the moments of both sides then."""
    chance = random.Random(number)
    while number:
        for side, token in made["tokens"].items():
            path = f"/api/tables/{made['game']}/sides/{side}"
            question = server.call(f"{path}/turn", token)["question"]
            if question and number:
                option = chance.choice(question["options"])["text"]
                server.call(f"{path}/answers", token, {"option": option, "at": question["at"]})
                number -= 1
    sides = f"/api/tables/{made['game']}/sides"
    return [server.call(f"{sides}/{side}/turn", token)["moment"] for side, token in made["tokens"].items()]


def test_two_servers_share_one_postgresql(serve: Callable[..., Served], postgres: Cluster) -> None:
    address = postgres.cleared()
    first, second = serve("serve", "--store", address), serve("serve", "--store", address)
    assert "tables are kept in PostgreSQL" in first.said
    made = first.call("/api/tables", body={"scenario": "denmark-strait"})
    side, other = made["tokens"]
    turn = f"/api/tables/{made['game']}/sides/{{}}/turn"
    if not second.call(turn.format(side), made["tokens"][side])["question"]:
        side, other = other, side
    with second.listen(f"/api/tables/{made['game']}/sides/{other}/events", made["tokens"][other]) as stream:
        assert told(stream)["waiting_for"] == side
        chance = random.Random(1)
        while question := first.call(turn.format(side), made["tokens"][side])["question"]:
            body = {"option": chance.choice(question["options"])["text"], "at": question["at"]}
            first.call(f"/api/tables/{made['game']}/sides/{side}/answers", made["tokens"][side], body)
        while (news := told(stream))["waiting_for"] == side:
            assert news
        assert news["waiting_for"] == other
    answer_some(second, made, 2)
    looks = [
        server.call(f"/api/tables/{made['game']}/sides/{side}", made["tokens"][side]) for server in (first, second)
    ]
    assert looks[0] == looks[1]


def told(stream: Any) -> Any:
    """The next event of a stream."""
    for line in stream:
        if line.startswith(b"data: "):
            return json.loads(line[6:])
    raise AssertionError("the stream ended")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["serve", "--port", "many"], "--port is not a number"),
        (["serve", "--port", "70000"], "0 to 65535"),
        (["serve", "--store", "mysql://x"], "no such kind of store"),
        (["serve", "--store", "x", "--data", "y"], "not both"),
        (["serve", "--data", "/dev/null/x"], "cannot be kept there"),
        (["serve", "--host", "203.0.113.1", "--port", "1"], "cannot listen there"),
        (["export", "--data", "nowhere"], "no tables are kept there"),
        (["import", "nowhere.jsonl"], "cannot be read"),
        (["import", "--store"], "requires an argument"),
    ],
)
def test_bad_input_is_refused(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    assert main(arguments) == 2
    assert words in capsys.readouterr().err


# --- tables that move -------------------------------------------------------------------------------------------


def begun(address: str) -> tuple[str, dict[str, str], Any]:
    """A store with a table in the middle of a battle: its id, tokens, and what the allies see."""
    tables = Tables(Store(address))
    made = tables.create("midway", title="Moves")
    chance = random.Random(1)
    for token in made.tokens.values():
        tables.join(token, name="Somebody", contribution=secrets.token_hex(32))
    for _ in range(8):
        side = tables.look(made.game, NEUTRAL).waiting_for
        assert side is not None
        question, _, _ = tables.asked(made.game, side)
        assert question is not None
        tables.answer(made.game, side, chance.choice(question.options).text, question.at, fresh_nonce())
    look = tables.look(made.game, "allies")
    tables.close()
    return made.game, dict(made.tokens), look


def test_tables_move_from_one_store_to_another_with_their_links(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, tokens, look = begun(address)
    out, other = str(tmp_path / "moved.jsonl"), str(tmp_path / "other.sqlite")
    assert main(["export", game, "--out", out, "--store", address]) == 0
    assert "1 table written" in capsys.readouterr().out
    assert main(["export", "--out", out, "--store", address]) == 2
    assert "left as it is" in capsys.readouterr().err
    assert main(["export", "gnowhere", "--out", out + "2", "--store", address]) == 2
    assert "no such table" in capsys.readouterr().err
    assert main(["import", out, "--store", other, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["imported"] == [game]
    assert main(["import", out, "--store", other]) == 1
    assert f"table {game} exists already and was left alone" in capsys.readouterr().err
    tables = Tables(Store(other))
    assert tables.seat(tokens["allies"]).name == "Somebody"
    assert tables.look(game, "allies") == look
    question, _, _ = tables.asked(game, str(look.waiting_for))
    assert question is not None
    tables.answer(
        game, question.side, question.options[0].text, question.at, fresh_nonce()
    )  # the secret of the dice came along
    tables.close()


def test_a_damaged_archive_is_refused_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, _, _ = begun(str(tmp_path / "a.sqlite"))
    out, other = tmp_path / "a.jsonl", str(tmp_path / "b.sqlite")
    assert main(["export", "--out", str(out), "--store", str(tmp_path / "a.sqlite")]) == 0
    packed = json.loads(out.read_text(encoding="utf8"))
    wrong = []
    changes: list[Callable[[Any], Any]] = [
        lambda entry: entry["lines"].pop(2),
        lambda entry: entry["lines"].pop(),
        lambda entry: entry["lines"].__setitem__(1, [1, entry["lines"][1][1].replace("a", "b", 1), 0.0]),
        lambda entry: entry.pop("seats"),
        lambda entry: entry.update({"flagplot-archive": 7}),
        lambda entry: entry.update({"lines": []}),
    ]
    for change in changes:
        entry = json.loads(json.dumps(packed))
        change(entry)
        wrong.append(json.dumps(entry))
    wrong[1] = "this is no JSON"
    for number, text in enumerate([*wrong, ""]):
        path = tmp_path / f"wrong-{number}.jsonl"
        path.write_text(f"{text}\n" if text else "", encoding="utf8")
        assert main(["import", str(path), "--store", other]) == 2, text[:200]
        assert capsys.readouterr().err.startswith("flagplot: ")
    store = Store(other)
    assert store.ids() == []
    assert game
    store.close()


def test_a_save_becomes_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save, other = tmp_path / "game.jsonl", str(tmp_path / "b.sqlite")
    game = flagplot.load("midway", dice=Committed("hush"))
    game.save(save)
    who = {side: RandomPlayer(place) for place, side in enumerate(game.sides)}
    game.play(who, until=lambda at: at.turn >= 7 and isinstance(at.pending, Choose))
    game.stop_saving()
    capsys.readouterr()
    assert main(["import", str(save), "--store", other, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)["made"]
    tables = Tables(Store(other))
    seat = tables.join(made["sides"]["japan"])
    look = tables.look(seat.game, "japan")
    assert (look.view, look.log) == (game.view("japan").position, game.log("japan"))
    assert tables.seat(made["host"]).is_host
    asked = next(question for side in game.sides if (question := tables.asked(seat.game, side)[0]))
    receipt = tables.answer(seat.game, asked.side, asked.options[0].text, asked.at, "ab" * 16)
    assert receipt == "", "no line of this game has the nonce, so a receipt would never match"
    guest = Browser(create_app(tables, Settings(log_requests=False)))
    proof = f"/watch/{tables.table(seat.game).public_id}/proof"
    assert "This game was begun in the terminal." in words(guest.get(proof))
    assert "begun in the terminal" not in words(guest.get(f"/watch/{tables.create('midway').public_id}/proof"))
    tables.close()
    save.with_name("game.jsonl.secret").unlink()
    assert main(["import", str(save), "--store", other]) == 2
    assert "secret file is missing" in capsys.readouterr().err
