"""Codex: what a rule or an item says."""
