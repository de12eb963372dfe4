"""Ruleset UI package for battles of Pathfinder mass combat."""
