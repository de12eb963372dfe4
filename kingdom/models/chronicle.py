"""Models of the chronicle: entries, and deleted rows for undo."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from kingdom.models.base import CampaignOwned, DayField


class ChronicleEntry(CampaignOwned):
    """One recorded change of the world. `text` and the labels in `changes` are JSON words (`core.text`).

    `seq` counts within the campaign. `battle_id` is no foreign key: kingdoms do not know battles. `kingdoms`: those
    concerned. Only readers of one of them see a `private` entry; every member sees any other, each of its changes
    subject to access. `names`: armies in its text; readers who may not know one of them do not see the entry
    (`kingdom.access.redaction`).
    """

    class Kind(models.TextChoices):
        WEEK = "week", _("time")
        BATTLE = "battle", _("battle")
        KINGDOM = "kingdom", _("kingdom")
        ARMY = "army", _("army")
        OTHER = "other", _("other")

    campaign = models.ForeignKey("kingdom.Campaign", models.CASCADE, related_name="chronicle")
    seq = models.PositiveIntegerField()
    day = DayField()
    at = models.DateTimeField(default=timezone.now, editable=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    kind = models.CharField(max_length=20, default=Kind.OTHER)
    text = models.JSONField()
    changes = models.JSONField(default=list, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    battle_id = models.UUIDField(null=True, blank=True, db_index=True)
    kingdoms = ArrayField(models.UUIDField(), default=list, blank=True)
    private = models.BooleanField(default=False)
    names = ArrayField(models.UUIDField(), default=list, blank=True, db_default=[])

    class Meta:
        ordering = ("-seq",)
        verbose_name_plural = "chronicle entries"
        constraints = (models.UniqueConstraint(name="chronicle_seq", fields=("campaign", "seq")),)

    def __str__(self) -> str:
        return f"{self.kind} {self.seq}"

    @property
    def undone(self) -> bool:
        return self.undone_at is not None

    @property
    def kind_name(self) -> str:
        """The kind in the reader's language; an unknown kind is shown unchanged."""
        return str(dict(self.Kind.choices).get(self.kind, self.kind))


class LastChange(CampaignOwned):
    """The latest moment at which an entry that changed this `part` of this `thing` was written or undone.

    It follows from the chronicle (`kingdom.chronicle.last_changes`). The API tells it as `updated_at`, and lists filter
    by it.
    """

    kind = models.CharField(max_length=40)
    thing = models.UUIDField()
    part = models.CharField(max_length=20, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(name="last_change_once", fields=("campaign", "kind", "thing", "part")),)

    def __str__(self) -> str:
        return f"{self.kind} {self.thing} {self.part}"


class DeletedRow(CampaignOwned):
    """An object that an entry deleted: `thing` of this `kind`, stored as `whole` (`kingdom.chronicle.undelete`).

    Only undo reads it: it may be large and say more than readers of the entry may know. `kingdom`: its owner. `hidden`:
    nobody else may know its name (`kingdom.access.redaction`).
    """

    entry = models.ForeignKey(ChronicleEntry, models.CASCADE, related_name="struck")
    kind = models.CharField(max_length=40)
    thing = models.UUIDField()
    kingdom = models.ForeignKey("kingdom.Kingdom", models.SET_NULL, null=True, related_name="+")
    hidden = models.BooleanField(default=False)
    whole = models.JSONField()

    stored_name = "struckthing"

    class Meta:
        db_table = "kingdom_struckthing"
        ordering = ("id",)
        constraints = (models.UniqueConstraint(name="struck_once", fields=("entry", "kind", "thing")),)

    def __str__(self) -> str:
        return f"{self.kind} {self.thing}"
