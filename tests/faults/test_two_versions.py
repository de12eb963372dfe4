"""While a site is brought up to date, the processes of the version before go on for a moment on the new tables.

What they write must find its columns, and what they do not know of must fill itself. `BEFORE` is the last migration of
each app at the release before, `SOURCES` that release itself; who moves them on for a new release says so in the
changelog.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from tests.config.house import ROOT
from tests.faults.report import rounds, told
from tests.faults.site import Site

SOURCES = "4dc8c8a2"
BEFORE = {"kingdom": "0016_versions_of_notes", "armies": "0013_routes", "battles": "0010_job_results"}
COLUMNS = """SELECT table_name, column_name, is_nullable = 'YES' OR column_default IS NOT NULL OR is_identity = 'YES'
             FROM information_schema.columns WHERE table_schema = 'public'"""


def today() -> dict[str, dict[str, bool]]:
    """By table and column, whether it may be left out."""
    found: dict[str, dict[str, bool]] = {}
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS)
        for table, column, may_miss in cursor.fetchall():
            found.setdefault(table, {})[column] = may_miss
    return found


@pytest.mark.django_db
def test_what_the_version_before_writes_finds_its_columns() -> None:
    there, wrong, asked = today(), [], 0
    apps = MigrationLoader(connection, replace_migrations=False).project_state(list(BEFORE.items())).apps
    for model in (model for label in BEFORE for model in apps.get_app_config(label).get_models()):
        table, written = model._meta.db_table, {field.column for field in model._meta.concrete_fields}
        columns = there.get(table, {})
        asked += len(written)
        wrong += [f"{table}.{name} is gone" for name in sorted(written - columns.keys())]
        wrong += [
            f"{table}.{name} must be written, which the version before does not: give it a `db_default`"
            for name in sorted(columns.keys() - written)
            if not columns[name]
        ]
    assert asked > 200
    assert wrong == []


@pytest.fixture
def sources() -> Iterator[Path]:
    """The code of the release before, which Git keeps."""
    with tempfile.TemporaryDirectory() as directory:
        packed = Path(directory) / "sources.tar"
        asked = ["git", "archive", "--output", str(packed), SOURCES]
        if subprocess.run(asked, cwd=ROOT, capture_output=True).returncode:
            pytest.skip(f"the history down to {SOURCES} is not here: git fetch --unshallow brings it")
        subprocess.run(["tar", "-xf", str(packed)], cwd=directory, check=True)
        yield Path(directory)


@pytest.mark.slow
def test_the_version_before_serves_on_while_the_new_one_has_come(home: Path, sources: Path) -> None:
    """One battle is fought by both in turns, both found campaigns and show pages; the old one goes, all is there."""
    turns, slowest = rounds(40), 0.0
    with Site(home, sources) as old:
        battle, campaign = old.battle(), old.campaign
        with Site(home) as new:
            version, cookies = old.version(battle), old.house.cookies()
            for site, kind in islice(zip(cycle((old, new, new, old)), cycle(("resolve", "undo")), strict=False), turns):
                done = site.command(battle, kind, version)
                assert done.status == 200, done.body[:500]
                version, slowest = version + 1, max(slowest, done.seconds)
                assert {old.version(battle), new.version(battle)} == {version}
            founded = [site.post("campaigns/", {"name": "Ours", "ruleset": "combat-de-masse"}) for site in (old, new)]
            assert [one.status for one in founded] == [201, 201]
            pages = [f"/c/{campaign}/", f"/battles/{battle}/", f"/c/{campaign}/chronicle/", "/"]
            shown = [site.house.ask(page, Cookie=cookies).status for page in pages for site in (old, new)]
            assert set(shown) == {200}
            old.house.stop()
            assert new.version(battle) == version
            assert [new.ask(f"campaigns/{one.json['id']}/").status for one in founded] == [200, 200]
            told("an old server beside a new one", commands=turns, pages=len(shown), worst_s=round(slowest, 3))
