"""Services for sweeps: a job, on this machine or on a cluster."""

from __future__ import annotations

from battles.forecast.job_services import start_job
from battles.models import Job
from battles.workshop.sweeps import SWEEP, Sweep
from kingdom.access.decorators import unrestricted
from kingdom.models import Campaign, User
from kingdom.models.base import uuid7


@unrestricted("Nothing of the game changes.")
def start_sweep(*, by: User, sweep: Sweep, campaign: Campaign | None = None) -> Job:
    """Raises `InvalidInput` where there is nobody to meet, or too many."""
    sweep.check()
    tasks = sweep.tasks(str(uuid7()))
    return start_job(by=by, kind=SWEEP, tasks=tasks, question=sweep.question(), campaign=campaign, far=True)
