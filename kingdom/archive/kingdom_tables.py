"""Tables of campaigns and kingdoms that a document carries."""

from __future__ import annotations

from django.db.models import Q

from kingdom.archive import import_checks
from kingdom.archive.carried_tables import CarriedTable, carry, leave_out, select_campaign
from kingdom.models import (
    ApiToken,
    ApprovalRequest,
    CampaignImport,
    CampaignMap,
    ChronicleEntry,
    DeletedMembership,
    DeletedRow,
    Invitation,
    Kingdom,
    KingdomPlayer,
    LedgerEntry,
    MapKnowledge,
    MapRow,
    Membership,
    Note,
    NoteVersion,
    Settlement,
    ShareLink,
    Webhook,
    WebhookAttempt,
    WebhookDelivery,
)


def register() -> None:
    carry(
        CarriedTable("kingdoms", Kingdom, check=import_checks.demand_kingdom, ready=select_campaign),
        CarriedTable("settlements", Settlement, check=import_checks.demand_settlement),
        CarriedTable("chronicle", ChronicleEntry, check=import_checks.demand_entry, ready=select_campaign),
        CarriedTable("struck", DeletedRow, check=import_checks.demand_deleted_row, ready=select_campaign),
        CarriedTable("ledger", LedgerEntry, check=import_checks.demand_ledger),
        CarriedTable("map", CampaignMap, check=import_checks.demand_map),
        CarriedTable("map_rows", MapRow),
        CarriedTable("map_knowledge", MapKnowledge),
        CarriedTable("notes", Note, check=import_checks.demand_note),
        CarriedTable("note_versions", NoteVersion, check=import_checks.demand_version),
        CarriedTable("requests", ApprovalRequest, check=import_checks.demand_request, ready=select_campaign, chosen=(
            ~Q(status=ApprovalRequest.State.WAITING), "what waits was asked by somebody who has no seat there")),
        CarriedTable("members", Membership, people=True, left_out={"invitation": "a link of the site it was made on"}),
        CarriedTable("kingdom_players", KingdomPlayer, people=True),
    )  # fmt: skip
    leave_out(ApiToken, "keys of people to the site they were made on")
    leave_out(Invitation, "links of the site they were made on")
    leave_out(CampaignImport, "campaigns on their way in, each for whoever brings it")
    leave_out(ShareLink, "links of the site they were made on")
    leave_out(Webhook, "an address that trusts the site it was made on, by a secret of that site")
    leave_out(WebhookDelivery, "what that site has told")
    leave_out(WebhookAttempt, "what that site has told")
    leave_out(DeletedMembership, "only what is deleted has any, and that is taken along by nobody")
