"""Pathfinder mass combat as the battles app shows and reads it."""
