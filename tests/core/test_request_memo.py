"""The memo of a request: what is read once, and until when."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.http import HttpResponse

from core.request_memo import RequestMemo, read_once
from kingdom.access.queries import list_seats
from kingdom.models import Campaign, Membership
from tests.battles.conftest import make_table
from tests.kingdom.conftest import client_of, make_user


@pytest.fixture
def reads() -> list[int]:
    return []


def within(view) -> None:
    """The view, in a request."""
    RequestMemo(lambda _request: view() or HttpResponse())(None)


def read(reads: list[int]) -> int:
    return read_once("key", lambda: reads.append(1) or len(reads))


def test_a_request_reads_once_until_it_writes_or_locks(db, reads, table):
    def view():
        assert [read(reads), read(reads)] == [1, 1]
        assert Campaign.objects.filter(pk=table.campaign.pk).exists()
        assert read(reads) == 1
        Campaign.objects.filter(pk=table.campaign.pk).update(day=3)
        assert [read(reads), read(reads)] == [2, 2]
        with transaction.atomic():
            assert Campaign.objects.select_for_update().get(pk=table.campaign.pk).day == 3
            assert read(reads) == 3
        with connection.cursor() as cursor:
            cursor.execute("WITH told AS (UPDATE kingdom_campaign SET day = 4 RETURNING id) SELECT id FROM told")
        assert read(reads) == 4

    within(view)


def test_another_request_and_whoever_is_in_none_read_anew(db, reads):
    within(lambda: read(reads) and None)
    within(lambda: read(reads) and None)
    assert [read(reads), read(reads)] == [3, 4]


def test_a_seat_that_is_taken_away_within_a_request_counts_no_more(table):
    def view():
        assert list_seats(table.gm) == [table.campaign.pk]
        Membership.objects.filter(user=table.gm).delete()
        assert list_seats(table.gm) == []

    within(view)


@pytest.mark.django_db(transaction=True)
def test_what_was_read_in_a_transaction_that_is_rolled_back_counts_no_more():
    table = make_table(make_user("gm"))

    def view():
        with transaction.atomic():
            Membership.objects.filter(user=table.gm).delete()
            assert list_seats(table.gm) == []
            transaction.set_rollback(True)
        assert list_seats(table.gm) == [table.campaign.pk]

    within(view)


def test_a_page_reads_the_seats_of_its_reader_once(table, django_assert_max_num_queries):
    client = client_of(table.gm)
    client.get("/")
    with django_assert_max_num_queries(12) as asked:
        assert client.get(f"/find/choices/?q=crown&campaign={table.campaign.pk}").status_code == 200
    seats = [one["sql"] for one in asked.captured_queries if 'FROM "kingdom_membership" WHERE' in one["sql"]]
    assert len([sql for sql in seats if sql.startswith('SELECT "kingdom_membership"')]) == 1
