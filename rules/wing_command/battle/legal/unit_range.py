"""Range of a picked unit: hexes with their costs, the ways to them, and a path laid by hand."""

from __future__ import annotations

from typing import NamedTuple

from rules.core.text import _, say
from rules.hexbattle.board import Threat
from rules.hexbattle.choosing import LaidWay, lay
from rules.hexbattle.ground import apart
from rules.hexbattle.moving import Mover, Way, route
from rules.hexbattle.threats import threats
from rules.hexbattle.tokens import Token
from rules.wing_command.battle.acting import going_on
from rules.wing_command.battle.combat import Setting, sum_of, why_not_strike
from rules.wing_command.battle.legal.pieces import pieces, throw
from rules.wing_command.battle.legal.selection import PickedAct
from rules.wing_command.battle.movement import Pace, in_posture, lands_on, mover_of, pace_of, reach_of, why_it_stays
from rules.wing_command.battle.record.state import ROUTED, HostState
from rules.wing_command.battle.situation import enemies, halting
from rules.wing_command.spec import MELEE, MISSILE


class Range(NamedTuple):
    """Where a unit can go: hexes with their cost, second effort apart. `laid`: the path laid by hand."""

    now: HostState
    pace: Pace
    steps: dict[str, int]
    effort: dict[str, int]
    laid: LaidWay | None = None


def range_of(state: HostState, unit: str, posture: str = "") -> Range:
    """Every hex where a unit can end its move, in a posture; what its order demands isn't considered."""
    going = going_on(state, unit)
    now = in_posture(state, unit, posture)
    at = state.token(unit).at
    if state.units[unit].must_land:
        pace = pace_of(state, unit)
        return Range(state, pace, lands_on(state, unit, pace.points), {})
    pace = pace_of(now, unit) if going is None else Pace(going.left, going.left)
    if why_it_stays(now, unit) or (going is not None and at in halting(now, now.side_of(unit))):
        return Range(now, pace, {at: 0}, {})
    steps = reach_of(now, unit, pace.points)
    if going is not None or pace.more == pace.points:
        return Range(now, pace, steps, {})
    near = halting(now, now.side_of(unit))
    further = reach_of(now, unit, pace.more)
    effort = {one: cost for one, cost in further.items() if one not in steps and one not in near}
    return Range(now, pace, steps, effort)


def laid_range(where: Range, unit: str, picked: PickedAct) -> tuple[Range, PickedAct]:
    """The range and picks of a unit whose path is laid by hand (HX-3.3): it can only end where the path does."""
    now, start, hexes = where.now, where.now.token(unit).at, {**where.steps, **where.effort}
    if not hexes.keys() - {start}:
        return where, picked._replace(way=None)
    most, usual = where.pace.more if where.effort else where.pace.points, where.pace.points
    near = halting(now, now.side_of(unit))
    laid = lay(now.field.ground, (mover_of(now, unit, most),), start, picked.way or ())
    steps = {at: cost for at, cost in laid.steps.items() if cost <= usual or at not in near}
    laid, end, cost = laid._replace(steps=steps), laid.way.end, laid.way.cost
    ends = {end: cost} if end in hexes and (cost <= usual or end not in near) else {}
    tired = cost > usual
    where = where._replace(steps={} if tired else ends, effort=ends if tired else {}, laid=laid)
    stays = picked.hex if picked.hex == start else ""
    return where, picked._replace(way=laid.hexes, hex=end if laid.hexes else stays)


def way_in(where: Range, unit: str, at: str) -> Way | None:
    """The way to a hex in the range, the one laid by hand if it ends there; None if there is none."""
    if where.laid and at == where.laid.way.end:
        return where.laid.way
    points = where.pace.more if at in where.effort else where.pace.points
    if at not in where.steps and at not in where.effort:
        return None
    start = where.now.token(unit).at
    return (
        Way((start,), (0,))
        if at == start
        else route(where.now.field.ground, mover_of(where.now, unit, points), start, at)
    )


# Threats to a unit: what visible enemies could do to it before it acts again


def threats_to(state: HostState, unit: str, at: str) -> tuple[Threat, ...]:
    """The worst attack of each enemy on a unit placed on a hex."""
    if not at:
        return ()
    there = state if state.token(unit).at == at else state.but(field=state.field.put(unit, at=at))
    near = [foe for foe in enemies(state, state.side_of(unit)) if _near(there, foe, at)]

    def mover(foe: Token) -> Mover | None:
        return None if why_it_stays(there, foe.id) else mover_of(there, foe.id, pace_of(there, foe.id).points)

    def blow(foe: Token, source: str) -> Threat | None:
        return _blow(there, foe, source, unit)

    return threats(there.field, near, mover, blow)


def _near(state: HostState, foe: Token, at: str) -> bool:
    """Whether an enemy could get near enough at all."""
    own = state.units[foe.id]
    return own.morale != ROUTED and apart(foe.at, at) <= pace_of(state, foe.id).points + max(1, own.own.range)


def _blow(state: HostState, foe: Token, source: str, unit: str) -> Threat | None:
    token, far = state.token(unit), apart(source, state.token(unit).at)
    if not 0 < far <= max(1, state.units[foe.id].own.range):
        return None
    for how in (MELEE, MISSILE):
        if (how == MISSILE or far == 1) and why_not_strike(state, foe.id, token, how, source) is None:
            total = sum_of(state, foe.id, unit, how, Setting(source)).total
            note = say(_("from {hex}"), hex=source)
            return Threat(foe.id, state.name_in_side(foe.id), note, throw(total), pieces(how, total))
    return None
