"""The passage of a naval force: out, under attack on its way, what it does at its destination, and home again."""
