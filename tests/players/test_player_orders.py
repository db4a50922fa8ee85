"""Standing orders with a time: during a step of play, until there is news; those that never apply are refused."""

from __future__ import annotations

import pytest

import flagplot
from flagplot.kernel.requests import Choose
from flagplot.players import staff
from flagplot.players.orders import (
    OrdersError,
    is_during,
    is_within,
    levels_of,
    news_of,
    orders_of,
    place_for,
    place_of,
    taken_by,
)


def test_an_order_that_can_never_apply_is_refused_with_a_suggestion() -> None:
    with pytest.raises(OrdersError, match="did you mean “ready”"):
        orders_of({"order": [{"when": "redy", "answer": "go"}]})
    with pytest.raises(OrdersError, match="no question begins with “xyzzy”"):
        orders_of({"order": [{"when": "xyzzy:2", "answer": "go"}]})
    assert len(orders_of({"order": [{"when": "*", "answer": "staff"}, {"when": "pat*", "answer": 1}]})) == 2


@pytest.mark.parametrize("wrong", [{"until": "noon"}, {"after": -1}, {"after": True}, {"during": 3}])
def test_times_that_cannot_be_read_are_faults(wrong: dict[str, object]) -> None:
    with pytest.raises(OrdersError, match=next(iter(wrong))):
        orders_of({"order": [{"when": "ready", "answer": "go", **wrong}]})


def test_a_place_is_within_what_is_around_it() -> None:
    place = "Combat stage, sail / Round 2, G"
    around = ["Combat stage, sail / Round 2, G", "Combat stage, sail / Round 2", "Combat stage, sail", "Combat stage"]
    assert all([is_within(place, during) for during in around])
    assert not any([is_within(place, during) for during in ["Round 2", "Combat stage, sail / Round 2, H", "Comb"]])


def test_an_order_is_in_force_during_its_step_and_the_staff_answers_what_is_left_to_it() -> None:
    game = flagplot.load("first-battle", seed=2)
    request, view = game.pending, game.view("japan")
    assert isinstance(request, Choose)
    assert place_of(view) == "Round 1, A"
    assert [place_for(view, scope) for scope in ("phase", "round", "battle")] == ["Round 1, A", "Round 1", ""]
    orders = orders_of({"order": [{"when": "*", "answer": "staff", "during": "Round 1, A"}]})
    taken = taken_by(orders, view, request)
    assert taken is not None
    assert taken.option == staff().choose(view, request)
    while game.pending is not None and place_of(game.view("japan")) == "Round 1, A":
        game.play({side: staff() for side in game.sides}, until=game.turn + 1)
    assert isinstance(game.pending, Choose)
    assert taken_by(orders, game.view(game.pending.side), game.pending) is None


def test_an_order_for_a_strike_is_over_with_it() -> None:
    game = flagplot.load("coral-sea", seed=2)
    places: list[tuple[bool, str]] = []
    while game.pending is not None and game.turn < 150:
        if isinstance(game.pending, Choose) and game.pending.side == "japan":
            view = game.view("japan")
            places.append((view.position.battle.strike is not None, place_for(view, "strike")))
            assert is_during(view, places[-1][1])
            assert is_during(view, place_for(view, "phase"))
        game.play({side: staff() for side in game.sides}, until=game.turn + 1)
    flown = [place for under_way, place in places if under_way]
    assert len({*flown}) > 1
    assert not is_during(game.view("japan"), flown[0])


def test_who_is_attacked_reads_of_it_before_anything_is_hit() -> None:
    game = flagplot.load("coral-sea", seed=2)
    seen = dict.fromkeys(game.sides, 0)
    while game.pending is not None and not all(seen.values()):
        game.play({side: staff() for side in game.sides}, until=game.turn + 1)
        for side in game.sides:
            count = news_of(game.view(side), "attacked")
            if count > seen[side] == 0:
                attack = game.log(side)[-1].text if game.log(side)[-1].kind == "note" else ""
                assert not attack.startswith(game.view(side).names[side] + ": air strike")
            seen[side] = count
    assert all(seen.values())
    strikes = [entry.text for entry in game.log("japan") if entry.rule == "23.71"]
    own = [text for text in strikes if text.startswith("Japan: ")]
    assert own, "its own strikes do not count"
    assert news_of(game.view("japan"), "attacked") <= len(
        [entry for entry in game.log("japan") if entry.rule in levels_of("awaw").attacks and entry.text not in own]
    )


def test_only_the_enemy_can_be_found() -> None:
    game = flagplot.load("coral-sea", seed=3)
    game.play({side: staff() for side in game.sides}, until=60)
    told = [entry.headline.of for entry in game.log("japan") if entry.headline and entry.headline.kind == "found"]
    theirs = [of for of in told if of[0].startswith("group:allies:")]
    assert 0 < len(theirs) < len(told)
    assert news_of(game.view("japan"), "found") == len(theirs)


def test_news_ends_an_order() -> None:
    game = flagplot.load("first-battle", seed=2)
    orders = orders_of({"order": [{"when": "*", "answer": "staff", "until": "hit"}]})
    hits = 0
    while game.pending is not None and not hits:
        game.play({side: staff() for side in game.sides}, until=game.turn + 1)
        kinds = [entry.headline.kind for entry in game.log("japan") if entry.headline]
        hits = sum([kind in ("damaged", "sunk", "air-lost") for kind in kinds])
        assert orders[0].is_due(game.view("japan")) == (hits == 0)
    assert hits
    assert orders[0]._replace(after=hits).is_due(game.view("japan"))
