"""What mass combat shows of its armies on the pages of campaigns and kingdoms."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from armies.pathfinder.selectors.offices import offices_of
from armies.pathfinder.selectors.people import kingdom_commanders, kingdom_stores
from armies.pathfinder.selectors.roster import kingdom_roster, roster
from armies.pathfinder.time.due import kingdom_due
from armies.pathfinder.time.outlook import outlook_of
from kingdom.charts import treasury_chart
from kingdom.models import Campaign, Kingdom, User
from kingdom.selectors import leave_of, reads_kingdom, run_kingdom_ids, runs_kingdom

Answer = tuple[str, dict[Any, Any]] | None


def nav(user: User, campaign: Campaign) -> Answer:
    """The unit types, among the campaign's pages."""
    return "armies/pathfinder/panels/nav.html", {"campaign": campaign}


def realms(user: User, campaign: Campaign) -> Answer:
    """The roster of each kingdom, on the campaign page."""
    lines = roster(user, campaign)
    own, may = run_kingdom_ids(user, campaign), leave_of(user, campaign)
    contexts: dict[UUID, dict[str, Any]] = {
        pk: {"lines": lines.get(pk, []), "runs": pk in own, "kingdom_id": pk, "may": may} for pk in {*lines, *own}
    }
    return "armies/pathfinder/panels/roster.html", contexts


def kingdom(user: User, kingdom: Kingdom) -> Answer:
    """The roster and the commanders, on the kingdom's page."""
    context = {
        "kingdom": kingdom,
        "kingdom_id": kingdom.pk,
        "lines": kingdom_roster(user, kingdom),
        "commanders": kingdom_commanders(user, kingdom),
        "stores": kingdom_stores(user, kingdom),
        "runs": runs_kingdom(user, kingdom),
        "may": leave_of(user, kingdom.campaign),
    }
    return "armies/pathfinder/panels/kingdom.html", context


def offices(user: User, kingdom: Kingdom) -> Answer:
    """Who holds which office, on the kingdom's page."""
    return "armies/pathfinder/panels/offices.html", offices_of(kingdom)._asdict()


def outlook(user: User, kingdom: Kingdom) -> Answer:
    """The treasury past and to come, and what the next defeat would cost, on the kingdom's page."""
    found = outlook_of(kingdom)
    past = [(week.balance, week.paid) for week in found.past]
    chart = treasury_chart(past, kingdom.treasury, [(week.balance, week.due) for week in found.ahead])
    missing = -found.empty_in.balance if found.empty_in else 0
    return "armies/pathfinder/panels/outlook.html", {"outlook": found, "chart": chart, "missing": missing}


def kingdom_actions(user: User, kingdom: Kingdom) -> Answer:
    if not (runs_kingdom(user, kingdom) and leave_of(user, kingdom.campaign)["raise"].offered):
        return None
    return "armies/pathfinder/panels/kingdom_actions.html", {"kingdom": kingdom}


def treasury(user: User, kingdom: Kingdom) -> Answer:
    """How many weeks the treasury lasts."""
    if not reads_kingdom(user, kingdom):
        return None
    return "armies/pathfinder/panels/treasury.html", {"due": kingdom_due(kingdom), "outlook": outlook_of(kingdom)}


PANELS = (
    ("nav", nav, 0),
    ("realms", realms, 0),
    ("kingdom", kingdom, 0),
    ("kingdom", outlook, 1),
    ("kingdom", offices, 2),
    ("kingdom-actions", kingdom_actions, 0),
    ("treasury", treasury, 0),
)
