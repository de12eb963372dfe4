"""Preview of the end of the running week if nobody decides anything more: the law itself, without dice.

Who is paid, who has no active commander and who deserts hinges on no die; what does (illness, Unrest, recovery
by a Loyalty check, taxes) is not foretold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from rules.core.dice import Roll
from rules.pathfinder.weeks.passage import PLANNED, CampaignArmies, pass_time
from rules.pathfinder.weeks.plan import TimePlan
from rules.pathfinder.weeks.proposal_report import KingdomWeek, Report
from rules.pathfinder.weeks.week_state import KingdomNow


class Foretold(NamedTuple):
    """One kingdom to the end of its week. BP: `treasury` today, `after` that day; `week`: what its armies meet with;
    `planned`: what comes and goes until then as it is planned.
    """

    treasury: int
    week: KingdomWeek
    after: int
    planned: int = 0

    @property
    def upkeep(self) -> int:
        """What the kingdom pays for itself until then."""
        return self.treasury + self.planned - self.after - self.week.spent

    @property
    def asked(self) -> int:
        """What everything costs that falls due until then, paid or not, less what comes in."""
        return self.upkeep - self.planned + max(self.week.spent, self.week.due + self.week.owed)

    @property
    def short(self) -> bool:
        """Whether an army goes without its week or its arrears."""
        return self.week.due + self.week.owed > max(0, self.week.purse)


class Unrolled:
    """Dice that nobody has cast."""

    def roll(self, army: str, name: str, die: int) -> Roll:
        return Roll(army, name, die, die // 2, "asked")

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


def foretell(kingdoms: Iterable[KingdomNow], troops: CampaignArmies, plan: TimePlan) -> dict[str, Foretold]:
    """By kingdom. The plan goes up to the end of the week that is running; `troops` may be spent on it."""
    kingdoms = list(kingdoms)
    report = Report(Unrolled(), detailed=False)
    after = pass_time(kingdoms, troops, plan, report)
    weeks = {week.kingdom: week for week in report.weeks}
    planned = planned_of(report)
    return {
        one.id: Foretold(one.treasury, weeks[one.id], after[one.id].treasury, planned.get(one.id, 0))
        for one in kingdoms
    }


def planned_of(report: Report) -> dict[str, int]:
    """By kingdom, what came and went as it was planned."""
    found: dict[str, int] = defaultdict(int)
    for change in report.changes:
        if change.field == "treasury" and change.rule == PLANNED:
            assert isinstance(change.before, int)
            assert isinstance(change.after, int)
            found[change.id] += change.after - change.before
    return found
