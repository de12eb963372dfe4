"""Models of campaigns, kingdoms and the people who play them."""

from kingdom.models.base import CampaignOwned, IdempotencyRecord, Uuid7Model
from kingdom.models.campaign import (
    ApprovalRequest,
    Campaign,
    CampaignImport,
    DeletedMembership,
    Invitation,
    Knowledge,
    Membership,
    Role,
)
from kingdom.models.chronicle import ChronicleEntry, DeletedRow, LastChange
from kingdom.models.kingdom import Kingdom, KingdomPlayer, LedgerEntry, Settlement
from kingdom.models.map import CampaignMap, MapKnowledge, MapRow
from kingdom.models.note import Audience, Note, NoteVersion, Picture
from kingdom.models.share import DeliveryState, ShareLink, Webhook, WebhookAttempt, WebhookDelivery, WebhookState
from kingdom.models.user import ApiToken, DiceThrownBy, RateLimitCounter, Scope, SecurityEvent, SignIn, Units, User

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
    "LastChange",
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
