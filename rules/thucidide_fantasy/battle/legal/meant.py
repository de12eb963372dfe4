"""The command a selection stands for, legal or not, so that a refusal can be explained."""

from __future__ import annotations

from typing import Any

from rules.battle_law import Selection
from rules.hexbattle.choosing import own_way
from rules.hexbattle.ground import apart
from rules.hexbattle.setup import Place
from rules.thucidide_fantasy.battle.factors import MELEE, SHOT
from rules.thucidide_fantasy.battle.legal.command_phase import HEXES, ORDER, WITH, given_order
from rules.thucidide_fantasy.battle.legal.magic import AIM, DECLINE, PLUS, SPELL
from rules.thucidide_fantasy.battle.legal.movement_phase import ANNOUNCE, CARRY, DOWN, STAY
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import CASTING, COMMANDING, FIGHTING_PHASE, MOVING, FantasyState
from rules.thucidide_fantasy.battle.spells.aiming import SEVERAL
from rules.thucidide_fantasy.battle.spells.casting import why_not_cast
from rules.thucidide_fantasy.spec import NOTHING


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
