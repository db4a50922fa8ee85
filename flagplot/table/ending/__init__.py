"""After the battle: who won and why, the course of the battle, its review, the campaign sheet."""
