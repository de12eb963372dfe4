"""Ruleset UI for battles of breaking points."""
