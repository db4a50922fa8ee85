"""Pages for odds and typed battles: the odds desk, odds of a whole battle, and the builder."""
