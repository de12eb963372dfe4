"""Catalogue of Pathfinder's rules content."""
