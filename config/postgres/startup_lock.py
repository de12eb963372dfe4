"""Start-up lock in the database: processes that start at once do certain steps one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from django.db import connections

# Advisory locks of the database also work for processes on several machines. PostgreSQL releases the lock of a process
# that dies.
MIGRATING = 0x57A6_0001
SETTLING_IN = 0x57A6_0002


@contextmanager
def startup_lock(key: int, *, waiting: Callable[[], object], database: str = "default") -> Iterator[None]:
    """Hold the advisory lock with this key. `waiting` is called if another process holds it."""
    with closing(connections[database].copy()) as line, line.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [key])
        if cursor.fetchone() != (True,):
            waiting()
            cursor.execute("SELECT pg_advisory_lock(%s)", [key])
        yield
