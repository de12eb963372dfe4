"""Several processes serve one table: what one of them keeps, another has never read."""

from __future__ import annotations

from battles.play import battle_state as play_battle_state
from battles.play import event_log


def forget() -> None:
    """From here on this process knows of battles what one does that has just been started."""
    for kept in (play_battle_state._states, event_log._latest, event_log._written, event_log._events):
        kept.clear()
