"""The disk is really full: a small one is mounted for the home."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from tests.config.house import Answer, House, Postgres, until
from tests.faults.report import told

SIZE = "224m"


@pytest.fixture
def small_disk() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="warhost-") as directory:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=755", "tmpfs", directory]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
            pytest.skip("only root may mount a small disk")
        try:
            yield Path(directory)
        finally:
            subprocess.run(["umount", "--lazy", directory], check=True)


def fill(disk: Path) -> Path:
    filler = disk / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(65536) if os.statvfs(disk).f_bavail > 16 else bytes(1024))
    return filler


def found_campaigns(house: House, token: str) -> Answer:
    """Found one campaign after the other until that is refused."""
    for number in range(2_000):
        body = {"name": f"Campaign {number}", "ruleset": "combat-de-masse"}
        answer = house.ask("/api/v1/campaigns/", "POST", body, Authorization=token)
        if answer.status != 201:
            return answer
    raise AssertionError("the disk never became full")


@pytest.mark.slow
def test_a_full_disk_is_told_and_everything_goes_on_once_there_is_room(small_disk):
    postgres = Postgres(small_disk)
    with House(small_disk) as house:
        token = house.ready().token()
        line = postgres.connect()  # a new one would need room for what it reads of the tables
        filler = fill(small_disk)

        refused = found_campaigns(house, token)
        assert refused.status in {503, 507}, refused.body
        assert refused.headers["Content-Type"] == "application/problem+json"
        assert "Nothing was saved" in refused.json["detail"]
        assert house.process.poll() is None

        with suppress(psycopg.Error), line:
            for _ in range(20):  # sooner or later the log itself finds no room, and PostgreSQL goes down
                line.execute("SELECT pg_logical_emit_message(true, 'fill', repeat('x', 1000000))")
                line.execute("SELECT pg_switch_wal()")
        until(lambda: house.ask("/readyz/").status == 503)
        assert house.ask("/").seconds < 2

        filler.unlink()
        back = until(lambda: house.ask("/readyz/").status == 200)
        body = {"name": "After all", "ruleset": "combat-de-masse"}
        assert house.ask("/api/v1/campaigns/", "POST", body, Authorization=token).status == 201
        told("disk full", disk=SIZE, refused_s=round(refused.seconds, 3), back_s=round(back, 3))
