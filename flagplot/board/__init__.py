"""The board in front of a reader, as one value that text, terminal, pictures and pages all show."""
