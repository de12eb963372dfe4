"""What a channel of players is told holds what each of them may read, and nothing else."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from kingdom.members.services import delete_campaign
from kingdom.models import ChronicleEntry, DeliveryState, Membership, Role, Webhook, WebhookDelivery
from kingdom.webhooks import delivery
from kingdom.webhooks.delivery import deliver_due, look_after
from kingdom.webhooks.services import send_again
from tests.kingdom.conftest import api_of
from tests.kingdom.webhooks.conftest import work_off


@pytest.fixture
def channel(hook):
    hook.shape = Webhook.Shape.DISCORD
    hook.save()
    return hook


def told_of_army(channel, **entry):
    made = ChronicleEntry.objects.create(
        campaign=channel.campaign, seq=900, day=0, text={"say": "The watch has marched"}, kind="army", **entry
    )
    about = {"entry": str(made.pk), "version": 900, "day": 0, "taken_back": False, "armies": [], "count": 1}
    return WebhookDelivery.objects.create(campaign=channel.campaign, webhook=channel, event="army.changed", about=about)


def test_what_the_whole_table_reads_is_said_in_the_chronicles_words(channel):
    body = delivery.build_body(told_of_army(channel))
    assert body
    assert "The watch has marched" in body


def test_what_one_player_may_not_read_is_kept_back(channel, table, listener):
    """Ana reads it, bo does not: a channel they share hears nothing."""
    told = told_of_army(channel, private=True, kingdoms=[table.crown.pk])
    assert delivery.build_body(told) is None
    deliver_due()
    told.refresh_from_db()
    assert told.state == DeliveryState.WITHHELD
    work_off()
    assert listener.heard == []


def test_a_request_names_neither_who_asks_nor_for_what(channel, table):
    about = {"request": str(table.crown.pk), "kind": "treasury", "day": 0}
    told = WebhookDelivery.objects.create(campaign=channel.campaign, webhook=channel, event="request.made", about=about)
    body = delivery.build_body(told)
    assert body
    assert "A request is waiting for the GM" in body
    assert not any(word in body for word in ("treasury", "ana", "Crown"))


def test_where_no_player_sits_yet_it_says_what_one_who_joins_could_read(channel, table):
    told = told_of_army(channel)
    Membership.objects.filter(campaign=channel.campaign, role=Role.PLAYER).delete()
    assert "The watch has marched" in (delivery.build_body(told) or "")
    for secret in ({"private": True}, {"private": True, "kingdoms": [table.crown.pk]}):
        ChronicleEntry.objects.filter(seq=900).update(**secret)
        assert delivery.build_body(told) is None, secret


def test_a_message_that_is_kept_back_says_why(channel, table):
    told_of_army(channel, private=True, kingdoms=[table.crown.pk])
    deliver_due()
    api, page = api_of(table.gm), Client()
    page.force_login(table.gm)
    for why in ("Not every player can read this yet. Send it again when they can.",
                "The campaign has no players yet, and new players couldn’t read this."):  # fmt: skip
        (found,) = api.get(f"/api/v1/webhooks/{channel.pk}/deliveries/").json()["results"]
        assert (found["state"], found["why"]) == ("withheld", why)
        assert why in page.get(f"/webhooks/{channel.pk}/").content.decode()
        Membership.objects.filter(campaign=channel.campaign, role=Role.PLAYER).delete()


def test_of_a_campaign_that_waits_to_be_deleted_nothing_is_sent(channel, table, listener):
    told = told_of_army(channel)
    delete_campaign(by=table.gm, campaign=channel.campaign)
    deliver_due()
    assert look_after() == 0
    told.refresh_from_db()
    assert (told.state, listener.heard) == (DeliveryState.WAITING, [])


def test_what_was_hidden_since_the_first_attempt_is_not_told_by_the_second(channel, table, listener):
    """Nothing that was put into words before is sent: each attempt asks the law again."""
    listener.status = 500
    told = told_of_army(channel)
    deliver_due()
    assert "The watch has marched" in listener.heard[0].body
    ChronicleEntry.objects.filter(seq=900).update(private=True)
    WebhookDelivery.objects.update(next_at=timezone.now())
    deliver_due()
    told.refresh_from_db()
    assert (told.state, len(listener.heard)) == (DeliveryState.WITHHELD, 1)


def test_sent_again_it_says_what_may_be_known_now(channel, table, listener):
    told = told_of_army(channel)
    deliver_due()
    told.refresh_from_db()
    assert (told.state, len(listener.heard)) == (DeliveryState.DELIVERED, 1)
    entry = ChronicleEntry.objects.filter(seq=900)
    for private, state in ((True, DeliveryState.WITHHELD), (False, DeliveryState.DELIVERED)):
        entry.update(private=private)
        send_again(by=table.gm, delivery=WebhookDelivery.objects.get())
        deliver_due()
        told.refresh_from_db()
        assert told.state == state
    assert listener.ids() == [told.message_id] * 2
