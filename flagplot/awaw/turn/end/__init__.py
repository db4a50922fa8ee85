"""The end of a player turn: uninversion, the record and the result."""
