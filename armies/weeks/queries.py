"""Queries for what is due in a campaign, and for its last passage of time."""

from __future__ import annotations

from armies.models import Army
from armies.weeks.arrivals import returns_due
from armies.weeks.due import DueLine
from armies.weeks.ruleset_weeks import get_weeks_ui
from armies.weeks.treasuries import planned_due
from kingdom.campaign.queries import kingdoms_read
from kingdom.models import Campaign, ChronicleEntry, User


def list_due(user: User, campaign: Campaign) -> list[DueLine]:
    """Due lines of the kingdoms the user may read, soonest first. A constant number of queries."""
    life = get_weeks_ui(campaign)
    kingdoms = kingdoms_read(user, campaign)
    found = [*life.due(campaign, kingdoms), *returns_due(campaign, kingdoms, life), *planned_due(campaign, kingdoms)]
    return sorted(found, key=lambda line: line.day)


def last_passage(campaign: Campaign) -> ChronicleEntry | None:
    """Chronicle entry of the last passage of time that is not undone."""
    entries = ChronicleEntry.objects.filter(campaign=campaign, kind=ChronicleEntry.Kind.WEEK, undone_at=None)
    return entries.order_by("-seq").first()


def names_of_rollers(campaign: Campaign) -> dict[str, str]:
    """Names of everything that may roll dice, by id."""
    armies = Army.objects.filter(campaign=campaign, status__in=Army.STANDING)
    rows = [*campaign.kingdoms.values_list("pk", "name"), *armies.values_list("pk", "name")]
    return {str(pk): name for pk, name in rows}
