"""Armies and commanders under any ruleset."""
