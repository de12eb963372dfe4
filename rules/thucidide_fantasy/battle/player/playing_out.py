"""Simulation of a battle for its odds: a state the viewer may believe in, and the next command in it."""

from __future__ import annotations

from random import Random
from typing import Any

from rules.core.viewers import Viewer
from rules.hexbattle.playing import SeededDice, SideViewers, without_absent
from rules.hexbattle.seeing import sides_of
from rules.hexbattle.setup import Place
from rules.thucidide_fantasy.battle import decide, knowledge, setup
from rules.thucidide_fantasy.battle.combat.steps import go_on
from rules.thucidide_fantasy.battle.combat.stops import REPORT, resumed
from rules.thucidide_fantasy.battle.paces import may_stand
from rules.thucidide_fantasy.battle.player.engine_choice import next_command
from rules.thucidide_fantasy.battle.record.state import COMMANDING, FantasyState, Person
from rules.thucidide_fantasy.battle.run import BattleOver, Run
from rules.thucidide_fantasy.battle.spells.casting import why_forbidden
from rules.thucidide_fantasy.spec import ENGINE


def believed(seen: FantasyState, viewer: Viewer, random: Random) -> FantasyState:
    """A complete state that looks the same to the viewer, with the enemy casters' cards drawn at random.

    Dice decide every throw. Phantoms count as real units, groves as woods, and hidden units are absent, as in the state
    seen.
    """
    options = seen.options._replace(combat=ENGINE)
    if viewer.gm:
        return seen.but(options=options)
    own = sides_of(seen.field, viewer)
    people = {
        one: _supplied(seen, one, person, random) if person.own.casts and seen.side_of(one) not in own else person
        for one, person in seen.people.items()
    }
    return seen.but(options=options, people=people, field=without_absent(seen.field))


def _supplied(seen: FantasyState, caster: str, person: Person, random: Random) -> Person:
    """An enemy caster with random cards for the usual points, minus one card for each turn past.

    The caster's real cards don't matter.
    """
    spells, points = seen.options.spells, seen.options.supply_points
    cards: list[str] = []
    while fits := [
        one for one, spell in spells.items() if spell.cost <= points and why_forbidden(seen, caster, one) is None
    ]:
        cards.append(random.choice(fits))
        points -= max(1, spells[cards[-1]].cost)
    left = tuple(cards[seen.turn - 1 :])
    own = person.own._replace(points=seen.options.supply_points, cards=())
    return person._replace(own=own, cards=left, points=sum(spells[one].cost for one in left))


def step(state: FantasyState, viewers: SideViewers, random: Random, dice: SeededDice) -> FantasyState | None:
    """The state after the next command of whoever has to act; None if nobody has a command."""
    fight = state.fight
    if fight is not None and fight.asks == REPORT:
        return _rolled(state, dice)
    side = state.side if fight is None else fight.side
    seen = knowledge.seen(state, viewers[side]) if knowledge.keeps_secrets(state) else state
    command = arriving(seen, side) or next_command(seen, viewers[side], random)
    return None if command is None else _carried_out(state, command, dice)


def _carried_out(state: FantasyState, command: Any, dice: SeededDice) -> FantasyState:
    """The state after a command, without the work that only pages and logs need."""
    run = Run(state, dice)
    if isinstance(command, Place):
        setup.enter(run, command)
    else:
        decide.decide(run, command)
    return run.state


def _rolled(state: FantasyState, dice: SeededDice) -> FantasyState:
    """The state after rolling a throw that waits for the GM's report."""
    run = Run(state, dice)
    try:
        _fight, todo = resumed(run, REPORT)
        run.then(todo)
        go_on(run)
    except BattleOver:
        pass
    return run.state


def arriving(state: FantasyState, side: int) -> Place | None:
    """The command that brings a reinforcement onto the map; None if there is none or no room."""
    if state.field.ended or state.fight is not None or state.side != side or state.phase != COMMANDING:
        return None
    for token in state.field.of_side(side):
        if token.waiting:
            line = state.field.ground.home_edge(side)
            at = next((at for at in line if may_stand(state, token.id, at)), "")
            return Place(token.id, at) if at else None
    return None
