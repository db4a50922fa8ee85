"""`flagplot odds air-combat`, `strike`, `search` and `base-attack`: the questions of the air."""

from __future__ import annotations

from typing import Annotated

import typer

from flagplot.cli.odds import odds_app as odds_app
from flagplot.cli.odds import show
from flagplot.cli.plots import Plot

Json = Annotated[bool, typer.Option("--json", help="One JSON document for programs.")]
Readings = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="Another reading of a rule (see: flagplot options)."),
]
Research = Annotated[
    str, typer.Option(metavar="WHO:RESULT=N, …", help="Research results: defenders:air_defense=1, japan:air_drm=1.")
]
Attackers = Annotated[str, typer.Option(metavar="AIR", help="Those who attack: 6 japan elite, 2 japan army.")]
Defenders = Annotated[str, typer.Option(metavar="AIR", help="Those who defend: 4 american naval, 3 american army.")]
Surprise = Annotated[str | None, typer.Option(metavar="N", help="The surprise level of the attack.")]


@odds_app.command("air-combat")
def air_combat(
    attackers: Attackers,
    defenders: Defenders,
    kind: Annotated[
        str, typer.Option(metavar="KIND", help="at-sea, counterair, carrier-counterair, naval-base, bombing, …")
    ] = "at-sea",
    cap: Annotated[bool, typer.Option("--cap", help="At sea: combat air patrol is among the defenders.")] = False,
    cover: Annotated[bool, typer.Option("--cover", help="At sea: air cover is among the defenders.")] = False,
    surprise: Surprise = None,
    radar: Annotated[str | None, typer.Option(metavar="N", help="In bombing: the defender's radar results.")] = None,
    research: Research = "",
    option: Readings = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """One round of air combat: losses and aborts.

    At sea, and wherever naval air fights, numbers are squadrons; else they are factors. At sea naval air flies patrol
    and army air cover unless --cap or --cover says otherwise."""
    from flagplot.odds.questions import air

    answer = air.air_combat(
        attackers,
        defenders,
        kind=kind,
        cap=cap,
        cover=cover,
        surprise=surprise,
        radar=radar,
        research=research,
        options=option or [],
    )
    show(answer, as_json=json, plot=plot)


@odds_app.command()
def strike(
    attackers: Attackers,
    target: Annotated[
        str,
        typer.Option(metavar="SHIPS", help="The struck group; light ships by factors: Wasp, 4 cruisers, 4 destroyers."),
    ],
    nation: Annotated[str, typer.Option(metavar="N", help="The country of its light ships, if it is in doubt.")] = "",
    cap: Annotated[
        str | None, typer.Option(metavar="N", help="Squadrons on combat air patrol: a number, or 4 japan elite.")
    ] = None,
    aboard: Annotated[
        str | None, typer.Option(metavar="N", help="Squadrons of its carriers, the patrol too. Without it: full decks.")
    ] = None,
    cover: Annotated[
        str, typer.Option(metavar="AIR", help="Land-based squadrons that cover it: 2 american army.")
    ] = "",
    surprise: Surprise = None,
    research: Research = "",
    aim: Annotated[
        str, typer.Option(metavar="SHIP N, …", help="Squadrons against each target: enterprise 6, light-ships 2.")
    ] = "",
    hits: Annotated[str, typer.Option(metavar="SHIP N, …", help="Hits that its ships have: enterprise 1.")] = "",
    engage: Annotated[
        str | None, typer.Option(metavar="N", help="How many over the target engage. Without it: all.")
    ] = None,
    option: Readings = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """One air strike on ships: hits and losses.

    Naval squadrons fly from carriers, army squadrons from land. Without --aim the doctrine player picks the targets."""
    from flagplot.odds.questions import air

    answer = air.strike(
        attackers,
        target,
        nation=nation,
        cap=cap,
        aboard=aboard,
        cover=cover,
        surprise=surprise,
        research=research,
        aim=aim,
        hits=hits,
        engage=engage,
        options=option or [],
    )
    show(answer, as_json=json, plot=plot)


@odds_app.command()
def search(
    groups: Annotated[str, typer.Option(metavar="N,N", help="The numbers of the enemy's combat groups: 1,3,5.")],
    dice: Annotated[str | None, typer.Option(metavar="N", help="The search dice, or what brings them:")] = None,
    squadrons: Annotated[str | None, typer.Option(metavar="N", help="Land-based squadrons that search.")] = None,
    active: Annotated[str | None, typer.Option(metavar="N", help="Active groups of ten sound factors.")] = None,
    carriers: Annotated[str | None, typer.Option(metavar="N", help="Distant groups with a ready carrier.")] = None,
    round_: Annotated[str | None, typer.Option("--round", metavar="N", help="The round of the battle.")] = None,
    codebreaking: Annotated[str | None, typer.Option(metavar="+1|-1", help="The codebreaking advantage.")] = None,
    enemy_dice: Annotated[str | None, typer.Option(metavar="N", help="The enemy's search dice.")] = None,
    own_groups: Annotated[str, typer.Option(metavar="N,N", help="The numbers of our own combat groups.")] = "",
    plot: Plot = None,
    json: Json = False,
) -> None:
    """One side's search: what is found, and surprise."""
    from flagplot.odds.questions import air

    answer = air.search(
        groups,
        dice=dice,
        squadrons=squadrons,
        active=active,
        carriers=carriers,
        round=round_,
        codebreaking=codebreaking,
        enemy_dice=enemy_dice,
        own_groups=own_groups,
    )
    show(answer, as_json=json, plot=plot)


@odds_app.command("base-attack")
def base_attack(
    attackers: Attackers,
    defenders: Annotated[
        str, typer.Option(metavar="AIR", help="The air in the base: 4 britain army, 2 britain army inverted.")
    ] = "",
    ships: Annotated[
        str, typer.Option(metavar="SHIPS", help="The ships in port, if they are attacked: Arizona, 4 cruisers.")
    ] = "",
    port: Annotated[
        str, typer.Option(metavar="WHAT", help="What else defends the port: 1 city, 1 airbase, 2 flak, fortress.")
    ] = "",
    counterair: Annotated[
        str | None, typer.Option(metavar="N", help="How many counterair instead of attacking ships. Without it: none.")
    ] = None,
    aim: Annotated[str, typer.Option(metavar="AIMS", help="Ships as targets: arizona 4, light-ships 2.")] = "",
    nation: Annotated[str, typer.Option(metavar="NATION", help="The country of the light ships in port.")] = "",
    hits: Annotated[str, typer.Option(metavar="HITS", help="Hits that ships in port already have: arizona 2.")] = "",
    carriers: Annotated[bool, typer.Option("--carriers", help="The attackers fly from carriers.")] = False,
    rounds: Annotated[
        str | None, typer.Option(metavar="N", help="The rounds that the attacker fights. Without it: one.")
    ] = None,
    research: Research = "",
    option: Readings = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Counterair against a base, or an attack on ships in port: losses on both sides.

    Army air, jets and transports are counted in factors as in scenario files, and fight as squadrons if naval air takes
    part."""
    from flagplot.odds.questions import air

    answer = air.base_attack(
        attackers,
        defenders,
        ships=ships,
        port=port,
        nation=nation,
        hits=hits,
        aim=aim,
        counterair=counterair,
        carriers=carriers,
        rounds=rounds,
        research=research,
        options=option or [],
    )
    show(answer, as_json=json, plot=plot)
