"""The printed tables of A World at War: data files in ``data/``, and the look-ups that read them.

`grids` has the tables of rows and columns, `charts` the nationality charts, `counts` the lists of modifiers,
`nations` the countries, `catalogue` all of them for printing. A data file is read once, when first needed.
"""
