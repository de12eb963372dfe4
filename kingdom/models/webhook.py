"""Models of webhooks, their deliveries and attempts."""

from __future__ import annotations

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
    """An address that is told of the chosen `events` (`kingdom.webhooks.event_types`). It is the campaign's: any GM
    keeps it.

    No secret stands here: it is made of the site's key, this id and `seed` (`kingdom.webhooks.payloads`). `old_seed`
    signs along for a day from `rotated_at`. `origin`: the site as a GM reached it when they saved this, for links.
    `failing_since`: nothing has come through since then; `rests_until`: nobody answered, and is left alone until then.
    `taken_by`: the mark of whoever sends it something now, since `taken_at`, which stays as the time of its last turn;
    `quick`: the last attempt was soon over (`kingdom.webhooks.delivery`).
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
    """One thing that happened, for one webhook: written with the change it tells of, or not at all.

    `about`: ids and figures; what is said of them is composed for each attempt, and kept nowhere. `tries`: attempts
    since it was last begun, `next_at`: when the next is due as long as it waits.
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
        """What receivers know it by; the same in every attempt."""
        return f"msg_{self.pk.hex}"


class WebhookAttempt(CampaignOwned):
    """One try to deliver: what was answered, or why nothing was. `answer`: its first lines."""

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
