"""Spells and gods: casters, valid targets, and effects."""
