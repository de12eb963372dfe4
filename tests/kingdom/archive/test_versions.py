"""Documents of every version there was can be brought in."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from battles.log.queries import check_replay
from battles.models import Battle
from kingdom.archive import versions
from kingdom.archive.import_checks import ROOT, find_table, list_carried_tables
from kingdom.archive.services import import_campaign
from kingdom.archive.versions import VERSION, Upgrade
from rules.core.errors import InvalidInput
from tests.armies.conftest import raised
from tests.everyday import everyday
from tests.kingdom.archive.journeys import bring_in, taken_along
from tests.kingdom.conftest import make_user

pytestmark = pytest.mark.django_db
KEPT = Path(__file__).parent / "versions"
DOCUMENTS = sorted(KEPT.glob("*.json.gz"))
BY_TURNS = DOCUMENTS[::4] + DOCUMENTS[3::4]
"""One of each version, the laws in turn."""


def columns_today() -> dict[str, list[str]]:
    """Without declared figures that came since: they need no other version (`rules.army_law.ADDED_LATER`)."""
    return {table.name: sorted(table.columns.keys() - table.added) for table in (ROOT, *list_carried_tables())}


def test_the_columns_of_this_version_are_settled():
    """A table or a column that comes, goes or is called otherwise makes another version.

    Raise `VERSION` in kingdom/archive/versions.py, write the upgrade from the version before, and keep the new columns
    (`columns_today()`) and a document of the new version in tests/kingdom/archive/versions/.
    """
    settled = json.loads((KEPT / f"{VERSION}.columns.json").read_text())
    assert columns_today() == settled
    assert set(versions.UPGRADES) == set(range(1, VERSION))


@pytest.mark.parametrize("file", everyday(DOCUMENTS, keep=BY_TURNS.__contains__), ids=lambda file: file.name)
def test_every_version_still_comes_in(file):
    gm = make_user("gm")
    with file.open("rb") as stream:
        campaign = import_campaign(by=gm, file=stream).campaign
    before, after = json.loads(gzip.decompress(file.read_bytes())), taken_along(campaign)
    assert after["version"] == VERSION
    assert {name: len(rows) for name, rows in after["tables"].items() if rows} == (
        {name: len(rows) for name, rows in before["tables"].items() if rows}
    )
    for battle in Battle.objects.filter(campaign=campaign):
        assert check_replay(battle).identical


def test_a_document_of_each_version_and_law_is_kept():
    kept = {file.name.split(".")[0] for file in DOCUMENTS}
    assert kept == {f"{version}-{law}" for version in range(1, VERSION + 1) for law in ("pathfinder", "breaking-point")}


def test_an_upgrade_changes_renames_and_drops(table, monkeypatch):
    """As a version to come would do it: a table under another name, a column that is new, a row that has no place."""
    document = taken_along(table.campaign)
    later = {**document, "version": VERSION}
    document["tables"]["realms"] = document["tables"].pop("kingdoms")
    for realm in document["tables"]["realms"]:
        del realm["planned"]
    dropped = len(document["tables"]["chronicle"])
    document["campaign"].pop("first_steps")
    monkeypatch.setattr(versions, "VERSION", VERSION + 1)
    upgrade = Upgrade(
        campaign=lambda row: {**row, "first_steps": True},
        rows={"kingdoms": lambda row: {**row, "planned": []}, "chronicle": lambda row: None},
        renamed={"realms": "kingdoms"},
    )
    monkeypatch.setitem(versions.UPGRADES, VERSION, upgrade)
    there = bring_in(table.gm, document).campaign
    assert there.first_steps
    assert {kingdom.name for kingdom in there.kingdoms.all()} == {"Crown of Restov", "Greenbelt horde"}
    assert (dropped, there.chronicle.count()) == (dropped, 0)
    monkeypatch.undo()
    with pytest.raises(InvalidInput, match=f"up to version {VERSION}"):
        bring_in(table.gm, {**later, "version": VERSION + 1})


def test_a_figure_declared_since_may_be_missing(table, monkeypatch):
    """As in a document written before it was declared; what is no such figure has to be there."""
    raised(table.gm, table.crown)
    document = taken_along(table.campaign)
    for row in document["tables"]["pathfinder_armies"]:
        del row["foraging"]
    with pytest.raises(InvalidInput) as refused:
        bring_in(table.gm, document)
    assert refused.value.field == "/tables/pathfinder_armies/0/foraging"
    monkeypatch.setitem(find_table("pathfinder_armies").added, "foraging", 3)
    there = bring_in(table.gm, document).campaign
    assert {army["foraging"] for army in taken_along(there)["tables"]["pathfinder_armies"]} == {3}


def test_head_and_tables_may_come_in_any_order(table):
    document = taken_along(table.campaign)
    tables = dict(sorted(document["tables"].items(), reverse=True))
    turned = {**dict(sorted(document.items())), "tables": tables}
    assert list(turned) != list(document)
    arrived = taken_along(bring_in(table.gm, turned).campaign)
    assert {name: len(rows) for name, rows in arrived["tables"].items()} == (
        {name: len(rows) for name, rows in tables.items()}
    )
