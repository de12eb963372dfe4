"""Rout phase and end of a turn (WC-9.6, 9.7): flights, tests to rally, rest, and what ends with the turn."""

from __future__ import annotations

from rules.hexbattle.common import PhaseEnded
from rules.hexbattle.moving import NEVER, Mover, Way, reach, route
from rules.hexbattle.timers import BOTH
from rules.wing_command.battle.blows import tire
from rules.wing_command.battle.demoralisation import FLED, lose, roll_demoralisation
from rules.wing_command.battle.ending import at_the_limit, check_victory
from rules.wing_command.battle.movement import pace_of
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import END, FIT, FRESH, ROUTED, HostState
from rules.wing_command.battle.run import Run
from rules.wing_command.battle.situation import engaged, halting, unrouted_beside
from rules.wing_command.battle.standing import gait_of, may_stand
from rules.wing_command.battle.wings import decide_rally


def resolve(run: Run) -> None:
    """Resolve the whole rout phase and the end of the turn."""
    for wing in run.state.wings_in_order:
        for unit in tuple(run.state.standing(wing)):
            if flees(run.state, unit):
                flee(run, unit)
    check_victory(run)
    if run.state.field.ended:
        return
    _rally_all(run)
    end_turn(run)


def has_nothing_to_do(state: HostState) -> bool:
    """Whether no unit flees or tests to rally, so that the turn ends without dice."""
    units = (unit for wing in state.wings_in_order for unit in state.standing(wing))
    return not any(flees(state, unit) or tests_now(state, unit) for unit in units)


# Flights


def flees(state: HostState, unit: str) -> bool:
    """Whether a unit flees: routed and on the map, unless it failed to rally by special order (WC-4.4)."""
    own, token = state.units[unit], state.token(unit)
    return token.standing and own.morale == ROUTED and not (own.freed and own.tested)


def flee(run: Run, unit: str) -> None:
    """Make a unit flee homeward with its full move, and off the map from the edge."""
    state = run.state
    token = state.token(unit)
    points = pace_of(state, unit).points
    path, spent, home = flight(state, unit, points)
    leaves = home and path[-1] in edge_of(state, token.side) and spent < points
    before = state.field
    if len(path) > 1 or leaves:
        run.emit(e.Fled(unit, path, leaves, run.place_seen(unit, path[-1])))
        run.sights(before)
    if leaves:
        lose(run, unit, how=FLED)
        roll_demoralisation(run)


def edge_of(state: HostState, side: int) -> frozenset[str]:
    ground = state.field.ground
    return ground.kept("edge", side, lambda: frozenset(ground.home_edge(side)))


def flight(state: HostState, unit: str, points: int) -> tuple[tuple[str, ...], int, bool]:
    """The hexes a unit flees along, the points spent, and whether it reaches its edge.

    It takes the cheapest way home, avoiding hexes next to enemies if possible (W-41), as far as its move allows, and
    stops on the last hex it may occupy.
    """
    token = state.token(unit)
    foes = frozenset(foe.at for foe in state.field.enemies(token.side))
    near = halting(state, token.side) - {token.at}
    way = _home(state, unit, foes | near) or _home(state, unit, foes)
    if way is None:
        return (token.at,), 0, False
    last = max(place for place, cost in enumerate(way.costs) if cost <= points)
    reaches = last == len(way.hexes) - 1
    if reaches and way.costs[last] < points:
        return way.hexes, way.costs[last], True
    while last and not may_stand(state, unit, way.hexes[last]):
        last -= 1
    return way.hexes[: last + 1], way.costs[last], last == len(way.hexes) - 1


def _home(state: HostState, unit: str, closed: frozenset[str]) -> Way | None:
    token = state.token(unit)
    mover = Mover(gait_of(state, unit), NEVER, closed=closed)
    ground = state.field.ground
    found = reach(ground, mover, token.at)
    edges = [at for at in edge_of(state, token.side) if at in found]
    if not edges:
        return None
    best = min(edges, key=lambda at: (found[at], ground.numbers[at]))
    return route(ground, mover, token.at, best)


# Rallies


def tests_now(state: HostState, unit: str) -> bool:
    """Whether a shaken or routed unit tests to rally in this phase."""
    own = state.units[unit]
    return own.morale != FIT and not own.tested and not unrouted_beside(state, unit)


def _rally_all(run: Run) -> None:
    """Roll all tests to rally, asking for all dice at once."""
    state = run.state
    units = [unit for wing in state.wings_in_order for unit in state.standing(wing) if tests_now(state, unit)]
    rolled = [(unit, run.roll(unit, "rally")) for unit in units]
    if rolled:
        run.checkpoint()
    for unit, rolls in rolled:
        decide_rally(run, unit, rolls)


# The end of the turn


def end_turn(run: Run) -> None:
    """End the turn: fatigue recovers, markers and effects end, wings steady, the limit is checked (WC-9.7)."""
    for wing in run.state.wings_in_order:
        for unit in tuple(run.state.standing(wing)):
            _rest(run, unit)
    for wing in run.state.wings_in_order:
        for unit in tuple(run.state.members(wing)):
            if run.state.units[unit].special:
                run.emit(e.MarkerGone(unit, seen=run.seen(unit)))
    for wing in run.state.wings_in_order:
        if wing.shaken and _calm(run.state, tuple(run.state.members(wing))):
            run.emit(e.MarkerGone(wing=wing.id))
    run.emit(PhaseEnded(BOTH, END))
    check_victory(run)
    if run.state.field.ended:
        return
    if run.state.turn >= run.state.options.turn_limit:
        run.emit(at_the_limit(run.state))
        return
    run.emit(e.TurnEnded(run.state.turn))


def _rest(run: Run, unit: str) -> None:
    own = run.state.units[unit]
    if own.high:
        tire(run, unit)
    elif own.fatigue != FRESH and not own.stirred:
        run.emit(e.Rested(unit, own.fatigue - 1, run.seen(unit)))


def _calm(state: HostState, units: tuple[str, ...]) -> bool:
    """Whether a wing has units and none of them is routed or engaged (W-36)."""
    return bool(units) and not any(
        state.units[unit].morale == ROUTED or engaged(state, unit) for unit in units if state.token(unit).standing
    )
