"""Conditions on how much a user may know of other people's armies, and querysets of armies they know nothing of.

A player knows an army that is not theirs at the highest level (`Knowledge`) that any of these gives:

  campaign default   the campaign's level for all other armies; the name of every army that is or was in a battle
  met                the campaign's level for armies their kingdoms have met: in a battle, or seen on a map
  insight            the level that spies and allies give one of their kingdoms, as set by the GM
  revealed           everything
  hidden             nothing, whatever else applies: such an army does not exist for them
"""

from __future__ import annotations

from collections.abc import Collection
from functools import reduce
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Exists, IntegerField, OuterRef, Q, QuerySet, UUIDField, Value

from armies.models import Army, ArmyQuerySet, Insight, Sighting, list_seat_models, rows_of
from core.request_memo import read_once
from kingdom.access.queries import Seats, build_reads_condition, load_seats
from kingdom.models import DeletedRow, Knowledge, Role, User


class ToldArmies(NamedTuple):
    """What some kingdoms know of other armies: the ids of armies they have met, and pairs (id, `Knowledge` level) of
    insights into single armies and into all armies of a kingdom (`realms`).
    """

    met: frozenset[UUID]
    armies: frozenset[tuple[UUID, int]]
    realms: frozenset[tuple[UUID, int]]

    def build_condition(self, level: int) -> Q:
        """Return the condition on armies known at `level` or better, without regard to whether they are hidden."""
        shown = Q(revealed=True) | Q(campaign__others_known__gte=level)
        shown |= Q(pk__in=[army for army, told in self.armies if told >= level])
        shown |= Q(kingdom__in=[realm for realm, told in self.realms if told >= level])
        if level == Knowledge.NAME:
            return shown | Q(pk__in=self.met) | _sits_in(*(seat._default_manager.all() for seat in list_seat_models()))
        return shown | Q(pk__in=self.met, campaign__met_known__gte=level)


NOTHING_TOLD = ToldArmies(frozenset(), frozenset(), frozenset())
MET = -1  # stands in for the level of an insight
NOBODY, UNGRADED = Value(None, UUIDField()), Value(MET, IntegerField())


def load_told_armies(kingdoms: Collection[UUID]) -> ToldArmies:
    """Return what these kingdoms know of other armies. One query, cached for the request."""
    if not kingdoms:
        return NOTHING_TOLD
    return read_once(("told armies", frozenset(kingdoms)), lambda: _load_told_armies(kingdoms))


def _load_told_armies(kingdoms: Collection[UUID]) -> ToldArmies:
    own, mutual = Insight.objects.filter(kingdom__in=kingdoms), Insight.objects.filter(mutual=True, realm__in=kingdoms)
    met = [Sighting.objects.filter(kingdom__in=kingdoms), *(seat.list_met_by(kingdoms) for seat in list_seat_models())]
    first, *more = (
        own.order_by().values_list("army", "realm", "level"),
        mutual.order_by().values_list(NOBODY, "kingdom", "level"),
        *(rows.order_by().values_list("army", NOBODY, UNGRADED) for rows in met),
    )
    found = list(first.union(*more).order_by())
    return ToldArmies(
        met=frozenset(army for army, _realm, level in found if level == MET),
        armies=frozenset((army, level) for army, _realm, level in found if army and level != MET),
        realms=frozenset((realm, level) for _army, realm, level in found if realm),
    )


class ArmyKnowledge(NamedTuple):
    """What a reader may know of armies: all of those they may read, and of others what their kingdoms were told."""

    seats: Seats
    told: ToldArmies

    def build_condition(self, level: int) -> Q:
        """Return the condition on armies that the reader knows at `level` or better."""
        reads, played = self.seats.build_reads_condition(), self.seats.list_campaigns((Role.PLAYER,))
        if not played:  # a GM or viewer reads all of these anyway
            return reads
        return reads | (Q(hidden=False, campaign__in=played) & self.told.build_condition(level))


def load_army_knowledge(user: User) -> ArmyKnowledge:
    """Return what the user may know of armies. Two queries at most, cached for the request."""
    seats = load_seats(user)
    return ArmyKnowledge(seats, load_told_armies(seats.plays))


def build_knowledge_condition(user: User, level: int = Knowledge.ALL) -> Q:
    """Return the condition on armies that the user knows at `level` or better."""
    return load_army_knowledge(user).build_condition(level)


def build_told_condition(kingdoms: Collection[UUID], level: int = Knowledge.ALL) -> Q:
    """Return the condition on other people's armies that players of these kingdoms know at `level` or better."""
    return Q(hidden=False) & build_shown_condition(kingdoms, level)


def build_shown_condition(kingdoms: Collection[UUID], level: int = Knowledge.ALL) -> Q:
    """Return the same condition, hidden armies included: what a battle has shown of an army stays known there."""
    return load_told_armies(kingdoms).build_condition(level)


def _sits_in(*seats: QuerySet[Any]) -> Q:
    """Return the condition on armies that one of these seats is for: in a battle, or in another event of a ruleset."""
    return reduce(Q.__or__, (Q(Exists(some.filter(army=OuterRef("pk")))) for some in seats), Q())


def list_untold_armies(user: User) -> ArmyQuerySet[Army]:
    """Return the armies of which the user may not even know the names."""
    return rows_of(Army).filter(~build_knowledge_condition(user, Knowledge.NAME))


def list_untold_deleted_armies(user: User) -> QuerySet[DeletedRow]:
    """Return the deleted armies that were hidden from the user when they were deleted: their names stay secret."""
    struck = DeletedRow.objects.filter(kind="army", hidden=True, entry__undone_at=None)
    return struck.filter(~build_reads_condition(user))
