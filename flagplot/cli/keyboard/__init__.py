"""A game at the keyboard: the session, its questions and plans, the board and the map, the coach."""
