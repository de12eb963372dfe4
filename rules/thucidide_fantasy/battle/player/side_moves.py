"""Computer player of a side (`OddsLaw`): its next command in setup and in play.

Odds are found by simulation.
"""

from __future__ import annotations

from random import Random
from typing import Any

from rules.battle_law import Summary
from rules.core.odds import BALANCED, BOLD, CAUTIOUS, RECKLESS, Leaning, Proposal
from rules.core.text import Said, Term, _
from rules.core.viewers import Viewer
from rules.hexbattle.common import army_of
from rules.hexbattle.playing import PlayedOdds, SeededDice, SideViewers
from rules.hexbattle.setup import SetReady
from rules.thucidide_fantasy.battle.player import playing_out
from rules.thucidide_fantasy.battle.player.engine_choice import next_command
from rules.thucidide_fantasy.battle.player.playing_out import arriving
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.telling.summary import summary_of

MEANT: dict[Leaning, Term] = dict.fromkeys(
    (BALANCED, CAUTIOUS, BOLD, RECKLESS), _("places its units, then picks the most promising action")
)
BEST = _("its best action")
WHY: dict[type, Said] = {
    c.DeployArmies: _("its units are being placed"),
    SetReady: _("all its units are placed"),
    c.ActivateUnits: _("these units are the most useful"),
    c.GiveOrder: _("the most useful order"),
    c.AnnounceSpell: _("a spell is more useful than a move"),
    c.EndPhase: _("nothing left to do in this phase"),
}


class FantasyMoves(PlayedOdds):
    """Plays a side command by command (F-7), and simulates battles to their end."""

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
        return arriving(state, side) or next_command(state, viewer, Random(seed))

    def believed(self, seen: FantasyState, viewer: Viewer, random: Random) -> FantasyState:
        return playing_out.believed(seen, viewer, random)

    def step(self, state: FantasyState, viewers: SideViewers, random: Random, dice: SeededDice) -> FantasyState | None:
        return playing_out.step(state, viewers, random, dice)

    def told(self, state: FantasyState) -> Summary:
        return summary_of(state)


def _set_up(state: FantasyState, side: int) -> Any | None:
    """The next setup command: place units, then declare ready; None after that."""
    if side in state.field.ready:
        return None
    waiting = [token for token in state.field.of_side(side) if token.waiting]
    if waiting:
        return c.DeployArmies(tuple(dict.fromkeys(token.army for token in waiting)))
    return SetReady(side)


def _army(state: FantasyState, side: int, command: Any) -> str:
    """The army a command belongs to."""
    for name in ("unit", "caster", "character", "leader"):
        piece = getattr(command, name, "")
        if piece:
            return army_of(piece)
    return next(army for army, own in state.field.armies.items() if own == side)
