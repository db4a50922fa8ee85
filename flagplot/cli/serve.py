"""`flagplot serve`, `export`, `import` and `tidy`: the web table and where it keeps its tables."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from flagplot.cli.command import program
from flagplot.cli.failures import DONE, NO
from flagplot.cli.output import print_json
from flagplot.kernel.errors import BadValue

if TYPE_CHECKING:
    from flagplot.table.seats.outgoing import Post
    from flagplot.table.settings import Settings
    from flagplot.table.store.store import Store
    from flagplot.table.tables import Tables

FILE = "tables.sqlite"


def serve(host: str | None, port: str | None, store: str | None, data: str | None) -> int:
    """Serve the table until Ctrl-C or SIGTERM."""
    from flagplot.table.settings import Settings

    settings = Settings.from_environment(host=host, port=_number(port))
    address, folder = _where(store, data)
    with _alone(folder):
        gc.disable()  # what is imported now stays: to look for garbage in it would only take time
        try:
            from flagplot.table.seats.outgoing import Post
            from flagplot.table.server.opening import Opening
            from flagplot.table.server.serving import serve as run
            from flagplot.table.store.store import Store

            post = Post.from_environment(settings.url)
            kept = Store(address, alone=folder is not None)
            opening = Opening(settings, partial(_tables, kept, post, settings))
        finally:
            gc.enable()
        try:
            run(opening.app, settings, ready=lambda url: _say(url, folder, settings))
        finally:
            opening.close()
            kept.close()
    return DONE


def _tables(store: Store, post: Post, settings: Settings) -> Tables:
    from flagplot.table.guard.quotas import Limits
    from flagplot.table.keeping.retention import Retention
    from flagplot.table.tables import Tables

    return Tables(
        store,
        post=post,
        limits=Limits.of(settings),
        retention=Retention.of(settings),
        absence_days=settings.absence_days,
    )


def _say(url: str, folder: Path | None, settings: Settings) -> None:
    where = f"tables are kept in {folder}" if folder else "tables are kept in PostgreSQL"
    print(f"Flagplot is at {url} ({where}; Ctrl-C stops it)", flush=True)
    if settings.on_loopback:
        print(
            f"It is open to this computer only. For others in your network type: {program()} serve --host ::",
            flush=True,
        )


def _number(port: str | None) -> int | None:
    if port is None:
        return None
    if not (port.isascii() and port.isdigit() and len(port) <= 5 and int(port) <= 65535):
        raise BadValue("--port is not a number from 0 to 65535", given=port, allowed=["a number such as 8000"])
    return int(port)


def _where(store: str | None, data: str | None) -> tuple[str, Path | None]:
    """The address of the store, and the folder of its file if it is one of ours."""
    if store and data:
        raise BadValue("use --store or --data, not both", given=data)
    from flagplot.table.settings import data_directory

    given = store or ("" if data else os.environ.get("FLAGPLOT_STORE", ""))
    if given:
        return _address(given)
    folder = Path(data).expanduser() if data else data_directory()
    return f"sqlite:///{(folder / FILE).absolute()}", folder


def _address(given: str) -> tuple[str, Path | None]:
    from flagplot.table.store.engines import read_address

    url = read_address(given)
    if url.get_backend_name() != "sqlite":
        return given, None
    return f"sqlite:///{Path(str(url.database)).absolute()}", Path(str(url.database)).absolute().parent


@contextlib.contextmanager
def _alone(folder: Path | None) -> Iterator[None]:
    """A file of SQLite is for one server at a time; several may share PostgreSQL."""
    if folder is None:
        yield
        return
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(folder / "server.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as fault:
        raise BadValue(f"tables cannot be kept there ({fault.strerror})", given=folder) from fault
    try:
        _lock(handle, folder)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, folder: Path) -> None:
    try:
        import fcntl
    except ImportError:  # pragma: no cover - only where there is no such lock
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise BadValue(
            "another server keeps its tables there",
            given=folder,
            allowed=["another --data", "--store postgresql://… for several servers"],
        ) from None


# --- export and import ------------------------------------------------------------------------------------------


def export(games: Sequence[str], out: str, store: str | None, data: str | None, *, as_json: bool) -> int:
    """Write tables to a file."""
    from flagplot.table.keeping import archives

    with _opened(store, data, must_exist=True, check=False) as opened:
        number = archives.export(opened, games, Path(out).expanduser())
    if as_json:
        print_json({"file": out, "tables": number})
    else:
        print(f"{number} table{'s' * (number != 1)} written to {out}. It holds all secrets: keep it to yourself.")
    return DONE


def bring_in(file: str, store: str | None, data: str | None, *, as_json: bool) -> int:
    """Bring tables in from a file: an archive, or a save."""
    from flagplot.table.keeping import archives

    with _opened(store, data) as opened:
        found = archives.bring_in(opened, Path(file).expanduser())
    made = found.made
    if as_json:
        links = None if made is None else {"game": made.game, "host": made.host_token, "sides": dict(made.tokens)}
        print_json({"imported": found.came, "already_there": found.there, "made": links})
    elif made is not None:
        print(f"Table {made.game} was made from the save. Each link opens a seat; give it only to its player:")
        for who, token in [*made.tokens.items(), ("the host", made.host_token)]:
            print(f"  {who}: /join#{token}")
    else:
        print(f"{len(found.came)} table{'s' * (len(found.came) != 1)} imported.")
        for game in found.there:
            print(f"flagplot: table {game} exists already and was left alone", file=sys.stderr)
    return NO if found.there and not found.came else DONE


# --- tidying ----------------------------------------------------------------------------------------------------


def tidy(
    days: str | None, idle_days: str | None, out: str, store: str | None, data: str | None, *, dry: bool, as_json: bool
) -> int:
    """Delete tables that are older than they may be."""
    from flagplot.table.keeping.retention import Retention
    from flagplot.table.keeping.retention import tidy as delete_aged
    from flagplot.table.settings import Settings

    finished, idle = _days("--days", days), _days("--idle-days", idle_days)
    retention = Retention.of(Settings.from_environment(keep_days=finished, keep_idle_days=idle))
    if not retention.is_set:
        remedy = ["--days 90", "--idle-days 365", "FLAGPLOT_KEEP_DAYS", "FLAGPLOT_KEEP_IDLE_DAYS"]
        raise BadValue("set how many days tables are kept", allowed=remedy)
    _, folder = _where(store, data)
    with contextlib.nullcontext() if dry else _alone(folder), _opened(store, data, must_exist=True) as opened:
        aged = retention.aged(time.time())
        due = opened.aged(aged) if dry else delete_aged(opened, aged, Path(out).expanduser() if out else None)
    if as_json:
        print_json({"deleted": [] if dry else due, "due": due, "export": "" if dry or not due else out})
        return DONE
    for game in due:
        print(game)
    exported = f" Before that {'it was' if len(due) == 1 else 'they were'} written to {out}." if out and due else ""
    print(f"{len(due)} table{'s' * (len(due) != 1)} {'would be deleted.' if dry else f'deleted.{exported}'}")
    return DONE


def _days(option: str, given: str | None) -> int | None:
    if given is None:
        return None
    if not (given.isascii() and given.isdigit() and 0 < int(given) < 100_000):
        raise BadValue(f"{option} should be a number of days", given=given, allowed=["90"])
    return int(given)


@contextlib.contextmanager
def _opened(store: str | None, data: str | None, *, must_exist: bool = False, check: bool = True) -> Iterator[Store]:
    from flagplot.table.store.store import Store

    address, folder = _where(store, data)
    if must_exist and folder is not None and not Path(address.removeprefix("sqlite:///")).exists():
        raise BadValue("no tables are kept there", given=folder)
    opened = Store(address, check=check)
    try:
        yield opened
    finally:
        opened.close()
