"""Services for luck (the dice's effect on the chances): computed once for all readers with the same knowledge, then
stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from battles.codec.storage import dump_weighed, load_weighed
from battles.forecast.computation import reckon
from battles.forecast.queries import get_job_for, list_results
from battles.log.luck import DiceFell, Hindsight, LookedBack
from battles.models import Job, Weighing
from kingdom.access.decorators import unrestricted
from kingdom.models import User
from rules.odds.viewer_forecast import Weighed

FAIRNESS = "fairness"  # kind of its jobs


@unrestricted("Nothing of the game changes: what dice did to the chances is written down once.")
def look_back(*, by: User, back: LookedBack) -> Hindsight | Job:
    """Return the luck, or the job that computes it. A failed job is returned once; the next request starts anew. Raises
    the exceptions of `reckon`.
    """
    found = back.kept()
    if missing := _missing(back, found):
        job = _job_of(by, back)
        if job is not None and job.state != Job.Status.DONE:
            return job
        if job is not None:
            found |= _keep(back, dict(zip(_records(job), map(load_weighed, list_results(job)), strict=True)))
            missing = _missing(back, found)
    if missing:
        answers = _reckoned(by, back, missing)
        if isinstance(answers, Job):
            return answers
        found |= _keep(back, answers)
    return back.told(found)


def _missing(back: LookedBack, found: Mapping[UUID, Weighed | None]) -> list[DiceFell]:
    return [cast for cast in back.casts if cast.record not in found]


def _reckoned(by: User, back: LookedBack, missing: Sequence[DiceFell]) -> Job | dict[UUID, Weighed | None]:
    records = [cast.record for cast in missing]
    question = {**_asked(back), "records": [str(record) for record in records]}
    tasks = back.tasks(missing)
    found = reckon(by=by, kind=FAIRNESS, tasks=tasks, question=question, campaign=back.battle.campaign)
    return found if isinstance(found, Job) else dict(zip(records, found, strict=True))


def _job_of(by: User, back: LookedBack) -> Job | None:
    """Return their latest job, or None. A failed one is forgotten once it is returned."""
    begun = Job.objects.filter(owner=by, kind=FAIRNESS, question__contains=_asked(back)).order_by("-id")
    last = begun.values_list("pk", flat=True).first()
    if last is None:
        return None
    job = get_job_for(by, last)
    if job.state in (Job.Status.FAILED, Job.Status.STOPPED):
        begun.delete()
    return job


def _asked(back: LookedBack) -> dict[str, str]:
    return {"battle": str(back.battle.pk), "known": back.known}


def _records(job: Job) -> list[UUID]:
    return [UUID(record) for record in job.question["records"]]


def _keep(back: LookedBack, found: Mapping[UUID, Weighed | None]) -> dict[UUID, Weighed | None]:
    """Store effects for records that are not undone. Those stored before are kept."""
    standing = {cast.record for cast in back.casts}
    kept = {record: weighed for record, weighed in found.items() if record in standing}
    Weighing.objects.bulk_create(
        (
            Weighing(campaign_id=back.battle.campaign_id, record_id=record, known=back.known, found=dump_weighed(told))
            for record, told in kept.items()
        ),
        ignore_conflicts=True,
    )
    return kept
