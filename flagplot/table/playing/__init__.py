"""Answers: from people, from players of the program, from staffs and orders; and fresh bytes for the dice."""
