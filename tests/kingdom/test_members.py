"""Campaigns, their house rules, members and invitations."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils import timezone

from kingdom import selectors, services
from kingdom.models import Campaign, Invitation, Membership
from rules.errors import IllegalCommand, InvalidInput
from tests.kingdom.conftest import make_user, seat


def test_whoever_opens_a_campaign_is_its_gm_on_day_0(gm, campaign):
    assert selectors.role_of(gm, campaign) == "gm"
    assert (campaign.day, campaign.week, campaign.days_to_upkeep) == (0, 1, 7)


@pytest.mark.parametrize("day, week, left", [(6, 1, 1), (7, 2, 7), (98, 15, 7), (103, 15, 2)])
def test_weeks_have_seven_days(day, week, left):
    campaign = Campaign(day=day)
    assert (campaign.week, campaign.days_to_upkeep) == (week, left)


def test_an_unknown_ruleset_is_refused(gm):
    with pytest.raises(InvalidInput) as refused:
        services.create_campaign(by=gm, name="C", ruleset="chess")
    assert refused.value.field == "/ruleset"


def test_house_rules_keep_only_what_differs(gm, campaign):
    rules = {
        "minimum_damage": 0,
        "parting_shots": "enemies",
        "overlay": {"resources": {"mounts": {"price": 4}, "improved-armor": {"price": 3}}},
    }
    services.update_campaign(by=gm, campaign=campaign, house_rules=rules)
    assert campaign.house_rules == {"minimum_damage": 0, "overlay": {"resources": {"mounts": {"price": 4}}}}
    assert selectors.house_rules_of(campaign)["recovery_cap"] == "none"
    law = selectors.ruleset_of(campaign)
    assert law.house.minimum_damage == 0
    assert law.resources["mounts"].price == 4


@pytest.mark.parametrize(
    "rules, pointer",
    [
        ({"minimum_damage": 2}, "/house_rules/minimum_damage"),
        ({"minimum_damage": True}, "/house_rules/minimum_damage"),
        ({"buildings_required": 1}, "/house_rules/buildings_required"),
        ({"dragons": "yes"}, "/house_rules/dragons"),
        ({"overlay": {"resources": {"rocket": {"price": 1}}}}, "/house_rules/overlay/resources/rocket"),
        ({"overlay": {"resources": {"mounts": {"price": -1}}}}, "/house_rules/overlay/resources/mounts/price"),
        ({"overlay": {"resources": {"mounts": {"off": 1}}}}, "/house_rules/overlay/resources/mounts/off"),
        ({"overlay": {"sizes": {}}}, "/house_rules/overlay/sizes"),
        ({"overlay": []}, None),
        ([], "/house_rules"),
    ],
)
def test_odd_house_rules_are_refused(gm, campaign, rules, pointer):
    if pointer is None:
        services.update_campaign(by=gm, campaign=campaign, house_rules=rules)
        assert campaign.house_rules == {}
        return
    with pytest.raises(InvalidInput) as refused:
        services.update_campaign(by=gm, campaign=campaign, house_rules=rules)
    assert refused.value.field == pointer
    assert Campaign.objects.get(pk=campaign.pk).house_rules == {}


def test_an_invitation_seats_several_people_until_it_is_revoked(gm, campaign):
    invitation = services.invite(by=gm, campaign=campaign, role="player")
    for name in ("ana", "bo"):
        services.accept_invitation(by=make_user(name), token=invitation.token)
    services.revoke_invitation(by=gm, invitation=invitation)
    with pytest.raises(IllegalCommand, match="no longer open"):
        services.accept_invitation(by=make_user("late"), token=invitation.token)
    assert Membership.objects.filter(campaign=campaign, role="player").count() == 2


def test_an_invitation_expires(gm, campaign):
    invitation = services.invite(by=gm, campaign=campaign, role="player")
    Invitation.objects.update(expires=timezone.now() - timedelta(seconds=1))
    with pytest.raises(IllegalCommand):
        services.accept_invitation(by=make_user("late"), token=invitation.token)


@pytest.mark.django_db
@pytest.mark.parametrize("token", ["nonsense", "a\0b", "x" * 500])
def test_an_unknown_token_is_not_found(token):
    with pytest.raises(Http404):
        services.accept_invitation(by=make_user("late"), token=token)


def test_who_sits_already_keeps_his_role(gm, campaign):
    viewers = services.invite(by=gm, campaign=campaign, role="viewer")
    services.accept_invitation(by=gm, token=viewers.token)
    assert selectors.role_of(gm, Campaign.objects.get(pk=campaign.pk)) == "gm"


def test_a_campaign_never_loses_its_last_gm(gm, campaign):
    with pytest.raises(IllegalCommand, match="needs a GM"):
        services.set_role(by=gm, campaign=campaign, user=gm, role="player")
    with pytest.raises(IllegalCommand, match="needs a GM"):
        services.remove_member(by=gm, campaign=campaign, user=gm)
    second = seat(gm, campaign, make_user("second"), "gm")
    services.remove_member(by=gm, campaign=campaign, user=gm)
    assert selectors.role_of(second, campaign) == "gm"
    assert selectors.role_of(gm, campaign) is None


def test_a_member_may_leave_but_not_remove_others(table):
    with pytest.raises(PermissionDenied):
        services.remove_member(by=table.ana, campaign=table.campaign, user=table.bo)
    services.remove_member(by=table.ana, campaign=table.campaign, user=table.ana)
    assert not table.crown.players.exists()
    with pytest.raises(Http404):
        selectors.campaign_for(table.ana, table.campaign.pk)


@pytest.mark.parametrize("who, error", [("ana", PermissionDenied), ("viewer", PermissionDenied), ("stranger", Http404)])
def test_only_the_gm_keeps_the_table(table, who, error):
    user, campaign = getattr(table, who), table.campaign
    for attempt in (
        lambda: services.invite(by=user, campaign=campaign, role="player"),
        lambda: services.set_role(by=user, campaign=campaign, user=user, role="gm"),
        lambda: services.update_campaign(by=user, campaign=campaign, name="Mine"),
        lambda: services.delete_campaign(by=user, campaign=campaign),
    ):
        with pytest.raises(error):
            attempt()
    assert Campaign.objects.get(pk=campaign.pk).name == "Restov marches"


def test_an_unknown_role_is_refused(gm, campaign):
    with pytest.raises(InvalidInput) as refused:
        services.invite(by=gm, campaign=campaign, role="king")
    assert refused.value.field == "/role"
