"""What people type. Forms check the shape; services know the rules and say no."""

from kingdom.forms.account import SettingsForm, TokenForm
from kingdom.forms.campaigns import CampaignForm, DeleteCampaignForm, InviteForm, RoleForm
from kingdom.forms.heraldry import ArmsForm
from kingdom.forms.kingdoms import CheckForm, KingdomForm, LedgerForm, SettlementForm

__all__ = [
    "ArmsForm",
    "CampaignForm",
    "CheckForm",
    "DeleteCampaignForm",
    "InviteForm",
    "KingdomForm",
    "LedgerForm",
    "RoleForm",
    "SettingsForm",
    "SettlementForm",
    "TokenForm",
]
