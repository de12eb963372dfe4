"""Delivery of waiting messages by workers: one at a time to each webhook, in the order of events."""

from __future__ import annotations

import base64
import json
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from threading import Lock
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import Count, Exists, F, Func, OuterRef, Q, QuerySet, TextField, Value
from django.tasks import task
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.crypto import salted_hmac
from django_tasks_db.models import DBTaskResult
from standardwebhooks.webhooks import Webhook as Signer

from core.queries import find_one
from kingdom.members import mail
from kingdom.models import DeliveryState, Webhook, WebhookAttempt, WebhookDelivery, WebhookState
from kingdom.sharing.preview_image import png_of
from kingdom.webhooks import event_types
from kingdom.webhooks.addresses import GONE, LIMIT, Answered, post
from kingdom.webhooks.event_types import TAKEN_BACK
from rules.core.text import Said, _, say

# Payloads of webhooks, thin or as a Discord message, and their signatures (Standard Webhooks).

SENTENCE_MAX = 1_800  # Discord accepts 2000 characters, including the address
PICTURE, ALT_MAX, LINE = "battle.png", 1_000, "\r\n"
MARKS = re.compile(r"([\\*_~`|>#\[\]()<@-])")
"""Characters that Discord would interpret as markup."""


MEMBER_MAY_NOT = _("Not every player can read this yet. Send it again when they can.")
NEWCOMER_MAY_NOT = _("The campaign has no players yet, and new players couldn’t read this.")


def build_body(delivery: WebhookDelivery) -> str | None:
    """Return the body of the message, with what may be said now: it is composed for each attempt. None if not every
    player may know it.
    """
    discord = delivery.webhook.shape == Webhook.Shape.DISCORD
    told = _sentence(delivery) if discord else _thin(delivery)
    return None if told is None else json.dumps(told, ensure_ascii=False, separators=(",", ":"))


class Attached(NamedTuple):
    """A message with an image, as multipart form data."""

    content_type: str
    body: bytes


def attach_picture(delivery: WebhookDelivery, body: str) -> Attached | None:
    """Return a Discord message with its image; None if it has none."""
    draw = event_types.get_event_type(delivery.event).picture
    if draw is None or delivery.webhook.shape != Webhook.Shape.DISCORD:
        return None
    with translation.override(delivery.webhook.language):
        drawn = draw(delivery.campaign, delivery.about)
    if drawn is None:
        return None
    about = [{"id": 0, "description": f"{drawn.title}. {drawn.text}"[:ALT_MAX]}]
    told = json.dumps({**json.loads(body), "attachments": about}, ensure_ascii=False, separators=(",", ":"))
    edge = uuid4().hex
    parts = (
        (f'name="payload_json"{LINE}Content-Type: application/json', told.encode()),
        (f'name="files[0]"; filename="{PICTURE}"{LINE}Content-Type: image/png', png_of(drawn)),
    )
    whole = b"".join(
        f"--{edge}{LINE}Content-Disposition: form-data; {head}{LINE}{LINE}".encode() + part + LINE.encode()
        for head, part in parts
    )
    return Attached(f"multipart/form-data; boundary={edge}", whole + f"--{edge}--{LINE}".encode())


def withheld_because(delivery: WebhookDelivery) -> Said | None:
    """Return why a delivery (one of `deliveries_of`) was withheld; None if it was not."""
    if delivery.state != DeliveryState.WITHHELD:
        return None
    return MEMBER_MAY_NOT if delivery.played else NEWCOMER_MAY_NOT  # type: ignore[attr-defined]


def _thin(delivery: WebhookDelivery) -> dict[str, Any]:
    about = {"campaign": str(delivery.campaign_id), TAKEN_BACK: False, **delivery.about, "links": _links(delivery)}
    return {"type": delivery.event, "timestamp": delivery.at.isoformat(), "data": about}


def _links(delivery: WebhookDelivery) -> dict[str, str]:
    event, origin = event_types.get_event_type(delivery.event), delivery.webhook.origin
    asked = delivery.campaign, delivery.about
    return {"api": origin + event.api(*asked), "page": origin + event.page(*asked)}


def _sentence(delivery: WebhookDelivery) -> dict[str, Any] | None:
    with translation.override(delivery.webhook.language):
        said = event_types.get_event_type(delivery.event).sentence(delivery.campaign, delivery.about)
    if said is None:
        return None
    text = MARKS.sub(r"\\\1", said[:SENTENCE_MAX])
    return {"content": f"{text[:SENTENCE_MAX]} <{_links(delivery)['page']}>", "allowed_mentions": {"parse": []}}


# Signatures of webhooks by Standard Webhooks (HMAC-SHA256, `v1`). A secret is derived, not stored: HMAC of the site's
# key over the webhook's id and seed. A copy of the database cannot sign, and a new SECRET_KEY changes every secret.


PREFIX = "whsec_"
OVERLAP = timedelta(hours=24)  # while the old secret signs too


def get_secret(webhook: Webhook, seed: str = "") -> str:
    """Return the present secret, or that of an older `seed`."""
    key = salted_hmac("kingdom.webhook", f"{webhook.pk}|{seed or webhook.seed}", algorithm="sha256").digest()
    return PREFIX + base64.b64encode(key).decode()


def list_secrets(webhook: Webhook, now: datetime) -> list[str]:
    """Return the secrets that sign now, the present one first."""
    old = webhook.old_seed and webhook.rotated_at and now < webhook.rotated_at + OVERLAP
    return [get_secret(webhook), *([get_secret(webhook, webhook.old_seed)] if old else [])]


def sign_message(message_id: str, moment: datetime, body: str, secrets: list[str]) -> dict[str, str]:
    """Return the headers of a message sent at this moment."""
    marks = [Signer(secret).sign(message_id, moment, body) for secret in secrets]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int(moment.timestamp())),
        "webhook-signature": " ".join(marks),
    }


LEASE = timedelta(seconds=LIMIT + 5)  # duration of a lease; a worker that holds it longer is taken for dead
AT_ONE_HOST = 3  # webhooks of one host leased at once, by all workers together
QUICK = 2_000  # milliseconds: a longer attempt is slow
ORDER = 0x57A6_0201  # key of the advisory lock that gives turns one after the other
HOST = Func(F("url"), Value("/"), Value(3), function="split_part", output_field=TextField())


class SlowAddressLane:
    """Limit of threads in this process that may send to addresses that were slow, or never tried, at once."""

    def __init__(self, room: int):
        self.room = room
        self._inside = 0
        self._gate = Lock()

    @contextmanager
    def entered(self) -> Iterator[bool]:
        """Context that yields whether there is room for one more, and occupies it."""
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
    """Return the deliveries that are due, the longest due first, without those of deleted campaigns."""
    awake = Q(webhook__rests_until=None) | Q(webhook__rests_until__lte=now)
    on = Q(webhook__state=WebhookState.ON, campaign__deleted_at=None)
    waiting = Q(state=DeliveryState.WAITING, next_at__lte=now)
    return WebhookDelivery.objects.filter(waiting, on, awake).order_by("next_at", "id")


def in_hand(now: datetime) -> QuerySet[Webhook]:
    """Return the webhooks that a worker is sending to."""
    return Webhook.objects.filter(taken_by__isnull=False, taken_at__gt=now - LEASE)


@transaction.atomic
def take_lease(*, slow_too: bool) -> Webhook | None:
    """Lease the webhook whose turn it is (`taken_by` is the mark) and return it; None if nothing is due.

    `slow_too`: also one whose last attempt was slow, or that was never tried.
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
"""Seconds between the attempts, as Standard Webhooks proposes: ten in 75 hours. Up to a tenth is added at random."""
LONGEST_WAIT = 86_400.0  # seconds: the longest wait that a response may ask for
BUSY = 2.0  # seconds a worker may spend on deliveries before it takes other tasks
REST = timedelta(seconds=30)  # pause of a webhook whose host did not answer
PATIENCE = timedelta(days=3)  # a webhook that has failed this long is switched off when its next delivery is given up
RECORD = LEASE.total_seconds() - LIMIT  # seconds to wait for the database to record what was sent
PAUSE = 0.2  # seconds between two attempts at that


def deliver_due() -> None:
    """Send what is due, one message a turn. Return when there is nothing to do: a worker that holds a lease looks again
    after its turn.
    """
    until = time.monotonic() + BUSY
    while webhook := _one_turn():
        if time.monotonic() > until:
            return come_again(webhook.pk, timezone.now())
    return None


def come_again(webhook: UUID, moment: datetime) -> None:
    """Enqueue a task that looks at the webhook at this moment."""

    deliver.using(run_after=moment).enqueue(str(webhook))


def _one_turn() -> Webhook | None:
    """Send one message and return its webhook; None if nothing is due."""
    with slow_lane.entered() as room:
        webhook = take_lease(slow_too=room)
        if webhook is not None and not webhook.quick:
            _send(webhook)
    if webhook is not None and webhook.quick:  # a quick webhook needs no slow lane
        _send(webhook)
    return webhook


def _send(webhook: Webhook) -> None:
    """Send the webhook's first due message, composed now."""
    now = timezone.now()
    delivery = list_due(now).filter(webhook=webhook).select_related("campaign").first()
    if delivery is None:  # a GM has switched the webhook off or on meanwhile
        return _let_go(webhook)
    delivery.webhook = webhook
    body = build_body(delivery)
    if body is None:
        WebhookDelivery.objects.filter(pk=delivery.pk).update(state=DeliveryState.WITHHELD)
        return _let_go(webhook)
    headers = sign_message(delivery.message_id, now, body, list_secrets(webhook, now))
    attached = attach_picture(delivery, body)
    _hold_no_connection()
    if attached is None:
        answered = post(webhook.url, headers, body)
    else:
        answered = post(webhook.url, {**headers, "Content-Type": attached.content_type}, attached.body)
    return _surely(partial(_write, webhook, delivery, answered, now))


def _let_go(webhook: Webhook, **fields: object) -> None:
    """Release the lease, unless it has expired and another worker has it."""
    Webhook.objects.filter(pk=webhook.pk, taken_by=webhook.taken_by).update(taken_by=None, **fields)


def _hold_no_connection() -> None:
    """Close the database connection, so that others can use it during the request."""
    if not connection.in_atomic_block:
        connection.close()


def _surely(write: Callable[[], None]) -> None:
    """Write, and try again while the database is away: an unrecorded message would be sent again."""
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
    """Record the attempt, unless the webhook was deleted meanwhile. Its row is locked before those of its deliveries,
    as in every deletion.
    """
    held = find_one(Webhook.objects.select_for_update(no_key=True).filter(pk=webhook.pk))
    delivery = find_one(WebhookDelivery.objects.select_for_update(no_key=True).filter(pk=sent.pk))
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
        # otherwise other workers send them, or nobody
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
    """Switch off a webhook after days of failures, or when its address is gone, and notify the campaign's GMs."""
    if Webhook.objects.filter(pk=webhook.pk, state=WebhookState.ON).update(state=WebhookState.OFF):
        waiting = WebhookDelivery.objects.filter(webhook=webhook, state=DeliveryState.WAITING)
        waiting.update(state=DeliveryState.GIVEN_UP)
        tell_gms(webhook)


# Mail to GMs when a webhook was switched off.


def tell_gms(webhook: Webhook) -> None:
    """Mail the GMs after the transaction commits."""
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
LATE = timedelta(seconds=5)  # after which a due message counts as lost


@task(queue_name=QUEUE)
def deliver(_webhook: str) -> None:
    """Send what is due, to this webhook and to any other."""
    deliver_due()


def look_after() -> int:
    """Enqueue tasks for webhooks with due messages that no worker will send, since theirs died. Return their number."""
    now = timezone.now()
    late = list_due(now - LATE).exclude(webhook__in=in_hand(now).values("pk"))
    lost = set(late.order_by().values_list("webhook", flat=True).distinct())
    tasks = DBTaskResult.objects.ready().filter(queue_name=QUEUE, task_path=deliver.module_path)
    lost -= {UUID(found["args"][0]) for found in tasks.values_list("args_kwargs", flat=True)} if lost else set()
    for webhook in lost:
        come_again(webhook, now)
    return len(lost)
