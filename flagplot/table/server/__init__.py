"""The server: the application with all its pages, how it opens, serves and is watched."""
