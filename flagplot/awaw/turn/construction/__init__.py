"""New air units: construction, naval air training and the kamikaze pool (17.24-17.84, 17.41-17.44)."""
