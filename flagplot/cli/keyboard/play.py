"""Playing: `flagplot play`, `flagplot resume`, and the menu of `flagplot play` alone."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.text import Text

from flagplot import library
from flagplot.cli import seats as seating
from flagplot.cli.command import program
from flagplot.cli.failures import DONE, INTERRUPTED
from flagplot.cli.keyboard import coach
from flagplot.cli.keyboard.plan import read_level
from flagplot.cli.keyboard.session import Quit, Session
from flagplot.cli.lookups.listings import described
from flagplot.cli.output import WIDE, new_console, print_json
from flagplot.cli.saves.orders import Standing, standing
from flagplot.cli.saves.saving import forget, going_on, new_save, proposed, remember, remembered
from flagplot.cli.screen import STRONG, Line, Screen
from flagplot.kernel.dice import Typed
from flagplot.kernel.errors import BadValue, FlagplotError, UnknownName
from flagplot.kernel.game import Game, Player
from flagplot.kernel.levels import Level
from flagplot.kernel.log import Entry
from flagplot.kernel.naming import closing_words
from flagplot.kernel.ruleset import UMPIRE
from flagplot.lessons import lesson, lessons
from flagplot.players import RANKS, player, player_names
from flagplot.report.gathering import gathered
from flagplot.report.page import lost, operation, result_of, winner

SHOWN_SEED = 7
"""The seed of the battle that is shown where nobody can be asked."""


class Given(NamedTuple):
    """Who plays and how, in the words of the command line."""

    players: Sequence[str] = ()
    seed: str | None = None
    orders: Sequence[str] = ()
    level: str | None = None
    staff: str | None = None


def play(
    scenario: str, given: Given, dice: str, save: str | None, options: Sequence[str], *, as_json: bool = False
) -> int:
    """`flagplot play`."""
    plans, aides = _level(given.level), _staff(given.staff)
    number, manual = seating.read_seed(given.seed), seating.read_dice(dice)
    data = library.read_scenario(scenario)
    readings = seating.read_readings(data, options)
    path = None if save is None else new_save(save)
    game = library.load(scenario, seed=number, dice=Typed() if manual else None, options=readings)
    seats = _seats(game, given.players, number, as_json=as_json)
    written = standing(game.sides, given.orders)
    if as_json and manual:
        raise BadValue("nobody can type dice with --json", given="--dice manual", allowed=["--dice auto"])
    if path is not None:
        game.save(path)
    if as_json:
        return _as_json(game, seats, written, path)
    screen = Screen(new_console())
    if not seats.humans:
        screen.say(str(data["title"]), STRONG)
    if data.get("about") and not seats.humans:
        screen.say(str(data["about"]))
    return _at_the_keyboard(Session(game, seats, screen, path, written, plans(seats), staff=aides), scenario)


def learn(name: str, save: str | None, seed: str | None, answer: str | None = None, *, as_json: bool = False) -> int:
    """`flagplot learn NAME`: a battle with a coach, or a drill."""
    from flagplot.cli.keyboard.drills import practise
    from flagplot.drills import drills

    if name in drills():
        _only("a lesson", [("--save", save), ("--seed", seed)])
        return practise(name, answer, as_json=as_json)
    if name not in lessons():
        raise UnknownName("no such lesson or drill", given=name, allowed=[*lessons(), *drills()])
    _only("a drill", [("--answer", answer), ("--json", "" if as_json else None)])
    guide = lesson(name)
    number = seating.read_seed(seed)
    path = None if save is None else new_save(save)
    game = library.load(guide.scenario, seed=number)
    others = [f"{side}={guide.opponent}" for side in game.sides if side != guide.side]
    seats = seating.seats(game.sides, [f"{guide.side}={seating.HUMAN}", *others], number, seating.HUMAN)
    if path is not None:
        game.save(path)
    screen = Screen(new_console())
    screen.show(coach.greeting(guide))
    session = Session(game, seats, screen, path, level=read_level(guide.level), guide=guide)
    return _at_the_keyboard(session, guide.scenario)


def _only(what: str, given: Sequence[tuple[str, str | None]]) -> None:
    """Refuse options that are meant for something else."""
    for name, value in given:
        if value is not None:
            raise BadValue(f"this option is for {what}", given=f"{name} {value}".strip())


def resume(file: str, given: Given, *, as_json: bool = False) -> int:
    """`flagplot resume`."""
    plans, aides = _level(given.level), _staff(given.staff)
    number = seating.read_seed(given.seed)
    game, notices = library.resume_with_notices(file)
    seats = _seats(game, given.players, number, as_json=as_json, before=remembered(Path(file), game.sides))
    written = standing(game.sides, given.orders)
    if as_json:
        return _as_json(game, seats, written, Path(file), notices)
    screen = Screen(new_console())
    for notice in notices:
        screen.say(f"Note: {notice}.")
    session = Session(game, seats, screen, Path(file), written, plans(seats), staff=aides)
    return _at_the_keyboard(session, file)


def _level(given: str | None) -> Callable[[seating.Seats], Level | None]:
    """How much people decide themselves: as they say; else at a terminal only what matters if they play against the
    program, and all if they play each other; in a pipe one question at a time."""
    if given is not None:
        chosen = read_level(given)
        return lambda seats: chosen
    if not sys.stdin.isatty():
        return lambda seats: None
    return lambda seats: Level.COMMAND if len(seats.humans) == 1 else Level.ROUTINE


def _staff(given: str | None) -> Player | None:
    """Who fills in plans: a rank of the program; without one a captain."""
    if given is None:
        return None
    if given.partition(":")[0] not in RANKS:
        raise UnknownName("no such rank for --staff", given=given, allowed=list(RANKS))
    return player(given, 0)


def _seats(
    game: Game[Any], players: Sequence[str], seed: int | None, *, as_json: bool, before: Mapping[str, str] | None = None
) -> seating.Seats:
    """Who plays: as given, else as `before`, else people at a terminal; no people where nobody can be asked."""
    default = seating.HUMAN if sys.stdin.isatty() and not as_json else "random"
    known = {side: who for side, who in (before or {}).items() if not (as_json and who == seating.HUMAN)}
    seats = seating.seats(game.sides, players, seed, default, known)
    if as_json and seats.humans:
        given = f"{seats.humans[0]}={seating.HUMAN}"
        raise BadValue("nobody can be asked with --json", given=given, allowed=sorted(player_names()))
    return seats


def _as_json(
    game: Game[Any], seats: seating.Seats, written: Standing, path: Path | None, notices: Sequence[str] = ()
) -> int:
    written.play(game, seats.bots)
    game.stop_saving()
    _note_players(game, seats, path)
    print_json(
        {
            "title": game.scenario["title"],
            "game": game.ruleset.name,
            "players": seats.who,
            "dice": game.dice.header,
            "answers": game.turn,
            "orders": dict(written.files),
            "log": [_told(entry, order) for entry, order in written.told(game.log(UMPIRE), UMPIRE)],
            "result": game.result,
            "save": None if path is None else str(path),
            "head": game.tape().head,
            "notices": list(notices),
        }
    )
    return DONE


def _note_players(game: Game[Any], seats: seating.Seats, save: Path | None) -> None:
    """Remember who plays a game that goes on."""
    if save is not None and game.pending is not None:
        remember(save, seats.who)
    elif save is not None:
        forget(save)


def _told(entry: Entry, order: int) -> dict[str, Any]:
    return entry.as_dict() | ({"order": order} if order else {})


# --- a game at the keyboard, and how it ends --------------------------------------------------------------------


def _at_the_keyboard(session: Session, scenario: str) -> int:
    """Play until the end, or until it is left: then nothing is lost."""
    for side, orders in session.standing.orders.items():
        count = f"{len(orders)} standing order{'s' * (len(orders) != 1)}"
        session.screen.say(f"{session.names.get(side, side)}: {count} from {session.standing.files[side]}.")
    try:
        session.play()
    except Quit:
        return _left(session, scenario, ask=True)
    except EOFError:
        session.screen.say()
        return _left(session, scenario, ask=False)
    except KeyboardInterrupt:
        session.screen.say()
        _left(session, scenario, ask=False)
        return INTERRUPTED
    else:
        _the_end(session)
        return DONE
    finally:
        session.game.stop_saving()
        _note_players(session.game, session.seats, session.save)


def _left(session: Session, scenario: str, *, ask: bool) -> int:
    """Somebody stopped: keep the game, and say how to go on."""
    screen = session.screen
    if session.save is None and session.game.turn == 0:
        screen.say("Nothing to save: no answers yet.")
        return DONE
    if session.save is None:
        session.save = _keep(session, proposed(scenario), ask=ask)
    if session.save is None:
        screen.say("Game not saved.")
    else:
        screen.say(f"Game saved in {session.save}. To continue:")
        screen.command(going_on(session.save, session.standing.arguments()))
    return DONE


def _keep(session: Session, default: Path, *, ask: bool) -> Path | None:
    """Save the game under a name that is asked for, or else by default."""
    prompt = f"Save the game as? Enter: {default}; - : do not save > "
    while ask:
        try:
            text = session.screen.ask(prompt)
            if text == "-":
                return None
            if text and not _means(session, text):
                continue
        except (EOFError, KeyboardInterrupt):
            session.screen.say()
            break
        try:
            path = new_save(text) if text else default
            session.game.save(path)
        except FlagplotError as error:
            session.screen.say(str(error), STRONG)
        else:
            return path
    session.game.save(default)
    return default


def _means(session: Session, text: str) -> bool:
    """Whether somebody means a name that does not look like one of a save: ``no`` and ``quit`` were likely meant
    otherwise."""
    if Path(text).suffix == ".jsonl":
        return True
    return session.screen.ask(f"Save to a new file called “{text}”? y or n > ").lower() in ("y", "yes")


def _the_end(session: Session) -> None:
    screen, result = session.screen, session.game.result
    assert result is not None
    screen.rule("Game over")
    if "fights" in result:
        _the_end_of_operation(session)
    elif "ended" in result:
        found = gathered(session.game, session.reader or UMPIRE, "")
        screen.say(winner(result, session.names), STRONG)
        screen.say("Losses:")
        screen.show(Line(Text(line.lstrip()), len(line) - len(line.lstrip()) + 2) for line in lost(found, WIDE))
    else:  # the rules name no winner
        screen.say(f"{closing_words(result, session.names)}.", STRONG)
        better = session.names.get(result["winner"], result["winner"])
        screen.say(f"Ahead: {better}." if better else "Neither side is ahead.")
        from flagplot.awaw.board.units import losses

        screen.say(f"Lost: {'; '.join(losses(result['losses'])) or 'nothing'}.")
    if session.seats.bots:
        from flagplot.cli.saves.hint import afterwards

        screen.show(afterwards(session.seats.bots, session.names))
    if session.save is None and session.seats.humans and screen.live:
        _offer_to_keep(session)
    if session.save is not None:
        name = shlex.quote(str(session.save))
        screen.say(
            f"Game saved in {session.save}. To see a report, the decisions that mattered, the whole log, or the proof:"
        )
        screen.command(f"{program()} report {name}")
        screen.command(f"{program()} review {name}")
        screen.command(f"{program()} replay {name}")
        screen.command(f"{program()} verify {name}")
        screen.say("Its head (everybody with the same game has the same head):")
        screen.command(session.game.tape().head)


def _the_end_of_operation(session: Session) -> None:
    """Points, what was fought where, who came home how, and the losses."""
    screen, found = session.screen, gathered(session.game, session.reader or UMPIRE, "")
    for text in result_of(found):
        screen.say(text, STRONG)
    for title, body in [*operation(found, WIDE), ("Losses", lost(found, WIDE))]:
        if body and title not in ("Announced", "Intercepted"):
            screen.say(f"{title}:")
            screen.show(Line(Text(line.lstrip()), len(line) - len(line.lstrip()) + 2) for line in body)


def _offer_to_keep(session: Session) -> None:
    """A finished game that is in no file yet."""
    try:
        while text := session.screen.ask("Save the game as? Enter: do not save > "):
            if not _means(session, text):
                continue
            try:
                path = new_save(text)
                session.game.save(path)
            except FlagplotError as error:
                session.screen.say(str(error), STRONG)
            else:
                session.save = path
                return
    except (EOFError, KeyboardInterrupt):
        session.screen.say()


# --- without a scenario -----------------------------------------------------------------------------------------


def without_scenario(given: Sequence[object], *, as_json: bool) -> int:
    """A menu on a terminal; else one battle between two random players, the same every time."""
    if as_json or any(given):
        raise BadValue("choose a battle", given="flagplot play", allowed=library.scenario_names())
    if sys.stdin.isatty() and sys.stdout.isatty():
        return _menu(Screen(new_console()))
    name = library.scenario_names()[0]
    sides = [side["id"] for side in described(name)["sides"]]
    return play(name, Given([f"{side}=random" for side in sides], str(SHOWN_SEED)), "auto", None, [])


def _menu(screen: Screen) -> int:
    try:
        chosen = _pick_scenario(screen)
        players = []
        for side in described(chosen)["sides"]:
            screen.say(f"Who plays {side['name']}?", STRONG)
            choices = [seating.HUMAN, *player_names()]
            screen.say("  ".join(f"{number} {name}" for number, name in enumerate(choices, 1)))
            players.append(f"{side['id']}={_pick(screen, '> ', choices)}")
    except (EOFError, Quit):
        screen.say()
        return DONE
    return play(chosen, Given(players), "auto", None, [])


KINDS = {
    "first-battle": "Start here: a small battle from start to finish",
    "naval-battle": "Naval battles",
    "operation": "Operations on the map, from orders to the voyage home",
    "air-turn": "Air turns: a whole player turn of air and naval forces",
    "air-phase": "Air phases: counterair against bases",
}
"""What a menu that fits a small screen begins with; scenarios of other games come after it."""


def _pick_scenario(screen: Screen) -> str:
    """First what is to be played, then which scenario of that kind; its name can be given at once."""
    groups: dict[str, list[dict[str, Any]]] = {words: [] for words in KINDS.values()}
    for entry in [described(name) for name in library.scenario_names()]:
        other = library.ruleset(entry["game"]).title
        words = KINDS.get(entry["name"]) or (KINDS.get(entry["kind"], other) if entry["game"] == "awaw" else other)
        groups.setdefault(words, []).append(entry)
    for number, (words, entries) in enumerate(groups.items(), 1):
        _row(screen, number, words, ", ".join(entry["title"] for entry in entries))
    names = [entry["name"] for entries in groups.values() for entry in entries]
    chosen = _pick(screen, "What do you want to play? A number, a scenario's name, or quit > ", [*groups], names)
    entries = groups.get(chosen, [])
    if len(entries) < 2:
        return entries[0]["name"] if entries else chosen
    for number, entry in enumerate(entries, 1):
        _row(screen, number, entry["title"], entry["about"])
    return _pick(screen, "Which one? A number, or quit > ", [entry["name"] for entry in entries])


def _row(screen: Screen, number: int, title: str, about: str) -> None:
    line = Text.assemble((f"{number:>3}  {title}", STRONG), f"  {about}")
    line.truncate(screen.width, overflow="ellipsis")  # the whole list is to be seen on 24 lines
    screen.show([Line(line)])


def _pick(screen: Screen, prompt: str, names: Sequence[str], more: Sequence[str] = ()) -> str:
    """One of the names, by its number in the list or as it is; `more` can only be typed as they are."""
    numbered = {str(number): name for number, name in enumerate(names, 1)}
    while True:
        text = screen.ask(prompt).lower()
        if text == "quit":
            raise Quit
        if text in names or text in numbered or text in more:
            return numbered.get(text, text)
        if text:
            screen.say(f"“{text}” is not in the list. Type 1 to {len(names)}, a name, or quit.")
