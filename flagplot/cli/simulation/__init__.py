"""Many battles: `flagplot simulate`, `compare` and `arena`, and files with a line a battle."""
