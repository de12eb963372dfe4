"""What was planned once on a connection stays planned when something is taken back there."""

from __future__ import annotations

import pytest
from django.db import connection, transaction

from kingdom.prepared import planned_once
from tests.databases import tried

pytestmark = pytest.mark.django_db
ASKED = "SELECT %s::int + 1 AS planned_once_and_kept"


def ask() -> int:
    with planned_once() as cursor:
        cursor.execute(ASKED, [41])
        return int(cursor.fetchone()[0])


def plans() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%planned_once_and_kept'")
        return int(cursor.fetchone()[0])


def test_a_plan_outlives_what_is_taken_back():
    assert (ask(), plans()) == (42, 1)
    with tried():
        ask()
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        _ = 1 // 0
    assert (ask(), plans()) == (42, 1)


def test_a_plan_is_made_anew_after_a_table_has_gone():
    ask()
    with tried(), connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE gone (id int)")
        cursor.execute("DROP TABLE gone")
        assert plans() == 0
        assert (ask(), plans()) == (42, 1)
