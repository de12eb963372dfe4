"""Queries on the state of a battle: sight, engagement, orders in force, neighbours."""

from __future__ import annotations

from collections.abc import Iterator

from rules.core.frozen_copy import remembered
from rules.hexbattle import seeing
from rules.hexbattle.field import Field, Token
from rules.hexbattle.ground import apart
from rules.wing_command.battle.record.state import FIT, ROUTED, HostState

SEES_HIDDEN_WITHIN = 2


# Sight of a side (W-52)


@remembered
def unseen_in(field: Field, side: int) -> frozenset[str]:
    """The ids of the enemies a side doesn't see on a field."""
    return seeing.unseen(field, side, within=SEES_HIDDEN_WITHIN)


@remembered
def enemies_in(field: Field, side: int) -> tuple[Token, ...]:
    """The enemies on the map that a side sees on a field."""
    return field.enemies(side, unseen=unseen_in(field, side))


@remembered
def _enemy_hexes_in(field: Field, side: int) -> frozenset[str]:
    return field.hexes(enemies_in(field, side))


@remembered
def _friends_in(field: Field, side: int) -> tuple[Token, ...]:
    return tuple(token for token in field.of_side(side) if token.standing)


def unseen(state: HostState, side: int) -> frozenset[str]:
    """The ids of the enemies a side doesn't see now."""
    return unseen_in(state.field, side)


def enemies(state: HostState, side: int) -> tuple[Token, ...]:
    """The enemies on the map that a side sees."""
    return enemies_in(state.field, side)


def enemy_hexes(state: HostState, side: int) -> frozenset[str]:
    """The hexes of the enemies that a side sees."""
    return _enemy_hexes_in(state.field, side)


def friends(state: HostState, side: int) -> tuple[Token, ...]:
    """A side's own units on the map."""
    return _friends_in(state.field, side)


@remembered
def halting(state: HostState, side: int) -> frozenset[str]:
    """Hexes next to a visible enemy that is neither routed nor in high flight (W-42)."""
    return state.field.ground.beside(foe.at for foe in enemies(state, side) if holds_ground(state, foe.id))


def stops_beside(state: HostState, unit: str) -> frozenset[str]:
    """Hexes next to enemies where a unit's move ends: none in high flight (W-42)."""
    return frozenset[str]() if state.units[unit].high else halting(state, state.side_of(unit))


def holds_ground(state: HostState, unit: str) -> bool:
    """Whether units that come beside this one must stop: it is neither routed nor in high flight."""
    own = state.units[unit]
    return own.morale != ROUTED and not own.high


def beside(state: HostState, at: str, side: int) -> tuple[Token, ...]:
    """The visible enemies next to a hex, in any state."""
    near = frozenset(state.field.ground.around(at)) if at else frozenset()
    return tuple(token for token in enemies(state, side) if token.at in near)


def unrouted_beside(state: HostState, unit: str) -> bool:
    """Whether a visible, unrouted enemy is next to a unit, which prevents rallying (W-12, W-49)."""
    token = state.token(unit)
    return any(state.units[foe.id].morale != ROUTED for foe in beside(state, token.at, token.side))


# Engagement (WC-1.6)


def foes_of(state: HostState, unit: str, *, at: str = "") -> Iterator[str]:
    """The enemies a unit is engaged with, now or after moving to a hex."""
    token, own = state.field.tokens.get(unit), state.units[unit]
    if not own.foes or token is None or not token.standing or own.morale == ROUTED or own.high:
        return
    for foe in sorted(own.foes):
        other = state.field.tokens.get(foe)
        if other and other.standing and holds_ground(state, foe) and apart(other.at, at or token.at) == 1:
            yield foe


def engaged(state: HostState, unit: str, *, at: str = "") -> bool:
    """Whether a unit is engaged, now or after moving to `at` (WC-1.6)."""
    return next(foes_of(state, unit, at=at), None) is not None


def engaged_alone(state: HostState, unit: str) -> bool:
    """Whether a unit is engaged without a friendly troop in its hex."""
    return engaged(state, unit) and state.field.troop(state.token(unit).at) is None


def with_engaged_unit(state: HostState, character: str) -> bool:
    """Whether a character is stacked with an engaged unit, troop or character (WC-3.2)."""
    at = state.token(character).at
    return bool(at) and any(engaged(state, one.id) for one in state.field.at(at) if one.id != character)


def with_engaged_troop(state: HostState, character: str) -> bool:
    """Whether a character is stacked with an engaged troop (WC-4.2)."""
    at = state.token(character).at
    troop = state.field.troop(at) if at else None
    return troop is not None and engaged(state, troop.id)


def alone(state: HostState, unit: str) -> bool:
    """Whether a unit is alone in its hex."""
    at = state.token(unit).at
    return bool(at) and len(state.field.at(at)) == 1


# Orders


def bound(state: HostState, unit: str) -> bool:
    """Whether a unit's wing order binds it: not with a special order, in reserve, or if a chaotic character (W-44)."""
    own = state.units[unit]
    if own.freed or own.special or not state.token(unit).standing:
        return False
    return not (own.character and own.chaotic)


def order_of(state: HostState, unit: str) -> str:
    """The standing order that binds a unit, "" for none."""
    return state.wing_of(unit).order if bound(state, unit) else ""


def fit_leader(state: HostState, unit: str) -> bool:
    """Whether a unit is a fit wing leader or army leader."""
    return state.units[unit].morale == FIT and (state.is_leader(unit) or state.is_army_leader(unit))


def seen_of(state: HostState, unit: str) -> tuple[bool, ...]:
    """The `seen` of an event of this unit: by side, whether it sees the unit now."""
    return seeing.all_who_see(state.field, unit, lambda _field, side: unseen(state, side))
