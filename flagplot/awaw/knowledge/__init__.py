"""What a side knows, and states that fit it: see `account`."""
