"""Spells and gods: who may cast at what, and what it does."""
