"""`tools/verify_dice.py`, which knows nothing of Flagplot, and Flagplot come to the same verdict on every save."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

import flagplot
from flagplot import library
from flagplot.kernel.dice import Committed, Dice, Seeded, Typed, commitment, derive_for, plan_nonce
from flagplot.kernel.errors import UndoRefused
from flagplot.kernel.game import Game
from flagplot.kernel.proof import check_receipts, prove_lines
from flagplot.kernel.requests import Choose, Roll
from flagplot.kernel.tape import Tape, seal
from flagplot.kernel.verifying import verify_lines
from tests.kernel.toys import players, step

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "verify_dice.py"
HUMAN = ("person", "hotseat")
MUTANTS = 1000
Lines = list[bytes]
Body = dict[str, Any]


@cache
def tool() -> Any:
    """The tool, from its file: it is part of no package."""
    spec = importlib.util.spec_from_file_location("verify_dice", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fault_of(lines: Lines) -> str:
    """What the tool finds wrong with some lines; nothing if they are sound."""
    try:
        tool().Save(lines)
    except tool().Fault as fault:
        return str(fault)
    return ""


# --- games of every kind ------------------------------------------------------------------------------------------


def lines_of(game: Game[Any]) -> Lines:
    return [text.encode() for text in game.tape().texts]


class Table:
    """A game as a web table plays it, by chance: nonces, orders, fresh bytes, take-backs, seats."""

    def __init__(self, scenario: str, holders: tuple[str, str], seed: int) -> None:
        plain = flagplot.load(scenario, seed=0)
        seats = dict(zip(plain.sides, holders, strict=True))
        state = plain.ruleset.read(plain.scenario, plain.options)
        self.game = Game(plain.ruleset, plain.scenario, plain.options, state, Committed(f"secret {seed}"), seats)
        self.chance = Random(seed)
        self.bytes: dict[str, str] = {}
        self.kept: dict[str, list[dict[str, str]]] = {side: [] for side in seats}

    def hexadecimal(self, size: int) -> str:
        return self.chance.randbytes(size).hex()

    def people(self) -> list[str]:
        return [side for side, holder in (self.game.seats or {}).items() if holder in HUMAN]

    def receipt(self) -> str:
        assert isinstance(self.game.dice, Committed)
        last = json.loads(self.game.tape().texts[-1])
        return self.game.dice.receipt(last["prev"] if "end" in last else last["hash"])

    def play(self, stop: int = 10_000) -> Table:
        for side in self.people():
            if isinstance(self.game.pending, Choose):
                self.contribute(side)
        while self.game.pending is not None and self.game.turn < stop:
            if isinstance(self.game.pending, Roll):
                self.roll()
            else:
                self.between()
                self.choose()
        return self

    def contribute(self, side: str) -> None:
        given = self.hexadecimal(self.chance.choice([16, 32, 64]))
        self.game.contribute(side, given)
        self.kept[side].append({"contribute": given, "receipt": self.receipt()})

    def between(self) -> None:
        """What may happen while a choice is due."""
        for side in self.people():
            if side not in self.game.open_pledges and self.chance.random() < 0.7:
                self.game.pledge(side, self.new_pledge(side))
        if self.chance.random() < 0.06:
            self.change_a_seat()
        if self.chance.random() < 0.1:
            self.take_back()

    def new_pledge(self, side: str) -> str:
        self.bytes[side] = self.hexadecimal(32)
        return hashlib.sha256(bytes.fromhex(self.bytes[side])).hexdigest()

    def change_a_seat(self) -> None:
        side, holder = self.chance.choice(list((self.game.seats or {}).items()))
        new = self.chance.choice(
            [one for one in ("person", "random", "doctrine", "commodore") if one != holder or one == "person"]
        )
        self.game.change_seat(side, new)
        if new == "person" and holder not in HUMAN:
            self.contribute(side)

    def take_back(self) -> None:
        sides = self.people()
        if not sides:
            return
        side, nonce = self.chance.choice(sides), self.hexadecimal(16)
        consent = next(other for other in self.game.sides if other != side) if self.chance.random() < 0.5 else None
        try:
            self.game.undo(side, consent=consent, nonce=nonce)
        except UndoRefused:
            return
        seats = self.game.seats or {}
        shared = seats.get(consent or side) == seats[side] == "hotseat"
        sender = consent if consent in sides and not shared else side
        self.kept[sender].append({"nonce": nonce, "receipt": self.receipt()})

    def choose(self) -> None:
        request = self.game.pending
        assert isinstance(request, Choose)
        option = self.chance.choice(request.options)
        if request.side not in self.people():
            self.game.choose(option)
        elif self.chance.random() < 0.15:
            self.game.choose(option, by="orders")
        else:
            nonce = self.hexadecimal(16)
            self.game.choose(option, nonce=nonce)
            self.kept[request.side].append({"nonce": nonce, "receipt": self.receipt()})

    def roll(self) -> None:
        before = self.receipt()
        first = '"roll"' not in self.game.tape().texts[-1]
        for side in [side for side in self.game.sides if first and side in self.game.open_pledges]:
            self.kept[side].append({"reveal": self.bytes[side], "before": before})
            if self.chance.random() < 0.15:
                self.game.skip(side)  # told, but too late
            else:
                self.game.reveal(side, self.bytes[side])
        self.game.roll()

    def receipts(self, side: str) -> dict[str, Any]:
        commitment = json.loads(self.game.tape().texts[0])["dice"]["commitment"]
        return {"flagplot": "receipts", "game": "g", "side": side, "commitment": commitment, "kept": self.kept[side]}


TABLES = {
    "battle, two people": ("force-z", ("person", "person"), 11, 10_000),
    "battle, a person and the program": ("savo-island", ("person", "doctrine"), 2, 10_000),
    "battle, hot-seat": ("malta", ("hotseat", "hotseat"), 3, 10_000),
    "battle, the program alone": ("force-z", ("random", "doctrine"), 4, 10_000),
    "battle, unfinished": ("midway", ("person", "person"), 5, 30),
    "operation": ("norwegian-sortie", ("person", "person"), 6, 40),
    "air turn": ("kamikaze-turn", ("random", "person"), 7, 40),
    "Line of Battle": ("denmark-strait", ("person", "person"), 8, 10_000),
}


@cache
def table(name: str) -> Table:
    scenario, holders, seed, stop = TABLES[name]
    return Table(scenario, holders, seed).play(stop)


def ordinary(kind: str) -> Lines:
    """A game that is not a table's."""
    kinds: dict[str, Dice] = {"seeded": Seeded(8), "committed": Committed("hush"), "typed": Typed()}
    game, chance = flagplot.load("malta", dice=kinds[kind.split()[0]]), Random(len(kind))
    who = players(game, 3)
    while game.pending is not None and not ("unfinished" in kind and game.turn > 14):
        if kind == "typed" and isinstance(game.pending, Roll):
            game.roll([chance.randint(1, 6) for _ in range(game.pending.dice)])
            continue
        step(game, who)
        game.tape()  # from here on take-backs are kept
        if "committed" in kind and chance.random() < 0.15 and isinstance(game.pending, Choose):
            game.contribute(game.pending.side, chance.randbytes(32).hex())
        if chance.random() < 0.2 and game.undo_refused() is None:
            game.undo()
    return lines_of(game)


ORDINARY = ["seeded", "seeded unfinished", "committed", "committed unfinished", "typed"]


@cache
def saves() -> dict[str, Lines]:
    return {**{kind: ordinary(kind) for kind in ORDINARY}, **{name: lines_of(table(name).game) for name in TABLES}}


ALL = [*ORDINARY, *TABLES]


@pytest.mark.parametrize("name", ALL)
def test_games_of_every_kind_are_sound_to_both(name: str) -> None:
    lines = saves()[name]
    assert fault_of(lines) == ""
    assert prove_lines(lines).problems == []
    assert verify_lines(lines, library.ruleset).problems == []


def test_all_kinds_of_lines_come_up() -> None:
    found = {key for lines in saves().values() for line in lines for key in json.loads(line)}
    wanted = "choose nonce by undo consent roll contribute pledge reveal skip seat end secret seats"
    assert set(wanted.split()) <= found


@pytest.mark.parametrize("name", ALL)
def test_both_say_the_same_of_every_roll(name: str) -> None:
    lines = saves()[name]
    proof = prove_lines(lines)
    save = tool().Save(lines)
    people = {line["whose"] for line in save.lines} - {""}
    told = tool().verdict(save, None)["rolls"]
    assert [(roll["line"], set(roll["parts"])) for roll in told] == [(one.line, set(one.parts)) for one in proof.rolls]
    for roll, one in zip(told, proof.rolls, strict=True):
        ours = {"the server" if host == "server" else host for host in one.ahead}
        assert set(roll["could_look_ahead"]) == ours & {"the server", *people}, roll["line"]


def a_table(*acts: Body) -> Lines:
    """The lines of a table of Red and Blue at which these things happened, and then a die was rolled."""
    secret = "a secret text"
    dice = {"kind": "committed", "commitment": commitment(secret)}
    seats = {"red": "person", "blue": "person"}
    header = {"flagplot": 2, "program": "0.1.0", "game": "duel", "rules": "duel-1", "scenario": {}, "options": {}}
    made = Tape({**header, "seats": seats, "dice": dice})
    for act in acts:
        made.add(*made.line(act))
    made.add(*made.line({"side": "red", "roll": list(derive_for(Committed(secret), 0, made.head, 1))}))
    made.add(*made.line({"end": {"result": {}, "state": "0" * 64}, "secret": secret}))
    return [text.encode() for text in made.texts]


def server_ahead(lines: Lines) -> bool:
    """Whether the server could have looked ahead at the roll; both say the same."""
    ours = "server" in prove_lines(lines).rolls[0].ahead
    told = tool().verdict(tool().Save(lines), None)["rolls"][0]["could_look_ahead"]
    assert ours == ("the server" in told)
    return ours


def test_the_lines_of_a_plan_were_sent_at_once() -> None:
    """A line of the server between two answers is in time for it if they came one by one, and too late if both were
    one plan: it had the whole plan before it."""
    nonce, pledge = "c2" * 16, {"side": "blue", "pledge": "ab" * 32}
    first = {"side": "red", "choose": "a", "nonce": nonce}
    plan = {"side": "red", "choose": "b", "nonce": plan_nonce(nonce, 1)}
    alone = {"side": "red", "choose": "b", "nonce": "d3" * 16}
    contributed: Body = {"side": "red", "contribute": "0a" * 32}
    assert not server_ahead(a_table(contributed, first, alone))
    assert not server_ahead(a_table(contributed, first, plan))
    assert server_ahead(a_table(contributed, pledge, first, plan))
    assert not server_ahead(a_table(contributed, pledge, first, alone))


def test_who_has_ordered_ahead_may_not_know_its_receipt_when_he_answers_next() -> None:
    """What the server wrote before an order ahead is not fixed when the next answer comes: perhaps nobody had the
    receipt of that order."""
    nonce, pledge = "c2" * 16, {"side": "blue", "pledge": "ab" * 32}
    first = {"side": "red", "choose": "a", "nonce": nonce}
    ahead = {"side": "red", "choose": "b", "nonce": plan_nonce(nonce, 1)}
    later = {"side": "red", "choose": "c", "nonce": "d3" * 16}
    contributed: Body = {"side": "red", "contribute": "0a" * 32}
    assert server_ahead(a_table(contributed, first, pledge, ahead))
    assert server_ahead(a_table(contributed, first, pledge, ahead, later))
    alone = {"side": "red", "choose": "b", "nonce": "e4" * 16}
    assert not server_ahead(a_table(contributed, first, pledge, alone, later))


def test_whoever_runs_the_server_carries_out_orders() -> None:
    ordered = {"side": "red", "choose": "a", "by": "orders"}
    answered = {"side": "red", "choose": "a", "nonce": "c2" * 16}
    contributed: Body = {"side": "red", "contribute": "0a" * 32}
    assert not server_ahead(a_table(contributed, answered))
    assert server_ahead(a_table(contributed, ordered))


# --- receipts -----------------------------------------------------------------------------------------------------


def written(path: Path, lines: Lines) -> Path:
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


@pytest.mark.parametrize("side", ["britain", "japan"])
def test_receipts_that_a_browser_kept_fit_its_game_and_no_other(side: str) -> None:
    played = table("battle, two people")
    lines, receipts = lines_of(played.game), played.receipts(side)
    assert {key for one in receipts["kept"] for key in one} >= {"nonce", "contribute", "reveal"}
    assert tool().Save(lines).check_receipts(receipts) == []
    assert check_receipts(prove_lines(lines), receipts).problems == []
    for number, one in enumerate(receipts["kept"]):
        for key in one:
            other = {**one, key: one[key][:-1] + ("0" if one[key][-1] != "0" else "1")}
            changed = {**receipts, "kept": [*receipts["kept"][:number], other, *receipts["kept"][number + 1 :]]}
            with pytest.raises(tool().Fault, match="receipts: "):
                tool().Save(lines).check_receipts(changed)
            assert check_receipts(prove_lines(lines), changed).problems
        fewer = {**receipts, "kept": [*receipts["kept"][:number], *receipts["kept"][number + 1 :]]}
        late = "reveal" in one and one["reveal"].encode() not in b"".join(lines)
        assert len(tool().Save(lines).check_receipts(fewer)) == (not late)
    with pytest.raises(tool().Fault, match="another commitment"):
        tool().Save(lines).check_receipts({**receipts, "commitment": "0" * 64})


def test_bytes_that_were_told_are_missed_when_the_game_is_over() -> None:
    for name, missed in (("battle, unfinished", False), ("battle, two people", True)):
        played = table(name)
        side = next(iter(played.kept))
        receipts = played.receipts(side)
        receipts["kept"] = [*receipts["kept"], {"reveal": "0a" * 32, "before": "0b" * 32}]
        save = tool().Save(lines_of(played.game))
        assert bool(check_receipts(prove_lines(lines_of(played.game)), receipts).problems) == missed
        with pytest.raises(tool().Fault, match="is missing") if missed else nullcontext():
            save.check_receipts(receipts)


# --- the command --------------------------------------------------------------------------------------------------


def test_it_runs_by_itself_without_flagplot(tmp_path: Path) -> None:
    played = table("battle, two people")
    path, receipts = written(tmp_path / "game.jsonl", lines_of(played.game)), tmp_path / "receipts.json"
    receipts.write_text(json.dumps(played.receipts("japan")))
    run = [sys.executable, "-I", "-S", str(TOOL), str(path), "--receipts", str(receipts)]
    ran = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("no fault\n")
    assert f"head: {played.game.tape().head}" in ran.stdout
    assert f"proved: this is the game of {len(played.kept['japan'])} receipts" in ran.stdout
    found = json.loads(subprocess.run([*run, "--json"], capture_output=True, text=True, check=True).stdout)
    assert found["fault"] is None
    assert {"line", "parts", "could_look_ahead"} == set(found["rolls"][0])


@pytest.mark.parametrize(
    ("text", "code"),
    [(None, 2), ("", 2), ("[]\n", 2), ("A letter\n", 2), ('{"flagplot":1}\n', 1), ('{"flagplot":2}', 1)],
)
def test_bad_input_and_faults_have_their_exit_codes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, code: int
) -> None:
    path = tmp_path / "game.jsonl"
    if text is not None:
        path.write_text(text)
    assert exit_code(path) == code
    assert capsys.readouterr().err.strip().endswith(("is not a save", f"'{path}'")) is (code == 2)


@pytest.mark.parametrize("text", ["", "null", "[]", '{"flagplot":"receipts"}'])
def test_what_is_no_file_of_receipts_is_bad_input(tmp_path: Path, text: str) -> None:
    path, receipts = written(tmp_path / "game.jsonl", saves()["battle, two people"]), tmp_path / "receipts.json"
    receipts.write_text(text)
    assert exit_code(path, "--receipts", str(receipts)) == 2


def exit_code(path: Path, *more: str) -> int:
    try:
        code: int = tool().main([str(path), *more])
    except SystemExit as ended:
        return int(str(ended.code))
    return code


def test_it_is_short_and_needs_nothing_but_python() -> None:
    text = TOOL.read_text(encoding="utf8")
    assert len(text.splitlines()) < 250
    imported = {name for names in re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE) for name in [names]}
    assert imported <= sys.stdlib_module_names


def test_the_game_of_the_document_is_sound() -> None:
    text = (ROOT / "docs" / "proof.md").read_text(encoding="utf8")
    known: dict[str, Any] = {}
    for block in re.findall(r"^```pycon\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        code = "\n".join(row[4:] for row in block.splitlines() if row.startswith((">>> ", "... ")))
        exec(compile(code, "docs/proof.md", "exec"), known)
    lines = [known["written"](line).encode() for line in known["save"]]
    assert fault_of(lines) == ""
    assert prove_lines(lines).problems == []


# --- mutants ------------------------------------------------------------------------------------------------------

Change = Callable[[list[Body], int, Random], None]
CHANGES: list[Change] = []


def change(function: Change) -> Change:
    CHANGES.append(function)
    return function


def said(body: Body) -> list[str]:
    """The keys of a line that are not made anew when it is sealed."""
    return [key for key in body if key not in ("n", "prev", "hash")]


def with_key(body: Body, place: int, key: str, value: Any) -> Body:
    """A body with another key, at some place in the order."""
    items = [(name, held) for name, held in body.items() if name != key]
    return dict([*items[:place], (key, value), *items[place:]])


def sides_of(bodies: list[Body]) -> list[str]:
    return sorted({str(body["side"]) for body in bodies if "side" in body})


@change
def extra_key(bodies: list[Body], at: int, chance: Random) -> None:
    key = chance.choice(["note", "nonce", "by", "consent", "seats", "secret", "pledge", "", "side choose"])
    values: list[Any] = ["orders", "00" * 16, "11" * 32, 1, None, {}]
    bodies[at] = with_key(bodies[at], chance.randint(0, len(bodies[at])), key, chance.choice(values))


@change
def fewer_keys(bodies: list[Body], at: int, chance: Random) -> None:
    del bodies[at][chance.choice(said(bodies[at]))]


@change
def another_order(bodies: list[Body], at: int, chance: Random) -> None:
    keys = said(bodies[at])
    bodies[at] = {key: bodies[at][key] for key in chance.sample(keys, len(keys))}


@change
def another_value(bodies: list[Body], at: int, chance: Random) -> None:
    values: list[Any] = [True, 1.0, 0, -1, "", "x", None, [], {}, "AB" * 16, "00" * 16, "00" * 32, "orders", "person"]
    bodies[at][chance.choice(said(bodies[at]))] = chance.choice([*values, 10**30, 1e300, "\ud800", "\u2028\n"])


@change
def another_spelling(bodies: list[Body], at: int, chance: Random) -> None:
    """Hexadecimal digits in capitals, shorter or longer; numbers as floats or truths."""
    key = chance.choice([key for key in said(bodies[at]) if key not in ("scenario", "options")])
    value = bodies[at][key]
    if isinstance(value, str):
        bodies[at][key] = chance.choice(
            [value.upper(), value[:-1], value + "0", f" {value}", value[::-1], value + "\n"]
        )
    elif isinstance(value, int):
        bodies[at][key] = chance.choice([float(value), bool(value), str(value), value + 1, -value])


@change
def other_faces(bodies: list[Body], at: int, chance: Random) -> None:
    roll = chance.choice([body for body in bodies if "roll" in body] or [{"roll": [1]}])
    roll["roll"] = chance.choice(
        [[], [0], [7], [1.0], [True], ["1"], [*roll["roll"], 1], [7 - one for one in roll["roll"]]]
    )


@change
def other_side(bodies: list[Body], at: int, chance: Random) -> None:
    bodies[at]["side"] = chance.choice([*sides_of(bodies), "nobody", ""])


@change
def other_consent(bodies: list[Body], at: int, chance: Random) -> None:
    undo = chance.choice([body for body in bodies if "undo" in body] or [bodies[at]])
    undo |= {"consent": chance.choice([*sides_of(bodies), "nobody"])} if "consent" in undo else {}
    undo["side"] = chance.choice(sides_of(bodies))


@change
def used_twice(bodies: list[Body], at: int, chance: Random) -> None:
    key = chance.choice(["nonce", "contribute", "pledge", "reveal"])
    found = [body for body in bodies if key in body]
    if len(found) > 1:
        one, other = chance.sample(found, 2)
        one[key] = other[key]


@change
def other_bytes(bodies: list[Body], at: int, chance: Random) -> None:
    """What only a whole game with the same secret would show: the lines stay good."""
    found = [body for body in bodies if "nonce" in body or "contribute" in body]
    if found:
        body = chance.choice(found)
        key = "nonce" if "nonce" in body else "contribute"
        body[key] = chance.randbytes(16).hex()


@change
def by_orders(bodies: list[Body], at: int, chance: Random) -> None:
    """A nonce for orders, orders for a nonce, nothing for either."""
    body = chance.choice([body for body in bodies if "choose" in body] or [bodies[at]])
    marks: list[Body] = [{"nonce": chance.randbytes(16).hex()}, {"by": "orders"}, {"by": "Orders"}, {}]
    bare = {key: value for key, value in body.items() if key not in ("nonce", "by")}
    body.clear()
    body |= {**bare, **chance.choice(marks)}


@change
def inserted(bodies: list[Body], at: int, chance: Random) -> None:
    """A line of some kind in between, as a server might put it there."""
    sides = sides_of(bodies)
    side, fresh = chance.choice(sides), chance.randbytes(32)
    pledges = [body["pledge"] for body in bodies[:at] if "pledge" in body]
    lines: list[Body] = [
        {"side": side, "pledge": hashlib.sha256(fresh).hexdigest()},
        {"side": side, "skip": chance.choice([*pledges[-2:], "00" * 32])},
        {"side": side, "reveal": fresh.hex()},
        {"side": side, "reveal": fresh.hex(), "pledge": chance.randbytes(32).hex()},
        {
            "side": side,
            "seat": chance.choice(
                ["person", "hotseat", "random", "doctrine", "fleet:seconds=2", "doctrine:", "umpire", "random:x y"]
            ),
        },
        {"side": side, "contribute": fresh.hex()},
        {"side": side, "undo": chance.randint(0, 9)},
        {"side": side, "undo": chance.randint(0, 9), "nonce": fresh[:16].hex()},
        {"side": side, "undo": 1, "consent": chance.choice(sides), "nonce": fresh[:16].hex()},
        {"side": side, "choose": "x", "nonce": fresh[:16].hex()},
        {"side": side, "choose": "x", "by": "orders"},
        {"side": side, "choose": "x"},
        {"side": side, "roll": [1]},
        {"end": {"result": {}, "state": "00" * 32}},
        {"end": {"result": {}, "state": "00" * 32}, "secret": "hush"},
    ]
    bodies.insert(max(at, 1), chance.choice(lines))


@change
def pledged_and_skipped(bodies: list[Body], at: int, chance: Random) -> None:
    """A pledge before an answer that asks for dice, a skip or a reveal after it: good lines, if the seats allow it."""
    rolls = [place for place in range(2, len(bodies)) if "roll" in bodies[place] and "choose" in bodies[place - 1]]
    if rolls:
        place, side, fresh = chance.choice(rolls), chance.choice(sides_of(bodies)), chance.randbytes(32)
        pledge = hashlib.sha256(fresh).hexdigest()
        after = chance.choice([{"skip": pledge}, {"reveal": fresh.hex()}])
        bodies[place:place] = [{"side": side, **after}]
        bodies[place - 1 : place - 1] = [{"side": side, "pledge": pledge}]


@change
def dropped(bodies: list[Body], at: int, chance: Random) -> None:
    del bodies[at]


@change
def swapped(bodies: list[Body], at: int, chance: Random) -> None:
    other = chance.randrange(len(bodies))
    bodies[at], bodies[other] = bodies[other], bodies[at]


@change
def doubled(bodies: list[Body], at: int, chance: Random) -> None:
    bodies.insert(at, json.loads(json.dumps(bodies[at])))


@change
def cut_short(bodies: list[Body], at: int, chance: Random) -> None:
    del bodies[at + 1 :]


@change
def other_header(bodies: list[Body], at: int, chance: Random) -> None:
    header = bodies[0]
    seats = dict(header.get("seats") or {"red": "person"})
    side = chance.choice(list(seats))
    kinds: list[Body] = [
        {"flagplot": chance.choice([1, 3, 2.0, "2"])},
        {"program": chance.choice(["1.0 beta", "", "1.0\n", "v1", "1.0rc1"])},
        {
            "seats": {
                **seats,
                side: chance.choice(["person", "hotseat", "random", "doctrine:x=1", "person:1", "umpire", 1]),
            }
        },
        {"seats": dict(reversed(seats.items()))},
        {"seats": {}},
        {"dice": {**header["dice"], "note": 1}},
        {"dice": {"kind": "seeded", "seed": chance.choice([7, True, 7.0, "7"])}},
        {"dice": {"kind": "typed"}},
        {"dice": {"kind": "committed", "commitment": chance.choice(["00" * 32, "AA" * 32, "00"])}},
        {"options": []},
        {"scenario": {**header["scenario"], "title": chance.choice(["x", 1.5, float("nan")])}},
    ]
    other = chance.choice(kinds)
    bodies[0] = with_key(header, 6, "seats", other["seats"]) if "seats" in other else {**header, **other}


@change
def other_end(bodies: list[Body], at: int, chance: Random) -> None:
    if "end" in bodies[-1]:
        end = bodies[-1]["end"]
        others: list[Body] = [
            {"end": {**end, "note": 1}},
            {"end": dict(reversed(end.items()))},
            {"end": {**end, "result": chance.choice([{}, None, [], "won"])}},
            {"end": {**end, "state": chance.choice(["00" * 32, "AA" * 32, 7])}},
            {"secret": chance.choice(["another", "", "x" * 65, "é" * 33])},
        ]
        bodies[-1] |= chance.choice(others)


def resealed(bodies: list[Body], chance: Random) -> Lines:
    """The chain worked out again; mostly with new dice, as a server would do who has the secret."""
    secret = next((body["secret"] for body in reversed(bodies) if body.get("secret")), None)
    rerolled, before, lines = chance.random() < 0.7, "", []
    for number, body in enumerate(bodies):
        body = {key: value for key, value in body.items() if key not in ("n", "prev", "hash")}
        if number:
            body = {"n": number, **body, "prev": before}
        if "roll" in body and isinstance(body["roll"], list) and rerolled and isinstance(secret, str):
            body["roll"] = tool().derive(secret.encode()[:64], before, len(body["roll"])) or body["roll"]
        try:
            text, before = seal(body)
        except ValueError:  # half a character, or no number: no line at all
            text, before = json.dumps(body), "0" * 64
        lines.append(text.encode(errors="surrogatepass"))
    return lines


def scratched(data: bytes, chance: Random) -> bytes:
    """Bytes as they lie on the disk: flipped, cut off, put in, taken out; lines dropped, doubled, swapped."""
    lines, at = data.splitlines(keepends=True), chance.randrange(len(data))
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    way = chance.randrange(9)
    if way < 3:
        return data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :]
    if way == 3:
        return data[:at]
    if way == 4:
        return data[:at] + chance.choice([b" ", b"\n", b"0", b"\xff", b"\r"]) + data[at:]
    if way == 5:
        return data[:at] + data[at + chance.randint(1, 3) :]
    if way == 6:
        return b"".join(lines[:one] + lines[one + 1 :])
    if way == 7:
        return b"".join([*lines[:one], lines[other], *lines[one:]])
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def misspelled(lines: Lines, chance: Random) -> Lines:
    """Lines that say the same in other words of JSON: a key given twice, a blank, an escape, a float."""
    at = chance.randrange(len(lines))
    text = lines[at].decode()
    ways: list[Callable[[str], str]] = [
        lambda text: text.replace("{", '{"n":7,', 1),
        lambda text: text.replace(":", ": ", 1),
        lambda text: text.replace('"hash"', '"h\\u0061sh"', 1),
        lambda text: re.sub(r":(\d+),", r":\1.0,", text, count=1),
        lambda text: re.sub(r":(\d+),", r":-\1,", text, count=1),
        lambda text: text + " ",
        lambda text: "\ufeff" + text,
        lambda text: text[:-1] + ',"hash":"' + "0" * 64 + '"}',
    ]
    other = chance.choice(ways)(text)
    return [*lines[:at], other.encode(), *lines[at + 1 :]]


def mutants() -> Iterator[tuple[str, bytes]]:
    chance = Random(20_261_117)
    small = {name: lines for name, lines in saves().items() if len(lines) < 60}
    for number in range(MUTANTS):
        name = chance.choice(list(small))
        lines = small[name]
        way = chance.random()
        if way < 0.2:
            yield f"{number}: {name}, scratched", scratched(b"".join(line + b"\n" for line in lines), chance)
            continue
        if way < 0.27:
            made, how = misspelled(lines, chance), "misspelled"
        else:
            bodies, at = [json.loads(line) for line in lines], chance.randrange(len(lines))
            mutation = chance.choice(CHANGES)
            mutation(bodies, at, chance)
            made, how = resealed(bodies, chance), mutation.__name__
        yield f"{number}: {name}, {how}", b"".join(line + b"\n" for line in made)


def test_both_come_to_the_same_verdict_on_a_thousand_mutants(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, odd, sound = tmp_path / "mutant.jsonl", [], 0
    for name, data in mutants():
        path.write_bytes(data)
        good = exit_code(path) == 0
        told = capsys.readouterr()
        *whole, torn = data.split(b"\n")
        problems = prove_lines(whole).problems or (["torn"] if torn else [])
        sound += good
        if good is bool(problems):
            odd.append(f"{name}: {(told.out + told.err).splitlines()[0]} / {problems[:1]}")
        elif not good and not flagplot.verify(path).problems:
            odd.append(f"{name}: verify finds nothing, but {told.out}")
    assert odd == []
    assert MUTANTS / 10 < sound < MUTANTS / 2, sound
