"""Air in ground combat (18.55, 18.56, 18.61): support, opposition, losses, and what is taken."""
