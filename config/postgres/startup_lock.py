"""Start-up lock: what only one process may do at a time, several that start at once do one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from django.db import connections

# Advisory locks of the database, so they hold for processes on several machines too. The kernel of the database
# opens the lock of a process that dies.
MIGRATING = 0x57A6_0001
SETTLING_IN = 0x57A6_0002


@contextmanager
def startup_lock(key: int, *, waiting: Callable[[], object], database: str = "default") -> Iterator[None]:
    """Nobody else is in the same place of the same database meanwhile. `waiting` is called when somebody is."""
    with closing(connections[database].copy()) as line, line.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [key])
        if cursor.fetchone() != (True,):
            waiting()
            cursor.execute("SELECT pg_advisory_lock(%s)", [key])
        yield
