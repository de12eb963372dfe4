"""Models of a battle, its armies, records and jobs, and the maps of a campaign's library."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from armies.models.army import ArmySeat
from core.clean_input import make_readable
from kingdom.models.base import CampaignOwned, DayField, Uuid7Model, uuid7
from rules.core import text

# Models of a battle and of the armies in it.


class CampaignBattles(models.Manager["Battle"]):
    """The battles of campaigns, without what-ifs. Whoever does not ask for those (`with_branches`) never meets one."""

    def get_queryset(self) -> models.QuerySet[Battle]:
        return super().get_queryset().filter(branch_of=None)


class Battle(CampaignOwned):
    """A battle: its opening, and its version, which grows with every change.

    What happened is in its records. `ruleset`, `ruleset_version` and `house_rules` are those of the day it was opened,
    `figures` those of its armies then. `state` is a summary for lists, `revision` names the state in caches: both can
    be rebuilt. `opponents`: by side, how the computer commands it (`battles.opponents.queries`); people command the
    other sides.

    A what-if is a battle branched from another one, `branch_of`, after the event `branched_at` (0: its opening). It has
    no seats, so it holds no army, and nothing in it touches the campaign.
    """

    class Status(models.TextChoices):
        SETUP = "setup", _("being set up")
        RUNNING = "running", _("running")
        AFTERMATH = "aftermath", _("fought, aftermath open")
        CLOSED = "closed", _("over")

    OPEN = (Status.SETUP, Status.RUNNING, Status.AFTERMATH)

    campaign = models.ForeignKey("kingdom.Campaign", models.CASCADE, related_name="battles")
    name = models.CharField(max_length=120)
    ruleset = models.CharField(max_length=40)
    ruleset_version = models.CharField(max_length=20)
    house_rules = models.JSONField(default=dict, blank=True)
    opening = models.JSONField()
    figures = models.JSONField(default=dict, blank=True)
    state = models.JSONField()
    opponents = models.JSONField(default=dict, blank=True)
    version = models.PositiveIntegerField(default=1)
    revision = models.UUIDField(default=uuid7, editable=False)
    status = models.CharField(max_length=10, choices=Status, default=Status.SETUP)
    day = DayField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    armies = models.ManyToManyField("armies.Army", through="BattleArmy", related_name="battles")
    branch_of = models.ForeignKey("self", models.CASCADE, null=True, editable=False, related_name="+")
    branched_at = models.PositiveIntegerField(null=True, editable=False)

    objects = CampaignBattles()
    with_branches: models.Manager[Battle] = models.Manager()

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("campaign", "status"), name="battle_status"),)
        constraints = (
            models.CheckConstraint(
                name="battle_status_known", condition=Q(status__in=("setup", "running", "aftermath", "closed"))
            ),
        )

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("battles:battle", args=[self.pk])

    @property
    def is_branch(self) -> bool:
        """Whether it is a what-if of another battle."""
        return self.branch_of_id is not None

    @property
    def open(self) -> bool:
        """Whether its armies are still bound to it."""
        return self.status != self.Status.CLOSED


class BattleArmy(ArmySeat):
    """An army in a battle, also after it has left, and its commander. It keeps the army from being deleted."""

    EVENT, EVENT_NAME, HELD = "battle", "battle__name", text._("In battle:")
    GOES_ON = BINDS = Q(battle__status__in=Battle.OPEN)

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="seats")
    army = models.ForeignKey("armies.Army", models.RESTRICT, related_name="seats")
    side = models.PositiveSmallIntegerField()
    commander = models.ForeignKey("armies.Commander", models.SET_NULL, null=True, related_name="seats")

    class Meta:
        ordering = ("battle", "side", "id")
        verbose_name_plural = "armies in battles"
        constraints = (models.UniqueConstraint(name="battle_army_once", fields=("battle", "army")),)

    def __str__(self) -> str:
        return f"{self.army_id} @ {self.battle_id}"


# Model of records: a command, its dice and its events.

TOGETHER = "together"
"""Key beside a command: a number shared by all commands given together."""

ENGINE = "engine"
"""Key beside an order of the computer: its leaning, its seed and its reason (`{leaning, seed, why}`)."""

FORWARD = "forward"
"""Key beside a command: the version from which the battle went on by itself until something happened."""

PASSED = "passed"
"""Key beside a command: the version from which the battle went on by itself through phases with nothing to decide."""


class BattleRecord(CampaignOwned):
    """One command and its events. It never changes, except for `undone`.

    `dice`: the rolls in order. `version`: the battle's right after this command. `first_event`: number of its first
    event within the battle, undone ones included. `frozen`: the state right after it, in about every twentieth record
    and the last one of a closed battle; a shortcut for folding that can be recomputed. `figures`: those of every army
    right after it, where they changed.
    """

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="records")
    seq = models.PositiveIntegerField()
    version = models.PositiveIntegerField()
    first_event = models.PositiveIntegerField()
    command = models.JSONField()
    dice = models.JSONField(default=list, blank=True)
    events = models.JSONField()
    frozen = models.JSONField(null=True, blank=True)
    figures = models.JSONField(null=True, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)
    undone = models.BooleanField(default=False)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("battle", "seq")
        constraints = (models.UniqueConstraint(name="battle_record_seq", fields=("battle", "seq")),)

    @property
    def together(self) -> int | None:
        """Number shared by the commands that were given together with this one; None for a single command."""
        return self.command.get(TOGETHER)

    def __str__(self) -> str:
        return f"{self.battle_id} #{self.seq}"


# Model of a battle map in a campaign's library.


class BattleMap(CampaignOwned):
    """A map in the campaign's library. Battles hold copies, so changes here leave them unchanged.

    `written`: the document of the map's file without its name.
    """

    in_addresses = "map"

    campaign = models.ForeignKey("kingdom.Campaign", models.CASCADE, related_name="battle_maps")
    name = models.CharField(max_length=120)
    columns = models.PositiveSmallIntegerField()
    rows = models.PositiveSmallIntegerField()
    written = models.JSONField()
    kept_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    kept_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.name

    @property
    def document(self) -> dict[str, Any]:
        """The document of the map's file, its keys in no particular order."""
        return {**make_readable(self.written), "name": self.name}


# Models of jobs: work that takes longer than a request, and its results.


class Job(Uuid7Model):
    """Tasks that a server process works on for one user, and their results (`JobResult`).

    `kind`: what started it (`battles.forecast.queries`). `question`: the data to draw the results. `done`: number of
    tasks finished, of `of`. `beat_at`: time of the process's last sign of life; without one for long, the job is
    lost. `trouble`: why it failed, as a stored message. `campaign`: only its members may read the job; null for a
    job of no campaign.
    """

    class Status(models.TextChoices):
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        STOPPED = "stopped", _("stopped")
        FAILED = "failed", _("failed")

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    campaign = models.ForeignKey("kingdom.Campaign", models.CASCADE, null=True, related_name="+")
    kind = models.CharField(max_length=20)
    question = models.JSONField(default=dict)
    done = models.PositiveIntegerField(default=0)
    of = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=Status, default=Status.RUNNING)
    trouble = models.JSONField(null=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    beat_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("created_at",), name="job_created"),)
        constraints = (
            models.CheckConstraint(
                name="job_state_known", condition=Q(state__in=("running", "done", "stopped", "failed"))
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.done}/{self.of}"

    @property
    def running(self) -> bool:
        return self.state == self.Status.RUNNING


class JobResult(models.Model):
    """Result of one task of a job, by its place among them, as JSON. It is written once."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="results")
    place = models.PositiveIntegerField()
    answer = models.JSONField(null=True)

    class Meta:
        ordering = ("place",)
        constraints = (models.UniqueConstraint(fields=("job", "place"), name="one_answer_to_a_piece"),)

    def __str__(self) -> str:
        return f"{self.job_id} {self.place}"


# Weighings: how the dice of a command changed the chances to win.


class Weighing(CampaignOwned):
    """Chances before and after a record's dice, as first computed for a reader with this knowledge.

    A record never changes, so neither does its weighing, even if later forecasts are better. `known`: key of what its
    readers know of the battle. `found`: `rules.odds.viewer_forecast.Weighed`, null where no forecast was possible.
    """

    record = models.ForeignKey(BattleRecord, models.CASCADE, related_name="weighings")
    known = models.CharField(max_length=64)
    found = models.JSONField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(name="weighing_once", fields=("record", "known")),)

    def __str__(self) -> str:
        return f"{self.record_id} {self.known}"
