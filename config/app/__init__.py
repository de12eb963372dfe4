"""Installable app (PWA): the last seen pages can be read offline."""

GROUND, PAPER = "#1c2026", "#f4efe4"
"""Behind the icon, and behind a page that is still to come."""
