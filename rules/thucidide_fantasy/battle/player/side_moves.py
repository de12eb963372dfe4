"""Moves of the engine player as the frame asks for them: the next command of a side, in setup and in play.

It foretells nothing: a battle played to its end takes 20 to 60 milliseconds, and a forecast needs hundreds of them
(docs/thucidide-fantasy.md).
"""

from __future__ import annotations

from random import Random
from typing import Any

from rules.core.odds import BALANCED, BOLD, CAUTIOUS, RECKLESS, Leaning, OddsLaw, Proposal
from rules.core.text import Said, Term, _
from rules.core.viewers import Viewer
from rules.hexbattle.common import army_of
from rules.hexbattle.setup import Place, SetReady
from rules.thucidide_fantasy.battle.paces import may_stand
from rules.thucidide_fantasy.battle.player.engine_choice import next_command
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import COMMANDING, FantasyState

MEANT: dict[Leaning, Term] = dict.fromkeys(
    (BALANCED, CAUTIOUS, BOLD, RECKLESS), _("lines its units up, then does what promises most")
)
BEST = _("the best of what it can do")
WHY: dict[type, Said] = {
    c.DeployArmies: _("its units are lined up"),
    SetReady: _("all its units stand"),
    c.ActivateUnits: _("these units can do most"),
    c.GiveOrder: _("the order that gains most"),
    c.AnnounceSpell: _("a spell does more than a move"),
    c.EndPhase: _("nothing more to do in this phase"),
}


class FantasyMoves(OddsLaw):
    """Plays a side command by command (F-7)."""

    commands = by_turns = True
    meant = MEANT

    def moves(self, state: FantasyState, side: int, leaning: Leaning, viewer: Viewer, seed: str) -> Proposal | None:
        found = self._next(state, side, viewer, seed)
        if found is None:
            return None
        return Proposal(_army(state, side, found), found, WHY.get(type(found), BEST))

    def _next(self, state: FantasyState, side: int, viewer: Viewer, seed: str) -> Any | None:
        if not state.field.started:
            return _set_up(state, side)
        return _arriving(state, side) or next_command(state, viewer, Random(seed))


def _set_up(state: FantasyState, side: int) -> Any | None:
    """Places, then ready; None once that is said."""
    if side in state.field.ready:
        return None
    waiting = [token for token in state.field.of_side(side) if token.waiting]
    if waiting:
        return c.DeployArmies(tuple(dict.fromkeys(token.army for token in waiting)))
    return SetReady(side)


def _arriving(state: FantasyState, side: int) -> Any | None:
    """A reinforcement that may enter now, where there is room."""
    if state.field.ended or state.fight is not None or state.side != side or state.phase != COMMANDING:
        return None
    for token in state.field.of_side(side):
        if token.waiting:
            line = state.field.ground.home_edge(side)
            at = next((at for at in line if may_stand(state, token.id, at)), "")
            return Place(token.id, at) if at else None
    return None


def _army(state: FantasyState, side: int, command: Any) -> str:
    """Whose command it is."""
    for name in ("unit", "caster", "character", "leader"):
        piece = getattr(command, name, "")
        if piece:
            return army_of(piece)
    return next(army for army, own in state.field.armies.items() if own == side)
