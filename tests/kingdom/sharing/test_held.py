"""A GM who lost their seat while they waited for the campaign does nothing more with it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from kingdom.access.queries import get_campaign_for, get_role, is_gm
from kingdom.members.services import invite, remove_member, set_role
from kingdom.models import Campaign, Invitation, ShareLink, User, Webhook
from kingdom.realms.services import assign_players
from kingdom.sharing.services import create_share
from kingdom.webhooks.services import create_webhook
from tests.everyday import everyday
from tests.kingdom.conftest import make_user, seat

DEEDS: dict[str, Callable[[Any, User, Campaign], object]] = {
    "invite": lambda table, by, campaign: invite(by=by, campaign=campaign, role="gm"),
    "share": lambda table, by, campaign: create_share(
        by=by, campaign=campaign, kind="kingdom", thing=table.crown.pk, days=None
    ),
    "webhook": lambda table, by, campaign: create_webhook(
        by=by, campaign=campaign, url="https://93.184.216.34/", events=["time.advanced"], origin="https://x.example"
    ),
    "demote": lambda table, by, campaign: set_role(by=by, campaign=campaign, user=table.ana, role="viewer"),
    "remove": lambda table, by, campaign: remove_member(by=by, campaign=campaign, user=table.ana),
    "assign": lambda table, by, campaign: assign_players(by=by, kingdom=_of(table, campaign), players=[]),
}


def _of(table: Any, campaign: Campaign) -> Any:
    table.crown.campaign = campaign
    return table.crown


LOST = ("removed", "made a viewer")
EACH = [*product(LOST, DEEDS)]
BY_TURNS = [*zip(LOST * len(DEEDS), DEEDS, strict=False)]


@pytest.mark.parametrize(("how", "name"), everyday(EACH, keep=BY_TURNS.__contains__))
def test_who_was_a_gm_when_he_asked_and_is_none_when_it_is_his_turn_is_refused(table, name, how):
    second = seat(table.gm, table.campaign, make_user("second"), "gm")
    campaign = get_campaign_for(second, table.campaign.pk)  # knows their seat, as a request under way does
    here = Campaign.objects.get(pk=campaign.pk)
    if how == "removed":
        remove_member(by=table.gm, campaign=here, user=second)
    else:
        set_role(by=table.gm, campaign=here, user=second, role="viewer")
    assert is_gm(second, campaign)
    with pytest.raises((Http404, PermissionDenied)):
        DEEDS[name](table, second, campaign)
    assert not Invitation.objects.filter(created_by=second, revoked_at=None).exists()
    assert not ShareLink.objects.filter(created_by=second).exists()
    assert not Webhook.objects.filter(created_by=second).exists()
    assert get_role(table.ana, Campaign.objects.get(pk=campaign.pk)) == "player"
    assert table.ana in table.crown.players.all()
