"""What the page of Line of Battle leaves open. Every default is an assumption; `docs/rulings.md` gives its grounds."""

from __future__ import annotations

from dataclasses import dataclass, fields

from flagplot.kernel.options import reading


@dataclass(frozen=True, slots=True)
class Options:
    """One value for a whole battle. Each field fills a gap of the page."""

    disabled_faces: str = reading(
        "5",
        "3",
        "4-5",
        rules="LOB-18",
        about="The faces of a die that disable, which the page has as pictures (an assumption): 5; or 3; or 4 and 5. "
        "A face that also hits counts only as a hit.",
    )
    hit_faces: str = reading(
        "6",
        "5-6",
        rules="LOB-21",
        about="The faces of a die that hit, which the page has as pictures (an assumption): 6; or 5 and 6.",
    )
    damage_roll: str = reading(
        "each-hit",
        "each-attack",
        rules="LOB-21",
        about="The dice for damage (an assumption): one for each hit; or one for each attack that hits, however often.",
    )
    carry_damage: bool = reading(
        False,
        True,
        rules="LOB-22 LOB-23",
        about="Damage points of a unit that was not turned over (an assumption): they are forgotten at the end of the "
        "round, or stay on it.",
    )
    damaged_again: str = reading(
        "sinks",
        "no-effect",
        rules="LOB-23 LOB-26",
        about="A second damaged result for a unit whose damaged side has no Defense Factor of its own (an "
        "assumption): it is sunk or destroyed, or nothing more happens to it.",
    )
    day_night_choice: str = reading(
        "secret",
        "phasing-first",
        rules="LOB-09",
        about="Day or night (an assumption): both factions choose in secret and show it together, or the phasing "
        "faction says it openly and then the other.",
    )
    same_choice: str = reading(
        "no-roll",
        "both-roll",
        rules="LOB-09",
        about="Both factions choose the same (an assumption): nobody rolls; or both roll all the same, and the choice "
        "holds whatever falls.",
    )
    air_base_near: str = reading(
        "yes-or-no",
        "distance",
        rules="LOB-12",
        about="Whether an air base is within three hexes (an assumption): the scenario says so with `air_base`; or it "
        "gives the hexes as `air_base_distance`, of which three or fewer count.",
    )
    air_base_bonus: str = reading(
        "either-choice",
        "day-only",
        rules="LOB-12",
        about="The +1 for an air base (an assumption): for either choice, or only for a faction that chooses day.",
    )
    tied_selection: str = reading(
        "non-phasing",
        "day-then-night",
        rules="LOB-10",
        about="Equal rolls for day or night: the choice of the non-phasing faction holds, as printed; or a day action "
        "and then a night action in the same round, as in older games of the kind (an assumption).",
    )
    targets_named: str = reading(
        "before-dice",
        "one-by-one",
        rules="LOB-02 LOB-03",
        about="Targets (an assumption): a faction names all of them before it rolls, or each attacker names its "
        "target and rolls before the next.",
    )
    spread_fire: bool = reading(
        False,
        True,
        rules="LOB-02 LOB-03",
        about="Two attackers on one target (an assumption): allowed freely, or only when every unit that it can "
        "attack has been given an attacker.",
    )
    lba_targets: str = reading(
        "airstrike-only",
        "any-factor",
        rules="LOB-14 LOB-16",
        about="Who can attack an LBA (an assumption): only aircraft, or guns and torpedoes too.",
    )
    lba_against_lba: str = reading(
        "full-dice",
        "one-for-three",
        rules="LOB-14 LOB-16",
        about="An LBA that attacks an LBA (an assumption): a die for each factor, or one for every three, as carriers.",
    )
    factors_used: str = reading(
        "day-both-night-one",
        "one",
        "both",
        rules="LOB-13 LOB-17",
        about="A unit with two kinds of factors that may attack (an assumption): by day it uses both at its one target "
        "and by night it chooses one; or always one; or always both.",
    )
    gun_dice: str = reading(
        "each-factor",
        "each-ship",
        rules="LOB-13 LOB-17",
        about="The dice of guns and torpedoes (an assumption): one for each factor, or one for each ship.",
    )
    attack_bonus: str = reading(
        "none",
        "plus-one",
        rules="LOB-18 LOB-21",
        about="Units marked with an attack bonus (an assumption): they attack like others, or add 1 to each die.",
    )
    damaged_factors: str = reading(
        "no-airstrike",
        "unchanged",
        "halved",
        rules="LOB-26",
        about="Attack factors of a damaged side that the scenario does not give (an assumption): no Airstrike Factor, "
        "the others unchanged; or all unchanged; or all halved, rounded down.",
    )
    no_damage_factor: str = reading(
        "defense-only",
        "half-defense",
        rules="LOB-23",
        about="A counter without a Damage Factor (an assumption): it cannot be damaged, and only its Defense Factor "
        "counts; or it is damaged by half its Defense Factor, rounded up.",
    )
    disabled_and_hit: str = reading(
        "both",
        "hit-only",
        rules="LOB-18 LOB-27",
        about="An attack that both disables and hits (an assumption): both count, or only the hits.",
    )
    disabled_and_sunk: str = reading(
        "sunk",
        "saved",
        rules="LOB-18 LOB-22 LOB-27",
        about="A ship that is disabled and sunk in one round (an assumption): it is sunk; or it is saved by having "
        "dropped out, and is damaged and disabled instead.",
    )
    disabled_ships: str = reading(
        "still-attack",
        "silenced",
        rules="LOB-03 LOB-18",
        about="A ship of the other faction that the phasing one has just disabled (an assumption): it still attacks "
        "in that round, since results wait; or it is silenced at once, but for base attacks.",
    )
    base_attackers: str = reading(
        "aircraft",
        "day-factors",
        rules="LOB-20",
        about="Who attacks in a base attack round (an assumption): only aircraft, or all units that attack by day.",
    )
    retreat: str = reading(
        "whole",
        "by-unit",
        rules="LOB-05",
        about="A retreat (an assumption): the whole faction leaves the battle, or the units that it chooses.",
    )
    empty_line: str = reading(
        "stop",
        "second-round",
        rules="LOB-06",
        about="A faction with nobody in the Line of Battle Box after the first round (an assumption): the battle stops "
        "there; or the second round is played, without asking for a retreat.",
    )
    delay_box: str = reading(
        "stay",
        "rejoin",
        rules="LOB-25 LOB-27",
        about="Disabled ships in the Delay Box (an assumption): they stay there, and the campaign says for how long; "
        "or they come back to the Line of Battle Box for the second round. Destroyed LBAs stay in any case.",
    )
    after_retreat: str = reading(
        "resolution",
        "no-resolution",
        rules="LOB-05 LOB-07",
        about="A battle that ends by a retreat after the first round (an assumption): it is resolved like others, or "
        "is neither a success nor a repulsion nor a stalemate.",
    )
    who_remains: str = reading(
        "any-unit",
        "ships-only",
        rules="LOB-07",
        about="Success, repulsion or stalemate by who remains in the Line of Battle Box (an assumption): any unit "
        "counts, or only ships.",
    )


def house_rules(options: Options) -> str:
    """What a battle reads otherwise than usual, for its log: ``standard`` if that is nothing."""
    usual = Options()
    read = {part.name: getattr(options, part.name) for part in fields(options)}
    changed = {name: value for name, value in read.items() if value != getattr(usual, name)}
    words = {name: {True: "yes", False: "no"}.get(value, value) for name, value in changed.items()}
    return ", ".join([f"{name.replace('_', ' ')} {value}" for name, value in words.items()]) or "standard"


def faces(text: str) -> frozenset[int]:
    """The faces of a reading: ``5`` or ``4-5``."""
    return frozenset(map(int, text.split("-")))
