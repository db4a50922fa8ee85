"""The readings of the rules that players may switch. `docs/rulings.md` gives the grounds of each default."""

from __future__ import annotations

from dataclasses import dataclass

from flagplot.kernel.options import reading


@dataclass(frozen=True, slots=True)
class Options:
    """One value for a whole game. Each field is a ruling; its default is the reading that the project follows."""

    beyond_last_row: str = reading(
        "one-roll",
        "separate-rolls",
        rules="T19.2-05 T23.42-09 T23.44-07",
        about="More units than the last row of a table has: one roll is read in all the rows used, or each row is "
        "rolled for separately.",
    )
    inverted_air: str = reading(
        "attacker-declares",
        "always-engaged",
        rules="18.521B 19.64 23.413",
        about="Inverted air in a base under counterair: the attacker declares before each round whether it is engaged, "
        "or it always fights.",
    )
    transports_targeted: str = reading(
        "attacker-declares",
        "always",
        rules="18.521B.1 17.65",
        about="Air transports in a base under counterair: the attacker declares before each round whether they can be "
        "hit, or they always can.",
    )
    transport_losses: str = reading(
        "by-share",
        "all-inverted",
        rules="23.18 23.18.1",
        about="Air transports hit as squadrons: each effect that no lost factor explains inverts one surviving "
        "factor, or any effect inverts all the survivors.",
    )
    jet_remainder: str = reading(
        "dropped",
        "rounded-up",
        rules="17.56 19.31B",
        about="One or two jet squadrons over a multiple of three: they give no modifier, or count as a full three.",
    )
    supply_and_oil: str = reading(
        "once",
        "each",
        rules="T19.31A-09",
        about="Partial supply and air oil effects on the same unit: -1 once, or -1 for each.",
    )
    air_chart: str = reading(
        "19.31A",
        "23.441A",
        rules="T19.31A T23.441A",
        about="The Air Nationality Chart: the newer one of chapter 19 (India 2, American Pacific bombers +1), or the "
        "older one of chapter 23.",
    )
    classic: bool = reading(
        False,
        True,
        rules="19.31A#classic 17.353A#classic 18.142B#classic",
        about="The classic game: India has no army air, and the naval air training rates are those of the older game.",
    )
    bombing_remnant: str = reading(
        "owner",
        "lower-drm",
        rules="19.62",
        about="Strategic bombing, types equal in number: the owner says which takes the odd loss (rule 26.454 could "
        "not be read: an assumption), or the lower nationality takes it as elsewhere.",
    )
    carrier_counterair: str = reading(
        "one-round",
        "many-rounds",
        rules="19.12.1 18.522",
        about="Counterair by carriers: one round each sortie, or rounds until one side breaks off, as for land-based "
        "air; a patrol on its way to its hex fights one round from each hex in any case (19.12.2).",
    )
    defenders_leave: str = reading(
        "after-any-round",
        "if-attackers-survive",
        rules="23.46A 18.522A",
        about="Air units in a base that was attacked from the air may leave it after any round, or not after one in "
        "which all the attackers were eliminated.",
    )
    escape_from_patrols: str = reading(
        "each-round",
        "after-battle",
        rules="23.46C",
        about="Naval combat against a patrol in its patrol hex: air units in bases within range of it may leave after "
        "each round, or only after the battle. Ships leave after the battle.",
    )
    patrol_chosen: str = reading(
        "before-counterair",
        "after-counterair",
        rules="22.431 23.35A 23.64",
        about="Combat air patrol in a naval combat round: chosen before enemy bases are attacked, or afterwards from "
        "the squadrons that have not flown.",
    )
    counterair_nas_may_strike: bool = reading(
        True,
        False,
        rules="22.433 18.524B",
        about="Carrier squadrons that flew counterair and were not aborted may strike ships in the same naval combat "
        "round, or are inverted for the round.",
    )
    defenders_engage: str = reading(
        "all-committed",
        "no-more-than-attackers",
        rules="23.415A.1 23.415B.5",
        about="Squadrons over an attacked combat group: as many engage the strike as the defender commits, or never "
        "more than attack.",
    )
    defenders_limit: str = reading(
        "none",
        "4-8-12",
        rules="SOP-NC-I.G.2.c 23.415",
        about="Most squadrons that may engage one strike: no limit as in the printed chapter 23, or 4, 8 or 12 by "
        "their Air Nationality DRM as in the later sequence of play.",
    )
    kamikaze_aborts: str = reading(
        "diverted",
        "ignored",
        rules="17.47E.3 23.423 T23.42-10",
        about="Kamikazes that an air combat or air defense result would abort: they turn to another combat group of "
        "the defender's choice, or fly on as chapter 23 has it.",
    )
    diverted_from_one_group: str = reading(
        "rejoin",
        "second-attack",
        rules="17.47E.3 17.47F 17.47G",
        about="Kamikazes diverted when the enemy has no other combat group, and in port: they rejoin the attack after "
        "the defenders' rolls, so that the targets of all are chosen together, or attack after it by themselves.",
    )
    kamikazes_at_sea: str = reading(
        "naval-air",
        "drm-only",
        rules="17.464.1 17.47H 17.354",
        about="Kamikazes attacking ships at sea: the +1 of naval air and the DRM of elite Japanese naval air, or only "
        "the DRM.",
    )
    critical_hits: str = reading(
        "on-6",
        "on-5-6",
        "never",
        rules="T23.7413-07 23.443B",
        about="A named ship damaged by a strike of surprise level 7 or more, or sunk in port (the text of 20.524 could "
        "not be read: an assumption): one die, sunk or destroyed on a 6; on a 5 or 6; or no critical hits.",
    )
    one_factor_losses: str = reading(
        "equal-shares",
        "owner",
        rules="23.45",
        about="Hits on destroyers, CVEs and transports: equal shares by nation and kind, or as the owner likes.",
    )
    cargo_hits: str = reading(
        "even",
        "owner",
        "cargo-last",
        rules="23.43B",
        about="Hits on one-factor ships of which some carry cargo (the text of 20.58B could not be read: an "
        "assumption): shared evenly between laden and free ships, as the owner likes, or on free ships first.",
    )
    substitute_saves_cargo: bool = reading(
        True,
        False,
        rules="22.9432",
        about="A destroyer with cargo that submarines hit, and whose loss is taken by a destroyer elsewhere (an "
        "assumption): its cargo stays afloat, or is lost.",
    )
    damaged_cruiser_first: bool = reading(
        True,
        False,
        rules="T23.44-09 T23.44-11",
        about="A hit on cruisers finishes a damaged one first (an assumption), or damages a sound one while there is "
        "any.",
    )
    task_force_escort: str = reading(
        "fast-fleet",
        "any",
        rules="22.421A.4.2",
        about="The half of a task force that is not carriers (20.162F; what may fill it is an assumption): one fast "
        "fleet factor for each carrier factor, or any ships.",
    )
    shared_numbers: str = reading(
        "each-group",
        "one-group",
        rules="23.71A 23.721A",
        about="More than six combat groups outside naval combat share six numbers: a search die that shows a number "
        "finds each group that has it, or one of them, as the owner says.",
    )
    returning_escort: str = reading(
        "no-cargo-dice",
        "cargo-dice",
        rules="22.22A",
        about="Escorts that return from a cargo mission without the ships that carried it: the two dice for cargo do "
        "not count against them, or do, as they would if all returned together.",
    )
    counterair_from_base_hex: bool = reading(
        True,
        False,
        rules="19.12.2",
        about="A patrol in the water of the base that it leaves: it has entered that hex (22.12A) and may fly a round "
        "of counterair from it, or does so only from the next hex on.",
    )
    hunters_hits: str = reading(
        "removed",
        "kept",
        rules="23.444",
        about="Hits short of damage on ships that have met raiders in their SW box (20.512): removed as they are back "
        "in their box, which is their base; or kept until they are in a port.",
    )
    aborted_interception: str = reading(
        "not-inverted",
        "inverted",
        rules="22.27 22.281",
        about="Ships on their way to intercept that abort after an air or submarine attack, without naval combat: in "
        "port they are not inverted unless they are damaged (22.27), or are as all who abort (22.281).",
    )
    kamikaze_turn: str = reading(
        "player-turn",
        "game-turn",
        rules="17.47D.1",
        about="All kamikazes of a turn attack at one time: the turn is a player turn, or a game turn of both sides.",
    )
    supply_line_from_air: str = reading(
        "one-hit",
        "any-attack",
        rules="23.752D",
        about="Air attacks on a sea supply line that nobody protects (30.37 could not be read: an assumption): "
        "a hit on the Naval Attack Table disrupts it, or squadrons that come through do so without a roll.",
    )
    patrol_support: str = reading(
        "any-part",
        "whole-forces",
        rules="SOP-PA-E.2 22.163",
        about="An offensive patrol that comes to support an intercepted force: all of its ships or some of them, or "
        "each task force and each group of submarines as a whole.",
    )
    patrol_cost: str = reading(
        "none",
        "one-a-force",
        rules="SOP-PA-A",
        about="What a patrol costs in an air turn (21.411 could not be read: an assumption): it is paid for with the "
        "offensive, or each task force and smaller force costs a BRP of its nation; submarines are free.",
    )
    submarine_patrol_ends: str = reading(
        "turn-end",
        "with-patrols",
        rules="SOP-PA-E.5 SOP-PA-E.10",
        about="Submarines that stay on patrol in the enemy's player turn: they return after it, or before "
        "exploitation as all defensive patrols do.",
    )
    air_against_submarines: str = reading(
        "naval-attack-table",
        "none",
        rules="23.43C 18.511B",
        about="Land-based air against submarines that stay on patrol in the enemy's player turn (21.4184C could not be "
        "read: an assumption): search and Naval Attack Table, a factor lost for each hit; or not at all.",
    )
    ports_are_mission_bases: bool = reading(
        True,
        False,
        rules="18.51 18.533 18.545",
        about="Missions flown from a base that has a port and neither a city nor an airbase: allowed, as basing there "
        "is, or not, as the words of 18.51 say.",
    )
    counter_interception_cost: str = reading(
        "one-a-factor",
        "none",
        rules="18.472.1",
        about="Counter-interception for air transports in the movement and combat phases (chapter 27 could not be "
        "read: an assumption): a BRP for each factor and for every three naval squadrons, or part of an offensive that "
        "is paid for elsewhere.",
    )
    captured_supply: str = reading(
        "next-turn",
        "at-once",
        rules="18.142C 18.25 18.531",
        about="A base that is captured (chapter 30 could not be read: an assumption): it has no supply before the next "
        "player turn of its new owner, when supply is traced, or full supply at once.",
    )
    zones_of_control: str = reading(
        "armor",
        "all-units",
        rules="18.142C 18.547A",
        about="Which ground units have a zone of control (chapter 13 could not be read: an assumption): armor alone, "
        "as 18.142C speaks of it, or all but partisans.",
    )
    allied_air_support: str = reading(
        "own-faction",
        "any-ally",
        rules="18.611D.2",
        about="Defensive air support for ground units of allies (chapter 53 could not be read: an assumption): for "
        "those of its own alliance faction, or for all of its side; British and French only if they cooperate.",
    )
    air_redeployment: str = reading(
        "base-to-base",
        "one-flight",
        rules="18.72D.1 18.48",
        about="How far air units redeploy (chapter 28 could not be read: an assumption): by any number of flights from "
        "base to base, each up to twice their range; or by a single one.",
    )
    interceptor_reach: str = reading(
        "front-and-base",
        "either",
        rules="17.82 18.31G",
        about="Interceptors oppose bombers that fly over their front and come within range of a supplied base on it "
        "(18.31G), or those of which either is true (17.82).",
    )
    late_air_support: str = reading(
        "all-air",
        "army-air",
        rules="18.611 18.613",
        about="Defensive air support against overruns and exploitation: by army air and land-based naval air as in "
        "regular combat (18.611), or by army air alone (18.613).",
    )
