"""What the end of the running week brings if nobody decides anything more: the law itself, without dice.

Who is paid, who has no active commander and who deserts hinges on no die; what does (illness, Unrest, recovery
by a Loyalty check, taxes) is not foretold.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rules.dice import Roll

from .passage import Troops, pass_time
from .plan import Plan
from .report import KingdomWeek, Report
from .state import KingdomNow


class Foretold(NamedTuple):
    """One kingdom to the end of its week. BP: `treasury` today, `after` that day; `week`: what its armies meet with."""

    treasury: int
    week: KingdomWeek
    after: int

    @property
    def upkeep(self) -> int:
        """What the kingdom pays for itself until then."""
        return self.treasury - self.after - self.week.spent

    @property
    def asked(self) -> int:
        """What everything costs that falls due until then, paid or not."""
        return self.upkeep + max(self.week.spent, self.week.due + self.week.owed)

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


def foretell(kingdoms: Iterable[KingdomNow], troops: Troops, plan: Plan) -> dict[str, Foretold]:
    """By kingdom. The plan goes up to the end of the week that is running; `troops` may be spent on it."""
    kingdoms = list(kingdoms)
    report = Report(Unrolled(), detailed=False)
    after = pass_time(kingdoms, troops, plan, report)
    weeks = {week.kingdom: week for week in report.weeks}
    return {one.id: Foretold(one.treasury, weeks[one.id], after[one.id].treasury) for one in kingdoms}
