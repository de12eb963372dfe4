"""Queries for what is due in a campaign, the outlook of a kingdom, the last passage of time, and the day of an event up
to which time can pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from armies.models import Army
from armies.weeks.army_moves import returns_due
from armies.weeks.passage import DueLine, TimeEvent, TimeProposal, TimeStop, planned_due
from armies.weeks.ruleset_weeks import get_weeks_ui
from armies.weeks.services import propose_time
from armies.weeks.treasury_outlook import TreasuryOutlook, far_ahead, list_past_weeks
from core.clean_input import DAY_MAX
from kingdom.campaign.queries import kingdoms_read
from kingdom.models import Campaign, ChronicleEntry, Kingdom, User
from kingdom.models.calendar import DAYS_A_WEEK
from kingdom.realms.planned_queries import Planned, planned_of
from rules.core.errors import InvalidInput
from rules.core.text import Term, _, say
from rules.treasury_projection import Outgoings

# Queries for what is due in a campaign, and for its last passage of time.


def list_due(user: User, campaign: Campaign) -> list[DueLine]:
    """Due lines of the kingdoms the user may read, soonest first. A constant number of queries."""
    return list_due_of(campaign, kingdoms_read(user, campaign))


def list_due_of(campaign: Campaign, kingdoms: Sequence[Kingdom]) -> list[DueLine]:
    """Due lines of these kingdoms, soonest first, without a check of permission."""
    life = get_weeks_ui(campaign)
    found = [*life.due(campaign, kingdoms), *returns_due(campaign, kingdoms, life), *planned_due(campaign, kingdoms)]
    return sorted(found, key=lambda line: line.day)


class WeeksAhead(NamedTuple):
    """`upkeep`: BP per week of all armies together; `armies`: their number."""

    kingdom: Kingdom
    armies: int
    upkeep: int
    planned: Planned
    treasury: TreasuryOutlook
    due: tuple[DueLine, ...]

    @property
    def pays(self) -> bool:
        """Whether the treasury changes by itself."""
        return bool(self.upkeep or self.planned.sums) and not self.kingdom.without_treasury


def weeks_ahead_of(kingdom: Kingdom, owed: Mapping[str, int]) -> WeeksAhead:
    """The outlook, for readers of the kingdom. `owed`: upkeep of each kingdom for a week, in BP by its id. A constant
    number of queries.
    """
    upkeep = 0 if kingdom.without_treasury else owed.get(str(kingdom.pk), 0)
    costs = Outgoings(weekly=upkeep)
    return WeeksAhead(
        kingdom=kingdom,
        armies=Army.objects.filter(kingdom=kingdom, status__in=Army.STANDING).count(),
        upkeep=upkeep,
        planned=planned_of(kingdom),
        treasury=TreasuryOutlook(kingdom, costs, list_past_weeks(kingdom), far_ahead(kingdom, costs)),
        due=tuple(list_due_of(kingdom.campaign, [kingdom])),
    )


def last_passage(campaign: Campaign) -> ChronicleEntry | None:
    """Chronicle entry of the last passage of time that is not undone."""
    entries = ChronicleEntry.objects.filter(campaign=campaign, kind=ChronicleEntry.Kind.WEEK, undone_at=None)
    return entries.order_by("-seq").first()


def names_of_rollers(campaign: Campaign) -> dict[str, str]:
    """Names of everything that may roll dice, by id."""
    armies = Army.objects.filter(campaign=campaign, status__in=Army.STANDING)
    rows = [*campaign.kingdoms.values_list("pk", "name"), *armies.values_list("pk", "name")]
    return {str(pk): name for pk, name in rows}


# Search for the day of an event up to which time can pass: an arrival, a recovery, an empty treasury.
#
# It uses a proposal of the coming weeks, with the server's dice and without later decisions. An ordinary proposal of
# the days found then shows what they do.

MOST_WEEKS = 52
NOTHING: Mapping[TimeStop, Term] = {
    TimeStop.ARRIVAL: _("No army arrives in the next {weeks} weeks. Choose how many days to advance."),
    TimeStop.RECOVERY: _(
        "No army recovers and no commander returns in the next {weeks} weeks. Choose how many days to advance."
    ),
    TimeStop.EMPTY_TREASURY: _("No treasury runs out in the next {weeks} weeks. Choose how many days to advance."),
}
TOO_MANY = _("This campaign has too many armies to look for one that recovers. Choose how many days to advance.")


def find_days(*, by: User, campaign: Campaign, stop: TimeStop, choices: Mapping[str, Any] | None = None) -> int:
    """Days from today to the first of these events (GM). Raises `InvalidInput` where there is none."""
    most = max(1, min(MOST_WEEKS * DAYS_A_WEEK, DAY_MAX - campaign.day))
    proposal = propose_time(by=by, campaign=campaign, days=most, choices=choices)
    if events := list_events(proposal, stop):
        return events[0].day - campaign.day
    if stop == TimeStop.RECOVERY and proposal.grouped:
        raise InvalidInput(TOO_MANY, "/to")
    raise InvalidInput(say(NOTHING[stop], weeks=MOST_WEEKS), "/to")


def list_events(proposal: TimeProposal, stop: TimeStop) -> list[TimeEvent]:
    """Events of this kind, soonest first."""
    return sorted((event for event in proposal.events if event.kind == stop), key=lambda event: event.day)
