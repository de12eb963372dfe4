"""Battle at one moment. Frozen; the fold of its events."""

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
DRUNK_BEFORE = "drunk-before"  # in `spent`: potions drunk in earlier stretches of the battle


class Phase(NamedTuple):
    """`number` counts phases of this kind in the stretch; `tick` counts ranged and melee phases of the battle."""

    kind: str
    number: int = 1
    tick: int = 0


@dataclass(frozen=True, slots=True)
class Mark:
    """Something an army carries. `at`: the one tick it is in force, or None to the end of the battle.

    `other`: the other army it concerns; `detail`: the option chosen; `amount`: how often it adds up;
    `source`: the army's own ability behind it, for immunities.
    """

    kind: str
    other: str = ""
    at: int | None = None
    detail: str = ""
    amount: int = 1
    source: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a fortification (R-14). Kinds: wall, moat, force, other."""

    kind: str = "other"
    material: str = "stone"
    value: int = 0


@dataclass(frozen=True, slots=True)
class Fort:
    """One fortification: the armies inside it, its parts, and how much siege engines wore off it (R-14, R-15)."""

    id: str
    armies: tuple[str, ...]
    parts: tuple[Part, ...]
    worn: int = 0
    exempt: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SetCondition:
    """A battlefield condition in force: for the field (`armies` empty) or for some, with exemptions.

    `by`: the army whose use set it; an interruption ends it (R-85).
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
    """Something an army is ordered to use. kind: ability, resource, boon or tactic."""

    kind: str
    slug: str
    option: str = ""
    target: str = ""


KEEP = "\0keep"  # an order that says nothing of the target


@dataclass(frozen=True, slots=True)
class Order:
    """What a commander wants of their army this phase. Secret until the phase resolves.

    tactic, strategy None: as before. target KEEP: as before; None: hold. `withdraw`: "leave" or "range".
    `surrender`: everything else of the order then counts for nothing (R-88). `stay_at_range`: in a ranged phase (R-89).
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
    """A figure the GM changed by hand, with their reason."""

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
        """The first mark of this kind in force at this tick (of any tick when None)."""
        for mark in self.marks:
            if mark.kind == kind and (tick is None or mark.at is None or mark.at == tick):
                return mark
        return None

    def invincible_to(self, foe: str) -> bool:
        """Whether the attacks of this enemy do nothing to it (R-90)."""
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
    """An army's figures as it took the field: what is shown of a battle later comes from here, not from today's law."""

    acr: int
    rank: int
    hp: int
    hp_max: int
    engines: int = 0


@dataclass(frozen=True, slots=True)
class Opening:
    """How a battle begins: what is stored once and never changes.

    overcomes: (attacker, defender) pairs; sees_invisible, cannot_leave, engines_shoot, magical: army ids.
    `ammunition`: for how many ranged phases of a stretch there is ammunition; None: no limit (R-89).
    The first side attacks: a routed army may stand only on another side (PF-6.2). `entered`: the figures of each army,
    written down when the opening has been checked.
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
    """How it ended. winner: index of the victorious side, or None for a draw or a battle broken off."""

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
    fired: bool = False  # a ranged phase has been fought
    phases: tuple[Phase, ...] = ()  # those already resolved, for the stepper
    result: Result | None = None
    worded: frozenset[str] = frozenset()  # armies whose health its reader is told in words
    memo: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)
    """Figures already computed on this field (`rules.pathfinder.battle.steps.strike`); a change of conditions or
    walls starts it anew.
    """

    def on_field(self) -> list[ArmyInBattle]:
        """Armies still fighting, in attack order (R-20)."""
        return [self.armies[i] for side in self.sides for i in side.armies if self.armies[i].status == FIGHTING]

    def enemies(self, army: ArmyInBattle) -> list[ArmyInBattle]:
        """Every army of every other side still on the field (R-20)."""
        return [other for other in self.on_field() if other.side != army.side]
