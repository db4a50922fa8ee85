"""Procedures: what comes after a segment, calls with and without a place to go on, frames at the borders."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from flagplot.kernel.plain_data import canonical, from_plain, to_plain
from flagplot.kernel.procedures import END, Border, Borders, Call, Frame, Next, Procedure, story, table
from flagplot.kernel.requests import Note, Script
from tests.kernel.toys import DUEL, Pad, Sandbox, duel, named, pick, players, sandbox, step


def leaving(name: str, next_: Next) -> Callable[..., Script[Next]]:
    """A segment that writes its name (and its arguments) on the trail and leads to `next_`."""

    def script(state: Pad, *arguments: str | int) -> Script[Next]:
        yield Note(name, "1")
        state.trail.append(":".join(map(str, (name, *arguments))))
        return next_

    script.__name__ = name
    return script


def procedure(name: str, **segments: Next) -> Procedure:
    made = Procedure(name, "1", name)
    for number, (segment, next_) in enumerate(segments.items()):
        made.segment(f"1.{number}", segment)(leaving(segment, next_))
    return made


def trail(*procedures: Procedure) -> list[str]:
    game = Sandbox(*procedures).game()
    assert game.pending is None
    assert game.state.frames == []
    return game.state.trail


def test_segments_run_in_the_order_of_their_declaration() -> None:
    assert trail(procedure("main", one=None, two=None, three=None)) == ["one", "two", "three"]


def test_a_segment_may_name_the_one_that_comes_next() -> None:
    assert trail(procedure("main", one=named("three"), two=None, three=None)) == ["one", "three"]


def test_a_segment_may_go_back() -> None:
    rounds = iter([named("first"), named("first"), None])

    def first(state: Pad) -> Script[Next]:
        yield Note("first", "1")
        state.trail.append("first")
        return None

    def second(state: Pad) -> Script[Next]:
        yield Note("second", "1")
        state.trail.append("second")
        return next(rounds)

    assert sandbox(first, second).game().state.trail == ["first", "second"] * 3


def test_a_segment_may_end_its_procedure() -> None:
    assert trail(procedure("main", one=None, two=END, three=None)) == ["one", "two"]


def test_a_call_goes_on_with_the_segment_that_follows() -> None:
    inner = procedure("inner", a=None, b=None)
    assert trail(procedure("main", one=Call(inner), two=None), inner) == ["one", "a", "b", "two"]


def test_a_call_goes_on_where_it_says() -> None:
    inner = procedure("inner", a=None)
    main = procedure("main", one=Call(inner, then=named("three")), two=None, three=None)
    assert trail(main, inner) == ["one", "a", "three"]


def test_a_call_from_the_last_segment_ends_the_caller_with_it() -> None:
    inner = procedure("inner", a=None)
    assert trail(procedure("main", one=None, two=Call(inner)), inner) == ["one", "two", "a"]


def test_the_end_of_a_called_procedure_is_not_the_end_of_its_caller() -> None:
    inner = procedure("inner", a=END, b=None)
    assert trail(procedure("main", one=Call(inner), two=None), inner) == ["one", "a", "two"]


def test_calls_nest_and_carry_their_arguments_to_every_segment() -> None:
    inmost = procedure("inmost", x=None)
    inner = procedure("inner", a=None, b=Call(inmost, (2, "deep")), c=None)
    main = procedure("main", one=Call(inner, ("malta", 4)), two=None)
    assert trail(main, inner, inmost) == ["one", "a:malta:4", "b:malta:4", "x:2:deep", "c:malta:4", "two"]


def test_only_the_top_frame_moves() -> None:
    main = procedure("main", one=END, two=None)
    procedures = table(main, procedure("inner", a=None, b=Call(main)))
    state = Pad([Frame("main", "two"), Frame("inner", "a", ("x",))])
    borders = [list(state.frames) for said in story(procedures, state) if isinstance(said, Border)]
    assert borders == [
        [Frame("main", "two"), Frame("inner", "b", ("x",))],
        [Frame("main", "two"), Frame("main", "one")],
        [Frame("main", "two")],
        [],
        [],
    ]


def test_borders_that_nobody_wants_are_passed_over_and_the_last_is_told() -> None:
    procedures, borders = table(procedure("main", one=None, two=None, three=None)), Borders(told=False)
    told = story(procedures, Pad([Frame("main", "one")]), borders)
    assert not isinstance(next(told), Border)
    assert not borders.passed
    assert not isinstance(next(told), Border)
    assert borders.passed
    borders.told = True
    assert isinstance(next(told), Border)
    borders.told = False
    assert [isinstance(said, Border) for said in told] == [False, True]


def test_the_frames_say_where_the_game_stands() -> None:
    game = DUEL.game()
    assert game.state.frames == [Frame("duel", "stances")]
    game.choose("stance:high")
    game.choose("stance:low")
    assert game.state.frames == [Frame("duel", "clash")]
    game.roll([6, 5])
    assert game.state.frames == [Frame("duel", "purse"), Frame("parry", "the_parry", ("red", 11))]
    game.choose("parry:left")
    assert game.state.frames == [Frame("duel", "purse")]


def test_at_a_border_the_state_alone_says_everything() -> None:
    """A game begun from the plain data of a border asks the same as the one that came there."""
    game = DUEL.game()
    who = players(game, 5)
    game.copy()  # from now on every border is remembered
    seen = 0
    while game.pending is not None:
        border = game.border
        if border.turn == game.turn:
            state = from_plain(Pad, to_plain(border.state))
            assert canonical(state) == canonical(border.state)
            assert str(game.from_border(state).pending) == str(game.pending)
            seen += 1
        step(game, who)
    assert seen >= 5


def test_the_outline_is_printed_from_the_declarations() -> None:
    assert duel.outline() == [
        "A duel (1)",
        "  Stances (1.1)",
        "  The clash (1.2)",
        "  The purse (1.3)",
        "  Another round? (1.4)",
    ]
    assert duel.start("x", 2) == Frame("duel", "stances", ("x", 2))


def test_a_segment_that_does_not_exist_is_a_fault_of_the_rules() -> None:
    with pytest.raises(KeyError, match="nowhere"):
        trail(procedure("main", one=named("nowhere")))


def test_a_border_may_be_crossed_without_any_answer() -> None:
    def ask(state: Pad) -> Script[Next]:
        state.trail.append((yield pick("blue", "a", "b")))
        return None

    def silent(state: Pad) -> Script[Next]:
        state.trail.append("silent")
        return None
        yield

    game = sandbox(silent, ask, silent_again, ask_again).game()
    game.choose("pick:a")
    assert game.state.trail == ["silent", "a", "silent again"]
    game.undo()
    assert game.state.trail == ["silent"]


def silent_again(state: Pad) -> Script[Next]:
    state.trail.append("silent again")
    return None
    yield


def ask_again(state: Pad) -> Script[Next]:
    state.trail.append((yield pick("blue", "c", "d")))
    return None


# --- plain segments ---------------------------------------------------------------------------------------------


def plain(state: Pad) -> Next:
    state.trail.append("plain")
    return None


def test_a_segment_that_asks_and_says_nothing_may_be_a_plain_function() -> None:
    game = sandbox(plain, ask_again, silent_again).game()
    assert game.state.trail == ["plain"]
    game.choose("pick:c")
    assert game.state.trail == ["plain", "c", "silent again"]
    assert game.pending is None


def test_a_game_may_begin_and_end_with_plain_segments() -> None:
    assert sandbox(plain).game().state.trail == ["plain"]
    game = sandbox(ask_again, plain).game()
    game.choose("pick:d")
    assert game.state.trail == ["d", "plain"]
    assert game.pending is None


def test_a_plain_segment_is_gone_through_again_after_a_take_back_and_in_copies() -> None:
    game = sandbox(plain, ask_again, silent_again, ask_again_too).game()
    game.choose("pick:c")
    assert game.copy().state.trail == ["plain", "c", "silent again"]
    game.undo()
    assert game.state.trail == ["plain"]


def ask_again_too(state: Pad) -> Script[Next]:
    state.trail.append((yield pick("blue", "e", "f")))
    return None


def test_a_plain_segment_may_call_a_procedure_and_end_its_own() -> None:
    inner = procedure("inner", a=None)
    main = procedure("main", one=None)

    @main.segment("9.1", "Calls")
    def calls(state: Pad) -> Next:
        state.trail.append("calls")
        return Call(inner)

    @main.segment("9.2", "Ends")
    def ends(state: Pad) -> Next:
        state.trail.append("ends")
        return END

    @main.segment("9.3", "Never")
    def never(state: Pad) -> Next:
        raise AssertionError("the procedure is over")

    assert trail(main, inner) == ["one", "calls", "a", "ends"]
