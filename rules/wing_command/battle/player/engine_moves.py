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
from rules.wing_command.battle.player import playing_out
from rules.wing_command.battle.player.engine_choice import next_command
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record.state import HostState
from rules.wing_command.battle.telling.summary import summary_of
from rules.wing_command.spec import ADVANCE, ATTACK

OPENS_WITH = {BOLD: ATTACK, RECKLESS: ATTACK, CAUTIOUS: ADVANCE}
"""The opening order of every wing, by leaning; with other leanings, wings keep their army's order."""
MEANT: dict[Leaning, Term] = {
    BALANCED: _("keeps the orders of its armies, then picks the most promising action"),
    CAUTIOUS: _("lets each wing advance, and attack once an enemy is near"),
    BOLD: _("lets each wing attack from the first turn"),
    RECKLESS: _("lets each wing attack from the first turn"),
}
BEST = _("its best action")
WHY: dict[type, Said] = {
    c.LineUp: _("its units are being placed"),
    SetReady: _("all its units are placed"),
    c.Distribute: _("some units act better with a special order"),
    c.GiveOrder: _("the most useful special order"),
    c.EndDistribution: _("no order is worth its points"),
    c.PassCommand: _("no more commands"),
    c.TakeWing: _("the wing closest to the enemy acts first"),
    c.EndWing: _("nothing left for this wing"),
}


class WingMoves(PlayedOdds):
    """Plays a side command by command (F-7), and simulates battles to their end."""

    commands = by_turns = True
    meant = MEANT

    def moves(self, state: HostState, side: int, leaning: Leaning, viewer: Viewer, seed: str) -> Proposal | None:
        began = state.field.started
        found = next_command(state, viewer, Random(seed)) if began else _set_up(state, side, leaning)
        if found is None:
            return None
        return Proposal(_army(state, side, found), found, WHY.get(type(found), BEST))

    def believed(self, seen: HostState, viewer: Viewer, random: Random) -> HostState:
        return playing_out.believed(seen, viewer, random)

    def step(self, state: HostState, viewers: SideViewers, random: Random, dice: SeededDice) -> HostState | None:
        return playing_out.step(state, viewers, random, dice)

    def told(self, state: HostState) -> Summary:
        return summary_of(state)


def _set_up(state: HostState, side: int, leaning: Leaning) -> Any | None:
    """The next setup command: orders, then placing, then ready; None after that."""
    if side in state.field.ready:
        return None
    opens = OPENS_WITH.get(leaning, "")
    for wing in state.wings_of(side):
        if opens and wing.order != opens:
            return c.SetOrder(wing.id, opens)
    waiting = [unit for unit in state.field.of_side(side) if unit.waiting]
    if waiting:
        return c.LineUp(tuple(dict.fromkeys(unit.army for unit in waiting)))
    return SetReady(side)


def _army(state: HostState, side: int, command: Any) -> str:
    """The army a command belongs to."""
    unit = getattr(command, "unit", "") or getattr(command, "character", "")
    if unit:
        return army_of(unit)
    return getattr(command, "wing", "") or state.wing or state.wings_of(side)[0].id
