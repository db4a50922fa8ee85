"""The web table: two players, a bot, spectators, and an odds desk in the browser.

`store` keeps games as rows, `games` has them in memory, `playing` takes answers, `tables` is the service over all that;
above it are the pages, by what they are about, and `server` puts them together. See docs/table.md.
"""
