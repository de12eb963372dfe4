"""Overrides by the GM, within what the engine can go on from (B-41)."""

from __future__ import annotations

from rules.breaking_point.battle.battle_state import FIGHTING, GONE, ROUTED, BattleNow
from rules.breaking_point.battle.commands import Override
from rules.breaking_point.battle.orders.check import DEEDS
from rules.core.errors import demand, require
from rules.core.text import _

NUMBERS = {
    "losses": (0, 10**9), "force": (1, 10**9), "breaking": (0, 1000), "penalty": (-20, 0), "combat": (-50, 50),
    "defense": (-50, 50), "power": (-(10**9), 10**9), "fire-power": (-(10**9), 10**9), "score": (-100, 100),
}  # fmt: skip
STATUSES = (FIGHTING, ROUTED, *GONE)
FIELDS = (*NUMBERS, "status", "do", "target")


def check_override(battle: BattleNow, command: Override) -> None:
    """Raise `InvalidInput` with a pointer for what does not fit."""
    demand(command.field in FIELDS, _("Choose one of: {choices}."), field="/field", choices=", ".join(FIELDS))
    demand(command.reason.strip(), _("Give the reason: everybody will read it."), field="/reason")
    if command.field == "score":
        sides = [f"side-{side}" for side, score in enumerate(battle.scores) if score is not None]
        require(sides, _("No command test has been rolled yet."), field="/field")
        demand(command.subject in sides, _("There is no such side."), field="/subject")
    else:
        demand(command.subject in battle.bodies, _("There is no such body in this battle."), field="/subject")
    _check_value(battle, command)


def _check_value(battle: BattleNow, command: Override) -> None:
    value = command.value
    if command.field in NUMBERS:
        if command.field == "breaking" and value is None:
            return  # it never breaks
        low, high = NUMBERS[command.field]
        whole = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        demand(whole, _("Use a whole number from {low} to {high}."), field="/value", low=low, high=high)
        if command.field == "losses":
            most = 2 * battle.bodies[command.subject].force
            fits = isinstance(value, int) and value <= most
            demand(fits, _("A body can lose {most} at most."), field="/value", most=most)
    elif command.field == "target":
        own = battle.bodies[command.subject]
        foe = battle.bodies.get(str(value))
        demand(value is None or (foe is not None and foe.side != own.side and foe.on_field),
               _("Name an enemy body on the field."), field="/value")  # fmt: skip
    else:
        known = STATUSES if command.field == "status" else DEEDS
        demand(value in known, _("Choose one of: {choices}."), field="/value", choices=", ".join(known))
