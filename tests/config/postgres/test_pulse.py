"""The pulse of the database: which connections it cuts, and which it leaves alone."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from django.db import connection

from config.postgres import base
from config.postgres.base import Pulse


@pytest.fixture
def held(db: None) -> Iterator[tuple[Pulse, psycopg.Connection]]:
    """A pulse that does not beat, and a good connection it holds an end of."""
    verdict = Pulse(lambda: None)
    connection.ensure_connection()
    params = {**connection.get_connection_params(), "autocommit": True}
    with psycopg.connect(**params) as line:
        verdict.hold(line)
        yield verdict, line


@pytest.fixture(autouse=True)
def _no_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "_forget_pool", lambda: None)


def test_a_connection_made_since_the_pulse_lost_its_own_is_not_cut_under_a_database_that_lives(held):
    """The thread may hear of the loss late: by then requests have made connections that are good."""
    verdict, line = held
    verdict._lost(silent=False)
    verdict._found()
    assert line.execute("SELECT 1").fetchone() == (1,)
    assert not verdict.away


@pytest.mark.parametrize("lose", [lambda v: v._lost(silent=True), lambda v: v._miss("refused")])
def test_connections_to_a_database_that_is_away_are_cut(held, lose):
    verdict, line = held
    lose(verdict)
    assert verdict.away
    with pytest.raises(psycopg.OperationalError):
        line.execute("SELECT 1")
