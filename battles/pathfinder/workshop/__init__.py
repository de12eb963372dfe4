"""Odds workshop of Pathfinder."""
