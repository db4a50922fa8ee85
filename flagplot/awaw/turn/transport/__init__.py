"""Air and sea transport (17.6, 18.24, 18.53, 18.54): what is carried, where, and who intercepts it."""
