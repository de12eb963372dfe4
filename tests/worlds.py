"""Worlds many tests begin with: the services build them once in a process, afterwards their rows are put back.

    @built_once
    def table(gm, campaign, crown): ...

A world is a fixture that stands on other worlds alone, and on what the test is parametrized with. What a test asks
for of them is remembered together: the rows, and the values as they were when the last of them stood, so that no test
sees what another one changed. Workers of one run tell each other what they remember.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, wraps
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction

from battles.play import battle_state as play_battle_state
from tests.chance import draw_for
from tests.databases import unhindered

Build = Callable[..., Any]
Rows = dict[str, set[str]]
Key = tuple[frozenset[Build], frozenset[tuple[str, str]]]

BASE = frozenset({"db", "transactional_db", "django_user_model"})  # what a world may use beside worlds
COUNTED = {"kingdom_campaign": "revision"}  # how often a row was told of is no part of a world
_builds: set[Build] = set()
_remembered: dict[Key, Remembered] = {}
_standing: dict[Build, Any] = {}


@dataclass(frozen=True, slots=True)
class Remembered:
    """`rows`: statements that put every row back; `values`: what the builds answered, pickled together."""

    rows: str
    builds: tuple[Build, ...]
    values: bytes


@pytest.fixture(scope="session")
def _told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    """Where the workers of this run leave what they remember. None: there are no others."""
    if not hasattr(request.config, "workerinput"):
        return None
    place = tmp_path_factory.getbasetemp().parent / "worlds"
    place.mkdir(exist_ok=True)
    return place


def built_once(build: Build) -> Any:
    """A fixture of this name and these arguments, built once in a process."""
    _builds.add(build)

    @wraps(build)
    def stand(**given: Any) -> Any:
        if build not in _standing:
            draw_for(_named(build))
            _standing[build] = build(**given)
        return _standing[build]

    stand.__signature__ = inspect.signature(build)  # type: ignore[attr-defined]
    return pytest.fixture(stand)


@pytest.fixture(autouse=True)
def _worlds(request: pytest.FixtureRequest) -> None:
    """Before everything else the worlds of the test: nothing else has written rows or patched anything yet."""
    _standing.clear()
    if asked := _asked(request):
        request.getfixturevalue("db")
        _raise(request, asked, frozenset(_chosen(request, asked)))
    draw_for(request.node.nodeid)


def _asked(request: pytest.FixtureRequest) -> dict[str, Build]:
    """The worlds among the fixtures of the test, by name."""
    found = {}
    for name, definitions in request.node._fixtureinfo.name2fixturedefs.items():
        build = _built_by(definitions[-1].func)
        if build in _builds:
            found[name] = build
    for name, build in found.items():
        if others := _needs(build) - found.keys() - BASE - _params(request).keys():
            raise TypeError(f"“{name}” is built once, so {sorted(others)} must be @built_once as well.")
    return found


@cache
def _built_by(fixture: Callable[..., Any]) -> Build:
    return inspect.unwrap(fixture)


@cache
def _needs(build: Build) -> frozenset[str]:
    """The names of its arguments."""
    return frozenset(inspect.signature(build).parameters)


def _params(request: pytest.FixtureRequest) -> dict[str, Any]:
    """What the test is parametrized with, by name."""
    callspec = getattr(request.node, "callspec", None)
    return callspec.params if callspec else {}


def _chosen(request: pytest.FixtureRequest, asked: dict[str, Build]) -> Iterator[tuple[str, str]]:
    """Those of the parameters on which these worlds stand, each as its name says it."""
    names = {name for build in asked.values() for name in _needs(build)}
    return ((name, repr(value)) for name, value in _params(request).items() if name in names)


def _raise(request: pytest.FixtureRequest, asked: dict[str, Build], chosen: frozenset[tuple[str, str]]) -> None:
    key = frozenset(asked.values()), chosen
    place = request.getfixturevalue("_told")
    told = place and place / _name(key)
    if kept := _remembered.get(key) or _read(told, key):
        _remembered[key] = kept
        _put_back(kept)
        return
    before = everything()
    if known := _most_of(key):
        _put_back(known)
    for name in asked:
        request.getfixturevalue(name)
    values, after = pickle.dumps(tuple(_standing.values())), everything()
    # A world that changes rows it did not make cannot be put back.
    assert all(rows <= after[table] for table, rows in before.items()), "a world only adds rows"
    _remembered[key] = Remembered(statements(before, after), tuple(_standing), values)
    _tell(told, _remembered[key])


def _named(build: Build) -> str:
    return f"{build.__module__}.{build.__qualname__}"


def _name(key: Key) -> str:
    """The same in every worker."""
    return hashlib.sha256(repr((sorted(map(_named, key[0])), sorted(key[1]))).encode()).hexdigest()


def _read(told: Path | None, key: Key) -> Remembered | None:
    """What another worker remembers of these worlds."""
    if told is None or not told.exists():
        return None
    rows, names, values = pickle.loads(told.read_bytes())
    known = {_named(build): build for build in key[0]}
    return Remembered(rows, tuple(known[name] for name in names), values)


def _tell(told: Path | None, kept: Remembered) -> None:
    """Rows that the database numbers stay here: the one of another worker would give their numbers again."""
    if told is None or any(f'INSERT INTO "{table}"' in kept.rows for table in _numbering()):
        return
    whole = told.with_suffix(f".{os.getpid()}")
    whole.write_bytes(pickle.dumps((kept.rows, tuple(map(_named, kept.builds)), kept.values)))
    whole.rename(told)


@cache
def _numbering() -> frozenset[str]:
    """The tables whose rows are numbered by the database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid"
            " WHERE relkind = 'r' AND attidentity <> '' AND relnamespace = 'public'::regnamespace"
        )
        return frozenset(name for (name,) in cursor.fetchall())


def _most_of(key: Key) -> Remembered | None:
    """What is remembered of most of these worlds; the others are built upon it."""
    parts = [known for known in _remembered if known[0] <= key[0] and known[1] <= key[1]]
    return _remembered[max(parts, key=lambda known: len(known[0]))] if parts else None


def _put_back(kept: Remembered) -> None:
    """No trigger has a say: what a row points at was there when it was remembered."""
    with transaction.atomic(savepoint=False), connection.cursor() as cursor:
        cursor.execute(unhindered(kept.rows))
    play_battle_state._states.clear()  # a test that changed the law had other states of the same battles
    _standing.update(zip(kept.builds, pickle.loads(kept.values), strict=True))


def everything() -> Rows:
    """Every row of every table."""
    return rows_of(connection.introspection.table_names())


def rows_of(tables: Iterable[str]) -> Rows:
    """Every row of these tables as JSON, which loses nothing of it but how often it was told of (`COUNTED`)."""
    found: Rows = {table: set() for table in tables}
    each = (f"SELECT '{table}', {_as_json(table)}::text FROM \"{table}\" t" for table in found)
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(each))
        for table, row in cursor.fetchall():
            found[table].add(row)
    return found


def _as_json(table: str) -> str:
    return f"(to_jsonb(t) - '{COUNTED[table]}')" if table in COUNTED else "to_json(t)"


def statements(before: Rows, after: Rows) -> str:
    """What makes the rows of before those of after."""
    gone = (_removal(table, sorted(old)) for table, rows in before.items() if (old := rows - after[table]))
    come = (_insertion(table, sorted(new)) for table, rows in after.items() if (new := rows - before[table]))
    return "\n".join((*gone, *come))


def _removal(table: str, rows: list[str]) -> str:
    each = ", ".join("'" + row.replace("'", "''") + "'" for row in rows)
    return f'DELETE FROM "{table}" t WHERE {_as_json(table)}::text IN ({each});'


def _insertion(table: str, rows: list[str]) -> str:
    columns = ", ".join(f'"{name}"' for name in _written(table))
    literal = f"[{','.join(rows)}]".replace("'", "''")
    source = f"json_populate_recordset(NULL::\"{table}\", '{literal}')"
    return f'INSERT INTO "{table}" ({columns}) SELECT {columns} FROM {source};'


def _written(table: str) -> list[str]:
    """The columns of a table that are stored as they are given."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0"
            " AND NOT attisdropped AND attgenerated = '' ORDER BY attnum",
            [f'"{table}"'],
        )
        return [name for (name,) in cursor.fetchall() if COUNTED.get(table) != name]
