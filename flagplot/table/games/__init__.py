"""Games in memory: what a reader sees of them, how they become rows, who is woken, and whose turn it is in line."""
