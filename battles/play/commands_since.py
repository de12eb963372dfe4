"""Commands of a battle since somebody looked at it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from battles.codec.storage import get_keeper
from battles.models import Battle
from battles.play import battle_state as play_battle_state


def commands_since(battle: Battle, version: int) -> Sequence[Any]:
    """The commands after this version, in order. None at all where it is not older, or something was taken back."""
    if version >= battle.version:
        return ()
    since = battle.records.filter(version__gt=version, undone=False).values_list("command", flat=True)
    if len(since) != battle.version - version:
        return ()
    keeper = get_keeper(play_battle_state.get_engine(battle))
    return [keeper.load_command(told) for told in since]
