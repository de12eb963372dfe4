"""The pool of connections, which a serving process opens after its first threads have connected."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import cast

import pytest
from django.conf import settings
from django.db import connection, connections

from config.postgres.base import DatabaseWrapper


@pytest.fixture
def pool_afterwards():
    """Opens the pool when it is called."""
    options = connections.settings["default"].setdefault("OPTIONS", {})
    yield lambda: options.update(pool=settings.DATABASE_POOL)
    options.pop("pool", None)
    DatabaseWrapper._connection_pools.pop("default").close()


@pytest.mark.django_db
def test_a_thread_that_connected_before_the_pool_was_opened_lets_go_of_its_connection(pool_afterwards):
    def ask() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")

    with ThreadPoolExecutor(1) as thread:
        thread.submit(ask).result()
        its_own = thread.submit(lambda: connection.connection).result()
        pool_afterwards()
        thread.submit(connections.close_all).result()
        assert its_own.closed
        thread.submit(ask).result()
        lent = thread.submit(lambda: connection.connection).result()
        assert lent._pool is thread.submit(lambda: cast(DatabaseWrapper, connections["default"]).pool).result()
        thread.submit(connections.close_all).result()
        assert not lent.closed, "it is given back, for the next one"
