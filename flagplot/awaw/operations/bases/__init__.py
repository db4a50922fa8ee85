"""Bases and ports: attacks on them from the air (23.4-23.6), ships in port, escape, and how much a port holds."""
