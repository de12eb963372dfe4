"""Dispatcher of the commands of play: checks who may give a command and that it is allowed now, runs it, asks questions
and takes answers, and continues pending steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.core.dice import Roll
from rules.core.errors import require
from rules.core.text import Said, Term, UnitName, _, say, verbatim
from rules.core.viewers import Viewer
from rules.hexbattle.common import army_of, name_of
from rules.hexbattle.field import commands
from rules.hexbattle.ground import hex_of
from rules.hexbattle.seeing import sides_of
from rules.pending import AnswerCommand, AskedField, Pending, ask_choice, ask_die, ask_hex, ask_number
from rules.thucidide_fantasy.battle import activation, marching_orders, overrides, turn, undead
from rules.thucidide_fantasy.battle.combat import melee, steps
from rules.thucidide_fantasy.battle.combat.steps import FLEE, GOD, OF_GM, PURSUE, REPORT, REROLL
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import CASTING, COMMANDING, FIGHTING_PHASE, MOVING, FantasyState, Fight
from rules.thucidide_fantasy.battle.run import BattleOver, Run
from rules.thucidide_fantasy.battle.spells import appeals, spell_effects
from rules.thucidide_fantasy.battle.spells.appeals import STANDS, free_near
from rules.thucidide_fantasy.grimoire import RETURNED_STANDS

# Questions of a battle (`Pending`), and conversion of the generic `AnswerCommand` to this law's commands.

LET_GO = "none"
PLACE = "place:"


def question(state: FantasyState) -> Pending | None:
    """The question the battle waits for; None if it waits for none."""
    fight = state.fight
    if fight is None:
        return None
    text, asks = ASKING[fight.asks](state, fight)
    return Pending(fight.asks, _army(state, fight), text, asks=asks, button=BUTTONS[fight.asks])


def _army(state: FantasyState, fight: Fight) -> str:
    """The army that answers: the one whose unit it concerns, or the first of the side."""
    if fight.side == OF_GM:
        return next(iter(state.field.armies))
    piece = fight.todo[0].unit
    if piece in state.field.tokens and state.side_of(piece) == fight.side:
        return army_of(piece)
    return next(army for army, side in state.field.armies.items() if side == fight.side)


def _named(state: FantasyState, unit: str) -> UnitName:
    return name_of(state.field, unit)


def _flee(state: FantasyState, fight: Fight) -> tuple[Said, tuple[AskedField, ...]]:
    text = say(_("{unit} must flee."), unit=_named(state, fight.todo[0].unit))
    return text, (ask_hex("hex", _("Flee to"), map(hex_of, fight.options)),)


def _pursue(state: FantasyState, fight: Fight) -> tuple[Said, tuple[AskedField, ...]]:
    options = [(unit, say(Term("{unit}"), unit=_named(state, unit))) for unit in fight.options]
    options.append((LET_GO, say(_("No pursuit"))))
    text = say(_("{unit} may pursue and fight once more."), unit=_named(state, fight.todo[0].unit))
    return text, (ask_choice("target", _("Target"), options),)


def _reroll(state: FantasyState, fight: Fight) -> tuple[Said, tuple[AskedField, ...]]:
    rolls: tuple[Roll, ...] = fight.todo[0].rolls
    return _("You can reroll one of these dice."), (ask_die("index", _("Die to reroll"), rolls),)


def _report(state: FantasyState, fight: Fight) -> tuple[Said, tuple[AskedField, ...]]:
    made = fight.todo[0].throw
    dice = made.dice if made else 0
    text = say(_(
        "Roll of {unit} against {foe}: waiting for the GM to enter the result."
    ), unit=_named(state, fight.todo[0].unit),
               foe=_named(state, fight.todo[0].foe))  # fmt: skip
    return text, (
        ask_number("stands", _("Stands lost"), 0, dice),
        ask_number("flags", _("Flags"), 0, dice),
        ask_number("hexes", _("Hexes of retreat"), 0, 4 * (dice + 1)),
        ask_number("counters", _("Counters won"), 0, dice),
    )


def _god(state: FantasyState, fight: Fight) -> tuple[Said, tuple[AskedField, ...]]:
    caster, what = fight.todo[0].unit, fight.todo[0].what
    if what != STANDS:
        options = [(unit, say(Term("{unit}"), unit=_named(state, unit))) for unit in fight.options]
        hexes = list(dict.fromkeys(at for unit in fight.options for at in free_near(state, caster, unit)))
        asks = (ask_choice("unit", _("Unit"), options), ask_hex("hex", _("Free hex"), map(hex_of, hexes)))
        return _("Choose a unit and a free hex."), asks
    found: list[AskedField] = []
    for unit in fight.options:
        own = state.units[unit]
        there = state.standing(unit)
        most = min(RETURNED_STANDS, own.start - (own.stands if there else 0))
        label = say(_("Stands for {unit}"), unit=_named(state, unit))
        found.append(ask_number(unit, label, 0, most))
        if not there:
            options = [
                (LET_GO, say(_("Doesn’t return"))),
                *((at, verbatim(at)) for at in free_near(state, caster, unit)),
            ]
            found.append(ask_choice(f"{PLACE}{unit}", say(_("Hex for {unit}"), unit=_named(state, unit)), options))
    return say(_("Up to {count} stands return."), count=RETURNED_STANDS), tuple(found)


BUTTONS: Mapping[str, Term] = {
    FLEE: _("Flee"), PURSUE: _("Confirm"), REROLL: _("Confirm"), REPORT: _("Enter the result"), GOD: _("Confirm"),
}  # fmt: skip
ASKING = {FLEE: _flee, PURSUE: _pursue, REROLL: _reroll, REPORT: _report, GOD: _god}


# From the generic answer to the law's command


def plain(state: FantasyState, answer: AnswerCommand) -> Any:
    """The command an answer stands for. The answer has been checked against the question already."""
    fight, given = state.fight, answer.answers
    assert fight is not None
    if fight.asks == FLEE:
        return c.FleeTo(fight.todo[0].unit, str(given["hex"]))
    if fight.asks == PURSUE:
        target = str(given["target"])
        return c.PursueFoe(fight.todo[0].unit, None if target == LET_GO else target)
    if fight.asks == REROLL:
        return c.RerollDie(fight.todo[0].rolls[0].name, _number(given["index"]))
    if fight.asks == REPORT:
        return c.ReportThrow(*(_number(given[name]) or 0 for name in ("stands", "flags", "hexes", "counters")))
    if fight.todo[0].what != STANDS:
        return c.AnswerGod(unit=str(given["unit"]), hex=str(given["hex"]))
    named = {unit: str(given.get(f"{PLACE}{unit}", "")) for unit in fight.options}
    stands = {unit: number for unit, at in named.items() if at != LET_GO and (number := _number(given.get(unit)))}
    return c.AnswerGod(stands, {unit: at for unit, at in named.items() if unit in stands and at})


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None


# Dispatcher of the commands of play: checks that a command is allowed now, runs it, and continues pending steps.

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
    GOD: _("First choose what the god’s answer does."),
}
NOT_WAITED = _("This answer isn’t needed now.")


def decide(run: Run, command: Any) -> None:
    """Execute a command of play and everything that follows from it. Raises a refusal if it isn't allowed."""
    try:
        command = plain(run.state, command) if isinstance(command, AnswerCommand) else command
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
        require(False, _("You can’t do this in this phase: {phase}."), **told)


type _Decider = Callable[[Run, Any], None]
DECIDED: Mapping[type, _Decider] = {
    c.GiveOrder: activation.order,
    c.ActivateUnits: activation.activate,
    c.EndPhase: lambda run, _command: turn.end_phase(run),
    c.MovePiece: marching_orders.move,
    c.AnnounceSpell: lambda run, command: spell_effects.announce(run, command.caster),
    c.OpenMelee: lambda run, command: melee.attack(run, overrides.piece(run.state, command.unit), command.target),
    c.OpenShot: lambda run, command: melee.shoot(run, overrides.piece(run.state, command.unit), command.target),
    c.PursueFoe: lambda run, command: melee.pursue(run, command.unit, command.target),
    c.FleeTo: lambda run, command: steps.answer(run, command.character, command.hex),
    c.CastSpell: lambda run, command: spell_effects.cast(run, command.caster, command.spell, command.targets),
    c.DeclineSpell: lambda run, command: spell_effects.decline(run, command.caster),
    c.TurnAttack: lambda run, command: undead.attack_again(
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


# Permissions: who may give which command (TF-9).

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
