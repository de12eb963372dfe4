"""Entries of a document somebody else wrote: their pages open, and undoing them breaks nothing and reaches nobody."""

from __future__ import annotations

import pytest

from armies.models import Army
from kingdom.archive import services as archive_services
from kingdom.campaign.services import create_campaign
from kingdom.chronicle.field_change import make_plain
from kingdom.chronicle.services import undo_entry
from kingdom.map.services import make_map
from kingdom.models import Campaign, ChronicleEntry, Kingdom, Settlement
from kingdom.realms.services import found_kingdom
from rules.core.errors import IllegalCommand
from tests.armies.conftest import war  # noqa: F401 - fixture
from tests.kingdom.archive.journeys import taken_along
from tests.kingdom.archive.test_hostile import places, put
from tests.kingdom.conftest import api_of, campaign, client_of, crown, gm, table  # noqa: F401 - fixtures

pytestmark = pytest.mark.django_db


def line(kind: str, thing: object, field: str, before: object, after: object) -> dict:
    return {"subject_kind": kind, "subject_id": str(thing), "subject": "S", "field": field, "before": before,
            "after": after, "rule": "", "label": {"say": "Name"}}  # fmt: skip


def entered(campaign, *lines) -> ChronicleEntry:  # noqa: F811
    seq = ChronicleEntry.objects.filter(campaign=campaign).count() + 100
    return ChronicleEntry.objects.create(campaign=campaign, seq=seq, day=0, text={"say": "x"}, changes=[*lines])


def test_no_undo_changes_what_is_no_figure_of_a_thing(war):  # noqa: F811
    """Where a row belongs, whose it is, whether it is deleted: no line of an entry says that."""
    other = create_campaign(by=war.gm, name="Other", ruleset="combat-de-masse")
    realm = found_kingdom(by=war.gm, campaign=other, name="Realm")
    elsewhere = {"campaign_id": other.pk.hex, "kingdom_id": realm.pk.hex, "commander_id": realm.pk.hex}
    things = {"army": war.levy, "commander": war.vell, "kingdom": war.crown, "settlement": Settlement.objects.get(),
              "campaign": war.campaign}  # fmt: skip
    fields = ("campaign_id", "kingdom_id", "commander_id", "campaign", "id", "pk", "created_by_id", "deleted_at",
              "save", "players_may", "__class__", "nothing")  # fmt: skip
    for kind, thing in things.items():
        row = type(thing).objects.get(pk=thing.pk)
        for field in fields:
            now = make_plain(getattr(row, field, None))
            left = now if isinstance(now, str | int | dict | list) else None
            entry = entered(war.campaign, line(kind, row.pk, field, elsewhere.get(field, "x"), left))
            with pytest.raises(IllegalCommand):
                undo_entry(by=war.gm, entry=entry)
        assert type(thing).objects.filter(pk=thing.pk).values().get() == {
            name: getattr(row, name) for name in type(thing).objects.filter(pk=thing.pk).values().get()
        }


IMPOSSIBLE = [
    ("kingdom", "economy", "x"), ("kingdom", "unrest", -5), ("kingdom", "size", 10**12), ("kingdom", "planned", [3]),
    ("kingdom", "planned", 3), ("kingdom", "arms", {"x": 1}), ("kingdom", "name", ""), ("kingdom", "name", None),
    ("kingdom", "treasury", "x"), ("army", "hex", "<b>"), ("army", "route", {"x": 1}), ("army", "hp", 10**12),
    ("army", "status", [1]), ("army", "unit", {}), ("army", "commander", "x"), ("army", "commander", [1]),
    ("commander", "boons", [3]), ("commander", "status", {}), ("settlement", "buildings", 3),
    ("settlement", "districts", 0), ("settlement", "hex", "<b>"), ("campaign", "ruleset", "chess"),
    ("campaign", "house_rules", [1]), ("campaign", "day", -1),
]  # fmt: skip


def test_no_undo_writes_what_cannot_be(war):  # noqa: F811
    things = {"army": war.levy, "commander": war.vell, "kingdom": war.crown, "settlement": Settlement.objects.get(),
              "campaign": war.campaign}  # fmt: skip
    gm = client_of(war.gm)  # noqa: F811
    for kind, field, wrong in IMPOSSIBLE:
        row = type(things[kind]).objects.get(pk=things[kind].pk)
        now = row.commander_id if field == "commander" else getattr(row, field)
        entry = entered(war.campaign, line(kind, row.pk, field, wrong, make_plain(now)))
        answer = gm.post(f"/c/{war.campaign.pk}/chronicle/{entry.pk}/undo/")
        assert answer.status_code < 500, (kind, field, wrong)
        entry.refresh_from_db()
        assert not entry.undone, (kind, field, wrong)
        after = type(row).objects.get(pk=row.pk)
        assert make_plain(after.commander_id if field == "commander" else getattr(after, field)) == make_plain(now)
        entry.delete()


UNWORDED = [
    ("kingdom", "planned", [{"x": 1}]), ("kingdom", "planned", [{"name": "a", "amount": "x", "every": "week"}]),
    ("kingdom", "planned", [{"name": "a", "amount": 3, "every": "year"}]), ("kingdom", "arms", {"field": 3}),
    ("kingdom", "arms", {"x": 1}), ("kingdom", "alignment", [1]), ("settlement", "buildings", [{"x": 1}]),
    ("settlement", "buildings", [[1]]), ("settlement", "created", {"name": {"a": 1}}),
    ("campaign", "house_rules", {"x": {"y": 1}}), ("campaign", "house_rules", [1]), ("campaign", "ruleset", [1]),
    ("map", "document", {"map": {}}), ("map", "document", {"map": {"name": 1, "columns": [], "rows": {}}}),
    ("ground", "claim", "x"), ("ground", "terrain", "???"), ("army", "route", {"x": 1}), ("army", "sheet", {"x": 1}),
    ("army", "unit", {"x": 1}), ("army", "status", [1]), ("army", "commander", [1]), ("army", "commander", "x"),
    ("army", "tactics", [{"a": 1}]), ("army", "resources", {"a": [1]}), ("army", "resources", [1]),
    ("commander", "boons", [3]), ("commander", "boons", {"a": 3}), ("insight", "level", [1]),
    ("siege", "state", {"x": 1}), ("place", "kingdom", "x"), ("place", "kind", [1]), ("station", "place", "x"),
    ("stores", "stock", {"a": [1]}), ("unit_type", "unit", {"x": 1}), ("unit_type", "exists", {"x": 1}),
]  # fmt: skip


def test_values_that_nobody_can_put_into_words_are_told_as_they_stand(table):  # noqa: F811
    for kind, field, value in UNWORDED:
        thing = "A1" if kind == "ground" else table.crown.pk
        entered(table.campaign, line(kind, thing, field, value, value))
    for reader in (table.gm, table.ana, table.viewer):
        for page in ("", "chronicle/", "chronicle/?page=2", "chronicle/csv/"):
            assert client_of(reader).get(f"/c/{table.campaign.pk}/{page}").status_code in (200, 404), page
        told = api_of(reader).get(f"/api/v1/campaigns/{table.campaign.pk}/chronicle/")
        assert told.status_code == 200


def test_lines_about_nothing_are_refused_where_they_stand(table, monkeypatch):  # noqa: F811
    monkeypatch.setattr(archive_services, "BROUGHT", archive_services.Limit("import", 100, 60))
    make_map(by=table.gm, campaign=table.campaign)
    straight = taken_along(Campaign.objects.get(pk=table.campaign.pk))
    good = line("kingdom", table.crown.pk, "name", "a", "b")
    wrong = [
        *(
            ("subject_id", value, {"subject_kind": kind})
            for kind in ("kingdom", "army", "siege")
            for value in ("x", "C7")
        ),
        *(("subject_id", value, {"subject_kind": "ground"}) for value in ("x", "A1|B1|C1", ":", "")),
        *((name, value, {}) for name in ("subject_id", "subject", "field", "rule") for value in (3, None, ["a"], {})),
    ]
    for name, value, more in wrong:
        put(straight, "/tables/chronicle/0/changes", [{**good, **more, name: value}])
        assert places(table.gm, straight) == [f"/tables/chronicle/0/changes/0/{name}"], (name, value, more)
    put(straight, "/tables/chronicle/0/changes", [good])
    assert places(table.gm, straight) == []
    assert Kingdom.objects.filter(campaign=table.campaign).count() == 2
    assert not Army.objects.exists()
