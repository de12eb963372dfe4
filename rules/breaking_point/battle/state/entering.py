"""Entry of bodies into a battle, and changes of its field's conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules.breaking_point.battle.state.battle_state import (
    ANNIHILATED,
    ASSAULT,
    DISTANCE_OF,
    FIGHTING,
    SETUP,
    WAITING,
    BattleNow,
    Body,
    FieldMark,
    Formation,
    Opening,
    Phase,
)
from rules.breaking_point.battle.state.carried_losses import is_spent
from rules.breaking_point.battle.state.conditions import CHIEF, CIRCUMSTANCES, CONDITIONS, DISTANCE, RADIO
from rules.breaking_point.spec import House

OF_SIDES: Mapping[str, int | str | bool] = {CIRCUMSTANCES: 0, RADIO: False, CHIEF: ""}
"""Conditions stored with their side, and their defaults."""


def battle_of(opening: Opening, house: House) -> BattleNow:
    """Return the state before the first event. `opening` was checked."""
    battle = BattleNow(
        opening,
        house,
        Phase(SETUP),
        opening.sides,
        {host.id: host for host in opening.armies},
        entered(opening, opening.formations),
        distance=opening.distance or DISTANCE_OF[opening.medium],
    )
    for mark in opening.conditions:
        battle = with_mark(battle, usual(mark))
    return battle


def entered(opening: Opening, formations: Iterable[Formation], came: int = 0) -> dict[str, Body]:
    """Return new bodies, on the field or waiting in reserve."""
    return {formation.id: _entered(opening, formation, came) for formation in formations}


def _entered(opening: Opening, formation: Formation, came: int) -> Body:
    return Body(
        formation,
        formation.force,
        formation.breaking,
        formation.value,
        losses=formation.losses,
        status=ANNIHILATED if is_spent(formation) else WAITING if formation.reserve else FIGHTING,
        came=0 if formation.reserve else came,
        sheltered=opening.kind == ASSAULT and formation.side == opening.defender,
    )


def usual(mark: FieldMark) -> FieldMark:
    """Return the condition with its default value filled in."""
    kind = CONDITIONS[mark.kind]
    return mark._replace(value=kind.usual) if mark.value is None and kind.usual is not None else mark


def with_mark(battle: BattleNow, mark: FieldMark) -> BattleNow:
    """Return the battle with this condition, replacing the same one. Conditions of a side and the distance are stored
    in fields of their own.
    """
    if mark.kind == DISTANCE:
        return battle.changed(distance=str(mark.value))
    if mark.kind in OF_SIDES:
        return _with_side(battle, mark, True if mark.kind == RADIO else mark.value)
    return battle.changed(conditions=(*_others(battle, mark), mark))


def without_mark(battle: BattleNow, mark: FieldMark) -> BattleNow:
    """Return the battle without this condition. Conditions of a side and the distance return to their defaults."""
    if mark.kind == DISTANCE:
        return battle.changed(distance=DISTANCE_OF[battle.opening.medium])
    if mark.kind in OF_SIDES:
        return _with_side(battle, mark, OF_SIDES[mark.kind])
    return battle.changed(conditions=_others(battle, mark))


def _with_side(battle: BattleNow, mark: FieldMark, value: Any) -> BattleNow:
    sides = list(battle.sides)
    sides[mark.side or 0] = sides[mark.side or 0]._replace(**{mark.kind: value})
    return battle.changed(sides=tuple(sides))


def _others(battle: BattleNow, mark: FieldMark) -> tuple[FieldMark, ...]:
    same = (mark.kind, mark.side, mark.body)
    return tuple(held for held in battle.conditions if (held.kind, held.side, held.body) != same)
