"""Models of campaigns, kingdoms and the people who play them."""

from kingdom.models.approval_request import ApprovalRequest
from kingdom.models.base import CampaignOwned, Uuid7Model
from kingdom.models.campaign import Campaign, CampaignImport, DeletedMembership, Invitation, Knowledge, Membership, Role
from kingdom.models.chronicle import ChronicleEntry, DeletedRow
from kingdom.models.idempotency import IdempotencyRecord
from kingdom.models.kingdom import Kingdom, KingdomPlayer, LedgerEntry, Settlement
from kingdom.models.map import CampaignMap, MapKnowledge, MapRow
from kingdom.models.note import Audience, Note, NoteVersion
from kingdom.models.picture import Picture
from kingdom.models.security import RateLimitCounter, SecurityEvent, SignIn
from kingdom.models.share import ShareLink
from kingdom.models.user import ApiToken, DiceThrownBy, Scope, Units, User
from kingdom.models.webhook import DeliveryState, Webhook, WebhookAttempt, WebhookDelivery, WebhookState

__all__ = [
    "ApiToken",
    "ApprovalRequest",
    "Audience",
    "Campaign",
    "CampaignImport",
    "CampaignMap",
    "CampaignOwned",
    "ChronicleEntry",
    "DeletedMembership",
    "DeletedRow",
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
    "Picture",
    "RateLimitCounter",
    "Role",
    "Scope",
    "SecurityEvent",
    "Settlement",
    "ShareLink",
    "SignIn",
    "Units",
    "User",
    "Uuid7Model",
    "Webhook",
    "WebhookAttempt",
    "WebhookDelivery",
    "WebhookState",
]
