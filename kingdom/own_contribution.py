"""Contribution of `kingdom` to its own pages and services, and to those of all apps."""

from __future__ import annotations

from kingdom.access.queries import get_campaign_for
from kingdom.accounts.personal_data import PROVIDERS
from kingdom.approvals.submission import read_row, read_same_campaign
from kingdom.archive import import_checks
from kingdom.campaign import campaign_cards, services
from kingdom.campaign.campaign_cards import CardSlot
from kingdom.campaign.queries import revision_of
from kingdom.chronicle import tracked_fields, undelete
from kingdom.chronicle.undelete import Detachment
from kingdom.contributions import Contribution, SlotPanel
from kingdom.live.stream import Followable
from kingdom.map import background_queries, displacement_services
from kingdom.map import tracked_fields as map_fields
from kingdom.map.queries import follows_map
from kingdom.map.services import give_up_claims
from kingdom.models import Campaign, Kingdom, KingdomPlayer, Settlement
from kingdom.notes import page as notes_page
from kingdom.onboarding import tour
from kingdom.onboarding.steps import FirstInvitations, FirstKingdoms, FirstSettlements
from kingdom.pictures import queries
from kingdom.pictures import tracked_fields as picture_fields
from kingdom.search import search_registry
from kingdom.sharing import kingdom_page
from kingdom.webhooks import kingdom_events

KINGDOM = Contribution(
    slots=[SlotPanel("beneath", notes_page.beneath)],
    kingdom_annotations={"follows_map": follows_map()},
    cards=[CardSlot(campaign_cards.landless, 10), CardSlot(campaign_cards.requests, 20)],
    search=search_registry.FINDERS,
    note_targets=notes_page.NOTE_TARGETS,
    picture_owners={queries.KIND: queries.OWNER, background_queries.KIND: background_queries.OWNER},
    share_kinds={kingdom_page.KINGDOM: kingdom_page.KIND},
    followables={"campaign": Followable(get_campaign_for, revision_of)},
    webhook_events=kingdom_events.EVENTS,
    personal_data=PROVIDERS,
    first_steps=[FirstKingdoms(), FirstSettlements(), FirstInvitations()],
    tour_stops=tour.STOPS,
    carried_tables=import_checks.CARRIED,
    left_out=import_checks.LEFT_OUT,
    tracked_models=[*tracked_fields.list_tracked(), *map_fields.list_tracked(), picture_fields.TRACKED],
    undo_followers=[
        undelete.demand_readable,
        map_fields.refuse_parted,
        services.follow_back,
        displacement_services.come_back,  # before the steps of looking round, which end on this page
        map_fields.look_again,
    ],
    overlaps=[map_fields.claims_overlap, services.rests_on_law, map_fields.overlap],
    detachments=[
        Detachment("kingdom", give_up_claims, 3),
        Detachment("kingdom", tracked_fields.leave_towns, 3),
    ],
    restored_by_own_lines=[Kingdom, Settlement],
    restored_where={KingdomPlayer: tracked_fields.may_play_again},
    arguments={Kingdom: read_row, Settlement: read_row, Campaign: read_same_campaign},
)
