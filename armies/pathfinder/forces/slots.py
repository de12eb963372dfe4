"""Panels of mass combat for the pages of campaigns and kingdoms."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from armies.forces.slots import KINGDOM_ARMIES, LISTED, kingdom_page, rosters, with_portraits
from armies.pathfinder.armies.roster import kingdom_roster, roster
from armies.pathfinder.commanders.queries import commander_lines, kingdom_stores, offices_of
from armies.pathfinder.forces.access import kingdom_armies, list_visible_commanders
from armies.pathfinder.weeks.due import dues_of
from armies.pathfinder.weeks.outlook import build_outlook
from armies.ruleset_ui import Panel
from core.charts import treasury_chart
from kingdom.access.queries import reads_kingdom, runs_kingdom
from kingdom.approvals.queries import leave_of
from kingdom.campaign.queries import read_towns
from kingdom.models import Campaign, Kingdom, User
from kingdom.rendering import ListLook, paginate
from kingdom.slots import SlotPanel, link_campaign

ROSTER = "armies/pathfinder/forces/panels/roster.html"


def realms(user: User, campaign: Campaign, kingdoms: Sequence[Kingdom]) -> Panel:
    """Rosters of all kingdoms, for the campaign's page."""
    lines = roster(user, campaign, kingdoms)
    return rosters(user, kingdoms, ROSTER, lines)


def kingdom(user: User, kingdom: Kingdom, look: ListLook) -> Panel:
    """Roster of the kingdom, for its page."""
    rows = kingdom_armies(kingdom, look.query).listed()
    lines = partial(kingdom_roster, kingdom)
    return kingdom_page(user, kingdom, look, rows, KINGDOM_ARMIES, lines, roster=ROSTER)


def people(user: User, kingdom: Kingdom, look: ListLook) -> Panel:
    """Commanders and stores, for a page of the kingdom."""
    rows = list_visible_commanders(user).filter(kingdom=kingdom).search(look.query)
    template, lines = "armies/pathfinder/forces/panels/people.html", partial(commander_lines, kingdom)
    stores = kingdom_stores(user, kingdom)
    return with_portraits(kingdom_page(user, kingdom, look, rows, template, lines, stores=stores))


def offices(user: User, kingdom: Kingdom, look: ListLook) -> Panel:
    """Offices and their holders, beside the commanders."""
    return "armies/pathfinder/forces/panels/offices.html", offices_of(kingdom)._asdict()


def outlook(user: User, kingdom: Kingdom, look: ListLook) -> Panel:
    """The treasury in past and coming weeks, and the cost of a defeat."""
    found = build_outlook(kingdom)
    past = [(week.balance, week.paid) for week in found.past]
    chart = treasury_chart(past, kingdom.treasury, [(week.balance, week.due) for week in found.ahead])
    missing = -found.empty_in.balance if found.empty_in else 0
    return "armies/pathfinder/forces/panels/outlook.html", {
        "outlook": found,
        "chart": chart,
        "missing": missing,
        "page_obj": paginate(found.losses, look.page, LISTED),
    }


def kingdom_actions(user: User, kingdom: Kingdom) -> Panel:
    if not (runs_kingdom(user, kingdom) and leave_of(user, kingdom.campaign)["raise"].offered):
        return None
    return "armies/pathfinder/forces/panels/kingdom_actions.html", {"kingdom": kingdom}


def kingdom_files(user: User, kingdom: Kingdom) -> Panel:
    """Export of the kingdom as a Foundry actor."""
    if not reads_kingdom(user, kingdom):
        return None
    return "armies/pathfinder/forces/panels/kingdom_files.html", {"kingdom": kingdom}


def treasury(user: User, kingdom: Kingdom) -> Panel:
    """Number of weeks that the treasury lasts."""
    if not reads_kingdom(user, kingdom):
        return None
    read_towns(kingdom)
    (due,) = dues_of(kingdom.campaign, [kingdom])
    return "armies/pathfinder/forces/panels/treasury.html", {"due": due}


PANELS = (
    SlotPanel("nav", link_campaign("armies/pathfinder/forces/panels/nav.html")),
    SlotPanel("realms", realms),
    SlotPanel("kingdom", kingdom),
    SlotPanel("people", people),
    SlotPanel("people", offices, 1),
    SlotPanel("outlook", outlook),
    SlotPanel("kingdom-actions", kingdom_actions),
    SlotPanel("kingdom-actions", kingdom_files, 1),
    SlotPanel("treasury", treasury),
)
