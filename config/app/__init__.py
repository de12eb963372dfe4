"""Warhost as an app: installed from the browser, its last seen sheets readable without a line."""

GROUND, PAPER = "#1c2026", "#f4efe4"
"""Behind the icon, and behind a page that is still to come."""
