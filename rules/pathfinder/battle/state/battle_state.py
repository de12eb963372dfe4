"""Frozen state of a battle: the fold of its events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from rules.core.frozen_copy import changed as changed
from rules.pathfinder.figures import Profile
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.spec import AbilityChoice, ArmySpec

SETUP, TACTICS, RANGED, MELEE, AFTERMATH, CLOSED = "setup", "tactics", "ranged", "melee", "aftermath", "closed"
type Status = Literal["fighting", "withdrawn", "routed", "defeated", "captured"]
FIGHTING: Final = "fighting"
WITHDRAWN: Final = "withdrawn"
ROUTED: Final = "routed"
DEFEATED: Final = "defeated"
CAPTURED: Final = "captured"
PHASES = (RANGED, MELEE)
DRUNK_BEFORE = "drunk-before"  # key in `spent`: potions drunk in earlier stretches of the battle


class Phase(NamedTuple):
    """Phase of a battle. `number` counts phases of this kind in the stretch, `tick` ranged and melee phases of the
    whole battle.
    """

    kind: str
    number: int = 1
    tick: int = 0


@dataclass(frozen=True, slots=True)
class Mark:
    """Mark on an army. `at` is the only tick in which it is in force, None for the rest of the battle. `other` is the
    other army concerned, `detail` the chosen option, `amount` the number of times it applies, `source` the army's own
    ability behind it (for immunities).
    """

    kind: str
    other: str = ""
    at: int | None = None
    detail: str = ""
    amount: int = 1
    source: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """Part of a fortification (R-14). `kind` is wall, moat, force or other."""

    kind: str = "other"
    material: str = "stone"
    value: int = 0


@dataclass(frozen=True, slots=True)
class Fort:
    """Fortification: the armies inside, its parts, and how much siege engines have worn it down (R-14, R-15)."""

    id: str
    armies: tuple[str, ...]
    parts: tuple[Part, ...]
    worn: int = 0
    exempt: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SetCondition:
    """Battlefield condition in force, for the whole field (`armies` empty) or some armies, with exemptions. `by` is the
    army whose use set it; an interruption ends such a condition (R-85).
    """

    condition: str
    value: str | int | None = None
    armies: tuple[str, ...] = ()
    exempt: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    by: str = ""

    def reaches(self, army: str) -> bool:
        return army not in self.exempt and (not self.armies or army in self.armies)


@dataclass(frozen=True, slots=True)
class UseOrder:
    """Use ordered of an army. `kind` is "ability", "resource", "boon" or "tactic"."""

    kind: str
    slug: str
    option: str = ""
    target: str = ""


KEEP = "\0keep"  # target of an order that does not change it


@dataclass(frozen=True, slots=True)
class Order:
    """Order of an army for this phase, secret until the phase is resolved.

    `tactic` and `strategy` None mean no change. `target` KEEP means no change, None means hold. `withdraw` is "leave"
    or "range". With `surrender` the rest of the order is ignored (R-88). `stay_at_range` is for a ranged phase (R-89).
    """

    army: str
    tactic: str | None = None
    strategy: str | None = None
    target: str | None = KEEP
    use: tuple[UseOrder, ...] = ()
    withdraw: str = "leave"
    let_go: bool = False
    hold_the_line: bool = False
    spawn: str = "heal"
    surrender: bool = False
    stay_at_range: bool = False


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Manual change of a figure by the GM, with the reason."""

    field: str
    value: int
    reason: str


@dataclass(frozen=True)
class ArmyInBattle:
    id: str
    side: int
    spec: ArmySpec
    acr: int
    rank: int
    hp: int
    hp_max: int
    morale: int
    profile: Profile = field(compare=False, repr=False)
    status: Status = FIGHTING
    tactic: str = "standard"
    strategy: str = "standard"
    target: str | None = None
    marks: tuple[Mark, ...] = ()
    spent: Mapping[str, int] = field(default_factory=dict)
    gained: tuple[AbilityChoice, ...] = ()
    lost: frozenset[str] = frozenset()
    adjustments: tuple[Adjustment, ...] = ()
    melees: int = 0
    engines: int = 0
    lost_hp: int = 0
    felled_by: str = ""
    last_loss: int = 0
    attacked: str = ""  # "early" if its first Offense check was in a ranged or its first melee phase, else "late"

    @property
    def name(self) -> str:
        return self.spec.name

    def mark(self, kind: str, tick: int | None = None) -> Mark | None:
        """Return the first mark of this kind in force at this tick (at any tick if None), or None."""
        for mark in self.marks:
            if mark.kind == kind and (tick is None or mark.at is None or mark.at == tick):
                return mark
        return None

    def invincible_to(self, foe: str) -> bool:
        """Whether this enemy's attacks have no effect on the army (R-90)."""
        return any(mark.kind == "invincible" and mark.other == foe for mark in self.marks)


@dataclass(frozen=True, slots=True)
class Side:
    name: str
    armies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ambush:
    by: str
    target: str


@dataclass(frozen=True, slots=True)
class Entered:
    """Figures of an army when it took the field. They are stored, so later changes of the law do not alter them."""

    acr: int
    rank: int
    hp: int
    hp_max: int
    engines: int = 0


@dataclass(frozen=True, slots=True)
class Opening:
    """Opening of a battle, stored once and never changed.

    `overcomes` holds (attacker, defender) pairs. `sees_invisible`, `cannot_leave`, `engines_shoot` and `magical` hold
    army ids. `ammunition` is the number of ranged phases in a stretch; None means no limit (R-89). The first side
    attacks; a routed army may only be on another side (PF-6.2). `entered` are the figures of each army, filled in by
    the check of the opening.
    """

    armies: tuple[ArmySpec, ...]
    sides: tuple[Side, ...]
    conditions: tuple[SetCondition, ...] = ()
    overcomes: tuple[tuple[str, str], ...] = ()
    sees_invisible: tuple[str, ...] = ()
    cannot_leave: tuple[str, ...] = ()
    engines_shoot: tuple[str, ...] = ()
    magical: tuple[str, ...] = ()
    ambushes: tuple[Ambush, ...] = ()
    entered: Mapping[str, Entered] = field(default_factory=dict)
    ammunition: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a battle. `winner` is the winning side's index, None for a draw or a broken-off battle."""

    winner: int | None
    reason: str = ""


@dataclass(frozen=True)
class BattleState:
    law: Rulebook = field(compare=False, repr=False)
    opening: Opening
    phase: Phase
    sides: tuple[Side, ...]
    armies: Mapping[str, ArmyInBattle]
    conditions: tuple[SetCondition, ...] = ()
    forts: tuple[Fort, ...] = ()
    orders: Mapping[str, Order] = field(default_factory=dict)
    ambushed: frozenset[str] = frozenset()
    fired: bool = False  # whether a ranged phase has been fought
    phases: tuple[Phase, ...] = ()  # resolved phases, for the list of phases
    result: Result | None = None
    worded: frozenset[str] = frozenset()  # armies whose health the viewer sees only in words
    memo: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)
    """Cache of figures on this field (`rules.pathfinder.battle.steps.strike`). A change of conditions or walls clears
    it.
    """

    def on_field(self) -> list[ArmyInBattle]:
        """Return the armies still fighting, in attack order (R-20)."""
        return [self.armies[i] for side in self.sides for i in side.armies if self.armies[i].status == FIGHTING]

    def enemies(self, army: ArmyInBattle) -> list[ArmyInBattle]:
        """Return all armies of other sides still on the field (R-20)."""
        return [other for other in self.on_field() if other.side != army.side]
