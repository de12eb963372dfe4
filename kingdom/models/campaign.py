"""Models of campaigns, members, invitations and imports."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.core.signing import BadSignature, Signer
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.clean_input import DAY_MAX, ORIGIN_MAX
from kingdom.models.base import CampaignOwned, DayField, Natural, Uuid7Model
from kingdom.models.calendar import DAYS_A_WEEK, Calendar, Date, calendar_from
from rules.core.text import Said


class Knowledge(models.IntegerChoices):
    """Level of a player's knowledge of an army. Each level includes those before it."""

    NOTHING = 0, _("nothing")
    NAME = 1, _("name and banner")
    GLANCE = 2, _("a glance: type, rough size, health in words")
    ALL = 3, _("everything: the whole sheet")


class Campaign(Uuid7Model):
    """A campaign: the world of one table of players.

    - `day`: today, counted from 0. `revision`: rises with every change (`core.live`).
    - `house_rules`, `calendar`, `players_may`, `secrecy`: only what differs from the defaults of the ruleset,
      `kingdom.models.calendar`, `kingdom.access.permissions` and `kingdom.access.redaction`.
    - `headings`: columns that headings of imported tables stood for last, by table (`armies.tables.headings`), and
      under "map" terrains by their names in imported maps (`kingdom.map.import_queries`). They only fill in the next
      proposal, so no undo touches them.
    - `first_steps`: whether GMs see the checklist until it is done (`kingdom.onboarding.checklist`).
    - `players_share`: whether players may make public links to the pages of their kingdoms.
    - `origins`: web sites whose pages may call the API (`kingdom.middleware.Origins`).
    - `others_known`: the level at which players know all other armies; `met_known`: the level for armies they have met
      (`armies.forces.access`).
    - `brought_bytes`: size of the document it was imported from; 0 if it was created here.
    - `owner`: the GM who may transfer and delete it; None if their account is deleted. `offered_to`: who may accept it.
    - `deleted_at`: when it was deleted. Its members are then in `DeletedMembership`.
    """

    name = models.CharField(max_length=120)
    ruleset = models.CharField(max_length=40)
    day = DayField(default=0, most=DAY_MAX)
    house_rules = models.JSONField(default=dict, blank=True)
    calendar = models.JSONField(default=dict, blank=True)
    players_may = models.JSONField(default=dict, blank=True)
    secrecy = models.JSONField(default=dict, blank=True, db_default={})
    headings = models.JSONField(default=dict, blank=True, db_default={}, editable=False)
    first_steps = models.BooleanField(default=False)
    players_share = models.BooleanField(default=False, db_default=False)
    origins = ArrayField(models.CharField(max_length=ORIGIN_MAX), default=list, blank=True, db_default=[])
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
        indexes = (GinIndex(name="campaign_origins", fields=("origins",)),)
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
        """Today's date in words."""
        return self.dates.date(self.day)

    @property
    def sky(self) -> list[Said]:
        """Today's season and moons in words; nothing if the calendar has none."""
        return self.dates.sky(self.day)

    @property
    def week(self) -> int:
        """The current week, counted from 1."""
        return self.day // DAYS_A_WEEK + 1

    @property
    def days_to_upkeep(self) -> int:
        """Days until the current week ends and its upkeep is due: 1 to 7."""
        return DAYS_A_WEEK - self.day % DAYS_A_WEEK


class Role(models.TextChoices):
    GM = "gm", _("GM")
    PLAYER = "player", _("player")
    VIEWER = "viewer", _("viewer")


class Membership(CampaignOwned):
    """A user's membership in a campaign, with their role."""

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
    """An invitation link that seats `uses` people until it expires or is revoked. A link for a GM seats one.

    `kingdom`: the kingdom of whoever joins as a player; None also after that kingdom is dissolved. `guests`: people may
    join by a name alone.

    The link's token is the id signed with the site's secret key, so the table alone opens nothing.
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
        """The number of people it can still seat."""
        return self.uses - self.used

    @property
    def open(self) -> bool:
        return self.revoked_at is None and self.left > 0 and self.expires > timezone.now()

    @property
    def token(self) -> str:
        return _seal().sign(self.pk.hex)

    @staticmethod
    def id_in(token: str) -> UUID | None:
        """Return the id in a token; None if this site has not signed it."""
        try:
            return UUID(_seal().unsign(token))
        except (BadSignature, ValueError):
            return None


# Model of the members of a deleted campaign that may still be restored.


class DeletedMembership(CampaignOwned):
    """A member of a deleted campaign. A deleted campaign has no members, so nobody can open it; restoring it makes them
    members again.
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
    """An import of a campaign: its progress, and the resulting `campaign` or the `faults` of the document.

    `done` of `of` rows are through this `step`; `of` is 0 while the number is unknown. `beat_at`: last heartbeat of its
    process; one that stays silent has died, and nothing of it was written. `faults`: pointers and sentences;
    `warnings`: sentences.
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


# Model of approval requests: actions that players ask of the GM.

KINDS = ("attributes", "treasury", "raise", "disband", "buy", "found", "appoint", "march")
"""The kinds of action that have a permission (`kingdom.access.permissions`)."""


class ApprovalRequest(CampaignOwned):
    """An action a player has requested and the GM has to approve. The API calls it a request.

    - `command`, `arguments`: the service and its arguments (`kingdom.approvals.submission`).
    - `text` (JSON words), `changes`: the chronicle entry, as tried out when requested, or as made once approved.
    - `kingdoms`: those concerned. `names`: ids of armies in its text that not everybody may know
      (`kingdom.access.redaction`).
    - `answered_by`: who granted, refused or withdrew it; None if it ended with the requester's seat.
    """

    in_addresses = "petition"

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        GRANTED = "granted", _("approved")
        REFUSED = "refused", _("refused")
        WITHDRAWN = "withdrawn", _("withdrawn")

    campaign = models.ForeignKey("kingdom.Campaign", models.CASCADE, related_name="petitions")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    day = DayField()
    at = models.DateTimeField(default=timezone.now, editable=False)
    kind = models.CharField(max_length=20)
    command = models.CharField(max_length=60)
    arguments = models.JSONField()
    text = models.JSONField()
    changes = models.JSONField(default=list, blank=True)
    kingdoms = ArrayField(models.UUIDField(), default=list, blank=True)
    names = ArrayField(models.UUIDField(), default=list, blank=True, db_default=[])
    status = models.CharField(max_length=10, choices=State, default=State.WAITING)
    reason = models.CharField(max_length=200, blank=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)
    entry = models.ForeignKey("kingdom.ChronicleEntry", models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        db_table = "kingdom_petition"
        ordering = ("-id",)
        constraints = (
            models.CheckConstraint(
                name="petition_status", condition=Q(status__in=("waiting", "granted", "refused", "withdrawn"))
            ),
            models.CheckConstraint(name="petition_kind", condition=Q(kind__in=KINDS)),
            models.CheckConstraint(
                name="petition_answered",
                condition=Q(status="waiting", answered_at=None) | (~Q(status="waiting") & Q(answered_at__isnull=False)),
            ),
        )
        indexes = (
            models.Index(fields=("campaign", "status"), name="petition_waiting"),
            models.Index(fields=("by", "campaign"), name="petition_asker"),
        )

    def __str__(self) -> str:
        return f"{self.kind} ({self.status})"

    @property
    def waiting(self) -> bool:
        return self.status == self.State.WAITING

    @property
    def raises_by_document(self) -> bool:
        """Whether it came to nothing and would have raised an army from a document, so that a form can open with it."""
        return self.may_repeat and self.command == "armies.raise_army" and "sheet" in self.arguments

    @property
    def may_repeat(self) -> bool:
        """Whether it came to nothing."""
        return self.status in (self.State.REFUSED, self.State.WITHDRAWN)
