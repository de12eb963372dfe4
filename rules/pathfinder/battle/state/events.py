"""Events of a battle, with the dice that decided them. Replaying them needs no rules. Amounts are hit points, checks
are d20 totals.

An event that rests on a rule names it. The default of a field is what every record meant when the field was added, and
never changes. If the law changes, new events state the new value, and old ones keep their meaning.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from rules.core.breakdown import Line
from rules.core.dice import Roll
from rules.law import Veiled
from rules.pathfinder.battle.state.battle_state import Entered, Mark, Order, Phase, Result, SetCondition, Status
from rules.pathfinder.spec import ArmySpec

type SaidAgain = Literal["", "once", "more", "each"]
ENDS_GIVEN = ("inspired",)
ENDS_BORNE = ("sings-for-ally",)
"""Marks that ended when an army left the field, in the oldest records (R-25)."""


class PhaseBegan(NamedTuple):
    phase: Phase
    rule: str = "PF-3.2"


class OrderGiven(NamedTuple):
    army: str
    order: Order
    rule: str = "PF-3.5"


class ConditionSet(NamedTuple):
    condition: SetCondition
    by: str = ""
    rule: str = "PF-4"


class ConditionLifted(NamedTuple):
    condition: SetCondition
    rule: str = "PF-4"


class ArmyJoined(NamedTuple):
    army: str
    spec: ArmySpec
    side: int
    by: str = ""
    rule: str = "PF-3.2"
    entered: Entered | None = None


type ByHand = Literal[
    "hp", "morale", "om", "dv", "engines", "status", "tactic", "strategy", "target", "mark", "ability", "invincible", ""
]
"""Figure that the GM sets by hand; "" for a reader who may not know which."""


class Overridden(NamedTuple):
    """The GM's manual change. `lasts` is "phase" or "battle" for a given mark, "" otherwise and in old records. `again`
    is as in `Marked`. `ends_given` and `ends_borne` are as in `Left`, for an army taken off the field.
    """

    army: str
    field: ByHand
    value: int | str | None
    reason: str
    rule: str = "PF-3.12"
    lasts: str = ""
    again: SaidAgain = ""
    ends_given: tuple[str, ...] = ENDS_GIVEN
    ends_borne: tuple[str, ...] = ENDS_BORNE


class Interrupted(NamedTuple):
    """Interruption. `kept` are the marks that outlive a stretch of battle (PF-6.5); all others end."""

    reason: str
    rule: str = "PF-3.2"
    kept: tuple[str, ...] = ("drained", "ill")


class Ambushed(NamedTuple):
    army: str
    target: str
    rolls: tuple[Roll, ...]
    check: Veiled
    against: Veiled
    success: bool
    om: tuple[Line, ...]
    dv: tuple[Line, ...]
    rule: str = "PF-3.3"


class TacticChosen(NamedTuple):
    """The tactic ordered, and whether the army now uses it. Without dice no check was needed."""

    army: str
    tactic: str
    success: bool
    rolls: tuple[Roll, ...] = ()
    check: Veiled = 0
    against: Veiled = 0
    lines: tuple[Line, ...] = ()
    automatic: bool = False
    rule: str = "PF-3.5"


class StrategyChosen(NamedTuple):
    army: str
    strategy: str
    success: bool
    rolls: tuple[Roll, ...] = ()
    check: Veiled = 0
    against: Veiled = 0
    lines: tuple[Line, ...] = ()
    automatic: bool = False
    rule: str = "PF-3.7"


class TargetChosen(NamedTuple):
    army: str
    target: str | None
    rule: str = "PF-3.5"


class Used(NamedTuple):
    """A declared use, which is now spent. `kind` is "ability", "resource", "boon" or "tactic"."""

    army: str
    kind: str
    slug: str
    option: str = ""
    target: str = ""
    rule: str = "PF-3.5"


class ShapeEnded(NamedTuple):
    army: str
    rule: str = "R-24"


class ShapeTaken(NamedTuple):
    army: str
    ability: str
    rule: str = "R-24"


class Marked(NamedTuple):
    """A new mark. `again` says how it combines with another of its kind: "once", "more" or "each" (`MarkEffect.again`);
    "" stands for the oldest records' rule of that kind.
    """

    army: str
    mark: Mark
    by: str = ""
    rule: str = ""
    again: SaidAgain = ""


class Unmarked(NamedTuple):
    army: str
    kind: str
    other: str = ""
    rule: str = ""


class Healed(NamedTuple):
    army: str
    amount: Veiled
    cause: str
    hp_before: Veiled
    hp_after: Veiled
    rule: str


class Wounded(NamedTuple):
    """Hit points lost other than by an attack: bleeding, sandstorm."""

    army: str
    amount: Veiled
    cause: str
    hp_before: Veiled
    hp_after: Veiled
    rolls: tuple[Roll, ...] = ()
    by: str = ""
    rule: str = ""


class TauntChecked(NamedTuple):
    army: str
    by: str
    success: bool
    rolls: tuple[Roll, ...] = ()
    check: Veiled = 0
    against: Veiled = 0
    lines: tuple[Line, ...] = ()
    automatic: bool = False
    rule: str = "PF-3.11"


class WithdrawalOpposed(NamedTuple):
    """One pair of opposed checks. `success`: the withdrawing army beats this opponent. `why` is the reason for an
    automatic result.
    """

    army: str
    target: str
    success: bool
    rolls: tuple[Roll, ...] = ()
    check: Veiled = 0
    against: Veiled = 0
    lines: tuple[Line, ...] = ()
    foe_lines: tuple[Line, ...] = ()
    why: str = ""
    rule: str = "PF-3.10"


class WithdrawalDecided(NamedTuple):
    """Result of a withdrawal. `outcome` is "leaves", "range", "pursued" (beat some: fights, then leaves or stays) or
    "stays".
    """

    army: str
    outcome: str
    opponents: tuple[str, ...] = ()
    rule: str = "R-31"


class FortWorn(NamedTuple):
    army: str
    fort: str
    target: str
    amount: int
    left: int
    rolls: tuple[Roll, ...]
    rule: str = "R-15"


class AttackLost(NamedTuple):
    """Lost attack. `why` is "gone", "hovering", "burrowing", "no-shot" or "wind"."""

    army: str
    target: str
    why: str
    rule: str = "R-21"


class Attacked(NamedTuple):
    """Offense check and its damage. `kind` is "attack" or "parting", `mode` "melee" or "shot".

    `damage` is the computed damage, `lost` what the target had left to lose of it. `spared` says why a rule prevented
    damage. `bars`: a natural 1, after which the attacker makes no Offense check in the next phase (R-46). `moment` is
    "early" or "late" (PF-VAR); "" means early in a ranged phase and in the attacker's first melee phase, late
    otherwise.
    """

    army: str
    target: str
    kind: str
    mode: str
    rolls: tuple[Roll, ...]
    check: Veiled
    against: Veiled
    om: tuple[Line, ...]
    dv: tuple[Line, ...]
    damage_lines: tuple[Line, ...]
    damage: Veiled
    lost: Veiled
    hp_before: Veiled
    hp_after: Veiled
    spared: str = ""
    rule: str = "PF-3.6"
    bars: bool = False
    moment: Literal["", "early", "late"] = ""


class EngineAttacked(NamedTuple):
    """Siegebreaker's second check. Success destroys one engine of the target. `bars` is as in `Attacked`."""

    army: str
    target: str
    rolls: tuple[Roll, ...]
    check: Veiled
    against: Veiled
    success: bool
    lines: tuple[Line, ...] = ()
    rule: str = "PF-3.11"
    bars: bool = False


class FearChecked(NamedTuple):
    army: str
    by: str
    success: bool
    rolls: tuple[Roll, ...] = ()
    check: Veiled = 0
    against: Veiled = 0
    lines: tuple[Line, ...] = ()
    automatic: bool = False
    rule: str = "R-45"


class RoutChecked(NamedTuple):
    army: str
    success: bool
    rolls: tuple[Roll, ...] = ()
    check: Veiled = 0
    against: Veiled = 15
    lines: tuple[Line, ...] = ()
    automatic: bool = False
    rule: str = "PF-3.9"


class LastStand(NamedTuple):
    """Ferocity: the army's fate ("defeated" or "routed") is delayed by one melee phase."""

    army: str
    fate: str
    rule: str = "R-52"


class Left(NamedTuple):
    """The army leaves the field. `status` is withdrawn, routed, defeated or captured. Two kinds of marks end with it:
    `ends_given` on others by this army, `ends_borne` on itself (R-25).
    """

    army: str
    status: Status
    by: str = ""
    rule: str = "PF-3.9"
    ends_given: tuple[str, ...] = ENDS_GIVEN
    ends_borne: tuple[str, ...] = ENDS_BORNE


class Spawned(NamedTuple):
    army: str
    target: str
    rule: str = "R-54"


class DistanceKept(NamedTuple):
    """Every army that can shoot stays at range, so another ranged phase follows."""

    rule: str = "R-89"


class PhaseEnded(NamedTuple):
    """End of a phase. `risen` are the armies that arose in this melee phase, which does not count as one of theirs
    (R-84).
    """

    phase: Phase
    rule: str = "PF-3.5"
    risen: tuple[str, ...] = ()


class BattleEnded(NamedTuple):
    result: Result
    rule: str = "PF-3.5"


class BattleClosed(NamedTuple):
    rule: str = "PF-6"


class BattleReopened(NamedTuple):
    rule: str = "PF-6"


class RolledAnew(NamedTuple):
    """The dice of the aftermath are rolled again. `rolls` are the former dice, which they replace."""

    rolls: tuple[Roll, ...]
    rule: str = "R-69"


type Event = (
    PhaseBegan | OrderGiven | ConditionSet | ConditionLifted | ArmyJoined | Overridden | Interrupted | Ambushed
    | TacticChosen | StrategyChosen | TargetChosen | Used | ShapeEnded | ShapeTaken | Marked | Unmarked | Healed
    | Wounded | TauntChecked | WithdrawalOpposed | WithdrawalDecided | FortWorn | AttackLost | Attacked
    | EngineAttacked | FearChecked | RoutChecked | LastStand | Left | Spawned | DistanceKept | PhaseEnded
    | BattleEnded | BattleClosed | BattleReopened | RolledAnew
)  # fmt: skip
