"""Shared parts of the API of reformed armies, under any ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from rest_framework import serializers

from armies.forces.access import list_armies
from armies.models import Army
from armies.reform.plans import MOST_ARMIES, leader_of
from core.api.problems import NotVisible
from core.api.serializers import Input
from kingdom.access.queries import require_runs
from kingdom.models import User


class ReformInputBase(Input):
    armies = serializers.ListField(child=serializers.UUIDField(), required=False, max_length=MOST_ARMIES - 1)
    confirm = serializers.BooleanField(required=False, default=False)
    mark = serializers.CharField(required=False, allow_blank=True, max_length=64, default="")


class ReformedBase(serializers.Serializer):
    mark = serializers.CharField()
    gone = serializers.ListField(child=serializers.UUIDField())
    freed = serializers.ListField(child=serializers.UUIDField())


def find_others[A: Army](by: User, army: A, wanted: Sequence[UUID], kind: type[A]) -> list[A]:
    """The other armies that take part, which the user runs. Raises `NotVisible` with the pointer."""
    seen = {row.pk: row for row in list_armies(by, army.campaign, kind).filter(pk__in=wanted)}
    for place, pk in enumerate(wanted):
        if pk not in seen:
            raise NotVisible(f"/armies/{place}")
        require_runs(by, seen[pk].kingdom)
    return [seen[pk] for pk in wanted]


def leaders_by_id(armies: Iterable[Army]) -> dict[UUID, Any]:
    """Commanders of these armies."""
    return {leader.pk: leader for army in armies if (leader := leader_of(army))}


def find_named(rows: Mapping[UUID, Any], pk: UUID | None, pointer: str) -> Any:
    """The row of this id; None for None. Raises `NotVisible` with the pointer for another."""
    if pk is not None and pk not in rows:
        raise NotVisible(pointer)
    return rows[pk] if pk is not None else None
