"""A battle's state as it is written down between commands: everything the fold has made, nothing that follows from it.

Profiles (what acts on an army's behalf) and memos are read again when a state is thawed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from rules.pathfinder.battle.state.battle_state import (
    Adjustment,
    ArmyInBattle,
    BattleState,
    Fort,
    Mark,
    Opening,
    Order,
    Phase,
    Result,
    SetCondition,
    Side,
    Status,
)
from rules.pathfinder.battle.state.entering import recompile
from rules.pathfinder.profile import compile_profile
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.spec import AbilityChoice, ArmySpec


@dataclass(frozen=True, slots=True)
class FrozenArmy:
    """`ArmyInBattle` without its profile. `spec` is kept for armies the opening does not know."""

    id: str
    side: int
    acr: int
    rank: int
    hp: int
    hp_max: int
    morale: int
    status: Status
    tactic: str
    strategy: str
    target: str | None
    marks: tuple[Mark, ...]
    spent: Mapping[str, int]
    gained: tuple[AbilityChoice, ...]
    lost: frozenset[str]
    adjustments: tuple[Adjustment, ...]
    melees: int
    engines: int
    lost_hp: int
    felled_by: str
    last_loss: int
    attacked: str
    spec: ArmySpec | None = None


@dataclass(frozen=True, slots=True)
class FrozenBattle:
    """`BattleState` without its law, its opening and its memo."""

    phase: Phase
    sides: tuple[Side, ...]
    armies: tuple[FrozenArmy, ...]
    conditions: tuple[SetCondition, ...]
    forts: tuple[Fort, ...]
    orders: Mapping[str, Order] = field(default_factory=dict)
    ambushed: frozenset[str] = frozenset()
    fired: bool = False
    phases: tuple[Phase, ...] = ()
    result: Result | None = None


ARMY = tuple(f.name for f in fields(FrozenArmy) if f.name != "spec")
BATTLE = tuple(f.name for f in fields(FrozenBattle) if f.name != "armies")


def freeze(battle: BattleState) -> FrozenBattle:
    known = {spec.id for spec in battle.opening.armies}
    armies = tuple(
        FrozenArmy(**{name: getattr(army, name) for name in ARMY}, spec=None if army.id in known else army.spec)
        for army in battle.armies.values()
    )
    return FrozenBattle(armies=armies, **{name: getattr(battle, name) for name in BATTLE})


def thaw(law: Rulebook, opening: Opening, frozen: FrozenBattle) -> BattleState:
    """The state that was frozen. Equal to the fold of everything up to that moment."""
    specs = {spec.id: spec for spec in opening.armies}
    armies = {army.id: _army(law, army, army.spec or specs[army.id]) for army in frozen.armies}
    return BattleState(law, opening, armies=armies, **{name: getattr(frozen, name) for name in BATTLE})


def _army(law: Rulebook, frozen: FrozenArmy, spec: ArmySpec) -> ArmyInBattle:
    profile = compile_profile(law, spec, spec.unit.abilities)
    army = ArmyInBattle(spec=spec, profile=profile, **{name: getattr(frozen, name) for name in ARMY})
    return recompile(law, army)
