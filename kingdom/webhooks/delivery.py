"""Delivery of waiting messages by a worker: one at a time to each webhook, in the order of events."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from threading import Lock
from uuid import UUID, uuid4

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import Count, Exists, F, Func, OuterRef, Q, QuerySet, TextField, Value
from django.tasks import task
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from kingdom.members import mail
from kingdom.models import DeliveryState, Webhook, WebhookAttempt, WebhookDelivery, WebhookState
from kingdom.webhooks import payloads
from kingdom.webhooks.payloads import list_secrets, sign_message
from kingdom.webhooks.transport import GONE, LIMIT, Answered, post
from rules.core.text import _, say

LEASE = timedelta(seconds=LIMIT + 5)  # of a turn, after which whoever has it is taken for dead
AT_ONE_HOST = 3  # webhooks of one host in hand at once, on all workers together
QUICK = 2_000  # milliseconds within which an attempt is over that is not slow
ORDER = 0x57A6_0201  # the advisory lock by which turns are given one after the other
HOST = Func(F("url"), Value("/"), Value(3), function="split_part", output_field=TextField())


class SlowAddressLane:
    """How many hands of this process may be at addresses that were slow, or never tried, at once."""

    def __init__(self, room: int):
        self.room = room
        self._inside = 0
        self._gate = Lock()

    @contextmanager
    def entered(self) -> Iterator[bool]:
        """Whether there is room for one more; it is theirs meanwhile."""
        with self._gate:
            found = self._inside < self.room
            self._inside += found
        try:
            yield found
        finally:
            with self._gate:
                self._inside -= found


slow_lane = SlowAddressLane(1)


def list_due(now: datetime) -> QuerySet[WebhookDelivery]:
    """What is to be sent now, the longest due first; nothing of a campaign that waits to be deleted."""
    awake = Q(webhook__rests_until=None) | Q(webhook__rests_until__lte=now)
    on = Q(webhook__state=WebhookState.ON, campaign__deleted_at=None)
    waiting = Q(state=DeliveryState.WAITING, next_at__lte=now)
    return WebhookDelivery.objects.filter(waiting, on, awake).order_by("next_at", "id")


def in_hand(now: datetime) -> QuerySet[Webhook]:
    """Those for which somebody is at it."""
    return Webhook.objects.filter(taken_by__isnull=False, taken_at__gt=now - LEASE)


@transaction.atomic
def take_lease(*, slow_too: bool) -> Webhook | None:
    """The webhook whose turn it is, in this caller's hand (`taken_by` is their mark); None where nothing is to be done.

    `slow_too`: also one that was slow when it was last tried, or never was.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ORDER])
    now = timezone.now()
    rows = _waiting(now) if slow_too else _waiting(now).filter(quick=True)
    webhook = rows.select_for_update(of=("self",), no_key=True, skip_locked=True).first()
    if webhook is not None:
        webhook.taken_at, webhook.taken_by = now, uuid4()
        webhook.save(update_fields=["taken_at", "taken_by"])
    return webhook


def _waiting(now: datetime) -> QuerySet[Webhook]:
    held = in_hand(now)
    full = held.annotate(host=HOST).order_by().values("host").annotate(many=Count("pk")).filter(many__gte=AT_ONE_HOST)
    rows = Webhook.objects.filter(Exists(list_due(now).order_by().filter(webhook=OuterRef("pk"))))
    rows = rows.exclude(pk__in=held.values("pk")).annotate(host=HOST).exclude(host__in=full.values("host"))
    return rows.order_by(F("taken_at").asc(nulls_first=True), "pk")


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
    from kingdom.webhooks.delivery import deliver

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
    attached = payloads.attach_picture(delivery, body)
    _hold_no_connection()
    if attached is None:
        answered = post(webhook.url, headers, body)
    else:
        answered = post(webhook.url, {**headers, "Content-Type": attached.content_type}, attached.body)
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
        "The webhook “{webhook}” of the campaign “{campaign}” hasn’t accepted messages for days, so it was "
        "switched off. To switch it on again:"
    )
    page = webhook.origin + reverse("kingdom:webhook", args=[webhook.pk])
    mail.send(
        mail.gms_of(webhook.campaign), say(_("Webhook “{webhook}” of “{campaign}” was switched off"), **named),
        say(text, **named), page=page, language=webhook.language,
    )  # fmt: skip


# Tasks of a worker for webhooks (`manage.py worker`, and `serve` beside its pages).


QUEUE = "webhooks"
LATE = timedelta(seconds=5)  # after which one asks who was to see to it


@task(queue_name=QUEUE)
def deliver(_webhook: str) -> None:
    """Send what is due: to this webhook, for whose sake somebody looks, and to any other whose turn it is."""
    deliver_due()


def look_after() -> int:
    """Let somebody see to webhooks where something is due and nobody is going to: whoever was is gone.

    Answers how many there were.
    """
    now = timezone.now()
    late = list_due(now - LATE).exclude(webhook__in=in_hand(now).values("pk"))
    lost = set(late.order_by().values_list("webhook", flat=True).distinct())
    tasks = DBTaskResult.objects.ready().filter(queue_name=QUEUE, task_path=deliver.module_path)
    lost -= {UUID(found["args"][0]) for found in tasks.values_list("args_kwargs", flat=True)} if lost else set()
    for webhook in lost:
        come_again(webhook, now)
    return len(lost)
