"""`flagplot odds fire`, `engagement`, `submarine` and `interception`: the questions of the sea."""

from __future__ import annotations

from typing import Annotated

import typer

from flagplot.cli.odds import odds_app, show
from flagplot.cli.plots import Plot

Json = Annotated[bool, typer.Option("--json", help="One JSON document for programs.")]
Readings = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="Another reading of a rule (see: flagplot options)."),
]
Codebreaking = Annotated[str, typer.Option(metavar="us|them", help="Who has the tactical codebreaking advantage.")]
TargetNation = Annotated[str, typer.Option(metavar="N", help="The country of light ships that are the target.")]
Hits = Annotated[str, typer.Option(metavar="SHIP N, …", help="Hits that ships of the target have: hood 1.")]
States = Annotated[str | None, typer.Option(metavar="N", help="Follow at most so many states at a time.")]
Seconds = Annotated[str | None, typer.Option(metavar="N", help="Stop after so many seconds.")]
SHIPS = "SHIPS"


@odds_app.command()
def fire(
    target: Annotated[
        str, typer.Option(metavar=SHIPS, help="A named ship, or light ships by factors: 6 cruisers, 4 destroyers.")
    ],
    ships: Annotated[str, typer.Option(metavar=SHIPS, help="The ships that fire: Bismarck, Scharnhorst.")] = "",
    factors: Annotated[str | None, typer.Option(metavar="N", help="Or only how many factors fire.")] = None,
    nation: Annotated[str, typer.Option(metavar="N", help="The country of those who fire: germany.")] = "",
    target_nation: TargetNation = "",
    hits: Hits = "",
    hampered: Annotated[
        list[str] | None, typer.Option(metavar="us|them", help="Whom cargo or sea supply hampers (22.552B).")
    ] = None,
    codebreaking: Codebreaking = "",
    option: Readings = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Fleet fire on one target: hits, damage, sinking."""
    from flagplot.odds.questions import sea

    answer = sea.fire(
        ships=ships,
        factors=factors,
        nation=nation,
        target=target,
        target_nation=target_nation,
        hits=hits,
        hampered=hampered or [],
        codebreaking=codebreaking,
        option=option or [],
    )
    show(answer, as_json=json, plot=plot)


@odds_app.command()
def engagement(
    ours: Annotated[str, typer.Option(metavar=SHIPS, help="Our group: Yamato, 10 cruisers, 10 destroyers.")],
    theirs: Annotated[str, typer.Option(metavar=SHIPS, help="The group of the enemy.")],
    nation: Annotated[str, typer.Option(metavar="N", help="The country of our light ships.")] = "",
    their_nation: Annotated[str, typer.Option(metavar="N", help="The country of theirs.")] = "",
    hits: Annotated[str, typer.Option(metavar="SHIP N, …", help="Hits that our ships have.")] = "",
    their_hits: Annotated[str, typer.Option(metavar="SHIP N, …", help="Hits that theirs have.")] = "",
    screen: Annotated[
        str | None, typer.Option(metavar=SHIPS, help="Ships of ours that are screened, or none. Else by doctrine.")
    ] = None,
    their_screen: Annotated[str | None, typer.Option(metavar=SHIPS, help="Ships of theirs, or none.")] = None,
    surplus: Annotated[
        str,
        typer.Option(
            metavar="doctrine|join",
            help="What surplus light ships do (22.54E): as the doctrine says in view of what capital ships have done, "
            "or join in firing at light ships, which makes large combats exact.",
        ),
    ] = "doctrine",
    our_activity: Annotated[str, typer.Option(metavar="A", help="What we are at sea for: sea-transport.")] = "",
    their_activity: Annotated[str, typer.Option(metavar="A", help="What they are at sea for.")] = "",
    codebreaking: Codebreaking = "",
    states: States = None,
    seconds: Seconds = None,
    option: Readings = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """A whole fleet combat between two groups; we are the moving side."""
    from flagplot.odds.questions import sea

    answer = sea.engagement(
        ours=ours,
        theirs=theirs,
        nation=nation,
        their_nation=their_nation,
        hits=hits,
        their_hits=their_hits,
        screen=screen,
        their_screen=their_screen,
        surplus=surplus,
        our_activity=our_activity,
        their_activity=their_activity,
        codebreaking=codebreaking,
        states=states,
        seconds=seconds,
        option=option or [],
    )
    show(answer, as_json=json, plot=plot)


@odds_app.command()
def submarine(
    submarines: Annotated[str, typer.Option(metavar="N", help="How many factors attack, one after the other.")],
    nation: Annotated[str, typer.Option(metavar="N", help="Their country: germany.")],
    target: Annotated[str, typer.Option(metavar=SHIPS, help="The group: Ark Royal, 6 cruisers, 4 destroyers.")],
    target_nation: TargetNation = "",
    hits: Hits = "",
    advanced: Annotated[bool, typer.Option("--advanced", help="Advanced submarines: +1, whatever else.")] = False,
    searchers: Annotated[
        str, typer.Option(metavar="us=N,them=N", help="Squadrons of each side that search (22.9413).")
    ] = "",
    torpedo: Annotated[str | None, typer.Option(metavar="N", help="Torpedo research of the attacker.")] = None,
    asw: Annotated[str | None, typer.Option(metavar="N", help="ASW research of the defender.")] = None,
    excess_asw: Annotated[
        str | None, typer.Option(metavar="N", help="ASW factors in the SW box beyond the submarines there (22.9415).")
    ] = None,
    earlier: Annotated[
        str | None, typer.Option(metavar="N", help="Submarine attacks on the group earlier in the round.")
    ] = None,
    idle_carriers: Annotated[
        bool, typer.Option("--idle-carriers", help="The group's fast carriers have no squadrons: not operational.")
    ] = False,
    hampered: Annotated[bool, typer.Option("--hampered", help="Cargo or sea supply hampers the group.")] = False,
    codebreaking: Annotated[
        str, typer.Option(metavar="us|them", help="Who has the codebreaking advantage in submarine attacks.")
    ] = "",
    tactical: Codebreaking = "",
    states: States = None,
    seconds: Seconds = None,
    option: Readings = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Submarine attacks on one combat group; we attack."""
    from flagplot.odds.questions import sea

    answer = sea.submarine(
        submarines=submarines,
        nation=nation,
        target=target,
        target_nation=target_nation,
        hits=hits,
        advanced=advanced,
        searchers=searchers,
        torpedo=torpedo,
        asw=asw,
        excess_asw=excess_asw,
        earlier=earlier,
        idle_carriers=idle_carriers,
        hampered=hampered,
        codebreaking=codebreaking,
        tactical=tactical,
        states=states,
        seconds=seconds,
        option=option or [],
    )
    show(answer, as_json=json, plot=plot)


@odds_app.command()
def interception(
    distance: Annotated[str, typer.Option(metavar="N", help="The hexes that the interceptors have to go.")],
    theatre: Annotated[str, typer.Option(metavar="europe|pacific")],
    cargo: Annotated[bool, typer.Option("--cargo", help="The target carries cargo (22.22A).")] = False,
    bombardment: Annotated[bool, typer.Option("--bombardment", help="It bombards a shore (22.22A).")] = False,
    carrier_mission: Annotated[
        bool, typer.Option("--carrier-mission", help="It is on a fast carrier mission (22.22A).")
    ] = False,
    patrol_staying: Annotated[
        bool, typer.Option("--patrol-staying", help="It is a patrol that wants to stay in its hex (22.22B).")
    ] = False,
    counter_in_hex: Annotated[
        bool, typer.Option("--counter-in-hex", help="Counter-interception in the interception hex (22.22C).")
    ] = False,
    light_only: Annotated[
        bool, typer.Option("--light-only", help="Cruisers and destroyers alone intercept (22.22D).")
    ] = False,
    task_forces: Annotated[str | None, typer.Option(metavar="N", help="Task forces in the target (22.22E).")] = None,
    ground_defenders: Annotated[
        str | None, typer.Option(metavar="N", help="Ground factors that defend against the invasion (22.22F).")
    ] = None,
    spotters: Annotated[str | None, typer.Option(metavar="N", help="Squadrons that spot it (22.22G).")] = None,
    submarines: Annotated[str | None, typer.Option(metavar="N", help="Friendly submarines near by (22.22H).")] = None,
    cards: Annotated[
        str | None, typer.Option(metavar="N", help="Strategic cards more than the opponent (22.22I).")
    ] = None,
    slow: Annotated[bool, typer.Option("--slow", help="There are slow ships among the interceptors (22.22J).")] = False,
    submarine_force: Annotated[
        bool, typer.Option("--submarine-force", help="A submarine intercepts (22.22J).")
    ] = False,
    attempts: Annotated[str, typer.Option(metavar="N", help="Attempts on the same activity (22.22K).")] = "1",
    plot: Plot = None,
    json: Json = False,
) -> None:
    """One interception attempt: whether it succeeds, and how late the force is if it does not."""
    from flagplot.odds.questions import sea

    answer = sea.interception(
        distance=distance,
        theatre=theatre,
        attempts=attempts,
        cargo=cargo,
        bombardment=bombardment,
        carrier_mission=carrier_mission,
        patrol_staying=patrol_staying,
        counter_in_hex=counter_in_hex,
        light_only=light_only,
        task_forces=task_forces,
        ground_defenders=ground_defenders,
        spotters=spotters,
        submarines=submarines,
        cards=cards,
        slow=slow,
        submarine_force=submarine_force,
    )
    show(answer, as_json=json, plot=plot)
