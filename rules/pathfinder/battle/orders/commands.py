"""Commands of a battle beside those of every law, and bounds of the GM's overrides (PF-3.12)."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass

from rules.core.content import SWITCHED_OFF
from rules.core.dice import Roll, TypedDie
from rules.core.errors import InvalidInput, demand
from rules.core.text import Said, _, say
from rules.law import Viewer
from rules.pathfinder.battle.orders.options import target_refusal
from rules.pathfinder.battle.state.battle_state import (
    CAPTURED,
    DEFEATED,
    FIGHTING,
    ROUTED,
    WITHDRAWN,
    ArmyInBattle,
    BattleState,
    Order,
    SetCondition,
)
from rules.pathfinder.catalogue.conditions import MARKS
from rules.pathfinder.documents import MOST_VALUE
from rules.pathfinder.spec import ArmySpec


@dataclass(frozen=True, slots=True)
class GiveOrder:
    order: Order


@dataclass(frozen=True, slots=True)
class Resolve:
    """Resolve the tactics, ranged or melee phase. Typed dice are sent beside the command."""


@dataclass(frozen=True, slots=True)
class Next:
    """End the set-up (`kind` None), or turn the coming melee phase into a ranged one ("ranged")."""

    kind: str | None = None


@dataclass(frozen=True, slots=True)
class ChangeCondition:
    """Set a condition, replacing the same one of the same armies, or `lift` it (GM)."""

    condition: SetCondition
    lift: bool = False


@dataclass(frozen=True, slots=True)
class Reinforce:
    """Add an army between phases (GM)."""

    army: ArmySpec
    side: int


@dataclass(frozen=True, slots=True)
class Override:
    """Set a figure, a mark or a result by hand (GM, PF-3.12).

    `field` is one of hp, morale, om, dv, status, tactic, strategy, target, mark, ability, engines, invincible. `value`
    is a number or slug. For mark and ability "+slug" adds and "-slug" removes. For om and dv it is added. For
    invincible "+army" names the enemy whose attacks have no effect, and "-army" revokes that.
    """

    army: str
    field: str
    value: int | str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Interrupt:
    """Interrupt the battle (GM). The next stretch is a battle of its own (PF-3.2)."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class End:
    """End the battle now (GM). `winner` is the winning side's index, or None."""

    reason: str
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class Close:
    """Close the battle: its aftermath is confirmed, or there is nothing to apply."""


@dataclass(frozen=True, slots=True)
class Reopen:
    """Reopen the battle: its aftermath is undone."""


@dataclass(frozen=True, slots=True)
class RollAnew:
    """Roll the dice of the aftermath again (GM, R-69). `dice` are the rolls as they lay."""

    dice: tuple[Roll, ...]


type OfTheGM = Resolve | Next | ChangeCondition | Reinforce | Override | Interrupt | End | Close | Reopen | RollAnew
type Command = (
    GiveOrder | Resolve | Next | ChangeCondition | Reinforce | Override | Interrupt | End | Close | Reopen | RollAnew
)


__all__ = [
    "ChangeCondition", "Close", "Command", "End", "GiveOrder", "Interrupt", "Next", "OfTheGM", "Override", "Reinforce",
    "Reopen", "Resolve", "RollAnew", "TypedDie", "Viewer",
]  # fmt: skip


# Bounds of the GM's overrides (PF-3.12).


STATUSES = (FIGHTING, WITHDRAWN, ROUTED, DEFEATED, CAPTURED)


def check_override(battle: BattleState, command: Override) -> None:
    """Check an override. Raises `InvalidInput` for an unknown army or field, a value out of range,
    or a missing reason.
    """
    demand(command.army in battle.armies, _("This army isn’t in this battle."), field="/army")
    demand(command.field in CHECKS, _("Choose one of: {choices}."), field="/field", choices=", ".join(CHECKS))
    demand(command.reason.strip(), _("Enter a reason: the log keeps it."), field="/reason")
    said = CHECKS[command.field](battle, battle.armies[command.army], command.value)
    if said is not None:
        raise InvalidInput(said, "/value")


def _whole(low: int, high: int, value: object) -> Said | None:
    fits = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
    return None if fits else say(_("Enter a whole number from {low} to {high}."), low=low, high=high)


def _one_of(choices: tuple[str, ...], value: object) -> Said | None:
    return None if value in choices else say(_("Choose one of: {choices}."), choices=", ".join(choices))


def _engines(battle: BattleState, value: object) -> Said | None:
    item = battle.law.resources["siege-engines"]
    return say(SWITCHED_OFF, item=item.name) if item.off else _whole(0, 99, value)


def _target(battle: BattleState, army: ArmyInBattle, value: object) -> Said | None:
    return None if value is None else target_refusal(battle, army, str(value))


def _signed(choices: Container[str], value: object) -> Said | None:
    """Check "+slug" (add) or "-slug" (remove)."""
    text = str(value)
    fits = text[:1] in ("+", "-") and text[1:] in choices
    return None if fits else _("Enter + or − and a slug, such as “+afraid” or “-rage”.")


def _ability(battle: BattleState, value: object) -> Said | None:
    """Check an ability, which may carry a value: "+fast-healing 4"."""
    slug, space, number = str(value).partition(" ")
    numbered = number.isascii() and number.isdigit() and len(number) < 3 and 1 <= int(number) <= MOST_VALUE
    return _signed(battle.law.abilities, slug if numbered or not space else value)


def _mark(value: object) -> Said | None:
    said = _signed(MARKS, value)
    if said is None and str(value) == "+invincible":
        return _("Use “invincible” and choose the enemy.")
    if said is None and str(value)[0] == "+" and not MARKS[str(value)[1:]].by_hand:
        return say(
            _("“{mark}” comes from an order: you can remove it but not add it."), mark=MARKS[str(value)[1:]].name
        )
    return said


def _invincible(battle: BattleState, army: ArmyInBattle, value: object) -> Said | None:
    """Check "+army" (this enemy's attacks have no effect) or "-army" (they have again) (R-90)."""
    sign, foe = str(value)[:1], battle.armies.get(str(value)[1:])
    if sign not in ("+", "-") or foe is None or foe.side == army.side:
        return _("Enter + or − and an enemy army.")
    if sign == "-" and not army.invincible_to(foe.id):
        return say(_("{army}: not invincible against {target}."), army=army.name, target=foe.name)
    return None


type OverrideCheck = Callable[[BattleState, ArmyInBattle, object], Said | None]
CHECKS: dict[str, OverrideCheck] = {
    "hp": lambda battle, army, value: _whole(0, army.hp_max, value),
    "morale": lambda battle, army, value: _whole(-4, 4, value),
    "om": lambda battle, army, value: _whole(-50, 50, value),
    "dv": lambda battle, army, value: _whole(-50, 50, value),
    "engines": lambda battle, army, value: _engines(battle, value),
    "status": lambda battle, army, value: _one_of(STATUSES, value),
    "tactic": lambda battle, army, value: _one_of(tuple(battle.law.tactics), value),
    "strategy": lambda battle, army, value: _one_of(tuple(battle.law.strategies), value),
    "target": _target,
    "mark": lambda battle, army, value: _mark(value),
    "ability": lambda battle, army, value: _ability(battle, value),
    "invincible": _invincible,
}
