"""Standing orders: what they answer, how their files are read, and how they look at the table."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

import flagplot
from flagplot.awaw.views.battle import StrengthView
from flagplot.kernel.requests import Choose
from flagplot.players.orders import Order, OrdersError, StandingOrders, fits, orders_of, read_orders, taken_by
from flagplot.players.random import RandomPlayer
from tests.cli.terminals import Start, any_answer

Run = Callable[..., Any]
PROJECT = Path(__file__).resolve().parents[3]


class Seen:
    """A view that knows only a strength."""

    side = "red"

    def __init__(self, left: int = 10) -> None:
        self.position = SimpleNamespace(strength={"red": StrengthView(left=left, began=10)})


def asked(verb: str | tuple[str, ...], *values: Any) -> Choose[Any]:
    return Choose("red", verb, values, "What?", str, "1.1")


def order(when: str, *answers: str, below: float | None = None, number: int = 1) -> Order:
    return Order(number, when, answers, below)


# --- which questions, and which answers -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "verb", "fit"),
    [
        ("patrol", "patrol", True),
        ("patrol", "patrol:2:sea:japan:naval", True),
        ("patrol:2", "patrol:2:sea:japan:naval", True),
        ("patrol:2", "patrol:21:sea", False),
        ("patrol", "patrols", False),
        ("pat", "patrol", False),
        ("patrol:*:japan:*", "patrol:2:japan-at-sea:japan:elite-naval:squadrons", True),
        ("patrol:*:italy:*", "patrol:2:japan-at-sea:japan:elite-naval:squadrons", False),
        ("*:naval", "fly:sea:japan:naval:squadrons", True),
        ("*", "anything:at:all", True),
    ],
)
def test_a_pattern_fits_the_beginning_of_the_words(pattern: str, verb: str, fit: bool) -> None:
    assert fits(pattern, verb) is fit
    assert order(pattern, "x").concerns(asked(tuple(verb.split(":")), 1, 2)) is fit


@pytest.mark.parametrize(
    ("answer", "values", "taken"),
    [
        ("most", (0, 1, 2, 3, 4), "v:4"),
        ("all", (0, 1, 2), "v:2"),
        ("least", (2, 3, 4), "v:2"),
        ("half", (0, 1, 2, 3, 4, 5), "v:2"),
        ("half", (0, 5), "v:0"),
        ("half", (3, 4), "v:3"),
        ("third", (0, 1, 2, 3, 4, 5, 6, 7, 8), "v:2"),
        ("third", range(9), "v:2"),
        ("none", (0, 1, 2), "v:0"),
        ("none", (1, 2), None),
        ("none", ("malta", "none"), "v:none"),
        ("3", (0, 1, 2, 3), "v:3"),
        ("3", (0, 1), None),
        ("first", ("a", "b"), "v:a"),
        ("last", ("a", "b"), "v:b"),
        ("all", ("none", "all", "some"), "v:all"),
        ("all", ("stay", "leave"), None),
        ("most", ("a", "b"), None),
        ("malta", ("tobruk", "malta"), "v:malta"),
        ("v:malta", ("tobruk", "malta"), "v:malta"),
        ("palermo", (("catania", "ready"), ("palermo", "ready")), "v:palermo:ready"),
        ("*:inverted", (("catania", "ready"), ("palermo", "inverted")), "v:palermo:inverted"),
        ("v:pal*", (("catania", "ready"), ("palermo", "inverted")), "v:palermo:inverted"),
        ("pal", ("palermo", "malta"), None),
    ],
)
def test_what_is_answered(answer: str, values: Any, taken: str | None) -> None:
    found = order("v", answer).answer(Choose("red", "v", values, "What?", str, "1.1"))
    assert (found.text if found else None) == taken


def test_preferences_are_tried_in_their_order() -> None:
    lost = order("lose", "japan:army", "italy", "first")
    assert str(lost.answer(asked("lose", ("italy", "naval"), ("japan", "army")))) == "lose:japan:army"
    assert str(lost.answer(asked("lose", ("china", "army"), ("italy", "naval")))) == "lose:italy:naval"
    assert str(lost.answer(asked("lose", ("china", "army"), ("britain", "army")))) == "lose:china:army"


def test_the_first_order_that_has_an_answer_is_taken() -> None:
    orders = [order("v", "9", number=1), order("w", "1", number=2), order("*", "most", number=3)]
    taken = taken_by(orders, Seen(), asked("v", 1, 2))  # type: ignore[arg-type]
    assert taken
    assert (taken.order.number, taken.option.text) == (3, "v:2")
    assert taken_by(orders[:2], Seen(), asked("v", 1, 2)) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(("left", "home"), [(10, False), (5, False), (4, True), (0, True)])
def test_an_order_for_the_weak(left: int, home: bool) -> None:
    orders = [order("withdraw", "all", below=0.5)]
    taken = taken_by(orders, Seen(left), asked("withdraw", "none", "all"))  # type: ignore[arg-type]
    assert bool(taken) is home


def test_a_game_without_strengths_is_never_weak() -> None:
    game = flagplot.load("malta", seed=1)
    assert isinstance(game.pending, Choose)
    weak = [order("counterair", "malta", below=1.0)]
    assert taken_by(weak, game.view("axis"), game.pending) is None


def test_the_player_behind_is_asked_for_the_rest() -> None:
    class Behind(RandomPlayer):
        questions: ClassVar[list[str]] = []

        def choose(self, view: Any, request: Choose[Any]) -> Any:
            self.questions.append(request.options[0].text)
            return super().choose(view, request)

    game = flagplot.load("midway", seed=3)
    orders = orders_of({"order": [{"when": "patrol", "answer": "most"}, {"when": "number", "answer": ["7", 2]}]})
    game.play({"japan": StandingOrders(orders, Behind(1)), "allies": RandomPlayer(2)})
    answered = [entry.text for entry in game.log("japan") if entry.kind == "choice" and entry.side == "japan"]
    assert [text for text in answered if text.startswith("Choose a combat group number for ") and text.endswith(": 2")]
    assert not [text for text in Behind.questions if text.startswith("patrol")]
    assert [text for text in Behind.questions if text.startswith("number")]
    assert "how many of 12 Japanese elite naval air squadrons? 4" in " ".join(answered)


def test_the_strength_of_a_side_is_its_own_to_know() -> None:
    game = flagplot.load("midway", seed=3)
    assert game.view("japan").data["strength"] == {"japan": game.view("umpire").data["strength"]["japan"]}
    began = game.view("umpire").data["strength"]
    assert all(strength["left"] == strength["began"] > 0 for strength in began.values())
    game.play({side: RandomPlayer(place) for place, side in enumerate(game.sides)})
    ended = game.view("umpire").data["strength"]
    for side in game.sides:
        assert ended[side]["began"] == began[side]["began"]
        assert ended[side]["left"] <= began[side]["left"]


# --- the file ---------------------------------------------------------------------------------------------------


def test_every_fault_of_a_file_is_told_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "orders.toml"
    path.write_text(
        'name = "x"\n[[order]]\nwhen = ""\nanswer = true\n[[order]]\nwhen = "patrol"\nanswer = []\nbelow = 40\n'
        '[[order]]\nanswer = "most"\nif = 1\n[[order]]\nwhen = "lose"\nanswer = ["a", 1.5]\nbelow = true\n',
        encoding="utf8",
    )
    with pytest.raises(OrdersError) as caught:
        read_orders(path)
    told = str(caught.value).splitlines()
    assert "orders.toml" in told[0] or "…" in told[0]
    assert told[0].endswith("have 9 faults:")
    places = [line.strip().split(": ")[0] for line in told[1:]]
    assert places == [
        "name",
        "order 1, when",
        "order 1, answer",
        "order 2, below",
        "order 2, answer",
        "order 3, if",
        "order 3, when",
        "order 4, below",
        "order 4, answer",
    ]
    assert "“40” should be a share such as 0.4" in told[4]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "there are no orders"),
        ("[[order]\n", "this is not TOML"),
        ("order = 3\n", "[[order]]"),
        ("order = [3]\n", "order 1: “3” should be a table"),
        ("[order]\nwhen = 'patrol'\n", "[[order]]"),
        ("# caf\xe9", "cannot be read"),
    ],
)
def test_files_that_are_none(run: Run, tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "orders.toml").write_bytes(text.encode("latin-1"))
    for arguments in (["orders", "orders.toml"], ["play", "midway", "--orders", "japan=orders.toml", "--save", "x"]):
        ran = run(*arguments)
        assert ran.code == 2
        assert not ran.out
        assert "“orders.toml”" in ran.err
        assert told in ran.err
    assert not (tmp_path / "x").exists()
    assert '"error": "orders"' in run("orders", "orders.toml", "--json").err


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--orders", "japan"], "“japan”. Use japan=orders.toml"),
        (["--orders", "italy=orders.toml"], "“italy”. Use japan or allies"),
        (["--orders", "japan=nowhere.toml"], "no such file"),
        (["--orders", "japan=orders.toml", "--orders", "japan=orders.toml"], "one --orders for each side"),
    ],
)
def test_wrong_arguments(run: Run, tmp_path: Path, given: list[str], told: str) -> None:
    (tmp_path / "orders.toml").write_text(READY, encoding="utf8")
    ran = run("play", "midway", *given)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


# --- at the table -----------------------------------------------------------------------------------------------

READY = '[[order]]\nwhen = "ready"\nanswer = "go"\n'
PATROL = READY + '[[order]]\nwhen = "patrol"\nanswer = "most"\n'


def example() -> str:
    """The complete file of the page about orders."""
    text = (PROJECT / "docs" / "orders.md").read_text(encoding="utf8")
    (found,) = re.findall(r"^```toml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_example_of_the_page_plays(run: Run, tmp_path: Path) -> None:
    (tmp_path / "orders.toml").write_text(example(), encoding="utf8")
    players = ("--player", "japan=random", "--player", "allies=random", "--seed", "3")
    ran = run("play", "midway", *players, "--orders", "japan=orders.toml", "--save", "game.jsonl")
    assert ran.code == 0
    assert "Japan: 7 standing orders from orders.toml." in ran.out
    assert "squadrons? 4 (23.33) [by standing order 2]" in ran.out
    assert re.search(r"Withdraw from the battle\? [A-Z][a-z ]+ \(22.61\) \[by standing order [67]\]", ran.out)
    assert "United States ›" in ran.out
    assert not [line for line in ran.out.splitlines() if line.startswith("United") and "standing order" in line]
    assert run("verify", "game.jsonl").code == 0
    checked = run("orders", "orders.toml", "midway")
    assert checked.code == 0
    assert "  2  patrol: most\n     japan: asked " in checked.out
    assert "  6  withdraw below 0.6: all\n" in checked.out
    assert "never asked" not in checked.out


def test_a_file_is_checked_for_programs_too(run: Run, tmp_path: Path) -> None:
    (tmp_path / "orders.toml").write_text(PATROL + '[[order]]\nwhen = "hump"\nanswer = [1, "x"]\n', encoding="utf8")
    plain = run("orders", "orders.toml")
    assert (plain.code, plain.out.splitlines()[0]) == (0, "orders.toml is valid: 3 standing orders")
    found = run("orders", "orders.toml", "malta", "--json").json
    assert found["sound"] is True
    assert found["orders"][2] == {
        "number": 3,
        "when": "hump",
        "answers": ["1", "x"],
        "below": None,
        "during": "",
        "until": "",
        "uses": {},
    }
    assert "never asked" in run("orders", "orders.toml", "malta").out
    assert run("orders", "orders.toml", "atlantis").code == 2


def test_a_program_is_told_which_answers_came_by_order(run: Run, tmp_path: Path) -> None:
    (tmp_path / "orders.toml").write_text(PATROL, encoding="utf8")
    found = run("play", "midway", "--seed", "3", "--json", "--orders", "allies=orders.toml").json
    assert found["orders"] == {"allies": "orders.toml"}
    ordered = [entry for entry in found["log"] if "order" in entry]
    assert {entry["side"] for entry in ordered} == {"allies"}
    assert all(("CAP over" in entry["text"]) == (entry["order"] == 2) for entry in ordered)
    assert [entry for entry in found["log"] if entry["side"] == "japan" and "CAP over" in entry["text"]]


HUMAN = ("--player", "japan=human", "--player", "allies=random", "--seed", "3", "--orders", "japan=orders.toml")
NUMBERS = "1\n3\n1\n4\n"


def test_a_human_is_told_what_his_orders_answered_and_asked_the_rest(run: Run, tmp_path: Path) -> None:
    (tmp_path / "orders.toml").write_text(PATROL, encoding="utf8")
    ran = run("play", "midway", *HUMAN, typed=f"{NUMBERS}log\n")
    told = "Japan › CAP over the First Striking Force: how many of 12 Japanese elite naval air squadrons? 4"
    assert ran.out.count(f"{told} (23.33) [by standing order 2]") == 2  # as news, and in the log
    assert "Choose a combat group number for the Midway Invasion Force: 3 (22.423)\n" in ran.out
    asked = "Attack Midway with how many of 8 Japanese elite naval air squadrons from carriers? (18.521)\n"
    assert asked in ran.out
    (save,) = tmp_path.glob("flagplot-midway-*.jsonl")
    assert f"flagplot resume {save.name} --orders japan=orders.toml\n" in ran.out
    again = run("resume", save.name, "--orders", "japan=orders.toml")  # the save remembers who plays
    assert f"Japan › {asked}" in again.out


def test_orders_serve_again_when_a_game_is_resumed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "orders.toml").write_text(PATROL, encoding="utf8")
    run("play", "midway", *HUMAN, "--save", "game.jsonl", typed="1\n3\n")
    ran = run("resume", "game.jsonl", *HUMAN, typed="1\n4\n")
    assert "[by standing order 2]" in ran.out
    assert "[by standing order 2]" not in run("replay", "game.jsonl").out


def test_undo_takes_an_ordered_answer_back_and_asks_for_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / "orders.toml").write_text('[[order]]\nwhen = "send:malta"\nanswer = "most"\n', encoding="utf8")
    seats = ("--player", "axis=human", "--player", "allies=random", "--seed", "3", "--orders", "axis=orders.toml")
    ran = run("play", "malta", *seats, typed="counterair:malta\nundo\n0\nlog\nundo\nundo\nquit\n-\n")
    assert ran.out.count("Taken back. This time you answer yourself, not your orders.") >= 1
    log = ran.out.partition("> log\n")[2].partition("> undo")[0]
    assert "[by standing order 1]" in log
    by_hand = [line for line in log.splitlines() if "from Palermo? None" in line]
    assert len(by_hand) == 1
    assert "standing order" not in by_hand[0]


def test_the_other_human_does_not_see_what_orders_answered(start: Start, tmp_path: Path) -> None:
    (tmp_path / "japan.toml").write_text(PATROL + '[[order]]\nwhen = "number"\nanswer = "first"\n', encoding="utf8")
    table = start("play", "midway", "--level", "step", "--seed", "1", "--orders", "japan=japan.toml")
    table.prompt()
    table.answer("")  # Japan sits down and is asked who strengthens whom
    over = table.answer("1")
    assert "Hand over to United States" in over
    allies = table.answer("")
    assert "standing order" not in allies
    while "Hand over to Japan" not in table.screen:
        seen = table.answer(any_answer(table.screen))
        assert "standing order" not in seen
    japan = table.answer("")
    assert japan.count("[by standing order 2]") == 2
    assert "[by standing order 3]" in japan
