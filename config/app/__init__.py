"""Installable app (PWA): pages seen lately can be read offline."""

GROUND, PAPER = "#1c2026", "#f4efe4"
"""Background colours of the icon, and of a page while it loads."""
