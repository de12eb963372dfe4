"""Armies and kingdoms as actors of the Foundry VTT module `pf1-kingdom-sheet` (docs/files.md)."""
