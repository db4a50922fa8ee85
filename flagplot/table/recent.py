"""What is remembered for a while: the newest entries of a kind."""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(OrderedDict[K, V]):
    """The entries used last, up to a limit: the one not used for longest is forgotten. Threads that share one lock
    it."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self.most:
            self.popitem(last=False)

    def used(self, key: K) -> V | None:
        """An entry, which counts as new again; None if there is none."""
        if key not in self:
            return None
        self.move_to_end(key)
        return self[key]
