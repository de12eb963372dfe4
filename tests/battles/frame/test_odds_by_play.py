"""Odds by play on the battle's page and by the API, under the laws that have them."""

from __future__ import annotations

import time
from typing import Any

import pytest

from battles.models import Job
from tests.battles.conftest import Client
from tests.battles.forecast.test_jobs import Threads, flights  # noqa: F401 - a fixture
from tests.battles.frame.test_forecast_page import HTMX, page_of, text_of
from tests.everyday import under
from tests.manners.test_schema import faults
from tests.rulesets.drivers import PLAYED_OUT

pytestmark = [pytest.mark.django_db(transaction=True), under(*PLAYED_OUT)]
FORECAST = "/api/v1/battles/{id}/forecast/"
SUPPOSED = (
    ({"until": {"phases": 2}}, "/until"), ({"unknown": "worst"}, "/unknown"), ({"matrix": True}, "/matrix"),
    ({"table": {"kind": "any", "row": "{watch}", "column": "{raiders}"}}, "/table"),
)  # fmt: skip


@pytest.fixture
def pool():
    made = Threads()
    yield made
    made.stop()


@pytest.fixture(autouse=True)
def workers(flights):  # noqa: F811
    return flights


def ask(client: Client, **body: Any) -> Any:
    return client.api.post(f"{client.url}forecast/", body)


def ended(client: Client, job: str) -> dict[str, Any]:
    for _look in range(1200):
        found = client.api.get(f"/api/v1/jobs/{job}/").json()
        if found["state"] != "running":
            return found
        time.sleep(0.05)
    raise AssertionError(found)


def test_a_program_is_answered_with_a_job_and_its_odds(gm, table, ready):
    began = ask(gm)
    assert began.status_code == 202, began.content
    assert list(faults("POST", FORECAST, began)) == []
    job = began.json()
    assert began.headers["Location"].endswith(f"/api/v1/jobs/{job['id']}/")
    done = ended(gm, job["id"])
    assert (done["kind"], done["state"]) == ("played", "done")
    (told,) = done["results"]
    assert told["played"] > 0
    assert told["method"] == "simulated"
    assert 0 < told["error"] < 1
    assert sum(side["win"] for side in told["sides"]) + told["mutual"] + told["undecided"] == pytest.approx(1)
    assert [side["name"] for side in told["sides"]] == ["Crown", "Horde"]
    assert {army["army"] for army in told["hp"]} == {str(table.watch.pk), str(table.raiders.pk)}
    assert "matrix" not in told
    assert ended(gm, ask(gm).json()["id"])["results"] == [told], "the same question"
    other = Client(table.ana, gm.battle)
    assert other.api.get(f"/api/v1/jobs/{job['id']}/").status_code == 404
    assert len(ended(other, ask(other).json()["id"])["results"]) == 1


def test_nothing_can_be_supposed(gm, table, ready):
    armies = {"watch": table.watch.pk, "raiders": table.raiders.pk}
    for body, pointer in SUPPOSED:
        if "table" in body:
            body = {"table": {key: told.format(**armies) for key, told in body["table"].items()}}
        answer = ask(gm, **body)
        assert answer.status_code == 400, body
        assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]
    assert not Job.objects.exists()


def test_a_page_plays_when_it_is_asked_to_and_not_before(ready, table, client):
    client.force_login(table.ana)
    rail = text_of(client.get(page_of(ready, "?rail=forecast")))
    whole = text_of(client.get(page_of(ready, "forecast/")))
    assert 'hx-trigger="load' not in rail
    for shown in (rail, whole):
        assert "Play it out" in shown
        assert 'id="what-if"' not in shown
    assert not Job.objects.exists()
    client.post(page_of(ready, "forecast/"), {"army": table.watch.pk}, headers=HTMX)
    job = Job.objects.get()
    ended(Client(table.ana, ready), str(job.pk))
    shown = text_of(client.get(page_of(ready, f"forecast/{job.pk}/"), headers=HTMX))
    assert "Crown wins" in shown
    assert 'class="odds-bar"' in shown
    assert "battles played, ± " in shown
    assert "Things you can’t see are drawn at random for each battle" in shown
    assert "Play it out" in shown, "and once more"
    client.force_login(table.gm)
    assert client.get(page_of(ready, f"forecast/{job.pk}/")).status_code == 404


def test_a_page_shows_how_many_are_played_and_stops(ready, table, client, monkeypatch):
    monkeypatch.setattr("battles.forecast.job_services.clerk.take", lambda errand: None)
    client.force_login(table.gm)
    began = text_of(client.post(page_of(ready, "forecast/"), headers=HTMX))
    assert "Played: 0 of at most 400 battles." in began
    first = Job.objects.get()
    client.post(page_of(ready, "forecast/"), headers=HTMX)
    first.refresh_from_db()
    assert first.state == "stopped", "who asks anew wants the older one no more"
    second = Job.objects.get(state="running")
    stopped = text_of(client.post(page_of(ready, f"forecast/{second.pk}/"), headers=HTMX))
    assert "No more battles will be played." in stopped
    assert "Play it out" in stopped
