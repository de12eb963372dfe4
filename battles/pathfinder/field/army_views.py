"""Views of armies on the field, as somebody may see them."""

from __future__ import annotations

from dataclasses import dataclass

from battles.play.health_label import HealthTold, told_of
from rules.core.breakdown import Breakdown
from rules.law import Figures, Viewer
from rules.pathfinder.battle.state.battle_state import AFTERMATH, CLOSED, FIGHTING, ArmyInBattle, Mark, Order
from rules.pathfinder.battle.state.battle_state import BattleState as State
from rules.pathfinder.catalogue.marks import MARKS
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
    worded: bool = False

    @property
    def told(self) -> HealthTold:
        return told_of(self.army.hp, self.army.hp_max, worded=self.worded)

    @property
    def readable(self) -> bool:
        return self.om is not None

    @property
    def morale(self) -> int | None:
        return self.army.morale if self.readable else None


def armies_on_field(state: State, figures: Figures, viewer: Viewer) -> tuple[ArmyOnField, ...]:
    """Every army that is or was in it, in attack order, through these viewer."""
    return tuple(_army(state, figures, viewer, army) for side in state.sides for army in side.armies)


def _army(state: State, figures: Figures, viewer: Viewer, army_id: str) -> ArmyOnField:
    army = state.armies[army_id]
    own = figures.get(army_id, {}) if army_id in viewer.reads else {}
    commanded = viewer.commands(army_id)
    return ArmyOnField(
        army=army,
        side=state.sides[army.side].name,
        acr=str(rating_of(army.spec)[1]),
        marks=shown_marks(state, army),
        om=own.get("om"),
        dv=own.get("dv"),
        morale_check=own.get("morale_check"),
        order=state.orders.get(army_id) if commanded else None,
        commanded=commanded,
        worded=army_id in state.worded,
    )


def shown_marks(state: State, army: ArmyInBattle) -> tuple[Mark, ...]:
    """What can be seen on it: marks in force now or still to come, without the engine's own notes."""
    if army.status != FIGHTING:
        return ()
    known = (mark for mark in army.marks if mark.kind in MARKS and not MARKS[mark.kind].hidden)
    return tuple(mark for mark in known if mark.at is None or mark.at >= state.phase.tick)


def telling_marks(state: State, army: ArmyInBattle) -> tuple[Mark, ...]:
    """Of these what still means something: once the battle is over, energy drain (R-44) and illness (PF-7.3)."""
    shown = shown_marks(state, army)
    return tuple(mark for mark in shown if MARKS[mark.kind].outlasts) if is_over(state) else shown


def is_over(state: State) -> bool:
    """Whether nobody fights any more, settled or not."""
    return state.phase.kind in (AFTERMATH, CLOSED)
