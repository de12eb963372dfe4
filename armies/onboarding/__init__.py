"""Armies of campaign templates and of first steps."""
