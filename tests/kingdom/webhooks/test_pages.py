"""Webhooks on pages, without scripts."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from config.ops.worker import tidy
from kingdom.models import Webhook, WebhookAttempt, WebhookDelivery
from kingdom.webhooks.services import send_test
from tests.kingdom.webhooks.conftest import work_off


@pytest.fixture
def gm_client(table) -> Client:
    client = Client()
    client.force_login(table.gm)
    return client


def form(listener, **more):
    return {"url": listener.url, "name": "Bot", "shape": "standard", "language": "en", "events": ["time.advanced"],
            **more}  # fmt: skip


def test_settings_lead_there(gm_client, table):
    page = gm_client.get(f"/c/{table.campaign.pk}/edit/").content.decode()
    assert f'href="/c/{table.campaign.pk}/webhooks/"' in page


def test_one_is_made_and_its_secret_shown_once(gm_client, table, listener):
    page = gm_client.post(f"/c/{table.campaign.pk}/webhooks/", form(listener))
    assert page.status_code == 200
    (secret,) = re.findall(r"whsec_[\w+/=]+", page.content.decode())
    webhook = Webhook.objects.get()
    assert secret not in gm_client.get(f"/webhooks/{webhook.pk}/").content.decode()
    assert webhook.name in gm_client.get(f"/c/{table.campaign.pk}/webhooks/").content.decode()
    again = gm_client.post(f"/webhooks/{webhook.pk}/secret/").content.decode()
    assert secret not in again
    assert re.search(r"whsec_[\w+/=]+", again)


def test_a_page_that_is_loaded_anew_makes_no_second_one_and_no_second_secret(gm_client, table, listener):
    """A channel would be told everything twice; and after two new secrets the one that is known signs no more."""
    url = f"/c/{table.campaign.pk}/webhooks/"
    once = gm_client.get(url).context["once"]
    assert "whsec_" in gm_client.post(url, form(listener, once=once)).content.decode()
    again = gm_client.post(url, form(listener, once=once), follow=True).content.decode()
    assert "This webhook has already been created." in again
    webhook = Webhook.objects.get()
    page = f"/webhooks/{webhook.pk}/"
    once = gm_client.get(page).context["once"]
    assert "whsec_" in gm_client.post(f"{page}secret/", {"once": once}).content.decode()
    seeds = Webhook.objects.values_list("seed", "old_seed").get()
    again = gm_client.post(f"{page}secret/", {"once": once}, follow=True).content.decode()
    assert "This secret has already been generated" in again
    assert Webhook.objects.values_list("seed", "old_seed").get() == seeds


@pytest.mark.parametrize("wrong", [{"url": "https://10.0.0.1/"}, {"url": "x"}, {"events": []}, {"shape": "carrier"}])
def test_what_is_refused_is_said_beside_its_field(gm_client, table, listener, wrong):
    page = gm_client.post(f"/c/{table.campaign.pk}/webhooks/", form(listener, **wrong))
    assert page.status_code == 422
    assert page.context["form"].errors.keys() == wrong.keys()
    assert not Webhook.objects.exists()


def test_from_a_test_to_its_second_delivery(gm_client, hook, listener):
    page = f"/webhooks/{hook.pk}/"
    listener.status = 500
    assert gm_client.post(f"{page}test/").status_code == 302
    assert "waiting" in gm_client.get(page).content.decode()
    work_off()
    read = gm_client.get(page).content.decode()
    assert "500" in read
    assert "1 attempt" in read
    listener.status = 204
    (told,) = WebhookDelivery.objects.all()
    assert gm_client.post(f"{page}{told.pk}/again/").status_code == 302
    work_off()
    read = gm_client.get(page).content.decode()
    assert "delivered" in read
    assert "2 attempts" in read


def test_it_is_changed_paused_and_deleted(gm_client, table, hook, listener):
    page = f"/webhooks/{hook.pk}/"
    gm_client.post(page, form(listener, name="", events=["battle.ended"]))
    hook.refresh_from_db()
    assert (hook.name, hook.events) == ("Bot", ["battle.ended"])
    gm_client.post(f"{page}switch/")
    hook.refresh_from_db()
    assert hook.state == "paused"
    assert "Send test message" not in gm_client.get(page).content.decode()
    gm_client.post(f"{page}switch/", {"on": "1"})
    hook.refresh_from_db()
    assert hook.state == "on"
    assert gm_client.post(f"{page}delete/")["Location"] == f"/c/{table.campaign.pk}/webhooks/"
    assert not Webhook.objects.exists()


def test_what_a_stranger_answers_stands_there_as_text(gm_client, hook):
    told = WebhookDelivery.objects.create(campaign=hook.campaign, webhook=hook, event="webhook.test")
    WebhookAttempt.objects.create(
        campaign=hook.campaign, delivery=told, milliseconds=1, status=500, answer="<script>alert(1)</script>"
    )
    assert "<script>alert" not in gm_client.get(f"/webhooks/{hook.pk}/").content.decode()


def test_the_log_is_read_a_page_at_a_time(gm_client, hook, django_assert_max_num_queries):
    for _turn in range(45):
        WebhookDelivery.objects.create(campaign=hook.campaign, webhook=hook, event="time.advanced", about={})
    gm_client.get(f"/webhooks/{hook.pk}/")
    with django_assert_max_num_queries(10):
        page = gm_client.get(f"/webhooks/{hook.pk}/?page=2")
    assert page.content.decode().count('id="delivery-') == 20


def test_what_was_told_is_forgotten_after_a_month(hook, table, listener):
    send_test(by=table.gm, webhook=hook)
    work_off()
    tidy()
    assert WebhookDelivery.objects.count() == 1
    WebhookDelivery.objects.update(at=timezone.now() - timedelta(days=31))
    assert tidy()["webhook deliveries"] == 2  # with its attempt
    assert not WebhookDelivery.objects.exists()


def test_what_waits_is_never_forgotten(hook, table, listener):
    send_test(by=table.gm, webhook=hook)
    WebhookDelivery.objects.update(at=timezone.now() - timedelta(days=31))
    tidy()
    assert WebhookDelivery.objects.exists()


def test_the_campaigns_page_says_that_one_was_switched_off(gm_client, table, hook):
    board = f"/c/{table.campaign.pk}/"
    assert f"/c/{table.campaign.pk}/webhooks/" not in gm_client.get(board).content.decode()
    Webhook.objects.update(state="off")
    assert f"/c/{table.campaign.pk}/webhooks/" in gm_client.get(board).content.decode()
    player = Client()
    player.force_login(table.ana)
    assert f"/c/{table.campaign.pk}/webhooks/" not in player.get(board).content.decode()
