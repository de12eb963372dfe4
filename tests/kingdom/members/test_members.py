"""Campaigns, their house rules, members and invitations."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.http import Http404
from django.utils import timezone

from kingdom.access.queries import get_campaign_for, get_role
from kingdom.campaign.services import create_campaign, update_campaign
from kingdom.members.services import (
    accept_campaign,
    accept_invitation,
    delete_campaign,
    invite,
    offer_campaign,
    remove_member,
    revoke_invitation,
    set_role,
)
from kingdom.models import Campaign, Invitation, Membership
from kingdom.realms.figures import get_ruleset, house_rules_of
from rules.core.errors import IllegalCommand, InvalidInput
from tests.everyday import everyday
from tests.kingdom.conftest import make_user, seat


def test_whoever_opens_a_campaign_is_its_gm_on_day_0(gm, campaign):
    assert get_role(gm, campaign) == "gm"
    assert (campaign.day, campaign.week, campaign.days_to_upkeep) == (0, 1, 7)


@pytest.mark.parametrize("day, week, left", [(6, 1, 1), (7, 2, 7), (98, 15, 7), (103, 15, 2)])
def test_weeks_have_seven_days(day, week, left):
    campaign = Campaign(day=day)
    assert (campaign.week, campaign.days_to_upkeep) == (week, left)


def test_an_unknown_ruleset_is_refused(gm):
    with pytest.raises(InvalidInput) as refused:
        create_campaign(by=gm, name="C", ruleset="chess")
    assert refused.value.field == "/ruleset"


def test_house_rules_keep_only_what_differs(gm, campaign):
    rules = {
        "minimum_damage": 0,
        "parting_shots": "enemies",
        "overlay": {"resources": {"mounts": {"price": 4}, "improved-armor": {"price": 3}}},
    }
    update_campaign(by=gm, campaign=campaign, house_rules=rules)
    assert campaign.house_rules == {"minimum_damage": 0, "overlay": {"resources": {"mounts": {"price": 4}}}}
    assert house_rules_of(campaign)["recovery_cap"] == "none"
    law = get_ruleset(campaign)
    assert law.house.minimum_damage == 0
    assert law.resources["mounts"].price == 4


ODD_RULES = [
    ({"minimum_damage": 2}, "/house_rules/minimum_damage"),
    ({"minimum_damage": True}, "/house_rules/minimum_damage"),
    ({"buildings_required": 1}, "/house_rules/buildings_required"),
    ({"dragons": "yes"}, "/house_rules/dragons"),
    ({"overlay": {"resources": {"rocket": {"price": 1}}}}, "/house_rules/overlay/resources/rocket"),
    ({"overlay": {"resources": {"mounts": {"price": -1}}}}, "/house_rules/overlay/resources/mounts/price"),
    ({"overlay": {"resources": {"mounts": {"off": 1}}}}, "/house_rules/overlay/resources/mounts/off"),
    ({"overlay": {"sizes": {}}}, "/house_rules/overlay/sizes"),
    ([], "/house_rules"),
]


def test_odd_house_rules_are_refused(gm, campaign):
    for rules, pointer in ODD_RULES:
        with pytest.raises(InvalidInput) as refused:
            update_campaign(by=gm, campaign=campaign, house_rules=rules)
        assert refused.value.field == pointer, rules
        assert Campaign.objects.get(pk=campaign.pk).house_rules == {}, rules
    update_campaign(by=gm, campaign=campaign, house_rules={"overlay": []})
    assert campaign.house_rules == {}


def join(user, invitation):
    return accept_invitation(by=user, token=invitation.token)


def test_an_invitation_seats_one_person_unless_said(gm, campaign):
    invitation = invite(by=gm, campaign=campaign, role="player")
    join(make_user("ana"), invitation)
    with pytest.raises(IllegalCommand, match="has been used"):
        join(make_user("bo"), invitation)


def test_an_invitation_seats_as_many_as_it_says_until_it_is_revoked(gm, campaign):
    invitation = invite(by=gm, campaign=campaign, role="player", uses=3)
    for name in ("ana", "bo"):
        join(make_user(name), invitation)
    revoke_invitation(by=gm, invitation=invitation)
    with pytest.raises(IllegalCommand, match="no longer valid"):
        join(make_user("late"), invitation)
    assert Membership.objects.filter(campaign=campaign, role="player").count() == 2


@pytest.mark.parametrize("role, uses, field", [("gm", 2, "/uses"), ("player", 0, "/uses"), ("player", 21, "/uses")])
def test_a_gm_s_link_seats_one_and_others_a_sensible_number(gm, campaign, role, uses, field):
    with pytest.raises(InvalidInput) as refused:
        invite(by=gm, campaign=campaign, role=role, uses=uses)
    assert refused.value.field == field


def test_a_member_who_opens_a_link_uses_nothing_up(gm, campaign):
    for role in ("player", "gm"):
        invitation = invite(by=gm, campaign=campaign, role=role)
        bo = make_user(f"bo-{role}")
        seat(gm, campaign, bo, "viewer")
        assert join(bo, invitation).role == "viewer", "neither raised nor lowered"
        join(make_user(f"late-{role}"), invitation)


GONE = [("gm", False), ("player", True), ("gm", True), ("player", False), ("viewer", True), ("viewer", False)]


@pytest.mark.parametrize(("role", "himself"), everyday(GONE, first=2))
def test_who_was_removed_or_left_does_not_come_back_by_his_old_link(gm, campaign, role, himself):
    invitation = invite(by=gm, campaign=campaign, role=role, uses=1 if role == "gm" else 5)
    ana = make_user("ana")
    join(ana, invitation)
    remove_member(by=ana if himself else gm, campaign=campaign, user=ana)
    for user in (ana, make_user("his other account")):
        with pytest.raises(IllegalCommand):
            join(user, invitation)
    seat(gm, campaign, ana, role)  # invited anew


@pytest.mark.parametrize("end", ["removed", "demoted"])
def test_links_a_gm_made_end_with_his_office(gm, campaign, end):
    second = seat(gm, campaign, make_user("second"), "gm")
    his, hers = (invite(by=by, campaign=campaign, role="gm") for by in (second, gm))
    if end == "removed":
        remove_member(by=gm, campaign=campaign, user=second)
    else:
        set_role(by=gm, campaign=campaign, user=second, role="player")
    with pytest.raises(IllegalCommand, match="no longer valid"):
        join(make_user("friend"), his)
    join(make_user("third"), hers)


@pytest.mark.django_db(transaction=True)
def test_of_two_people_at_once_a_link_for_one_seats_one():
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="C", ruleset="combat-de-masse")
    invitation = invite(by=gm, campaign=campaign, role="player")
    people = [make_user(f"p{n}") for n in range(4)]
    together = Barrier(len(people))

    def sit(user):
        try:
            together.wait(30)
            return join(user, invitation).role
        except IllegalCommand as refusal:
            return str(refusal)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(people)) as threads:
        answers = sorted(threads.map(sit, people))
    assert answers[-1] == "player"
    assert all("has been used" in answer for answer in answers[:-1])
    assert Membership.objects.filter(campaign=campaign, role="player").count() == 1


def test_the_table_of_invitations_opens_no_door(gm, campaign):
    invitation = invite(by=gm, campaign=campaign, role="gm")
    columns = [str(value) for value in Invitation.objects.values().get().values()]
    assert not any(invitation.token in column for column in columns)
    with pytest.raises(Http404):
        accept_invitation(by=make_user("late"), token=invitation.pk.hex)


def test_a_damaged_link_says_that_part_of_it_may_be_missing(gm, campaign, client):
    invitation = invite(by=gm, campaign=campaign, role="player")
    answer = client.get(f"/join/{invitation.token[:-3]}/")
    assert answer.status_code == 404
    assert "Part of the link may be missing" in answer.content.decode()


def test_an_invitation_expires(gm, campaign):
    invitation = invite(by=gm, campaign=campaign, role="player")
    Invitation.objects.update(expires=timezone.now() - timedelta(seconds=1))
    with pytest.raises(IllegalCommand):
        accept_invitation(by=make_user("late"), token=invitation.token)


@pytest.mark.django_db
@pytest.mark.parametrize("token", ["nonsense", "a\0b", "x" * 500])
def test_an_unknown_token_is_not_found(token):
    with pytest.raises(Http404):
        accept_invitation(by=make_user("late"), token=token)


def test_who_sits_already_keeps_his_role(gm, campaign):
    viewers = invite(by=gm, campaign=campaign, role="viewer")
    accept_invitation(by=gm, token=viewers.token)
    assert get_role(gm, Campaign.objects.get(pk=campaign.pk)) == "gm"


def test_a_campaign_never_loses_its_last_gm(gm, campaign):
    with pytest.raises(IllegalCommand, match="needs a GM"):
        set_role(by=gm, campaign=campaign, user=gm, role="player")
    with pytest.raises(IllegalCommand, match="needs a GM"):
        remove_member(by=gm, campaign=campaign, user=gm)
    second = seat(gm, campaign, make_user("second"), "gm")
    offer_campaign(by=gm, campaign=campaign, user=second)
    accept_campaign(by=second, campaign=campaign)
    remove_member(by=gm, campaign=campaign, user=gm)
    assert get_role(second, campaign) == "gm"
    assert get_role(gm, campaign) is None


def test_a_member_may_leave_but_not_remove_others(table):
    with pytest.raises(PermissionDenied):
        remove_member(by=table.ana, campaign=table.campaign, user=table.bo)
    remove_member(by=table.ana, campaign=table.campaign, user=table.ana)
    assert not table.crown.players.exists()
    with pytest.raises(Http404):
        get_campaign_for(table.ana, table.campaign.pk)


@pytest.mark.parametrize("who, error", [("ana", PermissionDenied), ("viewer", PermissionDenied), ("stranger", Http404)])
def test_only_the_gm_keeps_the_table(table, who, error):
    user, campaign = getattr(table, who), table.campaign
    for attempt in (
        lambda: invite(by=user, campaign=campaign, role="player"),
        lambda: set_role(by=user, campaign=campaign, user=user, role="gm"),
        lambda: update_campaign(by=user, campaign=campaign, name="Mine"),
        lambda: delete_campaign(by=user, campaign=campaign),
    ):
        with pytest.raises(error):
            attempt()
    assert Campaign.objects.get(pk=campaign.pk).name == "Restov marches"


def test_an_unknown_role_is_refused(gm, campaign):
    with pytest.raises(InvalidInput) as refused:
        invite(by=gm, campaign=campaign, role="king")
    assert refused.value.field == "/role"
