"""Steps of the server's start, before the first request."""

from __future__ import annotations

import atexit
import hashlib
import multiprocessing
import os
import shutil
import signal
import socket
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command, get_commands
from django.core.management.base import CommandError
from django.db import OperationalError, connections
from django.db.backends.postgresql.base import DatabaseWrapper

from battles.forecast import single_flight as reckoners
from config.ops import embedded_postgres, health_checks
from config.ops.backups import SETTLING_IN, startup_lock
from config.ops.data_directory import BASE_DIR, get_home, keep_secret, lock_directory
from config.postgres import base
from config.web.server import listen, raise_file_limit

LOOPBACK = {"127.0.0.1", "localhost", "::1"}
GAME_MASTER = "gm"
FIRST_PASSWORD = "first-password"
BESIDE_THE_POOL = 3  # connections of a process beside the pool: the pulse, live pages, jobs
# Seconds to wait for a database that starts at the same time.
PATIENCE = float(os.environ.get("WARHOST_PATIENCE") or 60)


def claim_port(host: str, port: int) -> socket.socket:
    """Listen before the slow steps, so that a taken port is reported at once and cannot be lost. Raises
    `CommandError`.
    """
    try:
        return listen(host, port)
    except PermissionError:
        raise CommandError(f"Port {port} is reserved for the system: choose one above 1023, e.g. PORT=8000.") from None
    except OSError as error:
        hint = f"Stop what uses it or choose another, e.g. `make run PORT={port + 1}`."
        raise CommandError(f"Cannot serve on {host} port {port}: {os.strerror(error.errno or 0)}. {hint}") from None


def await_database(say: Callable[[str], object]) -> None:
    """Wait for a database that may start together with this process. Raises `CommandError` if it does not come up."""
    deadline = time.monotonic() + PATIENCE
    told = False
    while True:
        try:
            return connections["default"].ensure_connection()
        except OperationalError as error:
            if time.monotonic() > deadline or "EMBEDDED" in settings.DATABASES["default"]:  # embedded: waits itself
                raise CommandError(f"The database cannot be reached: {error}") from None
            if not told:
                say(f"Waiting for the database: {error}")
                told = True
            time.sleep(1)


def prepare_database() -> None:
    call_command("migrate", verbosity=0, interactive=False)


def settle_in(say: Callable[[str], object]) -> str:
    """Create the first user and the demo campaign. Return the first password while it is valid, else ""."""
    with startup_lock(SETTLING_IN, waiting=lambda: say("Another process is preparing this database; waiting for it.")):
        password = find_first_password()
        load_demo()
        return password


def find_first_password() -> str:
    """Return the generated password of the first account while it is valid, else ""."""
    users = get_user_model().objects
    if not users.exists():
        made_up = keep_secret(FIRST_PASSWORD, bits=48)
        users.create_user(GAME_MASTER, password=made_up)
        return made_up
    kept = get_home() / FIRST_PASSWORD
    master = users.filter(username=GAME_MASTER).first()
    if master is None or not kept.exists():
        return ""
    password = keep_secret(FIRST_PASSWORD, bits=48)
    return password if master.check_password(password) else ""


def load_demo() -> None:
    if settings.DEMO and "demo" in get_commands():
        call_command("demo", once=True)


def collect_static() -> None:
    """Collect and compress static files if one has changed since the last time."""
    if settings.DEBUG:
        return
    root = Path(settings.STATIC_ROOT)
    stamp, now = root / ".collected", _static_state()
    with lock_directory(get_home(), "static.lock"):
        if stamp.exists() and stamp.read_text() == now:
            return
        shutil.rmtree(root, ignore_errors=True)
        call_command("collectstatic", verbosity=0, interactive=False, ignore_patterns=["rest_framework", "redoc"])
        stamp.write_text(now)


def _static_state() -> str:
    state = hashlib.sha256((BASE_DIR / "requirements.txt").read_bytes())
    for finder in get_finders():
        for name, storage in finder.list([]):
            state.update(f"{name} {Path(storage.path(name)).stat().st_mtime_ns}\n".encode())
    return state.hexdigest()


def open_pool() -> None:
    """Open the connection pool that threads share, and start the pulse. Commands and tests open their own
    connections.
    """
    connections.close_all()
    database = connections.settings["default"]
    database.setdefault("OPTIONS", {})["pool"] = settings.DATABASE_POOL
    if home_of_database := database.get("EMBEDDED"):
        embedded_postgres.start(home_of_database, durable=database.get("EMBEDDED_DURABLE", True))
        embedded_postgres.watch(home_of_database)
        base.start(revive=partial(embedded_postgres.revive, home_of_database))
    else:
        base.start()


def share_out(workers: int, say: Callable[[str], object]) -> None:
    """Divide the forecast processes among the server's processes and let these share metrics. Call `say` with a warning
    if they may want more connections than the database grants.
    """
    if settings.RECKONERS:
        os.environ["WARHOST_RECKONERS"] = str(max(1, settings.RECKONERS // workers))
    if settings.METRICS:
        health_checks.share(get_home())
        atexit.register(health_checks.end_sharing)
    wanted = workers * (settings.DATABASE_POOL["max_size"] + BESIDE_THE_POOL)
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT current_setting('max_connections')::int")
        ((most,),) = cursor.fetchall()
    if wanted > most:
        say(
            f"{workers} processes may want {wanted} connections, and the database grants {most}: "
            "raise its max_connections, or lower WARHOST_POOL."
        )


def begin() -> None:
    """Prepare a process that answers requests."""
    raise_file_limit()
    if parent := multiprocessing.parent_process():
        welcome_network(os.environ["HOST"])
        threading.Thread(target=_follow, args=(parent,), name="parent", daemon=True).start()
    open_pool()


def end() -> None:
    """Clean up a process that answered requests."""
    reckoners.close()
    close_pool()
    if multiprocessing.parent_process():
        embedded_postgres.stop_all()  # after a signal, exit handlers of such a process are not called


def _follow(parent: Any) -> None:
    """Stop this process when its parent dies: nobody else would."""
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


def close_pool() -> None:
    base.stop()
    cast(DatabaseWrapper, connections["default"]).close_pool()


def welcome_network(host: str) -> list[str]:
    """Allow this machine's own names as hosts if the server listens beyond the loopback. Return the names."""
    if host in LOOPBACK:
        return ["localhost"]
    names = [host] if host not in {"0.0.0.0", "::"} else ["localhost", *_own_addresses()]
    settings.ALLOWED_HOSTS.extend(names)
    return names


def list_addresses(names: list[str], port: int) -> list[str]:
    """Return the site's addresses for a browser; behind a proxy these are its own."""
    if not settings.HTTPS:
        return [f"http://{_bracketed(name)}:{port}/" for name in names]
    origins = settings.CSRF_TRUSTED_ORIGINS or [f"https://{name.lstrip('.')}" for name in settings.PUBLIC_NAMES]
    return [f"{origin}/" for origin in origins if "*" not in origin]


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name else name


def _own_addresses() -> list[str]:
    name = socket.gethostname().lower()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends no packet: it only selects the network interface
            address = [probe.getsockname()[0]]
        except OSError:
            address = []
    return [*address, name, f"{name}.local"]
