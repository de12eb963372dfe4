"""Commands of a battle. A closed union: the type checker finds the missing case."""

from __future__ import annotations

from dataclasses import dataclass

from rules.core.dice import Roll, TypedDie
from rules.law import Viewer
from rules.pathfinder.battle.state.battle_state import Order, SetCondition
from rules.pathfinder.spec import ArmySpec


@dataclass(frozen=True, slots=True)
class GiveOrder:
    order: Order


@dataclass(frozen=True, slots=True)
class Resolve:
    """Resolve the tactics, ranged or melee phase. Dice travel beside the command."""


@dataclass(frozen=True, slots=True)
class Next:
    """End the setup (kind None), or make the coming melee phase a ranged one (kind "ranged")."""

    kind: str | None = None


@dataclass(frozen=True, slots=True)
class ChangeCondition:
    """Set a condition, replacing the same one for the same armies; `lift` removes it (GM)."""

    condition: SetCondition
    lift: bool = False


@dataclass(frozen=True, slots=True)
class Reinforce:
    """An army joins between phases (GM)."""

    army: ArmySpec
    side: int


@dataclass(frozen=True, slots=True)
class Override:
    """The GM sets a figure, a mark or a result (PF-3.12).

    field: hp, morale, om, dv, status, tactic, strategy, target, mark, ability, engines, invincible.
    value: a number or slug; for mark and ability "+slug" adds and "-slug" removes; om and dv are added to; for
    invincible "+army" names the enemy whose attacks do nothing to it, "-army" takes it back.
    """

    army: str
    field: str
    value: int | str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Interrupt:
    """Break the battle off for a while: the next stretch is a battle of its own (PF-3.2, GM)."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class End:
    """End the battle now (GM). `winner`: a side's index when one carried the day."""

    reason: str
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class Close:
    """Close the battle: its aftermath has been confirmed, or there is none to apply."""


@dataclass(frozen=True, slots=True)
class Reopen:
    """Take back the closing: its aftermath has been undone."""


@dataclass(frozen=True, slots=True)
class RollAnew:
    """The dice of the aftermath, that lay like this, are thrown again (R-69, GM)."""

    dice: tuple[Roll, ...]


type OfTheGM = Resolve | Next | ChangeCondition | Reinforce | Override | Interrupt | End | Close | Reopen | RollAnew
type Command = (
    GiveOrder | Resolve | Next | ChangeCondition | Reinforce | Override | Interrupt | End | Close | Reopen | RollAnew
)


__all__ = [
    "ChangeCondition", "Close", "Command", "End", "GiveOrder", "Interrupt", "Next", "OfTheGM", "Override", "Reinforce",
    "Reopen", "Resolve", "RollAnew", "TypedDie", "Viewer",
]  # fmt: skip
