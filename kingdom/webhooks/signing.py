"""Signatures of webhooks, by Standard Webhooks (HMAC-SHA256, `v1`).

A secret is derived, not kept: HMAC of the site's key over the webhook's id and seed. A copy of the database signs
nothing, and another SECRET_KEY makes every secret another one.
"""

from __future__ import annotations

import base64
from datetime import datetime, timedelta

from django.utils.crypto import salted_hmac
from standardwebhooks.webhooks import Webhook as Signer

from kingdom.models import Webhook

PREFIX = "whsec_"
OVERLAP = timedelta(hours=24)  # as long as the old secret signs along


def get_secret(webhook: Webhook, seed: str = "") -> str:
    """The secret in force, or the one of an older `seed`."""
    key = salted_hmac("kingdom.webhook", f"{webhook.pk}|{seed or webhook.seed}", algorithm="sha256").digest()
    return PREFIX + base64.b64encode(key).decode()


def list_secrets(webhook: Webhook, now: datetime) -> list[str]:
    """All that sign now, the one in force first."""
    old = webhook.old_seed and webhook.rotated_at and now < webhook.rotated_at + OVERLAP
    return [get_secret(webhook), *([get_secret(webhook, webhook.old_seed)] if old else [])]


def sign_message(message_id: str, moment: datetime, body: str, secrets: list[str]) -> dict[str, str]:
    """The headers of a message that is sent at this moment."""
    marks = [Signer(secret).sign(message_id, moment, body) for secret in secrets]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int(moment.timestamp())),
        "webhook-signature": " ".join(marks),
    }
