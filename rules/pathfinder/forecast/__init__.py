"""Forecast of a battle before its dice (PF-3): exact where possible, otherwise simulated."""
