"""`flagplot odds`: a command for each kind of question, and the odds of a position."""
