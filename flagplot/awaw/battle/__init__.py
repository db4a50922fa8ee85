"""Naval combat (22.3-22.8), segment by segment."""
