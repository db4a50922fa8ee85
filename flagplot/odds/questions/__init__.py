"""The questions of odds, a dataclass each: what can be asked, and how."""
