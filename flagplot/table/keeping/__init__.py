"""How tables are kept: how long, in which health, and moved to a file and back."""
