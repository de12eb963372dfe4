"""Threats to a unit: what enemies that are seen could do to it before it acts again."""

from __future__ import annotations

from rules.core.text import _, say
from rules.hexbattle.board import Threat
from rules.hexbattle.ground import apart
from rules.hexbattle.moving import Mover
from rules.hexbattle.threats import threats
from rules.hexbattle.tokens import Token
from rules.wing_command.battle.combat import Setting, sum_of, why_not_strike
from rules.wing_command.battle.legal.pieces import pieces, throw
from rules.wing_command.battle.movement import mover_of, pace_of, why_it_stays
from rules.wing_command.battle.record.state import ROUTED, HostState
from rules.wing_command.battle.situation import enemies
from rules.wing_command.spec import MELEE, MISSILE


def threats_to(state: HostState, unit: str, at: str) -> tuple[Threat, ...]:
    """The worst attack of each enemy on a unit that would stand on a hex."""
    if not at:
        return ()
    there = state if state.token(unit).at == at else state.but(field=state.field.put(unit, at=at))
    near = [foe for foe in enemies(state, state.side_of(unit)) if _near(there, foe, at)]

    def mover(foe: Token) -> Mover | None:
        return None if why_it_stays(there, foe.id) else mover_of(there, foe.id, pace_of(there, foe.id).points)

    def blow(foe: Token, source: str) -> Threat | None:
        return _blow(there, foe, source, unit)

    return threats(there.field, near, mover, blow)


def _near(state: HostState, foe: Token, at: str) -> bool:
    """Whether it could come near enough at all."""
    own = state.units[foe.id]
    return own.morale != ROUTED and apart(foe.at, at) <= pace_of(state, foe.id).points + max(1, own.own.range)


def _blow(state: HostState, foe: Token, source: str, unit: str) -> Threat | None:
    token, far = state.token(unit), apart(source, state.token(unit).at)
    if not 0 < far <= max(1, state.units[foe.id].own.range):
        return None
    for how in (MELEE, MISSILE):
        if (how == MISSILE or far == 1) and why_not_strike(state, foe.id, token, how, source) is None:
            total = sum_of(state, foe.id, unit, how, Setting(source)).total
            note = say(_("from {hex}"), hex=source)
            return Threat(foe.id, state.name_in_side(foe.id), note, throw(total), pieces(how, total))
    return None
