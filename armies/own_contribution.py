"""Contribution of `armies` to kingdoms and campaigns, under any ruleset."""

from __future__ import annotations

from armies.forces import archive_tables, picture_owners, search, slots, tracked_fields
from armies.forces.ruleset_check import require_same_family
from armies.models import Army, Commander, Sighting
from armies.onboarding import tour_stops
from armies.onboarding.casts import beginnings
from armies.onboarding.steps import FirstArmies, FirstCommanders
from armies.ruleset_ui import find_row
from armies.weeks import page as weeks_page
from armies.weeks import undo
from kingdom.campaign.campaign_cards import CardSlot
from kingdom.chronicle.undelete import Detachment
from kingdom.contributions import Contribution
from kingdom.map.displacement_services import stay_on_the_map
from kingdom.slots import SlotPanel, link_campaign

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
    search=search.FINDERS,
    note_targets=tracked_fields.NOTE_TARGETS,
    picture_owners=picture_owners.OWNERS,
    first_steps=[FirstCommanders(), FirstArmies()],
    templates=[beginnings],
    tour_stops=tour_stops.STOPS,
    carried_tables=archive_tables.CARRIED,
    whole_checks=[archive_tables.demand_law, archive_tables.demand_on_map],
    tracked_models=tracked_fields.TRACKED,
    undo_followers=[tracked_fields.stay_out_of_the_field, undo.take_back, stay_on_the_map],
    overlaps=[undo.overlap],
    detachments=[Detachment("kingdom", tracked_fields.leave_kingdoms, 2)],
    restored_by_own_lines=[Army, Commander],
    restored_where={Sighting: lambda seen: not seen.army.hidden},
    arguments=dict.fromkeys((Army, Commander), find_row),
    law_guards=[require_same_family],
)
