"""Armies and unit types as tables, out and in (docs/files.md)."""
