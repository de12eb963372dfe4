"""Names for a battle's statuses, states, phases and bodies."""

from __future__ import annotations

from collections.abc import Mapping

from rules.breaking_point.battle.state.battle_state import (
    AFTERMATH,
    ANNIHILATED,
    BATTERED,
    CLOSED,
    COMMAND,
    DECIMATED,
    ENGAGED,
    FIGHTING,
    FLED,
    FRESH,
    RESERVE,
    ROUND,
    ROUTED,
    SETUP,
    SURRENDERED,
    UNIT,
    WAITING,
    WITHDRAWN,
    BattleNow,
    Body,
)
from rules.core.text import Said, Term, _, say

STATUS_WORDS: Mapping[str, Term] = {
    FIGHTING: _("fighting"),
    WAITING: _("in reserve"),
    ROUTED: _("routed"),
    WITHDRAWN: _("withdrew"),
    FLED: _("fled"),
    ANNIHILATED: _("annihilated"),
    SURRENDERED: _("surrendered"),
}
STATE_WORDS: Mapping[str, Term] = {
    FRESH: _("fresh"),
    ENGAGED: _("engaged"),
    BATTERED: _("battered"),
    DECIMATED: _("decimated"),
    ANNIHILATED: _("annihilated"),
}
PHASE_NAMES: Mapping[str, Term] = {
    SETUP: _("Setup"),
    COMMAND: _("Command test"),
    ROUND: _("Round {number}"),
    AFTERMATH: _("Aftermath"),
    CLOSED: _("Aftermath"),
}
GROUPS: Mapping[str, Term] = {
    "contact": _("{army}, contact group"),
    "shooting": _("{army}, shooting group"),
    "garrison": _("{army}, garrison"),
    "reserve-contact": _("{army}, reserve (contact)"),
    "reserve-shooting": _("{army}, reserve (shooting)"),
    "reserve-garrison": _("{army}, reserve"),
    RESERVE: _("{army}, reserve"),
}
WHY_NOT: Mapping[str, Term] = {
    "covered": _("{body}: covered. You can’t attack at contact while other troops stand in front."),
    "range": _("{body}: covered and out of range."),
    "support": _("{body} can’t be attacked: orbital or air support."),
}
"""Refusals of a target."""


def phase_label(kind: str, number: int) -> Said:
    return say(PHASE_NAMES[kind], number=number) if kind == ROUND else PHASE_NAMES[kind]


def body_name(battle: BattleNow, body: Body) -> Said:
    """Return a body's name: an army's only body has the army's name, in a fleet the unit's."""
    army = battle.armies[body.army]
    if body.formation.kind == UNIT:
        return say(_("{unit}"), unit=army.units[body.formation.members[0].unit].name)
    if len(battle.of_army(body.army)) == 1 and not body.formation.reserve:
        return say(_("{army}"), army=army.name)
    return say(GROUPS[body.key], army=army.name)


def name_of(battle: BattleNow, body_id: str) -> Said:
    """Return the name of a body or an army."""
    body = battle.bodies.get(body_id)
    if body is not None:
        return body_name(battle, body)
    army = battle.armies.get(body_id)
    return say(_("{army}"), army=army.name) if army is not None else say(_("{unit}"), unit=body_id)


def side_name(battle: BattleNow, side: int) -> str:
    return battle.sides[side].name
