"""Forecast of a battle before its dice fall (PF-3): exactly where that can be computed, else by simulation."""
