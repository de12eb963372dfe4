"""A battle as somebody may see it: sides, armies, what is awaited and what is legal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from battles.selectors.access import Eyes
from rules.breakdown import Breakdown
from rules.pathfinder.battle import engine
from rules.pathfinder.battle.legal import Legal
from rules.pathfinder.battle.state import FIGHTING, ArmyInBattle, Mark, Order, SetCondition
from rules.pathfinder.battle.state import Battle as State
from rules.pathfinder.marks import MARKS
from rules.pathfinder.sheet import rating_of


@dataclass(frozen=True, slots=True)
class ArmyOnField:
    """An army as it can be seen. What only its own side reads is None for the others: figures, order."""

    army: ArmyInBattle
    side: str
    acr: str
    marks: tuple[Mark, ...]
    om: Breakdown | None
    dv: Breakdown | None
    morale_check: Breakdown | None
    order: Order | None
    commanded: bool

    @property
    def readable(self) -> bool:
        return self.om is not None

    @property
    def morale(self) -> int | None:
        return self.army.morale if self.readable else None


@dataclass(frozen=True)
class FieldView:
    """The whole field through these eyes."""

    state: State
    eyes: Eyes

    @cached_property
    def armies(self) -> tuple[ArmyOnField, ...]:
        """Every army that is or was in it, in attack order."""
        return tuple(self._army(army) for side in self.state.sides for army in side.armies)

    @cached_property
    def awaiting(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Who has given no order yet: no secret, the table waits for them."""
        return tuple(engine.awaiting(self.state))

    @cached_property
    def legal(self) -> Legal:
        return engine.legal(self.state, self.eyes.viewer)

    @property
    def conditions(self) -> tuple[SetCondition, ...]:
        return self.state.conditions

    @property
    def winner(self) -> str | None:
        result = self.state.result
        return None if result is None or result.winner is None else self.state.sides[result.winner].name

    def _army(self, army_id: str) -> ArmyOnField:
        army = self.state.armies[army_id]
        figures = engine.figures(self.state, army_id) if army_id in self.eyes.reads else None
        commanded = self.eyes.commands(army_id)
        return ArmyOnField(
            army=army,
            side=self.state.sides[army.side].name,
            acr=str(rating_of(army.spec)[1]),
            marks=shown_marks(self.state, army),
            om=figures.om if figures else None,
            dv=figures.dv if figures else None,
            morale_check=figures.morale_check if figures else None,
            order=self.state.orders.get(army_id) if commanded else None,
            commanded=commanded,
        )


def field_of(state: State, eyes: Eyes) -> FieldView:
    return FieldView(state, eyes)


def shown_marks(state: State, army: ArmyInBattle) -> tuple[Mark, ...]:
    """What can be seen on it: marks in force now or still to come, without the engine's own notes."""
    if army.status != FIGHTING:
        return ()
    known = (mark for mark in army.marks if mark.kind in MARKS and not MARKS[mark.kind].hidden)
    return tuple(mark for mark in known if mark.at is None or mark.at >= state.phase.tick)
