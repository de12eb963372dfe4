"""Workshop of breaking point: the odds of battles nobody fights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.breaking_point.battle.battle_state import BattleNow, FieldMark, Opening
from rules.breaking_point.spec import Host, House
from rules.breaking_point.workshop.dials import dials
from rules.breaking_point.workshop.levers import levers
from rules.breaking_point.workshop.setting import MatchUp, Plan, begun, check_match_up, meetings
from rules.core.workshop import Dial, Lever, WorkshopLaw


@dataclass(frozen=True, slots=True)
class HostWorkshop(WorkshopLaw):
    house: House
    known = True
    thrown, swept, at_once, most_pairs = 2000, 1000, 10, 5_000

    def question(self, opening: Opening, bearings: Mapping[str, Plan]) -> MatchUp:
        return MatchUp(self.house, opening, bearings)

    def check(self, question: MatchUp) -> None:
        check_match_up(question)

    def begun(self, question: MatchUp) -> BattleNow:
        return begun(question)

    def meetings(self, first: Host, others: Sequence[Host], field: tuple[FieldMark, ...]) -> Sequence[BattleNow]:
        return meetings(self.house, first, others, field)

    def levers(self, question: MatchUp) -> Sequence[Lever]:
        return levers(question)

    def dials(self, question: MatchUp) -> Sequence[Dial]:
        return dials(question)
