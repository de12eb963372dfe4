"""Model of share links: each shows one object of a campaign to anybody who has the link."""

from __future__ import annotations

import hashlib
import secrets
from functools import partial

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from kingdom.models.base import CampaignOwned

BYTES = 32  # length of a token: 256 random bits


class ShareLink(CampaignOwned):
    """A public, read-only address of one object. Only the hash of its token is stored.

    `kind`: what it shows (`kingdom.sharing.share_kinds`) of `thing`. `language`: its maker's, for readers whose browser
    asks for none. `expires`: None for never. `last_used_at` is exact to a minute.
    """

    kind = models.CharField(max_length=20)
    thing = models.UUIDField()
    digest = models.CharField(max_length=64, unique=True, editable=False)
    language = models.CharField(max_length=10, blank=True, default="")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("campaign", "-id"), name="share_of_campaign"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.thing}"

    @staticmethod
    def new_token() -> str:
        return secrets.token_urlsafe(BYTES)

    @staticmethod
    def digest_of(token: str) -> str:
        """Return the hash of a token. A token has too many bits to be guessed, so one round of SHA-256 is enough."""
        return hashlib.sha256(token.encode(errors="replace")).hexdigest()

    @staticmethod
    def opens() -> Q:
        """Return the condition on links that still work."""
        return Q(revoked_at=None) & (Q(expires=None) | Q(expires__gt=timezone.now()))

    @property
    def expired(self) -> bool:
        return self.expires is not None and self.expires <= timezone.now()


# Models of webhooks, their deliveries and attempts.

new_seed = partial(get_random_string, 32)


class WebhookState(models.TextChoices):
    ON = "on", _("active")
    PAUSED = "paused", _("paused")
    OFF = "off", _("switched off: the address didn’t answer")


class DeliveryState(models.TextChoices):
    WAITING = "waiting", _("waiting")
    DELIVERED = "delivered", _("delivered")
    GIVEN_UP = "given-up", _("given up")
    WITHHELD = "withheld", _("withheld: not visible to every player")


class Webhook(CampaignOwned):
    """An address that is notified of the chosen `events` (`kingdom.webhooks.event_types`). Every GM may edit it.

    - `seed`: with the site's key and the id it makes the secret (`kingdom.webhooks.delivery`), which is not stored.
      `old_seed` also signs for a day from `rotated_at`.
    - `origin`: address of the site as the GM used it when they saved this, for links.
    - `failing_since`: start of the present failures. `rests_until`: no attempt until then, since nobody answered.
    - `taken_by`: mark of the worker that is sending now; `taken_at`: start of its last turn; `quick`: whether the last
      attempt was short (`kingdom.webhooks.delivery`).
    """

    class Shape(models.TextChoices):
        STANDARD = "standard", _("for programs (Standard Webhooks)")
        DISCORD = "discord", _("for a Discord channel: a sentence")

    campaign = models.ForeignKey("kingdom.Campaign", models.CASCADE, related_name="webhooks")
    name = models.CharField(max_length=120)
    url = models.CharField(max_length=2000)
    events = ArrayField(models.CharField(max_length=40))
    shape = models.CharField(max_length=10, choices=Shape, default=Shape.STANDARD)
    language = models.CharField(max_length=10)
    origin = models.CharField(max_length=300)
    state = models.CharField(max_length=10, choices=WebhookState, default=WebhookState.ON)
    seed = models.CharField(max_length=32, default=new_seed, editable=False)
    old_seed = models.CharField(max_length=32, blank=True, default="", editable=False)
    rotated_at = models.DateTimeField(null=True, blank=True, editable=False)
    failing_since = models.DateTimeField(null=True, blank=True)
    rests_until = models.DateTimeField(null=True, blank=True)
    taken_by = models.UUIDField(null=True, blank=True, editable=False)
    taken_at = models.DateTimeField(null=True, blank=True, editable=False)
    quick = models.BooleanField(default=False, db_default=False, editable=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.CheckConstraint(name="webhook_shape", condition=Q(shape__in=("standard", "discord"))),
            models.CheckConstraint(name="webhook_state", condition=Q(state__in=("on", "paused", "off"))),
        )

    def __str__(self) -> str:
        return self.name


class WebhookDelivery(CampaignOwned):
    """One event for one webhook, written in the same transaction as the change it reports.

    `about`: ids and figures; the message is composed for each attempt and not stored. `tries`: attempts since the last
    start. `next_at`: when the next is due, while it waits.
    """

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=40)
    about = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)
    state = models.CharField(max_length=10, choices=DeliveryState, default=DeliveryState.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "webhook deliveries"
        constraints = (
            models.CheckConstraint(
                name="webhook_delivery_state", condition=Q(state__in=("waiting", "delivered", "given-up", "withheld"))
            ),
        )
        indexes = (models.Index(fields=("webhook", "next_at"), name="webhook_due", condition=Q(state="waiting")),)

    def __str__(self) -> str:
        return self.message_id

    @property
    def message_id(self) -> str:
        """The id that receivers see; the same in every attempt."""
        return f"msg_{self.pk.hex}"


class WebhookAttempt(CampaignOwned):
    """One attempt to deliver: the response, or why there was none. `answer`: its first lines."""

    class Hitch(models.TextChoices):
        NONE = "", pgettext_lazy("trouble", "none")
        REFUSED = "refused", _("refused by the server")
        REDIRECT = "redirect", _("redirects are not followed")
        NOWHERE = "nowhere", _("host name not found")
        FORBIDDEN = "forbidden", _("leads to a private network address")
        UNREACHABLE = "unreachable", _("no connection")
        UNTRUSTED = "untrusted", _("invalid certificate")
        SLOW = "slow", _("timed out")

    delivery = models.ForeignKey(WebhookDelivery, models.CASCADE, related_name="attempts")
    at = models.DateTimeField(default=timezone.now, editable=False)
    milliseconds = models.PositiveIntegerField()
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    trouble = models.CharField(max_length=12, choices=Hitch, blank=True, default="")
    answer = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.delivery_id} {self.status or self.trouble}"
