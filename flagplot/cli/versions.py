"""`flagplot version`: it reads no rules, so that it answers at once."""

from __future__ import annotations

from flagplot.cli.output import print_json
from flagplot.kernel.extensions import brought, fetched
from flagplot.kernel.save_lines import FORMAT
from flagplot.version import RULES, Rules, __version__


def version(*, as_json: bool) -> None:
    """The version of the program, of the rules of each game, and of saves."""
    others = {name: fetched("games", name) for name in sorted(set(brought("games")) - set(RULES))}
    rules = RULES | {name: Rules(ruleset.version, ruleset.title) for name, ruleset in others.items()}
    if as_json:
        versions = {name: told.version for name, told in rules.items()}
        print_json({"program": __version__, "rules": versions, "save_format": FORMAT})
        return
    print(f"flagplot {__version__}")
    for told in rules.values():
        print(f"rules {told.version} ({told.title})")
