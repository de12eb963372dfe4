"""Queries for jobs, each visible to whoever started it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.http import Http404
from django.utils import timezone

from battles.models import Job
from core import text
from kingdom.access.queries import list_campaigns, parse_uuid_or_404
from kingdom.models import User
from rules.core.text import _

GUISE = "guise"  # key in a question that the GM asked through somebody else's eyes: that user
SILENT = timedelta(seconds=30)
GONE = _("The server stopped before this calculation was done. Start it again.")


def get_job_for(user: User, job_id: UUID | str) -> Job:
    """Return their job with its progress. A job whose process is gone is marked as stopped. Raises Http404."""
    job = Job.objects.filter(pk=parse_uuid_or_404(job_id), owner=user.account).first()
    if (
        job is None
        or job.question.get(GUISE, str(user.account.pk)) != str(user.pk)
        or not _within(user, job.campaign_id)
    ):
        raise Http404
    if job.running and job.beat_at < timezone.now() - SILENT:
        job.state, job.trouble = Job.Status.STOPPED, text.dump_said(GONE)
    return job


def _within(user: User, campaign_id: UUID | None) -> bool:
    """Whether the user may see jobs of this campaign. A job without a campaign is hidden from tokens bound to one."""
    if campaign_id is None:
        return user.bound_to is None
    return list_campaigns(user).filter(pk=campaign_id).exists()


def list_results(job: Job) -> list[Any]:
    """Return the answers in the order of the tasks, None where there is none yet."""
    found: list[Any] = [None] * job.of
    for place, answer in job.results.values_list("place", "answer"):
        found[place] = answer
    return found
