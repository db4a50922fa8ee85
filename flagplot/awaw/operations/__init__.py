"""Operations (22.1, 22.2, 21.4, 23.5-23.7): naval activities on a hex map, what opposes them, and the way home.

A player turn's naval activities are announced, intercepted, countered and sailed hex by hex. Battles that arise are
fought by the scripts of `flagplot.awaw.battle`; here they are set up (`encounters`) and what is left of the forces goes
on.
"""
