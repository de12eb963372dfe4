"""Mutable draft of a battle, to apply many events without a frozen state after each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import FIGHTING, ArmyInBattle, BattleState, changed

APPLY: dict[type, Callable[[Draft, Any], None]] = {}


def applies[T: e.Event](*kinds: type[T]) -> Callable[[Callable[[Draft, T], None]], Callable[[Draft, T], None]]:
    """Decorator that registers the handler of these events. The type parameter lets the type checker match them."""

    def register(handler: Callable[[Draft, T], None]) -> Callable[[Draft, T], None]:
        APPLY.update(dict.fromkeys(kinds, handler))
        return handler

    return register


class Draft:
    """Battle being changed. It has the fields of a `BattleState`, with its own dict of armies."""

    __slots__ = ("_field", "armies", "battle", "happened")

    def __init__(self, battle: BattleState):
        self.battle = battle
        self.armies: dict[str, ArmyInBattle] = dict(battle.armies)
        self.happened: list[e.Event] = []
        self._field: list[str] | None = None

    def emit(self, event: e.Event) -> None:
        APPLY[type(event)](self, event)
        self.happened.append(event)

    def tell(self, *events: e.Event) -> None:
        """Record the last events without applying them. Nobody reads the draft afterwards."""
        self.happened += events

    def change(self, army: str, **fields: object) -> None:
        self.armies[army] = changed(self.armies[army], **fields)

    def frozen(self) -> BattleState:
        return changed(self.battle, armies=dict(self.armies))

    def rebase(self, battle: BattleState) -> None:
        """Take over a whole changed battle."""
        self.battle = battle
        self.armies = dict(battle.armies)
        self._field = None

    def changes_field(self) -> None:
        """Forget the list of armies on the field, after one came or left."""
        self._field = None

    # Readers, as on BattleState.
    @property
    def tick(self) -> int:
        return self.battle.phase.tick

    def on_field(self) -> list[ArmyInBattle]:
        armies = self.armies
        if self._field is None:
            self._field = [i for side in self.battle.sides for i in side.armies if armies[i].status == FIGHTING]
        return [armies[i] for i in self._field]

    def enemies(self, army: ArmyInBattle) -> list[ArmyInBattle]:
        return [other for other in self.on_field() if other.side != army.side]
