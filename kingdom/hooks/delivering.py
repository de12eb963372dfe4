"""Bringing what waits for a webhook to its address: one message at a time, in the order they are due.

Whoever is at a webhook holds its lock in the database, message by message; the kernel opens that of a process that
dies. What was sent and not written down any more is sent again, under the same id.
"""

from __future__ import annotations

import random
import time
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from kingdom.hooks import notices, shapes
from kingdom.hooks.sending import GONE, Answered, post
from kingdom.hooks.signing import secrets_of, signed
from kingdom.models import Webhook, WebhookAttempt, WebhookDelivery

WAITS = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds between the attempts, as Standard Webhooks proposes: ten in 75 hours. Up to a tenth more, at random."""
LONGEST_WAIT = 86_400.0  # that an answer may ask for
BUSY = 20.0  # seconds somebody is at one webhook before others have their turn
REST = timedelta(seconds=30)  # of a webhook where nobody answered
PATIENCE = timedelta(days=3)  # after which one where nothing comes through is switched off with the next given up
LOCKS = 0x57A6_0101  # the space of their advisory locks
State = WebhookDelivery.Status


def due(webhook: UUID, now: datetime) -> QuerySet[WebhookDelivery]:
    """What is to be sent there now, the longest due first; nothing of a campaign that waits to be deleted."""
    awake = Q(webhook__rests_until=None) | Q(webhook__rests_until__lte=now)
    waiting = Q(state=State.WAITING, next_at__lte=now, webhook__state=Webhook.Status.ON, campaign__deleted_at=None)
    return WebhookDelivery.objects.filter(waiting, awake, webhook=webhook).order_by("next_at", "id")


def deliver_due(webhook: UUID) -> None:
    """Send what is due there, unless somebody is at it: he looks again once he is done."""
    until = time.monotonic() + BUSY
    while due(webhook, timezone.now()).exists():
        if time.monotonic() > until:
            return come_again(webhook, timezone.now())
        if not _next(webhook):
            return None
    return None


def come_again(webhook: UUID, moment: datetime) -> None:
    """Let a worker look at it then."""
    from kingdom.hooks.tasks import deliver

    deliver.using(run_after=moment).enqueue(str(webhook))


@transaction.atomic
def _next(webhook: UUID) -> bool:
    """One step further with the first that is due. False: somebody else is at it."""
    if not _mine(webhook):
        return False
    delivery = due(webhook, timezone.now()).select_related("webhook", "campaign").first()
    if delivery is None:
        return True
    body = shapes.body_of(delivery)
    if body is None:
        _set(delivery, state=State.WITHHELD)
        return True
    now = timezone.now()
    headers = signed(delivery.message_id, now, body, secrets_of(delivery.webhook, now))
    _write(delivery, post(delivery.webhook.url, headers, body), now)
    return True


def _mine(webhook: UUID) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, hashtext(%s))", [LOCKS, str(webhook)])
        return cursor.fetchone() == (True,)


def _set(delivery: WebhookDelivery, **fields: object) -> None:
    WebhookDelivery.objects.filter(pk=delivery.pk).update(**fields)


def _write(delivery: WebhookDelivery, answered: Answered, at: datetime) -> None:
    """What came of it. Whoever deleted the webhook meanwhile deleted this, too."""
    if not WebhookDelivery.objects.select_for_update().filter(pk=delivery.pk).exists():
        return
    WebhookAttempt.objects.create(
        campaign_id=delivery.campaign_id, delivery=delivery, at=at, milliseconds=answered.milliseconds,
        status=answered.status, trouble=answered.trouble, answer=answered.answer,
    )  # fmt: skip
    if answered.well:
        _set(delivery, state=State.DELIVERED, tries=delivery.tries + 1)
        Webhook.objects.filter(pk=delivery.webhook_id).update(failing_since=None, rests_until=None)
    else:
        _fail(delivery, answered, at)


def _fail(delivery: WebhookDelivery, answered: Answered, at: datetime) -> None:
    webhook, tries, now = delivery.webhook, delivery.tries + 1, timezone.now()
    Webhook.objects.filter(pk=webhook.pk, failing_since=None).update(failing_since=at)
    if answered.status is None:
        Webhook.objects.filter(pk=webhook.pk).update(rests_until=now + REST)
        come_again(webhook.pk, now + REST)
    gone = answered.status == GONE
    if not gone and tries <= len(WAITS):
        wait = max(WAITS[tries - 1] * random.uniform(1.0, 1.1), min(answered.wait, LONGEST_WAIT))
        _set(delivery, tries=tries, next_at=now + timedelta(seconds=wait))
        return come_again(webhook.pk, now + timedelta(seconds=wait))
    _set(delivery, state=State.GIVEN_UP, tries=tries)
    if gone or (webhook.failing_since and webhook.failing_since <= now - PATIENCE):
        _switch_off(webhook)
    return None


def _switch_off(webhook: Webhook) -> None:
    """Nothing has come through for days, or there is nothing there any more: the campaign's GMs are told."""
    if Webhook.objects.filter(pk=webhook.pk, state=Webhook.Status.ON).update(state=Webhook.Status.OFF):
        WebhookDelivery.objects.filter(webhook=webhook, state=State.WAITING).update(state=State.GIVEN_UP)
        transaction.on_commit(lambda: notices.tell_gms(webhook))
