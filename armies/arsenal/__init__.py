"""Arsenals: a campaign's own weapons, unit types and the like, besides those of its ruleset."""
