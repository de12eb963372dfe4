"""Commands of a battle, beside those of every law (`rules.law.Settling`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.breaking_point.battle.battle_state import FieldMark, Order
from rules.breaking_point.spec import Host
from rules.law import CloseBattle, ThrowAnew


@dataclass(frozen=True, slots=True)
class GiveOrder:
    """An army's order for the round (B-22). Before the command test: its withdrawal, if it is its side's chief's, and
    its standing answers.
    """

    order: Order


@dataclass(frozen=True, slots=True)
class Next:
    """The setup is over: withdrawals may be declared (GM)."""


@dataclass(frozen=True, slots=True)
class Resolve:
    """The command test, or a round (GM). Dice travel beside the command."""


@dataclass(frozen=True, slots=True)
class ChangeCondition:
    """Set what holds for the field, a side or a body, in the place of the same; `lift` ends it (GM)."""

    condition: FieldMark
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

    army: str
    body: str
    units: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class End:
    """End the battle now (GM). `winner`: the index of a side that carried the day."""

    reason: str
    winner: int | None = None


type Command = (
    GiveOrder | Next | Resolve | ChangeCondition | Reinforce | Override | ShareLosses | End | CloseBattle | ThrowAnew
)
