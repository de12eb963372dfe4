"""A campaign that is brought in tells how far it is, may be left and come back to, and may be stopped."""

from __future__ import annotations

import io
import json
import time
from datetime import timedelta
from threading import Event
from threading import enumerate as enumerate_threads
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from kingdom.archive import import_rows
from kingdom.archive import services as services
from kingdom.archive.export_rows import get_import_for, list_imports_under_way
from kingdom.archive.import_rows import CHECKING, READING, WRITING, Progress
from kingdom.archive.services import import_campaign, start_import, stop_import
from kingdom.campaign.services import create_campaign
from kingdom.models import Campaign, CampaignImport, User
from kingdom.realms.services import found_kingdom
from rules.core.errors import IllegalCommand
from tests.kingdom.archive.journeys import taken_along
from tests.kingdom.conftest import api_of

pytestmark = pytest.mark.django_db
State = CampaignImport.Status


def file_of(document: Any) -> io.BytesIO:
    found = io.BytesIO(json.dumps(document).encode())
    found.name = "campaign.json"
    return found


def rows_in(document: Any) -> int:
    return sum(len(rows) for rows in document["tables"].values())


def test_every_row_is_counted_when_it_is_read_and_when_it_is_written(table):
    document = taken_along(table.campaign)
    steps: dict[str, list[int]] = {}

    class Noted(Progress):
        def rows(self, step: str, rows: Any) -> Any:
            for row in super().rows(step, rows):
                steps.setdefault(step, []).append(self.done)
                yield row

    progress = Noted()
    import_campaign(by=table.stranger, file=file_of(document), progress=progress)
    assert list(steps) == [READING, WRITING, CHECKING]
    assert progress.of == rows_in(document) == len(steps[READING]) == len(steps[WRITING])
    assert steps[WRITING] == sorted(steps[WRITING])


def test_stopping_takes_everything_back(table, monkeypatch):
    document, before = taken_along(table.campaign), Campaign.objects.count()
    progress = Progress()
    seen: list[str] = []

    def known(*given: Any) -> Any:
        seen.append("known")
        progress.stop = True
        return real(*given)

    real = import_rows._campaign
    monkeypatch.setattr(import_rows, "_campaign", known)
    with pytest.raises(IllegalCommand, match="Nothing was imported"):
        import_campaign(by=table.stranger, file=file_of(document), progress=progress)
    assert seen
    assert Campaign.objects.count() == before


def test_a_faulty_document_says_what_and_where_and_an_import_is_its_owners_alone(table):
    document = taken_along(table.campaign)
    document["tables"]["kingdoms"][0]["name"] = 5
    found = start_import(by=table.stranger, file=file_of(document))
    assert (found.state, found.campaign) == (State.FAILED, None)
    assert found.faults[0][0] == "/tables/kingdoms/0/name"
    for path in (f"/campaigns/import/{found.pk}/", f"/api/v1/campaigns/import/{found.pk}/"):
        client = Client()
        client.force_login(table.gm)
        assert client.get(path).status_code == 404
        client.force_login(table.stranger)
        assert "/tables/kingdoms/0/name" in client.get(path).content.decode()


def test_one_whose_process_died_is_told_as_stopped_and_old_ones_go(table):
    row = CampaignImport.objects.create(owner=table.gm)
    assert list_imports_under_way(table.gm) == [row]
    silent = timezone.now() - timedelta(minutes=2)
    CampaignImport.objects.filter(pk=row.pk).update(beat_at=silent)
    assert get_import_for(table.gm, row.pk).state == State.STOPPED
    assert list_imports_under_way(table.gm) == []
    CampaignImport.objects.filter(pk=row.pk).update(created_at=timezone.now() - timedelta(days=2))
    start_import(by=table.gm, file=file_of(taken_along(table.campaign)))
    assert not CampaignImport.objects.filter(pk=row.pk).exists()


def test_the_page_follows_it(client, table):
    row = CampaignImport.objects.create(owner=table.gm, step="writing", done=20, of=80)
    client.force_login(table.gm)
    page = client.get(f"/campaigns/import/{row.pk}/").content.decode()
    assert 'hx-trigger="load delay:1s"' in page
    assert 'max="80" value="20"' in page
    assert f"/campaigns/import/{row.pk}/" in client.get("/campaigns/import/").content.decode()
    client.post(f"/campaigns/import/{row.pk}/stop/")
    stopped = client.get(f"/campaigns/import/{row.pk}/").content.decode()
    assert "Nothing was imported." in stopped
    assert "hx-trigger" not in stopped.split('id="arriving"')[1].split(">")[0]
    CampaignImport.objects.filter(pk=row.pk).update(state=State.DONE, campaign=table.campaign)
    assert f"/c/{table.campaign.pk}/" in client.get(f"/campaigns/import/{row.pk}/").content.decode()


def test_by_api_too(table):
    api, document = api_of(table.gm), taken_along(table.campaign)
    begun = api.post("/api/v1/campaigns/import/", document, format="json", headers={"Prefer": "respond-async"})
    assert begun.status_code == 202
    found = api.get(begun["Location"]).json()
    assert (found["state"], found["faults"], found["of"]) == ("done", [], rows_in(document))
    assert found["done"] == found["of"], "who follows it by its numbers need not wait for ever"
    assert Campaign.objects.filter(pk=found["campaign"], name=table.campaign.name).exists()


@pytest.mark.django_db(transaction=True)
def test_it_goes_on_when_nobody_waits_and_is_seen_from_outside(monkeypatch):
    """With its own thread and connection, as on a server."""
    gm = User.objects.create_user("gm")
    campaign = create_campaign(by=gm, name="Marches", ruleset="combat-de-masse")
    for number in range(5):
        found_kingdom(by=gm, campaign=campaign, name=f"Crown {number}")
    document, go_on = taken_along(campaign), Event()
    monkeypatch.setattr(services, "PATIENCE", 0.05)
    monkeypatch.setattr(services, "BEAT", 0.05)
    real = import_rows._write

    def slow(*given: Any) -> None:
        go_on.wait(20)
        real(*given)

    monkeypatch.setattr(import_rows, "_write", slow)
    row = start_import(by=gm, file=file_of(document))
    assert row.running
    _wait(lambda: get_import_for(gm, row.pk).of == rows_in(document))
    assert Campaign.objects.count() == 1, "nothing is there before all is"
    go_on.set()
    _wait(lambda: not get_import_for(gm, row.pk).running)
    found = get_import_for(gm, row.pk)
    assert (found.state, Campaign.objects.count()) == (State.DONE, 2)
    go_on.clear()
    row = start_import(by=gm, file=file_of(document))
    stop_import(by=gm, import_id=row.pk)
    time.sleep(0.3)
    go_on.set()
    time.sleep(0.3)
    _wait(lambda: list_imports_under_way(gm) == [])
    _wait(lambda: not any(thread.name.startswith("import") for thread in enumerate_threads()))
    assert (get_import_for(gm, row.pk).state, Campaign.objects.count()) == (State.STOPPED, 2)


def _wait(until: Any) -> None:
    for _look in range(200):
        if until():
            return
        time.sleep(0.05)
    raise AssertionError("it never came")
