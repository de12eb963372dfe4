"""Sides commanded by the engine."""
