"""The database answers nothing for half a minute: everybody is told so at once, and goes on as soon as it is back."""

from __future__ import annotations

import time
from statistics import median
from uuid import uuid4

import pytest

from tests.config.house import Postgres, until
from tests.faults.report import rounds, spread, told
from tests.faults.site import Site

pytestmark = pytest.mark.slow
AWAY = 30  # seconds
STEADY = 5  # answers on end: a busy machine may miss another beat of the database that has just come back
AT_ONCE, LATEST, SOON = 0.2, 4, 5  # seconds: usually; where it is found out, on a machine busy with tests; when back


def test_a_database_away_for_half_a_minute_keeps_nobody_waiting(site: Site) -> None:
    """What is sent meanwhile is refused and not done; the same key does it once afterwards."""
    body, key = {"name": "Sent in vain", "ruleset": "combat-de-masse"}, uuid4().hex
    frozen, began, seconds = Postgres(site.home).freeze(), time.monotonic(), []
    try:
        while time.monotonic() - began < rounds(AWAY):
            for answer in (site.ask("campaigns/"), site.post("campaigns/", body, key)):
                assert answer.status == 503
                assert answer.headers["Content-Type"] == "application/problem+json"
                seconds.append(answer.seconds)
            assert site.house.ask("/healthz/").status == 200
            time.sleep(0.5)
    finally:
        for process in frozen:
            process.resume()
    back = time.monotonic()
    until(lambda: all(site.ask("campaigns/").status == 200 for _ in range(STEADY)))
    back = time.monotonic() - back
    names = [one["name"] for one in site.every("campaigns/?limit=200")]
    assert [site.post("campaigns/", body, key).status for _ in range(2)] == [201, 201]
    again = [one["name"] for one in site.every("campaigns/?limit=200")]
    told("database away for half a minute", seconds=rounds(AWAY), refused=len(seconds), back_s=round(back, 3),
         **spread(seconds))  # fmt: skip
    assert (names.count("Sent in vain"), again.count("Sent in vain")) == (0, 1)
    assert median(seconds) < AT_ONCE
    assert max(seconds) < LATEST
    assert back < SOON
