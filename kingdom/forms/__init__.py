"""What people type. Forms check the shape; services know the rules and say no."""

from kingdom.forms.account import DeleteAccountForm, SettingsForm, TokenForm
from kingdom.forms.campaigns import (
    BeginForm,
    CampaignForm,
    DeleteCampaignForm,
    GuiseForm,
    HandOverForm,
    InviteForm,
    OfferForm,
    RoleForm,
)
from kingdom.forms.heraldry import ArmsForm
from kingdom.forms.kingdoms import CheckForm, DissolveForm, KingdomForm, LedgerForm, PlannedForm, SettlementForm

__all__ = [
    "ArmsForm",
    "BeginForm",
    "CampaignForm",
    "CheckForm",
    "DeleteAccountForm",
    "DeleteCampaignForm",
    "DissolveForm",
    "GuiseForm",
    "HandOverForm",
    "InviteForm",
    "KingdomForm",
    "LedgerForm",
    "OfferForm",
    "PlannedForm",
    "RoleForm",
    "SettingsForm",
    "SettlementForm",
    "TokenForm",
]
