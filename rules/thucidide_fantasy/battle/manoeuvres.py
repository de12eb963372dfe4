"""Manoeuvre orders and their cost in counters (TF-1.13, T-7, T-30, T-87)."""

from __future__ import annotations

from rules.core.errors import demand, require
from rules.core.text import Said, _
from rules.thucidide_fantasy.battle.activation import (
    IS_TURNED,
    MANOEUVRE,
    RECONNAISSANCE,
    leaders,
    why_not_activate,
    why_not_lead,
)
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.commands import GiveOrder
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.run import Run, forbid
from rules.thucidide_fantasy.starter import LEVELS, ORDERS

FORCED_MARCH, WOODSMAN, COURIER, FORWARD, GENERAL_ASSAULT = (
    "forced-march", "woodsman", "courier", "forward", "general-assault",
)  # fmt: skip
OF_UNITS, OF_LEADERS = (FORCED_MARCH, WOODSMAN, COURIER), (MANOEUVRE, FORWARD)
WOODS_MOST = 9
SECOND = _("A side can give one maneuver order per turn.")
TOO_DEAR = _("This order costs {cost} counters; your side has {counters}.")
TOO_LATE = _("Reconnaissance has to come before any activation.")
NO_LEADER = _("A general assault needs a leader who hasn’t activated units.")


def cost_of(kind: str, hexes: int = 1) -> int:
    """The price of an order in counters; `hexes`: for orders priced per hex."""
    order = ORDERS[kind]
    return order.cost * hexes if order.per_hex else order.cost


def why_not_order(state: FantasyState, kind: str) -> Said | None:
    """Why this kind of order can't be given now, whatever its target; None if it can."""
    if state.order:
        return SECOND
    if kind == RECONNAISSANCE and (state.activations or any_activated(state)):
        return TOO_LATE
    if kind == GENERAL_ASSAULT and next(leaders(state, state.side), None) is None:
        return NO_LEADER
    return None


def why_not_for(state: FantasyState, kind: str, piece: str) -> Said | None:
    """Why an order can't be given to this unit or leader; None if it can."""
    if kind == COURIER:
        return why_not_activate(state, piece)
    if kind in OF_UNITS and piece in state.units and state.units[piece].turner:
        return IS_TURNED
    return why_not_lead(state, piece) if kind == MANOEUVRE else None


def any_activated(state: FantasyState) -> bool:
    """Whether any unit or character has been activated this turn."""
    return any(state.doing(piece).activated for piece in (*state.units, *state.people))


def order(run: Run, command: GiveOrder) -> None:
    """Give a manoeuvre order and pay its counters. Raises a refusal if it isn't possible."""
    state, side, kind = run.state, run.state.side, command.kind
    demand(kind in ORDERS, _("Choose one of: {choices}."), field="/kind", choices=", ".join(ORDERS))
    fits = kind != WOODSMAN or 1 <= command.hexes <= WOODS_MOST
    demand(fits, _("Give a whole number from {low} to {high}."), field="/hexes", low=1, high=WOODS_MOST)
    forbid(why_not_order(state, kind), "/kind")
    cost = cost_of(kind, command.hexes if kind == WOODSMAN else 1)
    had = state.counters[side]
    require(had >= cost, TOO_DEAR, field="/kind", cost=cost, counters=had)
    units, leader = _whom(state, command)
    run.emit(e.OrderGiven(side, kind, cost, units, leader, command.hexes if kind == WOODSMAN else len(units)))
    if kind == RECONNAISSANCE and (gain := gain_of(state, side)):
        run.emit(e.CountersChanged(side, gain, RECONNAISSANCE))


def gain_of(state: FantasyState, side: int) -> int:
    """The counters gained by reconnaissance: the general's command level, or 0 if the general is gone (T-30)."""
    general = state.generals[side]
    if not general or not state.standing(general):
        return 0
    return counters_of(state, general)


def counters_of(state: FantasyState, general: str) -> int:
    """The counters that a general's command level gives; the normal level's by default."""
    level = state.people[general].own.level
    return LEVELS[level].counters if level in LEVELS else LEVELS["normal"].counters


def _whom(state: FantasyState, command: GiveOrder) -> tuple[tuple[str, ...], str]:
    """The units an order affects, and the leader it is given to ("" for none). Raises a refusal for a wrong target."""
    kind, unit, leader = command.kind, command.unit, command.leader
    if kind in OF_UNITS:
        token = state.field.tokens.get(unit)
        own = unit in state.units and token is not None and token.side == state.side and token.standing
        demand(own, _("Choose a unit of your side."), field="/unit")
        forbid(why_not_for(state, kind, unit), "/unit")
        return (unit,), ""
    if kind == MANOEUVRE:
        forbid(why_not_for(state, kind, leader), "/leader")
        return (), leader
    if kind == FORWARD:
        demand(
            leader in state.people and state.people[leader].rank, _("Choose a leader of your side."), field="/leader"
        )
        demand(state.side_of(leader) == state.side, _("Choose a leader of your side."), field="/leader")
        return tuple(unit for one in state.activations if one.leader == leader for unit in one.units), leader
    return (), ""
