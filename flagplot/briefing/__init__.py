"""What a side is told before its first decision: orders, forces, the enemy as it knows him, what wins, the steps, how
long it takes. For the command line and the table alike."""
