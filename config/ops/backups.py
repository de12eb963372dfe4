"""Backups: one file with a snapshot of the database and the keys this installation generated.

PostgreSQL's own tools write and read it, so a backup does not disturb a running server, and a restore is one
transaction. Not included: `static/` (generated), the log of the embedded database, caches. Rows and revisions have
UUIDv7 ids, so a running server's caches from before a restore are never hit afterwards.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, connections
from django.db.migrations.loader import MigrationLoader
from psycopg.conninfo import make_conninfo

from config.ops import embedded_postgres
from config.ops.data_directory import get_home

# Start-up lock in the database: processes that start at once do certain steps one after the other.

# Advisory locks of the database also work for processes on several machines. PostgreSQL releases the lock of a process
# that dies.
MIGRATING = 0x57A6_0001
SETTLING_IN = 0x57A6_0002


@contextmanager
def startup_lock(key: int, *, waiting: Callable[[], object], database: str = "default") -> Iterator[None]:
    """Hold the advisory lock with this key. `waiting` is called if another process holds it."""
    with closing(connections[database].copy()) as line, line.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [key])
        if cursor.fetchone() != (True,):
            waiting()
            cursor.execute("SELECT pg_advisory_lock(%s)", [key])
        yield


FORMAT = 1
ABOUT, DUMP = "about.json", "database.dump"
KEYS = ("secret-key", "first-password")
"""Files of WARHOST_HOME that exist nowhere else: the secret key, which signs sessions and links in mails, and the first
account's password until it is changed.
"""
ALONE = """
SELECT pg_advisory_xact_lock({turn});
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid();
DROP SCHEMA public CASCADE;
CREATE SCHEMA public;
"""
"""SQL that ends all other connections: none then holds a lock that the restore needs, and every live page refreshes."""


def back_up(file: Path, *, replace: bool) -> int:
    """Write the backup. Return its size in bytes. Raises `CommandError`."""
    if file.exists() and not replace:
        raise CommandError(f"{file} is there already: name another file, or add --replace.")
    if not file.parent.is_dir():
        raise CommandError(f"There is no directory {file.parent}.")
    connection.ensure_connection()
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=file.parent.resolve()) as room:
        dump, aside = Path(room, DUMP), Path(room, file.name)
        with dump.open("wb") as into:
            _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", "--dbname", _address(), stdout=into)
        with (
            os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as raw,
            tarfile.open(None, "w", raw) as tar,
        ):
            for name, content in _small_parts().items():
                _add(tar, name, content)
            tar.add(dump, DUMP)
        aside.replace(file)
    return file.stat().st_size


def restore(file: Path, *, replace: bool, say: Callable[[str], object]) -> str:
    """Restore the backup. Return its date and time. Raises `CommandError`, with nothing changed."""
    with _opened(file) as tar:
        about = _about(tar, file)
        _demand_known(about["migrations"])
        connection.ensure_connection()
        if connection.introspection.table_names() and not replace:
            raise CommandError("This database holds something already. To put the backup in its place, add --replace.")
        with tempfile.TemporaryDirectory(prefix="warhost-restore-") as room:
            tar.extract(DUMP, room, filter="data")
            _load(Path(room, DUMP), Path(room, "script.sql"))
        connection.close()
        call_command("migrate", verbosity=0, interactive=False)
        _restore_keys(tar, say)
    return str(about["at"])


def _small_parts() -> dict[str, bytes]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations ORDER BY id")
        migrations = [f"{app}.{name}" for app, name in cursor.fetchall()]
    at = datetime.now(UTC).isoformat(timespec="seconds")
    about = {"format": FORMAT, "at": at, "postgresql": _major_of_server(), "migrations": migrations}
    kept = {name: (get_home() / name).read_bytes() for name in KEYS if (get_home() / name).exists()}
    return {ABOUT: json.dumps(about, indent=1).encode(), **kept}


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(content), 0o600
    tar.addfile(member, BytesIO(content))


@contextmanager
def _opened(file: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(file, "r:") as tar:
            yield tar
    except FileNotFoundError:
        raise CommandError(f"There is no file {file}.") from None
    except (tarfile.TarError, OSError) as error:
        raise CommandError(f"{file} cannot be read as a backup: {error}") from None


def _about(tar: tarfile.TarFile, file: Path) -> dict[str, Any]:
    try:
        about: dict[str, Any] = json.loads(_content(tar, ABOUT) or b"")
        if about["format"] == FORMAT and tar.getmember(DUMP).isfile():
            return {"at": str(about["at"]), "migrations": [str(name) for name in about["migrations"]]}
    except (KeyError, TypeError, ValueError):
        pass
    raise CommandError(f"{file} is no backup that this version can read.")


def _content(tar: tarfile.TarFile, name: str) -> bytes:
    try:
        member = tar.extractfile(name)
    except KeyError:
        return b""
    return member.read() if member else b""


def _demand_known(migrations: list[str]) -> None:
    """Raise `CommandError` for a backup by a newer version, whose tables this one does not know."""
    loader = MigrationLoader(None, load=False)
    loader.load_disk()
    known = {f"{app}.{name}" for app, name in loader.disk_migrations}
    ours = {name.partition(".")[0] for name in known}
    if newer := sorted(name for name in migrations if name not in known and name.partition(".")[0] in ours):
        raise CommandError(f"This backup is of a newer version of Warhost (it has {newer[0]}): install that one first.")


def _load(dump: Path, script: Path) -> None:
    _run("pg_restore", "--no-owner", "--no-privileges", "--file", str(script), str(dump))
    # the dump creates the schema only if it is not the default one
    made = "\n".join((ALONE.format(turn=MIGRATING), rf"\i '{script}'"))
    alone = script.with_name("alone.sql")
    alone.write_text(made)
    _run("psql", "-X", "-q", "-1", "-v", "ON_ERROR_STOP=1", "-o", os.devnull, "-f", str(alone), "--dbname", _address())


def _restore_keys(tar: tarfile.TarFile, say: Callable[[str], object]) -> None:
    for name in KEYS:
        content, path = _content(tar, name), get_home() / name
        if not content or (path.exists() and path.read_bytes() == content):
            continue
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as kept:
            kept.write(content)
        if name == "secret-key" and not os.environ.get("SECRET_KEY"):
            say("The key of this installation is that of the backup now: restart the server if it runs.")


def _address() -> str:
    assert connection.connection is not None
    return make_conninfo(**connection.connection.info.get_parameters())


def _major_of_server() -> int:
    assert connection.connection is not None
    return int(connection.connection.info.server_version // 10_000)


def _run(tool: str, *arguments: str, stdout: Any = subprocess.DEVNULL) -> None:
    password = connection.get_connection_params().get("password")
    environ = {**os.environ, **({"PGPASSWORD": password} if password else {})}
    command = [str(find_tool(tool, _major_of_server())), *arguments]
    done = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, env=environ, check=False)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise CommandError(f"{tool} has failed, and nothing was changed: {said}")


def find_tool(name: str, major: int) -> Path:
    """Return the path of a PostgreSQL tool of at least this major version, from the machine or the embedded server.
    Raises `CommandError`.
    """
    found = shutil.which(name)
    for tool in (Path(found) if found else None, embedded_postgres.tool(name)):
        if tool and _version_of(tool) >= major:
            return tool
    raise CommandError(
        f"{name} of PostgreSQL {major} or newer is needed and not there: install its client "
        f"(postgresql-client-{major} on Debian and Ubuntu, from apt.postgresql.org where they have none)."
    )


def _version_of(tool: Path) -> int:
    said = subprocess.run([tool, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.search(r"\) (\d+)", said)
    return int(version.group(1)) if version else 0
