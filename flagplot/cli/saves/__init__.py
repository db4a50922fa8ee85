"""Commands about a saved game: its log, proof, report, luck, review, hints, orders; how saves are named and read."""
