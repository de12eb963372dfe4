"""Creatures of the bestiary, read as unit types (PF-1.11, PF-9)."""
