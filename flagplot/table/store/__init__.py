"""Where tables are kept: SQLite by default, PostgreSQL if asked, by the same statements and migrations."""
