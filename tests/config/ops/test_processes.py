"""Several processes behind one port, and behind a proxy: one site. What one of them is told the others know."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from config.ops import serve
from tests.config.house import PATIENCE, ROOT, House, free_port, manage, until

pytestmark = pytest.mark.slow
SITE = {
    "WARHOST_DEMO": "on",
    "WARHOST_ACCESS_LOG": "on",
    "LOG_FORMAT": "json",
    "WARHOST_METRICS_TOKEN": "let-me-in",
    "WARHOST_TRUSTED_PROXIES": "127.0.0.1",
    "WARHOST_RECKONERS": "2",
}
NGINX = """
daemon off; pid {room}/pid; error_log {room}/errors; worker_processes 1;
events { worker_connections 256; }
http {
    access_log off;
    client_body_temp_path {room}/body; proxy_temp_path {room}/proxy; fastcgi_temp_path {room}/fastcgi;
    uwsgi_temp_path {room}/uwsgi; scgi_temp_path {room}/scgi;
    upstream warhost { server 127.0.0.1:{port}; keepalive 16; }
    server {
        listen 127.0.0.1:{door};
        location / {
            proxy_pass http://warhost; proxy_http_version 1.1; proxy_set_header Connection "";
            proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header X-Request-ID edge-$request_id;
        }
    }
}
"""


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="warhost-") as directory:
        yield Path(directory)


@pytest.fixture(scope="module")
def served(home: Path) -> Iterator[House]:
    with House(home, WARHOST_WORKERS="2", **SITE) as house:
        yield house.ready()
    assert "Traceback" not in house.said
    assert not (home / "postgres" / "postmaster.pid").exists()


@pytest.fixture(scope="module")
def token(served: House) -> str:
    return served.token()


def lines(house: House) -> list[dict[str, Any]]:
    return [json.loads(line) for line in house.said.splitlines() if line.startswith("{")]


def answering(house: House, route: str) -> set[int]:
    """The processes that have answered below this address."""
    return {line["process"] for line in lines(house) if line.get("route", "").startswith(route)}


def open_battle(house: House, token: str) -> dict[str, Any]:
    """A battle of the demonstration that awaits its next phase."""
    (campaign, *_others) = house.ask("/api/v1/campaigns/", Authorization=token).json["results"]
    battles = house.ask(f"/api/v1/battles/?campaign={campaign['id']}", Authorization=token).json["results"]
    return next(one for one in battles if one["status"] not in ("closed", "setup"))


@contextmanager
def listening(house: House, path: str, cookie: str) -> Iterator[list[str]]:
    """What a live page is told."""
    line = http.client.HTTPConnection("127.0.0.1", house.port, timeout=PATIENCE)
    line.request("GET", path, headers={"Cookie": cookie})
    stream = line.getresponse()
    assert stream.status == 200
    told: list[str] = []

    def read() -> None:
        try:
            while said := stream.fp.readline():
                told.append(said.decode())
        except (OSError, ValueError, AttributeError):
            pass

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    try:
        yield told
    finally:
        if line.sock:
            line.sock.shutdown(2)
        line.close()


class Front(House):
    """The same site by another door."""

    def __init__(self, home: Path, port: int):
        self.home, self.port = home, port


def play(house: House, token: str) -> None:
    """Phases one after the other, each by a connection of its own, watched by eight pages on whatever process."""
    battle, cookie = open_battle(house, token), house.cookies()
    path = f"/api/v1/battles/{battle['id']}/"
    first = house.ask(path, Authorization=token).json["version"]

    def command(kind: str, version: int) -> int:
        seen = f'"{version}"'
        return house.ask(f"{path}commands/", "POST", {"type": kind}, Authorization=token, If_Match=seen).status

    with ExitStack() as stack:
        pages = [stack.enter_context(listening(house, f"/live/battle/{battle['id']}/", cookie)) for _ in range(8)]
        for version, kind in enumerate(["resolve", "undo"] * 4, first):
            assert command(kind, version) == 200
            assert [house.ask(path, Authorization=token).json["version"] for _ in range(6)] == [version + 1] * 6
            told = f'"version": {version + 1}'
            for page in pages:
                until(lambda page=page, told=told: any(told in said for said in page))
        assert command("undo", first) == 412


def test_one_battle_is_played_through_two_processes(served, token):
    play(served, token)
    until(lambda: len(answering(served, "/live/<kind>/<id>/")) == 2)
    assert len(answering(served, "/api/v1/battles/")) == 2


def test_one_key_at_both_processes_at_once_is_one_deed(served, token):
    body = {"name": "Once", "ruleset": "combat-de-masse"}

    def post(_number: int) -> Any:
        return served.ask("/api/v1/campaigns/", "POST", body, Authorization=token, Idempotency_Key="once")

    with ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(post, range(32)))
    assert {answer.status for answer in answers} == {201}
    assert len({answer.json["id"] for answer in answers}) == 1


def test_metrics_are_of_all_processes_whichever_is_asked(served):
    def count() -> float:
        told = served.ask("/metrics/", Authorization="Bearer let-me-in").body
        found = [
            line for line in told.splitlines() if 'route="/credits/"' in line and line.startswith("warhost_requests")
        ]
        return sum(float(line.split()[-1]) for line in found)

    before = count()
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda _: served.ask("/credits/"), range(40)))
    assert {count() for _ in range(10)} == {before + 40}


def test_a_process_that_is_killed_is_replaced_and_the_other_answers_meanwhile(served):
    workers = [one for one in psutil.Process(served.process.pid).children() if "spawn_main" in " ".join(one.cmdline())]
    assert len(workers) == 2
    workers[0].kill()
    assert {served.ask("/credits/").status for _ in range(20)} == {200}
    until(lambda: "A process died and was replaced" in served.said)
    served.ready()


@contextmanager
def before(house: House, program: str, conf: str, *arguments: str) -> Iterator[Front]:
    """The site behind this proxy; `conf` may name its `{room}`, the `{port}` of the site and the `{door}`."""
    if (path := shutil.which(program, path="/usr/sbin:/usr/bin")) is None:
        pytest.skip(f"no {program} on this machine")
    with tempfile.TemporaryDirectory(prefix=f"{program}-") as room:
        door, file = free_port(), Path(room, "conf")
        for name, value in {"{room}": room, "{port}": str(house.port), "{door}": str(door)}.items():
            conf = conf.replace(name, value)
        file.write_text(conf)
        own = {**os.environ, "SITE": f"http://127.0.0.1:{door}", "XDG_DATA_HOME": room, "XDG_CONFIG_HOME": room}
        proxy = subprocess.Popen([path, *(argument.format(conf=file, room=room) for argument in arguments)], env=own)
        try:
            front = Front(house.home, door)
            until(front.listens)
            yield front
        finally:
            proxy.terminate()
            proxy.wait(PATIENCE)


def test_the_same_through_a_proxy_whose_ids_are_kept(served, token):
    with before(served, "nginx", NGINX, "-c", "{conf}", "-e", "{room}/e") as front:
        assert front.ask("/healthz/").headers["X-Request-ID"].startswith("edge-")
        until(lambda: any(line.get("request_id", "").startswith("edge-") for line in lines(served)))
        play(front, token)


def test_the_same_through_the_proxy_of_the_containers(served, token):
    """Its file as it is, but for where the site is."""
    conf = (ROOT / "config/launch/Caddyfile").read_text().replace("web:8000", "127.0.0.1:{port}")
    conf = conf.replace("{\n", "{\n\tadmin off\n", 1)
    with before(served, "caddy", conf, "run", "--adapter", "caddyfile", "--config", "{conf}") as front:
        asked = front.ask("/healthz/").headers["X-Request-ID"]
        until(lambda: any(line.get("request_id") == asked for line in lines(served)))
        play(front, token)
        assert front.ask("/metrics/", Authorization="Bearer let-me-in").status == 404
        large = json.dumps({"campaign": "x" * 6_000_000})
        answer = front.ask("/api/v1/campaigns/import/", "POST", large, Authorization=token)
        assert (answer.status, answer.json["status"]) == (400, 400), "not too large for this address"
        answer = front.ask("/api/v1/campaigns/", "POST", large, Authorization=token)
        assert (answer.status, "at most" in answer.json["detail"]) == (413, True)
        began = time.monotonic()
    assert time.monotonic() - began < 20, "it does not wait for pages that listen"


def test_without_the_one_that_started_them_no_process_stays(home):
    with House(home, WARHOST_WORKERS="2", **SITE) as house:
        house.ready()
        left = psutil.Process(house.process.pid).children(recursive=True)
        house.process.kill()
        house.process.wait(PATIENCE)
        assert psutil.wait_procs(left, timeout=60)[1] == []


def test_processes_that_cannot_begin_end_the_start_with_an_error(home):
    tried = manage(home, "serve", "--workers", "0", "--port", str(free_port()))
    assert (tried.returncode, "At least one process" in tried.stderr) == (1, True)


def test_too_many_processes_for_the_database_are_told(db, settings, monkeypatch):
    monkeypatch.setattr(settings, "DATABASE_POOL", {"max_size": 40})
    monkeypatch.delenv("WARHOST_RECKONERS", raising=False)
    said: list[str] = []
    serve.share_out(9, said.append)
    assert "raise its max_connections, or lower WARHOST_POOL" in said[0]
