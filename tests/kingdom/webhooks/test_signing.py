"""Messages are signed by the scheme of Standard Webhooks; a new secret has the old one beside it for a day."""

from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from standardwebhooks.webhooks import Webhook as Receiver
from standardwebhooks.webhooks import WebhookVerificationError

from kingdom.models import Webhook
from kingdom.models.base import uuid7
from kingdom.webhooks.delivery import get_secret, list_secrets, sign_message
from kingdom.webhooks.services import rotate_secret


def test_the_published_vector():
    """Of the scheme's own libraries."""
    moment = datetime.fromtimestamp(1_614_265_330, UTC)
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    assert sign_message("msg_p5jXN8AQM9LWM0D4loKWxJek", moment, '{"test": 2432232314}', [secret]) == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


def test_a_secret_is_made_of_the_sites_key_and_is_long_enough(settings):
    webhook = Webhook(pk=uuid7())
    secret = get_secret(webhook)
    assert secret.startswith("whsec_")
    assert len(base64.b64decode(secret.removeprefix("whsec_"))) == 32
    assert get_secret(webhook) == secret
    assert get_secret(Webhook(pk=webhook.pk)) != secret  # another seed
    settings.SECRET_KEY = "another"
    assert get_secret(webhook) != secret


def test_for_a_day_the_old_secret_signs_along(hook, table):
    old = hook.secret
    new = rotate_secret(by=table.gm, webhook=hook)
    webhook, now = new.webhook, timezone.now()
    assert new.secret != old
    assert list_secrets(webhook, now + timedelta(hours=23)) == [new.secret, old]
    assert list_secrets(webhook, now + timedelta(hours=25)) == [new.secret]
    newest = rotate_secret(by=table.gm, webhook=webhook)
    assert list_secrets(newest.webhook, now) == [newest.secret, new.secret]


@pytest.mark.parametrize("which", [0, 1])
def test_a_receiver_with_either_secret_believes_it(which):
    secrets = [get_secret(Webhook(pk=uuid7())) for _turn in range(2)]
    headers = sign_message("msg_1", timezone.now(), '{"a":"é"}', secrets)
    assert Receiver(secrets[which]).verify('{"a":"é"}', headers) == {"a": "é"}
    with pytest.raises(WebhookVerificationError):
        Receiver(secrets[which]).verify('{"a":"e"}', headers)
