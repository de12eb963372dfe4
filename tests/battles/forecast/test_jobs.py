"""Work beside the server: who asks the same waits for the same; what takes longer than a request goes on as a job."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from datetime import timedelta
from pathlib import Path
from typing import Any

import psutil
import pytest
from django.db import connection
from django.http import Http404
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from battles.forecast import computation, job_services
from battles.forecast.computation import reckon
from battles.forecast.job_runner import JobRunner, JobTask
from battles.forecast.job_services import start_job, stop_job, stop_jobs_about
from battles.forecast.queries import GONE, get_job_for, list_results
from battles.forecast.single_flight import Overtaken, Pool, SingleFlight, TooBusy, WorkerLost, Workers
from battles.models import Job
from core import text
from kingdom.campaign.services import create_campaign
from kingdom.members.services import remove_member
from rules.core.errors import InvalidInput
from rules.odds.tasks import ONE_CORE, GivenUp, Task, perform
from tests.everyday import at_most, everyday
from tests.kingdom.conftest import make_user, seat

PATIENCE = 60
PROCESSES = pytest.mark.parametrize("pool", ["processes"], indirect=True)


def task(name: str, *arguments: Any, key: str = "") -> Task:
    return Task(f"tests.battles.forecast.slowly.{name}", arguments, key or f"{name}{arguments}")


class Threads:
    """Workers that are there at once; one that is killed is told of as the pool of processes tells of it."""

    size = 2

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(self.size)

    def submit(self, task: Task) -> Future[Any]:
        if task.function.endswith(".killed"):
            broken: Future[Any] = Future()
            broken.set_exception(BrokenProcessPool())
            return broken
        return self._executor.submit(perform, task.function, task.arguments)

    def give_up(self, future: Future[Any]) -> None:
        future.cancel()

    def stop(self) -> None:
        self._executor.shutdown()


@pytest.fixture
def gate(tmp_path) -> Iterator[Path]:
    """What is held waits until it opens."""
    made = tmp_path / "open"
    yield made
    made.touch()


@pytest.fixture(params=everyday(["threads", "processes"], first=1))
def pool(request, gate) -> Iterator[Workers]:
    """What does not hinge on processes is tried every day without any."""
    if request.param == "processes":
        yield request.getfixturevalue("processes")
    else:
        made = Threads()
        yield made
        gate.touch()
        made.stop()


@pytest.fixture
def flights(pool, monkeypatch) -> Iterator[SingleFlight]:
    """These workers behind the doors of the house."""
    made = SingleFlight(pool)
    monkeypatch.setattr(computation, "flights", made)
    monkeypatch.setattr(job_services, "clerk", JobRunner(made))
    yield made
    job_services.clerk.give_up()


def until(happened: Any) -> None:
    began = time.monotonic()
    while not happened():
        assert time.monotonic() - began < PATIENCE
        time.sleep(0.02)


def warm(pool: Workers) -> None:
    wait([pool.submit(task("dawdle", 0.0, 1))], PATIENCE)


def at_work(pool: Pool) -> set[int]:
    """The processes that have begun a piece of work and not ended it."""
    return {*pool._board._workers} - {0}


def held(gate: Path, answer: Any) -> Task:
    """Answered when the gate opens."""
    return task("held", str(gate), answer)


# the pool
def test_a_process_knows_the_rules_keeps_to_its_core_and_is_not_left_behind_when_its_pool_stops(monkeypatch):
    """It knows no framework; a refusal comes back with its pointer; and numpy would share a product of matrices with
    the other cores, where others reckon.
    """
    for name in ONE_CORE:
        monkeypatch.delenv(name, raising=False)
    own = Pool(1)
    found = own.submit(task("modules")).result(PATIENCE)
    assert "rules.pathfinder.ruleset" in found
    assert not [name for name in found if name.split(".")[0] in ("django", "battles", "kingdom", "config", "psycopg")]
    with pytest.raises(InvalidInput) as refused:
        own.submit(task("refused")).result(PATIENCE)
    assert (refused.value.field, str(refused.value)) == ("/orders", "Must be a list.")
    own.submit(Task("numpy.linalg.matrix_power", ([[1.0, 2.0], [3.0, 4.0]], 9))).result(PATIENCE)
    (worker,) = own.workers
    threads = psutil.Process(worker).num_threads()
    working = own.submit(task("dawdle", 60.0, 1))
    workers = [psutil.Process(pid) for pid in own.workers]
    assert workers
    own.stop()
    gone, alive = psutil.wait_procs(workers, PATIENCE)
    assert (len(gone), alive) == (1, [])
    assert not working.done() or working.exception() is not None
    assert threads == 2  # that reckons, and that ends with its parent


# who asks the same
def test_two_who_ask_the_same_wait_for_one_reckoning(flights, pool, gate):
    warm(pool)
    one = flights.ask([held(gate, "same")], "ana's phone")
    other = flights.ask([held(gate, "same")], "the gm's laptop")
    assert one[0] is other[0]
    gate.touch()
    assert one[0].result(PATIENCE) == "same"
    assert flights.ask([held(gate, "same")], "later")[0] is one[0]


def test_a_newer_question_gives_an_older_one_up_unless_another_waits_for_it(flights, pool, gate):
    warm(pool)
    busy = flights.ask([held(gate, n) for n in range(8)], "somebody")  # the queue is full
    (mine,) = flights.ask([task("dawdle", 0.0, "mine")], "ana")
    (shared,) = flights.ask([task("dawdle", 0.0, "shared")], "bo")
    assert flights.ask([task("dawdle", 0.0, "shared")], "cy") == [shared]
    flights.ask([task("dawdle", 0.0, "newer")], "ana")
    flights.ask([task("dawdle", 0.0, "newer")], "bo")
    assert (mine.cancelled(), shared.cancelled()) == (True, False)
    gate.touch()
    wait([*busy, shared], PATIENCE)
    assert shared.result() == "shared"


@PROCESSES
def test_what_nobody_waits_for_is_broken_off_and_its_process_goes_on(flights, pool):
    """Three processes' worth of work on two: what has begun ends at once, what was queued is never begun."""
    warm(pool)
    long_ones = [flights.ask([task("spin", 120.0, key=f"long {n}")], f"asker {n}")[0] for n in range(3)]
    (shared,) = flights.ask([task("spin", 120.0, key="long 0")], "another")
    until(lambda: len(at_work(pool)) == 2)  # a process begins when there is work for it
    workers = set(pool.workers)
    for number in range(3):
        flights.leave(f"asker {number}", [f"long {number}"])
    until(lambda: all(future.done() for future in long_ones[1:]))
    assert not shared.done(), "somebody waits for it"
    began = time.monotonic()
    (quick,) = flights.ask([task("spin", 0.0)], "bo")
    assert quick.result(PATIENCE) in workers
    assert time.monotonic() - began < PATIENCE / 2
    flights.leave("another", ["long 0"])
    with pytest.raises(GivenUp):
        shared.result(PATIENCE)
    assert set(pool.workers) == workers
    assert flights.ask([task("dawdle", 0.0, "anew", key="long 0")], "cy")[0].result(PATIENCE) == "anew"


def test_nobody_is_kept_waiting_behind_too_much(flights, pool, gate, monkeypatch):
    warm(pool)
    monkeypatch.setattr("battles.forecast.single_flight.QUEUE_MOST", 3)
    flights.ask([held(gate, n) for n in range(3)], "somebody")
    with pytest.raises(TooBusy):
        flights.ask([task("dawdle", 0.0, "one more")], "ana")


# a request
def asked(user: Any, *tasks: Task, asker: str = "") -> Any:
    return reckon(by=user, kind="test", tasks=tasks, question={"of": "test"}, asker=asker)


@pytest.mark.django_db(transaction=True)
def test_what_is_quick_is_answered_at_once(flights, pool):
    warm(pool)
    assert asked(make_user("ana"), task("dawdle", 0.0, 1), task("dawdle", 0.0, 2)) == [1, 2]
    assert not Job.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_what_takes_longer_is_a_job_that_ends(flights, pool, gate):
    warm(pool)
    user = make_user("ana")
    began = time.monotonic()
    job = asked(user, task("dawdle", 0.0, "first"), held(gate, "second"))
    assert time.monotonic() - began < 0.25 + 0.75, "a request's thread is held for a moment only"
    assert (job.state, job.of) == ("running", 2)
    until(lambda: get_job_for(user, job.pk).done >= 1)
    gate.touch()
    until(lambda: not get_job_for(user, job.pk).running)
    done = get_job_for(user, job.pk)
    assert (done.state, done.done, list_results(done)) == ("done", 2, ["first", "second"])


@pytest.mark.django_db(transaction=True)
def test_a_long_list_is_handed_out_a_little_at_a_time(flights, pool, tmp_path, gate):
    """What is asked meanwhile is answered after what was handed out, and before the rest has begun."""
    warm(pool)
    user, few = make_user("ana"), tmp_path / "a few"
    tasks = [held(few if n < 4 else gate, n) for n in range(12)]
    job = start_job(by=user, kind="test", tasks=tasks, question={})
    until(lambda: job_services.clerk._errands[job.pk].next == 4)
    (quick,) = flights.ask([task("dawdle", 0.0, "quick")], "bo")
    few.touch()
    assert quick.result(PATIENCE) == "quick"
    assert get_job_for(user, job.pk).running
    gate.touch()
    until(lambda: not get_job_for(user, job.pk).running)
    assert list_results(job) == list(range(12))


@PROCESSES
@pytest.mark.django_db(transaction=True)
def test_a_job_that_is_stopped_frees_its_processes_at_once(flights, pool):
    """In about a second: the piece under way is broken off."""
    warm(pool)
    user, long_ones = make_user("ana"), [task("spin", 120.0, key=f"{n}") for n in range(4)]
    job = start_job(by=user, kind="test", tasks=[task("dawdle", 0.0, 1), *long_ones], question={})
    until(lambda: get_job_for(user, job.pk).done == 1)
    until(lambda: len(at_work(pool)) == 2)  # a process begins when there is work for it
    workers = set(pool.workers)
    stop_job(by=user, job_id=job.pk)
    began = time.monotonic()
    found = [flights.ask([task("spin", 0.0, key=f"quick {n}")], f"bo {n}")[0] for n in range(2)]
    assert {future.result(PATIENCE) for future in found} <= workers
    assert time.monotonic() - began < 10, "far less than what was under way, on the busiest machine"
    assert list_results(job) == [1, None, None, None, None]
    assert get_job_for(user, job.pk).state == "stopped"


@pytest.mark.django_db(transaction=True)
def test_a_job_can_be_stopped_and_keeps_what_it_has(flights, pool, gate):
    warm(pool)
    user = make_user("ana")
    tasks = [task("dawdle", 0.0, n) if n < 2 else held(gate, n) for n in range(40)]
    job = start_job(by=user, kind="test", tasks=tasks, question={})
    until(lambda: get_job_for(user, job.pk).done >= 2)
    assert stop_job(by=user, job_id=job.pk).state == "stopped"
    gate.touch()
    until(lambda: job_services.clerk._thread is None)
    assert (get_job_for(user, job.pk).state, get_job_for(user, job.pk).done) == ("stopped", 2)
    assert list_results(job) == [0, 1, *[None] * 38]
    assert not flights._askers or all("job" not in asker for askers in flights._askers.values() for asker in askers)


@pytest.mark.django_db(transaction=True)
def test_a_killed_worker_fails_the_job_in_words(flights, pool, gate, monkeypatch):
    warm(pool)
    monkeypatch.setattr(computation, "WAIT", 0.0)
    user = make_user("ana")
    job = asked(user, held(gate, 1), task("killed"))
    until(lambda: not get_job_for(user, job.pk).running)
    failed = get_job_for(user, job.pk)
    assert (failed.state, text.load_said(failed.trouble)) == ("failed", WorkerLost.said)


@pytest.mark.django_db(transaction=True)
def test_a_killed_worker_is_told_to_whoever_waits(flights, pool, monkeypatch):
    warm(pool)
    monkeypatch.setattr(computation, "WAIT", PATIENCE)
    with pytest.raises(WorkerLost):
        asked(make_user("ana"), task("killed"))


@pytest.mark.django_db(transaction=True)
def test_a_refusal_ends_a_job_in_its_own_words(flights, pool, gate, monkeypatch):
    monkeypatch.setattr(computation, "WAIT", 0.0)
    warm(pool)
    user = make_user("ana")
    job = asked(user, held(gate, 1), task("refused"))
    until(lambda: not get_job_for(user, job.pk).running)
    assert text.load_said(get_job_for(user, job.pk).trouble) == "Must be a list."


@pytest.mark.django_db(transaction=True)
def test_a_newer_question_stops_the_job_of_an_older_one(flights, pool, gate, monkeypatch):
    warm(pool)
    monkeypatch.setattr(computation, "WAIT", 0.0)
    user = make_user("ana")
    flights.ask([held(gate, n) for n in range(6)], "somebody")
    older = asked(user, task("dawdle", 0.0, "old"), asker="ana here")
    newer = asked(user, task("dawdle", 0.0, "new"), asker="ana here")
    gate.touch()
    until(lambda: not get_job_for(user, newer.pk).running)
    assert (get_job_for(user, older.pk).state, list_results(newer)) == ("stopped", ["new"])


@pytest.mark.django_db(transaction=True)
def test_an_answer_nobody_waits_for_any_more_is_told_as_overtaken(flights, pool, gate, monkeypatch):
    warm(pool)
    future = flights.ask([held(gate, n) for n in range(9)], "somebody")[-1]
    monkeypatch.setattr(flights, "ask", lambda tasks, asker: [future])
    assert future.cancel()
    with pytest.raises(Overtaken):
        asked(make_user("ana"), task("dawdle", 0.0, 1))


# who reads it
@pytest.fixture
def job(db) -> Job:
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Marches", ruleset="coin")
    ana = seat(gm, campaign, make_user("ana"), "player")
    return Job.objects.create(owner=ana, campaign=campaign, kind="test", of=1)


def test_a_job_is_its_owners(job):
    assert get_job_for(job.owner, job.pk) == job
    for other in (make_user("bo"), job.campaign.memberships.get(role="gm").user):
        with pytest.raises(Http404):
            get_job_for(other, job.pk)


def test_whoever_left_the_table_reads_nothing_of_it(job):
    gm = job.campaign.memberships.get(role="gm").user
    remove_member(by=gm, campaign=job.campaign, user=job.owner)
    with pytest.raises(Http404):
        get_job_for(job.owner, job.pk)


def test_a_job_whose_server_died_is_told_as_stopped(job):
    Job.objects.update(beat_at=timezone.now() - timedelta(minutes=1))
    silent = get_job_for(job.owner, job.pk)
    assert (silent.state, text.load_said(silent.trouble)) == ("stopped", GONE)


def test_jobs_are_swept_after_a_day(job):
    Job.objects.update(created_at=timezone.now() - timedelta(days=1, minutes=1), state="done")
    start_job(by=job.owner, kind="test", tasks=[], question={})
    assert not Job.objects.filter(pk=job.pk).exists()


@pytest.mark.django_db(transaction=True)
def test_a_server_that_stops_tells_its_jobs_as_stopped(flights, pool, gate):
    warm(pool)
    user = make_user("ana")
    job = start_job(by=user, kind="test", tasks=[held(gate, 1)], question={})
    job_services.clerk.give_up()
    told = get_job_for(user, job.pk)
    assert told.state == "stopped"
    assert told.trouble == text.dump_said(GONE)
    connection.close()


@pytest.mark.django_db
@pytest.mark.parametrize("steps", [1, 3])
def test_what_is_written_of_a_job_grows_with_its_answers_and_no_faster(steps):
    """Twice as long a job writes twice as much: each answer once, however often its progress is told."""
    user, written = make_user("ana"), []
    for length in at_most((12, 24), full=(30, 60)):
        job = Job.objects.create(owner=user, kind="test", question={}, of=length)
        errand = JobTask(job.pk, "ana", [task("dawdle", 0.0, n) for n in range(length)])
        with CaptureQueriesContext(connection) as queries:
            for place in range(length):
                answered: Future[Any] = Future()
                answered.set_result({"answer": [place] * 40})
                errand.pending[place] = answered
                errand.gather()
                if place % steps == steps - 1:
                    assert errand.write()
        assert [one["answer"] for one in list_results(job)] == [[place] * 40 for place in range(length)]
        assert get_job_for(user, job.pk).state == "done"
        written.append(sum(len(query["sql"]) for query in queries))
    assert written[1] < 2.2 * written[0]


# comes last: the other tests do not wait for processes that begin anew
@PROCESSES
def test_a_killed_worker_is_told_its_answer_not_kept_and_the_next_question_answered(flights):
    (broken,) = flights.ask([task("killed", key="one")], "ana")
    with pytest.raises(BrokenProcessPool):
        broken.result(PATIENCE)
    (again,) = flights.ask([task("dawdle", 0.0, 3, key="one")], "ana")
    assert again.result(PATIENCE) == 3


@pytest.mark.django_db(transaction=True)
def test_a_job_that_has_enough_ends_before_its_last_piece(flights, pool, gate):
    """By the answers from the first on; what was handed out beyond them is given up."""
    warm(pool)
    user = make_user("ana")
    tasks = [task("dawdle", 0.0, n) if n < 3 else held(gate, n) for n in range(40)]
    job = start_job(by=user, kind="test", tasks=tasks, question={}, enough=lambda found: found[:3] == [0, 1, 2])
    until(lambda: not get_job_for(user, job.pk).running)
    done = get_job_for(user, job.pk)
    assert (done.state, done.done, done.of) == ("done", 3, 40)
    until(lambda: job_services.clerk._thread is None)
    assert list_results(job)[:4] == [0, 1, 2, None]


@pytest.mark.django_db(transaction=True)
def test_jobs_about_the_same_are_stopped_their_owners_alone(flights, pool, gate):
    warm(pool)
    ana, bo = make_user("ana"), make_user("bo")
    about = {"battle": "ford"}
    mine, others, elsewhere = (
        start_job(by=user, kind="played", tasks=[held(gate, n)], question=question)
        for n, (user, question) in enumerate([(ana, about), (bo, about), (ana, {"battle": "pass"})])
    )
    stop_jobs_about(by=ana, kind="played", subject=about)
    assert [get_job_for(user, job.pk).state for user, job in ((ana, mine), (bo, others), (ana, elsewhere))] == [
        "stopped", "running", "running",
    ]  # fmt: skip
