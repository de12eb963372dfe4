"""Legal commands of the combat phase: targets with their dice and chances."""

from __future__ import annotations

from collections.abc import Iterator

from rules.battle_law import Selection
from rules.core.text import _, say
from rules.core.viewers import Viewer
from rules.hexbattle.board import BoardLegal, Confirm, Target
from rules.hexbattle.tokens import by_name, commands
from rules.thucidide_fantasy.battle.combat.engagement import melee_targets, shot_targets, why_not_open
from rules.thucidide_fantasy.battle.combat.zeal import must_fight, prefers_blade
from rules.thucidide_fantasy.battle.factors import MELEE, SHOT
from rules.thucidide_fantasy.battle.legal.dangers import facts_of
from rules.thucidide_fantasy.battle.legal.pieces import ending, target_of
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.turn import forced

SLUGS = ("attack", "shoot", "end_phase")


def legal_combat(state: FantasyState, viewer: Viewer, selection: Selection) -> BoardLegal:
    """The targets of the picked unit or character; with nothing picked, the end of the phase."""
    own = [token for token in by_name(state.field.of_side(state.side)) if commands(viewer, token) and token.standing]
    able = tuple(token.id for token in own if can_open(state, token.id))
    if selection and selection[0] in able:
        return _picked(state, selection[0], selection[1:], BoardLegal(SLUGS, (selection[0],), able, turn=True))
    waiting = [state.name_in_side(unit) for unit in forced(state)]
    must = say(_("Still to attack: {names}"), names=waiting) if waiting else None
    done = None if waiting else ending(_("End the combat phase"), able)
    return BoardLegal(SLUGS, able=able, must=must, confirm=done, turn=True)


def can_open(state: FantasyState, piece: str) -> bool:
    if why_not_open(state, piece) is not None:
        return False
    at = state.at(piece)
    first = next(melee_targets(state, piece, at), None)
    return first is not None or next(shot_targets(state, piece, at), None) is not None


def targets(state: FantasyState, piece: str) -> Iterator[Target]:
    at = state.at(piece)
    yield from (target_of(state, piece, foe, at, MELEE) for foe in by_name(melee_targets(state, piece, at)))
    if piece in state.units and must_fight(state, piece) and prefers_blade(state, piece):
        return
    yield from (target_of(state, piece, foe, at, SHOT) for foe in by_name(shot_targets(state, piece, at)))


def _picked(state: FantasyState, piece: str, picks: Selection, found: BoardLegal) -> BoardLegal:
    options = tuple(targets(state, piece))
    how = next((one for one in picks if one in (MELEE, SHOT)), "")
    target = next((t for t in options if {t.target, t.at} & set(picks) and how in ("", t.how)), None)
    must = _("This unit has to attack.") if piece in state.units and must_fight(state, piece) else None
    found = found._replace(facts=facts_of(state, piece))
    if target is None:
        return found._replace(targets=options, must=must)
    command = (c.OpenShot if target.how == SHOT else c.OpenMelee)(piece, target.target)
    title = say(_("{unit}: {deed}"), unit=state.name_in_side(piece), deed=target.label)
    done = Confirm(command, title, target.label, throws=True, icon=target.icon)
    return found._replace(picked=(piece, "", target.target, target.how), targets=options, must=must, confirm=done)
