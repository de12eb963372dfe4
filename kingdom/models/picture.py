"""Model of uploaded pictures."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from kingdom.models.base import CampaignOwned

SLUG_MAX = 80


class Picture(CampaignOwned):
    """A picture of one thing: a WebP file as `core.images` makes them. Rows never change but for `shown`.

    The thing is named by its kind and its id, or its slug where it has no id (unit types). No foreign key: kingdoms do
    not know armies. `name` is what the thing was called when the picture was uploaded. Of the pictures of a thing one
    at most is `shown`; the others were replaced or removed, and an undo shows them again.
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
        """The id or the slug of its thing."""
        return str(self.thing) if self.thing else self.slug
