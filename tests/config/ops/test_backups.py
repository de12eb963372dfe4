"""Dump → drop → restore → equal, while the server runs."""

from __future__ import annotations

import io
import json
import subprocess
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management.base import CommandError

from config.ops import backups, embedded_postgres
from tests.config.gateway import Gateway
from tests.config.house import House, Postgres, manage, until

TABLES = """SELECT table_name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_name <> 'kingdom_tally' ORDER BY 1"""


@pytest.fixture
def home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="warhost-") as directory:
        yield Path(directory)


def contents(home: Path) -> dict[str, Any]:
    """Every table, as a sum of its rows, but for how often who has asked: whoever looks is counted."""
    with Postgres(home).connect() as line:
        tables = [name for (name,) in line.execute(TABLES).fetchall()]
        rows = "SELECT count(*), md5(string_agg(t::text, '|' ORDER BY t::text)) FROM {} t"
        return {name: line.execute(rows.format(f'"{name}"')).fetchone() for name in tables}


def drop(home: Path) -> None:
    with Postgres(home).connect() as line:
        line.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")


def done(tried: subprocess.CompletedProcess[str]) -> subprocess.CompletedProcess[str]:
    assert tried.returncode == 0, tried.stderr
    return tried


PAUSE = 0.1  # seconds between two questions: a backup that takes long is not to end in “too many requests”


@pytest.mark.slow
def test_what_was_dropped_is_back_and_equal_while_the_server_runs(home):
    file = home / "of-today.warhost"
    with House(home, WARHOST_DEMO="on", WARHOST_WORKERS="2").ready() as house:
        token = house.token()
        read = lambda: house.ask("/api/v1/campaigns/", Authorization=token)  # noqa: E731
        busy, asked = threading.Event(), []

        def players() -> None:
            while not busy.wait(PAUSE):
                asked.append(read().status)

        player = threading.Thread(target=players)
        player.start()
        done(manage(home, "backup", str(file)))
        busy.set()
        player.join()
        assert {*asked} == {200}
        assert file.stat().st_mode & 0o777 == 0o600
        before, campaigns = contents(home), read().json
        house.ask("/api/v1/campaigns/", "POST", {"name": "Later", "ruleset": "combat-de-masse"}, Authorization=token)
        refused = manage(home, "restore", str(file))
        assert (refused.returncode, "add --replace" in refused.stderr) == (1, True)
        assert len(read().json["results"]) == len(campaigns["results"]) + 1
        drop(home)
        assert house.ask("/api/v1/campaigns/", Authorization=token).status >= 500
        done(manage(home, "restore", str(file)))
        assert contents(home) == before
        until(lambda: read().status == 200)
        assert read().json == campaigns
        drop_nothing = done(manage(home, "restore", str(file), "--replace"))
        assert "Restored as it was at" in drop_nothing.stdout
        assert contents(home) == before
        done(manage(home, "check"))


@pytest.mark.slow
def test_a_backup_moves_to_another_home_with_its_keys_and_a_broken_one_changes_nothing(home):
    file = home / "file"
    with House(home).ready() as house:
        password = house.password
        done(manage(home, "backup", str(file)))
    with tempfile.TemporaryDirectory(prefix="warhost-") as other:
        done(manage(Path(other), "restore", str(file)))
        for name in backups.KEYS:
            assert (Path(other) / name).read_text() == (home / name).read_text()
        with House(Path(other)).ready() as house:
            assert house.password == password
            assert house.token()
            before = contents(Path(other))
            whole = file.read_bytes()
            file.write_bytes(whole[: len(whole) * 2 // 3])
            broken = manage(Path(other), "restore", str(file), "--replace")
            assert broken.returncode == 1
            assert "Traceback" not in broken.stderr
            assert contents(Path(other)) == before


@pytest.mark.slow
def test_a_database_of_yours_is_backed_up_over_the_network(home):
    with House(home).ready(), Gateway(f"{home}/postgres/.s.PGSQL.5432") as gateway:
        with Postgres(home).connect() as line:
            line.execute("CREATE DATABASE another")
        url = f"postgres://postgres@127.0.0.1:{gateway.port}"
        done(manage(home, "backup", str(home / "file"), DATABASE_URL=f"{url}/warhost"))
        done(manage(home, "restore", str(home / "file"), DATABASE_URL=f"{url}/another"))
        with Postgres(home).connect("another") as line:
            assert line.execute("SELECT username FROM kingdom_user").fetchall() == [("gm",)]


def test_no_file_is_written_over_unasked(tmp_path):
    (tmp_path / "kept").write_text("something")
    with pytest.raises(CommandError, match="add --replace"):
        backups.back_up(tmp_path / "kept", replace=False)
    with pytest.raises(CommandError, match="no directory"):
        backups.back_up(tmp_path / "nowhere" / "file", replace=False)
    assert (tmp_path / "kept").read_text() == "something"


def packed(path: Path, **parts: bytes) -> Path:
    with tarfile.open(path, "w") as tar:
        for name, content in parts.items():
            member = tarfile.TarInfo(name.replace("_", "."))
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return path


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: path, "There is no file"),
        (lambda path: path.write_bytes(b"") and path, "cannot be read|no file|no backup"),
        (lambda path: path.write_bytes(b"no tar at all" * 99), "cannot be read as a backup"),
        (lambda path: packed(path, other=b"x"), "no backup that this version can read"),
        (lambda path: packed(path, about_json=b"[]", database_dump=b"x"), "no backup that this version can read"),
        (lambda path: packed(path, about_json=b'{"format": 99}', database_dump=b"x"), "no backup that this version"),
        (
            lambda path: packed(
                path,
                about_json=json.dumps({"format": 1, "at": "now", "migrations": ["kingdom.9999_later"]}).encode(),
                database_dump=b"x",
            ),
            "of a newer version of Warhost .it has kingdom.9999_later",
        ),
    ],
)
def test_what_is_no_backup_is_refused_in_words(tmp_path, db, make, said):
    path = tmp_path / "file"
    make(path)
    with pytest.raises(CommandError, match=said):
        backups.restore(path, replace=False, say=print)


def test_a_missing_or_old_tool_is_named_with_its_package(monkeypatch, tmp_path):
    monkeypatch.setattr(embedded_postgres, "tool", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CommandError, match="postgresql-client-18"):
        backups.find_tool("pg_dump", 18)
    (tmp_path / "pg_dump").write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 15.18 (Debian)'\n")
    (tmp_path / "pg_dump").chmod(0o755)
    with pytest.raises(CommandError, match="pg_dump of PostgreSQL 18 or newer"):
        backups.find_tool("pg_dump", 18)
    assert backups.find_tool("pg_dump", 15) == tmp_path / "pg_dump"
