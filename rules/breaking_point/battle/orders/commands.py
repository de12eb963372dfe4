"""Commands of a battle beside those of every law (`rules.law.Settling`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from rules.breaking_point.battle.state.battle_state import REASON_MOST, FieldMark, Order
from rules.breaking_point.spec import Host
from rules.core.errors import demand
from rules.core.shapes import FLAT, ArmyId, Each, InApi, SideNumber, Slug, Spelled, Text, WholeNumber
from rules.core.text import _
from rules.law import CloseBattle, ThrowAnew

POINTS_MOST, UNITS_MOST = 10**9, 60


def _number(key: object) -> int:
    """Parse a unit's number from a JSON key."""
    said = str(key)
    demand(said.isascii() and said.isdigit() and len(said) < 4, _("Unit not found in this group."))
    return int(said)


type UnitNumber = Annotated[int, Spelled(_number)]
type Points = Annotated[int, WholeNumber(0, POINTS_MOST)]


@dataclass(frozen=True, slots=True)
class GiveOrder:
    """Give an army's order for the round (B-22). Before the command test it holds its side's withdrawal, if the army is
    the chief's, and standing answers.
    """

    order: Annotated[Order, FLAT]


@dataclass(frozen=True, slots=True)
class Next:
    """End the set-up (GM). Withdrawals may be declared now."""


@dataclass(frozen=True, slots=True)
class Resolve:
    """Resolve the command test or a round (GM). Typed dice are sent beside the command."""


@dataclass(frozen=True, slots=True)
class ChangeCondition:
    """Set a condition of the field, a side or a body, replacing the same one, or `lift` it (GM)."""

    condition: Annotated[FieldMark, FLAT]
    lift: bool = False


@dataclass(frozen=True, slots=True)
class Reinforce:
    """Add an army to a side between rounds (GM). A new command test is due."""

    army: Host
    side: int


@dataclass(frozen=True, slots=True)
class Override:
    """Set a figure, an order, a target or a result by hand (GM, B-41).

    `subject` is a body's id, or "side-<n>" for a score. Added: combat, defense, power, fire-power. Set: losses, force,
    breaking (%), penalty, score, `status` ("fighting", "routed", "fled", "withdrawn", "annihilated", "surrendered"),
    and `do` and `target` of its order this round.
    """

    subject: str
    field: str
    value: int | str | None
    reason: str


@dataclass(frozen=True, slots=True)
class ShareLosses:
    """Share an army's losses in a body among its units, in points, after the battle (B-78). `units` are by number in
    the army; the others keep their share.
    """

    army: ArmyId
    body: Annotated[Slug, InApi("its `id`")]
    units: Annotated[Mapping[UnitNumber, Points], Each(UNITS_MOST, 1), InApi("points by the number of the unit")]


@dataclass(frozen=True, slots=True)
class End:
    """End the battle now (GM). `winner` is the winning side's index, or None."""

    reason: Annotated[str, Text(REASON_MOST)]
    winner: SideNumber | None = None


type Command = (
    GiveOrder | Next | Resolve | ChangeCondition | Reinforce | Override | ShareLosses | End | CloseBattle | ThrowAnew
)
