"""Events of a battle (WC-11), in addition to those in `rules.hexbattle.common`.

An event not seen by everybody records who saw it in `seen`.
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
    """A wing's order is set during setup. `seen`: by side; only its own side is told."""

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
    """`rolls`: one die per side, ties rolled again. `first`: the side with the higher total."""

    rolls: tuple[Roll, ...]
    bonuses: tuple[int, ...]
    first: int


class PhaseBegan(NamedTuple):
    """`side`: whose turn it is in the phase."""

    phase: str
    side: int


class PointsRolled(NamedTuple):
    """`ability`: after reductions; "" for below E, which gives one point without a roll."""

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
    """`what`: the command tested for. `licence`: whether a special order was spent on it."""

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
    """`spell`: "" for viewers who may not know it."""

    character: str
    spell: str
    seen: tuple[bool, ...] = ALL


class SpellTried(NamedTuple):
    """`spell`: "" for viewers who may not know it; then `lines` and `limit` are empty too, as they would reveal it."""

    character: str
    spell: str
    rolls: tuple[Roll, ...]
    lines: tuple[Line, ...]
    limit: int
    success: bool
    seen: tuple[bool, ...] = ALL


class SpellCast(NamedTuple):
    """`target`: a unit's id or a hex; "" for viewers who don't see that unit (`met`: by side, whether it does)."""

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
    """The wing's activation is over. `skipped`: it had no unit able to act."""

    wing: str
    skipped: bool = False


class Acted(NamedTuple):
    """A unit's action is over, or interrupted. `going`: what it may still do, None for nothing."""

    unit: str
    going: Going | None
    seen: tuple[bool, ...] = ALL


class BlowAsked(NamedTuple):
    """The GM is asked for the result of an attack."""

    blow: Clash
    lines: tuple[Line, ...]


class Attacked(NamedTuple):
    """`sum`: dice and lines together. `by_gm`: the GM reported the result. `carried`: characters who came along with
    its charge. `bolt`: it was a firebolt.
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
    """A unit recoils along `path`, two hexes. `seen`: by side, whether it sees the unit afterwards."""

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
    """A courage spell: a unit's morale improves one step, to `morale`."""

    unit: str
    morale: int
    seen: tuple[bool, ...] = ALL


class FateDecided(NamedTuple):
    """`at`: where the character goes, "" if they are lost."""

    unit: str
    rolls: tuple[Roll, ...]
    saved: bool
    at: str = ""
    seen: tuple[bool, ...] = ALL


class Fled(NamedTuple):
    """A routed unit flees along `path`. `left`: it left the map over its home edge."""

    unit: str
    path: tuple[str, ...]
    left: bool
    seen: tuple[bool, ...] = ALL


class Rallied(NamedTuple):
    """A test to rally. `morale`: afterwards."""

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
    """A demoralisation test because of a lost unit."""

    wing: str
    unit: str
    rolls: tuple[Roll, ...]
    lines: tuple[Line, ...]
    limit: int
    success: bool


class MoraleLowered(NamedTuple):
    """The morale marker and the number of shaken markers after a failed test."""

    wing: str
    morale: int
    shaken: int


class WingBroken(NamedTuple):
    wing: str


class MarkerGone(NamedTuple):
    """A special order is spent or over (`unit`), or a wing loses a shaken marker (`wing`)."""

    unit: str = ""
    wing: str = ""
    seen: tuple[bool, ...] = ALL


class TurnEnded(NamedTuple):
    turn: int


# The GM


class WingJoined(NamedTuple):
    army: WingSpec


class Overridden(NamedTuple):
    """The GM set a field of a unit or wing to a value, with a reason."""

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
