"""What somebody else does while an order waits for its campaign, and whether anybody waits for a lock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from armies.pathfinder.armies import march_services
from kingdom.chronicle import changes

Strike = Callable[[], None]


@pytest.fixture
def waiting(monkeypatch) -> Any:
    """`with waiting(strike):` whoever takes the campaign's lock in there gets it once somebody else has done that."""
    strikes: list[Strike] = []

    def after_them[**P, R](lock: Callable[P, R]) -> Callable[P, R]:
        def locked(*args: P.args, **given: P.kwargs) -> R:
            while strikes:
                strikes.pop()()
            return lock(*args, **given)

        return locked

    @contextmanager
    def waits(strike: Strike) -> Iterator[None]:
        strikes.append(strike)
        yield
        assert not strikes

    monkeypatch.setattr(changes, "lock", after_them(changes.lock))
    monkeypatch.setattr(march_services, "lock_campaign", after_them(march_services.lock_campaign))
    return waits


def somebody_waits() -> bool:
    """For a lock another holds. Within a transaction PostgreSQL goes on telling who was connected when it was asked
    first, unless it is told to look again.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)"
            " WHERE NOT granted AND locktype <> 'advisory' AND datname = current_database())"
        )
        return cursor.fetchone() == (True,)
