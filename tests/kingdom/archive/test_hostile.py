"""A document is refused whole, with the place that is wrong; none reaches anything that is not in it."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from armies.models import Army
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play.services import play
from core.text import load_said, render
from kingdom.archive import services as archive_services
from kingdom.archive.services import import_campaign
from kingdom.archive.versions import VERSION
from kingdom.chronicle.services import undo_entry
from kingdom.models import Campaign, CampaignImport, Kingdom, Note
from rules.core.errors import IllegalCommand, InvalidInput, NotYet
from rules.pathfinder.battle.orders.commands import Next, Resolve
from tests.kingdom.archive.journeys import bring_in, but_for_ids, taken_along
from tests.kingdom.conftest import api_of, client_of
from tests.manners.conftest import table  # noqa: F401 - fixtures
from tests.worlds import built_once, everything

pytestmark = pytest.mark.django_db


@built_once
def marches(table):  # noqa: F811
    """A GM, the document of their campaign and the campaign: it has one of everything, and a battle of three
    records.
    """
    for version, command in enumerate((Next(), Resolve(), Resolve()), start=table.battle.version):
        play(by=table.gm, battle_id=table.battle.pk, version=version, command=command)
    return table.gm, taken_along(table.campaign), table.campaign


@pytest.fixture
def document(marches) -> dict[str, Any]:
    return marches[1]


@contextmanager
def nothing_written() -> Iterator[None]:
    """But for the tally of who tried."""
    before = everything()
    yield
    after = everything()
    assert before.pop("kingdom_tally") != after.pop("kingdom_tally")
    assert before == after


def places(by: Any, document: Any) -> list[str]:
    """Those it is refused for; none where it was let in."""
    try:
        bring_in(by, document)
    except InvalidInput as refused:
        return [pointer for pointer, _said in refused.errors]
    return []


def refused(by: Any, document: Any) -> list[str]:
    """The places a document is refused for; nothing at all has been written."""
    with nothing_written():
        return places(by, document)


def put(document: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """`*` in a path: the first of what stands there."""
    *above, last = path.strip("/").split("/")
    here: Any = document
    for part in above:
        name = next(iter(here)) if part == "*" and isinstance(here, dict) else part.replace("*", "0")
        here = here[int(name)] if isinstance(here, list) else here[name]
    if value is GONE:
        del here[last]
    else:
        here[int(last) if isinstance(here, list) else last] = value
    return document


GONE = object()
NOBODY = "01900000-0000-7000-8000-000000000000"
DEEP: Any = []
for _level in range(60):
    DEEP = [DEEP]

PLANNED = {"id": "0" * 32, "name": "Toll", "amount": 3, "every": "week", "since": 0, "until": None}

CROOKED: list[tuple[str, Any, str]] = [
    ("/format", "excel", "/format"),
    ("/format", GONE, "/format"),
    ("/version", VERSION + 1, "/version"),
    ("/version", 0, "/version"),
    ("/version", "1", "/version"),
    ("/version", True, "/version"),
    ("/version", GONE, "/version"),
    ("/extra", 1, "/extra"),
    ("/people", {}, "/people"),
    ("/people", [{"id": "me", "name": "gm"}], "/people/0/id"),
    ("/campaign", [], "/campaign"),
    ("/campaign/ruleset", "chess", "/campaign/ruleset"),
    ("/campaign/name", "", "/campaign/name"),
    ("/campaign/name", "x" * 121, "/campaign/name"),
    ("/campaign/day", -1, "/campaign/day"),
    ("/campaign/day", 1.5, "/campaign/day"),
    ("/campaign/day", 10**12, "/campaign/day"),
    ("/campaign/day", GONE, "/campaign/day"),
    ("/campaign/house_rules", {"magic": True}, "/campaign/house_rules/magic"),
    ("/campaign/calendar", {"months": []}, "/campaign/calendar/months"),
    ("/campaign/calendar", {"leap": {"month": 2, "every": 0}}, "/campaign/calendar/leap/every"),
    ("/campaign/calendar", {"moons": [{"name": "M", "cycle": "1"}]}, "/campaign/calendar/moons/0/cycle"),
    ("/campaign/players_may", {"buy": "always"}, "/campaign/players_may/buy"),
    ("/campaign/created_at", "yesterday", "/campaign/created_at"),
    ("/campaign/created_at", "0001-01-01T00:00:00Z", "/campaign/created_at"),
    ("/campaign/created_by", NOBODY, "/campaign/created_by"),
    ("/tables/users", [], "/tables/users"),
    ("/tables/armies/0", [], "/tables/armies/0"),
    ("/tables/armies/0/id", "1", "/tables/armies/0/id"),
    ("/tables/armies/0/kingdom", NOBODY, "/tables/armies/0/kingdom"),
    ("/tables/armies/0/kingdom", None, "/tables/armies/0/kingdom"),
    ("/tables/armies/0/health", "many", "/tables/armies/0/health"),
    ("/tables/armies/0/health", True, "/tables/armies/0/health"),
    ("/tables/armies/0/health", 10**6, "/tables/armies"),
    ("/tables/armies/0/status", "asleep", "/tables/armies/0/status"),
    ("/tables/armies/0/hex", "<b>", "/tables/armies/0/hex"),
    ("/tables/armies/0/route", {"since": 1}, "/tables/armies/0/route"),
    ("/tables/armies/0/name", "a\u0000b", "/tables/armies/0/name"),
    ("/tables/armies/0/password", "x", "/tables/armies/0/password"),
    ("/tables/armies/0/sheet", DEEP, "/tables/armies/0/sheet" + "/0" * 40),
    ("/tables/armies/0/sheet", {"unit": {}}, "/tables/armies/0/sheet"),
    ("/tables/pathfinder_armies", [], "/tables/armies"),
    ("/tables/kingdoms/0/treasury", 10**6, "/tables/kingdoms/0/treasury"),
    ("/tables/kingdoms/0/arms", {"field": "plaid"}, "/tables/kingdoms/0/arms"),
    ("/tables/kingdoms/0/planned", [{"amount": 3}], "/tables/kingdoms/0/planned/0"),
    *(("/tables/kingdoms/0/planned", [PLANNED | wrong], f"/tables/kingdoms/0/planned/0{where}") for wrong, where in (
        ({"every": "year"}, "/every"), ({"amount": 0}, "/amount"), ({"amount": "3"}, "/amount"),
        ({"name": ""}, "/name"), ({"since": -1}, "/since"), ({"since": 7, "until": 7}, "/until"), ({"id": "x"}, ""),
        ({"id": 3}, ""))),
    ("/tables/map_rows/0/claims", [[0, 3, NOBODY]], "/tables/map_rows/0/claims"),
    ("/tables/map/0/written/format", "chess", "/tables/map/0/written/format"),
    ("/tables/map_rows/0/terrain", "?", "/tables/map_rows/0/terrain"),
    ("/tables/chronicle/0/text", {"say": "{a.__class__}", "with": {"a": 1}}, "/tables/chronicle/0/text"),
    ("/tables/chronicle/0/text", {"say": "{a:>999999999}", "with": {"a": 1}}, "/tables/chronicle/0/text"),
    ("/tables/chronicle/0/text", {"say": "{a}", "with": {}}, "/tables/chronicle/0/text"),
    ("/tables/chronicle/0/changes", [{"field": "hp"}], "/tables/chronicle/0/changes/0"),
    ("/tables/chronicle/1/seq", 1, "/tables/chronicle"),
    ("/tables/ledger/0/amount", 0, "/tables/ledger"),
    ("/tables/notes/0/text", "x" * 20_001, "/tables/notes/0/text"),
    ("/tables/notes/0/audience", "everybody", "/tables/notes/0/audience"),
    ("/tables/notes/0/mentions", ["army"], "/tables/notes/0/mentions"),
    ("/tables/battles/0/opening", {}, "/tables/battles/0/opening"),
    ("/tables/battles/0/ruleset", "chess", "/tables/battles/0/ruleset"),
    ("/tables/battles/0/status", "setup", "/tables/battles/0/status"),
    ("/tables/battle_records/0/events", [{"is": "Nothing"}], "/tables/battles/0"),
    ("/tables/battle_records/0/seq", 3, "/tables/battle_records"),
    ("/tables/battle_records/0/seq", 9, "/tables/battles/0"),
    ("/tables/battle_records/1/first_event", 1, "/tables/battles/0"),
    ("/tables/battle_records/1/version", 1, "/tables/battles/0"),
    ("/tables/battle_records/2/version", 10**6, "/tables/battles/0"),
    ("/tables/battle_armies/0/side", None, "/tables/battle_armies/0/side"),
    *((f"/tables/battles/0/figures/*{where}", wrong, "/tables/battles/0/figures") for where, wrong in (
        ("/dv/0/value", "x"), ("/dv/0", 1), ("/dv", "x"), ("", None))),
    *((f"/tables/battles/0/opening/{where}", wrong, f"/tables/battles/0/opening{told}") for where, wrong, told in (
        ("armies/*/kingdom", "x", ""), ("armies/*/name", 7, ""), ("armies/*/unit/cr", "1/0", "/unit/cr"),
        ("armies/*/unit/hit_die", 10**9, ""), ("armies/*/unit/speed_m", "x", ""), ("armies/*/count", -1, "/count"),
        ("entered/*/rank", 10**9, ""))),
]  # fmt: skip


def test_what_is_crooked_is_refused_where_it_is(marches, document, monkeypatch):
    monkeypatch.setattr(archive_services, "BROUGHT", archive_services.Limit("import", len(CROOKED), 60))
    straight, found = json.dumps(document), []
    with nothing_written():
        for path, value, pointer in CROOKED:
            told = places(marches[0], put(json.loads(straight), path, value))
            found += [f"{path} {value!r:.40}: {told}"] if told != [pointer] else []
        assert found == []


def test_an_event_nobody_can_tell_is_refused(marches, document):
    events = [event for record in document["tables"]["battle_records"] for event in record["events"]]
    next(event for event in events if event["is"] == "AttackLost")["why"] = "x"
    assert refused(marches[0], document) == ["/tables/battles/0"]


@pytest.fixture
def frozen(marches, monkeypatch) -> dict[str, Any]:
    """The document of a battle that has states on its way: it keeps one of every second record."""
    monkeypatch.setattr(play_battle_state, "EVERY", 2)
    first = bring_in(marches[0], marches[1]).campaign
    document = taken_along(first)
    assert [bool(record["frozen"]) for record in document["tables"]["battle_records"]] == [False, True, False]
    return document


def test_states_on_the_way_are_made_again_of_the_events_whatever_was_written(marches, frozen):
    """Crooked, false, left out or of one too many: the battle is the one its events tell of."""
    straight = frozen["tables"]["battle_records"][1]["frozen"]
    false = json.loads(re.sub(r'"hp": \d+', '"hp": 1', json.dumps(straight)))
    assert false != straight
    for place, wrong in ((1, {"nonsense": 1}), (1, false), (1, None), (0, straight)):
        there = bring_in(marches[0], put(deepcopy(frozen), f"/tables/battle_records/{place}/frozen", wrong)).campaign
        ((battle),) = Battle.objects.filter(campaign=there)
        kept = list(battle.records.order_by("seq").values_list("frozen", flat=True))
        assert [bool(one) for one in kept] == [False, True, False], wrong
        assert but_for_ids({"tables": {}, "kept": kept}) == but_for_ids({"tables": {}, "kept": [None, straight, None]})
        assert client_of(marches[0]).get(f"/battles/{battle.pk}/").status_code == 200, wrong


@pytest.mark.parametrize("path", ["/tables/armies/0/name", "/tables/kingdoms/0/name"])
def test_a_name_that_turns_what_follows_is_refused_in_a_document_too(marches, document, path):
    assert places(marches[0], put(document, path, "\u202eevening")) == [path]


def test_two_rows_of_one_id_are_refused(marches, document):
    armies = document["tables"]["armies"]
    armies.append(armies[0])
    assert refused(marches[0], document) == [f"/tables/armies/{len(armies) - 1}/id"]


def test_sizes_that_follow_the_hexes_and_are_others_follow_them_once_brought_in_and_that_is_told(marches, document):
    document["tables"]["map"][0]["sizes"] = True
    claimed = {kingdom["id"]: 0 for kingdom in document["tables"]["kingdoms"]}
    for row in document["tables"]["map_rows"]:
        for first, last, kingdom in row["claims"]:
            claimed[kingdom] += last - first + 1
    for kingdom in document["tables"]["kingdoms"]:
        kingdom["size"] = claimed[kingdom["id"]]
    alike = bring_in(marches[0], deepcopy(document))
    assert alike.warnings == ()
    entries = alike.campaign.chronicle.count()
    crown = document["tables"]["kingdoms"][0]
    crown["size"] += 1
    brought = bring_in(marches[0], document)
    sizes = f"{crown['name']} {crown['size']} → {crown['size'] - 1}"
    assert list(map(render, brought.warnings)) == [
        f"Kingdom sizes follow the map, so some differ from the file: {sizes}. The chronicle lists them, too."
    ]
    assert Kingdom.objects.get(campaign=brought.campaign, name=crown["name"]).size == crown["size"] - 1
    told = brought.campaign.chronicle.latest("seq")
    assert (sizes in render(load_said(told.text)), told.private) == (True, True)
    assert brought.campaign.chronicle.count() == entries + 1
    with pytest.raises(IllegalCommand, match="can’t be undone"):
        undo_entry(by=marches[0], entry=told)
    assert bring_in(marches[0], taken_along(brought.campaign)).warnings == ()


def test_rows_of_another_campaign_are_out_of_reach(marches, document):
    """Their ids, wherever they stand, name nothing in what is brought in."""
    gm, _document, campaign = marches
    army, kingdom = Army.objects.filter(campaign=campaign).first(), Kingdom.objects.filter(campaign=campaign).first()
    swapped = json.dumps(document)
    for place, theirs in enumerate((army, kingdom), start=1):
        swapped = swapped.replace(str(theirs.pk), f"{NOBODY[:-1]}{place}")
    hostile = json.loads(swapped)
    note = hostile["tables"]["notes"][0]
    note |= {"about_kind": "army", "about_id": str(army.pk), "mentions": [{"word": "x", "ref": f"army:{army.pk}"}]}
    note["text"] = f"/armies/{army.pk}/"
    entry = hostile["tables"]["chronicle"][0]
    entry["kingdoms"] = [str(kingdom.pk)]
    there = bring_in(gm, hostile).campaign
    brought = taken_along(there)
    brought["tables"]["notes"][0]["text"] = ""
    assert str(army.pk) not in json.dumps(brought)
    assert str(kingdom.pk) not in json.dumps(brought)


def test_html_in_a_document_is_text_on_every_page(marches, document):
    gm = marches[0]
    evil = '<script>alert("x")</script><img src=x onerror=alert(1)>'
    document["campaign"]["name"] = evil
    for named in ("kingdoms", "armies", "commanders", "battles", "settlements"):
        document["tables"][named][0]["name"] = evil
    document["tables"]["notes"][0] |= {"text": evil, "title": evil[:80], "about_name": evil}
    document["tables"]["chronicle"][-1]["text"] = {"say": evil}
    there = bring_in(gm, document).campaign
    client = Client()
    client.force_login(gm)
    army = Army.objects.get(campaign=there, name=evil)
    note = Note.objects.get(campaign=there)
    pages = ("/", f"/c/{there.pk}/", f"/c/{there.pk}/chronicle/", f"/c/{there.pk}/story/", f"/armies/{army.pk}/",
             f"/kingdoms/{army.kingdom_id}/", f"/c/{there.pk}/notes/")  # fmt: skip
    for page in pages:
        told = client.get(page, follow=True).content.decode()
        assert "<script>alert" not in told
        assert "<img src=x" not in told
    assert note.text == evil


@pytest.mark.parametrize("text", [
    "", "   ", "[]", "1", '"x"', "{", '{"format"', '{"format": "warhost-campaign", "format": "warhost-campaign"}',
    '{"tables": {"armies": [' + "[" * 100_000, '{"campaign": ' + '{"a":' * 100_000, '{"version": NaN}',
    '{"version": 1e999}', '{"version": ' + "9" * 10_000 + "}", '{"tables": {"armies": {}}}', '{"a": 1}]', "\x00",
])  # fmt: skip
def test_what_is_no_document_is_refused(gm, text):
    with pytest.raises(InvalidInput):
        import_campaign(by=gm, file=io.BytesIO(text.encode()))


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n\0\0", b"Dear all", b'{"a": 1}'])
def test_a_file_that_is_something_else_is_told_apart_from_a_crooked_document(gm, content):
    with pytest.raises(InvalidInput) as refused:
        import_campaign(by=gm, file=io.BytesIO(content))
    assert str(refused.value.message).startswith("This isn’t a campaign file. Choose the .json file")


def test_nobody_brings_in_campaigns_without_end(marches, document, monkeypatch):
    monkeypatch.setattr(archive_services, "BROUGHT", archive_services.Limit("import", 1, 60))
    before = Campaign.objects.count()
    bring_in(marches[0], document)
    with pytest.raises(NotYet, match="Try again"):
        bring_in(marches[0], document)
    assert Campaign.objects.count() == before + 1


def test_the_import_too_many_is_a_429_that_says_when_to_come_back(marches, document, monkeypatch):
    """Waited for or not, by the API and on the page: nothing is begun."""
    monkeypatch.setattr(archive_services, "BROUGHT", archive_services.Limit("import", 2, 60))
    gm, text, url = marches[0], json.dumps(document), "/api/v1/campaigns/import/"
    later = {"Prefer": "respond-async"}
    assert api_of(gm).post(url, text, content_type="application/json").status_code == 201
    second = api_of(gm).post(url, text, content_type="application/json", headers=later)
    assert second.status_code == 202, second.json()
    before = Campaign.objects.count(), CampaignImport.objects.count()
    for headers in ({}, later):
        refused = api_of(gm).post(url, text, content_type="application/json", headers=headers)
        assert (refused.status_code, refused.json()["type"]) == (429, "urn:warhost:problem:too-many-requests")
        assert 0 < int(refused["Retry-After"]) <= 3600
        assert refused.json()["detail"] == "You can import 2 campaigns per hour. Try again in 60 min."
    page = Client()
    page.force_login(gm)
    file = SimpleUploadedFile("marches.json", text.encode(), "application/json")
    told = page.post("/campaigns/import/", {"file": file})
    assert "You can import 2 campaigns per hour" in told.content.decode()
    assert (Campaign.objects.count(), CampaignImport.objects.count()) == before
