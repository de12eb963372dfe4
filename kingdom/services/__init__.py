"""Writes. Keyword-only, one transaction each; a `Refusal` means nothing has changed."""

from kingdom.services.account import choose_language
from kingdom.services.campaigns import create_campaign, delete_campaign, update_campaign
from kingdom.services.checks import CheckResult, roll_check
from kingdom.services.kingdoms import (
    assign_player,
    assign_players,
    dissolve_kingdom,
    found_kingdom,
    update_kingdom,
)
from kingdom.services.members import accept_invitation, invite, remove_member, revoke_invitation, set_role
from kingdom.services.petitions import grant_petition, refuse_petition, withdraw_petition
from kingdom.services.settlements import found_settlement, raze_settlement, update_settlement
from kingdom.services.tokens import NewToken, create_token, revoke_token
from kingdom.services.treasury import record_entry, spend
from kingdom.services.undoing import undo_entry, undo_last

__all__ = [
    "CheckResult",
    "NewToken",
    "accept_invitation",
    "assign_player",
    "assign_players",
    "choose_language",
    "create_campaign",
    "create_token",
    "delete_campaign",
    "dissolve_kingdom",
    "found_kingdom",
    "found_settlement",
    "grant_petition",
    "invite",
    "raze_settlement",
    "record_entry",
    "refuse_petition",
    "remove_member",
    "revoke_invitation",
    "revoke_token",
    "roll_check",
    "set_role",
    "spend",
    "undo_entry",
    "undo_last",
    "update_campaign",
    "update_kingdom",
    "update_settlement",
    "withdraw_petition",
]
