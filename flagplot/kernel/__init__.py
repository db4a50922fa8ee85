"""The kernel knows no game: requests, scripts, the game, the tape, dice, ledgers, views, citations, errors."""
