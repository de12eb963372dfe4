"""Ruleset UI package for battles of breaking point."""
