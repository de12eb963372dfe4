"""Dividing and combining armies, under any ruleset."""
