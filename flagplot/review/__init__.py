"""After the battle: the decisions that cost or gained most, by the odds of that moment, from what the side knew."""
