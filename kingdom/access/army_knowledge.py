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

from functools import cache, reduce
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from armies.models import Army, ArmyQuerySet, Insight, Sighting, list_seat_models, rows_of
from core.db.compiled_queries import CompiledCondition
from kingdom.access.queries import build_membership_condition, build_reads_condition, list_assigned
from kingdom.models import DeletedRow, Knowledge, User


def build_knowledge_condition(user: User, level: int = Knowledge.ALL) -> Q:
    """The condition on armies of which the user knows at least so much."""
    return _ask_knows(int(level))(user)


@cache
def _ask_knows(level: int) -> CompiledCondition:
    return CompiledCondition(
        Army,
        lambda user: (
            build_reads_condition(user)
            | (build_told_condition(list_assigned(user), level) & build_membership_condition(user))
        ),
    )


def build_told_condition(kingdoms: Any, level: int = Knowledge.ALL) -> Q:
    """The condition on others' armies of which players of these kingdoms (a query of ids) know at least so much."""
    return Q(hidden=False) & build_shown_condition(kingdoms, level)


def build_shown_condition(kingdoms: Any, level: int = Knowledge.ALL) -> Q:
    """The same with those that are hidden by now: what was told of them in battles stays told there."""
    told = Q(revealed=True) | Q(campaign__others_known__gte=level) | _insight(kingdoms, level)
    seats = list_seat_models()
    met = _among(Sighting.objects.filter(kingdom__in=kingdoms), *(model.list_met_by(kingdoms) for model in seats))
    told |= met if level == Knowledge.NAME else met & Q(campaign__met_known__gte=level)
    if level == Knowledge.NAME:
        told |= _among(*(model._default_manager.all() for model in seats))
    return told


def _among(*rows: QuerySet[Any]) -> Q:
    """The condition on armies that one of these rows is about."""
    return reduce(Q.__or__, (Q(Exists(some.filter(army=OuterRef("pk")))) for some in rows), Q())


def _insight(kingdoms: Any, level: int) -> Q:
    """Through spies and allies."""
    rows = Insight.objects.filter(level__gte=level)
    own, theirs = rows.filter(kingdom__in=kingdoms), rows.filter(mutual=True, realm__in=kingdoms)
    return (
        Q(pk__in=own.filter(army__isnull=False).values("army"))
        | Q(kingdom__in=own.filter(realm__isnull=False).values("realm"))
        | Q(kingdom__in=theirs.values("kingdom"))
    )


def list_untold_armies(user: User) -> ArmyQuerySet[Army]:
    """Armies of which the user may not even know the names."""
    return rows_of(Army).filter(~build_knowledge_condition(user, Knowledge.NAME))


def list_untold_deleted_armies(user: User) -> QuerySet[DeletedRow]:
    """Those struck from the rolls while they were hidden from them: their names stay so."""
    struck = DeletedRow.objects.filter(kind="army", hidden=True, entry__undone_at=None)
    return struck.filter(~build_reads_condition(user))
