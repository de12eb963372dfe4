"""Payloads: thin, as Standard Webhooks has it, or a sentence as Discord takes it."""

from __future__ import annotations

import json
import re
from typing import Any

from django.utils import translation

from kingdom.models import DeliveryState, Webhook, WebhookDelivery
from kingdom.webhooks import event_types
from kingdom.webhooks.event_types import TAKEN_BACK
from rules.core.text import Said, _

SENTENCE_MAX = 1_800  # Discord takes 2000 characters, the address among them
MARKS = re.compile(r"([\\*_~`|>#\[\]()<@-])")
"""What Discord would read as more than a letter."""


MEMBER_MAY_NOT = _("Not every player may read this. Send it again once they may.")
NEWCOMER_MAY_NOT = _("The campaign has no players yet, and a new player could not read this.")


def build_body(delivery: WebhookDelivery) -> str | None:
    """The body of its message, of what may be told now: asked anew for each attempt. None: it would tell players more
    than each of them may know.
    """
    discord = delivery.webhook.shape == Webhook.Shape.DISCORD
    told = _sentence(delivery) if discord else _thin(delivery)
    return None if told is None else json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def withheld_because(delivery: WebhookDelivery) -> Said | None:
    """Why its message was kept back (one of `deliveries_of`); None where it was not."""
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
