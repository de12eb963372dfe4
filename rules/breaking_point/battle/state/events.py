"""Events of a battle, with the dice that decided them. Folding judges nothing: every consequence is an event.

Amounts are points of force; margins and scores are of the open d10 (B-1). What a reader may not know is 0, empty or
None in the event as they witness it, and `masked` is set: losses are then percent of the body's force.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from rules.breaking_point.battle.state.battle_state import FieldMark, Formation, Gone, Order, Phase, Result
from rules.breaking_point.spec import Host
from rules.core.breakdown import Line
from rules.core.dice import Roll
from rules.law import Closed, ThrownAnew, Veiled

UNWRITTEN = -1


class PhaseBegan(NamedTuple):
    phase: Phase
    rule: str = "B-19"


class PhaseEnded(NamedTuple):
    """End of a phase. `quiet` counts consecutive rounds without an attack, this one included (B-45)."""

    phase: Phase
    quiet: int = 0
    rule: str = "B-19"


class OrderGiven(NamedTuple):
    """Order given, secret until it is carried out (B-18). `order` is None for readers who do not command the army."""

    army: str
    order: Order | None
    rule: str = "B-22"


class ConditionSet(NamedTuple):
    """Condition set. `sharp`: it requires a new command test (B-43)."""

    condition: FieldMark
    sharp: bool = False
    rule: str = "B-41"


class ConditionLifted(NamedTuple):
    condition: FieldMark
    sharp: bool = False
    rule: str = "B-41"


class ArmyJoined(NamedTuple):
    """Reinforcements with their bodies. `due` is the reason for a new command test."""

    army: str
    spec: Host
    side: int
    formations: tuple[Formation, ...]
    came: int
    rule: str = "BP-7"
    due: str = "reinforcements"


type OfBody = Literal[
    "losses", "force", "breaking", "penalty", "combat", "defense", "power", "fire-power", "status", "do", "target"
]
type ByHand = Literal[
    "losses", "force", "breaking", "penalty", "combat", "defense", "power", "fire-power", "status", "do", "target",
    "score", ""
]  # fmt: skip
"""Figure that the GM sets by hand; "" for a reader who may not know which."""


class Overridden(NamedTuple):
    """The GM's manual change. `breaks_at` is the new breaking value in points after a change of force or breaking
    point; None if the body never breaks, `UNWRITTEN` in old records and for other fields.
    """

    subject: str
    field: ByHand
    value: int | str | None
    reason: str
    rule: str = "B-41"
    breaks_at: int | None = UNWRITTEN


class WithdrawalDeclared(NamedTuple):
    """Withdrawal of a side, revealed before the command test (B-24)."""

    side: int
    rule: str = "B-24"


class CommandTested(NamedTuple):
    """Command test of a side. `army` is its chief's, "" if nobody commands. `lines` add up to score minus die."""

    side: int
    army: str
    rolls: tuple[Roll, ...]
    lines: tuple[Line, ...]
    score: int
    rule: str = "BP-4.1"


class InitiativeSettled(NamedTuple):
    """Result of the command test. `steps` are the sides in striking order; those of one step strike together. `scores`
    is None for sides with nobody left. `surprised` sides were beaten by five (B-17).
    """

    scores: tuple[int | None, ...]
    steps: tuple[tuple[int, ...], ...]
    surprised: tuple[int, ...]
    rule: str = "BP-4.1"


class SideWithdrawn(NamedTuple):
    """Withdrawal before battle. `outcome` is "away", "stays" or "routed". `saved`: with guns and baggage (B-24)."""

    side: int
    margin: int
    outcome: str
    saved: bool
    rule: str = "B-24"


class Opposed(NamedTuple):
    """Roll of a side that opposes a withdrawal."""

    side: int
    rolls: tuple[Roll, ...]
    score: int


class WithdrawalTested(NamedTuple):
    """Withdrawal of an army (in a fleet: a unit) in battle (B-35). `outcome` is "free", "away", "stays" or "routed"."""

    army: str
    bodies: tuple[str, ...]
    rolls: tuple[Roll, ...]
    lines: tuple[Line, ...]
    score: int
    opposed: tuple[Opposed, ...]
    margin: int
    outcome: str
    saved: bool
    rule: str = "B-36"


class Penalised(NamedTuple):
    """Penalty to a body's combat tests for the rest of the battle. Only the worst counts (B-36)."""

    body: str
    penalty: int
    rule: str = "B-36"


class ReserveCommitted(NamedTuple):
    """Reserve committed. `due` is the reason for a new command test."""

    army: str
    bodies: tuple[str, ...]
    came: int
    rule: str = "B-44"
    due: str = "reserve"


class OrderLost(NamedTuple):
    """Order that is no longer possible; no die is rolled (B-23). `why` is a slug of `telling`."""

    body: str
    target: str
    why: str
    rule: str = "B-23"


class Attacked(NamedTuple):
    """Combat test (BP-4.4 to BP-4.7). `mode` is "shot", "close" (a shot at contact), "contact", "pursuit" or "riposte".

    `lines` add up to score minus die, `foe_lines` to `against`, `power_lines` to `power`. `percent` is of the power.
    `loss` falls on `target`, or on `friend` if the shot went astray. `heart` is the used bonus from the foe's earlier
    failure (B-30). `halved`: the fugitives are more mobile and lose half (BP-4.10). `meets`: the two obstruct whoever
    shoots in the next round (B-31); None for the default: every attack except a distant shot, and never between fleets.
    """

    body: str
    target: str
    mode: str
    rolls: tuple[Roll, ...]
    score: Veiled
    against: Veiled
    success: bool
    percent: int
    loss: int
    power: int
    lines: tuple[Line, ...] = ()
    foe_lines: tuple[Line, ...] = ()
    power_lines: tuple[Line, ...] = ()
    friend: str = ""
    heart: int = 0
    halved: bool = False
    masked: bool = False
    rule: str = "BP-4.4"
    meets: bool | None = None


class Heartened(NamedTuple):
    """Bonus to a target's next attack on the attacker that failed (B-30). 0 cancels an earlier one."""

    body: str
    foe: str
    amount: int
    until: int
    rule: str = "BP-4.7"


class Suffered(NamedTuple):
    """Losses of a body in one step (B-33). `fallen` is before the cap and the end of the count, `lost` the part
    applied, `losses` the total, of `force`. `capped`: limited to the breaking value.
    """

    body: str
    fallen: int
    lost: Veiled
    losses: int
    force: int
    capped: bool = False
    masked: bool = False
    rule: str = "BP-4.6"


class Broke(NamedTuple):
    """Rout of a body by losses beyond the breaking value (B-34), or by a withdrawal that failed by five. `by` is
    "losses" or "withdrawal".
    """

    body: str
    by: str = "losses"
    rule: str = "BP-4.10"


class ShelterLost(NamedTuple):
    """A broken garrison leaves the shelter of its place; its points are those of its men again (B-55)."""

    body: str
    force: int
    value: int | None
    losses: int
    rule: str = "B-55"


class Rests(NamedTuple):
    """The body has pursued and makes no attack in this round (B-39)."""

    body: str
    round: int
    rule: str = "B-39"


class Rallied(NamedTuple):
    """Attempt to rally (BP-4.11). `recovered` is in points, `percent` of the losses."""

    army: str
    body: str
    rolls: tuple[Roll, ...]
    lines: tuple[Line, ...]
    score: int
    against: int | None
    success: bool
    percent: int
    recovered: int
    masked: bool = False
    rule: str = "BP-4.11"


class BodyLeft(NamedTuple):
    """A body leaves. `status` is "withdrawn", "fled", "annihilated" or "surrendered". `saved`: with
    all its equipment.
    """

    body: str
    status: Gone
    saved: bool = False
    rule: str = "B-38"


class DistanceChanged(NamedTuple):
    """Change of distance. `side` is the one that wanted it, None for several."""

    distance: str
    side: int | None
    rule: str = "B-40"


class SurpriseEnded(NamedTuple):
    sides: tuple[int, ...]
    rule: str = "B-20"


class LossesShared(NamedTuple):
    """Sharing of an army's losses in a body: points by unit number in the army (B-78)."""

    army: str
    body: str
    units: Mapping[int, int]
    rule: str = "B-78"


class BattleEnded(NamedTuple):
    result: Result
    rule: str = "B-45"


type Event = (
    PhaseBegan
    | PhaseEnded
    | OrderGiven
    | ConditionSet
    | ConditionLifted
    | ArmyJoined
    | Overridden
    | WithdrawalDeclared
    | CommandTested
    | InitiativeSettled
    | SideWithdrawn
    | WithdrawalTested
    | Penalised
    | ReserveCommitted
    | OrderLost
    | Attacked
    | Heartened
    | Suffered
    | Broke
    | ShelterLost
    | Rests
    | Rallied
    | BodyLeft
    | DistanceChanged
    | SurpriseEnded
    | LossesShared
    | BattleEnded
    | Closed
    | ThrownAnew
)
