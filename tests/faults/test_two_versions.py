"""While a site is brought up to date, the processes of the version before go on for a moment on the new tables.

What they write must find its columns, and what they do not know of must fill itself. `BEFORE` is the last migration of
each app at the release before; who moves it on for a new release says so in the changelog.
"""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

pytestmark = pytest.mark.django_db
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


def test_what_the_version_before_writes_finds_its_columns() -> None:
    there, wrong, asked = today(), [], 0
    apps = MigrationLoader(connection).project_state(list(BEFORE.items())).apps
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
