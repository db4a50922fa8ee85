"""Archives that were spoilt in a seeded way: wrong values, missing keys, broken tapes, broken bytes."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from typing import Any

from flagplot.kernel.tape import seal

DEEP = 3000
ODD: list[Any] = [
    None,
    True,
    -1,
    0,
    2**40,
    10**400,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "x" * 300,
    "\ud800",
    "\0",
    "gaaaaaaaaaa",
    [],
    {},
    [[]],
    {"": None},
    "doctrine:deep",
    '{"n":1}',
]


def spoilt(archive: bytes, seed: int) -> bytes:
    """One mutant of an archive; the same for the same seed."""
    chance = random.Random(seed)
    return chance.choice([_bytes, _structure, _structure, _structure, _tape, _tape, _tables])(archive, chance)


def _bytes(archive: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(archive))
    other = bytes([chance.randrange(256)])
    return chance.choice(
        [
            archive[:at],
            archive[at:],
            archive[:at] + other + archive[at + 1 :],
            archive[:at] + other * 5 + archive[at:],
            archive[:at] + b"\n" + archive[at:],
            gzip.compress(archive, mtime=0),
            chance.randbytes(400),
            archive + b"[" * DEEP + b"\n",
            archive + b"9" * 6000 + b"\n",
            b"\xef\xbb\xbf" + archive,
        ]
    )


def _structure(archive: bytes, chance: random.Random) -> bytes:
    """A value somewhere becomes another one, goes away, or gets a new name."""
    entries = [json.loads(line) for line in archive.splitlines()]
    places = [place for entry in entries for place in _places(entry)]
    around, key = chance.choice(places)
    what = chance.randrange(4)
    if what == 0:
        del around[key]
    elif what == 1 and isinstance(around, dict):
        around[f"{key}s"] = around.pop(key)
    elif what == 2:
        around[key] = [around[key]]
    else:
        around[key] = chance.choice(ODD)
    return _written(entries)


def _tape(archive: bytes, chance: random.Random) -> bytes:
    """A line of a game is changed, lost, doubled or swapped; half of them are sealed again, so that the chain holds."""
    entries = [json.loads(line) for line in archive.splitlines()]
    lines = chance.choice(entries)["lines"]
    at = chance.randrange(len(lines))
    body = json.loads(lines[at][1])
    what = chance.randrange(5)
    if what == 0:
        del lines[at]
    elif what == 1:
        lines.insert(at, lines[at])
    elif what == 2:
        lines[at][1] = lines[at][1][: chance.randrange(len(lines[at][1]))]
    else:
        around, key = chance.choice(list(_places(body)))
        around[key] = chance.choice(ODD)
        lines[at][1] = json.dumps(body, separators=(",", ":"))
    if chance.random() < 0.5:
        _seal_again(lines)
    return _written(entries)


def _seal_again(lines: list[Any]) -> None:
    before = ""
    for n, line in enumerate(lines):
        try:
            body = json.loads(line[1])
            body.pop("hash", None)
            line[0] = n
            line[1], before = seal(body | ({"n": n, "prev": before} if n else {}))
        except (ValueError, AttributeError):
            return


def _tables(archive: bytes, chance: random.Random) -> bytes:
    """A table stands there twice, or takes a name or a link of another one."""
    entries = [json.loads(line) for line in archive.splitlines()]
    one, other = chance.sample(entries, 2)
    what = chance.randrange(4)
    if what == 0:
        entries.append(one)
    elif what == 1:
        one["game"]["public_id"] = other["game"]["public_id"]
    elif what == 2:
        chance.choice(one["links"])["hash"] = chance.choice(other["links"])["hash"]
    else:
        one["lines"] = other["lines"]
    return _written(entries)


def _places(thing: Any) -> Iterator[tuple[Any, Any]]:
    pairs = thing.items() if isinstance(thing, dict) else enumerate(thing) if isinstance(thing, list) else ()
    for key, value in list(pairs):
        yield thing, key
        yield from _places(value)


def _written(entries: list[Any]) -> bytes:
    return "".join(f"{json.dumps(entry)}\n" for entry in entries).encode()
