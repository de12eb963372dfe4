"""Ruleset UI for battles of Pathfinder mass combat."""
