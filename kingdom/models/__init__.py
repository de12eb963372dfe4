"""Models of campaigns, kingdoms and the people who play them."""

from kingdom.models.base import CampaignOwned, Uuid7Model
from kingdom.models.bringing import CampaignImport
from kingdom.models.campaign import Campaign, Invitation, Knowledge, Membership, Role
from kingdom.models.chronicle import ChronicleEntry, StruckThing
from kingdom.models.idempotency import IdempotencyRecord
from kingdom.models.kingdom import Kingdom, KingdomPlayer, Settlement
from kingdom.models.ledger import LedgerEntry
from kingdom.models.map import CampaignMap, MapKnowledge, MapRow
from kingdom.models.note import Audience, Note, NoteVersion
from kingdom.models.petition import Petition
from kingdom.models.security import SecurityEvent
from kingdom.models.share import ShareLink
from kingdom.models.sign_in import SignIn
from kingdom.models.tally import Tally
from kingdom.models.token import ApiToken, Scope
from kingdom.models.user import DiceThrownBy, Units, User
from kingdom.models.vacated import VacatedSeat
from kingdom.models.webhook import DeliveryState, Webhook, WebhookAttempt, WebhookDelivery, WebhookState

__all__ = [
    "ApiToken",
    "Audience",
    "Campaign",
    "CampaignImport",
    "CampaignMap",
    "CampaignOwned",
    "ChronicleEntry",
    "DeliveryState",
    "DiceThrownBy",
    "IdempotencyRecord",
    "Invitation",
    "Kingdom",
    "KingdomPlayer",
    "Knowledge",
    "LedgerEntry",
    "MapKnowledge",
    "MapRow",
    "Membership",
    "Note",
    "NoteVersion",
    "Petition",
    "Role",
    "Scope",
    "SecurityEvent",
    "Settlement",
    "ShareLink",
    "SignIn",
    "StruckThing",
    "Tally",
    "Units",
    "User",
    "Uuid7Model",
    "VacatedSeat",
    "Webhook",
    "WebhookAttempt",
    "WebhookDelivery",
    "WebhookState",
]
