"""Opponents: sides that the engine plays."""
