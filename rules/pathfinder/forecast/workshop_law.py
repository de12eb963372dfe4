"""Workshop of Pathfinder: the odds of battles nobody fights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.core.workshop import Dial, Lever, WorkshopLaw
from rules.pathfinder.battle.state.battle_state import BattleState, Opening, SetCondition
from rules.pathfinder.forecast.dials import dials
from rules.pathfinder.forecast.levers import levers
from rules.pathfinder.forecast.setting import Bearing, Setting, begun, check_setting, meetings
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.spec import ArmySpec


@dataclass(frozen=True, slots=True)
class Workshop(WorkshopLaw):
    law: Rulebook
    known = True

    def question(self, opening: Opening, bearings: Mapping[str, Bearing]) -> Setting:
        return Setting(self.law, opening, bearings)

    def check(self, question: Setting) -> None:
        check_setting(question)

    def begun(self, question: Setting) -> BattleState:
        return begun(question)

    def meetings(
        self, first: ArmySpec, others: Sequence[ArmySpec], field: tuple[SetCondition, ...]
    ) -> Sequence[BattleState]:
        return meetings(self.law, first, others, field)

    def levers(self, question: Setting) -> Sequence[Lever]:
        return levers(question)

    def dials(self, question: Setting) -> Sequence[Dial]:
        return dials(question)
