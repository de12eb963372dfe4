"""Outlook on weeks to come: the end of the current week, and the cost of a lost battle."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from rules.core.dice import Roll
from rules.pathfinder.spec import Size
from rules.pathfinder.weeks.passage import PLANNED, CampaignArmies, pass_time
from rules.pathfinder.weeks.week_state import KingdomNow, KingdomWeek, Report, TimePlan

# Cost of a lost battle (PF-6.1, PF-2.8).


@dataclass(frozen=True, slots=True)
class Loss:
    """Cost of an army's defeat to its kingdom: attributes (0 or less), and a ransom in BP. `spared` is the Consumption
    saved, in BP a week.
    """

    economy: int
    loyalty: int
    stability: int
    ransom: int = 0
    spared: int = 0

    def __add__(self, other: Loss) -> Loss:
        return Loss(
            self.economy + other.economy,
            self.loyalty + other.loyalty,
            self.stability + other.stability,
            self.ransom + other.ransom,
            self.spared + other.spared,
        )


NO_LOSS = Loss(0, 0, 0)


def loss_of(size: Size, *, consumption: int, led: bool) -> Loss:
    """Return the defeat row of the army's size (PF-1.2). A captured commander costs the army's Consumption as ransom
    (PF-2.8).
    """
    return Loss(*size.defeat, ransom=consumption if led else 0, spared=consumption)


def total_loss(losses: Iterable[Loss]) -> Loss:
    """Add up losses, for the worst case."""
    return sum(losses, NO_LOSS)


class Foretold(NamedTuple):
    """Forecast of one kingdom to the end of its week, in BP. `treasury` is today's, `after` that day's. `week` is its
    armies' week, `planned` the balance of planned lines.
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
        """Cost of everything due until then, paid or not, minus income."""
        return self.upkeep - self.planned + max(self.week.spent, self.week.due + self.week.owed)

    @property
    def short(self) -> bool:
        """Whether an army does not get its pay or its arrears."""
        return self.week.due + self.week.owed > max(0, self.week.purse)


class Unrolled:
    """Dice source that never rolls."""

    def roll(self, army: str, name: str, die: int) -> Roll:
        return Roll(army, name, die, die // 2, "asked")

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


def foretell(kingdoms: Iterable[KingdomNow], troops: CampaignArmies, plan: TimePlan) -> dict[str, Foretold]:
    """Return the forecast to the end of the current week, by kingdom, which is where the plan ends. `troops` may be
    modified.
    """
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
    """Return by kingdom the balance of planned lines."""
    found: dict[str, int] = defaultdict(int)
    for change in report.changes:
        if change.field == "treasury" and change.rule == PLANNED:
            assert isinstance(change.before, int)
            assert isinstance(change.after, int)
            found[change.id] += change.after - change.before
    return found
