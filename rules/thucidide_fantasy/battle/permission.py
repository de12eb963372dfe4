"""Permissions: who may give which command (TF-9)."""

from __future__ import annotations

from typing import Any

from rules.core.viewers import Viewer
from rules.hexbattle.common import army_of
from rules.hexbattle.seeing import sides_of
from rules.hexbattle.tokens import commands
from rules.pending import AnswerCommand
from rules.thucidide_fantasy.battle.combat.stops import OF_GM
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import FantasyState

OF_THE_GM = (
    c.SetOption, c.EditUnit, c.GrantTrait, c.SetConsent, c.RevealEnemy, c.SealDeployment, c.SetVictory, c.NameGeneral,
    c.ReportThrow, c.AppealByGm, c.Reinforce, c.Override,
)  # fmt: skip
OF_ANY_SIDE = (c.EndPhase, c.GiveOrder)
OF_WHO_ANSWERS = (c.PursueFoe, c.FleeTo, c.RerollDie, c.AnswerGod, AnswerCommand)


def answers(state: FantasyState, viewer: Viewer) -> bool:
    """Whether this viewer answers the open question: the owner of the unit concerned, else anyone of the side."""
    fight = state.fight
    if fight is None:
        return False
    if viewer.gm:
        return True
    if fight.side == OF_GM:
        return False
    piece = fight.todo[0].unit
    token = state.field.tokens.get(piece)
    if token is not None and token.side == fight.side and state.field.armies[token.army] == fight.side:
        return commands(viewer, token)
    return fight.side in sides_of(state.field, viewer)


def allows(state: FantasyState, command: Any, viewer: Viewer) -> bool:
    """Whether this viewer may give a command.

    A unit's owner moves and fights with it, a leader's owner activates any unit of the side, and the GM may do
    everything.
    """
    if viewer.gm:
        return True
    if isinstance(command, OF_THE_GM):
        return False
    if isinstance(command, OF_WHO_ANSWERS):
        return answers(state, viewer) if state.fight else bool(sides_of(state.field, viewer))
    if isinstance(command, OF_ANY_SIDE):
        return _of_side(state, viewer)
    if isinstance(command, c.ActivateUnits):
        if not command.leader:
            return _of_side(state, viewer)
        return owns(state, command.leader, viewer)
    if isinstance(command, c.AttachCharacter):
        return owns(state, command.character, viewer)
    if isinstance(command, c.DeployArmies):
        return bool(command.armies) and all(map(viewer.commands, command.armies))
    if isinstance(command, c.TurnAttack):
        unit = state.units.get(command.unit)
        return bool(unit and unit.turner and viewer.commands(army_of(unit.turner)))
    piece = getattr(command, "unit", "") or getattr(command, "caster", "") or getattr(command, "character", "")
    return owns(state, piece, viewer)


def _of_side(state: FantasyState, viewer: Viewer) -> bool:
    return state.side in sides_of(state.field, viewer)


def owns(state: FantasyState, piece: str, viewer: Viewer) -> bool:
    """Whether a unit or character belongs to this viewer. For one they don't see the answer reveals nothing."""
    token = state.field.tokens.get(piece)
    if token is None or (token.hidden and token.side not in sides_of(state.field, viewer)):
        return bool(sides_of(state.field, viewer))
    return commands(viewer, token)
