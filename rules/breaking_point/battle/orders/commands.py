"""Commands of a battle, beside those of every law (`rules.law.Settling`)."""

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
    """Of a unit, as JSON has it for a key."""
    said = str(key)
    demand(said.isascii() and said.isdigit() and len(said) < 4, _("Unit not found in this body."))
    return int(said)


type UnitNumber = Annotated[int, Spelled(_number)]
type Points = Annotated[int, WholeNumber(0, POINTS_MOST)]


@dataclass(frozen=True, slots=True)
class GiveOrder:
    """An army's order for the round (B-22). Before the command test: its withdrawal, if it is its side's chief's, and
    its standing answers.
    """

    order: Annotated[Order, FLAT]


@dataclass(frozen=True, slots=True)
class Next:
    """The setup is over: withdrawals may be declared (GM)."""


@dataclass(frozen=True, slots=True)
class Resolve:
    """The command test, or a round (GM). Dice travel beside the command."""


@dataclass(frozen=True, slots=True)
class ChangeCondition:
    """Set what holds for the field, a side or a body, in the place of the same; `lift` ends it (GM)."""

    condition: Annotated[FieldMark, FLAT]
    lift: bool = False


@dataclass(frozen=True, slots=True)
class Reinforce:
    """An army joins a side between rounds: a new command test is due (GM)."""

    army: Host
    side: int


@dataclass(frozen=True, slots=True)
class Override:
    """The GM sets a figure, an order, a target or a result (B-41). `subject`: a body's id; "side-<n>" for a score.

    Added to: combat, defense, power, fire-power. Set: losses, force, breaking (%), penalty, score, and `status`
    ("fighting", "routed", "fled", "withdrawn", "annihilated", "surrendered"); `do`, `target` of its order this round.
    """

    subject: str
    field: str
    value: int | str | None
    reason: str


@dataclass(frozen=True, slots=True)
class ShareLosses:
    """Once the battle is over: what each unit of an army bears of what they have lost in a body, in points (B-78).

    `units`: by their number in the army; those that are not named bear what they did.
    """

    army: ArmyId
    body: Annotated[Slug, InApi("its `id`")]
    units: Annotated[Mapping[UnitNumber, Points], Each(UNITS_MOST, 1), InApi("points by the number of the unit")]


@dataclass(frozen=True, slots=True)
class End:
    """End the battle now (GM). `winner`: the index of a side that carried the day."""

    reason: Annotated[str, Text(REASON_MOST)]
    winner: SideNumber | None = None


type Command = (
    GiveOrder | Next | Resolve | ChangeCondition | Reinforce | Override | ShareLosses | End | CloseBattle | ThrowAnew
)
