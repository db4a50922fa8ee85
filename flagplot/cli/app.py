"""The commands and their options. What a command does is imported when it runs, so that `--help` stays quick."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Annotated

import typer
from typer import Argument, Option
from typer.main import get_command

from flagplot.cli.command import program
from flagplot.cli.failures import Guarded, leave
from flagplot.cli.odds import kinds as kinds  # for its commands
from flagplot.cli.odds import position as position
from flagplot.cli.odds.commands import odds_app
from flagplot.cli.output import tolerate_any_text
from flagplot.cli.plots import Json, Plot

app = typer.Typer(
    name="flagplot",
    cls=Guarded,
    help="Rules, dice, odds and an online table for naval and air battles of board wargames.\n\n"
    "Without a command it opens the web table on this machine, like the command serve.",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
rules_app = typer.Typer(help="Look up a rule, or see how much of the rules is built.", rich_markup_mode=None)
app.add_typer(rules_app, name="rules", no_args_is_help=True)
app.add_typer(odds_app, name="odds")

Text = str | None
Texts = list[str] | None
Players = Annotated[
    Texts,
    Option(
        "--player",
        metavar="SIDE=WHO",
        help=(
            "Who plays a side: human, random, or a rank of the program: ensign, captain, commodore, admiral, fleet. "
            "Default: human on a terminal, otherwise random."
        ),
    ),
]
Seed = Annotated[Text, Option(metavar="N", help="Same dice and same players every time. Default: honest dice.")]
Orders = Annotated[
    Texts, Option("--orders", metavar="SIDE=FILE", help="Standing orders: answers that a side gives in advance.")
]
Again = Annotated[Text, Option("--seed", metavar="N", help="Same battles every time.")]
HouseRules = Annotated[
    Texts, Option("--option", metavar="NAME=VALUE", help="A house rule (the command options lists them).")
]
Jobs = Annotated[
    Text, Option(metavar="N", help="Number of processes; results do not change. Default: one per processor.")
]
Battle = Annotated[
    str,
    Argument(
        metavar="SCENARIO",
        help="The name of a battle (the command scenarios lists them), a file, or a save to continue from.",
    ),
]
Save = Annotated[str, Argument(metavar="FILE", help="A save.")]
As = partial(Option, "--as", metavar="SIDE|umpire")
READERS = "Default: everything for a finished game; for a running one what you may know."
ForWhom = Annotated[Text, As(help=f"For whom. {READERS}")]
LevelOption = Annotated[
    Text,
    Option(
        "--level",
        metavar="flag|captain|everything|step",
        help="How much you decide yourself; your staff decides the rest. step: one question at a time.",
    ),
]
StaffOption = Annotated[
    Text,
    Option(
        "--staff",
        metavar="RANK",
        help="Who fills in your plans: ensign, captain, commodore, admiral or fleet. Default: captain.",
    ),
]
Game = Annotated[str, Argument(metavar="GAME", help="The game, such as awaw.")]


@cache
def commands() -> Callable[..., object]:
    """The commands as they are read off the functions below, once: that takes longer than most of them."""
    return get_command(app)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    tolerate_any_text()
    try:
        commands()(args=list(sys.argv[1:] if arguments is None else arguments), prog_name=program())
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


@app.callback()
def start(
    context: typer.Context,
    version: Annotated[bool, Option("--version", help="The same as the command version.")] = False,
) -> None:
    if version:
        from flagplot.cli import versions

        versions.version(as_json=False)
        raise typer.Exit
    if context.invoked_subcommand is None:
        from flagplot.cli import serve

        leave(serve.serve(None, None, None, None))


# --- playing ----------------------------------------------------------------------------------------------------


@app.command()
def scenarios(json: Json = False) -> None:
    """The battles that you can play."""
    from flagplot.cli.lookups import listings

    listings.scenarios(as_json=json)


@app.command()
def play(
    scenario: Annotated[
        Text,
        Argument(
            metavar="SCENARIO",
            help="The name of a battle (the command scenarios lists them) or a file. Default: a menu on a terminal, "
            "otherwise one battle between two random players.",
        ),
    ] = None,
    player: Players = None,
    seed: Seed = None,
    dice: Annotated[
        str, Option(metavar="auto|manual", help="auto: the program rolls; manual: you type what you rolled.")
    ] = "auto",
    save: Annotated[Text, Option(metavar="FILE", help="Save every answer in this new file.")] = None,
    option: HouseRules = None,
    orders: Orders = None,
    level: LevelOption = None,
    staff: StaffOption = None,
    json: Json = False,
) -> None:
    """Play a battle in the terminal."""
    from flagplot.cli.keyboard import play

    if scenario is None:
        leave(play.without_scenario([player, seed, save, option, orders, level, staff], as_json=json))
        return
    given = play.Given(player or [], seed, orders or [], level, staff)
    leave(play.play(scenario, given, dice, save, option or [], as_json=json))


@app.command()
def learn(
    name: Annotated[Text, Argument(metavar="NAME", help="A lesson or a drill; without one, all are listed.")] = None,
    answer: Annotated[Text, Option(metavar="N", help="The answer to a drill, instead of typing it.")] = None,
    save: Annotated[Text, Option(metavar="FILE", help="Keep the battle of a lesson in this file.")] = None,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """A first battle with a coach, and drills: one decision each."""
    from flagplot.cli.keyboard import drills, play

    if name is None:
        leave(drills.listed(as_json=json))
    else:
        leave(play.learn(name, save, seed, answer, as_json=json))


@app.command()
def resume(
    file: Save,
    player: Players = None,
    seed: Annotated[Text, Option(metavar="N", help="Same computer players every time.")] = None,
    orders: Orders = None,
    level: LevelOption = None,
    staff: StaffOption = None,
    json: Json = False,
) -> None:
    """Continue a saved game; each answer is added to the same file.

    The players are those of before unless --player says otherwise."""
    from flagplot.cli.keyboard import play

    leave(play.resume(file, play.Given(player or [], seed, orders or [], level, staff), as_json=json))


@app.command()
def replay(file: Save, as_: Annotated[Text, As(help=f"Whose log. {READERS}")] = None, json: Json = False) -> None:
    """The log of a saved game, every roll with its reasons."""
    from flagplot.cli.saves import files

    leave(files.replay(file, as_, as_json=json))


@app.command()
def review(
    file: Save,
    as_: Annotated[Text, As(help="The side whose decisions are judged; of a game that is over both.")] = None,
    seconds: Annotated[
        Text, Option(metavar="N", help="Also judge what depends on the whole battle, N seconds for each decision.")
    ] = None,
    json: Json = False,
) -> None:
    """The decisions that mattered most in a saved game, and the luck."""
    from flagplot.cli.saves import review

    leave(review.review(file, as_, seconds, as_json=json))


@app.command()
def hint(
    file: Save,
    as_: Annotated[str, As(help="The side that decides.")],
    at: Annotated[
        Text, Option(metavar="N", help="A decision of a game that is over; without it they are listed.")
    ] = None,
    rank: Annotated[
        Text, Option(metavar="RANK", help="How far the staff looks ahead: commodore, admiral or fleet.")
    ] = None,
    json: Json = False,
) -> None:
    """What your staff would do, from what your side knows, and why."""
    from flagplot.cli.saves import hint

    leave(hint.hint(file, as_, at, rank, as_json=json))


@app.command()
def report(file: Save, as_: Annotated[Text, As(help=f"Whose report. {READERS}")] = None, json: Json = False) -> None:
    """A report of a saved battle to share: result, losses, proof."""
    from flagplot.cli.saves import report

    leave(report.report(file, as_, as_json=json))


@app.command()
def campaign(
    file: Save,
    as_: Annotated[Text, As(help=f"Whose sheet. {READERS}")] = None,
    form: Annotated[str, Option("--form", metavar="text|csv|json", help="How it is written.")] = "text",
    json: Json = False,
) -> None:
    """What a saved battle leaves behind, to carry back to the map.

    Ships lost and hit, where each force goes, air by base, BRPs."""
    from flagplot.cli.saves import campaign as sheets

    leave(sheets.campaign(file, as_, form, as_json=json))


@app.command()
def explain(
    file: Annotated[str, Argument(metavar="FILE", help="A save of an air turn.")],
    unit: Annotated[
        str, Argument(metavar="UNIT", help="Air units: a base or BASE:NATION:ARM; a naval force; a front.")
    ],
    as_: ForWhom = None,
    json: Json = False,
) -> None:
    """What air units may do now, and the rule that forbids the rest."""
    from flagplot.cli.saves import explain as explaining

    leave(explaining.explain(file, unit, as_, as_json=json))


@app.command()
def luck(file: Save, as_: ForWhom = None, json: Json = False) -> None:
    """How lucky the rolls of a saved game were."""
    from flagplot.cli.saves import luck

    leave(luck.luck(file, as_, as_json=json))


@app.command()
def verify(
    file: Save,
    receipts: Annotated[Text, Option(metavar="FILE", help="Receipts that your browser saved at a web table.")] = None,
    json: Json = False,
) -> None:
    """Verify a save: chain, answers, rolls, result.

    Exit code 1 if anything is wrong, if a finished game does not open the secret of its dice, or if it was played under
    other rules than this version has: then the dice are proved, but not the answers."""
    from flagplot.cli.saves import files

    leave(files.verify(file, receipts, as_json=json))


@app.command()
def check(
    file: Annotated[str, Argument(metavar="FILE", help="A scenario file, or the name of a battle.")], json: Json = False
) -> None:
    """Check a scenario file and list all its faults."""
    from flagplot.cli.saves import files

    leave(files.check(file, as_json=json))


@app.command()
def build(
    file: Annotated[Text, Argument(metavar="FILE", help="A file of plain text. Default: standard input.")] = None,
    from_: Annotated[
        Text, Option("--from", metavar="SCENARIO", help="Write a battle, by name or file, as plain text.")
    ] = None,
    save: Annotated[Text, Option(metavar="FILE", help="Save the scenario in this new file, .toml or .txt.")] = None,
    as_: Annotated[
        Text, Option("--as", metavar="text|toml|json", help="Print the scenario alone, in this form.")
    ] = None,
    play: Annotated[bool, Option("--play", help="Play it in the terminal.")] = False,
    simulate: Annotated[bool, Option("--simulate", help="Play many battles and count the results.")] = False,
    json: Json = False,
) -> None:
    """Build a battle from plain text, one line a force.

    Such as: Japan TF1: Akagi, Kaga, 6 CA, 1 DD; 6 NAS. Shows everything wrong at its place, with what to
    type instead. The page docs/build.md has the language."""
    from flagplot.cli import build as building

    then = "play" if play else "simulate" if simulate else ""
    leave(building.build(file, from_, save, as_, then, as_json=json))


@app.command()
def orders(
    file: Annotated[str, Argument(metavar="FILE", help="A file of standing orders.")],
    scenario: Annotated[Text, Argument(metavar="SCENARIO", help="A battle, by name or file, to try them in.")] = None,
    json: Json = False,
) -> None:
    """Check standing orders and see when they apply."""
    from flagplot.cli.saves import orders

    leave(orders.check(file, scenario, as_json=json))


# --- many battles -----------------------------------------------------------------------------------------------


@app.command()
def simulate(
    scenario: Battle,
    battles: Annotated[
        Text, Option(metavar="N", help="How many battles to play; with --error, at most. Default: 1000.")
    ] = None,
    error: Annotated[
        Text,
        Option(metavar="P%", help="Play until the standard error of each winner's share is this small, such as 1%."),
    ] = None,
    player: Annotated[
        Texts,
        Option("--player", metavar="SIDE=WHO", help="Who plays a side: random or doctrine. Default: doctrine."),
    ] = None,
    seed: Again = None,
    option: Annotated[
        Texts,
        Option(metavar="NAME=VALUE", help="A house rule (the command options lists them); not for a save."),
    ] = None,
    jobs: Jobs = None,
    cluster: Annotated[
        Text, Option(metavar="ADDRESS", help="Use the workers of a Dask scheduler: tcp://host:8786.")
    ] = None,
    out: Annotated[
        Text, Option(metavar="FILE", help="Write one line per battle to this new file, .csv or .jsonl.")
    ] = None,
    variants: Annotated[
        Text,
        Option(
            metavar="FILE.csv",
            help="A table of variants, one a line: columns such as tf-16.cruisers or a ship that stays away. "
            "--out then writes one line per variant, .csv or .parquet.",
        ),
    ] = None,
    resume: Annotated[
        bool, Option("--resume", help="Continue an --out file.jsonl, or a table of variants, where it was stopped.")
    ] = False,
    seconds: Annotated[
        Text, Option(metavar="N", help="First follow all dice for up to N seconds. Default: a moment.")
    ] = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Play many battles and count the results.

    Ctrl-C gives the answer so far. From a save the battles continue with everything hidden as it really is: that is for
    the umpire. A player of that game uses the command odds position instead."""
    from flagplot.cli.simulation import simulate

    players, house_rules = player or [], option or []
    given = simulate.Given(scenario, battles, players, seed, jobs, out, house_rules, cluster, error, resume, seconds)
    if variants is not None:
        from flagplot.cli.simulation.variants import simulate_variants

        leave(simulate_variants(given, variants, as_json=json))
        return
    leave(simulate.simulate(given, plot, as_json=json))


@app.command()
def compare(
    scenario: Battle,
    other: Annotated[
        Text,
        Argument(help="Another battle, file or save with the same sides. Default: the same one.", metavar="OTHER"),
    ] = None,
    player: Annotated[
        Texts, Option("--player", metavar="SIDE=WHO", help="Who plays a side in both. Default: doctrine.")
    ] = None,
    with_player: Annotated[
        Texts, Option("--with-player", metavar="SIDE=WHO", help="Who plays a side in the second one instead.")
    ] = None,
    option: Annotated[Texts, Option(metavar="NAME=VALUE", help="A house rule of both; not for a save.")] = None,
    with_option: Annotated[Texts, Option(metavar="NAME=VALUE", help="A house rule of the second one.")] = None,
    battles: Annotated[
        Text, Option(metavar="N", help="How many pairs of battles to play; with --error, at most. Default: 1000.")
    ] = None,
    error: Annotated[
        Text,
        Option(metavar="P%", help="Play until the standard error of the difference in winning is this small."),
    ] = None,
    seed: Again = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """What changes with another fleet, player or house rule.

    Plays pairs of battles with the same dice. Ctrl-C gives the answer so far."""
    from flagplot.cli.simulation import compare

    given = compare.Given(scenario, other, player or [], with_player or [], option or [], with_option or [])
    leave(compare.compare(given, battles, seed, jobs, error=error, as_json=json))


@app.command()
def arena(
    players: Annotated[list[str], Argument(metavar="PLAYER", help="Two players or more: random, doctrine, …")],
    scenario: Annotated[
        Texts,
        Option("--scenario", metavar="S", help="Where they meet: a battle or a file; give one or more."),
    ] = None,
    games: Annotated[
        Text, Option(metavar="N", help="Games of each pair in each scenario, an even number. Default: 100.")
    ] = None,
    seed: Annotated[Text, Option(metavar="N", help="Same games every time.")] = None,
    option: HouseRules = None,
    jobs: Jobs = None,
    results: Annotated[
        Text, Option(metavar="FILE", help="Keep each game in this file.jsonl; games in it are not played again.")
    ] = None,
    bids: Annotated[
        bool, Option("--bids", help="Add each scenario's bid to the margin, and count who is ahead with it.")
    ] = False,
    csv: Annotated[Text, Option(metavar="FILE", help="Write the table into this file.csv.")] = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Let players meet and measure who is better.

    Each seed is played twice, with sides changed. Ctrl-C gives the answer so far."""
    from flagplot.cli.simulation import arena

    code = arena.arena(
        players,
        scenario or [],
        games,
        seed,
        jobs,
        options=option or [],
        bids=bids,
        results=results,
        csv=csv,
        plot=plot,
        as_json=json,
    )
    leave(code)


# --- looking up -------------------------------------------------------------------------------------------------


@app.command()
def schema(game: Game = "awaw", json: Json = False) -> None:
    """The JSON Schema of scenario files (always JSON)."""
    from flagplot.cli.lookups import listings

    listings.schema(game)


@app.command()
def table(
    name: Annotated[
        str, Argument(metavar="NAME", help="air-combat, air-defense, naval-attack, submarine-attack, surprise, …")
    ],
    level: Annotated[Text, Option(metavar="N", help="The row to read: a strength or a level.")] = None,
    roll: Annotated[Text, Option(metavar="R", help="The modified roll to read.")] = None,
    by: Annotated[Text, Option(metavar="air|fleet", help="Who attacks (naval-attack).")] = None,
    json: Json = False,
) -> None:
    """Print a table, or look up one result."""
    from flagplot.cli.lookups import tables

    tables.table(name, level, roll, by, as_json=json)


@app.command("map")
def map_(
    name: Annotated[Text, Argument(metavar="NAME", help="A map or a map file. Default: the list of maps.")] = None,
    svg: Annotated[Text, Option(metavar="FILE", help="Also draw it in this SVG or PNG file.")] = None,
    from_: Annotated[Text, Option("--from", metavar="PLACE", help="Where a sea route begins: a place, or q,r.")] = None,
    to: Annotated[Text, Option(metavar="PLACE", help="Where it ends.")] = None,
    game: Annotated[Text, Option(metavar="FILE", help="The map of a saved operation, with forces.")] = None,
    as_: Annotated[Text, Option("--as", metavar="SIDE", help="What this side, or the umpire, knows.")] = None,
    json: Json = False,
) -> None:
    """A map, the sea routes on it, or the map of a saved operation."""
    from flagplot.cli.lookups import map as maps

    if game is not None:
        maps.show_game(game, as_, svg, [name, from_, to], as_json=json)
    elif as_ is not None:
        maps.refuse_reader(as_)
    else:
        maps.show(name, svg, from_, to, as_json=json)


@rules_app.command()
def show(rule_id: Annotated[str, Argument(metavar="ID", help="Such as 19.61.")], json: Json = False) -> None:
    """One rule in our words, with its code and its tests."""
    from flagplot.cli.lookups import rules

    rules.show(rule_id, as_json=json)


@rules_app.command()
def coverage(
    feature: Annotated[Text, Option(metavar="F", help="Only rules of this feature.")] = None,
    scope: Annotated[Text, Option(metavar="S", help="Only rules of this scope.")] = None,
    kind: Annotated[Text, Option(metavar="K", help="Only rules of this kind.")] = None,
    require: Annotated[Text, Option(metavar="PERCENT", help="Exit code 1 if less is covered.")] = None,
    all_: Annotated[bool, Option("--all", help="List every uncovered rule, not just the first 40.")] = False,
    reach: Annotated[bool, Option("--reach", help="Count instead how play reached the rules, by kind.")] = False,
    json: Json = False,
) -> None:
    """How much of the register code carries out and tests hold."""
    from flagplot.cli.lookups import rules

    counted = rules.coverage_by_reach if reach else rules.coverage
    only = {"feature": feature, "scope": scope, "kind": kind}
    leave(counted(only, require, everything=all_, as_json=json))


@app.command()
def ships(
    nation: Annotated[Text, Option(metavar="N", help="Only ships of this country, such as japan.")] = None,
    json: Json = False,
) -> None:
    """The named ships of A World at War: kind, factors and speed."""
    from flagplot.cli.lookups import listings

    listings.ships(nation, as_json=json)


@app.command()
def options(game: Game = "awaw", json: Json = False) -> None:
    """The readings of the rules that players may switch."""
    from flagplot.cli.lookups import listings

    listings.options(game, as_json=json)


@app.command()
def outline(game: Game = "awaw", json: Json = False) -> None:
    """The sequence of play, printed from the code itself."""
    from flagplot.cli.lookups import listings

    listings.outline(game, as_json=json)


@app.command()
def version(json: Json = False) -> None:
    """The version of the program and of the rules."""
    from flagplot.cli import versions

    versions.version(as_json=json)


# --- the web table ----------------------------------------------------------------------------------------------

StoreAt = Annotated[Text, Option("--store", metavar="ADDRESS", help="Where tables are kept: postgresql://… or a file.")]
DataAt = Annotated[Text, Option("--data", metavar="FOLDER", help="Where tables are kept in a file of SQLite.")]


@app.command()
def serve(
    host: Annotated[Text, Option(metavar="ADDRESS", help="Where to listen. Default: only this machine.")] = None,
    port: Annotated[Text, Option(metavar="N", help="Default: 8350.")] = None,
    store: StoreAt = None,
    data: DataAt = None,
) -> None:
    """The web table: people play in the browser, here or elsewhere."""
    from flagplot.cli import serve

    leave(serve.serve(host, port, store, data))


@app.command()
def export(
    game: Annotated[Texts, Argument(metavar="GAME", help="Tables by id. Default: all.")] = None,
    out: Annotated[str, Option(metavar="FILE", help="The new file.")] = "flagplot-tables.jsonl",
    store: StoreAt = None,
    data: DataAt = None,
    json: Json = False,
) -> None:
    """Write tables of the web table to a file, to move or keep them."""
    from flagplot.cli import serve

    leave(serve.export(game or [], out, store, data, as_json=json))


@app.command("import")
def import_(
    file: Annotated[
        str, Argument(metavar="FILE", help="A file made by the command export, or a save with its secret file.")
    ],
    store: StoreAt = None,
    data: DataAt = None,
    json: Json = False,
) -> None:
    """Bring tables into the web table; a save becomes a new table."""
    from flagplot.cli import serve

    leave(serve.bring_in(file, store, data, as_json=json))


@app.command()
def tidy(
    days: Annotated[Text, Option(metavar="DAYS", help="Finished this many days ago.")] = None,
    idle_days: Annotated[Text, Option(metavar="DAYS", help="Not played for this many days.")] = None,
    export: Annotated[str, Option(metavar="FILE", help="Write them to this new file first.")] = "",
    dry_run: Annotated[bool, Option("--dry-run", help="Only list them.")] = False,
    store: StoreAt = None,
    data: DataAt = None,
    json: Json = False,
) -> None:
    """Delete old tables of the web table.

    Which ones, the options say, or FLAGPLOT_KEEP_DAYS and FLAGPLOT_KEEP_IDLE_DAYS."""
    from flagplot.cli import serve

    leave(serve.tidy(days, idle_days, export, store, data, dry=dry_run, as_json=json))
