"""Models of kingdoms, their players, their settlements and the ledger of their treasury."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.text import load_said
from kingdom.models.base import CampaignOwned, DayField, Natural
from kingdom.models.heraldry import Arms
from rules.core.text import Said, say
from rules.realm import TAKEN_BACK, PlannedLine, lines_from

HEX_MAX = 8  # letters in the name of a hex: "C7"


class Kingdom(CampaignOwned):
    """A kingdom. The figures of its sheet depend on the ruleset (`rules.realm`); their columns are named after those of
    the first ruleset, since months are computed in SQL (decision 0011).

    - `districts`: as the owner noted; settlements count if they have more (`kingdom.realms.figures.count_districts`).
    - `arms`: parts of `heraldry.Arms` by slug; {} for arms drawn from the name.
    - `planned`: recurring income and costs (`rules.realm`).
    - `treasury` (BP): last balance of the ledger. Only `kingdom.realms.treasury_services` writes it.
    - `without_treasury`: its armies stand outside an economy. Nothing is paid, owed or gained, and the balance rests.
      `needs_commanders`: even so, its armies need commanders, as the ruleset says (`RealmLaw.leaderless`).
    """

    campaign = models.ForeignKey("kingdom.Campaign", models.CASCADE, related_name="kingdoms")
    name = models.CharField(max_length=120)
    alignment = models.CharField(max_length=2, default="N")
    economy = models.IntegerField(default=0)
    loyalty = models.IntegerField(default=0)
    stability = models.IntegerField(default=0)
    unrest = models.PositiveIntegerField(default=0)
    size = models.PositiveIntegerField(default=1)
    districts = models.PositiveIntegerField(default=0)
    control_dc_modifier = models.IntegerField(default=0)
    control_dc_override = models.PositiveIntegerField(null=True, blank=True)
    consumption = models.PositiveIntegerField(default=0)
    treasury = models.BigIntegerField(default=0, editable=False)
    without_treasury = models.BooleanField(default=False, db_default=False)
    needs_commanders = models.BooleanField(default=False, db_default=False)
    arms = models.JSONField(default=dict, blank=True)
    planned = models.JSONField(default=list, blank=True)
    players = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="KingdomPlayer", related_name="kingdoms", blank=True
    )

    class Meta:
        ordering = (Natural("name"), "id")
        indexes = (models.Index(fields=("campaign", "name"), name="kingdom_name"),)

    def __str__(self) -> str:
        return self.name

    @property
    def planned_lines(self) -> tuple[PlannedLine, ...]:
        return lines_from(self.planned)

    @property
    def arms_borne(self) -> Arms:
        return Arms.kept(self.arms, name=self.name)

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        """Save without the treasury, which another request may have changed meanwhile."""
        if update_fields is None and not self._state.adding:
            kept = ("id", "treasury")
            update_fields = [field.name for field in self._meta.concrete_fields if field.name not in kept]
        super().save(*args, update_fields=update_fields, **kwargs)


class KingdomPlayer(CampaignOwned):
    """A player who runs a kingdom."""

    kingdom = models.ForeignKey(Kingdom, models.CASCADE, related_name="seats")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="seats")

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(name="kingdom_player_once", fields=("kingdom", "user")),)

    def __str__(self) -> str:
        return f"{self.user_id} @ {self.kingdom_id}"


class Settlement(CampaignOwned):
    """A settlement: its districts and buildings (slugs; one that stands twice is listed twice).

    `hex`: its place on the campaign's map, or "". `revealed`: every member sees it there.
    """

    kingdom = models.ForeignKey(Kingdom, models.CASCADE, related_name="settlements")
    name = models.CharField(max_length=120)
    districts = models.PositiveIntegerField(default=1)
    buildings = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    defense_override = models.PositiveIntegerField(null=True, blank=True)
    hex = models.CharField(max_length=HEX_MAX, blank=True, default="")
    revealed = models.BooleanField(default=False)

    class Meta:
        ordering = (Natural("name"), "id")
        indexes = (models.Index(fields=("campaign", "kingdom"), name="settlement_kingdom"),)
        constraints = (models.CheckConstraint(name="settlement_districts", condition=Q(districts__gte=1)),)

    def __str__(self) -> str:
        return self.name


# Model of the ledger: the entries of the treasury.


class LedgerEntry(CampaignOwned):
    """BP gained (positive) or paid (negative) on a day. `balance` is the treasury after it.

    Entries are never changed or removed: another entry corrects a mistake. `reason` is stored as JSON words
    (`core.text`), so it reads in every language.
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
        """The reason; an undo says which reason it undoes."""
        reason = load_said(self.reason)
        return say(TAKEN_BACK, what=reason) if self.source == self.Origin.UNDO else reason
