"""A document is as large as there is room for, packed or not; what is larger is refused before it is held."""

from __future__ import annotations

import gzip
import io
import json
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from kingdom.archive import import_rows, scanner
from kingdom.archive import services as archive_services
from kingdom.archive.import_rows import Bounds, Document
from kingdom.archive.services import import_campaign, restore_campaign
from kingdom.members.services import delete_campaign
from kingdom.models import Campaign
from rules.core.errors import IllegalCommand, InvalidInput, NotYet
from tests.config.web.wire import eventually
from tests.databases import tried
from tests.kingdom.archive.journeys import bring_in, taken_along
from tests.kingdom.conftest import api_of, client_of

pytestmark = pytest.mark.django_db
MB = 1_048_576
HEAD = '{"format": "warhost-campaign", "version": 5, "written_at": "", "people": [], "campaign": '
IMPORT = "/api/v1/campaigns/import/"


def packed(text: str) -> io.BytesIO:
    return io.BytesIO(gzip.compress(text.encode()))


def places(file: io.BytesIO) -> list[str]:
    """Those it is refused for when it is read through."""
    try:
        for _row in Document(file).rows():
            pass
    except InvalidInput as refused:
        return [pointer for pointer, _said in refused.errors]
    return []


@contextmanager
def held_at_most(most: float) -> Iterator[None]:
    """Megabytes of Python's objects."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most * MB
    finally:
        tracemalloc.stop()


EMPTY, ROW = "[]," * 700_000, HEAD + '{}, "tables": {"armies": ['
BOMBS = [
    (HEAD + f"[{EMPTY}[]]", "/campaign"),
    (HEAD + '{"a": ' + '{"a": {}, "b": [' + EMPTY, "/campaign"),
    (ROW + f'{{"a": [{EMPTY}[]]}}]}}}}', "/tables/armies/0"),
    (ROW + EMPTY, "/tables/armies/0"),
    (HEAD + '{}, "tables": {"x": [' + EMPTY, "/tables/x"),
    (HEAD + '{}, "people": {"x": [' + EMPTY, "/people"),
    (HEAD + "[" + "1," * 1_000_000 + "1]", "/campaign"),
    (HEAD + '"' + "x" * 3_000_000, "/campaign"),
    (HEAD + '{"' + "x" * 3_000_000, "/campaign"),
    (HEAD + " " * 3_000_000, "/campaign"),
    (HEAD + "[" * 1_000_000, "/campaign" + "/0" * 41),
]


def test_a_packed_bomb_is_refused_where_it_is_and_never_held(monkeypatch):
    monkeypatch.setattr(scanner, "PARTS_MAX", 50_000)
    monkeypatch.setattr(scanner, "VALUE_MAX", 2 * MB)
    for text, pointer in BOMBS:
        file = packed(text)
        with held_at_most(16):
            assert places(file) == [pointer], text[:120]


def test_a_document_may_have_so_many_parts_in_all(monkeypatch):
    monkeypatch.setattr(scanner, "WHOLE_PARTS", 1_000)
    text = (ROW + ",".join(['{"a": [1, 2, 3]}'] * 300) + "]}}").encode()
    assert len(list(Document(io.BytesIO(text)).rows())) == 300
    with pytest.raises(InvalidInput, match="too long"):
        list(Document(io.BytesIO(text), Bounds(size=MB)).rows())


def test_a_document_may_have_so_many_bytes_unpacked(gm, settings):
    settings.IMPORT_UNPACKED = MB
    for file in (packed(HEAD + " " * 2 * MB), io.BytesIO((HEAD + " " * 2 * MB).encode())):
        with pytest.raises(InvalidInput, match="1048576 bytes uncompressed"):
            import_campaign(by=gm, file=file)


def test_it_may_have_so_many_rows_and_whoever_runs_the_server_may_bring_in_more(table, settings):
    document = taken_along(table.campaign)
    settings.IMPORT_ROWS = sum(len(rows) for rows in document["tables"].values())
    assert bring_in(table.gm, document)
    settings.IMPORT_ROWS -= 1
    before = Campaign.objects.count()
    with pytest.raises(InvalidInput, match=f"can have {settings.IMPORT_ROWS} at most"):
        bring_in(table.gm, document)
    assert Campaign.objects.count() == before
    settings.IMPORT_UNPACKED = settings.IMPORT_QUOTA = 10
    assert restore_campaign(by=table.gm, file=io.BytesIO(json.dumps(document).encode()), everybody=False)


def test_an_account_has_room_for_so_much_and_what_it_hands_over_or_deletes_for_good_makes_room(table, settings):
    document = taken_along(table.campaign)
    size = len(json.dumps(document))
    first = bring_in(table.gm, document).campaign
    assert first.brought_bytes == size
    settings.IMPORT_QUOTA = 2 * size
    second = bring_in(table.gm, document).campaign
    with pytest.raises(IllegalCommand, match="Not enough space for this campaign"):
        bring_in(table.gm, document)
    answer = api_of(table.gm).post(IMPORT, document, format="json")
    assert answer.status_code == 409
    delete_campaign(by=table.gm, campaign=second)
    with pytest.raises(IllegalCommand, match="Not enough space for this campaign"):
        bring_in(table.gm, document)
    assert bring_in(table.stranger, document)
    Campaign.objects.filter(pk=second.pk).delete()
    assert bring_in(table.gm, document)


def test_rows_are_written_so_many_parts_at_a_time(table, monkeypatch):
    document = taken_along(table.campaign)
    whole = bring_in(table.gm, document).campaign
    monkeypatch.setattr(import_rows, "PARTS", 20)
    monkeypatch.setattr(import_rows, "ROWS", 3)
    pieces: list[int] = []
    real = import_rows._insert
    monkeypatch.setattr(import_rows, "_insert", lambda table, rows: (pieces.append(len(rows)), real(table, rows)))
    there = bring_in(table.gm, document).campaign
    assert max(pieces) <= 3
    assert len(taken_along(there)["tables"]["chronicle"]) == len(taken_along(whole)["tables"]["chronicle"])


@contextmanager
def elsewhere(name: str) -> Iterator[Any]:
    """Another process that is at work for this name."""
    other = connection.copy()
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute(archive_services.HELD, [name])
            assert cursor.fetchone()[0]
        yield other
    finally:
        other.close()


def test_one_at_a_time_by_page_and_by_api_until_the_other_is_over_or_its_process_dies(table):
    document = taken_along(table.campaign)
    before = Campaign.objects.count()
    with elsewhere(str(table.gm.pk)) as other:
        for headers in ({}, {"Prefer": "respond-async"}):
            answer = api_of(table.gm).post(IMPORT, document, format="json", headers=headers)
            assert (answer.status_code, answer["Retry-After"]) == (429, "10")
            assert answer.data["detail"] == "You are already importing a campaign. Wait until it is done."
        file = io.BytesIO(json.dumps(document).encode())
        file.name = "campaign.json"
        page = client_of(table.gm).post("/campaigns/import/", {"file": file})
        assert (page.status_code, page["Retry-After"]) == (429, "10")
        assert "You are already importing a campaign" in page.content.decode()
        assert Campaign.objects.count() == before
        assert bring_in(table.stranger, document)
        other.connection.close()  # as when its process dies
        assert eventually(lambda: _is_free(str(table.gm.pk)))
        assert bring_in(table.gm, document)


def _is_free(name: str) -> bool:
    with tried():
        return archive_services._hold(name)


def test_the_site_brings_in_so_many_at_once(table, settings):
    settings.IMPORTS_AT_ONCE = 1
    document = taken_along(table.campaign)
    with elsewhere("place 0"):
        with pytest.raises(NotYet, match="Other campaigns are being imported"):
            bring_in(table.gm, document)
        settings.IMPORTS_AT_ONCE = 2
        assert bring_in(table.gm, document)


def test_too_many_in_an_hour_are_told_how_long_to_wait(table, monkeypatch):
    monkeypatch.setattr(archive_services, "BROUGHT", archive_services.Limit("import", 1, 60))
    document = taken_along(table.campaign)
    assert api_of(table.gm).post(IMPORT, document, format="json").status_code == 201
    answer = api_of(table.gm).post(IMPORT, document, format="json")
    assert answer.status_code == 429
    assert 3500 < int(answer["Retry-After"]) <= 3600
