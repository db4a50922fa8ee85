"""Attacks against enemy air bases in a naval combat round (22.43): one side's sorties, one round of combat each."""

from __future__ import annotations

from flagplot.awaw.air_combat import CARRIER_COUNTERAIR
from flagplot.awaw.air_units import Listed
from flagplot.awaw.counterair import commit
from flagplot.awaw.procedures import base_attacks, counterair
from flagplot.awaw.state.air import Mission
from flagplot.awaw.state.state import State
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words


@base_attacks.segment("22.432", "Sorties against bases are announced")
@rule("22.341A", "22.41B.2", "22.431B", "22.432", "23.61C")
def announce_sorties(state: State, side: str) -> Script[Next]:
    """22.432: the player announces how many squadrons attack each enemy land base in range of his carriers."""
    words = ("{}: choosing attacks on bases", state.name(side))
    yield from secretly(side, words, _send(state, side), "22.432")
    sent = [(state.place(sortie.target).name, Listed(sortie.attackers.items())) for sortie in state.battle.sorties]
    name = state.name(side)
    told = ("{}: attacks on bases: {}", name, Sorties(sent)) if sent else ("{}: no attacks on bases", name)
    yield disclosed(told, "22.432", side)
    return None


def bases_in_range(state: State, side: str) -> list[str]:
    """The enemy bases that carriers in the battle hex can reach."""
    return [base for base in state.of_side(state.other(side)) if kept_from_sorties(state, base) is None]


@rule("22.341A", "23.61C")
def kept_from_sorties(state: State, base: str) -> Refusal | None:
    """22.432: why a base is not attacked from carriers in the battle hex."""
    return None if state.scene.near.get(base) else _OUT_OF_RANGE


_OUT_OF_RANGE = Refusal("out of range of carriers in the battle hex", "22.432")


class Sorties(tuple[tuple[str, Listed], ...]):
    """What flies against which base, put into words only when somebody reads it."""

    __slots__ = ()

    def __str__(self) -> str:
        return "; ".join([f"{target} {force}" for target, force in self])


def _send(state: State, side: str) -> Script[None]:
    """The sorties stand in the state only when all are decided on: then they are announced together."""
    sorties = []
    for target in bases_in_range(state, side):
        sortie = Mission(target, side, CARRIER_COUNTERAIR)
        yield from commit(state, sortie)
        if sortie.attackers:
            sorties.append(sortie)
    state.battle.sorties = sorties


@base_attacks.segment("22.432", "Each attack is resolved")
@rule("22.432")
def resolve(state: State, side: str) -> Next:
    """22.432: one round of counterair combat for each base."""
    battle = state.battle
    if not battle.sorties:
        return END
    if len(battle.sorties) > 1:
        return next_attack
    battle.mission = battle.sorties.pop()
    return _FLY


@base_attacks.segment("22.432", "With several attacks, their player chooses the next one")
@rule("22.432")
def next_attack(state: State, side: str) -> Script[Next]:
    """22.432: in whatever order the player wishes."""
    battle = state.battle
    targets = [sortie.target for sortie in battle.sorties]
    labels: dict[str, Words] = {target: state.place(target).name for target in targets}
    target: str = yield Choose(side, "next", targets, "Choose the next attack", labels, "22.432")
    battle.mission = battle.sorties.pop(targets.index(target))
    return _FLY


_FLY = Call(counterair, then=resolve)
