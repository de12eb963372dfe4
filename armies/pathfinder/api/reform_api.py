"""API of reformed armies under mass combat: divide, combine, even out, regroup (R-94)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from armies.pathfinder.api.serializers import ArmySerializer
from armies.pathfinder.armies.reform_services import (
    MOST_ARMIES,
    FormedArmy,
    ReformPlan,
    WantedArmy,
    preview_reform,
    preview_regroup,
    reform_armies,
    regroup_army,
)
from armies.pathfinder.armies.reserve_services import call_up_army, reserve_army
from armies.pathfinder.forces.access import armies_of
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from core.api.concurrency import require_mark
from core.api.problems import NotVisible
from core.api.serializers import Input
from core.clean_input import NAME_MAX
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import require_runs
from kingdom.api.base_views import ApiActions
from kingdom.api.fields import NameField, WholeField
from kingdom.approvals.serializers import document_approval
from rules.pathfinder.reform import MOST_PARTS, Troops


class WantedInput(Input):
    """An army that is wanted. `army`: one of those that take part, which goes on as this one; without it a new army
    with this `name`. `commander`: the commander of one of the armies. `resources`: its equipment, by slug.
    """

    count = WholeField()
    army = serializers.UUIDField(required=False, allow_null=True)
    name = NameField(max_length=NAME_MAX, required=False)
    commander = serializers.UUIDField(required=False, allow_null=True)
    resources = serializers.DictField(child=WholeField(), required=False)


class ReformInput(Input):
    """`armies` take part besides this one. Without `parts` they are combined into this army.

    Equipment that no part names goes to the first part, as far as it is enough for it, else to the stores. To confirm,
    send the `mark` of the preview: 428 without it, 412 if the preview would differ by now.
    """

    armies = serializers.ListField(child=serializers.UUIDField(), required=False, max_length=MOST_ARMIES - 1)
    parts = serializers.ListField(child=WantedInput(), required=False, max_length=MOST_PARTS)
    confirm = serializers.BooleanField(required=False, default=False)
    mark = serializers.CharField(required=False, allow_blank=True, max_length=64, default="")


class RegroupInput(Input):
    """`confirm: false` only previews the result."""

    confirm = serializers.BooleanField(required=False, default=False)


class ReserveInput(Input):
    """`reserve: false` calls the army up: it is ready in a week."""

    reserve = serializers.BooleanField()


class StoredSerializer(serializers.Serializer):
    """Equipment of an army that goes to the kingdom's stores."""

    army = serializers.UUIDField()
    resource = serializers.CharField()
    quantity = serializers.IntegerField()


class FormedSerializer(serializers.Serializer):
    """An army as it comes of it. `army`: null for a new one in a preview."""

    army = serializers.UUIDField(source="row", allow_null=True)
    name = serializers.CharField()
    commander = serializers.UUIDField(allow_null=True)
    count = serializers.IntegerField()
    hp = serializers.IntegerField()
    hp_max = serializers.IntegerField()
    acr = serializers.CharField()
    morale = serializers.IntegerField()
    consumption = serializers.IntegerField(help_text="BP a week")
    arrears = serializers.BooleanField()
    owed = serializers.IntegerField()
    resources = serializers.DictField(child=serializers.IntegerField())


class ReformedSerializer(serializers.Serializer):
    """What comes of the armies. `gone`: armies that are dissolved. `freed`: commanders left without an army. `lost`:
    hit points beyond the new maximum.
    """

    mark = serializers.CharField()
    armies = FormedSerializer(many=True)
    gone = serializers.ListField(child=serializers.UUIDField())
    freed = serializers.ListField(child=serializers.UUIDField())
    stored = StoredSerializer(many=True)
    lost = serializers.IntegerField()


class RegroupedSerializer(serializers.Serializer):
    """A regrouped army, as a preview."""

    count = serializers.IntegerField()
    hp = serializers.IntegerField()


REGROUPED = PolymorphicProxySerializer("RegroupedArmy", [ArmySerializer, RegroupedSerializer], None)


class ReformActions(ApiActions):
    """Actions that reform armies."""

    @extend_schema(
        request=ReformInput,
        responses=document_approval(ReformedSerializer),
        summary="Divide, combine or even out armies, or say what that would do",
    )
    @action(detail=True, methods=["post"])
    def reform(self, request: ApiRequest, pk: str) -> Response:
        army, given = self.ordered(), self.input(using=ReformInput)
        others = self._others(army, given.get("armies", []))
        asked: dict[str, Any] = {
            "army": army,
            "others": others,
            "parts": [_read_part(place, part, [army, *others]) for place, part in enumerate(given.get("parts", []))],
        }
        if not given["confirm"]:
            return _answer(preview_reform(**asked))
        mark = require_mark(request, given["mark"])
        plan = preview_reform(**asked)
        formed = reform_armies(by=request.user, mark=mark, **asked)
        return _answer(plan, formed)

    def _others(self, army: PathfinderArmy, wanted: Sequence[UUID]) -> list[PathfinderArmy]:
        """The other armies that take part, which the user runs. Raises `NotVisible` with the pointer."""
        seen = {row.pk: row for row in armies_of(self.request.user, army.campaign).filter(pk__in=wanted)}
        for place, pk in enumerate(wanted):
            if pk not in seen:
                raise NotVisible(f"/armies/{place}")
            require_runs(self.request.user, seen[pk].kingdom)
        return [seen[pk] for pk in wanted]

    @extend_schema(
        request=RegroupInput,
        responses=document_approval(REGROUPED),
        summary="Regroup a worn army: smaller and whole again, or say what that would do",
    )
    @action(detail=True, methods=["post"])
    def regroup(self, request: ApiRequest, pk: str) -> Response:
        army, given = self.ordered(), self.input(using=RegroupInput)
        if not given["confirm"]:
            return Response(RegroupedSerializer(_describe_regrouped(preview_regroup(army=army))).data)
        regroup_army(by=request.user, army=army)
        return self.drawn(self.get_object())

    @extend_schema(
        request=ReserveInput,
        responses=document_approval(ArmySerializer),
        summary="Put an army in reserve, where it is paid once a month, or call it up",
    )
    @action(detail=True, methods=["post"])
    def reserve(self, request: ApiRequest, pk: str) -> Response:
        army, given = self.ordered(), self.input(using=ReserveInput)
        act = reserve_army if given["reserve"] else call_up_army
        act(by=request.user, army=army)
        return self.drawn(self.get_object())


def _describe_regrouped(troops: Troops) -> dict[str, Any]:
    return {"count": troops.army.count, "hp": troops.army.hp}


def _read_part(place: int, given: Mapping[str, Any], armies: Sequence[PathfinderArmy]) -> WantedArmy:
    """The wanted army. Raises `NotVisible` with the pointer for an army or commander that does not take part."""
    return WantedArmy(
        given["count"],
        _find({army.pk: army for army in armies}, given.get("army"), f"/parts/{place}/army"),
        given.get("name", ""),
        _find(_leaders(armies), given.get("commander"), f"/parts/{place}/commander"),
        given.get("resources", {}),
    )


def _leaders(armies: Sequence[PathfinderArmy]) -> dict[UUID, PathfinderCommander]:
    return {army.leader.pk: army.leader for army in armies if army.leader}


def _find[Row](rows: Mapping[UUID, Row], pk: UUID | None, pointer: str) -> Row | None:
    if pk is not None and pk not in rows:
        raise NotVisible(pointer)
    return rows[pk] if pk is not None else None


def _answer(plan: ReformPlan, formed: Sequence[PathfinderArmy] = ()) -> Response:
    rows: Sequence[PathfinderArmy | None] = formed or [one.army for one in plan.formed]
    body = {
        "mark": plan.mark,
        "armies": [_describe(one, row) for one, row in zip(plan.formed, rows, strict=True)],
        "gone": [army.pk for army in plan.gone],
        "freed": [commander.pk for commander in plan.freed],
        "stored": [stored._asdict() for stored in plan.stored],
        "lost": plan.lost,
    }
    response = Response(ReformedSerializer(body).data)
    response["ETag"] = f'"{plan.mark}"'
    return response


def _describe(one: FormedArmy, row: PathfinderArmy | None) -> dict[str, Any]:
    spec = one.troops.army
    same = {name: getattr(spec, name) for name in ("count", "hp", "morale", "arrears", "resources")}
    return {
        "row": row.pk if row else None,
        "name": one.name,
        "commander": one.commander.pk if one.commander else None,
        "hp_max": one.hp_max,
        "acr": one.acr,
        "consumption": one.consumption,
        "owed": one.troops.owed,
        **same,
    }
