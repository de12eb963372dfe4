"""What mass combat shows of its armies on the pages of campaigns and kingdoms."""

from __future__ import annotations

from armies.faces import Panel
from armies.panels import rosters
from armies.pathfinder.selectors.offices import offices_of
from armies.pathfinder.selectors.people import kingdom_commanders, kingdom_stores
from armies.pathfinder.selectors.roster import kingdom_roster, roster
from armies.pathfinder.time.due import kingdom_due
from armies.pathfinder.time.outlook import outlook_of
from kingdom.charts import treasury_chart
from kingdom.models import Campaign, Kingdom, User
from kingdom.selectors import leave_of, reads_kingdom, runs_kingdom


def nav(user: User, campaign: Campaign) -> Panel:
    """The unit types, among the campaign's pages."""
    return "armies/pathfinder/panels/nav.html", {"campaign": campaign}


def realms(user: User, campaign: Campaign) -> Panel:
    """The roster of each kingdom, on the campaign page."""
    return rosters(user, campaign, "armies/pathfinder/panels/roster.html", roster(user, campaign))


def kingdom(user: User, kingdom: Kingdom) -> Panel:
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


def offices(user: User, kingdom: Kingdom) -> Panel:
    """Who holds which office, on the kingdom's page."""
    return "armies/pathfinder/panels/offices.html", offices_of(kingdom)._asdict()


def outlook(user: User, kingdom: Kingdom) -> Panel:
    """The treasury past and to come, and what the next defeat would cost, on the kingdom's page."""
    found = outlook_of(kingdom)
    past = [(week.balance, week.paid) for week in found.past]
    chart = treasury_chart(past, kingdom.treasury, [(week.balance, week.due) for week in found.ahead])
    missing = -found.empty_in.balance if found.empty_in else 0
    return "armies/pathfinder/panels/outlook.html", {"outlook": found, "chart": chart, "missing": missing}


def kingdom_actions(user: User, kingdom: Kingdom) -> Panel:
    if not (runs_kingdom(user, kingdom) and leave_of(user, kingdom.campaign)["raise"].offered):
        return None
    return "armies/pathfinder/panels/kingdom_actions.html", {"kingdom": kingdom}


def treasury(user: User, kingdom: Kingdom) -> Panel:
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
