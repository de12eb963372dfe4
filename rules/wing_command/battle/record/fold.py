"""Fold of a battle's events: how each changes the state. It never validates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.hexbattle import common
from rules.hexbattle.ending import effect_in, with_turns
from rules.hexbattle.ground import apart
from rules.hexbattle.seeing import own_side
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.entering import army_names_of, formed, tokens_of, units_of
from rules.wing_command.battle.record.mires import mired_again
from rules.wing_command.battle.record.state import (
    COMMAND,
    INITIATIVE,
    ROUTED,
    SHAKEN,
    Aiming,
    Distribution,
    HostState,
    Unit,
)
from rules.wing_command.figures import set_figures
from rules.wing_command.spec import INFILTRATING, MELEE, RETREAT


def after(state: HostState, event: Any) -> HostState:
    """The state after one event."""
    handler = APPLY.get(type(event))
    if handler is not None:
        return handler(state, event)
    field = common.after(state.field, event)
    if field is not state.field:
        state = state.but(field=field)
    more = AFTER_COMMON.get(type(event))
    return more(state, event) if more else state


# Wings entering the battle


def _joined(state: HostState, event: e.WingJoined) -> HostState:
    wing, salt = event.army, state.opening.salt
    field = state.field
    for token in tokens_of(wing, salt):
        field = common.after(field, common.Arrived(token, own_side(token) if token.hidden else common.ALL))
    units = {**state.units, **units_of(wing, salt)}
    wings = {**state.wings, wing.id: formed(wing, salt)}
    field = field.but(army_names=army_names_of(state.opening, wings))
    return state.but(field=field, units=units, wings=wings)


# Setup


def _option(state: HostState, event: e.OptionSet) -> HostState:
    value: Any = event.value
    return state.but(options=state.options._replace(**{event.name: value}))


def _named(state: HostState, event: e.ArmyLeaderNamed) -> HostState:
    return state.but(leaders=tuple(event.unit if side == event.side else own for side, own in enumerate(state.leaders)))


def _posture(state: HostState, event: e.PostureTaken) -> HostState:
    hidden = event.posture == INFILTRATING
    field = state.field
    if event.unit in field.tokens and field.tokens[event.unit].hidden != hidden:
        field = field.put(event.unit, hidden=hidden)
    seen = tuple(side for side, saw in enumerate(event.seen) if saw)
    return state.but(field=field.knowing(event.unit, seen)).with_unit(event.unit, posture=event.posture)


# Command


def _initiative(state: HostState, event: e.InitiativeRolled) -> HostState:
    return state.but(first=event.first, side=event.first)


def _phase(state: HostState, event: e.PhaseBegan) -> HostState:
    passed = frozenset[int]() if event.phase == COMMAND else state.passed
    return state.but(phase=event.phase, side=event.side, wing="", going=None, passed=passed)


def _points(state: HostState, event: e.PointsRolled) -> HostState:
    now = state.with_unit(event.character, activated=True)
    return now.but(distribution=Distribution(event.character, event.points))


def _ordered(state: HostState, event: e.SpecialOrderGiven) -> HostState:
    now = state.with_unit(event.unit, special=True, freed=True)
    open_ = now.distribution
    return now.but(distribution=open_._replace(points=open_.points - event.cost)) if open_ else now


def _undistributed(state: HostState, event: e.DistributionEnded) -> HostState:
    return state.but(distribution=None)


def _tested(state: HostState, event: e.CommandTested) -> HostState:
    """A special order spent as a licence doesn't free its character in the action phase (W-4)."""
    freed = state.units[event.character].freed and not event.licence if event.character in state.units else False
    return state.with_unit(event.character, activated=True, freed=freed)


def _taken(state: HostState, event: e.CommandTaken) -> HostState:
    """A character who takes command of another wing becomes its last member (W-61)."""
    unit = state.units[event.character]
    now = state
    if unit.wing != event.wing:
        rest = tuple(one for one in state.wings[unit.wing].members if one != event.character)
        now = now.with_wing(unit.wing, members=rest)
        now = now.with_wing(event.wing, members=(*now.wings[event.wing].members, event.character))
    return now.with_unit(event.character, wing=event.wing).with_wing(event.wing, leader=event.character)


def _chosen(state: HostState, event: e.SpellChosen) -> HostState:
    return state.with_unit(event.character, spell=event.spell, activated=True)


def _tried(state: HostState, event: e.SpellTried) -> HostState:
    now = state.with_unit(event.character, activated=True)
    return now.but(aiming=Aiming(event.character, event.spell)) if event.success else now


def _cast(state: HostState, event: e.SpellCast) -> HostState:
    return state.with_unit(event.character, spell="").but(aiming=None)


def _passed(state: HostState, event: e.SidePassed) -> HostState:
    return state.but(passed=state.passed | {event.side}, side=1 - event.side)


# Action


def _wing_taken(state: HostState, event: e.WingTaken) -> HostState:
    return state.but(wing=event.wing, going=None)


def _wing_done(state: HostState, event: e.WingDone) -> HostState:
    now = state.with_wing(event.wing, done=True)
    if event.skipped:
        return now
    return now.but(wing="", going=None, side=1 - state.wings[event.wing].side)


def _acted(state: HostState, event: e.Acted) -> HostState:
    done = event.going is None or event.going.done
    return state.with_unit(event.unit, acted=done).but(going=event.going)


def _attacked(state: HostState, event: e.Attacked) -> HostState:
    attacker, target = state.units[event.attacker], state.units[event.target]
    fields: list[dict[str, Any]] = [{"stirred": True}, {"stirred": True}]
    if event.how == MELEE:
        fields[0]["foes"] = attacker.foes | {event.target}
        fields[1]["foes"] = target.foes | {event.attacker}
    now = state.but(blow=None, last=_line(state, event.attacker, event.target))
    for rider in event.carried:
        now = now.with_unit(rider, charged=True)
    return now.with_unit(event.attacker, **fields[0]).with_unit(event.target, **fields[1])


def _duel(state: HostState, event: e.DuelFought) -> HostState:
    now = state.but(blow=None, last=_line(state, event.attacker, event.target))
    now = now.with_unit(event.attacker, stirred=True, acted=True, activated=True)
    return now.with_unit(event.target, stirred=True)


def _line(state: HostState, one: str, other: str) -> tuple[str, str] | None:
    tokens = state.field.tokens
    return (tokens[one].at, tokens[other].at) if one in tokens and other in tokens else state.last


def _asked(state: HostState, event: e.BlowAsked) -> HostState:
    return state.but(blow=event.blow)


def _thrown_back(state: HostState, event: e.Recoiled) -> HostState:
    return _moved_to(state, event.unit, event.path[-1], event.seen)


def _followed(state: HostState, event: e.FollowedUp) -> HostState:
    return _moved_to(state, event.unit, event.path[-1], event.seen, moved=True, stirred=True)


def _fled(state: HostState, event: e.Fled) -> HostState:
    if len(event.path) == 1:
        return state
    return _moved_to(state, event.unit, event.path[-1], event.seen, moved=True, stirred=True)


def _moved_to(state: HostState, unit: str, at: str, seen: tuple[bool, ...], **fields: Any) -> HostState:
    known = state.field.put(unit, at=at).knowing(unit, (side for side, saw in enumerate(seen) if saw))
    now = state.but(field=known)
    return _apart_now(now.with_unit(unit, **fields) if fields else now, unit)


def _apart_now(state: HostState, unit: str) -> HostState:
    """End engagements with units that are no longer adjacent (W-11)."""
    own = state.units.get(unit)
    if own is None or not own.foes:
        return state
    tokens, at = state.field.tokens, state.field.tokens[unit].at
    left = {foe for foe in own.foes if foe not in tokens or not (at and apart_by(tokens[foe].at, at) == 1)}
    for foe in left:
        if foe in state.units:
            state = state.with_unit(foe, foes=state.units[foe].foes - {unit})
    return state.with_unit(unit, foes=own.foes - left) if left else state


def apart_by(one: str, other: str) -> int:
    """The distance of two hexes; very large if one of them is ""."""
    return apart(one, other) if one and other else 1 << 10


def _shaken(state: HostState, event: e.Shaken) -> HostState:
    return state.with_unit(event.unit, morale=SHAKEN)


def _routed(state: HostState, event: e.Routed) -> HostState:
    return state.with_unit(event.unit, morale=ROUTED)


def _steadied(state: HostState, event: e.Steadied) -> HostState:
    return state.with_unit(event.unit, morale=event.morale)


def _fate(state: HostState, event: e.FateDecided) -> HostState:
    return _moved_to(state, event.unit, event.at, event.seen) if event.at else state


def _rallied(state: HostState, event: e.Rallied) -> HostState:
    return state.with_unit(event.unit, morale=event.morale, tested=True)


def _tired(state: HostState, event: e.Tired | e.Rested) -> HostState:
    return state.with_unit(event.unit, fatigue=event.fatigue)


# Wings


def _lowered(state: HostState, event: e.MoraleLowered) -> HostState:
    return state.with_wing(event.wing, morale=event.morale, shaken=event.shaken)


def _broken(state: HostState, event: e.WingBroken) -> HostState:
    return state.with_wing(event.wing, broken=True, order=RETREAT)


def _marker(state: HostState, event: e.MarkerGone) -> HostState:
    if event.wing:
        return state.with_wing(event.wing, shaken=max(0, state.wings[event.wing].shaken - 1))
    return state.with_unit(event.unit, special=False)


FRESH_TURN: Mapping[str, Any] = {
    "special": False, "freed": False, "activated": False, "moved": False, "stirred": False, "acted": False,
    "tested": False, "charged": False,
}  # fmt: skip


def _turn(state: HostState, event: e.TurnEnded) -> HostState:
    units = {unit: own._replace(**FRESH_TURN) for unit, own in state.units.items()}
    wings = {id_: wing._replace(done=False) for id_, wing in state.wings.items()}
    return state.but(
        units=units, wings=wings, turn=event.turn + 1, phase=INITIATIVE, wing="", going=None,
        passed=frozenset(), distribution=None, aiming=None,
    )  # fmt: skip


# The GM


def _overridden(state: HostState, event: e.Overridden) -> HostState:
    value: Any = event.value
    if effect_in(event.field):
        timers = with_turns(state.field.timers, event.what, effect_in(event.field), value)
        return state.but(field=state.field.timed(timers)) if value else state
    if event.what in state.wings:
        return state.with_wing(event.what, **{event.field: value})
    if event.field == "at":
        return _moved_to(state, event.what, value, event.seen)
    if event.field == "special":
        return state.with_unit(event.what, special=value, freed=value)
    if event.field == "spell":
        return state.with_unit(event.what, spell=value or "")
    if event.field in Unit._fields:
        return state.with_unit(event.what, **{event.field: value})
    return state.with_unit(event.what, own=set_figures(state.units[event.what].own, {event.field: value}))


# Further consequences of common events


def _moved(state: HostState, event: common.Moved) -> HostState:
    if len(event.path) == 1:
        return state
    seen = all(place == 0 for place in event.seen)
    now = state.but(last=(event.path[0], event.path[-1]) if seen else None)
    return _apart_now(now.with_unit(event.unit, moved=True, stirred=True), event.unit)


def _gone(state: HostState, event: common.Destroyed | common.Withdrawn) -> HostState:
    wing = state.led_by(event.unit)
    now = state.with_wing(wing.id, leader="") if wing else state
    if event.unit in now.leaders:
        now = now.but(leaders=tuple("" if own == event.unit else own for own in now.leaders))
    return now.with_unit(event.unit, special=False, foes=frozenset())


def _painted(state: HostState, event: common.MapChanged) -> HostState:
    field = state.field
    return state.but(field=field.timed(mired_again(field.ground, field.timers))) if field.timers else state


AFTER_COMMON: Mapping[type, Callable[[HostState, Any], HostState]] = {
    common.Moved: _moved,
    common.Destroyed: _gone,
    common.Withdrawn: _gone,
    common.MapChanged: _painted,
}

APPLY: Mapping[type, Callable[[HostState, Any], HostState]] = {
    e.OptionSet: _option,
    e.ArmyLeaderNamed: _named,
    e.UnitEdited: lambda state, event: state.with_unit(event.unit, own=event.figures),
    e.OrderSet: lambda state, event: state.with_wing(event.wing, order=event.order),
    e.PostureTaken: _posture,
    e.InitiativeRolled: _initiative,
    e.PhaseBegan: _phase,
    e.PointsRolled: _points,
    e.SpecialOrderGiven: _ordered,
    e.DistributionEnded: _undistributed,
    e.CommandTested: _tested,
    e.OrderChanged: lambda state, event: state.with_wing(event.wing, order=event.order),
    e.CommandTaken: _taken,
    e.Resigned: lambda state, event: state.with_wing(event.wing, leader=""),
    e.SpellChosen: _chosen,
    e.SpellTried: _tried,
    e.SpellCast: _cast,
    e.SidePassed: _passed,
    e.WingTaken: _wing_taken,
    e.WingDone: _wing_done,
    e.Acted: _acted,
    e.BlowAsked: _asked,
    e.Attacked: _attacked,
    e.DuelFought: _duel,
    e.Recoiled: _thrown_back,
    e.FollowedUp: _followed,
    e.Shaken: _shaken,
    e.Routed: _routed,
    e.Steadied: _steadied,
    e.FateDecided: _fate,
    e.Fled: _fled,
    e.Rallied: _rallied,
    e.Tired: _tired,
    e.Rested: _tired,
    e.WingTested: lambda state, event: state,
    e.MoraleLowered: _lowered,
    e.WingBroken: _broken,
    e.MarkerGone: _marker,
    e.TurnEnded: _turn,
    e.WingJoined: _joined,
    e.Overridden: _overridden,
}
"""For each event of the law, the function that applies it."""
