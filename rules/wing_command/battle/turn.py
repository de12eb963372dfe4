"""Turns of a battle (WC-9.1 … 9.3, 9.6, 9.7): the side to command, the allowed commands, the transition after each, the
rout phase and the end of a turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.core.errors import demand, require
from rules.core.text import Said, Term, _
from rules.hexbattle.common import PhaseEnded
from rules.hexbattle.ground import BOTH
from rules.hexbattle.moving import NEVER, Mover, Way, reach, route
from rules.wing_command.battle import acting, activation, overrides, spells
from rules.wing_command.battle import command as actions
from rules.wing_command.battle import command as special_orders
from rules.wing_command.battle.activation import decide_rally
from rules.wing_command.battle.blows import tire
from rules.wing_command.battle.demoralisation import (
    FLED,
    at_the_limit,
    break_wings,
    check_victory,
    lose,
    roll_demoralisation,
)
from rules.wing_command.battle.movement import gait_of, may_stand, pace_of
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import ACTION, COMMAND, END, FIT, FRESH, INITIATIVE, ROUT, ROUTED, HostState
from rules.wing_command.battle.run import Run, faces
from rules.wing_command.battle.situation import engaged, halting, unrouted_beside
from rules.wing_command.starter import ABILITIES

# Rout phase and end of a turn (WC-9.6, 9.7): flights, tests to rally, rest, and what ends with the turn.


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


# Turns of a battle (WC-9.1 … 9.3): whose turn it is to command, which commands are allowed, and what follows each.

OF_PHASE: Mapping[str, tuple[type, ...]] = {
    INITIATIVE: (c.RollInitiative,),
    COMMAND: (
        c.Distribute, c.GiveOrder, c.EndDistribution, c.ChangeOrder, c.TakeCommand, c.Resign, c.ChooseSpell,
        c.CastSpell, c.Aim, c.PassCommand,
    ),
    ACTION: (c.TakeWing, c.UnitAct, c.RallyUnit, c.FightDuel, c.EndWing),
    ROUT: (c.ResolveRout,),
}  # fmt: skip
PHASE_NAMES: Mapping[str, Term] = {
    INITIATIVE: _("Initiative"),
    COMMAND: _("Command"),
    ACTION: _("Action"),
    ROUT: _("Rout"),
}


def decide(run: Run, command: Any) -> None:
    """Execute a command of play and everything that follows from it. Raises a refusal if it isn't allowed."""
    match command:
        case c.ReportBlow(result):
            overrides.report(run, result)
        case c.Reinforce(army, side):
            overrides.reinforce(run, army, side)
        case c.Override():
            overrides.override(run, command)
        case _:
            _check_phase(run.state, command)
            _decide_own(run, command)
    follow_up(run)


def _check_phase(state: HostState, command: Any) -> None:
    require(state.blow is None, _("Waiting for the GM to enter the result of an attack."))
    require(state.aiming is None or isinstance(command, c.Aim), _("A spell is waiting for its target."))
    fits = isinstance(command, OF_PHASE[state.phase])
    require(fits, _("You can’t do this in this phase: {phase}."), phase=PHASE_NAMES[state.phase])
    busy = state.distribution is not None and not isinstance(command, c.GiveOrder | c.EndDistribution)
    require(not busy, _("Special orders are being given. End them first."))


def _decide_own(run: Run, command: Any) -> None:
    if isinstance(command, c.RollInitiative):
        roll_initiative(run)
    elif isinstance(command, c.PassCommand):
        pass_command(run, command.side)
    elif isinstance(command, OF_PHASE[COMMAND]):
        _of_command(run, command)
    elif isinstance(command, c.ResolveRout):
        resolve(run)
    else:
        _of_action(run, command)


def _of_command(run: Run, command: Any) -> None:
    match command:
        case c.GiveOrder(unit):
            special_orders.give_order(run, unit)
        case c.EndDistribution():
            special_orders.end_distribution(run)
        case c.Aim(target):
            spells.aim(run, target)
        case c.Distribute(character):
            special_orders.distribute(run, _character(run.state, character))
        case c.ChangeOrder(character, order):
            actions.change_order(run, _character(run.state, character), order)
        case c.TakeCommand(character, wing):
            actions.take_command(run, _character(run.state, character), wing)
        case c.Resign(character):
            actions.resign(run, _character(run.state, character))
        case c.ChooseSpell(character, spell):
            spells.choose(run, _character(run.state, character), spell)
        case c.CastSpell(character):
            spells.cast(run, _character(run.state, character))


def _character(state: HostState, character: str) -> str:
    """Guard: a character of the side whose turn it is, on the map, who hasn't used their command this turn.

    Raises a refusal otherwise; returns their id.
    """
    token, own = state.field.tokens.get(character), state.units.get(character)
    demand(token is not None and own is not None and own.character, _("Choose a character."), field="/character")
    assert token is not None
    assert own is not None
    require(token.side == state.side, _("It’s the other side’s turn to command."), field="/character")
    require(token.standing, _("The character isn’t on the map."), field="/character")
    require(not own.activated, _("The character has already acted this turn."), field="/character")
    return character


def _of_action(run: Run, command: Any) -> None:
    match command:
        case c.TakeWing(wing):
            activation.take_wing(run, wing)
        case c.EndWing():
            activation.end_wing(run)
        case c.UnitAct(unit):
            check_able(run.state, unit, "/unit")
            acting.act(run, command)
        case c.RallyUnit(unit):
            check_member(run.state, unit, "/unit")
            activation.rally(run, unit)
        case c.FightDuel(character):
            check_member(run.state, character, "/character")
            activation.duel(run, command)


def check_member(state: HostState, unit: str, at: str) -> None:
    """Guard: the unit belongs to the acting wing. Raises a refusal otherwise."""
    token = state.field.tokens.get(unit)
    demand(token is not None and unit in state.units, _("This unit isn’t in the battle."), field=at)
    assert token is not None
    require(state.wing, _("First choose a wing to act."))
    require(state.units[unit].wing == state.wing, _("Only units of the acting wing can act."), field=at)
    require(not token.gone, _("The unit has left the battle."), field=at)


def check_able(state: HostState, unit: str, at: str) -> None:
    check_member(state, unit, at)
    require(not state.units[unit].acted, _("The unit has already acted."), field=at)


# Initiative


def bonus(state: HostState, side: int) -> int:
    """The initiative bonus: 5 for an army leader of ability A, down to 1 for E; 0 without one (WC-9.2)."""
    leader = state.leaders[side]
    return ABILITIES[state.units[leader].own.ability].bonus if leader and state.units[leader].own.ability else 0


def die_of(state: HostState, side: int) -> str:
    """The army a side's initiative die is rolled for: its first wing."""
    return state.wings_of(side)[0].id


def roll_initiative(run: Run) -> None:
    """Roll 1D6 plus the army leader's bonus for each side; ties are rolled again."""
    bonuses = (bonus(run.state, 0), bonus(run.state, 1))
    rolls: tuple[Any, ...] = ()
    while True:
        thrown = [run.roll(die_of(run.state, side), "initiative", 1) for side in (0, 1)]
        run.checkpoint()
        rolls += (*thrown[0], *thrown[1])
        one, other = (faces(own) + more for own, more in zip(thrown, bonuses, strict=True))
        if one != other:
            break
    first = 0 if one > other else 1
    run.emit(e.InitiativeRolled(rolls, bonuses, first), e.PhaseBegan(COMMAND, first))


# Command


def deeds(state: HostState, character: str) -> Mapping[str, Said | None]:
    """The commands of a character in the command phase, each with the reason why not; None if they can use it."""
    return {
        "distribute": special_orders.why_not_distribute(state, character),
        "change_order": actions.why_not_change(state, character),
        "take_command": actions.why_not_take(state, character),
        "resign": actions.why_not_resign(state, character),
        "choose_spell": spells.why_not_magic(state, character),
        "cast": spells.why_not_cast(state, character),
    }


CHECKS: tuple[Callable[[HostState, str], Said | None], ...] = (
    special_orders.why_not_distribute, actions.why_not_change, spells.why_not_magic, actions.why_not_take,
    actions.why_not_resign,
)  # fmt: skip


def may_command(state: HostState, character: str) -> bool:
    """Whether a character can still do something in the command phase."""
    own, token = state.units[character], state.field.tokens[character]
    if not own.character or own.activated or not token.standing:
        return False
    return any(check(state, character) is None for check in CHECKS)


def commanders(state: HostState, side: int) -> tuple[str, ...]:
    """The characters of a side who can still do something."""
    return tuple(
        unit for unit, own in state.units.items()
        if own.character and state.side_of(unit) == side and may_command(state, unit)
    )  # fmt: skip


def pass_command(run: Run, side: int) -> None:
    """End a side's command phase. Raises a refusal if it isn't its turn."""
    demand(side in (0, 1), _("Must be side 0 or 1."), field="/side")
    require(side == run.state.side, _("It’s the other side’s turn to command."), field="/side")
    run.emit(e.SidePassed(side))


def follow_up(run: Run) -> None:
    """Apply what follows a command: broken wings, victory, passing for a side without characters left, and skipping
    wings that can't act (W-17).
    """
    if run.state.blow is None:
        break_wings(run)
        check_victory(run)
    while run.state.phase == COMMAND and not run.state.field.ended and _idle(run.state):
        if len(run.state.passed) == 2:
            run.emit(e.PhaseBegan(ACTION, run.state.first))
        elif not commanders(run.state, run.state.side):
            run.emit(e.SidePassed(run.state.side))
        else:
            break
    if run.state.phase == ACTION and not run.state.wing and not run.state.field.ended:
        activation.next_activation(run)


def _idle(state: HostState) -> bool:
    return state.distribution is None and state.aiming is None and state.blow is None
