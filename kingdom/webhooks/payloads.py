"""Payloads of webhooks, thin or as a Discord message, and their signatures (Standard Webhooks)."""

from __future__ import annotations

import base64
import json
import re
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import uuid4

from django.utils import translation
from django.utils.crypto import salted_hmac
from standardwebhooks.webhooks import Webhook as Signer

from kingdom.models import DeliveryState, Webhook, WebhookDelivery
from kingdom.sharing.preview_image import png_of
from kingdom.webhooks import event_types
from kingdom.webhooks.event_types import TAKEN_BACK
from rules.core.text import Said, _

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
