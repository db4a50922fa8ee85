"""What a side is told before its first decision: its orders and forces, what it knows of the enemy, what wins, the steps
of play, and how long it takes. For the command line and the table alike."""
