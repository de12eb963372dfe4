"""Queries for webhooks and their deliveries, for GMs only."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from kingdom.access.queries import get_one, require_gm
from kingdom.models import Campaign, Membership, Role, User, Webhook, WebhookDelivery


def webhooks_of(user: User, campaign: Campaign) -> QuerySet[Webhook]:
    """Return the campaign's webhooks. Raises Http404 for a stranger, `PermissionDenied` for a member who is not GM."""
    require_gm(user, campaign)
    return Webhook.objects.filter(campaign=campaign)


def get_webhook_for(user: User, webhook_id: UUID | str) -> Webhook:
    """Return a webhook. Raises as `webhooks_of`."""
    found = get_one(Webhook.objects.select_related("campaign"), webhook_id)
    require_gm(user, found.campaign)
    return found


def deliveries_of(webhook: Webhook) -> QuerySet[WebhookDelivery]:
    """Return its deliveries, newest first, with every attempt; `played`: the campaign has players."""
    players = Membership.objects.filter(campaign=OuterRef("campaign"), role=Role.PLAYER)
    rows = WebhookDelivery.objects.filter(webhook=webhook).annotate(played=Exists(players))
    return rows.order_by("-id").prefetch_related("attempts")


def delivery_of(webhook: Webhook, delivery_id: UUID | str) -> WebhookDelivery:
    """Return one of its deliveries. Raises Http404."""
    found = get_one(deliveries_of(webhook), delivery_id)
    found.webhook = webhook
    return found
