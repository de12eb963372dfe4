"""The door to the engine: a battle of it under the house rules of a campaign."""

from __future__ import annotations

from typing import Any

from rules.breaking_point.battle.decide import decide
from rules.breaking_point.battle.state.battle_state import Opening
from rules.breaking_point.battle.state.entering import battle_of
from rules.breaking_point.battle.state.fold import fold
from rules.breaking_point.battle.state.opening import checked
from rules.breaking_point.spec import House
from rules.law import OMNISCIENT


class Engine:
    """One battle of the engine's, moved on by its commands."""

    def __init__(self, opening: Opening, house: House):
        self.state = battle_of(checked(opening), house)

    def ask(self, command: Any, dice: Any) -> Any:
        """Gives it a command as the GM; returns its events."""
        events = decide(self.state, command, dice, OMNISCIENT)
        self.state = fold(self.state, events)
        return events
