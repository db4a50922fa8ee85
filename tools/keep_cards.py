"""Makes the cards of all battles anew and keeps them where the first page reads them: flagplot/table/lobby/cards.json.

After a change of a scenario, or of what its card shows: `.venv/bin/python tools/keep_cards.py`
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from flagplot.table.lobby.battles import KEPT, cards_to_keep

KEPT.write_text(json.dumps(cards_to_keep(), ensure_ascii=False, indent=1) + "\n", encoding="utf8")
