"""What can be done with tables, by what a caller is after. `flagplot.table.tables` puts it together."""
