"""Several processes start at once on a home, or a database, that has nothing yet."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.db import connection

from config.ops import data_directory as homes
from config.ops.backups import startup_lock
from kingdom.onboarding import checklist
from tests.config.house import ROOT, House, Postgres, environment, until

TURN = 0x57A6_FFFF


@pytest.fixture
def home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="warhost-") as directory:
        yield Path(directory)


@pytest.mark.slow
def test_three_first_starts_at_once_all_come_up_on_one_database(home):
    with ExitStack() as stack:
        houses = [stack.enter_context(House(home, WARHOST_DEMO="on")) for _ in range(3)]
        for house in houses:
            house.ready()
        assert {house.ask("/accounts/login/").status for house in houses} == {200}
        assert "Traceback" not in "".join(house.said for house in houses)
        token = houses[0].token()
        found = [len(house.ask("/api/v1/campaigns/", Authorization=token).json["results"]) for house in houses]
        assert found == [len(checklist.list_demos())] * 3, "of every law one"
        with Postgres(home).connect() as line:
            assert line.execute("SELECT count(*) FROM kingdom_user").fetchone() == (1,)
    assert not (home / "postgres" / "postmaster.pid").exists()


@pytest.mark.slow
def test_two_starts_on_one_port_are_one_start_and_one_clear_refusal(home):
    with House(home) as house:
        command = [sys.executable, "manage.py", "serve", "--port", str(house.port)]
        until(lambda: house.listens())
        refused = subprocess.run(command, cwd=ROOT, env=environment(home), capture_output=True, text=True)
        assert refused.returncode == 1
        assert f"port {house.port}" in refused.stderr
        assert "Traceback" not in refused.stderr
        house.ready()


@pytest.mark.slow
def test_a_start_killed_while_it_made_the_database_is_begun_anew(home):
    (home / "postgres").mkdir()
    (home / "postgres" / "PG_VERSION").write_text("18\n")  # the first thing initdb writes
    (home / "postgres.begun").touch()
    with House(home) as house:
        house.ready()


@pytest.mark.slow
def test_a_start_whose_database_stays_away_says_so_in_a_sentence(home):
    command = [sys.executable, "manage.py", "shell", "-c", "from config.ops import serve; serve.await_database(print)"]
    nowhere = environment(home, DATABASE_URL="postgres://nobody@127.0.0.1:9/warhost", WARHOST_PATIENCE="1")
    tried = subprocess.run(command, cwd=ROOT, env=nowhere, capture_output=True, text=True)
    assert tried.returncode == 1
    assert "Waiting for the database" in tried.stdout
    assert "CommandError: The database cannot be reached" in tried.stderr


def test_who_comes_second_waits_for_the_turn_of_the_first(transactional_db):
    order, inside, waiting = [], threading.Event(), threading.Event()

    def first() -> None:
        with startup_lock(TURN, waiting=lambda: order.append("the first waited")):
            inside.set()
            assert waiting.wait(10)
            order.append("first")
        connection.close()

    def second() -> None:
        assert inside.wait(10)
        with startup_lock(TURN, waiting=waiting.set):
            order.append("second")
        connection.close()

    with ThreadPoolExecutor(2) as threads:
        for one in [threads.submit(first), threads.submit(second)]:
            one.result(20)
    assert order == ["first", "second"]


def test_a_secret_made_up_by_many_at_once_is_one_secret(tmp_path, monkeypatch):
    monkeypatch.setenv("WARHOST_HOME", str(tmp_path))
    start = threading.Barrier(16)

    def ask() -> str:
        start.wait()
        return homes.keep_secret("a-secret", bits=384)

    with ThreadPoolExecutor(16) as threads:
        secrets = {one.result() for one in [threads.submit(ask) for _ in range(16)]}
    assert len(secrets) == 1
    assert len(secrets.pop()) == 96
    assert [path.name for path in tmp_path.iterdir()] == ["a-secret"]
