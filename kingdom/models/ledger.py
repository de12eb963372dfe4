"""Model of the ledger: the treasury, entry by entry."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.text import load_said
from kingdom.models.base import CampaignOwned, DayField
from kingdom.models.kingdom import Kingdom
from rules.core.text import Said, say
from rules.planned import TAKEN_BACK


class LedgerEntry(CampaignOwned):
    """BP gained (positive) or paid (negative) on a day. `balance` is the treasury after it.

    Entries are never changed or removed: a mistake is set right by another entry.
    `reason` is kept as JSON words (`core.text`), so it reads in every language.
    """

    class Origin(models.TextChoices):
        OPENING = "opening", _("opening balance")
        MANUAL = "manual", _("entered by hand")
        PURCHASE = "purchase", _("purchase")
        SALE = "sale", _("sale")
        WEEK = "week", _("week")
        PLANNED = "planned", _("planned")
        BATTLE = "battle", _("battle")
        RANSOM = "ransom", _("ransom")
        UNDO = "undo", _("undone")
        OTHER = "other", _("other")

    kingdom = models.ForeignKey(Kingdom, models.CASCADE, related_name="ledger")
    seq = models.PositiveIntegerField()
    day = DayField()
    amount = models.BigIntegerField()
    balance = models.BigIntegerField()
    reason = models.JSONField()
    source = models.CharField(max_length=20, choices=Origin, default=Origin.MANUAL)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ("kingdom", "-seq")
        verbose_name_plural = "ledger entries"
        constraints = (
            models.UniqueConstraint(name="ledger_seq", fields=("kingdom", "seq")),
            models.CheckConstraint(name="ledger_not_nothing", condition=~Q(amount=0)),
            models.CheckConstraint(name="ledger_first_balance", condition=Q(seq__gt=1) | Q(balance=models.F("amount"))),
        )

    def __str__(self) -> str:
        return f"{self.amount:+} BP"

    @property
    def told(self) -> Said:
        """What it was for; of one that takes others back, that it does."""
        reason = load_said(self.reason)
        return say(TAKEN_BACK, what=reason) if self.source == self.Origin.UNDO else reason
