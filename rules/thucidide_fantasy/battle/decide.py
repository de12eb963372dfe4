"""Dispatcher of the commands of play: checks that a command is allowed now, runs it, and continues pending steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.core.errors import require
from rules.core.text import Term, _
from rules.pending import AnswerCommand
from rules.thucidide_fantasy.battle import activation, answers, manoeuvres, marching_orders, overrides, turn
from rules.thucidide_fantasy.battle.combat import flight, melee, steps
from rules.thucidide_fantasy.battle.combat.stops import FLEE, GOD, PURSUE, REPORT, REROLL
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import CASTING, COMMANDING, FIGHTING_PHASE, MOVING, FantasyState
from rules.thucidide_fantasy.battle.run import BattleOver, Run
from rules.thucidide_fantasy.battle.spells import appeals, casting, turning

OF_PHASE: Mapping[type, str] = {
    c.GiveOrder: COMMANDING, c.ActivateUnits: COMMANDING, c.MovePiece: MOVING, c.AnnounceSpell: MOVING,
    c.OpenMelee: FIGHTING_PHASE, c.OpenShot: FIGHTING_PHASE, c.CastSpell: CASTING, c.DeclineSpell: CASTING,
    c.TurnAttack: CASTING,
}  # fmt: skip
ANSWERS: Mapping[str, tuple[type, ...]] = {
    REROLL: (c.RerollDie,), FLEE: (c.FleeTo,), PURSUE: (c.PursueFoe,), REPORT: (c.ReportThrow,), GOD: (c.AnswerGod,),
}  # fmt: skip
ALL_ANSWERS = tuple(kind for kinds in ANSWERS.values() for kind in kinds)
AT_ANY_TIME = (c.Override, c.Reinforce)
WAITING: Mapping[str, Term] = {
    REROLL: _("Decide first whether to reroll a die."),
    FLEE: _("A character has to flee first."),
    PURSUE: _("Decide on the pursuit first."),
    REPORT: _("The GM has to enter the result of a roll first."),
    GOD: _("Choose what the god’s answer does first."),
}
NOT_WAITED = _("This answer isn’t needed now.")


def decide(run: Run, command: Any) -> None:
    """Execute a command of play and everything that follows from it. Raises a refusal if it isn't allowed."""
    try:
        command = answers.plain(run.state, command) if isinstance(command, AnswerCommand) else command
        check_place(run.state, command)
        DECIDED[type(command)](run, command)
        steps.go_on(run)
        if isinstance(command, c.Override):
            steps.ask_again(run)
    except BattleOver:
        return


def ask_again(run: Run) -> None:
    """Ask the open question again after the GM has changed the battle."""
    try:
        steps.ask_again(run)
    except BattleOver:
        return


def check_place(state: FantasyState, command: Any) -> None:
    """Guard: a command must be the answer waited for, or belong to the current phase.

    Raises `IllegalCommand`.
    """
    asked = state.fight.asks if state.fight else ""
    if isinstance(command, AT_ANY_TIME):
        require(not asked or isinstance(command, c.Override), WAITING.get(asked, NOT_WAITED))
        return
    if asked:
        require(isinstance(command, ANSWERS[asked]), WAITING[asked])
        return
    require(not isinstance(command, ALL_ANSWERS), NOT_WAITED)
    phase = OF_PHASE.get(type(command))
    if phase is not None and phase != state.phase:
        told = {"phase": turn.PHASE_NAMES[state.phase]}
        require(False, _("You can’t do this in the phase {phase}."), **told)


type _Decider = Callable[[Run, Any], None]
DECIDED: Mapping[type, _Decider] = {
    c.GiveOrder: manoeuvres.order,
    c.ActivateUnits: activation.activate,
    c.EndPhase: lambda run, _command: turn.end_phase(run),
    c.MovePiece: marching_orders.move,
    c.AnnounceSpell: lambda run, command: casting.announce(run, command.caster),
    c.OpenMelee: lambda run, command: melee.attack(run, overrides.piece(run.state, command.unit), command.target),
    c.OpenShot: lambda run, command: melee.shoot(run, overrides.piece(run.state, command.unit), command.target),
    c.PursueFoe: lambda run, command: melee.pursue(run, command.unit, command.target),
    c.FleeTo: lambda run, command: flight.answer(run, command.character, command.hex),
    c.CastSpell: lambda run, command: casting.cast(run, command.caster, command.spell, command.targets),
    c.DeclineSpell: lambda run, command: casting.decline(run, command.caster),
    c.TurnAttack: lambda run, command: turning.attack_again(
        run, overrides.piece(run.state, command.unit), command.target
    ),
    c.RerollDie: lambda run, command: steps.reroll(run, command.die),
    c.AnswerGod: appeals.answer,
    c.ReportThrow: lambda run, command: steps.report(
        run, command.stands, command.flags, command.hexes, command.counters
    ),
    c.AppealByGm: overrides.appeal,
    c.Reinforce: overrides.reinforce,
    c.Override: overrides.override,
}
