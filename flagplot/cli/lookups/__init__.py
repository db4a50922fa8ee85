"""Commands that look something up: scenarios, options, maps, printed tables, rules and their coverage."""
