"""Reach: the counting itself, the committed summary, and that play reaches every rule where it applies."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench import reach as bench
from flagplot.kernel.procedures import Frame
from flagplot.register import Rule, register, twins
from flagplot.register import reach as reaching
from flagplot.register.reach import KINDS, Reach, Tally, parse, reach, reasons, tallies, unreached, with_twins, written


def make(name: str, applies: str) -> Rule:
    return Rule(name, "book", f"Title {name}", "effect", "search", "battle", "", "", "", applies, "Summary.")


RULES = [make("1.1", "naval-battle operation"), make("1.2", "operation air-turn"), make("1.3", "air-turn")]
FOUND = Reach("a run", {"1.1": {"naval-battle": 3, "operation": 1}, "1.2": {"operation": 7}, "1.3": {}})


@pytest.fixture
def one_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaching, "reasons", lambda: {("1.2", "air-turn"): "never in winter"})


# --- the summary ------------------------------------------------------------------------------------------------


def test_a_summary_is_written_and_read_again() -> None:
    assert parse(written(FOUND)) == FOUND
    assert written(FOUND).splitlines()[:3] == ["# a run", f"id,{','.join(KINDS)}", "1.1,3,,,,1,,"]


@pytest.mark.usefixtures("one_reason")
def test_what_is_not_reached_has_its_reason_or_none() -> None:
    assert [(gap.rule.id, gap.kind, gap.reason) for gap in unreached(FOUND, RULES)] == [
        ("1.2", "air-turn", "never in winter"),
        ("1.3", "air-turn", ""),
    ]


@pytest.mark.usefixtures("one_reason")
def test_kinds_of_play_are_counted() -> None:
    found = tallies(FOUND, RULES)
    assert list(found) == list(KINDS)
    assert found["operation"] == Tally(2, 2, 0)
    assert found["air-turn"] == Tally(2, 0, 1)
    assert found["air-turn"].missing == 1


def test_a_rule_printed_twice_is_reached_under_both_ids() -> None:
    one, *others = sorted({"22.451A", *twins()["22.451A"]})
    counts = with_twins({one: {"operation": 2}, others[0]: {"operation": 1, "air-turn": 4}})
    assert all(counts[name] == {"operation": 3, "air-turn": 4} for name in (one, *others))
    assert list(counts) == [rule.id for rule in register().values() if rule.is_mechanic]


# --- the counting -----------------------------------------------------------------------------------------------


@pytest.fixture
def watch() -> bench.Watch:
    watch = bench.Watch()
    watch.on = True
    return watch


def test_functions_generators_methods_and_properties_are_counted(watch: bench.Watch) -> None:
    @watch.rule("1", "2")
    def plain(number: int) -> int:
        """Twice as many."""
        return 2 * number

    @watch.rule("3")
    def script() -> Iterator[int]:
        yield 1
        yield 2

    @watch.rule("4")
    class Thing:
        def method(self) -> int:
            return 1

        @property
        def part(self) -> int:
            return 2

    assert [plain(4), *script(), Thing().method(), Thing().part] == [8, 1, 2, 1, 2]
    watch.on = False
    plain(1)
    assert plain.__name__ == "plain"
    assert watch.cells == [(("1", "2"), [1, 0]), (("3",), [1, 0]), (("4",), [2, 0])]


def test_answers_of_a_cache_count_too(watch: bench.Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cache", "lru_cache"):  # so that they are put back
        monkeypatch.setattr(functools, name, getattr(functools, name))
    watch.outside_caches()
    ran = []

    def double(number: int) -> int:
        ran.append(number)
        return 2 * number

    made = [
        functools.cache(watch.rule("1")(double)),
        functools.lru_cache(watch.rule("2")(double)),
        functools.lru_cache(maxsize=4)(watch.rule("3")(double)),
        functools.lru_cache(maxsize=4)(double),
    ]
    assert [[one(3), one(3)] for one in made] == [[6, 6]] * 4
    assert ran == [3] * 4
    assert [cell for _, cell in watch.cells] == [[2, 0]] * 3


@pytest.mark.parametrize(
    ("procedures", "within"),
    [
        (["operation", "stage"], 0),
        (["operation", "base-strike", "escape"], 1),
        (["operation", "base-strike", "escape", "passage", "encounter", "naval-battle"], 0),
        (["encounter", "naval-battle", "base-attacks", "counterair"], 1),
    ],
)
def test_base_attacks_count_twice_but_not_what_follows_at_sea(
    watch: bench.Watch, procedures: list[str], within: int
) -> None:
    watch.frames = [Frame(name, "") for name in procedures]
    watch.rule("1")(lambda: 0)()
    assert watch.cells[-1][1] == [1, within]


def test_kinds_of_play_of_scenarios() -> None:
    found = bench.by_kind(
        ["malta", "midway", "denmark-strait", "rendezvous", "malta-turn", "force-z", "generated:base-attack"]
    )
    assert found == {
        "air-phase": ("malta",),
        "naval-battle": ("midway",),
        "raider-battle": ("denmark-strait",),
        "operation": ("rendezvous", "generated:base-attack", "generated:base-attack"),
        "air-turn": ("malta-turn",),
        "line-of-battle": ("force-z",),
    }


def test_a_short_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main(["--seconds", "0.1", "--seed", "3", "--jobs", "1", "force-z", "malta"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("seed 3: 0 seconds, 1 processes, 2 scenarios\n")
    assert out.endswith("\n0 faults\n")
    (line,) = [line for line in out.splitlines() if line.startswith("air phase")]
    assert int(line.split()[3]) > 100, "a game of Malta reaches most rules of air phases"


def test_kinds_in_which_a_rule_is_missing_are_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    full = Reach("", {rule.id: dict.fromkeys(KINDS, 1) for rule in register().values()})
    assert bench.lacking(full) == set()
    less = Reach("", {**full.counts, "23.411": {"operation": 1, "air-turn": 1}})
    assert bench.lacking(less) == {"base-attack", "operation", "air-turn"}
    played: list[tuple[str, ...]] = []

    def counted(scenarios: dict[str, tuple[str, ...]], seconds: float, *_: object) -> dict[str, bench.Played]:
        played.append((*scenarios, f"{seconds:g}"))
        return {kind: bench.Played(kind, 1) for kind in scenarios}

    monkeypatch.setattr(bench, "play_kinds", counted)
    monkeypatch.setattr(bench, "lacking", lambda _: {"operation"} if len(played) < 3 else set())
    total = bench.run(["malta", "rendezvous"], 40, 1, 1)
    assert played == [("air-phase", "operation", "40"), ("operation", "10"), ("operation", "10")]
    assert {kind: part.games for kind, part in total.items()} == {"air-phase": 1, "operation": 3}


def test_it_is_too_late_to_count_what_is_imported() -> None:
    import flagplot.awaw.ruleset  # noqa: F401 - only to have it

    with pytest.raises(RuntimeError, match="too late to count"):
        bench.play(bench.Task("air-phase", ("malta",), 0.0, 1))


# --- the register and its summary -------------------------------------------------------------------------------


def test_mechanics_apply_to_some_kind_of_play_and_nothing_else_does() -> None:
    for rule in register().values():
        kinds = rule.applies.split()
        assert kinds == [kind for kind in KINDS if kind in kinds], rule.id
        assert bool(kinds) == rule.is_mechanic, rule.id


def test_the_summary_has_a_row_for_each_mechanic() -> None:
    """If this fails the register has changed: `./bench/run reach --minutes 10 --write` plays again."""
    assert list(reach().counts) == [rule.id for rule in register().values() if rule.is_mechanic]
    assert reach().note.startswith("seed ")


def test_the_summary_is_as_it_was_written() -> None:
    path = Path(reaching.__file__).with_name(reaching.FILE)
    assert written(reach()) == path.read_text(encoding="utf-8")


def test_reach_as_json_is_plain() -> None:
    assert json.loads(json.dumps([gap.as_dict() for gap in unreached(FOUND, RULES)]))[0]["id"] == "1.2"


def test_play_reaches_every_mechanic_in_every_kind_of_play_to_which_it_applies() -> None:
    """If this fails: reach the rule by a scenario (`./bench/run reach --minutes 10 --write`), or give the reason."""
    missing = [f"{gap.rule.id} in {KINDS[gap.kind]}" for gap in unreached(reach()) if not gap.reason]
    assert missing == []


def test_reasons_are_given_only_for_what_is_not_reached() -> None:
    missing = {(gap.rule.id, gap.kind) for gap in unreached(reach())}
    assert set(reasons()) <= missing
    assert all(reasons().values())
