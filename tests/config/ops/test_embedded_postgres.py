"""The database that comes along: starts by itself, is shared, and leaves nothing running behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.config.house import PATIENCE, ROOT, environment

# A suite begun in the background hands on that its keyboard is not listened to: what is begun here listens.
LISTEN = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
"""
WAIT = """
print("ready", flush=True)
sys.stdin.read()
"""
ASK = f"""{LISTEN}
import django
django.setup()
from django.db import connection
connection.cursor().execute("SELECT 1"){WAIT}"""
# The same without Django, which takes longer to begin than all the rest.
HOLD = f"""{LISTEN}
from config.ops import embedded_postgres
embedded_postgres.start(os.environ["WARHOST_HOME"]){WAIT}"""


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """Its database is made once: every test leaves it as nobody uses it."""
    # not tmp_path: as root the database runs as another user, who may not enter pytest's directories
    with tempfile.TemporaryDirectory(prefix="warhost-") as directory:
        yield Path(directory)


def ask(home: Path, program: str = ASK) -> subprocess.Popen[str]:
    """A process that uses the database until its standard input closes."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, env=environment(home), stdin=pipe, stdout=pipe, text=True
    )
    assert process.stdout.readline() == "ready\n"
    return process


def runs(home: Path) -> bool:
    return (home / "postgres" / "postmaster.pid").exists()


def finish(process: subprocess.Popen[str]) -> None:
    process.communicate(timeout=PATIENCE)


@pytest.mark.slow
def test_the_last_one_out_stops_the_server(home):
    first, second = ask(home), ask(home)
    finish(first)
    assert runs(home)
    finish(second)
    assert not runs(home)


@pytest.mark.slow
def test_who_only_shares_stops_what_a_killed_process_left(home):
    share = (
        "import sys; from config.ops import embedded_postgres; "
        f"embedded_postgres.share({str(home)!r}); print(sys.stdin.read())"
    )
    sharing = subprocess.Popen([sys.executable, "-c", share], cwd=ROOT, env=environment(home), stdin=subprocess.PIPE)
    killed = ask(home)
    killed.kill()
    killed.wait()
    assert runs(home)
    sharing.communicate(timeout=PATIENCE)
    assert not runs(home)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_leaves_no_server_behind(home, number):
    """Every day one does, where a database is already: tests/config/ops/test_database_away.py."""
    holds_until_a_signal(home, number)


def holds_until_a_signal(home: Path, number: int) -> None:
    process = ask(home, HOLD)
    assert runs(home)
    process.send_signal(number)
    process.wait(timeout=PATIENCE)
    assert not runs(home)


@pytest.mark.slow
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
