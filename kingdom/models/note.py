"""Models of notes and their versions."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from kingdom.models.base import CampaignOwned, DayField

TITLE_MAX = 80
KIND_MAX = 20


class Audience(models.TextChoices):
    PUBLIC = "public", _("the table")
    KINGDOM = "kingdom", _("one kingdom")
    GM = "gm", _("the GM")


class Addressed(models.Model):
    """A text for an audience. `for_kingdom` is the kingdom's id for the audience of one kingdom, even if it is
    deleted.
    """

    text = models.TextField()
    day = DayField()
    audience = models.CharField(max_length=10, choices=Audience, default=Audience.PUBLIC)
    for_kingdom = models.UUIDField(null=True, blank=True)

    class Meta:
        abstract = True


class Note(Addressed, CampaignOwned):
    """A text in Markdown about one object (`about`, by kind and id), dated by the campaign's day.

    No foreign key: kingdoms do not know armies. `about_name`, `about_kingdom`: the object's name and owner when this
    was written. `mentions`: `[{word, ref}]`, the objects behind the words after "@". `title`: its first words.
    `version`: the number of its versions (`NoteVersion`), this text included.
    """

    campaign = models.ForeignKey("kingdom.Campaign", models.CASCADE, related_name="notes")
    about_kind = models.CharField(max_length=KIND_MAX)
    about_id = models.UUIDField()
    about_name = models.CharField(max_length=200)
    about_kingdom = models.UUIDField(null=True, blank=True)
    title = models.CharField(max_length=TITLE_MAX)
    mentions = models.JSONField(default=list, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)
    edited_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    edited_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
    deleted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.CheckConstraint(
                name="note_audience",
                condition=Q(audience="kingdom", for_kingdom__isnull=False)
                | Q(audience__in=("public", "gm"), for_kingdom=None),
            ),
        )
        indexes = (
            models.Index(fields=("campaign", "day", "at"), name="note_story"),
            models.Index(fields=("about_id", "about_kind"), name="note_about"),
            GinIndex(fields=("mentions",), opclasses=("jsonb_path_ops",), name="note_mentions"),
        )

    def __str__(self) -> str:
        return self.title

    @property
    def about(self) -> str:
        """The object it is about, as `kind:id`."""
        return f"{self.about_kind}:{self.about_id}"

    @property
    def deleted(self) -> bool:
        return self.deleted_at is not None


class NoteVersion(Addressed, CampaignOwned):
    """A version of a note. Every text ever saved is kept."""

    note = models.ForeignKey(Note, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ("-number",)
        constraints = (models.UniqueConstraint(name="note_version", fields=("note", "number")),)

    def __str__(self) -> str:
        return f"{self.note_id} {self.number}"


# Model of uploaded pictures.

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
