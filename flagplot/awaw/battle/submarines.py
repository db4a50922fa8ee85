"""Submarine attacks (22.9): segment I of a round. All attacks are announced, then each factor attacks by itself.

That submarines are there, and how many, is public: they have shown themselves by intercepting, or came with a force
that did. One attack stands in `torpedoes`, attacks without a naval battle in `ambush`.
"""

from __future__ import annotations

from flagplot.awaw.battle.groups import key_of, label
from flagplot.awaw.battle.torpedoes import strike_from_below
from flagplot.awaw.procedures import submarine_attacks
from flagplot.awaw.state.battle import Announced, Group, Submarines
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.nations import nation
from flagplot.kernel.procedures import END, Next
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, count_or_not


@submarine_attacks.segment("22.93D", "All attacks are announced")
@rule("22.93D", "22.914", "22.92")
def announce_attacks(state: State, side: str = "") -> Script[Next]:
    """22.93D: the moving side and then the other announce which submarines attack which groups, before any attack is
    resolved. With a `side`, its submarines alone attack, without naval combat."""
    for one in (side,) if side else state.sides:
        groups = state.battle.present(state.other(one)) if side else open_groups(state, one)
        if groups:
            yield from _announce(state, one, groups)
    return None


@rule("22.93B", "22.914")
def open_groups(state: State, side: str) -> list[Group]:
    """22.93B: the enemy groups that submarines of a side may attack: those found in this round, and those that have
    shown where they are by fleet combat."""
    return [group for group in state.battle.present(state.other(side)) if kept_from_submarines(group) is None]


def kept_from_submarines(group: Group) -> Refusal | None:
    """22.93B: why submarines cannot attack a group."""
    return None if group.this_round.results or group.this_round.fought else UNSEEN


UNSEEN = Refusal("neither found nor in fleet combat in this round, so submarines cannot attack it", "22.93B")


@rule("22.93A", "22.92", "22.914", "22.94")
def _announce(state: State, side: str, groups: list[Group]) -> Script[None]:
    """22.93A: each factor goes for one group. Those that intercepted must attack as soon as they can (22.92), those
    that came with a force may (22.914); nobody attacks twice (22.94)."""
    battle = state.battle
    for place, flotilla in enumerate(battle.submarines):
        if flotilla.side != side or flotilla.arrives > battle.round:
            continue
        left = flotilla.factors
        for group in groups:
            if not left:
                break
            must = left if group is groups[-1] and not flotilla.accompany else 0
            verb = ("submarines", str(place + 1), str(group.number))
            target, boats = label(state, group), described(flotilla, left)
            question, labels = count_or_not(
                left,
                ("Attack {} with how many of {}?", target, boats),
                ("Attack {} with {}?", target, boats),
                "Hold back",
                "Attack",
            )
            number: int = yield Choose(side, verb, range(must, left + 1), question, labels, "22.93")
            if number:
                left -= number
                battle.this_round.announced.append(Announced(place, key_of(state, group), number))
                factors = f"{number} submarine factor{'s attack' if number > 1 else ' attacks'}"
                words = ("{}: {} {}", state.name(side), factors, label(state, group))
                yield Note(words, "22.93")


def described(flotilla: Submarines, number: int = 0) -> Words:
    """What people call some submarines, or so many of them: ``3 advanced German submarine factors``."""
    country, number = nation(flotilla.nation).adjective, number or flotilla.factors
    return ("{}{} {} submarine factor{}", number, " advanced" * flotilla.advanced, country, "s" * (number != 1))


@submarine_attacks.segment("22.93D", "The attacker says which attack comes next")
@rule("22.93D")
def next_attack(state: State, side: str = "") -> Script[Next]:
    """22.93D: attacks are resolved one by one, those of the moving side first; its player says on which group. If the
    group is gone, submarines that were to attack it have not attacked (22.92)."""
    battle = state.battle
    battle.this_round.announced = [
        attack for attack in battle.this_round.announced if battle.groups[attack.target].ships
    ]
    if not battle.this_round.announced:
        return END
    sides = [battle.submarines[attack.flotilla].side for attack in battle.this_round.announced]
    turn = next(one for one in state.sides if one in sides)
    able = {
        _key(state, attack): attack
        for attack, one in zip(battle.this_round.announced, sides, strict=True)
        if one == turn
    }
    labels = {key: _attack_label(state, attack) for key, attack in able.items()}
    question = "Choose the next submarine attack"
    chosen: tuple[int, int] = yield Choose(turn, "attack", [*able], question, labels, "22.93")
    battle.this_round.announced.remove(able[chosen])
    battle.this_round.announced.insert(0, able[chosen])
    return None


def _attack_label(state: State, attack: Announced) -> Words:
    battle = state.battle
    boats = described(battle.submarines[attack.flotilla], attack.factors)
    return "{} against {}", boats, label(state, battle.groups[attack.target])


def _key(state: State, attack: Announced) -> tuple[int, int]:
    return attack.flotilla + 1, state.battle.groups[attack.target].number


@submarine_attacks.segment("22.94", "One submarine attacks")
@rule("22.93D", "22.94", "22.92")
def attack(state: State, side: str = "") -> Script[Next]:
    """22.94: each factor attacks separately; those that find their group sunk keep their attack (22.92)."""
    battle = state.battle
    first = battle.this_round.announced[0]
    yield from strike_from_below(state, battle.submarines[first.flotilla], battle.groups[first.target])
    first.factors -= 1
    if first.factors and battle.groups[first.target].ships:
        return attack
    del battle.this_round.announced[0]
    return next_attack
