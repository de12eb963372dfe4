"""Spells and gods: who may cast what on whom, and the effects."""
