"""The steps that bring a store to the shape of this version."""
