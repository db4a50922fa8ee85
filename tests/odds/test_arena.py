"""The arena: mirrored games with the same seeds, a file that is gone on with, shares, margins and ratings."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.simulation.arena.games import GamePlayed
from flagplot.simulation.arena.schedule import Fixture, Ground
from flagplot.simulation.arena.standings import mean_and_error, ratings, record
from flagplot.simulation.bids import Bid, bid_of

Run = Callable[..., Any]
QUICK = "savo-island"


def game(players: tuple[str, str], number: int, winner: int | None, margin: int = 0) -> GamePlayed:
    return GamePlayed(Fixture(QUICK, players, number), 0, winner, margin, "units", 1, "")


def both(number: int, first: int | None, second: int | None) -> list[GamePlayed]:
    """A seed of players a and b: who has won with a on the first side, and with b there."""
    return [game(("a", "b"), number, first), game(("b", "a"), number, second)]


# --- standings --------------------------------------------------------------------------------------------------


def test_who_is_ahead_is_the_winner_or_else_who_lost_less() -> None:
    lost_more = game(("a", "b"), 1, 0, -3)
    assert (lost_more.ahead("a"), lost_more.ahead("b"), lost_more.margin_of("b")) == (1, -1, 3)
    nobody = game(("a", "b"), 1, None, -3)
    assert (nobody.ahead("a"), nobody.result("a"), nobody.ahead("b")) == (-1, 0, 1)
    assert game(("a", "b"), 1, None).ahead("a") == 0


def test_a_record_counts_wins_of_either_side() -> None:
    couples = [both(1, 0, 1), both(2, 0, 0), both(3, None, None)]
    found = record("a", couples)
    assert (found.games, found.won, found.lost, found.undecided, found.level) == (6, 3, 1, 2, 2)
    assert found.share == 0.75
    assert found.low < 0.75 < found.high
    assert record("b", couples).share == 0.25


def test_of_a_pair_wins_count_first_and_margins_where_each_won_as_many() -> None:
    """Where the first side always wins, who loses least on the second one is better."""
    strong = [[game(("a", "b"), n, 0, 9), game(("b", "a"), n, 0, 4)] for n in range(3)]
    won_more = [[game(("b", "a"), 7, 0, 30), game(("a", "b"), 7, 0, 1)], [game(("a", "b"), 8, None), both(8, 0, 1)[1]]]
    half_a_pair = [[game(("a", "b"), 9, 0, 9)]]
    found = record("a", strong + won_more + half_a_pair)
    assert (found.pairs_won, found.pairs_lost, found.pairs) == (4, 1, 0.8)
    low, high = found.pairs_interval
    assert low < 0.8 < high
    assert record("a", strong).share == 0.5
    assert record("b", strong).pairs == 0


def test_games_that_go_together_make_the_interval_wider_but_never_narrower_than_chance() -> None:
    together = record("a", [both(n, n % 2, 1 - n % 2) for n in range(40)])  # a wins both or none
    apart = record("a", [both(n, 0, 0) for n in range(40)])  # a wins one of each two
    assert together.share == apart.share == 0.5
    assert together.high - together.low > 1.3 * (apart.high - apart.low)
    assert apart.low == pytest.approx(0.393, abs=0.001)  # Wilson's, of 80 games


def test_a_mean_of_couples_has_the_error_of_couples() -> None:
    assert mean_and_error([[1.0, 1.0], [3.0, 3.0]]) == (2.0, 1.0)
    assert mean_and_error([[1.0], [3.0]]) == (2.0, 1.0)
    assert mean_and_error([[5.0, 7.0]]) == (6.0, 0.0)
    assert mean_and_error([]) == (0.0, 0.0)


def test_ratings_follow_the_formula_of_elo() -> None:
    three_quarters = [both(n, 0, 1) for n in range(150)] + [both(n, 0, 0) for n in range(150)]
    found = ratings(["a", "b"], three_quarters)
    assert found["a"].elo - found["b"].elo == pytest.approx(190.8, abs=2)  # 400 log 3
    assert found["a"].elo == pytest.approx(-found["b"].elo)
    assert found["a"].low is not None
    assert found["b"].high is not None
    assert found["b"].high < found["a"].low
    always = ratings(["a", "b"], [both(n, 0, 1) for n in range(5)])
    assert 300 < always["a"].elo - always["b"].elo < 1000
    assert ratings(["a", "b"], [both(1, 0, 1)])["a"].low is None


# --- bids -------------------------------------------------------------------------------------------------------


def test_with_a_handicap_the_margin_says_who_is_ahead_whoever_won() -> None:
    close = game(("a", "b"), 1, 0, 3)._replace(handicap=-4)
    assert (close.ahead("a"), close.ahead("b"), close.result("a"), close.margin_of("a")) == (-1, 1, 1, 3)
    assert close._replace(handicap=-3).ahead("a") == 0
    assert close._replace(handicap=0).ahead("a") == 1


def test_a_bid_for_the_second_side_counts_against_the_first() -> None:
    ground = Ground(QUICK, {}, ("japan", "allies"), "", Bid("allies", 3, 1, 5, "units", 40))
    assert (ground.handicap, ground._replace(bid=None).handicap) == (-3, None)


def test_bids_tell_players_apart_where_one_side_always_wins(tmp_path: Path) -> None:
    """Off Cape Matapan Italy, the first side, is given factors; the games are the same, and so is their file."""
    file, players = tmp_path / "games.jsonl", ["doctrine", "random:stay"]
    by_rules = flagplot.arena(players, "cape-matapan", 6, seed=1, results=file)
    with_bids = flagplot.arena(players, "cape-matapan", 6, bids=True, results=file)
    assert len(file.read_text().splitlines()) == 6
    bid = bid_of("cape-matapan")
    assert bid is not None
    assert {one.handicap for one in with_bids.games} == {bid.amount}
    assert with_bids.record("doctrine").ahead > by_rules.record("doctrine").ahead
    assert with_bids.record("doctrine").pairs_won == by_rules.record("doctrine").pairs_won
    assert with_bids.to_dict()["bids"]["cape-matapan"]["side"] == "italy"
    assert by_rules.to_dict()["bids"] is None
    assert with_bids.without_bids == by_rules


def test_a_scenario_without_a_measured_bid_is_refused(tmp_path: Path) -> None:
    mine = tmp_path / "mine.json"
    mine.write_text(json.dumps(flagplot.read_scenario(QUICK)))
    with pytest.raises(BadValue, match="no measured bid"):
        flagplot.arena(["doctrine", "random"], mine, 2, bids=True)


# --- playing ----------------------------------------------------------------------------------------------------


def test_every_two_players_meet_on_both_sides_with_the_same_seeds() -> None:
    found = flagplot.arena(["doctrine", "random", "random:stay"], QUICK, 4, seed=5)
    assert len(found.games) == found.wanted == 12
    seats = [one.fixture.players for one in found.games]
    assert len(set(seats)) == 6
    assert {seats.count(seated) for seated in set(seats)} == {2}
    seeds = {one.fixture.number: one.seed for one in found.games}
    assert all(one.seed == seeds[one.fixture.number] for one in found.games)
    assert found.best_first[0] == "doctrine"


def test_a_game_of_an_arena_is_that_of_a_simulation() -> None:
    found = flagplot.arena(["random", "doctrine"], QUICK, 2, seed=9)
    sides = flagplot.load(QUICK, seed=0).sides
    for one in found.games:
        told = flagplot.simulate(QUICK, 1, dict(zip(sides, one.fixture.players, strict=True)), seed=9)
        assert told.won(None if one.winner is None else sides[one.winner]).times == 1


def test_an_arena_is_a_value_with_rows_and_pictures() -> None:
    found = flagplot.arena(["random", "doctrine"], [QUICK], 2, seed=9)
    assert found.to_dict()["meetings"] == found.rows()
    assert found.to_csv().splitlines()[0].startswith("scenario,player,against,games,won")
    assert found._repr_html_().startswith("<svg")
    assert "random against doctrine" in str(found)
    json.dumps(found.to_dict(), allow_nan=False)
    with pytest.raises(FrozenInstanceError):
        found.stopped = "no"  # type: ignore[misc]


def test_a_file_is_gone_on_with_and_no_game_counts_twice(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    players = ["doctrine", "random"]
    whole = flagplot.arena(players, QUICK, 6, seed=3)
    done: list[int] = []
    part = flagplot.arena(players, QUICK, 6, seed=3, results=file, stop=lambda: len(done) > 3, told=done.append)
    assert part.stopped
    assert 0 < len(part.games) < 6
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join([*lines, lines[0], lines[-1][:20]]))  # a game twice, and half a line
    done.clear()
    rest = flagplot.arena(players, QUICK, 6, results=file, told=done.append)
    assert rest.games == whole.games
    assert done == list(range(len(part.games), 7))
    assert flagplot.arena(players, QUICK, 8, results=file).games[:6] == whole.games


def test_games_of_another_text_are_not_counted_with_these(tmp_path: Path) -> None:
    file, mine = tmp_path / "games.jsonl", tmp_path / "mine.json"
    scenario = flagplot.read_scenario(QUICK)
    mine.write_text(json.dumps(scenario))
    flagplot.arena(["doctrine", "random"], mine, 2, results=file)
    mine.write_text(json.dumps(scenario | {"title": "Another one"}))
    with pytest.raises(BadValue, match="another version"):
        flagplot.arena(["doctrine", "random"], mine, 2, results=file)


@pytest.mark.parametrize(
    ("players", "games", "words"),
    [
        (["doctrine"], 2, "two players or more"),
        (["doctrine", "doctrine"], 2, "there twice"),
        (["doctrine", "nelson"], 2, "no such computer player"),
        (["doctrine", "random:go"], 2, "no such setting"),
        (["doctrine", "random"], 3, "games are even"),
        (["doctrine", "random"], 0, "play 2 to"),
    ],
)
def test_what_cannot_be_played_is_refused(players: list[str], games: int, words: str) -> None:
    with pytest.raises((BadValue, UnknownName), match=words):
        flagplot.arena(players, QUICK, games)


def test_what_cannot_be_written_is_refused_before_a_game(tmp_path: Path) -> None:
    for name, words in (("no/games.jsonl", "cannot be written"), ("games.csv", "JSON lines")):
        with pytest.raises(BadValue, match=words):
            flagplot.arena(["doctrine", "random"], QUICK, 2, results=tmp_path / name)
    (tmp_path / "other.jsonl").write_text("{}\n")
    with pytest.raises(BadValue, match="no file of games"):
        flagplot.arena(["doctrine", "random"], QUICK, 2, results=tmp_path / "other.jsonl")


def test_the_random_player_that_stays_never_leaves() -> None:
    found = flagplot.arena(["random:stay", "random"], "first-battle", 4, seed=1)
    assert not [
        one for one in found.games if one.fixture.players[0] == "random:stay" and "Japan withdrew" in one.ending
    ]
