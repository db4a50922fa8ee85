"""The web table: two players, a bot, spectators, and an odds desk in the browser.

`store` keeps games as rows, `tables` is the service over them, `app` makes the pages; see docs/table.md.
"""
