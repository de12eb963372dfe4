"""API of reformed armies under mass combat: divide, combine, even out, regroup; reserves (R-94)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from armies.pathfinder.api.serializers import ArmySerializer
from armies.pathfinder.armies.reform_services import (
    FormedArmy,
    ReformPlan,
    WantedArmy,
    preview_reform,
    preview_regroup,
    reform_armies,
    regroup_army,
)
from armies.pathfinder.armies.reserve_services import call_up_army, reserve_army
from armies.pathfinder.models import PathfinderArmy
from armies.reform.api import (
    PartInputBase,
    PartRead,
    ReformedBase,
    ReformInputBase,
    describe_plan,
    read_request,
)
from core.api.serializers import Input
from kingdom.access.permissions import ApiRequest
from kingdom.api.base_views import ApiActions
from kingdom.api.fields import WholeField
from kingdom.approvals.serializers import document_approval
from kingdom.models import User
from rules.pathfinder.reform import MOST_PARTS, Troops


class WantedInput(PartInputBase):
    """One of the resulting armies. `army`: the participating army that continues as this one; without it, a new army
    with this `name`. `commander`: the commander of one of the armies. `resources`: its equipment, by slug.
    """

    count = WholeField()
    resources = serializers.DictField(child=WholeField(), required=False)


class ReformInput(ReformInputBase):
    """`armies` take part besides this one. Without `parts` they are combined into this army.

    Equipment that no part names goes to the first part, as far as it is enough for it, else to the stores. To confirm,
    send the `mark` of the preview: 428 without it, 412 if the preview would differ by now.
    """

    parts = serializers.ListField(child=WantedInput(), required=False, max_length=MOST_PARTS)


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

    army = serializers.UUIDField(allow_null=True)
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


class ReformedSerializer(ReformedBase):
    """Result of reforming the armies. `gone`: armies that are dissolved. `freed`: commanders left without an army.
    `lost`: hit points beyond the new maximum.
    """

    armies = FormedSerializer(many=True)
    stored = StoredSerializer(many=True)
    lost = serializers.IntegerField()


class RegroupedSerializer(serializers.Serializer):
    """A regrouped army, as a preview."""

    count = serializers.IntegerField()
    hp = serializers.IntegerField()


REGROUPED = PolymorphicProxySerializer("RegroupedArmy", [ArmySerializer, RegroupedSerializer], None)


class ReformActions(ApiActions):
    """Actions that regroup armies and put them in reserve."""

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


def answer_reform(
    by: User, army: PathfinderArmy, given: Mapping[str, Any], mark: str | None
) -> tuple[dict[str, Any], str]:
    """Previews the reform, or carries it out if a mark is given. Returns the response body and the mark. Raises
    `NotVisible` with the pointer.
    """
    asked = read_request(by, army, given, _read_part)
    plan = preview_reform(**asked) if mark is None else reform_armies(by=by, mark=mark, **asked)
    return dict(ReformedSerializer(_describe_plan(plan)).data), plan.mark


def _read_part(whom: PartRead[PathfinderArmy], given: Mapping[str, Any], _at: str) -> WantedArmy:
    return WantedArmy(given["count"], whom.army, whom.name, whom.commander, given.get("resources", {}))


def _describe_plan(plan: ReformPlan) -> dict[str, Any]:
    own = {"stored": [stored._asdict() for stored in plan.stored], "lost": plan.lost}
    return {**describe_plan(plan, _describe), **own}


def _describe(one: FormedArmy) -> dict[str, Any]:
    spec = one.troops.army
    return {
        "hp_max": one.hp_max,
        "acr": one.acr,
        "consumption": one.consumption,
        "owed": one.troops.owed,
        **{name: getattr(spec, name) for name in ("count", "hp", "morale", "arrears", "resources")},
    }
