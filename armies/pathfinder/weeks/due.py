"""Due payments, checks and recoveries of the coming days (PF-7.2, PF-2.7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from armies.pathfinder.weeks.mapping import TroopTotals, load_troop_totals
from armies.pathfinder.weeks.outlook import far_ahead, foresee
from armies.pathfinder.weeks.week_choices import ChosenNames
from armies.weeks.due import DueLine
from kingdom.campaign.queries import kingdoms_read
from kingdom.models import Campaign, Kingdom, User
from rules.core.text import Said, _, say
from rules.pathfinder.weeks.ahead import HORIZON, Foretold, Outgoings, weeks_paid
from rules.pathfinder.weeks.week_state import KingdomWeek

# Due lines, before anybody lets time pass.


class DuePayments(NamedTuple):
    """A due line of a kingdom. `bad`: whether it means trouble."""

    day: int
    rule: str
    text: Said
    bad: bool


def falls_due(campaign: Campaign, kingdoms: Sequence[Kingdom]) -> Iterator[DueLine]:
    """Due lines of these kingdoms, which have their settlements loaded. A constant number of queries."""
    troops = load_troop_totals(kingdoms)
    foretold = foresee(campaign, kingdoms, troops=troops)
    for kingdom in kingdoms:
        yield from _of_kingdom(campaign, kingdom, foretold[str(kingdom.pk)], troops[kingdom.pk])


def _of_kingdom(campaign: Campaign, kingdom: Kingdom, foretold: Foretold, bodies: TroopTotals) -> Iterator[DueLine]:
    """Due lines of one kingdom."""
    month = _of_month(campaign, kingdom, bodies)
    for day, rule, text, bad in (*_of_week(foretold), *month, *_of_bodies(campaign, bodies)):
        yield DueLine(day, campaign.dates.date(day), kingdom, text, rule, bad)


def _of_week(foretold: Foretold) -> Iterator[DuePayments]:
    """The end of the running week without further decisions."""
    week = foretold.week
    if week.armies:
        yield DuePayments(week.day, "PF-7.2", _pay(week), foretold.short)
    if week.owed:
        yield DuePayments(week.day, "PF-7.2", say(_("Arrears owed: {bp} BP."), bp=week.owed), True)
    if week.unpaid:
        yield DuePayments(
            week.day, "PF-7.2", say(_("Unpaid armies: {count}. Morale −2 until paid."), count=week.unpaid), True
        )
    if week.losing:
        text = say(
            _("Armies without an active commander: {count}. Morale −1 each unless paid double."), count=week.losing
        )
        yield DuePayments(week.day, "PF-2.7", text, True)
    if week.doubled:
        text = say(_("Armies without an active commander, paid double: {count}."), count=week.doubled)
        yield DuePayments(week.day, "PF-2.7", text, False)
    if week.deserting:
        text = say(
            _("Armies disbanded by broken morale: {count} ({names})."), count=week.deserting, names=deserters(week)
        )
        yield DuePayments(week.day, "PF-1.9", text, True)


def deserters(week: KingdomWeek) -> str:
    """Names of the armies that will desert; only the first few."""
    return ", ".join((*week.deserters, *["…"][: week.deserting > len(week.deserters)]))


def _of_month(campaign: Campaign, kingdom: Kingdom, bodies: TroopTotals) -> Iterator[DuePayments]:
    month = campaign.dates.next_month(campaign.day)
    yield DuePayments(month, "PF-8.4", _upkeep(kingdom), kingdom.unrest >= 10)
    if bodies.routed:
        text = say(_("Routed armies: {count}. A Loyalty check for each."), count=bodies.routed)
        yield DuePayments(month, "PF-6.2", text, False)


def _of_bodies(campaign: Campaign, bodies: TroopTotals) -> Iterator[DuePayments]:
    tomorrow = campaign.day + 1
    if bodies.drained:
        yield DuePayments(
            tomorrow, "PF-7.3", say(_("Armies recovered from energy drain: {count}."), count=bodies.drained), False
        )
    if bodies.ill:
        text = say(_("Ill armies: {count}. −1 more each day and a Stability check."), count=bodies.ill)
        yield DuePayments(tomorrow, "PF-7.3", text, True)
    if bodies.recovering:
        text = say(_("Armies recovered from disease by then: {count}."), count=bodies.recovering)
        yield DuePayments(campaign.day + bodies.worst, "PF-7.3", text, False)


def _pay(week: KingdomWeek) -> Said:
    template = _("Consumption: {bp} BP for {count} armies (treasury {before} → {after}).")
    if week.armies == 1:
        template = _("Consumption: {bp} BP for one army (treasury {before} → {after}).")
    return say(template, bp=week.spent, count=week.armies, before=week.purse, after=week.purse - week.spent)


def _upkeep(kingdom: Kingdom) -> Said:
    if not kingdom.consumption:
        return _("Upkeep phase: Stability check.")
    return say(_("Upkeep phase: Stability check, Consumption of {bp} BP."), bp=kingdom.consumption)


SHOWN = 6  # kingdoms on the campaign's page


@dataclass(frozen=True, slots=True)
class Due:
    """The end of a kingdom's week without further decisions. `weekly`: BP that its armies cost."""

    kingdom: Kingdom
    foretold: Foretold
    weekly: int

    @property
    def week(self) -> KingdomWeek:
        return self.foretold.week

    @property
    def weeks_left(self) -> int | None:
        """Weeks that can be paid in full, as in the outlook; None for years."""
        outgoings = Outgoings(self.weekly, self.kingdom.consumption)
        lasts = weeks_paid(far_ahead(self.kingdom, self.kingdom.campaign, outgoings, self.foretold))
        return lasts if lasts < HORIZON else None

    @property
    def trouble(self) -> bool:
        """Whether armies will be unpaid, lose Morale or desert."""
        return self.foretold.short or bool(self.week.unpaid or self.week.losing or self.week.deserting)

    @property
    def deserters(self) -> str:
        """Names of the armies that will desert; only the first few."""
        return deserters(self.week)


class Dues(NamedTuple):
    """Kingdoms that pay armies, those in trouble first; `rest`: how many are left out. `spent`: what all of them pay;
    `before` and `after`: sums of their treasuries. In BP.
    """

    shown: list[Due]
    rest: int
    spent: int
    before: int
    after: int


def list_weekly_due(user: User, campaign: Campaign, chosen: ChosenNames | None = None) -> list[Due]:
    """The end of the week for kingdoms the user reads, by name."""
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
    """The same for these kingdoms, which have their settlements loaded."""
    troops = load_troop_totals(kingdoms)
    foretold = foresee(campaign, kingdoms, chosen, troops)
    return [Due(one, foretold[str(one.pk)], troops[one.pk].upkeep) for one in kingdoms]
