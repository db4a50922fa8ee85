"""Bids: what makes a scenario even."""

from __future__ import annotations

from flagplot.library import described, scenario_names
from flagplot.simulation.bids import Bid, bid_of, measured


def test_a_bid_is_the_median_of_the_margins_and_goes_to_the_weaker_side() -> None:
    assert measured([1, 2, 3, 4, 20], ("japan", "allies"), "units") == Bid("allies", 3, 1, 20, "units", 5)
    assert measured([-5, -3, -1], ("japan", "allies"), "units")[:4] == ("japan", 3, 1, 5)
    assert measured([-1, 0, 1], ("japan", "allies"), "units")[:2] == ("", 0)


def test_more_games_make_the_interval_narrower() -> None:
    few, many = [measured([*range(-10, 11)] * times, ("a", "b"), "units") for times in (1, 25)]
    assert many.high - many.low < few.high - few.low


def test_bids_in_words() -> None:
    assert Bid("japan", 3, 0, 6, "naval factors", 40).words("Japan") == "even with 3 naval factors for Japan (0 to 6)"
    assert Bid("allies", 3, 0, 6, "units", 40).words("Allies") == "even with 3 units for the Allies (0 to 6)"
    assert Bid("japan", 1, 0, 2, "units", 40).words("Japan") == "even with 1 unit for Japan (0 to 2)"
    assert Bid("", 0, -1, 1, "units", 40).words("") == "even as it is"


def test_stored_bids_name_sides_of_their_scenarios() -> None:
    bids = {name: bid for name in scenario_names() if (bid := bid_of(name)) is not None}
    assert "first-battle" in bids
    for name, bid in bids.items():
        assert bid.side in ("", *[side["id"] for side in described(name)["sides"]])
        assert bid.low <= bid.amount <= bid.high
