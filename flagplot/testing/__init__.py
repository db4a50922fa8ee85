"""A conformance suite for rulesets and scenarios: random play, with everything checked that any game must hold.

```python
from flagplot.testing import conform

print(conform("rabaul"))  # a name, a file or a dict; raises ConformanceError with a line that reproduces the fault
```

`flagplot.testing.checks` lists what is checked. A ruleset may help: `invariants(state)` lists in words what is wrong
with a state, and `silences` gives, by rule number, the reason why a secret note has no public twin.
"""

from __future__ import annotations

from flagplot.testing.conforming import Depth, conform, play_through, set_up
from flagplot.testing.report import ConformanceError, Report
from flagplot.testing.trial import Laws, Setup

__all__ = ["ConformanceError", "Depth", "Laws", "Report", "Setup", "conform", "play_through", "set_up"]
