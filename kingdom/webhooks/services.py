"""Services for webhooks: create, change, switch, test and delete."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.http import Http404
from django.utils import timezone

from core.clean_input import clean_slug, clean_text
from core.queries import find_one
from kingdom.access.decorators import gm_only, lock_campaign_as_gm
from kingdom.access.queries import require_gm
from kingdom.models import Campaign, DeliveryState, User, Webhook, WebhookDelivery, WebhookState
from kingdom.models.share import new_seed
from kingdom.webhooks import event_types
from kingdom.webhooks.addresses import clean_url
from kingdom.webhooks.delivery import come_again, get_secret
from kingdom.webhooks.event_types import put
from rules.core.errors import demand, require
from rules.core.text import _

WEBHOOKS_MAX = 10


class NewWebhook(NamedTuple):
    """A new webhook and its secret, which is shown only now."""

    webhook: Webhook
    secret: str


@gm_only
def create_webhook(
    *,
    by: User,
    campaign: Campaign,
    url: str,
    events: Iterable[str],
    origin: str,
    name: str = "",
    shape: str = Webhook.Shape.STANDARD,
    language: str = "",
) -> NewWebhook:
    """Create a webhook for these events (GM). Its default name is its host.

    `origin`: address of this site as the user reached it. Raises `InvalidInput`, and `IllegalCommand` for too many.
    """
    require_gm(by, campaign)
    kept = _cleaned(url=url, events=events, shape=shape, language=language or by.language or settings.LANGUAGE_CODE)
    kept["name"] = clean_text(name, field="/name") if name.strip() else kept["url"].split("/")[2][:120]
    with transaction.atomic():
        lock_campaign_as_gm(by, campaign)
        held = Webhook.objects.filter(campaign=campaign).count()
        require(
            held < WEBHOOKS_MAX, _("This campaign already has {most} webhooks. Delete one first."), most=WEBHOOKS_MAX
        )
        webhook = Webhook.objects.create(campaign=campaign, created_by=by, origin=origin[:300], **kept)
    return NewWebhook(webhook, get_secret(webhook))


@gm_only
def update_webhook(*, by: User, webhook: Webhook, origin: str = "", **given: Any) -> Webhook:
    """Change `name`, `url`, `events`, `shape` or `language` (GM); others stay. Raises `InvalidInput`."""
    require_gm(by, webhook.campaign)
    if "name" in given:
        given["name"] = clean_text(given["name"], field="/name")
    kept = _cleaned(**given)
    if origin:
        kept["origin"] = origin[:300]
    with transaction.atomic():
        _hold(by, webhook)
        for field, value in kept.items():
            setattr(webhook, field, value)
        if kept:
            webhook.save(update_fields=sorted(kept))
    return webhook


def _hold(by: User, webhook: Webhook) -> None:
    """Lock the webhook, after its campaign and before its deliveries.

    Raises Http404 if it was deleted meanwhile, `PermissionDenied` for a user who is no longer GM.
    """
    lock_campaign_as_gm(by, webhook.campaign)
    if find_one(Webhook.objects.select_for_update(no_key=True).filter(pk=webhook.pk).values_list("pk")) is None:
        raise Http404


def _cleaned(**given: Any) -> dict[str, Any]:
    """Return the given fields, validated. Raises `InvalidInput`."""
    if "url" in given:
        given["url"] = clean_url(given["url"])
    if "events" in given:
        chosen = {clean_slug(event, field="/events", among=event_types.list_slugs()) for event in given["events"]}
        demand(chosen, _("Choose at least one event."), field="/events")
        given["events"] = sorted(chosen)
    if "shape" in given:
        given["shape"] = clean_slug(given["shape"], field="/shape", among=Webhook.Shape.values)
    if "language" in given:
        given["language"] = clean_slug(given["language"], field="/language", among=dict(settings.LANGUAGES))
    return given


@gm_only
@transaction.atomic
def switch_webhook(*, by: User, webhook: Webhook, on: bool) -> Webhook:
    """Pause or resume it (GM). Events during a pause are never sent; deliveries that wait are sent later."""
    _hold(by, webhook)
    webhook.state = WebhookState.ON if on else WebhookState.PAUSED
    webhook.failing_since = webhook.rests_until = None
    webhook.save(update_fields=["state", "failing_since", "rests_until"])
    if on:
        come_again(webhook.pk, timezone.now())
    return webhook


@gm_only
@transaction.atomic
def rotate_secret(*, by: User, webhook: Webhook) -> NewWebhook:
    """Create a new secret (GM). The former one also signs for a day; an older one no longer does."""
    _hold(by, webhook)
    webhook = Webhook.objects.select_related("campaign").get(pk=webhook.pk)
    webhook.old_seed, webhook.seed, webhook.rotated_at = webhook.seed, new_seed(), timezone.now()
    webhook.save(update_fields=["old_seed", "seed", "rotated_at"])
    return NewWebhook(webhook, get_secret(webhook))


@gm_only
@transaction.atomic
def delete_webhook(*, by: User, webhook: Webhook) -> None:
    """Delete the webhook with its deliveries (GM)."""
    _hold(by, webhook)
    webhook.delete()


@gm_only
@transaction.atomic
def send_test(*, by: User, webhook: Webhook) -> WebhookDelivery:
    """Send a test message (GM). While one waits, return that one."""
    _hold(by, webhook)
    _require_on(webhook)
    waiting = WebhookDelivery.objects.filter(webhook=webhook, event=event_types.TEST, state=DeliveryState.WAITING)
    if found := waiting.first():
        return found
    return put(WebhookDelivery(campaign_id=webhook.campaign_id, webhook=webhook, event=event_types.TEST))


@gm_only
@transaction.atomic
def send_again(*, by: User, delivery: WebhookDelivery) -> WebhookDelivery:
    """Send the same message again, under the same id, from the first attempt (GM). It is composed anew, also if it was
    withheld. Raises `IllegalCommand`.
    """
    _hold(by, delivery.webhook)
    _require_on(delivery.webhook)
    delivery.state, delivery.tries, delivery.next_at = DeliveryState.WAITING, 0, timezone.now()
    delivery.save(update_fields=["state", "tries", "next_at"])
    come_again(delivery.webhook_id, timezone.now())
    return delivery


def _require_on(webhook: Webhook) -> None:
    require(webhook.state == WebhookState.ON, _("This webhook isn’t active. Resume it first."))
