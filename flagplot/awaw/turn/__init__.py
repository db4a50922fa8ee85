"""The player turn of the air and naval forces (chapters 17 and 18, 23.1): phases, missions, inversion, construction."""
