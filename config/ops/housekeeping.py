"""Housekeeping: deletes expired rows, daily beside the server or by `manage.py housekeeping`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import Event, Thread

from django.contrib.sessions.models import Session
from django.db import DatabaseError, connections
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from kingdom.api.idempotency import KEPT
from kingdom.members.services import remove_deleted
from kingdom.models import (
    DeletedMembership,
    DeliveryState,
    IdempotencyRecord,
    Membership,
    RateLimitCounter,
    SecurityEvent,
    SignIn,
    User,
    WebhookDelivery,
)

PIECE = 5_000  # rows deleted at once, so that locks are short
TOLD_KEPT = timedelta(days=30)  # webhook deliveries
TASKS_KEPT = timedelta(days=2)  # tasks that were run, or interrupted by the death of their worker
FIRST, DAY = 300.0, 86_400.0  # seconds after the start, and between two runs
log = logging.getLogger(__name__)


def tidy() -> dict[str, int]:
    """Delete expired rows. Return their number by kind. Two runs at once do no harm."""
    now = timezone.now()
    over: dict[str, QuerySet] = {
        "sessions": Session.objects.filter(expire_date__lte=now),
        "answers": IdempotencyRecord.objects.filter(at__lt=now - KEPT),
        "security events": SecurityEvent.objects.filter(at__lt=now - timedelta(days=SecurityEvent.KEPT_DAYS)),
        "webhook deliveries": _told_before(now - TOLD_KEPT),
        "tasks": _begun_before(now - TASKS_KEPT),
        "guests": _guests_gone(now),
        "counts": RateLimitCounter.objects.filter(until__lte=now),
    }
    return {**{kind: _remove(rows) for kind, rows in over.items()}, "campaigns": remove_deleted(now)}


def _guests_gone(now: datetime) -> QuerySet:
    """Return the guests without a seat and a live session: nobody can use them any more."""
    here = SignIn.objects.filter(user=OuterRef("pk"), session__expire_date__gt=now)
    seats = Exists(Membership.objects.filter(user=OuterRef("pk")))
    kept = Exists(DeletedMembership.objects.filter(user=OuterRef("pk")))
    return User.objects.filter(~Exists(here), ~seats, ~kept, guest=True)


def _told_before(moment: datetime) -> QuerySet:
    return WebhookDelivery.objects.filter(at__lt=moment).exclude(state=DeliveryState.WAITING)


def _begun_before(moment: datetime) -> QuerySet:
    return DBTaskResult.objects.filter(started_at__lt=moment)


def _remove(rows: QuerySet) -> int:
    removed = 0
    while piece := list(rows.order_by().values_list("pk", flat=True)[:PIECE]):
        removed += rows.filter(pk__in=piece).delete()[0]
    return removed


@contextmanager
def daily(first: float = FIRST, every: float = DAY) -> Iterator[None]:
    """Context in which a thread runs the housekeeping daily (`first`, `every`: seconds)."""
    over = Event()
    thread = Thread(target=_tidy_until, args=(over, first, every), name="housekeeping", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(timeout=5)


def _tidy_until(over: Event, first: float, every: float) -> None:
    wait = first
    while not over.wait(wait):
        try:
            tidy()
        except DatabaseError as error:  # the database comes back, or the next day's run does it
            log.warning("Housekeeping did not get done: %s", error)
        finally:
            connections.close_all()
        wait = every
