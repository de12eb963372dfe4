"""Several processes serve one table: what one of them keeps, another has never read."""

from __future__ import annotations

from battles import folding, records_read


def forget() -> None:
    """From here on this process knows of battles what one does that has just been started."""
    for kept in (folding._states, records_read._latest, records_read._written, records_read._events):
        kept.clear()
