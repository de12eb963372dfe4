"""Actions of units (WC-9.4, 9.5): posture, move, second effort, attack and leaving the map, in one step.

`planned` checks a command and returns what it would do; `act` does it. Pages and the computer player use the same
`planned`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rules.core.errors import demand, require
from rules.core.text import _
from rules.hexbattle.common import WITHDRAWN, Revealed, Withdrawn
from rules.hexbattle.moving import Mover, Walk, Way, walk, way_of
from rules.wing_command.battle.blows import companions, shake, strike, tire
from rules.wing_command.battle.combat import meets, troop_seen, why_not_strike
from rules.wing_command.battle.demoralisation import break_wings
from rules.wing_command.battle.movement import (
    EXIT_COST,
    Pace,
    can_leave,
    clear_steps,
    holds,
    in_posture,
    lands_on,
    may_charge,
    may_take,
    mover_of,
    pace_of,
    postures_of,
    was_carried,
    why_it_stays,
)
from rules.wing_command.battle.obedience import beside_now, why_disobeys, why_not_by_order
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.commands import UnitAct
from rules.wing_command.battle.record.state import EXHAUSTED, LEFT_NOTHING, ROUTED, Clash, Going, HostState
from rules.wing_command.battle.run import Run, forbid
from rules.wing_command.battle.situation import halting, order_of, stops_beside, unseen
from rules.wing_command.spec import GROUND, HOLD, MELEE

ENGAGED = _("An engaged unit can’t move unless a special order frees it.")
CARRIED = _("This character moved with their troop and can’t move again this turn.")


class Plan(NamedTuple):
    """A checked action. `posture`: the one it takes, "" for no change. `beside`, `clear`: as in `Going`."""

    unit: str
    way: Way
    mover: Mover
    pace: Pace
    posture: str = ""
    blow: Clash | None = None
    beside: tuple[str, ...] = ()
    clear: int = 0
    out: bool = False
    stay: tuple[str, ...] = ()
    leaves: bool = False
    tired: bool = False
    """Whether the unit made a second effort before it met a hidden enemy."""
    lands: bool = False
    falls: bool = False
    """Whether the unit must land and can't, so that it is shaken where it is."""


def going_on(state: HostState, unit: str) -> Going | None:
    """The unfinished action of a unit that met a hidden enemy (H-9); None for other units."""
    going = state.going
    return going if going and going.unit == unit and not going.done else None


def released(state: HostState, unit: str) -> HostState:
    """The state in which a unit acts: units continuing an action or landing aren't bound by orders (W-56)."""
    if going_on(state, unit) is None and not state.units[unit].must_land:
        return state
    return state.with_unit(unit, freed=True)


# Planning


def planned(state: HostState, command: UnitAct) -> Plan:
    """Check an action and return its plan: the effects it would have. Raises a refusal if the unit can't do it."""
    unit = command.unit
    state = released(state, unit)
    require(state.units[unit].morale != ROUTED, _("A routed unit can only rally, by special order."), field="/unit")
    going = going_on(state, unit)
    if state.units[unit].must_land:
        return _landing(state, command)
    _check_posture(state, command, going)
    now = in_posture(state, unit, command.posture)
    pace = pace_of(now, unit) if going is None else Pace(going.left, going.left)
    way, mover = _way(now, command, pace, going)
    _check_end(state, now, command, way)
    start = state.token(unit).at
    clear = clear_steps(now, unit, way) + (going.clear if going else 0)
    beside = going.beside if going else beside_now(state, unit) if start else ()
    out = going.out if going else state.units[unit].infiltrating and now.units[unit].infiltrating
    plan = Plan(unit, way, mover, pace, command.posture, None, beside, clear, out, command.stay, command.exit)
    plan = plan._replace(tired=going is not None and going.effort)
    plan = plan._replace(blow=_blow(now, command, plan, going))
    _check_order(state, command, plan, going)
    return plan


def _check_posture(state: HostState, command: UnitAct, going: Going | None) -> None:
    if not command.posture or command.posture == state.units[command.unit].posture:
        return
    require(going is None, _("A unit that continues its action keeps its posture."), field="/posture")
    allowed = postures_of(state, command.unit)
    require(command.posture in allowed, _("The unit can’t take this posture now."), field="/posture")


def _way(now: HostState, command: UnitAct, pace: Pace, going: Going | None) -> tuple[Way, Mover]:
    """The path, within the move or with a second effort (W-22), and the mover."""
    unit, token = command.unit, now.token(command.unit)
    require(
        not (command.effort and going),
        _("A unit that continues its action can’t make a second effort."),
        field="/effort",
    )
    tired = now.units[unit].fatigue == EXHAUSTED
    require(not (command.effort and tired), _("Exhausted units can’t make a second effort."), field="/effort")
    extra = EXIT_COST if command.exit else 0
    mover = mover_of(now, unit, (pace.more if command.effort else pace.points) - extra)
    require(mover.points >= 0, _("The unit has no points left to leave the map."), field="/exit")
    only_fights = going is not None and token.at in stops_beside(now, unit)
    stays = why_it_stays(now, unit) or only_fights
    moves = bool(command.path or (command.to and command.to != token.at))
    told = CARRIED if was_carried(now, unit) else ENGAGED
    told = _("Next to the enemy this unit can only fight.") if only_fights else told
    require(not (stays and (moves or command.exit)), told)
    if holds(now, unit) and token.at:
        near = (token.at, *now.field.ground.around(token.at))
        steps = len(command.path) <= 1 and (not command.to or command.to in near)
        require(
            steps,
            _("A unit ordered to hold can move at most 1 hex."),
            field="/path" if command.path else "/to",
        )
    way = way_of(now.field.ground, mover, token.at, path=command.path, to=command.to)
    halted = command.exit and len(way.hexes) > 1 and way.end in mover.halts
    require(
        not halted,
        _("This move ends next to an enemy, so the unit can’t leave the map. Choose another path."),
        field="/exit",
    )
    need = way.cost + extra > pace.points
    require(not command.effort or need, _("This path doesn’t need a second effort."), field="/effort")
    require(way.end, _("Enter the hex where the unit enters the map."), field="/path")
    return way, mover


def _check_end(state: HostState, now: HostState, command: UnitAct, way: Way) -> None:
    unit = command.unit
    changes = bool(command.posture) and command.posture != state.units[unit].posture
    ends_well = way.end == state.token(unit).at and not changes
    require(
        ends_well or command.exit or may_take(now, unit, now.units[unit].posture, way.end),
        _("The unit can’t end its move on {hex} in this posture."), field="/to", hex=way.end,
    )  # fmt: skip
    if command.effort:
        near = way.end in halting(now, now.side_of(unit))
        require(not near, _("A second effort can’t end next to an enemy."), field="/effort")
    if command.exit:
        home = now.field.ground.from_home(now.side_of(unit), way.end) == 0
        require(
            home and can_leave(state, unit),
            _("Only a wing ordered to retreat can leave the map, over its own edge."),
        )
    here = {one.id for one in state.field.characters(state.token(unit).at)} if state.token(unit).at else set()
    for place, one in enumerate(command.stay):
        demand(one in here, _("This character isn’t in the unit’s hex."), field=f"/stay/{place}")


def _blow(now: HostState, command: UnitAct, plan: Plan, going: Going | None) -> Clash | None:
    """The attack of an action, checked from the hex where its move ends; None without one."""
    unit, attack = command.unit, command.attack
    melee = attack is not None and attack.how == MELEE
    allowed = melee and may_charge(now, unit, plan.clear)
    require(not command.charge or allowed, _("The unit can’t charge now. Choose another action."), field="/charge")
    if attack is None:
        return None
    require(not command.exit, _("A unit that leaves the map can’t attack."), field="/attack")
    target = now.field.tokens.get(attack.target)
    known = target is not None and target.standing and target.id not in unseen(now, now.side_of(unit))
    demand(known, _("This unit isn’t a valid target."), field="/attack/target")
    assert target is not None
    require(target.side != now.side_of(unit), _("Choose an enemy."), field="/attack/target")
    tired = command.effort or (going is not None and going.effort)
    require(not (tired and melee), _("Units can’t fight in melee after a second effort."), field="/attack")
    require(meets(now, target), _("Attack the troop in this hex instead."), field="/attack/target")
    after_move = _ended(now, unit, plan.way.end)
    why = why_not_strike(after_move, unit, target, attack.how, plan.way.end, met=True)
    why = why or why_not_by_order(now, unit, target.id, attack.how, plan.way.end, plan.beside)
    forbid(why, "/attack/target")
    charged = allowed and command.charge is not False
    follow = order_of(now, unit) != HOLD if command.follow is None else command.follow
    return Clash(unit, target.id, attack.how, charged=charged, out=plan.out, follow=follow, stay=command.stay)


def _ended(now: HostState, unit: str, at: str) -> HostState:
    """The state at the time of the attack, with a character moved to their end hex, alone or in a stack."""
    if now.token(unit).at == at or not now.units[unit].character:
        return now
    return now.but(field=now.field.put(unit, at=at))


def _check_order(state: HostState, command: UnitAct, plan: Plan, going: Going | None) -> None:
    if going is not None or not state.token(command.unit).standing:
        return
    attacks = plan.blow is not None
    moves = len(plan.way.hexes) > 1
    why = why_disobeys(state, command.unit, plan.way.end, moves=moves, attacks=attacks, leaves=plan.leaves)
    forbid(why, "/attack" if attacks else "/to")


def _landing(state: HostState, command: UnitAct) -> Plan:
    """The plan of an exhausted unit in high flight, which must land before anything else (W-23)."""
    unit, token = command.unit, state.token(command.unit)
    require(command.posture in ("", GROUND), _("The unit is exhausted: it has to land."), field="/posture")
    pace = pace_of(state, unit)
    mover = mover_of(state, unit, pace.points)
    spots = lands_on(state, unit, pace.points)
    if not spots:
        require(not (command.path or command.to or command.attack), _("The unit has no hex in reach to land on."))
        return Plan(unit, Way((token.at,), (0,)), mover, pace, falls=True)
    way = way_of(state.field.ground, mover, token.at, path=command.path, to=command.to)
    require(way.end in spots, _("The unit has to land: choose a hex where it can stand."), field="/to")
    require(not command.effort, _("Exhausted units can’t make a second effort."), field="/effort")
    require(not command.exit, _("The unit is exhausted: it has to land."), field="/exit")
    plan = Plan(unit, way, mover, pace, stay=command.stay, lands=True, beside=beside_now(state, unit))
    return plan._replace(blow=_blow(in_posture(state, unit, GROUND), command, plan, None))


# Acting


def act(run: Run, command: UnitAct) -> None:
    """Execute an action. A unit that meets a hidden enemy stops (H-9). Raises a refusal if it isn't possible."""
    require_next(run.state, command.unit)
    plan = planned(run.state, command)
    unit = plan.unit
    if plan.falls:
        shake(run, unit)
        finish(run, unit, None)
        return
    if plan.posture and plan.posture != run.state.units[unit].posture:
        run.take_posture(unit, plan.posture)
    done = _walk(run, plan)
    if done.way.cost > plan.pace.points:
        tire(run, unit)
    if done.stumbled:
        _stopped(run, plan, done)
        return
    if plan.lands:
        run.take_posture(unit, GROUND)
    if plan.leaves:
        _leave(run, unit, plan.stay)
        return
    if plan.blow is not None:
        strike(run, _on_whom_it_meets(run.state, plan.blow))
    finish(run, unit, None if plan.blow or not run.state.units[unit].character else _after_move(plan))


def _on_whom_it_meets(state: HostState, blow: Clash) -> Clash:
    """The attack, redirected to a troop that has come into sight in the target's hex (WC-8.1)."""
    troop = troop_seen(state, state.token(blow.target))
    return blow if troop is None else blow._replace(target=troop.id)


def _after_move(plan: Plan) -> Going:
    """The state of action after a move: a character may still fight a duel before another unit acts (W-48)."""
    effort = plan.tired or plan.way.cost > plan.pace.points
    return Going(plan.unit, LEFT_NOTHING, plan.beside, plan.clear, effort, plan.out)


def finish(run: Run, unit: str, going: Going | None) -> None:
    """Record the end, or interruption, of a unit's action. Its special order is spent when it ends."""
    if run.state.token(unit).gone:
        return
    run.emit(e.Acted(unit, going, run.seen(unit)))
    if run.state.units[unit].special and (going is None or going.done):
        run.emit(e.MarkerGone(unit, seen=run.seen(unit)))


def require_next(state: HostState, unit: str) -> None:
    """Guard: while a unit that met a hidden enemy hasn't finished its move, no other may act (H-9).

    Raises `IllegalCommand` for any other unit.
    """
    going = state.going
    if going and going.unit != unit and not going.done:
        told = {"unit": state.token(going.unit).name}
        require(False, _("{unit} met a hidden enemy and must finish moving first."), field="/unit", **told)


def let_stand(run: Run) -> None:
    """End the interrupted action of a unit, if any, as the activation ends."""
    going = run.state.going
    if going and not going.done:
        finish(run, going.unit, None)


def _walk(run: Run, plan: Plan) -> Walk:
    """Move the unit as far as it gets, with the characters who go along."""
    state, unit = run.state, plan.unit
    token = state.token(unit)
    done = walk(state.field.ground, _surprised(state, plan), plan.way, **_surprises(run, plan))
    if len(done.way.hexes) > 1:
        landed = in_posture(state, unit, GROUND) if plan.lands else state
        riders = companions(landed, unit, done.way.end, stay=plan.stay) if token.at else ()
        for one in (unit, *riders):
            run.move(one, done.way.hexes)
    told = {event.unit for event in run.events if isinstance(event, Revealed)}
    for found, _place in done.found:
        if found not in told:
            run.emit(Revealed(found, state.token(found).at))
    return done


def _surprised(state: HostState, plan: Plan) -> Mover:
    """The mover of a unit that meets a hidden enemy: its order no longer says where it can stop (W-56)."""
    return mover_of(state.with_unit(plan.unit, freed=True), plan.unit, plan.mover.points)


def _surprises(run: Run, plan: Plan) -> dict[str, Any]:
    """The arguments of `walk` for enemies the unit's side doesn't see."""
    state, unit = run.state, plan.unit
    side = state.side_of(unit)
    hidden = unseen(state, side)
    if not hidden:
        return {"unseen": {}}
    high = state.units[unit].high

    def spotted(at: str) -> frozenset[str]:
        moved = state.but(field=state.field.put(unit, at=at))
        return hidden - unseen(moved, side)

    where = {state.token(foe).at: foe for foe in sorted(hidden)}
    if high:
        where = {at: foe for at, foe in where.items() if at == plan.way.end}
    halts = {foe: at for at, foe in where.items() if state.units[foe].morale != ROUTED and not state.units[foe].high}
    return {"unseen": where, "spotted": spotted, "halting": {} if high else halts}


def _stopped(run: Run, plan: Plan, done: Walk) -> None:
    """Record an interrupted move; the unit's next action uses what is left."""
    unit = plan.unit
    begun = done.way.cost > plan.pace.points
    left = 0 if begun else plan.pace.points - done.way.cost
    clear = plan.clear - clear_steps(run.state, unit, plan.way) + clear_steps(run.state, unit, done.way)
    going = Going(unit, left, plan.beside, clear, begun or plan.tired, plan.out, done=plan.lands)
    finish(run, unit, going._replace(left=LEFT_NOTHING) if plan.lands else going)


def _leave(run: Run, unit: str, stay: tuple[str, ...]) -> None:
    """Make the unit leave the map, with the characters who go along."""
    token = run.state.token(unit)
    riders = companions(run.state, unit, token.at, stay=stay)
    for one in (unit, *riders):
        run.emit(Withdrawn(one, token.at, run.seen(one), WITHDRAWN))
    if not run.state.units[unit].character:
        break_wings(run)
