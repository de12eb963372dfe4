"""Pathfinder armies: access, tracked fields, specs."""
