"""Campaigns, kingdoms and the people who play them."""

from kingdom.models.base import CampaignOwned, Uuid7Model
from kingdom.models.campaign import Campaign, Invitation, Membership, Role
from kingdom.models.chronicle import ChronicleEntry
from kingdom.models.idempotency import IdempotencyRecord
from kingdom.models.kingdom import Kingdom, KingdomPlayer, Settlement
from kingdom.models.ledger import LedgerEntry
from kingdom.models.petition import Petition
from kingdom.models.tally import Tally
from kingdom.models.token import ApiToken
from kingdom.models.user import DiceThrownBy, User

__all__ = [
    "ApiToken",
    "Campaign",
    "CampaignOwned",
    "ChronicleEntry",
    "DiceThrownBy",
    "IdempotencyRecord",
    "Invitation",
    "Kingdom",
    "KingdomPlayer",
    "LedgerEntry",
    "Membership",
    "Petition",
    "Role",
    "Settlement",
    "Tally",
    "User",
    "Uuid7Model",
]
