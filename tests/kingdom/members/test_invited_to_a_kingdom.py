"""Invitations that name the kingdom whoever joins by them runs."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from kingdom.access.queries import run_kingdom_ids, runs_kingdom
from kingdom.campaign.services import create_campaign
from kingdom.members.services import accept_invitation, invite
from kingdom.models import Invitation, Kingdom
from kingdom.realms.services import dissolve_kingdom, found_kingdom
from kingdom.templatetags.pieces import qr_code
from rules.core.errors import InvalidInput
from tests.kingdom.conftest import api_of, client_of, make_user


def runs(user, kingdom):
    return runs_kingdom(user, Kingdom.objects.get(pk=kingdom.pk))


def members_url(campaign):
    return reverse("kingdom:members", args=[campaign.pk])


def test_whoever_joins_by_the_link_runs_the_kingdom_beside_those_who_do(table):
    link = invite(by=table.gm, campaign=table.campaign, role="player", uses=2, kingdom=table.crown)
    for name in ("dara", "eve"):
        newcomer = make_user(name)
        accept_invitation(by=newcomer, token=link.token)
        assert runs(newcomer, table.crown)
        assert not runs(newcomer, table.horde)
    assert runs(table.ana, table.crown)


def test_a_member_who_opens_the_link_is_given_nothing(table):
    link = invite(by=table.gm, campaign=table.campaign, role="player", kingdom=table.horde)
    accept_invitation(by=table.ana, token=link.token)
    assert not runs(table.ana, table.horde)


def test_a_kingdom_is_named_to_players_only_and_only_one_of_the_campaign(table):
    elsewhere = create_campaign(by=table.gm, name="Elsewhere", ruleset="combat-de-masse")
    foreign = found_kingdom(by=table.gm, campaign=elsewhere, name="Foreign")
    odd = [("viewer", table.crown.pk), ("gm", table.crown.pk), ("player", foreign.pk), ("player", uuid4()),
           ("player", "the Crown")]  # fmt: skip
    for role, kingdom in odd:
        with pytest.raises(InvalidInput) as refused:
            invite(by=table.gm, campaign=table.campaign, role=role, kingdom=kingdom)
        assert refused.value.field == "/kingdom", (role, kingdom)
    link = Invitation.objects.filter(campaign=table.campaign, role="viewer").first()
    link = link or invite(by=table.gm, campaign=table.campaign, role="viewer")
    with pytest.raises(IntegrityError), transaction.atomic():
        Invitation.objects.filter(pk=link.pk).update(kingdom=table.crown)


def test_a_link_to_a_kingdom_that_was_dissolved_seats_a_player_without_one(table):
    link = invite(by=table.gm, campaign=table.campaign, role="player", kingdom=table.horde)
    dissolve_kingdom(by=table.gm, kingdom=table.horde)
    newcomer = make_user("dara")
    page = client_of(newcomer).get(reverse("kingdom:invitation", args=[link.token])).content.decode()
    assert "invites you to play in this campaign." in page
    assert accept_invitation(by=newcomer, token=link.token).role == "player"
    assert not run_kingdom_ids(newcomer, table.campaign)


def test_the_form_makes_a_link_that_stands_under_its_button_and_in_the_list(table):
    gm = client_of(table.gm)
    sent = {"role": "player", "uses": "1", "kingdom": str(table.crown.pk)}
    answer = gm.post(reverse("kingdom:invite", args=[table.campaign.pk]), sent)
    link = Invitation.objects.latest("id")
    assert link.kingdom == table.crown
    assert answer.headers["Location"] == f"{members_url(table.campaign)}?made={link.pk}#made"
    page = gm.get(answer.headers["Location"]).content.decode()
    form = page[page.index("/invitations/new/") if "/invitations/new/" in page else 0 :]
    assert 'id="made-link"' in form
    assert f'value="http://testserver{reverse("kingdom:invitation", args=[link.token])}" readonly' in page
    assert 'data-copy="#made-link"' in page
    listed = page.split("Open invitations")[1]
    assert table.crown.name in listed


def test_the_link_of_another_campaign_or_one_that_was_revoked_is_not_shown(table):
    elsewhere = create_campaign(by=table.gm, name="Elsewhere", ruleset="combat-de-masse")
    foreign = invite(by=table.gm, campaign=elsewhere, role="player")
    for made in (foreign.pk, uuid4(), "x"):
        assert 'id="made-link"' not in client_of(table.gm).get(f"{members_url(table.campaign)}?made={made}").text


def test_a_refused_kingdom_is_told_at_its_field(table):
    sent = {"role": "viewer", "uses": "1", "kingdom": str(table.crown.pk)}
    answer = client_of(table.gm).post(reverse("kingdom:invite", args=[table.campaign.pk]), sent)
    assert answer.status_code == 422
    assert "Only a player invitation can include a kingdom. Leave the kingdom out." in answer.content.decode()


def test_the_join_page_says_which_kingdom_and_so_does_the_welcome(table):
    link = invite(by=table.gm, campaign=table.campaign, role="player", kingdom=table.crown)
    newcomer = client_of(make_user("dara"))
    url = reverse("kingdom:invitation", args=[link.token])
    assert f"run {table.crown.name}." in newcomer.get(url).content.decode()
    assert f"You run {table.crown.name}." in newcomer.post(url, follow=True).content.decode()


def test_the_api_takes_and_tells_the_kingdom(table):
    api, url = api_of(table.gm, scope="manage"), f"/api/v1/campaigns/{table.campaign.pk}/invitations/"
    made = api.post(url, {"role": "player", "kingdom": str(table.crown.pk)}, format="json")
    assert (made.status_code, made.json()["kingdom"]) == (201, str(table.crown.pk))
    plain = api.post(url, {"role": "player", "kingdom": None}, format="json")
    assert (plain.status_code, plain.json()["kingdom"]) == (201, None)
    refused = api.post(url, {"role": "viewer", "kingdom": str(table.crown.pk)}, format="json")
    assert refused.status_code == 400
    assert "/kingdom" in refused.content.decode()


def test_the_link_is_drawn_as_a_code_of_itself(table):
    link = invite(by=table.gm, campaign=table.campaign, role="player")
    page = client_of(table.gm).get(f"{members_url(table.campaign)}?made={link.pk}")
    made = page.context["made"].url
    drawn = qr_code(made, "QR code of the invitation link")
    assert drawn in page.content.decode()
    assert drawn != qr_code(f"{made}x", "QR code of the invitation link")
    assert "style" not in drawn


def test_the_page_of_a_link_says_who_invites_to_what(table):
    for role, kingdom, told in (
        ("player", table.crown, "gm invites you to play in this campaign and run Crown of Restov."),
        ("viewer", None, "gm invites you to watch this campaign."),
        ("gm", None, "gm invites you to be a GM of this campaign."),
    ):
        link = invite(by=table.gm, campaign=table.campaign, role=role, kingdom=kingdom)
        page = client_of(make_user(f"newcomer-{role}")).get(reverse("kingdom:invitation", args=[link.token]))
        assert told in page.content.decode(), role
        assert "Mass combat" in page.content.decode()
    Invitation.objects.filter(pk=link.pk).update(created_by=None)
    page = client_of(make_user("late")).get(reverse("kingdom:invitation", args=[link.token])).content.decode()
    assert "A GM invites you" in page
