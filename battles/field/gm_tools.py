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
    """The sides the engine plays, by name; whether it is paused, and why, where it was not the GM."""

    names: str
    paused: bool
    trouble: Said | None


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

    @cached_property
    def by_turns(self) -> bool:
        """Whether the engine plays a side command by command."""
        return play_battle_state.get_engine(self.battle).forecast.by_turns

    @property
    def engines(self) -> tuple[SideHead, ...]:
        """The sides whose orders the engine proposes: not those it plays by itself."""
        return tuple(head for head in self.heads if proposes(head, by_turns=self.by_turns))

    @property
    def playing(self) -> Playing | None:
        """What the engine plays by itself, where sides take turns."""
        played = [head for head in self.heads if head.leaning and head.left] if self.by_turns else []
        if not played:
            return None
        trouble = next((head.trouble for head in played if head.trouble), None)
        return Playing(format_names([head.name for head in played]), any(head.paused for head in played), trouble)

    @cached_property
    def left(self) -> frozenset[str]:
        """The armies whose orders are left to the engine: nobody is waited for."""
        teams = self.summary.sides
        return frozenset(
            army for head in self.heads if head.left and not head.paused for army in teams[head.side].armies
        )

    @property
    def leanings(self) -> tuple[tuple[str, Said, Said], ...]:
        return list_leanings(play_battle_state.get_engine(self.battle))
