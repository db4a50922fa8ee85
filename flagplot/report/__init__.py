"""A battle on one page, as text that can be pasted into a letter or as data, for the command line and the table alike.

It tells what its reader may know and nothing else. The umpire's report tells all; that of a side, as long as the battle
goes on, also keeps back what would help to guess the enemy's secrets or the dice to come: the head of the save, how
many answers it holds, and a seed.
"""
