"""Commands of a battle since somebody looked at it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from battles.codec.storage import keeper_of
from battles.models import Battle
from battles.play import state


def commands_since(battle: Battle, version: int) -> Sequence[Any]:
    """The commands after this version, in order. None at all where it is not older, or something was taken back."""
    if version >= battle.version:
        return ()
    since = battle.records.filter(version__gt=version, undone=False).values_list("command", flat=True)
    if len(since) != battle.version - version:
        return ()
    keeper = keeper_of(state.engine_of(battle))
    return [keeper.load_command(told) for told in since]
