"""Services for jobs: start, stop and clean-up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from battles.forecast.job_runner import Cluster, Enough, JobRunner, JobTask
from battles.forecast.queries import GUISE, get_job_for
from battles.forecast.single_flight import SingleFlight, flights
from battles.models import Job
from kingdom.access.decorators import unrestricted
from kingdom.models import Campaign, User
from rules.odds.tasks import Task

KEPT = timedelta(days=1)


@unrestricted("Nothing of the game changes.")
def start_job(
    *,
    by: User,
    kind: str,
    tasks: Sequence[Task],
    question: Mapping[str, Any],
    campaign: Campaign | None = None,
    asker: str = "",
    futures: Sequence[Future[Any]] | None = None,
    far: bool = False,
    enough: Enough | None = None,
) -> Job:
    """Start a job of these tasks for one person. They are done one after the other as there is room. Old jobs are
    deleted.

    `asker` is the name under which `flights` knows them, if all tasks were submitted already (`futures`). `far`: on the
    cluster, if there is one. `enough` decides from the answers so far whether the job may end.
    """
    Job.objects.filter(created_at__lt=timezone.now() - KEPT).delete()
    of = campaign.pk if campaign else by.bound_to
    told = {**question, GUISE: str(by.pk)} if by.seen_by else question
    job = Job.objects.create(owner=by.account, campaign_id=of, kind=kind, question=told, of=len(tasks))
    hand = abroad if far and settings.DASK else clerk
    hand.take(JobTask(job.pk, asker or f"job:{job.pk}", list(tasks), dict(enumerate(futures or ())), enough))
    return job


@unrestricted("Everybody stops what he began himself.")
def stop_job(*, by: User, job_id: UUID | str) -> Job:
    """Stop a job. Its results so far stay readable. Raises Http404."""
    job = get_job_for(by, job_id)
    if job.running:
        job.state = Job.Status.STOPPED
        Job.objects.filter(pk=job.pk, state=Job.Status.RUNNING).update(state=job.state)
    for one in (clerk, abroad):
        one.drop(job.pk)
    return job


@unrestricted("Everybody stops what they began themselves.")
def stop_jobs_about(*, by: User, kind: str, subject: Mapping[str, str]) -> None:
    """Stop the person's running jobs on this subject."""
    running = Job.objects.filter(owner=by.account, kind=kind, state=Job.Status.RUNNING, question__contains=subject)
    for job in running:
        if job.question.get(GUISE, str(by.account.pk)) == str(by.pk):
            stop_job(by=by, job_id=job.pk)


clerk, abroad = JobRunner(flights), JobRunner(SingleFlight(Cluster()))
