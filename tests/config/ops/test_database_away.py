"""The database goes away and comes back, under a Warhost that really serves."""

from __future__ import annotations

import http.client
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil
import psycopg
import pytest
from django.core.management.base import CommandError

from config.ops import embedded_postgres
from config.ops.serve import claim_port
from tests.config.gateway import Gateway
from tests.config.house import ROOT, House, Postgres, environment, furnish, until
from tests.config.ops.test_embedded_postgres import holds_until_a_signal

AT_ONCE = 2  # seconds within which every request is answered while the database is away
SOON = 3  # seconds after its return within which the first request succeeds
CAMPAIGN = {"name": "The marches", "ruleset": "combat-de-masse"}


@pytest.fixture(scope="module")
def home(django_db_setup: None) -> Iterator[Path]:
    # not tmp_path: as root the database runs as another user, who may not enter pytest's directories
    with tempfile.TemporaryDirectory(prefix="warhost-") as directory:
        furnish(Path(directory))
        yield Path(directory)


@pytest.fixture(scope="module")
def serving(home: Path) -> Iterator[House]:
    with House(home) as house:
        house.ready()
        yield house


@pytest.fixture
def postgres(home: Path, serving: House) -> Iterator[Postgres]:
    yield Postgres(home)
    until(lambda: serving.ask("/readyz/").status == 200)


@pytest.fixture(scope="module")
def token(serving: House) -> str:
    return serving.token()


def post_campaign(house: House, token: str, name: str, key: str) -> Any:
    body = {**CAMPAIGN, "name": name}
    return house.ask("/api/v1/campaigns/", "POST", body, Authorization=token, Idempotency_Key=key)


def names(house: House, token: str) -> list[str]:
    return [one["name"] for one in house.ask("/api/v1/campaigns/?limit=200", Authorization=token).json["results"]]


def assert_away(house: House, token: str) -> None:
    """Every kind of request is answered at once, each in its own way."""
    asked = {
        "page": lambda: house.ask("/", Cookie="sessionid=abcdefghijklmnop", Accept_Language="fr"),
        "api": lambda: house.ask("/api/v1/campaigns/", Authorization=token),
        "ready": lambda: house.ask("/readyz/"),
        "live": lambda: house.ask(f"/live/battle/{uuid4()}/", Cookie="sessionid=abcdefghijklmnop"),
    }
    with ThreadPoolExecutor(len(asked)) as threads:
        found = {name: one.result() for name, one in [(name, threads.submit(ask)) for name, ask in asked.items()]}
    assert {name: answer.status for name, answer in found.items()} == dict.fromkeys(asked, 503)
    assert max(answer.seconds for answer in found.values()) < AT_ONCE
    assert found["api"].headers["Content-Type"] == "application/problem+json"
    assert "La base de données ne répond pas" in found["page"].body
    assert all(found[name].headers["Retry-After"] for name in ("page", "api", "live"))
    assert house.ask("/healthz/").status == 200


def assert_back(house: House, token: str) -> None:
    """The first request within three seconds of the return succeeds."""
    until(lambda: house.ask("/api/v1/campaigns/", Authorization=token).status == 200, patience=SOON)


def test_a_killed_database_is_answered_for_at_once_and_starts_again_by_itself(serving, postgres, token):
    starts = postgres.starts()
    postgres.kill()
    assert_away(serving, token)
    until(lambda: postgres.starts() > starts)
    assert_back(serving, token)
    assert postgres.starts() == starts + 1


def test_connections_that_break_under_a_living_database_cost_nobody_an_answer(serving, postgres, token):
    with ThreadPoolExecutor(8) as threads:  # several connections lie in the pool
        list(threads.map(lambda _: names(serving, token), range(16)))
    with postgres.connect() as line:
        others = "pid <> pg_backend_pid() AND backend_type = 'client backend'"
        cut = [pid for (pid,) in line.execute(f"SELECT pid FROM pg_stat_activity WHERE {others}")]
        line.execute("SELECT pg_terminate_backend(pid) FROM unnest(%s::int[]) AS pid", [cut])
        # It only asks them to end: one that ends later may be in the middle of an answer by then.
        until(lambda: not line.execute("SELECT FROM pg_stat_activity WHERE pid = ANY(%s)", [cut]).fetchall())
    answers = [serving.ask("/api/v1/campaigns/", Authorization=token) for _ in range(8)]
    assert [answer.status for answer in answers] == [200] * 8
    assert max(answer.seconds for answer in answers) < AT_ONCE


@contextmanager
def barrier(postgres: Postgres) -> Iterator[psycopg.Connection[Any]]:
    """Nobody gets past the campaigns meanwhile."""
    line = postgres.connect()
    line.autocommit = False
    line.execute("LOCK TABLE kingdom_campaign IN ACCESS EXCLUSIVE MODE")
    try:
        yield line
    finally:
        line.close()


def test_a_change_under_way_is_undone_and_its_repetition_is_done_once(serving, postgres, token):
    key = uuid4().hex
    with barrier(postgres), ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(post_campaign, serving, token, "Half done", key)
        time.sleep(0.5)
        killed = time.monotonic()
        postgres.kill()
        answer = waiting.result()
    assert answer.status == 503
    assert time.monotonic() - killed < AT_ONCE
    assert "Nothing was saved" in answer.json["detail"]
    until(lambda: serving.ask("/readyz/").status == 200)
    assert "Half done" not in names(serving, token)
    assert [post_campaign(serving, token, "Half done", key).status for _ in range(2)] == [201, 201]
    assert names(serving, token).count("Half done") == 1


def stream_of(house: House, battle: str, cookie: str) -> http.client.HTTPResponse:
    line = http.client.HTTPConnection("127.0.0.1", house.port, timeout=60)
    line.request("GET", f"/live/battle/{battle}/", headers={"Cookie": cookie})
    response = line.getresponse()
    assert response.status == 200
    return response


def next_news(stream: http.client.HTTPResponse) -> str:
    while not (line := stream.readline()).startswith(b"data: "):
        assert line, "the stream has ended"
    return line.decode()


@pytest.mark.slow
def test_a_live_stream_says_that_it_was_cut_off_and_when_it_is_back(serving, postgres, token):
    battle = battle_of_the_demo(serving, token)
    stream = stream_of(serving, battle, serving.cookies())
    time.sleep(0.5)
    killed = time.monotonic()
    postgres.kill()
    assert '"lost": true' in next_news(stream)
    assert time.monotonic() - killed < AT_ONCE
    assert f'"battle": "{battle}"' in next_news(stream)
    assert serving.ask("/readyz/").status == 200  # what the page fetches now, it gets


def battle_of_the_demo(house: House, token: str) -> str:
    command = [sys.executable, "manage.py", "demo", "--owner", "gm"]
    subprocess.run(command, cwd=ROOT, env=environment(house.home), check=True, capture_output=True)
    return str(house.ask("/api/v1/battles/", Authorization=token).json["results"][0]["id"])


def compute_for_long(postgres: Postgres) -> None:
    """Something that keeps a process of the database busy without ever looking whether the postmaster lives."""
    with suppress(psycopg.OperationalError), postgres.connect() as line:
        line.execute(
            "SELECT count(*) FROM generate_series(1, 9999) a, generate_series(1, 9999) b, generate_series(1, 9999) c"
        )


@pytest.mark.slow
def test_what_a_killed_postmaster_leaves_busy_does_not_hinder_the_next(serving, postgres, token):
    work = threading.Thread(target=compute_for_long, args=(postgres,))
    work.start()
    time.sleep(0.5)
    starts = postgres.starts()
    postgres.kill()
    until(lambda: postgres.starts() > starts, patience=20)
    assert_back(serving, token)
    work.join(10)
    assert not work.is_alive()


@pytest.mark.slow
def test_a_frozen_database_is_away_too_also_for_a_request_under_way(serving, postgres, token):
    with barrier(postgres) as line, ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(post_campaign, serving, token, "Frozen", uuid4().hex)
        time.sleep(0.5)
        began, frozen = time.monotonic(), postgres.freeze()
        try:
            assert waiting.result().status == 503
            assert time.monotonic() - began < AT_ONCE
            assert_away(serving, token)
        finally:
            for process in frozen:
                process.resume()
        line.close()
        assert_back(serving, token)
    assert "Frozen" not in names(serving, token)


@pytest.mark.slow
def test_of_two_servers_on_one_home_one_starts_the_database_again_and_either_may_leave(home, serving, postgres, token):
    with House(home) as second:
        second.ready()
        starts = postgres.starts()
        postgres.kill()
        for house in (serving, second):
            until(lambda house=house: house.ask("/readyz/").status == 200)
        assert postgres.starts() == starts + 1
    assert serving.ask("/readyz/").status == 200
    assert postgres.starts() == starts + 1


@pytest.mark.slow
def test_a_server_told_to_stop_while_it_starts_the_database_again_leaves_nothing_running():
    with tempfile.TemporaryDirectory(prefix="warhost-") as directory:
        own = Path(directory)
        with House(own) as house:
            house.ready()
            Postgres(own).kill()
            time.sleep(0.1)
        assert not (own / "postgres" / "postmaster.pid").exists()
        assert not [one for one in psutil.process_iter(["cmdline"]) if f"{own}/postgres" in (one.info["cmdline"] or ())]


@pytest.fixture(scope="module")
def gateway(home: Path, serving: House) -> Iterator[Gateway]:
    with Gateway(str(home / "postgres" / ".s.PGSQL.5432")) as gate:
        yield gate


@pytest.fixture(scope="module")
def remote(home: Path, gateway: Gateway) -> Iterator[House]:
    """A second server on the same tables, which reaches them as DATABASE_URL says."""
    with House(home, DATABASE_URL=f"postgres://postgres@127.0.0.1:{gateway.port}/warhost") as house:
        yield house.ready()


@pytest.mark.slow
def test_a_database_elsewhere_that_refuses_is_away_until_it_returns(remote, gateway, token):
    for _ in range(2):
        gateway.open = False
        until(lambda: remote.ask("/readyz/").status == 503, patience=AT_ONCE)
        assert_away(remote, token)
        time.sleep(5)  # a pause in which the pool's own attempts would have become rare
        gateway.open = True
        assert_back(remote, token)


@pytest.mark.slow
def test_a_database_elsewhere_that_takes_everything_and_answers_nothing_is_away(remote, gateway, token):
    assert_back(remote, token)
    gateway.silent = True
    try:
        assert_away(remote, token)
        time.sleep(5)
        assert_away(remote, token)
    finally:
        gateway.silent = False
    assert_back(remote, token)


@pytest.mark.slow
def test_a_commit_whose_answer_was_lost_is_in_doubt_and_its_repetition_is_answered_not_done_again(
    remote, gateway, token
):
    key = uuid4().hex
    assert_back(remote, token)
    gateway.loses_commit = True
    answer = post_campaign(remote, token, "In doubt", key)
    assert answer.status == 503
    assert "Either everything was saved or nothing" in answer.json["detail"]
    until(lambda: remote.ask("/readyz/").status == 200)
    again = post_campaign(remote, token, "In doubt", key)
    assert (again.status, again.headers["Idempotency-Replayed"]) == (201, "true")
    assert names(remote, token).count("In doubt") == 1


def test_who_serves_greets_shares_the_database_and_stops_it_with_himself(home, serving):
    """The last here: after it nobody serves. And whoever else uses the database stops it when they are told to end."""
    paths = ("/healthz/", "/readyz/", "/accounts/login/")
    assert [serving.ask(path).status for path in paths] == [200, 200, 200]
    with pytest.raises(CommandError, match=f"port {serving.port}"):  # what a second start does first
        claim_port("127.0.0.1", serving.port)
    with psycopg.connect(
        host=embedded_postgres.start(str(home)), user="postgres", dbname=embedded_postgres.DATABASE
    ) as line:
        assert line.execute("SELECT username FROM kingdom_user").fetchall() == [("gm",)]
    embedded_postgres.leave(str(home))  # to whoever else uses it
    assert serving.ask("/readyz/").status == 200
    serving.stop()

    assert f"http://localhost:{serving.port}/" in serving.said
    assert serving.password in serving.said
    assert (home / "first-password").stat().st_mode & 0o077 == 0
    assert not (home / "postgres" / "postmaster.pid").exists()
    holds_until_a_signal(home, signal.SIGTERM)
