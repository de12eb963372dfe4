"""Many armies at once: page and API, on this machine and on a cluster; progress, stopping, and who may know what."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterator
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from battles.forecast import job_services
from battles.forecast.job_runner import Cluster, JobRunner
from battles.forecast.job_services import start_job
from battles.forecast.queries import list_results
from battles.forecast.single_flight import Pool, SingleFlight, flights
from battles.models import Job
from battles.workshop.matchups import picks
from battles.workshop.sweeps import SWEPT, Named, Sweep, list_entrants, start_sweep
from rules.core.odds import AboutOdds
from rules.core.workshop import WorkshopLaw
from rules.odds.tasks import SweepPart, Task, mirrored, swept
from rules.pathfinder.battle.state.battle_state import SetCondition
from rules.registry import ruleset
from tests.battles.conftest import SPEARMAN, muster
from tests.kingdom.conftest import api_of, client_of
from tests.scenario import spec
from tests.worlds import built_once

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 60
LEVY = {**SPEARMAN, "ranged": False}
BODY = {"name": "Ogres", "unit": {"name": "Ogre", "cr": "3", "hit_die": "d8"}, "count": 100}


@built_once
def levies(table) -> list[Any]:
    """Of the crown, exact to reckon."""
    return [muster(table.gm, table.crown, f"Levy {count}", LEVY, count) for count in (500, 1000)]


@pytest.fixture(autouse=True)
def _tidy() -> Iterator[None]:
    flights.clear()
    yield
    job_services.clerk.give_up()
    job_services.abroad.give_up()


def settled(job: Job, state: str = "done") -> Job:
    began = time.monotonic()
    while job.running:
        assert time.monotonic() - began < PATIENCE
        time.sleep(0.02)
        job.refresh_from_db()
    assert job.state == state, job.trouble
    return job


def asked(user: Any, table: SimpleNamespace, **said: Any) -> tuple[Client, str, Job]:
    """The sweep asked for on the page, and where it is read."""
    client = client_of(user)
    sent = client.post(reverse("battles:sweep", args=[table.campaign.pk]), said)
    assert sent.status_code == 302, sent.content.decode()
    return client, sent["Location"], settled(Job.objects.latest("pk"))


# the page
def test_one_army_against_a_list_is_a_table_and_a_file(table, levies):
    against = [str(army.pk) for army in levies]
    client, here, job = asked(table.ana, table, what="one", army=str(table.watch.pk), against=against)
    assert (job.done, job.of, job.kind) == (1, 1, "sweep")
    page = client.get(here).context["page"]
    assert [(first, second) for first, second, _one in page.told] == [
        ("Ironwatch", "Levy 500"), ("Ironwatch", "Levy 1000"),
    ]  # fmt: skip
    for _first, _second, one in page.told:
        assert one.win + one.lose + one.mutual + one.undecided == pytest.approx(1)
    text = client.get(here + "odds.csv").content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert [row[:2] for row in rows[1:]] == [["Ironwatch", "Levy 500"], ["Ironwatch", "Levy 1000"]]
    assert float(rows[1][2]) == pytest.approx(page.told[0][2].win, abs=1e-6)


def test_every_army_against_every_other_is_a_map_of_shades(table, levies):
    armies = [table.watch, *levies]
    said = {"what": "every", "against": [str(army.pk) for army in armies], "field-fog": "on"}
    client, here, _job = asked(table.ana, table, **said)
    page = client.get(here).context["page"]
    assert len(page.pairings) == 6
    assert [row.name for row in page.rows] == ["Ironwatch", "Levy 1000", "Levy 500"]
    shown = {(row.id, column): field for row in page.rows for field, (column, _name) in
             zip(row.fields, page.columns, strict=True)}  # fmt: skip
    for one, two in combinations([str(army.pk) for army in armies], 2):
        there, back = shown[one, two].pairing, shown[two, one].pairing
        assert (there.win, there.lose) == (back.lose, back.win)
        assert shown[one, one].pairing is None
    text = client.get(here).content.decode()
    assert 'class="h4"' in text
    assert 'class="h0"' in text


def test_a_sweep_shows_how_far_it_got_and_can_be_stopped(table, levies, monkeypatch):
    monkeypatch.setattr(job_services, "clerk", JobRunner(SingleFlight(Pool(0))))
    tasks = [Task("tests.battles.forecast.slowly.dawdle", (0.05, index), f"slow {index}") for index in range(200)]
    question = {"rows": [["a", "A"]], "columns": [["b", "B"]]}
    job = start_job(by=table.ana, kind="sweep", tasks=tasks, question=question, campaign=table.campaign)
    here = reverse("battles:sweep_job", args=[table.campaign.pk, job.pk])
    began = time.monotonic()
    while not job.done:
        assert time.monotonic() - began < PATIENCE
        job.refresh_from_db()
    monkeypatch.setattr("battles.workshop.page.pairings_of", lambda job: [])
    client = client_of(table.ana)
    text = client.get(here).content.decode()
    assert 'hx-trigger="load delay:1s"' in text
    assert "</svg>Stop<" in text
    client.post(reverse("battles:sweep_stop", args=[table.campaign.pk, job.pk]))
    settled(job, "stopped")
    assert "</svg>Stop<" not in client.get(here).content.decode()


# who may know what
def test_a_player_sweeps_over_what_he_may_read_and_only_he_reads_the_answer(table, levies):
    hidden = str(table.raiders.pk)
    said = {"what": "one", "army": str(table.watch.pk), "against": hidden}
    refused = client_of(table.ana).post(reverse("battles:sweep", args=[table.campaign.pk]), said)
    assert refused.status_code == 422
    assert "Raiders" not in refused.content.decode()
    client, here, job = asked(table.ana, table, what="one", army=str(table.watch.pk))
    assert hidden not in str(job.question)
    assert client_of(table.gm).get(here).status_code == 404
    assert client_of(table.stranger).get(here).status_code == 404
    assert client.get(here).status_code == 200
    body = {"campaign": str(table.campaign.pk), "army": str(table.watch.pk), "against": [hidden]}
    elsewhere = api_of(table.ana).post("/api/v1/forecast/sweep/", body, format="json")
    assert elsewhere.status_code == 404
    assert elsewhere.json()["errors"][0]["pointer"] == "/against/0"


# the API
def test_the_api_answers_a_job_whose_results_come_pair_by_pair(table, levies):
    api = api_of(table.ana)
    sent = api.post("/api/v1/forecast/sweep/", {
        "army": str(table.watch.pk), "against": [str(levies[0].pk), BODY],
        "conditions": [{"condition": "fog"}]}, format="json")  # fmt: skip
    assert sent.status_code == 202, sent.json()
    assert sent["Location"].endswith(f"/jobs/{sent.json()['id']}/")
    settled(Job.objects.get(pk=sent.json()["id"]))
    told = api.get(sent["Location"]).json()
    assert (told["done"], told["of"], told["state"]) == (1, 1, "done")
    assert [(one["army"], one["against"]) for one in told["results"]] == [
        (str(table.watch.pk), str(levies[0].pk)), (str(table.watch.pk), "Ogres"),
    ]  # fmt: skip
    assert set(told["results"][0]) == {"army", "against", "win", "lose", "mutual", "undecided", "phases", "method",
                                       "error"}  # fmt: skip


def test_armies_written_out_need_no_campaign(table):
    body = {"ruleset": "combat-de-masse", "house_rules": {"minimum_damage": 0}, "every": True,
            "against": [BODY, {**BODY, "name": "More ogres", "count": 200}]}  # fmt: skip
    sent = api_of(table.stranger).post("/api/v1/forecast/sweep/", body, format="json")
    job = settled(Job.objects.get(pk=sent.json()["id"]))
    (one,) = api_of(table.stranger).get(f"/api/v1/jobs/{job.pk}/").json()["results"]
    assert one["win"] < 0.5 < one["lose"]


REFUSED: tuple[tuple[dict[str, Any], int, str], ...] = (
    ({"army": None}, 400, "/army"), ({"every": True}, 400, "/army"), ({"against": []}, 400, "/against"),
    ({"against": "all"}, 400, "/against"), ({"ruleset": "none"}, 400, "/ruleset"),
    ({"ruleset": None}, 400, "/ruleset"), ({"misspelt": 1}, 400, "/misspelt"),
    ({"against": [{**BODY, "count": 0}]}, 400, "/against/0/count"), ({"against": ["nobody"]}, 404, "/against/0"),
    ({"conditions": [{"condition": "fog", "armies": ["a"]}]}, 400, "/conditions/0"),
    ({"conditions": [{"condition": "wind", "value": "breeze"}]}, 400, "/conditions/0/value"),
    ({"army": {**BODY, "unit": {"name": "x", "cr": "99"}}}, 400, "/army/unit/cr"),
)  # fmt: skip


def test_what_cannot_be_asked_is_refused_at_its_place(table):
    api = api_of(table.ana)
    for change, status, pointer in REFUSED:
        body = {"ruleset": "combat-de-masse", "army": BODY, "against": [{**BODY, "name": "Foe"}], **change}
        sent = api.post("/api/v1/forecast/sweep/", body, format="json")
        assert sent.status_code == status, (change, sent.json())
        assert pointer in [error["pointer"] for error in sent.json()["errors"]], change
        assert not Job.objects.exists(), change


# the work
def test_a_sweep_is_cut_into_pieces_and_meets_each_pair_once(table, levies, monkeypatch):
    monkeypatch.setattr(WorkshopLaw, "at_once", 2)
    armies = list_entrants(table.gm, table.campaign)
    every = Sweep("combat-de-masse", {}, armies, armies)
    pieces = [task.arguments[0] for task in every.tasks("n")]
    pairs = [(part.first[0], other) for piece in pieces for part in piece for other, _document in part.against]
    assert len(pairs) == len({frozenset(pair) for pair in pairs}) == len(armies) * (len(armies) - 1) // 2
    assert [sum(len(part.against) for part in piece) for piece in pieces] == [2] * (len(pairs) // 2)
    one = Sweep("combat-de-masse", {}, armies[:1], armies)
    assert [len(task.arguments[0][0].against) for task in one.tasks("n")] == [2, 2]
    assert len({task.key for task in every.tasks("n")}) == len(every.tasks("n"))


@pytest.mark.django_db(False)
def test_the_other_way_round_it_is_the_same():
    fog = (SetCondition("fog"),)
    one, two = spec("A", resources=["improved-armor"]), spec("B", acr=10, abilities=["bleed"])
    there = swept(SweepPart("combat-de-masse", {}, ("A", one), (("B", two),), fog), AboutOdds())
    back = swept(SweepPart("combat-de-masse", {}, ("B", two), (("A", one),), fog), AboutOdds())
    turned = mirrored(back[0])
    assert turned[:2] == there[0][:2]
    assert turned[2:7] == pytest.approx(there[0][2:7], abs=1e-12)


# a cluster
@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """Two workers of this machine, in threads of this process."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as made:
        yield made.scheduler_address


def test_the_same_job_runs_on_a_cluster(table, levies, settings, scheduler, monkeypatch):
    here = settled(start_sweep(by=table.ana, sweep=_sweep(table, levies), campaign=table.campaign))
    settings.DASK = scheduler
    cluster = Cluster()
    asked_there: list[Task] = []
    submit = cluster.submit
    monkeypatch.setattr(cluster, "submit", lambda task: asked_there.append(task) or submit(task))
    monkeypatch.setattr(job_services, "abroad", JobRunner(SingleFlight(cluster)))
    there = settled(start_sweep(by=table.ana, sweep=_sweep(table, levies), campaign=table.campaign))
    assert list_results(there) == list_results(here)
    assert [task.function for task in asked_there] == [SWEPT] * there.of
    assert cluster.size == 2
    cluster.stop()


def _sweep(table: SimpleNamespace, levies: list[Any]) -> Sweep:
    armies = list_entrants(table.ana, table.campaign)
    assert len(armies) == 3
    return Sweep("combat-de-masse", {}, armies, armies)


def test_a_cluster_that_does_not_answer_is_told(table, levies, settings, monkeypatch):
    settings.DASK = "tcp://127.0.0.1:9"
    monkeypatch.setattr("battles.forecast.job_runner.PATIENCE", 0.2)
    monkeypatch.setattr(job_services, "abroad", JobRunner(SingleFlight(Cluster())))
    job = settled(start_sweep(by=table.ana, sweep=_sweep(table, levies), campaign=table.campaign), "failed")
    text = client_of(table.ana).get(reverse("battles:sweep_job", args=[table.campaign.pk, job.pk])).content.decode()
    assert "answer: tcp://127.0.0.1:9" in text


def test_a_cluster_without_its_package_is_told(table, levies, settings, monkeypatch):
    settings.DASK = "tcp://127.0.0.1:9"
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    monkeypatch.setattr(job_services, "abroad", JobRunner(SingleFlight(Cluster())))
    job = settled(start_sweep(by=table.ana, sweep=_sweep(table, levies), campaign=table.campaign), "failed")
    assert "pip install distributed" in str(job.trouble)


@pytest.mark.slow
def test_workers_in_processes_of_their_own_learn_the_laws(settings):
    """As on other machines: a scheduler and two workers that begin with nothing."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as made:
        cluster = Cluster(made.scheduler_address)
        part = SweepPart("combat-de-masse", {}, ("A", spec("A")), (("B", spec("B")),), ())
        (one,) = cluster.submit(Task(SWEPT, ((part,), AboutOdds()))).result(PATIENCE)
        cluster.stop()
    assert one == swept(part, AboutOdds())[0]
    assert ruleset("combat-de-masse").workshop.known


def test_the_workshop_opens_with_armies_that_could_fight():
    routed, guard = Named("1", "Axes", "Ost", ready=False), Named("2", "Guard", "Ost")
    raiders = Named("3", "Raiders", "Horde")
    assert picks([routed, guard, raiders], {}) == ("2", "3")
    assert picks([routed, guard, raiders], {"a-army": "1"}) == ("1", "3")
    assert picks([routed], {}) == ("1", "1")
