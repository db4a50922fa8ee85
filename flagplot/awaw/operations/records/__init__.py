"""What an operation leaves behind: its record and its result."""
