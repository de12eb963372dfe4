"""Delivery of waiting messages: one at a time to each webhook, in the order they are due.

A turn is taken (`kingdom.webhooks.leases`), the message composed and sent with no transaction open and no connection
held, and what came of it written down. What was sent and not written down any more is sent again, under the same id.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from django.db import InterfaceError, OperationalError, connection, transaction
from django.urls import reverse
from django.utils import timezone

from kingdom.members import mail
from kingdom.models import DeliveryState, Webhook, WebhookAttempt, WebhookDelivery, WebhookState
from kingdom.webhooks import payloads
from kingdom.webhooks.leases import LEASE, QUICK, list_due, slow_lane, take_lease
from kingdom.webhooks.signing import list_secrets, sign_message
from kingdom.webhooks.transport import GONE, LIMIT, Answered, post
from rules.core.text import _, say

WAITS = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds between the attempts, as Standard Webhooks proposes: ten in 75 hours. Up to a tenth more, at random."""
LONGEST_WAIT = 86_400.0  # that an answer may ask for
BUSY = 2.0  # seconds of turns after which a hand is free for other tasks
REST = timedelta(seconds=30)  # of a webhook where nobody answered
PATIENCE = timedelta(days=3)  # after which one where nothing comes through is switched off with the next given up
RECORD = LEASE.total_seconds() - LIMIT  # seconds in which the database may come back to write down what was sent
PAUSE = 0.2  # seconds between two tries at that


def deliver_due() -> None:
    """Send what is due, a message a turn. Who finds nothing to do goes: whoever has something in hand looks again once
    they have let go of it.
    """
    until = time.monotonic() + BUSY
    while webhook := _one_turn():
        if time.monotonic() > until:
            return come_again(webhook.pk, timezone.now())
    return None


def come_again(webhook: UUID, moment: datetime) -> None:
    """Let a worker look at it then."""
    from kingdom.webhooks.tasks import deliver

    deliver.using(run_after=moment).enqueue(str(webhook))


def _one_turn() -> Webhook | None:
    """Whose turn it was; None: nothing is to be done."""
    with slow_lane.entered() as room:
        webhook = take_lease(slow_too=room)
        if webhook is not None and not webhook.quick:
            _send(webhook)
    if webhook is not None and webhook.quick:  # it needs no room there
        _send(webhook)
    return webhook


def _send(webhook: Webhook) -> None:
    """Its first message that is due, in the words of this moment."""
    now = timezone.now()
    delivery = list_due(now).filter(webhook=webhook).select_related("campaign").first()
    if delivery is None:  # a GM was quicker
        return _let_go(webhook)
    delivery.webhook = webhook
    body = payloads.build_body(delivery)
    if body is None:
        WebhookDelivery.objects.filter(pk=delivery.pk).update(state=DeliveryState.WITHHELD)
        return _let_go(webhook)
    headers = sign_message(delivery.message_id, now, body, list_secrets(webhook, now))
    _hold_no_connection()
    answered = post(webhook.url, headers, body)
    return _surely(partial(_write, webhook, delivery, answered, now))


def _let_go(webhook: Webhook, **fields: object) -> None:
    """Unless it has been taken for dead, and another has it."""
    Webhook.objects.filter(pk=webhook.pk, taken_by=webhook.taken_by).update(taken_by=None, **fields)


def _hold_no_connection() -> None:
    """Others may have it while one waits for somebody's answer."""
    if not connection.in_atomic_block:
        connection.close()


def _surely(write: Callable[[], None]) -> None:
    """The database may be away for a moment; what is not written down would be sent again."""
    until = time.monotonic() + RECORD
    while True:
        try:
            return write()
        except (OperationalError, InterfaceError):
            if connection.in_atomic_block or time.monotonic() > until:
                raise
            _hold_no_connection()
            time.sleep(PAUSE)


@transaction.atomic
def _write(webhook: Webhook, sent: WebhookDelivery, answered: Answered, at: datetime) -> None:
    """What came of it. Whoever deleted the webhook meanwhile deleted this, too. Its row is locked before those of its
    deliveries, here as in whatever deletes it.
    """
    held = Webhook.objects.select_for_update(no_key=True).filter(pk=webhook.pk).first()
    delivery = WebhookDelivery.objects.select_for_update(no_key=True).filter(pk=sent.pk).first()
    _let_go(webhook, quick=answered.milliseconds <= QUICK)
    if held is None or delivery is None:
        return
    WebhookAttempt.objects.create(
        campaign_id=delivery.campaign_id, delivery=delivery, at=at, milliseconds=answered.milliseconds,
        status=answered.status, trouble=answered.trouble, answer=answered.answer,
    )  # fmt: skip
    if answered.well:
        _set(delivery, state=DeliveryState.DELIVERED, tries=delivery.tries + 1)
        Webhook.objects.filter(pk=held.pk).update(failing_since=None, rests_until=None)
    elif held.taken_by == webhook.taken_by and delivery.state == DeliveryState.WAITING:
        # else others see to it, or nobody
        _fail(held, delivery, answered, at)


def _set(delivery: WebhookDelivery, **fields: object) -> None:
    WebhookDelivery.objects.filter(pk=delivery.pk).update(**fields)


def _fail(webhook: Webhook, delivery: WebhookDelivery, answered: Answered, at: datetime) -> None:
    tries, now = delivery.tries + 1, timezone.now()
    Webhook.objects.filter(pk=webhook.pk, failing_since=None).update(failing_since=at)
    if answered.status is None:
        Webhook.objects.filter(pk=webhook.pk).update(rests_until=now + REST)
        come_again(webhook.pk, now + REST)
    gone = answered.status == GONE
    if not gone and tries <= len(WAITS):
        wait = max(WAITS[tries - 1] * random.uniform(1.0, 1.1), min(answered.wait, LONGEST_WAIT))
        _set(delivery, tries=tries, next_at=now + timedelta(seconds=wait))
        return come_again(webhook.pk, now + timedelta(seconds=wait))
    _set(delivery, state=DeliveryState.GIVEN_UP, tries=tries)
    if gone or (webhook.failing_since and webhook.failing_since <= now - PATIENCE):
        _switch_off(webhook)
    return None


def _switch_off(webhook: Webhook) -> None:
    """Nothing has come through for days, or there is nothing there any more: the campaign's GMs are told."""
    if Webhook.objects.filter(pk=webhook.pk, state=WebhookState.ON).update(state=WebhookState.OFF):
        waiting = WebhookDelivery.objects.filter(webhook=webhook, state=DeliveryState.WAITING)
        waiting.update(state=DeliveryState.GIVEN_UP)
        tell_gms(webhook)


# Mail to GMs when a webhook was switched off.


def tell_gms(webhook: Webhook) -> None:
    """Once that is committed."""
    named = {"webhook": webhook.name, "campaign": webhook.campaign.name}
    text = _(
        "Nothing has come through to the webhook “{webhook}” of the campaign “{campaign}” for days, or it is gone. "
        "It is told nothing any more until you switch it on again:"
    )
    page = webhook.origin + reverse("kingdom:webhook", args=[webhook.pk])
    mail.send(
        mail.gms_of(webhook.campaign), say(_("“{webhook}” of “{campaign}” was switched off"), **named),
        say(text, **named), page=page, language=webhook.language,
    )  # fmt: skip
