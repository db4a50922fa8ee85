"""Pages around the battle: the first page, new tables, joining, one's own tables, seats, talk, calls."""
