"""Plans and orders: standing orders, missions, the words of a game for them, and rows, grids and odds of a form."""
