"""Tables of campaigns and kingdoms that a document carries."""

from __future__ import annotations

from django.db.models import Q

from kingdom.archive import checks
from kingdom.archive.tables import CarriedTable, carry, leave_out, of_its_campaign
from kingdom.models import (
    ApiToken,
    CampaignImport,
    CampaignMap,
    ChronicleEntry,
    Invitation,
    Kingdom,
    KingdomPlayer,
    LedgerEntry,
    MapKnowledge,
    MapRow,
    Membership,
    Note,
    NoteVersion,
    Petition,
    Settlement,
    ShareLink,
    StruckThing,
    VacatedSeat,
    Webhook,
    WebhookAttempt,
    WebhookDelivery,
)


def register() -> None:
    carry(
        CarriedTable("kingdoms", Kingdom, check=checks.demand_kingdom, ready=of_its_campaign),
        CarriedTable("settlements", Settlement, check=checks.demand_settlement),
        CarriedTable("chronicle", ChronicleEntry, check=checks.demand_entry, ready=of_its_campaign),
        CarriedTable("struck", StruckThing, check=checks.demand_struck, ready=of_its_campaign),
        CarriedTable("ledger", LedgerEntry, check=checks.demand_ledger),
        CarriedTable("map", CampaignMap, check=checks.demand_map),
        CarriedTable("map_rows", MapRow),
        CarriedTable("map_knowledge", MapKnowledge),
        CarriedTable("notes", Note, check=checks.demand_note),
        CarriedTable("note_versions", NoteVersion, check=checks.demand_version),
        CarriedTable("requests", Petition, check=checks.demand_petition, ready=of_its_campaign, chosen=(
            ~Q(status=Petition.State.WAITING), "what waits was asked by somebody who has no seat there")),
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
    leave_out(VacatedSeat, "only what is deleted has any, and that is taken along by nobody")
