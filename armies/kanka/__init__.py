"""Import of a Kanka export: kingdoms, commanders and notes (docs/files.md)."""
