"""The database that comes along: starts by itself, is shared, and leaves nothing running behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
ASK = """
import sys, django; django.setup()
from django.db import connection
connection.cursor().execute("SELECT 1")
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def home() -> Iterator[Path]:
    # not tmp_path: as root the database runs as another user, who may not enter pytest's directories
    with tempfile.TemporaryDirectory(prefix="warhost-") as directory:
        yield Path(directory)


def environment(home: Path, **more: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "PORT", "HOST"}}
    own = {"WARHOST_HOME": str(home), "DJANGO_SETTINGS_MODULE": "config.settings", "WARHOST_DEMO": "off"}
    return kept | own | more


def ask(home: Path) -> subprocess.Popen[str]:
    """A process that uses the database until its standard input closes."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [sys.executable, "-c", ASK], cwd=ROOT, env=environment(home), stdin=pipe, stdout=pipe, text=True
    )
    assert process.stdout.readline() == "ready\n"
    return process


def manage(home: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment(home, **more), capture_output=True, text=True)


def runs(home: Path) -> bool:
    return (home / "postgres" / "postmaster.pid").exists()


def finish(process: subprocess.Popen[str]) -> None:
    process.communicate(timeout=30)


def test_the_last_one_out_stops_the_server(home):
    first, second = ask(home), ask(home)
    finish(first)
    assert runs(home)
    finish(second)
    assert not runs(home)


SIGNALS = [signal.SIGTERM, *(pytest.param(one, marks=pytest.mark.slow) for one in (signal.SIGINT, signal.SIGHUP))]


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_leaves_no_server_behind(home, number):
    process = ask(home)
    assert runs(home)
    process.send_signal(number)
    process.wait(timeout=30)
    assert not runs(home)


def test_a_killed_process_is_not_waited_for_by_the_next(home):
    killed = ask(home)
    killed.kill()
    killed.wait()
    assert runs(home)
    finish(ask(home))
    assert not runs(home)


@pytest.mark.slow
def test_a_pid_file_from_before_a_power_cut_is_no_obstacle(home):
    finish(ask(home))
    lines = [str(os.getpid()), f"{home}/postgres", "1", "5432", str(home), "", "0 0", "ready", ""]
    (home / "postgres" / "postmaster.pid").write_text("\n".join(lines))
    finish(ask(home))
    assert not runs(home)


@pytest.mark.slow
def test_a_home_too_long_for_a_socket_still_works(home):
    deep = home / ("a" * 90) / ("b" * 60)
    finish(ask(deep))
    assert (deep / "postgres" / "PG_VERSION").exists()


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def fetch(port: int, path: str) -> int:
    for _ in range(300):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as response:
                return response.status
        except URLError:
            time.sleep(0.1)
    raise AssertionError("the server does not answer")


def test_serve_greets_serves_shares_and_stops(home, port):
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, env=environment(home), stdout=subprocess.PIPE, text=True)
    assert (fetch(port, "/healthz/"), fetch(port, "/readyz/"), fetch(port, "/accounts/login/")) == (200, 200, 200)

    made = manage(home, "createsuperuser", "--noinput", "--username=boss", "--email=", DJANGO_SUPERUSER_PASSWORD="x")
    assert made.returncode == 0, made.stderr
    refused = manage(home, "serve", "--port", str(port))
    assert refused.returncode == 1
    assert f"port {port}" in refused.stderr
    assert runs(home)

    server.send_signal(signal.SIGTERM)
    said, _ = server.communicate(timeout=30)
    assert f"http://localhost:{port}/" in said
    assert (home / "first-password").read_text().strip() in said
    assert (home / "first-password").stat().st_mode & 0o077 == 0
    assert not runs(home)

    found = manage(home, "shell", "-v0", "-c", "print(*User.objects.order_by('username').values_list('username'))")
    assert found.stdout.split() == ["('boss',)", "('gm',)"]
