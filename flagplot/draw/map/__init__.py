"""Maps as pictures: coasts, names and icons once for each map, and on them what stands where."""
