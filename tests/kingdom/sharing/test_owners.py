"""Several GMs and one owner: who may what, leaving, handing over, deleting with a week of grace."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from threading import Barrier

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.http import Http404
from django.test import Client
from django.utils import timezone

from battles.models import Battle
from config.ops.worker import tidy
from core.text import load_said, render
from kingdom.access import queries as access_queries
from kingdom.access.decorators import ApprovalRequested
from kingdom.access.queries import get_campaign_for
from kingdom.approvals.serializers import count_waiting
from kingdom.approvals.services import grant_request, refuse_request
from kingdom.campaign.services import create_campaign, update_campaign
from kingdom.members.services import (
    GRACE,
    accept_campaign,
    bring_campaign_back,
    delete_campaign,
    end_offer,
    invite,
    offer_campaign,
    remove_deleted,
    remove_member,
    set_role,
)
from kingdom.models import ApprovalRequest, Campaign, ChronicleEntry, DeletedMembership, Kingdom, Membership, User
from kingdom.realms.services import assign_player
from kingdom.realms.treasury_services import record_entry
from kingdom.sharing.services import create_share
from rules.core.errors import IllegalCommand, InvalidInput
from tests.kingdom.conftest import api_of, client_of, make_user, seat

pytestmark = pytest.mark.django_db


@pytest.fixture
def second(table):
    return seat(table.gm, table.campaign, make_user("second"), "gm")


def role_of(user, campaign):
    return access_queries.get_role(user, Campaign.objects.get(pk=campaign.pk))


def mailed(*users, confirmed=True):
    for user in users:
        User.objects.filter(pk=user.pk).update(email=f"{user.username}@example.org")
        user.refresh_from_db()
        EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=confirmed)


# Several GMs


def test_a_second_gm_does_everything_but_what_is_the_owners(table, second):
    update_campaign(by=second, campaign=table.campaign, name="Other marches")
    set_role(by=second, campaign=table.campaign, user=table.viewer, role="player")
    for deed in (
        lambda: delete_campaign(by=second, campaign=table.campaign),
        lambda: offer_campaign(by=second, campaign=table.campaign, user=table.ana),
        lambda: end_offer(by=second, campaign=table.campaign),
    ):
        with pytest.raises(PermissionDenied):
            deed()
    client, url = client_of(second), f"/c/{table.campaign.pk}/"
    assert client.post(f"{url}delete/", {"delete-typed": "Other marches"}).status_code == 403
    assert client.post(f"{url}hand-over/", {"member": str(table.ana.pk)}).status_code == 403
    assert "delete-typed" not in client.get(f"{url}edit/").content.decode()
    assert api_of(second).delete(f"/api/v1/campaigns/{table.campaign.pk}/").status_code == 403
    assert Campaign.objects.get(pk=table.campaign.pk).deleted_at is None


def test_gms_are_made_and_unmade_and_the_owner_stays_one(table, second):
    set_role(by=second, campaign=table.campaign, user=table.ana, role="gm")
    assert role_of(table.ana, table.campaign) == "gm"
    set_role(by=table.ana, campaign=table.campaign, user=second, role="player")
    assert role_of(second, table.campaign) == "player"
    for deed in (
        lambda: set_role(by=table.ana, campaign=table.campaign, user=table.gm, role="player"),
        lambda: set_role(by=table.gm, campaign=table.campaign, user=table.gm, role="viewer"),
        lambda: remove_member(by=table.ana, campaign=table.campaign, user=table.gm),
        lambda: remove_member(by=table.gm, campaign=table.campaign, user=table.gm),
    ):
        with pytest.raises(IllegalCommand, match="Transfer ownership"):
            deed()
    assert role_of(table.gm, table.campaign) == "gm"


def asked(table):
    update_campaign(by=table.gm, campaign=table.campaign, players_may={"treasury": "ask"})
    with suppress(ApprovalRequested):
        record_entry(by=table.ana, kingdom=table.crown, amount=5, reason="Found it")
    return ApprovalRequest.objects.get()


def test_both_gms_have_the_inbox(table, second):
    petition = asked(table)
    for gm in (table.gm, second):
        campaign = get_campaign_for(gm, table.campaign.pk)
        assert count_waiting(campaign) == 1
        assert "Found it" in client_of(gm).get(f"/c/{campaign.pk}/requests/").content.decode()
    grant_request(by=second, petition=petition)
    with pytest.raises(IllegalCommand, match="already been approved"):
        refuse_request(by=table.gm, petition=petition)


@pytest.mark.django_db(transaction=True)
def test_of_two_gms_at_once_one_answers_a_request_and_neither_unmakes_the_other():
    from tests.battles.conftest import make_table, seat_everybody

    table = seat_everybody(make_table(make_user("gm")))
    second, third = (seat(table.gm, table.campaign, make_user(name), "gm") for name in ("second", "third"))
    before = Kingdom.objects.get(pk=table.crown.pk).treasury
    asked(table)

    def both(*deeds):
        together = Barrier(len(deeds))

        def do(deed):
            try:
                together.wait(30)
                deed()
                return "done"
            except (IllegalCommand, PermissionDenied) as refusal:
                return type(refusal).__name__
            finally:
                connection.close()

        with ThreadPoolExecutor(len(deeds)) as threads:
            return sorted(threads.map(do, deeds))

    # Either has objects of their own, as in two requests.
    def grant(by):
        return lambda: grant_request(by=by, petition=ApprovalRequest.objects.get())

    def unmake(by, other):
        campaign = Campaign.objects.get()
        return lambda: set_role(by=by, campaign=campaign, user=other, role="player")

    granting = [grant(table.gm), grant(second)]
    assert both(*granting) == ["IllegalCommand", "done"]
    assert Kingdom.objects.get(pk=table.crown.pk).treasury == before + 5
    both(unmake(second, third), unmake(third, second))
    assert role_of(table.gm, table.campaign) == "gm"


# Leaving


def test_who_leaves_runs_nothing_more_and_the_gms_are_told(table, second, django_capture_on_commit_callbacks):
    mailed(table.gm, second)
    with django_capture_on_commit_callbacks(execute=True):
        remove_member(by=table.ana, campaign=table.campaign, user=table.ana)
    assert not table.crown.players.exists()
    entry = ChronicleEntry.objects.latest("seq")
    told = render(load_said(entry.text))
    assert "ana has left" in told
    assert "Crown" in told
    assert (entry.private, entry.kingdoms) == (True, [table.crown.pk])
    assert sorted(letter.to[0] for letter in mail.outbox) == ["gm@example.org", "second@example.org"]
    assert "Crown" in mail.outbox[0].body
    assert role_of(table.ana, table.campaign) is None


def test_who_ran_nothing_leaves_no_line_and_who_is_removed_no_mail(table, django_capture_on_commit_callbacks):
    mailed(table.gm)
    lines = ChronicleEntry.objects.count()
    with django_capture_on_commit_callbacks(execute=True):
        remove_member(by=table.viewer, campaign=table.campaign, user=table.viewer)
        assert ChronicleEntry.objects.count() == lines
        remove_member(by=table.gm, campaign=table.campaign, user=table.bo)
    assert ChronicleEntry.objects.count() == lines + 1
    assert len(mail.outbox) == 1


def test_no_letter_goes_to_an_address_nobody_has_confirmed(table, second, django_capture_on_commit_callbacks):
    mailed(table.gm)
    mailed(second, confirmed=False)
    with django_capture_on_commit_callbacks(execute=True):
        remove_member(by=table.ana, campaign=table.campaign, user=table.ana)
    assert [letter.to for letter in mail.outbox] == [["gm@example.org"]]


def test_a_mail_that_cannot_be_sent_hinders_nobody(table, settings, django_capture_on_commit_callbacks, monkeypatch):
    mailed(table.gm)

    def broken(*_args, **_given):
        raise OSError

    monkeypatch.setattr("kingdom.members.mail.send_mail", broken)
    with django_capture_on_commit_callbacks(execute=True):
        remove_member(by=table.ana, campaign=table.campaign, user=table.ana)
    assert role_of(table.ana, table.campaign) is None


def test_links_somebody_made_end_when_he_leaves(table):
    update_campaign(by=table.gm, campaign=table.campaign, players_share=True)
    made = create_share(by=table.ana, campaign=table.campaign, kind="kingdom", thing=table.crown.pk)
    assert Client().get(f"/s/{made.token}/").status_code == 200
    remove_member(by=table.ana, campaign=table.campaign, user=table.ana)
    assert Client().get(f"/s/{made.token}/").status_code == 404


# Handing over


def test_a_campaign_is_handed_over_to_who_accepts_it(table, django_capture_on_commit_callbacks):
    mailed(table.gm, table.ana)
    with django_capture_on_commit_callbacks(execute=True):
        offer_campaign(by=table.gm, campaign=table.campaign, user=table.ana)
    assert Campaign.objects.get(pk=table.campaign.pk).owner == table.gm
    with django_capture_on_commit_callbacks(execute=True):
        accept_campaign(by=table.ana, campaign=table.campaign)
    held = Campaign.objects.get(pk=table.campaign.pk)
    assert (held.owner, held.offered_to) == (table.ana, None)
    assert (role_of(table.ana, held), role_of(table.gm, held)) == ("gm", "gm")
    assert [letter.to[0] for letter in mail.outbox] == ["ana@example.org", "gm@example.org"]
    with pytest.raises(PermissionDenied):
        delete_campaign(by=table.gm, campaign=held)
    remove_member(by=table.gm, campaign=held, user=table.gm)


def test_only_whom_it_was_offered_to_accepts_and_only_while_it_is(table):
    offer_campaign(by=table.gm, campaign=table.campaign, user=table.ana)
    with pytest.raises(IllegalCommand):
        accept_campaign(by=table.bo, campaign=table.campaign)
    with pytest.raises(Http404):
        accept_campaign(by=table.stranger, campaign=table.campaign)
    with pytest.raises(PermissionDenied):
        end_offer(by=table.bo, campaign=table.campaign)
    end_offer(by=table.ana, campaign=table.campaign)
    with pytest.raises(IllegalCommand):
        accept_campaign(by=table.ana, campaign=table.campaign)
    offer_campaign(by=table.gm, campaign=table.campaign, user=table.ana)
    end_offer(by=table.gm, campaign=table.campaign)
    with pytest.raises(IllegalCommand):
        accept_campaign(by=table.ana, campaign=table.campaign)


@pytest.mark.parametrize("who", ["stranger", "gm"])
def test_it_is_offered_to_other_members_only(table, who):
    with pytest.raises(InvalidInput):
        offer_campaign(by=table.gm, campaign=table.campaign, user=getattr(table, who))


def test_an_offer_ends_with_the_seat_of_who_got_it(table):
    offer_campaign(by=table.gm, campaign=table.campaign, user=table.ana)
    remove_member(by=table.gm, campaign=table.campaign, user=table.ana)
    seat(table.gm, table.campaign, table.ana, "player")
    with pytest.raises(IllegalCommand):
        accept_campaign(by=table.ana, campaign=table.campaign)


def test_the_pages_hand_over(table):
    gm, ana, url = client_of(table.gm), client_of(table.ana), f"/c/{table.campaign.pk}/"
    assert gm.post(f"{url}hand-over/", {"member": str(table.stranger.pk)}).status_code == 422
    assert gm.post(f"{url}hand-over/", {"member": str(table.ana.pk)}).status_code == 302
    assert "Offered to ana" in gm.get(f"{url}members/").content.decode()
    assert "wants to transfer" in ana.get("/").content.decode()
    assert "offered to you" in ana.get(f"{url}members/").content.decode()
    assert "offered to you" not in client_of(table.bo).get(f"{url}members/").content.decode()
    assert client_of(table.bo).post(f"{url}hand-over/accept/").status_code == 409
    assert client_of(table.bo).post(f"{url}hand-over/end/").status_code == 403
    assert ana.post(f"{url}hand-over/accept/").status_code == 302
    assert Campaign.objects.get(pk=table.campaign.pk).owner == table.ana


# Deleting


def test_a_deleted_campaign_is_there_for_nobody(table, battle):
    link = create_share(by=table.gm, campaign=table.campaign, kind="live", thing=battle.pk)
    invitation = invite(by=table.gm, campaign=table.campaign, role="player")
    delete_campaign(by=table.gm, campaign=table.campaign)
    places = (f"/c/{table.campaign.pk}/", f"/kingdoms/{table.crown.pk}/", f"/armies/{table.watch.pk}/",
              f"/battles/{battle.pk}/", f"/join/{invitation.token}/", f"/s/{link.token}/")  # fmt: skip
    for user in (table.gm, table.ana, table.viewer):
        client = client_of(user)
        assert [client.get(place).status_code for place in places] == [404] * len(places)
        api = api_of(user)
        for what in ("campaigns", "kingdoms", "armies", "battles"):
            assert api.get(f"/api/v1/{what}/").json()["results"] == []
        assert "Ironwatch" not in client.get("/find/?q=ironwatch").content.decode()
    assert "Restov marches" not in client_of(table.ana).get("/").content.decode()
    assert "Restov marches" in client_of(table.gm).get("/").content.decode()


def test_requests_of_a_deleted_campaign_are_there_for_nobody(table):
    """Neither for who asked nor for who plays the same kingdom, whose assignments outlast their seats."""
    cai = seat(table.gm, table.campaign, make_user("cai"), "player")
    assign_player(by=table.gm, kingdom=table.crown, player=cai)
    petition = asked(table)
    readers = (table.gm, table.ana, cai, table.viewer)
    for deleted in (False, True):
        if deleted:
            delete_campaign(by=table.gm, campaign=table.campaign)
        for user in readers:
            said = [client_of(user).get(f"/requests/{petition.pk}/").status_code,
                    api_of(user).get(f"/api/v1/requests/{petition.pk}/").status_code,
                    len(api_of(user).get("/api/v1/requests/").json()["results"])]  # fmt: skip
            assert said == ([404, 404, 0] if deleted else [200, 200, 1])


def test_its_owner_alone_restores_it_as_it_was(table, battle):
    seats = sorted(Membership.objects.values_list("user", "role", "invitation"))
    delete_campaign(by=table.gm, campaign=table.campaign)
    for user in (table.ana, table.stranger):
        with pytest.raises(Http404):
            bring_campaign_back(by=user, campaign_id=table.campaign.pk)
        assert client_of(user).post(f"/c/{table.campaign.pk}/restore/").status_code == 404
    assert client_of(table.gm).post(f"/c/{table.campaign.pk}/restore/").status_code == 302
    assert sorted(Membership.objects.values_list("user", "role", "invitation")) == seats
    assert not DeletedMembership.objects.exists()
    assert client_of(table.ana).get(f"/battles/{battle.pk}/").status_code == 200
    assert table.crown.players.get() == table.ana
    with pytest.raises(Http404):
        bring_campaign_back(by=table.gm, campaign_id=table.campaign.pk)


def test_its_gms_are_told(table, second, django_capture_on_commit_callbacks):
    mailed(table.gm, second, table.ana)
    User.objects.filter(pk=second.pk).update(language="fr")
    with django_capture_on_commit_callbacks(execute=True):
        delete_campaign(by=table.gm, campaign=table.campaign)
    letters = {letter.to[0]: letter.body for letter in mail.outbox}
    assert letters.keys() == {"gm@example.org", "second@example.org"}
    assert "seven days" in letters["gm@example.org"]
    assert "sept jours" in letters["second@example.org"]


def test_after_a_week_it_is_gone_and_not_before(table, battle):
    delete_campaign(by=table.gm, campaign=table.campaign)
    now = timezone.now()
    assert remove_deleted(now + GRACE - timedelta(minutes=1)) == 0
    assert Battle.objects.exists()
    assert remove_deleted(now + GRACE) == 1
    assert not Campaign.objects.filter(pk=table.campaign.pk).exists()
    assert not Battle.objects.exists()
    with pytest.raises(Http404):
        bring_campaign_back(by=table.gm, campaign_id=table.campaign.pk)
    assert remove_deleted(now + GRACE) == 0


def test_the_housekeeping_removes_it(table):
    delete_campaign(by=table.gm, campaign=table.campaign)
    assert tidy()["campaigns"] == 0
    Campaign.objects.update(deleted_at=timezone.now() - GRACE)
    assert tidy()["campaigns"] == 1


def test_a_restored_one_stays(table):
    delete_campaign(by=table.gm, campaign=table.campaign)
    bring_campaign_back(by=table.gm, campaign_id=table.campaign.pk)
    assert remove_deleted(timezone.now() + GRACE) == 0


def test_the_name_is_typed_to_be_sure(table):
    client, url = client_of(table.gm), f"/c/{table.campaign.pk}/delete/"
    assert client.post(url, {"delete-typed": "Restov"}).status_code == 422
    assert Campaign.objects.get(pk=table.campaign.pk).deleted_at is None
    assert client.post(url, {"delete-typed": "Restov marches"}).status_code == 302
    assert Campaign.objects.get(pk=table.campaign.pk).deleted_at is not None


def test_a_campaign_whose_owner_has_no_account_is_its_gms(table, second):
    table.gm.delete()
    campaign = get_campaign_for(second, table.campaign.pk)
    assert campaign.owner_id is None
    delete_campaign(by=second, campaign=campaign)
    bring_campaign_back(by=second, campaign_id=campaign.pk)


# By program


def test_the_api_hands_over_deletes_and_restores(table):
    gm, ana, url = api_of(table.gm), api_of(table.ana), f"/api/v1/campaigns/{table.campaign.pk}/"
    assert ana.post(f"{url}offer/", {"user": "ana"}).status_code == 403
    assert gm.post(f"{url}offer/", {"user": "nobody"}).status_code == 404
    assert gm.post(f"{url}offer/", {"user": "ana"}).status_code == 204
    assert api_of(table.bo).post(f"{url}offer/accept/").status_code == 409
    assert ana.post(f"{url}offer/accept/").status_code == 200
    owners = {seat["user"]: seat["owner"] for seat in ana.get(f"{url}members/").json()["results"]}
    assert owners == {"gm": False, "ana": True, "bo": False, "viewer": False}
    assert gm.delete(url).status_code == 403
    assert ana.delete(url).status_code == 204
    assert ana.get(url).status_code == 404
    assert gm.post(f"{url}restore/").status_code == 404
    assert ana.post(f"{url}restore/").json()["role"] == "gm"


def test_a_campaign_that_was_opened_is_its_openers(db):
    gm = make_user("gm")
    assert create_campaign(by=gm, name="C", ruleset="combat-de-masse").owner == gm
