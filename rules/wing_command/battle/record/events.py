"""Events of a battle (WC-11), beside those every hex battle has. Each says itself who saw it, where not all do.

`Moved`, `Revealed`, `Destroyed`, `Withdrawn`, `EffectBegan` and the end are the events of `rules.hexbattle.common`.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.core.breakdown import Line
from rules.core.dice import Roll
from rules.hexbattle.common import ALL
from rules.wing_command.battle.record.state import Clash, Going
from rules.wing_command.spec import UnitFigures, WingSpec

# Setup


class OptionSet(NamedTuple):
    name: str
    value: str | int | None


class ArmyLeaderNamed(NamedTuple):
    unit: str
    side: int


class UnitEdited(NamedTuple):
    unit: str
    figures: UnitFigures


class OrderSet(NamedTuple):
    """A wing's order of setup; only its side is told. `told`: by side, whether it is."""

    wing: str
    order: str
    seen: tuple[bool, ...]


class PostureTaken(NamedTuple):
    """`seen`: by side, whether it sees the unit afterwards."""

    unit: str
    posture: str
    seen: tuple[bool, ...] = ALL


# Initiative and command


class InitiativeRolled(NamedTuple):
    """`rolls`: one die a side, ties thrown again. `first`: who is higher."""

    rolls: tuple[Roll, ...]
    bonuses: tuple[int, ...]
    first: int


class PhaseBegan(NamedTuple):
    """`side`: whose turn it is in it."""

    phase: str
    side: int


class PointsRolled(NamedTuple):
    """`ability`: the level after reductions, "" for below E: one point without a roll."""

    character: str
    rolls: tuple[Roll, ...]
    ability: str
    points: int
    seen: tuple[bool, ...] = ALL


class SpecialOrderGiven(NamedTuple):
    """`seen`: by side, whether it sees the unit."""

    character: str
    unit: str
    cost: int
    seen: tuple[bool, ...] = ALL


class DistributionEnded(NamedTuple):
    character: str
    seen: tuple[bool, ...] = ALL


class CommandTested(NamedTuple):
    """`what`: the command it was for. `licence`: a special order was spent on it."""

    character: str
    what: str
    wing: str
    rolls: tuple[Roll, ...]
    lines: tuple[Line, ...]
    threshold: int
    success: bool
    licence: bool = False
    seen: tuple[bool, ...] = ALL


class OrderChanged(NamedTuple):
    wing: str
    order: str


class CommandTaken(NamedTuple):
    character: str
    wing: str
    seen: tuple[bool, ...] = ALL


class Resigned(NamedTuple):
    character: str
    wing: str
    seen: tuple[bool, ...] = ALL


class SpellChosen(NamedTuple):
    """`spell` is "" for who may not know it."""

    character: str
    spell: str
    seen: tuple[bool, ...] = ALL


class SpellTried(NamedTuple):
    """`spell` is "" for who may not know it; so are `lines` and `limit`, by which it could be told."""

    character: str
    spell: str
    rolls: tuple[Roll, ...]
    lines: tuple[Line, ...]
    limit: int
    success: bool
    seen: tuple[bool, ...] = ALL


class SpellCast(NamedTuple):
    """`target`: a unit's id or a hex; "" for who doesn't see that unit (`met`: by side, whether it does)."""

    character: str
    spell: str
    target: str
    seen: tuple[bool, ...] = ALL
    met: tuple[bool, ...] = ALL


class SidePassed(NamedTuple):
    side: int


# Action


class WingTaken(NamedTuple):
    wing: str


class WingDone(NamedTuple):
    """The wing's activation is over; `skipped`: it had no unit able to act."""

    wing: str
    skipped: bool = False


class Acted(NamedTuple):
    """A unit's action, or a part of it, is over. `going`: what it may still do, None for nothing."""

    unit: str
    going: Going | None
    seen: tuple[bool, ...] = ALL


class BlowAsked(NamedTuple):
    """The GM has to say what came of it."""

    blow: Clash
    lines: tuple[Line, ...]


class Attacked(NamedTuple):
    """`sum`: dice and lines together. `by_gm`: the result was reported. `carried`: characters its charge carried along.
    `bolt`: it was a firebolt.
    """

    attacker: str
    target: str
    how: str
    rolls: tuple[Roll, ...]
    lines: tuple[Line, ...]
    sum: int
    result: str
    by_gm: bool = False
    bolt: bool = False
    charged: bool = False
    carried: tuple[str, ...] = ()


class DuelFought(NamedTuple):
    attacker: str
    target: str
    how: str
    rolls: tuple[Roll, ...]
    lines: tuple[Line, ...]
    sum: int
    result: str
    by_gm: bool = False
    charged: bool = False


class Recoiled(NamedTuple):
    """A unit is thrown back along `path`, two hexes. `seen`: by side, whether it sees the unit afterwards."""

    unit: str
    path: tuple[str, ...]
    seen: tuple[bool, ...] = ALL


class FollowedUp(NamedTuple):
    """A unit enters the hex its enemy left."""

    unit: str
    path: tuple[str, ...]
    seen: tuple[bool, ...] = ALL


class Shaken(NamedTuple):
    unit: str
    seen: tuple[bool, ...] = ALL


class Routed(NamedTuple):
    unit: str
    seen: tuple[bool, ...] = ALL


class Steadied(NamedTuple):
    """Courage: a unit's morale is one step better. `morale`: what it is now."""

    unit: str
    morale: int
    seen: tuple[bool, ...] = ALL


class FateDecided(NamedTuple):
    """`at`: where the character goes, "" where they are lost."""

    unit: str
    rolls: tuple[Roll, ...]
    saved: bool
    at: str = ""
    seen: tuple[bool, ...] = ALL


class Fled(NamedTuple):
    """A routed unit flees along `path`; `left`: over its home edge."""

    unit: str
    path: tuple[str, ...]
    left: bool
    seen: tuple[bool, ...] = ALL


class Rallied(NamedTuple):
    """A test to rally. `morale`: what it is now."""

    unit: str
    rolls: tuple[Roll, ...]
    lines: tuple[Line, ...]
    limit: int
    success: bool
    morale: int
    seen: tuple[bool, ...] = ALL


class Tired(NamedTuple):
    unit: str
    fatigue: int
    seen: tuple[bool, ...] = ALL


class Rested(NamedTuple):
    unit: str
    fatigue: int
    seen: tuple[bool, ...] = ALL


# Wings


class WingTested(NamedTuple):
    """A demoralisation test for a lost unit."""

    wing: str
    unit: str
    rolls: tuple[Roll, ...]
    lines: tuple[Line, ...]
    limit: int
    success: bool


class MoraleLowered(NamedTuple):
    """The marker, and the shaken markers on it, after a failed test."""

    wing: str
    morale: int
    shaken: int


class WingBroken(NamedTuple):
    wing: str


class MarkerGone(NamedTuple):
    """A special order is spent or over (`unit`), or a wing's shaken marker goes (`wing`)."""

    unit: str = ""
    wing: str = ""
    seen: tuple[bool, ...] = ALL


class TurnEnded(NamedTuple):
    turn: int


# The GM


class WingJoined(NamedTuple):
    army: WingSpec


class Overridden(NamedTuple):
    """Set by hand: a unit or wing, the field, its value, in words, and why."""

    what: str
    field: str
    value: str | int | None
    reason: str
    seen: tuple[bool, ...] = ALL


BattleEvent = (
    OptionSet | ArmyLeaderNamed | UnitEdited | OrderSet | PostureTaken | InitiativeRolled | PhaseBegan | PointsRolled
    | SpecialOrderGiven | DistributionEnded | CommandTested | OrderChanged | CommandTaken | Resigned | SpellChosen
    | SpellTried | SpellCast | SidePassed | WingTaken | WingDone | Acted | BlowAsked | Attacked | DuelFought | Recoiled
    | FollowedUp | Shaken | Routed | Steadied | FateDecided | Fled | Rallied | Tired | Rested | WingTested
    | MoraleLowered | WingBroken | MarkerGone | TurnEnded | WingJoined | Overridden
)  # fmt: skip
