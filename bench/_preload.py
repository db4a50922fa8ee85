"""What the process that forks servers imports beforehand; the clock first, since Flagplot keeps its functions."""

from bench import _clock

_clock.shift()

import flagplot.table.api.routes  # noqa: E402
import flagplot.table.battle.page  # noqa: E402
import flagplot.table.server.app  # noqa: E402
import flagplot.table.server.serving  # noqa: E402
import flagplot.table.store.upgrading  # noqa: E402
import flagplot.table.tables  # noqa: E402, F401
from bench import _shared_workers  # noqa: E402

_shared_workers.begin()
