"""GM tools on a battle's page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from battles.models import Battle
from battles.opponents.queries import OFFERED, SideHead, list_sides
from battles.play import battle_state as play_battle_state
from battles.ruleset_ui import Onward, get_battle_ui
from battles.setup.reserves import reserves_of
from rules.core.text import Said, say
from rules.law import RUNNING, SETUP, Summary


@dataclass(frozen=True)
class Desk:
    """What the GM can do now. `commands` are those of the law; `own` is what its tools need to be drawn."""

    battle: Battle
    state: Any
    commands: tuple[str, ...]
    summary: Summary
    own: Any

    @property
    def onward(self) -> list[tuple[str, Onward, Said]]:
        """The commands that carry the battle on and can be given now, each with its button and what that says."""
        known = get_battle_ui(play_battle_state.get_law(self.battle)).onward
        return [
            (kind, known[kind], say(known[kind].label, phase=self.summary.stage.label))
            for kind in known
            if kind in self.commands
        ]

    @cached_property
    def reserves(self) -> bool:
        """Whether an army could join: which, is searched."""
        return "reinforce" in self.commands and reserves_of(self.battle).exists()

    @cached_property
    def heads(self) -> tuple[SideHead, ...]:
        """Who commands which side, while the GM may let the engine do it."""
        fought = self.summary.status in (SETUP, RUNNING)
        known = fought and play_battle_state.get_engine(self.battle).forecast.commands
        return list_sides(self.battle, self.state) if known else ()

    @property
    def engines(self) -> tuple[SideHead, ...]:
        """The sides whose orders the engine proposes."""
        return tuple(head for head in self.heads if head.leaning)

    @cached_property
    def left(self) -> frozenset[str]:
        """The armies whose orders are left to the engine: nobody is waited for."""
        teams = self.summary.sides
        return frozenset(army for head in self.engines if head.left for army in teams[head.side].armies)

    leanings = OFFERED
