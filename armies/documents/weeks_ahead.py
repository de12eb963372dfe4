"""Outlook of a kingdom whose armies have a declared document: upkeep, planned entries, and what is due."""

from __future__ import annotations

from typing import NamedTuple

from armies.documents.weeks import REST_RULE, UPKEEP_RULE, upkeep_of
from armies.models import Army, rows_of
from armies.ruleset_ui import Panel
from armies.weeks.passage import DueLine
from armies.weeks.queries import list_due_of
from kingdom.contributions import SlotPanel
from kingdom.models import Kingdom, User
from kingdom.realms.planned_queries import Planned, planned_of
from kingdom.rendering import ListLook


class WeeksAhead(NamedTuple):
    """`upkeep`: BP per week of all armies together; `armies`: their number; `routed`: armies that fled."""

    kingdom: Kingdom
    armies: int
    upkeep: int
    planned: Planned
    routed: tuple[Army, ...]
    due: tuple[DueLine, ...]


def weeks_ahead_of(kingdom: Kingdom) -> WeeksAhead:
    """The outlook, for readers of the kingdom. A constant number of queries."""
    campaign = kingdom.campaign
    armies = list(rows_of(Army).filter(kingdom=kingdom, status__in=Army.STANDING).order_by("pk"))
    return WeeksAhead(
        kingdom=kingdom,
        armies=len(armies),
        upkeep=0 if kingdom.without_treasury else upkeep_of(campaign).get(str(kingdom.pk), 0),
        planned=planned_of(kingdom),
        routed=tuple(army for army in armies if army.status == Army.Status.ROUTED),
        due=tuple(list_due_of(campaign, [kingdom])),
    )


def outlook(user: User, kingdom: Kingdom, look: ListLook) -> Panel:
    """Panel of the weeks ahead, on a page of the kingdom."""
    context = {"outlook": weeks_ahead_of(kingdom), "upkeep_rule": UPKEEP_RULE, "rest_rule": REST_RULE}
    return "armies/documents/outlook.html", context


OUTLOOK = SlotPanel("outlook", outlook)
