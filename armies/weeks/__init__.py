"""Passing time: days, weeks, undo."""
