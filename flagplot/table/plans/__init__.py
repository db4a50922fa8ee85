"""Plans and orders as pages tell them: the words of a game, missions, rows and grids of a form, odds."""
