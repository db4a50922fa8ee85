"""Line of Battle, the second game: a small combat system on one page, for the same kernel.

Modules in the order of the page: `selection` (step 1, day or night), `attacks` (steps 2 and 3), `results` (step 4 and
the boxes), `ending` (steps 5 and 6); `rounds` puts them together. The page leaves much open: `options` has what is
assumed, and `docs/rulings.md` says why.
"""
