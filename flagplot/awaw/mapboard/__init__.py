"""The map: hexes, terrain, straits, fronts and sea paths, read from files that people draw by hand."""
