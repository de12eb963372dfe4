"""Queries put together once answer as the querysets they are made of."""

from __future__ import annotations

from threading import Barrier, Thread
from typing import Any
from unittest.mock import patch
from uuid import UUID

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.contenttypes.models import ContentType
from django.db import DatabaseError, connection
from django.db.models import CharField, Exists, F, OuterRef, Q, Value, Window
from django.db.models.functions import RowNumber
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from core.db.compiled_queries import CompiledCondition, CompiledQuery, CompiledQueryForUser
from core.db.compiled_writes import insert, update
from kingdom.access.queries import build_reads_condition
from kingdom.models import Campaign, Kingdom, Membership, Settlement, User
from kingdom.realms.services import assign_player
from tests.everyday import at_most
from tests.kingdom.conftest import seat


def kingdom_of(kingdom: UUID, user: UUID) -> Any:
    rows = Kingdom.objects.filter(pk=kingdom, campaign__memberships__user=user).select_related("campaign")
    return rows.defer("arms").annotate(seat=F("campaign__memberships__role"))


def test_instances_come_as_the_queryset_gives_them(table):
    ask, who = CompiledQuery(kingdom_of, UUID, UUID), (table.crown.pk, table.gm.pk)
    wanted = kingdom_of(*who).get()
    for _again in range(2):
        with CaptureQueriesContext(connection) as asked:
            found = ask.first(*who)
            assert found == wanted
            assert found.campaign.calendar == wanted.campaign.calendar
            assert found.seat == "gm"
        assert len(asked) == 1
        assert found.get_deferred_fields() == {"arms"}
        assert {k: v for k, v in vars(found).items() if k != "_state"} == {
            k: v for k, v in vars(wanted).items() if k != "_state"
        }
        assert found.arms == table.crown.arms
        found.name = "Crown of old"
        found.save(update_fields=["name"])
        Kingdom.objects.filter(pk=found.pk).update(name=wanted.name)


def test_values_come_as_rows(table):
    rows = CompiledQuery(lambda campaign: Kingdom.objects.filter(campaign=campaign).values_list("pk", "arms"), UUID)
    found = rows(table.campaign.pk)
    assert [tuple(row) for row in found] == list(
        Kingdom.objects.filter(campaign=table.campaign).values_list("pk", "arms")
    )


def test_rows_are_locked_within_a_transaction_and_refused_outside_of_one(table):
    ask = CompiledQuery(lambda kingdom: Kingdom.objects.filter(pk=kingdom).select_for_update(), UUID)
    assert ask.first(table.crown.pk) == table.crown
    with patch.object(connection, "get_autocommit", return_value=True), pytest.raises(TransactionManagementError):
        ask.first(table.crown.pk)


def test_each_who_asks_gets_his_own(table):
    ask = CompiledQuery(
        lambda campaign, user: Membership.objects.filter(campaign=campaign, user=user).values_list("role"), UUID, UUID
    )
    bo = User.objects.create_user(username="bo-of-the-hills")
    seat(table.gm, table.campaign, bo, "viewer")
    assert tuple(ask.first(table.campaign.pk, table.gm.pk)) == ("gm",)
    assert tuple(ask.first(table.campaign.pk, bo.pk)) == ("viewer",)
    stranger = User.objects.create_user(username="nobody-here")
    assert ask.first(table.campaign.pk, stranger.pk) is None
    assert ask.first(None, table.gm.pk) is None


def test_many_threads_put_together_one_query_and_each_gets_his_own(db):
    """Each has a connection of its own, and asks at the same moment while nothing is put together yet."""
    ask = CompiledQuery(lambda user: User.objects.filter(pk=user), UUID)
    echo = CompiledQuery(_echoed, str)
    begun, told = Barrier(8), dict[int, list[Any]]()

    def asking(number: int) -> None:
        try:
            begun.wait(10)
            told[number] = [echo.first(f"{number}-{turn}")[0] for turn in range(50)]
            assert ask(UUID(int=number)) == []
        finally:
            connection.close()

    threads = [Thread(target=asking, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert told == {number: [f"{number}-{turn}" for turn in range(50)] for number in range(8)}


def _echoed(text: str) -> Any:
    return ContentType.objects.order_by("pk").values_list(Value(text, output_field=CharField()))[:1]


def test_what_is_no_parameter_of_the_query_is_refused():
    ask = CompiledQuery(lambda campaign, _user: Campaign.objects.filter(pk=campaign), UUID, UUID)
    with pytest.raises(ValueError, match="parameter"):
        ask(UUID(int=1), UUID(int=2))


def test_a_row_is_written_as_it_is_saved(table):
    one, other = (Kingdom(campaign=table.campaign, name="Twin", arms={"field": "or"}, economy=3) for _ in range(2))
    other.pk = UUID(int=7)
    one.save()
    with CaptureQueriesContext(connection) as asked:
        insert(other)
    assert len(asked) == 1
    assert not other._state.adding
    rows = Kingdom.objects.filter(name="Twin").values()
    assert len({str({k: v for k, v in row.items() if k not in ("id", "created_at")}) for row in rows}) == 1
    other.name, other.arms, other.economy = "Elder", {"field": "gules"}, 9
    update(other, "name", "arms")
    assert Kingdom.objects.values_list("name", "arms", "economy").get(pk=other.pk) == ("Elder", {"field": "gules"}, 3)
    assert Kingdom.objects.get(pk=one.pk).name == "Twin"


def test_a_row_that_is_gone_is_not_written(table):
    gone = Kingdom(campaign=table.campaign, name="Gone")
    with pytest.raises(DatabaseError, match="no such row"):
        update(gone, "name")


def test_one_of_many_is_asked_in_one_parameter(table):
    ask = CompiledQuery(lambda ids: Kingdom.objects.filter(pk__among=ids).order_by("id"), list)
    own = [kingdom.pk for kingdom in Kingdom.objects.filter(campaign=table.campaign).order_by("id")]
    assert len(own) > 1
    for asked in (own, own[:1], own[1:], []):
        assert [kingdom.pk for kingdom in ask(asked)] == asked
    assert "ANY" in str(Kingdom.objects.filter(pk__among=own).query)


@pytest.mark.parametrize("below", ["settlements", "players"])  # of many to one, and of many to many
def test_what_stands_below_the_rows_comes_as_it_is_prefetched(table, below):
    for kingdom in (table.crown, table.horde):
        assign_player(by=table.gm, kingdom=kingdom, player=table.gm)
        for town in ("Olding", "Aldmere"):
            Settlement.objects.create(campaign=table.campaign, kingdom=kingdom, name=f"{town} of {kingdom.name}")
    rows = lambda campaign: Kingdom.objects.filter(campaign=campaign).prefetch_related(below)  # noqa: E731
    ask, wanted = CompiledQuery(rows, UUID), list(rows(table.campaign.pk))
    for _again in range(2):
        with CaptureQueriesContext(connection) as asked:
            found = ask(table.campaign.pk)
            assert [list(getattr(one, below).all()) for one in found] == [
                list(getattr(one, below).all()) for one in wanted
            ]
            if below == "settlements":
                assert all(town.kingdom is one for one in found for town in one.settlements.all())
        assert len(asked) == 2, "rows, and once what stands below all of them"
        assert getattr(found[0], below).filter(pk=None).count() == 0, "it may be asked further"
    Kingdom.objects.filter(campaign=table.campaign).delete()
    with CaptureQueriesContext(connection) as asked:
        assert ask(table.campaign.pk) == []
    assert len(asked) == 1


def test_a_window_over_rows_is_prepared_as_well(table):
    own = list(Kingdom.objects.filter(campaign=table.campaign).order_by("id"))
    nth = Window(RowNumber(), order_by=["id"])
    ask = CompiledQuery(
        lambda ids, most: Kingdom.objects.filter(pk__among=ids).annotate(nth=nth).filter(nth__lte=most), list, int
    )
    assert [(found, found.nth) for found in ask([one.pk for one in own], 1)] == [(own[0], 1)]


def test_a_reader_is_told_what_his_own_queryset_tells_him(table):
    """It is put together once for all; a token of one campaign and a borrowed seat are asked for as ever."""
    ask = CompiledQueryForUser(
        lambda user, towns: Settlement.objects.filter(build_reads_condition(user), pk__among=towns), list
    )
    towns = [Settlement.objects.create(campaign=table.campaign, kingdom=kingdom, name="Town").pk
             for kingdom in (table.crown, table.horde)]  # fmt: skip
    bound, elsewhere = (User.objects.get(pk=table.gm.pk) for _ in range(2))
    bound.bound_to, elsewhere.bound_to = table.campaign.pk, UUID(int=1)
    supposed = User.objects.get(pk=table.gm.pk)
    supposed.seen_by, supposed.sits_as = table.gm, "player"
    for user, told in ((table.gm, 2), (table.ana, 1), (bound, 2), (elsewhere, 0), (supposed, 0), (AnonymousUser(), 0)):
        assert [row.pk for row in ask(user, towns)] == towns[:told]
        assert ask.count(user, towns) == told


ASKED = CompiledCondition(
    Settlement, lambda user: build_reads_condition(user) | _of_a_twin(user) | Q(campaign__day=7, revealed=True)
)


def _of_a_twin(user: User) -> Q:
    """Their kingdom has a town of this name. The rows it asks for are of the table it is a condition on."""
    twins = Settlement.objects.filter(build_reads_condition(user), name=OuterRef("name"))
    return Q(Exists(twins.exclude(pk=OuterRef("pk"))))


def test_a_condition_put_together_once_is_the_one_it_is_made_of(table):
    """Wherever it stands: alone, denied, within itself, in a query within another, for whoever asks.

    Every day alone for each of them, and in one of the other ways by turns.
    """
    make = Settlement.objects.create
    own = make(campaign=table.campaign, kingdom=table.crown, name="Town")
    twin = make(campaign=table.campaign, kingdom=table.horde, name="Town")
    shown = make(campaign=table.campaign, kingdom=table.horde, name="Shown", revealed=True)
    make(campaign=table.campaign, kingdom=table.horde, name="Lair")
    Campaign.objects.filter(pk=table.campaign.pk).update(day=7)
    supposed = User.objects.get(pk=table.gm.pk)
    supposed.seen_by, supposed.sits_as = table.gm, "player"
    ways = (lambda one: one, lambda one: ~one, lambda one: Q(name="Lair") | one & ~Q(name="Town"), _nested)
    people = (table.gm, table.ana, table.bo, table.viewer, table.stranger, supposed, AnonymousUser())
    for turn, user in enumerate(people):
        for asked in at_most((ways[0], ways[1 + turn % 3]), full=ways):
            once, anew = (Settlement.objects.filter(asked(one)) for one in (ASKED(user), ASKED._build(user)))
            assert set(once) == set(anew), user
    assert set(Settlement.objects.filter(ASKED(table.ana))) == {own, twin, shown}
    assert set(Settlement.objects.filter(ASKED(table.stranger))) == {shown}


def _nested(one: Q) -> Q:
    """Of a kingdom that has such a town beside it: the same tables by the same names, twice."""
    beside = Settlement.objects.filter(one, kingdom=OuterRef("kingdom")).exclude(pk=OuterRef("pk"))
    return one & Q(Exists(Settlement.objects.filter(Q(Exists(beside)) & one, pk=OuterRef("pk"))))


def test_a_condition_may_not_ask_for_its_own_rows_by_a_prepared_query(table):
    """They would go by one name."""
    towns = CompiledQueryForUser(
        lambda user: Settlement.objects.filter(build_reads_condition(user)).order_by().values("pk")
    )
    with pytest.raises(ValueError, match="kingdom_settlement"):
        CompiledCondition(Settlement, lambda user: Q(pk__in=towns.ids(user)))(table.ana)
