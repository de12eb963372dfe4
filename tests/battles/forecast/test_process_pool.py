"""Fairness and counsel by real processes beside the server: a request waits for a moment, and asks again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, wait
from pathlib import Path
from typing import Any

import pytest

from battles.forecast import computation, job_services
from battles.forecast.job_runner import JobRunner
from battles.forecast.single_flight import Pool, SingleFlight
from battles.models import Job, Weighing
from rules.odds.tasks import Task
from tests.battles.conftest import Client
from tests.battles.frame.conftest import opened, play
from tests.rulesets.drivers import driver_of, table_of

PATIENCE = 60


@pytest.fixture
def flights(transactional_db: None, processes: Pool, monkeypatch: pytest.MonkeyPatch) -> Iterator[SingleFlight]:
    made = SingleFlight(processes)
    monkeypatch.setattr(computation, "flights", made)
    monkeypatch.setattr(computation, "WAIT", 0.0)
    monkeypatch.setattr(job_services, "clerk", JobRunner(made))
    yield made
    job_services.clerk.give_up()


def until(asked: Any, flights: SingleFlight) -> Any:
    """What is answered in the end; asked anew when something was reckoned."""
    began = time.monotonic()
    while (answer := asked()) is None:
        assert time.monotonic() - began < PATIENCE
        under_way = [future for future in list(flights._known.values()) if not future.done()]
        wait(under_way, PATIENCE, FIRST_COMPLETED)
        time.sleep(0.05)
    return answer


def test_fairness_and_proposals_come_when_they_are_ready(flights: SingleFlight, tmp_path: Path) -> None:
    driver = driver_of("coin")
    table = table_of(driver)
    gm: Client = opened(table)
    gm.api.post(f"{gm.url}opponents/", {"side": 1, "leaning": "balanced"})

    def proposed() -> Any:
        return gm.api.get(f"{gm.url}opponents/").json()["sides"][1]["proposals"]

    (first,) = until(proposed, flights)
    assert first["army"] == str(table.raiders.pk)
    play(gm, driver.fought(table))
    gate = tmp_path / "gate"
    for place in range(flights.pool.size):  # until then everybody who reckons is busy
        flights.pool.submit(Task("tests.battles.forecast.slowly.held", (str(gate), place), f"held {place}"))
    first_answer = gm.api.get(f"{gm.url}fairness/")
    assert (first_answer.status_code, first_answer.json()["state"]) == (202, "running")
    gate.touch()

    def told() -> Any:
        answer = gm.api.get(f"{gm.url}fairness/")
        return answer.json() if answer.status_code == 200 else None

    assert len(until(told, flights)["phases"]) == Weighing.objects.count() == 2
    assert Job.objects.get().state == "done"
