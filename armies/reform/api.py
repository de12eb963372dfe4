"""Shared parts of the API of reformed armies, under any ruleset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from rest_framework import serializers

from armies.forces.access import list_armies
from armies.models import Army
from armies.reform.plans import MOST_ARMIES, Reformation, leader_of
from core.api.problems import NotVisible
from core.api.serializers import Input
from core.clean_input import NAME_MAX
from kingdom.access.queries import require_runs
from kingdom.api.fields import NameField
from kingdom.models import User


class ReformInputBase(Input):
    armies = serializers.ListField(child=serializers.UUIDField(), required=False, max_length=MOST_ARMIES - 1)
    confirm = serializers.BooleanField(required=False, default=False)
    mark = serializers.CharField(required=False, allow_blank=True, max_length=64, default="")


class PartInputBase(Input):
    army = serializers.UUIDField(required=False, allow_null=True)
    name = NameField(max_length=NAME_MAX, required=False)
    commander = serializers.UUIDField(required=False, allow_null=True)


class ReformedBase(serializers.Serializer):
    mark = serializers.CharField()
    gone = serializers.ListField(child=serializers.UUIDField())
    freed = serializers.ListField(child=serializers.UUIDField())


class PartRead[A: Army](NamedTuple):
    """Army, name and commander of a requested part, for `WantedPart`. `armies`: all that take part, by id."""

    army: A | None
    name: str
    commander: Any
    armies: Mapping[UUID, A]


def read_request[A: Army](
    by: User, army: A, given: Mapping[str, Any], read_part: Callable[[PartRead[A], Mapping[str, Any], str], Any]
) -> dict[str, Any]:
    """The arguments of the ruleset's services. `read_part(whom, given, pointer)` makes a part of what is given of it.
    Raises `NotVisible` with the pointer.
    """
    others = find_others(by, army, given.get("armies", []), type(army))
    armies = {one.pk: one for one in (army, *others)}
    parts = [
        read_part(_read_whom(part, armies, f"/parts/{place}"), part, f"/parts/{place}")
        for place, part in enumerate(given.get("parts", []))
    ]
    return {"army": army, "others": others, "parts": parts}


def _read_whom[A: Army](given: Mapping[str, Any], armies: Mapping[UUID, A], at: str) -> PartRead[A]:
    return PartRead(
        find_named(armies, given.get("army"), f"{at}/army"),
        given.get("name", ""),
        find_named(leaders_by_id(armies.values()), given.get("commander"), f"{at}/commander"),
        armies,
    )


def describe_plan(plan: Reformation[Any, Any], describe: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    """The answer. `describe(formed)` returns the ruleset's members of a resulting army."""
    rows = plan.rows or [one.army for one in plan.formed]
    return {
        "mark": plan.mark,
        "armies": [
            {"army": row.pk if row else None, "name": one.name,
             "commander": one.commander.pk if one.commander else None, **describe(one)}
            for one, row in zip(plan.formed, rows, strict=True)
        ],
        "gone": [army.pk for army in plan.gone],
        "freed": [commander.pk for commander in plan.freed],
    }  # fmt: skip


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
