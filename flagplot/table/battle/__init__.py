"""The battle page: its parts, board and map, the form of a plan, standing orders, the stream that keeps it fresh."""
