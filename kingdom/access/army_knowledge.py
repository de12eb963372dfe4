"""Knowledge of others' armies: the conditions of what a user may know, and the armies they know nothing of.

Of an army that is not theirs a player knows the most of (`Knowledge`):

    its campaign's ground        what it says of all others' armies; that it takes the field in sight of the table tells
                                 its name
    met                          what the campaign says of those their kingdoms have met: in a battle, or seen on a map
    insight                      what the GM's spies and allies tell one of their kingdoms
    revealed                     everything
    hidden                       nothing, whatever else holds: for them there is no such army
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
    """What players of some kingdoms were told of others' armies: which they met, and what spies and allies tell of an
    army, or of all armies of a kingdom, up to a level.
    """

    met: frozenset[UUID]
    armies: frozenset[tuple[UUID, int]]
    realms: frozenset[tuple[UUID, int]]

    def build_condition(self, level: int) -> Q:
        """The condition on armies of which they know at least so much, as long as these are not hidden."""
        shown = Q(revealed=True) | Q(campaign__others_known__gte=level)
        shown |= Q(pk__in=[army for army, told in self.armies if told >= level])
        shown |= Q(kingdom__in=[realm for realm, told in self.realms if told >= level])
        if level == Knowledge.NAME:
            return shown | Q(pk__in=self.met) | _sits_in(*(seat._default_manager.all() for seat in list_seat_models()))
        return shown | Q(pk__in=self.met, campaign__met_known__gte=level)


NOTHING_TOLD = ToldArmies(frozenset(), frozenset(), frozenset())
MET = -1  # stands where insight has its level
NOBODY, UNGRADED = Value(None, UUIDField()), Value(MET, IntegerField())


def load_told_armies(kingdoms: Collection[UUID]) -> ToldArmies:
    """One query, once in a request."""
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
    """What a reader may know of armies: of all those they read by their seats, of others what was told them."""

    seats: Seats
    told: ToldArmies

    def build_condition(self, level: int) -> Q:
        """The condition on armies of which they know at least so much."""
        reads, played = self.seats.build_reads_condition(), self.seats.list_campaigns((Role.PLAYER,))
        if not played:  # who only leads or watches reads all of these anyway
            return reads
        return reads | (Q(hidden=False, campaign__in=played) & self.told.build_condition(level))


def load_army_knowledge(user: User) -> ArmyKnowledge:
    """Two queries at most, once in a request."""
    seats = load_seats(user)
    return ArmyKnowledge(seats, load_told_armies(seats.plays))


def build_knowledge_condition(user: User, level: int = Knowledge.ALL) -> Q:
    """The condition on armies of which the user knows at least so much."""
    return load_army_knowledge(user).build_condition(level)


def build_told_condition(kingdoms: Collection[UUID], level: int = Knowledge.ALL) -> Q:
    """The condition on others' armies of which players of these kingdoms know at least so much."""
    return Q(hidden=False) & build_shown_condition(kingdoms, level)


def build_shown_condition(kingdoms: Collection[UUID], level: int = Knowledge.ALL) -> Q:
    """The same with those that are hidden by now: what was told of them in battles stays told there."""
    return load_told_armies(kingdoms).build_condition(level)


def _sits_in(*seats: QuerySet[Any]) -> Q:
    """The condition on armies that one of these seats is of."""
    return reduce(Q.__or__, (Q(Exists(some.filter(army=OuterRef("pk")))) for some in seats), Q())


def list_untold_armies(user: User) -> ArmyQuerySet[Army]:
    """Armies of which the user may not even know the names."""
    return rows_of(Army).filter(~build_knowledge_condition(user, Knowledge.NAME))


def list_untold_deleted_armies(user: User) -> QuerySet[DeletedRow]:
    """Those struck from the rolls while they were hidden from them: their names stay so."""
    struck = DeletedRow.objects.filter(kind="army", hidden=True, entry__undone_at=None)
    return struck.filter(~build_reads_condition(user))
