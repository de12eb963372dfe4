"""GM tools on a battle's page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from battles.field.table import format_names
from battles.models import Battle
from battles.opponents.queries import SideHead, list_leanings, list_sides, proposes
from battles.play import battle_state as play_battle_state
from battles.ruleset_ui import Onward, get_battle_ui
from battles.setup.eligible import reserves_of
from rules.core.text import Said, say
from rules.law import RUNNING, SETUP, Summary


class Playing(NamedTuple):
    """Names of the sides that the engine plays by itself, and whether it is paused. `trouble`: why, unless the GM
    paused it.
    """

    names: str
    paused: bool
    trouble: Said | None


@dataclass(frozen=True)
class Desk:
    """The GM's tools. `commands`: types of the legal commands. `own`: context of the ruleset's tools."""

    battle: Battle
    state: Any
    commands: tuple[str, ...]
    summary: Summary
    own: Any

    @property
    def onward(self) -> list[tuple[str, Onward, Said]]:
        """The legal commands that carry the battle on: type, button and label."""
        known = get_battle_ui(play_battle_state.get_law(self.battle)).onward
        return [
            (kind, known[kind], say(known[kind].label, phase=self.summary.stage.label))
            for kind in known
            if kind in self.commands
        ]

    @cached_property
    def reserves(self) -> bool:
        """Whether any army could join the battle."""
        return "reinforce" in self.commands and reserves_of(self.battle).exists()

    @cached_property
    def heads(self) -> tuple[SideHead, ...]:
        """Who commands each side, while the GM can assign sides to the engine."""
        fought = self.summary.status in (SETUP, RUNNING)
        known = fought and play_battle_state.get_engine(self.battle).forecast.commands
        return list_sides(self.battle, self.state) if known else ()

    @cached_property
    def by_turns(self) -> bool:
        """Whether the engine plays a side command by command."""
        return play_battle_state.get_engine(self.battle).forecast.by_turns

    @property
    def engines(self) -> tuple[SideHead, ...]:
        """Sides whose orders the engine proposes, without those it plays by itself."""
        return tuple(head for head in self.heads if proposes(head, by_turns=self.by_turns))

    @property
    def playing(self) -> Playing | None:
        """The sides that the engine plays by itself, where sides take turns; None where there are none."""
        played = [head for head in self.heads if head.leaning and head.left] if self.by_turns else []
        if not played:
            return None
        trouble = next((head.trouble for head in played if head.trouble), None)
        return Playing(format_names([head.name for head in played]), any(head.paused for head in played), trouble)

    @cached_property
    def left(self) -> frozenset[str]:
        """Ids of armies whose orders are left to the engine, so that nobody is awaited for them."""
        teams = self.summary.sides
        return frozenset(
            army for head in self.heads if head.left and not head.paused for army in teams[head.side].armies
        )

    @property
    def leanings(self) -> tuple[tuple[str, Said, Said], ...]:
        return list_leanings(play_battle_state.get_engine(self.battle))
