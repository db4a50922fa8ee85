"""Players: anything that answers for a side from that side's view."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature

from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.extensions import BrokenExtension, brought, fetched
from flagplot.kernel.game import Player
from flagplot.players.random import RandomPlayer

PROGRAM = "exec"
"""A player that is another program on this machine, ``exec:./bot.py``: only for those who may start programs here."""


def _random(seed: int, settings: str) -> Player:
    if settings not in ("", "stay"):
        raise BadValue("the random player has no such setting", given=settings, allowed=["random", "random:stay"])
    return RandomPlayer(seed, stays=settings == "stay")


def _doctrine(seed: int, settings: str) -> Player:
    from flagplot.players.by_game import DoctrineByGame  # it knows the games; the others need not
    from flagplot.players.doctrine import read_doctrine

    return DoctrineByGame(read_doctrine(settings), seed)


RANKS = ("ensign", "captain", "commodore", "admiral", "fleet")
"""How well the program plays, from the weakest on; see `flagplot.players.ranks`."""
LIGHT = ("random", "doctrine", "ensign", "captain")
"""Our players who look at nothing but the position."""


def _ranked(rank: str) -> Callable[[int, str], Player]:
    def made(seed: int, settings: str) -> Player:
        from flagplot.players.ranks import ranked  # they know the games, too

        return ranked(rank, seed, settings)

    return made


PLAYERS: dict[str, Callable[[int, str], Player]] = {
    "random": _random,
    "doctrine": _doctrine,
    **{rank: _ranked(rank) for rank in RANKS},
}
"""Our own players, by name; each is made with a seed and the text of its settings."""


def player(name: str, seed: int) -> Player:
    """One of our own players by name, with its settings if there are any: ``random``, ``doctrine:withdraw_below=0.3``.

    Tables in the browser know only these: everybody has them, so everybody can prove what they did.
    """
    kind, _, settings = name.partition(":")
    if kind not in PLAYERS:
        raise UnknownName("no such player", given=name, allowed=["human", *PLAYERS])
    return PLAYERS[kind](seed, settings)


def is_our_own(name: str) -> bool:
    """Whether a player comes with Flagplot."""
    return name.partition(":")[0] in PLAYERS


def needs_no_past(name: str) -> bool:
    """Whether a player looks at the position alone: never at the log, nor at what was seen before."""
    return name.partition(":")[0] in LIGHT


# --- for whoever sits at this machine ---------------------------------------------------------------------------


def player_names() -> list[str]:
    """The players that a side can be given: our own, and those that other packages bring."""
    return [*PLAYERS, *sorted(set(brought("players")) - {*PLAYERS, PROGRAM})]


def is_player(name: str) -> bool:
    """Whether there is such a player; its settings may still be wrong."""
    return name.partition(":")[0] in player_names()


def is_local_player(name: str) -> bool:
    """As `is_player`, but a player may be a program of this machine too."""
    return name.partition(":")[0] == PROGRAM or is_player(name)


def local_player(name: str, seed: int) -> Player:
    """As `player`, but it may come from another package, and ``exec:COMMAND`` starts a program. Never for a name that
    came over a network, or out of a file of somebody else."""
    kind, _, settings = name.partition(":")
    if kind == PROGRAM:
        from flagplot.players.program import ProgramPlayer

        return ProgramPlayer(settings, seed)
    if not is_our_own(name) and is_player(name):
        return _from_package(kind, seed, settings)
    return player(name, seed)


def _from_package(name: str, seed: int, settings: str) -> Player:
    """A player of another package: a class whose `__init__` may take a seed and settings, or nothing."""
    make = fetched("players", name)
    wanted = signature(make).parameters
    if settings and "settings" not in wanted:
        raise BadValue(f"the player {name} has no settings", given=settings, allowed=[name])
    given = {key: value for key, value in (("seed", seed), ("settings", settings)) if key in wanted}
    try:
        found = make(**given)
    except ValueError as fault:
        raise BadValue(f"the player {name} does not take these settings ({fault})", given=settings or name) from fault
    if not callable(getattr(found, "choose", None)):
        raise BrokenExtension(
            f"the player {name} has no method choose(view, request)", given=brought("players")[name].value
        )
    player: Player = found
    return player


USUAL = "doctrine:mix=no,carrier_escort=1"
"""A captain who proposes the likeliest answer every time: cargo sails with carriers, as it mostly does."""


def staff(rank: str = "captain") -> Player:
    """The player who fills in a side's sheets, of a rank that it chooses. A captain proposes what is usual, the same
    whenever he is asked: it is for the side itself to vary it."""
    return player(USUAL if rank == "captain" else rank, 0)
