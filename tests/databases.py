"""Nobody migrates for a test run twice: the database of each worker is a copy of one that has these migrations."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError, connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import TransactionTestCase

from config.ops import embedded_postgres
from config.ops.data_directory import BASE_DIR

PREFIX = "warhost_migrated_"
STANDING = frozenset({"django_migrations", "django_content_type", "auth_permission"})  # what migrations fill
AT_WORK = 60  # seconds in which a request that outlives its test has to end
PATIENCE = 10  # seconds for a thread that has nothing more to do
IN_USE = 0x57A6  # the second half of an advisory lock on the name of a database
_keepers: list[BaseDatabaseWrapper] = []
TURN = 0x57A6_0101  # an advisory lock: one worker migrates, the others wait for it


def pytest_sessionstart(session: pytest.Session) -> None:
    """Who distributes the tests outlives the workers: the server of one that crashed stops with them."""
    if home := settings.DATABASES["default"].get("EMBEDDED"):
        embedded_postgres.share(home)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Nobody asks the database after the test is over: who carried its jobs on goes home first."""
    send_clerks_home()


def send_clerks_home() -> None:
    from battles.forecast import job_services  # here: a site under load (tests/load) has its models in other processes
    from battles.forecast.job_runner import CLERK

    for clerk in (job_services.clerk, job_services.abroad):
        for job in list(clerk._errands):
            clerk.drop(job)
    for thread in threading.enumerate():
        if thread.name == CLERK:
            thread.join(PATIENCE)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, django_db_use_migrations: bool, django_db_blocker: Any
) -> None:
    """What pytest-django asks before it makes the test database."""
    with django_db_blocker.unblock():
        connection.settings_dict["TEST"]["NAME"] = nobody_elses(connection.creation._get_test_db_name())
        if django_db_use_migrations:
            connection.settings_dict["TEST"]["TEMPLATE"] = migrated()


def nobody_elses(name: str) -> str:
    """This name, or one like it where another run in this folder has it: it keeps it until its process ends."""
    keeper = connection.copy()
    keeper.settings_dict = {**keeper.settings_dict, "NAME": "postgres"}
    _keepers.append(keeper)
    for number in count(1):
        wanted = name if number == 1 else f"{name}_{number}"
        with keeper.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(hashtext(%s), %s)", [wanted, IN_USE])
            if cursor.fetchone()[0]:
                return wanted
    raise AssertionError("Numbers do not end.")


def migrated() -> str:
    """The name of a database with every migration of today, made if there is none."""
    return kept(PREFIX, digest(), migrate)


def migrate() -> None:
    call_command("migrate", run_syncdb=True, interactive=False, verbosity=0)


def kept(prefix: str, digest: str, fill: Callable[[], None], *, anew: bool = False) -> str:
    """The name of a database that `fill` filled, made if there is none of this digest; older ones go. `anew`: it is
    made again.
    """
    name = prefix + digest
    with connection._nodb_cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [TURN])
        cursor.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [prefix])
        known = {found for (found,) in cursor.fetchall()}
        if anew or name not in known:
            for old in known:
                cursor.execute(f"DROP DATABASE {old} WITH (FORCE)")
            _make(cursor, name, fill)
    return name


@contextmanager
def tried() -> Iterator[None]:
    """All that is done in here is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def digest() -> str:
    """Changes with any migration and with any library that may bring one."""
    found = hashlib.sha256((BASE_DIR / "requirements.txt").read_bytes())
    for app in apps.get_app_configs():
        for path in sorted((Path(app.path) / "migrations").glob("*.py")):
            found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()[:16]


def _make(cursor: Any, name: str, fill: Callable[[], None]) -> None:
    """Under its name only when it is complete."""
    cursor.execute(f"CREATE DATABASE {name}_begun {connection.creation.sql_table_creation_suffix()}")
    with connected_to(f"{name}_begun"):
        fill()
    cursor.execute(f"ALTER DATABASE {name}_begun RENAME TO {name}")


@contextmanager
def connected_to(name: str) -> Iterator[None]:
    before = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = before


@pytest.fixture(autouse=True, scope="session")
def _rows_are_taken_out() -> Iterator[None]:
    """After a test that commits. Django's flush makes every file of the database anew, and what migrations fill."""
    flush = TransactionTestCase._fixture_teardown

    def empty(case: TransactionTestCase) -> None:
        if case.available_apps is None and not case.serialized_rollback and may_all():
            take_out_rows()
        else:
            flush(case)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty)
        yield


def take_out_rows() -> None:
    """Wait for whoever still works in a table, then take out what tests may have written. No trigger has a say.

    Whoever keeps a table longer than `AT_WORK` is sent away, and the test fails with what they did last: a run that
    waits for them would never end.
    """
    stuck: list[str] = []
    try:
        _take_out_rows()
    except OperationalError:
        stuck = _send_away()
        _take_out_rows()
    assert not stuck, f"still at work when the test was over: {stuck}"


def _take_out_rows() -> None:
    tables = [connection.ops.quote_name(name) for name in connection.introspection.table_names()]
    emptied = sorted(name for name in tables if name.strip('"') not in STANDING)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{AT_WORK}s'")
        cursor.execute(f"LOCK TABLE {', '.join(emptied)}")
        cursor.execute(unhindered(";".join(f"DELETE FROM {name}" for name in emptied)))


def _send_away() -> list[str]:
    """Ends the sessions of this database that are inside a transaction; what each asked last."""
    inside = "datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT state || ': ' || query, pg_terminate_backend(pid) FROM pg_stat_activity WHERE {inside}")
        return [told for told, _ended in cursor.fetchall()]


def unhindered(statements: str) -> str:
    """The same, and no trigger has a say, wherever we may pass by them: what follows in the transaction is hindered."""
    if not may_all():
        return statements
    return f"SET LOCAL session_replication_role = replica; {statements}; SET LOCAL session_replication_role = origin"


@cache
def may_all() -> bool:
    """A server of somebody's own may not let us pass by its triggers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('is_superuser') = 'on'")
        return bool(cursor.fetchone()[0])
