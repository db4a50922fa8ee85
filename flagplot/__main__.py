"""`python -m flagplot` is the command `flagplot`."""

from __future__ import annotations

import sys

from flagplot.cli import main

sys.exit(main())
