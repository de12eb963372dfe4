"""Events of a battle, with the dice that decided them. Folding them judges nothing: every consequence is one of them.

Amounts are points of force, margins and scores are of the open d10 (B-1). What a reader may not know is 0, empty or
None in the event as they witness it, and `masked` says so: losses are then hundredths of the body's force.
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
    """`quiet`: rounds running without an attack, this one included (B-45)."""

    phase: Phase
    quiet: int = 0
    rule: str = "B-19"


class OrderGiven(NamedTuple):
    """Secret until it happens (B-18). `order` is None for who does not command the army."""

    army: str
    order: Order | None
    rule: str = "B-22"


class ConditionSet(NamedTuple):
    """`sharp`: it calls for a new command test (B-43)."""

    condition: FieldMark
    sharp: bool = False
    rule: str = "B-41"


class ConditionLifted(NamedTuple):
    condition: FieldMark
    sharp: bool = False
    rule: str = "B-41"


class ArmyJoined(NamedTuple):
    """Reinforcements, with the bodies they fight in. `due`: why a new command test is due now."""

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
"""What the GM sets by hand; "" for a reader who is not told what it was."""


class Overridden(NamedTuple):
    """`breaks_at`: the points it can lose from now on, after its force or its breaking point was set; None where it
    never breaks, `UNWRITTEN` in records of before and of anything else.
    """

    subject: str
    field: ByHand
    value: int | str | None
    reason: str
    rule: str = "B-41"
    breaks_at: int | None = UNWRITTEN


class WithdrawalDeclared(NamedTuple):
    """Revealed before the command test (B-24)."""

    side: int
    rule: str = "B-24"


class CommandTested(NamedTuple):
    """A side's command test: `army` is its chief's, "" where nobody commands. `lines` add up to score less die."""

    side: int
    army: str
    rolls: tuple[Roll, ...]
    lines: tuple[Line, ...]
    score: int
    rule: str = "BP-4.1"


class InitiativeSettled(NamedTuple):
    """What the command test decided: `steps` are the sides in the order they strike, those of one step together.

    `scores`: by side, None for one that has nobody left. `surprised`: by an enemy's five (B-17).
    """

    scores: tuple[int | None, ...]
    steps: tuple[tuple[int, ...], ...]
    surprised: tuple[int, ...]
    rule: str = "BP-4.1"


class SideWithdrawn(NamedTuple):
    """A withdrawal before battle. `outcome`: "away", "stays" or "routed"; `saved`: guns and baggage too (B-24)."""

    side: int
    margin: int
    outcome: str
    saved: bool
    rule: str = "B-24"


class Opposed(NamedTuple):
    """The die of a side that stands in the way."""

    side: int
    rolls: tuple[Roll, ...]
    score: int


class WithdrawalTested(NamedTuple):
    """An army (in a fleet a unit) leaves in battle (B-35). `outcome`: "free", "away", "stays" or "routed"."""

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
    """From now on this on its combat tests, for the battle: the worst such stands (B-36)."""

    body: str
    penalty: int
    rule: str = "B-36"


class ReserveCommitted(NamedTuple):
    """`due`: why a new command test is due now."""

    army: str
    bodies: tuple[str, ...]
    came: int
    rule: str = "B-44"
    due: str = "reserve"


class OrderLost(NamedTuple):
    """What was ordered is not possible any more: no die (B-23). `why`: a slug of `telling`."""

    body: str
    target: str
    why: str
    rule: str = "B-23"


class Attacked(NamedTuple):
    """A combat test (BP-4.4 to BP-4.7). `mode`: "shot", "close" (a shot at contact), "contact", "pursuit", "riposte".

    `lines` add up to score less die, `foe_lines` to `against`, `power_lines` to `power`. `percent`: of the power; its
    `loss` falls on `target`, or where the shot went astray on `friend`. `heart`: what its lines took of an earlier
    failure against it, spent now (B-30). `halved`: the fugitives are more mobile, and lose half (BP-4.10). `meets`:
    whether the two are in each other's way for whoever shoots in the next round (B-31); None where that goes without
    saying: after every attack but a shot from afar, and never between fleets.
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
    """A failed attack helps its target's next one against that same attacker (B-30); 0 replaces an earlier one."""

    body: str
    foe: str
    amount: int
    until: int
    rule: str = "BP-4.7"


class Suffered(NamedTuple):
    """One assault (B-33): all that fell on a body in one step. `fallen`: before the cap and the end of the count.

    `lost` of it, and `losses` in all, of `force`. `capped`: the breaking value was all it could cost.
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
    """Losses beyond the breaking value (B-34), or a withdrawal that failed by five: it is routed.

    `by`: "losses" or "withdrawal".
    """

    body: str
    by: str = "losses"
    rule: str = "BP-4.10"


class ShelterLost(NamedTuple):
    """A garrison has broken: the place shields it no more, its points are again those of its men (B-55)."""

    body: str
    force: int
    value: int | None
    losses: int
    rule: str = "B-55"


class Rests(NamedTuple):
    """It has pursued, and makes no attack in this round (B-39)."""

    body: str
    round: int
    rule: str = "B-39"


class Rallied(NamedTuple):
    """An attempt to rally (BP-4.11). `recovered`: points; `percent` of the losses."""

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
    """A body is gone: `status` is "withdrawn", "fled", "annihilated" or "surrendered". `saved`: with all it has."""

    body: str
    status: Gone
    saved: bool = False
    rule: str = "B-38"


class DistanceChanged(NamedTuple):
    """`side`: whose wish it was, None for several."""

    distance: str
    side: int | None
    rule: str = "B-40"


class SurpriseEnded(NamedTuple):
    sides: tuple[int, ...]
    rule: str = "B-20"


class LossesShared(NamedTuple):
    """Whoever runs an army has said what its units bear of a body's losses: points by their number in it (B-78)."""

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
