"""Codex: the text of rules and items."""
