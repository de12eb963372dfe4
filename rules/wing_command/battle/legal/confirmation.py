"""Confirmation of an act: the command that is picked, what it is called, and why the law refuses it."""

from __future__ import annotations

from rules.core.errors import Refusal
from rules.core.text import Said, Term, _, say
from rules.hexbattle.board import Target
from rules.hexbattle.moving import Way
from rules.wing_command.battle.acting import planned
from rules.wing_command.battle.legal.selection import EXIT, PickedAct
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record.state import HostState
from rules.wing_command.spec import MELEE


def command_of(unit: str, picked: PickedAct, target: Target | None, way: Way | None, effort: bool) -> c.UnitAct:
    """The act of a unit that is picked. `effort`: its way takes a second effort."""
    path = way.hexes[1:] if way else ()
    attack = c.Strike(target.target, target.how) if target else None
    leaves = picked.act == EXIT
    charge, follow = (picked.charge, picked.follow) if attack and attack.how == MELEE else (None, None)
    return c.UnitAct(unit, path, "", picked.posture, effort, attack, charge, follow, picked.stay, leaves)


def refusal_of(state: HostState, command: c.UnitAct) -> Said | None:
    """Why the law doesn't take an act; None where it does."""
    try:
        planned(state, command)
    except Refusal as refusal:
        return refusal.message
    return None


def title_of(state: HostState, unit: str, command: c.UnitAct, target: Target | None) -> Said:
    """What happens, in full ("Riders to F6: Charge the Levy")."""
    name = state.name_in_side(unit)
    moves = (
        say(_("{unit} to {hex}"), unit=name, hex=command.path[-1]) if command.path else say(Term("{unit}"), unit=name)
    )
    if command.exit:
        return say(_("{unit} leaves the map"), unit=name)
    if target is not None:
        return say(_("{move}: {deed}"), move=moves, deed=target.label)
    return moves if command.path else say(_("{unit} stays"), unit=name)
