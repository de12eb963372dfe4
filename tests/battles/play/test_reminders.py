"""Reminders: the GM reminds the players a battle waits for, by mail and by the webhooks that hear of turns."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse

from battles.models import Battle
from battles.play import services as play_services
from kingdom.models import Webhook, WebhookDelivery
from rules.pathfinder.battle.orders.commands import Next
from tests.battles.conftest import open_ford
from tests.kingdom.conftest import api_of, client_of


@pytest.fixture
def waiting(table) -> Battle:
    """A battle that waits for the orders of both players, of whom ana has a confirmed address."""
    EmailAddress.objects.create(user=table.ana, email="ana@example.org", verified=True, primary=True)
    battle = open_ford(table)
    play_services.play(by=table.gm, battle_id=battle.pk, version=battle.version, command=Next())
    return Battle.objects.get(pk=battle.pk)


def remind(user: Any, battle: Battle) -> Any:
    return client_of(user).post(reverse("battles:remind", args=[battle.pk]), follow=True)


def test_the_card_offers_it_where_players_are_awaited_and_to_the_gm_alone(table, waiting):
    address = reverse("battles:remind", args=[waiting.pk])
    for user, offered in ((table.gm, True), (table.ana, False), (table.viewer, False)):
        board = client_of(user).get(reverse("kingdom:campaign", args=[table.campaign.pk])).content.decode()
        assert (address in board) is offered, user


def test_the_awaited_players_have_a_mail_and_webhooks_hear_of_it_once_an_hour(
    table, waiting, mailoutbox, django_capture_on_commit_callbacks
):
    Webhook.objects.create(
        campaign=table.campaign, name="Bot", url="https://1.1.1.1/", seed="", origin="", events=["battle.turn"]
    )
    with django_capture_on_commit_callbacks(execute=True):
        page = remind(table.gm, waiting).content.decode()
    assert "Reminded: ana, bo." in page
    assert [(mail.to, mail.subject) for mail in mailoutbox] == [(["ana@example.org"], "“The ford” is waiting for you")]
    assert reverse("battles:battle", args=[waiting.pk]) in mailoutbox[0].body
    assert [one.about["sides"] for one in WebhookDelivery.objects.filter(event="battle.turn")] == [[0, 1]]
    again = remind(table.gm, waiting).content.decode()
    assert "already reminded less than an hour ago" in again
    assert WebhookDelivery.objects.count() == 1


def test_a_battle_that_waits_for_no_player_reminds_nobody(table, mailoutbox):
    page = remind(table.gm, open_ford(table)).content.decode()
    assert "This battle isn’t waiting for any player." in page
    assert remind(table.ana, Battle.objects.get()).status_code == 403
    assert mailoutbox == []


def test_a_program_of_the_gm_reminds_too(table, waiting):
    address = f"/api/v1/battles/{waiting.pk}/remind/"
    assert api_of(table.ana).post(address).status_code == 403
    assert api_of(table.gm).post(address).json() == {"players": ["ana", "bo"]}
    assert api_of(table.gm).post(address).status_code == 409
