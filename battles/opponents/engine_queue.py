"""Queue of the engine's turns: whoever changes a battle calls the engine where a side that it plays is awaited."""

from __future__ import annotations

from typing import Any

from battles.models import Battle
from battles.play import battle_state as play_battle_state


def call_engine(battle: Battle, state: Any) -> None:
    """Let a worker play the next command of the engine's side, if one is due. In the transaction of what led there."""
    if play_battle_state.engine_turns(battle, state):
        from battles.opponents.tasks import take_turn

        take_turn.enqueue(str(battle.pk))
