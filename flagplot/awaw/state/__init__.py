"""The state of a game of *A World at War*: plain data, and small questions about it."""
