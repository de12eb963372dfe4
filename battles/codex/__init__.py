"""Codex page."""
