"""Model of uploaded pictures."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from kingdom.models.base import CampaignOwned

SLUG_MAX = 80


class Picture(CampaignOwned):
    """A picture of one object: a WebP file as `core.images` makes it. Only `shown` ever changes.

    The object is named by kind and id, or by slug if it has no id (unit types). No foreign key: kingdoms do not know
    armies. `name` is the object's name at the upload. At most one picture of an object is `shown`; the others were
    replaced or removed, and an undo shows them again.
    """

    kind = models.CharField(max_length=20)
    thing = models.UUIDField(null=True, blank=True)
    slug = models.CharField(max_length=SLUG_MAX, blank=True, default="")
    name = models.CharField(max_length=200)
    digest = models.CharField(max_length=64)
    content = models.BinaryField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    shown = models.BooleanField(default=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.CheckConstraint(
                name="picture_of_one", condition=Q(thing=None) & ~Q(slug="") | Q(thing__isnull=False, slug="")
            ),
            models.UniqueConstraint(
                name="picture_shown_of_thing", fields=("campaign", "kind", "thing"), condition=Q(shown=True, slug="")
            ),
            models.UniqueConstraint(
                name="picture_shown_of_slug",
                fields=("campaign", "kind", "slug"),
                condition=Q(shown=True, thing=None),
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def key(self) -> str:
        """The id or the slug of its object."""
        return str(self.thing) if self.thing else self.slug
