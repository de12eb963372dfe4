"""Several processes serve one table: what one of them keeps, another has never read."""

from __future__ import annotations

from battles import folding, reading


def forget() -> None:
    """From here on this process knows of battles what one does that has just been started."""
    for kept in (folding._states, reading._latest, reading._written, reading._events):
        kept.clear()
