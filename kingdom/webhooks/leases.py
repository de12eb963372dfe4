"""Leases of webhooks: one process takes a webhook for one message, and lets go once the outcome is known.

Each turn is committed before anything is sent, so nothing is locked and no transaction open while the other end takes
its time. Whoever dies with a webhook in hand lets go of it after `LEASE`. Turns go round: who has waited longest for
one is next, however much waits for others. Slow addresses share half of the hands, and one host (the site behind many
webhooks) has few at once, so that neither keeps the rest waiting.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import Lock
from uuid import uuid4

from django.db import connection, transaction
from django.db.models import Count, Exists, F, Func, OuterRef, Q, QuerySet, TextField, Value
from django.utils import timezone

from kingdom.models import DeliveryState, Webhook, WebhookDelivery, WebhookState
from kingdom.webhooks.transport import LIMIT

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
