"""Tests of the squashed migrations: they leave the tables that the migrations they replace leave."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from config.ops import backups
from tests import databases

SQUASHED = {"armies", "battles", "breaking_point", "kingdom", "pathfinder"}
SINCE = [("kingdom", "0022_what_is_known"), ("armies", "0013_routes"), ("battles", "0010_job_results")]
BEGUN = [
    ("kingdom", "0009_names_as_people_count"),
    ("armies", "0010_shell"),
    ("battles", "0004_records_that_stay_true"),
]
"""Earlier versions: one with a table of armies that no ruleset had moved its columns from yet."""


def old_and_new() -> tuple[MigrationLoader, MigrationLoader]:
    return MigrationLoader(None, replace_migrations=False), MigrationLoader(None)


def ends(loader: MigrationLoader) -> list[tuple[str, str]]:
    """The last of the replaced migrations of each app."""
    return sorted(migration.replaces[-1] for migration in loader.replacements.values())


def test_every_old_migration_is_replaced_and_a_new_database_takes_none_of_them():
    _old, new = old_and_new()
    assert {app for app, _name in new.replacements} == SQUASHED
    replaced = {target for migration in new.replacements.values() for target in migration.replaces}
    for app in SQUASHED:
        (first,) = (key for key in new.replacements if key[0] == app)
        last = new.replacements[first].replaces[-1][1]
        files = {key for key in new.disk_migrations if key[0] == app and key[1][:4] <= last[:4]} - {first}
        assert files == {target for target in replaced if target[0] == app}
        assert new.graph.root_nodes(app) == [first]
    assert not replaced & new.graph.nodes.keys()


def test_the_models_are_the_same_by_either_way():
    old, new = old_and_new()
    before, now = old.project_state(ends(new)), new.project_state(sorted(new.replacements))
    assert before.models.keys() == now.models.keys()
    assert MigrationAutodetector(before, now).changes(graph=old.graph) == {}
    assert MigrationAutodetector(now, before).changes(graph=old.graph) == {}


def by_the_old() -> None:
    executor = MigrationExecutor(connection)
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    executor.migrate(ends(executor.loader))


def migrate() -> None:
    call_command("migrate", verbosity=0)


def old_then_new() -> None:
    by_the_old()
    migrate()


def from_an_earlier(targets: list[tuple[str, str]]) -> Callable[[], None]:
    def bring_up() -> None:
        MigrationExecutor(connection).migrate(targets)
        migrate()

    return bring_up


@contextmanager
def built(fill: Callable[[], None]) -> Iterator[None]:
    """A database of its own while the test looks at it."""
    name = f"{connection.settings_dict['NAME']}_squashed"
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE template0')
    try:
        with databases.connected_to(name):
            fill()
            yield
    finally:
        with connection._nodb_cursor() as cursor:
            cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def dumped(fill: Callable[[], None]) -> list[str]:
    """The statements of `pg_dump --schema-only` for our tables: columns in their order, statements sorted."""
    with built(fill):
        connection.ensure_connection()
        tool = backups.find_tool("pg_dump", backups._major_of_server())
        asked = [str(tool), "--schema-only", "--no-owner", "--no-privileges", "--dbname", backups._address()]
        text = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    lines = (line for line in text.splitlines() if line and not line.startswith(("--", "\\")))
    return sorted("\n".join(lines).split(";\n"))


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_database_is_the_same_by_either_way():
    """Tables, columns and their order, constraints and their names, indexes, functions, triggers, storage."""
    by_the_squashed = dumped(migrate)
    assert len(by_the_squashed) > 400
    assert any(line.startswith("CREATE TRIGGER warhost_access") for line in by_the_squashed)
    assert dumped(old_then_new) == by_the_squashed
    for targets in (SINCE, BEGUN):
        assert dumped(from_an_earlier(targets)) == by_the_squashed


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_database_of_the_old_migrations_counts_as_squashed():
    with built(by_the_old):
        MigrationRecorder.Migration.objects.filter(name__contains="squashed").delete()
        migrate()
        recorded = set(MigrationRecorder.Migration.objects.values_list("app", "name"))
    assert MigrationLoader(None).replacements.keys() <= recorded
