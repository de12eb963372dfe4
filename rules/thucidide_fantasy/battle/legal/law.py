"""Legal commands of a whole battle: setup, questions, the phases of a player turn, combat among them, and the command
that a selection stands for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.battle_law import Selection
from rules.core.text import _, say
from rules.core.viewers import Viewer
from rules.hexbattle import choosing
from rules.hexbattle.board import Act, BoardLegal, Confirm, Target
from rules.hexbattle.choosing import own_way
from rules.hexbattle.field import by_name, commands
from rules.hexbattle.ground import apart
from rules.hexbattle.seeing import sides_of
from rules.hexbattle.setup import Place
from rules.thucidide_fantasy.battle import decide
from rules.thucidide_fantasy.battle.combat.engagement import (
    melee_targets,
    must_fight,
    prefers_blade,
    shot_targets,
    why_not_open,
)
from rules.thucidide_fantasy.battle.combat.steps import FLEE
from rules.thucidide_fantasy.battle.decide import question
from rules.thucidide_fantasy.battle.factors import MELEE, SHOT
from rules.thucidide_fantasy.battle.legal.command_phase import HEXES, ORDER, WITH, given_order, legal_command
from rules.thucidide_fantasy.battle.legal.magic import AIM, DECLINE, PLUS, SPELL, legal_spells
from rules.thucidide_fantasy.battle.legal.movement_phase import ANNOUNCE, CARRY, DOWN, STAY, legal_movement
from rules.thucidide_fantasy.battle.legal.pieces import confirm, ending, facts_of, target_of
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import CASTING, COMMANDING, FIGHTING_PHASE, MOVING, FantasyState
from rules.thucidide_fantasy.battle.spells.aiming import SEVERAL
from rules.thucidide_fantasy.battle.spells.spell_effects import why_not_cast
from rules.thucidide_fantasy.battle.turn import forced
from rules.thucidide_fantasy.spec import NOTHING

# The command a selection stands for, legal or not, so that a refusal can be explained.


def command_meant(state: FantasyState, selection: Selection) -> Any:
    """The command the picks stand for; None if they don't make one yet."""
    picks = [pick for pick in selection if pick]
    if state.fight is not None or not picks:
        return None
    piece = picks[0] if picks[0] in state.field.tokens else ""
    return MEANT[state.phase](state, piece, picks[bool(piece) :])


def _after(picks: list[str], start: str) -> list[str]:
    return [pick.removeprefix(start) for pick in picks if pick.startswith(start)]


def _hex(state: FantasyState, picks: list[str]) -> str:
    return next((pick for pick in picks if pick in state.field.ground), "")


def _commanded(state: FantasyState, piece: str, picks: list[str]) -> Any:
    order = next((pick for pick in picks if pick.startswith(ORDER)), "")
    if order:
        hexes = [int(one) for one in _after(picks, HEXES) if one.isdecimal()]
        return given_order(order, piece, max(hexes, default=1))
    among = _after(picks, WITH)
    if among:
        people = tuple(one for one in among if one in state.people)
        return c.ActivateUnits(piece or None, tuple(one for one in among if one not in people), people)
    at = _hex(state, picks)
    return Place(piece, at) if piece and at and state.token(piece).waiting else None


def _moved(state: FantasyState, piece: str, picks: list[str]) -> Any:
    if piece and ANNOUNCE in picks:
        return c.AnnounceSpell(piece)
    at = _hex(state, picks)
    if not piece or not at:
        return None
    load, down = next(iter(_after(picks, CARRY)), ""), next(iter(_after(picks, DOWN)), "")
    carry = c.CarryLoad(load, down) if load and down else None
    path = own_way(picks) or ()
    return c.MovePiece(piece, path, "" if path else at, carry=carry, stay=tuple(_after(picks, STAY)))


def _fought(state: FantasyState, piece: str, picks: list[str]) -> Any:
    foe = _target(state, picks)
    if not piece or not foe:
        return None
    beside = apart(state.at(piece), state.at(foe)) <= 1
    how = next((pick for pick in picks if pick in (MELEE, SHOT)), MELEE if beside else SHOT)
    return (c.OpenShot if how == SHOT else c.OpenMelee)(piece, foe)


def _target(state: FantasyState, picks: list[str]) -> str:
    """A picked unit or character on the map; "" for none."""
    return next((pick for pick in picks if pick in state.field.tokens and state.standing(pick)), "")


def _cast(state: FantasyState, piece: str, picks: list[str]) -> Any:
    if not piece:
        return None
    if DECLINE in picks:
        return c.DeclineSpell(piece)
    slug = next((one for one in _after(picks, SPELL) if one in state.options.spells), "")
    if not slug:
        foe = _target(state, picks)
        return c.TurnAttack(piece, foe) if foe and piece in state.units else None
    on = state.options.spells[slug].on
    named = tuple(pick for pick in picks if pick in state.field.tokens or pick in state.field.ground)
    parts = tuple(part for one in _after(picks, AIM)[:1] for part in one.split(PLUS))
    if not named and on != NOTHING and why_not_cast(state, piece) is None:
        return None
    return c.CastSpell(piece, slug, named if on in SEVERAL else (*named[:1], *parts))


MEANT = {COMMANDING: _commanded, MOVING: _moved, FIGHTING_PHASE: _fought, CASTING: _cast}


# Legal commands of the combat phase: targets with their dice and chances.

SLUGS = ("attack", "shoot", "end_phase")


def legal_combat(state: FantasyState, viewer: Viewer, selection: Selection) -> BoardLegal:
    """The targets of the picked unit or character; with nothing picked, the end of the phase."""
    own = [token for token in by_name(state.field.of_side(state.side)) if commands(viewer, token) and token.standing]
    able = tuple(token.id for token in own if can_open(state, token.id))
    if selection and selection[0] in able:
        return _picked(state, selection[0], selection[1:], BoardLegal(SLUGS, (selection[0],), able, turn=True))
    waiting = [state.name_in_side(unit) for unit in forced(state)]
    must = say(_("Still to attack: {names}"), names=waiting) if waiting else None
    done = None if waiting else ending(state, viewer, _("End the combat phase"), able)
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


# Legal commands of a whole battle: setup, questions, and the phases of a player turn.

GM_COMMANDS = ("override", "reinforce", "divine", "paint", "end")
OF_PHASES = {COMMANDING: legal_command, MOVING: legal_movement, FIGHTING_PHASE: legal_combat}


def legal_now(state: FantasyState, viewer: Viewer, selection: Selection) -> BoardLegal:
    """Legal commands of a viewer in play, given their picks."""
    more = GM_COMMANDS if viewer.gm else ()
    if state.fight is not None:
        return _answering(state, viewer, selection, more)
    if state.side not in sides_of(state.field, viewer):
        return BoardLegal(more)
    found = OF_PHASES.get(state.phase, legal_spells)(state, viewer, selection)
    return found._replace(commands=(*found.commands, *more)) if more else found


def _answering(state: FantasyState, viewer: Viewer, selection: Selection, more: tuple[str, ...]) -> BoardLegal:
    asked = question(state)
    assert asked is not None
    assert state.fight is not None
    if not decide.answers(state, viewer):
        return BoardLegal(more, must=asked.text)
    if state.fight.asks != FLEE:
        return BoardLegal(("answer", state.fight.asks, *more), must=asked.text, turn=True)
    person = state.fight.todo[0].unit
    found = choosing.legal((asked,), state.field, selection, ("flee", *more), _("Flee to {hex}"))
    picked = (person, *found.picked[1:])
    if found.confirm is None:
        return found._replace(picked=(person,))
    title = say(_("{unit}: flight to {hex}"), unit=state.name_in_side(person), hex=picked[1])
    confirm = found.confirm._replace(command=c.FleeTo(person, picked[1]), title=title)
    return found._replace(picked=picked, confirm=confirm)


# Setup


def legal_of_setup(state: FantasyState, viewer: Viewer, selection: Selection, found: BoardLegal) -> BoardLegal:
    """The choices of setup: placing, units a character can join, and what the GM may set."""
    own = [token for token in state.field.tokens.values() if commands(viewer, token)]
    slugs = found.commands
    if own:
        slugs = (*slugs, "attach", "choose_cards")
        if any(token.waiting and token.side not in state.field.ready for token in own):
            slugs = (*slugs, "line_up")
    if viewer.gm:
        slugs = (*slugs, "option", "edit_unit", "grant", "consent", "reveal", "seal", "victory", "name_general")
    found = found._replace(commands=slugs)
    token = next((token for token in own if selection and token.id == selection[0]), None)
    if token is None:
        return found
    if not token.character or token.side in state.field.ready:
        return found
    units = [unit for unit in state.field.of_side(token.side) if not unit.character and unit.at and unit.at != token.at]
    acts = tuple(
        Act(f"attach:{unit.id}", say(_("Join {unit}"), unit=state.name_in_side(unit.id)), "g-banner") for unit in units
    )
    chosen = next((act for act in acts if act.slug in selection[1:]), None)
    acts = (*found.acts, *acts)
    if chosen is None:
        return found._replace(acts=acts)
    command = c.AttachCharacter(token.id, chosen.slug.removeprefix("attach:"))
    return found._replace(acts=acts, picked=(token.id, "", "", chosen.slug), confirm=confirm(command, chosen.label))
