"""What passing days do to the armies of a campaign: by the law, and in their tables (PF-7, PF-8.4)."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Count, Q

from armies.fights import Deeds, deeds_of
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.models.army import STORED
from armies.pathfinder.time import rows
from armies.pathfinder.time.choices import read_choices, running_choices
from armies.pathfinder.time.proposal import WeekProposal, written
from armies.pathfinder.time.ranks import Ranks
from armies.time.passage import Passage
from kingdom.calendar import DAYS_A_WEEK
from kingdom.models import Campaign
from kingdom.selectors import ruleset_of
from rules.pathfinder.time import Plan, Report, pass_time
from rules.pathfinder.time.roster import Roster
from rules.pathfinder.time.state import week_end
from rules.text import _, say

NAMED = 500  # armies; beyond, lines are counted by kingdom and rule
ARMY_FIGURES = ("hp", "morale", "status", "arrears", "owed", "disease", "ill", "drain", "surcharge", "commander")


def propose(passage: Passage) -> WeekProposal:
    """What these days would do. Nothing stays written."""
    return _Passing(passage).propose()


def confirm(passage: Passage) -> WeekProposal:
    """The same, done in the armies' tables."""
    return _Passing(passage).confirm()


def _deeds(campaign: Campaign) -> Deeds:
    """What the armies did since the week began."""
    return deeds_of(campaign, campaign.day - campaign.day % DAYS_A_WEEK)


def _plan(passage: Passage, deeds: Deeds) -> Plan:
    campaign, choices = passage.campaign, passage.choices
    return Plan(
        since=passage.since,
        until=passage.until,
        months=frozenset(campaign.dates.month_starts(passage.since, passage.until)),
        choices=read_choices(campaign, choices),
        running=running_choices(campaign, choices),
        rallied=rows.rallied(campaign),
        fighting=deeds.fighting,
        fought=deeds.fought,
        half=ruleset_of(campaign).house.recovery_cap == "half",
    )


class _Passing:
    """One passage of time, proposed or done."""

    def __init__(self, passage: Passage):
        self._passage, self._campaign = passage, passage.campaign
        self._deeds = _deeds(passage.campaign)
        self._plan = _plan(passage, self._deeds)
        self._armies = rows.standing(self._campaign)
        self._kingdoms = rows.kingdoms_now(self._campaign)
        fed = Count("pk", filter=Q(foraging__isnull=False))
        self._seen = self._armies.aggregate(armies=Count("pk"), ill=Count("pk", filter=Q(ill=True)), fed=fed)
        self._named = self._seen["armies"] <= NAMED

    def propose(self) -> WeekProposal:
        if self._named:
            return self._by_the_law(Roster(rows.armies_now(self._armies, self._plan.since)))
        with transaction.atomic():  # a large campaign's tables reckon it, and forget it again
            proposal = self._in_the_tables()
            transaction.set_rollback(True)
        return proposal

    def confirm(self) -> WeekProposal:
        """The law says what happens, the tables do it; they may not come to another end."""
        if not self._named:
            return self._in_the_tables()
        list(self._armies.locked().values_list("pk"))
        muster = Roster(rows.armies_now(self._armies, self._plan.since))
        proposal = self._by_the_law(muster)
        self._in_the_tables()
        hold_to_the_law(muster)
        return proposal

    def _by_the_law(self, muster: Roster) -> WeekProposal:
        return self._pass(muster, detailed=True)

    def _in_the_tables(self) -> WeekProposal:
        ranks = Ranks(self._campaign, steps=self._passage.steps, **self._seen)
        return self._pass(ranks, detailed=self._named)

    def _pass(self, troops: Roster | Ranks, *, detailed: bool) -> WeekProposal:
        dice = self._passage.dice()
        report = Report(dice, detailed=detailed)
        self._warn(report)
        pass_time(self._kingdoms, troops, self._plan, report)
        dice.finish()
        return written(self._campaign, self._plan, report, grouped=not self._named)

    def _warn(self, report: Report) -> None:
        ids = [*self._plan.fighting][:NAMED]
        if names := self._armies.filter(pk__in=ids).order_by("name").values_list("name", flat=True):
            template = _(
                "In a battle: {armies}. No rest for them, and their battle does not see what time does to them."
            )
            report.warn(say(template, armies=", ".join(names)))
        unseen = self._plan.choices_of(week_end(self._plan.since)).feast - self._deeds.won
        for name in self._armies.filter(pk__in=unseen).order_by("name").values_list("name", flat=True):
            report.warn(say(_("No battle won by {army} this week is on record: were there corpses?"), army=name))


def hold_to_the_law(muster: Roster) -> None:
    """The tables are what the law says. Raises `AssertionError` otherwise, which takes everything back."""
    rows = PathfinderArmy.objects.filter(pk__in=muster.armies).values_list(
        "pk", *(STORED.get(name, name) for name in ARMY_FIGURES)
    )
    for pk, *figures in rows:
        army = muster.armies[str(pk)]
        figures[-1] = str(figures[-1]) if figures[-1] else None
        if figures != [getattr(army, name) for name in ARMY_FIGURES]:
            raise AssertionError(f"{army.id}: the table says {figures}, the law says {army}")
