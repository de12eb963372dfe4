"""Recovery of an army in a week: its wounded (B-69)."""

from __future__ import annotations

PART = 4  # one of so many returns, up


def returning(wounded: int) -> int:
    """A quarter, up."""
    return -(-wounded // PART)
