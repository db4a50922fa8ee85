"""Finished saves prove a hash of the last state: it stays what it was, whatever form the state has by now."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.awaw.state.battle import Battle, Round
from flagplot.awaw.state.operation import AirRaids, Operation
from flagplot.awaw.state.save_form import PARTS
from flagplot.awaw.state.state import Elsewhere, Losses, State
from flagplot.awaw.state.turn import Turn
from flagplot.players import player

FINISHED = {
    ("first-battle", 2): "bfc3e0a5d622acdfd5a24b767dd354f68c92a106a72f65e086a4a44502e48ed8",
    ("santa-cruz", 3): "b6002c9c5ad0c53490379c924007fe17030e4b5a588678eab204090fe75f1e9b",
    ("okinawa", 2): "a73e4009474877f2f77abb8a2160fd543359f6e6312d91ebbbf39ef90b63a937",
    ("denmark-strait", 1): "b4da589f334bbace5298599cd1904ec31bf1d265e97777e497bd0a793391b2af",
    ("kursk", 2): "30ba14c6cd2b0401d7bbcf3b60a1503844e475658aa43b0f23ad428745932263",
    ("pearl-harbor", 3): "dc7071761223963f192d6437390432bb795c3e02872ab6b1c69971a73aff32fa",
    ("coral-sea-operation", 1): "1ebeca1d7162d5fc11765b8636ee80b744a30e84c94582b1f7c023eb4454f944",
    ("norwegian-sortie", 34): "7f609ce3f42fc6dcbee4bbb1124cd129a3943892459a5bfacc04fcf9dbffcb18",
    ("malta-landing", 1): "9cdbc5a054101ed80e21c30d2187b36999898f586827ec85b7369b465dffc059",
    ("kamikaze-turn", 1): "ff898ed1a0e708e6c40fe0fbeeb81f5ba3e7ad93e1d5ceb5414fbacf8b8eb959",
    ("solomons-turn", 2): "2208c8e0bea6250c10af2d8f631f83ac5544b6be080d11206c7edf805bd77309",
    ("generated:naval-battle:3", 3): "41a40914215dfe28f70c71541c6e19546f70b07c80d015b1bfa49693f6590458",
    ("generated:raider-battle:3", 3): "49556c163df47292ab6c24dc9a51ec5da2559c58246fd6459da050889c94284b",
    ("generated:air-phase:2", 2): "56ce93aeb620c00e1114cbd9085c872606907f45cdaae88445cb3715e89b4600",
    ("generated:base-attack:2", 2): "06da38cc7bed1e5ec9ba9919968836802a44247334d110d82680b650dfab2eb0",
    ("generated:operation:12", 12): "32b4bbad080cddf118836df3e8a566e3cc579f27fec42eb836d7833d7251fbb3",
    ("generated:air-turn:10", 10): "2a9c1db9fab03ccfc9b4aa46adcbbbbf8c0f254f765bc43617f87ec2439a6711",
    ("generated:line-of-battle:1", 1): "af6abe7f3240d265ee8bd76f0e8a85622e126ff868d05b5009edef82b4a892bb",
}
"""Games of random players, and the hash of the last state. They were played when the state was flat: where one differs
the code is wrong and not the hash, unless scenario, rules or player are new."""


@pytest.mark.parametrize(("scenario", "seed"), FINISHED)
def test_a_finished_game_has_the_hash_that_it_always_had(tmp_path: Path, scenario: str, seed: int) -> None:
    game = flagplot.load(scenario, seed=seed)
    game.play({side: player("random", 2 * seed + place) for place, side in enumerate(game.sides)})
    assert game.ending()["state"] == FINISHED[scenario, seed]
    game.save(tmp_path / "game.jsonl", follow=False)
    assert f'"state":"{FINISHED[scenario, seed]}"' in game.tape().texts[-1]
    assert flagplot.verify(tmp_path / "game.jsonl").problems == []


def test_no_field_of_a_part_is_written_over_another() -> None:
    parts: dict[str, Any] = {
        "battle": Battle,
        "this_round": Round,
        "losses": Losses,
        "elsewhere": Elsewhere,
        "operation_if_any": Operation,
        "last_raids": AirRaids,
        "turn_if_any": Turn,
    }
    assert list(parts) == list(PARTS)
    own = [part.name for part in fields(State)]
    names = own + [PARTS[key].get(part.name, part.name) for key, kind in parts.items() for part in fields(kind)]
    assert sorted(set(names)) == sorted(names)
