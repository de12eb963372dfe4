"""Contribution of `armies` to kingdoms and campaigns, under any ruleset: search, stops of the tour, and a check of the
ruleset's family among it.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse

from armies.documents.reform_services import ReformedPart, TakenTroops
from armies.forces import portraits, slots, tracked_fields
from armies.forces.access import list_armies, list_visible_armies, list_visible_commanders
from armies.map.visibility import load_seen_map
from armies.models import Army, Commander, Sighting, rows_of
from armies.onboarding.casts import beginnings
from armies.onboarding.steps import FirstArmies, FirstCommanders
from armies.ruleset_ui import find_row
from armies.weeks import page as weeks_page
from armies.weeks import undo
from kingdom.access.redaction import build_knowledge_condition
from kingdom.approvals.submission import read_row
from kingdom.campaign.campaign_cards import CardSlot
from kingdom.chronicle.undelete import Detachment
from kingdom.contributions import Contribution, SlotPanel, link_campaign
from kingdom.map.displacement_services import stay_on_the_map
from kingdom.map.queries import find_map
from kingdom.models import Campaign, Knowledge, User
from kingdom.onboarding.tour import TourStop
from kingdom.realms.figures import get_ruleset
from kingdom.search.search_registry import Finder
from rules.core.errors import require
from rules.core.text import _
from rules.law import Law

# Check that a campaign keeps the ruleset family of its armies' sheets.


def require_same_family(campaign: Campaign, law: Law) -> None:
    """Raises `IllegalCommand` for a ruleset of another family while the campaign has armies or commanders."""
    own = get_ruleset(campaign)
    if own.family == law.family:
        return
    taken = any(kind.objects.filter(campaign=campaign).exists() for kind in (Army, Commander))
    text = _("This campaign’s armies use {law}. Delete them and their commanders before you switch to {other}.")
    require(not taken, text, field="/ruleset", law=own.name, other=law.name)


# Search of armies and commanders whose sheets the user may read, and of armies that the map shows them.


def _glimpsed(user: User) -> QuerySet[Any]:
    """Standing armies that a map may show the user, though they may not read their sheets."""
    rows = rows_of(Army).filter(status__in=Army.STANDING)
    return rows.filter(build_knowledge_condition(user, Knowledge.GLANCE) & ~build_knowledge_condition(user))


def _on_the_map(user: User, campaign: Campaign) -> set[UUID]:
    """Ids of armies that the user sees, or has seen, on the map."""
    drawn = find_map(campaign)
    return {army.id for army in load_seen_map(user, campaign, drawn).armies} if drawn else set()


def _map_url(key: UUID, campaign: UUID) -> str:
    return f"{reverse('armies:map', args=[campaign])}?army={key}"


def _army_url(key: UUID, _owner: UUID) -> str:
    return reverse("armies:army", args=[key])


def _commander_url(key: UUID, _owner: UUID) -> str:
    return reverse("armies:commander", args=[key])


FALLEN = {status.value: status.label for status in Army.Status if status not in Army.STANDING}
FINDERS = (
    Finder("army", _("Armies"), "army", list_visible_armies, _army_url, about="kingdom__name", order=1, state="status",
           states=FALLEN),
    Finder("glimpse", _("Armies on the map"), "army", _glimpsed, _map_url, about="kingdom__name", order=1,
           among=_on_the_map),
    Finder("commander", _("Commanders"), "commander", list_visible_commanders, _commander_url, about="kingdom__name",
           order=2),
)  # fmt: skip


# Stops of the tour: an army, and the map.


def _army(user: User, campaign: Campaign) -> str:
    found: QuerySet[Army] = list_armies(user, campaign).order_by("id")
    first = found.filter(status__in=Army.STANDING).first() or found.first()
    return reverse("armies:army", args=[first.pk]) if first else ""


def _map(user: User, campaign: Campaign) -> str:
    return reverse("armies:map", args=[campaign.pk]) if find_map(campaign) else ""


STOPS = (
    TourStop(
        "army",
        30,
        _("An army"),
        _("Its strength, commander and equipment. Enemies see only what the GM lets them see."),
        _army,
    ),
    TourStop(
        "map",
        40,
        _("The map"),
        _("Select an army to see how far it can march, then choose where it goes. It arrives as time passes."),
        _map,
    ),
)


# Contribution of `armies` to kingdoms and campaigns, under any ruleset.

ARMIES = Contribution(
    slots=[
        SlotPanel("campaign", slots.picks, -1),
        SlotPanel("campaign-actions", link_campaign("armies/forces/panels/all_armies.html")),
        SlotPanel("shared", slots.shared),
        *slots.list_ruleset_panels(),
        SlotPanel("nav", link_campaign("armies/map/nav.html"), -1),
        SlotPanel("campaign-actions", link_campaign("armies/map/link.html"), 5),
    ],
    cards=[CardSlot(weeks_page.week, 30)],
    search=FINDERS,
    note_targets=tracked_fields.NOTE_TARGETS,
    picture_owners=portraits.OWNERS,
    first_steps=[FirstCommanders(), FirstArmies()],
    templates=[beginnings],
    tour_stops=STOPS,
    carried_tables=tracked_fields.CARRIED,
    whole_checks=[tracked_fields.demand_law, tracked_fields.demand_on_map],
    tracked_models=tracked_fields.TRACKED,
    undo_followers=[tracked_fields.stay_out_of_the_field, undo.take_back, stay_on_the_map],
    overlaps=[undo.overlap],
    detachments=[Detachment("kingdom", tracked_fields.leave_kingdoms, 2)],
    restored_by_own_lines=[Army, Commander],
    restored_where={Sighting: lambda seen: not seen.army.hidden},
    arguments={
        **dict.fromkeys((Army, Commander), find_row),
        **dict.fromkeys((ReformedPart, TakenTroops), read_row),
    },
    law_guards=[require_same_family],
)
