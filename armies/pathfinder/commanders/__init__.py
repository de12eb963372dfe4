"""Commanders of Pathfinder."""
