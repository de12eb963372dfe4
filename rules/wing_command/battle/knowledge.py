"""Knowledge of a viewer (H-5 … H-7, WC-11 *Secret*): the state they see and the events they are told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.viewers import Viewer
from rules.hexbattle import seeing
from rules.hexbattle.field import SIDES
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import HostState, Unit, Wing
from rules.wing_command.battle.situation import unseen

HIDDEN_ORDER = ""
"""Shown as the enemy's standing order during setup."""


def seen(state: HostState, viewer: Viewer) -> HostState:
    """The part of the state this viewer may know: without unseen units, enemy spells and, in setup, enemy orders."""
    if viewer.gm:
        return state
    field = seeing.seen_by(state.field, viewer, lambda side: unseen(state, side))
    own = seeing.sides_of(state.field, viewer)
    units = {
        unit: figures._replace(spell="") if figures.spell and state.side_of(unit) not in own else figures
        for unit, figures in state.units.items()
        if unit in field.tokens
    }
    aiming, open_ = state.aiming, state.distribution
    if aiming and state.side_of(aiming.character) not in own:
        aiming = aiming._replace(spell="") if aiming.character in units else None
    if open_ and open_.character not in units:
        open_ = None
    going = state.going if state.going and state.going.unit in units else None
    secret = not (field.started or len(state.field.ready) == len(SIDES))
    wings = {
        id_: wing if wing.side in own else _of_enemies(wing, units, state, secret) for id_, wing in state.wings.items()
    }
    return state.but(field=field, units=units, aiming=aiming, distribution=open_, wings=wings, going=going)


def keeps_secrets(state: HostState) -> bool:
    """Whether the sides see different fields once the battle has begun."""
    return any(token.hidden for token in state.field.tokens.values())


def _of_enemies(wing: Wing, units: Mapping[str, Unit], state: HostState, secret: bool) -> Wing:
    """An enemy wing without unseen units, and in setup without its order."""
    if not secret and len(units) == len(state.units):
        return wing
    members = tuple(unit for unit in wing.members if unit in units)
    hidden = sum(not state.units[unit].character for unit in wing.members if unit not in units)
    order = HIDDEN_ORDER if secret else wing.order
    return wing._replace(members=members, troops=wing.troops - hidden, order=order)


def without_secrets(state: HostState, event: Any, viewer: Viewer) -> Any | None:
    """The part of a witnessed event that this viewer may know: no enemy spells, and no postures in setup."""
    own = seeing.sides_of(state.field, viewer)
    match event:
        case e.SpellChosen() if not _owns(state, event.character, own):
            return event._replace(spell="")
        case e.SpellTried() if not _owns(state, event.character, own):
            return event._replace(spell="", lines=(), limit=0)
        case e.SpellCast() if not seeing.saw(event.met, own):
            return event._replace(target="")
        case e.PostureTaken() if not state.field.started and not _owns(state, event.unit, own):
            return None
        case _:
            return event


def _owns(state: HostState, unit: str, own: frozenset[int]) -> bool:
    return seeing.side_of(state.field, unit) in own
