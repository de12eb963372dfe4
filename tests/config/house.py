"""A Warhost that really serves, on a home of its own, to be asked from outside."""

from __future__ import annotations

import base64
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, Self

import psutil
import psycopg
from django.conf import settings

from config.ops import embedded_postgres
from tests.databases import PREFIX, digest

ROOT = Path(__file__).resolve().parent.parent.parent
# What a test, or who runs it, may have set; the last is the browser's (tests/browsing.py), and no site may have it.
OF_THE_TESTS = frozenset({"DATABASE_URL", "PORT", "HOST", "DJANGO_ALLOW_ASYNC_UNSAFE"})
PATIENCE = 180  # seconds for what only has to happen at last, on however busy a machine


def environment(home: Path, **more: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in OF_THE_TESTS}
    own = {"WARHOST_HOME": str(home), "DJANGO_SETTINGS_MODULE": "config.settings", "WARHOST_DEMO": "off"}
    return kept | own | more


def manage(home: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment(home, **more), capture_output=True, text=True)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def until(happened: Callable[[], Any], patience: float = PATIENCE) -> float:
    """Wait for it; answers after how many seconds it was so."""
    began = time.monotonic()
    while not happened():
        assert time.monotonic() - began < patience, "it did not happen"
        time.sleep(0.02)
    return time.monotonic() - began


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: str
    seconds: float

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def furnish(home: Path) -> None:
    """Its database gets its tables, as if it had been started before. To migrate takes seconds, and the tests have done
    it (tests/databases.py). Where they have not, or use another server than ours, the first start does it.
    """
    theirs, name = settings.DATABASES["default"].get("EMBEDDED"), PREFIX + digest()
    if theirs is None:
        return
    socket_dir = embedded_postgres.start(str(home))
    dumped = _by_tool("pg_dump", embedded_postgres.start(theirs), name)
    _by_tool("psql", socket_dir, embedded_postgres.DATABASE, "--quiet", "--set=ON_ERROR_STOP=1", given=dumped)
    embedded_postgres.leave(str(home))


def _by_tool(tool: str, socket_dir: str, database: str, *more: str, given: str = "") -> str:
    command = [
        str(embedded_postgres.tool(tool)),
        "--host",
        socket_dir,
        "--username",
        "postgres",
        "--dbname",
        database,
        *more,
    ]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout


class House:
    """One `manage.py serve`, of these sources."""

    def __init__(self, home: Path, root: Path = ROOT, **environ: str):
        self.home = home
        self.port = free_port()
        command = [sys.executable, "manage.py", "serve", "--port", str(self.port)]
        self.output = (home / f"serve-{self.port}.log").open("w+")
        self.process = subprocess.Popen(
            command, cwd=root, env=environment(home, **environ), stdout=self.output, stderr=subprocess.STDOUT
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()
        self.output.close()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE)

    @property
    def said(self) -> str:
        return Path(self.output.name).read_text()

    def listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def ready(self) -> Self:
        def serves() -> bool:
            assert self.process.poll() is None, self.said
            try:
                return self.ask("/readyz/").status == 200
            except OSError:
                return False

        until(serves)
        return self

    def ask(self, path: str, method: str = "GET", body: Any = None, **headers: str) -> Answer:
        said = None if body is None else body if isinstance(body, str) else json.dumps(body)
        kind = {} if body is None or "Content_Type" in headers else {"Content-Type": "application/json"}
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        began = time.monotonic()
        try:
            line.request(method, path, said, kind | named)
            response = line.getresponse()
            read = response.read().decode()
        finally:
            line.close()
        return Answer(response.status, response.headers, read, time.monotonic() - began)

    @property
    def password(self) -> str:
        return (self.home / "first-password").read_text().strip()

    def token(self) -> str:
        """The value of an Authorization header that signs the first user in."""
        basic = "Basic " + base64.b64encode(f"gm:{self.password}".encode()).decode()
        return f"Token {self.ask('/api/v1/auth/token/', 'POST', {}, Authorization=basic).json['token']}"

    def cookies(self) -> str:
        """A Cookie header with the session of the first user."""
        form = self.ask("/accounts/login/")
        csrf = _cookies(form)["csrftoken"]
        body = f"login=gm&password={self.password}&csrfmiddlewaretoken={csrf}"
        kind = "application/x-www-form-urlencoded"
        done = self.ask("/accounts/login/", "POST", body, Content_Type=kind, Cookie=f"csrftoken={csrf}")
        return "; ".join(f"{name}={value}" for name, value in {"csrftoken": csrf, **_cookies(done)}.items())


def _cookies(answer: Answer) -> dict[str, str]:
    found = SimpleCookie("; ".join(one.split(";")[0] for one in answer.headers.get_all("Set-Cookie") or ()))
    return {name: morsel.value for name, morsel in found.items()}


class Postgres:
    """The embedded server of a home, as the operating system sees it."""

    def __init__(self, home: Path):
        self.data = home / "postgres"

    @property
    def postmaster(self) -> psutil.Process:
        return psutil.Process(int((self.data / "postmaster.pid").read_text().split("\n", 1)[0]))

    def kill(self) -> None:
        """kill -9, and nothing else: what hangs on it is left to itself."""
        self.postmaster.kill()

    def processes(self) -> list[psutil.Process]:
        return [self.postmaster, *self.postmaster.children(recursive=True)]

    def freeze(self) -> list[psutil.Process]:
        frozen = self.processes()
        for process in frozen:
            process.suspend()
        return frozen

    def starts(self) -> int:
        return (self.data / "log").read_text(errors="replace").count("ready to accept connections")

    def connect(self, database: str = "warhost") -> psycopg.Connection[Any]:
        return psycopg.connect(host=str(self.data), user="postgres", dbname=database, autocommit=True)
