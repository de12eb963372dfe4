"""Guests: joining by a name alone, what they may not do, and keeping the seat with an account."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from config.accounts import adapter
from config.ops.worker import tidy
from kingdom.access.queries import runs_kingdom
from kingdom.accounts.services import create_token
from kingdom.archive.services import import_campaign
from kingdom.campaign.services import create_campaign
from kingdom.members.guest_services import join_as_guest, keep_seat
from kingdom.members.queries import heirs_in
from kingdom.members.services import accept_invitation, invite, offer_campaign, remove_member, set_role
from kingdom.middleware import FREE, NEED_ACCOUNT, needs_account
from kingdom.models import Invitation, Membership, User
from rules.core.errors import IllegalCommand, InvalidInput
from tests.kingdom.conftest import api_of, client_of, make_user

PASSWORD = "a-long-march-in-the-rain"


@pytest.fixture
def link(table):
    return invite(by=table.gm, campaign=table.campaign, role="player", uses=3, kingdom=table.crown, guests=True)


@pytest.fixture
def guest(link):
    return join_as_guest(token=link.token, name="Robin")


def join_url(link: Invitation) -> str:
    return reverse("kingdom:join_as_guest", args=[link.token])


def test_a_name_is_enough_where_the_invitation_allows_guests(table, link):
    client = Client()
    page = client.get(reverse("kingdom:invitation", args=[link.token])).content.decode()
    assert "Join as a guest" in page
    answer = client.post(join_url(link), {"name": "Robin"})
    assert (answer.status_code, answer["Location"]) == (302, reverse("kingdom:campaign", args=[table.campaign.pk]))
    guest = User.objects.get(username="Robin")
    assert (guest.guest, guest.has_usable_password()) == (True, False)
    assert runs_kingdom(guest, table.crown)
    assert client.get(answer["Location"]).status_code == 200
    link.refresh_from_db()
    assert link.used == 1


def test_an_invitation_takes_no_guests_unless_the_gm_says_so(table):
    plain = invite(by=table.gm, campaign=table.campaign, role="player", kingdom=table.crown)
    client = Client()
    assert "Join as a guest" not in client.get(reverse("kingdom:invitation", args=[plain.token])).content.decode()
    assert client.post(join_url(plain), {"name": "Robin"}).status_code == 302
    with pytest.raises(IllegalCommand):
        join_as_guest(token=plain.token, name="Robin")
    assert not User.objects.filter(username="Robin").exists()


def test_a_guest_joins_another_campaign_only_where_guests_may(table, guest):
    elsewhere = create_campaign(by=table.gm, name="Elsewhere", ruleset="combat-de-masse")
    closed = invite(by=table.gm, campaign=elsewhere, role="viewer")
    with pytest.raises(IllegalCommand):
        accept_invitation(by=guest, token=closed.token)
    page = client_of(guest).get(reverse("kingdom:invitation", args=[closed.token])).content.decode()
    assert reverse("kingdom:keep_seat") in page
    accept_invitation(by=guest, token=invite(by=table.gm, campaign=elsewhere, role="viewer", guests=True).token)
    assert Membership.objects.filter(campaign=elsewhere, user=guest).exists()


def test_nothing_is_kept_of_a_name_that_is_refused(link):
    client, people = Client(), User.objects.count()
    make_user("Robin")
    for name in ("robin", "", "two words", "\u200b", "а\u0440ple"):
        assert client.post(join_url(link), {"name": name}).status_code == 422, name
    assert User.objects.count() == people + 1
    link.refresh_from_db()
    assert link.used == 0


def test_a_closed_invitation_seats_no_guest(link):
    Invitation.objects.filter(pk=link.pk).update(expires=timezone.now() - timedelta(days=1))
    assert Client().post(join_url(link), {"name": "Robin"}).status_code == 410
    assert not User.objects.filter(username="Robin").exists()


def test_guests_are_counted_with_new_accounts(link, monkeypatch):
    monkeypatch.setattr(adapter, "SIGNUP", replace(adapter.SIGNUP, most=2))
    answers = [Client().post(join_url(link), {"name": name}).status_code for name in ("one", "two", "three")]
    assert answers == [302, 302, 429]


def test_whoever_has_signed_in_joins_as_themselves(link):
    newcomer = make_user("dara")
    assert client_of(newcomer).post(join_url(link), {"name": "Robin"}).status_code == 302
    assert not User.objects.filter(guest=True).exists()


def test_where_sign_up_is_closed_there_are_no_guests(table, link, settings):
    settings.SIGNUP_OPEN = False
    assert "Join as a guest" not in Client().get(reverse("kingdom:invitation", args=[link.token])).content.decode()
    with pytest.raises(IllegalCommand):
        join_as_guest(token=link.token, name="Robin")
    with pytest.raises(InvalidInput) as refused:
        invite(by=table.gm, campaign=table.campaign, role="player", guests=True)
    assert refused.value.field == "/guests"
    members = client_of(table.gm).get(reverse("kingdom:members", args=[table.campaign.pk])).content.decode()
    assert 'name="guests"' not in members


def test_nobody_is_gm_or_owner_as_a_guest(table, guest):
    with pytest.raises(InvalidInput) as refused:
        invite(by=table.gm, campaign=table.campaign, role="gm", guests=True)
    assert refused.value.field == "/guests"
    with pytest.raises(IntegrityError), transaction.atomic():
        Invitation.objects.filter(campaign=table.campaign, guests=True).update(role="gm", kingdom=None, uses=1, used=0)
    with pytest.raises(IllegalCommand):
        set_role(by=table.gm, campaign=table.campaign, user=guest, role="gm")
    with pytest.raises(InvalidInput):
        offer_campaign(by=table.gm, campaign=table.campaign, user=guest)
    assert guest not in heirs_in(table.campaign)


def test_a_guest_makes_no_campaigns_and_no_tokens(guest, tmp_path):
    for refused in (
        lambda: create_campaign(by=guest, name="Mine", ruleset="combat-de-masse"),
        lambda: create_token(by=guest),
        lambda: import_campaign(by=guest, file=(tmp_path / "none").open("wb+")),
    ):
        with pytest.raises(PermissionDenied):
            refused()
    body = {"name": "Mine", "ruleset": "combat-de-masse"}
    session = client_of(guest)
    assert session.post("/api/v1/campaigns/", body, content_type="application/json").status_code == 403


def test_pages_that_need_an_account_say_so(guest):
    client = client_of(guest)
    names = [name for name in NEED_ACCOUNT if name not in ("kingdom:token_revoke", "kingdom:session_end")]
    for name in (*names, "account_email", "account_change_password", "mfa_index"):
        if name == "kingdom:campaign_import":
            continue  # a file is read there before anybody asks
        for answer in (client.get(reverse(name)), client.post(reverse(name), {})):
            assert answer.status_code == 403, name
            assert reverse("kingdom:keep_seat") in answer.content.decode()
    assert client.get(reverse("kingdom:account")).status_code == 200


def test_every_page_of_an_account_is_for_accounts_unless_it_says_otherwise():
    """A new page of allauth's is closed to guests by itself."""
    theirs = {
        inner.name
        for pattern in get_resolver().url_patterns
        if str(pattern.pattern) == "accounts/"
        for inner in _flat(pattern)
        if inner.name
    }
    assert "account_email" in theirs
    assert {name for name in theirs if not needs_account(name)} <= FREE


def _flat(pattern):
    for inner in pattern.url_patterns:
        if hasattr(inner, "url_patterns"):
            yield from _flat(inner)
        else:
            yield inner


def test_a_guest_is_warned_before_they_sign_out(guest):
    client = client_of(guest)
    page = client.post("/accounts/logout/")
    assert page.status_code == 200
    assert "can’t come back to this seat" in page.content.decode()
    assert client.get("/account/").status_code == 200
    client.post("/accounts/logout/", {"anyway": "yes"})
    assert client.get("/account/").status_code == 302


def test_an_account_made_for_an_invitation_leads_back_to_it(table, guest):
    elsewhere = create_campaign(by=table.gm, name="Elsewhere", ruleset="combat-de-masse")
    closed = invite(by=table.gm, campaign=elsewhere, role="player")
    client, invitation = client_of(guest), reverse("kingdom:invitation", args=[closed.token])
    (way,) = re.findall(
        r'href="(/account/keep-seat/[^"]*)"', client.get(invitation).content.decode().partition("<main")[2]
    )
    sent = {"name": "Robin.Hood", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post(way, sent).headers["Location"] == invitation


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "javascript:alert(1)", ""])
def test_an_account_leads_to_no_other_site(guest, elsewhere):
    sent = {"name": "Robin.Hood", "password1": PASSWORD, "password2": PASSWORD}
    answer = client_of(guest).post(f"/account/keep-seat/?next={elsewhere}", sent)
    assert answer.headers["Location"] == "/"


def test_an_account_keeps_everything_the_guest_had(table, link):
    client = Client()
    client.post(join_url(link), {"name": "Robin"})
    guest = User.objects.get(username="Robin")
    sent = {"name": "Robin.Hood", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post("/account/keep-seat/", sent).status_code == 302
    assert client.get(reverse("kingdom:campaign", args=[table.campaign.pk])).status_code == 200, "the session goes on"
    kept = User.objects.get(pk=guest.pk)
    assert (kept.username, kept.guest, kept.check_password(PASSWORD)) == ("Robin.Hood", False, True)
    assert runs_kingdom(kept, table.crown)
    assert Client().login(username="Robin.Hood", password=PASSWORD)
    assert client.get("/tokens/").status_code == 200
    with pytest.raises(IllegalCommand):
        keep_seat(by=kept, name="Again", password=PASSWORD)


def test_a_refused_account_leaves_the_guest_as_they_are(guest):
    client = client_of(guest)
    make_user("taken")
    for name, first, second in (
        ("taken", PASSWORD, PASSWORD), ("Robin", "short", "short"), ("Robin", PASSWORD, PASSWORD + "x"), ("", "", ""),
        ("robinhoodie", "robinhoodie1", "robinhoodie1"),
    ):  # fmt: skip
        sent = {"name": name, "password1": first, "password2": second}
        assert client.post("/account/keep-seat/", sent).status_code == 422, sent
    guest.refresh_from_db()
    assert (guest.username, guest.guest, guest.has_usable_password()) == ("Robin", True, False)


def test_the_gm_removes_a_guest_who_is_forgotten_once_their_session_is_over(table, guest):
    client = client_of(guest)
    client.get("/account/")
    remove_member(by=table.gm, campaign=table.campaign, user=guest)
    assert client.get(reverse("kingdom:campaign", args=[table.campaign.pk])).status_code == 404
    tidy()
    assert User.objects.filter(pk=guest.pk).exists(), "their session could still join elsewhere"
    Session.objects.all().delete()
    tidy()
    assert not User.objects.filter(pk=guest.pk).exists()


def test_a_guest_with_a_seat_is_kept(guest):
    tidy()
    assert User.objects.filter(pk=guest.pk).exists()


def test_guests_are_told_apart_where_members_are_listed(table, guest):
    told = api_of(table.ana).get(f"/api/v1/campaigns/{table.campaign.pk}/members/").json()["results"]
    assert {row["user"]: row["guest"] for row in told}["Robin"] is True
    assert [row["guest"] for row in told].count(True) == 1
    page = client_of(table.ana).get(reverse("kingdom:members", args=[table.campaign.pk])).content.decode()
    assert page.count(">guest<") == 1


def test_invitations_say_over_the_api_whether_guests_may_join(table):
    client, address = api_of(table.gm), f"/api/v1/campaigns/{table.campaign.pk}/invitations/"
    made = client.post(address, {"role": "player", "guests": True}, format="json").json()
    assert made["guests"] is True
    assert client.post(address, {"role": "gm", "guests": True}, format="json").status_code == 400


def test_the_form_makes_a_link_for_guests(table):
    sent = {"role": "viewer", "uses": "2", "guests": "on"}
    client_of(table.gm).post(reverse("kingdom:invite", args=[table.campaign.pk]), sent)
    made = Invitation.objects.filter(campaign=table.campaign).latest("id")
    assert (made.guests, made.role) == (True, "viewer")
