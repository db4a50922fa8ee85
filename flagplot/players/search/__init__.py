"""The player that looks ahead: it plays what may be from what its side knows, and takes what comes out best."""
