"""Simulation of a battle for its odds: a state the viewer may believe in, and the next command in it."""

from __future__ import annotations

from random import Random
from typing import Any

from rules.core.viewers import Viewer
from rules.hexbattle.playing import SeededDice, SideViewers, without_absent
from rules.hexbattle.seeing import sides_of
from rules.wing_command.battle import blows, knowledge, turn
from rules.wing_command.battle.player.engine_choice import next_command
from rules.wing_command.battle.record.state import HostState, Unit
from rules.wing_command.battle.run import Run
from rules.wing_command.battle.spells import known_spells, spell_targets
from rules.wing_command.spec import TABLE


def believed(seen: HostState, viewer: Viewer, random: Random) -> HostState:
    """A complete state that looks the same to the viewer, with the enemy casters' spells drawn at random.

    Dice decide every attack. Hidden units are absent, as in the state seen.
    """
    state = seen.but(options=seen.options._replace(combat=TABLE))
    if viewer.gm:
        return state
    own = sides_of(seen.field, viewer)
    units = {
        unit: figures._replace(spell=_drawn(state, unit, figures, random))
        if figures.own.art and state.side_of(unit) not in own
        else figures
        for unit, figures in state.units.items()
    }
    state = state.but(units=units, field=without_absent(seen.field), **_leading(state))
    return _aiming(state, own, random)


def _leading(state: HostState) -> dict[str, Any]:
    """The leaders of sides and wings, as far as they are visible."""
    wings = {key: wing if wing.leader in state.units else wing._replace(leader="") for key, wing in state.wings.items()}
    return {"wings": wings, "leaders": tuple(one if one in state.units else "" for one in state.leaders)}


def _drawn(state: HostState, caster: str, figures: Unit, random: Random) -> str:
    """A random spell of their art; "" before they have had a turn to choose one."""
    known = [spell.slug for spell in known_spells(state, caster)]
    chooses = state.turn > 1 or figures.activated
    return random.choice(known) if known and chooses else ""


def _aiming(state: HostState, own: frozenset[int], random: Random) -> HostState:
    """The state with an enemy's spell that is being aimed replaced by a random one with a possible target."""
    aiming = state.aiming
    if aiming is None or state.side_of(aiming.character) in own:
        return state
    caster = aiming.character
    known = [spell.slug for spell in known_spells(state, caster) if spell_targets(state, caster, spell.slug)]
    return state.but(aiming=aiming._replace(spell=random.choice(known)) if known else None)


def step(state: HostState, viewers: SideViewers, random: Random, dice: SeededDice) -> HostState | None:
    """The state after the next command of whoever has to act; None if nobody has a command."""
    run = Run(state, dice)
    if state.blow is not None:
        blows.strike(run, state.blow)
        turn.follow_up(run)
        return run.state
    viewer = viewers[state.side]
    seen = knowledge.seen(state, viewer) if knowledge.keeps_secrets(state) else state
    command = next_command(seen, viewer, random)
    if command is None:
        return None
    turn.decide(run, command)
    return run.state
