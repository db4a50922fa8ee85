"""The version of the program, which saves and pages name."""

__version__ = "0.1.0"
