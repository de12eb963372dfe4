"""Battles of sieges: what their armies have lost before, and where the end of the battle goes (B-55, B-56, B-60)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from armies.breaking_point.sieges.siege_changes import (
    SiegeBattle,
    armies_of_siege,
    changes_after,
    find_siege_battle,
    fortified_place,
)
from armies.breaking_point.sieges.specs import is_besieged
from core.clean_input import parse_uuid
from kingdom.chronicle.changes import Change
from rules.breaking_point.battle.aftermath.tolls import shares_of
from rules.breaking_point.battle.state.battle_state import ASSAULT, FIELD, BattleNow, FieldMark, Opening
from rules.breaking_point.battle.state.conditions import INVESTED
from rules.breaking_point.losses import army_of_unit
from rules.breaking_point.siege.siege_battles import FoughtBody
from rules.core.errors import demand
from rules.core.text import _


def siege_of(armies: Iterable[str]) -> SiegeBattle | None:
    return find_siege_battle(key for army in armies if (key := parse_uuid(army)))


def add_siege(opening: Opening) -> Opening:
    """The opening with what a siege knows of it. Raises `InvalidInput` for another battle than it waits for."""
    armies = [army for side in opening.sides for army in side.armies]
    found = siege_of(armies)
    if found is None:
        return _without_siege(opening)
    wanted = FIELD if found.place is None else ASSAULT
    stormed = _("The siege of {place} waits for an assault.")
    template = _("The siege of {place} waits for a battle in the open field.") if wanted == FIELD else stormed
    demand(opening.kind == wanted, template, field="/kind", place=found.row.place.name)
    lost = {unit: points for unit, points in found.losses.items() if army_of_unit(unit) in armies}
    kept = tuple(army for army in armies if army in (*found.besiegers, *found.garrison))
    opening = replace(opening, losses=lost, besieged=kept)
    return _assault(opening, found) if wanted == ASSAULT else opening


def _without_siege(opening: Opening) -> Opening:
    """A battle of no siege. A fortified place of the campaign is assaulted by who besieges it."""
    if opening.kind == ASSAULT and opening.place is not None and opening.defender in range(len(opening.sides)):
        inside = [key for army in opening.sides[opening.defender].armies if (key := parse_uuid(army))]
        held = fortified_place(inside, opening.place.name)
        besieged = held is not None and is_besieged(held)
        closed = _("{place} is besieged: begin the assault there, with its siege.")
        template = closed if besieged else _("{place} is not besieged: lay siege to it and begin the assault there.")
        demand(held is None, template, field="/place", place=held.name if held else "")
    return opening


def _assault(opening: Opening, found: SiegeBattle) -> Opening:
    defender = next((i for i, side in enumerate(opening.sides) if set(side.armies) & set(found.garrison)), None)
    demand(defender is not None, _("The garrison is not in this battle."), field="/sides")
    marks = [mark for mark in opening.conditions if mark.kind != INVESTED]
    shut_in = [FieldMark(INVESTED)] if found.invested else []
    return replace(opening, place=found.place, defender=defender or 0, conditions=(*marks, *shut_in))


def changes_of_siege(found: SiegeBattle, state: BattleNow, figures: Mapping[str, Mapping[str, Any]]) -> list[Change]:
    """What the end of the battle does to its siege. `figures`: what it gives to armies of the siege, by id."""
    bodies = [
        FoughtBody(
            tuple((member.army, member.unit) for member in body.formation.members),
            body.factor,
            body.brought,
            body.losses,
            body.status,
            {(one.army, one.unit): one.points for one in shares_of(state, body)} if body.shares else {},
        )
        for body in state.bodies.values()
    ]
    return changes_after(found.row, bodies, figures)


def list_kept_armies(found: SiegeBattle | None) -> frozenset[str]:
    """Armies whose losses the siege keeps."""
    return armies_of_siege(found.row) if found else frozenset()
