"""Models of campaigns, members, invitations and running imports."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.clean_input import DAY_MAX
from kingdom.models.base import CampaignOwned, DayField, Uuid7Model
from kingdom.models.calendar import DAYS_A_WEEK, Calendar, Date, calendar_from
from kingdom.models.natural import Natural


class Knowledge(models.IntegerChoices):
    """How much somebody knows of an army: each level all of those before it, too."""

    NOTHING = 0, _("nothing")
    NAME = 1, _("name and banner")
    GLANCE = 2, _("a glance: type, rough size, health in words")
    ALL = 3, _("everything: the whole sheet")


class Campaign(Uuid7Model):
    """One table's world. `day` counts from 0; `house_rules` holds only what differs from the ruleset.

    `calendar` holds only what differs from the ordinary calendar (`kingdom.models.calendar`), `players_may` what
    differs from the ordinary choices (`kingdom.access.permissions`), `secrecy` what players are not told of enemies in
    battle (`kingdom.access.redaction`). `first_steps`: whether its GMs are shown what comes first
    (`kingdom.onboarding.checklist`), as long as some of it is still to be done. `players_share`: whether who runs a
    kingdom may make public links to its page. `others_known`: what a player knows of every army that is not theirs;
    `met_known`: at least so much of those theirs have met (`armies.forces.access`). `revision` rises with every change
    of it (`core.live`).

    `brought_bytes`: how large the document was that it was brought in by; 0: it was made here.

    `owner`: one of its GMs, who alone hands it over (`offered_to`: to whom they would) and deletes it; None: they have
    no account any more. `deleted_at`: since when nobody sits there (`DeletedMembership`).
    """

    name = models.CharField(max_length=120)
    ruleset = models.CharField(max_length=40)
    day = DayField(default=0, most=DAY_MAX)
    house_rules = models.JSONField(default=dict, blank=True)
    calendar = models.JSONField(default=dict, blank=True)
    players_may = models.JSONField(default=dict, blank=True)
    secrecy = models.JSONField(default=dict, blank=True, db_default={})
    first_steps = models.BooleanField(default=False)
    players_share = models.BooleanField(default=False, db_default=False)
    others_known = models.PositiveSmallIntegerField(
        choices=Knowledge, default=Knowledge.NAME, db_default=Knowledge.NAME
    )
    met_known = models.PositiveSmallIntegerField(
        choices=Knowledge.choices[1:], default=Knowledge.GLANCE, db_default=Knowledge.GLANCE
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="campaigns_created"
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="campaigns_owned"
    )
    offered_to = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    deleted_at = models.DateTimeField(null=True, blank=True, db_index=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    revision = models.PositiveBigIntegerField(default=0, db_default=0, editable=False)
    brought_bytes = models.PositiveBigIntegerField(default=0, db_default=0, editable=False)

    class Meta:
        ordering = (Natural("name"), "id")
        constraints = (
            models.CheckConstraint(name="campaign_others_known", condition=Q(others_known__in=Knowledge.values)),
            models.CheckConstraint(name="campaign_met_known", condition=Q(met_known__in=Knowledge.values[1:])),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def dates(self) -> Calendar:
        """The campaign's calendar."""
        return calendar_from(self.calendar)

    @property
    def date(self) -> Date:
        """Today, by its names."""
        return self.dates.date(self.day)

    @property
    def week(self) -> int:
        """The running week, counted from 1."""
        return self.day // DAYS_A_WEEK + 1

    @property
    def days_to_upkeep(self) -> int:
        """Days until the running week ends and its upkeep is due: 1 to 7."""
        return DAYS_A_WEEK - self.day % DAYS_A_WEEK


class Role(models.TextChoices):
    GM = "gm", _("GM")
    PLAYER = "player", _("player")
    VIEWER = "viewer", _("viewer")


class Membership(CampaignOwned):
    """A user's seat at a campaign's table."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)
    invitation = models.ForeignKey(
        "kingdom.Invitation", models.SET_NULL, null=True, blank=True, related_name="seated", editable=False
    )

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(name="membership_once", fields=("campaign", "user")),
            models.CheckConstraint(name="membership_role", condition=Q(role__in=Role.values)),
        )

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"


def _seal() -> Signer:
    return Signer(sep=".", salt="kingdom.invitation")


class Invitation(CampaignOwned):
    """A link that seats whoever opens it, `uses` times, until it expires or is revoked. A GM's seat: once.

    `kingdom`: who joins as a player runs it from then on. A kingdom that is dissolved leaves the link a plain one.
    `guests`: people without an account may join by a name alone.

    The link's token is the id with a seal of this site's secret key: nothing in the table opens a door.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=10, choices=Role)
    kingdom = models.ForeignKey("kingdom.Kingdom", models.SET_NULL, null=True, blank=True, related_name="+")
    uses = models.PositiveSmallIntegerField(default=1)
    used = models.PositiveSmallIntegerField(default=0)
    expires = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    revoked_at = models.DateTimeField(null=True, blank=True)
    guests = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.CheckConstraint(name="invitation_guests_no_gm", condition=Q(guests=False) | ~Q(role=Role.GM)),
            models.CheckConstraint(name="invitation_role", condition=Q(role__in=Role.values)),
            models.CheckConstraint(name="invitation_uses", condition=Q(uses__gte=1) & Q(used__lte=F("uses"))),
            models.CheckConstraint(name="invitation_gm_once", condition=~Q(role=Role.GM) | Q(uses=1)),
            models.CheckConstraint(
                name="invitation_kingdom_of_player", condition=Q(kingdom=None) | Q(role=Role.PLAYER)
            ),
        )

    def __str__(self) -> str:
        return f"{self.campaign_id} ({self.role})"

    @property
    def left(self) -> int:
        """How many more people it seats."""
        return self.uses - self.used

    @property
    def open(self) -> bool:
        return self.revoked_at is None and self.left > 0 and self.expires > timezone.now()

    @property
    def token(self) -> str:
        return _seal().sign(self.pk.hex)

    @staticmethod
    def id_in(token: str) -> UUID | None:
        """The id a token names, or None if it was not made here."""
        try:
            return UUID(_seal().unsign(token))
        except (BadSignature, ValueError):
            return None


# Model of the seats of a deleted campaign that may still be restored.


class DeletedMembership(CampaignOwned):
    """Who sat where. A deleted campaign has no seats at all, so for everybody, everywhere, it is not there; restoring
    it seats them again.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    role = models.CharField(max_length=10, choices=Role)
    invitation = models.ForeignKey("kingdom.Invitation", models.SET_NULL, null=True, related_name="+")

    class Meta:
        db_table = "kingdom_vacatedseat"
        ordering = ("id",)
        constraints = (models.UniqueConstraint(name="vacated_once", fields=("campaign", "user")),)

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"


# Model of a running import of a campaign.


class CampaignImport(Uuid7Model):
    """How far it is, for whoever began it, and what came of it: the `campaign`, or the faults of the document.

    `done` of `of` rows in this `step`; `of` is 0 while nobody knows how many there are. `beat_at`: when its process
    last had it in hand; one that is silent has died with it, and nothing of it was written. `faults`: pointers and
    words; `warnings`: words.
    """

    class Status(models.TextChoices):
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        STOPPED = "stopped", _("stopped")
        FAILED = "failed", _("failed")

    class ImportStep(models.TextChoices):
        READING = "reading", _("Reading the file")
        WRITING = "writing", _("Saving the campaign")
        CHECKING = "checking", _("Checking everything")

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    campaign = models.ForeignKey("kingdom.Campaign", models.SET_NULL, null=True, related_name="+")
    state = models.CharField(max_length=10, choices=Status, default=Status.RUNNING)
    step = models.CharField(max_length=10, choices=ImportStep, default=ImportStep.READING)
    done = models.PositiveIntegerField(default=0)
    of = models.PositiveIntegerField(default=0)
    faults = models.JSONField(default=list)
    warnings = models.JSONField(default=list)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    beat_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("owner", "created_at"), name="import_of_owner"),)
        constraints = (
            models.CheckConstraint(
                name="import_state_known", condition=Q(state__in=("running", "done", "stopped", "failed"))
            ),
        )

    def __str__(self) -> str:
        return f"{self.step} {self.done}/{self.of}"

    @property
    def running(self) -> bool:
        return self.state == self.Status.RUNNING
