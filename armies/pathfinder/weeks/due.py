"""Due payments at the end of the running week (PF-7.2, PF-2.7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from armies.pathfinder.weeks.aggregates import load_troop_totals
from armies.pathfinder.weeks.due_dates import deserters
from armies.pathfinder.weeks.outlook import far_ahead
from armies.pathfinder.weeks.week_choices import ChosenNames
from armies.pathfinder.weeks.week_preview import foresee
from kingdom.campaign.queries import kingdoms_read
from kingdom.models import Campaign, Kingdom, User
from rules.pathfinder.weeks.ahead import HORIZON, Foretold, Outgoings, weeks_paid
from rules.pathfinder.weeks.proposal_report import KingdomWeek

SHOWN = 6  # kingdoms on the campaign's page


@dataclass(frozen=True, slots=True)
class Due:
    """A kingdom's week as it comes if nobody decides anything more. `weekly`: what its armies cost (BP)."""

    kingdom: Kingdom
    foretold: Foretold
    weekly: int

    @property
    def week(self) -> KingdomWeek:
        return self.foretold.week

    @property
    def weeks_left(self) -> int | None:
        """Weeks that can be paid in full, as in its outlook; None: for years."""
        outgoings = Outgoings(self.weekly, self.kingdom.consumption)
        lasts = weeks_paid(far_ahead(self.kingdom, self.kingdom.campaign, outgoings, self.foretold))
        return lasts if lasts < HORIZON else None

    @property
    def trouble(self) -> bool:
        """Whether somebody goes unpaid, loses heart or leaves."""
        return self.foretold.short or bool(self.week.unpaid or self.week.losing or self.week.deserting)

    @property
    def deserters(self) -> str:
        """The armies that disband, by name as far as there are few."""
        return deserters(self.week)


class Dues(NamedTuple):
    """Of the kingdoms that pay armies some, those in trouble before the others; `rest`: how many are left out.
    `spent`: what all of them pay; `before` and `after`: what is in their treasuries together.
    """

    shown: list[Due]
    rest: int
    spent: int
    before: int
    after: int


def list_weekly_due(user: User, campaign: Campaign, chosen: ChosenNames | None = None) -> list[Due]:
    """The kingdoms the user reads, by name, with what their standing armies cost."""
    return dues_of(campaign, kingdoms_read(user, campaign), chosen)


def in_short(dues: Sequence[Due]) -> Dues:
    paying = sorted((due for due in dues if due.week.armies), key=lambda due: not due.trouble)
    return Dues(
        paying[:SHOWN],
        len(paying[SHOWN:]),
        spent=sum(due.week.spent for due in paying),
        before=sum(due.kingdom.treasury for due in paying),
        after=sum(due.foretold.after for due in paying),
    )


def dues_of(campaign: Campaign, kingdoms: Sequence[Kingdom], chosen: ChosenNames | None = None) -> list[Due]:
    """The same for these kingdoms, which have their settlements at hand."""
    troops = load_troop_totals(kingdoms)
    foretold = foresee(campaign, kingdoms, chosen, troops)
    return [Due(one, foretold[str(one.pk)], troops[one.pk].upkeep) for one in kingdoms]
