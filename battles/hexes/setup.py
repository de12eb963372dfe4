"""Setup on a board: what the confirming button does while sides place their units."""

from __future__ import annotations

from rules.core.text import Said, _, by_number, say
from rules.hexbattle.board import BoardLegal, Confirm
from rules.hexbattle.field import Field
from rules.hexbattle.setup import SetReady, Start
from rules.hexbattle.tokens import Token, by_name, commands
from rules.law import Viewer

READY_ONCE = by_number("Ready after {count} more placement", "Ready after {count} more placements")
BEGIN_ONCE = by_number("Begin after {count} more placement", "Begin after {count} more placements")


def confirm_of(field: Field, viewer: Viewer, legal: BoardLegal, *, begins: bool = True) -> Confirm | None:
    """The button of setup: a player declares their side ready or undoes that; the GM begins the battle.

    `begins`: whether this button begins it, not another one.
    """
    if field.started or field.ended is not None:
        return None
    if "start" in legal.commands:
        return _begins(field) if begins else None
    sides = sorted({side for army, side in field.armies.items() if viewer.commands(army)})
    if not sides or "ready" not in legal.commands:
        return None
    side = next((one for one in sides if one not in field.ready), sides[0])
    if side in field.ready:
        return Confirm(SetReady(side, on=False), _("Your side is ready"), _("Place units again"))
    units = list(field.of_side(side))
    waiting = _waiting(units)
    why_not = say(READY_ONCE, count=waiting) if waiting else None
    return Confirm(SetReady(side), _placed(units), _("Ready"), why_not=why_not)


def next_to_place(field: object, viewer: Viewer) -> str:
    """The unit picked automatically: the viewer's first without a place; "" if there is none."""
    if not isinstance(field, Field) or field.started or field.ended is not None:
        return ""
    own = by_name(unit for unit in field.tokens.values() if unit.waiting and commands(viewer, unit))
    return next((unit.id for unit in own if unit.side not in field.ready), "")


def _begins(field: Field) -> Confirm:
    units = [unit for side in (0, 1) for unit in field.of_side(side)]
    waiting = _waiting(units)
    why_not = say(BEGIN_ONCE, count=waiting) if waiting else None
    return Confirm(Start(), _placed(units), _("Begin the battle"), why_not=why_not)


def _waiting(units: list[Token]) -> int:
    return sum(unit.waiting for unit in units)


def _placed(units: list[Token]) -> Said:
    standing = sum(unit.standing for unit in units)
    return say(_("{placed} of {total} units placed"), placed=standing, total=standing + _waiting(units))
